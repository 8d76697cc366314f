"""The parts of an Excel file, unpacked and counted before a reader that trusts them gets to see them.

An Excel file is an archive. Its directory may say that a part is small where it is not; a reader makes room for every cell up
to the last one, however few there are; and any number of cells may point at one long text. So the parts are unpacked here,
read by a parser that takes nothing but XML, and handed on only if what they stand for fits.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from array import array
from functools import lru_cache
from pathlib import Path
from typing import Any
from xml.parsers import expat

import numpy as np

from tokumei.bounds import UNPACKED, size_text
from tokumei.errors import DataError
from tokumei.messages import phrase

CELL = 32  # bytes of a cell in the reader's memory
MOST_CELLS = UNPACKED // CELL
PARTS = re.compile(r"(\[Content_Types\]|(_rels|xl)[/\\].*)\.(xml|rels)", re.IGNORECASE | re.DOTALL)  # for cells
KNOWN = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}  # how Excel packs; other ways may ask for any amount of memory
PIECE = 2**20  # bytes to unpack at a time
PLACE = re.compile("([A-Za-z]{1,7})([0-9]{1,12})")
DAMAGED = phrase("it is not an Excel file, or it is damaged or protected by a password")

# What archives end in that are none, are cut off, or are packed in a way that is not known here.
BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, expat.ExpatError)


def unpacked_workbook(path: Path) -> io.BytesIO:
    """Return the parts of an Excel file that its cells come from, as an archive that is not packed."""
    made, seen, content = io.BytesIO(), 0, _Content()
    try:
        with zipfile.ZipFile(path) as packed, zipfile.ZipFile(made, "w") as archive:
            for part in packed.infolist():
                if not PARTS.fullmatch(part.filename):
                    continue
                if part.compress_type not in KNOWN or part.filename in archive.NameToInfo:
                    raise zipfile.BadZipFile
                parser = content.parser()
                with packed.open(part) as stream, archive.open(part.filename, "w", force_zip64=True) as copy:
                    while piece := stream.read(PIECE):
                        seen += len(piece)
                        _check_size(path, seen)
                        parser.Parse(piece)
                        copy.write(piece)
                parser.Parse(b"", True)
                content.check_places(path)
        content.check_texts(path)
    except DataError:
        raise
    except BROKEN:
        raise DataError("{path} cannot be read: {damaged}.", path=path, damaged=DAMAGED) from None
    made.seek(0)
    return made


def _check_size(path: Path, seen: int) -> None:
    if seen > UNPACKED:
        raise DataError(
            "{path} unpacks to more than {size}; save the sheet as CSV.", path=path, size=size_text(UNPACKED)
        )


class _Content:
    """What all parts together stand for: how far out their cells lie, and which texts they share."""

    def __init__(self) -> None:
        self.rows = self.columns = 0  # how far out the cells of a part lie
        self._pointers = array("q")  # the texts that cells point at
        self._lengths = array("q")  # of the texts
        self._row = 0  # the one being read
        self._of_cell = self._column = 0  # where the cell lies, which may name another row
        self._pointer = False  # whether it points at a text
        self._number = ""  # at which one
        self._parser: Any = None

    def parser(self) -> Any:
        """Return what reads the next part."""
        self.rows = self.columns = self._row = self._column = 0
        self._pointer = False
        made = self._parser = expat.ParserCreate()
        made.buffer_text = True
        made.StartElementHandler = self._start
        made.StartDoctypeDeclHandler = _refuse
        return made

    def _start(self, name: str, told: dict[str, str]) -> None:
        kind = name.rpartition(":")[2]
        if kind == "c":
            self._parser.CharacterDataHandler = None
            place = PLACE.fullmatch(told.get("r", ""))
            self._column = self._column + 1 if place is None else _number(place[1])
            self._of_cell = self._row if place is None else int(place[2])
            self._pointer = told.get("t") == "s"
        elif kind == "row":
            self._parser.CharacterDataHandler = None
            row = told.get("r", "")
            self._row = int(row) if row.isdecimal() and len(row) < 13 else self._row + 1
            self._column = 0
        elif kind == "si":
            self._lengths.append(0)
            self._parser.CharacterDataHandler = self._text
        elif self._column:  # something in a cell, which is not empty then
            self.rows, self.columns = max(self.rows, self._of_cell), max(self.columns, self._column)
            if kind == "v" and self._pointer:
                self._pointers.append(-1)
                self._number = ""
                self._parser.CharacterDataHandler = self._digits

    def _text(self, text: str) -> None:
        self._lengths[-1] += len(text.encode())

    def _digits(self, text: str) -> None:
        self._number = (self._number + text)[:12]
        digits = self._number.strip()
        self._pointers[-1] = int(digits) if digits.isdecimal() else -1

    def check_places(self, path: Path) -> None:
        """Refuse a part whose cells lie so far out that all of them up to there would not fit."""
        if self.rows * self.columns > MOST_CELLS:
            raise DataError(
                "{path} has cells as far out as row {rows:,} and column {columns:,}, and at most "
                "{most_cells:,} cells are read; clear those that do not belong to the table, or save the sheet "
                "as CSV.",
                path=path,
                rows=self.rows,
                columns=self.columns,
                most_cells=MOST_CELLS,
            )

    def check_texts(self, path: Path) -> None:
        """Refuse texts that would not fit once they are written out for every cell that points at them."""
        lengths, pointers = np.array(self._lengths), np.array(self._pointers)
        # A pointer that cannot be followed for certain counts as one to the longest text: readers may skip empty ones.
        known = (pointers >= 0) & (pointers < len(lengths)) & bool(lengths.all())
        written = int(lengths[pointers[known]].sum()) + int(np.count_nonzero(~known)) * int(lengths.max(initial=0))
        if written > UNPACKED:
            raise DataError(
                "{path} has long texts that many cells share, and written out they are more than {size}; save "
                "the sheet as CSV.",
                path=path,
                size=size_text(UNPACKED),
            )


@lru_cache(maxsize=2**15)
def _number(letters: str) -> int:
    """Number a column by its letters.

    >>> _number("A"), _number("xfd")
    (1, 16384)
    """
    number = 0
    for letter in letters.upper():
        number = 26 * number + ord(letter) - 64
    return number


def _refuse(*_given: Any) -> None:
    raise expat.ExpatError("a document of its own type is not an Excel file")
