"""Carry out a plan."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa

from tokumei.errors import InvalidParameter, names, nearest
from tokumei.plan import Plan
from tokumei.randomness import Key
from tokumei.release.artifact import Release
from tokumei.table.batches import Files, Rows, files_of, is_many, read_all
from tokumei.table.frames import Origin
from tokumei.table.source import read_table
from tokumei.values import value

Shuffle = Literal["rows", "blocks"]


@value
class Settings:
    """How an engine is to work; none of it changes what is promised for rows shuffled as a whole.

    Parameters
    ----------
    key
        Where all chance of the release comes from.
    memory
        About how much memory an engine that need not hold all rows may take, such as ``"1GB"``.
    shuffle
        ``"rows"``: all rows are shuffled. ``"blocks"``: only within blocks of consecutive rows, which is quicker; the promise
        then counts on the rows of the smallest block.
    """

    key: Key
    memory: int | str = "1GB"
    shuffle: Shuffle = "rows"


Engine = Callable[[Plan, Settings], Release]


def _local(plan: Plan, settings: Settings) -> Release:
    from tokumei.engines.local import make_release

    if settings.shuffle != "rows":
        raise InvalidParameter("The local engine shuffles all rows; shuffle='blocks' is for the engine 'stream'.")
    return make_release(rows_of(plan), Origin("pyarrow"), plan.schema, plan.method, plan.prepare, settings.key).release


def _stream(plan: Plan, settings: Settings) -> Release:
    from tokumei.engines.stream.engine import release_of_rows
    from tokumei.engines.stream.memory import bytes_of

    memory = bytes_of(settings.memory)
    return release_of_rows(
        open_rows(plan), plan.schema, plan.method, plan.prepare, settings.key, memory, settings.shuffle
    )


# A new engine is one line here: it takes a plan and settings, and returns a release.
ENGINES: dict[str, Engine] = {"local": _local, "stream": _stream}


def run(
    plan: Plan | str | Path,
    engine: str = "local",
    seed: int | None = None,
    *,
    memory: int | str = "1GB",
    shuffle: Shuffle = "rows",
) -> Release:
    """Read the rows that a plan names and make the release it describes; `Release.write` then puts it in its place.

    Parameters
    ----------
    plan
        What to do: a plan, or the path of a plan file.
    engine
        Where to do it: ``"local"`` is in memory on this machine, ``"stream"`` keeps to ``memory`` and works on disk.
    seed
        For tests and research only: the promise is void for whoever knows it.
    memory
        About how much memory the engine ``"stream"`` may take.
    shuffle
        ``"rows"``, or for the engine ``"stream"`` also ``"blocks"``: rows are shuffled within blocks of consecutive rows
        only, and the promise counts on the rows of the smallest block.
    """
    if isinstance(plan, str | Path):
        plan = Plan.read(plan)
    if engine not in ENGINES:
        raise InvalidParameter(
            f"engine must be one of {names(ENGINES)}. Got {engine!r}.{nearest(str(engine), ENGINES)}"
        )
    key = Key.fresh() if seed is None else Key.seeded(seed)
    return ENGINES[engine](plan, Settings(key, memory, shuffle))


def rows_of(plan: Plan) -> pa.Table:
    """Read the rows that a plan names into memory."""
    dialect: Any = plan.source.dialect
    if plan.source.database is None and not is_many(plan.source_path):
        return read_table(plan.source_path, plan.schema, dialect.delimiter, dialect.missing, dialect.encoding)
    return read_all(open_rows(plan))


def open_rows(plan: Plan) -> Rows:
    """Get ready to read the rows that a plan names, batch by batch."""
    if plan.source.database is not None:
        from tokumei.table.databases import query_rows

        return query_rows(plan.source.database, plan.source.statement, plan.folder, plan.schema)
    return Files(files_of(plan.source_path), plan.schema, plan.source.dialect)
