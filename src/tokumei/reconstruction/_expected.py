"""What a model of all rows says about the original rows, given what each released row shows: tables, and complete rows.

For each released row the model has a distribution of its true cells; the table is the mean of these. Where rows show their cells
as they are, it is what counting gives, whatever the model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tokumei.arrays import Codes, Floats, Integers
from tokumei.mechanism.likelihood import distinct
from tokumei.progress import stage
from tokumei.reconstruction import _mixture_kernels as kernels
from tokumei.reconstruction._all_pairs import WIDEST, Asked, Told, Views, gram
from tokumei.reconstruction._mixture import Look, Mixture, Observed, Products
from tokumei.reconstruction._nonzero import Nonzero, side_by_side
from tokumei.reconstruction._some_rows import PIECE, different, most_rows, pieces

ROWS = 2**14  # different rows at a time
FEW = 2  # columns whose table is added up cell by cell
MANY = 2**14  # things seen, of which many belong to one group each


def expected_tables(observed: Observed, mixture: Mixture, asked: Sequence[Asked]) -> list[Floats]:
    """Return the expected joint distributions of columns; for all tables at once it is worked out which class each row may be of."""
    counts = observed.counted(observed.weights)
    views = _at_once(observed, asked)
    narrow = [views is not None and len(columns) <= FEW for columns, _ in asked]
    totals = [np.zeros(()) if there else _empty(observed, *each) for there, each in zip(narrow, asked, strict=True)]
    products = np.zeros(()) if views is None else np.zeros([int(views.ends[-1]) + 1] * 2)
    with stage("Adding up tables", total=len(asked)) as shown:
        for here, part in pieces(observed, mixture.size):
            ready = _Ready.of(part, mixture, counts[here])
            if views is not None:
                products += ready.products(views)
            for place, (columns, matrices) in enumerate(asked):
                if not narrow[place]:
                    totals[place] += ready.cells(columns) if len(columns) <= FEW else ready.table(columns, matrices)
                if here.stop == len(observed.rows):
                    shown.advance()
            del ready, part  # before the next ones are made
    made = []
    for total, there, (columns, matrices) in zip(totals, narrow, asked, strict=True):
        found = total
        if views is not None and there:
            axes = [views.where(*each) for each in zip(columns, matrices, strict=True)]
            found = products[-1, axes[0]] if len(axes) == 1 else products[axes[0], axes[1]]
        elif len(columns) <= FEW:
            for axis, matrix in enumerate(matrices):
                found = np.moveaxis(np.tensordot(found, matrix, (axis, 0)), -1, axis)
        made.append(found / found.sum())
    return made


def _at_once(observed: Observed, asked: Sequence[Asked]) -> Views | None:
    """Return the columns of all small tables where these are added up at once: of few things seen each table is quicker by itself."""
    views = Views.of([each for each in asked if len(each[0]) <= FEW])
    return views if len(observed.first.factors) > MANY and 0 < views.ends[-1] <= WIDEST else None


def _empty(observed: Observed, columns: Sequence[int], matrices: Sequence[Floats]) -> Floats:
    few = len(columns) <= FEW
    return np.zeros([observed.sizes[each] for each in columns] if few else [each.shape[1] for each in matrices])


@dataclass(frozen=True)
class _Ready:
    """Some of the rows, and what a mixture says about them: how many of the rows like each one are of each class."""

    observed: Observed
    mixture: Mixture
    masses: Floats
    look: Look
    weights: Floats

    @classmethod
    def of(cls, observed: Observed, mixture: Mixture, counts: Floats) -> _Ready:
        masses = observed.masses(mixture.thetas)
        look = Look.at(observed, masses)
        weights = np.empty((len(observed.rows), mixture.size))
        kernels.weigh(observed.rows, look.seen, mixture.shares, counts, weights)
        return cls(observed, mixture, masses, look, weights)

    @cached_property
    def flat(self) -> Floats:
        """The distributions of all columns, side by side."""
        return side_by_side(self.mixture.thetas)

    @cached_property
    def told(self) -> Told:
        """What is seen, with how cells in boxes are spread.

        What the model says of a cell in a loose box is believed by the power ``trust``: base · (likelihood · theta / base) ** trust is a product again, of
        base ** (1 - trust) · likelihood ** trust and theta ** trust.
        """
        observed = self.observed
        if not observed.bent:
            found, things = observed.nonzero, len(self.masses)
            even, spread, loose = np.zeros(len(found.values)), np.zeros(things), np.zeros(things, bool)
            return Told(found, found.values, even, spread, loose, self.masses, observed.trust)
        found = Nonzero.of(observed.bases)
        values = found.of_others(observed.likelihoods)
        sums = np.add.reduceat(np.append(found.values, 0.0), found.starts[:-1])
        even = found.values / np.repeat(np.maximum(sums, 1e-300), np.diff(found.starts))
        loose = np.concatenate(observed.loose) > 0
        bent = found.values ** (1 - observed.trust) * values**observed.trust
        values = np.where(np.repeat(loose, np.diff(found.starts)), bent, values)
        masses = np.where(loose[:, None], found.masses(self.flat**observed.trust, bent), self.masses)
        spread = np.concatenate(observed.spreads)
        return Told(found, values, even, spread, loose, masses.astype(np.float64), observed.trust)

    def branches(self, columns: Sequence[int]) -> Iterator[tuple[list[Integers], Floats]]:
        """Yield what rows show of the columns, and their weights: if it is the rows' own, and of those that may show others' if it was replaced."""
        observed = self.observed
        first, second = (
            [entry_of(part, observed.places[each]) for each in columns] for part in (observed.first, observed.second)
        )
        never = observed.second.factors == 0  # what has one product only is that in either case
        if never.all():
            yield [self._shown(each) for each in first], self.weights
            return
        replaced = [np.where(never, one, other) for one, other in zip(first, second, strict=True)]
        touching = np.zeros(len(never), dtype=np.bool_)
        for part in (*first, *replaced):
            touching |= part >= 0
        touching &= ~never
        at = np.flatnonzero(((observed.rows >= 0) & touching[observed.rows]).any(axis=1))
        kept = np.ones((len(at), self.weights.shape[1]))
        for ids in observed.rows[at].T:  # at most one of them may have been replaced
            here = np.flatnonzero((ids >= 0) & touching[ids])
            if len(here) == len(at):
                kept *= self.look.kept[ids]
            else:
                kept[here] *= self.look.kept[ids[here]]
        own, others = self.weights.copy(), self.weights[at] * (1 - kept)
        own[at] *= kept
        yield [self._shown(each) for each in first], own
        yield [self._shown(each)[at] for each in replaced], others

    def _shown(self, entry: Integers) -> Integers:
        """Return the row of a column's matrix that each row shows, -1 where it shows none."""
        return shown_by(self.observed.rows, entry, self.ends)

    @cached_property
    def ends(self) -> Integers:
        """The lowest and the highest thing that rows have at each place."""
        rows = self.observed.rows
        return np.stack([rows.min(axis=0, initial=np.iinfo(rows.dtype).max), rows.max(axis=0, initial=-1)], axis=1)

    def products(self, views: Views) -> Floats:
        """Add up all tables of one column and of two at once."""
        starts = np.cumsum([0, *self.observed.sizes]).tolist()
        made = np.zeros([int(views.ends[-1]) + 1] * 2)
        for shown, weights in self.branches(views.columns):
            entries = [
                np.where(each < 0, -1, each + self.observed.places[column].start)
                for each, column in zip(shown, views.columns, strict=True)
            ]
            made += gram(views, starts, self.told, self.flat, np.stack(entries, axis=1), weights)
        return made

    def cells(self, columns: Sequence[int]) -> Floats:
        """Add up the table of one column or two, value by value."""
        ends = np.cumsum([0, *self.observed.sizes])
        things = [self.observed.places[each].start for each in columns]
        # whatever shows fewer things comes first: a table of one column has a second one that shows nothing
        many = [len(self.observed.likelihoods[each]) for each in columns]
        turned = len(columns) < FEW or many[0] > many[1]
        sizes = [*(self.observed.sizes[each] for each in columns), 1][:FEW]
        made = np.zeros(sizes[::-1] if turned else sizes)
        for shown, weights in self.branches(columns):
            both = [np.where(each < 0, -1, each + thing) for each, thing in zip(shown, things, strict=True)]
            both = both if len(both) == FEW else [both[0], np.full(len(both[0]), -1)]
            together, which, _ = distinct([each + 1 for each in (both[::-1] if turned else both)], len(weights))
            summed = np.zeros((len(together), weights.shape[1]))
            kernels.sum_by_key(weights, which, summed)
            order = np.lexsort(together.T[::-1])
            thetas = [(int(ends[each]), self.flat[ends[each] : ends[each + 1]]) for each in columns]
            thetas = thetas if len(thetas) == FEW else [*thetas, (0, np.ones((1, weights.shape[1])))]
            (a, one), (b, other) = thetas[::-1] if turned else thetas
            keys = np.ascontiguousarray(together[order].T) - 1
            kernels.add_pairs(
                keys[0], keys[1], summed[order], *self.told.arrays, self.told.trust, a, one, b, other, made
            )
        return made[0] if len(columns) == 1 else made.T if turned else made

    def table(self, columns: Sequence[int], matrices: Sequence[Floats]) -> Floats:
        """Add up the table of several columns, class by class."""
        made = np.zeros([matrix.shape[1] for matrix in matrices])
        for shown, weights in self.branches(columns):
            # what is shown of the columns together: there is far less of it than there are rows
            together, which, _ = distinct([each + 1 for each in shown], len(weights))
            own = [np.unique(each - 1, return_inverse=True) for each in together.T]
            summed = np.zeros((len(together), weights.shape[1]))
            kernels.sum_by_key(weights, which, summed)
            for c in range(self.mixture.size):
                parts = [
                    _cells(self.observed, self.mixture, column, c, self.masses, used, matrix)[place.reshape(-1)]
                    for column, (used, place), matrix in zip(columns, own, matrices, strict=True)
                ]
                joint = summed[:, c][:, None]
                for part in parts[:-1]:
                    joint = (joint[:, :, None] * part[:, None, :]).reshape(len(together), -1)
                made += (joint.T @ parts[-1]).reshape(made.shape)
        return made


