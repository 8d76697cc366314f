"""The session: one person's work on one table. Every change is a new state, and every state is a plan."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei.anonymizers.anonymizer import Anonymizer
from tokumei.engines.local import make_release
from tokumei.errors import InvalidParameter
from tokumei.hierarchies.effects import LevelEffect, level_effects
from tokumei.hierarchies.learned import frequency_hierarchy
from tokumei.plan import Plan
from tokumei.privacy.duties import read_duties, written
from tokumei.privacy.rungs import RungName
from tokumei.progress import Progress, Stop, listening
from tokumei.randomness import Key
from tokumei.release.artifact import Format, Release
from tokumei.release.formulas import Formulas
from tokumei.release.ladder import Ladder
from tokumei.reports.evidence import Evidence, now
from tokumei.reports.findings import played_attack
from tokumei.reports.mending import Advised, Tried, try_changes
from tokumei.reports.report import report_of
from tokumei.risk.assess import assess
from tokumei.risk.assessment import Assessment
from tokumei.risk.ladder import ladder
from tokumei.risk.releases import classes_of, made_alike
from tokumei.studio.session.attackers import Tries, tries_after, tries_before, unique_rows, uniques_after
from tokumei.studio.session.before_after import BeforeAfter, Scores, measure_before_after, scores
from tokumei.studio.session.cache import Cache
from tokumei.studio.session.chosen import Chosen
from tokumei.studio.session.columns import ColumnCard, card
from tokumei.studio.session.drawn import Drawn, Played
from tokumei.studio.session.export import Exported, Kind, export
from tokumei.studio.session.frontier import SUPPRESSED, Frontier, LineName, Point, at_levels
from tokumei.studio.session.frontier_builder import FrontierBuilder
from tokumei.studio.session.lattice import LatticeView
from tokumei.studio.session.noticed import Noticed, notice, with_missing
from tokumei.studio.session.opening import (
    EXAMPLE,
    LARGEST_UPLOAD,
    Opened,
    open_example,
    open_plan,
    open_table,
    receive,
    reopen,
)
from tokumei.studio.session.population import Population
from tokumei.studio.session.project import Project
from tokumei.studio.session.records import Order, RecordPage, page_of
from tokumei.studio.session.risk_after import RiskAfter, risk_of
from tokumei.studio.session.rows import HeldRows
from tokumei.studio.session.state import State
from tokumei.studio.session.work import Work
from tokumei.table.frames import Origin
from tokumei.table.hierarchy import Intervals, Tree
from tokumei.table.schema import Attribute, Role, Schema
from tokumei.table.sizes import ClassSizes
from tokumei.text import nearest
from tokumei.utility.careful import noting
from tokumei.utility.quick import Quick
from tokumei.words import Language, Statement


class Session(Work):
    """One person's work on one table.

    What it returns is for the data holder of the table. Reading is safe from several threads; every change is a new `State` in
    a history that can be gone back.

    Examples
    --------
    >>> import tokumei as tk
    >>> with Session.example(rows=500) as session:
    ...     state = session.change(method=tk.Generalization(k=5))
    ...     session.undo().method, session.redo().method
    (None, Generalization(k=5, ...))
    """

    def __init__(self, opened: Opened) -> None:
        super().__init__(opened)
        self._before = Cache[Assessment](4)
        self._releases = Cache[Drawn](4)
        self._counted = Cache[Quick](2)
        self._frontiers = Cache[FrontierBuilder](3)
        self._cards = Cache[list[ColumnCard]](2)
        self._noticed = Cache[dict[str, Noticed]](2)
        self._sizes = Cache[ClassSizes](4)
        self._advised = Cache[Advised](4)
        self._people: dict[str, pa.Table] = {}  # tables of the population, by name

    @classmethod
    def example(cls, rows: int = 12_000) -> Session:
        """Open the example: people who do not exist, with a schema that is right."""
        return cls(open_example(rows))

    @classmethod
    def open(
        cls, place: str | Path, table: str | None = None, delimiter: str | None = None, encoding: str = "utf-8"
    ) -> Session:
        """Open a CSV or Parquet file, or a table of a database.

        Parameters
        ----------
        place
            The path of the file, or ``postgresql://…``, ``sqlite:///file`` or ``duckdb:///file``.
        table
            The table of a database.
        delimiter, encoding
            How a CSV file is written; the delimiter is told by its first line.
        """
        return cls(open_table(place, table, delimiter, encoding))

    @classmethod
    def receive(
        cls,
        given: Path,
        name: str,
        delimiter: str | None = None,
        encoding: str = "utf-8",
        limit: int = LARGEST_UPLOAD,
    ) -> Session:
        """Open a file that somebody sent: it is moved to a private folder, and removed when the session is closed."""
        return cls(receive(given, name, delimiter, encoding, limit))

    @classmethod
    def open_chosen(cls, chosen: Chosen) -> Session:
        """Open a file that was looked at first, as it was said to be written."""
        made = cls(chosen.open())
        chosen.leave()
        return made

    @classmethod
    def open_plan(cls, plan: Plan) -> Session:
        """Open the table of a plan, with the plan as the first step."""
        made = cls(open_plan(plan))
        try:
            made.take_plan(plan)
        except BaseException:
            made.close()
            raise
        return made

    @classmethod
    def reopen(cls, project: Project, given: Path | None = None) -> Session:
        """Go on with a project; a table that was handed over has to be ``given`` again."""
        made = cls(reopen(project, given))
        try:
            made._go_on(project)
        except BaseException:
            made.close()
            raise
        return made

    def __enter__(self) -> Session:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def treat_as_missing(self, marker: str) -> State:
        """Read the cells of a file that hold a marker or a code as missing, in every column; what it would take from others is refused."""
        return self._go(with_missing(self.state, self.table, self.noticed(), marker))

    # The table, its columns and its risk.

    def noticed(self) -> dict[str, Noticed]:
        """Return what seems to stand for no answer in each column that is kept, where anything does: codes and markers, with counts."""
        state = self.state
        return self._noticed.get((state.source, state.schema), lambda: notice(self._rows(state), state.schema))

    def columns(self) -> list[ColumnCard]:
        """Return a card for each column."""
        state = self.state
        return self._cards.get((state.source, state.schema), lambda: self._made_cards(state))

    def _made_cards(self, state: State) -> list[ColumnCard]:
        schema, rows = state.schema, self._rows(state)
        table = rows.table(schema)
        coded = rows.coded(schema) if len(schema.names("identifier")) < len(schema.names()) else None
        guessed: Mapping[str, Role] = {a.name: a.role for a in self.opened.schema}
        noticed = self._noticed.get((state.source, schema), lambda: notice(rows, schema))
        return [
            replace(
                card(schema[name], table.column(name), coded, guessed[name], self.opened.why[name]),
                noticed=noticed.get(name, Noticed()),
            )
            for name in table.column_names
        ]

    def risk_before(self, progress: Progress | None = None, cancelled: Stop | None = None) -> Assessment:
        """Return the risk of the table, were it released unchanged.

        Of many columns fewer are put together to find out what singles people out: see ``singling_out.largest``.
        """
        state = self.state
        schema = state.schema

        def make() -> Assessment:
            rows = self._rows(state).table(schema)
            largest = _largest_sets(len(schema.names("quasi_identifier")), rows.num_rows)
            return assess(rows, schema, (), largest=largest)

        with listening(progress, cancelled):
            return self._before.get((state.source, schema), make)

    def sizes_before(self, progress: Progress | None = None, cancelled: Stop | None = None) -> ClassSizes:
        """Return the sizes of the equivalence classes of the table as it is: the part of its risk that is counted quickly."""
        state = self.state
        schema = state.schema
        if not schema.names("quasi_identifier"):
            raise InvalidParameter(
                "There is no quasi-identifier yet; say which columns an attacker may know about a person."
            )
        with listening(progress, cancelled):
            return self._sizes.get((state.source, schema), lambda: classes_of(self._rows(state).table(schema), schema))

    # The release.

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

    def tries_before(self, progress: Progress | None = None, cancelled: Stop | None = None) -> Tries:
        """Return what attackers can do with the table as it is, given what was said of the population."""
        state, people = self.state, self.population_table
        sizes = self.sizes_before(progress, cancelled)
        with listening(progress, cancelled):
            return tries_before(self._rows(state).table(state.schema), state.schema, sizes, state.population, people)

    def tries_after(self, progress: Progress | None = None, cancelled: Stop | None = None) -> Tries:
        """Return what attackers can do with the release, given what was said of the population."""
        with listening(progress, cancelled):
            drawn, state = self._drawn(progress, cancelled), self.state
            rows = self._rows(state).table(state.schema)
            return tries_after(drawn, rows, state.schema, state.population, self.population_table)

    def unique_rows(self, sets: Sequence[Sequence[str]]) -> tuple[list[int | None], list[int | None] | None]:
        """Count the rows that are unique in sets of columns, before and after; after only where classes show the risk."""
        state = self.state
        after = None if state.method is None else uniques_after(self.release(), sets)
        return unique_rows(self._rows(state).table(state.schema), sets), after

    def give_population(self, given: Path, name: str) -> State:
        """Take a file as the table of the population. It is read, and neither kept on disk nor in projects."""
        opened = receive(given, name)
        try:
            ours = self.state.schema  # whose columns are read alike
            same = Schema(tuple(ours[each.name] if each.name in ours.names() else each for each in opened.schema))
            found = HeldRows(opened.source).table(same)
        finally:
            if opened.held is not None:
                opened.held.cleanup()
        self._people[opened.name] = found
        return self.change(population=Population("table", name=opened.name))

    @property
    def population_table(self) -> pa.Table | None:
        """The table of the population, as far as the state has one and it was given in this visit."""
        told = self.state.population
        return None if told is None or told.name is None else self._people.get(told.name)

    def give_duty(self, name: RungName, allowed: float | str | None) -> State:
        """Make a rung a duty that must not exceed a number, or no duty any more."""
        duties: dict[RungName, Any] = dict(read_duties(self.state.duties))
        duties.pop(name, None)
        if allowed is not None:
            duties[name] = allowed
        return self.change(duties=written(read_duties(duties)))

    def advise(self, progress: Progress | None = None, cancelled: Stop | None = None) -> Advised:
        """Try changes that may mend weak rungs, or duties that do not hold, and measure what each gives and costs.

        Releases are drawn for it and thrown away. It takes a while; what was found for a state is kept.
        """
        plan, state = self.plan(), self.state

        def make() -> Advised:
            rows = self._rows(state).table(state.schema)
            with noting("Preview", []):  # they are told when the release itself is made
                return try_changes(rows, state.schema, plan.method, state.prepare, duties=state.duties)

        with listening(progress, cancelled):
            return self._advised.get((plan, state.duties), make)

    def advised(self) -> Advised | None:
        """Return what `advise` has found for the state already."""
        return None if self.state.method is None else self._advised.find((self.plan(), self.state.duties))

    def take(self, tried: Tried) -> State:
        """Take a change that was tried."""
        return self.change(method=tried.method, prepare=tried.prepare)

    def attack(self, progress: Progress | None = None, cancelled: Stop | None = None) -> Played:
        """Attack the release with all the knowledge there is, where rows were perturbed or sampled.

        Of a large table some rows are drawn for it. It takes a while.
        """
        with listening(progress, cancelled):
            drawn, state = self._drawn(progress, cancelled), self.state
            if made_alike(drawn.release) and not drawn.release.mechanism.perturbed:
                return Played(None, None, ())
            notes: list[Statement] = []
            rows = self._rows(state).table(state.schema)
            found, attacked = played_attack(
                rows, drawn.release, state.schema, state.prepare, state.method, state.seed, notes
            )
            return Played(found, attacked, tuple(notes))

    def before_after(
        self, *, reconstruct: bool = False, progress: Progress | None = None, cancelled: Stop | None = None
    ) -> BeforeAfter:
        """Return the release next to the original: shares, associations and cross tables; with its noise taken out if asked."""
        with listening(progress, cancelled):
            drawn, quick = self._drawn(progress, cancelled), self._quick()
            found: BeforeAfter = drawn.views.get(
                ("before_after", reconstruct),
                lambda: measure_before_after(quick, drawn.release, reconstruct=reconstruct),
            )
            return found

    def scores(
        self,
        target: str,
        *,
        reconstruct: bool = False,
        progress: Progress | None = None,
        cancelled: Stop | None = None,
    ) -> Scores:
        """Return how well a model that has learned from the release predicts a column of the original."""
        with listening(progress, cancelled):
            release = self.release(progress, cancelled)
            known = [line.name for line in self._quick().lines_of(release)]
            if target not in known:
                raise InvalidParameter(
                    "{target!r} is not a column that can be predicted.{hint}",
                    target=target,
                    hint=nearest(target, known),
                )
            return scores(self._quick(), release, target, reconstruct=reconstruct)

    def _quick(self) -> Quick:
        state = self.state
        return self._counted.get(
            (state.source, state.schema, state.prepare),
            lambda: Quick(self._rows(state).coded(state.schema, state.prepare)),
        )

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

    # Hierarchies.

    def level_effects(self, attribute: Attribute) -> tuple[LevelEffect, ...]:
        """Say what each level of a column's hierarchy would do, before it is taken: loss and classes."""
        schema = self.state.schema.replacing(attribute)
        return level_effects(self.rows.coded(schema), attribute)

    def value_counts(self, name: str) -> tuple[int, ...]:
        """Return how many rows have each value of a column, in the order of its domain."""
        attribute = self.state.schema[name]
        assert attribute.domain is not None
        codes = self.rows.column(self.table, attribute)[0].codes
        assert codes is not None
        counts = np.bincount(codes, minlength=attribute.domain.size + 1)[: attribute.domain.size]
        return tuple(int(each) for each in counts)

    def hierarchy(self, name: str, hierarchy: Tree | Intervals | None) -> State:
        """Give a column a hierarchy, or take it away; one that was learned makes the column an observed one."""
        return self.describe(replace(self.state.schema[name], hierarchy=hierarchy))

    def learned_hierarchy(self, name: str, clusters: Sequence[int] | None = None) -> Tree:
        """Return a tree that joins rare values first, learned from the rows; releases will say so."""
        return frequency_hierarchy(self.table, self.state.schema[name], clusters)

    # The lattice of full-domain recoding.

    def lattice(self, progress: Progress | None = None, cancelled: Stop | None = None) -> LatticeView:
        """Return every combination of levels: what it loses, and for which k it is safe."""
        with listening(progress, cancelled):
            return LatticeView(self._frontier_builder().nodes, SUPPRESSED)

    def apply_levels(self, levels: Mapping[str, int], k: int) -> State:
        """Take a combination of levels as the method, if it is safe for k."""
        tile = self.lattice().tile(levels)
        if not tile.safe(k):
            raise InvalidParameter("These levels do not keep k = {k}; choose coarser ones, or a smaller k.", k=k)
        return self.change(method=at_levels(k, levels))

    # Methods beside each other.

    def frontier(
        self,
        progress: Progress | None = None,
        cancelled: Stop | None = None,
        partial: Callable[[Frontier], None] | None = None,
    ) -> Frontier:
        """Return risk against utility for every method and k.

        ``partial`` is called with what there is whenever there is more, coarse first. What was made is kept, also if the
        work is stopped.
        """
        with listening(progress, cancelled):
            found = None
            for found in self._frontier_builder().steps():
                if partial is not None:
                    partial(found)
            assert found is not None
            return found

    def frontier_now(self) -> Frontier:
        """Return as much of the frontier as has been made."""
        return self._frontier_builder().now()

    def point(
        self,
        line: LineName,
        k: int,
        *,
        progress: Progress | None = None,
        cancelled: Stop | None = None,
    ) -> Point | None:
        """Return the point of one method for one k, measured now if it has not been; nothing where it cannot be."""
        with listening(progress, cancelled):
            return self._frontier_builder().point(line, k)

    def apply(self, point: Point) -> State:
        """Take the method of a point."""
        return self.change(method=point.method)

    def pin(self, point: Point) -> State:
        """Keep the method of a point to be compared."""
        pinned = self.state.pinned
        return self.state if point.method in pinned else self.change(pinned=(*pinned, point.method))

    def unpin(self, method: Anonymizer) -> State:
        """Keep a method no longer."""
        return self.change(pinned=tuple(each for each in self.state.pinned if each != method))

    def _frontier_builder(self) -> FrontierBuilder:
        state = self.state
        key = state.source, state.schema, state.prepare
        coded, rows = self._rows(state).coded, self._rows(state).table
        return self._frontiers.get(
            key,
            lambda: FrontierBuilder(
                rows(state.schema), coded(state.schema, state.prepare), state.schema, state.prepare
            ),
        )


MOST_SETS = 60_000  # of columns that are looked at while somebody waits
MOST_CELLS = 1e9  # rows of all these sets


def _largest_sets(columns: int, rows: int) -> int:
    """Return how many columns, three at most, can be put together in every way without anybody waiting for minutes.

    >>> _largest_sets(8, 50_000), _largest_sets(300, 2_000), _largest_sets(2_000, 1_000)
    (3, 2, 1)
    """
    for largest in (3, 2):
        sets = sum(math.comb(columns, size) for size in range(1, largest + 1))
        if sets <= MOST_SETS and sets * rows <= MOST_CELLS:
            return largest
    return 1
