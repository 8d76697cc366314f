"""Run by a test, in a folder: make releases on two machines of which one is killed while rows are drawn, and a task fails."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tokumei as tk
from tests.engines.small_spark import SMALL
from tests.engines.test_spark import SCHEMA
from tokumei.engines.spark.rows import mapped
from tokumei.engines.spark.session import quietly

FOLDER = Path(sys.argv[-1])  # the only word; no folder where the file is but looked through for examples


def kills_once(batches: Any) -> Iterator[Any]:
    """Pass rows on; once it is asked to, kill the machine that this task runs on in the middle of its part."""
    asked = Path(FOLDER) / "kill"
    for batch in batches:
        yield batch
        if (FOLDER / "fail").exists():
            (FOLDER / "fail").rename(FOLDER / "failed")
            raise RuntimeError("this task fails once, in the middle of its part")
        try:
            asked.rename(FOLDER / "killing")
        except FileNotFoundError:
            continue
        (FOLDER / "killed").write_text("1")
        worker = os.getppid()  # the process that starts Python for the machine; above it is the machine itself
        above = int(Path(f"/proc/{worker}/stat").read_text().rsplit(")", 1)[1].split()[1])
        command = Path(f"/proc/{above}/cmdline").read_text()
        assert "CoarseGrainedExecutorBackend" in command
        os.kill(above, signal.SIGKILL)


def main() -> None:
    from pyspark.sql import SparkSession
    from pyspark.sql.pandas.types import to_arrow_schema

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local-cluster[2,1,1024]")
    own = {
        "spark.executor.memory": "768m",
        "spark.local.dir": str(FOLDER / "spark"),
        "spark.sql.execution.arrow.maxRecordsPerBatch": "200",
    }
    for setting, given in {**SMALL, **own}.items():
        builder = builder.config(setting, given)
    spark = builder.getOrCreate()
    read = spark.read.parquet(str(FOLDER / "people.parquet"))
    kinds = to_arrow_schema(read.schema)
    frame = mapped(read, kills_once, dict(zip(kinds.names, kinds.types, strict=True)))
    noise = tk.anonymize(frame, SCHEMA, tk.PkPerturbation(k=5, tells="all"), seed=6)
    groups = tk.anonymize(frame, SCHEMA, tk.Generalization(k=5, partition=tk.partitions.Mondrian()), seed=6)
    (FOLDER / "kill").touch()
    noise.write(FOLDER / "noise", allow_seeded=True)
    groups.write(FOLDER / "groups", allow_seeded=True)  # what the lost machine kept is made anew
    (FOLDER / "fail").touch()  # and a task that fails while codes are fetched is run again
    held = tk.anonymize(frame, SCHEMA, tk.Swapping(k=5), seed=6)
    held.write(FOLDER / "held", allow_seeded=True)
    spark.stop()


if __name__ == "__main__":
    with quietly():
        main()
