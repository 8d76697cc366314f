"""Which rows are drawn for a release: a fixed number, fixed numbers in strata, or each by the toss of a coin."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field, StrictFloat, StrictInt

from tokumei.errors import DataError, InvalidParameter, nearest
from tokumei.privacy.sampling import likely_size
from tokumei.randomness import Key, permutation
from tokumei.table.coded import CodedTable
from tokumei.table.domain import Categories
from tokumei.table.schema import Attribute
from tokumei.values import value

Order = npt.NDArray[np.int64]


@value
class Stratified:
    """Draw a fixed number of rows in each stratum of a column.

    Parameters
    ----------
    column
        A column of categories; each of its values is a stratum.
    size
        Rows in each stratum: a number for all, a rate for all (between 0 and 1), or a number for each label.
    labels
        ``"released"``: the column is released as it is, and a person hides in his stratum only. ``"hidden"``: the
        column is left out, and a person also hides among the released rows of other strata.
    """

    column: str
    size: StrictInt | StrictFloat | dict[str, StrictInt]
    labels: Literal["released", "hidden"] = "released"
    design: Literal["stratified"] = field(default="stratified", kw_only=True, repr=False)

    def __post_init__(self) -> None:
        sizes = list(self.size.values()) if isinstance(self.size, dict) else [self.size]
        for size in sizes:
            _check_size(size)
        if not sizes:
            raise InvalidParameter("size names no stratum.")


@value
class Bernoulli:
    """Draw each row by the toss of a coin, so that the size of the sample is chance itself.

    Such a sample promises nothing for sure, because it may hold everybody. It is therefore refused unless one of two
    honest forms is chosen.

    Parameters
    ----------
    rate
        The probability of each row to be drawn.
    delta
        The promise is solved for a size that the sample exceeds with this probability at most. The release states
        what holds for the size that came out.
    redraw_above
        Draw the whole sample again while it is larger than this; the promise is solved for this size, and is sure.
    """

    rate: StrictFloat
    delta: StrictFloat | None = None
    redraw_above: StrictInt | None = None
    design: Literal["bernoulli"] = field(default="bernoulli", kw_only=True, repr=False)

    def __post_init__(self) -> None:
        if not 0 < self.rate < 1:
            raise InvalidParameter(f"rate must lie between 0 and 1. Got {self.rate:g}.")
        if (self.delta is None) == (self.redraw_above is None):
            raise InvalidParameter(
                "a Bernoulli sample may hold everybody, so it promises nothing for sure; choose a fixed size, or give "
                "delta (a promise that fails with that probability) or redraw_above (draw again above that size)."
            )
        if self.delta is not None and not 0 < self.delta < 1:
            raise InvalidParameter(f"delta must lie between 0 and 1. Got {self.delta:g}.")
        if self.redraw_above is not None and self.redraw_above < 1:
            raise InvalidParameter(f"redraw_above must be at least 1. Got {self.redraw_above}.")


Design = Annotated[Stratified | Bernoulli, Field(discriminator="design")]
Sample = StrictInt | StrictFloat | Design


@dataclass(frozen=True)
class Drawn:
    """The rows that were drawn, in the order of their release, and what is known of the design.

    ``planned`` is the size that a promise may count on; ``stratum`` the number of each row's stratum, ``taken`` how many
    were drawn in each.
    """

    order: Order
    planned: int
    stratum: npt.NDArray[np.int64] | None = None
    taken: npt.NDArray[np.int64] | None = None


def check_sample(sample: Sample | None) -> None:
    """Refuse a fixed size or rate that cannot be."""
    if isinstance(sample, int | float):
        _check_size(sample)
        if not sample:
            raise InvalidParameter("a sample needs at least one row.")


def fixed_size(sample: float, rows: int) -> int:
    """Return the size that a number of rows or a rate means, the rate read as the decimal it is written as.

    >>> fixed_size(0.29, 100), fixed_size(30, 100)
    (29, 30)
    """
    size = sample if isinstance(sample, int) else max(1, math.floor(Fraction(Decimal(repr(sample))) * rows))
    if size > rows:
        raise InvalidParameter(f"a sample of {size:,} cannot be drawn from {rows:,} rows.")
    return size


def choose(sample: Sample | None, table: CodedTable, key: Key) -> Drawn:
    """Draw the rows of a release and their order."""
    order = permutation(key.stream("shuffle"), table.rows)
    if sample is None:
        return Drawn(order, table.rows)
    if isinstance(sample, Stratified):
        return _stratified(sample, table, order, key)
    if isinstance(sample, Bernoulli):
        return _bernoulli(sample, table.rows, order, key)
    size = fixed_size(sample, table.rows)
    return Drawn(order[:size], size)


def _stratified(sample: Stratified, table: CodedTable, order: Order, key: Key) -> Drawn:
    stratum = table.codes(sample.column).astype(np.int64)
    counts = np.bincount(stratum, minlength=table.schema[sample.column].states)
    taken = stratum_sizes(sample, table.schema[sample.column], counts)
    # Go through the rows in the order of the shuffle and take the first of each stratum, then shuffle again: who came
    # early would otherwise tell how thinly his stratum was sampled.
    by_stratum = order[np.argsort(stratum[order], kind="stable")]
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    place = np.arange(len(order)) - np.repeat(starts, counts)
    chosen = by_stratum[place < np.repeat(taken, counts)]
    chosen = chosen[permutation(key.stream("shuffle", "strata"), len(chosen))]
    return Drawn(chosen, len(chosen), stratum, taken)


def stratum_sizes(sample: Stratified, attribute: Attribute, counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return how many rows are drawn from each stratum, so many rows being there."""
    if not isinstance(attribute.domain, Categories):
        raise InvalidParameter(f"the strata column {sample.column!r} must have categories; recode it first.")
    if isinstance(sample.size, dict):
        taken = _named_sizes(sample.size, attribute.domain.labels(), len(counts))
    elif isinstance(sample.size, float):
        taken = [fixed_size(sample.size, int(n)) if n else 0 for n in counts]
    else:
        taken = [sample.size if n else 0 for n in counts]
    for place, (wanted, n) in enumerate(zip(taken, counts, strict=True)):
        if wanted > n:
            label = (*attribute.domain.labels(), "missing")[place]
            which = "A stratum" if attribute.observed else f"The stratum {label!r}"
            raise DataError(f"{which} of {sample.column!r} has {n:,} rows, so {wanted:,} cannot be drawn from it.")
    if not sum(taken):
        raise InvalidParameter("no row would be drawn from any stratum.")
    return np.array(taken, dtype=np.int64)


