"""From codes and kept cells to the columns of a release, as the local engine makes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei.anonymizers.anonymizer import Design
from tokumei.arrays import Bytes
from tokumei.engines.stream.spool import Chunk, Layout
from tokumei.engines.stream.treating import Treated
from tokumei.mechanism.repeating import Draws
from tokumei.table.coded import told_by_codes
from tokumei.table.domain import cast_values, code_type
from tokumei.table.schema import Attribute, Schema


@dataclass(frozen=True)
class Shown:
    """How the released columns are made: drawn, recoded, or shown as they came.

    ``layout`` is that of the codes after drawing; ``cells`` names the columns whose cells are released unchanged;
    ``types`` gives the type of columns that are as they came and are made again from their codes.
    """

    columns: tuple[str, ...]
    layout: Layout
    attributes: Mapping[str, Attribute]
    cells: tuple[str, ...]
    types: Mapping[str, Any]
    treated: Treated | None = None

    @classmethod
    def of(
        cls,
        columns: Sequence[str],
        design: Design,
        prepared: Schema,
        by_cells: Sequence[str],
        types: Mapping[str, Any],
        treated: Treated | None,
    ) -> Shown:
        """Decide for each column, and for the one that says what rows tell."""
        schema, telling = design.schema or prepared, design.mechanism.telling
        columns = columns if telling is None else (*columns, telling.label)
        changed = {*design.mechanism.perturbed, *(() if treated is None else treated.columns)}
        cells = tuple(name for name in columns if name in by_cells and name not in changed)
        layout: dict[str, Any] = {}
        for name in columns:
            if name not in cells:
                domain = schema[name].domain
                assert domain is not None
                layout[name] = code_type(domain)
        again = {
            name: types[name]
            for name in layout
            if name in types and name not in changed and told_by_codes(prepared[name], types[name])
        }
        return cls(tuple(columns), Layout.of(layout), {n: schema[n] for n in columns}, cells, again, treated)

    def draw(self, chunk: Chunk, design: Design, draws: Draws) -> tuple[Bytes, pa.Table | None]:
        """Draw the released codes of a chunk; which of its rows are released is somebody else's business."""
        codes, telling = {}, design.mechanism.telling
        treated = {} if self.treated is None else self.treated.codes(chunk)
        if telling is not None:
            told = {name: chunk.codes(name) for name in telling.columns}
            treated |= draws.told(telling, told, chunk.tags, chunk.start)
        for name in self.layout.types:
            if name in design.mechanism.channels:
                channel = design.mechanism.channels[name]
                codes[name] = draws.column(name, channel, chunk.codes(name), chunk.tags, chunk.start)
            else:
                codes[name] = treated[name] if name in treated else chunk.codes(name)
        cells = chunk.cells.select(self.cells) if self.cells and chunk.cells is not None else None
        return self.layout.pack(codes, chunk.rows), cells

    def table(self, packed: Bytes, cells: pa.Table | None) -> pa.Table:
        """Turn released rows into values."""
        made = {}
        for name in self.columns:
            if name in self.cells:
                assert cells is not None
                made[name] = cells.column(name)
                continue
            domain = self.attributes[name].domain
            assert domain is not None
            values = domain.values_of(self.layout.column(packed, name))
            made[name] = cast_values(values, self.types[name]) if name in self.types else values
        return pa.table(made)

    def no_rows(self, cells: pa.Table | None) -> pa.Table:
        """Return the released columns without rows: their names and types."""
        none = np.zeros((0, self.layout.width), dtype=np.uint8)
        return self.table(none, None if cells is None else cells.select(self.cells).slice(0, 0))
