"""Domains: the values a column may take, declared rather than read from the rows.

Every domain numbers its values ``0 .. size - 1``. Inside the library a column is an array of those codes; the
values themselves exist only at the edge. A *number* or a *date* always lives on a grid, because a double drawn
from a continuous law betrays in its low bits which input it came from.

A missing cell has the code ``size``, one past the last value.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pydantic
from pydantic import StrictBool, StrictInt, StrictStr

from tokumei.arrays import Booleans, Codes, Integers
from tokumei.bounds import LARGEST_DOMAIN, finite
from tokumei.errors import DataError, InvalidParameter
from tokumei.messages import Phrase, phrase
from tokumei.values import value

Label = StrictBool | StrictInt | StrictStr

COARSER = 8  # than the spacing of doubles a grid must be by so much, that no two points are the same one
DEFAULT_PARTS = 2**16
LARGEST_LABEL = 2**53  # up to here doubles are whole numbers
ROUNDING = 4  # a double that is this many spacings off a declared point is that point
OUTSIDE = -1


@dataclass(frozen=True)
class Coded:
    """A column as codes: `OUTSIDE` marks values that the domain does not have, ``size`` marks missing cells.

    ``off`` says which cells lie between the points of the domain's grid; None where it has no grid.
    """

    codes: Integers
    off: Booleans | None = None

    @property
    def rounded(self) -> int:
        """How many cells lie between the points of the grid."""
        return 0 if self.off is None else int(np.count_nonzero(self.off))

    @property
    def outside(self) -> int:
        """How many cells lie outside the domain."""
        return int(np.count_nonzero(self.codes == OUTSIDE))


def _labels(given: Any) -> Any:
    """Take whole numbers for labels however they are stored, and refuse what cannot be one."""
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        return given
    return tuple(_label(each) for each in given)


def _label(given: Any) -> Any:
    if given is None or given != given:  # noqa: PLR0124  (no number is not itself, but NaN)
        raise InvalidParameter(
            "a missing value is not a label; leave it out (in pandas dropna().unique()), and set missing=True for the column."
        )
    if isinstance(given, float | Decimal):
        if not finite(float(given)) or given != int(given):
            raise InvalidParameter(
                "labels must be text, whole numbers or booleans, not numbers with a fraction; use Numbers, or text."
            )
        return int(given)
    if isinstance(given, dt.date):
        raise InvalidParameter("labels must be text, whole numbers or booleans, not dates; use Dates, or text.")
    return given


@value
class Categories:
    """A finite list of labels: all text, all whole numbers, or all booleans.

    Parameters
    ----------
    values
        The labels, each once: a list, or an array, series or index of numpy, pandas, polars or pyarrow. Whole numbers may be
        stored as floats, as pandas does beside missing cells. Their order is the order of the codes, and of an ordered domain.
    ordered
        Whether the order of the labels means something (school grades do, countries do not).

    Examples
    --------
    >>> Categories(["Female", "Male"]).size
    2
    >>> Categories(np.array([2.0, 1.0])).values
    (2, 1)
    >>> Categories(["low", "low"])
    Traceback (most recent call last):
    tokumei.errors.InvalidParameter: Categories: the label 'low' is listed twice.
    """

    values: Annotated[tuple[Label, ...], pydantic.BeforeValidator(_labels)]
    ordered: bool = False
    kind: Literal["categories"] = field(default="categories", kw_only=True, repr=False)

    def __post_init__(self) -> None:
        if not self.values:
            raise InvalidParameter("a domain needs at least one label.")
        kinds = {type(label) for label in self.values}
        if len(kinds) > 1:
            raise InvalidParameter("labels must be all text, all whole numbers or all booleans, not a mixture.")
        seen: set[Label] = set()
        for label in self.values:
            if label in seen:
                raise InvalidParameter("the label {label!r} is listed twice.", label=label)
            if isinstance(label, int) and abs(label) > LARGEST_LABEL:
                raise InvalidParameter("whole-number labels must not exceed 2^53 in size; use text labels.")
            seen.add(label)
        _check_size(len(self.values))

    @property
    def size(self) -> int:
        """How many values there are, missing not counted."""
        return len(self.values)

    @cached_property
    def arrow(self) -> Any:
        """The labels as an Arrow array, in code order."""
        return pa.array(self.values)

    def describe(self) -> str:
        """Say in words what the domain is."""
        return phrase("{size:category|categories}", size=self.size)

    def labels(self) -> list[str]:
        """Return the labels as text, in code order."""
        return [str(label) for label in self.values]

    def code(self, column: Any) -> Coded:
        """Translate an Arrow column into codes."""
        column = plain(column)
        if pa.types.is_dictionary(column.type):
            table = self.code(column.dictionary).codes
            indices = column.indices.fill_null(len(table)).to_numpy(zero_copy_only=False)
            return Coded(np.append(table, self.size)[indices])
        missing = pc.is_null(column, nan_is_null=True).to_numpy(zero_copy_only=False)
        if pa.types.is_null(column.type):
            return Coded(np.full(len(column), self.size, dtype=np.int64))
        if family(column.type) != family(self.arrow.type):
            raise DataError(
                "holds {holds} but its domain lists {wanted}", holds=family(column.type), wanted=family(self.arrow.type)
            )
        if pa.types.is_decimal(column.type):  # exactly: as doubles, 1.00000000000000000001 would be 1
            coded, place = column.dictionary_encode(), {label: code for code, label in enumerate(self.values)}
            found = pa.array([place.get(each) for each in coded.dictionary.to_pylist()], pa.int64()).take(coded.indices)
        elif pa.types.is_floating(column.type):  # whole-number labels beside missing cells, in pandas
            found = pc.index_in(column.cast(pa.float64()), value_set=self.arrow.cast(pa.float64()))
        elif pa.types.is_uint64(column.type):  # no label is larger than half of what it holds
            large = pc.greater(column, pa.scalar(LARGEST_LABEL, pa.uint64()))
            found = pc.index_in(pc.if_else(large, None, column).cast(self.arrow.type), value_set=self.arrow)
        else:
            found = pc.index_in(column.cast(self.arrow.type), value_set=self.arrow)
        codes = pc.fill_null(found, OUTSIDE).to_numpy(zero_copy_only=False).astype(np.int64)
        codes[missing] = self.size
        return Coded(codes)

    def values_of(self, codes: Codes) -> Any:
        """Translate codes back into an Arrow array; the code ``size`` becomes null."""
        indices = pa.array(codes.astype(np.int32), mask=np.asarray(codes == self.size))
        return self.arrow.take(indices)


@value
class Numbers:
    """Numbers from ``low`` to ``high`` on a grid.

    Parameters
    ----------
    low, high
        The declared bounds, both included.
    step
        The distance of two grid points; ``high`` must be a whole number of steps above ``low``. Without it the
        range is cut into 2^16 parts. Methods that draw noise or make cells coarser move inputs to the nearest grid point
        before anything else happens; others release them as they came.
    quantity
        Whether the numbers measure or count something, so that a mean of them means something too. Codes for kinds of
        things do not, even if they are written in digits: give those to `Categories`. Numbers that were read from rows are no
        declared quantity: their means are not released.

    Examples
    --------
    >>> Numbers(17, 90, step=1).size
    74
    >>> Numbers(0, 1).size
    65537
    >>> Numbers(0, 1, step=0.3)
    Traceback (most recent call last):
    tokumei.errors.InvalidParameter: Numbers: high must lie a whole number of steps above low: 0.9 or 1.2.
    """

    low: int | float
    high: int | float
    step: int | float | None = None
    quantity: StrictBool = field(default=True, kw_only=True)
    kind: Literal["numbers"] = field(default="numbers", kw_only=True, repr=False)

    def __post_init__(self) -> None:
        for name in ("low", "high", "step"):
            given = getattr(self, name)
            if given is not None and (isinstance(given, bool) or not finite(given) or abs(given) > 2**53):
                raise InvalidParameter("{name} must be a finite number of at most 2^53 in size.", name=name)
        if self.low > self.high:
            raise InvalidParameter("low must not be above high. Got {low} and {high}.", low=self.low, high=self.high)
        if self.step is not None:
            if self.step <= 0:
                raise InvalidParameter("step must be above zero. Got {step}.", step=self.step)
            parts = (exact(self.high) - exact(self.low)) / exact(self.step)
            if parts.denominator != 1:
                below = float(exact(self.low) + math.floor(parts) * exact(self.step))
                above = float(exact(self.low) + math.ceil(parts) * exact(self.step))
                raise InvalidParameter(
                    "high must lie a whole number of steps above low: {below:g} or {above:g}.", below=below, above=above
                )
        if self.low < self.high and not self.whole and self._step < COARSER * math.ulp(max(-self.low, self.high)):
            raise InvalidParameter("the grid is finer than the precision of numbers of this size; give a larger step.")
        _check_size(self.size)

    def __repr__(self) -> str:
        quantity = "" if self.quantity else ", quantity=False"
        return f"Numbers(low={self.low!r}, high={self.high!r}, step={self.step!r}{quantity})"

    @cached_property
    def size(self) -> int:
        """How many grid points there are."""
        return 1 + int((exact(self.high) - exact(self.low)) / self._step) if self.high > self.low else 1

    @cached_property
    def _step(self) -> Fraction:
        if self.step is not None:
            return exact(self.step)
        return (exact(self.high) - exact(self.low)) / DEFAULT_PARTS

    @property
    def whole(self) -> bool:
        """Whether every grid point is a whole number."""
        return exact(self.low).denominator == 1 and (self.size == 1 or self._step.denominator == 1)

    @cached_property
    def points(self) -> npt.NDArray[Any]:
        """Every grid point, each the double nearest to its exact value (integers where all are whole)."""
        low, step = exact(self.low), self._step
        if self.whole:
            return int(low) + int(step) * np.arange(self.size, dtype=np.int64)
        scale = math.lcm(low.denominator, step.denominator)
        top, stride = int(low * scale), int(step * scale)
        if max(abs(top), abs(top + stride * self.size), scale) < 2**53:
            return (top + stride * np.arange(self.size, dtype=np.int64)) / scale
        return np.array([(top + stride * place) / scale for place in range(self.size)])  # whole numbers divide exactly

    def describe(self) -> str:
        """Say in words what the domain is."""
        if self.step is not None:
            return phrase("numbers {low:g} to {high:g}, step {step:g}", low=self.low, high=self.high, step=self.step)
        return phrase("numbers {low:g} to {high:g}, {parts:,} parts", low=self.low, high=self.high, parts=DEFAULT_PARTS)

    def labels(self) -> list[str]:
        """Return the grid points as text, in code order."""
        return [number_text(point) for point in self.points.tolist()]

    def code(self, column: Any) -> Coded:
        """Translate an Arrow column into codes, rounding to the nearest grid point."""
        column = plain(column, decode=True)
        if not (family(column.type) == "numbers" or pa.types.is_null(column.type)):
            raise DataError("holds {holds} but its domain is numbers", holds=family(column.type))
        slack = 4 * max(abs(self.low), abs(self.high)) * (2.0**-23 if column.type == pa.float32() else 2.0**-52)
        given = column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
        missing = np.isnan(given)
        with np.errstate(invalid="ignore", over="ignore"):
            inside = (given >= self.low - slack) & (given <= self.high + slack)
            place = (given - self.low) / float(self._step) if self.size > 1 else np.zeros(len(given))
        codes = np.full(len(given), OUTSIDE, dtype=np.int64)
        codes[inside] = np.clip(np.rint(place[inside]), 0, self.size - 1).astype(np.int64)
        codes[missing] = self.size
        return Coded(codes, self._off(column, given, codes))

    def _off(self, column: Any, given: Any, codes: Any) -> Booleans:
        """Say which cells are no points of the grid; on a declared one, what is off by rounding errors is on it."""
        there = (codes >= 0) & (codes < self.size)
        points = self.points[np.where(there, codes, 0)]
        if pa.types.is_decimal(column.type):
            return there & _differ(column, points)
        near: Any = 0.0
        if column.type == pa.float32():
            points = points.astype(np.float32)
        elif pa.types.is_float64(column.type) and self.step is not None:
            near = ROUNDING * np.spacing(np.maximum(np.abs(points), self.step).astype(np.float64))
        with np.errstate(invalid="ignore"):
            return np.asarray(there & (np.abs(given - points) > near))

    def settled(self, cells: Any, coded: Coded) -> Any:
        """Return canonical cells, those put on their point of the grid that are off it by rounding errors only.

        So 0.1 + 0.2 and 0.3 are one value of a grid of tenths, counted and released as one.
        """
        if self.step is None or not pa.types.is_float64(cells.type):
            return cells
        assert coded.off is not None
        given = cells.to_numpy(zero_copy_only=False)
        points = np.append(self.points, 0).astype(np.float64)[coded.codes]
        near = ~coded.off & (coded.codes < self.size) & (given != points)
        return pa.array(np.where(near, points, given), mask=np.isnan(given)) if near.any() else cells

    def moves(self) -> str:
        """Say how far a value may lie from its point of the grid."""
        return phrase("by at most {half_step:.3g}", half_step=self.half_step)

    @property
    def half_step(self) -> float:
        """How far a value may lie from its point of the grid."""
        return float(self._step / 2)

    def first_code(self, edge: Any) -> int:
        """Return the code of the first grid point that is not below ``edge``."""
        if isinstance(edge, dt.date):
            raise InvalidParameter("the edges of numbers must be numbers, not dates.")
        if not finite(edge):
            raise InvalidParameter("the edges of numbers must be finite.")
        return math.ceil((exact(edge) - exact(self.low)) / self._step) if self.size > 1 else int(edge > self.low)

    def values_of(self, codes: Codes) -> Any:
        """Translate codes back into an Arrow array; the code ``size`` becomes null."""
        return pa.array(np.append(self.points, 0)[codes], mask=np.asarray(codes == self.size))


UNITS = {"day": 86_400_000_000, "hour": 3_600_000_000, "minute": 60_000_000, "second": 1_000_000}
Unit = Literal["day", "hour", "minute", "second"]


def _moment(given: Any) -> Any:
    """Read ISO text, a day as a day and a time as a time."""
    if isinstance(given, dt.date):
        return given
    try:
        return dt.date.fromisoformat(given) if len(given) == 10 else dt.datetime.fromisoformat(given)
    except (TypeError, ValueError):
        raise InvalidParameter("a bound must be a date such as 2020-01-31.") from None


Moment = Annotated[dt.datetime | dt.date, pydantic.BeforeValidator(_moment)]


@value
class Dates:
    """Dates or times from ``low`` to ``high``, on a grid of this many days, hours, minutes or seconds.

    Inputs are cut down to their grid point: with the default, a time of day is dropped.

    Examples
    --------
    >>> import datetime as dt
    >>> Dates(dt.date(2020, 1, 1), dt.date(2020, 12, 31)).size
    366
    """

    low: Moment
    high: Moment
    step: int = 1
    unit: Unit = "day"
    kind: Literal["dates"] = field(default="dates", kw_only=True, repr=False)

    def __post_init__(self) -> None:
        if self.step < 1:
            raise InvalidParameter("step must be a whole number of at least 1. Got {step}.", step=self.step)
        if any(isinstance(end, dt.datetime) and end.tzinfo is not None for end in (self.low, self.high)):
            raise InvalidParameter("bounds must carry no time zone; convert them to one zone and drop it.")
        if self._low > _microseconds(self.high):
            raise InvalidParameter("low must not be after high. Got {low} and {high}.", low=self.low, high=self.high)
        _check_size(self.size)

    @property
    def _low(self) -> int:
        return _microseconds(self.low)

    @property
    def _step(self) -> int:
        return self.step * UNITS[self.unit]

    @property
    def size(self) -> int:
        """How many grid points there are."""
        return 1 + (_microseconds(self.high) - self._low) // self._step

    def describe(self) -> str:
        """Say in words what the domain is."""
        return phrase(
            "dates {low} to {high}, every {width}", low=self.low, high=self.high, width=_width(self.step, self.unit)
        )

    def labels(self) -> list[str]:
        """Return the grid points as text, in code order."""
        return [str(point) for point in self.values_of(np.arange(self.size)).to_pylist()]

    def code(self, column: Any) -> Coded:
        """Translate an Arrow column into codes, cutting down to the grid point before."""
        column = plain(column, decode=True)
        if pa.types.is_timestamp(column.type) and column.type.tz is not None:
            raise DataError("carries a time zone; convert it to one zone and drop it first")
        if family(column.type) != "dates" and not pa.types.is_null(column.type):
            raise DataError("holds {holds} but its domain is dates; parse it first", holds=family(column.type))
        missing = pc.is_null(column).to_numpy(zero_copy_only=False)
        stamps = _stamps(column)
        last = _microseconds(self.high) + UNITS[self.unit] - 1  # a time within the last day is within the domain
        inside = (stamps >= self._low) & (stamps <= last) & ~missing
        since = np.where(inside, stamps, self._low) - self._low
        codes = np.where(inside, since // self._step, OUTSIDE)
        codes[missing] = self.size
        off = since % self._step != 0
        if pa.types.is_timestamp(column.type) and column.type.unit == "ns":
            off |= inside & (column.cast(pa.int64()).fill_null(0).to_numpy(zero_copy_only=False) % 1000 != 0)
        return Coded(codes, off)

    def moves(self) -> str:
        """Say how far a value may lie from its point of the grid."""
        return phrase("by less than {width}", width=_width(self.step, self.unit))

    def first_code(self, edge: Any) -> int:
        """Return the code of the first grid point that is not before ``edge``."""
        if not isinstance(edge, dt.date):
            raise InvalidParameter("the edges of dates must be dates, such as 2020-01-31.")
        return -((self._low - _microseconds(edge)) // self._step)

    def values_of(self, codes: Codes) -> Any:
        """Translate codes back into an Arrow array of days or timestamps; the code ``size`` becomes null."""
        stamps = self._low + codes.astype(np.int64) * self._step
        made = pa.array(stamps, mask=np.asarray(codes == self.size)).cast(pa.timestamp("us"))
        return made.cast(pa.date32()) if self.unit == "day" and self._low % UNITS["day"] == 0 else made


Domain = Categories | Numbers | Dates
AnyDomain = Annotated[Domain, pydantic.Field(discriminator="kind")]


def code_type(domain: Domain) -> type[np.unsignedinteger[Any]]:
    """Return the smallest unsigned type that holds the domain's codes and the code for missing."""
    for kind in (np.uint8, np.uint16):
        if domain.size <= np.iinfo(kind).max:
            return kind
    return np.uint32


