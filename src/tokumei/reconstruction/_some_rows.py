"""Some of the rows that a model sees, with what they show and no more: for fits to a sample of groups, and for work in pieces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tokumei.arrays import Floats, Integers
from tokumei.parallel import in_chunks
from tokumei.reconstruction._hulls import ROUNDS, Hull
from tokumei.reconstruction._mixture import Mixture, Observed, Products, settle
from tokumei.reconstruction._nonzero import Packed

MOST, MOST_CELLS = 20_000, 300_000  # released rows of groups that a mixture is fitted to, and cells
MOST_DIFFERENT = 200_000  # different rows that it is fitted to where there are no groups
PIECE = 2**14  # different rows at a time
SPARSE = 16  # times as many things as are looked at: these are sorted then, and a table of all would cost more
ROOM = 2**22  # numbers of a table of what a piece shows, class by class, at most
FEW = 2**11  # the same where boxes are settled: what is worked out about them, class by class, stays in the cache
FEW_ROUNDS = 5  # in which boxes of more rows than a mixture is fitted to are settled: a thousandth off, and a fit to some of the rows is further off
LARGE, AWAY = 2.0, 0.5  # times the usual size a box is large, and the power of how often it is larger still


def different(observed: Observed, rows: Integers) -> tuple[Observed, list[Integers]]:
    """Look at some of the different rows; also return which rows of each column's matrix are left."""
    used, ids = _listed(observed.rows[rows], len(observed.first.factors))
    products = [_taking(each, used) for each in (observed.first, observed.second)]
    entries, numbers = _listed(np.concatenate([each.entries for each in products]), observed.places[-1].stop)
    parts = np.split(numbers, [len(products[0].entries)])
    first, second = (replace(each, entries=own) for each, own in zip(products, parts, strict=True))
    ends = np.searchsorted(entries, [at.start for at in observed.places] + [observed.places[-1].stop])
    left = [entries[a:b] - at.start for at, a, b in zip(observed.places, ends[:-1], ends[1:], strict=True)]
    made = replace(
        observed,
        likelihoods=tuple(each[own] for each, own in zip(observed.likelihoods, left, strict=True)),
        first=first,
        second=second,
        rows=ids,
        hulls=tuple(None if hull is None else hull.of(own) for hull, own in zip(observed.hulls, left, strict=False)),
        bases=tuple(each[own] for each, own in zip(observed.bases, left, strict=False)),
        loose=tuple(each[own] for each, own in zip(observed.loose, left, strict=False)),
        spreads=tuple(each[own] for each, own in zip(observed.spreads, left, strict=False)),
        evens=tuple(each[own] for each, own in zip(observed.evens, left, strict=False)),
    )
    return made, left


def _listed(ids: Integers, many: int) -> tuple[Integers, Integers]:
    """Return which of ``many`` things there are, in order, and for each id its number among them, -1 for -1.

    >>> [each.tolist() for each in _listed(np.array([[7, -1], [2, 7]]), 9)]
    [[2, 7], [[1, -1], [0, 1]]]
    >>> [each.tolist() for each in _listed(np.array([[7, -1], [2, 7]]), 999)]
    [[2, 7], [[1, -1], [0, 1]]]
    """
    if many > SPARSE * ids.size:
        used = np.unique(ids[ids >= 0])
        return used, np.where(ids >= 0, np.searchsorted(used, ids), -1)
    there = np.zeros(many + 1, dtype=np.bool_)  # the place behind the last is that of -1
    there[ids] = True
    used = np.flatnonzero(there[:-1])
    numbers = np.empty(many + 1, dtype=np.int64)
    numbers[used], numbers[-1] = np.arange(len(used)), -1
    return used, numbers[ids]


def _taking(products: Products, used: Integers) -> Products:
    """Take some of the things."""
    begin = products.starts[used]
    wide = products.starts[used + 1] - begin
    ends = np.concatenate([[0], np.cumsum(wide)])
    at = np.repeat(begin - ends[:-1], wide) + np.arange(ends[-1])
    return Products(products.factors[used], ends, products.entries[at])


