"""Regression from rows that tell some columns each, through the public channel of every cluster.

A row of cluster s tells a tuple of cells that was kept with the cluster's retention rho and is otherwise uniform over its A tuples. For
any function f of the true tuple, and of columns released unchanged, the function

    h(y) = (f(y) - (1 - rho) mean of f over the A tuples) / rho

of the released one has the mean f(x). A part of a tuple is such a tuple itself. Least squares needs the means of products of two columns, and each comes from the
rows that tell both. Other regressions need functions of all columns at once, which come from rows that tell all of them together. Rows of one cluster
are a random sample of all rows, so variances add up over clusters.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Literal

import numpy as np

from tokumei.arrays import Floats, Integers
from tokumei.mechanism.telling import Cluster, Telling
from tokumei.reconstruction._corrected import Features, own_units
from tokumei.reconstruction._inference import check_determined, too_noisy
from tokumei.release.artifact import Release
from tokumei.table.classes import class_of, rows_of_classes
from tokumei.table.schema import Attribute

Means = Callable[
    [Floats], tuple[Floats, Floats]
]  # the mean of the target and its derivative, from the sum over columns
STEPS = 60
NEAR = 1e-9
FARTHEST = 30.0
CLEAR = 3.0
LARGEST = 2**25  # numbers in one piece


@dataclass(frozen=True)
class Solved:
    """Coefficients in the columns' own units, their covariance, and the one that true rows would give."""

    coefficients: Floats
    covariance: Floats
    of_true_rows: Floats


@dataclass(frozen=True)
class Column:
    """A column of the regression: its features by original code; the target has one."""

    attribute: Attribute
    features: Floats


@dataclass(frozen=True, eq=False)
class Part:
    """What the rows of one cluster tell: for each column that they tell its features by cell, and the cell of each row."""

    rows: Integers
    retention: float
    cells: dict[str, tuple[Floats, Integers]]
    kept: dict[str, Floats]  # the features of each row, of columns released unchanged

    def tells(self, *names: str) -> bool:
        """Whether its rows tell all these columns."""
        return all(name in self.cells or name in self.kept for name in names)

    def features(self, name: str) -> Floats:
        """Return the features of each row as released."""
        if name in self.kept:
            return self.kept[name]
        table, codes = self.cells[name]
        return table[codes]

    def average(self, name: str, of: Floats | None = None) -> Floats:
        """Return the mean of the features, or of their products with ``of``, over the cells."""
        table = self.cells[name][0]
        return table.mean(axis=0) if of is None else (table * of[:, None]).mean(axis=0)


def coarse(release: Release, columns: Sequence[Column]) -> list[str]:
    """Return the columns whose features differ within a cell that rows tell."""
    telling, found = release.mechanism.telling, []
    assert telling is not None
    for column in columns:
        told = telling.columns.get(column.attribute.name)
        for shown in () if told is None else told.shown:
            means = by_cell(column.features, shown.cell_of)
            if not np.allclose(means[shown.cell_of], column.features):
                found.append(column.attribute.name)
                break
    return found


def apart(telling: Telling, names: Sequence[str], kind: Literal["pairs", "all"]) -> list[tuple[str, ...]]:
    """Return what no row tells together of what a regression needs: pairs of columns, or all of them."""
    told = [name for name in names if name in telling.columns]
    return [each for each in _needed(told, kind) if not telling.clusters_of(*each)]


def fewest(release: Release, names: Sequence[str], kind: Literal["pairs", "all"]) -> int:
    """Return how many rows tell together what the fewest tell of what a regression needs."""
    telling = release.mechanism.telling
    assert telling is not None
    told = [name for name in names if name in telling.columns]
    many = np.bincount(release.coded.codes(telling.label), minlength=len(telling.clusters))
    sets = [set(cluster.columns) for cluster in telling.clusters]
    needed = _needed(told, kind) or [tuple(told)]
    return min(sum(int(rows) for rows, own in zip(many, sets, strict=True) if own.issuperset(each)) for each in needed)


