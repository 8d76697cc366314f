"""Pseudonyms under a key: HMAC-SHA256, cut to 128 bits, in base32.

The hash is the standard library's, called once for each different cell: no cryptography of our own.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei.arrays import Bytes
from tokumei.prepare.identifier_step import IdentifierStep
from tokumei.prepare.texts import TEXT
from tokumei.privacy.assumptions import Assumption
from tokumei.progress import stage

BITS = 128
ALPHABET = np.frombuffer(b"abcdefghijklmnopqrstuvwxyz234567", dtype=np.uint8)
CHUNK = 2**16  # texts that are Python objects at the same time


@dataclass(frozen=True, repr=False)
class Keyed(IdentifierStep):
    """A step of pseudonyms with its key in hand.

    It can be pickled, since the machines of a cluster make pseudonyms too: anyone who can read what a cluster sends to them can
    read the key.
    """

    column: str
    purpose: str
    secret: bytes
    described: Mapping[str, Any]
    assumed: tuple[Assumption, ...]
    keyed = True

    def changed(self, texts: Any) -> Any:
        """Return the pseudonyms of some different cells."""
        purpose = self.purpose.encode()
        start = b"tokumei pseudonym %d:" % len(purpose) + purpose  # the length tells where the purpose ends
        made = bytearray()
        with stage("Making pseudonyms", len(texts)) as shown:
            for at in range(0, len(texts), CHUNK):
                part = texts.slice(at, CHUNK).to_pylist()
                digests = [hmac.digest(self.secret, start + text.encode(), "sha256") for text in part]
                made += b"".join(digest[: BITS // 8] for digest in digests)
                shown.advance(len(part))
        return base32(np.frombuffer(made, dtype=np.uint8).reshape(len(texts), BITS // 8))

    def describe(self) -> dict[str, Any]:
        """Return the step as it appears in a manifest: nothing about the key."""
        return dict(self.described)

    def assumes(self) -> tuple[Assumption, ...]:
        """Say what a pseudonym means for every guarantee."""
        return self.assumed

    def __repr__(self) -> str:
        return f"Keyed(column={self.column!r})"


def base32(words: Bytes) -> Any:
    """Write rows of bytes in lower-case letters and digits, five bits each, without padding.

    >>> base32(np.frombuffer(b"tokumei", dtype=np.uint8).reshape(1, 7)).to_pylist()
    ['orxww5lnmvuq']
    """
    rows, size = words.shape
    letters = -(-size * 8 // 5)
    bits = np.zeros((rows, letters * 5), dtype=np.uint8)
    bits[:, : size * 8] = np.unpackbits(words, axis=1)
    written = np.zeros((rows, letters), dtype=np.uint8)
    for place in range(5):
        written = written * 2 + bits[:, place::5]
    ends = np.arange(rows + 1, dtype=np.int64) * letters
    return pa.Array.from_buffers(
        TEXT, rows, [None, pa.py_buffer(ends), pa.py_buffer(np.ascontiguousarray(ALPHABET[written]))]
    )
