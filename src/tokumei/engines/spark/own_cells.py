"""Cells of a Spark frame that lie between the points of a grid, told as they came."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa

from tokumei.engines.spark.look import Look
from tokumei.engines.spark.problems import in_one_sentence, in_task
from tokumei.engines.spark.rows import mapped
from tokumei.messages import phrase
from tokumei.progress import stage
from tokumei.table.domain import Categories
from tokumei.table.own_cells import CODE, HIGH, LOW, OwnTexts, ends_of_codes, fine, joined_ends, own_texts


def told_in_spark(look: Look, columns: Sequence[str]) -> dict[str, OwnTexts]:
    """Return how the values of columns are written where cells lie between points of their grid; a job for each such one."""
    schema, found = look.empty.schema, {}
    for name in columns:
        if name in look.rounded:
            found[name] = OwnTexts(exact=isinstance(schema[name].domain, Categories))  # a step made these labels
            if fine(schema[name]) and look.empty.columns[name].cells is not None:
                found[name] = own_texts(schema[name], _ends(look, name))
    return found


def _ends(look: Look, name: str) -> pa.Table:
    """Return the smallest and the largest cell at each point of a column's grid."""
    reader, parts, kind = look.reader, look.parts, look.cell_type(name)

    def ends(batches: Iterable[Any]) -> Iterator[Any]:
        with in_task():
            held = [ends_of_codes(t.codes(name), t.columns[name].cells) for _, t in parts.numbered(reader, batches)]
            if held:
                yield from joined_ends(held).to_batches()

    kinds = {CODE: pa.int64(), LOW: kind, HIGH: kind}
    with stage("Reading values"), in_one_sentence(phrase("reading values")):
        return joined_ends([mapped(look.frame, ends, kinds).toArrow().cast(pa.schema(kinds.items()))])
