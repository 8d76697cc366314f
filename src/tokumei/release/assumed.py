"""What each promise of a release must assume, worked out from the rest of its manifest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from tokumei.privacy.assumptions import (
    Assumption,
    ChosenFromRows,
    GroupedByRows,
    GroupShowsKept,
    Hiding,
    HidingInGroup,
    LabelsOfEarlier,
    LeftOutDoNotCount,
    NoValueKnownUnique,
    ObservedDomains,
    OneRow,
    RareCells,
    RareRows,
    SecretKey,
    Seeded,
    ThisReleaseAlone,
    UniqueRowsRecognized,
    WeakerThanClasses,
    boxes_told,
    central_assumptions,
    class_assumptions,
    constraint_assumptions,
    epsilon_assumptions,
    pk_assumptions,
    population_assumptions,
    rows_of_people,
    swapping_assumptions,
    told_rows,
)
from tokumei.privacy.guarantee import Guarantee
from tokumei.privacy.notions import NOTIONS
from tokumei.privacy.pseudonyms import assumed_of_steps
from tokumei.release.rates import Rates
from tokumei.words import Statement

if TYPE_CHECKING:
    from tokumei.release.promised import Stated


def assumed_by(guarantee: Guarantee, stated: Stated) -> tuple[Statement, ...] | None:
    """Return what a promise must assume; nothing where only its method can tell.

    An assumption of another package's own cannot be worked out here. It is taken from the promise itself, so that it is not refused.
    """
    notion = NOTIONS[guarantee.notion]
    find = _constraint if notion.sensitive else _population if notion.of_population else BY_NOTION.get(notion.name)
    if find is None:
        return None
    due = (*find(guarantee, stated), *assumed_of_steps(stated.prepare, stated.schema.names()))
    return (*due, *(each for each in guarantee.assumes if not _worked_out(each)))


def _worked_out(assumed: Statement) -> bool:
    return type(assumed).__module__ == Assumption.__module__


def _people(guarantee: Guarantee, stated: Stated) -> tuple[Assumption, ...]:
    """Return what is assumed of people's rows, which was compared with the disclosed facts before."""
    told = told_rows(guarantee)
    most = getattr(told, "most", None)
    return rows_of_people(most, getattr(told, "how", "") == "declared", getattr(told, "unit", None))


def _pk(guarantee: Guarantee, stated: Stated) -> tuple[Assumption, ...]:
    mechanism, method = stated.mechanism, stated.method
    sample = method.get("sample")
    due = pk_assumptions(
        people=_people(guarantee, stated),
        observed=_observed(guarantee, stated),
        kept=mechanism.kept,
        kept_is=stated.kept_is,
        delta=sample.get("delta") if isinstance(sample, Mapping) else None,
        seeded=stated.seeded,
        repeat=mechanism.repeat,
    )
    among, inside = int(guarantee.numbers["among"]), int(guarantee.numbers["inside"])
    own = int(guarantee.numbers["most"]) if "most" in guarantee.numbers else None
    if mechanism.grouping is None:
        return (*due, Hiding(rows=among, not_drawn=among - inside or None, own=own))
    edges: Any = method.get("edges") or {}
    return (
        *due,
        GroupedByRows(**boxes_told(mechanism.grouping.columns, mechanism.grouping.sets, edges)),
        *([GroupShowsKept()] if mechanism.kept else []),
        HidingInGroup(
            rows=among,
            classes=stated.kept_is == "known" and bool(mechanism.kept),
            own=own,
            not_drawn=among - inside or None,
        ),
        *([LeftOutDoNotCount(rows=mechanism.left_out)] if mechanism.left_out else []),
    )


def _observed(guarantee: Guarantee, stated: Stated) -> list[str]:
    """Name the columns whose domains were read from the data, in the order of the columns.

    PRAM may release other labels than a column had, so what was read from the data may not be among the released domains.
    """
    seen = {a.name for a in stated.schema if a.observed and a.name not in stated.mechanism.made_up}
    if stated.method.get("method") == "pram":
        told = next((each for each in guarantee.assumes if isinstance(each, ObservedDomains)), None)
        seen |= set() if told is None else set(told.columns) & set(stated.mechanism.channels)
    return [name for name in stated.schema.names() if name in seen]


