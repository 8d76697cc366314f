"""The pages of a Parquet file, counted by the headers that a reader must obey.

The footer of a file says how large its columns are, and nothing holds it to that. Each page has a header of its own: a reader
makes room for exactly as many bytes as it says, and refuses a page that unpacks to any other number. So pages are counted one
by one, and none is unpacked for it. Where a header could be read in two ways, it is read as Arrow does, or refused.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

LONGEST_HEADER = 2**24  # bytes, as in Arrow
DEEPEST_HEADER = 8  # structures inside each other; four are used
BEHIND = 100  # bytes that Arrow also looks at behind a column, since old writers counted too few

# Kinds of pages, and where in a header each is described, with the place of its encoding there.
DICTIONARY = 2
DESCRIBED = {0: (5, 2), 3: (8, 4)}

PLAIN = frozenset({0, 6})  # encodings that take at least as much room as the values themselves
BY_NUMBER = frozenset({0, 2, 8})  # plain, or by the number of a value in the dictionary

# Types of Thrift's compact protocol, in which headers are written.
TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, STRUCT = 1, 2, 3, 4, 5, 6, 7, 8, 12


class BadPage(ValueError):
    """A page cannot be what its header says."""


@dataclass
class Pages:
    """What the pages of a column come to.

    Attributes
    ----------
    values
        How many cells there are, absent ones included.
    unpacked
        The bytes of all pages.
    largest
        The bytes of the largest page, dictionaries included.
    dictionary
        Whether there is a dictionary.
    encodings
        How the cells are written.
    """

    values: int = 0
    unpacked: int = 0
    largest: int = 0
    dictionary: bool = False
    encodings: set[int] = field(default_factory=set)

    @property
    def plain(self) -> bool:
        """Whether the cells take no more room than the pages do."""
        return not self.dictionary and self.encodings <= PLAIN

    @property
    def by_number(self) -> bool:
        """Whether Arrow can read them as a dictionary and the number of each cell in it."""
        return self.encodings <= BY_NUMBER

    def add(self, file: Any, chunk: Any) -> None:
        """Count the pages of a column chunk, which its metadata describe."""
        start = chunk.data_page_offset
        if chunk.has_dictionary_page and chunk.dictionary_page_offset and 0 < chunk.dictionary_page_offset < start:
            start = chunk.dictionary_page_offset
        end, seen = start + chunk.total_compressed_size + BEHIND, 0
        while seen < chunk.num_values:
            header, length = _header(file, start, end)
            unpacked, packed = header.numbers.get(2, -1), header.numbers.get(3, -1)
            if unpacked < 0 or packed < 0:
                raise BadPage
            seen += self._page(header, unpacked)
            start += length + packed
        self.values += seen

    def _page(self, header: Structure, unpacked: int) -> int:
        """Count a page; return how many cells it has."""
        self.unpacked += unpacked
        self.largest = max(self.largest, unpacked)
        kind = header.numbers.get(1, -1)
        self.dictionary |= kind == DICTIONARY
        if kind not in DESCRIBED:
            return 0
        place, encoding = DESCRIBED[kind]
        described = header.parts[place].numbers if place in header.parts else {}
        cells = described.get(1, -1)
        if cells < 0 or encoding not in described:
            raise BadPage
        self.encodings.add(described[encoding])
        return cells


class Structure(NamedTuple):
    """The whole numbers and the structures inside a structure, by the numbers of their fields."""

    numbers: dict[int, int]
    parts: dict[int, Structure]


def _header(file: Any, start: int, end: int) -> tuple[Structure, int]:
    """Read the header of the page that begins at a place; return it and its length."""
    if not 0 <= start < end:
        raise BadPage
    size = 256
    while True:
        reader = _Compact(file.read_at(min(size, end - start), start))
        try:
            return reader.structure(), reader.at
        except IndexError:
            if size >= min(LONGEST_HEADER, end - start):
                raise BadPage from None
            size *= 16


class _Compact:
    """Reads a structure of the compact protocol; all but whole numbers of 32 bits and structures is passed over."""

    def __init__(self, held: bytes) -> None:
        self.held, self.at = held, 0

    def structure(self, depth: int = 0) -> Structure:
        """Read one; of two fields with the same number the last counts."""
        if depth > DEEPEST_HEADER:
            raise BadPage
        found, number = Structure({}, {}), 0
        held = self.held
        while byte := held[self.at]:
            self.at += 1
            kind, step = byte & 15, byte >> 4
            number = number + step if step else self._whole()
            number = (number + 2**15) % 2**16 - 2**15  # it has 16 bits
            if kind == STRUCT:
                found.parts[number] = self.structure(depth + 1)
            elif kind == I32:
                found.numbers[number] = self._whole()
            else:
                self._pass(kind)
        self.at += 1
        return found

    def _varint(self) -> int:
        held, at = self.held, self.at
        made = held[at]
        if made < 128:
            self.at = at + 1
            return made
        made &= 127
        for shift in range(7, 77, 7):
            if held[at] < 128:
                self.at = at + 1
                return made
            at += 1
            made |= (held[at] & 127) << shift
        raise BadPage

    def _whole(self) -> int:
        """Return a number of 32 bits; what is longer is cut off."""
        made = self._varint() % 2**32
        return (made >> 1) ^ -(made & 1)

    def _pass(self, kind: int) -> None:
        if kind in {I16, I64}:
            self._varint()
        elif kind in {BYTE, DOUBLE}:
            self.at += 1 if kind == BYTE else 8
        elif kind == BINARY:
            length = self._varint()
            self.at += length
        elif kind not in {TRUE, FALSE}:
            raise BadPage
