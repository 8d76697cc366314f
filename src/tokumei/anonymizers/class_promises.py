"""The guarantees of methods that form equivalence classes, counted on the rows as they are released."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from tokumei.anonymizers.anonymizer import Survey, table_of
from tokumei.anonymizers.population import opened_population
from tokumei.anonymizers.promises import told_people
from tokumei.arrays import Labels
from tokumei.diagnostics import warn
from tokumei.errors import InfeasiblePromise, InvalidParameter, JoinedRowsWarning
from tokumei.mechanism.recoding import Recoding
from tokumei.partition.partition import Constraint
from tokumei.privacy.assumptions import Assumption, ChosenFromRows, RareRows, WeakerThanClasses, class_assumptions
from tokumei.privacy.attackers import Agreement, KnowsOnly, Linking
from tokumei.privacy.constraints import ClassConstraint, DeltaPresence, Sensitive
from tokumei.privacy.guarantee import Guarantee, float_below
from tokumei.privacy.notions import down
from tokumei.privacy.people import SharedOut, joined_people, people_of_classes
from tokumei.privacy.population import InPopulation, in_population
from tokumei.privacy.population_constraints import BoundToPopulation, OfPopulation
from tokumei.privacy.recount import smallest_class, worst_class
from tokumei.privacy.wildcards import smallest_agreement
from tokumei.release.disclosure import Fact
from tokumei.release.reasons import RareRowsCount
from tokumei.table.coded import CodedTable
from tokumei.table.people import People, one_row_each
from tokumei.table.schema import Schema
from tokumei.text import names


def check_class_size(k: int) -> None:
    """Refuse a k that asks for nothing."""
    if not isinstance(k, int | np.integer) or k < 2:
        raise InvalidParameter("k must be a whole number of at least 2. Got {k}.", k=k)


def quasi_identifiers(schema: Schema, rows: int, k: int) -> tuple[str, ...]:
    """Name the columns that an attacker may know, and refuse a k that no table of this many rows can have."""
    columns = schema.names("quasi_identifier")
    if not columns:
        raise InvalidParameter("the schema has no quasi-identifier, so there is nothing to generalize.")
    if rows < k:
        raise InfeasiblePromise("k = {k:,} is not possible with {rows:row|rows}; ask for less.", k=k, rows=rows)
    return columns


def bind_all(
    constraints: Sequence[ClassConstraint], survey: Survey, columns: tuple[str, ...], k: int
) -> tuple[Constraint, ...]:
    """Bind constraints to a table: those of sensitive columns, which are released unchanged, and those of its population.

    Where people have several rows, that nobody has more than a k-th of a class is one constraint more.
    """
    table = table_of(survey)
    shared = () if table.people is None else (SharedOut(table.people, k),)
    return (*(_bound(constraint, survey, columns) for constraint in constraints), *shared)


def _bound(constraint: ClassConstraint, survey: Survey, columns: tuple[str, ...]) -> Constraint:
    table = table_of(survey)
    if isinstance(constraint, OfPopulation):
        one_row_each(table.people, type(constraint).__name__)
        return constraint.bind(table, opened_population(constraint, survey, columns))
    assert isinstance(constraint, Sensitive)
    if constraint.column in columns:
        raise InvalidParameter(
            "the constraint on {column!r} needs a sensitive column, but it is a quasi-identifier.",
            column=constraint.column,
        )
    return constraint.bind(table)


def together(bound: Sequence[Constraint], rows: npt.NDArray[np.bool_], k: int) -> bool:
    """Whether some rows taken as one class of stars are at least k and hold every constraint."""
    if any(getattr(each, "leaves_out", False) for each in bound):
        return False
    labels = np.where(rows, 0, -1)
    return int(np.count_nonzero(rows)) >= k and all(bool(each.holds(labels, 1)[0]) for each in bound)


def suppress(
    labels: Labels, bound: Sequence[Constraint], k: int, limit: int, why: str = ""
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Say which rows without a group get stars and which are left out, the latter where stars would not be a good class.

    More than ``limit`` of them are refused, and ``why`` says more about them.
    """
    suppressed = np.asarray(labels < 0)
    gone = int(np.count_nonzero(suppressed))
    if gone > limit:
        raise InfeasiblePromise(
            "{gone:row|rows} would be suppressed{why}, and suppression_limit allows {limit:,}; raise it, or ask for less.",
            gone=gone,
            why=why,
            limit=limit,
        )
    starred = suppressed if together(bound, suppressed, k) else np.zeros(len(labels), dtype=np.bool_)
    left_out = suppressed & ~starred
    if left_out.all():
        raise InfeasiblePromise("Every row would be left out; ask for less, or give the columns coarser levels.")
    return starred, left_out


def tell_suppressed(starred: int, left_out: int) -> tuple[tuple[Fact, ...], tuple[Assumption, ...]]:
    """Return what a release discloses about rows that were suppressed for being rare, and what its promises say of it."""
    counts: list[tuple[Literal["suppressed", "left_out"], int]] = [("suppressed", starred), ("left_out", left_out)]
    told = [(how, rows) for how, rows in counts if rows]
    facts = tuple(Fact(how, rows, RareRowsCount(how=how)) for how, rows in told)
    return facts, tuple(RareRows(rows=rows, how=how) for how, rows in told)


