"""The nodes of a full-domain recoding: one level for each column, and the distinct rows packed for fast joining."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tokumei.arrays import Floats, Integers, Labels, Places
from tokumei.errors import InvalidParameter
from tokumei.partition.arrangement import judged
from tokumei.partition.partition import Problem
from tokumei.table.classes import class_of

LARGEST_LATTICE = 2**22

WORD = 64


@dataclass(frozen=True, eq=False)
class Nodes:
    """Every choice of levels over the columns of a problem, and its rows, packed."""

    problem: Problem

    @cached_property
    def heights(self) -> Integers:
        """How many levels each column has."""
        return np.array([axis.levels for axis in self.problem.axes], dtype=np.int64)

    @property
    def shape(self) -> tuple[int, ...]:
        """The lattice as the shape of an array: its index is a node."""
        return tuple(int(height) for height in self.heights)

    def check(self) -> None:
        """Refuse more nodes than can be looked at."""
        if not self.problem.axes:
            raise InvalidParameter("full-domain recoding needs at least one quasi-identifier.")
        nodes = math.prod(self.shape)
        if nodes > LARGEST_LATTICE:
            raise InvalidParameter(
                "the hierarchies have {nodes:,} combinations of levels, more than {largest_lattice:,}; give them "
                "fewer levels, or use another partition.",
                nodes=nodes,
                largest_lattice=LARGEST_LATTICE,
            )

    @cached_property
    def packing(self) -> tuple[Any, Any, Any]:
        """Return for each column the word that holds it, how far it is shifted there, and the mask of its bits."""
        words, shifts, masks = [], [], []
        word = used = 0
        for axis in self.problem.axes:
            bits = max(1, (axis.size - 1).bit_length())
            if used + bits > WORD:
                word, used = word + 1, 0
            words.append(word)
            shifts.append(used)
            masks.append((1 << bits) - 1)
            used += bits
        return np.array(words), np.array(shifts, dtype=np.uint64), np.array(masks, dtype=np.uint64)

    @cached_property
    def packed(self) -> tuple[Any, Any, Any]:
        """Return the distinct rows as keys, how often each occurs, and which one each row is."""
        words, shifts, _ = self.packing
        keys = np.zeros((len(self.problem.rows), int(words[-1]) + 1), dtype=np.uint64)
        for column, (word, shift) in enumerate(zip(words, shifts, strict=True)):
            keys[:, word] |= self.problem.rows[:, column].astype(np.uint64) << shift
        if keys.shape[1] == 1:
            distinct, which, counts = np.unique(keys[:, 0], return_inverse=True, return_counts=True)
            distinct = distinct[:, None]
        else:
            words_of = [np.unique(word, return_inverse=True)[1].astype(np.int64) for word in keys.T]
            which = class_of(words_of, len(keys))
            counts = np.bincount(which)
            distinct = np.empty((len(counts), keys.shape[1]), dtype=np.uint64)
            distinct[which] = keys
        return np.ascontiguousarray(distinct), counts.astype(np.int32), which.reshape(-1)

    @cached_property
    def examples(self) -> Integers:
        """One row for each distinct one."""
        _, counts, which = self.packed
        examples = np.empty(len(counts), dtype=np.int64)
        examples[which] = np.arange(len(which))
        return examples

    @cached_property
    def first(self) -> Any:
        """The code of each column at each level: ``first[column, level, place]``."""
        return self._padded([axis.first for axis in self.problem.axes], np.int32)

    @cached_property
    def loss(self) -> Any:
        """What a cell costs: ``loss[column, level, code]``."""
        return self._padded([axis.loss(axis.first, axis.last) for axis in self.problem.axes], np.float64)

    @cached_property
    def least(self) -> Floats:
        """The loss of every node before anything is suppressed, which nothing can undercut; one axis a column."""
        total = np.zeros(self.shape)
        rows, columns = self.problem.rows.shape
        for column, axis in enumerate(self.problem.axes):
            occurring = np.bincount(self.problem.rows[:, column], minlength=axis.size) / rows
            mean = axis.loss(axis.first, axis.last) @ occurring / columns
            total += mean.reshape([-1 if at == column else 1 for at in range(columns)])
        return total

    def labels(self, levels: Integers) -> Labels:
        """Number the classes of a node, -1 for rows of those that are too small or do not hold a constraint."""
        _, counts, which = self.packed
        rows = self.problem.rows[self.examples]
        codes = [axis.first[levels[j], rows[:, j]] for j, axis in enumerate(self.problem.axes)]
        joined = class_of(codes, len(rows))
        holds = np.bincount(joined, weights=counts) >= self.problem.k
        labels = np.where(holds, np.cumsum(holds) - 1, -1).astype(np.int32)[joined][which]
        reach = self._reach(levels) if self.problem.constraints else None
        for constraint in self.problem.constraints:
            assert reach is not None
            holds = np.append(judged(constraint, labels, *reach), False)  # the last one is for rows in no class
            labels = np.where(holds, np.cumsum(holds) - 1, -1).astype(np.int32)[labels]
        return labels

    def _reach(self, levels: Integers) -> tuple[Places, Places]:
        """Return from where to where the cells of each row reach at a node."""
        rows, axes = self.problem.rows, list(enumerate(self.problem.axes))
        low = np.stack([axis.first[levels[j], rows[:, j]] for j, axis in axes], axis=1)
        return low, np.stack([axis.last[levels[j], rows[:, j]] for j, axis in axes], axis=1)

    def mean_loss(self, levels: Integers, labels: Labels) -> float:
        """Return the mean loss of a cell at a node, 1 for each cell of a row in no class."""
        rows, columns = self.problem.rows.shape
        inside = labels >= 0
        total = columns * float(np.count_nonzero(~inside))
        for j, axis in enumerate(self.problem.axes):
            total += float(self.loss[j, levels[j], axis.first[levels[j], self.problem.rows[inside, j]]].sum())
        return total / (rows * columns)

    def _padded(self, tables: list[Any], kind: Any) -> Any:
        size = max(axis.size for axis in self.problem.axes)
        padded = np.zeros((len(tables), int(self.heights.max()), size), dtype=kind)
        for column, table in enumerate(tables):
            padded[column, : table.shape[0], : table.shape[1]] = table
        return padded
