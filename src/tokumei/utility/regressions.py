"""Whether an analyst would report the same regression: coefficients with intervals, of the original and the release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei.errors import InvalidParameter
from tokumei.mechanism.treatments import ToldBySome
from tokumei.prepare.step import Step
from tokumei.progress import stage
from tokumei.reconstruction.corrected_linear import CorrectedLinearRegression
from tokumei.reconstruction.corrected_logistic import CorrectedLogisticRegression
from tokumei.release.artifact import Release
from tokumei.table.domain import Categories
from tokumei.table.frames import Origin, from_arrow
from tokumei.table.schema import Schema
from tokumei.utility.careful import carefully, noted
from tokumei.utility.distances import overlap
from tokumei.utility.features import check_width
from tokumei.utility.lines import Line
from tokumei.utility.ordinary import NORMAL, Estimate, Estimates, RegressionRows, fitted
from tokumei.utility.pairing import Pairing, pairing
from tokumei.words import Statement


@dataclass(frozen=True)
class RegressionComparison:
    """The same regression from the original and from a release.

    Attributes
    ----------
    target, kind
        The column that is explained, and ``"linear"`` or ``"logistic"``.
    original, released, reconstructed
        The coefficients by name; ``None`` where there are none, with the reason among ``notes``.
    notes
        What could not be done, and why.
    """

    target: str
    kind: str
    original: Estimates
    released: Estimates | None
    reconstructed: Estimates | None
    notes: tuple[Statement, ...]
    origin: Origin

    def overlaps(self, side: str = "released") -> dict[str, float]:
        """Return for each coefficient that both have how much its intervals overlap, from 0 to 1."""
        found: Estimates = getattr(self, side) or {}
        return {
            name: overlap(each.low, each.high, found[name].low, found[name].high)
            for name, each in self.original.items()
            if name in found
        }

    def mean_overlap(self, side: str = "released") -> float | None:
        """Return the mean overlap of the coefficients, the constant left out; ``None`` where there are none to compare."""
        shares = [share for name, share in self.overlaps(side).items() if name != "(constant)"]
        return float(np.mean(shares)) if shares else None

    def frame(self) -> Any:
        """Return one row per coefficient and side, as a frame of the kind that was compared."""
        rows = []
        for side in ("original", "released", "reconstructed"):
            overlaps = self.overlaps(side)
            for name, each in (getattr(self, side) or {}).items():
                rows.append(
                    {
                        "side": side,
                        "term": name,
                        "coefficient": each.value,
                        "low": each.low,
                        "high": each.high,
                        "overlap": overlaps.get(name),
                    }
                )
        return from_arrow(pa.Table.from_pylist(rows), Origin(self.origin.kind))


@stage("Comparing regressions")
def compare_regression(
    frame: Any,
    release: Release,
    schema: Schema,
    target: str,
    columns: Sequence[str] | None = None,
    prepare: Sequence[Step] = (),
) -> RegressionComparison:
    """Fit the same regression to the original and to a release, and say how much the intervals overlap.

    A target of numbers gives a linear regression, one of two categories a logistic one. Numbers enter in their own unit,
    ordered categories as 0, 1, 2, …, others by an indicator of each value but the first. A label that stands for several
    values enters with their mean. Where columns were perturbed, the regression with the noise taken out is given too.

    Parameters
    ----------
    frame, schema, prepare
        The original, as it was given to `anonymize`.
    release
        What was made of it.
    target
        The column to explain.
    columns
        The columns to explain it by; without it all others that have a domain.

    Examples
    --------
    >>> import tokumei as tk
    >>> people = tk.example_census(rows=3000)
    >>> release = tk.anonymize(people, tk.example_schema(), tk.Generalization(k=5), seed=1)
    >>> found = tk.comparisons.compare_regression(people, release, tk.example_schema(), "hours", ["age", "sex"])
    >>> list(found.original)
    ['(constant)', 'age', 'sex=Male']
    """
    both = pairing(frame, release, schema, prepare, [target, *columns] if columns is not None else None)
    aim = both.line(target)
    lines = [line for line in both.lines if line.name != target]
    if not lines:
        raise InvalidParameter("there is no column to explain the target by.")
    kind = _kind(aim, both)
    check_width([line for line in lines if not line.scored])
    original = fitted(RegressionRows.of_original(both, lines, aim), kind)
    notes: list[Statement] = []
    released = carefully("as_released", lambda: fitted(RegressionRows.of_release(both, lines, aim), kind), notes)
    reconstructed = None
    if release.mechanism.partly_told:
        refused = InvalidParameter(ToldBySome(column=release.mechanism.partly_told[0]))
        notes.append(noted("reconstructed", refused))
    if release.mechanism.channels:
        model: Any = CorrectedLinearRegression if kind == "linear" else CorrectedLogisticRegression
        names = [line.name for line in lines]
        undone = lambda: _corrected(model(target, names).fit(release), lines, original)  # noqa: E731
        reconstructed = carefully("reconstructed", undone, notes)
    return RegressionComparison(target, kind, original, released, reconstructed, tuple(notes), both.origin)


def _kind(aim: Line, both: Pairing) -> str:
    if aim.attribute.missing:
        raise InvalidParameter("the target {column!r} may have missing cells; explain another column.", column=aim.name)
    if not isinstance(aim.attribute.domain, Categories):
        return "linear"
    if len(np.unique(both.table.codes(aim.name))) != 2:
        raise InvalidParameter(
            "target must hold numbers, dates or two categories; {column!r} does not.", column=aim.name
        )
    return "logistic"


def _corrected(model: Any, lines: Sequence[Line], original: Estimates) -> Estimates:
    """Take the coefficients of a corrected regression, columns left out whose indicators count from another value."""
    values = [model.intercept_, *model.coef_]
    found = {
        name: Estimate(float(value), float(value - NORMAL * error), float(value + NORMAL * error))
        for name, value, error in zip(model.names_, values, model.standard_errors_, strict=True)
    }
    for line in lines:
        if line.scored and not isinstance(line.attribute.domain, Categories):
            continue
        mine = [name for name in found if name.startswith(f"{line.name}=")]
        if any(name not in original for name in mine):
            found = {name: each for name, each in found.items() if name not in mine}
    return found