def class_guarantees(
    released: CodedTable,
    columns: Sequence[str],
    k: int,
    constraints: Sequence[ClassConstraint],
    assumes: Sequence[Assumption],
    chosen: Assumption | None = None,
    *,
    bound: Sequence[Constraint] = (),
    recoding: Recoding | None = None,
    left_out: int = 0,
) -> tuple[Guarantee, ...]:
    """State k-anonymity and every constraint as counted on the released rows, and refuse less than was asked.

    ``chosen`` says what was chosen by looking at the rows; by default, everything that was done. ``bound`` has the constraints as they
    were bound to the rows, and with ``recoding`` and ``left_out`` the released rows can be found in a population.
    """
    people = people_of_classes(released, columns)
    found = smallest_class(released, columns) if people is None else float_below(people)
    others = [name for name in released.schema.names() if name not in columns]
    if released.people is not None:
        tell_joined(released, others)
    guarantees = [k_guarantee(found, columns, others, k, assumes, released.people, chosen)]
    for place, constraint in enumerate(constraints):
        if isinstance(constraint, OfPopulation):
            judged = bound[place]
            assert isinstance(judged, BoundToPopulation)
            found_in = in_population(judged.population, released, columns, recoding, left_out)
            guarantees.append(_in_population(constraint, found_in, columns, others, recoding))
            continue
        assert isinstance(constraint, Sensitive)
        worst = worst_class(released, columns, constraint)
        if not constraint.bind(released).keeps(worst):
            notion = constraint.notion
            raise InfeasiblePromise(
                "{notion} of {column!r} does not hold: the released rows have {letter} = "
                "{worst}; allow more suppression, or ask for less.",
                notion=notion.name,
                column=constraint.column,
                letter=notion.letter,
                worst=notion.shown(worst),
            )
        guarantees.append(constraint.guarantee(worst, columns, released.people is not None))
    return tuple(guarantees)


def _in_population(
    constraint: OfPopulation,
    found: InPopulation,
    columns: Sequence[str],
    others: Sequence[str],
    recoding: Recoding | None,
) -> Guarantee:
    """State what released rows keep in their population, or refuse less than was asked."""
    if constraint.keeps(found):
        return constraint.guarantee(found, columns, others)
    notion, low = constraint.notion, found.presence[0]
    if recoding is not None and recoding.scheme == "overlapping":
        raise InfeasiblePromise(
            "{notion} does not hold: the boxes of classes overlap, so that rows of one may stand for people of "
            "another; take a partition whose boxes do not overlap, such as Mondrian(strict=True) or Optimal().",
            notion=notion.name,
        )
    if isinstance(constraint, DeltaPresence) and low < constraint.delta_min <= constraint.delta_max:
        raise InfeasiblePromise(
            "delta-presence does not hold: somebody in the population is in the table with a probability of {low} only, and "
            "delta_min asks for more; take Optimal(), or ask for less.",
            low=down(low),
        )
    raise InfeasiblePromise(
        "{notion} does not hold: the released rows have {letter} = {worst} in the population; allow more suppression, or ask for less.",
        notion=notion.name,
        letter=notion.letter,
        worst=notion.shown(constraint.achieved(found)),
    )


def tell_joined(released: CodedTable, others: Sequence[str]) -> None:
    """Warn of people whose rows can be put together by columns that are released unchanged."""
    assert released.people is not None
    tied = joined_people(released.people, released.class_of(tuple(others))) if others else 0
    if tied and released.people.unit == "household":
        warn(
            "{tied:household has|households have} several rows that agree in {others} and with no other household's. An attacker who sees that they belong to one "
            "household can look for one that is in all their equivalence classes. Generalize these columns too, or drop them.",
            JoinedRowsWarning,
            tied=tied,
            others=names(others),
        )
    elif tied:
        warn(
            "{tied:person has|people have} several rows that agree in {others} and with "
            "nobody else's. An attacker who sees that they belong to one person can look for someone who is in "
            "all their equivalence classes. Generalize these columns too, or drop them.",
            JoinedRowsWarning,
            tied=tied,
            others=names(others),
        )


def k_guarantee(
    found: float,
    columns: Sequence[str],
    others: Sequence[str],
    k: int,
    assumes: Sequence[Assumption],
    people: People | None = None,
    chosen: Assumption | None = None,
) -> Guarantee:
    """State k-anonymity, and refuse less than was asked.

    ``found`` are the rows of the smallest class; where people have several rows, the rows of a class over those that are one
    person's, at the least.
    """
    if found < k and people is not None:
        raise InfeasiblePromise(
            "k = {k} does not hold: a person would have more than 1 in {k} rows of an equivalence class.", k=k
        )
    if found < k:
        raise InfeasiblePromise(
            "k = {k} does not hold: the smallest equivalence class would have {found:row|rows}.", k=k, found=int(found)
        )
    several = people is not None and people.most > 1
    stated = class_assumptions(people=told_people(people), others=others, several=several)
    return Guarantee(
        "k-anonymity",
        float(found),
        Linking(),
        KnowsOnly(columns=tuple(columns)),
        (*stated, ChosenFromRows() if chosen is None else chosen, *assumes),
        {} if people is None else {"most": people.most},
    )


def wildcard_guarantee(released: CodedTable, columns: Sequence[str], k: int, recoding: Recoding) -> Guarantee:
    """State how many rows agree if a suppressed cell agrees with anything."""
    found = smallest_agreement(released, columns, recoding)
    if found < k:
        raise InfeasiblePromise(
            "k = {k} does not hold: a row would agree with only {found:row|rows}.", k=k, found=found
        )
    attacker = KnowsOnly(columns=tuple(columns))
    assumes = (WeakerThanClasses(),)
    return Guarantee("k-anonymity with wildcards", float(found), Agreement(), attacker, assumes)
