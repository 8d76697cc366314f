"""The same table of counts from the original, from a release, and after reconstruction, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei.errors import InvalidParameter
from tokumei.prepare.step import Step
from tokumei.progress import stage
from tokumei.reconstruction._survey import survey_weights
from tokumei.release.artifact import Release
from tokumei.table.frames import Origin, from_arrow
from tokumei.table.schema import Schema
from tokumei.utility.careful import carefully, noted, tell
from tokumei.utility.measures import weights_of
from tokumei.utility.pairing import BINS, pairing
from tokumei.utility.tables import OriginalTables, ReconstructedTables, ReleasedTables, Tables
from tokumei.words import Statement


@stage("Counting tables")
def contingency(
    frame: Any,
    release: Release,
    schema: Schema,
    columns: Sequence[str],
    prepare: Sequence[Step] = (),
    n_bins: int = BINS,
    weights: str | None = None,
) -> Any:
    """Return the table of one or two columns as counts of original people: one row per cell, one column per view.

    ``released`` is the release as it is, a label spread evenly over its values; ``reconstructed`` is what the release and
    its public mechanism say of the original. A view that a release does not allow is missing in every row, and a warning
    says why.

    ``weights`` names a column of survey weights that was released unchanged. The table is then one of weighted totals: those that weights were
    calibrated to, and what became of them. ``released`` adds up to the weights that the released rows still have, so rows that were left out
    are missing in it.

    Examples
    --------
    >>> import tokumei as tk
    >>> people = tk.example_census(rows=2000, frame="pyarrow")
    >>> release = tk.anonymize(people, tk.example_schema(), tk.Generalization(k=5))
    >>> tk.comparisons.contingency(people, release, tk.example_schema(), ["sex"]).column_names
    ['sex', 'original', 'released', 'reconstructed']
    """
    both = pairing(frame, release, schema, prepare, columns, n_bins)
    if len(both.lines) > 2:
        raise InvalidParameter("columns must name one or two columns. Got {lines}.", lines=len(both.lines))
    shape = [line.cells for line in both.lines]
    stands = weights_of(both, release, weights)
    total = both.table.rows if stands is None else float(stands.sum())
    left = float(total) if weights is None else released_total(release, weights)

    def counted(tables: Tables, total: float) -> Any:
        if len(both.lines) == 2:
            return tables.pair(*both.lines).reshape(-1) * total
        line = both.lines[0]
        return np.bincount(line.cell_of, weights=tables.alone(line), minlength=line.cells) * total

    made: dict[str, Any] = {}
    for line, place in zip(both.lines, np.indices(shape).reshape(len(shape), -1), strict=True):
        made[line.name] = pa.array(line.labels).take(pa.array(place))
    released = ReleasedTables(release, weights)
    notes: list[Statement] = [noted("released", each) for each in released.notes(both.lines)]
    views = {
        "original": lambda: counted(OriginalTables(both.table, stands), total),
        "released": lambda: counted(released, left),
        "reconstructed": lambda: counted(ReconstructedTables(release, weights), total),
    }
    for name, work in views.items():
        found = carefully(name, work, notes)
        title = name if name not in made else f"{name} count"
        made[title] = pa.nulls(len(place), pa.float64()) if found is None else pa.array(found)
    tell(notes)
    return from_arrow(pa.table(made), Origin(both.origin.kind))


def released_total(release: Release, weights: str) -> float:
    """Add up the weights of the released rows; a row of a sample stands for the rows that it was drawn from."""
    stands, drawn = survey_weights(release, weights), release.row_weights()
    assert stands is not None
    if drawn is not None:
        return float(np.sum(stands * drawn))
    return float(stands.sum()) * release.mechanism.population(release.rows) / release.rows
