"""The steps of the mixture through the array API, on a GPU: all starts at once, in the same steps as `_mixture.fit`.

Numbers have three axes: starts, classes, and things. What boxes say beyond holding their rows (`_hulls`) is worked out on this
machine at every step.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tokumei.arrays import Floats, Integers
from tokumei.reconstruction._arrays import Arrays
from tokumei.reconstruction._segments import Segments

if TYPE_CHECKING:
    from tokumei.reconstruction._mixture import Observed, Products

BLOCK = 2**16  # rows at a time
LEAST, LEAST_MASS = 1e-290, 1e-300


@dataclass(frozen=True)
class Multiplied:
    """Products of masses: the places of the masses that each is made of, a one where there are fewer, and the way back."""

    factors: Any
    entries: tuple[Any, ...]
    back: Segments

    @classmethod
    def of(cls, products: Products, masses: int, where: Arrays) -> Multiplied:
        """Bring products there; ``masses`` is how many masses there are."""
        wide = np.diff(products.starts)
        table = np.full((len(wide), int(wide.max(initial=0))), masses)
        things = np.repeat(np.arange(len(wide)), wide)
        table[things, np.arange(len(products.entries)) - np.repeat(products.starts[:-1], wide)] = products.entries
        back = Segments.of(products.entries, things, len(wide), masses, where)
        return cls(where.put(products.factors), tuple(where.put(each, "int64") for each in table.T), back)

    def product(self, masses: Any, xp: Any) -> Any:
        """Multiply."""
        made = xp.broadcast_to(self.factors[None, None, :], (*masses.shape[:2], self.factors.shape[0]))
        for each in self.entries:
            made = made * xp.take(masses, each, axis=2)
        return made


@dataclass(frozen=True)
class Block:
    """Some of the rows: the things that they show, column by column, and the way back."""

    rows: slice
    shown: tuple[Any, ...]
    back: tuple[Segments, ...]

    @classmethod
    def of(cls, ids: Integers, rows: slice, things: int, where: Arrays) -> Block:
        """Bring rows there; the thing behind the last one is nothing, which is certain to be seen."""
        here = np.where(ids[rows] >= 0, ids[rows], things)
        there = [np.flatnonzero(column < things) for column in here.T]
        back = [
            Segments.of(column[found], found, len(here), things, where)
            for column, found in zip(here.T, there, strict=True)
        ]
        return cls(rows, tuple(where.put(column, "int64") for column in here.T), tuple(back))


class Away:
    """What released rows show, on another device."""

    def __init__(self, observed: Observed, where: Arrays) -> None:
        self.observed, self.where = observed, where
        self.likelihoods = tuple(where.put(each[None]) for each in observed.likelihoods)
        masses, things = sum(map(len, observed.likelihoods)), len(observed.first.factors)
        self.first, self.second = (Multiplied.of(each, masses, where) for each in (observed.first, observed.second))
        count = len(observed.rows)
        blocks = (slice(low, min(low + BLOCK, count)) for low in range(0, count, BLOCK))
        self.blocks = [Block.of(observed.rows, each, things, where) for each in blocks]

    def climb(
        self,
        shares: Floats,
        thetas: Sequence[Floats],
        prior: Sequence[Floats],
        counts: Floats,
        steps: int,
        tolerance: float,
    ) -> list[tuple[Floats, list[Floats], float, Floats, int]]:
        """Climb from all starts until each has come to rest.

        ``shares`` has a row for each start, and each of ``thetas`` a table. Returns for each start its shares and thetas, the
        log-likelihood, that of each row, and the number of steps.
        """
        where, xp, observed = self.where, self.where.xp, self.observed
        starts = len(shares)
        held, imagined = where.put(counts), [where.put(np.atleast_2d(each)[None]) for each in prior]
        at, distributions, shown = where.put(shares[:, :, None]), [where.put(each) for each in thetas], self.likelihoods
        last = np.full(starts, -math.inf)
        found: list[Any] = [None] * starts
        for step in range(1, steps + 1):
            masses = xp.concat(
                [xp.matmul(theta, _turned(each, xp)) for theta, each in zip(distributions, shown, strict=True)], axis=2
            )
            added, kept, classes, likelihoods = self._respond(masses, at, held)
            reached = where.get(xp.sum(likelihoods * held[None, :], axis=1))
            for place in range(starts):
                near = abs(reached[place] - last[place]) < tolerance * abs(reached[place])
                if found[place] is None and (step == steps or near):
                    own = [where.get(each[place, :, :]) for each in distributions]
                    told = where.get(at[place, :, 0]), own, float(reached[place]), where.get(likelihoods[place, :])
                    found[place] = *told, step
            if all(each is not None for each in found):
                break
            last = reached
            shared = self.first.back.sum(added * kept) + self.second.back.sum(added * (1 - kept))
            of_each = shared / xp.maximum(masses, xp.full((1, 1, 1), LEAST_MASS, dtype=xp.float64, device=where.device))
            moved = []
            for place_of, likelihood, theta, more in zip(observed.places, shown, distributions, imagined, strict=True):
                made = theta * xp.matmul(of_each[:, :, place_of], likelihood) + more
                moved.append(made / xp.sum(made, axis=2, keepdims=True))
            distributions, at = moved, (classes + 1) / xp.sum(classes + 1, axis=1, keepdims=True)
            if observed.tight:
                shown = self._tightened(distributions, shared)
        return found

    def _respond(self, masses: Any, at: Any, counts: Any) -> tuple[Any, Any, Any, Any]:
        """Return how many rows of each class have shown each thing, how much of it is the first product's, the classes, and likelihoods."""
        xp, where = self.where.xp, self.where
        starts, classes = masses.shape[:2]
        one, least = (xp.full((1, 1, 1), each, dtype=xp.float64, device=where.device) for each in (1.0, LEAST_MASS))
        with_one = xp.concat([masses, xp.broadcast_to(one, (starts, classes, 1))], axis=2)
        first, second = self.first.product(with_one, xp), self.second.product(with_one, xp)
        both = xp.maximum(first + second, least)
        top = xp.max(both, axis=1, keepdims=True)
        seen = xp.concat([both / top, xp.broadcast_to(one, (starts, classes, 1))], axis=2)
        logs = xp.concat([xp.log(top), xp.broadcast_to(0 * one, (starts, 1, 1))], axis=2)
        added, of_class, likelihoods = 0 * both, 0 * at, []
        for block in self.blocks:
            each, log = at, 0 * one
            for column in block.shown:
                each = each * xp.take(seen, column, axis=2)
                log = log + xp.take(logs, column, axis=2)
            total = xp.maximum(xp.sum(each, axis=1, keepdims=True), 0 * one + LEAST)
            likelihoods.append((log + xp.log(total))[:, 0, :])
            each = each * (counts[block.rows][None, None, :] / total)
            of_class = of_class + xp.sum(each, axis=2, keepdims=True)
            for back in block.back:
                added = added + back.sum(each)
        return added, first / both, of_class, xp.concat(likelihoods, axis=1)

    def _tightened(self, distributions: Sequence[Any], shared: Any) -> tuple[Any, ...]:
        """Work out on this machine what boxes say, start by start."""
        from tokumei.reconstruction._hulls import tightened  # compiled loops, which nothing else here needs
        from tokumei.reconstruction._nonzero import side_by_side

        where, observed = self.where, self.observed
        thetas, here = [where.get(each) for each in distributions], where.get(shared)
        nonzero, made, columns = observed.nonzero, [], np.cumsum([0, *observed.sizes[:-1]]).tolist()
        for place in range(len(here)):
            flat, added = side_by_side([each[place] for each in thetas]), here[place].T.copy()
            room = np.empty_like(nonzero.values)
            values, _ = tightened(observed.hulls, nonzero, flat, added, observed.places, columns, room)
            made.append(nonzero.matrices(values, observed.likelihoods))
        return tuple(where.put(np.stack(each)) for each in zip(*made, strict=True))


def _turned(matrices: Any, xp: Any) -> Any:
    return xp.permute_dims(matrices, (0, 2, 1))
