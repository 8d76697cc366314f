"""Which groups cost less than their rows are worth, and what that proves."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tokumei.arrays import Floats, Integers
from tokumei.parallel import in_chunks

PARTS = 8  # of the work, whatever the number of threads
KEEP = 4  # of the cheapest groups of each size with each row
UNITS = 2.0**44  # the largest cost of a pair in whole numbers: sums over the pairs of a group stay below 2^63


class Priced(NamedTuple):
    """What pricing found: groups below their worth, one array of rows a size, and prices that no group is below."""

    groups: list[Integers]
    least: Floats
    whole: bool


def total(prices: Floats, k: int) -> float:
    """Return what a grouping costs at least if no group costs less than prices say."""
    return float(prices[:-1].sum() - prices[-1] * ((len(prices) - 1) // k))


def priced(apart: Floats, prices: Floats, k: int, budget: int) -> Priced:
    """Find the groups of k to 2k - 1 rows whose sum of squares is less than the prices of their rows less the fee.

    Prices are what each row is worth, and after them a fee of at least 0 that every group is let off. Lower every row's
    price by the largest shortfall, per row, of a group with it; then no group is worth more than it costs. Every grouping
    is made of at most n / k such groups (a larger one loses no more when cut in two), so the prices of all rows less
    n // k fees are no more than any grouping costs (weak duality of linear programming): `total`. That needs all groups below
    their worth: of a size whose budget ran out, each row's price is lowered by half of its own cheapest pairs
    instead. No group can undercut that, since each of its pairs counts half for either row.
    """
    worth, fee = prices[:-1], prices[-1]
    groups, whole = [], True
    shortfall, simple = np.zeros(len(worth)), np.full(len(worth), -np.inf)
    for size in range(k, 2 * k):
        pairs = apart / size - (worth[:, None] + worth[None]) / (size - 1) + 2 * fee / (size * (size - 1))
        np.fill_diagonal(pairs, np.inf)
        half = -np.partition(pairs, size - 2, axis=1)[:, : size - 1].sum(axis=1) / 2
        np.fill_diagonal(pairs, 0.0)
        unit = max(float(np.abs(pairs).max()), np.finfo(np.float64).tiny) / UNITS
        units = np.floor(pairs / unit).astype(np.int64) - 1  # rounded down: no group seems dearer than it is
        found, costs, complete = _of_size(units, size, budget)
        groups.append(found)
        whole = whole and complete
        np.maximum(simple, half, out=simple)
        np.maximum(shortfall, -costs[:, 0] * unit / size if complete else half, out=shortfall)
    lowered = max(worth - shortfall, worth - simple, key=np.sum)
    return Priced(groups, np.append(lowered, fee), whole)


def _of_size(units: Integers, size: int, budget: int) -> tuple[Integers, Integers, bool]:
    """Return the cheapest groups of one size, the costs of those with each row, and whether all groups were met."""
    from tokumei.partition.microaggregation._pricing_kernels import price

    count = len(units)
    best = np.zeros((PARTS, count, KEEP), dtype=np.int64)
    sets = np.full((PARTS, count, KEEP, size), -1, dtype=np.int64)
    whole = np.zeros(PARTS, dtype=np.bool_)

    def work(first: int, stop: int) -> None:
        for part in range(first, stop):
            whole[part] = price(units, size, part, PARTS, budget, best[part], sets[part])

    in_chunks(PARTS, work, size=1)
    costs = best.transpose(1, 0, 2).reshape(count, PARTS * KEEP)
    listed = sets.transpose(1, 0, 2, 3).reshape(count, PARTS * KEEP, size)
    cheapest = np.argsort(costs, axis=1, kind="stable")[:, :KEEP]
    costs = np.take_along_axis(costs, cheapest, axis=1)
    listed = np.take_along_axis(listed, cheapest[:, :, None], axis=1)[costs < 0]
    return np.unique(np.sort(listed, axis=1), axis=0), costs, bool(whole.all())
