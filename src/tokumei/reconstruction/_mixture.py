"""A mixture of products, fitted by EM to released rows through the public channel.

Every class has a distribution of each column, and within a class the columns are independent. What a row shows is seen with

    alpha * (product of masses) + beta * (product of masses),

where a mass is what a class gives to a row of a matrix P(seen | true): the true value itself, a cell of several, a value seen
through noise. A cell that was seen by itself is one mass. A tuple that was kept with some probability, and else replaced, is
the product of its cells' masses times beta, plus alpha; of a box, times the box's masses.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from tokumei.arrays import Floats, Integers
from tokumei.reconstruction import _mixture_kernels as kernels
from tokumei.reconstruction._arrays import arrays
from tokumei.reconstruction._hulls import ROUNDS, Hull, tightened
from tokumei.reconstruction._mixture_arrays import Away
from tokumei.reconstruction._nonzero import Nonzero, side_by_side

EVEN = 0.02  # of them are spread evenly
ALONE = 0.5  # imagined rows of a column by itself, spread evenly
STEPS = 300
TOLERANCE = 1e-7  # of the log-likelihood
LOOSE = 1e-5  # where boxes are tight


@dataclass(frozen=True)
class Products:
    """For each thing seen a factor, and the masses that it is multiplied with."""

    factors: Floats
    starts: Integers
    entries: Integers


@dataclass(frozen=True)
class Observed:
    """What released rows show: different rows once.

    Attributes
    ----------
    likelihoods
        For each column one row per thing that can be seen of it, with its probability given each true value.
    first, second
        The two products of each thing seen.
    rows
        The things seen by each different row; -1 where there is none.
    which
        The place of each released row among the different ones.
    weights
        How much each released row counts.
    many
        How many released rows each of them stands for, where they were counted elsewhere.
    hulls
        What the boxes of each column say beyond holding their rows; nothing for columns without any.
    groups
        The group of each released row whose rows share their boxes, where there are such groups.
    trust, spread, usual
        What the model says of a cell in a box is raised to the power ``trust``: at 1 it is believed, at 0 cells are spread evenly over their
        boxes. With probability ``spread`` they are so in any case, the more often the more rows a box has beyond the ``usual``.
    bases, loose, spreads
        For each column what is seen of it without what boxes say beyond holding their rows, which of it are such boxes, and with which
        probability the cells of each are spread evenly.
    evens
        For each column how many codes of each value everything seen of it stands for, where values are bins of codes: an even spread is over codes.
    codes
        For each column how many codes each value has.
    grouped_by
        The columns by which rows were put into boxes, also those of which every box holds one value.
    backend
        The array library that mixtures are fitted with.
    """

    likelihoods: tuple[Floats, ...]
    first: Products
    second: Products
    rows: Integers
    which: Integers
    weights: Floats
    hulls: tuple[Hull | None, ...] = ()
    groups: Integers | None = None
    trust: float = 1.0
    spread: float = 0.0
    usual: float = np.inf
    bases: tuple[Any, ...] = ()  # matrices, or of much that is seen `Packed` ones
    loose: tuple[Floats, ...] = ()
    spreads: tuple[Floats, ...] = ()
    evens: tuple[Floats, ...] = ()
    codes: tuple[Floats, ...] = ()
    grouped_by: tuple[int, ...] = ()
    many: Floats | None = None
    backend: str = "numpy"

    def __getstate__(self) -> dict[str, Any]:
        """Leave behind what is on another device, and what is made again quickly."""
        return {name: each for name, each in vars(self).items() if name not in {"away", "nonzero", "alone"}}

    @cached_property
    def away(self) -> Away | None:
        """What is seen, on the device of another array library than numpy."""
        where = arrays(self.backend)
        return None if where.on_this_machine else Away(self, where)

    @property
    def bent(self) -> bool:
        """Whether what the model says of cells in boxes is not all that counts."""
        return bool(self.bases) and (self.trust < 1 or any(each.any() for each in self.spreads))

    @property
    def tight(self) -> bool:
        """Whether some boxes say more than that they hold their rows."""
        return any(hull is not None for hull in self.hulls)

    @property
    def needs_no_model(self) -> bool:
        """Whether tables and complete rows are the same by any model: cells are seen as they are, or spread evenly over what they may be."""
        return not self.spread and self.all_even

    @property
    def all_even(self) -> bool:
        """Whether all that stands for several values is loose and not believed, so that it is spread evenly."""
        if self.trust != 0 or not self.loose or np.any(self.rows < 0) or np.any(self.second.factors):
            return False
        several = [np.count_nonzero(each, axis=1) > 1 for each in self.likelihoods]
        return all(np.all(each > 0) for each in map(np.extract, several, self.loose))

    @property
    def tolerance(self) -> float:
        """How much the log-likelihood may still change where a fit stops, as a share of it."""
        return LOOSE if self.tight else TOLERANCE

    @property
    def sizes(self) -> list[int]:
        """How many values each column has."""
        return [each.shape[1] for each in self.likelihoods]

    def counted(self, weights: Floats) -> Floats:
        """Count the different rows."""
        return np.bincount(self.which, weights=weights, minlength=len(self.rows)).astype(np.float64)

    def weighted(self, weights: Floats, *, alone: bool = False) -> Observed:
        """Return the same rows with other weights. What does not depend on these is kept, and if asked for the columns ``alone``, by the weights before."""
        made = replace(self, weights=weights)
        vars(made)["nonzero"] = self.nonzero
        if alone:
            vars(made)["alone"] = self.alone
        return made

    @cached_property
    def places(self) -> list[slice]:
        """Where the masses of each column stand in the table of all."""
        ends = np.cumsum([0, *map(len, self.likelihoods)])
        return [slice(int(a), int(b)) for a, b in itertools.pairwise(ends)]

    @cached_property
    def nonzero(self) -> Nonzero:
        """What can be seen of all columns, without its zeros."""
        return Nonzero.of(self.likelihoods)

    @cached_property
    def alone(self) -> list[Floats]:
        """The distribution of each column by itself, by all rows."""
        return marginals(self, self.counted(self.weights))

    def masses(self, thetas: Sequence[Floats]) -> Floats:
        """Return the table of masses: one row per thing that can be seen of a column, one column per class."""
        return self.nonzero.masses(side_by_side(thetas))


@dataclass(frozen=True)
class Mixture:
    """Classes with their shares, and for each column the distribution of its values in each class."""

    shares: Floats
    thetas: tuple[Floats, ...]

    @property
    def size(self) -> int:
        """How many classes there are."""
        return len(self.shares)

    @classmethod
    def together(cls, parts: Sequence[Mixture]) -> Mixture:
        """Average several mixtures."""
        shares = np.concatenate([each.shares for each in parts]) / len(parts)
        thetas = zip(*(each.thetas for each in parts), strict=True)
        return cls(shares, tuple(np.concatenate(each) for each in thetas))

    def table(self, columns: Sequence[int], matrices: Sequence[Floats]) -> Floats:
        """Return the joint distribution of columns, the values of each brought to others by a matrix."""
        made = self.shares[:, None]
        for column, matrix in zip(columns, matrices, strict=True):
            made = (made[:, :, None] * (self.thetas[column] @ matrix)[:, None, :]).reshape(self.size, -1)
        return made.sum(axis=0).reshape([matrix.shape[1] for matrix in matrices])


@dataclass(frozen=True)
class Fitted:
    """A mixture, the log-likelihood of the rows that it was fitted to, and of each different row, those not used included."""

    mixture: Mixture
    log_likelihood: float
    each: Floats
    steps: int


@dataclass(frozen=True)
class Look:
    """What a mixture says about things seen, class by class: their likelihood, scaled, and how much of it is the first product's."""

    seen: Floats
    logs: Floats
    kept: Floats

    @classmethod
    def at(cls, observed: Observed, masses: Floats, room: Look | None = None) -> Look:
        """Look at all things seen; what was seen before in ``room`` is forgotten."""
        first, second = observed.first, observed.second
        shape = len(first.factors), masses.shape[1]
        made = cls(np.empty(shape), np.empty(shape[0]), np.empty(shape)) if room is None else room
        told = first.factors, first.starts, first.entries, second.factors, second.starts, second.entries
        kernels.look(masses, *told, made.seen, made.logs, made.kept)
        np.log(made.logs, out=made.logs)
        return made

    def of_rows(self, observed: Observed, totals: Floats) -> Floats:
        """Return the log-likelihood of each different row, given how likely it is in the scale of what it shows."""
        rows = observed.rows
        found: Floats = np.log(totals) + np.where(rows >= 0, self.logs[rows], 0.0).sum(axis=1)
        return found

    def shared(self, observed: Observed, added: Floats, out: Floats) -> Floats:
        """Share out how many rows of each class have shown things among the masses that they are made of."""
        out[:] = 0.0
        first, second = observed.first, observed.second
        kernels.share_out(added, self.kept, first.starts, first.entries, second.starts, second.entries, out)
        return out


