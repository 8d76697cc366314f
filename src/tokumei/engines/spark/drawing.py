"""The tasks that draw: rows numbered as in one table, words addressed by column and row, then the secret shuffle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei.arrays import Codes
from tokumei.engines.spark.choice import Chosen
from tokumei.engines.spark.look import Look
from tokumei.engines.spark.packing import UNPACKED, Packing
from tokumei.engines.spark.problems import in_task
from tokumei.engines.spark.rows import Parts, Reader, mapped
from tokumei.mechanism.channel import Channel
from tokumei.mechanism.repeating import Draws
from tokumei.mechanism.telling import Telling
from tokumei.randomness import Key, TaskKey
from tokumei.table.coded import CodedTable, as_released
from tokumei.table.schema import Schema

ORDER = ("tokumei order 1", "tokumei order 2")  # two words of 64 bits: that two rows share both never happens


@dataclass(frozen=True, repr=False)
class Drawing:
    """What a task does with its part: draw the rows of a sample, and each cell of a perturbed column or what each row tells."""

    reader: Reader
    parts: Parts
    schema: Schema
    columns: tuple[str, ...]
    channels: Mapping[str, Channel]
    telling: Telling | None
    chosen: Chosen | None
    key: TaskKey
    repeat: TaskKey | None = None
    names: Mapping[str, str] | None = None  # of draws that repeat
    packing: Packing = UNPACKED

    def chunks(self, batches: Iterable[Any]) -> Iterator[pa.Table]:
        """Return the released rows of a part, in their old order and with words that will order them anew."""
        key = self.key.open()
        draws = Draws(key, self.repeat, self.names)
        choosing = None if self.chosen is None else self.chosen.choosing(key)
        for start, table in self.parts.numbered(self.reader, batches):
            places = np.arange(table.rows) if choosing is None else np.flatnonzero(choosing.drawn(table))
            cells, codes, told = {}, {}, self._told(table, draws, start)
            for name in self.columns:
                drawn = told.get(name)
                if name in self.channels:
                    drawn = draws.column(name, self.channels[name], table.codes(name), table.tags, start)
                if name in self.packing.places:
                    codes[name] = (table.codes(name) if drawn is None else drawn)[places]
                else:
                    cells[name] = as_released(table.columns[name], self.schema[name], places, drawn)
            if self.telling is not None and self.telling.label in self.packing.places:
                codes[self.telling.label] = told[self.telling.label][places]
            elif self.telling is not None:
                cells[self.telling.label] = self.telling.domain.values_of(told[self.telling.label][places])
            cells |= self.packing.packed(codes, len(places))
            yield pa.table({**cells, **order_words(key, start, table.rows, places)})

    def _told(self, table: CodedTable, draws: Draws, start: int) -> dict[str, Codes]:
        if self.telling is None:
            return {}
        return draws.told(self.telling, {name: table.codes(name) for name in self.telling.columns}, table.tags, start)


def order_words(key: Key, start: int, rows: int, places: Any) -> dict[str, Any]:
    """Return the words of rows by which the whole table is ordered."""
    words = key.stream("shuffle", "spark").words(2 * start, 2 * rows).view(np.int64).reshape(rows, 2)[places]
    return {name: pa.array(words[:, place]) for place, name in enumerate(ORDER)}


def released_types(look: Look, schema: Schema, columns: Iterable[str], changed: Iterable[str]) -> dict[str, Any]:
    """Return the Arrow type of each released column: that of its domain, or of its cells if they are as they came."""
    types, anew = {}, set(changed)
    for name in columns:
        column, domain = look.empty.columns.get(name), schema[name].domain
        cells = None if column is None else column.cells
        if name in anew or cells is None:
            assert domain is not None
            types[name] = domain.values_of(np.zeros(0, dtype=np.uint32)).type
        else:
            types[name] = cells.type
    return types


def drawn_frame(frame: Any, drawing: Drawing, types: Mapping[str, Any]) -> Any:
    """Return a Spark frame of the released rows, still in their old order, and packed if the drawing says so."""
    cells = {name: kind for name, kind in types.items() if name not in drawing.packing.places}
    kinds = {**cells, **drawing.packing.kinds, **dict.fromkeys(ORDER, pa.int64())}

    def draw(batches: Iterable[Any]) -> Iterator[Any]:
        with in_task():
            for chunk in drawing.chunks(batches):
                yield from chunk.to_batches()

    return mapped(frame, draw, kinds)


def shuffled(frame: Any, parts: int) -> Any:
    """Bring rows into the order of their words, and forget the words.

    The words are uniform and independent, so every order is equally likely. A word also decides which part its row goes
    to: no job is needed to find the bounds of parts.
    """
    return frame.repartition(parts, ORDER[0]).sortWithinPartitions(*ORDER).drop(*ORDER)
