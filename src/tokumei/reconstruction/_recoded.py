"""What recoded rows say about the values they had: which rows can be used, and how groups are spread over their boxes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from tokumei.arrays import Booleans, Floats, Integers
from tokumei.diagnostics import warn
from tokumei.errors import AssumptionWarning, InvalidParameter, NotAtRandomWarning
from tokumei.mechanism.coarsening import Tabulated
from tokumei.reconstruction._problems import OverlappingGroups, SuppressedRows
from tokumei.release.artifact import Release

AT_RANDOM = "coarsened at random"
CHUNK = 2**22  # cells of a table that are made at a time

Way = Literal["channels", "spread", "boxes", "groups", "told"]


def used_rows(release: Release, columns: Sequence[str]) -> Booleans:
    """Say which rows tell something about the columns: those that were not suppressed for being rare."""
    recoding = release.mechanism.recoding
    if recoding is not None and any(name in recoding.columns for name in columns):
        return ~release.suppressed
    return np.ones(release.rows, dtype=np.bool_)


def rows_to_use(release: Release, columns: Sequence[str]) -> Booleans:
    """Say which rows tell something about the columns, and warn where others were suppressed for being rare."""
    used = used_rows(release, columns)
    gone = int(np.count_nonzero(~used)) + release.mechanism.left_out
    if gone:
        warn(SuppressedRows(gone=gone, left=int(np.count_nonzero(used))), NotAtRandomWarning)
    if not used.any():
        raise InvalidParameter("Every row of the release is suppressed, so it says nothing about these columns.")
    return used


def way_of(release: Release, columns: Sequence[str], assume: str | None) -> Way:
    """Say how rows are counted: by their channels, group by group, spread evenly over their boxes, or as boxes.

    Where rows were recoded in groups whose boxes do not overlap, spreading each row evenly over its box is the likeliest
    table which is even inside them. Where boxes overlap, which of its boxes a record is in depends on the other rows, and
    the release does not say how: nothing is inverted then, unless it is assumed that the choice tells nothing.
    """
    if assume not in (None, AT_RANDOM):
        raise InvalidParameter(
            "assume must be None or {at_random!r}. Got {assume!r}.", at_random=AT_RANDOM, assume=assume
        )
    grouping = release.mechanism.grouping
    if grouping is not None and grouping.telling is not None and any(name in grouping.columns for name in columns):
        raise grouping.refuse(next(name for name in columns if name in grouping.columns))
    way = possible_way(release, columns)
    if way != "boxes":
        return way
    if assume is None:
        raise InvalidParameter(OverlappingGroups())
    warn(
        "The estimate assumes that the box of a row says nothing about the row except that it lies there. Groups "
        "were chosen from the rows, so this is not true, and rare values may be estimated far too low.",
        AssumptionWarning,
    )
    return "boxes"


def possible_way(release: Release, columns: Sequence[str]) -> Way:
    """Say how rows could be counted; ``"boxes"`` only under an assumption, unless rows are merely said to lie in their boxes."""
    if release.mechanism.telling is not None:
        return "told"
    grouping = release.mechanism.grouping
    if grouping is not None and any(name in grouping.columns for name in columns):
        return "groups"
    recoding = release.mechanism.recoding
    if recoding is None or recoding.scheme == "global" or not any(name in recoding.columns for name in columns):
        return "channels"
    return "spread" if recoding.scheme == "disjoint" else "boxes"


def box_likelihood(covers: Booleans, true_bin: Integers | None) -> Tabulated:
    """Return the likelihood of a label given a true value, or a bin of them: whether, or how much of it, it covers."""
    whole = covers.astype(np.float64)
    if true_bin is None:
        return Tabulated(whole)
    return Tabulated(np.stack([np.bincount(true_bin, weights=row) for row in whole]) / np.bincount(true_bin))


def spread_counts(axes: Sequence[Any], weights: Floats | None = None) -> Floats:
    """Count rows of a recoded release by their possible values, each row spread evenly over its box."""
    return _counted(axes, [_shares(axis) for axis in axes], weights)


def bound_counts(axes: Sequence[Any], weights: Floats | None = None) -> tuple[Floats, Floats]:
    """Count for each cell the rows of a recoded release that surely lie in it, and those that possibly do."""
    possible = [_possible(axis) for axis in axes]
    sure = [each & (np.count_nonzero(each, axis=1) == 1)[:, None] for each in possible]
    lower, upper = (_counted(axes, [each.astype(np.float64) for each in kind], weights) for kind in (sure, possible))
    return lower, upper


def _counted(axes: Sequence[Any], tables: Sequence[Floats], weights: Floats | None = None) -> Floats:
    """Add up over all rows the products of what the tables say of their cells, one row per released code."""
    rows = np.stack([axis.released for axis in axes], axis=1)
    kinds, which = np.unique(rows, axis=0, return_inverse=True)
    counts = np.bincount(which.reshape(-1), weights=weights)
    shape = tuple(each.shape[1] for each in tables)
    total = np.zeros(shape)
    step = max(1, CHUNK // total.size)
    for low in range(0, len(kinds), step):
        part = counts[low : low + step].astype(np.float64)[:, None]
        for column, table in enumerate(tables):
            here = table[kinds[low : low + step, column]]
            part = (part[:, :, None] * here[:, None, :]).reshape(len(here), -1)
        total += part.sum(axis=0).reshape(shape)
    return total


def _possible(axis: Any) -> Booleans:
    """Say for each released code which values, or bins of them, a row that has it can have."""
    if axis.covers is None:
        shares = axis.conditional.matrix() if axis.true_bin is None else _shares(axis)
        return np.asarray(shares > 0)
    if axis.true_bin is None:
        return np.asarray(axis.covers)
    return np.stack([np.bincount(axis.true_bin, weights=row, minlength=len(axis.labels)) > 0 for row in axis.covers])


def _shares(axis: Any) -> Floats:
    """Return for each released code how a row that has it is spread over the true values or their bins."""
    if axis.covers is None:
        alone = np.eye(len(axis.labels) if axis.true_bin is not None else axis.attribute.states)
        return alone if axis.true_bin is None else alone[axis.true_bin]
    covers = axis.covers.astype(np.float64)
    shares = covers / covers.sum(axis=1, keepdims=True)
    if axis.true_bin is None:
        return shares
    return np.stack([np.bincount(axis.true_bin, weights=row, minlength=len(axis.labels)) for row in shares])
