"""What a comparison of a release with its original found."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei.arrays import Floats
from tokumei.results import Result
from tokumei.shown import shown
from tokumei.table.frames import Origin, from_arrow
from tokumei.text import plural
from tokumei.utility.notebook import utility_card
from tokumei.utility.prediction import Prediction
from tokumei.utility.propensity import Propensity
from tokumei.words import Statement, Words

Pair = tuple[str, str]


@dataclass(frozen=True)
class Distances(Result):
    """How far a distribution is from the original's: three distances between 0 and 1.

    ``wasserstein`` is of numbers, dates and ordered categories only, missing cells left out; else ``None``.
    """

    total_variation: float
    hellinger: float
    wasserstein: float | None = None


@dataclass(frozen=True, eq=False)
class Side(Result):
    """What one view of a release says, beside what the original says.

    Attributes
    ----------
    marginals, pairs
        How far each column, and each two columns together, are from the original.
    associations
        For each two columns Pearson's correlation, or Cramér's V where one of them has no order.
    propensity
        How well its rows, or those that a model of the whole table completes, can be told from original ones; ``None`` where
        there are no whole rows.
    prediction
        How well a model that has learned from it predicts the target; ``None`` where that was not asked or cannot be.
    """

    marginals: Mapping[str, Distances]
    pairs: Mapping[Pair, Distances]
    associations: Floats
    propensity: Propensity | None = None
    prediction: Prediction | None = None

    @property
    def marginal_distance(self) -> float:
        """The mean total variation of a column."""
        return fmean(each.total_variation for each in self.marginals.values())

    @property
    def pair_distance(self) -> float | None:
        """The mean total variation of a pair of columns; ``None`` where there is one column only."""
        return fmean(each.total_variation for each in self.pairs.values()) if self.pairs else None


@dataclass(frozen=True, eq=False)
class Utility(Result):
    """What `measure_utility` found. It is the data holder's: it says things about the original, and enters no release.

    Attributes
    ----------
    columns
        The columns that were compared.
    rows, released_rows
        How many rows there were, and how many were released.
    losses
        The mean of each registered loss of a quasi-identifying cell, by name, 1 for every cell of a row that was left out;
        ``None`` where cells were perturbed or averaged, for which they are not defined. ``loss`` and ``ncp`` are two of them.
    associations
        Those of the original.
    released, reconstructed
        As released: cells at face value, labels spread evenly over what they stand for, columns that some rows tell counted
        among these. And after reconstruction: what the release and its public mechanism say of the original. ``None`` where it
        cannot be, which a note explains.
    notes
        What could not be measured, and why.
    """

    columns: tuple[str, ...]
    rows: int
    released_rows: int
    losses: Mapping[str, float | None]
    associations: Floats
    released: Side | None
    reconstructed: Side | None
    notes: tuple[Statement, ...]
    origin: Origin

    @property
    def loss(self) -> float | None:
        """The mean Loss of a quasi-identifying cell."""
        return self.losses["loss"]

    @property
    def ncp(self) -> float | None:
        """The mean normalised certainty penalty of a quasi-identifying cell."""
        return self.losses["ncp"]

    def sides(self) -> dict[str, Side]:
        """Return the views that there are, by name."""
        both = {"released": self.released, "reconstructed": self.reconstructed}
        return {name: side for name, side in both.items() if side is not None}

    def association_distance(self, side: Side) -> float | None:
        """Return the mean difference of an association from the original's, without its sign; none for one column."""
        apart = np.abs(side.associations - self.associations)[np.triu_indices(len(self.columns), 1)]
        return float(apart.mean()) if apart.size else None

    def frame(self) -> Any:
        """Return every number as one row with its side, measure, and the column or columns that it is about."""
        rows: list[tuple[str, str, str, float | None]] = [
            ("released", name, "", lost) for name, lost in self.losses.items()
        ]
        for name, side in self.sides().items():
            about = {**side.marginals, **{f"{a} × {b}": each for (a, b), each in side.pairs.items()}}
            for measure in ("total_variation", "hellinger", "wasserstein"):
                rows += [(name, measure, what, getattr(each, measure)) for what, each in about.items()]
            for a, b in itertools.combinations(range(len(self.columns)), 2):
                what = f"{self.columns[a]} × {self.columns[b]}"
                rows.append((name, "association", what, float(side.associations[a, b])))
                difference = float(side.associations[a, b] - self.associations[a, b])
                rows.append((name, "association_difference", what, difference))
            if side.propensity is not None:
                rows.append((name, "pmse", "", side.propensity.pmse))
                rows.append((name, "pmse_ratio", "", side.propensity.ratio))
            if side.prediction is not None:
                rows.append((name, "score", "", side.prediction.score))
                rows.append((name, "score_baseline", "", side.prediction.baseline))
                rows.append((name, "score_original", "", side.prediction.learned_from_original))
        there = [row for row in rows if row[3] is not None]
        made = {
            "side": pa.array([row[0] for row in there], pa.string()),
            "measure": pa.array([row[1] for row in there], pa.string()),
            "of": pa.array([row[2] for row in there], pa.string()),
            "value": pa.array([row[3] for row in there], pa.float64()),
        }
        return from_arrow(pa.table(made), Origin(self.origin.kind))

    def _repr_html_(self) -> str:
        return utility_card(self)

    def __str__(self) -> str:
        lines = [
            f"{plural(self.rows, 'row')} in the original, {self.released_rows:,} released; {len(self.columns)} columns."
        ]
        if self.loss is not None:
            others = [
                f"{Words('en')(f'utility_{n}')}: {lost:.1%}"
                for n, lost in self.losses.items()
                if n != "loss" and lost is not None
            ]
            lines.append(f"A quasi-identifying cell lost {self.loss:.1%} of its information ({'; '.join(others)}).")
        for name, side in self.sides().items():
            text = f"{Words('en')(f'side_{name}')}, a column is off by {side.marginal_distance:.1%}"
            pairs, associations = side.pair_distance, self.association_distance(side)
            if pairs is not None and associations is not None:
                text += f", two columns together by {pairs:.1%}, an association by {associations:.3f}"
            lines.append(text + " on average.")
            if side.propensity is not None:
                told = side.propensity
                lines.append(
                    f"  Told apart from original rows with pMSE {told.pmse:.4f} (0 is best, {told.worst:.4f} worst)."
                )
            if side.prediction is not None:
                found = side.prediction
                lines.append(
                    f"  A model trained on it scores {found.score:.3f} on original rows; trained on the original "
                    f"{found.learned_from_original:.3f}, without training {found.baseline:.3f}."
                )
        return "\n".join([*lines, *(f"note: {shown(note)}" for note in self.notes)])
