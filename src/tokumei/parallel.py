"""Rows are worked on in chunks by a few threads; results are addressed by row, so the cut changes nothing."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING

from tokumei.errors import InvalidParameter

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

CHUNK = 2**18  # rows; their random words (2 MiB at most) stay in the cache


def threads() -> int:
    """Return how many threads to use: ``TOKUMEI_THREADS``, or what the machine has, at most eight."""
    asked = os.environ.get("TOKUMEI_THREADS")
    if asked is None:
        return min(8, os.cpu_count() or 1)
    if not asked.isdigit() or int(asked) < 1:
        raise InvalidParameter("TOKUMEI_THREADS must be a whole number of at least 1.")
    return int(asked)


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Let BLAS use a single thread meanwhile, as a block or around a function.

    Models are fitted by thousands of products of small matrices. With several threads these mostly wait for each other, busily: on two cores a
    fit takes twice the CPU time, and on a busy machine many times as long.

    >>> with one_blas_thread():
    ...     pass
    """
    with _libraries(len(sys.modules)).limit(limits=1, user_api="blas"):
        yield


@lru_cache(maxsize=1)
def _libraries(_modules: int) -> ThreadpoolController:
    """Look for the libraries that have threads, again once there are other modules: it takes some ten milliseconds, and the block often less."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def in_chunks(count: int, work: Callable[[int, int], None], size: int = CHUNK) -> None:
    """Call ``work(start, stop)`` for every chunk of ``0 .. count``."""
    bounds = [(start, min(count, start + size)) for start in range(0, count, size)]
    workers = min(threads(), len(bounds))

    def share(first: int) -> None:
        for start, stop in bounds[first::workers]:
            work(start, stop)

    if workers == 1:
        share(0)
    if workers <= 1:
        return
    with ThreadPoolExecutor(workers) as pool:
        for done in [pool.submit(share, first) for first in range(workers)]:
            done.result()
