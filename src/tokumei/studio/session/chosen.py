"""A file that was chosen and is not open yet: its first rows, and how it seems to be written, which can be corrected."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tokumei.errors import InvalidParameter
from tokumei.io.guessing import guess_dialect
from tokumei.io.source import CSV_ENDINGS, Dialect, read_to_draft
from tokumei.studio.session.opening import LARGEST_UPLOAD, Opened, named, open_held, put_away
from tokumei.table.domain import family
from tokumei.text import nearest

FEW = 12  # rows that are shown
SETTINGS = ("encoding", "delimiter", "decimal", "dates", "missing")


@dataclass(frozen=True)
class Beginning:
    """The first rows of a file. They are cells of the data, for the data holder's eyes only.

    Attributes
    ----------
    columns, holds
        The names of its columns, and what their cells are: numbers, text, dates.
    missing
        How many cells of each column are missing, of the ``looked_at`` first rows.
    rows
        The first of them; None for a cell that is missing.
    """

    columns: tuple[str, ...]
    holds: tuple[str, ...]
    missing: tuple[int, ...]
    rows: tuple[tuple[str | None, ...], ...]
    looked_at: int


def has_settings(name: str) -> bool:
    """Whether a file of this name is text, so that it has to be told how it is written.

    >>> [has_settings(each) for each in ("people.csv", "people.CSV.gz", "people.sav", "people.parquet")]
    [True, True, False, False]
    """
    return Path(name).suffix.lower() in CSV_ENDINGS


class Chosen:
    """A CSV file that was chosen, in a private folder.

    Settings that nobody has chosen are guessed, anew whenever another one is chosen.
    """

    def __init__(self, file: Path, name: str, held: tempfile.TemporaryDirectory[str] | None = None) -> None:
        self.file, self.name = file, name
        self._held = held
        self._lock = threading.RLock()
        self._given: dict[str, Any] = {}
        self.dialect: Dialect = self._guess()

    @classmethod
    def receive(cls, given: Path, name: str, limit: int = LARGEST_UPLOAD) -> Chosen:
        """Move a file that somebody sent into a private folder."""
        file, shown, held = put_away(given, name, limit)
        try:
            return cls(file, shown, held)
        except BaseException:
            held.cleanup()
            raise

    @property
    def tabbed(self) -> bool:
        """Whether its name says that tabs separate its fields."""
        return self.file.suffix.lower() == ".tsv"

    @property
    def guessed(self) -> tuple[str, ...]:
        """The settings that were guessed."""
        with self._lock:
            return tuple(each for each in SETTINGS if each not in self._given)

    def choose(self, setting: str, value: str | Iterable[str]) -> Dialect:
        """Say how the file is written; for ``missing`` the markers besides an empty cell, and for ``dates`` nothing where there are no others.

        What cannot be leaves everything as it was.
        """
        if setting not in SETTINGS:
            raise InvalidParameter("{name!r} cannot be changed.{hint}", name=setting, hint=nearest(setting, SETTINGS))
        if setting == "missing":
            value = tuple(dict.fromkeys(("", *value)))
        with self._lock:
            given = {**self._given, setting: value}
            self.dialect = self._guess(**given)
            self._given = given
            return self.dialect

    def beginning(self) -> Beginning:
        """Return the first rows as the settings have them read."""
        known = self.dialect
        table, _ = named(self.file, self.name, lambda: self._read(known))
        shown = table.slice(0, FEW)
        cells = [_texts(shown.column(place)) for place in range(table.num_columns)]
        return Beginning(
            tuple(table.column_names),
            tuple(family(each.type) for each in table.schema),
            tuple(each.null_count for each in table.columns),
            tuple(zip(*cells, strict=True)),
            table.num_rows,
        )

    def _guess(self, **given: Any) -> Dialect:
        return named(self.file, self.name, lambda: guess_dialect(self.file, **given))

    def _read(self, known: Dialect) -> tuple[pa.Table, tuple[str, ...]]:
        return read_to_draft(
            self.file, known.delimiter, known.missing, known.encoding, known.decimal, known.dates, beginning=True
        )

    def open(self) -> Opened:
        """Open the file with these settings; where nobody said how missing cells are written, the whole file tells."""
        with self._lock:
            known, missing = self.dialect, self._given.get("missing")
            return open_held(
                self.file, self.name, self._held, known.delimiter, known.encoding, known.decimal, known.dates, missing
            )

    def leave(self) -> None:
        """Leave the private copy to what was opened."""
        with self._lock:
            self._held = None

    def close(self) -> None:
        """Remove the private copy, unless it was left to what was opened."""
        with self._lock:
            if self._held is not None:
                self._held.cleanup()
                self._held = None


def _texts(column: Any) -> list[str | None]:
    if pa.types.is_timestamp(column.type):
        days = pc.all(pc.equal(pc.floor_temporal(column, unit="day"), column)).as_py()
        column = pc.strftime(column, format="%Y-%m-%d" if days else "%Y-%m-%d %H:%M:%S")
    found: list[str | None] = column.cast(pa.string()).to_pylist()
    return found