def _needed(told: Sequence[str], kind: Literal["pairs", "all"]) -> list[tuple[str, ...]]:
    """Return what rows have to tell together: pairs of columns, or all of them."""
    return list(combinations(told, 2)) if kind == "pairs" else [tuple(told)] if told else []


def parts_of(release: Release, columns: Sequence[Column]) -> list[Part]:
    """Return what the rows of each cluster tell of these columns."""
    telling = release.mechanism.telling
    assert telling is not None
    which = release.coded.codes(telling.label).astype(np.int64)
    made = []
    for cluster, rows in zip(telling.clusters, rows_of_classes(which, len(telling.clusters)), strict=True):
        if len(rows):
            made.append(_part(release, telling, cluster, rows, columns))
    return made


def _part(release: Release, telling: Telling, cluster: Cluster, rows: Integers, columns: Sequence[Column]) -> Part:
    grids, cells, kept = dict(zip(cluster.columns, cluster.grids, strict=True)), {}, {}
    for column in columns:
        name = column.attribute.name
        codes = release.coded.codes(name)[rows]
        if name in grids:
            told = telling.columns[name]
            table = by_cell(column.features, told.shown[grids[name]].cell_of)
            cells[name] = (table, told.cell(grids[name], codes))
        elif name not in telling.columns:
            kept[name] = column.features[codes]
    return Part(rows, cluster.channel.retention, cells, kept)


def by_cell(features: Floats, cell_of: Integers) -> Floats:
    """Return the mean of each feature over the codes of a cell, which are taken as equally likely."""
    many = np.bincount(cell_of)
    return np.stack([np.bincount(cell_of, weights=each) / many for each in features.T], axis=1)


def linear(
    release: Release, target: Column, columns: Sequence[Column], features: Sequence[Features], shares: Floats
) -> Solved:
    """Solve the equations of least squares, each mean of a product coming from the rows that tell both columns."""
    parts = [part for part in parts_of(release, [target, *columns]) if np.any(shares[part.rows])]
    names = [each.attribute.name for each in (target, *columns)]
    if not all(any(part.tells(*two) for part in parts) for two in (*combinations(names, 2), ())):
        raise too_noisy()
    moments = Moments(parts, target, columns, shares)
    matrix, values, square = moments.equations()

    def error(direction: Floats) -> float:
        return float(
            np.sqrt(
                max(moments.covariance(lambda part: (moments.products(part, direction) @ direction)[:, None])[0, 0], 0)
            )
        )

    check_determined(matrix, error, clear=1.0)
    beta: Floats = np.linalg.solve(matrix, values).astype(np.float64)
    inverse = np.linalg.inv(matrix)
    spread = moments.covariance(lambda part: moments.answers(part) - moments.products(part, beta))
    residual = max(float(square - 2 * beta @ values + beta @ matrix @ beta), 0.0)
    plain: Floats = residual * inverse.astype(np.float64) * float(np.sum(shares**2) / np.sum(shares) ** 2)
    return _solved(features, beta, inverse @ spread @ inverse.T, plain)


def _solved(features: Sequence[Features], beta: Floats, covariance: Floats, plain: Floats) -> Solved:
    own, spread = own_units(features, beta, covariance)
    return Solved(own, spread, own_units(features, beta, plain)[1])


