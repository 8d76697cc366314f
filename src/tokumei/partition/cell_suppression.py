"""Which cells to suppress: for every row a set of columns, as cheap as possible, such that enough rows are alike."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from tokumei.arrays import Booleans, Codes, Floats, Integers
from tokumei.errors import InvalidParameter
from tokumei.privacy.people import SharedOut
from tokumei.progress import stage
from tokumei.table.classes import class_of
from tokumei.table.people import People

EVERY = 12  # columns up to which every set of them is looked at
MOST_COLUMNS = 100
SETS = 2**13  # that are looked at with more columns


def stars_of(
    columns: Sequence[Codes], weights: Sequence[float], k: int, wildcard: bool, people: People | None = None
) -> Booleans:
    """Choose the cells to suppress: one row per row, one column per column.

    Sets of columns are gone through from the cheapest to the dearest, of equally dear ones that first which settles most. With more than
    twelve columns there are too many sets: those of one column more are then made from the few of each size that bring most rows together.
    Rows are settled with the first set without whose columns at least k rows are alike. Usually these are k that are not settled yet: all of them lose the set, and become a
    class of their own. Where a suppressed cell agrees with anything, all rows count, since they agree whatever they lose,
    and only this many lose the set that the others find enough stars to agree with.

    Where people have several rows, rows are settled once nobody has more than a k-th of those that are alike. Two such groups that look alike
    in the end are one in which nobody has more either, so what was settled stays so.
    """
    if len(columns) > MOST_COLUMNS:
        raise InvalidParameter(
            "local suppression takes at most {most_columns} quasi-identifiers. Got {columns}; recode or drop some.",
            most_columns=MOST_COLUMNS,
            columns=len(columns),
        )
    rows = len(columns[0])
    which = class_of(columns if people is None else [*columns, people.numbers], rows)
    counts = np.bincount(which)
    examples = np.empty(len(counts), dtype=np.int64)
    examples[which] = np.arange(rows)
    distinct = [codes[examples] for codes in columns]
    owners = None if people is None else people.numbers[examples]
    chosen = np.zeros((len(counts), len(columns)), dtype=np.bool_)
    waiting = np.ones(len(counts), dtype=np.bool_)

    def alike(stars: Booleans) -> tuple[Integers, Integers]:
        """Return the rows that a set settles now, and the number of the group of each."""
        among = np.arange(len(counts)) if wildcard else np.flatnonzero(waiting)
        labels = class_of([codes[among] for codes, star in zip(distinct, stars, strict=True) if not star], len(among))
        least = k if owners is None else k * _most_of_one(labels, owners[among], counts[among])
        enough = (np.bincount(labels, weights=counts[among]) >= least)[labels]
        enough &= waiting[among]
        return among[enough], labels[enough]

    def together(stars: Booleans) -> float:
        """Return how many pairs of waiting rows are alike without a set, for what its columns weigh."""
        among = np.flatnonzero(waiting)
        labels = class_of([codes[among] for codes, star in zip(distinct, stars, strict=True) if not star], len(among))
        return float(np.square(np.bincount(labels, weights=counts[among])).sum()) / float(stars @ np.asarray(weights))

    few = len(columns) <= EVERY
    tiers: Iterable[list[Booleans]] = _tiers(weights) if few else _grown(len(columns), together)
    many = 2 ** len(columns) if few else len(columns) * _breadth(len(columns))
    with stage("Choosing cells to suppress", total=many) as shown:
        for tier in tiers:
            for stars in sorted(tier, key=lambda some: -int(counts[alike(some)[0]].sum())) if len(tier) > 1 else tier:
                settled, labels = alike(stars)
                losing = _enough_stars(settled, labels, counts[settled], k) if wildcard else settled
                chosen[losing] = stars
                waiting[settled] = False
                shown.advance()
            if not waiting.any():
                break
    every, left = chosen[which], waiting[which]
    every[left] = True
    if people is not None:
        return _with_classes(columns, every, left, weights, SharedOut(people, k)) if left.any() else every
    return _with_company(columns, every, left, weights, k) if left.any() else every


def _most_of_one(labels: Integers, owners: Integers, counts: Integers) -> Integers:
    """Return for each group the most rows in it that are one person's."""
    keys, width = labels.astype(np.int64), int(owners.max(initial=0)) + 1
    pairs, place = np.unique(keys * width + owners, return_inverse=True)
    most = np.zeros(int(keys.max(initial=-1)) + 1, dtype=np.int64)
    np.maximum.at(most, pairs // width, np.bincount(place.reshape(-1), weights=counts).astype(np.int64))
    return most


def _with_classes(
    columns: Sequence[Codes], stars: Booleans, left: Booleans, weights: Sequence[float], shared: SharedOut
) -> Booleans:
    """Suppress every cell of whole classes too, those where most is suppressed already first, until nobody has too much of what is left.

    One class is tried, then two, four, and so on; with all rows it holds if it can hold at all.
    """
    released = [np.where(stars[:, j], int(codes.max()) + 1, codes) for j, codes in enumerate(columns)]
    classes = class_of(released, len(left))
    groups = int(classes.max()) + 1
    cost: Floats = stars.astype(np.float64) @ np.asarray(weights, dtype=np.float64)
    dear = np.zeros(groups)
    dear[classes] = cost
    order = np.argsort(-dear, kind="stable")
    order = order[~np.isin(order, classes[left])]  # those have every cell suppressed already
    rank = np.full(groups, groups)
    rank[order] = np.arange(len(order))
    taken = 0
    while True:
        starred = left | stars.all(axis=1) | (rank[classes] < taken)
        if shared.holds(np.where(starred, 0, -1), 1)[0] or taken >= len(order):
            return np.where(starred[:, None], True, stars)
        taken = max(1, 2 * taken)


def _enough_stars(settled: Integers, labels: Integers, counts: Integers, k: int) -> Integers:
    """Pick in each group the rarest rows to lose cells, until those of them and the next row's own kind are k."""
    order = np.lexsort((counts, labels))
    labels, counts = labels[order], counts[order]
    before = np.cumsum(counts) - counts
    first = np.searchsorted(labels, labels)  # where the group begins
    stars = before - before[first]  # rows of the group that come earlier
    return settled[order[stars + counts < k]]


def _tiers(weights: Sequence[float]) -> list[list[Booleans]]:
    """List all sets of columns, those of equal weight together, the lightest first."""
    tiers: dict[float, list[Booleans]] = {}
    for stars in itertools.product([False, True], repeat=len(weights)):
        weight = math.fsum(each for each, star in zip(weights, stars, strict=True) if star)
        tiers.setdefault(round(weight, 9), []).append(np.array(stars, dtype=np.bool_))
    return [tiers[weight] for weight in sorted(tiers)]


def _breadth(columns: int) -> int:
    """Return how many sets of each size larger ones are made from: each of them has as many as there are other columns."""
    return max(1, SETS // columns**2)


def _grown(columns: int, together: Callable[[Booleans], float]) -> Iterator[list[Booleans]]:
    """Yield sets of no column, of one, of two: the best of those that have one column more than the best before them."""
    best = [np.zeros(columns, dtype=np.bool_)]
    yield best
    for _ in range(columns - 1):
        wider = {tuple((each | one).tolist()) for each in best for one in np.eye(columns, dtype=np.bool_)[~each]}
        ranked = sorted(wider, key=lambda stars: (-together(np.array(stars)), stars))
        best = [np.array(stars) for stars in ranked[: _breadth(columns)]]
        yield best


def _with_company(
    columns: Sequence[Codes], stars: Booleans, left: Booleans, weights: Sequence[float], k: int
) -> Booleans:
    """Suppress every cell of as many other rows as the fewer than k that are left need for a class.

    They come from classes that can spare them, those where most is suppressed already first; else a whole class goes.
    """
    need = k - int(np.count_nonzero(left))
    released = [np.where(stars[:, j], int(codes.max()) + 1, codes) for j, codes in enumerate(columns)]
    classes = class_of(released, len(left))
    sizes = np.bincount(classes)
    cost: Floats = stars.astype(np.float64) @ np.asarray(weights, dtype=np.float64)
    others = np.flatnonzero(~left)
    others = others[np.argsort(-cost[others], kind="stable")]
    by_class = others[np.argsort(classes[others], kind="stable")]
    starts = np.searchsorted(classes[by_class], np.arange(len(sizes)))
    place = np.empty(len(left), dtype=np.int64)
    place[by_class] = np.arange(len(by_class)) - starts[classes[by_class]]
    spare = others[place[others] < sizes[classes[others]] - k]
    taken = spare[:need] if len(spare) >= need else np.flatnonzero(classes == classes[others[0]])
    stars = stars.copy()
    stars[taken] = True
    return stars
