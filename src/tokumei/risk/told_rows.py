"""Rows that tell one thing each, as an attacker sees them: which true tuples the released ones agree with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tokumei.arrays import Codes, Floats, Integers
from tokumei.mechanism.telling import Telling
from tokumei.table.classes import class_of


class Agreement(NamedTuple):
    """What the loops need to raise the likelihood of the rows that tell what a person truly has.

    Cluster ``c`` has the parts ``parts[c]`` to ``parts[c + 1]``: the place ``column`` of each in a true record, how many
    ``cells`` it has, and the ``start`` of its look-up in ``cell_of``. Its released rows are ``order[rows[c]]`` to
    ``order[rows[c + 1]]``, sorted by their ``tuples``.
    """

    parts: Integers
    column: Integers
    cells: Integers
    start: Integers
    cell_of: Integers
    rows: Integers
    order: Integers
    tuples: Integers
    gains: Floats


_NONE = np.zeros(0, dtype=np.int64)
NOTHING = Agreement(_NONE, _NONE, _NONE, _NONE, _NONE, _NONE, _NONE, _NONE, np.zeros(0))  # rows tell everything


@dataclass(frozen=True)
class ToldRows:
    """True records and released rows of a telling.

    Attributes
    ----------
    true
        For each told column the kind of each true cell: cells that every grid shows alike are of one kind.
    which, told
        Of each released row, its cluster and its tuple.
    """

    telling: Telling
    original: Mapping[str, Codes]
    released: Mapping[str, Codes]
    true: tuple[Integers, ...]
    which: Integers
    told: Integers
    _cells: tuple[tuple[Integers, ...], ...]  # for each column and grid, the cell of each kind

    @classmethod
    def of(cls, telling: Telling, original: Mapping[str, Codes], released: Mapping[str, Codes]) -> ToldRows:
        """Look at original rows and released ones."""
        true, cells = [], []
        for name, column in telling.columns.items():
            shown = [grid.cell_of for grid in column.shown]
            kind = class_of(shown, len(shown[0]))
            first = np.unique(kind, return_index=True)[1]
            true.append(kind[original[name]])
            cells.append(tuple(cell_of[first] for cell_of in shown))
        which, told = telling.told(released)
        return cls(telling, original, released, tuple(true), which, told, tuple(cells))

    def likelihood(self) -> Floats:
        """Return P(released row | person) of everyone, for a small table."""
        return self.telling.likelihoods(self.released, self.original).T

    def agreement(self, first: int, which: Integers, told: Integers) -> Agreement:
        """Lay out clusters and distinct released rows for the loops; ``first`` is the place of the first told column."""
        clusters, names = self.telling.clusters, list(self.telling.columns)
        looked_up: list[Integers] = []
        starts: dict[tuple[int, int], int] = {}
        for place, grids in enumerate(self._cells):
            for grid, cell_of in enumerate(grids):
                starts[place, grid] = sum(len(each) for each in looked_up)
                looked_up.append(cell_of)
        parts = [(names.index(name), grid) for c in clusters for name, grid in zip(c.columns, c.grids, strict=True)]
        order = np.lexsort((told, which))
        return Agreement(
            parts=np.cumsum([0, *(len(cluster.columns) for cluster in clusters)]),
            column=np.array([first + place for place, _ in parts]),
            cells=np.array([cells for cluster in clusters for cells in self.telling.shape(cluster)]),
            start=np.array([starts[part] for part in parts]),
            cell_of=np.concatenate(looked_up).astype(np.int64),
            rows=np.searchsorted(which[order], np.arange(len(clusters) + 1)),
            order=order,
            tuples=told[order],
            # What is common to all people of a row is balanced away, so only what agreeing adds is needed.
            gains=np.array([1 / float(cluster.channel.ratio) for cluster in clusters]),
        )
