"""Weighted totals that a release discloses on purpose, and weights of the released rows that add up to them.

Raking (iterative proportional fitting, Deming and Stephan 1940) multiplies the weight of a row by a factor for each cell of each margin that the row is in, until the
weighted totals agree with the disclosed ones. It reads the released rows and the totals and nothing else, so anyone can do it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei.arrays import Floats, Integers
from tokumei.errors import InvalidParameter, ReleaseError
from tokumei.privacy.combined import TOTALS
from tokumei.progress import stage
from tokumei.release.artifact import Release
from tokumei.results import Result
from tokumei.table.coded import CodedTable, row_weights
from tokumei.table.frames import Origin, from_arrow
from tokumei.text import names

SWEEPS, CLOSE = 1000, 1e-9  # how often and how closely weights are fitted


@dataclass(frozen=True, eq=False)
class Margin(Result):
    """The weighted totals of the cells of some columns.

    Attributes
    ----------
    columns
        The columns.
    cells
        For each cell that occurs, the place of its value in the domain of each column; a missing value comes after all others.
    totals
        The weighted total of each cell.
    """

    columns: tuple[str, ...]
    cells: Integers
    totals: Floats

    @classmethod
    def of(cls, table: CodedTable, columns: Sequence[str], weights: Floats) -> Margin:
        """Add up the weights of the rows of a table."""
        codes = np.stack([table.codes(name).astype(np.int64) for name in columns], axis=1)
        cells, which = np.unique(codes, axis=0, return_inverse=True)
        totals = np.bincount(which.reshape(-1), weights=weights, minlength=len(cells))
        return cls(tuple(columns), cells, totals.astype(np.float64))

    def places(self, table: CodedTable) -> Integers:
        """Return which cell each row of a table is in; -1 for one that has no total."""
        codes = np.stack([table.codes(name).astype(np.int64) for name in self.columns], axis=1)
        together, which = np.unique(np.concatenate([self.cells, codes]), axis=0, return_inverse=True)
        found = np.full(len(together), -1)
        found[which.reshape(-1)[: len(self.cells)]] = np.arange(len(self.cells))
        return np.asarray(found[which.reshape(-1)[len(self.cells) :]])

    def describe(self) -> dict[str, Any]:
        """Return it as a manifest has it."""
        return {"columns": list(self.columns), "cells": self.cells.tolist(), "totals": self.totals.tolist()}


@dataclass(frozen=True, eq=False)
class Totals(Result):
    """The totals that a release discloses, and the column of its weights."""

    weights: str
    margins: tuple[Margin, ...]

    @classmethod
    def read(cls, release: Release) -> Totals:
        """Read the totals of a release; refuse what cannot be totals of its columns."""
        given = next((fact.value for fact in release.disclosed if fact.name == TOTALS), None)
        if given is None:
            raise InvalidParameter(
                "the release discloses no calibration totals; the data holder declares them in [calibration] of the plan."
            )
        wrong = ReleaseError("The release discloses calibration totals that cannot be those of its columns.")
        try:
            margins = tuple(_margin(each, release) for each in given["margins"])
            weights = given["weights"]
        except (KeyError, TypeError, ValueError, InvalidParameter):
            raise wrong from None
        if not margins or not isinstance(weights, str) or weights not in release.mechanism.kept:
            raise wrong
        return cls(weights, margins)

    def raked(self, release: Release) -> Floats:
        """Return the weights of released rows, fitted to the totals; rows in a cell without a total weigh nothing."""
        return raked(release.coded, row_weights(release.coded, self.weights), self.margins)

    def describe(self) -> dict[str, Any]:
        """Return them as a manifest has them."""
        return {"weights": self.weights, "margins": [each.describe() for each in self.margins]}


def _margin(given: Mapping[str, Any], release: Release) -> Margin:
    columns = tuple(given["columns"])
    cells, totals = np.asarray(given["cells"], dtype=np.int64), np.asarray(given["totals"], dtype=np.float64)
    states = [release.schema[name].states for name in columns]
    fits = cells.ndim == 2 and cells.shape == (len(totals), len(columns)) and len(totals) > 0
    if not fits or (cells < 0).any() or (cells >= states).any() or not np.isfinite(totals).all() or (totals < 0).any():
        raise ValueError
    return Margin(columns, cells, totals)


def raked(table: CodedTable, weights: Floats, margins: Sequence[Margin]) -> Floats:
    """Fit the weights of rows to totals; refuse totals that no weights of these rows have."""
    places = [margin.places(table) for margin in margins]
    there = np.logical_and.reduce([place >= 0 for place in places])
    made = np.where(there, weights, 0.0)
    rows = np.flatnonzero(there)
    for sweep in range(SWEEPS + 1):
        off = 0.0
        for place, margin in zip(places, margins, strict=True):
            now = np.bincount(place[rows], weights=made[rows], minlength=len(margin.totals))
            if ((now <= 0) & (margin.totals > 0)).any():
                raise InvalidParameter(
                    "calibration totals of {columns} cannot be kept: some of their cells have no released row. Use coarser margins.",
                    columns=names(margin.columns),
                )
            off = max(
                off,
                float(
                    np.max(
                        np.abs(now - margin.totals) / np.maximum(margin.totals, 1e-300),
                        where=margin.totals > 0,
                        initial=0.0,
                    )
                ),
            )
            if sweep < SWEEPS:
                made[rows] *= (margin.totals / np.where(now > 0, now, 1.0))[place[rows]]
        if off < CLOSE:
            return made
    raise InvalidParameter(
        "calibration totals cannot be kept together: no weights of the released rows have all of them. Use fewer or coarser margins."
    )


@stage("Calibrating weights")
def calibrated_weights(release: Release) -> Floats:
    """Return a weight for each released row, so that the weighted totals of the declared margins are those of the original.

    The weights follow from the released rows and from the totals that the release discloses, so they tell nothing more than these. Use them for weighted
    tables and models of the released columns as they are. To undo noise, use the released weights (``weights=``): what undoes it assumes that noise was drawn without
    looking at weights, and these depend on it.

    Examples
    --------
    >>> import tokumei as tk
    >>> people = tk.example_census(rows=2000, frame="pyarrow").select(["age", "sex"])
    >>> people = people.append_column("w", pa.array([3.0] * 2000))
    >>> weight = tk.Attribute("w", "insensitive", tk.Numbers(1, 9, step=1))
    >>> schema = tk.Schema([*(each for each in tk.example_schema() if each.name in ("age", "sex")), weight])
    >>> release = tk.anonymize(people, schema, tk.RecordSuppression(k=8), seed=1)
    >>> kept = tk.surveys.calibrate(release, people, schema, tk.surveys.Calibration("w", [["sex"]]))
    >>> round(float(tk.surveys.calibrated_weights(kept).sum()), 3)
    6000.0
    """
    return Totals.read(release).raked(release)


@stage("Counting totals")
def totals_table(release: Release, frame: str = "pandas") -> Any:
    """Return the disclosed totals beside those of the released weights: one row per cell."""
    told = Totals.read(release)
    before = row_weights(release.coded, told.weights)
    made: dict[str, list[Any]] = {"margin": [], "cell": [], "disclosed": [], "released": []}
    for margin in told.margins:
        place = margin.places(release.coded)
        now = np.bincount(place[place >= 0], weights=before[place >= 0], minlength=len(margin.totals))
        labels = [[*_labels(release, name), None] for name in margin.columns]
        for cell, total, released in zip(margin.cells, margin.totals, now, strict=True):
            made["margin"].append(" × ".join(margin.columns))
            made["cell"].append(" × ".join(str(label[code]) for label, code in zip(labels, cell, strict=True)))
            made["disclosed"].append(float(total))
            made["released"].append(float(released))
    kind: Any = frame
    return from_arrow(pa.table(made), Origin(kind))


def _labels(release: Release, name: str) -> Sequence[Any]:
    domain = release.schema[name].domain
    assert domain is not None
    return domain.labels()
