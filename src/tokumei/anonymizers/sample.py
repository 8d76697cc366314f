"""Which rows are drawn for a release: a fixed number, fixed numbers in strata, or each row at random."""

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

from tokumei.arrays import Integers
from tokumei.errors import DataError, InvalidParameter
from tokumei.parallel import CHUNK
from tokumei.privacy.sampling import likely_size, share_of
from tokumei.randomness import Key, permutation
from tokumei.randomness.selection import Chooser, Selection, Standing, Tosses
from tokumei.table.coded import CodedTable
from tokumei.table.domain import Categories
from tokumei.table.schema import Attribute, Schema
from tokumei.text import nearest
from tokumei.values import value


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
        ``"released"``: the column is released unchanged, and a person hides only in their stratum. ``"hidden"``: the
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
    """Draw each row independently at random, so that the size of the sample is random too.

    Such a sample guarantees nothing for certain, because it may contain everyone. It is therefore refused unless one of two
    honest forms is chosen.

    Parameters
    ----------
    rate
        The probability of each row to be drawn.
    delta
        The guarantee is solved for a size that the sample exceeds with this probability at most. The release states
        what holds for the size actually drawn.
    redraw_above
        Draw the whole sample again while it is larger than this; the guarantee is solved for this size, and is certain.
    """

    rate: StrictFloat
    delta: StrictFloat | None = None
    redraw_above: StrictInt | None = None
    design: Literal["bernoulli"] = field(default="bernoulli", kw_only=True, repr=False)

    def __post_init__(self) -> None:
        if not 0 < self.rate < 1:
            raise InvalidParameter("rate must lie between 0 and 1. Got {rate:g}.", rate=self.rate)
        if (self.delta is None) == (self.redraw_above is None):
            raise InvalidParameter(
                "a Bernoulli sample may contain everyone, so nothing is guaranteed for certain; choose a fixed "
                "size, or give delta (a guarantee that fails with that probability) or redraw_above (draw again "
                "above that size)."
            )
        if self.delta is not None and not 0 < self.delta < 1:
            raise InvalidParameter("delta must lie between 0 and 1. Got {delta:g}.", delta=self.delta)
        if self.redraw_above is not None and self.redraw_above < 1:
            raise InvalidParameter(
                "redraw_above must be at least 1. Got {redraw_above}.", redraw_above=self.redraw_above
            )


Design = Annotated[Stratified | Bernoulli, Field(discriminator="design")]
Sample = StrictInt | StrictFloat | Design


@dataclass(frozen=True)
class Drawn:
    """The rows that were drawn, in the order of their release, and what is known of the design.

    ``planned`` is the size that a guarantee may count on; ``stratum`` the number of each row's stratum, ``taken`` how many
    were drawn in each.
    """

    order: Integers
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
    size = sample if isinstance(sample, int) else share_of(sample, rows)
    if size > rows:
        raise InvalidParameter("a sample of {size:,} cannot be drawn from {rows:,} rows.", size=size, rows=rows)
    return size


def hidden_columns(sample: Sample | None) -> tuple[str, ...]:
    """Name the columns that are not released: that of strata whose labels are hidden.

    >>> hidden_columns(Stratified("town", 10, labels="hidden"))
    ('town',)
    """
    return (sample.column,) if isinstance(sample, Stratified) and sample.labels == "hidden" else ()


def choose(sample: Sample | None, table: CodedTable, key: Key) -> Drawn:
    """Draw the rows of a release and their order."""
    if sample is None:
        return Drawn(permutation(key.stream("shuffle"), table.rows), table.rows)
    stratum = table.codes(sample.column).astype(np.int64) if isinstance(sample, Stratified) else None
    counts = None if stratum is None else np.bincount(stratum)
    choice = Choice.of(sample, table.rows, table.schema, counts, key)
    chosen = np.flatnonzero(choice.take(table.rows, stratum))
    order = chosen[permutation(key.stream("shuffle"), len(chosen))]
    return Drawn(order, choice.planned, stratum, choice.taken)


