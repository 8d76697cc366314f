"""Rows in groups that tell one thing each, as a mixture of products sees them.

A row of group g that tells tuple y of cluster s is seen with

    (other / total) * (masses of all boxes) + (keep / total) * (masses of y) * (masses of the other boxes),

a mass being what a class gives to a box of a column, or to a value. That the row lies in the boxes is taken to say no more than that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from tokumei.arrays import Floats, Integers
from tokumei.mechanism.grouping import Grouping
from tokumei.reconstruction._model_columns import SeenColumn, binned, counted, hull_of, own_boxes
from tokumei.release.artifact import Release
from tokumei.table.classes import class_of
from tokumei.table.schema import Attribute

TIGHT = 200  # rows of a group, on average; the boxes of more are as good as certain, whatever their rows are


@dataclass(frozen=True)
class BoxedColumn(SeenColumn):
    """A column of which the different boxes that groups have, and then the values that rows tell in them, can be seen.

    Attributes
    ----------
    box
        The row of each group's box in the likelihood.
    value
        The row of what each released row tells, that of its group's box where it tells nothing.
    held
        For each group (row) how many codes of each value of the model its box holds.
    """

    box: Integers = field(kw_only=True)
    value: Integers = field(kw_only=True)
    held: Integers = field(kw_only=True)


def boxed(release: Release, attribute: Attribute, grouping: Grouping, shares: Floats) -> BoxedColumn:
    """Look at a column that some rows of each group tell."""
    assert grouping.telling is not None
    name, groups = attribute.name, release.group_of
    at = grouping.columns.index(name)
    codes, tells = release.coded.codes(name), release.tells(name)
    column = binned(attribute, counted(codes[tells], shares[tells], attribute.states), kept=False)
    boxes = grouping.column(release.schema[name])
    of_group = own_boxes(boxes)
    first = np.unique(of_group, return_index=True)[1]
    held = np.zeros((len(first), column.size), dtype=np.int64)
    likelihood = np.zeros((len(first), column.size))
    number, members = boxes.members(first)
    np.add.at(held, (number, column.bins[members]), 1)
    np.add.at(likelihood, (number, column.bins[members]), column.within[members])
    sizes = grouping.telling.sizes[:, at]

    def weigh(rows: Integers, tried: Integers) -> Floats:
        """A code in the box may have been told as any value of it; one that was told likelier as itself."""
        mine = np.broadcast_to(groups[rows][:, None], tried.shape)
        same = tells[rows][:, None] & (tried == codes[rows][:, None])
        inside = boxes.local(tried, mine) >= 0
        return np.where(inside, np.where(same, 1.0 + sizes[mine], 1.0), 0.0)

    mine, told = of_group[groups], np.flatnonzero(tells)
    things, which = np.unique(mine[told] * column.size + column.bins[codes[told]], return_inverse=True)
    box, value = np.divmod(things, column.size)
    seen = np.where(np.arange(column.size) == value[:, None], likelihood[box], 0.0)
    shown = mine.copy()
    shown[told] = len(first) + which.reshape(-1)
    rows = np.bincount(mine, minlength=len(first)).astype(np.float64)
    hull = None
    if release.rows <= TIGHT * len(grouping.groups):
        hull = hull_of(release, column, boxes, first, np.concatenate([np.arange(len(first)), box]), rows)
    even = None
    if column.size < attribute.states:
        even = np.concatenate([held, np.where(np.arange(column.size) == value[:, None], held[box], 0)]).astype(float)
    return BoxedColumn(
        replace(column, weigh=weigh),
        np.concatenate([likelihood, seen]),
        None,
        hull,
        even,
        box=of_group,
        value=shown,
        held=held[of_group],
    )


@dataclass(frozen=True)
class ToldInGroups:
    """The different things that rows show: the two products of each, and which of them each row does."""

    kept: Floats
    kept_entries: Integers
    replaced: Floats
    replaced_entries: Integers
    which: Integers


def told_in_groups(
    release: Release, grouping: Grouping, columns: Mapping[str, BoxedColumn], starts: Mapping[str, int]
) -> ToldInGroups:
    """Look at what rows show of all columns together; ``starts`` says where the masses of each column begin."""
    telling = grouping.telling
    assert telling is not None
    names, label = grouping.columns, telling.label
    codes = {name: release.coded.codes(name) for name in (*names, label)}
    groups, which = release.group_of, codes[label]
    part, _ = grouping.told({name: release.schema[name] for name in names}, codes, groups)
    tells = np.array([[name in cluster for cluster in telling.clusters] for name in names])[:, which]
    seen = np.full(tells.shape, -1)
    for place, name in enumerate(names):
        seen[place, tells[place]] = columns[name].column.bins[codes[name][tells[place]]]
    kinds = class_of([part, *(seen + 1)], release.rows)
    one = np.zeros(int(kinds.max()) + 1, dtype=np.int64)
    one[kinds] = np.arange(len(kinds))  # a row of each kind
    channels = [(each.keep / each.total, each.other / each.total) for each in telling.channels()]
    kept, replaced = np.array(channels)[part[one]].T
    kept_entries, replaced_entries = [], []
    for place, name in enumerate(names):
        column, told, group = columns[name], tells[place, one], groups[one]
        replaced = replaced * np.where(told, column.held[group, seen[place, one]], 1)
        kept_entries.append(starts[name] + np.where(told, column.value[one], column.box[group]))
        replaced_entries.append(starts[name] + column.box[group])
    return ToldInGroups(kept, np.stack(kept_entries, axis=1), replaced, np.stack(replaced_entries, axis=1), kinds)
