"""Products with the matrix P(released row | true row) of two sets of rows, in three ways with one result.

The matrix has an entry for every pair of rows, each a product over the columns. `Dense` stores it, `Blocks` computes
it again each time, and `Structured` never looks at pairs: columns of labels are passed over one axis at a time on the
table of their joint values, and columns of numbers become a few features each, because the noise of a guarantee is so
wide that its matrix has hardly any rank.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Literal

import numpy as np

from tokumei.arrays import Floats, Integers
from tokumei.errors import InvalidParameter
from tokumei.mechanism.likelihood import Packed
from tokumei.reconstruction._arrays import Arrays

Way = Literal["auto", "dense", "blocks", "structured"]

DENSE_PAIRS = 3 * 10**8  # up to this many the dense way is quickest; more do not fit: 1.2 GB of single floats
DENSE_PAIRS_AWAY = 10**10  # on a GPU
LARGEST_TENSOR = 1.2 * 10**8  # cells times features
TOLERANCE = 1e-2  # features whose share of the largest one is below this are left out
MOST_RANK = 60
LEAST = 1e-35  # features left out can make a small sum negative
JOINED = 128  # labels of small columns that are passed over together
BLOCK = 2**22


class Product(ABC):
    """P as two products. ``matrices`` have one row per true value; rows of codes have one column per matrix."""

    way: str
    _arrays: Arrays

    @abstractmethod
    def forward(self, masses: Any) -> Any:
        """Return for each released row the sum over true rows of P(it | true row) times the true row's mass."""

    @abstractmethod
    def backward(self, weights: Any) -> Any:
        """Return for each true row the sum over released rows of P(released row | it) times the row's weight."""

    def forward_many(self, masses: Floats) -> Floats:
        """Do `forward` for every column of ``masses``: numpy's arrays in and out, one row per released row."""
        arrays = self._arrays
        return np.stack([arrays.get(self.forward(arrays.put(each))) for each in masses.T], axis=1)


def product(matrices: Sequence[Floats], true: Integers, released: Integers, way: Way, arrays: Arrays) -> Product:
    """Choose a way by size and noise, or take the one asked for."""
    if way not in ("auto", "dense", "blocks", "structured"):
        raise InvalidParameter("operator must be 'auto', 'dense', 'blocks' or 'structured'.")
    pairs = len(true) * len(released)
    most = DENSE_PAIRS if arrays.on_this_machine else DENSE_PAIRS_AWAY
    if way == "dense" or (way == "auto" and pairs <= most):
        if pairs > most:
            raise InvalidParameter(
                "operator='dense' would store {pairs:,} numbers; more than {most:,} do not fit. Use operator='auto'.",
                pairs=pairs,
                most=most,
            )
        return Dense(matrices, true, released, arrays)
    if way == "blocks":
        return Blocks(matrices, true, released, arrays)
    layout = Layout.of(matrices)
    if layout.size <= LARGEST_TENSOR:
        return Structured(layout, true, released, arrays)
    if way == "structured":
        raise InvalidParameter(
            "operator='structured' would need a table of {size:,} numbers: the columns have too many labels, "
            "or too little noise. Use operator='auto', or fewer columns.",
            size=layout.size,
        )
    return Blocks(matrices, true, released, arrays)


class Dense(Product):
    """The matrix, stored in single floats."""

    way = "dense"

    def __init__(self, matrices: Sequence[Floats], true: Integers, released: Integers, arrays: Arrays) -> None:
        self._arrays, xp = arrays, arrays.xp
        self._xp = xp
        # Single floats would not hold the product of many small probabilities: the largest of each released value is kept
        # apart.
        tops = [np.maximum(matrix.max(axis=0), 1e-300) for matrix in matrices]
        scale = np.prod([top[released[:, column]] for column, top in enumerate(tops)], axis=0)
        matrices = [matrix / top for matrix, top in zip(matrices, tops, strict=True)]
        self._scale = arrays.put(scale)
        if arrays.on_this_machine:
            self._pairs = Packed.of(matrices, released).whole(true)
        else:
            self._pairs = xp.concat(list(_blocks(matrices, true, released, arrays)), axis=0)

    def forward(self, masses: Any) -> Any:
        """Multiply with the matrix."""
        xp = self._xp
        return xp.astype(xp.matmul(xp.astype(masses, xp.float32), self._pairs), xp.float64) * self._scale

    def backward(self, weights: Any) -> Any:
        """Multiply with its transpose."""
        xp = self._xp
        weights = weights * self._scale
        top = xp.max(xp.abs(weights))
        return xp.astype(xp.matmul(self._pairs, xp.astype(weights / top, xp.float32)), xp.float64) * top

    def forward_many(self, masses: Floats) -> Floats:
        """Multiply with the matrix once for all columns."""
        xp, arrays = self._xp, self._arrays
        made = arrays.get(xp.matmul(arrays.put(masses.T, "float32"), self._pairs)).T
        return made * arrays.get(self._scale)[:, None]


