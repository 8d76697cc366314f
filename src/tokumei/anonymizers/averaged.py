"""From groups of rows to one released cell for each group and column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from tokumei.mechanism.averaging import Average, Averaging
from tokumei.partition.microaggregation.coordinates import nominal
from tokumei.partition.partition import Labels
from tokumei.table.coded import CodedTable
from tokumei.table.domain import Categories, Codes
from tokumei.table.schema import Attribute

Whole = npt.NDArray[np.int64]


@dataclass(frozen=True)
class AveragedTable:
    """The averaged columns of a table: how each was made, and its released codes."""

    averaging: Averaging
    codes: Mapping[str, Codes]

    def applied(self, table: CodedTable) -> CodedTable:
        """Return the table as it will be released."""
        for name, codes in self.codes.items():
            table = table.with_codes(table.schema[name], codes)
        return table


def averaged(
    table: CodedTable, columns: Sequence[str], labels: Labels, cells: Literal["mean", "median"]
) -> AveragedTable:
    """Give every row of a group the same cells, on the grid of their columns."""
    how: dict[str, Average] = {}
    codes: dict[str, Codes] = {}
    for name in columns:
        attribute = table.schema[name]
        how[name] = _how(attribute, cells)
        codes[name] = average(attribute, table.codes(name).astype(np.int64), labels, how[name])[labels]
    return AveragedTable(Averaging(how), codes)


def _how(attribute: Attribute, cells: Literal["mean", "median"]) -> Average:
    if nominal(attribute):
        return "mode"
    return "median" if isinstance(attribute.domain, Categories) else cells


def average(attribute: Attribute, codes: Whole, labels: Labels, how: Average) -> Whole:
    """Return the code of each group: a mean moved to the nearest point of the grid, the lower median, or the first mode.

    Means and medians are of the cells that are there; where more than half are missing, the group's cell is missing.
    """
    assert attribute.domain is not None
    groups = int(labels.max()) + 1
    if how == "mode":
        return _modes(codes, labels, groups)
    there = codes < attribute.domain.size
    present = np.bincount(labels[there], minlength=groups)
    lost = np.bincount(labels, minlength=groups) - present
    if how == "mean":
        sums = np.bincount(labels[there], weights=codes[there], minlength=groups)
        found = np.rint(sums / np.maximum(present, 1)).astype(np.int64)
    else:
        order = np.lexsort((codes, labels))  # a missing cell has the largest code, so it comes last
        starts = np.cumsum(present + lost) - (present + lost)
        found = codes[order][starts + np.maximum(present - 1, 0) // 2]
    return np.where(lost > present, attribute.domain.size, found)


def _modes(codes: Whole, labels: Labels, groups: int) -> Whole:
    width = int(codes.max()) + 1
    cells, counts = np.unique(labels.astype(np.int64) * width + codes, return_counts=True)
    best = np.lexsort((-(cells % width), counts, cells // width))  # of each group the last is its most frequent
    ends = np.cumsum(np.bincount(cells // width, minlength=groups)) - 1
    return np.asarray(cells[best][ends] % width)