class Moments:
    """Means of products of two columns, and what each row of a part adds to them."""

    def __init__(self, parts: Sequence[Part], target: Column, columns: Sequence[Column], shares: Floats) -> None:
        self.parts, self.target, self.shares = parts, target.attribute.name, shares
        self.names = [each.attribute.name for each in columns]
        ends = np.cumsum([1, *(each.features.shape[1] for each in columns)])
        self.places = [slice(int(a), int(b)) for a, b in pairwise(ends)]
        self.size = int(ends[-1])
        self._weights: dict[tuple[str, ...], list[float]] = {}

    def _share(self, part: Part, *names: str) -> float:
        """Return how much the mean over a part's rows counts for a product of these columns: all such shares add up to one."""
        key = tuple(sorted(names))
        if key not in self._weights:
            noisy = [each for each in self.parts if each.tells(*key)]
            power = {id(p): self._power(p) * (p.retention**2 if any(n in p.cells for n in key) else 1) for p in noisy}
            total = sum(power.values())
            self._weights[key] = [power.get(id(each), 0.0) / total for each in self.parts]
        return self._weights[key][self.parts.index(part)]

    def _power(self, part: Part) -> float:
        mine = self.shares[part.rows]
        return float(mine.sum() ** 2 / np.sum(mine**2))

    def _column(self, part: Part, name: str) -> Floats:
        """Return each row's features of a column by itself, freed of the noise."""
        seen = part.features(name)
        return seen if name in part.kept else (seen - (1 - part.retention) * part.average(name)) / part.retention

    def _product(self, part: Part, one: str, other: str, beta: Floats) -> Floats:
        """Return each row's features of a column times what another column adds with these coefficients, freed of the noise."""
        mine, sums = part.features(one), part.features(other) @ beta
        if one == other:
            made = mine * sums[:, None]
            return made if one in part.kept else self._freed(part, made, part.average(one, part.cells[one][0] @ beta))
        if one in part.kept:
            return mine * (sums if other in part.kept else self._freed(part, sums, part.average(other) @ beta))[:, None]
        if other in part.kept:
            return self._freed(part, mine, part.average(one)) * sums[:, None]
        return self._freed(part, mine * sums[:, None], part.average(one) * (part.average(other) @ beta))

    @staticmethod
    def _freed(part: Part, seen: Floats, average: Floats) -> Floats:
        return np.asarray((seen - (1 - part.retention) * average) / part.retention, dtype=np.float64)

    def products(self, part: Part, beta: Floats) -> Floats:
        """Return what each row adds to the matrix times ``beta``."""
        made = np.zeros((len(part.rows), self.size))
        made[:, 0] += beta[0] * self._share(part)
        for name, place in zip(self.names, self.places, strict=True):
            if part.tells(name):
                alone = self._share(part, name) * self._column(part, name)
                made[:, 0] += alone @ beta[place]
                made[:, place] += beta[0] * alone
            for other, there in zip(self.names, self.places, strict=True):
                if part.tells(name, other):
                    made[:, place] += self._share(part, name, other) * self._product(part, name, other, beta[there])
        return made

    def answers(self, part: Part) -> Floats:
        """Return what each row adds to the right side."""
        made, one = np.zeros((len(part.rows), self.size)), np.ones(1)
        if part.tells(self.target):
            made[:, 0] = self._share(part, self.target) * self._column(part, self.target)[:, 0]
        for name, place in zip(self.names, self.places, strict=True):
            if part.tells(name, self.target):
                made[:, place] = self._share(part, name, self.target) * self._product(part, name, self.target, one)
        return made

    def _mean(self, part: Part, rows: Floats) -> Floats:
        mine = self.shares[part.rows]
        return np.asarray(mine @ rows / mine.sum(), dtype=np.float64)

    def equations(self) -> tuple[Floats, Floats, float]:
        """Return the matrix, the right side, and the mean square of the target."""
        matrix = np.stack(
            [sum(self._mean(p, self.products(p, unit)) for p in self.parts) for unit in np.eye(self.size)], axis=1
        )
        values = np.asarray(sum(self._mean(part, self.answers(part)) for part in self.parts), dtype=np.float64)
        square = 0.0
        for part in self.parts:
            if part.tells(self.target):
                rows = self._product(part, self.target, self.target, np.ones(1))
                square += self._share(part, self.target) * float(self._mean(part, rows)[0])
        return (matrix + matrix.T) / 2, values, square

    def covariance(self, added: Callable[[Part], Floats]) -> Floats:
        """Return the covariance of the sum over parts of the mean of what each row adds."""
        return np.asarray(
            sum(_covariance(added(part), self.shares[part.rows]) for part in self.parts), dtype=np.float64
        )


