"""Say row by row who is drawn: a fixed number such that every sample of that size is equally likely, or each by a coin.

Both can be left at a row and gone on with elsewhere: where they stand (`Standing`) holds no secret, and the key does the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from tokumei.arrays import Booleans, Integers
from tokumei.randomness import Key, Stream

CHUNK = 2**18  # rows


class Chooser(Protocol):
    """Says of the rows of a table in turn which are drawn."""

    def take(self, count: int, strata: Integers | None = None) -> Booleans:
        """Say which of the next ``count`` rows are drawn; ``strata`` gives the stratum of each."""

    def stand(self) -> Standing:
        """Return where it stands."""


class Standing(Protocol):
    """Where a chooser stands before a row."""

    def resume(self, key: Key) -> Chooser:
        """Go on from there, on whatever machine."""


class Selection:
    """Take the rows of a table in turn and say which are drawn (selection sampling: Fan, Muller and Rezucha 1962).

    A row is drawn with probability (still wanted) / (still to come), which is compared in whole numbers. No row but the one
    at hand is looked at, so a table of any size needs no memory, and the sample does not depend on how rows are chunked.

    Parameters
    ----------
    stream
        Where the words come from; the word of a row is the one with its number.
    rows
        How many rows there are, in each stratum.
    wanted
        How many of them are to be drawn.

    Examples
    --------
    >>> from tokumei.randomness import Key
    >>> int(Selection(Key.fresh().stream("sample"), [100], [30]).take(100).sum())
    30
    """

    def __init__(self, stream: Stream, rows: npt.ArrayLike, wanted: npt.ArrayLike) -> None:
        self._stream, self._next = stream, 0
        self._left = np.array(rows, dtype=np.int64)
        self._wanted = np.array(wanted, dtype=np.int64)

    def take(self, count: int, strata: Integers | None = None) -> Booleans:
        """Say which of the next ``count`` rows are drawn; ``strata`` gives the stratum of each."""
        from tokumei.randomness._kernels import select

        drawn = np.zeros(count, dtype=np.bool_)
        one = np.zeros(min(count, CHUNK), dtype=np.int64)
        for low in range(0, count, CHUNK):
            high = min(count, low + CHUNK)
            words = self._stream.words(self._next, high - low)
            where = one[: high - low] if strata is None else strata[low:high]
            at, attempt = select(words, where, self._left, self._wanted, 0, drawn[low:high]), 0
            while at < high - low:  # a word that would not be uniform is drawn again, for the same row
                attempt += 1
                words[at] = self._stream.sub("retry", attempt).words_at(np.array([self._next + at]))[0]
                at = select(words, where, self._left, self._wanted, at, drawn[low:high])
            self._next += high - low
        return drawn

    def stand(self) -> Standing:
        """Return where it stands: before which row, and how many are still to come and wanted."""
        return _BeforeRow(self._stream.label, self._next, tuple(self._left.tolist()), tuple(self._wanted.tolist()))


@dataclass(frozen=True)
class _BeforeRow:
    label: tuple[str | int, ...]
    row: int
    left: tuple[int, ...]
    wanted: tuple[int, ...]

    def resume(self, key: Key) -> Selection:
        made = Selection(key.stream(*self.label), self.left, self.wanted)
        made._next = self.row
        return made


class Tosses:
    """A coin for each row in turn, which falls if the row's word is below a threshold."""

    def __init__(self, stream: Stream, threshold: int, row: int = 0) -> None:
        self._stream, self._threshold, self._next = stream, threshold, row

    def take(self, count: int, strata: Integers | None = None) -> Booleans:
        """Say which of the next ``count`` rows are drawn."""
        drawn: Booleans = self._stream.words(self._next, count) < np.uint64(self._threshold)
        self._next += count
        return drawn

    def stand(self) -> Standing:
        """Return where it stands: before which row."""
        return _BeforeToss(self._stream.label, self._next, self._threshold)


@dataclass(frozen=True)
class _BeforeToss:
    label: tuple[str | int, ...]
    row: int
    threshold: int

    def resume(self, key: Key) -> Tosses:
        return Tosses(key.stream(*self.label), self.threshold, self.row)
