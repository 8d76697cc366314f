"""Mondrian over rows on disk: the first cuts are made from counts, and the parts are finished in memory.

A cut follows from how many rows of a group have each place of each axis, and nothing else. So the cuts of groups that do not fit
into memory are found by passes over the rows, all open groups at once, and are those that would be made in memory; a group that
fits is dealt out to a file of its own and cut all the way down as usual.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from tokumei.arrays import Codes, Integers, Places
from tokumei.engines.stream.spool import Chunk, Layout, Spool, deal
from tokumei.errors import InvalidParameter
from tokumei.partition.feasible import least_size
from tokumei.partition.lines import lines_of
from tokumei.partition.mondrian import Mondrian
from tokumei.partition.mondrian_tree import CutTree
from tokumei.partition.partition import Problem, boxes
from tokumei.progress import stage
from tokumei.table.axis import Axis

GROUP = "\0group"  # no column of anybody's is called so
ROW = 120  # bytes that a row may take while its group is cut in memory, beside its own
MOST_LEAVES = 200  # each is an open file, or two


@dataclass(frozen=True)
class GroupedRows:
    """Rows with the number of their group, and the released codes of each group."""

    released: dict[str, Codes]

    @property
    def columns(self) -> tuple[str, ...]:
        """The recoded columns."""
        return tuple(self.released)

    def codes(self, chunk: Chunk) -> dict[str, Codes]:
        """Return the released codes of a chunk's rows."""
        group = chunk.codes(GROUP)
        return {name: codes[group] for name, codes in self.released.items()}


def cut_rows(
    spool: Spool, axes: tuple[Axis, ...], k: int, cuts: Mondrian, memory: int
) -> tuple[Spool, Places, Places, Integers]:
    """Group rows on disk by cuts: return them in files of their groups, and the boxes and sizes of these."""
    k = max(k, least_size(Problem(np.empty((spool.rows, 0), np.int32), (), k), cuts.min_size))
    room = memory // 2 // (ROW + spool.layout.width + 4 * len(axes))
    tree = _cut_from_counts(spool, axes, k, cuts.choose == "gain", max(2 * k, room))
    return _finish(spool, axes, k, cuts, tree)


def _places(chunk: Chunk, axes: Sequence[Axis]) -> Places:
    return np.stack([axis.place[chunk.codes(axis.name)] for axis in axes], axis=1).astype(np.int32)


def _cut_from_counts(spool: Spool, axes: Sequence[Axis], k: int, gain: bool, room: int) -> CutTree:
    """Cut groups of more than ``room`` rows, pass by pass, until all are smaller or cannot be cut."""
    from tokumei.engines.stream._kernels import count_places
    from tokumei.partition._mondrian_kernels import cut_by_counts

    tree, lines = CutTree.whole(), lines_of(axes)
    begin = np.cumsum([0, *(axis.size for axis in axes)])
    large = [0] if spool.rows > room else []
    while large:
        slot = np.full(len(tree), -1, dtype=np.int64)
        slot[large] = np.arange(len(large))
        counts = np.zeros((len(large), int(begin[-1])), dtype=np.int64)
        with stage("Counting for the first splits", spool.rows, rows=True) as counting:
            for chunk in spool.chunks():
                places = _places(chunk, axes)
                count_places(places, tree.leaves(places), slot, begin[:-1], counts)
                counting.advance(chunk.rows)
        again: list[int] = []
        for leaf, counted in zip(large, counts, strict=True):
            cut = np.empty(5, dtype=np.int64)
            axis = cut_by_counts(lines, begin[:-1], counted, k, gain, cut)
            if axis < 0:
                continue
            tree = tree.cut(leaf, axis, int(cut[0]), int(cut[1]))
            inside = int(counted[begin[axis] + cut[0] : begin[axis] + cut[1] + 1].sum())
            outside = int(counted[begin[0] : begin[1]].sum()) - inside
            new = len(tree) - 2
            again += [new + place for place, rows in enumerate((inside, outside)) if rows > room]
        large = again
        if np.count_nonzero(tree.axis < 0) > MOST_LEAVES:
            raise InvalidParameter("The groups do not fit in this memory; allow more.")
    return tree


def _finish(
    spool: Spool, axes: Sequence[Axis], k: int, partition: Mondrian, tree: CutTree
) -> tuple[Spool, Places, Places, Integers]:
    """Cut every part in memory: return the rows with their groups, and the boxes and sizes of these."""
    leaves = np.flatnonzero(tree.axis < 0)
    number = np.full(len(tree), -1, dtype=np.int64)
    number[leaves] = np.arange(len(leaves))
    parts = [Spool(spool.layout) for _ in leaves]
    size = max(spool.sizes)
    with stage("Assigning rows to groups", spool.rows, rows=True) as dealing:
        for chunk in spool.chunks():
            leaf = number[tree.leaves(_places(chunk, axes))]
            deal(parts, leaf, chunk.packed, chunk.cells, np.ones(chunk.rows, dtype=np.bool_))
            dealing.advance(chunk.rows)
    spool.close()
    layout = Layout.of({**spool.layout.types, GROUP: np.uint32})
    made, lows, highs, sizes, before = Spool(layout), [], [], [], 0
    whole = replace(partition, min_size=None)
    with stage("Cutting", spool.rows, rows=True) as cutting:
        for part in parts:
            rows = part.whole()
            part.close()
            problem = Problem(_places(rows, axes), tuple(axes), k)
            labels = whole.group(problem)
            low, high = boxes(problem, labels)
            lows.append(low)
            highs.append(high)
            sizes.append(np.bincount(labels))
            _append(made, rows, labels.astype(np.uint32) + np.uint32(before), size)
            before += len(low)
            cutting.advance(rows.rows)
    return made, np.concatenate(lows), np.concatenate(highs), np.concatenate(sizes)


def _append(made: Spool, rows: Chunk, group: npt.NDArray[np.uint32], size: int) -> None:
    width = rows.layout.width
    for low in range(0, rows.rows, size):
        high = min(rows.rows, low + size)
        packed: Any = np.empty((high - low, width + 4), dtype=np.uint8)
        packed[:, :width] = rows.packed[low:high]
        packed[:, width:] = group[low:high, None].view(np.uint8)
        made.append(packed, None if rows.cells is None else rows.cells.slice(low, high - low))
