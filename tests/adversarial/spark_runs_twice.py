"""A cluster that runs a slow task twice at once (speculative execution), and keeps whichever ends first.

``python -m tests.adversarial.spark_runs_twice`` starts a master and two workers with names of their own, since Spark runs no second copy on the
machine of the first, and compares the release with the local engine's. It takes a minute, so no test does it; that a task which is
computed again says the same is tried in ``test_spark_twice.py``.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import tokumei as tk
from tests.engines.small_spark import SMALL
from tests.engines.stream.rows import as_multiset
from tokumei.engines.spark.rows import mapped
from tokumei.engines.spark.session import quietly
from tokumei.randomness import Key

MASTER = "spark://127.0.0.1:17077"
PLANTED = "a planted cell"
PATIENCE = 600  # tenths of a second
SCHEMA = tk.Schema(
    [tk.Attribute("age", domain=tk.Numbers(0, 99, step=1)), tk.Attribute("note", "insensitive")],
)
SPECULATION = {
    "spark.speculation": "true",
    "spark.speculation.interval": "100ms",
    "spark.speculation.minTaskRuntime": "300ms",
    "spark.speculation.multiplier": "1.1",
    "spark.speculation.quantile": "0.1",
    "spark.executor.memory": "512m",
    "spark.executor.cores": "1",
}


def slow_first(folder: Path) -> Any:
    """Let the first task that works on the second part wait until another does the same work; then both go on."""

    def work(batches: Any) -> Iterator[Any]:
        from pyspark import TaskContext

        context = TaskContext.get()
        assert context is not None
        if context.partitionId() == 1 and (folder / "asked").exists():
            mine = folder / f"attempt {context.taskAttemptId()} of stage {context.stageId()}"
            mine.touch()
            for _ in range(PATIENCE):
                if len(list(folder.glob(f"attempt * of stage {context.stageId()}"))) > 1:
                    break
                time.sleep(0.1)
        yield from batches

    return work


def cluster(stack: ExitStack, folder: Path) -> None:
    """Start a master and two workers, which end with this program."""
    import pyspark

    starter = str(Path(pyspark.__file__).parent / "bin" / "spark-class")
    own = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_WORKER_DIR": str(folder / "work")}
    deploy = "org.apache.spark.deploy"
    commands = [[f"{deploy}.master.Master", "--host", "127.0.0.1", "--port", "17077", "--webui-port", "0"]]
    commands += [
        [f"{deploy}.worker.Worker", "--host", host, "--cores", "1", "--memory", "600m", "--webui-port", "0", MASTER]
        for host in ("127.0.0.2", "127.0.0.3")
    ]
    for place, command in enumerate(commands):
        log = stack.enter_context((folder / f"log {place}").open("w"))
        started = subprocess.Popen([starter, *command], env=own, stdout=log, stderr=log)
        stack.callback(started.wait)
        stack.callback(started.terminate)
        time.sleep(3)


def main(folder: Path) -> None:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    rng = np.random.default_rng(1)
    people = pa.table({"age": rng.integers(0, 100, 3000), "note": [f"{PLANTED} {row}" for row in range(3000)]})
    pq.write_table(people, folder / "people.parquet", row_group_size=500)
    with ExitStack() as stack:
        cluster(stack, folder)
        builder = SparkSession.builder.master(MASTER)
        (folder / "events").mkdir()
        events = {"spark.eventLog.enabled": "true", "spark.eventLog.dir": (folder / "events").as_uri()}
        for setting, given in {**SMALL, **SPECULATION, **events, "spark.eventLog.compress": "false"}.items():
            builder = builder.config(setting, given)
        spark = builder.getOrCreate()
        stack.callback(spark.stop)
        read = spark.read.parquet((folder / "people.parquet").as_uri())
        frame = mapped(read, slow_first(folder), {"age": pa.int64(), "note": pa.string()})
        release = tk.anonymize(frame, SCHEMA, tk.PkPerturbation(k=5, tells="all"), seed=6)
        (folder / "asked").touch()
        release.write(folder / "out", allow_seeded=True)
        found = tk.read_release(folder / "out", "pyarrow").table
    attempts = len(list(folder.glob("attempt *")))
    local = tk.anonymize(people, SCHEMA, tk.PkPerturbation(k=5, tells="all"), seed=6).table
    assert attempts > 1, "Spark ran no second copy; is the machine too busy?"
    assert as_multiset(found) == as_multiset(local.cast(found.schema))
    told = b"".join(file.read_bytes() for file in (folder / "events").rglob("*") if file.is_file())
    secret = Key.seeded(6)._secret
    assert b"SparkListenerTaskEnd" in told
    assert not any(each in told for each in (PLANTED.encode(), secret, secret.hex().encode(), b64encode(secret)))
    print(
        f"{attempts} tasks worked on one part at once, and the release is the local engine's, row for row; no cell and no key is in the event log."
    )


if __name__ == "__main__":
    with quietly(), tempfile.TemporaryDirectory() as name:
        main(Path(name))
