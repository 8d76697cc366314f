"""From groups of rows to one released cell for each group and column.

A mean is a new value, so it is released of declared quantities only. Everything else gets the cell of one of the group's rows, as
it came: a value that somebody has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from tokumei.arrays import AnyIntegers, Codes, Integers, Labels, row_numbers
from tokumei.mechanism.averaging import Average, Averaging
from tokumei.partition.microaggregation.coordinates import nominal
from tokumei.table.coded import CodedTable
from tokumei.table.domain import Categories, Numbers, code_type
from tokumei.table.schema import Attribute


@dataclass(frozen=True)
class AveragedTable:
    """The averaged columns of a table: how each was made, the codes of means, and otherwise whose cell each row is given."""

    averaging: Averaging
    codes: Mapping[str, Codes]
    taken: Mapping[str, AnyIntegers]

    def applied(self, table: CodedTable) -> CodedTable:
        """Return the table as it will be released."""
        for name, codes in self.codes.items():
            table = table.with_codes(table.schema[name], codes)
        taken = {name: table.columns[name].taking(rows) for name, rows in self.taken.items()}
        return replace(table, columns={**table.columns, **taken})


def averaged(
    table: CodedTable, columns: Sequence[str], labels: Labels, cells: Literal["mean", "median"]
) -> AveragedTable:
    """Give every row of a group the same cells."""
    how = {name: average_of(table.schema[name], cells) for name in columns}
    codes: dict[str, Codes] = {}
    taken: dict[str, AnyIntegers] = {}
    for name in columns:
        attribute = table.schema[name]
        assert attribute.domain is not None
        own = table.codes(name)
        if how[name] == "mean":
            codes[name] = means(own, attribute.domain.size, labels).astype(code_type(attribute.domain))[labels]
        else:
            rows = example(table.identity(name), own == attribute.domain.size, labels, how[name])
            taken[name] = row_numbers(rows, table.rows)[labels]
    return AveragedTable(Averaging(how), codes, taken)


def average_of(attribute: Attribute, cells: Literal["mean", "median"]) -> Average:
    """Say what stands for a group in a column: a mean only where the column is declared to be a quantity."""
    if nominal(attribute):
        return "mode"
    if isinstance(attribute.domain, Categories) or (
        isinstance(attribute.domain, Numbers) and not attribute.domain.quantity
    ):
        return "median"
    return cells


def means(codes: Codes, size: int, labels: Labels) -> Integers:
    """Return the mean of each group, moved to the nearest point of the grid; a missing cell has the code ``size``.

    It is of the cells that are there; where more than half are missing, the group's cell is missing.
    """
    there = codes < size
    groups = int(labels.max()) + 1
    present = np.bincount(labels[there], minlength=groups)
    lost = np.bincount(labels, minlength=groups) - present
    sums = np.bincount(labels[there], weights=codes[there], minlength=groups)
    return np.where(lost > present, size, np.rint(sums / np.maximum(present, 1)).astype(np.int64))


def example(
    values: Codes, missing: npt.NDArray[np.bool_], labels: Labels, how: Literal["mean", "median", "mode"]
) -> Integers:
    """Return for each group a row that has its lower median, or its most frequent value, the smallest of several.

    Values rise with what they stand for, and missing cells have the largest. A median is of the cells that are there; where
    more than half are missing, so is the group's cell.
    """
    order = np.lexsort((values, labels))
    sizes = np.bincount(labels)
    starts = np.cumsum(sizes) - sizes
    if how == "median":
        lost = np.bincount(labels[missing], minlength=len(sizes))
        present = sizes - lost
        return order[starts + np.where(lost > present, present, np.maximum(present - 1, 0) // 2)]
    ranked, groups = values[order], labels[order]
    first = np.flatnonzero(np.append(True, (ranked[1:] != ranked[:-1]) | (groups[1:] != groups[:-1])))
    runs = np.diff(np.append(first, len(order)))
    best = np.lexsort((-first, runs, groups[first]))  # of each group the last is its most frequent
    return order[first[best[np.cumsum(np.bincount(groups[first])) - 1]]]
