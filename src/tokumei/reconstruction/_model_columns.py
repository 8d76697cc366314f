"""A column as a model of the whole table sees it: its values, in bins where it is long, and what released rows show of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tokumei.arrays import Booleans, Codes, Floats, Integers, row_numbers
from tokumei.mechanism.boxes import ColumnBoxes
from tokumei.mechanism.channel import Channel
from tokumei.mechanism.grouping import Grouping
from tokumei.mechanism.recoding import RecodedColumn
from tokumei.mechanism.telling import Telling
from tokumei.reconstruction._columns import check_count
from tokumei.reconstruction._hulls import Hull
from tokumei.reconstruction._told_columns import finest
from tokumei.reconstruction._views import view
from tokumei.release.artifact import Release
from tokumei.table.classes import rows_of_classes
from tokumei.table.coded import in_few_bytes
from tokumei.table.domain import Categories
from tokumei.table.schema import Attribute

LONG = 128  # a column with more values is looked at in bins
BINS = 40
MANY = 2048  # values of a box, of which only a few points are looked at
POINTS = 16  # of a bin that stand for all then
CANDIDATES = 8  # for the code of a cell, of which one is taken
ROUNDS = 40

# How likely what a row shows is, given each of some codes: rows (places in the release) and codes in, one row each.
Weigh = Callable[[Integers, Integers], Floats]


@dataclass(frozen=True)
class ModelColumn:
    """A column of the model.

    Attributes
    ----------
    attribute
        What the column was before.
    bins
        The value of the model that each code belongs to.
    within
        Which share of its value's people each code has.
    kept
        Whether its cells are taken as they are released: they were released unchanged, or averaged.
    weigh
        For a column in bins: how likely what a row shows is, given a code. Without it what a row shows is the same for all
        codes of a bin.
    """

    attribute: Attribute
    bins: Integers
    within: Floats
    kept: bool
    weigh: Weigh | None = None

    @property
    def name(self) -> str:
        """The column's name."""
        return self.attribute.name

    @property
    def size(self) -> int:
        """How many values the model tells apart."""
        return int(self.bins.max()) + 1

    @property
    def many(self) -> Floats:
        """How many codes each value of the model has."""
        return np.bincount(self.bins).astype(np.float64)

    def codes(self, drawn: Codes, rows: Integers, rng: np.random.Generator) -> Integers:
        """Draw a code for the value that was drawn for each of these released rows."""
        order = np.argsort(self.bins, kind="stable")
        if len(order) == self.size:
            return order[drawn]
        ends = np.searchsorted(self.bins[order], np.arange(self.size + 1))
        sums = np.cumsum(self.within[order]) - self.within[order]

        def some(of: Codes, many: int) -> Integers:
            wanted = sums[ends[of]][:, None] + rng.random(
                (len(of), many)
            )  # the shares of a value's codes add up to one
            found = np.searchsorted(sums, wanted, side="right") - 1
            return order[np.clip(found, ends[of][:, None], ends[of + 1][:, None] - 1)]

        if self.weigh is None:
            return some(drawn, 1)[:, 0]
        out, left = np.empty(len(drawn), dtype=np.int64), np.arange(len(drawn))
        for _ in range(ROUNDS):
            tried = some(drawn[left], CANDIDATES)
            chances = np.cumsum(self.weigh(rows[left], tried), axis=1)
            found = chances[:, -1] > 0
            place = (chances <= (rng.random(len(left)) * chances[:, -1])[:, None]).sum(axis=1)
            out[left[found]] = tried[found, np.minimum(place, CANDIDATES - 1)[found]]
            left = left[~found]
            if not len(left):
                return out
        for at in left.tolist():  # few people have these codes, so all of the value's codes are looked at
            codes = np.flatnonzero(self.bins == drawn[at])
            chances = self.weigh(rows[at : at + 1], codes[None, :])[0]
            out[at] = codes[int(np.argmax(chances * (1 + rng.random(len(codes)))))]
        return out

    def onto(self, places: Integers, count: int) -> Floats:
        """Return the matrix from values of the model to places of its codes."""
        made = np.zeros((self.size, count))
        np.add.at(made, (self.bins, places), self.within)
        return made


@dataclass(frozen=True)
class SeenColumn:
    """A column, P(shown | value) of everything that is shown of it, and what each row shows; -1 where that is nothing.

    ``even`` says how many codes of each value everything shown stands for, where that is not the likelihood.
    """

    column: ModelColumn
    likelihood: Floats
    shown: Codes | None  # nothing where rows tell several columns together
    hull: Hull | None = None
    even: Floats | None = None


