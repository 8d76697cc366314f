"""Cut the rows so that noise put on each group inside its own box is as little as can be."""

from __future__ import annotations

import math
from dataclasses import field
from typing import Any, Literal, NamedTuple

import numpy as np
from pydantic import StrictInt

from tokumei.arrays import Labels
from tokumei.errors import InvalidParameter
from tokumei.partition.feasible import check_min_size, holds, least_size, require_feasible
from tokumei.partition.groups import merge_failing
from tokumei.partition.lines import Lines, lines_of
from tokumei.partition.partition import Partition, Problem, register_partition
from tokumei.progress import stage
from tokumei.values import value

LARGEST_GRID = 96
MOST_LABELS = 64  # of a set, for the exact search: a bit of a word each


class Boxes(NamedTuple):
    """What the loops must know to tell how wide a box is.

    The box of axis j is the set of labels that occur where ``first[j]`` is not -1; their marks begin there in an array of ``room``
    marks. ``measure`` is what the noise of each axis is measured by, and ``whole`` that noise in the ungrouped table.
    """

    lines: Lines
    measure: Any
    first: Any
    room: int
    whole: Any


@register_partition
@value
class NoiseAware(Partition):
    """Cut the rows so that the noise that Pk-anonymity needs inside the groups' boxes is least.

    A narrow box needs less noise, a small group more. The cuts minimize

        sum over groups of  n_g  ×  mean over columns of  d_gj / d_j

    d_gj being how far a cell of column j is moved on average in the group, and d_j without groups. Of columns without an order it is the
    probability that a cell is changed. Where the box of a column is the set of labels that occur in the group (`Problem.sets`), they
    are what is counted. Noise inside a box has bounds, so a small group of rows that lie close together is good even if its noise is nearly uniform.

    Attributes
    ----------
    search
        ``"greedy"``: cut each group in two where both parts together have least noise, down to the smallest groups, then
        undo, from the smallest up, every cut that did not pay. ``"exact"``: the best of all ways to cut a plane from edge
        to edge along the lines of a grid, for two columns. ``"auto"``: both where there are two columns, and the better.
    min_size
        Make no group smaller than this. Small groups are made only where they pay, so it is rarely needed.
    grid
        For the exact search: at most this many lines each way, at quantiles and in the widest gaps. Its time grows with the
        fifth power and its memory with the fourth power of it.

    measure
        ``"distance"``: as above. ``"scale"``: the scale ``phi_g = M R_g / (0.5 ln((n_g - 1)/(k - 1)))`` of Laplace noise in a box R_g wide,
        for M columns that vary, as in the paper on grouping. It grows beyond all bounds as groups come near k rows, and so prefers
        larger groups than are best for tables and models.

    Notes
    -----
    The greedy search takes time that grows with rows × columns² × depth of the cuts, and memory with rows × columns.

    Examples
    --------
    >>> from tokumei import Attribute, Numbers
    >>> from tokumei.table.axis import axis_of
    >>> age = axis_of(Attribute("age", domain=Numbers(0, 100, step=1)))
    >>> rows = np.repeat(np.array([[10], [11], [90], [91]], dtype=np.int32), 10, axis=0)
    >>> np.bincount(NoiseAware().group(Problem(rows, (age,), k=2)))
    array([10, 10, 10, 10])
    """

    search: Literal["auto", "greedy", "exact"] = "auto"
    min_size: StrictInt | None = None
    grid: StrictInt = 48
    measure: Literal["distance", "scale"] = "distance"
    kind: Literal["noise_aware"] = field(default="noise_aware", kw_only=True, repr=False)

    def __post_init__(self) -> None:
        check_min_size(self.min_size)
        if not 2 <= self.grid <= LARGEST_GRID:
            raise InvalidParameter(
                "grid must be between 2 and {largest_grid}. Got {grid}.", largest_grid=LARGEST_GRID, grid=self.grid
            )

    def group(self, problem: Problem) -> Labels:
        """Number the groups from zero and return each row's."""
        from tokumei.partition._exact_cut_kernels import cut_exactly
        from tokumei.partition._noise_aware_kernels import DISTANCE, LABELS, SCALE, grow_and_prune, whole_noise

        require_feasible(problem)
        rows, least = np.ascontiguousarray(problem.rows, dtype=np.int32), least_size(problem, self.min_size)
        k = float(max(problem.k, 1 + 1e-9))  # with k = 1 nothing is promised, and any cut pays
        varying = np.flatnonzero(rows.min(axis=0) < rows.max(axis=0))
        labels = np.zeros(len(rows), dtype=np.int32)
        if self.search == "exact" and len(varying) != 2:
            raise InvalidParameter(
                "the exact search takes two columns that vary, and there are {columns}; use search='greedy'.",
                columns=len(varying),
            )
        if len(rows) <= max(k, least) or not len(varying):
            return labels
        axes = [problem.axes[axis] for axis in varying]
        rows = np.ascontiguousarray(rows[:, varying])
        by = DISTANCE if self.measure == "distance" else SCALE
        measure = np.array([by if axis.free > 0 else LABELS for axis in axes])
        budget = 0.5 * math.log((len(rows) - 1) / (k - 1)) / len(varying)
        sizes = np.array([axis.size if axis.name in problem.sets else 0 for axis in axes], dtype=np.int64)
        if self.search == "exact" and sizes.max() > MOST_LABELS:
            raise InvalidParameter(
                "the exact search takes sets of up to {most} labels, and a column has {labels}; use search='greedy'.",
                most=MOST_LABELS,
                labels=int(sizes.max()),
            )
        whole = np.empty(len(axes))
        whole_noise(measure, np.array([axis.size for axis in axes]), budget, whole)
        boxes = Boxes(
            lines_of(axes),
            measure=measure,
            first=np.where(sizes > 0, np.cumsum(sizes) - sizes, -1),
            room=int(sizes.sum()),
            whole=whole,
        )
        best = math.inf
        with stage("Splitting to reduce the noise", total=2) as shown:
            if self.search != "exact":
                best = grow_and_prune(boxes, rows, k, least, labels)
            shown.advance()
            if self.search == "exact" or (self.search == "auto" and len(varying) == 2 and sizes.max() <= MOST_LABELS):
                cells, lines = _cells(rows, self.grid)
                found = np.zeros(len(rows), dtype=np.int32)
                if cut_exactly(boxes, rows, cells, *lines, k, least, found) < best:
                    labels = found
            shown.advance()
        groups = int(labels.max()) + 1
        return labels if holds(problem, labels, groups).all() else merge_failing(problem, labels)


def _cells(rows: Any, grid: int) -> tuple[Any, tuple[int, int]]:
    """Cut both axes by lines at quantiles and in the widest gaps; return the cell of each row, and how many there are."""
    cells, counts = [], []
    for column in rows.T:
        places = np.unique(column)
        gaps = np.diff(places)
        widest = places[np.argsort(-gaps, kind="stable")[: grid // 4]] if len(gaps) else places[:0]
        even = np.quantile(column, np.linspace(0, 1, grid - len(widest) + 1)[1:-1], method="lower")
        lines = np.unique([*even.tolist(), *widest.tolist()])
        lines = lines[lines < places[-1]]  # a line lies behind its place
        cells.append(np.searchsorted(lines, column, side="left"))
        counts.append(len(lines) + 1)
    return np.stack(cells, axis=1), (counts[0], counts[1])
