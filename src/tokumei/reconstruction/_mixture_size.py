"""How many classes a mixture has, and several fits of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tokumei.arrays import Floats, Integers
from tokumei.parallel import in_chunks, one_blas_thread
from tokumei.reconstruction._mixture import STEPS, Fitted, Mixture, Observed, fit, fit_away, marginals, started

SIZES = (3, 6, 12, 24, 48, 96)
HELD_OUT = 0.2  # of the rows
ENOUGH = 100_000  # different rows, by which fits from different starts are nearer to each other than those of different sizes
SHORT = 80  # steps where sizes are compared
TIGHT, TIGHT_STEPS = (6, 12, 24, 48), 60  # where boxes are tight
STRENGTH = 4.0  # imagined rows of each class, spread as the column is over all classes
SPLIT = 8.0  # the same where every class has one value of some column


def best_size(observed: Observed, rng: np.random.Generator, shown: Any) -> int:
    """Return the number of classes: more are taken as long as held-out rows become likelier by more than chance."""
    out = _held_out(observed, rng)
    held = observed.counted(observed.weights * out)
    counts = observed.counted(observed.weights * (1 - out))
    alone = marginals(observed, counts)
    prior = [STRENGTH * each for each in alone]
    best, likeliest = 1, np.zeros(0)
    starts = 2 if len(observed.rows) < ENOUGH else 1
    sizes, starts, steps = (TIGHT, 1, TIGHT_STEPS // 2) if observed.tight else (SIZES, starts, SHORT)
    for size in sizes:
        tried = _fits(observed, [started(size, alone, rng) for _ in range(starts)], prior, counts, shown, steps)
        found = max((each.each for each in tried), key=lambda each: float(held @ each))
        if best > 1 and not _clearly(found - likeliest, held):
            break
        best, likeliest = size, found
    return best


def _held_out(observed: Observed, rng: np.random.Generator) -> Floats:
    """Draw which rows are held out, as a share of each: rows that share their boxes say the same, and go together."""
    if observed.many is not None:
        return rng.binomial(observed.many.astype(np.int64), HELD_OUT) / np.maximum(observed.many, 1)
    groups = np.arange(len(observed.which)) if observed.groups is None else observed.groups
    return (rng.random(int(groups.max()) + 1) < HELD_OUT)[groups].astype(np.float64)


def _clearly(gains: Floats, counts: Floats) -> bool:
    """Whether gains, each counted so often, sum up to more than the standard error of their sum."""
    if not counts.any():  # of few groups none may have been held out
        return False
    total = float(counts @ gains)
    return total > float(counts @ (gains - total / counts.sum()) ** 2) ** 0.5


def fitted_together(
    observed: Observed, size: int, starts: int, rng: np.random.Generator, shown: Any, steps: int = STEPS
) -> list[Fitted]:
    """Fit a mixture several times, from different starts."""
    counts = observed.counted(observed.weights)
    alone = observed.alone
    prior = [STRENGTH * each for each in alone]
    steps = min(steps, TIGHT_STEPS) if observed.tight else steps
    return _fits(observed, [started(size, alone, rng) for _ in range(starts)], prior, counts, shown, steps)


def fitted_apart(
    observed: Observed,
    column: int,
    present: Integers,
    size: int,
    starts: int,
    rng: np.random.Generator,
    shown: Any,
    steps: int = STEPS,
) -> list[Fitted]:
    """Fit a mixture several times whose classes each have one value of a column: the others are told given that one.

    ``size`` is how many classes there are at least; each of the values ``present`` has as many, and two or more.
    """
    counts = observed.counted(observed.weights)
    alone = observed.alone
    prior = [SPLIT * each for each in alone]
    prior[column] = np.zeros_like(prior[column])
    of_class = np.repeat(present, max(2, -(-size // len(present))))
    sure = (of_class[:, None] == np.arange(len(alone[column]))).astype(np.float64)
    made = []
    for _ in range(starts):
        start = started(len(of_class), alone, rng)
        shares = alone[column][of_class] * start.shares
        thetas = (*start.thetas[:column], sure, *start.thetas[column + 1 :])
        made.append(Mixture(shares / shares.sum(), thetas))
    return _fits(observed, made, prior, counts, shown, min(steps, TIGHT_STEPS) if observed.tight else steps)


def fitted_from(observed: Observed, start: Mixture, apart: int | None = None, steps: int = STEPS) -> Fitted:
    """Fit a mixture from a start; ``apart`` is the column of which each class has one value, if there is one."""
    counts = observed.counted(observed.weights)
    alone = observed.alone
    prior = [(STRENGTH if apart is None else SPLIT) * each for each in alone]
    if apart is not None:
        prior[apart] = np.zeros_like(prior[apart])
    return fit(observed, start, prior, counts, min(steps, TIGHT_STEPS) if observed.bases else steps)


def _fits(
    observed: Observed,
    starts: Sequence[Mixture],
    prior: Sequence[Floats],
    counts: Floats,
    shown: Any,
    steps: int = STEPS,
) -> list[Fitted]:
    """Climb from every start, several at a time."""
    found: list[Any] = [None] * len(starts)

    def climb(low: int, high: int) -> None:
        for place in range(low, high):
            found[place] = fit(observed, starts[place], prior, counts, steps)

    if observed.away is not None:
        found = list(fit_away(observed, starts, prior, counts, steps))
    else:
        with one_blas_thread():  # fits run beside each other, and threads of threads would wait for each other
            in_chunks(len(starts), climb, size=1)
    for each in found:
        shown.advance(
            note=f"{each.mixture.size} classes, log-likelihood {each.log_likelihood:.3f} after {each.steps} steps"
        )
    return found
