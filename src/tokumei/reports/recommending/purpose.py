"""What a release is for, and how well it serves that: measured on the original, as released and after reconstruction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from tokumei.errors import InvalidParameter
from tokumei.randomness import generator
from tokumei.reconstruction._views import shares_of
from tokumei.release.artifact import Release
from tokumei.results import Result
from tokumei.table.coded import CodedTable
from tokumei.table.domain import Categories, Numbers
from tokumei.table.schema import DROPPED, Schema
from tokumei.text import names, nearest
from tokumei.utility.careful import carefully
from tokumei.utility.compare import rebuilt as quickly_rebuilt
from tokumei.utility.prediction import Predictor
from tokumei.utility.propensity import propensity, told_apart
from tokumei.utility.quick import Quick
from tokumei.utility.tables import ReconstructedTables, ReleasedTables
from tokumei.words import Statement

Kind = Literal["tables", "model", "records"]
SideName = Literal["released", "reconstructed", "expected"]
MODEL = "model:"


@dataclass(frozen=True)
class Purpose(Result):
    """What a release is for.

    Attributes
    ----------
    kind
        ``"tables"``: tables of two columns. ``"model"``: a model that predicts ``target`` from all other columns. ``"records"``: rows that
        look like original ones.
    target
        The column to be predicted.
    """

    kind: Kind
    target: str | None = None

    def __str__(self) -> str:
        return f"{MODEL}{self.target}" if self.target is not None else self.kind


def read_purpose(given: str | Purpose, schema: Schema) -> Purpose:
    """Read a purpose: ``"tables"``, ``"records"``, or ``"model:"`` and the column to be predicted.

    >>> import tokumei as tk
    >>> read_purpose("model:income", tk.example_schema()).target
    'income'
    """
    if isinstance(given, Purpose):
        given = str(given)
    if not isinstance(given, str) or not (given in {"tables", "records"} or given.startswith(MODEL)):
        raise InvalidParameter(
            "The purpose must be 'tables', 'records', or 'model:' and the column to be predicted, such as 'model:income'. Got {given!r}.",
            given=str(given),
        )
    if given in {"tables", "records"}:
        return Purpose("tables" if given == "tables" else "records")
    target = given.removeprefix(MODEL).strip()
    possible = [
        each.name for each in schema if each.role not in DROPPED and isinstance(each.domain, Categories | Numbers)
    ]
    if target in schema.names("quasi_identifier", "sensitive", "insensitive") and target not in possible:
        raise InvalidParameter(
            "A model predicts categories or numbers, and {target!r} has neither; choose another column, or the purpose 'tables'.",
            target=target,
        )
    if target not in possible:
        raise InvalidParameter(
            "A model can predict {possible}, and not {target!r}.{hint}",
            possible=names(possible),
            target=target,
            hint=nearest(target, possible),
        )
    return Purpose("model", target)


@dataclass(frozen=True)
class Served(Result):
    """How well a release serves a purpose, in one view of it.

    Attributes
    ----------
    side
        ``"released"``, ``"reconstructed"``, or ``"expected"`` from public numbers.
    lost
        What it loses, which methods are ranked by; less is better. Of tables of two columns the mean total variation from the original's; of
        records the pMSE as a share of the worst; of a model how much its score is below that of a model from the original.
    score
        Of a model its score: the share of rows predicted correctly, or R².
    """

    side: SideName
    lost: float
    score: float | None = None


def rebuilt(release: Release) -> ReconstructedTables | None:
    """Return what a release says after reconstruction, by one fit; none where it is taken as it is: swapped, averaged or sampled rows."""
    mechanism = release.mechanism
    if not mechanism.perturbed and mechanism.recoding is None:
        return None
    return quickly_rebuilt(release, quickly=True)


class Measuring:
    """An original table, counted once for a purpose, against which releases are measured.

    ``test`` are other rows of the same kind to score models on; without any it is the table itself.
    """

    def __init__(self, table: CodedTable, purpose: Purpose, test: CodedTable | None, random_state: int) -> None:
        self.table, self.purpose, self.random_state = table, purpose, random_state
        self.quick = Quick(table)
        self._predictor: Predictor | None = None
        if purpose.target is not None:
            aim = next(line for line in self.quick.lines if line.name == purpose.target)
            rng = generator(random_state)
            self._predictor = Predictor(table, table if test is None else test, self.quick.lines, aim, None, rng)

    def served(
        self, release: Release, notes: list[Statement], tables: ReconstructedTables | None = None
    ) -> tuple[Served, ...]:
        """Measure a release in every view that there is of it; what cannot be measured is noted. ``tables`` may have been fitted before."""
        measure: Callable[[Release, ReconstructedTables | None], Served]
        measure = {"tables": self._tables, "model": self._model, "records": self._records}[self.purpose.kind]
        found = [carefully("as_released", partial(measure, release, None), notes)]
        tables = rebuilt(release) if tables is None else tables
        if tables is not None:
            found.append(carefully("reconstructed", partial(measure, release, tables), notes))
        return tuple(each for each in found if each is not None)

    def _tables(self, release: Release, tables: ReconstructedTables | None) -> Served:
        off = self.quick.released(release) if tables is None else self.quick.reconstructed(tables)
        return Served("released" if tables is None else "reconstructed", 1 - off.utility)

    def _model(self, release: Release, tables: ReconstructedTables | None) -> Served:
        assert self._predictor is not None
        if tables is None:
            found = self._predictor.released(ReleasedTables(release))
        else:
            found = self._predictor.reconstructed(tables)
        side: SideName = "released" if tables is None else "reconstructed"
        return Served(side, found.learned_from_original - found.score, found.score)

    def _records(self, release: Release, tables: ReconstructedTables | None) -> Served:
        rng: np.random.Generator = generator(self.random_state)
        lines = self.quick.lines_of(release)
        if tables is None:
            return Served("released", propensity(self.table, ReleasedTables(release), lines, rng).share)
        told = told_apart(self.table, tables.rows(lines, rng), shares_of(release), lines)
        return Served("reconstructed", told.share)
