"""What seems to stand for no answer: codes such as -9 or 999, markers such as NA or ?, and text among numbers. Counts only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tokumei.errors import InvalidParameter
from tokumei.io.delimiter import ABSENT
from tokumei.io.source import CSV_ENDINGS
from tokumei.plan import Source
from tokumei.plan.cells import numbered, sentinels, stray_text, texts_of
from tokumei.plan.draft import suggest_attribute
from tokumei.runner import read_rows
from tokumei.studio.session.rows import HeldRows
from tokumei.studio.session.state import State
from tokumei.table.domain import Categories, Numbers, family
from tokumei.table.schema import DROPPED, Attribute, Schema
from tokumei.text import names


@dataclass(frozen=True)
class Noticed:
    """What seems to stand for no answer in one column.

    Attributes
    ----------
    markers
        Codes and markers that often mean it, and how many cells have each.
    stray
        How many cells are text where all others are numbers; what they say is not shown.
    """

    markers: Mapping[str, int] = field(default_factory=dict)
    stray: int = 0


def notice(rows: HeldRows, schema: Schema) -> dict[str, Noticed]:
    """Look at every column that is kept; those in which nothing is found are left out."""
    table = rows.table(schema)
    found = {each.name: _noticed(table.column(each.name)) for each in schema if each.role not in DROPPED}
    return {name: each for name, each in found.items() if each.markers or each.stray}


def _noticed(column: Any) -> Noticed:
    if family(column.type) != "text":
        return Noticed({str(code): rows for code, rows in sentinels(column).items()})
    column = numbered(column)
    texts = texts_of(column)
    if texts is None:
        return Noticed()
    marks = np.flatnonzero(pc.is_in(texts.values, value_set=pa.array(ABSENT)).to_numpy(zero_copy_only=False))
    counted = {texts.values[int(at)].as_py(): int(texts.rows[at]) for at in marks}
    return Noticed({mark: counted[mark] for mark in ABSENT if mark in counted}, stray_text(column))


def takes_markers(source: Source) -> bool:
    """Whether a source is a CSV file, of which can be said how missing cells are written."""
    return source.path is not None and Path(source.path).suffix.lower() in CSV_ENDINGS


def with_missing(state: State, before: pa.Table, noticed: Mapping[str, Noticed], marker: str) -> State:
    """Return a state in which the cells that hold a marker are missing, and the columns that had it are described without it."""
    if not takes_markers(state.source):
        raise InvalidParameter("The markers of missing cells can only be set for a CSV file.")
    source = replace(state.source, missing=(*state.source.missing, marker))
    after = read_rows(source, state.schema)
    lost = {n: after.column(n).null_count - before.column(n).null_count for n in before.column_names}
    meant = {name: each.markers[marker] for name, each in noticed.items() if marker in each.markers}
    others = [n for n in lost if lost[n] and n not in meant and state.schema[n].role != "identifier"]
    if others:
        raise InvalidParameter(
            "{marker!r} also stands in {columns:column|columns} {others}, where it may be a value, and the file has one list of markers. Correct "
            "the file, or give a codebook in the plan that says it of one column only.",
            marker=marker,
            columns=len(others),
            others=names(others),
        )
    if not meant or any(lost[name] != rows for name, rows in meant.items()):
        raise InvalidParameter(
            "The cells are not written as {marker!r} in the file; open it again, and list what stands there as missing.",
            marker=marker,
        )
    schema = state.schema
    for name in (each for each in lost if lost[each]):
        schema = schema.replacing(_described(schema[name], after.column(name), marker))
    return replace(state, source=source, schema=schema)


def _described(attribute: Attribute, cells: Any, marker: str) -> Attribute:
    """Describe a column without a marker; a domain that was declared stays as it is otherwise, and groups of labels that had the marker go."""
    domain = attribute.domain
    if domain is None:
        return replace(attribute, missing=True)
    if attribute.observed:
        seen, _ = suggest_attribute(attribute.name, cells, attribute.role)
        if seen.domain is None:
            raise InvalidParameter("Nothing would be left of column {column!r}.", column=attribute.name)
        made = seen.domain
        if isinstance(made, Numbers) and isinstance(domain, Numbers):
            made = replace(made, quantity=domain.quantity)
    elif isinstance(domain, Categories):
        made = replace(domain, values=tuple(each for each in domain.values if str(each) != marker))
    else:
        made = domain
    codes = None if attribute.codes is None else {n: code for n, code in attribute.codes.items() if n != marker}
    hierarchy = attribute.hierarchy if made == domain else None
    return replace(attribute, domain=made, hierarchy=hierarchy, missing=True, codes=codes)
