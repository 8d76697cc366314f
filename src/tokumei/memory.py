"""How much memory is free, and too little of it, told in one sentence."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import ContextDecorator
from functools import cache
from pathlib import Path
from typing import Any

from tokumei.diagnostics import raise_alone
from tokumei.errors import NotEnoughMemory, TokumeiError


def free_memory() -> int | None:
    """Return how many bytes of memory this process could still take; ``None`` where the system does not say.

    Of a container it is what its limit leaves, if that is less than what the machine has.

    >>> (free_memory() or 1) > 0
    True
    """
    found = []
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        found += [1024 * int(line.split()[1]) for line in lines if line.startswith("MemAvailable:")]
    except OSError:
        if hasattr(os, "sysconf") and {"SC_PHYS_PAGES", "SC_PAGE_SIZE"} <= set(os.sysconf_names):
            found.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2)
    for most, used in LIMITS:
        try:
            limit, taken = (Path(name).read_text(encoding="ascii").strip() for name in (most, used))
        except OSError:
            continue
        if limit.isdigit() and taken.isdigit():
            found.append(max(0, int(limit) - int(taken) + _cached(Path(used).with_name("memory.stat"))))
    return min(found, default=None)


def _cached(stat: Path) -> int:
    """Return how many bytes of what a container takes are copies of files that nobody uses, which the system gives up when it has to."""
    try:
        lines = stat.read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    said = dict(line.rsplit(" ", 1) for line in lines if " " in line)
    return int(said.get("total_inactive_file", said.get("inactive_file", 0)))


# Where a container says how much memory it may take, and how much it does.
LIMITS = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
)


def hand_back(cells: int) -> None:
    """Give the system back what was freed, before more is asked for; of a small table, of ``cells`` cells, it is not worth the look.

    What was freed in small pieces otherwise stays with the process, and the next large array is made beside it.

    >>> hand_back(10)
    """
    if cells < WORTH:
        return
    import pyarrow as pa

    pa.default_memory_pool().release_unused()
    trim = _trim()
    if trim is not None:
        trim(0)


WORTH = 1_000_000


@cache
def _trim() -> Callable[[int], int] | None:
    """Return the function of the C library that gives free memory back, where it has one."""
    import ctypes

    try:
        trim: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):  # not glibc
        return None
    return trim


def that_fit(pieces: Iterable[Any], rows: int, types: Any) -> Iterator[Any]:
    """Yield the tables that released rows come in, which are to be held together; refuse as soon as it shows that they would not fit.

    What all ``rows`` take at least follows from the ``types`` of their columns before any of them comes, since the rows of a cluster come in one
    piece. What they take in truth follows from those that have come, once these are a tenth: the first few may be like no others. A system that lends more memory than it has would otherwise end the process
    without a word.
    """
    free = free_memory()
    _check_fit(free, rows * sum(map(_least, types.types)) / 8, rows)
    taken, seen = 0, 0
    for piece in pieces:
        taken, seen = taken + piece.nbytes, seen + piece.num_rows
        _check_fit(free, taken * rows / seen if 10 * seen >= rows > 0 else taken, rows)
        yield piece


def _least(kind: Any) -> int:
    """Return how many bits a cell takes at least: a text has the number of its place, however short it is."""
    try:
        return int(kind.bit_width)
    except ValueError:  # cells of several widths, or of none
        return PLACE if str(kind) in TEXTS else 0


PLACE, TEXTS = 32, frozenset({"string", "large_string", "binary", "large_binary"})


def _check_fit(free: int | None, needed: float, rows: int) -> None:
    if free is not None and needed > free:
        raise NotEnoughMemory(
            "The rows of this release are not in memory, and {rows:row|rows} would take about {size:.2f} GB of it or more, where {free:.2f} GB "
            "are free. Write the release, count its rows (release.counted), or do this on a machine with more memory.",
            rows=rows,
            size=needed / 1e9,
            free=free / 1e9,
        )


class within_memory(ContextDecorator):  # noqa: N801  (used like a function)
    """End work for which there is too little memory in one sentence, as a block or around a function.

    >>> with within_memory():
    ...     raise MemoryError
    Traceback (most recent call last):
    tokumei.errors.NotEnoughMemory: There is too little memory for this. ...
    """

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, MemoryError) and not isinstance(error, TokumeiError):
            raise_alone(
                NotEnoughMemory(
                    "There is too little memory for this. Use fewer rows or columns or coarser domains, the "
                    "engine 'stream' (--engine stream), which keeps rows on disk, or a machine with more."
                )
            )
