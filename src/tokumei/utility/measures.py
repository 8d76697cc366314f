"""How useful a release still is, by name: `measure_utility`."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tokumei.engines.local import prepared
from tokumei.errors import plural
from tokumei.prepare.step import Step
from tokumei.progress import Stage, stage
from tokumei.randomness import generator
from tokumei.release.artifact import Release
from tokumei.table.frames import Origin, from_arrow
from tokumei.table.loss import gcp, mean_loss, ncp
from tokumei.table.schema import Schema
from tokumei.utility.associations import correlation, cramers_v
from tokumei.utility.careful import carefully
from tokumei.utility.distances import hellinger, total_variation, wasserstein
from tokumei.utility.lines import Line
from tokumei.utility.pairing import BINS, Pairing, pairing
from tokumei.utility.prediction import Prediction, Predictor
from tokumei.utility.propensity import Propensity, propensity
from tokumei.utility.tables import OriginalTables, ReconstructedTables, ReleasedTables, Tables

Floats = npt.NDArray[np.float64]
Pair = tuple[str, str]


@dataclass(frozen=True)
class Distances:
    """How far a distribution is from the original's: three distances between 0 and 1.

    ``wasserstein`` is of numbers, dates and ordered categories only, missing cells left out; else ``None``.
    """

    total_variation: float
    hellinger: float
    wasserstein: float | None = None


@dataclass(frozen=True, eq=False)
class Side:
    """What one view of a release says, beside what the original says.

    Attributes
    ----------
    marginals, pairs
        How far each column, and each two columns together, are from the original.
    associations
        For each two columns Pearson's correlation, or Cramér's V where one of them has no order.
    propensity
        How well its rows can be told from original ones; ``None`` where there are no rows.
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
        return float(np.mean([each.total_variation for each in self.marginals.values()]))

    @property
    def pair_distance(self) -> float:
        """The mean total variation of a pair of columns; not a number where there is one column only."""
        found = [each.total_variation for each in self.pairs.values()]
        return float(np.mean(found)) if found else float("nan")


