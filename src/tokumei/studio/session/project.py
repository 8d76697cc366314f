"""A project: the work on a table as it is kept between two visits. The states of its history and where its rows are, never the rows.

Like a plan, it has the labels of domains and hierarchies, so it is for the data holder only.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pydantic
from pydantic_core import PydanticSerializationError

from tokumei.bounds import LARGEST_TEXT, parsed_json
from tokumei.errors import DataError, InvalidParameter
from tokumei.files import read_text
from tokumei.studio.session.history import Entry
from tokumei.studio.session.opening import Kind
from tokumei.studio.session.state import State
from tokumei.table.schema import Schema
from tokumei.values import described

MOST_EXAMPLE = 10**6  # rows of the example, which are made anew
MOST_ROWS = 2**53


class Written(pydantic.BaseModel):
    """What a project file holds; every schema is written once, and steps name it by its place."""

    model_config = pydantic.ConfigDict(extra="forbid")

    tokumei_project: Literal[1] = 1  # the version
    name: str
    kind: Kind
    rows: int
    saved: dt.datetime
    size: int | None  # bytes of the file
    why: dict[str, str]
    schemas: list[dict[str, Any]]
    steps: list[dict[str, Any]] = pydantic.Field(min_length=1)
    now: int


class Project:
    """The work on a table, as it was left.

    Attributes
    ----------
    name, kind, rows, saved, size
        What the table is called, where it came from, how many rows it had, when the project was kept, and how many bytes its file
        had.
    entries, now
        The steps of its history, and which of them is now.
    """

    def __init__(self, written: Written) -> None:
        self.name, self.kind, self.rows = written.name, written.kind, written.rows
        self.saved, self.size, self.why, self.now = written.saved, written.size, written.why, written.now
        schemas = [pydantic.TypeAdapter(Schema).validate_python(each) for each in written.schemas]
        self.entries = tuple(_entry(step, schemas) for step in written.steps)
        if not 0 <= written.now < len(self.entries):
            raise ValueError("there is no such step.")
        if not 0 < written.rows <= (MOST_EXAMPLE if written.kind == "example" else MOST_ROWS):
            raise ValueError("the number of rows is impossible.")
        sources = [entry.state.source for entry in self.entries]
        if any(each.query is not None or (each.database is None) == (written.kind == "database") for each in sources):
            raise ValueError("the studio never keeps such a source.")

    @property
    def state(self) -> State:
        """The state in which it was left."""
        return self.entries[self.now].state

    @property
    def place(self) -> Path | None:
        """Where its file is, if it is not in a database and was not handed over."""
        path = self.state.source.path
        return Path(path) if self.kind == "file" and path is not None else None

    @property
    def needs_file(self) -> bool:
        """Whether its table has to be handed over again: it was before, or is no longer where it was."""
        return self.kind == "upload" or (self.place is not None and not self.place.is_file())

    @classmethod
    def read(cls, path: Path) -> Project:
        """Read a project file, or say in one sentence that it cannot be read."""
        text = read_text(path, LARGEST_TEXT)
        try:
            return cls(Written.model_validate(parsed_json(text)))
        except (ValueError, TypeError, LookupError):  # what it holds is not shown: there are labels of the data in it
            pass
        raise DataError("This project cannot be read; it is damaged, or of another version.")


def project_text(
    name: str,
    kind: Kind,
    rows: int,
    size: int | None,
    why: dict[str, str],
    entries: tuple[Entry, ...],
    now: int,
) -> str:
    """Write a project; of a file that was handed over the name is kept, and not the private place."""
    schemas: list[Schema] = []
    steps = []
    for entry in entries:
        if entry.state.schema not in schemas[-1:]:
            schemas.append(entry.state.schema)
        step = _step(entry.state)
        del step["schema"]
        if kind in {"upload", "example"}:
            step["source"]["path"] = name
        steps.append({**step, "schema": len(schemas) - 1, "label": entry.label})
    written = Written(
        name=name,
        kind=kind,
        rows=rows,
        saved=dt.datetime.now(dt.UTC),
        size=size,
        why=why,
        schemas=[described(each) for each in schemas],
        steps=steps,
        now=now,
    )
    return written.model_dump_json(indent=1) + "\n"


def _step(state: State) -> dict[str, Any]:
    try:
        return described(state)
    except PydanticSerializationError:
        pass
    raise InvalidParameter(
        "The work is not saved as a project: the method holds a table of its own, such as a pilot, and projects keep no rows. Keep "
        "the plan file."
    )


def _entry(step: dict[str, Any], schemas: list[Schema]) -> Entry:
    given = dict(step)
    label, place = given.pop("label"), given.pop("schema")
    schema = schemas[range(len(schemas)).index(place)]
    state = pydantic.TypeAdapter(State).validate_python({**given, "schema": described(schema)})
    return Entry(replace(state, schema=schema), label)
