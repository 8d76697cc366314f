"""Rows of a tree made by a rule: each value of a domain with its coarser labels, most specific first."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from typing import Any, Literal, get_args

import numpy as np

from tokumei.bounds import LARGEST_TREE, LONGEST_TREE, MOST_LEVELS
from tokumei.errors import InvalidParameter
from tokumei.table.domain import Categories, Dates, Numbers
from tokumei.text import names

Rows = tuple[tuple[str, ...], ...]
Period = Literal["day", "month", "quarter", "half", "year", "decade"]
ROOT = "*"


def check_levels(values: int, levels: int, length: int = 0) -> None:
    """Refuse a hierarchy of this many values and levels, its labels being of some length, that it would not fit."""
    if levels > MOST_LEVELS:
        raise InvalidParameter("a hierarchy may have at most {most_levels} levels.", most_levels=MOST_LEVELS)
    if values * (levels + 1) > LARGEST_TREE or values * (levels + 1) * length > LONGEST_TREE:
        raise InvalidParameter(
            "a hierarchy of {levels:level|levels} over {values:value|values} is too large; leave out levels, or coarsen the "
            "domain.",
            levels=levels,
            values=values,
        )


def mask_rows(domain: Categories, keep: Sequence[int] | None, mask: str) -> Rows:
    """Hide the ends of codes, such as postal ones: at each level this many characters are kept."""
    labels = domain.labels()
    lengths = sorted({len(label) for label in labels})
    if len(lengths) > 1:
        raise InvalidParameter(
            "masks needs values of one length, and these have {shortest} to {longest} characters; pad them.",
            shortest=lengths[0],
            longest=lengths[-1],
        )
    if len(mask) != 1:
        raise InvalidParameter("mask must be one character.")
    if any(mask in label for label in labels):
        raise InvalidParameter("the values contain the mask {mask!r} themselves; choose another character.", mask=mask)
    kept = list(range(lengths[0] - 1, -1, -1)) if keep is None else list(keep)
    if not kept or not all(0 <= shorter < longer for longer, shorter in zip([lengths[0], *kept], kept, strict=False)):
        raise InvalidParameter(
            "keep must decrease from level to level, from below {shortest} to 0. Got {kept}.",
            shortest=lengths[0],
            kept=kept,
        )
    check_levels(len(labels), len(kept), lengths[0])
    return tuple((label, *(label[:n] + mask * (lengths[0] - n) for n in kept)) for label in labels)


def date_rows(domain: Dates, periods: Sequence[Period]) -> Rows:
    """Name the month, quarter, half-year, year or decade that each date lies in."""
    known = get_args(Period)
    if not periods or any(period not in known for period in periods):
        raise InvalidParameter("periods must be some of {known}.", known=names(known))
    places = [known.index(period) for period in periods]
    if places != sorted(set(places)):
        raise InvalidParameter("periods must get longer from level to level.")
    check_levels(domain.size, len(periods))
    moments = domain.values_of(np.arange(domain.size)).to_pylist()
    named = [PERIODS[period] for period in periods]
    return tuple((label, *(name(at) for name in named)) for label, at in zip(domain.labels(), moments, strict=True))


def _half(at: dt.date) -> str:
    return f"{at.year:04d}-H{(at.month + 5) // 6}"


PERIODS: dict[str, Callable[[Any], str]] = {
    "day": lambda at: f"{at.year:04d}-{at.month:02d}-{at.day:02d}",
    "month": lambda at: f"{at.year:04d}-{at.month:02d}",
    "quarter": lambda at: f"{at.year:04d}-Q{(at.month + 2) // 3}",
    "half": _half,
    "year": lambda at: f"{at.year:04d}",
    "decade": lambda at: f"{at.year // 10 * 10:04d}s",
}


def order_rows(domain: Categories | Numbers | Dates, fanout: Sequence[int]) -> Rows:
    """Join neighbours: this many values at the first level, this many of its groups at the second, and all at the last."""
    if isinstance(domain, Categories) and not domain.ordered:
        raise InvalidParameter(
            "order needs an ordered domain; set ordered=True if the order of its labels means something."
        )
    if not fanout or any(n < 2 for n in fanout):
        raise InvalidParameter("fanout must be whole numbers of at least 2.")
    check_levels(domain.size, len(fanout) + 1)
    labels = domain.labels()
    columns, width = [labels], 1
    for n in fanout:
        width *= n
        if width >= len(labels):
            raise InvalidParameter(
                "fanout joins {width:value|values} at its last level, and the domain has {labels:,}; leave it out.",
                width=width,
                labels=len(labels),
            )
        columns.append(
            [stretch_label(labels, at // width * width, at // width * width + width - 1) for at in range(len(labels))]
        )
    return tuple(zip(*columns, [ROOT] * len(labels), strict=True))


def stretch_label(labels: Sequence[str], low: int, high: int) -> str:
    """Name a stretch of ordered values by its ends.

    >>> stretch_label(["a", "b", "c"], 1, 5), stretch_label(["a", "b", "c"], 2, 2)
    ('[b, c]', 'c')
    """
    high = min(high, len(labels) - 1)
    return labels[low] if low == high else f"[{labels[low]}, {labels[high]}]"
