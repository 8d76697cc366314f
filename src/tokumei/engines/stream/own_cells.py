"""Cells of rows on disk that lie between the points of a grid, told as they came."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tokumei.engines.stream.spool import Spool
from tokumei.table.domain import Categories, plain
from tokumei.table.own_cells import OwnTexts, ends_of_codes, fine, joined_ends, own_texts
from tokumei.table.schema import Schema


def told_on_disk(
    spool: Spool, schema: Schema, columns: Sequence[str], by_cells: Sequence[str], rounded: Mapping[str, int]
) -> dict[str, OwnTexts]:
    """Return how the values of columns are written where cells lie between points of their grid; one pass over the rows."""
    found: dict[str, OwnTexts] = {}
    ends: dict[str, Any] = {}
    for name in columns:
        if name in rounded:
            found[name] = OwnTexts(exact=isinstance(schema[name].domain, Categories))  # a step made these labels
            if fine(schema[name]) and name in by_cells:
                ends[name] = []
    for chunk in spool.chunks() if ends else ():
        assert chunk.cells is not None
        for name, held in ends.items():
            held.append(ends_of_codes(chunk.codes(name), plain(chunk.cells.column(name))))
            ends[name] = [joined_ends(held)]
    return found | {name: own_texts(schema[name], held[0]) for name, held in ends.items()}
