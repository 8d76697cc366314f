"""A domain read from a column: a first guess, which you should check."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tokumei.errors import DataError
from tokumei.table.domain import DEFAULT_PARTS, Categories, Dates, Domain, Numbers, family, plain

FEW = 24  # different whole numbers, at most, are taken for codes; SPSS draws the line between nominal and scale there, too
OFTEN = 2  # rows that each of them needs on average: in a short table even ages are few


def observe(column: Any, few: int = FEW) -> Domain:
    """Read a domain off an Arrow column: its labels in sorted order, or its smallest and largest number.

    A few different whole numbers that come up again and again are taken for codes, such as 1, 2 and 3 for kinds of roofs, and
    become categories. Other numbers become numbers, but no declared quantity: rows do not say whether a mean of them would
    mean something. Whole numbers get a whole step, so that they can be released as whole numbers.

    >>> observe(pa.array([1, 3, 3, 1])), observe(pa.array([1, 3, 3, 1]), few=0)
    (Categories(values=(1, 3), ordered=False), Numbers(low=1, high=3, step=1, quantity=False))
    """
    column = plain(column, decode=True)
    holds = family(column.type)
    if holds == "booleans":
        return Categories((False, True))
    if pa.types.is_timestamp(column.type) and column.type.tz is not None:
        raise DataError("carries a time zone; convert it to one zone and drop it first")
    if holds == "numbers" and not pa.types.is_integer(column.type):
        column = column.cast(pa.float64(), safe=False)
        column = pc.if_else(pc.is_nan(column), pa.scalar(None, pa.float64()), column)
        if pc.any(pc.is_inf(column)).as_py():
            raise DataError("holds infinite numbers; mark them as missing first")
    column = column.drop_null()
    if holds not in {"text", "numbers", "dates"}:
        raise DataError("holds {holds}, for which no domain can be made; drop it or convert it", holds=holds)
    if len(column) == 0:
        raise DataError("has no values to take a domain from; declare one")
    if holds == "text":
        return Categories(tuple(sorted(column.unique().to_pylist())))
    low, high = pc.min_max(column).values()
    if holds == "dates":
        return Dates(_day(low.as_py()), _day(high.as_py()))
    return _numbers(column, low.as_py(), high.as_py(), few)


def _numbers(column: Any, low: Any, high: Any, few: int) -> Domain:
    if max(abs(low), abs(high)) > 2**53:
        raise DataError("holds numbers beyond 2^53, for which no domain can be made; use text, or drop it")
    if not pa.types.is_integer(column.type) and not pc.all(pc.equal(pc.floor(column), column)).as_py():
        return Numbers(low, high, quantity=False)
    different = column.unique()
    if ((low, high) == (0, 1) and len(different) == 2) or OFTEN * len(different) <= min(OFTEN * few, len(column)):
        return Categories(tuple(sorted(int(each) for each in different.to_pylist())))
    step = max(1, -(-int(high - low) // DEFAULT_PARTS))
    return Numbers(int(low), int(low) + step * -(-int(high - low) // step), step=step, quantity=False)


def _day(moment: dt.date) -> dt.date:
    return moment.date() if isinstance(moment, dt.datetime) else moment
