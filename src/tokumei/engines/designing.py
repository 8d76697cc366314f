"""From a coded table in memory to a design and to what is drawn by it: what every engine does that holds the codes of all rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from tokumei.anonymizers.anonymizer import Anonymizer, Design
from tokumei.anonymizers.sample import choose, hidden_columns
from tokumei.anonymizers.value_rates import REASON, measured
from tokumei.arrays import AnyIntegers, Codes, Integers, row_numbers
from tokumei.engines.cuts import CutGroups
from tokumei.engines.release_builder import repeat_key, says_everything, tell_rare
from tokumei.engines.survey import LocalSurvey
from tokumei.mechanism.repeating import Draws
from tokumei.prepare.step import Step
from tokumei.progress import stage
from tokumei.randomness import Key, permutation
from tokumei.randomness.selection import Selection
from tokumei.release.disclosure import Fact
from tokumei.table.coded import CodedTable, Column
from tokumei.table.schema import Attribute

PreparedAlike = Callable[[Any, tuple[str, ...] | None], CodedTable]


@dataclass(frozen=True, repr=False)
class Designed:
    """A design, and the rows that are drawn by it.

    ``table`` has the rows in the order in which words belong to them, ``original`` in that of the original table; ``came`` says which of
    the original each is, where the two differ. ``order`` lists the released rows of ``table`` in the order of their release.
    """

    table: CodedTable
    original: CodedTable
    design: Design
    order: Integers
    draws: Draws
    came: AnyIntegers | None


class Treated(NamedTuple):
    """One released column: drawn or recoded codes of all rows, or without them the cells that are released unchanged."""

    attribute: Attribute
    codes: Codes | None
    given: Column | None


def design_rows(
    table: CodedTable, method: Anonymizer, prepare: Sequence[Step], key: Key, prepared_alike: PreparedAlike
) -> Designed:
    """Design a release of a prepared table.

    Where the order of rows may decide who is grouped with whom, it is a secret one that is forgotten: neither that of the original,
    which somebody may know, nor that of the release, which everyone sees.
    """
    with stage("Solving for the guarantee (loops are compiled on the first run)"):
        sample = method.sampling()
        drawn = choose(sample, table, key)
        hidden = hidden_columns(sample)
        original = table = table.without(*hidden)
        rows: AnyIntegers | None = None
        if not method.any_order and sample is None:
            rows = row_numbers(permutation(key.stream("ties"), table.rows), table.rows)
            table = table.taking(rows)

        def alike(other: Any, columns: tuple[str, ...] | None = None) -> CodedTable:
            return prepared_alike(other, columns).without(*hidden if columns is None else ())

        design = method.design(table.schema, LocalSurvey(table, drawn, sample, alike))
        for name, channel in design.mechanism.channels.items():
            channel.draw(table.codes(name)[:0], table.codes(name)[:0].copy(), key.stream("column", name), 0)
        design = _publishing(design, method, table, key)
    tell_rare(table.schema, lambda name: np.bincount(table.codes(name), minlength=table.schema[name].states))
    order = drawn.order if design.left_out is None else drawn.order[~design.left_out[drawn.order]]
    order = _drawn_in_groups(design, order, key)
    draws = Draws.of(key, repeat_key(prepare), design.mechanism, design.schema or table.schema)
    return Designed(table, original, design, order, draws, rows)


def _drawn_in_groups(design: Design, order: Integers, key: Key) -> Integers:
    """Leave those rows in an order that are drawn, where a sample of each group is released.

    Which rows they are does not depend on the order, nor on anything but their groups: every set of that many rows of a group is equally likely.
    """
    grouping = design.mechanism.grouping
    if grouping is None or not grouping.sampled:
        return order
    assert design.groups is not None
    inside = np.flatnonzero(design.groups >= 0)
    sizes, wanted = grouping.sizes, [group.rows for group in grouping.groups]
    drawn = np.zeros(len(design.groups), dtype=np.bool_)
    drawn[inside] = Selection(key.stream("sample"), sizes, wanted).take(len(inside), design.groups[inside])
    return order[drawn[order]]


def _publishing(design: Design, method: Anonymizer, table: CodedTable, key: Key) -> Design:
    """Add the rates that are to be published, and what they mean for the guarantees."""
    publish = method.publishing()
    if not publish:
        return design
    released = None if design.left_out is None else ~design.left_out
    rates = measured(publish, table, released, getattr(method, "k"), key)  # noqa: B009
    about_rows = tuple(
        replace(each, assumes=(*each.assumes, *rates.told)) if each.notion == "k-anonymity" else each
        for each in design.guarantees
    )
    facts = (*design.facts, Fact("rates", rates.describe(), REASON))
    return replace(design, guarantees=(*about_rows, *rates.guarantees), facts=facts)


def treated_columns(designed: Designed) -> Mapping[str, Treated]:
    """Draw every column of the release, for all rows of the table."""
    table, design, draws = designed.table, designed.design, designed.draws
    channels, grouping, telling = design.mechanism.channels, design.mechanism.grouping, design.mechanism.telling
    swapping = design.mechanism.swapping
    says_everything(design, table.columns)
    schema, key, told = design.schema or table.schema, draws.key, dict[str, Codes]()
    made: dict[str, Treated] = {}
    if telling is not None:
        told = draws.told(telling, {name: table.codes(name) for name in telling.columns}, table.tags)
    in_groups = grouping is not None and grouping.telling is not None
    if grouping is not None and in_groups:
        assert design.groups is not None
        codes = {name: table.codes(name) for name in grouping.columns}
        told = grouping.sample_told({name: table.schema[name] for name in codes}, codes, design.groups, key)
    with stage("Drawing", total=len(table.columns)) as drawing:
        for name, column in table.columns.items():
            drawn: Codes | None = told.get(name, design.recoded.get(name))
            if design.cut is not None and drawn is not None:
                assert isinstance(design.cut, CutGroups)
                drawn = drawn[design.cut.rows]
            if name in channels:
                drawn = draws.column(name, channels[name], table.codes(name), table.tags)
            elif grouping is not None and name in grouping.columns and not in_groups:
                assert design.groups is not None
                stream = key.stream("column", name)
                drawn = grouping.sample(table.schema[name], table.codes(name), design.groups, stream)
            given = column.taking(design.taken[name]) if name in design.taken else column
            if swapping is not None and name in swapping.columns:
                assert design.groups is not None
                given = column.taking(swapping.taken(design.groups, key.stream("column", name)))
            made[name] = Treated(schema[name], drawn, None if drawn is not None else given)
            drawing.advance(note=name)
    if grouping is not None and grouping.label is not None:
        assert design.groups is not None
        made[grouping.label] = Treated(schema[grouping.label], design.groups, None)
    tells = telling if grouping is None else grouping.telling
    if tells is not None:
        made[tells.label] = Treated(schema[tells.label], told[tells.label], None)
    return made
