"""Export: the guarantee counted again on what would leave, then the files."""

from __future__ import annotations

import shutil
import zipfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nicegui import ui

from tokumei.errors import OutputError
from tokumei.files import reason
from tokumei.privacy.guarantee import Guarantee, headline
from tokumei.progress import Progress, Stop
from tokumei.release.ladder import Ladder
from tokumei.studio.figures import tone_of
from tokumei.studio.parts import Text, box, button, card, choice, field, link, no_method, note, problem, tick
from tokumei.studio.screens.duties import verdict_words
from tokumei.studio.session.export import Exported

if TYPE_CHECKING:
    from tokumei.studio.frame import View

DOWNLOAD = "/studio/download"
NO_DATE = (1980, 1, 1, 0, 0, 0)  # an archive tells nothing that the files in it do not
KINDS = ("release", "plan", "script", "report", "public_report")
TICKED = {"release", "plan", "script", "report"}


async def export(view: View) -> None:
    """Offer what the state makes."""
    words, session = view.words, view.session
    if session.state.method is None:
        no_method(words)
        return
    await view.fill("ladder", session.ladder, partial(_verdict, view))
    wanted: dict[str, bool] = {kind: kind in TICKED for kind in KINDS}
    chosen: dict[str, str] = {"form": "parquet", "folder": "", "name": session.name}
    with box("halves"):
        with card(words("export_what")):
            for kind in KINDS:
                tick(words(f"export_{kind}"), wanted[kind], partial(wanted.__setitem__, kind))
            choice(
                words("export_form"),
                {
                    "parquet": "Parquet",
                    "csv": "CSV",
                    "quote": words("export_form_quote"),
                    "sav": "SPSS (.sav)",
                    "dta": "Stata (.dta)",
                    "xpt": "SAS (.xpt)",
                },
                "parquet",
                partial(chosen.__setitem__, "form"),
            )
            field(words("export_name"), chosen["name"], partial(chosen.__setitem__, "name"))
            note(words("export_name_about"))
            if session.state.seed is not None:
                note(words("export_seeded"))
            with box("row"):
                button(words("export_prepare"), lambda: _prepare(view, wanted, chosen, result), "primary")
            with box("", "details"):
                Text("summary", words("export_to_folder"))
                with box("row bottom"):
                    field(words("export_folder"), "", partial(chosen.__setitem__, "folder"), classes="grow")
                    button(words("export_write"), lambda: _write(view, wanted, chosen, result))
        with card(words("export_promise")):
            result = box("filled")
            with result:
                note(words("export_not_yet"))


def _verdict(view: View, found: Ladder) -> None:
    """Say whether the duties hold, before anything is taken."""
    words, duties = view.words, view.session.state.duties
    with box("row"):
        Text("p", verdict_words(found, duties, words), f"duty verdict {tone_of(found, duties)}", role="status")
        link(words("verdict_back"), "/verdict", "button")


async def _prepare(view: View, wanted: dict[str, bool], chosen: dict[str, str], result: ui.element) -> None:
    folder = view.studio.inbox.fresh()
    await _made(view, wanted, chosen, folder, result, download=True)


async def _write(view: View, wanted: dict[str, bool], chosen: dict[str, str], result: ui.element) -> None:
    if not chosen["folder"].strip():
        view.tell(view.words("export_name_folder"))
        return
    await _made(view, wanted, chosen, Path(chosen["folder"]).expanduser(), result, download=False)


async def _made(
    view: View, wanted: dict[str, bool], chosen: dict[str, str], folder: Path, result: ui.element, *, download: bool
) -> None:
    session, language = view.session, view.words.language
    kinds: Any = tuple(kind for kind, on in wanted.items() if on)
    form: Any = "csv" if chosen["form"] == "quote" else chosen["form"]
    formulas: Any = "quote" if chosen["form"] == "quote" else "keep"

    def work(progress: Progress, cancelled: Stop) -> tuple[Exported, list[tuple[str, Path]]]:
        made = session.export(
            folder,
            kinds,
            form,
            language=language,
            formulas=formulas,
            name=chosen["name"].strip() or None,
            progress=progress,
            cancelled=cancelled,
        )
        return made, [(kind, _one_file(path)) for kind, path in made.paths.items()] if download else []

    await view.fill("export", work, partial(_exported, view, folder), result)


def _one_file(path: Path) -> Path:
    """Return a path that can be fetched: a folder as an archive beside it."""
    if path.is_file():
        return path
    archive = path.with_name(f"{path.name}.zip")
    try:
        with zipfile.ZipFile(archive, "w") as made:
            for file in sorted(path.iterdir()):
                entry = zipfile.ZipInfo(f"{path.name}/{file.name}", NO_DATE)
                entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
                entry.file_size = file.stat().st_size
                with file.open("rb") as content, made.open(entry, "w") as packed:
                    shutil.copyfileobj(content, packed)
    except OSError as error:
        raise OutputError("The archive could not be written: {reason}.", reason=reason(error)) from None
    return archive


def _exported(view: View, folder: Path, found: tuple[Exported, list[tuple[str, Path]]]) -> None:
    words, (made, files) = view.words, found
    if made.rows is not None:
        Text("p", words("export_recounted", rows=f"{made.rows:,}"), "fine", role="status")
        with box("", "ul"):
            for promise in made.recounted:
                _promise(view, promise)
        if not made.recounted:
            note(words("head_nothing"))
        if made.formulas:
            problem(words("export_formulas", columns=", ".join(made.formulas)))
    if not files:
        Text("p", words("export_written", folder=str(folder)), "fine")
        return
    with box("row"):
        for kind, path in files:
            ticket = view.studio.offer(path, path.name)
            link(
                words("export_take", name=path.name),
                f"{DOWNLOAD}/{ticket}",
                "button",
                download=path.name,
                data_kind=kind,
            )


def _promise(view: View, promise: Guarantee) -> None:
    with box("", "li"):
        Text("strong", view.said(headline(promise, view.words)))
        with box("", "ul"):
            for each in promise.assumes:
                Text("li", view.say(each), "note")
