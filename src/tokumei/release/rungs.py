"""The rungs of a release, from what is public alone: its manifest and its rows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from tokumei.privacy.assumptions import (
    Assumption,
    Household,
    KeptKnown,
    KeptUnknown,
    KeyKept,
    MostRows,
    OneRow,
    SecretKey,
    Seeded,
    households,
    told_rows,
)
from tokumei.privacy.attackers import (
    Anyone,
    CellLinking,
    KnowsOnly,
    KnowsOthers,
    LearnsNothingFrom,
    Membership,
    Presence,
    WholeTable,
    pk_attacker,
)
from tokumei.privacy.constraints import constraints_of
from tokumei.privacy.exchange import after_odds, alike, drawn, float_above, from_share
from tokumei.privacy.groups import achieved_by, swaps_of
from tokumei.privacy.guarantee import Guarantee, float_below
from tokumei.privacy.notions import NOTIONS
from tokumei.privacy.rungs import (
    Bound,
    ClassesJudged,
    ClassesTellNothing,
    Differenced,
    Drawn,
    ExceptDelta,
    FromEven,
    FromShare,
    How,
    Linked,
    LinkedAlike,
    LinkedCell,
    LinkedInClasses,
    NothingCalledSensitive,
    NothingCertain,
    NothingInBlocks,
    NothingInBoxes,
    NothingInStrata,
    NothingKept,
    NothingLooked,
    NothingObserved,
    NothingOfPeople,
    NothingOfPresence,
    NothingStated,
    NothingSwapped,
    NothingUnchanged,
    OneOfThem,
    OneRowInRelease,
    OnlyShuffleSecret,
    OthersOfPersonKnown,
    PresentAsStated,
    PseudonymKeySecret,
    Rung,
    RungName,
    Shares,
    ToldApart,
    nothing,
)
from tokumei.privacy.sampling import HidingPlace, achieved
from tokumei.table.classes import class_of, smallest_within
from tokumei.table.distinct import DistinctRows
from tokumei.words import Statement

if TYPE_CHECKING:
    from tokumei.release.artifact import Release

CENTRAL = "central differential privacy"
LOCAL = "local differential privacy"
PRESENCE = "delta-presence"
HALF = Fraction(1, 2)
NEARLY = 1e-9  # of a belief: what rounding may hide


class _Counting:
    """The different rows of a release, counted once for rungs that look at the same columns or some of them."""

    def __init__(self, release: Release) -> None:
        self.release = release
        self._last: DistinctRows | None = None

    def distinct(self, columns: Sequence[str]) -> DistinctRows:
        """Return rows that are different in these columns, or more finely."""
        if self._last is None or not set(columns) <= set(self._last.codes):
            self._last = self.release.distinct(columns)
        return self._last


def rungs_of(release: Release) -> tuple[Rung, ...]:
    """Return what a release promises on each of the five rungs."""
    counting = _Counting(release)
    everything = whole_table(release, counting)
    found: dict[RungName, tuple[Bound, ...]] = {
        "linking": linking(release, everything),
        "whole_table": (everything, *_those_drawn(release)),
        "inference": inference(release, counting),
        "differencing": (differencing(release),),
        "membership": (membership(release),),
    }
    return tuple(Rung(name, bounds) for name, bounds in found.items())


# Linking


def linking(release: Release, everything: Bound) -> tuple[Bound, ...]:
    """Bound linking by those who know the quasi-identifiers: as the first guarantee about it states, or better as by those who know everything."""
    bounds = [stated(each) for each in release.guarantees if _links(each)]
    columns = release.schema.names("quasi_identifier")
    if release.mechanism.of is not None and not release.mechanism.perturbed and columns:
        bounds.append(_classes_of(release, columns))
    if not bounds or (bounds[0].value or 1.0) > (everything.value or 1.0):
        bounds.insert(0, everything)  # attackers who know less can do no more
    return tuple(bounds)


def _links(guarantee: Guarantee) -> bool:
    return guarantee.checked and NOTIONS[guarantee.notion].linking


def stated(guarantee: Guarantee) -> Bound:
    """Bound linking as a guarantee states it."""
    value = float_above(1 / Fraction(guarantee.value))
    how: How = "counted" if guarantee.of_classes else "proved"
    said = (LinkedCell if isinstance(guarantee.promise, CellLinking) else Linked)(k=guarantee.value)
    return Bound(how, value, said, guarantee.attacker, guarantee.assumes, guarantee.proof)


def _classes_of(release: Release, columns: tuple[str, ...]) -> Bound:
    """Count the classes of rows that were sampled and not changed, for those who know that somebody was drawn."""
    rows = release.distinct(columns).smallest(columns)
    said: LinkedAlike | ToldApart = ToldApart(columns=columns) if rows == 1 else LinkedAlike(k=float(rows), rows=rows)
    return Bound("counted", 1 / rows, said, KnowsOnly(columns=columns), (OneRow(), *_draws(release)), "k")


def whole_table(release: Release, counting: _Counting | None = None) -> Bound:
    """Bound linking by those who know the whole original table.

    A guarantee may state it. If not, it is counted on the released rows: in the classes of the columns that are released
    unchanged beside perturbed ones, or as the number of rows that are the same in every column.
    """
    counting = counting or _Counting(release)
    found = [each for each in release.guarantees if _links(each) and isinstance(each.attacker, WholeTable)]
    if found:
        return stated(found[0])
    if release.mechanism.perturbed and any(_links(each) for each in release.guarantees):
        return _kept_known(release, counting)
    return _same_rows(release, counting)


def _those_drawn(release: Release) -> tuple[Bound, ...]:
    """Return what is stated against those who also know who was drawn."""
    found = [each for each in release.guarantees if _links(each)]
    return tuple(
        stated(each) for each in found if isinstance(each.attacker, WholeTable) and each.attacker.membership == "known"
    )


def _kept_known(release: Release, counting: _Counting) -> Bound:
    """Count among how many rows people hide from those who know the columns that are released unchanged.

    Of a sample only the rows that were drawn are counted, since no others are public: a bound for attackers who know who was drawn,
    and more so for those who do not.
    """
    mechanism = release.mechanism
    kept = tuple(name for name in mechanism.kept if name not in release.pseudonyms)
    sampled: Membership | None = None if mechanism.of is None else "known"
    attacker = WholeTable(membership=sampled)
    if mechanism.block is not None and kept:
        return nothing(NothingInBlocks(columns=kept), attacker)
    most = _most(release)
    if mechanism.grouping is not None:
        labels = release.group_of
        among = smallest_within(labels, len(mechanism.grouping.groups), release.coded.class_of(kept))
        groups = tuple(
            group._replace(among=int(rows)) for group, rows in zip(mechanism.grouping.groups, among, strict=True)
        )
        least, worst = achieved_by(replace(mechanism.grouping, groups=groups))
        rows, k = worst.among, float_below(least)
    else:
        rows = counting.distinct(kept).smallest(kept) if kept else release.rows
        k = float_below(achieved(HidingPlace(0, rows, min(most, rows)), mechanism))
    assumes = (*_people(release), *_draws(release), *_pseudonyms(release))
    said: ToldApart | LinkedInClasses = LinkedInClasses(k=k, rows=rows, columns=kept)
    if k == 1:
        said = ToldApart(columns=kept)
    return Bound("counted", float_above(1 / Fraction(k)), said, attacker, assumes, "whole_table")


def _same_rows(release: Release, counting: _Counting) -> Bound:
    """Count the rows that are the same in every column; pseudonyms tell nothing to those without their key."""
    columns = tuple(name for name in release.types.names if name not in release.pseudonyms)
    most = _most(release)
    if release.mechanism.block is not None:
        return nothing(NothingInBlocks(columns=columns), WholeTable())
    rows = counting.distinct(columns).smallest(columns)
    k = alike(rows, most)
    said: ToldApart | LinkedAlike = LinkedAlike(k=float_below(k), rows=rows)
    if k == 1:
        known = release.schema.names("quasi_identifier")
        said = ToldApart(columns=tuple(name for name in columns if name not in known) or columns)
    assumes: tuple[Statement, ...] = (
        OnlyShuffleSecret(),
        OneRowInRelease(most=most, unit=_unit(release)),
        *((Seeded(),) if release.seeded else ()),
        *_pseudonyms(release),
    )
    sampled: Membership | None = None if release.mechanism.of is None else "known"
    return Bound("counted", float_above(1 / k), said, WholeTable(membership=sampled), assumes, "whole_table")


# Inference


def inference(release: Release, counting: _Counting | None = None) -> tuple[Bound, ...]:
    """Bound what is believed about a person's sensitive values without a link: one bound for each sensitive column."""
    sensitive = release.schema.names("sensitive")
    attacker = _inferring(release)
    if not sensitive:
        return (nothing(NothingCalledSensitive(), attacker),)
    counting = counting or _Counting(release)
    return tuple(_inferred(release, name, attacker, counting) for name in sensitive)


