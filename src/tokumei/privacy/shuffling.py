"""What shuffling adds to a local mechanism: bounds on the hockey-stick divergence between tables that differ in one row.

n rows pass through a mechanism P(y|x) one by one and are shuffled. Two tables differ in one row, which is x in the first and x' in
the second; an attacker may know all other rows. For ``e = exp(epsilon)`` each function here returns a number that

    delta(epsilon) = max  sum over releases of (P(release | first table) - e P(release | second table))+

does not exceed, over all such tables. The release is then (epsilon, delta)-differentially private.

**Blankets** (Balle, Bell, Gascón and Nissim 2019). Let ``m(y) <= P(y|x) <= h m(y)`` for all x and y, and let w be the sum of m. With probability w a
row is drawn from m whatever it was; tell the attacker all rows that were not, except the one in question. It hides among those drawn from m. With
a = P(.|x), b = P(.|x'), S = a/m and T = b/m at a draw y from m/w, and B one with probability w, else zero, independently for n rows,

    delta(epsilon) <= 1/n E[(sum over n rows of B (S - e T))+]

S and T lie between 1 and h and have the mean 1/w. Whatever their law, spreading it to the corners (1, 1), (h, 1), (1, h), (h, h) without changing means makes the expectation
larger, as it is convex; and so does putting (h, 1) and (1, h) in place of (h, h) and (1, 1): ``h - e`` and ``1 - e h`` have the same sum as ``h (1 - e)`` and ``1 - e``, and lie
farther apart. So the worst law is (h, 1) and (1, h) with probability v/w each, v = (1 - w)/(h - 1), and (1, 1) otherwise; where that is more than one half each, v = (w h - 1)/(h - 1), and
(h, h) otherwise. For retention, and for rows that tell one thing each, it is what happens if x and x' differ in everything.

**One blanket** (`blanket_divergence`). Let c rows be (h, 1) or (1, h), x of them the first, and z be (1, 1). Then

    sum = (h - 1)(1 + e) (x - c/2 - beyond)        beyond = (e - 1) (z + c (1 + h)/2) / ((1 + e)(h - 1))

Given c, x is binomial with one half, and the sum of its probabilities times ``x - c/2 - beyond`` from ``t = ceil(c/2 + beyond)`` on is ``t/2 P(x = t) - beyond P(x >= t)``. It falls
with z. In small tables all z are summed over, in larger ones z is rounded down to one of a few numbers (`_neutral`).

**Several columns** (`product_divergence`). S and T are products over columns, and the steps above can be taken column by column, since the others only
multiply S and T by numbers: the worst law is the product of those of the columns. The expectation is bounded by ``E[X+] <= E[exp(s X)] / (e s)``, here with Euler's e, at the best s.

**The closed form** (`closed_form`) of Feldman, McMillan and Talwar (2021) is another bound.

The variation-ratio reduction (Wang and others 2023) lets the row also hide among all rows that are neither like x nor like x', those that were not drawn from m too. Its formula is a little smaller, and does not hold
for all tables: with two rows, three values, p = 4 and e = 3 it gives 1/12, where another row that equals x makes it 1/9 (`tests/privacy/test_central.py`). Of all ways to take rows apart, the
blanket gives the best bound (Su, Cheng and Wang 2025).

**Directed rounding.** All sums are of positive terms. Binomial probabilities are computed by Loader's formula, whose relative error is below 1e-11 here, tails from them by sums of positive terms and by at most 256 steps of
Pascal's rule, and the only difference (``t/2 P - beyond P``) is taken with 1e-10 of both added. Parameters are exact fractions that are rounded to doubles once, ``e - 1`` is rounded down. c and z are summed over
ranges outside of which Chernoff's bound leaves less than a thousandth of the delta asked for, which is added; and the result is raised by one part in 10^8. For several columns S is rounded up and T down,
and what rounding can do to the moment is added to it. Probabilities below 1e-300 vanish, for which 1e-290 is added.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

import numpy as np

from tokumei.arrays import Floats
from tokumei.mechanism.channel import Blanket

TINY = 1e-290  # more than all probabilities that vanish
MORE = 1 + 1e-8  # more than the relative error of any sum
TAIL = 2.0**-30  # of delta: what may be left out on either side
FEWER = 2.0**-10  # of delta: how likely there may be fewer rows with S = T, or more
SMALL = 256  # rows up to which every number of such rows is taken by itself
LARGE = 10**6  # rows above which they are all rounded down to one number
STRATA = 12  # numbers that they are rounded down to otherwise
MOST_ATOMS = 2**12  # pairs of factors that are kept apart
LEVELS = 96  # of each factor, where there would be more


def blanket_divergence(rows: int, blanket: Blanket, epsilon: float, delta: float) -> float:
    """Bound delta(epsilon) from one blanket; what is left out is a small part of ``delta``, and is added.

    >>> blanket_divergence(1, Blanket(Fraction(1, 2), Fraction(3)), 0.0, 1e-6)          # one row: the total variation itself
    0.5000...
    """
    from tokumei.privacy._shuffling_kernels import excess

    mass, spread = blanket
    if mass >= 1 or spread <= 1:
        return 0.0
    apart = (1 - mass) / (spread - 1)
    weight = Fraction(1)
    if 2 * apart > mass:  # then both factors are the larger one where they are not apart
        apart, weight = (mass * spread - 1) / (spread - 1), spread
    if apart <= 0:
        return 0.0
    low, high = likely(rows - 1, float(2 * apart), delta * TAIL)
    ends = low, high + 1
    either, rest, alike = 2 * apart, 1 - 2 * apart, mass - 2 * apart
    grow, found = grown(epsilon), 0.0
    for number, chance, given in _neutral(rows, either, alike, ends[1], delta):
        trials, yes, no = (rows - number, either / (1 - alike), 1 - mass) if given else (rows, either, rest)
        no = no / (1 - alike) if given else no
        args = float(yes), float(no), float(spread), float(weight * number), grow
        found += chance * excess(trials, *args, ends[0], min(trials, ends[1]))
    return min(1.0, found / rows * MORE + delta * (2 * TAIL + FEWER) + TINY)


def _neutral(
    rows: int, either: Fraction, alike: Fraction, most: int, delta: float
) -> Iterator[tuple[int, float, bool]]:
    """Yield numbers of rows with S = T that count, with weights, such that the weighted sum of what follows from each is no smaller.

    In small tables these are all numbers, each with its probability, and what follows is to be taken ``given`` the number. In others, what follows falls
    with the number z, so it may be rounded down to one of a few. Given that c rows are of the two other kinds, z is binomial among the n - c left, the larger the smaller c is, so
    that the probabilities for the largest c that is likely, ``most``, put no more weight on any larger number than there is.
    """
    from tokumei.privacy._shuffling_kernels import between

    if alike <= 0:
        yield 0, 1.0, False
        return
    low, high = likely(rows - 1, float(alike), delta * FEWER / 2)
    if rows <= SMALL:
        for number in range(low, high + 2):
            yield number, between(rows, float(alike), float(1 - alike), number, number) * (1 + 1e-9), True
        return
    few = 1 if rows > LARGE else STRATA
    left, rate = rows - most, alike / (1 - either)
    steps = [low + (high - low) * step // (2 * few) for step in range(few)]
    reached = 1.0  # the probability of as many as the number before, or less than it
    for number, after in pairwise([*steps, steps[-1]]):
        beyond = 0.0
        if after > number:
            top = min(left, high)
            beyond = between(left, float(rate), float(1 - rate), after, top) * (1 - 1e-9) if after <= top else 0.0
        yield number, reached - min(reached, beyond), False
        reached = min(reached, beyond)


def grown(epsilon: float) -> float:
    """Return ``exp(epsilon) - 1``, rounded down."""
    return math.expm1(min(epsilon, 700.0)) * (1 - 1e-14)


def likely(rows: int, rate: float, tail: float) -> tuple[int, int]:
    """Return numbers that a binomial one is below, and above, with a probability of at most ``tail`` each (Chernoff's bound).

    >>> likely(100, 0.5, 1e-3)
    (32, 68)
    """
    if rows == 0 or rate >= 1:
        return rows, rows
    enough, mean = -math.log(tail) * (1 + 1e-9) + 1e-9, rows * rate

    def beyond(number: int) -> bool:
        """Whether Chernoff's bound says that the number, and those farther from the mean, are unlikely enough."""
        share = number / rows
        yes = share * math.log(share / rate) if number else 0.0
        no = (1 - share) * math.log((1 - share) / (1 - rate)) if number < rows else 0.0
        return rows * (yes + no) * (1 - 1e-9) > enough

    return _edge(math.floor(mean), 0, beyond), _edge(math.ceil(mean), rows, beyond)


def _edge(inside: int, end: int, beyond: Callable[[int], bool]) -> int:
    """Return the number nearest to the end that is not beyond, or the end."""
    if inside == end or not beyond(end):
        return end
    while abs(end - inside) > 1:
        middle = (inside + end) // 2
        inside, end = (inside, middle) if beyond(middle) else (middle, end)
    return inside


def product_divergence(rows: int, law: Law, epsilon: float) -> float:
    """Bound delta(epsilon) from the worst law of two products of factors of several columns."""
    if law.constant:
        return 0.0
    grow = grown(epsilon)
    values = law.first - law.second - grow * law.second
    rows_log = math.log(rows)

    def bound(log: float) -> float:
        """Return the logarithm of the bound at the parameter s = exp(log)."""
        with np.errstate(over="ignore"):
            moved = np.expm1(math.exp(log) * values)
            mean = law.mass * float(np.dot(law.chances, moved))
            unsure = law.mass * float(np.dot(law.chances, np.abs(moved))) * 1e-11 + 1e-15 * math.exp(log)
        if not math.isfinite(mean) or mean + unsure <= -1:
            return math.inf
        return rows * math.log1p(mean + unsure) - 1 - log - rows_log

    best = _smallest(bound, -40.0 - rows_log, 5.0)
    return 1.0 if best >= 0 else min(1.0, math.exp(best) * MORE + TINY)


def _smallest(f: Callable[[float], float], low: float, high: float) -> float:
    """Return a value of a function that falls and then rises, near its smallest; any value would be a bound."""
    golden = (math.sqrt(5) - 1) / 2
    left, right = high - golden * (high - low), low + golden * (high - low)
    at_left, at_right = f(left), f(right)
    best = min(at_left, at_right)
    for _ in range(48):
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - golden * (high - low)
            at_left = f(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + golden * (high - low)
            at_right = f(right)
        best = min(best, at_left, at_right)
    return best


class Law:
    """The worst law of (S, T): products over columns of factors between 1 and the spread of each."""

    def __init__(self, blankets: Sequence[Blanket]) -> None:
        self.mass = math.prod(float(each.mass) for each in blankets) * (1 - 1e-12)
        first, second, chances = np.ones(1), np.ones(1), np.ones(1)
        for mass, spread in blankets:
            if mass >= 1 or spread <= 1:
                continue
            high = float(spread)
            theta = float((1 / mass - 1) / (spread - 1))
            both = theta > 0.5  # then (h, h) is what is left
            apart = float((spread - 1 / mass) / (spread - 1)) if both else theta
            left = high if both else 1.0
            share = max(0.0, 1 - 2 * apart)
            first = np.concatenate([first * high, first, first * left])
            second = np.concatenate([second, second * high, second * left])
            chances = np.concatenate([chances * apart, chances * apart, chances * share])
            keep = chances > 0
            first, second, chances = _gathered(first[keep], second[keep], chances[keep])
        self.constant = len(chances) == 1 and first[0] == second[0]
        self.first, self.second, self.chances = first * (1 + 1e-12), second * (1 - 1e-12), chances


def _gathered(first: Floats, second: Floats, chances: Floats) -> tuple[Floats, Floats, Floats]:
    """Put equal pairs together; if there are too many still, spread each over the corners of a cell around it, which keeps means."""
    pairs = np.round(np.log(np.stack([first, second])), 11)
    _, at, group = np.unique(pairs, axis=1, return_index=True, return_inverse=True)
    if len(at) < len(first):
        first, second = first[at] * (1 + 1e-10), second[at] * (1 - 1e-10)
        chances = np.bincount(group.ravel(), chances).astype(np.float64)
    if len(first) <= MOST_ATOMS:
        return first, second, chances
    marks, low, up = [], [], []
    for values in (first, second):
        grid = np.geomspace(values.min(), values.max(), LEVELS)
        grid[0], grid[-1] = values.min(), values.max()
        below = np.clip(np.searchsorted(grid, values, side="right") - 1, 0, LEVELS - 2)
        marks.append(grid)
        low.append(below)
        up.append(np.clip((values - grid[below]) / (grid[below + 1] - grid[below]), 0.0, 1.0))
    table = np.zeros((LEVELS, LEVELS))
    for i in (0, 1):
        for j in (0, 1):
            part = (up[0] if i else 1 - up[0]) * (up[1] if j else 1 - up[1])
            np.add.at(table, (low[0] + i, low[1] + j), chances * part)
    in_first, in_second = np.nonzero(table)
    return marks[0][in_first], marks[1][in_second], table[in_first, in_second]


def closed_form(rows: int, epsilon: float, delta: float) -> float:
    """Return the epsilon of Feldman, McMillan and Talwar for a local one; infinite where their condition does not hold.

    >>> round(closed_form(16281, 3.75, 1e-6), 2)
    0.93
    """
    if rows < 16 * math.log(2 / delta) or epsilon > math.log(rows / (16 * math.log(2 / delta))):
        return math.inf
    p = math.exp(epsilon)
    more = math.tanh(epsilon / 2) * (8 * math.sqrt(p * math.log(4 / delta) / rows) + 8 * p / rows)
    return math.log1p(more) * (1 + 1e-12)