def as_released(release: Release, attribute: Attribute, shares: Floats) -> SeenColumn:
    """Look at a column whose cells are taken as they are."""
    codes = release.coded.codes(attribute.name)
    column = binned(attribute, counted(codes, shares, attribute.states), kept=True)
    return SeenColumn(column, np.eye(column.size), column.bins[codes])


def told(attribute: Attribute, telling: Telling) -> SeenColumn:
    """Look at a column that some rows tell; it is as fine as the finest of its grids tell it."""
    bins = finest(telling.columns[attribute.name])
    check_count(attribute.name, int(bins.max()) + 1)
    column = ModelColumn(attribute, bins, (1 / np.bincount(bins))[bins], kept=False)
    grids = []
    for each in telling.columns[attribute.name].shown:
        cell_of = np.empty(column.size, dtype=np.int64)
        cell_of[bins] = each.cell_of
        grids.append((np.arange(len(each.code_of))[:, None] == cell_of).astype(np.float64))
    return SeenColumn(column, np.concatenate(grids), None)


def perturbed(release: Release, attribute: Attribute) -> SeenColumn:
    """Look at a column through its channel."""
    check_count(attribute.name, attribute.states if isinstance(attribute.domain, Categories) else 1)
    seen = view(release, attribute)
    bins = seen.true_bin
    column = ModelColumn(attribute, bins, (1 / np.bincount(bins))[bins], kept=False)
    return SeenColumn(column, seen.conditional.matrix(), seen.released_bin[release.coded.codes(attribute.name)])


def recoded(release: Release, how: RecodedColumn, shares: Floats, classes: Integers | None) -> SeenColumn:
    """Look at a column whose labels stand for several values: a label is as likely for each of them.

    ``classes`` are the equivalence classes of the rows, where the labels of each are the smallest that hold its rows.
    """
    codes, along = release.coded.codes(how.original.name), np.argsort(how.axis.place)
    low, high = how.spans.T
    column = binned(how.original, _evidence(how, counted(codes, shares, len(low))), kept=False)
    likelihood, nothing = _covered(how, column, along), high - low + 1 == how.original.states

    def weigh(rows: Integers, tried: Integers) -> Floats:
        label, place = codes[rows][:, None], how.axis.place[tried]
        return ((low[label] <= place) & (place <= high[label])).astype(np.float64)

    even = None
    if column.size < how.original.states:
        even = _covered(how, replace(column, within=np.ones(len(column.bins))), along, most=np.inf)
    column = replace(column, weigh=weigh)
    if classes is None and release.mechanism.recoding is not None and release.mechanism.recoding.scheme == "global":
        return SeenColumn(column, likelihood, np.where(nothing, -1, np.arange(len(low)))[codes], even=even)
    if classes is None:
        return SeenColumn(column, likelihood, codes, even=even)
    conditions = [_condition(how, column, along, *span) for span in how.spans.tolist()]
    says = np.array([each is not None for each in conditions])
    things, first, shown = np.unique(
        np.where(says[codes], len(low) + classes, codes), return_index=True, return_inverse=True
    )
    shown, label, wide = shown.reshape(-1), codes[first], things >= len(low)
    made = [each for each in (conditions[at] for at in label[wide]) if each is not None]
    needed = np.array([each[0] for each in made], dtype=np.bool_).reshape(-1, column.size)
    parts = np.array([each[1] for each in made], dtype=np.int64).reshape(-1, column.size)
    unit = np.where(wide, np.cumsum(wide) - 1, -1)
    hull = Hull(unit, np.bincount(shown)[wide].astype(np.float64), needed, parts)
    return SeenColumn(column, likelihood[label], shown, hull, None if even is None else even[label])


def _evidence(how: RecodedColumn, counts: Floats) -> Floats:
    """Say about how many people have each code: those of a label are spread evenly over its values."""
    low, high = how.spans.T
    change = np.zeros(how.original.states + 1)
    np.add.at(change, low, counts / (high - low + 1))
    np.add.at(change, high + 1, -counts / (high - low + 1))
    return np.maximum(np.cumsum(change)[:-1], 0.0)[how.axis.place]


def _covered(how: RecodedColumn, column: ModelColumn, along: Integers, most: float = 1.0) -> Floats:
    """Return which share of each value of the model, by its people, every label stands for."""
    made = np.empty((len(how.spans), column.size))
    low, high = how.spans.T
    for value in range(column.size):
        sums = np.concatenate([[0.0], np.cumsum(np.where(column.bins == value, column.within, 0.0)[along])])
        made[:, value] = sums[high + 1] - sums[low]
    return np.clip(made, 0.0, most)