def _inferring(release: Release) -> Statement:
    """Return who infers: those who know the quasi-identifiers, of everybody."""
    known = release.schema.names("quasi_identifier")
    if not release.mechanism.perturbed:
        return KnowsOnly(columns=known) if known else Anyone()
    kept_is = release.method.get("kept", "unknown")
    return pk_attacker(release.mechanism.kept, kept_is if kept_is != "perturb" else "unknown", None)


def _inferred(release: Release, name: str, attacker: Statement, counting: _Counting) -> Bound:
    mechanism = release.mechanism
    if name in mechanism.perturbed:
        return _perturbed(release, name)
    if mechanism.perturbed:
        return _beside_perturbed(release, name)
    if mechanism.swapping is not None:
        return nothing(NothingSwapped(column=name), attacker)
    return _in_classes(release, name, attacker, counting)


def _in_classes(release: Release, name: str, attacker: Statement, counting: _Counting) -> Bound:
    """Count how often the most frequent value of a column occurs in the classes of the quasi-identifiers."""
    known = release.schema.names("quasi_identifier")
    rows = counting.distinct((*known, name))
    shares, overall = rows.shares(known, name), rows.shares((), name)
    judged = any(getattr(each, "column", None) == name for each in constraints_of(release.method))
    said = Shares(
        column=name,
        largest=shares.largest,
        average=shares.average,
        agreed=shares.agreed,
        overall=overall.largest,
    )
    assumes = (ClassesTellNothing(columns=(name,)), *((ClassesJudged(),) if judged else ()), *_draws(release))
    return Bound("counted", shares.largest, said, attacker, assumes, "inference")


