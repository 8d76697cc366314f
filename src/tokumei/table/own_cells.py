"""Cells that lie between the points of their domain's grid, told as they came.

A grid is what noise is drawn on. Methods that draw none need it only to know which cells lie close together: what they release of a
cell that they leave alone is the cell. This file writes cells as text, and finds for each point of the grid the one cell
that all rows there have, where they have one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tokumei.arrays import Booleans, Codes
from tokumei.table.domain import Categories, Dates, Domain, Numbers, number_text
from tokumei.table.schema import Attribute

NOUGHTS = re.compile(r"(\.\d*?)0+$")
MIDNIGHT = " 00:00:00"


@dataclass(frozen=True)
class OwnTexts:
    """How the values of a column are written that the grid does not have.

    ``texts`` gives for a code the cell that all rows with it have. ``exact`` says whether every cell is told: not where two
    different ones have the same code, which is then told by its point of the grid.
    """

    texts: Mapping[int, str] = field(default_factory=dict)
    exact: bool = True


def cell_texts(domain: Domain, codes: Codes, cells: Any) -> list[str]:
    """Write different cells of a column as text, none of them missing; without cells, what their codes stand for.

    >>> cell_texts(Numbers(0, 10), np.array([0]), pa.array([3.258096]))
    ['3.258096']
    """
    if isinstance(domain, Numbers):
        numbers = domain.points[codes].tolist() if cells is None else _numbers(cells)
        return [_number_text(each) for each in numbers]
    labels = domain.labels()
    known = [labels[code] for code in codes.tolist()]
    if cells is None or not isinstance(domain, Dates):
        return known
    off = domain.code(cells).off
    assert off is not None
    written = _times(cells, domain) if off.any() else known
    return [own if apart else label for own, label, apart in zip(written, known, off.tolist(), strict=True)]


def _numbers(cells: Any) -> list[Any]:
    if pa.types.is_float32(cells.type):  # the decimal that it is written as, not the double that it is stored as
        return [float(str(each)) for each in cells.to_numpy(zero_copy_only=False)]
    found: list[Any] = cells.to_pylist()
    return found


def _number_text(number: Any) -> str:
    return (
        NOUGHTS.sub(r"\1", format(number, "f")).removesuffix(".")
        if isinstance(number, Decimal)
        else number_text(number)
    )


def _times(cells: Any, domain: Dates) -> list[str]:
    written = [NOUGHTS.sub(r"\1", each).removesuffix(".") for each in cells.cast(pa.string()).to_pylist()]
    return [each.removesuffix(MIDNIGHT) for each in written] if domain.unit == "day" else written


CODE, LOW, HIGH = "code", "low", "high"


def ends_of_codes(codes: Codes, cells: Any) -> pa.Table:
    """Return the smallest and the largest cell of each code that occurs; missing cells have none."""
    held = pa.table({CODE: pa.array(codes.astype(np.int64)), LOW: cells, HIGH: cells}).filter(pc.is_valid(cells))
    return joined_ends([held])


def joined_ends(found: Iterable[pa.Table]) -> pa.Table:
    """Put the ends of codes together that were found in parts of a table."""
    together = pa.concat_tables(found).group_by(CODE, use_threads=False)
    made = together.aggregate([(LOW, "min"), (HIGH, "max")])
    return made.select([CODE, f"{LOW}_min", f"{HIGH}_max"]).rename_columns([CODE, LOW, HIGH])


def fine(attribute: Attribute) -> bool:
    """Whether the grid of a column was declared by nobody, so that what cells are told by should not be its points."""
    return isinstance(attribute.domain, Numbers) and (attribute.domain.step is None or attribute.observed)


def own_texts(attribute: Attribute, ends: pa.Table) -> OwnTexts:
    """Tell the codes whose rows all have one cell by that cell, the others by their point of the grid.

    Labels of a tree are those of the points, so they are not true of cells beside them.
    """
    assert attribute.domain is not None
    told = ends.filter(pc.equal(ends.column(LOW), ends.column(HIGH)))
    codes = told.column(CODE).to_numpy()
    texts = cell_texts(attribute.domain, codes, told.column(LOW).combine_chunks())
    exact = len(codes) == ends.num_rows and attribute.hierarchy is None
    return OwnTexts(dict(zip(codes.tolist(), texts, strict=True)), exact)


def own_texts_of(attribute: Attribute, codes: Codes, cells: Any, shown: Booleans) -> OwnTexts:
    """Tell the values of a column, as far as the rows that are shown have them; a declared grid is what they are told by."""
    domain = attribute.domain
    assert domain is not None
    if cells is None or isinstance(domain, Categories):
        return OwnTexts()
    rows = np.flatnonzero(shown)
    if not fine(attribute):
        return OwnTexts(exact=not domain.code(cells.take(pa.array(rows))).rounded)
    return own_texts(attribute, ends_of_codes(codes[rows], cells.take(pa.array(rows))))