def _check_size(size: int) -> None:
    if size > LARGEST_DOMAIN:
        raise InvalidParameter(
            "a domain may have at most {largest_domain:,} values, this one has {size:,}; coarsen it.",
            largest_domain=LARGEST_DOMAIN,
            size=size,
        )


def exact(number: float) -> Fraction:
    """Read a number as the decimal it is written as: 0.1 is a tenth here."""
    return Fraction(Decimal(repr(number)))


def number_text(number: float) -> str:
    """Write a number in six digits where they are exact, else in as few as read back as the same number.

    >>> number_text(0.5), number_text(1234567.0), number_text(0.1234567)
    ('0.5', '1234567', '0.1234567')
    """
    if isinstance(number, int):
        return str(number)
    short = f"{number:g}"
    return short if "e" not in short and float(short) == number else repr(number).removesuffix(".0")


def _differ(column: Any, points: Any) -> Booleans:
    """Say which decimals are not the points, exactly: as doubles, 1.00000000000000000001 would be 1."""
    coded = column.dictionary_encode()
    which = coded.indices.fill_null(len(coded.dictionary)).to_numpy(zero_copy_only=False)
    example = np.zeros(len(coded.dictionary) + 1, dtype=np.int64)
    example[which] = np.arange(len(which))
    pairs = zip(coded.dictionary.to_pylist(), points[example[:-1]].tolist(), strict=True)
    return np.array([*(Fraction(cell) != exact(point) for cell, point in pairs), False])[which]


