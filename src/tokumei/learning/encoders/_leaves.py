"""The finest pieces of a column's line that become features."""

from __future__ import annotations

import numpy as np

from tokumei.arrays import Integers
from tokumei.table.reading import CellReader, Cells

LEAVES = 512  # a longer line is cut into this many pieces


class Leaves:
    """A column's values one by one, or neighbours together where there are more than `LEAVES`.

    The cuts of a long line lie where the training cells begin and end, as evenly as their numbers allow. A missing cell is
    always a piece of its own, the last one.
    """

    def __init__(self, reader: CellReader, cells: Cells, most: int = LEAVES) -> None:
        size = reader.axis.size
        self.starts = np.arange(size) if size <= most else _cuts(cells, size, most)
        if reader.attribute.missing:
            self.starts = np.union1d(self.starts, [size - 1])
        self.ends = np.append(self.starts[1:], size) - 1
        self.names = stretch_names(reader, self.starts, self.ends)

    def __len__(self) -> int:
        return len(self.starts)

    def at(self, places: Integers) -> Integers:
        """Return the piece that each place lies in."""
        return np.searchsorted(self.starts, places, side="right") - 1


def _cuts(cells: Cells, size: int, most: int) -> Integers:
    edges = np.concatenate([cells.low, cells.high + 1])
    weights = np.tile(cells.counts, 2)
    inside = (edges > 0) & (edges < size)
    places, which = np.unique(edges[inside], return_inverse=True)
    if len(places) > most - 1:
        reach = np.cumsum(np.bincount(which.reshape(-1), weights=weights[inside]))
        wanted = np.linspace(0, reach[-1], most + 1)[1:-1]
        places = np.unique(places[np.searchsorted(reach, wanted)])
    return np.append(0, places).astype(np.int64)


def stretch_names(reader: CellReader, starts: Integers, ends: Integers) -> list[str]:
    """Name stretches by their first and last value."""
    code = np.empty(reader.axis.size, dtype=np.int64)
    code[reader.axis.place] = np.arange(reader.axis.size)
    edges = code[np.concatenate([starts, ends])]
    if reader.axis.size <= LEAVES:
        labels = [*reader.domain.labels(), "missing"]
        texts = [labels[at] for at in edges]
    else:
        texts = ["missing" if each is None else str(each) for each in reader.domain.values_of(edges).to_pylist()]
    first, last = texts[: len(starts)], texts[len(starts) :]
    return [low if low == high else f"{low}…{high}" for low, high in zip(first, last, strict=True)]
