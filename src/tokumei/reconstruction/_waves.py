"""Means over the original rows of functions of a sum over columns, estimated from released rows.

With ``eta`` a constant plus what each column adds, ``exp(i w eta)`` is a product over columns, and so is it times a feature of
one of them. Each factor is replaced by the function of the released value whose expectation it is (`_corrected`), so means
over released rows have those over the original ones as their expectation. Whatever is a sum of waves can be estimated so.
Columns that were released unchanged need no replacement, and their features none of the work for each wave.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tokumei.arrays import Complexes, Floats, Integers
from tokumei.reconstruction._corrected import Term, places_of
from tokumei.table.classes import class_of

CHUNK = 2**14  # kinds of rows at a time
NOUGHT = 1e-150  # in place of a factor that is exactly zero, which nothing could be divided by


@dataclass(frozen=True)
class Waves:
    """The function ``sum of the real parts of heights * exp(i frequencies t)``; of the frequency -i it is an exponential."""

    frequencies: Floats | Complexes
    heights: Complexes

    def __call__(self, at: Floats) -> Floats:
        """Return its values."""
        return np.asarray((np.exp(1j * np.multiply.outer(at, self.frequencies)) @ self.heights).real, dtype=np.float64)


@dataclass(frozen=True)
class Factor:
    """A perturbed column's factor of a wave, by released bin; over it, the wave times features and products of two."""

    wave: Complexes
    slopes: Complexes
    bends: Complexes

    @classmethod
    def of(cls, term: Term, frequency: complex, beta: Floats) -> Factor:
        """Correct the waves of a column, whose features count by ``beta``."""
        turn = np.exp(1j * frequency * (term.binned @ beta))[:, None]
        products = np.einsum("xa,xb->xab", term.binned, term.binned).reshape(len(turn), -1)
        functions: Any = np.concatenate([turn, turn * term.binned, turn * products], axis=1)
        made = np.asarray(term.corrected(functions), dtype=np.complex128)
        wave = np.where(np.abs(made[:, 0]) < NOUGHT, NOUGHT, made[:, 0])
        rest = made[:, 1:] / wave[:, None]
        return cls(wave, rest[:, : term.size], rest[:, term.size :])


