"""How long one waits before anything happens."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

from benchmarks.row import Row


def python(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True)


def rows() -> Iterator[Row]:
    numpy = lambda: python("-c", "import numpy")  # noqa: E731
    yield Row("import tokumei", "import numpy", lambda: python("-c", "import tokumei"), numpy, at_most=2.5, rounds=15)
    yield Row("tokumei --help", "import numpy", lambda: python("-m", "tokumei", "--help"), numpy, at_most=4, rounds=15)
