"""The shuffled mechanism of small tables, written out: every table, every neighbor, every release, in fractions.

It shares nothing with what it checks but the integers that channels are drawn with.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

Distribution = Mapping[Any, Fraction]  # of what one row is released as
Rows = Sequence[Distribution]  # for every true row


def keeping(size: int, keep: int, other: int) -> list[Distribution]:
    """Rows of one column of categories that are kept or replaced."""
    total = keep + size * other
    return [{y: Fraction(other + keep * (y == x), total) for y in range(size)} for x in range(size)]


def moving(weights: Sequence[int]) -> list[Distribution]:
    """Rows of one number on a grid, by the weights of distances."""
    size = range(len(weights))
    made = []
    for x in size:
        total = sum(weights[abs(x - y)] for y in size)
        made.append({y: Fraction(weights[abs(x - y)], total) for y in size})
    return made


def flagged(weights: Sequence[int], flip: int) -> list[Distribution]:
    """Rows of one number that may be missing."""
    gone, size = Fraction(flip, 2**64), len(weights)
    there = [{**{y: (1 - gone) * p for y, p in row.items()}, None: gone} for row in moving(weights)]
    return [*there, {**dict.fromkeys(range(size), gone / size), None: 1 - gone}]


def by_matrix(weights: Sequence[Sequence[int]]) -> list[Distribution]:
    """Rows of one column with a matrix."""
    return [{y: Fraction(w, sum(row)) for y, w in enumerate(row)} for row in weights]


def together(*columns: Rows) -> list[Distribution]:
    """Rows of several columns, each perturbed on its own."""
    made = []
    for row in itertools.product(*columns):
        cells = itertools.product(*(cell.items() for cell in row))
        found: dict[Any, Fraction] = {}
        for cell in cells:
            chance = Fraction(1)
            for _, each in cell:
                chance *= each
            found[tuple(y for y, _ in cell)] = chance
        made.append(found)
    return made


def one_thing(clusters: Sequence[tuple[int, Rows]]) -> list[Distribution]:
    """Rows that tell one of several columns, each with a weight."""
    whole = sum(weight for weight, _ in clusters)
    return [
        {
            (s, y): Fraction(weight, whole) * chance
            for s, (weight, _) in enumerate(clusters)
            for y, chance in row[s].items()
        }
        for row in itertools.product(*(rows for _, rows in clusters))
    ]


def releases(table: Sequence[int], rows: Rows) -> dict[Any, Fraction]:
    """Return the probability of every multiset of released rows."""
    found: dict[Any, Fraction] = {frozenset(): Fraction(1)}
    for x in table:
        longer: dict[Any, Fraction] = {}
        for seen, chance in found.items():
            for y, each in rows[x].items():
                if each:
                    count = Counter(dict(seen))
                    count[y] += 1
                    key = frozenset(count.items())
                    longer[key] = longer.get(key, Fraction(0)) + chance * each
        found = longer
    return found


def sampled(table: Sequence[int], size: int, rows: Rows) -> dict[Any, Fraction]:
    """Return the same for a sample of a fixed size."""
    found: dict[Any, Fraction] = {}
    samples = list(itertools.combinations(table, size))
    for sample in samples:
        for key, chance in releases(sample, rows).items():
            found[key] = found.get(key, Fraction(0)) + chance / len(samples)
    return found


def divergence(first: Mapping[Any, Fraction], second: Mapping[Any, Fraction], e: Fraction) -> Fraction:
    """Return the sum of what is more than e times as likely for the first."""
    none = Fraction(0)
    return sum((max(none, p - e * second.get(key, none)) for key, p in first.items()), start=none)


def worst(
    rows: Rows, number: int, e: Sequence[Fraction], drawn: int | None = None, own: int = 1
) -> dict[Fraction, Fraction]:
    """Return the largest divergence over all tables with this many rows and all their neighbors, for every e.

    Neighbors differ in up to ``own`` rows; ``drawn`` of the rows are released.
    """
    found = dict.fromkeys(e, Fraction(0))
    values = range(len(rows))
    law: dict[Any, Any] = {}

    def of(table: Sequence[int]) -> Mapping[Any, Fraction]:
        key = tuple(sorted(table))
        if key not in law:
            law[key] = releases(key, rows) if drawn is None else sampled(key, drawn, rows)
        return law[key]

    for others in itertools.combinations_with_replacement(values, number - own):
        mine = list(itertools.combinations_with_replacement(values, own))
        for one, other in itertools.permutations(mine, 2):
            for each in e:
                found[each] = max(found[each], divergence(of((*others, *one)), of((*others, *other)), each))
    return found
