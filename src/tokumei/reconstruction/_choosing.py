"""Which box a row was put into, of all that hold it: what overlapping boxes say beyond being the smallest around their rows.

Partitions that put near rows together leave a frequent combination of values in a group of its own, and put rare ones into wide boxes. So a
wide box holds fewer rows of a frequent combination than a model of all rows says. A row x is taken to have been put into a box B that
holds it with probability

    P(B | x) = d(B) / Z(x),    d(B) = rows(B) / volume(B) ** THIN,    Z(x) = the sum of d over all boxes that hold x,

the volume being the number of combinations that a box holds. Given its box a row is then x in proportion to P(x) / Z(x). Z depends on all
columns at once; what is kept of 1 / Z is, for each box, its mean given the value of each column, by rows drawn from the model: with columns
that are independent within a box, each column then has the distribution that it would have by 1 / Z itself. Boxes that do not overlap say nothing
here, since Z is the same all over each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tokumei.arrays import Booleans, Codes, Floats, Integers, Places, Unsigned64
from tokumei.mechanism.likelihood import distinct
from tokumei.reconstruction import _choosing_kernels as kernels
from tokumei.reconstruction._expected import entry_of, impute, shown_by
from tokumei.reconstruction._mixture import Mixture, Observed
from tokumei.table.laid import Laid

THIN = 0.5
ROWS = 2_000_000  # drawn in all boxes together
FEWEST, MOST = 8, 64  # drawn in each
MANY = 2**15  # boxes
CHUNK = 2**16  # drawn rows at a time
IMAGINED = 1.0  # drawn rows of every value, that 1 / Z is the same for


def chosen(observed: Observed, mixture: Mixture, rng: np.random.Generator) -> Observed:
    """Return what is seen, boxes weighed by how crowded each of their values is with boxes of other rows."""
    columns = observed.grouped_by
    by_cells = observed.trust not in (0.0, 1.0)  # rows are neither as they are nor chosen by something else
    if not columns or not by_cells or not any(each.any() for each in observed.loose):
        return observed
    entries = [
        shown_by(observed.rows, entry_of(observed.first, observed.places[column]))
        for column in range(len(observed.bases))
    ]
    in_box = [entries[column] for column in columns]
    boxes, box_of, _ = distinct([each + 1 for each in in_box], len(observed.rows))
    rows = np.bincount(box_of, observed.counted(observed.weights), len(boxes))
    held, volumes = [], np.ones(len(boxes))
    for column, place in zip(columns, boxes.T, strict=True):
        shares = _held(observed.bases[column], place - 1)
        volumes *= shares.sum(axis=1)
        held.append(shares > 0)
    open_ = np.zeros(len(boxes), dtype=np.bool_)
    for column, each in zip(columns, in_box, strict=True):
        open_[box_of[(each >= 0) & (observed.loose[column][each] > 0)]] = True
    densities = rows / volumes**THIN
    kinds, of_box = _some_rows_of(box_of[observed.which], open_, rng)
    drawn = impute(observed, mixture, observed.which[kinds], rng)
    weights = 1 / np.maximum(crowded(drawn[:, list(columns)], held, densities), 1e-300)
    weights *= (np.bincount(of_box) / np.maximum(np.bincount(of_box, weights), 1e-300))[of_box]
    likelihoods, bases = list(observed.likelihoods), list(observed.bases)
    for column, each in zip(columns, in_box, strict=True):
        entry, shape = each[observed.which[kinds]], bases[column].shape
        ours = (entry >= 0) & (observed.loose[column][entry] > 0)
        cells = entry[ours] * shape[1] + drawn[ours, column]
        many, heavy = (np.bincount(cells, of, shape[0] * shape[1]) for of in (None, weights[ours]))
        factors = ((heavy + IMAGINED) / (many + IMAGINED)).reshape(shape)
        likelihoods[column], bases[column] = likelihoods[column] * factors, bases[column] * factors
    return replace(observed, likelihoods=tuple(likelihoods), bases=tuple(bases), evens=())


def crowded(cells: Codes, held: Sequence[Booleans], densities: Floats) -> Floats:
    """Return Z of rows of cells; ``held`` says for each column and box (row) which values the box holds."""
    if len(densities) > MANY:  # boxes that hold the same values stand in the same words then
        order = Laid.of(np.stack([_middles(each) for each in held], axis=1)).order
        held, densities = [each[order] for each in held], densities[order]
    starts = np.cumsum([0, *(each.shape[1] for each in held[:-1])])
    inside = np.concatenate([_in_words(each.T) for each in held])
    padded = np.zeros(kernels.WORD * inside.shape[1])
    padded[: len(densities)] = densities
    out, some = np.empty(len(cells)), _in_words(inside > 0)
    for low in range(0, len(cells), CHUNK):
        here = slice(low, low + CHUNK)
        kernels.crowding(np.ascontiguousarray(cells[here], dtype=np.int64), starts, some, inside, padded, out[here])
    return out


def _in_words(bits: Booleans) -> Unsigned64:
    """Pack the bits of each row."""
    wide = -(-bits.shape[1] // kernels.WORD) * kernels.WORD
    padded = np.zeros((len(bits), wide), dtype=np.bool_)
    padded[:, : bits.shape[1]] = bits
    return np.packbits(padded, axis=1, bitorder="little").view(np.dtype("<u8")).astype(np.uint64)


def _middles(held: Booleans) -> Places:
    """Return about the middle of the values that each box holds."""
    return np.asarray(held @ np.arange(held.shape[1]) // np.maximum(held.sum(axis=1), 1), dtype=np.int32)


def _held(base: Floats, entries: Integers) -> Floats:
    """Return how much of each value every box holds: all of it where a box shows nothing of the column."""
    made = np.asarray(base[entries])
    made[entries < 0] = 1.0
    return made


def _some_rows_of(box_of: Integers, open_: Booleans, rng: np.random.Generator) -> tuple[Integers, Integers]:
    """Draw equally many released rows, with replacement, of every open box; also return the box of each, numbered anew."""
    sizes, order = np.bincount(box_of, minlength=len(open_)), np.argsort(box_of, kind="stable")
    starts, boxes = np.cumsum(sizes) - sizes, np.flatnonzero(open_)
    each = int(np.clip(ROWS // max(len(boxes), 1), FEWEST, MOST))
    places = starts[boxes][:, None] + (rng.random((len(boxes), each)) * sizes[boxes][:, None]).astype(np.int64)
    return order[places.ravel()], np.repeat(np.arange(len(boxes)), each)
