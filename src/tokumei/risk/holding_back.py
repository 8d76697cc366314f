"""Rare changes held back: the table to release now, given those released before, so that nobody is among few who changed like them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei.arrays import Booleans, Integers
from tokumei.errors import DataError, InvalidParameter
from tokumei.prepare.person_tags import check_one_row, check_person, people_of
from tokumei.progress import stage
from tokumei.results import Result
from tokumei.table.canonical import canonical
from tokumei.table.classes import class_of
from tokumei.table.coded import numbered
from tokumei.table.frames import from_arrow, to_arrow
from tokumei.table.schema import DROPPED, Schema, require_schema
from tokumei.text import names

ABSENT = -1  # in place of a value, of a person who has no row


@dataclass(frozen=True)
class HeldBack(Result):
    """A table with rare changes held back.

    Attributes
    ----------
    frame
        The table to release now; keep it for the next time.
    kept_as_before
        How many people have their earlier row in place of a changed one.
    left_out
        How many people who joined, or came back, are not in it yet.
    still_there
        How many people who left are in it with their earlier row.
    among_few
        How many people are among fewer than asked for all the same, because of what was released before.
    """

    frame: Any
    kept_as_before: int
    left_out: int
    still_there: int
    among_few: int


@stage("Looking for rare changes")
def hold_back(
    frame: Any,
    released: Sequence[Any],
    schema: Schema,
    person: str,
    least: int,
    columns: Sequence[str] | None = None,
) -> HeldBack:
    """Return the table to release under `Repeat`, given the tables released before: changes that few people share wait.

    A pattern says in which tables a person is, and in which of them each column has the same value. As long as some pattern has fewer than
    ``least`` people, all of them whose row is not that of the last table keep that row: a changed row is as before, who joined is left
    out, and who left stays. The tables that `tokumei.disclosure.repeats` counts, and that a joint guarantee is about, are those
    returned here.

    Parameters
    ----------
    frame
        The table as it is now.
    released
        The tables that were released before, in order, as this function returned them; the first one as it was.
    schema
        The columns of the tables, with roles and domains.
    person
        The column that identifies people, of the role ``identifier``.
    least
        How many people must share a pattern.
    columns
        The columns whose changes count; without it all that are released.

    Examples
    --------
    >>> import pandas as pd
    >>> import tokumei as tk
    >>> schema = tk.Schema([tk.Attribute("who", "identifier"), tk.Attribute("area", domain=tk.Categories(["n", "s"]))])
    >>> january = pd.DataFrame({"who": list("abcd"), "area": list("nnss")})
    >>> february = pd.DataFrame({"who": list("abcd"), "area": list("snss")})
    >>> held = hold_back(february, [january], schema, "who", least=2)
    >>> held.kept_as_before, list(held.frame["area"])
    (1, ['n', 'n', 's', 's'])
    """
    require_schema(schema)
    check_person(schema, person)
    if isinstance(least, bool) or not isinstance(least, int | np.integer) or least < 1:
        raise InvalidParameter("{name} must be a whole number of at least 1.", name="least")
    if isinstance(released, str) or not isinstance(released, Sequence) or not released:
        raise InvalidParameter("hold_back takes a list of the tables that were released before, one at least.")
    now, origin = to_arrow(frame)
    tables = [*(to_arrow(each)[0] for each in released), now]
    counted = [a.name for a in schema if a.role not in DROPPED] if columns is None else list(columns)
    for table in tables:
        lacking = [name for name in counted if name not in table.column_names]
        if lacking:
            raise DataError("A table has no column {lacking}.", lacking=names(lacking))
    whose, total = _people(tables, person)
    values = [_values(tables, name, whose, total) for name in counted]
    there = [_spread(np.zeros(len(rows), dtype=np.int64), rows, total) for rows in whose]
    waiting = _waiting([there, *values], least)
    held = _with_held(tables[-2], now, whose[-2], whose[-1], waiting)
    before, after = there[-2] != ABSENT, there[-1] != ABSENT
    settled = [[*each[:-1], np.where(waiting, each[-2], each[-1])] for each in (there, *values)]
    sizes = _sizes(settled)
    few = int(((sizes < least) & np.any([each != ABSENT for each in settled[0]], axis=0)).sum())
    as_before, joined, gone = (
        int((waiting & each).sum()) for each in (before & after, ~before & after, before & ~after)
    )
    return HeldBack(from_arrow(held, origin), as_before, joined, gone, few)


def _people(tables: Sequence[pa.Table], person: str) -> tuple[list[Integers], int]:
    """Return whose row each is, by numbers that are the same in all tables, and how many people there are."""
    texts = []
    for table in tables:
        different, which = people_of(table, person)
        check_one_row(table.num_rows, len(different), person)
        texts.append(different.take(pa.array(which)))
    everyone = pa.concat_arrays(texts).dictionary_encode()
    ends = np.cumsum([table.num_rows for table in tables])
    rows = np.split(everyone.indices.to_numpy(zero_copy_only=False).astype(np.int64), ends[:-1])
    return rows, len(everyone.dictionary)


def _values(tables: Sequence[pa.Table], name: str, whose: Sequence[Integers], total: int) -> list[Integers]:
    """Return the values of a column as numbers, table by table, one for each person."""
    kinds = {str(table.schema.field(name).type) for table in tables}
    columns = [table.column(name) if len(kinds) == 1 else table.column(name).cast(pa.string()) for table in tables]
    codes = numbered(canonical(pa.chunked_array([chunk for each in columns for chunk in each.chunks], columns[0].type)))
    ends = np.cumsum([table.num_rows for table in tables])
    apart = np.split(np.asarray(codes, dtype=np.int64), ends[:-1])
    return [_spread(each, rows, total) for each, rows in zip(apart, whose, strict=True)]


def _spread(codes: Integers, whose: Integers, total: int) -> Integers:
    made = np.full(total, ABSENT, dtype=np.int64)
    made[whose] = codes
    return made


def _sizes(values: Sequence[Sequence[Integers]]) -> Integers:
    """Return for each person how many have their pattern: at which tables each value is the same."""
    total, labels = len(values[0][0]), []
    for each in values:
        for at, now in enumerate(each):
            label = np.where(now == ABSENT, ABSENT, at)
            for before in reversed(range(at)):
                label[(now != ABSENT) & (now == each[before])] = before
            labels.append(label + 1)
    pattern = class_of(labels, total)
    return np.bincount(pattern)[pattern]


def _waiting(values: Sequence[Sequence[Integers]], least: int) -> Booleans:
    """Return who keeps the row of the last table: all whose pattern too few have, until none is left whose row has changed."""
    moved = np.any([each[-1] != each[-2] for each in values], axis=0)
    waiting = np.zeros(len(moved), dtype=np.bool_)
    while True:
        sizes = _sizes([[*each[:-1], np.where(waiting, each[-2], each[-1])] for each in values])
        more = moved & ~waiting & (sizes < least)
        if not more.any():
            return waiting
        waiting |= more


def _with_held(last: pa.Table, now: pa.Table, then: Integers, here: Integers, waiting: Booleans) -> pa.Table:
    """Return the table of now, with the rows of those who wait as they were, in the order of the people."""
    lacking = [name for name in now.column_names if name not in last.column_names]
    if lacking:
        raise DataError("The last table has no column {lacking}.", lacking=names(lacking))
    both = pa.concat_tables([now, last.select(now.column_names)], promote_options="permissive").combine_chunks()
    own, earlier = np.full(len(waiting), -1), np.full(len(waiting), -1)
    own[here], earlier[then] = np.arange(len(here)), len(here) + np.arange(len(then))
    rows = np.where(waiting, earlier, own)
    order = np.concatenate([here, then[~np.isin(then, here)]])
    taken = rows[order]
    return both.take(pa.array(taken[taken >= 0]))
