"""Maximum likelihood of a distribution seen through a channel, by accelerated EM with a certificate.

It works on arrays of any library that follows the array API: numpy, or torch and cupy on a GPU.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from array_api_compat import array_namespace

from tokumei.errors import InvalidParameter
from tokumei.messages import phrase
from tokumei.progress import stage

LEEWAY = 5.0
IMPOSSIBLE = phrase(
    "Some released rows cannot come from any of the weighted rows or possible values; use another support, fewer "
    "columns, or operator='blocks'."
)

Array = Any  # of the library in use
Operator = Callable[[Array], Array]
Look = Callable[[Array], tuple[Array, float]]


@dataclass(frozen=True)
class Fit:
    """Where the iteration stopped: the estimate, and how far below the best likelihood it can be at most.

    ``trace`` holds the log-likelihood and that distance before each step, and at the end.
    """

    estimate: Array
    log_likelihood: float
    gap: float
    steps: int
    trace: tuple[tuple[float, float], ...] = ()


def maximise(
    seen: Array,
    forward: Operator,
    backward: Operator,
    start: Array,
    tolerance: float,
    limit: int,
    prior: Array | None = None,
    entropy: float = 0.0,
    exact: bool = True,
) -> Fit:
    """Find the distribution p that makes the counts ``seen`` most likely under ``forward(p)``.

    One EM step is ``p <- p * backward(seen / forward(p))``. The logarithm of the likelihood is concave in p, so with
    ``g = backward(seen / forward(p))`` for shares ``seen`` that sum to one, no distribution is better than p by more
    than ``n (max g - 1)``, nor by more than what is missing to the likelihood of counts that were expected exactly (Gibbs'
    inequality): the iteration stops when the smaller bound is below ``tolerance``. Steps are extrapolated
    (SQUAREM, on logarithms). An extrapolation may lower the log-likelihood by up to `LEEWAY`, which lets it cross the
    flat ridges where a monotone iteration creeps; the bound, not the path, says when the end is reached.

    ``prior`` gives rows that are imagined beside the seen ones: the sum of ``prior * log(p)`` is added to the
    log-likelihood (a Dirichlet prior), which stays concave, and bound and steps are those of the sum. ``entropy`` takes so
    much off a row's log-likelihood for each unit of relative entropy between p and ``start``: it holds p near the start as
    stopping early would, but says where. Steps are then exponential, ``p <- p exp(gradient)``. ``exact`` says that ``forward(p)`` are
    probabilities of different things, which add up to one at most: Gibbs' inequality is about these.
    """
    look = looking_at(seen, forward, backward, prior, entropy, normalised(start))
    total = float(array_namespace(seen).sum(seen)) + (0.0 if prior is None else float(array_namespace(seen).sum(prior)))
    p = normalised(start)
    gradient, value = look(p)
    if not math.isfinite(value):
        raise InvalidParameter(IMPOSSIBLE)
    steps, most = 0, ceiling(seen, prior) if exact else math.inf
    trace: list[tuple[float, float]] = []
    with np.errstate(divide="ignore", invalid="ignore"), stage("Reconstructing") as shown:
        while True:
            gap = gap_of(gradient, total, most - value)
            trace.append((value, gap))
            if gap <= tolerance or steps >= limit:
                return Fit(p, value, gap, steps, tuple(trace))
            once = _stepped(p, gradient, entropy)
            gradient_once, _ = look(once)
            twice = _stepped(once, gradient_once, entropy)
            p, gradient, value = _better(p, once, twice, look, value)
            steps += 1
            shown.advance(note=f"log-likelihood {value:.3f}, at most {gap:.2g} below the best")


def _stepped(p: Array, gradient: Array, entropy: float) -> Array:
    if not entropy:
        return normalised(p * gradient)
    xp = array_namespace(p)
    # A full step would overshoot: the penalty alone draws back by a share of entropy / (1 + entropy).
    return normalised(p * xp.exp(xp.clip((gradient - 1) / (1 + entropy), -20.0, 20.0)))


def looking_at(
    seen: Array,
    forward: Operator,
    backward: Operator,
    prior: Array | None = None,
    entropy: float = 0.0,
    reference: Array | None = None,
) -> Look:
    """Return what tells for a distribution p the gradient, scaled to have the mean one under p, and the log-likelihood."""
    xp = array_namespace(seen)
    rows = float(xp.sum(seen))
    total = rows if prior is None else rows + float(xp.sum(prior))

    def look(p: Array) -> tuple[Array, float]:
        expected = forward(p)
        there = seen > 0
        expected = xp.where(there, expected, xp.ones_like(expected))
        value = float(xp.sum(seen * xp.log(expected)))
        gradient = backward(seen / expected)
        if prior is not None:
            hoped = prior > 0
            held = xp.where(hoped, p, xp.ones_like(p))
            value += float(xp.sum(prior * xp.log(held)))
            gradient = gradient + prior / held
        gradient = gradient / total
        if entropy:
            apart = xp.log(p / reference)
            distance = float(xp.sum(p * apart))
            value -= total * entropy * distance
            gradient = gradient - entropy * (apart - distance)
        return gradient, value

    return look


def gap_of(gradient: Array, total: float, room: float = math.inf) -> float:
    """Return how far a log-likelihood with this gradient can be below the best.

    Concave functions lie below their tangents; ``room`` is how far it is below what no distribution reaches, which is less
    where the gradient is steep, such as at a cell that has nearly vanished.
    """
    top = float(array_namespace(gradient).max(gradient))
    return min(total * max(0.0, top - 1.0) if math.isfinite(top) else math.inf, max(0.0, room))


def ceiling(seen: Array, prior: Array | None = None) -> float:
    """Return a log-likelihood that no distribution exceeds: that of counts, and of a prior, which are what is expected.

    >>> ceiling(np.array([1.0, 1.0])) == 2 * math.log(1 / 2)
    True
    """
    return sum(_at_best(each) for each in (seen, prior) if each is not None)


def _at_best(counts: Array) -> float:
    xp = array_namespace(counts)
    there = xp.where(counts > 0, counts, xp.ones_like(counts))
    total = float(xp.sum(counts))
    return float(xp.sum(counts * xp.log(there))) - (total * math.log(total) if total > 0 else 0.0)


def _better(p: Array, once: Array, twice: Array, look: Look, value: float) -> tuple[Array, Array, float]:
    """Take the extrapolated point unless it is clearly less likely than where we were; else two plain steps."""
    xp = array_namespace(p)
    before, between, after = xp.log(p), xp.log(once), xp.log(twice)
    gone = ~xp.isfinite(after)  # cells that have vanished for good
    nothing = xp.zeros_like(p)
    first = xp.where(gone, nothing, between - before)
    second = xp.where(gone, nothing, after - between) - first
    bend = float(xp.sum(p * second**2))
    if bend:
        length = max(1.0, float(xp.sum(p * first**2) / bend) ** 0.5)
        reached = xp.where(gone, nothing - xp.inf, before) + 2 * length * first + length**2 * second
        guess = normalised(xp.exp(xp.clip(reached - xp.max(reached), -80.0, 0.0)))
        gradient, likelihood = look(guess)
        if likelihood >= value - LEEWAY:
            return guess, gradient, likelihood
    return _risen(p, twice, look, value)


def _risen(p: Array, reached: Array, look: Look, value: float) -> tuple[Array, Array, float]:
    """Take a plain step, or as much of it as does not lower the likelihood: long steps can overshoot."""
    xp = array_namespace(p)
    before, after = xp.log(p), xp.log(reached)
    gradient, likelihood = look(reached)
    share = 1.0
    while not likelihood >= value - 1e-9 * abs(value) and share > 1e-6:
        share /= 2
        mixed = xp.where(xp.isfinite(after), before + share * (after - before), after)
        reached = normalised(xp.exp(mixed - xp.max(mixed)))
        gradient, likelihood = look(reached)
    return reached, gradient, likelihood


def normalised(p: Array) -> Array:
    """Scale a distribution to the sum one."""
    return p / array_namespace(p).sum(p)
