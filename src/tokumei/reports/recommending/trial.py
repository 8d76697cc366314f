"""One method tried: a release is drawn, its rungs are counted, it is measured for the purpose, and thrown away."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pyarrow as pa

from tokumei.anonymizers.anonymizer import Anonymizer
from tokumei.compiling import compiling
from tokumei.engines.local import anonymize
from tokumei.errors import DataError
from tokumei.plan.chosen import Chosen
from tokumei.prepare.step import Step
from tokumei.privacy.duties import ROUNDING, Kept, hold
from tokumei.privacy.rungs import RUNGS, How, RungName
from tokumei.reconstruction.quality import expected_quality, hardly_left
from tokumei.release.artifact import Release
from tokumei.reports.recommending.purpose import Measuring, Purpose, Served
from tokumei.results import Result
from tokumei.table.schema import Schema
from tokumei.utility.careful import carefully
from tokumei.values import described
from tokumei.words import Statement, said_by


@dataclass(frozen=True)
class Tried(Result):
    """A method that was tried.

    Attributes
    ----------
    name
        The method's name in plans; after a colon what is special about it.
    method
        The method itself; ``None`` where it could not be made.
    values, how
        The number of each rung, and whether it is proved, counted or nothing; empty where there is no release.
    duties
        Each duty held against its rung.
    served
        How well it serves the purpose, in every view that there is.
    rows
        How many rows it was tried on.
    seconds
        The CPU time of making the release, without compiling loops.
    why
        Why there is no release, or no measure.
    gone
        The columns of which nearly every cell was suppressed.
    """

    name: str
    method: Anonymizer | None
    values: Mapping[RungName, float | None] = field(default_factory=dict)
    how: Mapping[RungName, How] = field(default_factory=dict)
    duties: tuple[Kept, ...] = ()
    served: tuple[Served, ...] = ()
    rows: int = 0
    released: int = 0
    seconds: float = 0.0
    compiled: float = 0.0
    why: Statement | None = None
    gone: tuple[str, ...] = ()

    @property
    def meets(self) -> bool:
        """Whether every duty holds."""
        return bool(self.values) and all(each.holds for each in self.duties)

    @property
    def best(self) -> Served | None:
        """The view in which it loses least."""
        return min(self.served, key=lambda each: each.lost, default=None)

    @property
    def lost(self) -> float | None:
        """What it loses in its best view."""
        return None if self.best is None else self.best.lost

    def side(self, name: str) -> Served | None:
        """Return one view."""
        return next((each for each in self.served if each.side == name), None)

    def describe(self) -> dict[str, Any]:
        """Return it as data."""
        return {
            "name": self.name,
            "method": None if self.method is None else described(self.method),
            "meets": self.meets,
            "rungs": {each: {"value": self.values[each], "how": self.how[each]} for each in self.values},
            "duties": [vars(each) for each in self.duties],
            "served": [vars(each) for each in self.served],
            "rows": self.rows,
            "released": self.released,
            "seconds": self.seconds,
            "gone": list(self.gone),
            "why": None if self.why is None else str(self.why),
        }


class Trial:
    """A table that methods are tried on.

    ``measuring`` says how well a release serves the purpose; where it is a purpose alone, that is expected from public numbers. ``looked`` is whether
    the choice depends on the rows, so that no epsilon counts.
    """

    def __init__(
        self,
        table: pa.Table,
        schema: Schema,
        prepare: Sequence[Step],
        duties: Mapping[RungName, float],
        measuring: Measuring | Purpose | None,
        random_state: int,
        looked: bool = True,
    ) -> None:
        self.table, self.schema, self.prepare, self.duties = table, schema, tuple(prepare), duties
        self.measuring, self.random_state = measuring, random_state
        self.chosen = Chosen(1, "tables", "") if looked else None

    def tried(self, name: str, method: Anonymizer | Statement) -> Tried:
        """Try one method."""
        if isinstance(method, Statement):
            return Tried(name, None, why=method)
        notes: list[Statement] = []
        with compiling() as compiled:
            start = time.process_time()
            release, failed = self._released(method, notes)
            seconds = max(0.0, time.process_time() - start - compiled.seconds)
            if release is None:
                return Tried(name, method, rows=self.table.num_rows, compiled=compiled.seconds, why=failed)
            rungs = release.rungs
            served = self._served(release, notes)
        return Tried(
            name,
            method,
            {rung.name: rung.value for rung in rungs},
            {rung.name: rung.how for rung in rungs},
            hold(rungs, self.duties),
            served,
            self.table.num_rows,
            release.rows,
            seconds,
            compiled.seconds,
            None if served or not notes else notes[-1],
            hardly_left(release),
        )

    def _released(self, method: Anonymizer, notes: list[Statement]) -> tuple[Release | None, Statement | None]:
        try:
            made = carefully(
                "release", partial(anonymize, self.table, self.schema, method, self.prepare, self.random_state), notes
            )
        except DataError as error:
            return None, said_by(error)
        if made is None:
            return None, notes[-1]
        found: Release = made if self.chosen is None else self.chosen.disclosed(made)
        return found, None

    def _served(self, release: Release, notes: list[Statement]) -> tuple[Served, ...]:
        if isinstance(self.measuring, Measuring):
            return self.measuring.served(release, notes)
        return () if self.measuring is None else expected(release, self.measuring)


def expected(release: Release, purpose: Purpose) -> tuple[Served, ...]:
    """Return the error to expect from public numbers: of tables with the target where there is one, else of two columns."""
    quality = expected_quality(release)
    error = quality.two if quality.two is not None else quality.one
    if purpose.target is not None:
        error = next((each.paired for each in quality.columns if each.name == purpose.target), None)
    return () if error is None else (Served("expected", error),)


def smallest_reached(tried: Sequence[Tried], duties: Mapping[RungName, float]) -> dict[RungName, float] | None:
    """Return the duties nearest to those asked that some method meets: those that it fails are raised to what it reaches.

    Of several methods it is the one that fails the fewest, then the one that is least above what is allowed.
    """
    best: tuple[tuple[int, float], dict[RungName, float]] | None = None
    for each in tried:
        failed = [kept for kept in each.duties if not kept.holds]
        if not each.values or any(kept.value is None for kept in failed):
            continue
        above = sum((kept.value or 0.0) / kept.allowed for kept in failed)
        nearest = {name: duties[name] for name in RUNGS if name in duties}
        nearest |= {kept.name: _up(kept.value) for kept in failed if kept.value is not None}
        if all(value < 1 or name == "differencing" for name, value in nearest.items()) and (
            best is None or (len(failed), above) < best[0]
        ):
            best = (len(failed), above), nearest
    return None if best is None else best[1]


def nearest_to(tried: Sequence[Tried], duties: Mapping[RungName, float]) -> Tried | None:
    """Return the method that meets duties and loses least; one that could not be measured comes last."""
    meeting = [
        each
        for each in tried
        if each.values and all(_at_most(each.values[name], most) for name, most in duties.items())
    ]
    return min(meeting, key=lambda each: math.inf if each.lost is None else each.lost, default=None)


def _at_most(value: float | None, most: float) -> bool:
    return value is not None and value <= most * (1 + ROUNDING)


def _up(value: float) -> float:
    """Round up to two digits, so that it can be typed and still holds."""
    return math.ceil(value * 100 - 1e-9) / 100