def _perturbed(release: Release, name: str) -> Bound:
    """Bound by how much odds about a perturbed column grow: by its own noise, or that of the whole release if that is better."""
    mechanism = release.mechanism
    if mechanism.grouping is not None:
        return nothing(NothingInBoxes(column=name), Anyone())
    central = _central(release)
    local = any(each.notion == LOCAL and each.checked for each in release.guarantees)
    if central is None and not local:
        return nothing(NothingObserved(), Anyone())
    best: tuple[Fraction, float | None] | None = None
    if local:
        ratio = _ratio(release, name) ** _most(release)
        if ratio:
            best = 1 / ratio, None
    if central is not None:
        factor = Fraction(math.nextafter(math.exp(central.value), math.inf)) if central.value < 700 else None
        if factor is not None and (best is None or factor < best[0]):
            best = factor, float(central.numbers.get("delta", 0.0))
    if best is None:
        return nothing(NothingCertain(column=name), Anyone())
    factor, delta = best
    belief = float_above(after_odds(HALF, factor))
    grown = float_above(factor)
    said = FromEven(column=name, epsilon=math.log(factor), factor=grown, belief=belief, delta=delta or None)
    assumes: tuple[Statement, ...] = (OthersOfPersonKnown(column=name), *_draws(release))
    if delta:
        assumes = (*assumes, ExceptDelta(delta=delta))
    return Bound("proved", belief, said, KnowsOthers(), assumes, "inference")


def _ratio(release: Release, name: str) -> Fraction:
    """Return the smallest factor by which another true value of one column changes the likelihood of a row."""
    telling = release.mechanism.telling
    if telling is not None and name in telling.columns:
        return min(telling.clusters[place].channel.ratio for place in telling.clusters_of(name))
    return release.mechanism.channels[name].ratio