def _stamps(column: Any) -> Integers:
    """Return an Arrow column of days or times as whole microseconds, cut down; what lies too far off saturates."""
    if pa.types.is_date(column.type):
        column = whole_days(column).cast(pa.timestamp("s"))
    if pa.types.is_null(column.type):
        column = column.cast(pa.timestamp("s"))
    unit = column.type.unit
    ticks = column.cast(pa.int64()).fill_null(0).to_numpy(zero_copy_only=False)
    if unit == "ns":
        return ticks // 1000
    factor = {"s": 1_000_000, "ms": 1000, "us": 1}[unit]
    bound = np.iinfo(np.int64).max // factor
    return np.clip(ticks, -bound, bound) * factor


def whole_days(column: Any) -> Any:
    """Return an Arrow column of days as days, where they are stored in milliseconds, some of which may be left over."""
    if pa.types.is_date32(column.type):
        return column
    ticks = column.cast(pa.int64()).fill_null(0).to_numpy(zero_copy_only=False) // (UNITS["day"] // 1000)
    missing = column.is_null().to_numpy(zero_copy_only=False)
    return pa.array(ticks.astype(np.int32), mask=missing).cast(pa.date32())


def _microseconds(moment: dt.date) -> int:
    full = moment if isinstance(moment, dt.datetime) else dt.datetime(moment.year, moment.month, moment.day)
    return (full - dt.datetime(1970, 1, 1)) // dt.timedelta(microseconds=1)


