"""The published way to a density ratio: gradient steps, each put back to mean one and to no negative weight."""

from __future__ import annotations

import math
from typing import Any

from array_api_compat import array_namespace

from tokumei.errors import InvalidParameter
from tokumei.progress import stage
from tokumei.reconstruction._em import IMPOSSIBLE, Fit, Operator, ceiling, gap_of, looking_at


def ascend(
    seen: Any, forward: Operator, backward: Operator, means: Any, start: Any, tolerance: float, limit: int, exact: bool
) -> Fit:
    """Find ``alpha >= 0`` with ``means . alpha = 1`` that makes the counts ``seen`` most likely.

    One step is the published one, with its errors put right: go along the gradient, move back onto the plane where the
    mean is one, cut off what is negative, and scale to mean one. No step size suits every table, so a step that lowers
    the likelihood is halved and one that raises it grows. In terms of the shares ``alpha * means`` the problem is that
    of `maximize`, and so is the bound at which it stops.
    """
    xp = array_namespace(means)
    look = looking_at(seen, lambda shares: forward(shares / means), lambda ratio: backward(ratio) / means)
    total, plane = float(xp.sum(seen)), float(xp.sum(means**2))
    alpha = start / float(xp.sum(means * start))
    gradient, value = look(alpha * means)
    if not math.isfinite(value):
        raise InvalidParameter(IMPOSSIBLE)
    length, steps, most = 1.0, 0, ceiling(seen) if exact else math.inf
    with stage("Reconstructing") as shown:
        while True:
            gap = gap_of(gradient, total, most - value)
            if gap <= tolerance or steps >= limit:
                return Fit(alpha, value, gap, steps)
            slope = gradient * means  # by alpha
            reach = float(xp.max(xp.abs(slope)))
            while True:
                moved = alpha + length * slope / reach
                moved = moved + (1 - float(xp.sum(means * moved))) * means / plane
                moved = xp.maximum(moved, xp.zeros_like(moved))
                moved = moved / float(xp.sum(means * moved))
                tried, likelihood = look(moved * means)
                if likelihood > value:
                    break
                length /= 2
                if length < 1e-12:  # nowhere to go within what numbers can tell
                    return Fit(alpha, value, gap, steps)
            alpha, gradient, value = moved, tried, likelihood
            length *= 1.5
            steps += 1
            shown.advance(note=f"log-likelihood {value:.3f}, at most {gap:.2g} below the best")
