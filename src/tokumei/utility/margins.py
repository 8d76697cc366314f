"""What became of weighted totals that must not change: as released, reconstructed, and after raking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei.arrays import Floats
from tokumei.plan.calibration import Calibration
from tokumei.prepare.step import Step
from tokumei.privacy.combined import TOTALS
from tokumei.release.artifact import Release
from tokumei.results import Result
from tokumei.table.schema import Schema
from tokumei.utility.contingency import contingency


@dataclass(frozen=True)
class MarginChange(Result):
    """The change of the weighted totals of one margin.

    Attributes
    ----------
    columns, total
        The columns, and the sum of the weights of the original rows.
    released, reconstructed
        Half the sum of the absolute changes of the cells, over the total: which part of the weight is in another cell. None where it is not known.
    largest
        The largest change of a cell as released, over the total of that cell in the original; none where it is not known.
    raked
        Whether the release discloses the totals, so that raked weights have them exactly.
    """

    columns: tuple[str, ...]
    total: float
    released: float | None
    reconstructed: float | None
    largest: float | None
    raked: bool


def margin_changes(
    frame: pa.Table, release: Release, schema: Schema, calibration: Calibration, prepare: Sequence[Step] = ()
) -> tuple[MarginChange, ...]:
    """Compare the declared margins of an original and a release."""
    raked = any(fact.name == TOTALS for fact in release.disclosed)
    return tuple(_change(frame, release, schema, calibration, margin, prepare, raked) for margin in calibration.margins)


def _change(
    frame: pa.Table,
    release: Release,
    schema: Schema,
    calibration: Calibration,
    margin: tuple[str, ...],
    prepare: Sequence[Step],
    raked: bool,
) -> MarginChange:
    table: Any = contingency(frame, release, schema, margin, prepare, weights=calibration.weights)
    original, released, reconstructed = (
        table.column(f"{name} count" if name in margin else name) for name in ("original", "released", "reconstructed")
    )
    before = original.to_numpy()
    after = None if released.null_count else released.to_numpy()
    undone = None if reconstructed.null_count else reconstructed.to_numpy()
    there = before > 0
    return MarginChange(
        margin,
        float(before.sum()),
        None if after is None else _moved(before, after),
        None if undone is None else _moved(before, undone),
        None if after is None else float(np.max(np.abs(after - before)[there] / before[there])),
        raked,
    )


def _moved(before: Floats, after: Floats) -> float:
    return float(np.abs(after - before).sum() / 2 / before.sum())