def _beside_perturbed(release: Release, name: str) -> Bound:
    """Bound the belief in a value that is released unchanged beside perturbed columns, by its share and the swap.

    Those who know the other columns released unchanged compare within their classes. Attackers who know the column of other people are not
    meant: they take differences.
    """
    mechanism, known = release.mechanism, release.method.get("kept", "unknown") == "known"
    others = tuple(each for each in mechanism.kept if known and each != name and each not in release.pseudonyms)
    attacker = LearnsNothingFrom(columns=(name,) if known else mechanism.kept)
    assumes: tuple[Assumption, ...] = (KeptKnown(columns=others),) if others else ()
    if not known:
        assumes = (KeptUnknown(columns=mechanism.kept),)
    if mechanism.block is not None:
        return nothing(NothingInBlocks(columns=(name,)), attacker)
    if mechanism.grouping is not None:
        share, swap = _worst_in_groups(release, name, others)
        judged: tuple[Statement, ...] = (ClassesJudged(),) if known else ()
    else:
        found = release.distinct((*others, name)).shares(others, name)
        at = int(np.argmax(found.most / found.rows))
        share, swap = Fraction(int(found.most[at]), int(found.rows[at])), mechanism.swap
        judged = ()
    belief = float_above(from_share(share, swap))
    if not swap:
        return nothing(NothingCertain(column=name), attacker)
    said = FromShare(column=name, share=float(share), factor=_finite(1 / swap), belief=belief)
    return Bound("proved", belief, said, attacker, (*assumes, *judged, *_draws(release)), "inference")


def _worst_in_groups(release: Release, name: str, others: tuple[str, ...]) -> tuple[Fraction, Fraction]:
    """Return the share and the swap of the group, or its class, in which a value is believed most strongly."""
    grouping = release.mechanism.grouping
    assert grouping is not None
    labels = release.group_of
    classes = class_of([labels, release.coded.class_of(others)], release.rows)
    cells = class_of([classes, release.coded.class_of((name,))], release.rows)
    rows, counts = np.bincount(classes), np.bincount(cells)
    of_cell, group_of_class = np.empty(len(counts), dtype=np.int64), np.empty(len(rows), dtype=np.int64)
    of_cell[cells], group_of_class[classes] = classes, labels
    most = np.zeros(len(rows), dtype=np.int64)
    np.maximum.at(most, of_cell, counts)
    swaps = swaps_of(grouping)
    swap = np.array([above / below for above, below in swaps])[group_of_class]
    belief = np.where(group_of_class < 0, 0.0, most / (most + (rows - most) * swap))
    near = np.flatnonzero(belief >= belief.max() * (1 - NEARLY))  # these are compared exactly, each kind once
    kinds = dict.fromkeys(
        (int(most[at]), int(rows[at]), swaps[group_of_class[at]])
        for at in near[np.argsort(group_of_class[near], kind="stable")].tolist()
    )
    every = ((Fraction(most, rows), Fraction(*swap)) for most, rows, swap in kinds)
    return max(every, key=lambda each: from_share(*each))


# Differencing


def differencing(release: Release) -> Bound:
    """Return the central epsilon and delta that a release states, or that of a row where every cell was perturbed."""
    central = _central(release)
    row = next((each for each in release.guarantees if each.notion == LOCAL and each.checked), None)
    if central is not None and not (row is not None and row.value <= central.value and not release.mechanism.kept):
        delta = float(central.numbers.get("delta", 0.0))
        said = Differenced(epsilon=central.value, delta=delta, of="table")
        return Bound("proved", central.value, said, KnowsOthers(), central.assumes, central.proof)
    mechanism = release.mechanism
    attacker = KnowsOthers()
    if mechanism.perturbed and mechanism.kept:
        return nothing(NothingKept(columns=mechanism.kept), attacker, None)
    if not mechanism.perturbed:
        looked = mechanism.recoding is not None or mechanism.averaging is not None or mechanism.swapping is not None
        looked |= mechanism.left_out > 0
        return nothing(NothingLooked() if looked else NothingUnchanged(), attacker, None)
    if row is None:
        return nothing(
            NothingObserved() if release.disclosed or _observed(release) else NothingStated(), attacker, None
        )
    said = Differenced(epsilon=row.value, delta=0.0, of="row")
    return Bound("proved", row.value, said, attacker, (*row.assumes, *_draws(release)), "differencing")


def _central(release: Release) -> Guarantee | None:
    found = [each for each in release.guarantees if each.notion == CENTRAL and each.checked]
    return min(found, key=lambda each: each.value, default=None)


# Membership


