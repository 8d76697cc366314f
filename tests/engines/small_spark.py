"""Settings of Spark for tests: files in small parts, and no time spent on making code fast that runs once."""

from __future__ import annotations

from pathlib import Path

from tokumei.engines.spark.session import LOCAL

JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
SMALL = {
    **LOCAL,
    "spark.driver.extraJavaOptions": JAVA,
    "spark.executor.extraJavaOptions": JAVA,
    "spark.driver.memory": "1g",
    "spark.executorEnv.PYTHONPATH": str(Path(__file__).parent.parent.parent),
    "spark.python.daemon.module": "tests.engines.spark_daemon",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.files.maxPartitionBytes": "40000",
    "spark.sql.files.openCostInBytes": "1000",
    "spark.sql.shuffle.partitions": "2",
}
