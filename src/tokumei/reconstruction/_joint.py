"""The pieces of a joint table: its axes, the released rows counted along them, and the groups that it may consist of."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei.arrays import Booleans, Floats, Integers
from tokumei.errors import InvalidParameter
from tokumei.mechanism.boxes import Inside
from tokumei.mechanism.channel import Conditional, Kept
from tokumei.mechanism.coarsening import Coarsened
from tokumei.mechanism.grouping import Grouping
from tokumei.reconstruction._columns import relabelled
from tokumei.reconstruction._em import Fit, maximise
from tokumei.reconstruction._recoded import Way, box_likelihood
from tokumei.release.artifact import Release
from tokumei.table.bins import equal_edges
from tokumei.table.classes import rows_of_classes
from tokumei.table.domain import Categories
from tokumei.table.hierarchy import Edge, Hierarchy
from tokumei.table.schema import Attribute

FINE = 128  # a column with up to this many values is reconstructed value by value unless bins are asked for
DEFAULT_BINS = 20
RELEASED_BINS = 512
GROUP_BINS = 64  # released values of one group are looked at in this many bins
LARGEST_TABLE = 10**8


@dataclass(frozen=True)
class TableAxis:
    """One column of the joint table: its conditional, the released codes in bins, and what the bins are called."""

    attribute: Attribute
    conditional: Conditional
    released: Integers
    labels: Any  # an Arrow array, null for missing
    covers: Booleans | None = None  # which values a released label may stand for, where groups were recoded
    true_bin: Integers | None = None


def table_axis(release: Release, name: str, bins: int | Sequence[Edge] | None, used: Booleans, way: Way) -> TableAxis:
    """Make the axis of a column: its conditional, the released codes, and the labels of its places."""
    recoding = release.mechanism.recoding
    recoded = recoding.columns.get(name) if recoding is not None else None
    attribute = release.schema[name] if recoded is None else recoded.original
    codes = release.coded.codes(name).astype(np.int64)[used]
    boxed = recoded if way == "boxes" else None
    if boxed is not None:
        conditional: Conditional = box_likelihood(boxed.covers, None)
    elif way in {"spread", "groups"}:
        conditional = Kept(attribute.states)
    else:
        conditional = release.mechanism.conditional(release.schema[name])
    covers = recoded.covers if way in {"spread", "boxes"} and recoded is not None else None
    domain = attribute.domain
    assert domain is not None
    labels, true_bin = places_of(attribute, bins)
    if relabelled(release, name):  # nobody told what the true values are called
        labels = pa.array([f"value {place + 1}" for place in range(conditional.size)])
    if isinstance(domain, Categories) or (bins is None and domain.size <= FINE):
        return TableAxis(attribute, conditional, codes, labels, covers)
    if way in {"spread", "groups"}:
        return TableAxis(attribute, Kept(len(labels)), codes, labels, covers, true_bin)
    if boxed is not None:
        return TableAxis(attribute, box_likelihood(boxed.covers, true_bin), codes, labels, covers, true_bin)
    if isinstance(conditional, Kept):  # counted as it is
        return TableAxis(attribute, Kept(len(labels)), true_bin[codes], labels)
    released_bin = np.arange(conditional.outputs) if recoded is not None else _released_bins(attribute)
    return TableAxis(attribute, Coarsened(conditional, true_bin, released_bin), released_bin[codes], labels)


def places_of(attribute: Attribute, bins: int | Sequence[Edge] | None) -> tuple[Any, Integers]:
    """Return what the places of a column along a table are called, and the place of each of its codes."""
    domain = attribute.domain
    assert domain is not None
    if isinstance(domain, Categories):
        if bins is not None:
            raise InvalidParameter(
                "bins are for numbers and dates, and {column!r} has categories.", column=attribute.name
            )
        return _with_missing(domain.arrow, attribute), np.arange(attribute.states)
    if bins is None and domain.size <= FINE:
        return domain.values_of(np.arange(attribute.states)), np.arange(attribute.states)
    return _bins_of(attribute, bins)


def check_cells(shape: Sequence[int]) -> None:
    """Refuse a table that is too large."""
    if math.prod(shape) > LARGEST_TABLE:
        raise InvalidParameter(
            "The joint table would have {sizes} = {cells:,} cells, more than {largest_table:,}; "
            "use fewer columns or fewer bins.",
            sizes=" × ".join(f"{size:,}" for size in shape),
            cells=math.prod(shape),
            largest_table=LARGEST_TABLE,
        )


def _bins_of(attribute: Attribute, bins: int | Sequence[Edge] | None) -> tuple[Any, Integers]:
    """Return what the bins of a column of numbers or dates are called, and the bin of each of its values."""
    domain, name = attribute.domain, attribute.name
    assert domain is not None
    assert not isinstance(domain, Categories)
    edges = equal_edges(domain, DEFAULT_BINS if bins is None else bins, name)
    try:
        labels, true_bin = Hierarchy.intervals(edges).coarsen(domain, 1)
    except InvalidParameter as error:
        raise InvalidParameter("The bins of {name!r} cannot be used: {error}", name=name, error=error) from None
    return _with_missing(labels.arrow, attribute), np.append(true_bin, np.full(int(attribute.missing), labels.size))


def _released_bins(attribute: Attribute) -> Integers:
    """Return the bin that each released value is looked at in."""
    assert attribute.domain is not None
    size = attribute.domain.size
    made = np.arange(size) * min(size, RELEASED_BINS) // size
    return np.append(made, np.full(int(attribute.missing), made[-1] + 1))


def _with_missing(labels: Any, attribute: Attribute) -> Any:
    return pa.concat_arrays([labels, pa.nulls(1, labels.type)]) if attribute.missing else labels


def histogram(
    axes: Sequence[TableAxis],
    weights: Floats | None,
    which: Booleans | None = None,
    many: Floats | None = None,
) -> Floats:
    """Count the released rows; rows of a stratified sample by what they stand for, scaled to the number of rows.

    With ``many`` a row stands for this many released rows that are alike.
    """
    shape = tuple(axis.conditional.outputs for axis in axes)
    if math.prod(shape) > 4 * LARGEST_TABLE:
        raise InvalidParameter(
            "The table of released rows would have {cells:,} cells; use fewer columns.", cells=math.prod(shape)
        )
    flat = cells_of(axes)
    if many is not None:
        weights = many if weights is None else weights * many * (many.sum() / (weights @ many))
    elif weights is not None:
        weights = weights * (len(flat) / weights.sum())
    if which is not None:
        flat, weights = flat[which], None if weights is None else weights[which]
    return np.bincount(flat, weights=weights, minlength=math.prod(shape)).reshape(shape).astype(np.float64)


def cells_of(axes: Sequence[TableAxis]) -> Integers:
    """Return the number of each released row's cell."""
    flat = np.zeros(len(axes[0].released), dtype=np.int64)
    for axis in axes:
        flat = flat * axis.conditional.outputs + axis.released
    return flat


