"""Where intervals from copies of complete rows hold, and where none would be honest.

What is allowed here was measured: `python -m benchmarks.pooling`, on the page about complete rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from tokumei.learning import said
from tokumei.learning.pooled import About
from tokumei.privacy.guarantee import several_rows
from tokumei.reconstruction._belief import NEARLY
from tokumei.reconstruction.release_model import ReleaseModel
from tokumei.release.artifact import Release
from tokumei.words import Statement

Of = Literal["shares", "means", "coefficients"]


@dataclass(frozen=True)
class Limits:
    """Why there is no interval; None where there is one.

    ``population`` and ``table`` are of any estimate about these, ``shares``, ``means`` and ``coefficients`` of such estimates about either, and
    ``table_coefficients`` of coefficients about the table.
    """

    population: Statement | None = None
    table: Statement | None = None
    coefficients: Statement | None = None
    table_coefficients: Statement | None = None
    shares: Statement | None = None
    means: Statement | None = None

    def reason(self, about: About, of: Of | None) -> Statement | None:
        """Return why there is no interval; ``of`` says what the estimates are, and is None where that is not known."""
        plain = self.population if about == "population" else self.table
        if plain is not None:
            return plain
        weak = self.coefficients if about == "population" else self.coefficients or self.table_coefficients
        reasons = {"shares": self.shares, "means": self.means, "coefficients": weak}
        if of is not None:
            return reasons[of]
        return said.NumbersSayNothing() if any(reasons.values()) else None

    @classmethod
    def drawn(cls) -> Limits:
        """Return what holds for rows that were drawn.

        Their spread between copies is that of drawing, W, and of what is unknown, T. Of m copies (1 + 1/m) B - W is T in the mean (Raghunathan,
        Reiter and Rubin 2003), but of a few copies it is far off, and often below 0; with a lower bound intervals are too long. Were all copies of
        the same released rows, Rubin's rules would be as far off: rows are completed from what all released rows say, so that fewer of
        them know more than their number.
        """
        return cls(said.DrawnRowsSayNothing(), said.DrawnRowsSayNothing())

    @classmethod
    def of(cls, release: Release, model: ReleaseModel, target: str | None = None) -> Limits:
        """Return what holds for rows that a model of a release imputed, for the models of a column where one was named."""
        mechanism, none = release.mechanism, said.NoIntervalMeasured()
        sample = release.method.get("sample")
        weighted = model.weights is not None or (isinstance(sample, Mapping) and sample.get("design") == "stratified")
        open_ = not model.determined_ or several_rows(release.guarantees) or weighted
        if open_ or mechanism.left_out or mechanism.averaging is not None or mechanism.swapping is not None:
            return cls(none, none)
        sampled = said.SampleSaysNothing() if mechanism.of is not None else None
        if not model.n_components_:
            return cls(table=sampled)
        if mechanism.telling is not None:
            harmed = None if target is None else said.TargetWeakensTables(target=target)
            weak, cells = said.CoefficientsUncertain(), said.MeansInCells()
            return cls(table=sampled, coefficients=weak, shares=harmed, means=cells)
        if mechanism.grouping is not None and mechanism.grouping.telling is None and model.believed_ >= NEARLY:
            return cls(table=sampled, table_coefficients=said.HiddenWasChosen())
        if mechanism.recoding is not None and model.boxed_:
            return cls(table=said.HiddenWasChosen())
        return cls(none, none)
