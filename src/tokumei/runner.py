"""Carry out a plan."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from tokumei.engines.local import release_of
from tokumei.errors import InvalidParameter
from tokumei.plan import Plan
from tokumei.release.artifact import Release
from tokumei.table.frames import Origin
from tokumei.table.source import read_table


def run(plan: Plan | str | Path, engine: str = "local", seed: int | None = None) -> Release:
    """Read the rows that a plan names and make the release it describes; `Release.write` then puts it in its place.

    Parameters
    ----------
    plan
        What to do: a plan, or the path of a plan file.
    engine
        Where to do it; ``"local"`` is in memory on this machine, ``"spark"`` on a Spark cluster: in the session that is
        running, or in one on this machine.
    seed
        For tests and research only: the promise is void for whoever knows it.
    """
    if isinstance(plan, str | Path):
        plan = Plan.read(plan)
    if engine == "spark":
        from tokumei.engines.spark.engine import check_method, spark_release
        from tokumei.engines.spark.source import read_frame

        check_method(plan.method)
        source = plan.source
        frame = read_frame(plan.source_path, plan.schema, source.delimiter, source.missing, source.encoding)
        return spark_release(frame, plan.schema, plan.method, plan.prepare, seed)
    if engine != "local":
        raise InvalidParameter(f"engine must be 'local' or 'spark'. Got {engine!r}.")
    return release_of(rows_of(plan), Origin("pyarrow"), plan.schema, plan.method, plan.prepare, seed)


def rows_of(plan: Plan) -> pa.Table:
    """Read the rows that a plan names."""
    source = plan.source
    return read_table(plan.source_path, plan.schema, source.delimiter, source.missing, source.encoding)