@dataclass(frozen=True, eq=False)
class Utility:
    """What `measure_utility` found. It is the holder's: it says things about the original, and enters no release.

    Attributes
    ----------
    columns
        The columns that were compared.
    rows, released_rows
        How many rows there were, and how many were released.
    loss, ncp
        The mean Loss and the mean normalised certainty penalty of a quasi-identifying cell, 1 for every cell of a row
        that was left out; ``None`` where cells were perturbed or averaged, for which they are not defined.
    associations
        Those of the original.
    released, reconstructed
        The release as it is, and after its noise has been undone; ``None`` where it cannot be.
    notes
        What could not be measured, and why.
    """

    columns: tuple[str, ...]
    rows: int
    released_rows: int
    loss: float | None
    ncp: float | None
    associations: Floats
    released: Side | None
    reconstructed: Side | None
    notes: tuple[str, ...]
    origin: Origin

    def sides(self) -> dict[str, Side]:
        """Return the views that there are, by name."""
        both = {"released": self.released, "reconstructed": self.reconstructed}
        return {name: side for name, side in both.items() if side is not None}

    def association_distance(self, side: Side) -> float:
        """Return the mean difference of an association from the original's, without its sign."""
        apart = np.abs(side.associations - self.associations)[np.triu_indices(len(self.columns), 1)]
        return float(apart.mean()) if apart.size else float("nan")

    def frame(self) -> Any:
        """Return every number as one row with its side, measure, and the column or columns that it is about."""
        rows: list[tuple[str, str, str, float | None]] = [
            ("released", "loss", "", self.loss),
            ("released", "ncp", "", self.ncp),
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

    def __str__(self) -> str:
        lines = [f"{plural(self.rows, 'row')} before, {self.released_rows:,} released; {len(self.columns)} columns."]
        if self.loss is not None:
            lines.append(f"A quasi-identifying cell has lost {self.loss:.1%} of what it said (NCP {self.ncp:.1%}).")
        for name, side in self.sides().items():
            text = f"As {name}, a column is off by {side.marginal_distance:.1%}"
            if side.pairs:
                text += f", two columns together by {side.pair_distance:.1%}, an association by "
                text += f"{self.association_distance(side):.3f}"
            lines.append(text + " on average.")
            if side.propensity is not None:
                told = side.propensity
                lines.append(
                    f"  Told from original rows with pMSE {told.pmse:.4f} (0 is best, {told.worst:.4f} worst)."
                )
            if side.prediction is not None:
                found = side.prediction
                lines.append(
                    f"  A model learned from it scores {found.score:.3f} on true rows; from the original "
                    f"{found.learned_from_original:.3f}, without any {found.baseline:.3f}."
                )
        return "\n".join([*lines, *(f"note: {note}" for note in self.notes)])


def measure_utility(
    frame: Any,
    release: Release,
    schema: Schema,
    prepare: Sequence[Step] = (),
    columns: Sequence[str] | None = None,
    target: str | None = None,
    model: Any = None,
    test: Any = None,
    bins: int = BINS,
    smoothing: float = 10.0,
    reconstruct: bool = True,
    random_state: int | np.random.Generator | None = 0,
) -> Utility:
    """Measure what a release still says of its original, as released and after reconstruction.

    Parameters
    ----------
    frame, schema, prepare
        The original, as it was given to `anonymize`. What the preparation costs is not counted.
    release
        What was made of it.
    columns
        The columns to compare; without it all that both have, with a domain.
    target
        A column that models are to predict.
    model
        A scikit-learn estimator to do so, which takes ``sample_weight``; without it a linear one.
    test
        Rows like the original's to score models on. Without it they are scored on the original's own rows, which flatters
        the one that has learned from them.
    bins
        Numbers and dates with more values are counted in so many intervals of equal width.
    smoothing
        For reconstructed shares, so that they do not chase the noise; see `IterativeBayes`.
    reconstruct
        Whether to undo the noise too, which takes longer.
    random_state
        For values that are drawn for labels when rows are told apart.

    Examples
    --------
    >>> import tokumei as tk
    >>> people = tk.example_census(rows=2000)
    >>> release = tk.anonymize(people, tk.example_schema(), tk.PkPerturbation(k=3), seed=1)
    >>> found = tk.measure_utility(people, release, tk.example_schema(), columns=["sex", "marital"])
    >>> found.reconstructed.marginal_distance < found.released.marginal_distance
    True
    """
    both = pairing(frame, release, schema, prepare, columns, bins)
    rng = generator(random_state)
    notes: list[str] = []
    steps = (len(both.lines) * (len(both.lines) + 1) // 2) * (3 if reconstruct else 2)
    with stage("Measuring utility", total=steps) as shown:
        original = _side(both.lines, OriginalTables(both.table), None, shown)
        predictor = None
        if target is not None:
            asked = both.table if test is None else prepared(test, schema, prepare)
            predictor = Predictor(both.table, asked, both.lines, both.line(target), model, rng)
        released = _released(both, original, predictor, rng, shown, notes)
        reconstructed = _reconstructed(both, original, predictor, smoothing, shown, notes) if reconstruct else None
    lost = _loss(both)
    return Utility(
        tuple(line.name for line in both.lines),
        both.table.rows,
        release.rows,
        *lost,
        original.side.associations,
        released,
        reconstructed,
        tuple(dict.fromkeys(notes)),
        both.origin,
    )


@dataclass(frozen=True, eq=False)
class _Counted:
    """The shares of one view, and how far they are from another."""

    alone: Mapping[str, Floats]
    joint: Mapping[Pair, Floats]
    side: Side


def _side(lines: Sequence[Line], tables: Tables, original: _Counted | None, shown: Stage) -> _Counted:
    """Count a view, and measure how far it is from the original."""
    alone, joint = {}, {}
    marginals, pairs = {}, {}
    found = np.eye(len(lines))
    for line in lines:
        alone[line.name] = tables.alone(line)
        if original is not None:
            marginals[line.name] = _apart(line, original.alone[line.name], alone[line.name])
        shown.advance(note=line.name)
    for (i, first), (j, second) in itertools.combinations(enumerate(lines), 2):
        pair = (first.name, second.name)
        joint[pair] = tables.pair(first, second)
        if original is not None:
            before = original.joint[pair]
            pairs[pair] = Distances(total_variation(before, joint[pair]), hellinger(before, joint[pair]))
        found[i, j] = found[j, i] = association(first, second, joint[pair])
        shown.advance(note=f"{first.name} × {second.name}")
    return _Counted(alone, joint, Side(marginals, pairs, found))


def association(first: Line, second: Line, joint: Floats) -> float:
    """Return Pearson's correlation where both columns lie along a line, missing cells left out; else Cramér's V."""
    if first.scored and second.scored:
        return correlation(joint[: first.present, : second.present], first.centres, second.centres)
    return cramers_v(joint)


def _apart(line: Line, before: Floats, after: Floats) -> Distances:
    """Measure how far a column is from the original, in its cells; along its line value by value."""
    p, q = (np.bincount(line.cell_of, weights=each, minlength=line.cells) for each in (before, after))
    moved = None
    if line.scored:
        there = before[: line.values], after[: line.values]
        sums = [float(each.sum()) for each in there]
        moved = wasserstein(there[0] / sums[0], there[1] / sums[1]) if min(sums) > 0 else None
    return Distances(total_variation(p, q), hellinger(p, q), moved)


def _released(
    both: Pairing,
    original: _Counted,
    predictor: Predictor | None,
    rng: np.random.Generator,
    shown: Stage,
    notes: list[str],
) -> Side | None:
    def work() -> Side:
        tables = ReleasedTables(both.release)
        side = _side(both.lines, tables, original, shown).side
        told = carefully("Telling rows apart", lambda: propensity(both.table, tables, both.lines, rng), notes)
        learned = None
        if predictor is not None:
            learned = carefully("Learning from the release", lambda: predictor.released(tables), notes)
        return Side(side.marginals, side.pairs, side.associations, told, learned)

    found: Side | None = carefully("As released", work, notes)
    return found


def _reconstructed(
    both: Pairing,
    original: _Counted,
    predictor: Predictor | None,
    smoothing: float,
    shown: Stage,
    notes: list[str],
) -> Side | None:
    def work() -> Side:
        side = _side(both.lines, ReconstructedTables(both.release, smoothing), original, shown).side
        learned = None
        if predictor is not None:
            learned = carefully("Learning after reconstruction", lambda: predictor.reconstructed(both.release), notes)
        return Side(side.marginals, side.pairs, side.associations, None, learned)

    found: Side | None = carefully("Reconstructed", work, notes)
    return found


def _loss(both: Pairing) -> tuple[float | None, float | None]:
    """Return the mean Loss and NCP of the quasi-identifiers' cells, where cells are values or labels."""
    mechanism = both.release.mechanism
    names = both.table.schema.names("quasi_identifier")
    if mechanism.channels or mechanism.averaging is not None or not names:
        return None, None
    losses, penalties = [], []
    for name in names:
        column = mechanism.recoding.columns.get(name) if mechanism.recoding is not None else None
        if column is None:
            losses.append(np.zeros(both.release.rows))
            penalties.append(np.zeros(both.release.rows))
            continue
        low, high = column.spans[both.release.coded.codes(name)].T
        losses.append(column.axis.loss(low, high))
        penalties.append(ncp(low, high, column.axis.size))
    ones = np.ones(both.release.rows)
    gone = mechanism.left_out
    return mean_loss(np.stack(losses, axis=1), ones, gone), gcp(np.stack(penalties, axis=1), ones, gone)
