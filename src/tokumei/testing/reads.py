"""Record every byte of a key stream that is read while releases are made.

`recorded` wraps the ways in which words are read (by rows in order, by scattered rows, by addresses), and the cipher itself: what is kept of a read is the key that the cipher was
given and the bytes by their places in that key's stream, whatever the library says about them. A cipher that is made outside a
read would be another way to read, and counts as stray. An address of 128 bits is kept as one of 61: two different ones are taken for one
once in 2^61.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from tokumei import randomness
from tokumei.randomness import AddressedStream, Stream

Label = tuple[str | int, ...]


class Ledger:
    """The reads of some releases."""

    def __init__(self) -> None:
        self._spans: defaultdict[bytes, list[np.ndarray]] = defaultdict(list)  # of a key: (first, last + 1) bytes
        self._labels: dict[bytes, Label] = {}
        self._lock = threading.Lock()
        self.words = self.stray = 0

    def note(self, key: bytes, label: Label, spans: np.ndarray) -> None:
        """Note that some bytes of a key's stream were read."""
        with self._lock:
            self.words += len(spans)
            self._spans[key].append(spans)
            self._labels.setdefault(key, label)

    def notes(self) -> list[tuple[bytes, Label, np.ndarray]]:
        """Return everything that was noted, for a ledger of several processes."""
        return [(key, self._labels[key], each) for key, spans in self._spans.items() for each in spans]

    @property
    def labels(self) -> set[Label]:
        """What was read for."""
        return set(self._labels.values())

    def overlaps(self) -> dict[Label, int]:
        """Count, for each label, the reads that begin before an earlier one of the same key has ended."""
        found: dict[Label, int] = {}
        for key, spans in self._spans.items():
            every = np.concatenate(spans)
            every = every[np.lexsort((every[:, 1], every[:, 0]))]
            again = int(np.count_nonzero(every[1:, 0] < np.maximum.accumulate(every[:, 1])[:-1]))
            if again:
                found[self._labels[key]] = again
        return found


@contextmanager
def recorded() -> Iterator[Ledger]:
    """Record all reads of this process, in all of its threads."""
    ledger, reading = Ledger(), threading.local()
    room: Any = randomness
    plain_words, plain_words_at, plain_cipher = Stream.words, Stream.words_at, room.Cipher
    plain_words_of = AddressedStream.words_of

    def words(self: Stream, start: int, count: int, bits: int = 64, *, scratch: bool = False) -> Any:
        places = np.array([[start, start + count]][: min(count, 1)], dtype=np.int64).reshape(-1, 2)
        reading.now = self.label, places * (bits // 8)
        return plain_words(self, start, count, bits, scratch=scratch)

    def words_at(self: Stream, positions: Any, bits: int = 64) -> Any:
        first = np.asarray(positions, dtype=np.int64)
        reading.now = self.label, np.stack([first, first + 1], axis=1) * (bits // 8)
        return plain_words_at(self, positions, bits)

    def words_of(self: AddressedStream, addresses: Any, bits: int) -> Any:
        folded = (addresses[:, 0] * np.uint64(0x9E3779B97F4A7C15) ^ addresses[:, 1]) >> np.uint64(3)
        first = folded.astype(np.int64)
        reading.now = self.label, np.stack([first, first + 1], axis=1)
        return plain_words_of(self, addresses, bits)

    def cipher(algorithm: Any, mode: Any) -> Any:
        now = getattr(reading, "now", None)
        if now is None:
            ledger.stray += 1
        elif len(now[1]):
            ledger.note(bytes(algorithm.key), *now)
        reading.now = None
        return plain_cipher(algorithm, mode)

    room.Cipher = cipher
    Stream.words, Stream.words_at = words, words_at  # type: ignore[method-assign]
    AddressedStream.words_of = words_of  # type: ignore[method-assign]
    try:
        yield ledger
    finally:
        room.Cipher = plain_cipher
        Stream.words, Stream.words_at = plain_words, plain_words_at  # type: ignore[method-assign]
        AddressedStream.words_of = plain_words_of  # type: ignore[method-assign]
