"""Margins that must not change: a release that discloses their weighted totals, so that its weights can be raked to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
from pydantic import StrictBool

from tokumei.errors import InvalidParameter
from tokumei.plan.chosen import OF_A_PERSON
from tokumei.prepare.rows import prepared_rows
from tokumei.prepare.step import Step
from tokumei.privacy.combined import TOTALS
from tokumei.privacy.notions import NOTIONS
from tokumei.progress import stage
from tokumei.release.artifact import Release
from tokumei.release.calibration import Margin, Totals
from tokumei.release.disclosure import Fact
from tokumei.release.reasons import CalibrationTotals
from tokumei.table.coded import CodedTable, row_weights
from tokumei.table.frames import to_arrow
from tokumei.table.schema import Schema
from tokumei.text import names
from tokumei.values import value


@value
class Calibration:
    """Which weighted totals must not change.

    The true totals are disclosed, on purpose and exactly: they become a fact of the manifest. What that means for a guarantee:

    * An attacker of Pk-anonymity knows the whole original table, and with it every total. Given the table, totals say nothing about which
      released row is whose, so k is what it was. That needs the weights to be known to the attacker too: with ``kept="unknown"`` a total would tell how
      weights go with perturbed values, and it is refused.
    * k-anonymity is counted on the released rows, which do not change. Totals of columns that are released unchanged tell of released rows nothing that these do
      not show. They do tell the total weight of rows that were left out, so each cell must have lost none or at least k of them; where people or households have
      several rows, at least k times as many as any of them has in the cell.
    * What is asked of a sensitive column in classes is counted on the released rows too. Its totals would tell it of rows that were left out, which may all have the same
      value, and are refused if there are such rows.
    * Bounds on inference are for attackers who know all but a sensitive column. Its totals by columns that have noise would tell them how it goes with the true
      values, for somebody alone in a cell exactly, and are refused, also where the weights are the sensitive column.
    * A release whose weights may be known cannot be combined with one that takes the attacker to learn nothing from them: `tokumei.combine` refuses it.
    * Epsilon compares tables that differ in one person, and so in a total: none is stated.

    Refused are samples (totals would tell how many of each cell were drawn), columns with recoded or suppressed cells, swapped or averaged ones, and rows
    that tell some of their columns only.

    Parameters
    ----------
    weights
        The column of survey weights, released unchanged.
    margins
        Lists of columns: ``[["sex"], ["region", "age_group"]]`` keeps the totals by sex, and those by region and age group.
    keep
        Whether totals are disclosed, so that weights can be raked to them. If not, the report says how they changed, and nothing else happens.
    """

    weights: str
    margins: tuple[tuple[str, ...], ...]
    keep: StrictBool = True

    def __post_init__(self) -> None:
        if not self.margins or not all(self.margins):
            raise InvalidParameter("margins must list the columns of each margin, such as [['sex'], ['region']].")
        if any(len(margin) > 2 for margin in self.margins):
            raise InvalidParameter(
                "a margin has one or two columns: cells of more hold few people, whose weights their totals would tell. Give each two of them a margin."
            )
        if any(self.weights in margin for margin in self.margins):
            raise InvalidParameter("the weights {weights!r} cannot be a column of a margin.", weights=self.weights)

    @property
    def columns(self) -> set[str]:
        """The weights, and the columns of all margins."""
        return {self.weights, *(name for margin in self.margins for name in margin)}

    @property
    def said(self) -> str:
        """The margins, as a person reads them."""
        return "; ".join(" × ".join(margin) for margin in self.margins)

    def totals(self, table: CodedTable) -> tuple[Margin, ...]:
        """Add up the weights of the original rows, prepared as for the release."""
        table.schema[self.weights]  # refuses a column that is not there
        weights = row_weights(table, self.weights)
        for margin in self.margins:
            for name in margin:
                table.codes(name)  # refuses a column that is not there, or has no domain
        return tuple(Margin.of(table, margin, weights) for margin in self.margins)

    def disclosed(self, release: Release, table: CodedTable) -> Release:
        """Return a release that discloses the totals, and states no epsilon; one that must not is refused."""
        if not self.keep:
            return release
        told = Totals(self.weights, self.totals(table))
        self._check(release, table, told)
        told.raked(release)  # which refuses totals that the released rows cannot have
        kept = tuple(each for each in release.guarantees if each.notion not in OF_A_PERSON)
        fact = Fact(TOTALS, told.describe(), CalibrationTotals(weights=self.weights))
        return replace(release, guarantees=kept, disclosed=(*release.disclosed, fact))

    def _check(self, release: Release, table: CodedTable, totals: Totals) -> None:
        mechanism, columns = release.mechanism, {name for margin in self.margins for name in margin}
        if release.method.get("epsilon") is not None:
            raise InvalidParameter(
                "calibration totals are disclosed exactly, so no epsilon can be stated; ask for k alone, or use keep = false."
            )
        if mechanism.of is not None or (mechanism.grouping is not None and mechanism.grouping.sampled):
            raise InvalidParameter(
                "calibration totals of a sample would tell how many people of each cell were drawn; use keep = false."
            )
        if any(NOTIONS[each.notion].of_population for each in release.guarantees if each.notion in NOTIONS):
            raise InvalidParameter(
                "calibration totals would tell more about the population than its guarantee allows; use keep = false."
            )
        if self.weights not in mechanism.kept:
            raise InvalidParameter(
                "the weights {weights!r} must be released unchanged to keep totals.", weights=self.weights
            )
        noisy = {name for name in mechanism.perturbed if name not in mechanism.partly_told}
        other = sorted(columns - noisy - set(mechanism.kept))
        if other:
            raise InvalidParameter(
                "totals of {other} cannot be kept: margins are for columns that every row tells, unchanged or with noise. Use keep = false to see how they changed.",
                other=names(other),
            )
        if columns & noisy and release.method.get("kept") != "known":
            raise InvalidParameter(
                "totals of columns with noise would tell how weights go with them, and the guarantee takes the weights to be unknown; use kept = 'known'."
            )
        sensitive = set(release.schema.names("sensitive"))
        for margin in self.margins:
            told = sorted(sensitive & {*margin, self.weights})
            if told and noisy & set(margin):
                raise InvalidParameter(
                    "totals by {told} together with columns that have noise would tell attackers who know those columns what {told} is for single people; give "
                    "them margins of their own, or use keep = false.",
                    told=names(told),
                )
            if told and mechanism.left_out:
                raise InvalidParameter(
                    "totals by {told} would tell it of people whose rows were left out, about whom the released rows say nothing; use keep = false.",
                    told=names(told),
                )
        if mechanism.left_out:
            self._check_left_out(release, table, totals)

    def _check_left_out(self, release: Release, table: CodedTable, told: Totals) -> None:
        k = max(
            (each.value for each in release.guarantees if each.notion in NOTIONS and NOTIONS[each.notion].linking),
            default=1.0,
        )
        for margin in told.margins:
            cells, places = len(margin.totals), margin.places(table)
            after = margin.places(release.coded)
            lost = np.bincount(places, minlength=cells) - np.bincount(after[after >= 0], minlength=cells)
            most = 1 if table.people is None else np.maximum(table.people.most_within(places, cells), 1)
            few = int(np.count_nonzero((lost > 0) & (lost < k * most)))  # they may all be of the same few people
            if few:
                raise InvalidParameter(
                    "totals of {columns} cannot be kept: of {few:cell|cells} fewer than k rows were left out, and the totals would tell "
                    "their weight. Use coarser margins, or keep = false.",
                    columns=names(margin.columns),
                    few=few,
                )


@stage("Calibrating")
def calibrate(
    release: Release, frame: Any, schema: Schema, calibration: Calibration, prepare: Sequence[Step] = ()
) -> Release:
    """Return a release that discloses the totals of declared margins, for the data holder; `calibrated_weights` then keeps them.

    Parameters
    ----------
    release
        A release of the table, not yet written.
    frame, schema, prepare
        The original, and how it was prepared.
    calibration
        Which totals must not change.
    """
    if not isinstance(release, Release) or not isinstance(calibration, Calibration):
        raise InvalidParameter("calibrate needs a release, its original, the schema, and a Calibration.")
    return _disclosed(calibration, release, to_arrow(frame)[0], schema, prepare)


def told_calibration(release: Release) -> Calibration | None:
    """Return the margins whose totals a release discloses."""
    if all(fact.name != TOTALS for fact in release.disclosed):
        return None
    told = Totals.read(release)
    return Calibration(told.weights, tuple(each.columns for each in told.margins))


def calibrated(
    calibration: Calibration | None, release: Release, rows: pa.Table, schema: Schema, prepare: Sequence[Step]
) -> Release:
    """Return the release of a plan, with its totals where it declares them."""
    if calibration is None:
        return release
    if not calibration.keep:  # nothing is disclosed, but what the report will be about must be there
        gone = calibration.columns & set(schema.names("identifier")) - set(release.schema.names())
        _check_dropped(gone)
        for name in sorted(calibration.columns):
            release.schema[name]
        return release
    return _disclosed(calibration, release, rows, schema, prepare)


def _disclosed(
    calibration: Calibration, release: Release, rows: pa.Table, schema: Schema, prepare: Sequence[Step]
) -> Release:
    """Disclose the totals; an identifier that is dropped has none."""
    table = prepared_rows(rows, schema, prepare)
    _check_dropped(calibration.columns & set(schema.names("identifier")) - set(table.schema.names()))
    return calibration.disclosed(release, table)


def _check_dropped(dropped: set[str]) -> None:
    if dropped:
        raise InvalidParameter(
            "calibration cannot name {dropped}: an identifier is dropped, so nothing of it is released.",
            dropped=names(sorted(dropped)),
        )
