"""Retention-replacement: keep the value with some probability, else draw one uniformly from the whole domain."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from tokumei.arrays import AnyUnsigned, Codes, Floats, Integers
from tokumei.errors import InvalidParameter
from tokumei.mechanism.channel import FINE_ENOUGH, Blanket, Channel, root_above
from tokumei.mechanism.treatments import Constant, Retained, Treatment
from tokumei.randomness import Stream


@dataclass(frozen=True)
class Retention(Channel):
    """Keep a value, or replace it by one drawn uniformly from the whole domain (the true value included).

    A word of ``bits`` bits is drawn. Each of the ``size`` values owns ``other`` of the possible words, ``keep`` more
    words mean "keep", and the few that may be left over are drawn again. So with ``total = keep + size * other``

        P(v'|v) = other / total  for v' != v        P(v|v) = (keep + other) / total

    and swapping two origins changes the likelihood by ``(other / (keep + other))**2`` at worst. In the papers' terms
    the retention probability is ``rho = keep / total`` and ``cost = ln((1 + (size - 1) rho) / (1 - rho))``.

    >>> channel = Retention.solve(2, Fraction(1, 9))
    >>> float(channel.swap), channel.retention
    (0.111111..., 0.49999...)
    """

    kind: ClassVar[str] = "retention"

    size: int
    other: int
    keep: int
    bits: int

    def __post_init__(self) -> None:
        if self.size < 1 or self.other < 1 or self.keep < 0 or self.bits not in {32, 64} or self.total > 2**self.bits:
            raise InvalidParameter("a retention channel needs size and other of at least 1 and a total of its words.")

    @property
    def outputs(self) -> int:  # type: ignore[override]
        """How many values can be released: the same as can be true."""
        return self.size

    @property
    def total(self) -> int:
        """How many words are not drawn again."""
        return self.keep + self.size * self.other

    @property
    def retention(self) -> float:
        """The probability of keeping the value without replacing it."""
        return self.keep / self.total

    @classmethod
    def solve(cls, size: int, swap: Fraction, bits: int | None = None) -> Retention:
        """Return the channel with the most retention whose `swap` is at least the one asked for; ``bits`` where they are given."""
        if size == 1:
            return cls(1, 1, 2 ** (bits or 32) - 1, bits or 32)
        if bits is not None:
            return cls._solve(size, swap, bits)
        found = cls._solve(size, swap, 32)
        enough = found.resolution >= FINE_ENOUGH if found.keep else swap >= 1
        return found if enough else cls._solve(size, swap, 64)

    @classmethod
    def _solve(cls, size: int, swap: Fraction, bits: int) -> Retention:
        words = 2**bits
        ratio = min(root_above(swap), Fraction(1))
        exact = words * ratio / (1 + (size - 1) * ratio)
        if bits == 64 and exact >= 1:  # some words are left over, so that `keep` can be chosen freely: far closer
            other = math.floor(exact)
            return cls(size, other, math.floor(other / ratio) - other, bits)
        other = max(1, math.ceil(exact))
        if other * size >= words:  # nothing is left to keep: uniform, and the words left over are drawn again
            return cls(size, words // size, 0, bits)
        return cls(size, other, words - size * other, bits)

    @property
    def swap(self) -> Fraction:
        """``(other / (keep + other))**2``; one where there is only one value."""
        return Fraction(self.other, self.keep + self.other) ** 2 if self.size > 1 else Fraction(1)

    @property
    def ratio(self) -> Fraction:
        """``other / (keep + other)``; one where there is only one value."""
        return Fraction(self.other, self.keep + self.other) if self.size > 1 else Fraction(1)

    @property
    def blanket(self) -> Blanket:
        """Replacement: ``size other / total``, at most ``(keep + other) / other`` times as likely as that."""
        return Blanket(Fraction(self.size * self.other, self.total) if self.size > 1 else Fraction(1), 1 / self.ratio)

    @property
    def resolution(self) -> int:
        """How many units of the weights one step of `swap` is, roughly: ``other (keep + other) / total``."""
        return self.other * (self.keep + self.other) // self.total

    def probability(self, released: Codes, true: Codes) -> Floats:
        """Return P(released | true)."""
        same = np.equal(released, true)
        return np.where(same, (self.keep + self.other) / self.total, self.other / self.total)

    def forward(self, distribution: Floats, axis: int = -1) -> Floats:
        """Return ``rho p + (1 - rho) / size * sum(p)`` along the axis."""
        spread = distribution.sum(axis=axis, keepdims=True) * (self.other / self.total)
        return distribution * (self.keep / self.total) + spread

    def backward(self, weights: Floats, axis: int = -1) -> Floats:
        """Apply the transpose, which is the same: the channel is symmetric."""
        return self.forward(weights, axis)

    def draw(self, codes: Codes, out: Codes, stream: Stream, start: int) -> None:
        """Draw one released value for each code."""
        from tokumei.mechanism._kernels import replace_32, replace_64

        kernel = replace_32 if self.bits == 32 else replace_64
        limit = self.size * self.other - 1  # inclusive, so that it fits the word
        last = self.total - 1

        def fill(words: AnyUnsigned, source: Codes, target: Codes) -> AnyUnsigned:
            word = words.dtype.type
            return kernel(words, source, target, word(self.other), word(limit), word(last))

        def again(words: AnyUnsigned, places: Integers) -> Integers:
            part = np.empty(len(places), dtype=out.dtype)
            fill(words, codes[places], part)
            out[places] = part
            return places[words > words.dtype.type(last)]

        words = stream.words(start, len(codes), self.bits, scratch=True)
        if fill(words, codes, out):
            stream.redraw(start, np.flatnonzero(words > words.dtype.type(last)), again, self.bits)

    def parameters(self) -> dict[str, int]:
        """Return the public integers."""
        return {"size": self.size, "other": self.other, "keep": self.keep, "bits": self.bits}

    def treatment(self) -> Treatment:
        """Say what happens to a value."""
        return Constant() if self.size == 1 else Retained(probability=float(self.retention), values=self.size)
