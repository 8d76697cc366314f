"""How many people changed, joined or left when, counted in the original tables: the data holder's part of a joint promise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei.arrays import Integers
from tokumei.errors import InvalidParameter
from tokumei.mechanism.repeating import draw_names
from tokumei.prepare.person_tags import check_one_row, check_person, people_of
from tokumei.prepare.rows import prepared_rows
from tokumei.prepare.step import Step
from tokumei.privacy.repeats import ABSENT, Pattern, Repeats, cell_column
from tokumei.progress import stage
from tokumei.release.artifact import Release
from tokumei.table.classes import class_of, smallest_within
from tokumei.table.coded import CodedTable
from tokumei.table.frames import to_arrow
from tokumei.table.schema import Schema, require_schema


@dataclass(frozen=True, repr=False)
class Month:
    """One of several releases with the table that it was made from, and whose row each is."""

    release: Release
    table: CodedTable
    people: Any  # as texts

    @classmethod
    def of(cls, release: Release, rows: pa.Table, schema: Schema, person: str, prepare: Sequence[Step] = ()) -> Month:
        """Prepare a table as it was for its release."""
        if release.mechanism.repeat is None:
            raise InvalidParameter("A release was made without repeat, so its draws repeat nowhere; leave it out.")
        check_person(schema, person)
        table = prepared_rows(rows, schema, prepare)
        texts, which = people_of(rows, person)
        check_one_row(table.rows, len(texts), person)
        if table.rows != release.rows or not _fits(release, table):
            raise InvalidParameter(
                "A release was made from another table, or with another schema or other steps; give the tables in the order of the "
                "releases."
            )
        return cls(release, table, texts.take(pa.array(which)))

    def drawn(self) -> dict[str, Integers]:
        """Return for each perturbed column what decides its draws: the codes, or the cells of what may be told."""
        telling = self.release.mechanism.telling
        made = {name: self.table.codes(name).astype(np.int64) for name in self.release.mechanism.channels}
        for name, column in {} if telling is None else telling.columns.items():
            for grid, shown in enumerate(column.shown):
                assert telling is not None
                made[cell_column(telling, name, grid)] = shown.cell_of[self.table.codes(name)]
        return made

    def known(self) -> list[Integers]:
        """Return what an attacker is assumed to know of the columns released unchanged."""
        if self.release.method.get("kept") != "known":
            return []
        return [self.table.identity(name).astype(np.int64) for name in self.release.mechanism.kept]


def _fits(release: Release, table: CodedTable) -> bool:
    mechanism = release.mechanism
    if not set(release.schema.names()) - set(mechanism.made_up) <= set(table.columns):
        return False
    told = {} if mechanism.telling is None else mechanism.telling.columns
    sizes = all(channel.size == table.schema[name].states for name, channel in mechanism.channels.items())
    now = {name: table.schema[name] for name in told}
    return sizes and all(
        (now[n].domain, now[n].missing) == (c.original.domain, c.original.missing) for n, c in told.items()
    )


@stage("Counting changes between releases")
def repeats(
    frames: Sequence[Any], releases: Sequence[Release], schema: Schema, person: str, prepare: Sequence[Step] = ()
) -> Repeats:
    """Count how many people have which pattern over several releases whose draws repeat, for `tokumei.combine`.

    A pattern says in which releases people are, and at which of them each value is the same. It is counted in the original tables, which
    only the data holder has. Each count that is published tells how many people changed when.

    Parameters
    ----------
    frames
        The original tables, in the order of the releases.
    releases
        The releases made from them with `Repeat`, under one key.
    schema
        The columns of the tables, with roles and domains.
    person
        The column that identifies people, of the role ``identifier``.
    prepare
        The steps that were taken first.
    """
    require_schema(schema)
    if not isinstance(frames, Sequence) or not isinstance(releases, Sequence) or len(frames) != len(releases):
        raise InvalidParameter("repeats takes a list of tables and a list of as many releases.")
    pairs = zip(frames, releases, strict=True)
    return count([Month.of(each, to_arrow(frame)[0], schema, person, prepare) for frame, each in pairs])


def count(months: Sequence[Month]) -> Repeats:
    """Count patterns of tables that have been prepared."""
    keys = {month.release.mechanism.repeat for month in months}
    if len(months) < 2 or len(keys) > 1:
        raise InvalidParameter("Patterns are counted over at least two releases, all made under one key.")
    everyone = pa.concat_arrays([month.people for month in months]).dictionary_encode()
    total, ends = len(everyone.dictionary), np.cumsum([month.table.rows for month in months])
    whose = np.split(everyone.indices.to_numpy(zero_copy_only=False), ends[:-1])
    names = tuple(draw_names(month.release.mechanism, month.release.schema) for month in months)
    present = [_spread(np.zeros(len(rows), dtype=np.int64), rows, total) for rows in whose]
    drawn = [_drawn(*each, total) for each in zip(months, names, whose, strict=True)]
    labels = {column: _first_alike([each.get(column) for each in drawn]) for each in drawn for column in each}
    known = [_spread(codes, rows, total) for month, rows in zip(months, whose, strict=True) for codes in month.known()]
    pattern = class_of([each + 1 for each in (*present, *(label for of in labels.values() for label in of))], total)
    people = np.bincount(pattern)
    fewest = smallest_within(pattern, len(people), class_of([each + 1 for each in known], total))
    example = np.empty(len(people), dtype=np.int64)
    example[pattern] = np.arange(total)
    found = [
        Pattern(
            int(people[at]),
            int(fewest[at]),
            tuple(bool(each[one] != ABSENT) for each in present),
            {column: tuple(int(label[one]) for label in each) for column, each in labels.items()},
        )
        for at, one in enumerate(example.tolist())
    ]
    return Repeats(str(keys.pop()), names, tuple(sorted(found, key=lambda each: each.people)))


Drawn = tuple[str, Integers]  # the name of a draw, and what decides it besides the person


def _drawn(month: Month, names: Mapping[str, str], whose: Integers, total: int) -> dict[str, Drawn]:
    """Return for each perturbed column the name of its draws, and for each person what decides them."""
    telling = month.release.mechanism.telling
    told = "" if telling is None else names[telling.label]
    return {column: (names.get(column, told), _spread(codes, whose, total)) for column, codes in month.drawn().items()}


def _first_alike(drawn: Sequence[Drawn | None]) -> list[Integers]:
    """Return for each release and person the first release with the same draw of a column."""
    total = next(len(each[1]) for each in drawn if each is not None)
    made = []
    for at, now in enumerate(drawn):
        label = np.full(total, ABSENT, dtype=np.int64)
        if now is not None:
            label[now[1] != ABSENT] = at
        for before in reversed(range(at)):
            then = drawn[before]
            if now is not None and then is not None and now[0] == then[0]:
                label[(now[1] != ABSENT) & (now[1] == then[1])] = before
        made.append(label)
    return made


def _spread(codes: Integers, whose: Integers, total: int) -> Integers:
    """Return codes of rows as codes of people, `ABSENT` for those who have no row."""
    made = np.full(total, ABSENT, dtype=np.int64)
    made[whose] = codes
    return made
