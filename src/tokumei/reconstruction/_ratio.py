"""The likelihood of weights, maximized over those that a model can give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from tokumei.arrays import Floats
from tokumei.reconstruction._arrays import Arrays
from tokumei.reconstruction._ascent import ascend
from tokumei.reconstruction._bumps import Features, bumps
from tokumei.reconstruction._em import Fit, Operator, maximise, normalised
from tokumei.reconstruction._products import LEAST, Product, Structured, Way, product
from tokumei.reconstruction._support import Added, Problem

Model = Literal["kernel", "linear", "free"]


@dataclass(frozen=True)
class Choices:
    """What the weights may be."""

    model: Model
    width: float | None  # of kernels, in units of the usual distance of two rows
    sigma2: float | None  # or their scale as it is published
    smoothing: float
    centers: int | None  # all rows without it

    def scale(self, centers: Features) -> float:
        """Return what squared distances are divided by."""
        if self.sigma2 is not None:
            return self.sigma2
        assert self.width is not None
        return 2 * self.width**2 * centers.usual()


@dataclass(frozen=True)
class Solved:
    """The masses found, how the iteration went, and what they are made of where the model is a function of the row."""

    masses: Floats  # of the distinct supporting rows, summing to one
    fit: Fit
    log_likelihood: float
    way: str
    alpha: Floats | None = None
    centers: Features | None = None
    scale: float | None = None


def solve(
    problem: Problem,
    choices: Choices,
    algorithm: str,
    way: Way,
    where: Arrays,
    rng: np.random.Generator,
    tolerance: float,
    limit: int,
) -> Solved:
    """Maximise the likelihood over weights of the model."""
    made = product(problem.matrices, problem.true, problem.released, way, where)
    counts, base = where.put(problem.counts), where.put(problem.base)
    exact = made.way != "structured"
    if choices.model == "free":
        if algorithm == "gradient":
            seen_of: Operator = lambda alpha: made.forward(base * alpha)  # noqa: E731
            fit = ascend(
                counts,
                seen_of,
                lambda ratio: base * made.backward(ratio),
                base,
                where.xp.ones_like(base),
                tolerance,
                limit,
                exact,
            )
            masses = base * fit.estimate
        else:
            fit = maximise(
                counts, made.forward, made.backward, base, tolerance, limit, entropy=choices.smoothing, exact=exact
            )
            masses = fit.estimate
        return Solved(where.get(masses), fit, _log_likelihood(made, counts, masses, where), made.way)
    model = _linear(problem, made, where) if choices.model == "linear" else _kernel(problem, choices, made, where, rng)
    means = model.means
    start = where.xp.ones_like(means)
    if algorithm == "gradient":
        fit = ascend(counts, model.forward, model.backward, means, start, tolerance, limit, exact)
        found = fit.estimate
    else:
        fit = maximise(
            counts,
            lambda shares: model.forward(shares / means),
            lambda ratio: model.backward(ratio) / means,
            means * start,
            tolerance,
            limit,
            entropy=choices.smoothing,
            exact=exact,
        )
        found = fit.estimate / means
    masses = normalised(problem.base * where.get(model.weights(found)))
    alpha = np.zeros(len(model.used))
    alpha[model.used] = where.get(found)
    value = _log_likelihood(made, counts, where.put(masses), where)
    return Solved(masses, fit, value, made.way, alpha, model.centers, model.scale)


@dataclass(frozen=True)
class _Through:
    """P as products with the coefficients of a model, whose features have these means over the rows."""

    forward: Operator
    backward: Operator
    weights: Operator
    means: Any
    used: npt.NDArray[np.bool_]  # the coefficients that there are: features that no row has say nothing
    centers: Features | None = None
    scale: float | None = None


def _linear(problem: Problem, made: Product, where: Arrays) -> _Through:
    """Sums of features of the row. P is multiplied with the features once: a step then costs rows times features only."""
    assert isinstance(problem.design, Added)
    xp, used = where.xp, problem.design.values.max(axis=0, initial=0.0) > 0
    features = problem.design.values[:, used]
    through = _seen(problem, made)[:, used]
    tops = np.maximum(through.max(axis=1), 1e-300)  # single floats would not hold the products of many probabilities
    seen, top = where.put(through / tops[:, None], "float32"), where.put(tops)
    columns, base = where.put(features, "float32"), where.put(problem.base)

    def multiplied(matrix: Any, vector: Any) -> Any:
        return xp.astype(xp.matmul(matrix, xp.astype(vector, xp.float32)), xp.float64)

    def backward(ratio: Any) -> Any:
        weighed = ratio * top
        most = xp.max(xp.abs(weighed))
        return multiplied(xp.matrix_transpose(seen), weighed / most) * most

    return _Through(
        lambda alpha: multiplied(seen, alpha) * top,
        backward,
        lambda alpha: multiplied(columns, alpha),
        multiplied(xp.matrix_transpose(columns), base),
        used,
    )


def _seen(problem: Problem, made: Product) -> Floats:
    """Return P times the features, one row per released row: of labels all at once where that is possible."""
    assert isinstance(problem.design, Added)
    values, base = problem.design.values, problem.base
    if not isinstance(made, Structured):
        return made.forward_many(base[:, None] * values)
    through, done = np.zeros((len(problem.released), values.shape[1])), np.zeros(values.shape[1], dtype=np.bool_)
    for column, seen in made.by_label(base).items():
        span = problem.design.spans[column]
        occur, first, which = np.unique(problem.true[:, column], return_index=True, return_inverse=True)
        if np.array_equal(values[first, span][which], values[:, span]):  # they follow from what the axis tells apart
            through[:, span], done[span] = seen[:, occur] @ values[first, span], True
    through[:, ~done] = made.forward_many(base[:, None] * values[:, ~done])
    return np.maximum(through, 0.0)  # features left out can make a small sum negative


def _kernel(problem: Problem, choices: Choices, made: Product, where: Arrays, rng: np.random.Generator) -> _Through:
    """Sums of bumps around rows: all of them, or as many as asked for, drawn by their share of the support."""
    assert isinstance(problem.design, Features)
    base = where.put(problem.base)
    there = np.flatnonzero(problem.base)
    if choices.centers is None or choices.centers >= len(there):
        picked = there
    else:
        picked = rng.choice(len(problem.base), choices.centers, replace=False, p=problem.base)
    centers = problem.design[picked]
    scale = choices.scale(centers)
    held = bumps(problem.design, centers, scale, where, whatever=choices.centers is not None)
    return _Through(
        lambda alpha: made.forward(base * held.weights(alpha)),
        lambda ratio: held.added(base * made.backward(ratio)),
        held.weights,
        held.added(base),
        np.ones(len(centers), dtype=np.bool_),
        centers,
        scale,
    )


def _log_likelihood(made: Product, counts: Any, masses: Any, where: Arrays) -> float:
    return float(where.xp.sum(counts * where.xp.log(made.forward(masses))))


def held_out(held: Problem, train: Problem, masses: Floats, where: Arrays) -> float:
    """Return the mean log-likelihood of the held rows."""
    made = product(held.matrices, train.true, held.released, "auto", where)
    expected = where.get(made.forward(where.put(masses)))
    likely = expected > LEAST  # others have a kept value that no row of the rest has
    return float(held.counts[likely] @ np.log(expected[likely]) / max(held.counts[likely].sum(), 1.0))
