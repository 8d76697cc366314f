"""A table whose names and cells try to be more than text."""

from __future__ import annotations

import csv
from pathlib import Path

ROWS = 240
NAMES = (
    "<img src=x onerror=window.pwned=1>",
    'it\'s "quoted"',
    "two\tparts",
    "{{constructor.constructor('window.pwned=1')()}}",
    "`${window.pwned=1}`",
    "氏 名\u202ex",
    "</script><script>window.pwned=1</script>",
    "javascript:window.pwned=1",
)
CELLS = (
    "<b onmouseover=window.pwned=1>bold</b>",
    "<svg/onload=window.pwned=1>",
    "</textarea><script>window.pwned=1</script>",
    "'; DROP TABLE people; --",
    '"><img src=x onerror=window.pwned=1>',
    "{{7*7}}",
    "`${7*7}`",
    "=cmd|' /C calc'!A0",
    "line\nbreak",
    "後藤  さん",
    "مرحبا",
    "x" * 500,
)


def write_nasty(folder: Path) -> Path:
    """Write it, under a name that is nasty too."""
    place = folder / "<img src=x onerror=window.pwned=1> & 'people'.csv"
    with place.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(NAMES)
        for row in range(ROWS):
            writer.writerow(
                [CELLS[(row * (3 + column) + column) % len(CELLS)] for column in range(len(NAMES) - 1)] + [row % 7]
            )
    return place
