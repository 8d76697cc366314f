"""Columns made coarser: released labels that stand for stretches of values, a kernel of zeros and ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
import scipy.sparse

from tokumei.arrays import Booleans, Codes, Floats, Integers
from tokumei.errors import InvalidParameter, ReleaseError
from tokumei.mechanism.channel import Conditional
from tokumei.mechanism.treatments import AsItIs, Recoded, SuppressedEverywhere, Treatment, moved_before
from tokumei.table.axis import Axis, axis_of
from tokumei.table.schema import Attribute, attribute_from, describe_attribute

Scheme = Literal["global", "disjoint", "overlapping"]


@dataclass(frozen=True)
class RecodedColumn:
    """What each released label of a column stands for.

    Attributes
    ----------
    original
        The column before: its domain, hierarchy, and whether cells could be missing.
    stretches
        For each released label the first and last place, along the line that `axis_of` lays the original's values in,
        that it stands for.
    missing
        Whether missing cells are released as such; each stands for itself then, one past the last label.
    exact
        Whether what the labels say is true of every cell as it came. Otherwise cells lay between the points of the domain's
        grid and were moved to them first.
    """

    original: Attribute
    stretches: tuple[tuple[int, int], ...]
    missing: bool = False
    exact: bool = True

    @cached_property
    def axis(self) -> Axis:
        """The line of the original values."""
        return axis_of(self.original)

    @property
    def whole(self) -> tuple[int, int]:
        """The stretch that says nothing."""
        return 0, self.original.states - 1

    @property
    def starred(self) -> Booleans:
        """Which released codes say nothing, the one of a missing cell last."""
        return np.array([*(stretch == self.whole for stretch in self.stretches), False])

    @property
    def spans(self) -> Integers:
        """The first and last place of each released code, the one of a missing cell last."""
        return np.array([*self.stretches, *[(self.original.states - 1,) * 2] * self.missing], dtype=np.int64)

    @cached_property
    def covers(self) -> Booleans:
        """Which original values each released code may stand for: one row per released code, one column per original one."""
        place = self.axis.place[None, :]
        return np.asarray((self.spans[:, :1] <= place) & (place <= self.spans[:, 1:]))

    def describe(self) -> dict[str, Any]:
        """Return the column as it appears in a manifest."""
        return {
            "original": describe_attribute(self.original),
            "stretches": [list(stretch) for stretch in self.stretches],
            "missing": self.missing,
            "exact": self.exact,
        }

    @classmethod
    def from_description(cls, name: str, described: Mapping[str, Any]) -> RecodedColumn:
        """Make a column again from what `describe` gave."""
        stretches = tuple((low, high) for low, high in described["stretches"])
        original = attribute_from({"name": name, **described["original"]})
        found = cls(original, stretches, described["missing"] is True, described.get("exact", True) is True)
        for low, high in stretches:
            if not (type(low) is type(high) is int and 0 <= low <= high < found.original.states):
                raise ReleaseError(
                    "The release says that a label of {name!r} stands for values that it does not have.", name=name
                )
        return found


@dataclass(frozen=True)
class Recoding:
    """How the columns of a release were made coarser.

    Attributes
    ----------
    columns
        Each recoded column.
    scheme
        ``"global"``: a value has the same label in every row, unless its row is suppressed. ``"disjoint"``: groups of
        rows have boxes that do not overlap, so a record can be in one only. ``"overlapping"``: which of several boxes
        a record is in depends on the other rows, and is no property of the record.
    """

    columns: Mapping[str, RecodedColumn]
    scheme: Scheme

    @property
    def suppressed(self) -> tuple[str, ...]:
        """The columns that are suppressed in every row: no label but the star is left."""
        return tuple(name for name, each in self.columns.items() if np.all(each.starred[: len(each.stretches)]))

    def conditional(self, name: str) -> ZeroOne:
        """Return the kernel of a column that was recoded globally."""
        if self.scheme != "global":
            raise InvalidParameter(
                "{name!r} was generalized group by group, so its labels also depend on the other columns and "
                "rows, and it has no distribution of its own.",
                name=name,
            )
        column = self.columns[name]
        low, high = column.spans.T
        along = np.zeros(column.axis.size, dtype=np.int64)
        # The star of suppressed rows stands beside the labels, and covers more than any of them: it gives way.
        for code in np.lexsort((-np.arange(len(low)), low - high)).tolist():
            along[low[code] : high[code] + 1] = code
        return ZeroOne(along[column.axis.place], len(low))

    def treatment(self, name: str) -> Treatment:
        """Say what happened to the values of a column."""
        column = self.columns[name]
        labels = [stretch for stretch, star in zip(column.stretches, column.starred, strict=False) if not star]
        if not labels:
            return SuppressedEverywhere()
        same = all(low == high for low, high in labels)
        starred = len(labels) < len(column.stretches)
        made: Treatment = AsItIs()
        if starred or not same:
            made = Recoded(scheme="none" if same else self.scheme, suppressed="or_suppressed" if starred else None)
        return made if column.exact else moved_before(made, column.original.domain)

    def describe(self) -> dict[str, Any]:
        """Return the recoding as it appears in a manifest."""
        return {"scheme": self.scheme, "columns": {name: each.describe() for name, each in self.columns.items()}}

    @classmethod
    def from_description(cls, described: Mapping[str, Any]) -> Recoding:
        """Make a recoding again from what `describe` gave."""
        if described["scheme"] not in get_args(Scheme):
            raise ReleaseError(
                "The release was recoded in a way that this version of tokumei does not know; upgrade tokumei."
            )
        columns = {name: RecodedColumn.from_description(name, each) for name, each in described["columns"].items()}
        return cls(columns, described["scheme"])


class ZeroOne(Conditional):
    """A value is always released as the same label: P(released | true) is one or zero."""

    def __init__(self, code_of: Integers, outputs: int) -> None:
        self.code_of = code_of
        self.size, self.outputs = len(code_of), outputs
        ones = np.ones(self.size)
        self._sums = scipy.sparse.csr_array((ones, (code_of, np.arange(self.size))), shape=(outputs, self.size))

    def probability(self, released: Codes, true: Codes) -> Floats:
        """Return one where the true value has the released label, else zero."""
        return np.asarray(np.equal(released, self.code_of[true]), dtype=np.float64)

    def forward(self, distribution: Floats, axis: int = -1) -> Floats:
        """Add up what the values of a label have."""
        moved = np.moveaxis(distribution, axis, 0)
        summed = self._sums @ moved.reshape(self.size, -1)
        return np.moveaxis(summed.reshape(self.outputs, *moved.shape[1:]), 0, axis)

    def backward(self, weights: Floats, axis: int = -1) -> Floats:
        """Give every value the weight of its label."""
        return np.take(weights, self.code_of, axis=axis)
