"""The boxes of groups of rows: where they end, how a solver sees them, how much noise they need, who hides in them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from tokumei.anonymizers.pk_perturbation import solve_channels
from tokumei.arrays import Booleans, Integers, Labels
from tokumei.mechanism.boxes import Box, place_of, shared
from tokumei.mechanism.channel import Channel
from tokumei.mechanism.displacement import along_grid
from tokumei.mechanism.grid_laplace import WORDS, FlaggedGridLaplace
from tokumei.mechanism.grouping import Grouping
from tokumei.mechanism.retention import Retention
from tokumei.privacy.sampling import HidingPlace
from tokumei.privacy.split import Split
from tokumei.table.axis import axis_of
from tokumei.table.classes import smallest_within
from tokumei.table.domain import Categories
from tokumei.table.people import People
from tokumei.table.schema import Attribute


@dataclass(frozen=True)
class Company:
    """Every person in a group needs k of its rows that agree with them in the known columns, for each row of theirs."""

    classes: Integers
    k: float
    people: People | None = None

    def holds(self, labels: Labels, groups: int) -> npt.NDArray[np.bool_]:
        """Say for each group whether its smallest class is large enough."""
        own, which = np.unique(self.most_within(labels, groups), return_inverse=True)
        needed = np.array([math.ceil(Fraction(self.k) * int(most)) for most in own])  # a float product may fall short
        return np.asarray(smallest_within(labels, groups, self.classes) >= needed[which])

    def among(self, rows: Integers) -> Company:
        """Return the company of some of the rows only."""
        return Company(self.classes[rows], self.k, None if self.people is None else self.people.taking(rows))

    def most_within(self, labels: Labels, groups: int) -> Integers:
        """Return how many rows of each group are one person's at most."""
        return np.ones(groups, dtype=np.int64) if self.people is None else self.people.most_within(labels, groups)


def noise_ratios(
    grouping: Grouping, attributes: Sequence[Attribute], rows: int, k: float, split: Split = "even", most: int = 1
) -> npt.NDArray[np.float64]:
    """Return the noise of each group and column as a share of what the same k needs without groups.

    Of numbers and dates it is the ratio of how far a cell is moved on average, of categories that of the probabilities of being
    changed. A column that cannot vary has no noise.
    """
    whole = solve_channels(list(attributes), HidingPlace(0, rows, most), k, split)
    lined = [not isinstance(a.domain, Categories) for a in attributes]
    before = np.array([noise_of(whole[a.name], line) for a, line in zip(attributes, lined, strict=True)])
    channels, which = grouping.kinds
    kinds, which = np.unique(2 * which + np.array(lined), return_inverse=True)
    by_kind = [noise_of(channels[kind // 2], bool(kind % 2)) for kind in kinds.tolist()]
    after = np.array(by_kind)[which].reshape(len(grouping.groups), -1)
    return np.divide(after, before, out=np.zeros_like(after), where=after > 0)


def noise_of(channel: Channel, line: bool) -> float:
    """Return how much noise a channel has: how many steps along the line it moves a cell on average, else the chance of a change."""
    if isinstance(channel, FlaggedGridLaplace):
        if channel.points == 1:  # then all that can change is whether a cell is missing
            return channel.flip / WORDS
        channel = channel.grid
    size = channel.size
    if isinstance(channel, Retention):
        replaced = size * channel.other / channel.total if size > 1 else 0.0
        return replaced * ((size - 1 / size) / 3 if line else (size - 1) / size)
    return along_grid(channel.cost) * (size - 1 / size) / 3


def boxes_of(
    attribute: Attribute, codes: Any, labels: Labels, groups: int, width: int, as_sets: bool = False
) -> tuple[list[Box], Integers, Booleans]:
    """Return the box of each group in one column: from end to end along the line, or the set of the places that occur.

    Also return how many different cells each allows, and whether a missing one is among them.
    """
    assert attribute.domain is not None
    size = attribute.domain.size
    places = place_of(attribute)[codes]
    there = places < size
    missing = np.bincount(labels[~there], minlength=groups) > 0
    if as_sets:
        held, at = np.divmod(np.unique(labels[there].astype(np.int64) * size + places[there]), size)
        ends, along = np.searchsorted(held, np.arange(groups + 1)), at.tolist()
        parts = zip(itertools.pairwise(ends.tolist()), missing.tolist(), strict=True)
        made = [Box.of(along[first:last], gone) for (first, last), gone in parts]
        return shared(made), np.diff(ends) + missing, missing
    low, high = np.full(groups, size, dtype=np.int64), np.full(groups, -1, dtype=np.int64)
    np.minimum.at(low, labels[there], places[there])
    np.maximum.at(high, labels[there], places[there])
    some = high >= 0
    axis = axis_of(replace(attribute, missing=False))
    low[some], high[some] = axis.closure(low[some], high[some])
    low = np.where(some, low // width * width, 0)
    high = np.where(some, np.minimum((high // width + 1) * width - 1, size - 1), -1)
    boxes = [Box(*ends) for ends in zip(low.tolist(), high.tolist(), missing.tolist(), strict=True)]
    return shared(boxes), high - low + 1 + missing, missing