def entry_of(products: Products, place: slice) -> Integers:
    """Return for each thing the row of a column's matrix that its product has, -1 where the column is not in it."""
    thing = np.repeat(np.arange(len(products.factors)), np.diff(products.starts))
    inside = (products.entries >= place.start) & (products.entries < place.stop)
    made = np.full(len(products.factors), -1, dtype=np.int64)
    made[thing[inside]] = products.entries[inside] - place.start
    return made


def shown_by(keys: Integers, entry: Integers, ends: Integers | None = None) -> Integers:
    """Return the row of a column's matrix that each key has; ``ends`` tells which things there are at each place, if that is known."""
    found, there = np.full(len(keys), -1, dtype=np.int64), np.flatnonzero(entry >= 0)
    for place, one in enumerate(keys.T):
        if ends is not None and (not len(there) or ends[place, 1] < there[0] or ends[place, 0] > there[-1]):
            continue  # nothing that is there has this column
        at = np.where(one >= 0, entry[one], -1)
        found = np.where(at >= 0, at, found)
    return found


def _cells(
    observed: Observed, mixture: Mixture, column: int, c: int, masses: Floats, used: Integers, matrix: Floats
) -> Floats:
    """Return the distribution of a column's cell given what a row shows of it, in one class: one line for each row of its matrix."""
    theta = mixture.thetas[column][c]
    likelihood = observed.likelihoods[column][used]
    mass = masses[observed.places[column], c][used]
    made = likelihood * theta / np.maximum(mass, 1e-300)[:, None]
    if observed.bent:
        loose = observed.loose[column][used] > 0
        base = observed.bases[column][used[loose]]
        believed = base * (likelihood[loose] * theta / np.where(base > 0, base, 1.0)) ** observed.trust
        even, believed = (each / np.maximum(each.sum(axis=1, keepdims=True), 1e-300) for each in (base, believed))
        made[loose] = believed + observed.spreads[column][used[loose]][:, None] * (even - believed)
    made[used < 0] = theta
    return np.asarray(made @ matrix)


