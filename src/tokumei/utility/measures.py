"""How useful a release still is, by name: `measure_utility`."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tokumei.arrays import Floats
from tokumei.engines.local import prepared_table
from tokumei.errors import InvalidParameter
from tokumei.memory import hand_back
from tokumei.parallel import one_blas_thread
from tokumei.prepare.step import Step
from tokumei.progress import Stage, stage
from tokumei.randomness import generator
from tokumei.reconstruction._survey import survey_weights
from tokumei.reconstruction._views import shares_of
from tokumei.release.artifact import Release
from tokumei.results import Result
from tokumei.table.coded import CodedTable, row_weights
from tokumei.table.loss import every_loss, mean_loss
from tokumei.table.schema import Schema
from tokumei.utility.associations import correlation, cramers_v
from tokumei.utility.careful import carefully, noted
from tokumei.utility.distances import hellinger, total_variation, wasserstein
from tokumei.utility.lines import Line
from tokumei.utility.pairing import BINS, Pairing, pairing
from tokumei.utility.prediction import Predictor
from tokumei.utility.propensity import Propensity, propensity, told_apart
from tokumei.utility.results import Distances, Pair, Side, Utility
from tokumei.utility.tables import OriginalTables, ReconstructedTables, ReleasedTables, Tables
from tokumei.words import Statement


@stage("Measuring utility")
@one_blas_thread()
def measure_utility(
    frame: Any,
    release: Release,
    schema: Schema,
    prepare: Sequence[Step] = (),
    columns: Sequence[str] | None = None,
    target: str | None = None,
    estimator: Any = None,
    test: Any = None,
    n_bins: int = BINS,
    reconstruct: bool = True,
    random_state: int | np.random.Generator | None = 0,
    weights: str | None = None,
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
    estimator
        A scikit-learn classifier or regressor to do so, which takes ``sample_weight``; without it a linear one.
    test
        Rows like the original's to score models on. Without it they are scored on the original's own rows, which flatters
        the one that has learned from them.
    n_bins
        Numbers and dates with more values are counted in this many intervals of equal width.
    reconstruct
        Whether to measure it after reconstruction too, which takes longer.
    random_state
        For values that are drawn for labels, and for rows that are completed, when rows are told apart.
    weights
        A column of survey weights that the release keeps: weighted shares are compared. Models and telling rows apart know
        no weights; a target is refused, and rows are not told apart.

    Examples
    --------
    >>> import tokumei as tk
    >>> people = tk.example_census(rows=2000)
    >>> release = tk.anonymize(people, tk.example_schema(), tk.PkPerturbation(k=3, tells="all"), seed=1)
    >>> found = tk.measure_utility(people, release, tk.example_schema(), columns=["sex", "marital"])
    >>> found.reconstructed.marginal_distance < found.released.marginal_distance
    True
    """
    both = pairing(frame, release, schema, prepare, columns, n_bins)
    rebuilding = ReconstructedTables(release, weights) if reconstruct else None
    asked = None if test is None else prepared_table(test, schema, prepare)
    return utility_of(both, rebuilding, target, estimator, asked, random_state, weights)


