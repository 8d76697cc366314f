"""A release: the rows that are published, and everything public about how they were made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tokumei.diagnostics import warn
from tokumei.errors import InvalidParameter, OutputError, UnweightedWarning
from tokumei.files import atomic_folder
from tokumei.mechanism.record import Mechanism
from tokumei.mechanism.treatments import UnweightedStrata, moved_before
from tokumei.memory import that_fit
from tokumei.privacy.attackers import KnowsOnly, WholeTable
from tokumei.privacy.guarantee import Guarantee, stated
from tokumei.privacy.notions import NOTIONS
from tokumei.privacy.pseudonyms import pseudonyms_of
from tokumei.progress import stage
from tokumei.release.disclosure import Fact
from tokumei.release.formulas import Formulas
from tokumei.release.notebook import release_card
from tokumei.release.originals import Originals
from tokumei.release.rates import Rates
from tokumei.shown import shown
from tokumei.table.coded import CodedTable, encode
from tokumei.table.distinct import DistinctRows, counted_pieces, distinct_in, distinct_rows
from tokumei.table.domain import Categories, Numbers
from tokumei.table.frames import Origin, from_arrow
from tokumei.table.schema import Attribute, Schema
from tokumei.words import Statement, Words

if TYPE_CHECKING:
    from tokumei.privacy.rungs import Bound, Rung

Format = Literal["parquet", "csv", "sav", "dta", "xpt"]
GROUP = 2**20  # rows of a row group of what is in memory


@dataclass(frozen=True)
class Record:
    """What only the data holder may see of a run. It is never written into a release."""

    rounded: Mapping[str, int]
    identifiers: tuple[str, ...]
    notes: tuple[Statement, ...] = ()


class Pieces(Protocol):
    """Released rows that are not in memory: they come as tables, one behind the other, as often as one asks."""

    @property
    def rows(self) -> int:
        """How many rows there are."""

    @property
    def types(self) -> Any:
        """The names and types of the columns, as an Arrow schema."""

    @property
    def group(self) -> int:
        """How many rows make a row group of a file; it follows from the columns and what is allowed to the run, never from rows."""

    def __iter__(self) -> Iterator[pa.Table]:
        """Yield the rows in the order of their release."""


class KnowingMore:
    """What is left of a release's first guarantee against attackers who know the columns that it takes to be unknown."""

    def __init__(self, release: Release) -> None:
        self.release = release

    def __deepcopy__(self, memo: Mapping[int, Any]) -> KnowingMore:
        return self  # it belongs to its release, which is not copied either

    @cached_property
    def bound(self) -> Bound:
        """Count it on the released rows."""
        from tokumei.release.rungs import whole_table

        for rung in vars(self.release).get("rungs", ()):  # if it has been counted with the others
            if rung.name == "whole_table":
                bound: Bound = rung.bounds[0]
                return bound
        return whole_table(self.release)

    def describe(self) -> dict[str, Any]:
        """Return it as data."""
        return self.bound.describe()