def _condition(
    how: RecodedColumn, column: ModelColumn, along: Integers, low: int, high: int
) -> tuple[Booleans, Integers] | None:
    """Return what rows of a label have: values that some of them have, or parts of the label of which they lie in two or more."""
    axis, needed, parts = how.axis, np.zeros(column.size, dtype=np.bool_), np.full(column.size, -1)
    if high < axis.free:
        needed[column.bins[along[[low, high]]]] = True
        return (needed, parts) if np.count_nonzero(needed) > 1 else None
    if low == high or column.size < how.original.states:  # bins need not lie in one part
        return None
    level = int(axis.level(low, high))
    within = np.unique(axis.first[max(level - 1, 0)][low : high + 1], return_inverse=True)[1].reshape(-1)
    parts[column.bins[along[low : high + 1]]] = within
    return needed, parts


def grouped(release: Release, attribute: Attribute, grouping: Grouping, shares: Floats) -> SeenColumn:
    """Look at a column through the channel of each row's group: a value lies in the group's box, and noise stays there."""
    at, codes, groups = grouping.columns.index(attribute.name), release.coded.codes(attribute.name), release.group_of
    boxes, (channels, kinds) = grouping.column(attribute), grouping.kinds
    column = binned(attribute, counted(codes, shares, attribute.states), kept=False)
    local, kind = in_few_bytes(boxes.local(codes, groups)), kinds[:, at]
    of_group = own_boxes(boxes)
    first = np.unique(of_group, return_index=True)[1]
    wide = int(local.max()) + 1
    things, shown = np.unique(of_group[groups] * wide + local, return_inverse=True)
    likelihood, even = np.zeros((len(things), column.size)), None
    if column.size < attribute.states:
        even = np.zeros_like(likelihood)
    starts = np.searchsorted(things, np.arange(len(first) + 1) * wide)
    group = first[np.searchsorted(starts, np.arange(len(things)), side="right") - 1]
    if even is None:  # every code is a value of its own
        for channel, here in zip(channels, rows_of_classes(kind[group], len(channels)), strict=True):
            inside = np.arange(channel.size)
            chances = channel.probability((things[here] % wide)[:, None], inside[None, :])
            members = boxes.codes(np.broadcast_to(inside, chances.shape), group[here][:, None])
            likelihood[here[:, None], column.bins[members]] = chances
    else:
        of_box = [channels[each] for each in kind[first]]
        _fill_bins(likelihood, even, column, boxes, first, starts, things % wide, of_box)

    def weigh(rows: Integers, tried: Integers) -> Floats:
        made, mine = np.zeros(tried.shape), groups[rows]
        inside = boxes.local(tried, np.broadcast_to(mine[:, None], tried.shape))
        for which in np.unique(kind[mine]).tolist():
            here = kind[mine] == which
            found = channels[which].probability(
                local[rows[here]].astype(np.int64)[:, None], np.maximum(inside[here], 0)
            )
            made[here] = np.where(inside[here] >= 0, found, 0)
        return made

    rows = np.bincount(of_group[groups], minlength=len(first)).astype(np.float64)
    hull = hull_of(release, column, boxes, first, things // wide, rows)
    shown = row_numbers(shown.reshape(-1), len(things))
    return SeenColumn(replace(column, weigh=weigh), likelihood, shown, hull, even)


def _to_bins(column: ModelColumn, inside: Integers, members: Integers, of: Floats) -> Floats:
    """Return the matrix from some members of a box to the values of the model; they stand for all codes ``inside``, by ``of`` how much each has."""
    made = np.zeros((len(members), column.size))
    made[np.arange(len(members)), column.bins[inside[members]]] = of[inside[members]]
    stands_for = np.bincount(column.bins[inside], weights=of[inside], minlength=column.size)
    taken = made.sum(axis=0)
    made *= np.where(taken > 0, stands_for / np.where(taken > 0, taken, 1), 0)
    return made


def _fill_bins(
    likelihood: Floats,
    even: Floats,
    column: ModelColumn,
    boxes: ColumnBoxes,
    first: Integers,
    starts: Integers,
    local: Integers,
    channels: Sequence[Channel],
) -> None:
    """Fill in how likely what is seen of a column in bins is, and ``even`` by codes alone: things from ``starts[n]`` on are of the box of group ``first[n]``."""
    points = _points(column)
    for number, (group, channel) in enumerate(zip(first.tolist(), channels, strict=True)):
        here = slice(int(starts[number]), int(starts[number + 1]))
        inside = boxes.inside(group).members
        members = np.arange(len(inside))
        if len(inside) > MANY:
            members = np.unique([0, *np.flatnonzero(points[inside]).tolist(), len(inside) - 1])
        chances = channel.probability(local[here][:, None], members[None, :])
        likelihood[here] = chances @ _to_bins(column, inside, members, column.within)
        even[here] = chances @ _to_bins(column, inside, members, np.ones(len(column.bins)))


def own_boxes(boxes: ColumnBoxes) -> Integers:
    """Return a number for each group's box of a column: the same for boxes of the same one value only, since others say more of their group."""
    groups = np.arange(len(boxes.sizes))
    code = boxes.codes(np.zeros(len(groups), dtype=np.int64), groups)
    key = np.where(boxes.sizes == 1, code, groups + boxes.size + 1)
    _, first, same = np.unique(key, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))  # numbered as they occur
    return rank[same.reshape(-1)]


