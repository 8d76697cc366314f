"""Hierarchical files: households and their members, as one table of members, or as one row per household, and back.

A survey of households has a file of households and one of people, which say by a number which household each is of; or one file with rows of both
kinds. Two tables can be made of them. `join` has a row for each member, with the attributes of the household repeated: protect it with the number
as a column of role ``person`` and unit ``household``. `widen` has a row for each household, with columns for each member in turn: a record is then a
household, so that every guarantee is about whole households and holds against attackers who know all of its members. `lengthen` writes such a
release as two files again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tokumei.arrays import Integers
from tokumei.errors import DataError, InvalidParameter
from tokumei.progress import stage
from tokumei.table.canonical import canonical
from tokumei.table.coded import numbered
from tokumei.table.frames import Origin, from_arrow, to_arrow
from tokumei.table.schema import Attribute, Schema
from tokumei.text import names

MEMBER = re.compile(r"^(?P<name>.+)\.(?P<place>[1-9][0-9]?)$")
LARGEST = 99  # members of a household


class Split(NamedTuple):
    """Two files of one survey."""

    households: Any
    people: Any


@stage("Joining tables")
def join(households: Any, people: Any, on: str) -> Any:
    """Return a row for each member, with the attributes of the household repeated.

    Parameters
    ----------
    households, people
        Frames. Each household has one row, and every member's household is among them.
    on
        The column of both that numbers households. It stays: give it the role ``person`` with the unit ``household``.

    Examples
    --------
    >>> import pandas as pd
    >>> homes = pd.DataFrame({"hhid": [1, 2], "region": ["north", "south"]})
    >>> members = pd.DataFrame({"hhid": [1, 1, 2], "age": [40, 12, 70]})
    >>> join(homes, members, "hhid")["region"].tolist()
    ['north', 'north', 'south']
    """
    both = _linked(households, people, on)
    shared = {name: both.homes.column(name).take(pa.array(both.home_of)) for name in both.of_homes}
    made = pa.table({**shared, **{name: both.members.column(name) for name in both.members.column_names}})
    return from_arrow(made, Origin(both.origin.kind))


@stage("Widening the table")
def widen(households: Any, people: Any, on: str, *, most: int, order: str | None = None) -> Any:
    """Return a row for each household, with columns ``age.1``, ``age.2``, … for its members.

    Parameters
    ----------
    households, people, on
        As for `join`. The number of the household is dropped: a row is a household.
    most
        The most members that a household may have. A table with a larger household is refused: the number of columns is public, and must not follow from
        the data.
    order
        A column of the people by which members are put in order, such as a line number, which is then dropped; otherwise they stay as they
        come. Households are told apart by the order of their members too, so a rule that holds for all (age, oldest first) is best.

    Examples
    --------
    >>> import pandas as pd
    >>> homes = pd.DataFrame({"hhid": [1, 2], "region": ["north", "south"]})
    >>> members = pd.DataFrame({"hhid": [1, 1, 2], "age": [40, 12, 70]})
    >>> widen(homes, members, "hhid", most=2).to_numpy().tolist()
    [['north', 40, 12.0], ['south', 70, nan]]
    """
    check_most(most)
    both = _linked(households, people, on)
    rows = np.arange(both.members.num_rows)
    if order is not None:
        _check_column(both.members, order)
        rows = pc.array_sort_indices(both.members.column(order).combine_chunks()).to_numpy().astype(np.int64)
    rows = rows[np.argsort(both.home_of[rows], kind="stable")]
    home = both.home_of[rows]
    place = np.arange(len(rows)) - np.searchsorted(home, home)
    above = int(np.count_nonzero(np.bincount(both.home_of) > most))
    if above:
        raise DataError(
            "{above:household has|households have} more than {most:member|members}; declare more (most), or leave out or merge "
            "members.",
            above=above,
            most=most,
        )
    made = {name: both.homes.column(name) for name in both.of_homes}
    told = [name for name in both.members.column_names if name not in {on, order}]
    for which in range(most):
        at = np.full(both.homes.num_rows, -1)
        at[home[place == which]] = rows[place == which]
        places = pa.array(at, mask=at < 0)
        for name in told:
            made[f"{name}.{which + 1}"] = both.members.column(name).take(places)
    return from_arrow(pa.table(made), Origin(both.origin.kind))


@stage("Widening the schema")
def widened_schema(household: Sequence[Attribute], member: Sequence[Attribute], *, most: int) -> Schema:
    """Return the schema of a widened table; a second member and those after may be missing.

    Examples
    --------
    >>> import tokumei as tk
    >>> region = tk.Attribute("region", domain=tk.Categories(["north", "south"]))
    >>> widened_schema([region], [tk.Attribute("age", domain=tk.Numbers(0, 99, step=1))], most=2).names()
    ('region', 'age.1', 'age.2')
    """
    from dataclasses import replace

    check_most(most)
    own = [each for each in (*household, *member) if each.role == "person"]
    if own:
        raise InvalidParameter(
            "a row is a household, so no column of it has the role 'person'; leave out {own}.",
            own=names([each.name for each in own]),
        )
    places = [
        replace(each, name=f"{each.name}.{which}", missing=each.missing or which > 1)
        for which in range(1, most + 1)
        for each in member
    ]
    return Schema((*household, *places))


@stage("Lengthening the table")
def lengthen(frame: Any, number: str = "household") -> Split:
    """Write rows of households as two tables again: households, and people with the number of their household.

    It works on released rows, and on nothing else: households are numbered in the order of the rows, which a release has shuffled. A member
    all of whose cells are missing is not there. Where cells of an absent member were made coarser together with others', the member is
    written with those cells.

    Parameters
    ----------
    frame
        Released rows (``release.frame``) with columns ``age.1``, ``age.2``, ….
    number
        What to call the column that says which household a person is of.

    Examples
    --------
    >>> import pandas as pd
    >>> wide = pd.DataFrame({"region": ["north", "south"], "age.1": [40, 70], "age.2": [12, None]})
    >>> lengthen(wide).people.to_numpy().tolist()
    [[1.0, 40.0], [1.0, 12.0], [2.0, 70.0]]
    """
    table, origin = to_arrow(frame)
    found = {name: MEMBER.match(name) for name in table.column_names}
    members: dict[str, dict[int, str]] = {}
    for column, match in found.items():
        if match is not None:
            members.setdefault(match["name"], {})[int(match["place"])] = column
    places = sorted({place for each in members.values() for place in each})
    if not members or any(sorted(each) != places for each in members.values()):
        raise InvalidParameter(
            "the rows are not those of households: they need columns such as 'age.1', 'age.2' for each member, as tk.surveys.widen makes them."
        )
    homes = [name for name, match in found.items() if match is None]
    if number in {*homes, *members}:
        raise InvalidParameter(
            "there is a column {number!r} already; choose another name for the number.", number=number
        )
    numbers = pa.array(np.arange(1, table.num_rows + 1))
    parts = []
    for place in places:
        cells = {name: table.column(each[place]).combine_chunks() for name, each in members.items()}
        there = np.zeros(table.num_rows, dtype=bool)
        for each in cells.values():
            there |= pc.is_valid(each).to_numpy(zero_copy_only=False)
        parts.append(pa.table({number: numbers, **cells}).filter(pa.array(there)))
    people = pa.concat_tables(parts, promote_options="permissive")
    people = people.take(pc.array_sort_indices(people.column(number).combine_chunks()))
    households = pa.table({number: numbers, **{name: table.column(name) for name in homes}})
    kind = Origin(origin.kind)
    return Split(from_arrow(households, kind), from_arrow(people, kind))


@stage("Reading record types")
def by_record_type(frame: Any, column: str, household: Any, person: Any) -> Split:
    """Take a file with rows of households and of people apart; columns that are empty in all rows of a kind are dropped from it.

    Parameters
    ----------
    frame
        A frame with rows of both kinds.
    column
        The column that says of which kind a row is, which is dropped.
    household, person
        What stands in it.

    Examples
    --------
    >>> import pandas as pd
    >>> mixed = pd.DataFrame({"type": ["H", "P", "P"], "hhid": [1, 1, 1], "region": ["n", None, None], "age": [None, 40, 12]})
    >>> apart = by_record_type(mixed, "type", "H", "P")
    >>> list(apart.households.columns), list(apart.people.columns)
    (['hhid', 'region'], ['hhid', 'age'])
    """
    table, origin = to_arrow(frame)
    _check_column(table, column)
    kinds = pc.cast(canonical(table.column(column)), pa.string())
    masks = [pc.fill_null(pc.equal(kinds, str(each)), False) for each in (household, person)]
    other = table.num_rows - sum(pc.sum(mask).as_py() or 0 for mask in masks)
    if other:
        raise DataError(
            "Column {column!r} says of {other:row|rows} neither that it is a household's nor a person's.",
            column=column,
            other=other,
        )
    made = []
    for mask in masks:
        rows = table.filter(mask).drop_columns([column])
        made.append(rows.select([name for name in rows.column_names if rows.column(name).null_count < rows.num_rows]))
    return Split(*(from_arrow(each, Origin(origin.kind)) for each in made))


def check_most(most: int) -> None:
    """Refuse a number of members that is none."""
    if isinstance(most, bool) or not isinstance(most, int | np.integer) or not 1 <= most <= LARGEST:
        raise InvalidParameter(
            "most must be a whole number of members from 1 to {largest}. Got {most!r}.", largest=LARGEST, most=most
        )


class _Linked(NamedTuple):
    homes: pa.Table
    members: pa.Table
    home_of: Integers
    of_homes: list[str]
    origin: Origin


def _linked(households: Any, people: Any, on: str) -> _Linked:
    """Read both files; refuse what does not fit together."""
    (homes, origin), (members, _) = to_arrow(households), to_arrow(people)
    for table in (homes, members):
        _check_column(table, on)
    twice = [name for name in homes.column_names if name in members.column_names and name != on]
    if twice:
        raise InvalidParameter("both files have {twice}; rename or drop it in one of them.", twice=names(twice))
    cells = [_numbers(table.column(on), on) for table in (homes, members)]
    together = numbered(pa.concat_arrays([cells[0], cells[1].cast(cells[0].type)]))
    mine, theirs = together[: homes.num_rows], together[homes.num_rows :]
    homes_of = np.full(int(together.max(initial=-1)) + 1, -1)
    homes_of[mine] = np.arange(homes.num_rows)
    repeated = homes.num_rows - len(np.unique(mine))
    if repeated:
        raise DataError(
            "Column {on!r}: {repeated:household has|households have} more than one row in the file of households.",
            on=on,
            repeated=repeated,
        )
    home_of = homes_of[theirs]
    lost, empty = int(np.count_nonzero(home_of < 0)), homes.num_rows - len(np.unique(home_of[home_of >= 0]))
    if lost:
        raise DataError(
            "Column {on!r}: {lost:person is|people are} of a household that has no row in the file of households.",
            on=on,
            lost=lost,
        )
    if empty:
        raise DataError(
            "Column {on!r}: {empty:household has|households have} no member; leave them out.", on=on, empty=empty
        )
    return _Linked(homes, members, home_of, [name for name in homes.column_names if name != on], origin)


def _numbers(column: Any, on: str) -> Any:
    """Return the numbers of households as cells that can be compared."""
    cells = canonical(column)
    cells = cells.combine_chunks() if isinstance(cells, pa.ChunkedArray) else cells
    missing = cells.null_count
    if missing:
        raise DataError(
            "Column {on!r} numbers households, and {missing:cell|cells} of it {missing:|is|are} missing.",
            on=on,
            missing=missing,
        )
    return pc.cast(cells, pa.string())


def _check_column(table: pa.Table, name: str) -> None:
    from tokumei.text import nearest

    if name not in table.column_names:
        raise InvalidParameter(
            "There is no column {name!r} in the table.{hint}", name=name, hint=nearest(str(name), table.column_names)
        )


__all__ = ["Split", "by_record_type", "join", "lengthen", "widen", "widened_schema"]
