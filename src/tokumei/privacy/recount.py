"""Every guarantee is computed again from the mechanism, not taken on trust."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np

from tokumei.errors import InvalidParameter
from tokumei.mechanism.record import Mechanism
from tokumei.privacy.attackers import Membership
from tokumei.privacy.central import Shuffled, shuffled_whole
from tokumei.privacy.constraints import ClassConstraint, Sensitive
from tokumei.privacy.groups import achieved_by, place_in
from tokumei.privacy.guarantee import Guarantee, float_below, several_rows
from tokumei.privacy.notions import NOTIONS
from tokumei.privacy.population_constraints import OfPopulation
from tokumei.privacy.sampling import HidingPlace, achieved, partial_risk, risk_in_strata
from tokumei.privacy.wildcards import smallest_agreement
from tokumei.table.coded import CodedTable

# How the number of a notion is computed again: from the promise, the mechanism, the released rows, and the most rows of a person.
Recount = Callable[[Guarantee, Mechanism, int, int], bool]
RECOUNTS: dict[str, Recount] = {}
MEMBERSHIPS: tuple[Membership, ...] = ("secret", "known")


def register_recount(notion: str) -> Callable[[Recount], Recount]:
    """Register how the number of a notion that is not about classes is computed again."""

    def registered(recount: Recount) -> Recount:
        if RECOUNTS.setdefault(notion, recount) is not recount:
            raise InvalidParameter("There is another way to recount {notion!r}.", notion=notion)
        return recount

    return registered


def recount(guarantee: Guarantee, mechanism: Mechanism, released: int, own: int = 1) -> bool:
    """Say whether a promise is what a mechanism keeps, no more and no less, on the ``released`` rows, of which a person has up to ``own``.

    Promises about classes follow from the rows and not from the mechanism: `recount_rows` counts them. Those about
    published rates follow from the noise that the rates themselves name: `tokumei.release.rates.check_rates`. A notion that nobody
    has said how to recount is never taken as kept.
    """
    notion = NOTIONS[guarantee.notion]
    if not math.isfinite(guarantee.value):
        return False
    if notion.of_classes:
        return guarantee.value >= (1 if notion.larger_is_better and not notion.sensitive else 0)
    again = RECOUNTS.get(guarantee.notion)
    return again is not None and again(guarantee, mechanism, released, own)


@register_recount("differential privacy")
def _rates(guarantee: Guarantee, mechanism: Mechanism, released: int, own: int) -> bool:
    return guarantee.value > 0


@register_recount("Pk-anonymity")
def _pk(guarantee: Guarantee, mechanism: Mechanism, released: int, own: int) -> bool:
    numbers = _whole(guarantee)
    place = HidingPlace(numbers["among"] - numbers["inside"], numbers["inside"], numbers.get("most", 1))
    return guarantee.value >= 1 and guarantee.value == float_below(_achieved(place, mechanism, released))


@register_recount("sampling anonymity")
def _sampling(guarantee: Guarantee, mechanism: Mechanism, released: int, own: int) -> bool:
    numbers = _whole(guarantee)
    if "among" in numbers:  # in strata
        place = HidingPlace(numbers["among"] - numbers["inside"], numbers["inside"])
        fits = 1 <= place.inside <= released and 0 <= place.outside <= mechanism.population(released) - released
        risk, _ = risk_in_strata([place], numbers["known"])
        return fits and guarantee.value >= 1 and guarantee.value == float_below(1 / risk)
    risk = partial_risk(mechanism.population(released), numbers["known"], released)
    return guarantee.value >= 1 and guarantee.value == float_below(1 / risk)


@register_recount("probabilistic k-anonymity")
def _swapped(guarantee: Guarantee, mechanism: Mechanism, released: int, own: int) -> bool:
    least = 0 if mechanism.swapping is None else mechanism.swapping.least
    return guarantee.value == least and 1 < least <= released


@register_recount("local differential privacy")
def _epsilon(guarantee: Guarantee, mechanism: Mechanism, released: int, own: int) -> bool:
    each = {name: own * epsilon for name, epsilon in mechanism.epsilons.items()}
    stated = all(math.isclose(guarantee.numbers.get(name, -1.0), spent, rel_tol=1e-12) for name, spent in each.items())
    total = math.fsum(each.values())
    return guarantee.value >= 0 and stated and math.isclose(guarantee.value, total, rel_tol=1e-12, abs_tol=1e-12)


@register_recount("central differential privacy")
def _central(guarantee: Guarantee, mechanism: Mechanism, released: int, own: int) -> bool:
    delta = guarantee.numbers.get("delta", 0.0)
    if guarantee.value < 0 or not 0 < delta < 1 or not shuffled_whole(mechanism):
        return False
    again = Shuffled(mechanism, released, own).epsilon(delta)
    return math.isclose(guarantee.value, again, rel_tol=1e-6, abs_tol=1e-12)  # wider than the bisection is


def _whole(guarantee: Guarantee) -> dict[str, int]:
    return {name: int(number) for name, number in guarantee.numbers.items() if float(number).is_integer()}


def _achieved(place: HidingPlace, mechanism: Mechanism, released: int) -> Fraction:
    """Return the k of a mechanism, 0 where people cannot hide among the rows that are claimed."""
    if mechanism.grouping is not None:
        # Which of the two a promise must be, its place among the promises says: `tokumei.release.promised`.
        for membership in MEMBERSHIPS if mechanism.grouping.sampled else MEMBERSHIPS[:1]:
            least, group = achieved_by(mechanism.grouping, membership)
            if place == place_in(group, membership):
                return least
        return Fraction(0)
    fits = 1 <= place.inside <= released and 0 <= place.outside <= mechanism.population(released) - released
    fits &= place.among <= mechanism.hiding(released) and place.most >= 1
    return achieved(place, mechanism) if fits else Fraction(0)


def smallest_class(rows: CodedTable, columns: Sequence[str]) -> int:
    """Count the rows of the smallest class of rows that agree in all columns, a suppressed cell being a value too."""
    return int(np.bincount(rows.class_of(tuple(columns))).min())


def worst_class(rows: CodedTable, columns: Sequence[str], constraint: Sensitive) -> float:
    """Return the worst number that a constraint has in any class of rows that agree in all columns."""
    labels = rows.class_of(tuple(columns))
    return constraint.bind(rows).achieved(labels, int(labels.max()) + 1)


def recount_rows(
    guarantees: Sequence[Guarantee],
    constraints: Sequence[ClassConstraint],
    rows: CodedTable,
    columns: Sequence[str],
    mechanism: Mechanism,
) -> bool:
    """Say whether released rows keep the promises about their classes: k first, then one for each constraint.

    A constraint must also keep what it asks for itself. Where people have several rows, k is smaller than the smallest class, and by
    how much the released rows do not tell. Of what was counted in a population, they tell only between which numbers it must lie.
    """
    several = several_rows(guarantees)
    about_classes = [each for each in guarantees if each.of_classes]
    stated_of = [(each.notion, each.value) for each in about_classes]
    counted = smallest_class(rows, columns)
    if any(k > counted or (k < counted and not several) for notion, k in stated_of if notion == "k-anonymity"):
        return False
    for notion, k in stated_of:
        if notion == "k-anonymity with wildcards" and (
            mechanism.recoding is None or k != smallest_agreement(rows, columns, mechanism.recoding)
        ):
            return False
    others = [g for g in about_classes if NOTIONS[g.notion].sensitive or NOTIONS[g.notion].of_population]
    for guarantee, constraint in zip(others, constraints, strict=True):
        stated = guarantee.value
        if isinstance(constraint, OfPopulation):
            people = guarantee.numbers["people"]
            if not people.is_integer() or not constraint.possible(stated, counted, rows.rows, int(people)):
                return False
            continue
        assert isinstance(constraint, Sensitive)
        worst = worst_class(rows, columns, constraint)
        if not constraint.bind(rows).keeps(worst):
            return False
        if not math.isclose(stated, worst, rel_tol=ROUNDING, abs_tol=ROUNDING):
            return False
    return True


ROUNDING = 1e-9
