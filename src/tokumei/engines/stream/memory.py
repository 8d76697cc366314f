"""How much memory a run may take, and how many rows at a time that allows."""

from __future__ import annotations

import re

from tokumei.errors import InvalidParameter

UNITS = {
    "": 1,
    "B": 1,
    "K": 2**10,  # as Java writes it
    "M": 2**20,
    "G": 2**30,
    "T": 2**40,
    "KB": 10**3,
    "MB": 10**6,
    "GB": 10**9,
    "TB": 10**12,
    "KIB": 2**10,
    "MIB": 2**20,
    "GIB": 2**30,
    "TIB": 2**40,
}
LEAST = 64 * 10**6
CELL = 48  # bytes that a cell may take while it is read, checked and packed
MOST_ROWS, LEAST_ROWS = 2**18, 2**8


def bytes_of(memory: int | str) -> int:
    """Read an amount of memory.

    >>> bytes_of("1GB"), bytes_of("512 MiB")
    (1000000000, 536870912)
    """
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*", str(memory))
    if found is None or found.group(2).upper() not in UNITS:
        raise InvalidParameter("memory must be an amount such as '1GB' or '512MB'. Got {memory!r}.", memory=memory)
    amount = int(float(found.group(1)) * UNITS[found.group(2).upper()])
    if amount < LEAST:
        raise InvalidParameter("memory must be at least 64MB.")
    return amount


def batch_rows(memory: int, columns: int) -> int:
    """Return how many rows to work on at a time.

    >>> batch_rows(10**9, 10), batch_rows(10**9, 2000)
    (130208, 651)
    """
    return max(LEAST_ROWS, min(MOST_ROWS, memory // 16 // (CELL * max(1, columns))))