def impute(observed: Observed, mixture: Mixture, rows: Integers, rng: np.random.Generator) -> Codes:
    """Draw a true row for each of the different rows asked for, from what is believed about it; values take few bytes."""
    out = np.empty((len(rows), len(observed.likelihoods)), dtype=np.min_scalar_type(max(observed.sizes)))
    if len(observed.first.factors) <= PIECE:
        _impute(observed, mixture, rows, rng, out)
        return out
    order, step = np.argsort(rows, kind="stable"), most_rows(observed, mixture.size)
    for drawn in np.array_split(order, max(1, -(-len(rows) // PIECE))):
        chances = _chances(observed, len(drawn), rng)  # by a cut that does not depend on the number of classes
        for low in range(0, len(drawn), step):
            here = drawn[low : low + step]
            wanted, which = np.unique(rows[here], return_inverse=True)
            made = np.empty((len(here), out.shape[1]), dtype=out.dtype)
            _impute(different(observed, wanted)[0], mixture, which.reshape(-1), chances[low : low + step], made)
            out[here] = made
    return out


def _chances(observed: Observed, rows: int, rng: np.random.Generator) -> Floats:
    """Draw what decides about the true rows of some released ones."""
    return rng.random((rows, 1 + observed.rows.shape[1] + 2 * len(observed.likelihoods)))


def _impute(observed: Observed, mixture: Mixture, rows: Integers, by: Floats | np.random.Generator, out: Codes) -> None:
    """Draw rows some at a time, ``by`` what was drawn for them or what draws it."""
    look = Look.at(observed, observed.masses(mixture.thetas))
    flat = np.concatenate([np.ascontiguousarray(each).ravel() for each in observed.likelihoods])
    spread = np.zeros(sum(len(each) for each in observed.likelihoods))
    bases, loose = flat, spread > 0
    if observed.bent:
        bases = np.concatenate([np.ascontiguousarray(each).ravel() for each in observed.bases])
        loose, spread = np.concatenate(observed.loose) > 0, np.concatenate(observed.spreads)
    column_of = np.repeat(np.arange(len(observed.likelihoods)), [len(each) for each in observed.likelihoods])
    sizes = np.array(observed.sizes)
    row_starts = np.concatenate([[0], np.cumsum(sizes[column_of])[:-1]])
    bounds = np.concatenate([[0], np.cumsum(sizes)])
    thetas = np.concatenate(mixture.thetas, axis=1)
    for low in range(0, len(rows), ROWS):
        here = rows[low : low + ROWS]
        made = np.empty((len(here), out.shape[1]), dtype=np.int64)
        chances = _chances(observed, len(here), by) if isinstance(by, np.random.Generator) else by[low : low + ROWS]
        kernels.impute(
            here,
            observed.rows,
            look.seen,
            look.kept,
            mixture.shares,
            observed.first.starts,
            observed.first.entries,
            observed.second.starts,
            observed.second.entries,
            column_of,
            row_starts,
            flat,
            bases,
            loose,
            observed.trust,
            spread,
            thetas,
            bounds,
            chances,
            made,
        )
        out[low : low + ROWS] = made
