"""From groups of rows to released cells: labels, what they stand for, and codes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from tokumei.arrays import Codes, Integers, Labels
from tokumei.mechanism.recoding import RecodedColumn, Recoding, Scheme
from tokumei.partition.arrangement import Arrangement, Problem, Stretch
from tokumei.partition.partition import stretches
from tokumei.table.cells import STAR, CellNames, check_names
from tokumei.table.coded import CodedTable
from tokumei.table.domain import Categories, code_type
from tokumei.table.own_cells import OwnTexts, cell_texts, fine, own_texts_of
from tokumei.table.schema import Attribute, Schema

MARKED = 2**16  # pairs of places that are marked one by one, however few rows there are
_Made = tuple[Attribute, RecodedColumn, Codes]  # a column as released, as explained, and its codes


@dataclass(frozen=True)
class RecodedTable:
    """The recoded columns of a table: as the schema describes them, as the mechanism explains them, and their codes."""

    schema: Schema
    recoding: Recoding
    codes: Mapping[str, Codes]

    def applied(self, table: CodedTable, keep: npt.NDArray[np.bool_]) -> CodedTable:
        """Return the table as it will be released, some rows left out."""
        for name, codes in self.codes.items():
            table = table.with_codes(self.schema[name], codes)
        return table if keep.all() else table.taking(np.flatnonzero(keep))


Told = Mapping[str, OwnTexts]  # how the values of columns are written, where their cells lie between points of a grid


def recode(arranged: Arrangement, starred: npt.NDArray[np.bool_], told: Told) -> RecodedTable:
    """Give every cell the label of its stretch, and a star in starred rows."""
    table, problem, levels = arranged.table, arranged.problem, arranged.levels
    named = arranged.named
    moved = {name for name, own in told.items() if not own.exact}
    if named is not None:  # labels tell other people's cells
        columns = [axis.name for axis in problem.axes]
        moved = {name for name in columns if table.rounded.get(name) or fine(table.schema[name])}
    elif levels is not None:
        named = {
            axis.name: CellNames(table.schema[axis.name], axis, told.get(axis.name, OwnTexts()).texts).at_level(level)
            for axis, level in zip(problem.axes, levels, strict=True)
        }
    if named is None:
        return by_boxes(table, problem, arranged.low, arranged.high, starred, arranged.overlap, told)
    return by_names(table, problem, arranged.low, arranged.high, starred, arranged.overlap, named, moved)


def by_boxes(
    table: CodedTable, problem: Problem, low: Any, high: Any, starred: npt.NDArray[np.bool_], scheme: Scheme, told: Told
) -> RecodedTable:
    """Give every cell the label of its row's stretch from ``low`` to ``high``, and a star in starred rows."""
    named = {}
    for column, axis in enumerate(problem.axes):
        used = _different(_key(low[~starred, column], high[~starred, column], axis.size), axis.size**2)
        stretches = list(zip((used // axis.size).tolist(), (used % axis.size).tolist(), strict=True))
        own = told.get(axis.name, OwnTexts())
        names = CellNames(table.schema[axis.name], axis, own.texts).of(used // axis.size, used % axis.size)
        named[axis.name] = dict(zip(stretches, names, strict=True))
    return by_names(table, problem, low, high, starred, scheme, named, {n for n, own in told.items() if not own.exact})


def by_names(
    table: CodedTable,
    problem: Problem,
    low: Any,
    high: Any,
    starred: npt.NDArray[np.bool_],
    scheme: Scheme,
    named: Mapping[str, Mapping[Stretch, str | None]],
    moved: Collection[str],
) -> RecodedTable:
    """Give every cell the name of its row's stretch from ``low`` to ``high``, and a star in starred rows.

    ``moved`` are the columns that have cells between the points of their grid, of which the names are not true.
    """
    made = [
        _column(
            table.schema[axis.name],
            named[axis.name],
            low[:, column],
            high[:, column],
            starred,
            axis.name not in moved,
        )
        for column, axis in enumerate(problem.axes)
    ]
    return _recoded(table, made, scheme)


def by_groups(
    table: CodedTable, problem: Problem, labels: Labels, starred: npt.NDArray[np.bool_], told: Told
) -> RecodedTable:
    """Give each group the labels of its box."""
    low, high, overlap = stretches(problem, labels)
    return by_boxes(table, problem, low, high, starred, overlap, told)


def by_cells(table: CodedTable, columns: Sequence[str], stars: npt.NDArray[np.bool_], scheme: Scheme) -> RecodedTable:
    """Give every cell its own text, and a star where one is; cells are told apart as they came, not by their codes."""
    made = []
    for place, name in enumerate(columns):
        attribute = table.schema[name]
        assert attribute.domain is not None
        starred = stars[:, place] & (attribute.states > 1)  # where there is one value, a star says no less
        identity, codes = table.identity(name), table.codes(name)
        kinds, example = np.unique(identity[~starred], return_index=True)
        example = np.flatnonzero(~starred)[example]
        there = codes[example] < attribute.domain.size
        missing = bool(np.any(~there))
        kinds, example = kinds[there], example[there]
        cells = table.columns[name].cells_of(example)
        texts = cell_texts(attribute.domain, codes[example], cells)
        order = _in_order(codes[example], cells)
        labels: list[str] = [texts[at] for at in order]
        stretches = [(int(codes[example[at]]),) * 2 for at in order]
        number = np.full(int(identity.max(initial=0)) + 1, len(labels), dtype=np.uint32)
        number[kinds[order]] = np.arange(len(order))
        if starred.any() or not labels:
            labels.append(STAR)
            stretches.append((0, attribute.states - 1))
            number[number == len(order)] += 1  # a missing cell comes after the star
        check_names(attribute, stretches, labels)
        domain = Categories(tuple(labels))
        released = replace(attribute, domain=domain, hierarchy=None, observed=True, missing=missing)
        explained = RecodedColumn(attribute, tuple(stretches), missing)
        drawn = number.astype(code_type(domain))[identity]
        drawn[starred] = len(labels) - 1
        made.append((released, explained, drawn))
    return _recoded(table, made, scheme)


def _in_order(codes: Codes, cells: Any) -> npt.NDArray[np.int64]:
    """Sort different cells by their codes, and by themselves where codes do not tell them apart."""
    rank = np.zeros(len(codes), dtype=np.int64)
    if cells is not None:
        rank[pc.sort_indices(cells).to_numpy()] = np.arange(len(codes))
    return np.lexsort((rank, codes))


def told_by(table: CodedTable, columns: Sequence[str], shown: npt.NDArray[np.bool_]) -> Told:
    """Return how the values of columns are written where cells lie between points of their grid, as the shown rows have them."""
    return {
        name: own_texts_of(table.schema[name], table.codes(name), table.columns[name].cells, shown)
        for name in columns
        if table.rounded.get(name)
    }


def _key(low: Any, high: Any, size: int) -> Integers:
    made = low.astype(np.int64)
    made *= size
    made += high
    return made


def _different(keys: Integers, most: int) -> Integers:
    """Return the different keys in order, all below ``most``: marked where that is no larger than the table, sorted otherwise."""
    if most > MARKED + len(keys):
        return np.unique(keys)
    there = np.zeros(most, dtype=np.bool_)
    there[keys] = True
    return np.flatnonzero(there)


def _translated(keys: Integers, kinds: Integers, codes: Codes, most: int) -> Codes:
    """Give each key the code of its kind; ``kinds`` are the different keys in order."""
    if most > MARKED + len(keys):
        return codes[np.searchsorted(kinds, keys)]
    code_of = np.zeros(most, dtype=codes.dtype)
    code_of[kinds] = codes
    return code_of[keys]


def _recoded(table: CodedTable, made: Sequence[_Made], scheme: Scheme) -> RecodedTable:
    schema = table.schema
    for released, _, _ in made:
        schema = schema.replacing(released)
    columns = {released.name: explained for released, explained, _ in made}
    return RecodedTable(schema, Recoding(columns, scheme), {released.name: codes for released, _, codes in made})


def _column(
    attribute: Attribute,
    named: Mapping[Stretch, str | None],
    low: Any,
    high: Any,
    starred: npt.NDArray[np.bool_],
    exact: bool,
) -> _Made:
    """Number the labels of a column in the order of their stretches; the star comes last, and a missing cell after it.

    A tree's own label ``*`` over all values is the same as a suppressed cell.
    """
    assert attribute.domain is not None
    whole, values = (0, attribute.states - 1), (0, attribute.domain.size - 1)
    star = (whole, STAR)
    shown = {
        stretch: star if name == STAR and stretch == values else (stretch, name)
        for stretch, name in named.items()
        if name is not None
    }
    labels = sorted({*shown.values()} - {star})
    if starred.any() or not labels or star in shown.values():
        labels.append(star)
    check_names(attribute, [stretch for stretch, _ in labels], [name for _, name in labels])
    place = {label: at for at, label in enumerate(labels)}
    domain = Categories(tuple(name for _, name in labels))
    keys, most = _key(low, high, attribute.states), attribute.states**2
    kinds = _different(keys, most)
    code_of = [
        place[shown[kind]] if kind in shown else len(labels)  # a missing cell, or that of a row nobody sees
        for kind in zip((kinds // attribute.states).tolist(), (kinds % attribute.states).tolist(), strict=True)
    ]
    codes = _translated(keys, kinds, np.array(code_of, dtype=code_type(domain)), most)
    codes[starred] = place.get(star, 0)
    missing = None in named.values()
    released = replace(attribute, domain=domain, hierarchy=None, observed=True, missing=missing)
    return released, RecodedColumn(attribute, tuple(stretch for stretch, _ in labels), missing, exact), codes
