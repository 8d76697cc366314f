"""Sums by target through the array API, which has no scattered addition: gathered in chunks of equal width, chunk by chunk.

The values of a target are put into rows of a table, padded with zeros, and the rows summed; the sums of a target's rows likewise,
until there is one each. Nothing is subtracted, so small sums beside large ones are as exact as large ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei.arrays import Integers
from tokumei.reconstruction._arrays import Arrays

WIDEST = 64


@dataclass(frozen=True)
class Segments:
    """Which values, by their place on the last axis, are added up for which target.

    Attributes
    ----------
    levels
        Tables of places, one after the other; the place behind the last one is a zero.
    last
        The place of each target among the sums of the last table.
    """

    levels: tuple[Any, ...]
    last: Any
    arrays: Arrays

    @classmethod
    def of(cls, targets: Integers, sources: Integers, values: int, size: int, arrays: Arrays) -> Segments:
        """Add value ``sources[i]`` (``values`` is how many there are) to ``targets[i]`` of ``size``, for every i."""
        order = np.argsort(targets, kind="stable")
        targets, sources, levels = targets[order], sources[order], []
        for table, of_row in _tables(targets, sources, values):
            levels.append(arrays.put(table, "int64"))
            targets, sources, values = of_row, np.arange(len(of_row)), len(of_row)
        last = np.full(size, values)
        last[targets] = sources
        return cls(tuple(levels), arrays.put(last, "int64"), arrays)

    def sum(self, values: Any) -> Any:
        """Add up values along the last of three axes."""
        xp = self.arrays.xp
        for table in self.levels:
            taken = xp.take(self._with_zero(values), xp.reshape(table, (-1,)), axis=2)
            values = xp.sum(xp.reshape(taken, (*values.shape[:2], *table.shape)), axis=3)
        return xp.take(self._with_zero(values), self.last, axis=2)

    def _with_zero(self, values: Any) -> Any:
        xp = self.arrays.xp
        zero = xp.zeros((*values.shape[:2], 1), dtype=values.dtype, device=self.arrays.device)
        return xp.concat([values, zero], axis=2)


def _tables(targets: Integers, sources: Integers, values: int) -> Iterator[tuple[Integers, Integers]]:
    """Yield tables of places, and the target of each of their rows, until every target has one row."""
    while True:
        present, counts = np.unique(targets, return_counts=True)
        if not len(counts) or counts.max() == 1:
            return
        width = int(np.clip(2 ** np.ceil(np.log2(len(targets) / len(present))), 2, WIDEST))
        rows = -(-counts // width)
        within = np.arange(len(targets)) - np.repeat(np.cumsum(counts) - counts, counts)
        table = np.full((int(rows.sum()), width), values)
        starts = np.repeat(np.cumsum(rows) - rows, counts)
        table[starts + within // width, within % width] = sources
        targets = np.repeat(present, rows)
        sources, values = np.arange(len(targets)), len(targets)
        yield table, targets
