"""A Spark session: the one that is running, or one on this machine."""

from __future__ import annotations

import os
import shutil
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tokumei.errors import InvalidParameter, MissingDependency
from tokumei.messages import phrase

JAVA = phrase(
    "Spark needs Java 17 or newer, which was not found; install it (on Debian: apt-get install "
    "default-jre-headless), or set JAVA_HOME to its folder."
)

LOCAL = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",  # what Spark logs of a cell that it cannot read shows the cell
}


def session() -> Any:
    """Return the running session, or start one that uses the cores of this machine."""
    _check_installed()
    from pyspark.sql import SparkSession

    running = SparkSession.getActiveSession()
    if running is not None:
        return running
    check_java()
    # Workers must be of the same Python as this one, which has tokumei; nothing is to be reached from outside.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master("local[*]").appName("tokumei")
    for setting, value in LOCAL.items():
        builder = builder.config(setting, value)
    with quietly():
        return builder.getOrCreate()


def session_of(frame: Any) -> Any:
    """Return the session of a Spark frame, or say why it cannot be used."""
    _check_installed()
    if "connect" in type(frame).__module__:
        raise InvalidParameter("Frames of Spark Connect are not supported; use a classic session of Spark.")
    return frame.sparkSession


def is_spark(frame: Any) -> bool:
    """Say whether something is a frame of Spark, without importing it."""
    return type(frame).__module__.startswith("pyspark.sql.") and type(frame).__name__ == "DataFrame"


def is_running() -> bool:
    """Whether a session of Spark is running in this process, without importing it."""
    module = sys.modules.get("pyspark.sql")
    return module is not None and module.SparkSession.getActiveSession() is not None


def check_java() -> None:
    """Find Java, or say how to get it."""
    home = os.environ.get("JAVA_HOME")
    found = shutil.which("java") if not home else shutil.which("java", path=str(Path(home) / "bin"))
    if found is None:
        raise MissingDependency(JAVA)


@contextmanager
def quietly() -> Iterator[None]:
    """Keep pyspark from warning of a version of pandas, which nothing here uses."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*fully support pandas", category=FutureWarning)
        yield


def _check_installed() -> None:
    try:
        with quietly():
            import pyspark.sql.pandas.types  # noqa: F401
        found = find_spec("pandas") is not None  # Spark asks for it wherever Arrow tables go to tasks
    except ImportError:
        found = False
    if not found:
        raise MissingDependency(
            "The Spark engine needs pyspark and pandas; install them with: pip install 'tokumei[spark]'"
        )
