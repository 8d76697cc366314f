"""A release as a mixture of products sees it: which columns it has, and what each row shows of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tokumei.arrays import Codes, Floats, Integers
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
CUT, NEAR = 0.06, -1 / 3  # the logarithm of k is multiplied with, and the power of k
FEW = 0.05  # of the cells are hidden


@dataclass(frozen=True)
class Modelled:
    """The columns of a model, and what the rows show."""

    columns: tuple[ModelColumn, ...]
    observed: Observed


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
    things, seen = _Things(), []
    for each in every:
        if each.shown is not None:
            numbers = things.add(0.0, 1.0, starts[each.column.name] + np.arange(len(each.likelihood))[:, None])
            seen.append(np.where(each.shown < 0, -1, numbers[each.shown]))
    if telling is not None:
        seen.append(_told(release, telling, starts, things))
    in_boxes = {each.column.name: each for each in every if isinstance(each, BoxedColumn)}
    if in_boxes and release.mechanism.grouping is not None:
        shown = told_in_groups(release, release.mechanism.grouping, in_boxes, starts)
        numbers = things.add(shown.replaced, shown.kept, shown.kept_entries, shown.replaced_entries)
        seen.append(numbers[shown.which])
    rows, which, _ = distinct([each + 1 for each in seen], release.rows)
    first, second = things.products()
    matrices, hulls = tuple(each.likelihood for each in every), tuple(each.hull for each in every)
    groups = classes
    if release.mechanism.grouping is not None and len(release.mechanism.grouping.groups) >= SEVERAL:
        groups = release.group_of
    made = Observed(matrices, first, second, rows - 1, which, shares, hulls, groups, many=many)
    trust, spread = _believed(release, many)
    made = replace(made, trust=trust, spread=spread)
    if trust < 1 and not made.tight:  # no box says more than that it holds its rows
        made = replace(made, bases=matrices, loose=tuple(_loose(each) for each in every))
    return Modelled(tuple(each.column for each in every), made)


def _believed(release: Release, many: Floats | None) -> tuple[float, float]:
    """Return the power of what the model says of cells in boxes, and with which probability they are spread evenly whatever it says.

    Partitions that put near rows together choose rows by the very cells that their boxes hide, the more so the larger the groups, so that the
    rows of a box are more diverse than the model says: its power is k ** -1/3, for groups of at least k rows. Where such boxes hide
    few cells, what they hide is rare, and cells are spread evenly. Strict cuts by Mondrian depend far less on what they hide. Cells are
    suppressed one by one because they are rare, and what other rows show says little about them. The numbers are
    measured: `python -m benchmarks.every_release boxes`.
    """
    recoding = release.mechanism.recoding
    if recoding is None or recoding.scheme == "global":
        return 1.0, 0.0
    if release.method.get("method") != "generalization":
        return 0.0, 0.0
    classes, how = (
        class_of([release.coded.codes(name) for name in recoding.columns], release.rows),
        release.method["partition"],
    )
    k = max(float(np.bincount(classes, many).min()), 1.0)
    if how["kind"] == "mondrian" and how["strict"] and how["choose"] == "widest":
        return 1.0, min(CUT * math.log(k), 1.0)
    return (k**NEAR if _hidden(release) > FEW else 0.0), 0.0


def _hidden(release: Release) -> float:
    """Return the share of cells of recoded columns that stand for several values."""
    assert release.mechanism.recoding is not None
    columns = release.mechanism.recoding.columns.items()
    return float(
        np.mean([(how.spans[:, 1] > how.spans[:, 0])[release.coded.codes(name)].mean() for name, how in columns])
    )


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