def _covariance(added: Floats, shares: Floats) -> Floats:
    """Return the covariance of a weighted mean over rows that were drawn independently."""
    off = (added - shares @ added / shares.sum()) * shares[:, None]
    return off.T @ off / shares.sum() ** 2


def together(
    release: Release,
    target: Column,
    columns: Sequence[Column],
    features: Sequence[Features],
    shares: Floats,
    means: Means,
    beginning: Callable[[int, float], Floats],
) -> Solved:
    """Solve the equations of a regression from rows that tell all columns together."""
    names = [target.attribute.name, *(each.attribute.name for each in columns)]
    parts = [part for part in parts_of(release, [target, *columns]) if part.tells(*names) and np.any(shares[part.rows])]
    if not parts:
        raise too_noisy()
    tables = [Table.of(part, names, shares[part.rows]) for part in parts]
    power = np.array([each.power for each in tables])
    weights = power / power.sum()
    size = tables[0].size
    mean = sum(w * each.mean_answer() for w, each in zip(weights, tables, strict=True))
    beta = beginning(size, float(mean))
    for _ in range(STEPS):
        gradient, hessian = np.zeros(size), np.zeros((size, size))
        for weight, table in zip(weights, tables, strict=True):
            g, h = table.equations(beta, means)
            gradient += weight * g
            hessian += weight * h
        scale = 1 / np.sqrt(np.maximum(np.abs(np.diag(hessian)), 1e-12))
        sizes, axes = np.linalg.eigh(hessian * np.outer(scale, scale))
        if not np.isfinite(sizes).all():
            raise too_noisy()
        bent = (axes / np.maximum(np.abs(sizes), 1e-6)) @ axes.T * np.outer(scale, scale)  # downhill wherever it bends
        step = bent @ gradient
        beta = beta - step * min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-300))
        if np.abs(beta).max() > FARTHEST:
            raise too_noisy()
        if np.abs(step).max() < NEAR:
            break
    else:
        raise too_noisy()

    def error(direction: Floats) -> float:
        spread = sum(w**2 * t.spread_along(beta, means, direction) for w, t in zip(weights, tables, strict=True))
        return float(np.sqrt(max(spread, 0.0)))

    check_determined(hessian, error, clear=CLEAR)
    inverse = np.linalg.inv(hessian)
    spread = sum(w**2 * each.covariance(beta, means) for w, each in zip(weights, tables, strict=True))
    plain: Floats = inverse.astype(np.float64) * float(np.sum(shares**2) / np.sum(shares) ** 2)
    return _solved(features, beta, inverse @ np.asarray(spread) @ inverse.T, plain)


