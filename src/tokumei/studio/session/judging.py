"""What attackers could do, what was said of the population, which rungs are duties, and what would mend them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from tokumei.privacy.duties import read_duties, written
from tokumei.privacy.rungs import RungName
from tokumei.progress import Progress, Stop, listening
from tokumei.reports.findings import played_attack
from tokumei.reports.mending import Advised, Tried, try_changes
from tokumei.risk.releases import made_alike
from tokumei.studio.session.attackers import Tries, tries_after, tries_before, unique_rows, uniques_after
from tokumei.studio.session.cache import Cache
from tokumei.studio.session.drawn import Played
from tokumei.studio.session.opening import (
    Opened,
    receive,
)
from tokumei.studio.session.population import Population
from tokumei.studio.session.releasing import Releasing
from tokumei.studio.session.rows import HeldRows
from tokumei.studio.session.state import State
from tokumei.table.schema import Schema
from tokumei.utility.careful import noting
from tokumei.words import Statement


class Judging(Releasing):
    """The release against attackers and duties."""

    def __init__(self, opened: Opened) -> None:
        super().__init__(opened)
        self._advised = Cache[Advised](4)
        self._people: dict[str, pa.Table] = {}  # tables of the population, by name

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