class CorrectedWaves:
    """Functions of a sum over columns, by kind of released row: rows that are alike in all of them, and in ``apart``.

    Parameters
    ----------
    terms
        The columns.
    shares
        How much each released row counts, with mean one.
    apart
        What else tells rows apart.

    Attributes
    ----------
    counts, squares
        For each kind the sums of its rows' shares and of their squares, over the number of rows.
    example
        For each kind one of its rows.
    """

    def __init__(self, terms: Sequence[Term], shares: Floats, apart: Sequence[npt.NDArray[Any]] = ()) -> None:
        self.rows = len(shares)
        self.kind = class_of([*apart, *(term.released for term in terms)], self.rows)
        self.example = np.empty(int(self.kind.max()) + 1, dtype=np.int64)
        self.example[self.kind] = np.arange(self.rows)
        self.kinds = len(self.example)
        self.counts, self.squares = self.sums(shares), self.sums(shares**2)
        places = places_of(terms)
        self.size = places[-1].stop
        placed = list(zip(terms, places, strict=True))
        self._kept = [(term, place, term.released[self.example]) for term, place in placed if term.correction is None]
        self._noisy = [
            (term, place, term.released[self.example]) for term, place in placed if term.correction is not None
        ]
        self._sure = np.concatenate([[0], *(np.arange(p.start, p.stop) for _, p, _ in self._kept)]).astype(np.int64)
        unsure = [np.arange(place.start, place.stop) for _, place, _ in self._noisy]
        self._unsure: Integers = np.concatenate([np.empty(0, dtype=np.int64), *unsure])

    def sums(self, weights: Floats) -> Floats:
        """Return for each kind the sum of its rows' weights, over the number of rows."""
        return np.bincount(self.kind, weights=weights, minlength=self.kinds) / self.rows

    def reach(self, beta: Floats) -> float:
        """Return the farthest from zero that the sum can be for any true row of these kinds."""
        known = np.full(self.kinds, beta[0])
        for term, place, codes in self._kept:
            known += (term.binned @ beta[place])[codes]
        lowest, highest = float(known.min()), float(known.max())
        for term, place, _ in self._noisy:
            added = term.binned @ beta[place]
            lowest, highest = lowest + float(added.min()), highest + float(added.max())
        return max(abs(lowest), abs(highest))

    def values(self, beta: Floats, function: Waves) -> Floats:
        """Return for each kind the function of the sum."""
        made = np.zeros(self.kinds)
        factors = self._factors(beta, function)
        for part in self._parts():
            for _, whole in self._turned(part, beta, function, factors):
                made[part] += whole.real
        return made

    def slopes(self, beta: Floats, function: Waves) -> Floats:
        """Return for each kind the function times each feature, the constant first."""
        made = np.empty((self.kinds, self.size))
        factors = self._factors(beta, function)
        for part in self._parts():
            level, slopes = self._level(part, beta, function, factors)
            made[part, self._sure] = level[:, None] * self._features(part)
            made[part, self._unsure] = slopes
        return made

    def along(self, beta: Floats, function: Waves, direction: Floats) -> Floats:
        """Return for each kind the function times the square of a combination of the features."""
        made = np.zeros(self.kinds)
        factors = self._factors(beta, function)
        for part in self._parts():
            known = self._features(part) @ direction[self._sure]
            for mine, whole in self._turned(part, beta, function, factors):
                slope, rest = known.astype(np.complex128), np.zeros(len(known), dtype=np.complex128)
                for factor, (_, place, codes) in zip(mine, self._noisy, strict=True):
                    first = factor.slopes @ direction[place]
                    square = factor.bends @ np.outer(direction[place], direction[place]).ravel()
                    slope += first[codes[part]]
                    rest += (square - first**2)[codes[part]]  # a column's square is corrected as one function
                made[part] += (whole * (slope**2 + rest)).real
        return made

    def moments(self, beta: Floats, function: Waves, weights: Floats) -> Floats:
        """Return the sum over kinds of weight times function times products of two features."""
        made = np.zeros((self.size, self.size))
        sure, unsure = np.ix_(self._sure, self._sure), np.ix_(self._unsure, self._unsure)
        factors = self._factors(beta, function)
        for part in self._parts():
            known, weight = self._features(part), weights[part]
            level, first = self._level(part, beta, function, factors)
            made[sure] += known.T @ (known * (weight * level)[:, None])
            made[np.ix_(self._sure, self._unsure)] += known.T @ (first * weight[:, None])
            for mine, whole in self._turned(part, beta, function, factors) if len(self._unsure) else ():
                slopes, weighted = self._gathered(part, mine), weight * whole
                made[unsure] += (slopes.T @ (slopes * weighted[:, None])).real
                for factor, (term, place, codes) in zip(mine, self._noisy, strict=True):
                    sums = _counted(codes[part], weighted, len(factor.wave))
                    twice = (factor.slopes.T @ (factor.slopes * sums[:, None])).real
                    exact = (sums @ factor.bends).real.reshape(term.size, term.size)
                    made[place, place] += exact - twice  # a column's square is corrected as one function
        made[np.ix_(self._unsure, self._sure)] = made[np.ix_(self._sure, self._unsure)].T
        return made

    def _parts(self) -> Iterator[slice]:
        for low in range(0, self.kinds, CHUNK):
            yield slice(low, min(low + CHUNK, self.kinds))

    def _factors(self, beta: Floats, function: Waves) -> list[list[Factor]]:
        """Return for each wave the factors of the perturbed columns."""
        return [
            [Factor.of(term, complex(frequency), beta[place]) for term, place, _ in self._noisy]
            for frequency in function.frequencies
        ]

    def _features(self, part: slice) -> Floats:
        """Return the features that are known for sure, the constant first."""
        made = [np.ones((part.stop - part.start, 1)), *(term.binned[codes[part]] for term, _, codes in self._kept)]
        return np.concatenate(made, axis=1)

    def _turned(
        self, part: slice, beta: Floats, function: Waves, factors: Sequence[Sequence[Factor]]
    ) -> Iterator[tuple[Sequence[Factor], Complexes]]:
        """Yield for each wave the perturbed columns' factors, and the height times the wave of some kinds."""
        known = np.full(part.stop - part.start if self._kept else 1, beta[0])
        for term, place, codes in self._kept:
            known += (term.binned @ beta[place])[codes[part]]
        for mine, frequency, height in zip(factors, function.frequencies, function.heights, strict=True):
            whole: Complexes = height * np.exp(1j * frequency * known)
            for factor, (_, _, codes) in zip(mine, self._noisy, strict=True):
                whole = whole * factor.wave[codes[part]]
            yield mine, whole

    def _gathered(self, part: slice, mine: Sequence[Factor]) -> Complexes:
        """Return each perturbed feature's share in a wave, over the wave."""
        return np.concatenate(
            [factor.slopes[codes[part]] for factor, (_, _, codes) in zip(mine, self._noisy, strict=True)], axis=1
        )

    def _level(
        self, part: slice, beta: Floats, function: Waves, factors: Sequence[Sequence[Factor]]
    ) -> tuple[Floats, Floats]:
        """Return for some kinds the function, and it times each perturbed feature."""
        rows = part.stop - part.start
        level, first = np.zeros(rows), np.zeros((rows, len(self._unsure)))
        for mine, whole in self._turned(part, beta, function, factors):
            level += whole.real
            if len(self._unsure):
                first += (self._gathered(part, mine) * whole[:, None]).real
        return level, first


def _counted(codes: Integers, weights: Complexes, size: int) -> Complexes:
    """Add up complex weights by code."""
    made = np.bincount(codes, weights.real, size) + 1j * np.bincount(codes, weights.imag, size)
    return np.asarray(made, dtype=np.complex128)
