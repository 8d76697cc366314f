"""Make a release in memory on this machine."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei.anonymizers.anonymizer import Anonymizer, Design
from tokumei.arrays import Integers
from tokumei.engines.designing import design_rows, treated_columns
from tokumei.engines.release_builder import ReleaseBuilder, opened_steps
from tokumei.engines.spark.session import is_spark
from tokumei.errors import InvalidParameter
from tokumei.io.source import Dialect, read_written
from tokumei.memory import hand_back
from tokumei.prepare.person_tags import check_one_row, count_tags
from tokumei.prepare.rows import prepared_rows
from tokumei.prepare.step import Step
from tokumei.progress import stage
from tokumei.randomness import Key
from tokumei.release.artifact import Release
from tokumei.table.coded import CodedTable, Column, as_released
from tokumei.table.frames import Origin, to_arrow
from tokumei.table.schema import Schema, require_schema


@stage("Anonymizing")
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
    arrow: pa.Table,
    origin: Origin,
    schema: Schema,
    method: Anonymizer,
    prepare: Sequence[Step],
    key: Key,
    checked: CodedTable | None = None,
) -> Made:
    """Make a release of an Arrow table: check, prepare, design, draw, shuffle.

    ``checked`` are the same rows, checked against the same schema before; where steps prepare them, they are checked again.
    """
    prepare = opened_steps(schema, method, prepare)
    with stage("Checking every cell against its domain"):
        table = prepared_table(arrow, schema, prepare) if checked is None or prepare else checked
        if table.tags is not None:
            check_one_row(table.rows, count_tags(table.tags), prepare[-1].column)

    cells = table.rows * len(table.columns)
    hand_back(cells)

    def prepared_alike(other: Any, columns: tuple[str, ...] | None = None) -> CodedTable:
        return prepared_table(other, schema, prepare, columns)

    made = design_rows(table, method, prepare, key, prepared_alike)
    table, design = made.table, made.design
    treated = treated_columns(made)
    hand_back(cells)
    held = pa.table(
        {
            name: as_released(column.given or Column(None, None), column.attribute, made.order, column.codes)
            for name, column in treated.items()
        }
    )
    replaced = schema.names("identifier")  # their types are not those of what is released in their place
    types = {n: kind for n, kind in origin.types.items() if n not in replaced and _as_it_came(table, design, n)}
    builder = ReleaseBuilder(schema, method, tuple(prepare), key)
    release = builder.release(held, Origin(origin.kind, types), design, table.schema, table.rounded)
    found, rows = design.groups, made.came
    groups = found if found is None or rows is None else found[np.argsort(rows)]  # of the rows as they came
    return Made(release, made.original, made.order if rows is None else rows[made.order].astype(np.int64), groups)


def prepared_table(
    frame: Any,
    schema: Schema,
    prepare: Sequence[Step],
    columns: tuple[str, ...] | None = None,
    *,
    cells: Collection[str] | None = None,
) -> CodedTable:
    """Check a frame, or a file, against its schema and take the steps that come first; of some columns only if ``columns`` are given.

    With ``cells``, only the cells of these columns are kept beside their codes, and of them only those that codes cannot tell.
    """
    wanted = schema if columns is None else Schema(tuple(schema[name] for name in columns))
    rows = read_written(frame, wanted, Dialect()) if isinstance(frame, Path) else to_arrow(frame)[0]
    if columns is None:
        return prepared_rows(rows, schema, prepare, cells=cells)
    there = [name for name in columns if name in rows.column_names]
    return prepared_rows(rows.select(there), wanted, [step for step in prepare if step.column in columns], cells=cells)


def _as_it_came(table: CodedTable, design: Design, name: str) -> bool:
    """Whether a column still has the domain that it had in the frame, and so can have its type."""
    column = table.columns.get(name)
    if column is None or not column.told_by_cells:
        return False
    if design.schema is None or name not in design.schema.names():
        return True
    return replace(design.schema[name], missing=table.schema[name].missing) == table.schema[name]
