"""What a model of all rows says about the original rows, given what each released row shows: tables, and complete rows.

For each released row the model has a distribution of its true cells; the table is the mean of these. Where rows show their cells
as they are, it is what counting gives, whatever the model.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tokumei.arrays import Floats, Integers
from tokumei.mechanism.likelihood import distinct
from tokumei.reconstruction import _mixture_kernels as kernels
from tokumei.reconstruction._mixture import Look, Mixture, Observed, Products
from tokumei.reconstruction._some_rows import PIECE, different, pieces

ROWS = 2**14  # different rows at a time


def expected(observed: Observed, mixture: Mixture, columns: Sequence[int], matrices: Sequence[Floats]) -> Floats:
    """Return the expected joint distribution of columns, the values of each brought to others by a matrix."""
    counts = observed.counted(observed.weights)
    total = np.zeros([matrix.shape[1] for matrix in matrices])
    for here, part in pieces(observed, len(observed.rows)):
        total += _of_piece(part, mixture, columns, matrices, counts[here])
    return total / total.sum()


def _of_piece(
    observed: Observed, mixture: Mixture, columns: Sequence[int], matrices: Sequence[Floats], counts: Floats
) -> Floats:
    """Add up the tables of some of the rows."""
    masses = observed.masses(mixture.thetas)
    look = Look.at(observed, masses)
    first, second = (
        [entry_of(part, observed.places[each]) for each in columns] for part in (observed.first, observed.second)
    )
    never = observed.second.factors == 0  # what has one product only is that in either case
    entries = [first, [np.where(never, one, other) for one, other in zip(first, second, strict=True)]]
    touching = np.zeros(len(observed.first.factors), dtype=np.bool_)
    for part in (*entries[0], *entries[1]):
        touching |= part >= 0
    total = np.zeros([matrix.shape[1] for matrix in matrices])
    for low in range(0, len(observed.rows), ROWS):
        ids = observed.rows[low : low + ROWS]
        keys, which, _ = distinct(list(np.where((ids >= 0) & touching[ids], ids + 1, 0).T), len(ids))
        keys -= 1  # where a row shows nothing of the columns
        weights = np.zeros((len(keys), mixture.size))
        kernels.sum_by_key(ids, look.seen, mixture.shares, counts[low : low + ROWS], which, weights)
        total += _of_keys(observed, mixture, columns, matrices, masses, look, entries, keys, weights)
    return total


def entry_of(products: Products, place: slice) -> Integers:
    """Return for each thing the row of a column's matrix that its product has, -1 where the column is not in it."""
    thing = np.repeat(np.arange(len(products.factors)), np.diff(products.starts))
    inside = (products.entries >= place.start) & (products.entries < place.stop)
    made = np.full(len(products.factors), -1, dtype=np.int64)
    made[thing[inside]] = products.entries[inside] - place.start
    return made


def _of_keys(
    observed: Observed,
    mixture: Mixture,
    columns: Sequence[int],
    matrices: Sequence[Floats],
    masses: Floats,
    look: Look,
    entries: Sequence[Sequence[Integers]],
    keys: Integers,
    weights: Floats,
) -> Floats:
    """Add up the tables of rows that show the same of the columns."""
    kept = np.ones_like(weights)
    for one in keys.T:  # at most one of them may have been replaced
        kept *= np.where((one >= 0)[:, None], look.kept[one], 1.0)
    made = np.zeros([matrix.shape[1] for matrix in matrices])
    for branch, chance in ((0, kept), (1, 1 - kept)):
        if branch == 1 and not np.any(chance > 0):
            continue
        # what is shown of the columns together: there is far less of it than there are keys
        together, which, _ = distinct([shown_by(keys, each) + 1 for each in entries[branch]], len(keys))
        own = [np.unique(each - 1, return_inverse=True) for each in together.T]
        for c in range(mixture.size):
            parts = [
                _cells(observed, mixture, column, c, masses, used, matrix)[place.reshape(-1)]
                for column, (used, place), matrix in zip(columns, own, matrices, strict=True)
            ]
            share = np.bincount(which, weights=weights[:, c] * chance[:, c], minlength=len(together))
            joint = share.astype(np.float64)[:, None]
            for part in parts[:-1]:
                joint = (joint[:, :, None] * part[:, None, :]).reshape(len(together), -1)
            made += (joint.T @ parts[-1]).reshape(made.shape)
    return made


def shown_by(keys: Integers, entry: Integers) -> Integers:
    """Return the row of a column's matrix that each key has."""
    found = np.full(len(keys), -1, dtype=np.int64)
    for one in keys.T:
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
    if observed.bases and (observed.trust < 1 or observed.spread):
        loose = observed.loose[column][used] > 0
        base = observed.bases[column][used[loose]]
        believed = base * (likelihood[loose] * theta / np.where(base > 0, base, 1.0)) ** observed.trust
        even, believed = (each / np.maximum(each.sum(axis=1, keepdims=True), 1e-300) for each in (base, believed))
        made[loose] = believed + observed.spread * (even - believed)
    made[used < 0] = theta
    return np.asarray(made @ matrix)


def impute(observed: Observed, mixture: Mixture, rows: Integers, rng: np.random.Generator) -> Integers:
    """Draw a true row for each of the different rows asked for, from what is believed about it."""
    out = np.empty((len(rows), len(observed.likelihoods)), dtype=np.int64)
    if len(observed.first.factors) <= PIECE:
        _impute(observed, mixture, rows, rng, out)
        return out
    order = np.argsort(rows, kind="stable")
    for here in np.array_split(order, max(1, -(-len(rows) // PIECE))):
        wanted, which = np.unique(rows[here], return_inverse=True)
        made = np.empty((len(here), out.shape[1]), dtype=np.int64)
        _impute(different(observed, wanted)[0], mixture, which.reshape(-1), rng, made)
        out[here] = made
    return out


def _impute(observed: Observed, mixture: Mixture, rows: Integers, rng: np.random.Generator, out: Integers) -> None:
    """Draw rows some at a time."""
    look = Look.at(observed, observed.masses(mixture.thetas))
    flat = np.concatenate([np.ascontiguousarray(each).ravel() for each in observed.likelihoods])
    bases, loose = flat, np.zeros(sum(len(each) for each in observed.likelihoods), dtype=np.bool_)
    if observed.bases and (observed.trust < 1 or observed.spread):
        bases = np.concatenate([np.ascontiguousarray(each).ravel() for each in observed.bases])
        loose = np.concatenate(observed.loose) > 0
    column_of = np.repeat(np.arange(len(observed.likelihoods)), [len(each) for each in observed.likelihoods])
    sizes = np.array(observed.sizes)
    row_starts = np.concatenate([[0], np.cumsum(sizes[column_of])[:-1]])
    bounds = np.concatenate([[0], np.cumsum(sizes)])
    thetas = np.concatenate(mixture.thetas, axis=1)
    for low in range(0, len(rows), ROWS):
        ids = observed.rows[rows[low : low + ROWS]]
        chances = rng.random((len(ids), 1 + ids.shape[1] + 2 * len(sizes)))
        kernels.impute(
            ids,
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
            observed.spread,
            thetas,
            bounds,
            chances,
            out[low : low + ROWS],
        )
