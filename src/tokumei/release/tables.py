"""A release in a database: one table for the rows, and beside it one of a single row for the manifest."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from tokumei.bounds import LARGEST_TEXT, parsed_json
from tokumei.errors import ReleaseError
from tokumei.io.databases import NewTable, read_table_of
from tokumei.io.new_tables import write_tables
from tokumei.io.urls import name_parts
from tokumei.messages import phrase
from tokumei.progress import stage
from tokumei.release import manifest
from tokumei.release.artifact import Release
from tokumei.release.shape import DataFile
from tokumei.table.frames import FrameKind, frame_kind

FORMAT = "table"
TEXT = "manifest"


def manifest_table(table: str) -> str:
    """Name the table of a release's manifest.

    >>> manifest_table("open.people")
    'open.people_manifest'
    """
    return f"{table}_manifest"


def write_release_table(release: Release, url: str, table: str, folder: Path, *, overwrite: bool) -> None:
    """Write rows and manifest into two new tables, in one transaction."""
    from tokumei.release.files import counted, in_groups

    name_parts(table)
    types = release.types.remove_metadata()
    data = DataFile(
        file=table,
        format=FORMAT,
        rows=release.rows,
        sha256="",
        types={field.name: str(field.type) for field in types},
    )
    told = pa.table({TEXT: [manifest.text_of(release, data)]})
    with stage(f"Writing {table}", release.rows, rows=True) as writing:
        new = [
            NewTable(table, types, in_groups(counted(release.pieces(), writing), release.group)),
            NewTable(manifest_table(table), told.schema, iter([told])),
        ]
        write_tables(url, folder, new, overwrite=overwrite, mark=manifest_table(table), is_ours=_is_ours)


def _is_ours(told: pa.Table, columns: Sequence[str]) -> bool:
    """Whether a table holds a manifest of ours, and the table beside it, if it is there, the columns that it states."""
    if told.column_names != [TEXT] or told.num_rows != 1:
        return False
    try:
        content = parsed_json(str(told.column(TEXT)[0].as_py()))
        stated = content["data"]["types"] if "tokumei" in content["declared"] else None
    except (ValueError, LookupError, TypeError):
        return False
    return stated is not None and (not columns or set(columns) == set(stated))


def read_release_table(url: str, table: str, folder: Path, frame: FrameKind = "pandas") -> Release:
    """Read a release from a database, check its promise, and return it.

    A table has no digest, so it is the database that must be trusted for the rows; the promise is counted on them again.
    """
    from tokumei.release.files import checked, plain_type

    name_parts(table)
    origin = frame_kind(frame)
    told = read_table_of(url, folder, manifest_table(table), 1)
    text = told.column(TEXT)[0].as_py() if told.column_names == [TEXT] and told.num_rows == 1 else None
    if not isinstance(text, str) or told.nbytes > LARGEST_TEXT:
        raise ReleaseError("The table {table!r} is not a release: its manifest is damaged.", table=table)
    parts, data = manifest.read(text)
    if data.format != FORMAT:
        raise ReleaseError("The rows of the release are in a format that this version of tokumei does not know.")
    rows = read_table_of(url, folder, table, data.rows)
    if set(rows.column_names) != set(data.types):
        raise ReleaseError("The table {table!r} does not have the columns that its manifest states.", table=table)
    made: dict[str, Any] = {}
    for name, kind in data.types.items():
        column = rows.column(name)
        try:
            made[name] = column.cast(plain_type(kind))
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
            made[name] = None
        if made[name] is None:
            raise ReleaseError(
                "The column {name!r} of the table {table!r} does not have the type that its manifest states.",
                name=name,
                table=table,
            )
    return checked(pa.table(made), data, parts, origin, phrase("The table {table!r}", table=table))