@dataclass(frozen=True)
class Stratum:
    """Rows that were drawn together: their released cells counted by their weights and by the squares of these.

    ``rate`` is the share of the rows they were drawn from that they are.
    """

    counts: Floats
    squares: Floats
    rate: float = 1.0


@dataclass(frozen=True)
class Part:
    """Rows that went through the same channels: all of them, or a group's; and where their table lies in the whole one.

    ``strata`` add up to ``seen``. Of rows that were recoded in groups ``bounds`` has how many of them surely and possibly lie in
    each cell.
    """

    seen: Floats
    conditionals: tuple[Conditional, ...]
    strata: tuple[Stratum, ...] = ()
    share: float = 1.0  # of all rows
    places: tuple[Integers, ...] | None = None
    even: Floats | None = None  # the table of a group whose rows are spread evenly over its box
    bounds: Callable[[], tuple[Floats, Floats]] | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        """How many places each axis has."""
        return tuple(conditional.size for conditional in self.conditionals)

    def fitted(self, tolerance: float, limit: int, prior: Floats | None) -> Fit:
        """Find the table that makes the released rows most likely."""
        exact = self.bounds is None
        return fitted(self.seen, self.conditionals, np.ones(self.shape), tolerance, limit, prior, exact)

    def alone(self, place: int) -> Part:
        """Look at one column by itself."""
        others = tuple(other for other in range(self.seen.ndim) if other != place)
        return Part(self.seen.sum(axis=others), (self.conditionals[place],), bounds=self.bounds)

    def added(self, whole: Floats, estimate: Floats) -> None:
        """Add the part's estimated shares to the whole table."""
        if self.places is None:
            whole += estimate
        else:
            whole[np.ix_(*self.places)] += self.share * estimate


