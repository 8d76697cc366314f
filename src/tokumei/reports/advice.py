"""Advice where the data call for it: each a small function that looks at one thing and says one sentence, or nothing.

No sentence shows a value: only names of columns, counts and shares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tokumei.privacy.rungs import NothingCalledSensitive
from tokumei.privacy.rungs import percent as share
from tokumei.reports.findings import Findings, Private
from tokumei.reports.numbers import percent, whole
from tokumei.table.domain import Categories

NEARLY_UNIQUE = 0.9  # different values over rows
FAR = 3.0  # interquartile ranges beyond the quartiles
MANY_GONE = 0.05
WEAK = 0.5
NOT_CALLED = NothingCalledSensitive.key


@dataclass(frozen=True)
class Advice:
    """One piece of advice: the key of its sentence, what to put into it, and the columns that it is about."""

    key: str
    columns: tuple[str, ...] = ()
    values: dict[str, str] = field(default_factory=dict)


def nearly_unique(found: Findings, private: Private) -> Iterator[Advice]:
    """A column in which nearly every row differs points to people like a name does; a pseudonym does so by its key only."""
    table = private.table
    released = set(found.release.schema.names()) - set(found.release.pseudonyms)
    for name in (name for name in table.schema.names() if name in released):
        different = int(table.class_of((name,)).max()) + 1
        if table.rows > 1 and different >= NEARLY_UNIQUE * table.rows:
            yield Advice("advice_nearly_unique", (name,), {"share": percent(different / table.rows)})


def outliers(found: Findings, private: Private) -> Iterator[Advice]:
    """Numbers and dates far from the others are known to be somebody's."""
    for attribute in private.table.schema:
        domain = attribute.domain
        if domain is None or isinstance(domain, Categories) or attribute.name not in found.release.schema.names():
            continue
        codes = private.table.codes(attribute.name)
        there = codes[codes < domain.size].astype(np.float64)
        if len(there) < 4:
            continue
        low, high = np.quantile(there, [0.25, 0.75])
        reach = FAR * max(high - low, 1.0)
        far = int(np.count_nonzero((there < low - reach) | (there > high + reach)))
        if far:
            yield Advice("advice_outliers", (attribute.name,), {"rows": whole(far)})


def small_groups(found: Findings, private: Private) -> Iterator[Advice]:
    """Values of a category that fewer than k people have."""
    for attribute in private.table.schema:
        if attribute.role != "quasi_identifier" or not isinstance(attribute.domain, Categories):
            continue
        counts = np.bincount(private.table.codes(attribute.name), minlength=1)
        small = counts[(counts > 0) & (counts < found.whole_k)]
        if len(small):
            values = {"values": whole(len(small)), "rows": whole(int(small.sum())), "k": whole(found.whole_k)}
            yield Advice("advice_small_groups", (attribute.name,), values)


def bounds_from_data(found: Findings, private: Private) -> Iterator[Advice]:
    """A domain or hierarchy that was read from the rows says something about them."""
    observed = tuple(attribute.name for attribute in private.schema if attribute.observed)
    if observed:
        yield Advice("advice_bounds_from_data", observed)


def filled_classes(found: Findings, private: Private) -> Iterator[Advice]:
    """Where all rows of a class agree in a sensitive value, it is known without any link."""
    counted = found.classes.sensitive if found.kind == "alike" and found.classes is not None else {}
    for name, each in counted.items():
        if each.disclosed:
            part = percent(each.disclosed / found.release.rows)
            yield Advice("advice_filled_classes", (name,), {"rows": whole(each.disclosed), "share": part})


def told_apart(found: Findings, private: Private) -> Iterator[Advice]:
    """Columns released unchanged tell rows apart that are alike in the others."""
    if found.kind == "alike" and found.kept and found.together is not None and found.together.unique:
        rows, part = found.together.unique, found.together.unique_share
        yield Advice("advice_told_apart", (), {"rows": whole(rows), "share": percent(part)})


def many_gone(found: Findings, private: Private) -> Iterator[Advice]:
    """Rows that were left out or starred because they were rare are missing not at random."""
    gone = found.release.mechanism.left_out + int(np.count_nonzero(found.release.suppressed))
    if gone > MANY_GONE * private.table.rows:
        yield Advice("advice_many_gone", (), {"rows": whole(gone), "share": percent(gone / private.table.rows)})


def seeded(found: Findings, private: Private) -> Iterator[Advice]:
    """Draws that follow from a seed protect nobody."""
    if found.release.seeded:
        yield Advice("advice_seeded")


def weak_rungs(found: Findings, private: Private) -> Iterator[Advice]:
    """A rung beyond linking by quasi-identifiers that leaves more than an even chance; changes to mend it can be tried."""
    for name in ("whole_table", "inference") if found.k > 1 else ():
        value = found.ladder[name].value
        if value is not None and value > WEAK and found.ladder[name].bound.says.key != NOT_CALLED:
            yield Advice(f"advice_rung_{name}", (), {"value": share(value)})


def nothing_promised(found: Findings, private: Private) -> Iterator[Advice]:
    """A guarantee of k = 1 is none."""
    if found.k <= 1:
        yield Advice("advice_nothing_promised")


CATALOGUE: tuple[Callable[[Findings, Private], Iterator[Advice]], ...] = (
    seeded,
    nothing_promised,
    nearly_unique,
    filled_classes,
    told_apart,
    small_groups,
    outliers,
    bounds_from_data,
    many_gone,
    weak_rungs,
)


def advice_for(found: Findings) -> tuple[Advice, ...]:
    """Go through the catalogue; the public variant has none, since advice is about the original."""
    private: Any = found.private
    return () if private is None else tuple(each for look in CATALOGUE for each in look(found, private))
