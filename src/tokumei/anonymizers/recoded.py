"""From groups of rows to released cells: labels, what they stand for, and codes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from tokumei.mechanism.recoding import RecodedColumn, Recoding, Scheme
from tokumei.partition.partition import Problem
from tokumei.table.cells import STAR, CellNames, check_names
from tokumei.table.coded import CodedTable
from tokumei.table.domain import Categories, Codes
from tokumei.table.schema import Attribute, Schema

Stretch = tuple[int, int]


@dataclass(frozen=True)
class RecodedTable:
    """The recoded columns of a table: as the schema describes them, as the mechanism explains them, and their codes."""

    schema: Schema
    recoding: Recoding
    codes: Mapping[str, Codes]

    def applied(self, table: CodedTable, keep: npt.NDArray[np.bool_]) -> CodedTable:
        """Return the table as it will be released, some rows left out."""
        for name, codes in self.codes.items():
            table = table.with_codes(self.schema[name], codes)
        return table.taking(np.flatnonzero(keep))


def by_levels(
    table: CodedTable, problem: Problem, levels: Sequence[int], starred: npt.NDArray[np.bool_]
) -> RecodedTable:
    """Give every cell the label of its column's level, and a star in starred rows."""
    columns = {}
    for column, (axis, level) in enumerate(zip(problem.axes, levels, strict=True)):
        named = CellNames(table.schema[axis.name], axis).at_level(level)
        first = axis.first[level, problem.rows[:, column]]
        columns[axis.name] = (named, np.stack([first, axis.last[level, first]], axis=1))
    return _recoded(table, columns, starred, "global")


def by_boxes(
    table: CodedTable, problem: Problem, low: Any, high: Any, starred: npt.NDArray[np.bool_], scheme: Scheme
) -> RecodedTable:
    """Give every cell the label of its row's stretch from ``low`` to ``high``, and a star in starred rows."""
    columns = {}
    for column, axis in enumerate(problem.axes):
        stretches = np.stack([low[:, column], high[:, column]], axis=1).astype(np.int64)
        used = np.unique(stretches[~starred], axis=0)
        names = CellNames(table.schema[axis.name], axis).of(used[:, 0], used[:, 1])
        columns[axis.name] = (dict(zip(map(tuple, used.tolist()), names, strict=True)), stretches)
    return _recoded(table, columns, starred, scheme)


def _recoded(
    table: CodedTable,
    columns: Mapping[str, tuple[Mapping[Any, str | None], Any]],
    starred: npt.NDArray[np.bool_],
    scheme: Scheme,
) -> RecodedTable:
    schema, codes, explained = table.schema, {}, {}
    for name, (named, stretches) in columns.items():
        attribute = table.schema[name]
        made, explained[name], codes[name] = _column(attribute, named, stretches, starred)
        schema = schema.replacing(made)
    return RecodedTable(schema, Recoding(explained, scheme), codes)


def _column(
    attribute: Attribute, named: Mapping[Stretch, str | None], stretches: Any, starred: npt.NDArray[np.bool_]
) -> tuple[Attribute, RecodedColumn, Codes]:
    """Number the labels of a column in the order of their stretches; the star comes last, and a missing cell after it.

    A tree's own label ``*`` over all values is the same as a suppressed cell.
    """
    assert attribute.domain is not None
    whole, values = (0, attribute.states - 1), (0, attribute.domain.size - 1)
    named = {stretch: name for stretch, name in named.items() if name is not None}
    meant = {stretch: whole if name == STAR and stretch == values else stretch for stretch, name in named.items()}
    if starred.any() or not named:
        named[whole], meant[whole] = STAR, whole
    shown = sorted({(meant[stretch], name) for stretch, name in named.items()}, key=lambda s: (s[0] == whole, s))
    check_names(attribute, [stretch for stretch, _ in shown], [name for _, name in shown])
    domain = Categories(tuple(str(name) for _, name in shown))
    place = {pair: at for at, pair in enumerate(shown)}
    code_of = {stretch: place[meant[stretch], name] for stretch, name in named.items()}
    kinds, which = np.unique(stretches, axis=0, return_inverse=True)
    code_of_kind = np.array([code_of.get(tuple(kind), domain.size) for kind in kinds.tolist()], dtype=np.int64)
    codes = np.where(starred, code_of.get(whole, 0), code_of_kind[which.reshape(-1)])
    released = replace(attribute, domain=domain, hierarchy=None, observed=True)
    return released, RecodedColumn(attribute, tuple(stretch for stretch, _ in shown)), codes