def _named_sizes(sizes: Mapping[str, int], labels: list[str], states: int) -> list[int]:
    for label in sizes:
        if label not in labels:
            raise InvalidParameter(f"there is no stratum {label!r}.{nearest(label, labels)}")
    return [sizes.get(label, 0) for label in labels] + [0] * (states - len(labels))


def bernoulli_threshold(sample: Bernoulli, rows: int) -> int:
    """Return the word below which a row is drawn, and refuse a largest size that hardly ever comes up."""
    rate = Fraction(Decimal(repr(sample.rate)))
    if sample.redraw_above is not None and sample.redraw_above < rate * rows / 2:
        raise InvalidParameter(
            "redraw_above is so far below the expected size that drawing would hardly end; raise it."
        )
    return math.floor(rate * 2**64)


def planned_size(sample: Bernoulli, rows: int) -> int:
    """Return the size that a promise may count on: the largest allowed, or one that is hardly ever exceeded."""
    if sample.delta is None:
        assert sample.redraw_above is not None
        return min(rows, sample.redraw_above)
    return max(1, likely_size(rows, Fraction(Decimal(repr(sample.rate))), sample.delta))


def _bernoulli(sample: Bernoulli, rows: int, order: Order, key: Key) -> Drawn:
    threshold = np.uint64(bernoulli_threshold(sample, rows))
    largest = rows if sample.redraw_above is None else sample.redraw_above
    for attempt in range(100_000):
        chosen = key.stream("bernoulli", attempt).words(0, rows) < threshold
        if 1 <= int(chosen.sum()) <= largest:
            break
    else:
        raise InvalidParameter("no sample within the size came up; raise rate or redraw_above.")
    return Drawn(order[chosen[order]], planned_size(sample, rows))


def _check_size(size: Any) -> None:
    if isinstance(size, float) and not 0 < size <= 1:
        raise InvalidParameter(f"a sampling rate must lie above 0 and be at most 1. Got {size:g}.")
    if isinstance(size, int) and size < 0:
        raise InvalidParameter(f"a sample needs at least one row. Got {size}.")


def describe_sample(sample: Sample | None) -> Any:
    """Return a sample as it stands in a manifest."""
    if isinstance(sample, Stratified):
        return {"design": sample.design, "column": sample.column, "size": sample.size, "labels": sample.labels}
    if isinstance(sample, Bernoulli):
        return {
            "design": sample.design,
            "rate": sample.rate,
            "delta": sample.delta,
            "redraw_above": sample.redraw_above,
        }
    return sample
