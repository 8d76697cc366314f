"""What released columns were before the steps of ``prepare``, so that true rows can be brought to the level of the release.

A step depends on declared facts only, so which value becomes which label is public. The release says it column by column: the
domain before, and the code that each of its values got.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tokumei.errors import DataError, ReleaseError
from tokumei.messages import message_of, phrase
from tokumei.table.coded import CodedTable, encode
from tokumei.table.domain import Categories, Domain
from tokumei.table.frames import to_arrow
from tokumei.table.schema import Attribute, Schema, attribute_from, describe_attribute

Runs = tuple[tuple[int, int, int], ...]


@dataclass(frozen=True)
class Original:
    """A column before the steps.

    Attributes
    ----------
    before, after
        What its cells could be before the steps and after them.
    runs
        The codes after the steps of all codes before, in order, that of a missing cell last: this many of them, the first one,
        and whether they stay the same (0) or rise one by one (1).
    learned
        Whether a hierarchy that was learned from rows had a part in it; it then is a fact that is disclosed.
    """

    before: Attribute
    after: Attribute
    runs: Runs
    learned: bool = False

    @classmethod
    def of(cls, before: Attribute, after: Attribute, codes: npt.NDArray[Any], learned: bool) -> Original:
        """Take the codes after the steps of all codes before."""
        bare = Attribute(before.name, after.role, before.domain, missing=before.missing)
        return cls(bare, after, runs_of(codes.astype(np.int64)), learned)

    @cached_property
    def codes(self) -> npt.NDArray[np.int64]:
        """For each code before, its code after the steps."""
        counts, first, rise = np.array(self.runs, dtype=np.int64).T
        since = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        return np.repeat(first, counts) + since * np.repeat(rise, counts)

    @property
    def plain(self) -> bool:
        """Whether no label means one thing before the steps and another after them."""
        one, other = (attribute.domain for attribute in (self.before, self.after))
        if not (isinstance(one, Categories) and isinstance(other, Categories)):
            return True
        place = {label: code for code, label in enumerate(other.values)}
        kept = zip(one.values, self.codes.tolist(), strict=False)
        return all(place.get(label, code) == code for label, code in kept)

    def recoded(self, column: Any) -> Any | None:
        """Return true values of the column as the steps left them; nothing where some are no values of before."""
        domain, coded = self.before.domain, None
        assert domain is not None
        assert self.after.domain is not None
        try:
            coded = domain.code(column)
        except DataError:
            return None
        if coded.outside or (not self.before.missing and np.any(coded.codes == domain.size)):
            return None
        return self.after.domain.values_of(self.codes[coded.codes])

    def describe(self) -> dict[str, Any]:
        """Return the column as it appears in a manifest."""
        described = describe_attribute(self.before)
        return {key: described[key] for key in ("domain", "missing")} | {"codes": [list(run) for run in self.runs]}

    @classmethod
    def from_description(cls, after: Attribute, described: Mapping[str, Any], learned: bool) -> Original:
        """Make a column again from what `describe` gave."""
        told = {key: described[key] for key in ("domain", "missing")}
        before = attribute_from({"name": after.name, "role": after.role, **told})
        found = cls(before, after, tuple((count, first, rise) for count, first, rise in described["codes"]), learned)
        fits = (
            all(type(each) is int and each >= 0 for run in found.runs for each in run)
            and before.domain is not None
            and sum(count for count, _, _ in found.runs) == before.states
            and all(rise <= 1 and first + rise * (count - 1) < after.states for count, first, rise in found.runs)
            and (not before.missing or (after.missing and found.codes[-1] == after.states - 1))
        )
        if not fits or not found.plain:
            raise ReleaseError(
                "The release describes the recoding of {column!r} in a way that is not possible.", column=after.name
            )
        return found


def runs_of(codes: npt.NDArray[np.int64]) -> Runs:
    """Write codes as runs that stay the same or rise one by one.

    >>> runs_of(np.array([0, 0, 0, 1, 2, 3, 3, 5]))
    ((3, 0, 0), (2, 1, 1), (2, 3, 0), (1, 5, 0))
    """
    starts = np.append(0, np.flatnonzero(np.diff(codes)) + 1)  # of stretches of the same code
    first, counts = codes[starts], np.diff(np.append(starts, len(codes)))
    alone = counts == 1
    rising = alone[:-1] & alone[1:] & (np.diff(first) == 1)
    heads = np.flatnonzero(np.append(True, ~rising))  # of stretches, or of several of one code each that rise
    together = np.add.reduceat(counts, heads)
    several = np.diff(np.append(heads, len(first))) > 1
    return tuple(zip(together.tolist(), first[heads].tolist(), several.astype(int).tolist(), strict=True))


@dataclass(frozen=True)
class Originals:
    """The columns that steps changed.

    Attributes
    ----------
    columns
        Those of which the release says how.
    unsaid
        The names of the others: their domains were read from the rows, or a label would mean two things.
    """

    columns: Mapping[str, Original] = field(default_factory=dict)
    unsaid: tuple[str, ...] = ()

    def levelled(self, table: pa.Table) -> pa.Table:
        """Return rows with true values brought to the level of the release; columns at that level stay as they are."""
        for name, original in self.columns.items():
            if name in table.column_names:
                made = original.recoded(table.column(name))
                if made is not None:
                    table = table.set_column(table.column_names.index(name), name, made)
        return table

    def coded(self, rows: Any, schema: Schema) -> CodedTable:
        """Code rows of true values, or of values as released, by a schema of released columns; others are ignored."""
        table = to_arrow(rows)[0]
        table = self.levelled(table.select([name for name in table.column_names if name in schema.names()]))
        problem = ""
        try:
            return encode(table, schema)
        except DataError as error:
            problem = message_of(error)
        raise DataError(self._explained(problem, table, schema))

    def reading(self, schema: Schema) -> Schema:
        """Return a schema by which files of true rows are read: steps may have turned numbers into text."""
        for name, original in self.columns.items():
            if name in schema.names():
                text: Domain | None = original.before.domain if isinstance(original.before.domain, Categories) else None
                schema = schema.replacing(Attribute(name, "insensitive", text, missing=original.before.missing))
        return schema

    def _explained(self, problem: str, table: pa.Table, schema: Schema) -> str:
        """Say what is wrong with a column that steps changed, and what to do; else what is wrong as it is."""
        for name in (each for each in schema.names() if each in table.column_names):
            alone = table.select([name])
            if _problem(alone, schema[name]) is None:
                continue
            if name in self.columns:
                return phrase(
                    "{problem} Labels as in the release are accepted too.",
                    problem=_problem(alone, self.columns[name].before),
                )
            if name in self.unsaid:
                return phrase(
                    "{problem} In the release, {name!r} is recoded, and the release does not say how; recode the rows in "
                    "the same way first.",
                    problem=problem,
                    name=name,
                )
        return problem


def _problem(column: pa.Table, attribute: Attribute) -> str | None:
    """Return what is wrong with a table of one column."""
    try:
        encode(column, Schema((attribute,)))
    except DataError as error:
        return cast("str", message_of(error))
    return None
