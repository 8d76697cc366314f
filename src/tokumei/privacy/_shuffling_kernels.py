"""Inner loops of differential privacy by shuffling: sums of binomial probabilities, each positive and with a small relative error."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tokumei.loops import loop

HALF_LOG_TWO_PI = 0.5 * math.log(2 * math.pi)
# ln(n!) less Stirling's formula, for n from 0 (where it is not used) to 15
SMALL = np.array(
    [0.0] + [math.log(math.factorial(n)) - (n + 0.5) * math.log(n) + n - HALF_LOG_TWO_PI for n in range(1, 16)]
)
APART = 256  # values of c after which a tail is summed anew
NEGLIGIBLE = 1e-18  # of a sum, where its terms fall by a constant factor or faster
SURE = 1e-10  # more than the relative error of any probability or tail here


@loop()
def stirling_error(n: Any) -> Any:
    """Return ln(n!) less Stirling's formula; the series leaves out less than 1e-16 above 15."""
    if n <= 15:
        return SMALL[int(n)]
    square = n * n
    return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / (1188 * square)) / square) / square) / square) / n


@loop()
def deviance(x: Any, mean: Any) -> Any:
    """Return ``x ln(x/mean) + mean - x`` without cancellation (Loader 2000)."""
    away = x - mean
    if abs(away) < 0.1 * (x + mean):
        v = away / (x + mean)
        total, term, j = away * v, 2 * x * v, 1
        while True:
            term *= v * v
            more = total + term / (2 * j + 1)
            if more == total:
                return total
            total, j = more, j + 1
    return x * math.log(x / mean) + mean - x


@loop()
def binomial(n: Any, yes: Any, no: Any, x: Any) -> Any:
    """Return the probability of x of n, each with the probability ``yes``, ``no`` being what is left (Loader 2000)."""
    if x < 0 or x > n:
        return 0.0
    if x == 0:
        return math.exp(n * math.log1p(-yes)) if n > 0.0 and no > 0.0 else 1.0 if n == 0.0 else 0.0
    if x == n:
        return math.exp(n * math.log1p(-no)) if yes > 0.0 else 0.0
    if yes <= 0.0 or no <= 0.0:
        return 0.0
    log = stirling_error(n) - stirling_error(x) - stirling_error(n - x)
    log -= deviance(x, n * yes) + deviance(n - x, n * no)
    return math.exp(log) * math.sqrt(n / (2 * math.pi * x * (n - x)))


@loop()
def upper_tail(c: Any, t: Any, first: Any) -> Any:
    """Return the probability of t or more heads among c fair coins, ``first`` being that of t, which is at least half of c."""
    term = total = 1.0
    x = t
    while x < c:
        fall = (c - x) / (x + 1.0)
        term *= fall
        total += term
        if term < NEGLIGIBLE * (1.0 - fall):
            break
        x += 1.0
    return first * total


@loop()
def excess(n: Any, yes: Any, no: Any, h: Any, neutral: Any, grow: Any, low: Any, high: Any) -> Any:
    """Sum ``E[(sum of S - e^eps T)+]`` over the numbers c from ``low`` to ``high`` of rows with (S, T) = (h, 1) or (1, h).

    Each of n rows is one of these with probability ``yes``, either kind being as likely, and else not, ``no``; ``neutral`` is the sum of S, and of T, over
    the others. ``grow`` is ``e^eps - 1``. See `tokumei.privacy.shuffling`.
    """
    n, total = float(n), 0.0
    scale = (h - 1.0) * (2.0 + grow)
    steps, at_t, tail, anchor, first_before = APART, -2.0, 0.0, 0.0, 0.0
    for number in range(low, high + 1):
        c = float(number)
        beyond = grow * (neutral + 0.5 * c * (1.0 + h)) / ((2.0 + grow) * (h - 1.0))
        if beyond > 0.5 * c * (1.0 + 1e-9) + 1e-9:
            steps = APART  # nothing here, and the next tail is summed anew
            continue
        t = min(c, float(math.ceil(0.5 * c + beyond)))
        first = binomial(c, 0.5, 0.5, t)
        # What is P(t or more of c), given that of c - 1: one more coin, and perhaps one more head asked for.
        if steps < APART and t == at_t:
            tail += 0.5 * first_before * t / (c - t)
        elif steps < APART and t == at_t + 1.0:
            tail -= 0.5 * first_before
        else:
            steps = APART
        if steps >= APART or tail < anchor / 16.0:
            tail = anchor = upper_tail(c, t, first)
            steps = 0
        steps, at_t, first_before = steps + 1, t, first
        gained, lost = 0.5 * t * first, beyond * tail
        total += binomial(n, yes, no, c) * (max(0.0, gained - lost) + SURE * (gained + lost))
    return scale * total


@loop()
def between(n: Any, yes: Any, no: Any, low: Any, high: Any) -> Any:
    """Return the probability of ``low`` to ``high`` of n."""
    total = 0.0
    for x in range(high, low - 1, -1):
        total += binomial(n, yes, no, float(x))
    return total
