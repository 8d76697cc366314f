"""The one idea behind every randomized release: the distribution of what is released given what is true.

A `Conditional` is that distribution for one column, on codes. A `Channel` is one that can also be drawn from, and
that knows from its own integers how well it hides a swap. Anonymizing draws from it, a promise is computed from it,
and reconstruction inverts it: nothing else about the data holder's work is needed, and nothing of it is secret.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

import numpy as np

from tokumei.arrays import Codes, Floats
from tokumei.bounds import LARGEST_DOMAIN
from tokumei.errors import ReleaseError
from tokumei.mechanism.treatments import Treatment
from tokumei.parallel import in_chunks
from tokumei.randomness import Stream

FINE_ENOUGH = 2**22  # a `Channel.resolution` that puts the rounding of k below one part in a million


class Conditional(ABC):
    """P(released | true) for one column with ``size`` true and ``outputs`` released values."""

    size: int
    outputs: int

    @abstractmethod
    def probability(self, released: Codes, true: Codes) -> Floats:
        """Return P(released | true), elementwise with broadcasting."""

    @abstractmethod
    def forward(self, distribution: Floats, axis: int = -1) -> Floats:
        """Return the distribution of released values that a distribution of true values gives, along one axis."""

    @abstractmethod
    def backward(self, weights: Floats, axis: int = -1) -> Floats:
        """Apply the transpose of `forward`: for each true value, the expected weight of what it is released as."""

    def matrix(self) -> Floats:
        """Return the whole table of P(released | true): one row per released value, one column per true value."""
        return self.probability(np.arange(self.outputs)[:, None], np.arange(self.size)[None, :])


class Blanket(NamedTuple):
    """What every true value gives in common: weights m(y) with ``m(y) <= P(y|x) <= spread m(y)`` for all true x.

    With probability ``mass``, the sum of m, a released value is drawn from m whatever the true one is (Balle, Bell, Gascón, Nissim 2019).
    """

    mass: Fraction
    spread: Fraction


class Channel(Conditional):
    """A `Conditional` whose probabilities are those of the integers it compares when it is drawn from."""

    kind: ClassVar[str]
    kinds: ClassVar[dict[str, type[Channel]]] = {}

    def __init_subclass__(cls) -> None:
        Channel.kinds[cls.kind] = cls

    @property
    @abstractmethod
    def swap(self) -> Fraction:
        """The smallest factor by which exchanging the origins of two released values changes their likelihood.

            swap = min  P(v'|u) P(u'|v) / (P(u'|u) P(v'|v))   over all true u, v and released u', v'

        It is exact, and the only thing about a channel that the promise of Pk-anonymity depends on.
        """

    @property
    @abstractmethod
    def ratio(self) -> Fraction:
        """The smallest factor by which the likelihood of a released value changes when its origin is another value.

            ratio = min  P(u'|v) / P(u'|u)   over all true u, v and released u' that u can give

        It counts where only a sample is released: then a row may also be of somebody who was not drawn. It is also
        local differential privacy: ``epsilon = -ln(ratio)``. Never above its true value; ``ratio**2 <= swap <= ratio``.
        """

    @property
    def epsilon(self) -> float:
        """The local differential privacy of one cell, ``-ln(ratio)``, rounded up; infinite where something is certain."""
        if not self.ratio:
            return math.inf
        if self.ratio == 1:
            return 0.0
        # log1p keeps its accuracy where the ratio is nearly one; the factor is wider than all rounding on the way.
        return (
            -math.log1p(-float(1 - self.ratio)) * (1 + 1e-12)
            if self.ratio > 0.5
            else -math.log(self.ratio) * (1 + 1e-12)
        )

    @property
    def blanket(self) -> Blanket:
        """What all true values give in common; any channel has the share ``ratio`` of what one of its values gives.

        It counts in central differential privacy, and there has to be a positive `ratio`.
        """
        return Blanket(self.ratio, 1 / self.ratio**2)

    def tradeoffs(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """Return pairs of (ratio, swap), one of which holds for any true and released value taken together.

        The smallest ratio and the smallest swap need not occur at the same true and released value. Where they do not,
        a promise that takes both at the same place is sharper.
        """
        return ((self.ratio, self.swap),)

    @property
    def cost(self) -> float:
        """What the channel takes from the budget ``0.5 ln((n-1)/(k-1))``: ``-0.5 ln(swap)``."""
        return 0.5 * (math.log(self.swap.denominator) - math.log(self.swap.numerator))

    @property
    @abstractmethod
    def resolution(self) -> int:
        """How finely its weights are divided; the more, the closer it comes to what is asked."""

    @abstractmethod
    def draw(self, codes: Codes, out: Codes, stream: Stream, start: int) -> None:
        """Draw one released value for each true code; the first code is row ``start`` of the table."""

    def sample(self, codes: Codes, stream: Stream, start: int = 0) -> Codes:
        """Draw one released value for each true code, in parallel and independently of how rows are chunked."""
        out = np.empty(len(codes), dtype=codes.dtype if self.outputs <= np.iinfo(codes.dtype).max + 1 else np.uint32)
        in_chunks(len(codes), lambda low, high: self.draw(codes[low:high], out[low:high], stream, start + low))
        return out

    @abstractmethod
    def parameters(self) -> dict[str, Any]:
        """Return the public integers from which the channel can be made again."""

    @classmethod
    def from_parameters(cls, given: Mapping[str, Any]) -> Channel:
        """Make a channel again from its `parameters`."""
        return cls(**given)

    def describe(self) -> dict[str, Any]:
        """Return the channel as it appears in a manifest."""
        return {"channel": self.kind, **self.parameters()}

    @abstractmethod
    def treatment(self) -> Treatment:
        """Say what happens to a value."""


def channel_from(described: Mapping[str, Any]) -> Channel:
    """Make a channel again from what `Channel.describe` gave."""
    given = dict(described)
    kind = given.pop("channel", None)
    if kind not in Channel.kinds:
        raise ReleaseError(
            "The release uses a kind of channel that this version of tokumei does not know; upgrade tokumei."
        )
    if not _whole(list(given.values())):
        raise ReleaseError(
            "The release describes a {kind} channel with parameters that are not whole numbers.", kind=kind
        )
    made = None
    with suppress(TypeError, ValueError):
        made = Channel.kinds[kind].from_parameters(given)
    if made is None or max(made.size, made.outputs) > LARGEST_DOMAIN + 1:  # the values, and a missing cell
        raise ReleaseError("The release describes a {kind} channel with parameters that are not possible.", kind=kind)
    return made


def _whole(given: Any) -> bool:
    """Whether something consists of whole numbers and lists of them only."""
    if isinstance(given, list):
        return all(_whole(part) for part in given)
    return isinstance(given, int) and not isinstance(given, bool)


class Kept(Conditional):
    """A column that is released unchanged."""

    def __init__(self, size: int) -> None:
        self.size = self.outputs = size

    def probability(self, released: Codes, true: Codes) -> Floats:
        """Return one where both are equal, else zero."""
        return np.asarray(np.equal(released, true), dtype=np.float64)

    def forward(self, distribution: Floats, axis: int = -1) -> Floats:
        """Return the distribution itself."""
        return distribution

    def backward(self, weights: Floats, axis: int = -1) -> Floats:
        """Return the weights themselves."""
        return weights


def root_above(number: Fraction, bits: int = 192) -> Fraction:
    """Return a rational number at most ``2**-bits`` above the square root, and never below it.

    >>> root_above(Fraction(1, 4)) >= Fraction(1, 2)
    True
    """
    scaled = (number.numerator << (2 * bits)) // number.denominator
    return Fraction(math.isqrt(scaled) + 1, 1 << bits)


def undominated(pairs: Iterable[tuple[Fraction, Fraction]]) -> tuple[tuple[Fraction, Fraction], ...]:
    """Keep the pairs that no other one undercuts in both.

    >>> undominated([(Fraction(1), Fraction(2)), (Fraction(1), Fraction(3)), (Fraction(2), Fraction(1))])
    ((Fraction(1, 1), Fraction(2, 1)), (Fraction(2, 1), Fraction(1, 1)))
    """
    kept: list[tuple[Fraction, Fraction]] = []
    for ratio, swap in sorted(pairs):
        if not kept or swap < kept[-1][1]:
            kept.append((ratio, swap))
    return tuple(kept)