def _k(guarantee: Guarantee, stated: Stated) -> tuple[Assumption, ...]:
    method = stated.method
    others = [name for name in stated.schema.names() if name not in stated.columns]
    due = class_assumptions(
        people=_people(guarantee, stated),
        others=others,
        several=guarantee.numbers.get("most", 1) > 1,
        seeded=stated.seeded,
    )
    partition = method.get("partition")
    earlier = isinstance(partition, Mapping) and partition.get("kind") == "published"
    chosen = (LabelsOfEarlier(), ThisReleaseAlone()) if earlier else (ChosenFromRows(),)
    rare = [RareRows(rows=rows, how=how) for how in ("suppressed", "left_out") if (rows := stated.fact(how, 0))]
    cells = (RareCells(),) if "meaning" in method else ()
    rates = stated.fact("rates")
    return (*due, *chosen, *rare, *cells, *(() if rates is None else Rates.from_description(rates).told))


def _constraint(guarantee: Guarantee, stated: Stated) -> tuple[Assumption, ...]:
    column = getattr(guarantee.promise, "column", "")
    people = any("most" in each.numbers for each in stated.of("k-anonymity"))
    return constraint_assumptions(stated.columns, column, people)


def _population(guarantee: Guarantee, stated: Stated) -> tuple[Assumption, ...]:
    others = [name for name in stated.schema.names() if name not in stated.columns]
    return population_assumptions(stated.columns, others, int(guarantee.numbers["people"]))


def _epsilon(guarantee: Guarantee, stated: Stated) -> tuple[Assumption, ...]:
    split = stated.method.get("split")
    told = next((told_rows(each) for each in stated.of("Pk-anonymity")), None)
    return epsilon_assumptions(
        most=getattr(told, "most", None),
        unit=getattr(told, "unit", None),
        kept=stated.mechanism.kept,
        pilot=isinstance(split, Mapping) and split.get("pilot") is True,
    )


def _central(guarantee: Guarantee, stated: Stated) -> tuple[Assumption, ...]:
    split = stated.method.get("split")
    told = next((told_rows(each) for each in stated.of("Pk-anonymity")), None)
    return central_assumptions(
        most=getattr(told, "most", None),
        unit=getattr(told, "unit", None),
        rows=stated.rows,
        of=stated.mechanism.population(stated.rows),
        pilot=isinstance(split, Mapping) and split.get("pilot") is True,
        seeded=stated.seeded,
        repeat=stated.mechanism.repeat,
    )


def _sampling(guarantee: Guarantee, stated: Stated) -> tuple[Assumption, ...]:
    draws = Seeded() if stated.seeded else SecretKey()
    due = (OneRow(), draws, NoValueKnownUnique(), UniqueRowsRecognized())
    if "among" not in guarantee.numbers:
        return due
    among, inside = int(guarantee.numbers["among"]), int(guarantee.numbers["inside"])
    return (*due, Hiding(rows=among, not_drawn=among - inside or None))


def _rates(guarantee: Guarantee, stated: Stated) -> tuple[Statement, ...]:
    rates = stated.fact("rates")
    due = () if rates is None else Rates.from_description(rates).guarantees
    return tuple(said for each in due for said in (each.seeded() if stated.seeded else each).assumes)


def _swapped(guarantee: Guarantee, stated: Stated) -> tuple[Assumption, ...]:
    swapping, kept = stated.mechanism.swapping, stated.mechanism.kept
    assert swapping is not None
    return swapping_assumptions(
        swapped=swapping.columns, kept=kept, known=stated.columns, least=swapping.least, seeded=stated.seeded
    )


BY_NOTION: Mapping[str, Callable[[Guarantee, Stated], tuple[Statement, ...]]] = {
    "differential privacy": _rates,
    "Pk-anonymity": _pk,
    "sampling anonymity": _sampling,
    "local differential privacy": _epsilon,
    "central differential privacy": _central,
    "k-anonymity": _k,
    "probabilistic k-anonymity": _swapped,
    "k-anonymity with wildcards": lambda guarantee, stated: (WeakerThanClasses(),),
}
