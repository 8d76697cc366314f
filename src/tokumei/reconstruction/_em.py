"""Maximum likelihood of a distribution seen through a channel, by accelerated EM with a certificate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tokumei.progress import stage

LEEWAY = 5.0

Floats = npt.NDArray[np.float64]
Operator = Callable[[Floats], Floats]


@dataclass(frozen=True)
class Fit:
    """Where the iteration stopped: the estimate, and how far below the best likelihood it can be at most."""

    estimate: Floats
    log_likelihood: float
    gap: float
    steps: int


def maximise(seen: Floats, forward: Operator, backward: Operator, start: Floats, tolerance: float, limit: int) -> Fit:
    """Find the distribution p that makes the counts ``seen`` most likely under ``forward(p)``.

    One EM step is ``p <- p * backward(seen / forward(p))``. The logarithm of the likelihood is concave in p, so with
    ``g = backward(seen / forward(p))`` for shares ``seen`` that sum to one, no distribution is better than p by more
    than ``n (max g - 1)``: the iteration stops when that bound is below ``tolerance``. Steps are extrapolated
    (SQUAREM, on logarithms). An extrapolation may lower the log-likelihood by up to `LEEWAY`, which lets it cross the
    flat ridges where a monotone iteration creeps; the bound, not the path, says when the end is reached.
    """
    total = seen.sum()
    shares = seen / total

    def look(p: Floats) -> tuple[Floats, float]:
        expected = forward(p)
        ratio = np.divide(shares, expected, out=np.zeros_like(shares), where=shares > 0)
        logs = np.log(expected, out=np.zeros_like(expected), where=shares > 0)
        return backward(ratio), float(total * np.sum(shares * logs))

    p = start / start.sum()
    gradient, value = look(p)
    steps = 0
    with stage("Reconstructing") as shown:
        while True:
            gap = float(total * max(0.0, gradient.max() - 1.0))
            if gap <= tolerance or steps >= limit:
                return Fit(p, value, gap, steps)
            once = _normalised(p * gradient)
            gradient_once, _ = look(once)
            twice = _normalised(once * gradient_once)
            p, gradient, value = _better(p, once, twice, look, value)
            steps += 1
            shown.advance(note=f"log-likelihood {value:.3f}, at most {gap:.2g} below the best")


def _better(
    p: Floats, once: Floats, twice: Floats, look: Callable[[Floats], tuple[Floats, float]], value: float
) -> tuple[Floats, Floats, float]:
    """Take the extrapolated point unless it is clearly less likely than where we were; else two plain steps."""
    with np.errstate(divide="ignore", invalid="ignore"):
        before, between, after = np.log(p), np.log(once), np.log(twice)
        gone = ~np.isfinite(after)  # cells that have vanished for good
        first = np.where(gone, 0.0, between - before)
        second = np.where(gone, 0.0, after - between) - first
    bend = float(np.sum(p * second**2))
    if bend:
        length = max(1.0, float(np.sqrt(np.sum(p * first**2) / bend)))
        reached = np.where(gone, -np.inf, before) + 2 * length * first + length**2 * second
        guess = _normalised(np.exp(np.clip(reached - reached.max(), -80.0, 0.0)))
        gradient, likelihood = look(guess)
        if likelihood >= value - LEEWAY:
            return guess, gradient, likelihood
    return twice, *look(twice)


def _normalised(p: Floats) -> Floats:
    return p / p.sum()
