"""Before and after: the shares of columns, associations and scores of the original beside those of its release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei.arrays import Floats
from tokumei.randomness import generator
from tokumei.release.artifact import Release
from tokumei.results import Result
from tokumei.utility.careful import carefully, noted
from tokumei.utility.lines import Line
from tokumei.utility.measures import Counted
from tokumei.utility.prediction import Prediction, Predictor
from tokumei.utility.quick import Quick
from tokumei.utility.results import Side
from tokumei.utility.tables import ReconstructedTables, ReleasedTables
from tokumei.words import Statement


@dataclass(frozen=True, eq=False)
class Marginal(Result):
    """The shares of one column's cells, in the original, as released, and with the noise taken out where that can be.

    ``values`` is how many values the column has where they are counted in intervals; nothing where each has a cell of its own.
    ``missing`` says that the last cell is that of missing ones.
    """

    name: str
    labels: tuple[str, ...]
    missing: bool
    values: int | None
    original: Floats
    released: Floats | None
    reconstructed: Floats | None


@dataclass(frozen=True, eq=False)
class CrossTable(Result):
    """The shares of two columns together: one row per cell of the first, one column per cell of the second."""

    first: Marginal
    second: Marginal
    original: Floats
    released: Floats | None
    reconstructed: Floats | None


@dataclass(frozen=True, eq=False)
class BeforeAfter(Result):
    """A release together with its original.

    Attributes
    ----------
    columns
        The columns that both have.
    marginals
        Their shares.
    associations
        The original's: Pearson's correlation, or Cramér's V where one of two columns has no order.
    released, reconstructed
        How far the release is off, and its associations; as it is, and with its noise taken out. ``None`` where it cannot be,
        or was not asked for.
    notes
        What could not be measured, and why.
    """

    columns: tuple[str, ...]
    marginals: tuple[Marginal, ...]
    associations: Floats
    released: Side | None
    reconstructed: Side | None
    notes: tuple[Statement, ...]
    views: dict[str, Counted]

    def marginal(self, name: str) -> Marginal:
        """Return one column."""
        return next(each for each in self.marginals if each.name == name)

    def cross(self, first: str, second: str) -> CrossTable:
        """Return two columns together."""
        turned = self.columns.index(first) > self.columns.index(second)
        pair = (second, first) if turned else (first, second)
        joint: dict[str, Any] = {name: view.joint[pair] for name, view in self.views.items()}
        tables = {name: (each.T if turned else each) for name, each in joint.items()}
        return CrossTable(
            self.marginal(first),
            self.marginal(second),
            tables["original"],
            tables.get("released"),
            tables.get("reconstructed"),
        )


@dataclass(frozen=True)
class Scores:
    """How well a model that has learned from a release predicts a column of the original; notes say why none is there."""

    target: str
    released: Prediction | None
    reconstructed: Prediction | None
    notes: tuple[Statement, ...]


def measure_before_after(quick: Quick, release: Release, *, reconstruct: bool) -> BeforeAfter:
    """Count a release together with its original."""
    notes: list[Statement] = []
    views: dict[str, Counted] = {"original": quick.original}
    found = carefully("as_released", lambda: quick.counted(release), notes)
    if found is not None:
        views["released"] = found
        notes += [noted("as_released", each) for each in ReleasedTables(release).notes(quick.lines_of(release))]
    if reconstruct:
        found = carefully("reconstructed", lambda: quick.undone(release), notes)
        if found is not None:
            views["reconstructed"] = found
    lines = quick.lines_of(release)
    kept = [quick.lines.index(line) for line in lines]
    return BeforeAfter(
        tuple(line.name for line in lines),
        tuple(_marginal(line, views) for line in lines),
        quick.original.side.associations[np.ix_(kept, kept)],
        views["released"].side if "released" in views else None,
        views["reconstructed"].side if "reconstructed" in views else None,
        tuple(dict.fromkeys(notes)),
        views,
    )


def scores(quick: Quick, release: Release, target: str, *, reconstruct: bool) -> Scores:
    """Learn to predict a column from a release, and see how well that does on the original's rows."""
    notes: list[Statement] = []
    lines = quick.lines_of(release)
    aim = next(line for line in lines if line.name == target)
    predictor = Predictor(quick.table, quick.table, lines, aim, None, generator(0))
    released = carefully("learning_from_release", lambda: predictor.released(ReleasedTables(release)), notes)
    undone = None
    if reconstruct:
        tables = ReconstructedTables(release)
        undone = carefully("learning_after_reconstruction", lambda: predictor.reconstructed(tables), notes)
    return Scores(target, released, undone, tuple(dict.fromkeys(notes)))


def _marginal(line: Line, views: dict[str, Counted]) -> Marginal:
    shares = {
        name: np.bincount(line.cell_of, weights=view.alone[line.name], minlength=line.cells).astype(np.float64)
        for name, view in views.items()
    }
    return Marginal(
        line.name,
        line.labels,
        line.attribute.missing,
        None if line.edges is None else line.values,
        shares["original"],
        shares.get("released"),
        shares.get("reconstructed"),
    )
