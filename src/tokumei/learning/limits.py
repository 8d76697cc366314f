"""Where intervals from copies of complete rows hold, and where none would be honest.

What is allowed here was measured: `python -m benchmarks.pooling`, on the page about complete rows.
"""

from __future__ import annotations

from dataclasses import dataclass

from tokumei.learning import said
from tokumei.learning.pooled import About
from tokumei.privacy.guarantee import several_rows
from tokumei.reconstruction.release_model import ReleaseModel
from tokumei.release.artifact import Release
from tokumei.words import Statement


@dataclass(frozen=True)
class Limits:
    """Why there is no interval: about the population, about the table, and of a fitted model's coefficients about each; None where there is one."""

    population: Statement | None = None
    table: Statement | None = None
    coefficients: Statement | None = None
    table_coefficients: Statement | None = None

    def reason(self, about: About, fitted: bool) -> Statement | None:
        """Return why there is no interval; ``fitted`` says that estimates are coefficients of models."""
        plain = self.population if about == "population" else self.table
        if plain is not None or not fitted:
            return plain
        return self.coefficients if about == "population" else self.coefficients or self.table_coefficients

    @classmethod
    def of(cls, release: Release, model: ReleaseModel) -> Limits:
        """Return what holds for rows that a model of a release completed."""
        mechanism, none = release.mechanism, said.NoIntervalMeasured()
        open_ = not model.determined_ or several_rows(release.guarantees)
        if open_ or mechanism.left_out or mechanism.averaging is not None or mechanism.swapping is not None:
            return cls(none, none)
        sampled = said.SampleSaysNothing() if mechanism.of is not None else None
        if not model.n_components_:
            return cls(table=sampled)
        if mechanism.telling is not None:
            return cls(table=sampled, coefficients=said.CoefficientsUncertain())
        if mechanism.grouping is not None and mechanism.grouping.telling is None:
            return cls(table=sampled, table_coefficients=said.HiddenWasChosen())
        if mechanism.recoding is not None and model.boxed_:
            return cls(table=said.HiddenWasChosen())
        return cls(none, none)