def membership(release: Release) -> Bound:
    """Bound the belief that somebody is in the table, or was drawn for it."""
    central, mechanism = _central(release), release.mechanism
    presence = next((each for each in release.guarantees if each.notion == PRESENCE and each.checked), None)
    if presence is not None and isinstance(presence.promise, Presence) and presence.value <= 1:
        told = PresentAsStated(smallest=presence.promise.least, largest=presence.value)
        return Bound("counted", presence.value, told, presence.attacker, presence.assumes, presence.proof)
    if mechanism.of is not None and mechanism.perturbed:
        found = _was_drawn(release)
        if found.how != "nothing" or central is None:
            return found
    if central is not None and central.value < 700:
        factor = Fraction(math.nextafter(math.exp(central.value), math.inf))
        belief, delta = float_above(after_odds(HALF, factor)), float(central.numbers.get("delta", 0.0))
        said = OneOfThem(epsilon=central.value, delta=delta, factor=float_above(factor), belief=belief)
        return Bound("proved", belief, said, KnowsOthers(), central.assumes, "membership")
    if mechanism.of is not None:
        return nothing(NothingUnchanged(), WholeTable())
    return nothing(NothingOfPresence(), Anyone())


def _was_drawn(release: Release) -> Bound:
    """Bound the belief that somebody of the original table was drawn, for those who know all of it but not who was."""
    mechanism = release.mechanism
    assert mechanism.of is not None
    sample = release.method.get("sample")
    kept_is = release.method.get("kept", "unknown")
    within = sample.get("column") if isinstance(sample, Mapping) and sample.get("design") == "stratified" else None
    others = tuple(
        name for name in mechanism.kept if name != within
    )  # people stand in for each other in their stratum only
    attacker = pk_attacker(others, kept_is, "secret")
    if _most(release) > 1:
        return nothing(NothingOfPeople(unit=_unit(release)), attacker)
    places = [(release.rows, mechanism.of)] if within is None else _strata(release, within)
    if not places or (kept_is == "known" and others):
        return nothing(NothingInStrata(), attacker)
    ratio = min(a for a, _ in mechanism.tradeoffs)
    if not ratio:
        return nothing(NothingUnchanged(), attacker)
    prior = max(taken / people for taken, people in places)
    belief = float_above(max(drawn(taken, people, ratio) for taken, people in places))
    assumes = (OneRow(), *_draws(release), *((KeptUnknown(columns=others),) if others else ()))
    return Bound("proved", belief, Drawn(prior=prior, belief=belief), attacker, assumes, "membership")


def _strata(release: Release, column: str) -> list[tuple[int, int]]:
    """Return how many were drawn of how many in each stratum; none where that is not public, or not what the rows say."""
    counts = next((fact.value for fact in release.disclosed if fact.name == "strata"), None)
    if counts is None or column not in release.types.names:
        return []
    released = release.distinct((column,))
    there = sorted(int(rows) for rows in released.shares((column,), column).rows)
    if there != sorted(each["drawn"] for each in counts if each["drawn"]):
        return []
    return [(each["drawn"], each["rows"]) for each in counts if each["drawn"]]


# What bounds have in common


def _draws(release: Release) -> tuple[Statement, ...]:
    """Return what the guarantees say of the draws: that they stay secret, follow from a seed, or from a key that is kept."""
    said = (each for guarantee in release.guarantees for each in guarantee.assumes)
    told = next((each for each in said if isinstance(each, SecretKey | Seeded | KeyKept)), None)
    return (Seeded() if release.seeded else SecretKey(),) if told is None else (told,)


def _people(release: Release) -> tuple[Assumption, ...]:
    several = tuple(each for told in release.guarantees if isinstance(each := told_rows(told), MostRows))
    return several[:1] or (OneRow(),)


def _unit(release: Release) -> Household:
    """Return what has several rows, where it is not a person."""
    return "household" if households(told_rows(each) for each in release.guarantees) else None


def _most(release: Release) -> int:
    """Return how many rows one person may have in the table."""
    said = (told_rows(each) for each in release.guarantees)
    return max((each.most for each in said if isinstance(each, MostRows)), default=1)


def _observed(release: Release) -> bool:
    return any(attribute.observed for attribute in release.schema)


def _pseudonyms(release: Release) -> tuple[Statement, ...]:
    return (PseudonymKeySecret(columns=release.pseudonyms),) if release.pseudonyms else ()


def _finite(number: Fraction) -> float:
    return float_above(min(number, Fraction(10) ** 300))
