"""The likelihood of weights, maximized over those that a model can give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from tokumei.arrays import Floats
from tokumei.reconstruction._arrays import Arrays
from tokumei.reconstruction._ascent import ascend
from tokumei.reconstruction._em import Fit, maximise, normalised
from tokumei.reconstruction._products import LEAST, Product, Way, product
from tokumei.reconstruction._support import Problem

CHUNK = 2**14
MOST_BUMPS = 10**8  # rows times centers

Model = Literal["kernel", "linear", "free"]


@dataclass(frozen=True)
class Choices:
    """What the weights may be."""

    model: Model
    width: float | None
    smoothing: float
    centers: int


@dataclass(frozen=True)
class Solved:
    """The masses found, how the iteration went, and what they are made of where the model is a function of the row."""

    masses: Floats  # of the distinct supporting rows, summing to one
    fit: Fit
    log_likelihood: float
    way: str
    alpha: Floats | None
    centers: Floats | None


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
    centers, alpha, exact = None, None, made.way != "structured"
    if choices.model == "free":
        if algorithm == "gradient":
            forward, backward = _through(made, base, None, where)
            fit = ascend(counts, forward, backward, base, where.xp.ones_like(base), tolerance, limit, exact)
            masses = base * fit.estimate
        else:
            fit = maximise(
                counts, made.forward, made.backward, base, tolerance, limit, entropy=choices.smoothing, exact=exact
            )
            masses = fit.estimate
        return Solved(where.get(masses), fit, _log_likelihood(made, counts, masses, where), made.way, None, None)
    assert problem.design is not None
    if choices.model == "kernel":
        rows = len(problem.base)
        count = min(choices.centers, int(np.count_nonzero(problem.base)), max(10, MOST_BUMPS // rows))
        picked = rng.choice(rows, count, replace=False, p=problem.base)
        centers = problem.design[picked]
    features = bumps(problem.design, centers, choices.width)
    used = features.max(axis=0) > 0
    columns = where.put(features[:, used], "float32")
    forward, backward = _through(made, base, columns, where)
    means = _added_up(columns, base, where)
    start = where.xp.ones_like(means)
    if algorithm == "gradient":
        fit = ascend(counts, forward, backward, means, start, tolerance, limit, exact)
        found = fit.estimate
    else:
        fit = maximise(
            counts,
            lambda shares: forward(shares / means),
            lambda ratio: backward(ratio) / means,
            means * start,
            tolerance,
            limit,
            entropy=choices.smoothing,
            exact=exact,
        )
        found = fit.estimate / means
    alpha = np.zeros(features.shape[1])
    alpha[used] = where.get(found)
    masses = normalised(problem.base * (features @ alpha))
    value = _log_likelihood(made, counts, where.put(masses), where)
    return Solved(masses, fit, value, made.way, alpha, centers)


def _log_likelihood(made: Product, counts: Any, masses: Any, where: Arrays) -> float:
    return float(where.xp.sum(counts * where.xp.log(made.forward(masses))))


def _through(made: Product, base: Any, columns: Any, where: Arrays) -> tuple[Any, Any]:
    """Return P, and its transpose, as products with the coefficients of the model."""
    xp = where.xp

    def weights(alpha: Any) -> Any:
        if columns is None:
            return alpha
        return xp.astype(xp.matmul(columns, xp.astype(alpha, xp.float32)), xp.float64)

    def coefficients(ratio: Any) -> Any:
        pulled = base * made.backward(ratio)
        return pulled if columns is None else _added_up(columns, pulled, where)

    return (lambda alpha: made.forward(base * weights(alpha))), coefficients


def _added_up(columns: Any, masses: Any, where: Arrays) -> Any:
    """Return the sum of each feature over the rows, by mass."""
    xp = where.xp
    return xp.astype(xp.matmul(xp.matrix_transpose(columns), xp.astype(masses, xp.float32)), xp.float64)


def bumps(design: Floats, centers: Floats | None, width: float | None) -> npt.NDArray[np.float32]:
    """Return the features that a model adds up: bumps around centers, or the design itself for a linear model."""
    if centers is None:
        return design.astype(np.float32)
    assert width is not None
    usual = max(2 * float(np.sum(np.var(centers, axis=0))), 1e-12)  # the mean squared distance of two centers
    made = np.empty((len(design), len(centers)), dtype=np.float32)
    length = np.sum(centers**2, axis=1)
    for start in range(0, len(design), CHUNK):
        part = design[start : start + CHUNK]
        square = np.sum(part**2, axis=1)[:, None] + length - 2 * part @ centers.T
        made[start : start + CHUNK] = np.exp(-np.maximum(square, 0.0) / (2 * width**2 * usual))
    return made


def held_out(held: Problem, train: Problem, masses: Floats, where: Arrays) -> float:
    """Return the mean log-likelihood of the held rows."""
    made = product(held.matrices, train.true, held.released, "auto", where)
    expected = where.get(made.forward(where.put(masses)))
    likely = expected > LEAST  # others have a kept value that no row of the rest has
    return float(held.counts[likely] @ np.log(expected[likely]) / max(held.counts[likely].sum(), 1.0))
