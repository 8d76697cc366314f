"""Cut the rows in two, and each part again, as long as both parts may stand (LeFevre, DeWitt and Ramakrishnan 2006)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from pydantic import StrictInt

from tokumei.arrays import Labels
from tokumei.parallel import threads
from tokumei.partition.feasible import check_min_size, holds, least_size, require_feasible
from tokumei.partition.lines import Lines, lines_of
from tokumei.partition.partition import Partition, Problem, register_partition
from tokumei.progress import stage
from tokumei.values import value

PIECE = 2**18  # rows; a larger group is cut once at a time, a smaller one all the way down by one thread


@register_partition
@value
class Mondrian(Partition):
    """Cut the rows in two along one axis, and each part again, as long as both parts may stand.

    Attributes
    ----------
    strict
        Rows with the same value stay together. If not, ties at a cut are shared out so that both parts are large
        enough or, with ``choose="widest"``, of equal size.
    choose
        ``"widest"``: cut the axis on which the group is widest, as evenly as possible. ``"gain"``: take the cut, of any
        axis, that saves most loss on its own axis.
    min_size
        Make no group smaller than this, even where k is less; a table with fewer rows stays whole.

    Notes
    -----
    A range is cut into a lower and an upper part. Of a tree's labels one is set apart, and the others stay together: small
    ones keep each other company, so that they do not forbid the cut. With constraints, a cut whose parts do not both hold
    them is not made, and another axis is tried.

    Time grows with rows × axes × depth, memory with rows × axes.

    Examples
    --------
    >>> from tokumei import Attribute, Numbers
    >>> from tokumei.table.axis import axis_of
    >>> age = axis_of(Attribute("age", domain=Numbers(20, 60, step=1)))
    >>> Mondrian().group(Problem(np.array([[1], [30], [2], [33]], dtype=np.int32), (age,), k=2))
    array([0, 1, 0, 1], dtype=int32)
    """

    strict: bool = True
    choose: Literal["widest", "gain"] = "widest"
    min_size: StrictInt | None = None
    kind: Literal["mondrian"] = field(default="mondrian", kw_only=True, repr=False)

    def __post_init__(self) -> None:
        check_min_size(self.min_size)

    def cuts(self) -> Mondrian | None:
        """Return itself if cuts follow from counts alone; with ``strict=False`` ties are shared out by the order of rows."""
        return self if self.strict else None

    def group(self, problem: Problem) -> Labels:
        """Number the groups from zero and return each row's."""
        require_feasible(problem)
        rows = len(problem.rows)
        problem = replace(problem, k=least_size(problem, self.min_size))
        work = _Work.of(problem, relaxed=not self.strict, gain=self.choose == "gain")
        begins = np.zeros(rows, dtype=np.bool_)
        with stage("Cutting", rows) as shown:
            if problem.constraints:
                _by_rounds(problem, work, begins, shown)
            else:
                _all_the_way(work, begins, shown)
        order = work.order[0]
        del work  # the buffers are not needed any more, and labels take room too
        number = np.cumsum(begins, dtype=np.int32)
        number -= 1
        labels = np.empty(rows, dtype=np.int32)
        labels[order] = number
        return labels