def sampled(observed: Observed, rng: np.random.Generator) -> Observed:
    """Look at rows drawn at random, if there are more than a fit needs.

    Rows whose boxes are tight show most of their cells, so fewer of them will do; these are drawn in whole groups.
    """
    if observed.groups is not None and observed.tight and len(observed.which) > _most(observed):
        sizes = np.bincount(observed.groups)
        order = rng.permutation(len(sizes))
        chosen = np.zeros(len(sizes), dtype=np.bool_)
        chosen[order[: int(np.searchsorted(np.cumsum(sizes[order]), _most(observed))) + 1]] = True
        here = chosen[observed.groups]
    elif len(observed.rows) > MOST_DIFFERENT:
        here = rng.random(len(observed.which)) < MOST_DIFFERENT / len(observed.which)
    else:
        return observed
    rows, which = np.unique(observed.which[here], return_inverse=True)
    made, _ = different(observed, rows)
    return replace(
        made,
        which=which.reshape(-1),
        weights=observed.weights[here],
        groups=None if observed.groups is None else observed.groups[here],
        many=None if observed.many is None else observed.many[here],
    )


def _most(observed: Observed) -> int:
    """Return how many rows of tight boxes a mixture is fitted to: of tables with many columns fewer, which show as many cells."""
    return min(MOST, MOST_CELLS // len(observed.likelihoods))


def pieces(observed: Observed, classes: int) -> Iterator[tuple[slice, Observed]]:
    """Yield the different rows a piece at a time; in one piece where few things are seen."""
    rows = len(observed.rows)
    if len(observed.first.factors) <= PIECE:
        yield slice(0, rows), observed
        return
    step = most_rows(observed, classes)
    for low in range(0, rows, step):
        here = slice(low, min(low + step, rows))
        yield here, different(observed, np.arange(here.start, here.stop))[0]


def most_rows(observed: Observed, classes: int) -> int:
    """Return how many different rows are looked at at a time, so that what they show takes little room in all classes.

    >>> made = Observed((), Products(*3 * [np.zeros(0)]), Products(*3 * [np.zeros(0)]), np.zeros((1, 30)), np.zeros(1), np.zeros(1))
    >>> most_rows(made, 288), most_rows(made, 3)
    (485, 16384)
    """
    return min(PIECE, max(1, ROOM // (observed.rows.shape[1] * classes)))


def settled(observed: Observed, mixture: Mixture) -> Observed:
    """Work out what tight boxes say under a mixture, some groups at a time, and return what is seen with it.

    Where that is much it takes the place of what was seen without, of which only what is not zero is kept.
    """
    if not observed.tight:
        return observed
    counts = observed.counted(observed.weights)
    rounds = ROUNDS if len(observed.which) <= _most(observed) else FEW_ROUNDS
    loose = _open(observed)
    bases: Sequence[Any] = observed.evens or observed.likelihoods
    if observed.groups is None or len(observed.first.factors) <= PIECE:
        shown = list(settle(observed, mixture, counts, rounds))
    else:
        if observed.grouped_by:  # by which boxes are weighed, which needs both written out
            shown = [each.copy() for each in observed.likelihoods]
        else:
            bases, shown = tuple(map(Packed.of, bases)), list(observed.likelihoods)
        group = np.zeros(len(observed.rows), dtype=np.int64)
        group[observed.which] = observed.groups
        order = np.argsort(group, kind="stable")
        step = min(FEW, most_rows(observed, mixture.size))
        cuts = np.unique(np.searchsorted(group[order], group[order][::step]))
        parts = np.split(order, cuts[1:])

        def some(low: int, high: int) -> None:
            for rows in parts[low:high]:
                made, left = different(observed, rows)
                for whole, own, part in zip(shown, left, settle(made, mixture, counts[rows], rounds), strict=True):
                    whole[own] = part  # what several groups show says nothing of their boxes, and is the same for all

        in_chunks(len(parts), some, size=1)
    spreads = tuple(
        each * _spread(observed, hull) if hull is not None else 0.0 * each
        for each, hull in zip(loose, observed.hulls, strict=True)
    )
    return replace(
        observed, likelihoods=tuple(shown), hulls=(), bases=tuple(bases), loose=loose, spreads=spreads, evens=()
    )


def _open(observed: Observed) -> tuple[Floats, ...]:
    """Say what of everything that is seen leaves several values open in boxes."""
    before = observed.loose or [np.zeros(len(each)) for each in observed.likelihoods]
    return tuple(
        open_ if hull is None else (np.count_nonzero(each, axis=1) > 1).astype(np.float64)
        for each, hull, open_ in zip(observed.likelihoods, observed.hulls, before, strict=True)
    )


def _spread(observed: Observed, hull: Hull) -> Floats:
    """Return with which probability the cells of each box are spread evenly, whatever the model says of them."""
    rows = np.append(hull.rows, 0.0)[hull.unit]
    return 1 - (1 - observed.spread) * np.minimum(1.0, LARGE * observed.usual / np.maximum(rows, 1.0)) ** AWAY
