"""The table as it is: its columns, what stands for no answer in them, their hierarchies, and the risk were it released unchanged."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from tokumei.errors import InvalidParameter
from tokumei.hierarchies.effects import LevelEffect, level_effects
from tokumei.hierarchies.learned import frequency_hierarchy
from tokumei.progress import Progress, Stop, listening
from tokumei.risk.assess import assess
from tokumei.risk.assessment import Assessment
from tokumei.risk.releases import classes_of
from tokumei.studio.session.cache import Cache
from tokumei.studio.session.columns import ColumnCard, card
from tokumei.studio.session.noticed import Noticed, notice, with_missing
from tokumei.studio.session.opening import (
    Opened,
)
from tokumei.studio.session.state import State
from tokumei.studio.session.work import Work
from tokumei.table.hierarchy import Intervals, Tree
from tokumei.table.schema import Attribute, Role
from tokumei.table.sizes import ClassSizes


class Looking(Work):
    """What can be seen of the table before any method is applied."""

    def __init__(self, opened: Opened) -> None:
        super().__init__(opened)
        self._before = Cache[Assessment](4)
        self._cards = Cache[list[ColumnCard]](2)
        self._noticed = Cache[dict[str, Noticed]](2)
        self._sizes = Cache[ClassSizes](4)

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
