"""The release of a state: made once, looked at, and taken along."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path

import pyarrow as pa

from tokumei.engines.local import make_release
from tokumei.errors import InvalidParameter
from tokumei.plan import Plan
from tokumei.progress import Progress, Stop, listening
from tokumei.randomness import Key
from tokumei.release.artifact import Format, Release
from tokumei.release.formulas import Formulas
from tokumei.release.ladder import Ladder
from tokumei.reports.evidence import Evidence, now
from tokumei.reports.report import report_of
from tokumei.risk.ladder import ladder
from tokumei.studio.session.cache import Cache
from tokumei.studio.session.drawn import Drawn
from tokumei.studio.session.export import Exported, Kind, export
from tokumei.studio.session.looking import Looking
from tokumei.studio.session.opening import (
    EXAMPLE,
    Opened,
)
from tokumei.studio.session.records import Order, RecordPage, page_of
from tokumei.studio.session.risk_after import RiskAfter, risk_of
from tokumei.table.frames import Origin
from tokumei.utility.careful import noting
from tokumei.words import Language, Statement


class Releasing(Looking):
    """The release, its risk and its rungs, single records of it, and what is exported."""

    def __init__(self, opened: Opened) -> None:
        super().__init__(opened)
        self._releases = Cache[Drawn](4)

    def release(self, progress: Progress | None = None, cancelled: Stop | None = None) -> Release:
        """Make the release of the state; the same state gives the same release again."""
        return self._drawn(progress, cancelled).release

    def notes(self) -> tuple[Statement, ...]:
        """Return what the data holder should know of the release: warnings of its making, and the method's own notes."""
        drawn = self._drawn()
        record = drawn.release.record
        return (*drawn.notes, *(record.notes if record is not None else ()))

    def released(self) -> Release | None:
        """Return the release of the state, if it has been made already."""
        found = self._drawn_already()
        return None if found is None else found.release

    def _drawn_already(self) -> Drawn | None:
        return None if self.state.method is None else self._releases.find((self.plan(), self.state.seed))

    def _drawn(self, progress: Progress | None = None, cancelled: Stop | None = None) -> Drawn:
        plan, seed = self.plan(), self.state.seed
        with listening(progress, cancelled):
            return self._releases.get((plan, seed), lambda: self._draw(plan, seed))

    def _draw(self, plan: Plan, seed: int | None) -> Drawn:
        key = Key.fresh() if seed is None else Key.seeded(seed)
        rows = self._rows(plan).table(plan.schema)
        notes: list[Statement] = []
        with noting("release", notes):
            made = make_release(rows, Origin("pyarrow"), plan.schema, plan.method, plan.prepare, key)
        return Drawn(made, tuple(dict.fromkeys(notes)))

    def risk_after(
        self, progress: Progress | None = None, cancelled: Stop | None = None, *, thorough: bool = True
    ) -> RiskAfter:
        """Return the risk of the release; with ``thorough`` also all that its classes tell."""
        with listening(progress, cancelled):
            drawn = self._drawn(progress, cancelled)
            found: RiskAfter = drawn.views.get(("risk", thorough), lambda: risk_of(drawn.release, thorough=thorough))
            return found

    def ladder(self, progress: Progress | None = None, cancelled: Stop | None = None) -> Ladder:
        """Return what the release promises against every kind of attacker, beside the original."""
        with listening(progress, cancelled):
            drawn, state = self._drawn(progress, cancelled), self.state
            found: Ladder = drawn.views.get(
                "ladder", lambda: ladder(drawn.release, self._rows(state).table(state.schema), state.schema)
            )
            return found

    def records(self, page: int = 0, order: Order = "risk", size: int = 25) -> RecordPage:
        """Return one page of rows with their risk, and with what they became once there is a release.

        It is the only thing here that shows rows, so it is for the data holder only.
        """
        schema = self.state.schema
        shown = schema.names("quasi_identifier", "sensitive", "insensitive")
        found = self._drawn_already()
        made = None if found is None else found.made
        return page_of(self.rows.table(schema), shown, self.risk_before(), made, page, order, size)

    def export(
        self,
        folder: str | Path,
        kinds: Collection[Kind] = ("release", "plan", "script"),
        form: Format = "parquet",
        *,
        language: Language = "en",
        overwrite: bool = False,
        formulas: Formulas = "keep",
        name: str | None = None,
        progress: Progress | None = None,
        cancelled: Stop | None = None,
    ) -> Exported:
        """Write the release, the plan, the program or reports into a folder.

        A release is put there only after it has been read back and every guarantee counted again. ``"data"`` is for the
        example: its rows, which the plan names. ``name`` is what reports call the table; without it the public one has no name.
        """
        if "data" in kinds and self.name != EXAMPLE:
            raise InvalidParameter("Only the example's rows are written; the original stays where it is.")
        state = self.state
        with listening(progress, cancelled):
            release = None
            if {"release", "report", "public_report"} & set(kinds):
                release = self.release(progress, cancelled)
            original = self._rows(state).table(state.schema)
            texts: dict[Kind, Callable[[Mapping[str, str]], str]] = {
                "plan": lambda digests: self.as_toml(),
                "script": lambda digests: self.as_python(),
                "data": lambda digests: Path(str(state.source.path)).read_text(encoding="utf-8"),
                "report": lambda digests: self._report(release, digests, name, language, original),
                "public_report": lambda digests: self._report(release, digests, name, language),
            }
            written = release if "release" in kinds else None
            return export(Path(folder), kinds, written, texts, form, overwrite=overwrite, formulas=formulas)

    def _report(
        self,
        release: Release | None,
        digests: Mapping[str, str],
        name: str | None,
        language: Language,
        original: pa.Table | None = None,
    ) -> str:
        """Report on the release: the public report, or with the original that of the data holder."""
        if release is None:
            return ""
        if original is None:
            return report_of(release, digests, Evidence(now(), name), language=language).html
        state = self.state
        evidence = Evidence(now(), name or self.name, self.opened.digests(original), self.as_toml())
        made = report_of(
            release, digests, evidence, original, state.schema, state.prepare, state.method, language=language
        )
        return made.html