def fit(observed: Observed, start: Mixture, prior: Sequence[Floats], counts: Floats, steps: int = STEPS) -> Fitted:
    """Climb from a start; ``prior`` are the imagined rows of each class, value by value, and ``counts`` how often rows occur.

    Where boxes are tight, what they say is worked out anew at every step from what the model says of their rows.
    """
    if observed.away is not None:
        return fit_away(observed, [start], prior, counts, steps)[0]
    nonzero, shares, last, values = observed.nonzero, start.shares, -math.inf, observed.nonzero.values
    flat, bounds = side_by_side(start.thetas), np.cumsum([0, *observed.sizes])
    imagined = side_by_side(
        [np.broadcast_to(each, theta.shape) for each, theta in zip(prior, start.thetas, strict=True)]
    )
    totals, shown = np.ones(len(counts)), _shown(observed, counts)
    alone = shown if start.size == 1 else None
    where, room = (observed.places, bounds[:-1].tolist()), np.empty_like(values) if observed.tight else values
    masses = nonzero.masses(flat, values)
    look, shared = Look.at(observed, masses), np.empty_like(masses)
    added = np.empty((len(observed.first.factors), start.size)) if alone is None else alone
    for step in range(1, steps + 1):
        look = look if step == 1 else Look.at(observed, masses, look)
        if alone is not None:  # every row is of the only class, whatever it shows
            classes, reached = counts.sum(keepdims=True), float(alone[:, 0] @ look.logs)
        else:
            added[:], classes = 0.0, np.zeros(start.size)
            kernels.respond(observed.rows, look.seen, shares, counts, added, classes, totals)
            reached = float(shown[:, 0] @ look.logs + counts @ np.log(totals))
        if step == steps or abs(reached - last) < observed.tolerance * abs(reached):
            break
        last = reached
        look.shared(observed, added, shared)
        made = nonzero.shared(shared, masses, flat, values) + imagined
        flat = made / np.repeat(np.add.reduceat(made, bounds[:-1]), observed.sizes, axis=0)
        shares = (classes + 1) / (classes + 1).sum()
        if observed.tight:
            values, masses = tightened(observed.hulls, nonzero, flat, shared, *where, room, out=masses)
        else:
            masses = nonzero.masses(flat, out=masses)
    if alone is not None:
        kernels.respond(observed.rows, look.seen, shares, counts, np.zeros_like(look.seen), np.zeros(1), totals)
    thetas = tuple(np.ascontiguousarray(flat[a:b].T) for a, b in itertools.pairwise(bounds.tolist()))
    return Fitted(Mixture(shares, thetas), reached, look.of_rows(observed, totals), step)


