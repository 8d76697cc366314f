"""What ties a report to one table, one release and one plan, so that it is evidence: names, a date and digests."""

from __future__ import annotations

import datetime as dt
import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from tokumei.errors import DataError
from tokumei.io.batches import files_of
from tokumei.plan import Plan

ROWS = "rows"  # where there is no file to compare: the rows themselves


@dataclass(frozen=True)
class Evidence:
    """What a report is about.

    Attributes
    ----------
    made
        When the report was made, in UTC.
    name
        What the table is called; ``None`` where nobody has said.
    table
        The SHA-256 of each file that the original was read from, by its name; under ``"rows"`` that of the rows themselves where they
        came from a database or from memory. For the data holder only: those who know all rows but one could try the rest.
    plan
        The plan as it was written. For the data holder only, since it has the labels of domains and hierarchies.
    """

    made: dt.datetime
    name: str | None = None
    table: Mapping[str, str] = field(default_factory=dict)
    plan: str | None = None

    @property
    def plan_digest(self) -> str | None:
        """The SHA-256 of the plan's text."""
        return None if self.plan is None else hashlib.sha256(self.plan.encode()).hexdigest()

    def public(self) -> Evidence:
        """Return what recipients may see: nothing of the original or the plan."""
        return Evidence(self.made, self.name)


def now() -> dt.datetime:
    """Return the time, to the second."""
    return dt.datetime.now(dt.UTC).replace(microsecond=0)


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file, as ``sha256sum`` prints it."""
    with path.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def rows_digest(table: pa.Table) -> str:
    """Return the SHA-256 of rows as an Arrow stream of one batch: however they came in pieces, the same rows give the same digest.

    >>> import pyarrow as pa
    >>> rows = pa.table({"age": [30, 40, 50]})
    >>> rows_digest(rows) == rows_digest(pa.concat_tables([rows[:1], rows[1:]])), rows_digest(rows) == rows_digest(rows[:2])
    (True, False)
    """
    sink = _Hashing()
    plain = table.replace_schema_metadata(None).combine_chunks()
    with pa.ipc.new_stream(pa.PythonFile(sink, mode="w"), plain.schema) as writer:
        writer.write_table(plain)
    return sink.hash.hexdigest()


class _Hashing:
    """A file that keeps nothing of what is written to it but its hash."""

    closed = False

    def __init__(self) -> None:
        self.hash = hashlib.sha256()

    def write(self, part: bytes) -> int:
        """Take a part."""
        self.hash.update(part)
        return len(part)

    def flush(self) -> None:
        """Nothing waits."""

    def close(self) -> None:
        """Nothing is open."""


def source_digests(plan: Plan) -> dict[str, str]:
    """Return the digest of each file that a plan reads; nothing for a database."""
    if plan.source.path is None:
        return {}
    found = files_of(plan.folder / plan.source.path)
    if not all(file.is_file() for file in found):
        return {}  # a pipe can be read once
    base = Path(os.path.commonpath([file.parent for file in found]))
    return {file.relative_to(base).as_posix(): file_digest(file) for file in found}


def table_name(plan: Plan) -> str | None:
    """Return what the table of a plan is called."""
    return Path(plan.source.path).name if plan.source.path is not None else plan.source.table


def unchanged(before: Mapping[str, str], after: Mapping[str, str]) -> None:
    """Refuse a table that was changed while it was read: no digest would be that of its rows."""
    if before != after:
        raise DataError("The table changed while it was read; run it again once nothing writes to it.")
