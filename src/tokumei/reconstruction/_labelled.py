"""A joint table with the labels of its places."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tokumei.arrays import Floats
from tokumei.reconstruction._inference import About
from tokumei.reconstruction._intervals import Intervals
from tokumei.shown import shown
from tokumei.table.frames import Origin, from_arrow
from tokumei.words import Words, spoken

MOST_LINES = 60  # of a table that is printed


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
    asked: Callable[[float, About], Intervals] = field(repr=False, compare=False)
    shares_only: bool = False  # of a model that was fitted to counts, which has no intervals
    _known: dict[tuple[float, About], Intervals] = field(default_factory=dict, repr=False, compare=False)

    @property
    def labels_(self) -> list[list[Any]]:
        """What the places along each axis stand for; ``None`` is a missing cell."""
        return [each.to_pylist() for each in self.labels]

    def intervals(self, level: float = 0.9, about: About = "population") -> Intervals:
        """Return intervals of the shares that cover the truth as often as they say, or the reasons why there are none.

        They come from the released rows and the public mechanism alone, not from the model, so a share of the model may lie outside.

        Parameters
        ----------
        level
            The probability with which an interval covers what it is about.
        about
            The shares in the ``"population"`` that the people of the original table were drawn from, or in the original
            ``"table"`` itself.
        """
        if (level, about) not in self._known:
            self._known[level, about] = self.asked(level, about)
        return self._known[level, about]

    def frame(self, level: float | None = None, about: About = "population") -> Any:
        """Return the table as a frame of the same kind as the release's: one row per cell, with share and count.

        With a ``level`` also with `intervals`; a share that lies outside its interval is then shown at the nearer end, so that shares need
        not sum to one.
        """
        figures: list[tuple[str, npt.NDArray[Any]]] = [("share", self.pmf_), ("count", self.counts_)]
        if level is not None:
            found = self.intervals(level, about)
            share = inside(self.pmf_, found.low, found.high)
            people = self.counts_.sum() / self.pmf_.sum()
            figures = [("share", share), ("count", share * people)]
            figures += [("low", found.low), ("high", found.high), ("interval", found.kinds)]
        return frame_of(self.columns, self.labels, figures, self.origin)

    def __str__(self) -> str:
        words, found = spoken(), None if self.shares_only else self.intervals()
        share = self.pmf_ if found is None else inside(self.pmf_, found.low, found.high)
        chosen = np.sort(np.argsort(-self.pmf_, axis=None, kind="stable")[:MOST_LINES])
        title = "" if found is None else f" ({words('interval.title', level=0.9)})"
        lines = [f"{', '.join(map(shown, self.columns))}{title}"]
        for flat in chosen.tolist():
            place = np.unravel_index(flat, self.pmf_.shape)
            names = [each[int(at)].as_py() for each, at in zip(self.labels, place, strict=True)]
            named = ", ".join(words("interval.missing") if name is None else shown(name) for name in names)
            said = "" if found is None else f" ({_said(words, found, place)})"
            lines.append(f"  {named}: {share[place]:.4f}{said}")
        if self.pmf_.size > MOST_LINES:
            lines.append(words("interval.largest", most=MOST_LINES, cells=int(self.pmf_.size)))
        ends = [] if found is None else [words("interval.about"), *(words.say(each) for each in found.reasons)]
        return "\n".join([*lines, *ends])


def _said(words: Words, found: Intervals, place: tuple[Any, ...]) -> str:
    return words(f"interval.{found.kinds[place]}", low=float(found.low[place]), high=float(found.high[place]))


def inside(shares: Floats, low: Floats, high: Floats) -> Floats:
    """Return the shares, those outside their interval at its nearer end; a share without an interval stays."""
    return np.fmin(np.fmax(shares, low), high)


def frame_of(
    columns: Sequence[str], labels: Sequence[Any], figures: Sequence[tuple[str, npt.NDArray[Any]]], origin: Origin
) -> Any:
    """Return the cells of a table as a frame with a column for each axis and each figure."""
    places = np.indices(figures[0][1].shape).reshape(len(columns), -1)
    cells = {name: each.take(pa.array(place)) for name, each, place in zip(columns, labels, places, strict=True)}
    for title, values in figures:
        cells[title if title not in cells else f"estimated {title}"] = pa.array(
            values.ravel(), from_pandas=True
        )  # where there is no figure there is nothing
    return from_arrow(pa.table(cells), Origin(origin.kind))
