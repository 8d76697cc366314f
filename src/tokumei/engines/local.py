"""Make a release in memory on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei.anonymizers.anonymizer import Anonymizer, Design
from tokumei.anonymizers.sample import choose, hidden_columns
from tokumei.anonymizers.value_rates import REASON, measured
from tokumei.arrays import Codes, Integers
from tokumei.engines.cuts import CutGroups
from tokumei.engines.release_builder import ReleaseBuilder, opened_steps, repeat_key, says_everything, tell_rare
from tokumei.engines.spark.session import is_spark
from tokumei.engines.survey import LocalSurvey
from tokumei.errors import InvalidParameter
from tokumei.io.source import Dialect, read_written
from tokumei.mechanism.repeating import Draws
from tokumei.memory import within_memory
from tokumei.prepare.person_tags import check_one_row, count_tags
from tokumei.prepare.rows import prepared_rows
from tokumei.prepare.step import Step
from tokumei.progress import stage
from tokumei.randomness import Key, permutation
from tokumei.randomness.selection import Selection
from tokumei.release.artifact import Release
from tokumei.release.disclosure import Fact
from tokumei.table.coded import CodedTable, as_released
from tokumei.table.frames import Origin, to_arrow
from tokumei.table.schema import Schema, require_schema


@within_memory()
def anonymize(
    frame: Any, schema: Schema, method: Anonymizer, prepare: Sequence[Step] = (), seed: int | None = None
) -> Release:
    """Make a release of a table.

    Parameters
    ----------
    frame
        A pandas or polars frame or a pyarrow table, one row per person; or a Spark frame, and then the release has one too.
    schema
        Its columns, with roles and domains.
    method
        What to do, such as ``PkPerturbation(k=10)``.
    prepare
        Deterministic steps to take first, such as ``Recode("age", level=1)``.
    seed
        For tests and research only: makes the draws repeatable, and the guarantee void against anyone who knows the seed.

    Examples
    --------
    >>> import tokumei as tk
    >>> frame = tk.example_census(rows=2000)
    >>> release = tk.anonymize(frame, tk.example_schema(), tk.PkPerturbation(k=10))
    >>> release.guarantees[0].value >= 10
    True
    """
    require_schema(schema)
    if not isinstance(method, Anonymizer):
        raise InvalidParameter("method must be an anonymizer such as PkPerturbation(k=10).")
    if not isinstance(prepare, Sequence) or not all(isinstance(step, Step) for step in prepare):
        raise InvalidParameter("prepare must be a list of steps such as [Recode('age', level=1)].")
    if is_spark(frame):
        from tokumei.engines.spark.engine import spark_release

        key = Key.fresh() if seed is None else Key.seeded(seed)
        return spark_release(frame, schema, method, prepare, key)
    arrow, origin = to_arrow(frame)
    return release_of(arrow, origin, schema, method, prepare, seed)


@dataclass(frozen=True, repr=False)
class Made:
    """A release with the secrets of its making: for measuring attacks, never to be kept."""

    release: Release
    table: CodedTable  # the original rows, prepared
    order: Integers  # which of them each released row is
    groups: Integers | None = None  # the group of each of them, -1 for none, where they were perturbed in groups


def release_of(
    arrow: pa.Table, origin: Origin, schema: Schema, method: Anonymizer, prepare: Sequence[Step], seed: int | None
) -> Release:
    """Make a release of an Arrow table."""
    key = Key.fresh() if seed is None else Key.seeded(seed)
    return make_release(arrow, origin, schema, method, prepare, key).release


def make_release(
    arrow: pa.Table, origin: Origin, schema: Schema, method: Anonymizer, prepare: Sequence[Step], key: Key
) -> Made:
    """Make a release of an Arrow table: check, prepare, design, draw, shuffle.

    Where the order of rows may decide who is grouped with whom, it is a secret one that is forgotten: neither that of the original,
    which somebody may know, nor that of the release, which everyone sees.
    """
    prepare = opened_steps(schema, method, prepare)
    with stage("Checking every cell against its domain"):
        table = prepared_table(arrow, schema, prepare)
        if table.tags is not None:
            check_one_row(table.rows, count_tags(table.tags), prepare[-1].column)
    with stage("Solving for the guarantee (loops are compiled on the first run)"):
        sample = method.sampling()
        drawn = choose(sample, table, key)
        hidden = hidden_columns(sample)
        original = table = table.without(*hidden)
        rows = None if method.any_order or sample is not None else permutation(key.stream("ties"), table.rows)
        table = table if rows is None else table.taking(rows)

        def prepared_alike(other: Any, columns: tuple[str, ...] | None = None) -> CodedTable:
            return prepared_table(other, schema, prepare, columns).without(*hidden if columns is None else ())

        design = method.design(table.schema, LocalSurvey(table, drawn, sample, prepared_alike))
        for name, channel in design.mechanism.channels.items():
            channel.draw(table.codes(name)[:0], table.codes(name)[:0].copy(), key.stream("column", name), 0)
        design = _publishing(design, method, table, key)
    tell_rare(table.schema, lambda name: np.bincount(table.codes(name), minlength=table.schema[name].states))
    order = drawn.order if design.left_out is None else drawn.order[~design.left_out[drawn.order]]
    order = _drawn_in_groups(design, order, key)
    draws = Draws.of(key, repeat_key(prepare), design.mechanism, design.schema or table.schema)
    held = _released(table, design, order, draws)
    replaced = schema.names("identifier")  # their types are not those of what is released in their place
    types = {n: kind for n, kind in origin.types.items() if n not in replaced and _as_it_came(table, design, n)}
    made = ReleaseBuilder(schema, method, tuple(prepare), key)
    release = made.release(held, Origin(origin.kind, types), design, table.schema, table.rounded)
    found = design.groups
    groups = found if found is None or rows is None else found[np.argsort(rows)]  # of the rows as they came
    return Made(release, original, order if rows is None else rows[order], groups)


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


def prepared_table(
    frame: Any, schema: Schema, prepare: Sequence[Step], columns: tuple[str, ...] | None = None
) -> CodedTable:
    """Check a frame, or a file, against its schema and take the steps that come first; of some columns only if ``columns`` are given."""
    wanted = schema if columns is None else Schema(tuple(schema[name] for name in columns))
    rows = read_written(frame, wanted, Dialect()) if isinstance(frame, Path) else to_arrow(frame)[0]
    if columns is None:
        return prepared_rows(rows, schema, prepare)
    there = [name for name in columns if name in rows.column_names]
    return prepared_rows(rows.select(there), wanted, [step for step in prepare if step.column in columns])


def _as_it_came(table: CodedTable, design: Design, name: str) -> bool:
    """Whether a column still has the domain that it had in the frame, and so can have its type."""
    column = table.columns.get(name)
    if column is None or column.cells is None:
        return False
    if design.schema is None or name not in design.schema.names():
        return True
    return replace(design.schema[name], missing=table.schema[name].missing) == table.schema[name]


def _released(table: CodedTable, design: Design, order: Integers, draws: Draws) -> pa.Table:
    channels, grouping, telling = design.mechanism.channels, design.mechanism.grouping, design.mechanism.telling
    swapping = design.mechanism.swapping
    says_everything(design, table.columns)
    schema, cells, key, told = design.schema or table.schema, {}, draws.key, dict[str, Codes]()
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
            cells[name] = as_released(given, schema[name], order, drawn)
            drawing.advance(note=name)
    if grouping is not None and grouping.label is not None:
        assert design.groups is not None
        domain = schema[grouping.label].domain
        assert domain is not None
        cells[grouping.label] = domain.values_of(design.groups[order])
    tells = telling if grouping is None else grouping.telling
    if tells is not None:
        cells[tells.label] = tells.domain.values_of(told[tells.label][order])
    return pa.table(cells)
