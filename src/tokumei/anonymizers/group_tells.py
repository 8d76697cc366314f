"""What rows in groups tell: clusters of the columns that vary in each group's box, with the group's whole budget."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache

import numpy as np

from tokumei.anonymizers.notes import GroupsTell
from tokumei.anonymizers.tells import Subsets, check_all_told, check_tuples
from tokumei.arrays import Integers
from tokumei.errors import InvalidParameter
from tokumei.mechanism.group_telling import GroupTelling, Part
from tokumei.mechanism.grouping import Grouping
from tokumei.mechanism.record import Mechanism
from tokumei.mechanism.retention import Retention
from tokumei.mechanism.telling import MOST_CLUSTERS, WORDS
from tokumei.messages import phrase
from tokumei.partition.notes import Note
from tokumei.privacy.pk import check_feasible
from tokumei.privacy.sampling import HidingPlace, achieved, required_ratio
from tokumei.table.schema import Attribute

Cluster = tuple[str, ...]


def solve_telling_in_groups(
    parts: Sequence[Subsets],
    attributes: Sequence[Attribute],
    sizes: Integers,
    places: Sequence[HidingPlace],
    k: float,
    label: str,
) -> GroupTelling:
    """Return what the rows of each group tell, so that k is kept in each, and as little more as integers allow.

    Parameters
    ----------
    parts
        What rows tell, as for the whole table. Columns with one value in a group's box are left out there.
    attributes
        The columns.
    sizes
        How many different cells the box of each group (row) and column allows.
    places
        Where a person hides, in each group.
    k
        As for the whole table.
    label
        What the column is called that says what a row tells.
    """
    names = tuple(attribute.name for attribute in attributes)
    for part in parts:
        if part.cells is not None:
            raise InvalidParameter(
                "in groups a row tells values of its group's box, and nothing coarser; leave cells out, and recode the column first "
                "(Recode) where it should be coarser."
            )
    asked = [part.clusters(names) for part in parts]  # refuses what cannot be asked for
    check_all_told(names, asked)
    for place in dict.fromkeys(places):
        check_feasible(place.among, k, phrase("a person hides among {rows:row|rows}", rows=place.among), place.most)

    @cache
    def clusters(varying: Cluster) -> tuple[tuple[Cluster, int], ...]:
        return _weighted(parts, asked, varying)

    @cache
    def channel(size: int, place: HidingPlace) -> Retention:
        if not place.outside:
            needed = (Fraction(k) - 1) * place.most / max(1, place.others_inside)
            return Retention.solve(size, min(Fraction(1), needed), 64)
        for more in (0, 2**-50, 2**-40, 2**-30):  # the ratio that is asked for is rounded, and must not be short
            ratio = min(Fraction(1), Fraction(required_ratio(place, k)) * (1 + Fraction(more)))
            made = Retention.solve(size, ratio**2, 64)
            if achieved(place, Mechanism({"cluster": made})) >= Fraction(k):
                break
        return made

    number: dict[Cluster, int] = {}
    made = []
    for row, place in zip(sizes.tolist(), places, strict=True):
        size_of = dict(zip(names, row, strict=True))
        varying = tuple(name for name in names if size_of[name] > 1)
        mine = []
        for together, weight in clusters(varying):
            size = math.prod(size_of[name] for name in together)
            check_tuples(together, size)
            mine.append(Part(number.setdefault(together, len(number)), weight, channel(size, place)))
        made.append(tuple(mine))
    if len(number) > MOST_CLUSTERS:
        raise InvalidParameter(
            "the groups have {clusters:,} different clusters of columns together, and at most {most_clusters:,} can be told apart; "
            "tell fewer columns, or name them.",
            clusters=len(number),
            most_clusters=MOST_CLUSTERS,
        )
    missing = tuple(attribute.name for attribute in attributes if attribute.missing)
    return GroupTelling(label, names, tuple(number), tuple(made), sizes, missing)


def _weighted(
    parts: Sequence[Subsets], asked: Sequence[Sequence[Cluster]], varying: Cluster
) -> tuple[tuple[Cluster, int], ...]:
    """Return the clusters of a group in which these columns vary, with their weights.

    Subsets of as many columns as asked for, or of all that vary where fewer do, are equally likely. Of columns that are named those
    that vary are told; a part of which none does is left out.
    """
    if not varying:
        return (((), 1),)
    by_part: list[tuple[int, list[Cluster]]] = []
    for part, named in zip(parts, asked, strict=True):
        if isinstance(part.columns, tuple):
            left = [tuple(name for name in cluster if name in varying) for cluster in named]
            left = [cluster for cluster in left if cluster]
        else:
            left = list(itertools.combinations(varying, min(part.columns, len(varying))))
        if left:
            by_part.append((part.weight, left))
    common = math.lcm(*(len(clusters) for _, clusters in by_part))
    found: dict[Cluster, int] = {}
    for weight, clusters in by_part:
        for cluster in clusters:
            found[cluster] = found.get(cluster, 0) + weight * common // len(clusters)
    shrink = math.gcd(*found.values())
    if sum(found.values()) // shrink > WORDS:
        raise InvalidParameter("the weights in tells have no common unit that is large enough; use smaller weights.")
    return tuple((cluster, weight // shrink) for cluster, weight in found.items())


def notes_of_groups(grouping: Grouping, telling: GroupTelling, merged: int) -> tuple[Note, ...]:
    """Say how many groups there are, what their rows tell, and how often that is kept."""
    rows = np.array([group.rows for group in grouping.groups], dtype=np.float64)
    told, kept = [], []
    for parts in telling.parts:
        weights = [part.weight for part in parts]
        told.append(np.average([len(telling.clusters[part.cluster]) for part in parts], weights=weights))
        kept.append(np.average([part.channel.retention for part in parts], weights=weights))
    return (
        GroupsTell(
            groups=len(rows),
            fewest=int(rows.min()),
            most=int(rows.max()),
            merged=merged,
            columns=float(np.average(told, weights=rows)),
            varying=float(np.average(np.count_nonzero(telling.sizes > 1, axis=1), weights=rows)),
            kept=float(np.average(kept, weights=rows)),
        ),
    )
