"""All chance in tokumei comes from here.

The data holder's draws are words of a keyed counter-mode cipher (AES-CTR). A word is *addressed* by what it is for (a
label such as the column's name), by its width in bits and by the row it serves, so a result does not depend on how the
rows were cut into chunks or on how many threads or machines drew it, and a task that is run again repeats itself.

**An address belongs to one draw.** Label and width together give the cipher its key, so streams of different labels, and
words of different widths in the same stream, come from unrelated key streams and cannot share a byte. Within a stream,
word i and word j are different bytes. Every caller that draws therefore opens a stream of its own (column, group, purpose) and reads
each row's word once; `tests/adversarial/test_reads.py` records every read of every method and engine and accepts no overlap.

**Draws that repeat** are addressed by person and value instead of row, under a key that the data holder keeps (`Stream.addressed`): the
same person with the same value gets the same word in every release, and any other person or value an unrelated one.

Otherwise the key comes from the operating system and is never stored. A key made from a seed is for tests and research: no guarantee
holds against those who know the seed, because they can repeat every draw, so a release made that way is not written unless
asked.

The analyst's side, which protects nobody, uses numpy's generator: `generator`.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from tokumei.arrays import AnyIntegers, AnyUnsigned, Bytes, Integers, Unsigned64
from tokumei.errors import InvalidParameter
from tokumei.parallel import in_chunks

BLOCK = 16  # bytes of one cipher block
_ZEROS = bytes(2**20)
_memory = threading.local()


def from_os(size: int = 32) -> bytes:
    """Take secret bytes from the operating system: the only place from which anything unpredictable comes."""
    return secrets.token_bytes(size)


def token() -> str:
    """Return a word that nobody can guess, fit for a link or a cookie.

    >>> token() == token(), len(token()) >= 32
    (False, True)
    """
    return base64.urlsafe_b64encode(from_os(32)).rstrip(b"=").decode("ascii")


class Key:
    """The secret from which every draw of one release follows.

    >>> Key.fresh() == Key.fresh()
    False
    >>> Key.seeded(7)
    Key(seeded, for tests and research only)
    """

    __slots__ = ("_secret", "secure")

    def __init__(self, secret: bytes, *, secure: bool) -> None:
        self._secret = secret
        self.secure = secure

    @classmethod
    def fresh(cls) -> Key:
        """Take a new key from the operating system."""
        return cls(from_os(32), secure=True)

    @classmethod
    def seeded(cls, seed: int) -> Key:
        """Make the same key every time from a whole number."""
        if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
            raise InvalidParameter("seed must be a whole number of at least 0.")
        return cls(hashlib.sha256(b"tokumei seed %d" % seed).digest(), secure=False)

    def stream(self, *label: str | int) -> Stream:
        """Open the stream of words that serves one purpose."""
        return Stream(
            self._secret, hashlib.blake2b(_told_apart(label), key=self._secret, digest_size=32).digest(), label
        )

    def for_tasks(self) -> TaskKey:
        """Return the key in the one form that may travel to the machines that draw with it."""
        return TaskKey(self._secret, self.secure)

    def __repr__(self) -> str:
        return "Key(secret)" if self.secure else "Key(seeded, for tests and research only)"

    def __reduce__(self) -> str | tuple[Any, ...]:
        raise TypeError("A key is a secret and is not pickled.")


@dataclass(frozen=True, repr=False)
class TaskKey:
    """A key on its way to the machines of a cluster, inside the work that is sent to them and nowhere else.

    It can be pickled, which `Key` refuses, and anyone who can read what a cluster sends to its machines can read it.

    >>> Key.seeded(7).for_tasks()
    TaskKey(secret)
    >>> Key.seeded(7).for_tasks().open()
    Key(seeded, for tests and research only)
    """

    _secret: bytes
    _secure: bool

    def open(self) -> Key:
        """Return the key, on the machine that draws with it."""
        return Key(self._secret, secure=self._secure)

    def __repr__(self) -> str:
        return "TaskKey(secret)"


@dataclass(frozen=True, repr=False)
class Stream:
    """Uniform words addressed by position: word ``i`` is the same for every caller, and in whatever order."""

    _master: bytes
    _secret: bytes
    label: tuple[str | int, ...]

    def cipher_key(self, bits: int) -> bytes:
        """Return the cipher's key for the words of one width, so that words of 32 and of 64 bits never share a byte."""
        return hashlib.blake2b(b"%d bits" % bits, key=self._secret, digest_size=32).digest()

    def words(self, start: int, count: int, bits: int = 64, *, scratch: bool = False) -> AnyUnsigned:
        """Return words ``start .. start + count - 1`` of 32 or 64 bits.

        With ``scratch`` they lie in memory that the same thread's next such call uses again.
        """
        width = bits // 8
        first, skip = divmod(start * width, BLOCK)
        need = skip + count * width + BLOCK
        out = _scratch(need) if scratch else np.empty(need, dtype=np.uint8)
        # The counter is the block's number, so a stream can be entered anywhere.
        cipher = Cipher(algorithms.AES(self.cipher_key(bits)), modes.CTR(first.to_bytes(BLOCK, "big")))
        encryptor = cipher.encryptor()
        wanted = skip + count * width
        for low in range(0, wanted, len(_ZEROS)):
            size = min(len(_ZEROS), wanted - low)
            encryptor.update_into(memoryview(_ZEROS)[:size], out[low:].data)
        return out[skip:wanted].view(f"<u{width}").astype(f"u{width}", copy=False)

    def words_at(self, positions: AnyIntegers, bits: int = 64) -> AnyUnsigned:
        """Return the words at scattered positions: the same ones that `words` would give there."""
        per_block = BLOCK * 8 // bits
        blocks, place = np.divmod(positions.astype(np.uint64), np.uint64(per_block))
        counters = np.zeros((len(blocks), 2), dtype=">u8")
        counters[:, 1] = blocks
        encryptor = Cipher(algorithms.AES(self.cipher_key(bits)), modes.ECB()).encryptor()
        made = np.frombuffer(encryptor.update(counters.tobytes()), dtype=f"<u{bits // 8}").reshape(-1, per_block)
        return made[np.arange(len(blocks)), place.astype(np.intp)].astype(f"u{bits // 8}", copy=False)

    def sub(self, *label: str | int) -> Stream:
        """Open a stream of its own for a part of this one's purpose."""
        return Key(self._master, secure=False).stream(*self.label, *label)

    def addressed(self, addresses: Unsigned64, first: int) -> AddressedStream:
        """Return words addressed by 128 bits each instead of rows; the first address is that of row ``first``."""
        return AddressedStream(self._master, self._secret, self.label, addresses, first)

    def redraw(
        self, start: int, places: Integers, draw: Callable[[AnyUnsigned, Integers], Integers], bits: int = 64
    ) -> None:
        """Draw rejected rows again until none is left.

        ``draw(words, places)`` uses fresh words for the rows ``start + places`` and returns those of the places that
        were rejected once more. Each attempt has words of its own, addressed by the same rows.
        """
        attempt = 0
        while len(places):
            attempt += 1
            places = draw(self.sub("retry", attempt).words_at(start + places, bits), places)

    def __repr__(self) -> str:
        return f"Stream{self.label}"

    def __reduce__(self) -> str | tuple[Any, ...]:
        raise TypeError("A stream holds a secret and is not pickled.")


