"""The lattice of full-domain recoding: every combination of levels, what it loses, and for which k it is safe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tokumei.arrays import Floats, Integers, Integers32
from tokumei.errors import InvalidParameter
from tokumei.partition.full_domain.frontier import EveryNode
from tokumei.results import Result
from tokumei.text import nearest

Levels = tuple[int, ...]
MOST_TILES = 500


@dataclass(frozen=True)
class Tile(Result):
    """One combination of levels.

    Attributes
    ----------
    levels
        The level of each column, in the order of the view.
    loss
        The mean loss of a cell, before anything is suppressed.
    smallest, classes
        The rows of its smallest class, and how many classes there are.
    reach
        The largest k, of those looked at, for which it is safe with the suppression that is allowed; 1 where for none.
    """

    levels: Levels
    loss: float
    smallest: int
    classes: int
    reach: int

    def safe(self, k: int) -> bool:
        """Whether it keeps k."""
        return self.reach >= k


@dataclass(frozen=True, eq=False)
class Slice(Result):
    """Two columns of the lattice, the others staying at one level: tables with one row per level of the first column."""

    first: str
    second: str
    at: Levels
    loss: Floats
    smallest: Integers32
    reach: Integers


class LatticeView:
    """Every combination of levels of the quasi-identifiers; a view of it is bounded, however many there are."""

    def __init__(self, nodes: EveryNode, suppressed: float) -> None:
        self.nodes, self.suppressed = nodes, suppressed
        self._ks = np.array([1, *nodes.ks])

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns, in the order of levels."""
        return self.nodes.columns

    @property
    def heights(self) -> Levels:
        """How many levels each column has, its values themselves and a star included."""
        return tuple(self.nodes.reach.shape)

    @property
    def size(self) -> int:
        """How many combinations there are."""
        return int(self.nodes.reach.size)

    @property
    def largest_k(self) -> int:
        """The largest k that was looked at."""
        return self.nodes.ks[-1]

    def tile(self, levels: Mapping[str, int] | Levels) -> Tile:
        """Return one combination."""
        node = self._node(levels)
        return Tile(
            node,
            float(self.nodes.least[node]),
            int(self.nodes.smallest[node]),
            int(self.nodes.classes[node]),
            int(self._ks[self.nodes.reach[node]]),
        )

    def best(self, k: int) -> Tile:
        """Return the combination that loses least for k, suppressed rows counted."""
        if k not in self.nodes.ks:
            raise InvalidParameter(
                "k must be a whole number from {smallest} to {largest_k}. Got {k}.",
                smallest=self.nodes.ks[0],
                largest_k=self.largest_k,
                k=k,
            )
        return self.tile(self.nodes.best[self.nodes.ks.index(k)].levels)

    def neighbours(self, levels: Mapping[str, int] | Levels) -> list[Tile]:
        """Return the combinations that are one level of one column away, finer ones first."""
        node = self._node(levels)
        near = [
            (*node[:at], node[at] + step, *node[at + 1 :])
            for step in (-1, 1)
            for at in range(len(node))
            if 0 <= node[at] + step < self.heights[at]
        ]
        return [self.tile(each) for each in near]

    def ranked(self, k: int, most: int = 50) -> list[Tile]:
        """Return the combinations that are safe for k, those that lose least first; this many at most."""
        most = min(most, MOST_TILES)
        losses = np.where(self._ks[self.nodes.reach] >= k, self.nodes.least, np.inf).reshape(-1)
        count = min(most, int(np.count_nonzero(np.isfinite(losses))))
        if not count:
            return []
        found = np.argpartition(losses, count - 1)[:count]
        found = found[np.argsort(losses[found], kind="stable")]
        return [self.tile(tuple(int(level) for level in np.unravel_index(place, self.heights))) for place in found]

    def slice(self, first: str, second: str, levels: Mapping[str, int] | Levels) -> Slice:
        """Return the tables of two columns, the others staying at their levels."""
        node = self._node(levels)
        a, b = self._place(first), self._place(second)
        if a == b:
            raise InvalidParameter("a slice needs two different columns.")
        cut = tuple(slice(None) if at in {a, b} else level for at, level in enumerate(node))
        loss, smallest, reach = self.nodes.least[cut], self.nodes.smallest[cut], self.nodes.reach[cut]
        if a > b:
            loss, smallest, reach = loss.T, smallest.T, reach.T
        return Slice(first, second, node, loss, smallest, self._ks[reach])

    def named(self, levels: Levels) -> dict[str, int]:
        """Return levels with the names of their columns."""
        return dict(zip(self.columns, levels, strict=True))

    def _place(self, name: str) -> int:
        if name not in self.columns:
            raise InvalidParameter(
                "{name!r} is not a quasi-identifier.{hint}", name=name, hint=nearest(name, self.columns)
            )
        return self.columns.index(name)

    def _node(self, levels: Mapping[str, int] | Levels) -> Levels:
        if isinstance(levels, Mapping):
            if set(levels) != set(self.columns):
                raise InvalidParameter("levels must name every quasi-identifier once, and nothing else.")
            levels = tuple(levels[name] for name in self.columns)
        fits = len(levels) == len(self.heights)
        if not fits or not all(0 <= level < height for level, height in zip(levels, self.heights, strict=True)):
            raise InvalidParameter("levels must have one level of each column, from 0 up to its highest.")
        return tuple(levels)