@dataclass(frozen=True, eq=False)
class _Work:
    """Two buffers of packed rows and their order, between which groups are cut back and forth."""

    lines: Lines
    rows: tuple[Any, Any]
    words: tuple[Any, Any]
    order: tuple[Any, Any]
    k: int
    relaxed: bool
    gain: bool
    room: int

    @classmethod
    def of(cls, problem: Problem, *, relaxed: bool, gain: bool) -> _Work:
        rows, axes = problem.rows.shape
        longest = max(axis.size for axis in problem.axes)
        cell = np.uint8 if longest <= 2**8 else np.uint16 if longest <= 2**16 else np.int32
        packed = np.zeros((rows, -(-axes // 8) * 8), dtype=cell)
        packed[:, :axes] = problem.rows
        buffers = packed, np.empty_like(packed)
        return cls(
            lines=lines_of(problem.axes),
            rows=buffers,
            words=(buffers[0].view(np.uint64), buffers[1].view(np.uint64)),
            order=(np.arange(rows, dtype=np.uint32), np.empty(rows, dtype=np.uint32)),
            k=problem.k,
            relaxed=relaxed,
            gain=gain,
            room=min(longest, 4 * rows + 64),
        )

    @property
    def buffers(self) -> tuple[Any, ...]:
        return self.rows[0], self.words[0], self.order[0], self.rows[1], self.words[1], self.order[1]

    def scratch(self) -> tuple[Any, Any, Any, Any]:
        """Return room for one thread: cells to compare, histograms and places, the ends of a group and its cuts, and its widths."""
        from tokumei.partition._mondrian_kernels import LANES

        columns = self.rows[0].shape[1]
        lanes = np.empty((2, max(LANES, columns)), dtype=self.rows[0].dtype)
        return lanes, np.empty((3, self.room), np.int32), np.empty((4, columns), np.int64), np.empty(columns)

    def cut(self, tasks: Any, banned: Any) -> tuple[Any, Any]:
        """Cut each task once: return where the back of each begins, -1 for none, and along which axis."""
        from tokumei.partition._mondrian_kernels import split_each

        backs, axes = np.empty(len(tasks), dtype=np.int64), np.empty(len(tasks), dtype=np.int64)
        split_each(
            self.lines, *self.buffers, tasks, banned, self.k, self.relaxed, self.gain, *self.scratch(), backs, axes
        )  # fmt: skip
        return backs, axes

    def finish(self, tasks: Any, begins: Any) -> None:
        """Let tasks stand as they are: mark where they begin, and leave their order in the first buffer."""
        from tokumei.partition._mondrian_kernels import let_stand

        let_stand(tasks, *self.order, begins)


def _all_the_way(work: _Work, begins: Any, shown: Any) -> None:
    """Cut large groups once at a time, side by side, then every small one all the way down."""
    from tokumei.partition._mondrian_kernels import split_down

    free = np.zeros((1, len(work.lines.size)), dtype=np.bool_)
    large, small = [(0, len(begins), 0)], []

    def once(task: tuple[int, int, int]) -> list[tuple[int, int, int]]:
        start, stop, buffer = task
        (back,), _ = work.cut(np.array([task]), free)
        return [] if back < 0 else [(start, int(back), 1 - buffer), (int(back), stop, 1 - buffer)]

    def down(task: tuple[int, int, int]) -> None:
        stack = np.empty((128, 3), np.int64)
        split_down(
            work.lines, *work.buffers, *task, work.k, work.relaxed, work.gain, *work.scratch(), free[0], stack, begins
        )
        shown.advance(task[1] - task[0])

    with ThreadPoolExecutor(threads()) as pool:
        while large:
            small += [task for task in large if task[1] - task[0] <= PIECE]
            large = [task for task in large if task[1] - task[0] > PIECE]
            parts = list(pool.map(once, large))
            for task, made in zip(large, parts, strict=True):
                if not made:
                    work.finish(np.array([task]), begins)
                    shown.advance(task[1] - task[0])
            large = [task for made in parts for task in made]
        list(pool.map(down, sorted(small, key=lambda task: task[0] - task[1])))


def _by_rounds(problem: Problem, work: _Work, begins: Any, shown: Any) -> None:
    """Cut every group once a round, and keep the cuts whose parts both hold the constraints.

    A group whose cut was refused tries its other axes in later rounds.
    """
    from tokumei.partition._mondrian_kernels import number_parts

    tasks = np.array([[0, len(begins), 0]])
    banned = np.zeros((1, len(problem.axes)), dtype=np.bool_)
    while len(tasks):
        backs, axes = work.cut(tasks, banned)
        whole = backs < 0
        work.finish(tasks[whole], begins)
        shown.advance(float(np.sum(tasks[whole, 1] - tasks[whole, 0])))
        tasks, backs, axes, banned = tasks[~whole], backs[~whole], axes[~whole], banned[~whole]
        parts = np.stack([tasks[:, 0], backs, 1 - tasks[:, 2], backs, tasks[:, 1], 1 - tasks[:, 2]], axis=1).reshape(
            -1, 3
        )
        labels = np.full(len(begins), -1, dtype=np.int32)
        number_parts(parts, *work.order, labels)
        kept = holds(problem, labels, len(parts)).reshape(-1, 2).all(axis=1)
        banned[np.flatnonzero(~kept), axes[~kept]] = True
        again, new = tasks[~kept], np.repeat(kept, 2)
        tasks = np.concatenate([again, parts[new]])
        banned = np.concatenate([banned[~kept], np.zeros((int(new.sum()), len(problem.axes)), dtype=np.bool_)])