@dataclass(frozen=True)
class Table:
    """Rows of one part counted by kind (columns released unchanged) and by tuple of told cells."""

    design: Floats  # kinds x tuples x features, the constant first
    answers: Floats  # kinds x tuples
    counts: Floats  # sums of shares
    squares: Floats  # sums of squared shares
    retention: float

    @property
    def size(self) -> int:
        """How many coefficients there are."""
        return self.design.shape[2]

    @property
    def power(self) -> float:
        """How much its mean counts against those of other parts."""
        return float(self.counts.sum() ** 2 / self.squares.sum() * self.retention**2)

    @classmethod
    def of(cls, part: Part, names: Sequence[str], shares: Floats) -> Table:
        """Count rows; ``names`` begins with the target."""
        told = [name for name in names if name in part.cells]
        kept = [name for name in names if name in part.kept]
        shape = [len(part.cells[name][0]) for name in told]
        tuples = int(np.prod(shape)) if told else 1
        flat = (
            np.ravel_multi_index([part.cells[name][1] for name in told], shape) if told else np.zeros(len(shares), int)
        )
        distinct = [np.unique(part.kept[name], axis=0, return_inverse=True)[1].reshape(-1) for name in kept]
        kind = class_of(distinct, len(shares)) if kept else np.zeros(len(shares), dtype=np.int64)
        kinds = int(kind.max()) + 1
        example = np.empty(kinds, dtype=np.int64)
        example[kind] = np.arange(len(shares))
        sizes = {name: (part.kept[name] if name in part.kept else part.cells[name][0]).shape[1] for name in names}
        if kinds * tuples * (1 + sum(sizes.values())) > LARGEST:
            raise too_noisy()
        places = dict(zip(told, np.unravel_index(np.arange(tuples), shape), strict=True)) if told else {}
        blocks = []
        for name in names:
            if name in part.kept:
                block = np.broadcast_to(part.kept[name][example][:, None, :], (kinds, tuples, sizes[name]))
            else:
                block = np.broadcast_to(part.cells[name][0][places[name]][None], (kinds, tuples, sizes[name]))
            blocks.append(block)
        design = np.concatenate([np.ones((kinds, tuples, 1)), *blocks[1:]], axis=2)
        cell = kind * tuples + flat
        counts, squares = (
            np.bincount(cell, weights=each, minlength=kinds * tuples).reshape(kinds, tuples).astype(np.float64)
            for each in (shares, shares**2)
        )
        return cls(design, np.asarray(blocks[0][:, :, 0]), counts, squares, part.retention if told else 1.0)

    def _freed(self, values: Floats) -> Floats:
        """Free a function of kind and tuple of the noise in the tuple."""
        return (values - (1 - self.retention) * values.mean(axis=1, keepdims=True)) / self.retention

    def _mean(self, values: Floats) -> Floats:
        """Return the mean over rows of a function, freed of the noise."""
        made: Floats = np.tensordot(self.counts, self._freed(values), axes=([0, 1], [0, 1])) / self.counts.sum()
        return made

    def mean_answer(self) -> float:
        """Estimate the mean of the target."""
        return float(self._mean(self.answers))

    def equations(self, beta: Floats, means: Means) -> tuple[Floats, Floats]:
        """Return the gradient and its derivative."""
        mean, slope = means(self.design @ beta)
        gradient = self._mean(self.design * (mean - self.answers)[..., None])
        corrected = self._corrected_counts()
        flat = self.design.reshape(-1, self.size)
        return gradient, flat.T @ (flat * (corrected * slope).reshape(-1, 1))

    def _corrected_counts(self) -> Floats:
        """Return the share of each kind and tuple, freed of the noise: the same functions, seen from the other side."""
        even = self.counts.mean(axis=1, keepdims=True)
        return np.asarray(
            (self.counts - (1 - self.retention) * even) / self.retention / self.counts.sum(), dtype=np.float64
        )

    def covariance(self, beta: Floats, means: Means) -> Floats:
        """Return the covariance of the gradient."""
        mean, _ = means(self.design @ beta)
        return self._spread(self.design * (mean - self.answers)[..., None])

    def spread_along(self, beta: Floats, means: Means, direction: Floats) -> float:
        """Return the variance of the derivative along a direction."""
        slope = means(self.design @ beta)[1]
        return float(self._spread(((self.design @ direction) ** 2 * slope)[..., None])[0, 0])

    def _spread(self, values: Floats) -> Floats:
        freed = self._freed(values).reshape(-1, values.shape[2])
        mean = self.counts.ravel() @ freed / self.counts.sum()
        off = freed - mean
        return np.asarray(off.T @ (off * self.squares.reshape(-1, 1)) / self.counts.sum() ** 2, dtype=np.float64)