@dataclass(frozen=True, repr=False)
class Release:
    """The released rows with the schema, mechanism and guarantees that belong to them.

    Attributes
    ----------
    frame
        The released rows, as the kind of frame that came in.
    schema
        The released columns, after recoding and without identifiers.
    mechanism
        The public distribution of a released record given the true one.
    guarantees
        What is guaranteed, against whom, under which assumptions.
    disclosed
        Every fact that was taken from the data on purpose, with its reason.
    record
        What only the data holder may see; nothing after reading a release.
    originals
        What columns were before the steps that changed them, so that models can predict true rows.
    """

    held: pa.Table | Pieces
    origin: Origin
    schema: Schema
    mechanism: Mechanism
    guarantees: tuple[Guarantee, ...]
    method: Mapping[str, Any]
    prepare: tuple[Mapping[str, Any], ...] = ()
    disclosed: tuple[Fact, ...] = ()
    seeded: bool = False
    record: Record | None = None
    originals: Originals = field(default_factory=Originals)

    def __post_init__(self) -> None:
        """Let the first guarantee say both numbers where it takes columns to be unknown that are released unchanged."""
        first, *others = self.guarantees or (None,)
        if first is not None and self._more_may_be_known(first):
            told = (replace(first, otherwise=KnowingMore(self)), *others)
            object.__setattr__(self, "guarantees", told)

    def _more_may_be_known(self, guarantee: Guarantee) -> bool:
        if not guarantee.checked or not NOTIONS[guarantee.notion].linking:
            return False
        attacker = guarantee.attacker
        if isinstance(attacker, KnowsOnly):
            return bool(set(self.schema.names()) - {*attacker.columns, *self.pseudonyms})
        return not isinstance(attacker, WholeTable)

    @cached_property
    def rungs(self) -> tuple[Rung, ...]:
        """What is promised against each kind of attacker, from what is public alone; `tokumei.ladder` shows it."""
        from tokumei.release.rungs import rungs_of

        return rungs_of(self)

    def distinct(self, columns: Sequence[str]) -> DistinctRows:
        """Count the different rows in some columns: released rows need not be in memory for it."""
        if not columns:
            return DistinctRows({}, np.array([self.rows], dtype=np.int64))
        if isinstance(self.held, pa.Table):
            return distinct_in(self.held, columns)
        return distinct_rows((piece.select(list(columns)) for piece in self.pieces()), columns)

    def counted(self, *columns: str) -> pa.Table:
        """Count the released rows by their cells in some columns: one row for each kind, with its ``count``; the rows need not be in memory.

        Examples
        --------
        >>> import tokumei as tk
        >>> release = tk.anonymize(tk.example_census(rows=500), tk.example_schema(), tk.PkPerturbation(k=5, tells="all"), seed=1)
        >>> release.counted("sex").column_names
        ['sex', 'count']
        """
        for name in columns:
            self.schema[name]  # refuses a column that is not there
        return counted_pieces((piece.select(list(columns)) for piece in self.pieces()), columns)

    @property
    def rows(self) -> int:
        """How many rows were released."""
        return self.held.rows if not isinstance(self.held, pa.Table) else int(self.held.num_rows)

    @property
    def types(self) -> Any:
        """The names and types of the released columns, as an Arrow schema."""
        return self.held.types if not isinstance(self.held, pa.Table) else self.held.schema

    @cached_property
    def table(self) -> pa.Table:
        """The released rows as an Arrow table; of a release that is not in memory, this brings it there, or says that it does not fit."""
        if isinstance(self.held, pa.Table):
            return self.held
        return pa.concat_tables(that_fit(self.pieces(), self.rows, self.types))

    @property
    def group(self) -> int:
        """How many rows make a row group of a Parquet file."""
        return self.held.group if not isinstance(self.held, pa.Table) else GROUP

    def pieces(self) -> Iterator[pa.Table]:
        """Yield the released rows, in one piece or many."""
        if isinstance(self.held, pa.Table):
            yield self.held
        else:
            yield from self.held

    @cached_property
    def frame(self) -> Any:
        """The released rows as a frame of the kind that came in (or that `read_release` was asked for)."""
        labels = {a.name: a.domain.values for a in self.schema if isinstance(a.domain, Categories)}
        return from_arrow(self.table, self.origin, labels)

    def original(self, name: str) -> Attribute:
        """Return what a column was before its cells were made coarser, or left blank in some rows."""
        return self.mechanism.original(self.schema[name])

    def tells(self, *columns: str) -> npt.NDArray[np.bool_]:
        """Say which released rows tell all of these columns: all rows, unless rows tell some columns only.

        A missing cell of a row that tells its column is a value like any other; elsewhere it says nothing.

        Examples
        --------
        >>> import tokumei as tk
        >>> people = tk.example_census(rows=500)
        >>> release = tk.anonymize(people, tk.example_schema(), tk.PkPerturbation(k=5, tells=1), seed=1)
        >>> release.frame[release.tells("sex")]["sex"].isna().any()
        np.False_
        """
        for name in columns:
            self.schema[name]  # refuses a column that is not there
        telling, grouping = self.mechanism.telling, self.mechanism.grouping
        if telling is not None:
            return telling.tells(self.coded.codes(telling.label), *columns)
        if grouping is not None and grouping.telling is not None:
            return grouping.telling.tells(self.coded.codes(grouping.telling.label), self.group_of, *columns)
        return np.ones(self.rows, dtype=np.bool_)

    def treatment(self, name: str) -> Statement:
        """Say what happened to the values of a column, and how far they were moved to a grid before where nobody declared it."""
        made, domain, averaging = self.mechanism.treatment(name), self.schema[name].domain, self.mechanism.averaging
        on_grid = name in self.mechanism.perturbed or (averaging is not None and averaging.columns.get(name) == "mean")
        if on_grid and isinstance(domain, Numbers) and domain.step is None:
            return moved_before(made, domain)
        return made

    @property
    def pseudonyms(self) -> tuple[str, ...]:
        """The released columns that are pseudonyms: known only to someone who has their key."""
        return tuple(name for name in pseudonyms_of(self.prepare) if name in self.schema.names())

    @cached_property
    def rates(self) -> Rates | None:
        """How often values occur in the whole table, where the release publishes it."""
        found = next((fact.value for fact in self.disclosed if fact.name == "rates"), None)
        return None if found is None else Rates.from_description(found)

    @cached_property
    def coded(self) -> CodedTable:
        """The released rows as codes of the released schema."""
        return encode(self.table, self.schema)

    @cached_property
    def suppressed(self) -> npt.NDArray[np.bool_]:
        """Which released rows say nothing in any recoded column, because few rows were like them."""
        recoding = self.mechanism.recoding
        if recoding is None or not any(fact.name == "suppressed" for fact in self.disclosed):
            return np.zeros(self.rows, dtype=np.bool_)
        starred = np.ones(self.rows, dtype=np.bool_)
        for name, column in recoding.columns.items():
            starred &= column.starred[self.coded.codes(name)]
        return starred

    @cached_property
    def group_of(self) -> npt.NDArray[np.int64]:
        """The number of each released row's group, where rows were perturbed in groups; -1 for a row in no group's box."""
        grouping = self.mechanism.grouping
        if grouping is None:
            raise InvalidParameter("The rows of this release were not perturbed in groups.")
        if grouping.label is not None:
            return self.coded.codes(grouping.label).astype(np.int64)
        attributes = {name: self.schema[name] for name in grouping.columns}
        return grouping.group_of(attributes, {name: self.coded.codes(name) for name in grouping.columns})

    def row_weights(self) -> npt.NDArray[np.float64] | None:
        """Return how many rows of the original each released row stands for, where that differs from row to row.

        A stratified sample has such weights, and a sample of groups; where the labels of strata are hidden nobody can know them, and a
        warning says so.
        """
        sample, grouping = self.method.get("sample"), self.mechanism.grouping
        if grouping is not None and grouping.sampled:
            stands = grouping.sizes / np.array([group.rows for group in grouping.groups])
            return np.asarray(stands[self.group_of], dtype=np.float64)
        if not isinstance(sample, Mapping) or sample.get("design") != "stratified":
            return None
        counts = next((fact.value for fact in self.disclosed if fact.name == "strata"), None)
        if counts is None:
            warn(UnweightedStrata(), UnweightedWarning)
            return None
        attribute = self.schema[sample["column"]]
        assert attribute.domain is not None
        weight_of = np.ones(attribute.domain.size + 1)
        labels = attribute.domain.labels()
        for each in counts:
            place = attribute.domain.size if each["label"] is None else labels.index(each["label"])
            weight_of[place] = each["rows"] / each["drawn"]
        weights: npt.NDArray[np.float64] = weight_of[self.coded.codes(attribute.name)]
        return weights

    @stage("Writing")
    def write(
        self,
        path: str | Path,
        format: Format = "parquet",
        *,
        overwrite: bool = False,
        allow_seeded: bool = False,
        formulas: Formulas = "keep",
    ) -> Path:
        """Write the release as a folder with the rows and ``manifest.json``: whole, or not at all.

        Parameters
        ----------
        path
            The folder to make.
        format
            ``"parquet"`` or ``"csv"``; or a file of SPSS (``"sav"``), Stata (``"dta"``) or SAS (``"xpt"``), in which labels are value labels of
            codes where the format has these. What such a file could not give back exactly is refused.
        overwrite
            Whether an older release in the same place may be replaced.
        allow_seeded
            Whether a release whose draws follow from a seed may be written. Its guarantee does not hold against anyone
            who knows or guesses the seed: for tests and research only.
        formulas
            What becomes of cells of a CSV file that a spreadsheet would run as a formula, such as ``=1+1``. ``"keep"``: they are
            released unchanged, and a `tokumei.errors.FormulaCellsWarning` says that there are some. ``"quote"``: an apostrophe
            stands before each, and `read_release` takes it away again.
        """
        from tokumei.release import files

        files.check_form(format, formulas)
        self._check_seed(allow_seeded)
        target = Path(path)
        with atomic_folder(target, overwrite=overwrite) as folder:
            files.write(self, folder, format, formulas)
        return target

    @stage("Writing the release")
    def write_table(
        self,
        database: str,
        table: str,
        *,
        folder: str | Path = ".",
        overwrite: bool = False,
        allow_seeded: bool = False,
    ) -> str:
        """Write the release into a database, as two new tables in one transaction: whole, or not at all.

        Parameters
        ----------
        database
            ``postgresql://…``, ``sqlite:///file`` or ``duckdb:///file``, without any password: that is the client's business.
        table
            The table of rows to make; the manifest goes into another, named after it with ``_manifest`` at the end.
        folder
            What the file of a SQLite or DuckDB database is relative to.
        overwrite
            Whether an older release of the same name may be replaced.
        allow_seeded
            As in `write`.
        """
        from tokumei.release.tables import write_release_table

        self._check_seed(allow_seeded)
        write_release_table(self, database, table, Path(folder), overwrite=overwrite)
        return table

    def _check_seed(self, allowed: bool) -> None:
        if self.seeded and not allowed:
            raise OutputError(
                "This release was drawn with a seed, which anyone may guess, so its guarantee would be void; "
                "make it without a seed, or write it with allow_seeded=True for tests and research."
            )

    def __deepcopy__(self, memo: Mapping[int, Any]) -> Release:
        return self  # it does not change, and models that hold one are copied often

    def __repr__(self) -> str:
        promises = " ".join(
            stated(guarantee, Words("en")) for guarantee in self.guarantees
        )  # nothing is counted for it
        return shown(f"<Release of {self.rows:,} rows and {len(self.types)} columns. {promises}>")

    def _repr_html_(self) -> str:
        return release_card(self)
