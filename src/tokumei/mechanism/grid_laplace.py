"""Bounded Laplace noise on a grid, drawn exactly from whole-number weights."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from tokumei.arrays import AnyUnsigned, Codes, Floats, Integers, Integers32, Unsigned64
from tokumei.errors import InvalidParameter
from tokumei.mechanism.channel import FINE_ENOUGH, Blanket, Channel, root_above
from tokumei.mechanism.treatments import Constant, MovedOnGrid, PresenceFlipped, Treatment, UniformOnGrid
from tokumei.randomness import Stream

LARGEST_TOTAL = 2**56  # of all weights: with words of 64 bits one draw in 256 at most is drawn again
SPARE = 7  # bits by which the total may be larger where the smallest weights would be too coarse; redrawn more often
WORDS = 2**64  # of a coin that says whether a cell is missing
ROUNDS, CLOSE = 40, 1e-9  # in which an inverse is improved, until what is left of a function is this share of it
DENSE = 1024  # up to this many points a matrix product beats a Fourier transform


@dataclass(frozen=True)
class GridLaplace(Channel):
    """Move a number to a grid point, the farther the less likely, and never out of its bounds.

        P(v'|v) = w[|v'-v|] / Z(v)        Z(v) = sum of w[|u-v|] over the grid

    The weights ``w`` are positive whole numbers that fall geometrically: ``w[d] ~ exp(-d step / phi)``. They are made
    by integer arithmetic from ``decay`` and ``shift``, so holder and analyst have the same ones. The normalizers Z
    cancel when two origins are swapped, therefore ``swap = (w[L] / w[0])**2`` exactly, with L the length of the grid.

    >>> channel = GridLaplace.solve(74, Fraction(1, 100))
    >>> float(channel.swap)
    0.0100000000...
    >>> round(channel.scale, 3)                         # phi, in steps of the grid: 73 / ln(10)
    31.703
    """

    kind: ClassVar[str] = "grid_laplace"

    size: int
    decay: int  # each weight is decay / 2^64 of the one before; 2^64 itself means that all are equal
    shift: int

    def __post_init__(self) -> None:
        if self.size < 1 or not 0 < self.decay <= 2**64 or not 0 <= self.shift < 64:
            raise InvalidParameter("a grid Laplace channel needs a size, a decay of at most 2^64 and a shift below 64.")

    @property
    def outputs(self) -> int:  # type: ignore[override]
        """How many values can be released: the same as can be true."""
        return self.size

    @classmethod
    def solve(cls, size: int, swap: Fraction) -> GridLaplace:
        """Return the channel with the least noise whose `swap` is at least the one asked for."""
        length = size - 1
        aim = min(root_above(swap), Fraction(1))
        shift = max(0, 63 + math.ceil(math.log2(size)) - int(math.log2(LARGEST_TOTAL)))
        if aim == 1 or length == 0:
            return cls(size, 2**64, shift)
        if (2**63 >> shift) * aim < FINE_ENOUGH:  # then the weights fall steeply, and their total is not near its bound
            shift = max(0, shift - SPARE)
        fall = (math.log(aim.denominator) - math.log(aim.numerator)) / length
        # Whichever of the two is the smaller keeps its digits: what is left of a weight, or what it loses.
        decay = (
            max(1, round(math.exp(-fall) * 2**64)) if fall > 1 else 2**64 - max(1, round(-math.expm1(-fall) * 2**64))
        )
        needed = math.ceil(aim * (2**63 >> shift))  # the smallest last weight that will do
        while (last := (made := cls(size, decay, shift)).resolution) < needed:
            short = needed / last - 1  # so much too far: let the weights fall a little slower
            decay = min(2**64, decay + 1 + int(short / length * decay))
        return made

    @cached_property
    def weights(self) -> Unsigned64:
        """The weight of each distance, in whole units."""
        from tokumei.mechanism._kernels import geometric

        if self.decay == 2**64:
            return np.full(self.size, 2**63 >> self.shift, dtype=np.uint64)
        return geometric(self.size, np.uint64(self.decay), np.uint64(self.shift))

    @cached_property
    def _cumulative(self) -> Unsigned64:
        """Sum of the weights of the distances 1 .. d."""
        sums: Unsigned64 = np.cumsum(self.weights, dtype=np.uint64) - self.weights[0]
        return sums

    @cached_property
    def totals(self) -> Unsigned64:
        """Z(v): the sum of all weights around each grid point."""
        return self.weights[0] + self._cumulative + self._cumulative[::-1]

    @cached_property
    def _guide(self) -> tuple[Integers32, int]:
        """For each bucket of cumulative weight, the distance at which to begin looking."""
        reach = max(1, int(self._cumulative[-1]))
        shift = max(0, reach.bit_length() - (4 * self.size).bit_length())
        starts = np.arange((reach >> shift) + 1, dtype=np.uint64) << np.uint64(shift)
        return np.searchsorted(self._cumulative, starts, side="right").astype(np.int32), shift

    @property
    def _apart(self) -> GridLaplace:
        """A twin whose tables go when it goes: promises are computed for many columns, of which nobody may draw any."""
        return replace(self)

    @cached_property
    def swap(self) -> Fraction:
        """``(w[L] / w[0])**2``."""
        return Fraction(self.resolution, 2**63 >> self.shift) ** 2

    @cached_property
    def ratio(self) -> Fraction:
        """The smallest ``w[|u'-v|] Z(u) / (w[|u'-u|] Z(v))``, rounded down a little to be safe.

        Let ln w[d] lie within a band of width s around a line that falls by f a step. Then it is at least
        ``exp(-s - f |u-v|) Z(u) / Z(v)``, whose minimum is found in one pass over the grid. Weights that were exactly
        geometric would have s = 0 and give ``w[L] / w[0]``; whole ones have an s of about 1 / w[L].
        """
        return self._apart._ratio()

    def _ratio(self) -> Fraction:
        if self.size == 1 or self.uniform:
            return Fraction(1)
        places, (fall, band) = np.arange(self.size), self._line()
        # ln of exp(-f |u-v|) Z(u) / Z(v) for v above u is a difference of one function at u and at v; the grid is symmetric.
        level = np.log(self.totals.astype(np.float64)) + fall * places
        least = float((np.minimum.accumulate(level) - level).min() - band)
        return Fraction(math.exp(least)) * (1 - Fraction(1, 10**12) - Fraction(self.size, 2**48))

    def _line(self) -> tuple[float, float]:
        """Return by how much ln w falls a step, and how wide a band around that line holds all of them."""
        heights = np.log(self.weights.astype(np.float64))
        fall = float(heights[0] - heights[-1]) / (self.size - 1)
        return fall, float(np.ptp(heights + fall * np.arange(self.size)))

    @cached_property
    def blanket(self) -> Blanket:
        """The smaller of what the two ends of the grid give at every point, rounded down a little to be safe.

        Were the weights exactly geometric, no point of the grid would give less than the nearer of its ends to it does: w falls by
        the same factor with every step away, and Z by no more. The `_line` of whole weights has a band of width s, so every
        P(v'|v) is within e^s of a geometric one, and what both ends give, times e^-2s, is in common.
        """
        return self._apart._blanket()[0]

    def _blanket(self) -> tuple[Blanket, Floats]:
        """Return the blanket, and its weights at every point of the grid."""
        if self.size == 1 or self.uniform:
            return Blanket(Fraction(1), Fraction(1)), np.full(self.size, 1 / self.size)
        slack = Fraction(math.exp(2 * self._line()[1])) * (1 + Fraction(1, 10**12) + Fraction(self.size, 2**48))
        both = np.minimum(self.weights, self.weights[::-1])
        end = int(self.totals[0])
        mass = Fraction(int(both.sum(dtype=np.uint64)), end) / slack
        return Blanket(mass, slack / self.ratio), both / float(end) / float(slack)

    @property
    def uniform(self) -> bool:
        """Whether all weights are equal, so that the noise is uniform."""
        return self.resolution == 2**63 >> self.shift

    @property
    def resolution(self) -> int:
        """The weight of the longest step."""
        from tokumei.mechanism._kernels import last_weight

        if self.decay == 2**64:
            return 2**63 >> self.shift
        return int(last_weight(self.size, np.uint64(self.decay), np.uint64(self.shift)))

    @property
    def scale(self) -> float:
        """The scale phi of the noise, in steps of the grid; infinite where the noise is uniform."""
        return (self.size - 1) / self.cost if self.cost else math.inf

    def probability(self, released: Codes, true: Codes) -> Floats:
        """Return P(released | true)."""
        distance = np.abs(np.subtract(released, true, dtype=np.int64))
        found: Floats = self.weights[distance] / self.totals[true]
        return found

    def forward(self, distribution: Floats, axis: int = -1) -> Floats:
        """Return the distribution of released values."""
        at_end = np.moveaxis(distribution, axis, -1)
        return np.moveaxis(self._spread(at_end / self._normaliser), -1, axis)

    def backward(self, weights: Floats, axis: int = -1) -> Floats:
        """Apply the transpose."""
        at_end = np.moveaxis(weights, axis, -1)
        return np.moveaxis(self._spread(at_end) / self._normaliser, -1, axis)

    @cached_property
    def _normaliser(self) -> Floats:
        return self.totals / float(self.weights[0])

    @cached_property
    def _spreader(self) -> Any:
        relative = self.weights / float(self.weights[0])
        if self.size <= DENSE:
            places = np.arange(self.size)
            return relative[np.abs(places[:, None] - places[None, :])]
        import scipy.fft

        length = scipy.fft.next_fast_len(2 * self.size - 1, real=True)
        circle = np.zeros(length)
        circle[: self.size] = relative
        circle[-(self.size - 1) :] = relative[:0:-1]
        return scipy.fft.rfft(circle), length

    def _spread(self, values: Floats) -> Floats:
        """Multiply by the symmetric matrix w[|i-j|] / w[0] along the last axis."""
        if self.size <= DENSE:
            return values @ self._spreader
        import scipy.fft

        circle, length = self._spreader
        spread: Floats = scipy.fft.irfft(scipy.fft.rfft(values, length) * circle, length)[..., : self.size]
        return spread

    def undone(self, values: Floats) -> Floats | None:
        """Return the function of the released value whose mean is this one of the true value; nothing where noise leaves none.

        Weights that were exactly geometric, w[d] = q**d, would be undone by what a point has in excess of its two neighbors. Whole weights are nearly
        so, and what is left is undone in the same way, again and again.
        """
        if self.size == 1 or self.uniform:
            return np.array(values, dtype=np.float64) if self.size == 1 else None
        fall, wanted = math.exp(-self._line()[0]), values * self._normaliser
        made, left = np.zeros(self.size), np.asarray(wanted, dtype=np.float64)
        for _ in range(ROUNDS):
            step = (1 + fall**2) * left
            step[[0, -1]] = left[[0, -1]]
            step[1:] -= fall * left[:-1]
            step[:-1] -= fall * left[1:]
            made += step / (1 - fall**2)
            left = wanted - self._spread(made)
            if np.abs(left).max() <= CLOSE * np.abs(wanted).max():
                return made
        return None

    @cached_property
    def _quotients(self) -> Unsigned64:
        return np.uint64(2**64 - 1) // self.totals

    def draw(self, codes: Codes, out: Codes, stream: Stream, start: int) -> None:
        """Draw one released value for each code."""
        everywhere = np.arange(len(codes))
        self.draw_at(stream.words(start, len(codes), scratch=True), everywhere, codes, out, stream, start)

    def draw_at(
        self, words: AnyUnsigned, places: Integers, codes: Codes, out: Codes, stream: Stream, start: int
    ) -> None:
        """Draw for some of the rows of a chunk; the words are those of the rows ``start + places``."""
        from tokumei.mechanism._kernels import step_away

        guide, shift = self._guide
        tables = (self._quotients, self._cumulative, guide, np.uint64(shift), self.weights[0])

        def fill(words: AnyUnsigned, places: Integers) -> Integers:
            part = np.empty(len(places), dtype=out.dtype)
            rejected = step_away(words, codes[places], part, *tables)
            out[places] = part
            return places[rejected]

        if len(places) == len(codes):
            stream.redraw(start, places[step_away(words, codes, out, *tables)], fill)
        else:
            stream.redraw(start, fill(words, places), fill)

    def parameters(self) -> dict[str, int]:
        """Return the public integers."""
        return {"size": self.size, "decay": self.decay, "shift": self.shift}

    def treatment(self) -> Treatment:
        """Say what happens to a value."""
        if self.size == 1:
            return Constant()
        if not self.cost:
            return UniformOnGrid(points=self.size)
        return MovedOnGrid(points=self.size, scale=self.scale / (self.size - 1))


@dataclass(frozen=True)
class FlaggedGridLaplace(Channel):
    """`GridLaplace` for a number that may be missing; a missing cell has the code ``points``.

    First whether the number is there at all is flipped, for ``flip`` of the 2^64 words. A number that stays is moved
    by the grid channel, a missing one that turns present becomes uniform on the grid. With f = flip / 2^64, s = 1 - f:

        P(v'|v) = s w[|v'-v|] / Z(v)     P(missing|v) = f     P(v'|missing) = f / points     P(missing|missing) = s

    The worst swap is that of two numbers, ``(w[L]/w[0])**2``, or that of a number with a missing cell,
    ``(f/s)**2 min Z / (points w[0])``, or the same the other way round; `swap` is the smallest of all.
    """

    kind: ClassVar[str] = "grid_laplace_with_missing"

    points: int
    decay: int
    shift: int
    flip: int

    def __post_init__(self) -> None:
        if not 0 < self.flip < WORDS:
            raise InvalidParameter("a grid Laplace channel with missing cells needs a flip between 0 and 2^64.")
        _ = self.grid

    @property
    def size(self) -> int:  # type: ignore[override]
        """How many values can be true: the grid points, and missing."""
        return self.points + 1

    @property
    def outputs(self) -> int:  # type: ignore[override]
        """How many values can be released: the same."""
        return self.points + 1

    @cached_property
    def grid(self) -> GridLaplace:
        """The channel of numbers that are there and stay."""
        return GridLaplace(self.points, self.decay, self.shift)

    @classmethod
    def solve(cls, points: int, swap: Fraction) -> FlaggedGridLaplace:
        """Return a channel with little noise whose `swap` is at least the one asked for."""
        grid = GridLaplace.solve(points, swap)
        # (f/s)^2 min Z / (points w[0]) >= swap, solved for f = odds / (1 + odds), and never more than a fair coin
        odds = root_above(min(swap, Fraction(1)) * points * int(grid.weights[0]) / int(grid.totals.min()))
        flip = min(WORDS // 2, math.ceil(WORDS * odds / (1 + odds)))
        return cls(points, grid.decay, grid.shift, max(1, flip))

    @property
    def _apart(self) -> FlaggedGridLaplace:
        """A twin whose tables go when it goes."""
        return replace(self)

    @cached_property
    def swap(self) -> Fraction:
        """The smallest swap of two numbers, of a number and a missing cell, and of the same the other way round."""
        return self._apart._swap()

    def _swap(self) -> Fraction:
        top, odds = int(self.grid.weights[0]), Fraction(self.flip, WORDS - self.flip)
        return min(
            self.grid.swap,
            odds**2 * Fraction(int(self.grid.totals.min()), self.points * top),
            self._farthest / odds**2,
        )

    @cached_property
    def ratio(self) -> Fraction:
        """The smallest change of likelihood, over numbers and missing cells as origin and as what is released."""
        return self._apart._ratio()

    def _ratio(self) -> Fraction:
        top, odds = int(self.grid.weights[0]), Fraction(self.flip, WORDS - self.flip)
        return min(
            self.grid.ratio,
            odds,
            1 / odds,
            odds * Fraction(int(self.grid.totals.min()), self.points * top),
            self._farthest / odds,
        )

    @cached_property
    def blanket(self) -> Blanket:
        """A missing cell as often as both give one, and numbers as often as numbers and a missing cell do, rounded down a little."""
        return self._apart._common()

    def _common(self) -> Blanket:
        flipped = Fraction(self.flip, WORDS)
        grid, numbers = self.grid._blanket()
        common = np.minimum(float(1 - flipped) * numbers, float(flipped / self.points)).sum()
        safe = 1 - Fraction(1, 10**12) - Fraction(self.points, 2**48)
        mass = (min(flipped, 1 - flipped) + Fraction(float(common))) * safe
        return Blanket(mass, grid.spread * self.grid.ratio / self.ratio / safe)

    @cached_property
    def _farthest(self) -> Fraction:
        """The smallest ``points * w / Z(v)``: how much less likely than evenly a number goes as far as it can."""
        away = self.grid.weights[np.maximum(np.arange(self.points), np.arange(self.points)[::-1])]
        place = int(np.argmin(away / self.grid.totals))
        return Fraction(int(away[place]) * self.points, int(self.grid.totals[place]))

    @property
    def resolution(self) -> int:
        """The words that flip, or the weight of the longest step if that is less."""
        return min(self.flip, self.grid.resolution)

    def probability(self, released: Codes, true: Codes) -> Floats:
        """Return P(released | true)."""
        released, true = np.broadcast_arrays(released, true)
        flipped = self.flip / WORDS
        gone, was_gone = released == self.points, true == self.points
        inside = self.grid.probability(np.where(gone, 0, released), np.where(was_gone, 0, true))
        present = np.where(was_gone, flipped / self.points, (1 - flipped) * inside)
        return np.where(gone, np.where(was_gone, 1 - flipped, flipped), present)

    def forward(self, distribution: Floats, axis: int = -1) -> Floats:
        """Return the distribution of released values."""
        at_end = np.moveaxis(distribution, axis, -1)
        flipped = self.flip / WORDS
        numbers, gone = at_end[..., :-1], at_end[..., -1:]
        released = (1 - flipped) * self.grid.forward(numbers) + flipped / self.points * gone
        missing = (1 - flipped) * gone + flipped * numbers.sum(axis=-1, keepdims=True)
        return np.moveaxis(np.concatenate([released, missing], axis=-1), -1, axis)

    def backward(self, weights: Floats, axis: int = -1) -> Floats:
        """Apply the transpose."""
        at_end = np.moveaxis(weights, axis, -1)
        flipped = self.flip / WORDS
        numbers, gone = at_end[..., :-1], at_end[..., -1:]
        true = (1 - flipped) * self.grid.backward(numbers) + flipped * gone
        missing = (1 - flipped) * gone + flipped / self.points * numbers.sum(axis=-1, keepdims=True)
        return np.moveaxis(np.concatenate([true, missing], axis=-1), -1, axis)

    def undone(self, values: Floats) -> Floats | None:
        """Return the function of the released value whose mean is this one of the true value; nothing where noise leaves none."""
        flipped, numbers = self.flip / WORDS, self.grid.undone(values[:-1])
        stays = 1 - flipped
        if numbers is None or stays <= flipped:
            return None
        gone = (values[-1] - flipped / stays * numbers.mean()) / (stays - flipped**2 / stays)
        return np.append((numbers - flipped * gone) / stays, gone)

    def draw(self, codes: Codes, out: Codes, stream: Stream, start: int) -> None:
        """Draw one released value for each code."""
        from tokumei.mechanism._kernels import anywhere

        flipped = stream.sub("presence").words(start, len(codes)) < np.uint64(self.flip)
        missing = codes == self.points
        words = stream.words(start, len(codes))
        out[:] = self.points

        def fill(words: AnyUnsigned, places: Integers) -> Integers:
            part = np.empty(len(places), dtype=out.dtype)
            rejected = anywhere(words, part, np.uint64(self.points))
            out[places] = part
            return places[rejected]

        moved = np.flatnonzero(~missing & ~flipped)
        self.grid.draw_at(words[moved], moved, codes, out, stream, start)
        filled = np.flatnonzero(missing & flipped)
        stream.redraw(start, fill(words[filled], filled), fill)

    def parameters(self) -> dict[str, int]:
        """Return the public integers."""
        return {"points": self.points, "decay": self.decay, "shift": self.shift, "flip": self.flip}

    def treatment(self) -> Treatment:
        """Say what happens to a value."""
        return PresenceFlipped(probability=self.flip / WORDS, then=self.grid.treatment())
