"""What separates the fields of a CSV file, and the decimals of its numbers, told by its first lines."""

from __future__ import annotations

import csv
import re
from pathlib import Path

DELIMITERS = (",", ";", "\t", "|")
# How people write that there is nothing, besides writing nothing.
ABSENT = ("NA", "N/A", "n/a", "na", "NaN", "nan", "NULL", "null", "None", "?", "-", ".")
BEGINNING = 1 << 16  # characters that hold the first line


def guess_delimiter(file: Path, encoding: str = "utf-8") -> str:
    """Return what separates the fields of a CSV file, as its first line shows: the commonest mark outside quotes."""
    if file.suffix.lower() not in {".csv", ".txt"} or not file.is_file():
        return ","
    try:
        with file.open(encoding=encoding, errors="replace", newline="") as opened:
            line = opened.read(BEGINNING)
    except (LookupError, OSError, ValueError):
        return ","  # reading it will say what is wrong
    counts = {mark: len(next(csv.reader(line.splitlines(keepends=True), delimiter=mark), [])) for mark in DELIMITERS}
    return max(counts, key=lambda mark: counts[mark])


WITH_COMMA = re.compile(r"\s*[-+]?\d+,\d+\s*")
WITH_POINT = re.compile(r"\s*[-+]?\d*\.\d+\s*")
WHOLE = re.compile(r"\s*[-+]?\d*\s*")


def guess_decimal(file: Path, delimiter: str, encoding: str = "utf-8") -> str:
    """Return the decimal mark of a CSV file, as its first lines show: a comma where a column has such numbers only, and no cell has a point in its place."""
    if file.suffix.lower() not in {".csv", ".txt", ".tsv"} or not file.is_file() or len(delimiter) != 1:
        return "."
    try:
        with file.open(encoding=encoding, errors="replace", newline="") as opened:
            lines = opened.read(BEGINNING).splitlines(keepends=True)
        rows = list(
            csv.reader(lines[1:-1] or lines[1:], delimiter="\t" if file.suffix.lower() == ".tsv" else delimiter)
        )
    except (LookupError, OSError, ValueError, csv.Error):
        return "."  # reading it will say what is wrong
    columns = list(zip(*rows, strict=False))
    commas = [
        column
        for column in columns
        if any(map(WITH_COMMA.fullmatch, column))
        and all(WITH_COMMA.fullmatch(c) or WHOLE.fullmatch(c) or c.strip() in ABSENT for c in column)
    ]
    points = any(WITH_POINT.fullmatch(cell) for column in columns for cell in column)
    return "," if commas and not points else "."
