"""Any transition matrix: the channel of PRAM, from many values to as many or to fewer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from tokumei.arrays import AnyUnsigned, Booleans, Codes, Floats, Integers, Unsigned64
from tokumei.errors import InvalidParameter
from tokumei.mechanism.channel import Blanket, Channel, undominated
from tokumei.mechanism.treatments import ByMatrix, KeptByMatrix, Treatment
from tokumei.randomness import Stream

TOTAL = 2**32
LARGEST = 1000  # values a side: the promise compares all pairs of them


@dataclass(frozen=True)
class TransitionMatrix(Channel):
    """Release value y for true value x with probability ``weights[x][y] / 2^32``.

    The weights of each true value are whole numbers that sum to 2^32 exactly. They are drawn by an alias table of
    whole numbers, so the probabilities are exact. Swap and ratio are minima over all pairs of true values and of
    released ones; a zero where another true value has none makes both zero: that release tells the two apart.
    """

    kind: ClassVar[str] = "transition_matrix"

    weights: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        widths = {len(row) for row in self.weights}
        if not self.weights or len(widths) != 1 or 0 in widths or max(self.size, self.outputs) > LARGEST:
            raise InvalidParameter(
                "a transition matrix needs between 1 and {largest} values on each side.", largest=LARGEST
            )
        if any(sum(row) != TOTAL or min(row) < 0 for row in self.weights):
            raise InvalidParameter("the weights of each true value must not be negative and must sum to 2^32.")

    @classmethod
    def from_probabilities(cls, matrix: npt.ArrayLike) -> TransitionMatrix:
        """Round a matrix of probabilities, one row per true value, to whole weights; zeros stay, others stay positive."""
        given = np.asarray(matrix, dtype=np.float64)
        check_probabilities(given)
        return cls(tuple(_rounded(row) for row in given))

    @classmethod
    def from_parameters(cls, given: Mapping[str, Any]) -> TransitionMatrix:
        """Make a channel again from its `parameters`."""
        return cls(tuple(tuple(row) for row in given["weights"])) if set(given) == {"weights"} else cls(**given)

    @property
    def size(self) -> int:  # type: ignore[override]
        """How many values can be true."""
        return len(self.weights)

    @property
    def outputs(self) -> int:  # type: ignore[override]
        """How many values can be released."""
        return len(self.weights[0])

    @cached_property
    def _weights(self) -> Integers:
        return np.array(self.weights, dtype=np.int64)

    @cached_property
    def _possible(self) -> Booleans:
        """Released values that any true value can give."""
        return np.asarray(self._weights.any(axis=0))

    @cached_property
    def _places(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """For every true u and released u', the smallest ratio and swap over all true values v; what no other undercuts.

        Doubles find the places that can matter; there the minima are taken exactly, over the weights.
        """
        used = self._weights[:, self._possible]
        floats = used.astype(np.float64)
        smallest = np.full((2, *floats.shape), np.inf)
        for u in range(self.size):
            able = floats[u] > 0
            ratios = floats[:, able] / floats[u, able]
            smallest[0, u, able] = ratios.min(axis=0)
            smallest[1, u, able] = (ratios * self._least(floats, u)[:, None]).min(axis=0)
        places = _candidates(smallest)
        safe = 1 - Fraction(1, 2**46)  # equal doubles may hide a difference of this size at most
        found = {self._exact_place(used, u, out) for u, out in places}
        return undominated((ratio * safe, swap * safe) for ratio, swap in found)

    @staticmethod
    def _least(floats: Floats, u: int) -> Floats:
        """For each v, the smallest P(v'|u) / P(v'|v) over the v' that v can give."""
        with np.errstate(divide="ignore", invalid="ignore"):
            factors: Floats = np.where(floats > 0, floats[u] / floats, np.inf)
        return factors.min(axis=1)

    @staticmethod
    def _exact_place(used: Integers, u: int, out: int) -> tuple[Fraction, Fraction]:
        mine = [int(weight) for weight in used[u]]
        ratios, swaps = [], []
        for row in used.tolist():
            ratio = Fraction(row[out], mine[out])
            ratios.append(ratio)
            swaps.append(ratio * min(Fraction(mine[y], weight) for y, weight in enumerate(row) if weight))
        return min(ratios), min(swaps)

    def tradeoffs(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """Return the pairs of ratio and swap that no other pair undercuts in both."""
        return self._places

    @property
    def ratio(self) -> Fraction:
        """The smallest ratio of two probabilities of the same released value."""
        return min(ratio for ratio, _ in self._places)

    @property
    def swap(self) -> Fraction:
        """The smallest factor of exchanging two origins."""
        return min(swap for _, swap in self._places)

    @property
    def blanket(self) -> Blanket:
        """The smallest weight of every released value."""
        return Blanket(Fraction(int(self._weights.min(axis=0).sum()), TOTAL), 1 / self.ratio)

    @property
    def resolution(self) -> int:
        """The smallest positive weight."""
        return int(self._weights[self._weights > 0].min())

    def zeros(self) -> list[tuple[int, int]]:
        """List the (true, released) places whose zero makes the promise void: others can give that value."""
        return [(int(x), int(y)) for x, y in zip(*np.nonzero((self._weights == 0) & self._possible), strict=True)]

    def probability(self, released: Codes, true: Codes) -> Floats:
        """Return P(released | true)."""
        return self._weights[true, released] / TOTAL

    def forward(self, distribution: Floats, axis: int = -1) -> Floats:
        """Return the distribution of released values."""
        return np.moveaxis(np.moveaxis(distribution, axis, -1) @ (self._weights / TOTAL), -1, axis)

    def backward(self, weights: Floats, axis: int = -1) -> Floats:
        """Apply the transpose."""
        return np.moveaxis(np.moveaxis(weights, axis, -1) @ (self._weights / TOTAL).T, -1, axis)

    @cached_property
    def _alias(self) -> tuple[Unsigned64, npt.NDArray[np.uint32]]:
        """For each true value and each column of its alias table: how many of 2^32 words stay, and where others go."""
        pairs = [alias_table(row) for row in self.weights]
        stays = np.array([stay for stay, _ in pairs], dtype=np.uint64)
        return stays, np.array([other for _, other in pairs], dtype=np.uint32)

    def draw(self, codes: Codes, out: Codes, stream: Stream, start: int) -> None:
        """Draw one released value for each code."""
        from tokumei.mechanism._kernels import by_alias

        stays, others = self._alias
        if self.outputs == 1:
            out[:] = 0
            return
        quotient = np.uint64(TOTAL // self.outputs)

        def again(words: AnyUnsigned, places: Integers) -> Integers:
            part = np.empty(len(places), dtype=out.dtype)
            rejected = by_alias(words, codes[places], part, stays, others, quotient)
            out[places] = part
            return places[rejected]

        words = stream.words(start, len(codes), scratch=True)
        rejected = by_alias(words, codes, out, stays, others, quotient)
        stream.redraw(start, np.flatnonzero(rejected), again)

    def parameters(self) -> dict[str, Any]:
        """Return the public integers."""
        return {"weights": [list(row) for row in self.weights]}

    def treatment(self) -> Treatment:
        """Say what happens to a value."""
        if self.size != self.outputs:
            return ByMatrix(values=self.outputs)
        stays = np.diag(self._weights) / TOTAL
        return KeptByMatrix(lowest=float(stays.min()), highest=float(stays.max()))


def check_probabilities(matrix: Floats) -> None:
    """Refuse what is not a matrix of probabilities with one row for each true value."""
    if matrix.ndim != 2 or 0 in matrix.shape:
        raise InvalidParameter(
            "a transition matrix must have one row for each true value and a column for each released."
        )
    if max(matrix.shape) > LARGEST:
        raise InvalidParameter("a transition matrix may have at most {largest:,} values per side.", largest=LARGEST)
    if not np.isfinite(matrix).all() or (matrix < 0).any():
        row = int(np.flatnonzero(~(np.isfinite(matrix) & (matrix >= 0)).all(axis=1))[0])
        raise InvalidParameter(
            "a transition matrix must have numbers of at least 0; row {row} has others.", row=row + 1
        )
    off = np.abs(matrix.sum(axis=1) - 1)
    if (off > 1e-6).any():
        row = int(np.argmax(off > 1e-6))
        raise InvalidParameter(
            "each row of a transition matrix must sum to 1; row {row} sums to {total:g}.",
            row=row + 1,
            total=matrix[row].sum(),
        )


def _rounded(row: Floats) -> tuple[int, ...]:
    """Round one row to whole weights that sum to 2^32: the largest remainders are rounded up."""
    exact = row / row.sum() * TOTAL
    whole = np.where(exact > 0, np.maximum(np.floor(exact), 1), 0).astype(np.int64)
    short = TOTAL - int(whole.sum())
    if short >= 0:
        order = np.argsort(np.where(exact > 0, whole - exact, np.inf), kind="stable")
        whole[order[:short]] += 1
    else:  # many tiny probabilities were lifted to one unit each: the largest gives way
        whole[np.argmax(whole)] += short
    return tuple(int(weight) for weight in whole)


def alias_table(row: Sequence[int]) -> tuple[list[int], list[int]]:
    """Split the weights of a row (which sum to 2^32) over equal columns, each holding at most two values (Walker, Vose).

    >>> alias_table([2**31, 2**30, 2**30])[1]
    [0, 0, 0]
    """
    left = [weight * len(row) for weight in row]  # each column holds 2^32, all of them len(row) times as much
    stays, others = [TOTAL] * len(row), list(range(len(row)))
    small = [place for place, amount in enumerate(left) if amount < TOTAL]
    large = [place for place, amount in enumerate(left) if amount > TOTAL]
    while small and large:
        poor, rich = small.pop(), large[-1]
        stays[poor], others[poor] = left[poor], rich
        left[rich] -= TOTAL - left[poor]
        if left[rich] <= TOTAL:
            large.pop()
            if left[rich] < TOTAL:
                small.append(rich)
    return stays, others


def _candidates(smallest: Floats) -> list[tuple[int, int]]:
    """List the places (u, u') whose pair is not clearly undercut in both by another; equal ones once."""
    ratios, swaps = smallest[0].ravel(), smallest[1].ravel()
    order = np.lexsort((swaps, ratios))
    best = np.minimum.accumulate(swaps[order])
    near = order[np.isfinite(best) & (swaps[order] <= best * (1 + 1e-9))]
    kept: dict[tuple[str, str], int] = {}
    for place in near:
        kept.setdefault((f"{ratios[place]:.14e}", f"{swaps[place]:.14e}"), int(place))
    return [divmod(place, smallest.shape[2]) for place in kept.values()]
