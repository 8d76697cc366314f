"""A release as a mixture of products sees it: which columns it has, and what each row shows of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from tokumei.arrays import AnyIntegers, Booleans, Codes, Floats, Integers, row_numbers
from tokumei.errors import InvalidParameter
from tokumei.mechanism.likelihood import distinct
from tokumei.mechanism.telling import Telling
from tokumei.reconstruction._columns import relabelled
from tokumei.reconstruction._mixture import Observed, Products
from tokumei.reconstruction._model_columns import (
    ModelColumn,
    SeenColumn,
    as_released,
    grouped,
    perturbed,
    recoded,
    told,
)
from tokumei.reconstruction._told_in_groups import BoxedColumn, boxed, told_in_groups
from tokumei.reconstruction._views import shares_of
from tokumei.release.artifact import Release
from tokumei.table.classes import class_of, rows_of_classes

SEVERAL = 50  # groups, that some of them can be held out
CUT, NEAR = 0.06, -1 / 2  # the logarithm of k is multiplied with, and the power of k
FEW = 0.05  # of the cells are hidden
FOR_EACH, CUTS_FOR_EACH = 2, 10  # groups for each share of a column that is estimated, at least, and of strict cuts
SMALL = 20  # rows of the median group of strict cuts


@dataclass(frozen=True)
class Modelled:
    """The columns of a model, and what the rows show."""

    columns: tuple[ModelColumn, ...]
    observed: Observed


class Belief(NamedTuple):
    """What the model says of cells in boxes is raised to a power, with a probability not asked for, the more often the more rows a box has beyond the usual."""

    trust: float = 1.0
    spread: float = 0.0
    usual: float = math.inf


class _Things:
    """The things seen, one kind after the other."""

    def __init__(self) -> None:
        self.count = 0
        self._first: list[tuple[Floats, Integers]] = []
        self._second: list[tuple[Floats, Integers]] = []

    def add(
        self, second: float | Floats, first: float | Floats, entries: Integers, others: Integers | None = None
    ) -> Integers:
        """Add things with the masses ``entries``, and in the second product ``others``, one row each; return their numbers."""
        many = len(entries)
        self._first.append((np.broadcast_to(first, many), entries))
        self._second.append(
            (np.broadcast_to(second, many), np.zeros((many, 0), np.int64) if others is None else others)
        )
        self.count += many
        return np.arange(self.count - many, self.count)

    def products(self) -> tuple[Products, Products]:
        return _product(self._first), _product(self._second)


def _product(parts: Sequence[tuple[Floats, Integers]]) -> Products:
    wide = np.concatenate([np.full(len(entries), entries.shape[1]) for _, entries in parts])
    entries = np.concatenate([entries.ravel() for _, entries in parts])
    return Products(np.concatenate([factors for factors, _ in parts]), np.concatenate([[0], np.cumsum(wide)]), entries)


def modelled(release: Release, weights: str | None = None, many: Floats | None = None) -> Modelled:
    """Look at all columns of a release that have a domain, but those that say something about rows rather than people.

    ``many`` says how many rows each stands for, where they were counted elsewhere.
    """
    telling, shares = release.mechanism.telling, shares_of(release, weights)
    if many is not None:
        shares = shares * many
        shares *= many.sum() / shares.sum()
    aside = {weights, *release.mechanism.made_up, *release.pseudonyms}
    classes = _classes(release)
    every = [
        _seen(release, a.name, shares, classes)
        for a in release.schema
        if a.domain is not None and a.name not in aside and not relabelled(release, a.name)
    ]
    if not every:
        raise InvalidParameter("The release has no column whose values are declared, so there is nothing to model.")
    names = [each.column.name for each in every]
    starts = dict(zip(names, np.cumsum([0, *(len(each.likelihood) for each in every)]), strict=False))
    things, seen = _Things(), list[AnyIntegers]()
    for each in every:
        if each.shown is not None:
            numbers = things.add(0.0, 1.0, starts[each.column.name] + np.arange(len(each.likelihood))[:, None])
            seen.append(row_numbers(np.where(each.shown < 0, -1, numbers[each.shown]), things.count))
    if telling is not None:
        seen.append(_told(release, telling, starts, things))
    in_boxes = {each.column.name: each for each in every if isinstance(each, BoxedColumn)}
    if in_boxes and release.mechanism.grouping is not None:
        shown = told_in_groups(release, release.mechanism.grouping, in_boxes, starts)
        numbers = things.add(shown.replaced, shown.kept, shown.kept_entries, shown.replaced_entries)
        seen.append(numbers[shown.which])
    every = [replace(each, shown=None) for each in every]
    for thing in seen:
        np.add(thing, 1, out=thing)
    rows, which, _ = distinct(seen, release.rows)
    rows -= 1
    seen.clear()  # before the masses are put together
    first, second = things.products()
    matrices, hulls = tuple(each.likelihood for each in every), tuple(each.hull for each in every)
    groups = classes
    if release.mechanism.grouping is not None and len(release.mechanism.grouping.groups) >= SEVERAL:
        groups = release.group_of
    evens = tuple(each.likelihood if each.even is None else each.even for each in every)
    codes = tuple(np.ones(each.column.size) if each.even is None else each.column.many for each in every)
    made = Observed(matrices, first, second, rows, which, shares, hulls, groups, many=many, evens=evens, codes=codes)
    if release.mechanism.grouping is not None:  # long columns have boxes of which nothing more is known
        made = replace(made, loose=tuple(0.0 * _loose(each) if each.even is None else _loose(each) for each in every))
    believed = _believed(release, [each.column for each in every], many)
    boxes = () if release.mechanism.recoding is None else release.mechanism.recoding.columns
    grouped_by = tuple(at for at, name in enumerate(names) if name in boxes)
    made = replace(made, **believed._asdict(), grouped_by=grouped_by)
    if made.trust < 1 and not made.tight:  # no box says more than that it holds its rows
        loose = tuple(_loose(each) for each in every)
        made = replace(made, bases=evens, loose=loose, spreads=tuple(0.0 * each for each in loose))
    return Modelled(tuple(each.column for each in every), made)


def _believed(release: Release, columns: Sequence[ModelColumn], many: Floats | None) -> Belief:
    """Return how far the model is believed about cells in boxes.

    Partitions choose rows by the very cells that their boxes hide, the more so the larger the groups, so that the rows of a box are more diverse than the
    model says: its power is k ** -1/2, k being the median size of the groups whose cells are hidden. Where such boxes hide few cells, what they hide is
    rare; where they are few, the model has too little to go by. Cells are then spread evenly, and so they are where ties at cuts of the widest column were
    shared out. Strict cuts of the widest column depend far less on what they hide, if groups are small or many. Cells are suppressed one by one because they
    are rare, and what other rows show says little about them. The numbers are measured: `python -m benchmarks.every_release boxes`.
    """
    recoding = release.mechanism.recoding
    if recoding is None or recoding.scheme == "global":
        return Belief()
    evenly = Belief(trust=0.0)
    if release.method.get("method") != "generalization":
        return evenly
    sizes, how = _open_groups(release, many), _partition(release)
    widest = how["kind"] == "mondrian" and how["choose"] == "widest"
    if not len(sizes) or (widest and not how["strict"]):
        return evenly
    k, cut = max(float(np.median(sizes)), 1.0), widest and not release.method.get("constraints")
    enough = len(sizes) / max(sum(each.size - 1 for each in columns if each.name in recoding.columns), 1)
    usual = math.inf if cut else k  # strict cuts leave ties together, and what would break a constraint
    if (cut and k <= SMALL) or (widest and enough >= CUTS_FOR_EACH):
        return Belief(spread=min(CUT * math.log(k), 1.0), usual=usual)
    near = enough >= FOR_EACH and (widest or _hidden(release) > FEW)
    return Belief(trust=k**NEAR, usual=usual) if near else evenly


def _partition(release: Release) -> Mapping[str, Any]:
    """Return how rows were put into groups; where that was chosen for the table, what was."""
    chosen = next((fact.value for fact in release.disclosed if fact.name == "partition"), None)
    found: Mapping[str, Any] = release.method["partition"] if chosen is None else chosen
    return found


def _several(release: Release) -> dict[str, Booleans]:
    """Say for every recoded column which of the cells stand for several values."""
    assert release.mechanism.recoding is not None
    columns = release.mechanism.recoding.columns.items()
    return {name: (how.spans[:, 1] > how.spans[:, 0])[release.coded.codes(name)] for name, how in columns}


def _open_groups(release: Release, many: Floats | None) -> Floats:
    """Return how many rows each group has of which some cells are hidden."""
    several = _several(release)
    groups = class_of([release.coded.codes(name) for name in several], release.rows)
    hidden = np.logical_or.reduce(list(several.values()))
    return np.bincount(groups, many)[np.unique(groups[hidden])].astype(np.float64)


def _hidden(release: Release) -> float:
    """Return the share of cells of recoded columns that stand for several values."""
    return float(np.mean([each.mean() for each in _several(release).values()]))


def _loose(seen: SeenColumn) -> Floats:
    """Say what of everything that is seen of a column leaves several values open."""
    several = np.count_nonzero(seen.likelihood, axis=1) > 1
    return (several & (not seen.column.kept)).astype(np.float64)


def _classes(release: Release) -> Integers | None:
    """Return the equivalence class of each row, where the labels of a class are the smallest that hold its rows."""
    recoding, method = release.mechanism.recoding, release.method
    if recoding is None or recoding.scheme == "global" or method.get("method") != "generalization":
        return None
    if method["partition"]["kind"] == "published":  # labels of another release
        return None
    return class_of([release.coded.codes(name) for name in recoding.columns], release.rows)


def _seen(release: Release, name: str, shares: Floats, classes: Integers | None) -> SeenColumn:
    """Look at a column in the way in which it was released."""
    mechanism, attribute = release.mechanism, release.original(name)
    if mechanism.telling is not None and name in mechanism.telling.columns:
        return told(attribute, mechanism.telling)
    if mechanism.grouping is not None and name in mechanism.grouping.columns:
        if mechanism.grouping.telling is not None:
            return boxed(release, attribute, mechanism.grouping, shares)
        return grouped(release, attribute, mechanism.grouping, shares)
    if mechanism.recoding is not None and name in mechanism.recoding.columns:
        return recoded(release, mechanism.recoding.columns[name], shares, classes)
    if name in mechanism.channels:
        return perturbed(release, attribute)
    return as_released(release, attribute, shares)


def _told(release: Release, telling: Telling, starts: dict[str, int], things: _Things) -> Integers:
    """Add the tuples that rows tell, and return which one each row does."""
    released: dict[str, Codes] = {name: release.coded.codes(name) for name in (*telling.columns, telling.label)}
    which, joint = telling.told(released)
    found = np.empty(release.rows, dtype=np.int64)
    for cluster, rows in zip(telling.clusters, rows_of_classes(which, len(telling.clusters)), strict=True):
        if not len(rows):
            continue
        tuples, mine = np.unique(joint[rows], return_inverse=True)
        cells = np.unravel_index(tuples, telling.shape(cluster))
        entries = [
            starts[name] + _before(telling, name, grid) + cell
            for name, grid, cell in zip(cluster.columns, cluster.grids, cells, strict=True)
        ]
        channel = cluster.channel
        numbers = things.add(channel.other / channel.total, channel.retention, np.stack(entries, axis=1))
        found[rows] = numbers[mine.reshape(-1)]
    return found


def _before(telling: Telling, name: str, grid: int) -> int:
    """Count the cells of a column's grids before one of them."""
    column = telling.columns[name]
    return sum(column.cells(each) for each in range(grid))
