"""Run a plan."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyarrow as pa

from tokumei.errors import InvalidParameter
from tokumei.io.batches import Files, Rows, files_of, is_many, read_all
from tokumei.io.source import WHOLE_ENDINGS, read_written
from tokumei.partition.notes import Note
from tokumei.plan import Plan, Shuffle, Source
from tokumei.plan.calibration import calibrated
from tokumei.progress import stage
from tokumei.randomness import Key
from tokumei.release.artifact import Release
from tokumei.table.frames import Origin
from tokumei.table.schema import Schema
from tokumei.text import names, nearest
from tokumei.values import value

MEMORY = "1GB"
AUTO = "auto"


@value
class Settings:
    """How an engine is to work; none of it changes the guarantee for rows shuffled as a whole.

    Parameters
    ----------
    key
        The key from which all randomness of the release comes.
    memory
        About how much memory an engine that need not hold all rows may take, such as ``"1GB"``.
    shuffle
        ``"rows"``: all rows are shuffled. ``"blocks"``: only within blocks of consecutive rows, which is quicker; the guarantee
        then counts on the rows of the smallest block.
    """

    key: Key
    memory: int | str = MEMORY
    shuffle: Shuffle = "rows"


Engine = Callable[[Plan, Settings], Release]


def _local(plan: Plan, settings: Settings) -> Release:
    from tokumei.engines.local import make_release

    _refuse_blocks(settings, "local")
    return make_release(rows_of(plan), Origin("pyarrow"), plan.schema, plan.method, plan.prepare, settings.key).release


def _stream(plan: Plan, settings: Settings) -> Release:
    from tokumei.engines.stream.engine import release_of_rows
    from tokumei.engines.stream.memory import bytes_of

    memory = bytes_of(settings.memory)
    return release_of_rows(
        open_rows(plan), plan.schema, plan.method, plan.prepare, settings.key, memory, settings.shuffle
    )


def _spark(plan: Plan, settings: Settings) -> Release:
    from tokumei.engines.spark.engine import spark_release
    from tokumei.engines.spark.source import read_frame
    from tokumei.engines.stream.memory import bytes_of

    _refuse_blocks(settings, "spark")
    if plan.source.database is not None:
        raise InvalidParameter(
            "The engine 'spark' reads files, not databases; use the engine 'stream', or read the table with "
            "Spark and give the frame to tk.anonymize."
        )
    memory = bytes_of(settings.memory)
    files = Files(files_of(plan.source_path), plan.schema, plan.source.dialect)
    if plan.source.codebook is not None and files.parquet:
        raise InvalidParameter(
            "The engine 'spark' reads Parquet files without a codebook; use the engine 'local' or 'stream', or CSV files."
        )
    return spark_release(read_frame(files), plan.schema, plan.method, plan.prepare, settings.key, memory)


def _refuse_blocks(settings: Settings, engine: str) -> None:
    if settings.shuffle != "rows":
        raise InvalidParameter(
            "The engine {engine!r} shuffles all rows; shuffle='blocks' is only for the engine 'stream'.", engine=engine
        )


# A new engine is one line here: it takes a plan and settings, and returns a release.
ENGINES: dict[str, Engine] = {"local": _local, "stream": _stream, "spark": _spark}
NAMES = (AUTO, *ENGINES)


def _picked(plan: Plan, memory: int | str | None, shuffle: Shuffle) -> tuple[str, int | str, Note | None]:
    """Pick an engine by size and memory; return it, what it may take, and what is said of it."""
    from tokumei.engines.picking import pick_engine
    from tokumei.engines.spark.session import is_running
    from tokumei.engines.stream.memory import bytes_of

    if shuffle == "blocks":
        return "stream", memory or MEMORY, None
    if plan.source.path is not None and plan.source_path.suffix.lower() in WHOLE_ENDINGS:
        return "local", memory or MEMORY, None
    allowed = None if memory is None else bytes_of(memory)
    picked, allowed = pick_engine(open_rows(plan), allowed, cluster=plan.source.database is None and is_running())
    return picked.engine, allowed, picked


@stage("Running the plan")
def run(
    plan: Plan | str | Path,
    engine: str | None = None,
    seed: int | None = None,
    *,
    memory: int | str | None = None,
    shuffle: Shuffle | None = None,
) -> Release:
    """Read the rows that a plan names and make the release it describes; `Release.write` then writes it.

    Parameters
    ----------
    plan
        What to do: a plan, or the path of a plan file.
    engine
        Where to do it: ``"local"`` is in memory on this machine, ``"stream"`` keeps to ``memory`` and works on disk,
        ``"spark"`` works in the Spark session that is running, or in one on this machine. ``"auto"`` picks by the size of the
        table and the free memory, and says so among the notes. By default what the plan says, which is ``"auto"`` unless it says
        otherwise.
    seed
        For tests and research only: the guarantee is void against anyone who knows it.
    memory
        About how much memory the engine may take: by default what the plan says, or else 1 GB for ``"stream"`` and for what
        ``"spark"`` fetches, and half of the free memory for ``"auto"``.
    shuffle
        ``"rows"``, or for the engine ``"stream"`` also ``"blocks"``: rows are shuffled within blocks of consecutive rows
        only, and the guarantee counts on the rows of the smallest block.
    """
    if isinstance(plan, str | Path):
        plan = Plan.read(plan)
    asked = plan.run.engine if engine is None else engine
    if asked not in NAMES:
        raise InvalidParameter(
            "engine must be one of {engines}. Got {engine!r}.{hint}",
            engines=names(NAMES),
            engine=asked,
            hint=nearest(str(asked), NAMES),
        )
    key = Key.fresh() if seed is None else Key.seeded(seed)
    memory = plan.run.memory if memory is None else memory
    shuffle = plan.run.shuffle if shuffle is None else shuffle
    if asked != AUTO:
        return _disclosed(plan, ENGINES[asked](plan, Settings(key, memory or MEMORY, shuffle)))
    found, allowed, note = _picked(plan, memory, shuffle)
    release = _disclosed(plan, ENGINES[found](plan, Settings(key, allowed, shuffle)))
    if note is None or (found == "local" and engine != AUTO):  # in memory is as expected
        return release
    assert release.record is not None
    return replace(release, record=replace(release.record, notes=(note, *release.record.notes)))


def _disclosed(plan: Plan, release: Release) -> Release:
    """Let a release say how its method was chosen, where that depended on the rows, and which totals must not change."""
    told = release if plan.chosen is None else plan.chosen.disclosed(release)
    return (
        told
        if plan.calibration is None
        else calibrated(plan.calibration, told, rows_of(plan), plan.schema, plan.prepare)
    )


def rows_of(plan: Plan) -> pa.Table:
    """Read the rows that a plan names into memory."""
    return read_rows(plan.source, plan.schema, plan.folder)


def read_rows(source: Source, schema: Schema | None, folder: Path = Path()) -> pa.Table:
    """Read the rows of a source into memory, as a schema says they are to be read, or as they look."""
    if source.path is not None and not is_many(folder / source.path):
        return read_written(folder / source.path, schema, source.dialect)
    return read_all(_open(source, schema, folder))


def open_rows(plan: Plan) -> Rows:
    """Get ready to read the rows that a plan names, batch by batch."""
    return _open(plan.source, plan.schema, plan.folder)


def _open(source: Source, schema: Schema | None, folder: Path) -> Rows:
    if source.database is not None:
        from tokumei.io.databases import query_rows

        return query_rows(source.database, source.statement, folder, schema)
    assert source.path is not None
    return Files(files_of(folder / source.path), schema, source.dialect)
