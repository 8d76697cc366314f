"""The channels of groups: solved from what is published of a group, so that columns that are alike share them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from tokumei.arrays import Booleans, Floats, Integers
from tokumei.mechanism.channel import Channel, channel_from
from tokumei.mechanism.displacement import prefers_retention
from tokumei.mechanism.grid_laplace import FlaggedGridLaplace, GridLaplace
from tokumei.mechanism.retention import Retention
from tokumei.messages import phrase
from tokumei.privacy.groups import added, multiplied
from tokumei.privacy.pk import check_feasible
from tokumei.privacy.sampling import HidingPlace, required_ratio
from tokumei.privacy.split import Split, share_budget
from tokumei.table.domain import Categories, Numbers
from tokumei.table.schema import Attribute

# Shares are so much smaller, until they are small enough; 1 means uniform noise. A ratio may be well below the root of its swap.
HAIRS = (1e-12, 1e-9, 1e-6, 1e-3, 0.01, 0.02, 0.04, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0)


def solve_groups(
    attributes: Sequence[Attribute],
    sizes: Integers,
    missing: Booleans,
    places: Sequence[HidingPlace],
    k: float,
    split: Split,
) -> list[tuple[Mapping[str, Any], ...]]:
    """Return the channels of each group, as their public integers.

    The columns of a group share its budget. A channel depends on the size of its column's box and on its share alone, both of which
    are published, and is solved once for all groups that need it. What a group achieves is worked out in whole numbers from the channels
    it gets; where rounding left it short, they spend a hair less.

    Parameters
    ----------
    attributes
        The columns.
    sizes, missing
        How many different cells the box of each group (row) and column allows, and whether a missing one is among them.
    places
        Where a person hides, in each group.
    k, split
        As for the whole table.
    """
    different = {place: at for at, place in enumerate(dict.fromkeys(places))}
    for place in different:
        check_feasible(place.among, k, phrase("a person hides among {rows:row|rows}", rows=place.among), place.most)
    totals = np.array([-math.log(min(1.0, required_ratio(place, k))) for place in different])
    where = np.array([different[place] for place in places])
    even = totals[where] / np.maximum(1, np.count_nonzero(sizes > 1, axis=1))
    kept = np.array([isinstance(attribute.domain, Categories) for attribute in attributes]) | _preferring(sizes, even)
    if split == "even":
        shares = np.where(sizes > 1, even[:, None], 0.0)
    else:
        names = [attribute.name for attribute in attributes]
        given = zip(kept.tolist(), (sizes - missing).tolist(), missing.tolist(), totals[where].tolist(), strict=True)
        shares = np.array([_shared(names, *each, split) for each in given])
    solver = _Solver()
    which: Integers = np.empty(sizes.shape, dtype=np.int64)
    short = np.arange(len(places))
    for hair in HAIRS:
        which[short] = solver.solve(kept[short], sizes[short], missing[short], shares[short] * (1 - hair))
        reached = solver.reached(which[short], [places[group] for group in short.tolist()], Fraction(k))
        short = short[~reached]
        if not len(short):
            break
    return [tuple(solver.described[number] for number in numbers) for numbers in which.tolist()]


def _preferring(sizes: Integers, costs: Floats) -> Booleans:
    """Say for which numbers retention moves less, if all columns of a group share its budget evenly."""
    (values, prices), which = _different(sizes, np.broadcast_to(costs[:, None], sizes.shape))
    found = [prefers_retention(*each) for each in zip(values.tolist(), prices.tolist(), strict=True)]
    return np.array(found, dtype=np.bool_)[which]


def _different(numbers: Integers, shares: Floats) -> tuple[tuple[Integers, Floats], Integers]:
    """Return the different pairs of a whole number and a share, and which of them stands where."""
    known, rank = np.unique(shares, return_inverse=True)
    pairs, which = np.unique(numbers * len(known) + rank.reshape(shares.shape), return_inverse=True)
    return (pairs // len(known), known[pairs % len(known)]), which.reshape(numbers.shape)


def _shared(
    names: Sequence[str],
    kept: Sequence[bool],
    values: Sequence[int],
    missing: Sequence[bool],
    total: float,
    split: Split,
) -> list[float]:
    """Return the shares of the columns of one group."""
    columns = [stand_in(*each) for each in zip(names, kept, values, missing, strict=True)]
    if isinstance(split, dict) and set(split) == set(names):
        varying = [column.name for column in columns if column.states > 1]
        if not any(split[name] for name in varying):  # what others do not need is free for them
            split = {**split, **dict.fromkeys(varying, 1.0)}
    shares = share_budget(split, columns, total)
    return [shares[name] for name in names]


class _Solver:
    """The channels that were solved, as their public integers, and their swaps and ratios."""

    def __init__(self) -> None:
        self.described: list[Mapping[str, Any]] = []
        self._swaps: list[Fraction] = []
        self._ratios: list[Fraction] = []  # of the channels that places with rows not drawn asked for: they take longer

    def reached(self, which: Integers, places: Sequence[HidingPlace], k: Fraction) -> Booleans:
        """Say in which places, a row of ``which`` each, channels together achieve k: ``outside a + inside b >= (k - 1) most``."""
        swaps, ratios = multiplied(self._swaps, which), [(0, 1)] * len(places)
        if any(place.outside for place in places):
            self._ratios += [channel_from(each).ratio for each in self.described[len(self._ratios) :]]
            ratios = multiplied(self._ratios, which)
        above, below = (k - 1).as_integer_ratio()
        found = []
        for place, ratio, swap in zip(places, ratios, swaps, strict=True):
            top, bottom = added(place.others_outside, ratio, place.others_inside, swap)
            found.append(top * below >= above * place.most * bottom)
        return np.array(found, dtype=np.bool_)

    def solve(self, kept: Booleans, sizes: Integers, missing: Booleans, shares: Floats) -> Integers:
        """Return the number of a channel for each group and column that costs this share at most."""
        (cells, costs), which = _different(4 * sizes + 2 * kept + missing, shares)
        first = len(self.described)
        for cell, cost in zip(cells.tolist(), costs.tolist(), strict=True):
            made = _channel(cell // 4, cell % 4, Fraction(math.exp(-2 * cost)))
            self.described.append(made.describe())
            self._swaps.append(made.swap)
        return which + first


def _channel(size: int, kind: int, swap: Fraction) -> Channel:
    if size == 1 or kind >= 2:
        return Retention.solve(size, swap, 64)
    return FlaggedGridLaplace.solve(size - 1, swap) if kind == 1 else GridLaplace.solve(size, swap)


@lru_cache(maxsize=4096)
def stand_in(name: str, labels: bool, values: int, missing: bool) -> Attribute:
    """Describe a box as a column of its own, for the solver: this many values, and missing or not."""
    if values + int(missing) == 1 or values == 0:
        return Attribute(name, domain=Categories((0,)))
    domain = Categories(tuple(range(values))) if labels or values == 1 else Numbers(0, values - 1, step=1)
    return Attribute(name, domain=domain, missing=missing)
