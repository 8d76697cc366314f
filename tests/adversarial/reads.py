"""The reads of tasks of Spark, each in a process of its own."""

from __future__ import annotations

import pickle
import uuid
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from tokumei.testing.reads import recorded


def kept_in(folder: str, work: Callable[[Iterable[Any]], Iterator[Any]]) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """Return the work of a task of Spark that also keeps its reads in a file of a folder."""

    def noted(batches: Iterable[Any]) -> Iterator[Any]:
        with recorded() as ledger:
            yield from work(batches)
        (Path(folder) / uuid.uuid4().hex).write_bytes(pickle.dumps(ledger.notes()))

    return noted