@dataclass(frozen=True, repr=False)
class AddressedStream(Stream):
    """Uniform words addressed by 128 bits, such as a keyed hash of a person combined with a value, whatever row they stand in.

    A word is the beginning of the block that AES makes of its address under the key of the label and the width. Addresses that differ
    have unrelated words; equal ones have equal words, in every release.
    """

    _addresses: Unsigned64  # two words for each row
    _first: int

    def words(self, start: int, count: int, bits: int = 64, *, scratch: bool = False) -> AnyUnsigned:
        """Return the words of the rows ``start .. start + count - 1``; they lie in memory of their own."""
        return self.words_of(self._addresses[start - self._first : start - self._first + count], bits)

    def words_at(self, positions: AnyIntegers, bits: int = 64) -> AnyUnsigned:
        """Return the words of scattered rows."""
        return self.words_of(self._addresses[positions - self._first], bits)

    def words_of(self, addresses: Unsigned64, bits: int) -> AnyUnsigned:
        """Return the words at addresses."""
        encryptor = Cipher(algorithms.AES(self.cipher_key(bits)), modes.ECB()).encryptor()  # each block is another one
        given = np.ascontiguousarray(addresses, dtype="<u8").view(np.uint8).reshape(-1)
        out = np.empty(len(given) + BLOCK, dtype=np.uint8)
        encryptor.update_into(given.data, out.data)
        return out[: len(given)].view(f"<u{bits // 8}").reshape(len(addresses), -1)[:, 0].astype(f"u{bits // 8}")

    def sub(self, *label: str | int) -> Stream:
        """Open a stream of its own, with the same addresses, for a part of this one's purpose."""
        return super().sub(*label).addressed(self._addresses, self._first)


def _told_apart(label: tuple[str | int, ...]) -> bytes:
    """Write a label so that no two different ones, whatever characters they hold, become the same bytes."""
    parts = [f"{type(part).__name__}:{part}".encode("utf-8", "surrogatepass") for part in label]
    return b"".join(len(part).to_bytes(8, "big") + part for part in parts)


def _scratch(need: int) -> Bytes:
    held: Bytes | None = getattr(_memory, "buffer", None)
    if held is None or len(held) < need:
        held = _memory.buffer = np.empty(need, dtype=np.uint8)
    return held


def permutation(stream: Stream, count: int) -> Integers:
    """Draw one of the ``count!`` orders, each exactly as likely as the others (Fisher-Yates)."""
    from tokumei.randomness._kernels import below_place, swap_down

    targets = np.empty(count, dtype=np.int64)

    def draw(words: AnyUnsigned, places: Integers) -> Integers:
        rejected = np.empty(len(places), dtype=np.bool_)
        below_place(words, places, targets, rejected)
        return places[rejected]

    def chunk(start: int, stop: int) -> None:
        places = np.arange(start, stop, dtype=np.int64)
        stream.redraw(0, draw(stream.words(start, stop - start, scratch=True), places), draw)

    in_chunks(count, chunk)
    order = np.arange(count)
    swap_down(targets, order)
    return order


def generator(random_state: int | np.random.Generator | None) -> np.random.Generator:
    """Return numpy's generator for work that protects nobody: simulations, resampling, example data."""
    given = isinstance(random_state, int | np.integer) and not isinstance(random_state, bool) and random_state >= 0
    if not (given or random_state is None or isinstance(random_state, np.random.Generator)):
        raise InvalidParameter("random_state must be a whole number of at least 0, a numpy Generator or None.")
    return np.random.default_rng(int.from_bytes(from_os(16), "big") if random_state is None else random_state)
