"""What releases whose draws repeat guarantee together.

Let the attacker know every table, and grant them which released rows belong to one person and the *pattern* of each person: in which
releases they are, and at which of them each value is the same. The rows of a person are then one draw for each different value, from
the product of the channels. People of the same pattern can be exchanged, which changes the likelihood by the product of the swaps
of all their draws at worst, so with n_P people of pattern P, who have d_j(P) different values in column j,

    k = min over patterns of  1 + (n_P - 1) * product over columns of  b_j ^ d_j(P)

A channel that is not the same in two releases draws anew in each: d_j counts its draws. Rows that tell one cluster s of columns each
have, with r_s = other_s / (keep_s + other_s) and d_s(P) different tuples, ``(min over s of r_s ^ d_s(P)) ^ 2`` instead of the product.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from tokumei.errors import InvalidParameter
from tokumei.mechanism.record import Mechanism
from tokumei.mechanism.repeating import draw_names
from tokumei.mechanism.telling import Telling
from tokumei.privacy.assumptions import (
    Assumption,
    OnlyUnderKey,
    PatternsGranted,
    PatternsUncounted,
    SamePattern,
    Seeded,
)
from tokumei.privacy.attackers import Anyone, Attacker, JointEpsilon, Linking
from tokumei.privacy.guarantee import Guarantee, float_below
from tokumei.results import Result
from tokumei.table.schema import Schema

PROOF = "repeated"
ABSENT = -1
Draws = tuple[int, ...]  # for each release the first one with the same draw, or `ABSENT`


@dataclass(frozen=True)
class Pattern(Result):
    """People who are in the same releases, and whose values are the same and differ at the same of them.

    Attributes
    ----------
    people
        How many they are.
    fewest
        How many of them agree in the columns released unchanged that attackers are assumed to know (``kept="known"``), where these
        are fewest; without such columns, all of them.
    present
        For each release whether they are in it.
    draws
        For each perturbed column, and for each release, the first release with the same draw: ``(0, 0, 2)`` is a value that changed
        before the third release. -1 where a person is not in a release, or it does not have the column. A column that rows tell on several
        grids stands there once for each, with the number of the grid.
    """

    people: int
    fewest: int
    present: tuple[bool, ...]
    draws: Mapping[str, Draws]


@dataclass(frozen=True)
class Repeats(Result):
    """How many people have which pattern over some releases whose draws repeat: what `combine` counts on.

    Attributes
    ----------
    key
        The public name of the key that all of them were made under.
    names
        For each release the digests of its draws, which say that these counts belong to it.
    patterns
        The patterns, those of the fewest people first.
    """

    key: str
    names: tuple[Mapping[str, str], ...]
    patterns: tuple[Pattern, ...]

    def promised(self, releases: Sequence[Repeated]) -> tuple[PatternPromise, ...]:
        """State what the releases guarantee to people of each pattern, the weakest first; `combine` states the first."""
        _check(releases, self)
        return tuple(sorted(JointDraws.of(releases, self).promised(), key=lambda each: (each.k, each.fewest)))


@dataclass(frozen=True)
class PatternPromise(Result):
    """What releases guarantee together to people who share a pattern.

    Attributes
    ----------
    k
        No attacker links one of their rows with a probability over 1/k.
    people, fewest, present
        As those of a `Pattern`.
    changed
        The columns that were drawn for them more than once.
    epsilon
        The local epsilon of all their draws; none where a channel has none.
    """

    k: float
    people: int
    fewest: int
    present: tuple[bool, ...]
    changed: tuple[str, ...]
    epsilon: float | None


class Repeated(Protocol):
    """What is needed of a release whose draws repeat."""

    @property
    def mechanism(self) -> Mechanism:
        """How it was made."""

    @property
    def schema(self) -> Schema:
        """The released columns."""

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """What it promises alone."""


def cell_column(telling: Telling, name: str, grid: int) -> str:
    """Name a column as it is told on one of its grids."""
    return name if len(telling.columns[name].grids) == 1 else f"{name} ({grid + 1})"


def share_a_key(releases: Sequence[Repeated]) -> bool:
    """Whether draws of one release repeat in another."""
    keys = [each.mechanism.repeat for each in releases if each.mechanism.repeat is not None]
    return len(set(keys)) < len(keys)


def combine_repeated(
    releases: Sequence[Repeated], repeats: Repeats | None, assumes: Sequence[Assumption], attacker: Attacker
) -> tuple[Guarantee, ...]:
    """State what releases some of whose draws repeat guarantee together: without counts of patterns, nothing."""
    only = OnlyUnderKey(releases=len(releases))
    if repeats is None:  # somebody may be the only one who changed
        stated = (only, PatternsUncounted(), *assumes)
        return (Guarantee("Pk-anonymity", 1.0, Linking(), attacker, stated, proof=PROOF),)
    found = repeats.promised(releases)
    stated = (only, PatternsGranted(patterns=len(found), fewest=found[0].fewest), *assumes)
    linking = Guarantee("Pk-anonymity", found[0].k, Linking(), attacker, stated, proof=PROOF)
    return (linking, *_epsilon(releases, [each.epsilon for each in found]))


def _epsilon(releases: Sequence[Repeated], epsilons: Sequence[float | None]) -> tuple[Guarantee, ...]:
    stated = [[g for g in release.guarantees if g.notion == "local differential privacy"] for release in releases]
    spent = [each for each in epsilons if each is not None]
    if not all(stated) or len(spent) < len(epsilons):
        return ()
    total = math.nextafter(max(spent), math.inf)
    assumes = tuple(dict.fromkeys(said for group in stated for said in group[0].assumes))
    promise = JointEpsilon()
    return (Guarantee("local differential privacy", total, promise, Anyone(), (*assumes, SamePattern()), {}, PROOF),)


def _check(releases: Sequence[Repeated], repeats: Repeats) -> None:
    if {each.mechanism.repeat for each in releases} != {repeats.key}:
        raise InvalidParameter(
            "Patterns were counted for releases that were all made under one key, and these were not; combine those under the key."
        )
    names = tuple(draw_names(each.mechanism, each.schema) for each in releases)
    if names != tuple(dict(each) for each in repeats.names):
        raise InvalidParameter(
            "Patterns were counted for other releases, or for these in another order; count them again."
        )
    if any(isinstance(said, Seeded) for each in releases for g in each.guarantees for said in g.assumes):
        raise InvalidParameter(
            "A release was shuffled with a seed, so nothing can be promised; make it without a seed."
        )


@dataclass(frozen=True)
class JointDraws:
    """The different channels and tellings of some releases, each with the releases that have it."""

    repeats: Repeats
    channels: tuple[tuple[str, tuple[int, ...], Fraction, float], ...]  # column, releases, swap, epsilon
    tellings: tuple[tuple[Telling, tuple[int, ...]], ...]

    @classmethod
    def of(cls, releases: Sequence[Repeated], repeats: Repeats) -> JointDraws:
        """Find out which releases draw alike."""
        alike: dict[tuple[str, str], list[int]] = {}
        for place, names in enumerate(repeats.names):
            for column, name in names.items():
                alike.setdefault((column, name), []).append(place)
        channels, tellings = [], []
        for (column, _), places in alike.items():
            mechanism = releases[places[0]].mechanism
            if column in mechanism.channels:
                channel = mechanism.channels[column]
                channels.append((column, tuple(places), channel.swap, channel.epsilon))
            else:
                assert mechanism.telling is not None
                tellings.append((mechanism.telling, tuple(places)))
        return cls(repeats, tuple(channels), tuple(tellings))

    def promised(self) -> list[PatternPromise]:
        """State what holds for each pattern that an attacker can tell apart by what is drawn, people of equal ones taken together."""
        alike: dict[Any, list[Pattern]] = {}
        for pattern in self.repeats.patterns:
            single = tuple(_at(pattern.draws[column], places) for column, places, _, _ in self.channels)
            told = tuple(self._tuples(telling, places, pattern) for telling, places in self.tellings)
            alike.setdefault((pattern.present, single, told), []).append(pattern)
        return [
            self._promise(present, found, list(map(_different, single)), [list(map(_different, each)) for each in told])
            for (present, single, told), found in alike.items()
        ]

    def _promise(
        self,
        present: tuple[bool, ...],
        found: Sequence[Pattern],
        channels: Sequence[int],
        tellings: Sequence[Sequence[int]],
    ) -> PatternPromise:
        """State what holds for a pattern, given how many different values each channel and each cluster was drawn for."""
        swap, spent = Fraction(1), list[float]()
        for (_, _, of_one, epsilon), count in zip(self.channels, channels, strict=True):
            swap *= of_one**count
            spent.append(epsilon * count)
        for (telling, _), counts in zip(self.tellings, tellings, strict=True):
            each = {(cluster.channel, d) for cluster, d in zip(telling.clusters, counts, strict=True)}
            swap *= min(channel.ratio**d for channel, d in each) ** 2
            spent.append(max(channel.epsilon * d for channel, d in each))
        changed = dict.fromkeys(name for each in found for name, draws in each.draws.items() if _different(draws) > 1)
        fewest = _fewest(found)
        people = sum(each.people for each in found)
        k = float_below(1 + (fewest - 1) * swap)
        total = math.fsum(spent)
        return PatternPromise(k, people, fewest, present, tuple(changed), total if math.isfinite(total) else None)

    @staticmethod
    def _tuples(telling: Telling, places: Sequence[int], pattern: Pattern) -> tuple[Draws, ...]:
        """Return for each cluster the first release with the same tuple of cells."""
        made = []
        for cluster in telling.clusters:
            columns = [cell_column(telling, n, g) for n, g in zip(cluster.columns, cluster.grids, strict=True)]
            tuples = list(zip(*(_at(pattern.draws[column], places) for column in columns), strict=True))
            made.append(tuple(ABSENT if each[0] == ABSENT else tuples.index(each) for each in tuples))
        return tuple(made)


def _fewest(patterns: Sequence[Pattern]) -> int:
    """Return among how many people one hides whose pattern is one of these, which are alike."""
    if all(each.fewest == each.people for each in patterns):  # nothing is known that tells them apart
        return sum(each.people for each in patterns)
    return min(each.fewest for each in patterns)


def _at(draws: Draws, places: Sequence[int]) -> Draws:
    return tuple(draws[place] for place in places)


def _different(draws: Draws) -> int:
    return len(set(draws) - {ABSENT})