@dataclass(frozen=True)
class Choice:
    """Says row by row who is drawn, whatever the rows are: only how many there are is known, and of a stratum's label.

    ``planned`` is the size that a guarantee may count on, ``taken`` how many are drawn in each stratum.
    """

    planned: int
    chooser: Chooser
    taken: npt.NDArray[np.int64] | None = None

    def take(self, count: int, strata: npt.NDArray[np.int64] | None = None) -> npt.NDArray[np.bool_]:
        """Say which of the next rows are drawn; the same key gives the same rows, however they are chunked."""
        return self.chooser.take(count, strata)

    def stand(self) -> Standing:
        """Return where it stands, for somebody who goes on from there."""
        return self.chooser.stand()

    @classmethod
    def of(cls, sample: Sample, rows: int, schema: Schema, counts: npt.NDArray[np.int64] | None, key: Key) -> Choice:
        """Get ready to draw from this many rows; ``counts`` are those of the strata."""
        if isinstance(sample, Bernoulli):
            return _bernoulli(sample, rows, key)
        if isinstance(sample, Stratified):
            assert counts is not None
            counts = np.pad(counts, (0, schema[sample.column].states - len(counts)))
            taken = _stratum_sizes(sample, schema[sample.column], counts)
            return cls(int(taken.sum()), Selection(key.stream("sample"), counts, taken), taken)
        size = fixed_size(sample, rows)
        return cls(size, Selection(key.stream("sample"), [rows], [size]))


def _stratum_sizes(sample: Stratified, attribute: Attribute, counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    if not isinstance(attribute.domain, Categories):
        raise InvalidParameter(
            "the strata column {column!r} must have categories; recode it first.", column=sample.column
        )
    if isinstance(sample.size, dict):
        taken = _named_sizes(sample.size, attribute.domain.labels(), len(counts))
    elif isinstance(sample.size, float):
        taken = [fixed_size(sample.size, int(n)) if n else 0 for n in counts]
    else:
        taken = [sample.size if n else 0 for n in counts]
    for place, (wanted, n) in enumerate(zip(taken, counts, strict=True)):
        if wanted > n:
            label = (*attribute.domain.labels(), "missing")[place]
            if attribute.observed:
                raise DataError(
                    "A stratum of {column!r} has {n:,} rows, so {wanted:,} cannot be drawn from it.",
                    column=sample.column,
                    n=n,
                    wanted=wanted,
                )
            raise DataError(
                "The stratum {label!r} of {column!r} has {n:,} rows, so {wanted:,} cannot be drawn from it.",
                label=label,
                column=sample.column,
                n=n,
                wanted=wanted,
            )
    if not sum(taken):
        raise InvalidParameter("no row would be drawn from any stratum.")
    return np.array(taken, dtype=np.int64)


def _named_sizes(sizes: Mapping[str, int], labels: list[str], states: int) -> list[int]:
    for label in sizes:
        if label not in labels:
            raise InvalidParameter("there is no stratum {label!r}.{hint}", label=label, hint=nearest(label, labels))
    return [sizes.get(label, 0) for label in labels] + [0] * (states - len(labels))


def _bernoulli(sample: Bernoulli, rows: int, key: Key) -> Choice:
    rate = Fraction(Decimal(repr(sample.rate)))
    threshold = math.floor(rate * 2**64)
    if sample.redraw_above is not None:
        largest = sample.redraw_above
        if largest < rate * rows / 2:
            raise InvalidParameter(
                "redraw_above is so far below the expected size that drawing might never end; raise it."
            )
    else:
        assert sample.delta is not None
        largest = rows
    for attempt in range(100_000):
        tosses = Tosses(key.stream("bernoulli", attempt), threshold)
        size = sum(int(tosses.take(min(CHUNK, rows - low)).sum()) for low in range(0, rows, CHUNK))
        if 1 <= size <= largest:
            break
    else:
        raise InvalidParameter("no sample within the size was drawn; raise rate or redraw_above.")
    planned = min(rows, largest) if sample.delta is None else max(1, likely_size(rows, rate, sample.delta))
    return Choice(planned, Tosses(key.stream("bernoulli", attempt), threshold))


def _check_size(size: Any) -> None:
    if isinstance(size, float) and not 0 < size <= 1:
        raise InvalidParameter("a sampling rate must be above 0 and at most 1. Got {size:g}.", size=size)
    if isinstance(size, int) and size < 0:
        raise InvalidParameter("a sample needs at least one row. Got {size}.", size=size)


def describe_sample(sample: Sample | None) -> Any:
    """Return a sample as it appears in a manifest."""
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