def _shown(observed: Observed, counts: Floats) -> Floats:
    """Count how many rows show each thing, as a table of one class."""
    there = observed.rows >= 0
    many = np.broadcast_to(counts[:, None], observed.rows.shape)[there]
    return np.bincount(observed.rows[there], many, minlength=len(observed.first.factors)).astype(np.float64)[:, None]


def fit_away(
    observed: Observed, starts: Sequence[Mixture], prior: Sequence[Floats], counts: Floats, steps: int = STEPS
) -> list[Fitted]:
    """Do what `fit` does on another device, from several starts with equally many classes at once."""
    assert observed.away is not None
    shares = np.stack([each.shares for each in starts])
    thetas = [np.stack(each) for each in zip(*(each.thetas for each in starts), strict=True)]
    found = observed.away.climb(shares, thetas, prior, counts, steps, observed.tolerance)
    return [Fitted(Mixture(own, tuple(of_each)), reached, each, taken) for own, of_each, reached, each, taken in found]


def settle(observed: Observed, mixture: Mixture, counts: Floats, rounds: int = ROUNDS) -> tuple[Floats, ...]:
    """Return what is seen with what tight boxes say under a mixture that stays as it is."""
    nonzero, flat, totals = observed.nonzero, side_by_side(mixture.thetas), np.empty(len(counts))
    where = observed.places, np.cumsum([0, *observed.sizes[:-1]]).tolist()
    values, plain = np.empty_like(nonzero.values), nonzero.masses(flat)
    masses, look = plain, None
    room, shared = np.empty_like(plain), np.empty_like(plain)
    added = np.empty((len(observed.first.factors), mixture.size))
    for _ in range(rounds):
        look = Look.at(observed, masses, look)
        added[:], classes = 0.0, np.zeros(mixture.size)
        kernels.respond(observed.rows, look.seen, mixture.shares, counts, added, classes, totals)
        look.shared(observed, added, shared)
        values, masses = tightened(observed.hulls, nonzero, flat, shared, *where, values, plain, room)
    return nonzero.matrices(values, observed.likelihoods)


def marginals(observed: Observed, counts: Floats) -> list[Floats]:
    """Return the distribution of each column by itself: a mixture of one class."""
    codes = observed.codes or tuple(np.ones(size) for size in observed.sizes)
    even = [(each / each.sum())[None, :] for each in codes]
    found = fit(observed, Mixture(np.ones(1), tuple(even)), [ALONE * each for each in even], counts)
    return [(1 - EVEN) * theta[0] + EVEN * each[0] for theta, each in zip(found.mixture.thetas, even, strict=True)]


def started(size: int, alone: Sequence[Floats], rng: np.random.Generator) -> Mixture:
    """Draw a mixture of this many classes around the distributions of the columns by themselves."""
    thetas = []
    for each in alone:
        drawn = rng.dirichlet(np.maximum(3 * len(each) ** 0.5 * each, 0.05), size)
        thetas.append(0.5 * drawn + 0.5 * each)
    return Mixture(rng.dirichlet(np.full(size, 5.0)), tuple(thetas))
