"""Released rows that were counted elsewhere: one row for each kind, and how many there are of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei.arrays import Floats
from tokumei.errors import InvalidParameter
from tokumei.messages import phrase
from tokumei.release.artifact import Release
from tokumei.table.frames import to_arrow
from tokumei.text import names

COUNT = "count"
# What counts of cells do not tell, by the part of a mechanism that makes it matter.
MISSING = {
    "recoding": phrase("has recoded cells, and counts do not tell which values a cell stands for"),
    "grouping": phrase("was perturbed in groups, and counts do not tell whose group a row is of"),
    "averaging": phrase("has averages, and counts do not tell which rows share one"),
    "swapping": phrase("was swapped within groups, and counts do not tell which rows share one"),
    "left_out": phrase("lacks rare rows, and counts do not tell which"),
}


def counted_quantiles(values: Floats, many: Floats | None, shares: Floats) -> Floats:
    """Return quantiles of values of which each stands for ``many``: those that numpy would find in the whole list.

    >>> counted_quantiles(np.array([5.0, 1.0]), np.array([1.0, 3.0]), np.array([0.5, 0.9]))
    array([1. , 3.8])
    """
    if many is None:
        return np.asarray(np.quantile(values, shares))
    order = np.argsort(values)
    ends = np.cumsum(many[order])
    at = shares * (ends[-1] - 1)
    low, high = (
        values[order[np.searchsorted(ends, each, side="right").clip(max=len(order) - 1)]]
        for each in (np.floor(at), np.ceil(at))
    )
    return np.asarray(low + (at - np.floor(at)) * (high - low))


def counted_shares(release: Release, many: Floats) -> Floats:
    """Return how much each kind of row counts, a row having a mean of one: strata that were drawn at other rates count for more."""
    drawn = release.row_weights()
    counts = many if drawn is None else many * drawn
    return np.asarray(counts * (many.sum() / counts.sum()), dtype=np.float64)


def counted_for(
    release: Release, target: str, columns: Sequence[str] | None, weights: str | None, counts: Any
) -> tuple[Release, Floats]:
    """Return a release with one row for each kind of row in a target and the columns that it is predicted from."""
    if weights is not None:
        raise InvalidParameter("counts do not include the weights of rows; fit on the rows, or leave out the weights.")
    aside = {*release.mechanism.made_up, *release.pseudonyms, target}
    others = [a.name for a in release.schema if a.domain is not None] if columns is None else list(columns)
    for name in others:
        release.schema[name]  # refuses a column that is not there
    return counted_rows(release, [target, *(name for name in others if name not in aside)], counts)


def counted_rows(release: Release, columns: Sequence[str], counts: Any) -> tuple[Release, Floats]:
    """Return a release with one row for each kind of row, and how many rows each stands for."""
    made = release.mechanism
    missing = next((what for part, what in MISSING.items() if getattr(made, part)), None)
    if missing is not None:
        raise InvalidParameter(
            "counts are for releases whose columns were perturbed or released unchanged; this one {missing}, so fit it on its rows.",
            missing=missing,
        )
    table = to_arrow(counts)[0]
    sample = release.method.get("sample")
    strata = [fact.name for fact in release.disclosed if fact.name == "strata"]
    drawn = [sample["column"]] if isinstance(sample, Mapping) and strata else []
    needed = [*columns, *drawn, *([made.telling.label] if made.telling is not None else [])]
    lacking = [name for name in dict.fromkeys([*needed, COUNT]) if name not in table.column_names]
    if lacking or COUNT in needed:
        columns = names(dict.fromkeys(needed))
        if lacking:
            raise InvalidParameter(
                "counts must have the columns {columns} and {count!r}, the number of rows; it lacks {lacking}.",
                columns=columns,
                count=COUNT,
                lacking=names(lacking),
            )
        raise InvalidParameter(
            "counts must have the columns {columns} and {count!r}, the number of rows; rename the column {count!r} of "
            "the release.",
            columns=columns,
            count=COUNT,
        )
    given = table.column(COUNT)
    many = np.asarray(given.to_numpy(), dtype=np.float64) if pa.types.is_integer(given.type) else np.full(1, -1.0)
    if given.null_count or np.any(many < 0) or int(many.sum()) != release.rows:
        raise InvalidParameter(
            "counts must be whole numbers that add up to the {rows:row|rows} of the release.", rows=release.rows
        )
    kinds = list(dict.fromkeys(needed))
    own = {part.name: getattr(release, part.name) for part in fields(Release)}
    schema = release.schema.without(*(name for name in release.schema.names() if name not in kinds))
    return Release(**{**own, "held": table.select(kinds), "schema": schema}), many
