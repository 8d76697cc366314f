"""What a cell stands for: a value, the label of a tree, an interval or a star, each a stretch of its column's line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei.arrays import Integers
from tokumei.errors import DataError, InvalidParameter
from tokumei.messages import phrase
from tokumei.table.axis import Axis, axis_of
from tokumei.table.cells import STAR, CellNames, interval_ends, written_codes
from tokumei.table.domain import OUTSIDE, Categories, family, plain
from tokumei.table.schema import Attribute


@dataclass(frozen=True)
class Cells:
    """A column of cells: the different stretches that they stand for, and which of them each row has."""

    low: Integers
    high: Integers
    which: Integers

    @property
    def counts(self) -> Integers:
        """How many rows have each stretch."""
        return np.bincount(self.which, minlength=len(self.low)).astype(np.int64)


class CellReader:
    """Reads raw and coarser cells of a column alike.

    A cell that nobody declared (a value outside the domain, a label of no level, a missing cell where none may be) says
    nothing: it stands for the whole line, as a star does.
    """

    def __init__(self, attribute: Attribute) -> None:
        if attribute.domain is None:
            raise InvalidParameter(
                "{column!r} has no declared domain; declare one in the schema.", column=attribute.name
            )
        self.attribute, self.domain = attribute, attribute.domain
        self.axis: Axis = axis_of(attribute)
        self.whole = (0, self.axis.size - 1)
        self.missing = (self.axis.size - 1,) * 2 if attribute.missing else self.whole
        self._read: dict[str, tuple[int, int]] = {}  # what labels were found to mean
        self._written: dict[str, int | None] = {}  # the places of the numbers or dates that are written in them
        self._labels: dict[str, set[tuple[int, int]]] = {}
        named = CellNames(attribute, self.axis)
        for level in range(1, self.axis.levels):
            for stretch, name in named.at_level(level).items():
                if name is not None and name != STAR:
                    self._labels.setdefault(name, set()).add(stretch)
        if isinstance(self.domain, Categories):
            for code, name in enumerate(self.domain.labels()):
                self._labels.setdefault(name, set()).add((int(self.axis.place[code]),) * 2)
        self._labels.setdefault(STAR, set()).add(self.whole)

    def read(self, column: Any) -> Cells:
        """Read an Arrow column."""
        column = plain(column)
        if family(column.type) == "text":
            found = column.dictionary_encode()
            labels = found.dictionary.to_pylist()
            self._look_up([label for label in labels if label is not None and label not in self._read])
            stretches = np.array([*map(self._stretch, labels), self.missing], dtype=np.int64)
            rows = found.indices.fill_null(len(labels)).to_numpy(zero_copy_only=False)
            return self._cells(stretches[:, 0], stretches[:, 1], rows.astype(np.int64))
        problem = None
        try:
            codes = self.domain.code(column).codes
        except DataError as error:
            problem = phrase("Column {column!r} {error}.", column=self.attribute.name, error=error)
        if problem is not None:
            raise DataError(problem)
        used, rows = _used(codes - OUTSIDE)
        used += OUTSIDE
        place = np.append(self.axis.place[: self.domain.size], 0)[used]
        low = np.where(used == OUTSIDE, 0, np.where(used == self.domain.size, self.missing[0], place))
        high = np.where(used == OUTSIDE, self.whole[1], np.where(used == self.domain.size, self.missing[1], place))
        return self._cells(low, high, rows)

    def _cells(self, low: Integers, high: Integers, which: Integers) -> Cells:
        keys, number = np.unique(low.astype(np.int64) * self.axis.size + high, return_inverse=True)
        used, which = _used(number.reshape(-1)[which])
        keys = keys[used]
        return Cells(keys // self.axis.size, keys % self.axis.size, which)

    def _stretch(self, label: str | None) -> tuple[int, int]:
        if label is None:
            return self.missing
        if label not in self._read:
            self._read[label] = self._reading(label)
        return self._read[label]

    def _reading(self, label: str) -> tuple[int, int]:
        found = self._labels.get(label)
        readings = set(found) if found is not None else set(self._values(label))
        if len(readings) > 1:
            if not self.attribute.observed:
                raise InvalidParameter(
                    "the label {label!r} of {column!r} stands for different values at different levels of "
                    "its hierarchy, so a cell with this label cannot be read; rename one of them.",
                    label=label,
                    column=self.attribute.name,
                )
            raise InvalidParameter(
                "the label of {column!r} stands for different values at different levels of "
                "its hierarchy, so a cell with this label cannot be read; rename one of them.",
                column=self.attribute.name,
            )
        return readings.pop() if readings else self.whole

    def _look_up(self, labels: Sequence[str]) -> None:
        """Find the places of all numbers or dates that labels may be, or be an interval of, at once."""
        if isinstance(self.domain, Categories):
            return
        unknown = [label for label in labels if label not in self._labels]
        ends = (each for label in unknown for pair in interval_ends(label) for each in pair)
        texts = list(dict.fromkeys([*unknown, *(ends if self.axis.free else ())]))
        codes = written_codes(self.domain, texts)
        self._written = {
            text: None if code is None else int(self.axis.place[code]) for text, code in zip(texts, codes, strict=True)
        }

    def _values(self, label: str) -> Iterator[tuple[int, int]]:
        """Read a label as a value of numbers or dates, or as an interval of an ordered line."""
        place = self._place(label)
        if place is not None:
            yield place, place
        elif self.axis.free:
            for ends in interval_ends(label):
                low, high = map(self._place, ends)
                if low is not None and high is not None and low <= high:
                    yield low, high

    def _place(self, text: str) -> int | None:
        """Return the place of a value that is written as text."""
        if isinstance(self.domain, Categories):
            found = next(iter(self._labels.get(text, ())), None)
            return found[0] if found is not None and found[0] == found[1] else None
        return self._written[text]


def _used(numbers: Integers) -> tuple[Integers, Integers]:
    """Return which small numbers occur, in order, and for each number its place among them."""
    occurs = np.bincount(numbers) > 0
    return np.flatnonzero(occurs), (np.cumsum(occurs) - 1)[numbers]