class Blocks(Product):
    """The matrix, computed anew in every product: slow, but it needs no memory and no structure."""

    way = "blocks"

    def __init__(self, matrices: Sequence[Floats], true: Integers, released: Integers, arrays: Arrays) -> None:
        self._matrices, self._true, self._released, self._arrays = matrices, true, released, arrays
        self._packed = Packed.of(matrices, released) if arrays.on_this_machine else None

    def forward(self, masses: Any) -> Any:
        """Multiply with the matrix, block by block."""
        if self._packed is not None:
            return self._packed.forward(self._true, masses)
        xp, start = self._arrays.xp, 0
        total = self._arrays.put(np.zeros(len(self._released)))
        for block in _blocks(self._matrices, self._true, self._released, self._arrays):
            mine = xp.astype(masses[start : start + block.shape[0]], xp.float32)
            total = total + xp.astype(xp.matmul(mine, block), xp.float64)
            start += block.shape[0]
        return total

    def backward(self, weights: Any) -> Any:
        """Multiply with its transpose, block by block."""
        if self._packed is not None:
            return self._packed.backward(self._true, weights)
        xp = self._arrays.xp
        single = xp.astype(weights, xp.float32)
        blocks = _blocks(self._matrices, self._true, self._released, self._arrays)
        return xp.concat([xp.astype(xp.matmul(block, single), xp.float64) for block in blocks], axis=0)

    def forward_many(self, masses: Floats) -> Floats:
        """Compute each block once for all columns."""
        total, start = np.zeros((len(self._released), masses.shape[1])), 0
        for block in self._parts():
            mine = self._arrays.put(masses[start : start + block.shape[0]].T, "float32")
            total += self._arrays.get(self._arrays.xp.matmul(mine, block)).T
            start += block.shape[0]
        return total

    def _parts(self) -> Iterator[Any]:
        if self._packed is None:
            yield from _blocks(self._matrices, self._true, self._released, self._arrays)
            return
        step = max(1, BLOCK // max(1, len(self._released)))
        for start in range(0, len(self._true), step):
            yield self._packed.whole(self._true[start : start + step])


def _blocks(matrices: Sequence[Floats], true: Integers, released: Integers, arrays: Arrays) -> Iterator[Any]:
    """Compute the matrix some true rows at a time, where the arrays are."""
    xp = arrays.xp
    tables = [arrays.put(matrix, "float32") for matrix in matrices]
    theirs = [arrays.put(released[:, column], "int64") for column in range(released.shape[1])]
    step = max(1, (64 if arrays.name in {"torch", "cupy"} else 1) * BLOCK // max(1, len(released)))
    for start in range(0, len(true), step):
        made = None
        for column, table in enumerate(tables):
            mine = arrays.put(true[start : start + step, column], "int64")
            factor = xp.take(xp.take(table, mine, axis=0), theirs[column], axis=1)
            made = factor if made is None else made * factor
        yield made


@dataclass(frozen=True)
class _Axis:
    """A group of columns whose joint labels are one axis of the table; without a matrix they are released unchanged."""

    columns: tuple[int, ...]
    inputs: int
    outputs: int
    matrix: Floats | None = None


@dataclass(frozen=True)
class Layout:
    """How each column is treated, and what that costs."""

    axes: tuple[_Axis, ...]  # kept columns first
    sizes: tuple[tuple[int, int], ...]  # of true and released values, column by column
    featured: tuple[int, ...]  # columns
    true_features: tuple[Floats, ...]  # for each of them, one row per value, one column per feature
    released_features: tuple[Floats, ...]
    chosen: tuple[tuple[int, ...], ...]  # which feature of each column, product by product

    @property
    def size(self) -> int:
        """How many numbers the table holds."""
        wide = max(math.prod(a.inputs for a in self.axes), math.prod(a.outputs for a in self.axes))
        return wide * len(self.chosen)

    @classmethod
    def of(cls, matrices: Sequence[Floats], tolerance: float = TOLERANCE) -> Layout:
        """Decide for each column: features where its rank is low, else an axis, small ones joined."""
        kept: list[int] = []
        labels: list[int] = []
        found: list[tuple[int, Floats, Floats, Floats]] = []
        for column, matrix in enumerate(matrices):
            if matrix.shape[0] == matrix.shape[1] and np.array_equal(matrix, np.eye(len(matrix))):
                kept.append(column)
                continue
            if _even(matrix):
                labels.append(column)
                continue
            left, strength, right = np.linalg.svd(matrix, full_matrices=False)
            rank = int(np.count_nonzero(strength > tolerance * strength[0]))
            if rank <= min(MOST_RANK, min(matrix.shape) - 1):
                roots = np.sqrt(strength[:rank])
                found.append((column, left[:, :rank] * roots, right[:rank].T * roots, strength[:rank]))
            else:
                labels.append(column)
        return cls(
            (*(_Axis((c,), len(matrices[c]), len(matrices[c])) for c in kept), *_joined(labels, matrices)),
            tuple((m.shape[0], m.shape[1]) for m in matrices),
            tuple(each[0] for each in found),
            tuple(each[1] for each in found),
            tuple(each[2] for each in found),
            tuple(_strong([each[3] for each in found], tolerance)),
        )


def _even(matrix: Floats) -> bool:
    """Whether values are kept or replaced evenly, so that every value counts as much as the next."""
    size = len(matrix)
    if size < 2 or matrix.shape[1] != size:
        return False
    return bool(np.ptp(matrix[~np.eye(size, dtype=bool)]) < 1e-12 and np.ptp(np.diag(matrix)) < 1e-12)


def _joined(columns: Sequence[int], matrices: Sequence[Floats]) -> list[_Axis]:
    """Join small columns into axes of up to `JOINED` labels, the largest first: fewer passes, each a matrix product."""
    groups: list[list[int]] = []
    for column in sorted(columns, key=lambda c: -len(matrices[c])):
        for group in groups:
            if math.prod(max(matrices[c].shape) for c in [*group, column]) <= JOINED:
                group.append(column)
                break
        else:
            groups.append([column])
    made = []
    for group in groups:
        joint = reduce(lambda a, b: np.asarray(np.kron(a, b)), [matrices[column] for column in group])
        made.append(_Axis(tuple(group), joint.shape[0], joint.shape[1], joint))
    return made


def _strong(strengths: Sequence[Floats], tolerance: float) -> list[tuple[int, ...]]:
    """List the products of one feature of each column that are not too weak beside the strongest one."""
    made: list[tuple[tuple[int, ...], float]] = [((), 1.0)]
    for strength in strengths:
        share = strength / strength[0]
        made = [
            ((*which, place), left * float(each))
            for which, left in made
            for place, each in enumerate(share)
            if left * each > tolerance
        ]
    return [which for which, _ in made]


class Structured(Product):
    """Passes over the table of joint labels, one axis at a time, times a few features of the numbers."""

    way = "structured"

    def __init__(self, layout: Layout, true: Integers, released: Integers, arrays: Arrays) -> None:
        self._arrays, self._xp, self._axes, self._layout = arrays, arrays.xp, layout.axes, layout
        self._true = _Side(layout, 0, true, arrays)
        self._released = _Side(layout, 1, released, arrays)
        self._matrices = [None if a.matrix is None else arrays.put(a.matrix, "float32") for a in layout.axes]

    def forward(self, masses: Any) -> Any:
        """Add up the true rows of each cell, pass over the axes, read off the released rows."""
        made = self._released.read(self._passed(self._true.gathered(masses), backwards=False))
        return self._xp.maximum(made, self._xp.zeros_like(made) + LEAST)

    def backward(self, weights: Any) -> Any:
        """Add up the released rows of each cell, pass back over the axes, read off the true rows."""
        made = self._true.read(self._passed(self._released.gathered(weights), backwards=True))
        return self._xp.maximum(made, self._xp.zeros_like(made))

    def by_label(self, masses: Floats) -> dict[int, Floats]:
        """Return, for every column on an axis, `forward` of the masses of each of its true labels by themselves.

        There is one row per released row and one column per true label. All other axes are passed over once for an axis, not
        once for a label.
        """
        xp, arrays = self._xp, self._arrays
        table, found = self._true.gathered(arrays.put(masses)), {}
        for place, axis in enumerate(self._axes):
            passed = self._passed(table, backwards=False, but=place)
            before, here, after = self._released.around(place)
            span = math.prod(each.outputs for each in self._axes[place + 1 :])
            labels = np.arange(axis.inputs)
            made = {}
            for column in reversed(axis.columns):
                size = self._layout.sizes[column][0]
                made[column] = (labels % size, np.zeros((len(here), size)))
                labels = labels // size
            matrix = np.eye(axis.inputs) if axis.matrix is None else axis.matrix
            for label in range(axis.inputs):
                cells = arrays.put((before * axis.inputs + label) * span + after, "int64")
                seen = arrays.get(xp.sum(self._released.features * xp.take(passed, cells, axis=0), axis=1))
                seen *= matrix[label, here]
                for which, sums in made.values():
                    sums[:, which[label]] += seen
            found.update({column: self._released.in_order(sums) for column, (_, sums) in made.items()})
        return found

    def _passed(self, table: Any, *, backwards: bool, but: int | None = None) -> Any:
        """Multiply each axis of the table with its matrix; the table has one row per cell and one column per feature."""
        xp, features = self._xp, table.shape[1]
        sizes = [axis.outputs if backwards else axis.inputs for axis in self._axes]
        for place, (axis, matrix) in enumerate(zip(self._axes, self._matrices, strict=True)):
            if matrix is None or place == but:
                continue
            inner = math.prod(sizes[place + 1 :]) * features
            block = xp.reshape(table, (-1, sizes[place], inner))
            table = xp.matmul(matrix if backwards else xp.matrix_transpose(matrix), block)
            sizes[place] = axis.inputs if backwards else axis.outputs
        return xp.reshape(table, (-1, features))


class _Side:
    """One set of rows, true or released: its cells in the table of joint labels, and its features."""

    def __init__(self, layout: Layout, side: int, codes: Integers, arrays: Arrays) -> None:
        self._arrays = arrays
        cells, size = np.zeros(len(codes), dtype=np.int64), 1
        for axis in layout.axes:
            for column in axis.columns:
                cells = cells * layout.sizes[column][side] + codes[:, column]
                size *= layout.sizes[column][side]
        order = np.argsort(cells, kind="stable")
        occupied, starts = np.unique(cells[order], return_index=True)
        features = np.ones((len(codes), len(layout.chosen)), dtype=np.float32)
        tables = layout.released_features if side else layout.true_features
        for place, (column, table) in enumerate(zip(layout.featured, tables, strict=True)):
            which = np.array([each[place] for each in layout.chosen])
            features *= table[:, which].astype(np.float32)[codes[order, column]]
        holder = np.zeros(size, dtype=np.int64)  # where a cell's sum stands; empty cells share a zero
        holder[occupied] = np.arange(1, len(occupied) + 1)
        self._layout, self._side, self._codes, self._places = layout, side, codes, order
        self._order = arrays.put(order, "int64")
        self._back = arrays.put(np.argsort(order), "int64")
        self._cells = arrays.put(cells[order], "int64")
        self._bounds = arrays.put(np.append(starts, len(codes)), "int64")
        self._holder = arrays.put(holder, "int64")
        self.features = arrays.put(features, "float32")
        if not arrays.on_this_machine:
            self._across = arrays.put(features.T, "float32")
            self._nothing = arrays.put(np.zeros((len(layout.chosen), 1)))

    def around(self, place: int) -> tuple[Integers, Integers, Integers]:
        """Return the labels of each row before an axis, on it and after it, in the order that `features` have."""
        parts = (self._layout.axes[:place], self._layout.axes[place : place + 1], self._layout.axes[place + 1 :])
        made = []
        for part in parts:
            cells = np.zeros(len(self._codes), dtype=np.int64)
            for column in (column for axis in part for column in axis.columns):
                cells = cells * self._layout.sizes[column][self._side] + self._codes[self._places, column]
            made.append(cells)
        return made[0], made[1], made[2]

    def in_order(self, values: Floats) -> Floats:
        """Put rows that stand in the order of `features` back into their own."""
        made = np.empty_like(values)
        made[self._places] = values
        return made

    def gathered(self, values: Any) -> Any:
        """Return for each cell and feature the sum of feature times value over the rows of the cell."""
        if self._arrays.on_this_machine:
            from tokumei.reconstruction._products_kernels import cell_sums

            made = np.zeros((len(self._bounds), self.features.shape[1]), dtype=np.float32)
            cell_sums(self.features, values, self._order, self._bounds, made)
            return np.take(made, self._holder, axis=0)
        # The array API has no sums by cell, so take differences of running sums, which go along rows on a GPU.
        xp = self._arrays.xp
        each = xp.astype(self._across, xp.float64) * xp.take(values, self._order, axis=0)[None, :]
        sums = xp.concat([self._nothing, xp.cumulative_sum(each, axis=1)], axis=1)
        at = xp.take(sums, self._bounds, axis=1)
        held = xp.concat([self._nothing, at[:, 1:] - at[:, :-1]], axis=1)
        return xp.take(xp.matrix_transpose(xp.astype(held, xp.float32)), self._holder, axis=0)

    def read(self, table: Any) -> Any:
        """Return for each row the sum over features of feature times what its cell holds."""
        xp = self._arrays.xp
        found = xp.sum(self.features * xp.take(table, self._cells, axis=0), axis=1)
        return xp.take(xp.astype(found, xp.float64), self._back, axis=0)
