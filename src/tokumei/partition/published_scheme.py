"""What an earlier release did to values: which label each has, or which box each record lies in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tokumei.arrays import Booleans, Integers, Labels, Places
from tokumei.errors import DataError, InvalidParameter
from tokumei.mechanism.recoding import RecodedColumn, Scheme
from tokumei.partition.partition import Problem
from tokumei.partition.published_boxes import box_of
from tokumei.release.artifact import Release
from tokumei.table.classes import class_of
from tokumei.table.coded import CodedTable
from tokumei.table.domain import OUTSIDE
from tokumei.table.overlap import disjoint
from tokumei.table.schema import Attribute
from tokumei.text import names


@dataclass(frozen=True, eq=False)
class PublishedScheme:
    """How an earlier release made columns coarser.

    Attributes
    ----------
    kind
        ``"global"``: a value has the same label in every row. ``"disjoint"``: a record has the labels of the box it lies in.
    columns
        What each label of a column stands for.
    labels
        The labels themselves.
    codes
        Globally: for each column, the released code of each original one. In boxes: for each column, that of each box.
    """

    kind: Scheme
    columns: Mapping[str, RecodedColumn]
    labels: Mapping[str, tuple[str, ...]]
    codes: Mapping[str, Integers]

    @classmethod
    def of(cls, release: Release) -> PublishedScheme:
        """Read off a release what it did; only its rows tell which boxes there are."""
        recoding = release.mechanism.recoding
        if recoding is None or recoding.scheme == "overlapping":
            raise InvalidParameter(
                "Published needs a release whose labels follow from the values: one level for each column "
                "(Optimal), or boxes that do not overlap. In this one they also depend on the rows, so make a new scheme "
                "with another partition."
            )
        labels = {}
        for name in recoding.columns:
            domain = release.schema[name].domain
            assert domain is not None
            labels[name] = tuple(domain.labels())
            spans = recoding.columns[name].spans
            if len(np.unique(spans, axis=0)) < len(spans):
                raise InvalidParameter(
                    "Published needs one label for the same values, and {name!r} distinguishes values that its "
                    "grid does not; make a new scheme with another partition.",
                    name=name,
                )
        if recoding.scheme == "global":
            codes = {name: np.asarray(recoding.conditional(name).code_of) for name in recoding.columns}
            return cls("global", recoding.columns, labels, codes)
        shown = np.flatnonzero(~release.suppressed)
        rows = [release.coded.codes(name)[shown].astype(np.int64) for name in recoding.columns]
        which = class_of(rows, len(shown))
        example = np.empty(int(which.max(initial=-1)) + 1, dtype=np.int64)
        example[which] = np.arange(len(shown))
        made = cls(
            "disjoint",
            recoding.columns,
            labels,
            {name: each[example] for name, each in zip(recoding.columns, rows, strict=True)},
        )
        if not disjoint(*made.boxes(list(recoding.columns))):
            raise InvalidParameter(
                "The boxes of the published release overlap, so new rows have no unique box; make a new scheme with another partition.",
            )
        return made

    def boxes(self, columns: Sequence[str]) -> tuple[Places, Places]:
        """Return the first and last places of each box."""
        spans = [self.columns[name].spans[self.codes[name]] for name in columns]
        low = np.stack([each[:, 0] for each in spans], axis=1).astype(np.int32)
        return low, np.stack([each[:, 1] for each in spans], axis=1).astype(np.int32)

    def named(self, name: str) -> dict[tuple[int, int], str | None]:
        """Name the stretches that the labels of a column stand for; a missing cell has none."""
        spans = self.columns[name].spans.tolist()
        return {
            (spans[code][0], spans[code][1]): self.labels[name][code] if code < len(self.labels[name]) else None
            for code in np.unique(self.codes[name]).tolist()
        }

    def told(self, table: CodedTable, columns: Sequence[str]) -> CodedTable:
        """Return new rows in the codes of the columns as the earlier release had them; refuse values that it had not."""
        if set(columns) != set(self.columns):
            raise InvalidParameter(
                "The published scheme is for {columns}, and the quasi-identifiers are "
                "{quasi_identifiers}; they must be the same.",
                columns=names(self.columns),
                quasi_identifiers=names(columns),
            )
        for name in columns:
            original = self.columns[name].original
            before = replace(original, name=name, role="quasi_identifier")
            table = table.with_codes(before, _translated(table, table.schema[name], before))
        return table

    def stretches(self, problem: Problem) -> tuple[Places, Places, Booleans]:
        """Return the stretch that each cell is released as, and which rows have one; the others stand for themselves."""
        low, high = problem.rows.copy(), problem.rows.copy()
        inside = np.ones(len(low), dtype=np.bool_)
        columns = [axis.name for axis in problem.axes]
        if self.kind == "global":
            for place, axis in enumerate(problem.axes):
                along = np.empty(axis.size, dtype=np.int64)
                along[axis.place] = self.codes[axis.name]
                spans = self.columns[axis.name].spans[along[problem.rows[:, place]]]
                low[:, place], high[:, place] = spans[:, 0], spans[:, 1]
        else:
            first, last = self.boxes(columns)
            box = box_of(problem.rows, first, last)
            inside = box >= 0
            low[inside], high[inside] = first[box[inside]], last[box[inside]]
        return low, high, inside


def classes_of(low: Places, high: Places, inside: Booleans, k: int) -> Labels:
    """Number the classes of rows with the same labels; -1 for rows that have none, and for classes of fewer than k."""
    labels = np.full(len(low), -1, dtype=np.int32)
    rows = np.flatnonzero(inside)
    if not len(rows):
        return labels
    which = class_of([*low[rows].T, *high[rows].T], len(rows))
    large = np.bincount(which) >= k
    labels[rows] = np.where(large, np.cumsum(large) - 1, -1)[which]
    return labels


def _translated(table: CodedTable, now: Attribute, before: Attribute) -> Integers:
    """Return a column in the codes of an earlier domain, or say how many of its cells that domain does not have."""
    assert now.domain is not None
    assert before.domain is not None
    used, which = np.unique(table.codes(now.name), return_inverse=True)
    problem, rounded = "", 0
    found = used.astype(np.int64)
    if now.domain != before.domain:
        try:
            coded = before.domain.code(now.domain.values_of(used))
            found, rounded = coded.codes, coded.rounded
        except DataError as error:
            problem = str(error)  # which is not shown
    if problem or rounded:
        raise DataError(
            "Column {column!r} has another kind of values, or another grid, than in the published release; "
            "give it that domain, or make a new scheme with another partition.",
            column=now.name,
        )
    found = np.where((found == before.domain.size) & (not before.missing), OUTSIDE, found)
    codes = found[which.reshape(-1)]
    outside = int(np.count_nonzero(codes == OUTSIDE))
    if outside:
        if before.missing:
            raise DataError(
                "{outside:cell|cells} of {column!r} {outside:|is|are} not covered by the published scheme ({domain}, or missing); "
                "recode or leave out these rows first, or make a new scheme with another partition.",
                outside=outside,
                column=now.name,
                domain=before.domain.describe(),
            )
        raise DataError(
            "{outside:cell|cells} of {column!r} {outside:|is|are} not covered by the published scheme ({domain}); recode or "
            "leave out these rows first, or make a new scheme with another partition.",
            outside=outside,
            column=now.name,
            domain=before.domain.describe(),
        )
    return codes
