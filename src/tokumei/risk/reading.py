"""A table as risk looks at it: cells compared as they are, numbered, with no schema in the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tokumei.arrays import Booleans, Codes, Integers
from tokumei.errors import DataError, InvalidParameter
from tokumei.progress import stop_if_asked
from tokumei.table.canonical import canonical
from tokumei.table.classes import class_of
from tokumei.table.coded import encode, in_few_bytes, numbered
from tokumei.table.domain import family
from tokumei.table.frames import to_arrow
from tokumei.table.schema import Attribute, Schema
from tokumei.text import names, nearest


@dataclass(frozen=True, repr=False)  # it holds cells
class Reading:
    """Some columns of a table: those that an attacker may know, and those that they would like to know."""

    known: tuple[str, ...]
    secret: tuple[str, ...]
    given: pa.Table

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return int(self.given.num_rows)

    def cells(self, name: str) -> Any:
        """The cells of a column, each in the one form that it is released in."""
        return canonical(self.given.column(name))

    @cached_property
    def codes(self) -> Mapping[str, Codes]:
        """The cells of each column as numbers; a missing cell is a value."""
        made = {}
        for name in (*self.known, *self.secret):
            stop_if_asked()
            made[name] = in_few_bytes(numbered(self.cells(name)))
        return made

    @cached_property
    def labels(self) -> Integers:
        """The class of each row: rows that agree in all known columns, cell for cell."""
        codes = [self.codes[name] for name in self.known]
        stop_if_asked()
        return class_of(codes, self.rows)

    @cached_property
    def sizes(self) -> Integers:
        """The rows of each class."""
        return np.bincount(self.labels).astype(np.int64)

    def stars(self, star: str | None) -> Booleans:
        """Say which known cells are suppressed: those written as ``star``, or the missing ones if it is none."""
        return np.stack([_stars(self.cells(name), star) for name in self.known], axis=1)

    def with_rows_of(self, other: Reading) -> tuple[Integers, Integers]:
        """Return the class of each row of this table and of another one, numbered alike."""
        codes = []
        for name in self.known:
            mine, theirs = self.cells(name), other.cells(name)
            if mine.type != theirs.type:
                theirs = _cast(theirs, mine.type, name)
            codes.append(numbered(pa.concat_arrays([mine, theirs])))
        labels = class_of(codes, self.rows + other.rows)
        return labels[: self.rows], labels[self.rows :]


def read(frame: Any, known: Sequence[str], secret: Sequence[str] = ()) -> Reading:
    """Take some columns of a pandas or polars frame or a pyarrow table."""
    arrow = to_arrow(frame)[0]
    if not known:
        raise InvalidParameter("columns must name at least one column.")
    for name in (*known, *secret):
        if name not in arrow.column_names:
            raise InvalidParameter(
                "There is no column {name!r} in the table.{hint}", name=name, hint=nearest(name, arrow.column_names)
            )
    twice = [name for place, name in enumerate((*known, *secret)) if name in (*known, *secret)[:place]]
    if twice:
        raise InvalidParameter(
            "{twice!r} is named twice; a column is either known to the attacker or sensitive.", twice=twice[0]
        )
    if arrow.num_rows == 0:
        raise DataError("The table has no rows.")
    for name in (*known, *secret):  # one at a time, since cells are large
        encode(arrow.select([name]), Schema((Attribute(name, "insensitive", missing=True),)))
    return Reading(tuple(known), tuple(secret), arrow.select([*known, *secret]))


def one_or_more(given: str | Sequence[str]) -> list[str]:
    """Take a name alone for a list of one."""
    return [given] if isinstance(given, str) else list(given)


def _stars(cells: Any, star: str | None) -> Booleans:
    if star is None:
        found = pc.is_null(cells, nan_is_null=True)
    elif family(cells.type) == "text":
        found = pc.fill_null(pc.equal(cells, pa.scalar(star, cells.type)), False)
    else:
        return np.zeros(len(cells), dtype=np.bool_)
    return np.asarray(found.to_numpy(zero_copy_only=False), dtype=np.bool_)


def _cast(cells: Any, kind: Any, name: str) -> Any:
    made = None
    try:
        made = cells.cast(kind)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        made = None
    if made is None:  # raised outside, since the library's own message quotes a cell
        raise DataError(
            "Column {name} holds {holds} in the population and {in_table} in the "
            "table; convert both to one type, and generalize both in the same way.",
            name=names([name]),
            holds=family(cells.type),
            in_table=family(kind),
        )
    return made