def grouped_parts(release: Release, grouping: Grouping, axes: Sequence[TableAxis]) -> list[Part]:
    """Count the rows of each group through the group's own channels.

    The axes are those of the whole table, their released codes not binned. A group says nothing outside its box, and a
    column without noise is counted as it is.
    """
    labels = release.group_of
    views = [grouping.inside(a.attribute) if a.attribute.name in grouping.columns else None for a in axes]
    shares = grouping.sizes / grouping.people  # of a sample a group's rows stand for all of the group
    found = []
    for group, rows in enumerate(rows_of_classes(labels, len(grouping.groups))):
        mine = [
            _kept(axis, axis.released[rows])
            if view is None
            else _of_group(grouping, group, axis, view[group], axis.released[rows])
            for axis, view in zip(axes, views, strict=True)
        ]
        inside = [TableAxis(axis.attribute, made[0], made[1], None) for axis, made in zip(axes, mine, strict=True)]
        seen = histogram(inside, None)
        places = tuple(made[2] for made in mine)
        conditionals = tuple(a.conditional for a in inside)
        even: Floats = np.ones(())
        for made in mine:
            even = np.multiply.outer(even, made[3] / made[3].sum())
        found.append(Part(seen, conditionals, (Stratum(seen, seen),), float(shares[group]), places, even))
    return found


# A column in one group: its conditional, its rows' codes, the places of the whole axis that it can have, and how many
# values each of them has.
_Seen = tuple[Conditional, Integers, Integers, Floats]


def _bins(axis: TableAxis) -> Integers:
    return np.arange(axis.attribute.states) if axis.true_bin is None else axis.true_bin


def _kept(axis: TableAxis, released: Integers) -> _Seen:
    """Look at a column that is released unchanged: evenly spread means as its rows are."""
    codes = _bins(axis)[released]
    size = int(_bins(axis).max()) + 1
    return Kept(size), codes, np.arange(size), np.bincount(codes, minlength=size).astype(np.float64)


def _of_group(grouping: Grouping, group: int, axis: TableAxis, inside: Inside, released: Integers) -> _Seen:
    """Look at a column through the group's own channel."""
    size = len(inside.members)
    places, true_bin = np.unique(_bins(axis)[inside.members], return_inverse=True)
    seen_bin = np.arange(size) if size <= GROUP_BINS else np.arange(size) * GROUP_BINS // size
    if size > GROUP_BINS and grouping.box(group, axis.attribute.name).missing:
        seen_bin[-1] = GROUP_BINS
    true_bin = true_bin.reshape(-1)
    conditional = Coarsened(grouping.channel(group, axis.attribute.name), true_bin, seen_bin)
    return conditional, seen_bin[inside.local(released)], places, np.bincount(true_bin).astype(np.float64)


def fitted(
    seen: Floats,
    conditionals: Sequence[Conditional],
    start: Floats,
    tolerance: float,
    limit: int,
    prior: Floats | None = None,
    exact: bool = True,
) -> Fit:
    """Find the table that makes the released one most likely; one pass along each axis is one column's channel.

    ``exact`` says that released cells exclude each other, which boxes that overlap do not.
    """

    def forward(p: Floats) -> Floats:
        for place, conditional in enumerate(conditionals):
            p = conditional.forward(p, place)
        return p

    def backward(weights: Floats) -> Floats:
        for place, conditional in enumerate(conditionals):
            weights = conditional.backward(weights, place)
        return weights

    return maximise(seen, forward, backward, start, tolerance, limit, prior, exact=exact)
