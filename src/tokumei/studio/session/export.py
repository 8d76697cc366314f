"""What leaves the session: the release folder, the plan, the program and the reports; the guarantee is counted again first."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from tokumei.errors import InvalidParameter
from tokumei.files import atomic_file, atomic_folder, check_free
from tokumei.privacy.guarantee import Guarantee
from tokumei.release.artifact import Format, Release
from tokumei.release.files import read_release
from tokumei.release.formulas import Formulas, formula_cells
from tokumei.reports.report import release_digests
from tokumei.studio.session.opening import EXAMPLE
from tokumei.text import names

Kind = Literal["release", "plan", "script", "report", "public_report", "data"]
PUBLIC: tuple[Kind, ...] = ("release", "public_report")  # what may be given away
FILES: dict[Kind, str] = {
    "release": "release",
    "plan": "plan.toml",
    "script": "release.py",
    "report": "report-private.html",
    "public_report": "report.html",
    "data": EXAMPLE,
}


@dataclass(frozen=True)
class Exported:
    """What was written.

    Attributes
    ----------
    paths
        Each thing, and where it is.
    recounted
        The guarantees, computed again from the written files; empty where no release was written.
    rows
        How many rows the written release has.
    formulas
        The columns of a CSV file with cells that a spreadsheet would run.
    """

    paths: dict[Kind, Path]
    recounted: tuple[Guarantee, ...]
    rows: int | None
    formulas: tuple[str, ...] = ()


def export(
    folder: Path,
    kinds: Collection[Kind],
    release: Release | None,
    texts: dict[Kind, Callable[[Mapping[str, str]], str]],
    form: Format,
    *,
    overwrite: bool,
    formulas: Formulas = "keep",
) -> Exported:
    """Write some things into a folder, the release first.

    It is read back before it is put there, so that every guarantee is counted again. The other things are told the digests of its files.
    """
    unknown = [kind for kind in kinds if kind not in get_args(Kind)]
    if unknown or not kinds:
        raise InvalidParameter("kinds must be some of {kinds}.", kinds=names(get_args(Kind)))
    places = {kind: folder / name for kind, name in FILES.items() if kind in kinds}
    for place in places.values():
        check_free(place, overwrite=overwrite)
    recounted: tuple[Guarantee, ...] = ()
    rows = None
    runs: tuple[str, ...] = ()
    digests: Mapping[str, str] = {}
    if release is not None:
        again = _checked(release, places["release"], form, formulas, overwrite=overwrite)
        recounted, rows, digests = again.guarantees, again.rows, release_digests(places["release"])
        runs = tuple(formula_cells(again.table)) if (form, formulas) == ("csv", "keep") else ()
    for kind, place in places.items():
        if kind in texts:
            with atomic_file(place, overwrite=overwrite, private=kind not in PUBLIC) as temporary:
                temporary.write_text(texts[kind](digests), encoding="utf-8")
    return Exported(places, recounted, rows, runs)


def recount(folder: Path) -> Release:
    """Read a written release back: its digest, its labels and every guarantee are checked on the way."""
    return read_release(folder, frame="pyarrow")


def _checked(release: Release, place: Path, form: Format, formulas: Formulas, *, overwrite: bool) -> Release:
    """Write a release, and put it in its place once it has been read back and every guarantee was counted again."""
    with tempfile.TemporaryDirectory(prefix="tokumei-") as private:
        written = release.write(Path(private) / "release", form, allow_seeded=release.seeded, formulas=formulas)
        again = recount(written)
        with atomic_folder(place, overwrite=overwrite) as new:
            for file in written.iterdir():
                shutil.copyfile(file, new / file.name)
    return again
