"""A joint table with the labels of its places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tokumei.arrays import Floats
from tokumei.table.frames import Origin, from_arrow


@dataclass(frozen=True)
class LabelledTable:
    """The estimated joint distribution of a few columns.

    Attributes
    ----------
    columns
        The columns, in the order of the axes.
    pmf_
        The shares, one axis per column; they sum to one.
    counts_
        The shares times the number of rows of the original, also where only a sample of it was released.
    labels
        What the places along each axis stand for, as Arrow arrays; null is a missing cell.
    """

    columns: tuple[str, ...]
    pmf_: Floats
    counts_: Floats
    labels: tuple[Any, ...]
    origin: Origin

    @property
    def labels_(self) -> list[list[Any]]:
        """What the places along each axis stand for; ``None`` is a missing cell."""
        return [each.to_pylist() for each in self.labels]

    def frame(self) -> Any:
        """Return the table as a frame of the same kind as the release's: one row per cell, with share and count."""
        return frame_of(self.columns, self.labels, [("share", self.pmf_), ("count", self.counts_)], self.origin)


def frame_of(
    columns: Sequence[str], labels: Sequence[Any], figures: Sequence[tuple[str, npt.NDArray[Any]]], origin: Origin
) -> Any:
    """Return the cells of a table as a frame with a column for each axis and each figure."""
    places = np.indices(figures[0][1].shape).reshape(len(columns), -1)
    cells = {name: each.take(pa.array(place)) for name, each, place in zip(columns, labels, places, strict=True)}
    for title, values in figures:
        cells[title if title not in cells else f"estimated {title}"] = pa.array(values.ravel())
    return from_arrow(pa.table(cells), Origin(origin.kind))