def utility_of(
    both: Pairing,
    rebuilding: ReconstructedTables | None,
    target: str | None = None,
    estimator: Any = None,
    test: CodedTable | None = None,
    random_state: int | np.random.Generator | None = 0,
    weights: str | None = None,
) -> Utility:
    """Do what `measure_utility` does, for callers who go on to use the tables of the reconstruction themselves."""
    release, rng = both.release, generator(random_state)
    notes: list[Statement] = []
    stands = weights_of(both, release, weights)
    if weights is not None:
        if target is not None:
            raise InvalidParameter("models are compared without weights; leave out the target, or the weights.")
        both = replace(both, lines=tuple(line for line in both.lines if line.name != weights))
    steps = (len(both.lines) * (len(both.lines) + 1) // 2) * (2 if rebuilding is None else 3)
    with stage("Measuring utility", total=steps) as shown:
        original = counted_side(both.lines, OriginalTables(both.table, stands), None, shown)
        predictor = None
        if target is not None:
            rows = both.table if test is None else test
            predictor = Predictor(both.table, rows, both.lines, both.line(target), estimator, rng)
        released = _released(both, original, predictor, rng, shown, notes, weights)
        hand_back(both.table.rows * len(both.lines))
        reconstructed = None
        if rebuilding is not None:
            reconstructed = _reconstructed(both, original, predictor, rng, rebuilding, shown, notes)
    return Utility(
        tuple(line.name for line in both.lines),
        both.table.rows,
        release.rows,
        _losses(both),
        original.side.associations,
        released,
        reconstructed,
        tuple(dict.fromkeys(notes)),
        both.origin,
    )


def weights_of(both: Pairing, release: Release, weights: str | None) -> Floats | None:
    """Return the weights of the original rows, refusing a column that the release does not keep."""
    if weights is None:
        return None
    survey_weights(release, weights)
    return row_weights(both.table, weights)


@dataclass(frozen=True, eq=False)
class Counted(Result):
    """The shares of one view, and how far they are from another."""

    alone: Mapping[str, Floats]
    joint: Mapping[Pair, Floats]
    side: Side


def counted_side(lines: Sequence[Line], tables: Tables, original: Counted | None, shown: Stage) -> Counted:
    """Count a view, and measure how far it is from the original."""
    alone, joint = {}, {}
    marginals, pairs = {}, {}
    found = np.eye(len(lines))
    if isinstance(tables, ReconstructedTables):
        tables.prepare(lines)
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
    return Counted(alone, joint, Side(marginals, pairs, found))


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
    original: Counted,
    predictor: Predictor | None,
    rng: np.random.Generator,
    shown: Stage,
    notes: list[Statement],
    weights: str | None,
) -> Side | None:
    def work() -> Side:
        tables = ReleasedTables(both.release, weights)
        side = counted_side(both.lines, tables, original, shown).side
        notes.extend(noted("as_released", each) for each in tables.notes(both.lines))
        told = None
        if weights is None:
            told = carefully("telling_rows_apart", lambda: propensity(both.table, tables, both.lines, rng), notes)
        learned = None
        if predictor is not None:
            learned = carefully("learning_from_release", lambda: predictor.released(tables), notes)
        return Side(side.marginals, side.pairs, side.associations, told, learned)

    found: Side | None = carefully("as_released", work, notes)
    return found


def _reconstructed(
    both: Pairing,
    original: Counted,
    predictor: Predictor | None,
    rng: np.random.Generator,
    tables: ReconstructedTables,
    shown: Stage,
    notes: list[Statement],
) -> Side | None:
    def work() -> Side:
        side = counted_side(both.lines, tables, original, shown).side
        hand_back(both.table.rows * len(both.lines))
        told = None
        if tables.weights is None:

            def apart() -> Propensity:
                return told_apart(both.table, tables.rows(both.lines, rng), shares_of(both.release), both.lines)

            told = carefully("telling_drawn_rows_apart", apart, notes)
        learned = None
        if predictor is not None:
            learned = carefully("learning_after_reconstruction", lambda: predictor.reconstructed(tables), notes)
        return Side(side.marginals, side.pairs, side.associations, told, learned)

    found: Side | None = carefully("reconstructed", work, notes)
    return found


def _losses(both: Pairing) -> dict[str, float | None]:
    """Return the mean of each loss over the quasi-identifiers' cells, where cells are values or labels."""
    mechanism, release = both.release.mechanism, both.release
    names, losses = both.table.schema.names("quasi_identifier"), every_loss()
    if mechanism.perturbed or mechanism.averaging is not None or mechanism.swapping is not None or not names:
        return dict.fromkeys(losses)
    ones, found = np.ones(release.rows), dict[str, float | None]()
    columns = {} if mechanism.recoding is None else mechanism.recoding.columns
    reach = {name: columns[name].spans[release.coded.codes(name)] for name in names if name in columns}
    for each in losses.values():
        cells = [
            each.of(reach[name][:, 0], reach[name][:, 1], columns[name].axis.size)
            if name in reach
            else np.zeros(release.rows)
            for name in names
        ]
        found[each.name] = mean_loss(np.stack(cells, axis=1), ones, mechanism.left_out)
    return found