def plain(column: Any, decode: bool = False) -> Any:
    """Return one contiguous array; with ``decode`` a dictionary is replaced by its values."""
    if isinstance(column, pa.ChunkedArray) and column.num_chunks > 1:  # which would copy a single one, too
        column = column.combine_chunks()
    if isinstance(column, pa.ChunkedArray):
        column = column.chunk(0) if column.num_chunks else pa.array([], column.type)
    if decode and pa.types.is_dictionary(column.type):
        return column.dictionary_decode()
    return column


def cast_values(values: Any, kind: Any) -> Any:
    """Cast values of a domain to the type of a column: times to whole days too, where that is what the column holds."""
    if pa.types.is_decimal(kind) and pa.types.is_integer(
        values.type
    ):  # Arrow refuses short ones, whatever the numbers are
        values = values.cast(pa.decimal256(76, kind.scale))
    return values.cast(kind, safe=not (pa.types.is_floating(kind) or pa.types.is_temporal(kind)))


FAMILIES: Sequence[tuple[str, tuple[Any, ...]]] = (
    (phrase("booleans"), (pa.types.is_boolean,)),
    (phrase("numbers"), (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal)),
    (phrase("text"), (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)),
    (phrase("dates"), (pa.types.is_date, pa.types.is_timestamp)),
    (phrase("times of day"), (pa.types.is_time, pa.types.is_duration)),
    (phrase("bytes"), (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_fixed_size_binary)),
    (phrase("nothing but missing cells"), (pa.types.is_null,)),
)


def _width(step: int, unit: Unit) -> Phrase:
    """Say how long some steps are."""
    if unit == "day":
        return phrase("{step:day|days}", step=step)
    if unit == "hour":
        return phrase("{step:hour|hours}", step=step)
    if unit == "minute":
        return phrase("{step:minute|minutes}", step=step)
    return phrase("{step:second|seconds}", step=step)


def family(kind: Any) -> str:
    """Name what an Arrow type holds, as a person would."""
    if pa.types.is_dictionary(kind):
        return family(kind.value_type)
    if pa.types.is_int64(kind):  # the commonest, and the type of whole-number labels
        return "numbers"
    for name, tests in FAMILIES:
        if any(test(kind) for test in tests):
            return name
    return phrase("values of type {kind}", kind=kind)