def hull_of(
    release: Release, column: ModelColumn, boxes: ColumnBoxes, first: Integers, box: Integers, rows: Floats
) -> Hull | None:
    """Say what boxes of groups need: each label of a set, and both ends of a stretch of numbers, or its first and last bin, unless ends were rounded.

    ``first`` has a group of each different box, ``rows`` how many rows it holds, and ``box`` says of which each thing seen is.
    """
    attribute, rounded = column.attribute, column.name in (release.method.get("edges") or {})
    needed = np.zeros((len(first), column.size), dtype=np.bool_)
    if boxes.of_sets:
        which, members = boxes.members(first)
        needed[which, column.bins[members]] = True
    elif not rounded and not isinstance(attribute.domain, Categories):
        open_ = np.flatnonzero(boxes.sizes[first] > 1)
        groups = first[open_]
        last = boxes.sizes[groups] - 1
        for end in (np.zeros_like(last), last, last - boxes.missing[groups]):
            needed[open_, column.bins[boxes.codes(end, groups)]] = True
    says = np.count_nonzero(needed, axis=1) > 1
    unit = np.where(says, np.arange(len(first)), -1)[box]
    return Hull(unit, rows, needed, np.broadcast_to(np.int64(-1), needed.shape)) if says.any() else None


def counted(codes: Codes, shares: Floats, size: int) -> Floats:
    """Count codes, each row by its share."""
    return np.bincount(codes, weights=shares, minlength=size).astype(np.float64)


def binned(attribute: Attribute, evidence: Floats, kept: bool) -> ModelColumn:
    """Make a column; ``evidence`` says about how many people have each code."""
    bins = _bins(attribute, evidence)
    total = np.bincount(bins, weights=evidence)[bins]
    even = 1 / np.bincount(bins)[bins]
    within: Floats = np.where(total > 0, evidence / np.where(total > 0, total, 1), even)
    return ModelColumn(attribute, bins, within, kept)


def _bins(attribute: Attribute, evidence: Floats | Integers) -> Integers:
    """Put the codes of a long column into bins: frequent ones alone, the rarest labels into one, stretches of numbers by equal counts."""
    assert attribute.domain is not None
    if attribute.states <= LONG:
        return np.arange(attribute.states)
    if isinstance(attribute.domain, Categories) and not attribute.domain.ordered:
        order = np.argsort(-evidence, kind="stable")
        bins = np.full(attribute.states, LONG - 1)
        bins[order[: LONG - 1]] = np.arange(LONG - 1)
        return bins
    size = attribute.domain.size
    counts = np.maximum(evidence[:size], 1e-9)
    alone = counts >= counts.sum() / BINS
    rest = np.where(alone, 0.0, counts)
    many = max(1, BINS - int(alone.sum()))
    stretch = np.minimum(((np.cumsum(rest) - rest / 2) / max(rest.sum(), 1e-300) * many).astype(np.int64), many - 1)
    before = np.cumsum(alone) * 2 - alone  # a code that is alone parts the stretches on its two sides
    bins = np.unique(stretch * (2 * size + 1) + before, return_inverse=True)[1].reshape(-1)
    return np.append(bins, np.full(int(attribute.missing), bins.max() + 1))


def _points(column: ModelColumn) -> Booleans:
    """Say which codes are among the few that stand for those of a bin: some at equal steps of their shares."""
    order = np.argsort(column.bins, kind="stable")
    sums = np.cumsum(column.within[order])
    steps = np.minimum(np.searchsorted(sums, np.arange(0.5, column.size * POINTS) / POINTS), len(order) - 1)
    made = np.zeros(len(order), dtype=np.bool_)
    made[order[steps]] = True
    return made
