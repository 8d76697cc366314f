"""An original and its release side by side: the same columns, prepared alike."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tokumei.engines.local import prepared_table
from tokumei.errors import InvalidParameter
from tokumei.plain_values import plain_value
from tokumei.prepare.step import Step
from tokumei.release.artifact import Release
from tokumei.table.coded import CodedTable
from tokumei.table.frames import Origin, to_arrow
from tokumei.table.schema import Schema
from tokumei.text import names, nearest
from tokumei.utility.lines import Line, line_of

BINS = 20
LARGEST = 2**22  # cells of a table of two columns


@dataclass(frozen=True, repr=False)
class Pairing:
    """The original rows, prepared as for the release, the release, and the columns that are compared."""

    table: CodedTable
    release: Release
    lines: tuple[Line, ...]
    origin: Origin

    def line(self, name: str) -> Line:
        """Return one column."""
        for each in self.lines:
            if each.name == name:
                return each
        known = [line.name for line in self.lines]
        raise InvalidParameter(
            "{name!r} is not a column that can be compared.{hint}", name=name, hint=nearest(name, known)
        )


def pairing(
    frame: Any,
    release: Release,
    schema: Schema,
    prepare: Sequence[Step] = (),
    columns: Sequence[str] | None = None,
    n_bins: int = BINS,
) -> Pairing:
    """Put an original and its release side by side."""
    if not isinstance(release, Release):
        raise InvalidParameter("release must be a release, such as the one that anonymize or read_release returns.")
    if not isinstance(schema, Schema):
        raise InvalidParameter("schema must be the schema that the release was made with.")
    n_bins = plain_value(n_bins)
    if isinstance(n_bins, bool) or not isinstance(n_bins, int) or n_bins < 2:
        raise InvalidParameter("n_bins must be a whole number of at least 2.")
    if _as_written([step.describe() for step in prepare]) != _as_written([dict(step) for step in release.prepare]):
        steps = [str(step["step"]) for step in release.prepare]
        if not steps:
            raise InvalidParameter(
                "prepare must hold the steps that the release was made with: it was prepared by nothing."
            )
        raise InvalidParameter(
            "prepare must hold the steps that the release was made with: it was prepared by {steps}.",
            steps=names(steps),
        )
    arrow, origin = to_arrow(frame)
    table = prepared_table(arrow, schema, prepare, cells=schema.names())
    both = set(release.schema.names())
    known = [a.name for a in table.schema if a.name in both and a.domain is not None and release.schema[a.name].domain]
    if columns is not None:
        wanted = [columns] if isinstance(columns, str) else list(columns)
        for name in wanted:
            if name not in known:
                raise InvalidParameter(
                    "{name!r} is not a column that can be compared.{hint}", name=name, hint=nearest(name, known)
                )
        if not wanted or len(set(wanted)) < len(wanted):
            raise InvalidParameter("columns must name at least one column, and each once.")
        known = wanted
    if not known:
        raise InvalidParameter("the original and the release have no column with a domain in common.")
    lines = tuple(line_of(table.schema[name], n_bins) for name in known)
    check_size(lines)
    return Pairing(table, release, lines, origin)


def check_size(lines: Sequence[Line]) -> None:
    """Refuse columns with too many values: tables of two of them would not fit."""
    largest = sorted(lines, key=lambda line: line.cells)[-2:]
    if len(largest) == 2 and largest[0].cells * largest[1].cells > LARGEST:
        raise InvalidParameter(
            "the table of {columns} would have more than {largest:,} cells; name other columns, or recode these first.",
            columns=names(line.name for line in largest),
            largest=LARGEST,
        )


def _as_written(steps: Sequence[Any]) -> str:
    """Return steps as a manifest would hold them."""
    return json.dumps(steps, sort_keys=True, default=str)
