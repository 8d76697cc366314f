"""What separates the fields of a CSV file, told by its first line."""

from __future__ import annotations

import csv
from pathlib import Path

DELIMITERS = (",", ";", "\t", "|")
BEGINNING = 1 << 16  # characters that hold the first line


def guess_delimiter(file: Path, encoding: str = "utf-8") -> str:
    """Return what separates the fields of a CSV file, as its first line shows: the commonest mark outside quotes."""
    if file.suffix.lower() not in {".csv", ".txt"} or not file.is_file():
        return ","
    try:
        with file.open(encoding=encoding, errors="replace", newline="") as opened:
            line = opened.read(BEGINNING)
    except (LookupError, OSError):
        return ","  # reading it will say what is wrong
    counts = {mark: len(next(csv.reader(line.splitlines(keepends=True), delimiter=mark), [])) for mark in DELIMITERS}
    return max(counts, key=lambda mark: counts[mark])
