"""Statistics of groups: what is known about the true cells of generalized rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei.arrays import Integers
from tokumei.errors import DataError, InvalidParameter
from tokumei.learning.encoders._base import attribute_of
from tokumei.release.artifact import Release
from tokumei.table.classes import class_of
from tokumei.table.frames import to_arrow
from tokumei.table.reading import CellReader, Cells
from tokumei.table.schema import Schema

Box = tuple[tuple[int, int], ...]  # a stretch for each column


@dataclass(frozen=True, repr=False)
class GroupStatistics:
    """How often each value occurs in each group of rows that have the same coarser cells.

    Anyone who sees these counts can often tell from exactly which rows a group was made, so nothing in tokumei publishes them:
    they are for measuring what a method that would publish them gains and gives away.

    Attributes
    ----------
    columns
        The columns that groups are told apart by.
    groups
        The number of each box of coarser cells.
    sizes
        How many rows each group has.
    counts
        For each column how often each value occurs in each group: groups, places along the column's line, and counts.
    """

    columns: tuple[str, ...]
    groups: Mapping[Box, int]
    sizes: Integers
    counts: Mapping[str, tuple[Integers, Integers, Integers]]

    @classmethod
    def measured(cls, generalized: Any, original: Any, schema: Schema | Release) -> GroupStatistics:
        """Count the true cells of each group.

        Parameters
        ----------
        generalized
            Rows with coarser cells, in the columns that groups are told apart by.
        original
            The same rows in the same order with their true cells.
        schema
            What the columns were before their cells were made coarser.
        """
        coarse, true = to_arrow(generalized)[0], to_arrow(original)[0]
        columns = tuple(coarse.column_names)
        lacking = [name for name in columns if name not in true.column_names]
        if coarse.num_rows != true.num_rows or lacking:
            raise DataError("original must have the rows and columns of generalized, in the same order.")
        if coarse.num_rows == 0:
            raise DataError("The table has no rows.")
        readers = [CellReader(attribute_of(schema, name, true.column(name))) for name in columns]
        cells = [reader.read(coarse.column(reader.attribute.name)) for reader in readers]
        group, boxes = grouped(cells)
        counts = {}
        for reader in readers:
            name = reader.attribute.name
            values = reader.read(true.column(name))
            if np.any(values.low != values.high):
                raise InvalidParameter("original must hold true values, and some cells of {name!r} are not.", name=name)
            pairs = group * reader.axis.size + values.low[values.which]
            kinds, number = np.unique(pairs, return_counts=True)
            counts[name] = (kinds // reader.axis.size, kinds % reader.axis.size, number.astype(np.int64))
        return cls(columns, {box: at for at, box in enumerate(boxes)}, np.bincount(group).astype(np.int64), counts)

    def __repr__(self) -> str:
        return f"<GroupStatistics of {len(self.sizes):,} groups in {len(self.columns)} columns>"


def grouped(cells: list[Cells]) -> tuple[Integers, list[Box]]:
    """Number the groups of rows that have the same cells, and return the box of each."""
    group = class_of([each.which for each in cells], len(cells[0].which))
    example = np.empty(int(group.max()) + 1, dtype=np.int64)
    example[group] = np.arange(len(group))
    ends = [
        list(zip(each.low[each.which[example]].tolist(), each.high[each.which[example]].tolist(), strict=True))
        for each in cells
    ]
    return group, list(zip(*ends, strict=True))
