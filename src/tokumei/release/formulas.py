"""Cells of a CSV file that a spreadsheet would take for formulas.

A spreadsheet runs a cell that begins with ``=``, ``+``, ``-`` or ``@`` (or their wide forms, or a tab or line break), though the file
says nothing of formulas, and ``=HYPERLINK(…)`` or ``=cmd|…`` does more than add. Where its separator is a semicolon, a part of a cell
may become such a cell. Anyone who fills in a form can put it there; a release passes it on.

``"keep"``   cells are released unchanged, which is what programs want; a warning says that there are such cells
``"quote"``  an apostrophe stands before what would be a formula, and before every apostrophe that stands there itself, so that
             `read_release` gives the same labels again

Numbers are no formulas, also where they are text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc

from tokumei.diagnostics import warn
from tokumei.errors import FormulaCellsWarning
from tokumei.table.domain import family
from tokumei.text import names

Formulas = Literal["keep", "quote"]
WAYS = ("keep", "quote")
MARKS = "=+\\-@\t\r\n＝＋－＠"  # what a formula begins with
SEPARATORS = ";,|\t\r\n"  # what a cell may begin behind, where a spreadsheet separates otherwise
NUMBER = r"[-+]?([0-9]+([.,][0-9]+)?|[.,][0-9]+)([eE][-+]?[0-9]+)?%?"
RUN = rf"(^|[{SEPARATORS}])[{MARKS}]."
BEFORE = re.compile(rf"(^|[{SEPARATORS}])(?=[{MARKS}'])")
QUOTED = re.compile(rf"(^|[{SEPARATORS}])'(?=[{MARKS}'])")


def quoted(text: str) -> str:
    """Write a text so that no spreadsheet takes it, or a part of it, for a formula.

    >>> quoted("=1+1"), quoted("plain"), quoted("-5"), quoted("'=1"), quoted("a;@b")
    ("'=1+1", 'plain', '-5', "''=1", "a;'@b")
    """
    return text if re.fullmatch(NUMBER, text) else BEFORE.sub(r"\1'", text)


def unquoted(text: str) -> str:
    """Read what `quoted` wrote.

    >>> [unquoted(quoted(text)) for text in ("=1+1", "plain", "-5", "'=1", "a;'@b")]
    ['=1+1', 'plain', '-5', "'=1", "a;'@b"]
    """
    return QUOTED.sub(r"\1", text)


class CsvCells:
    """The cells of a CSV file on their way into it: those that look like formulas are counted, or quoted."""

    def __init__(self, formulas: Formulas) -> None:
        self.formulas = formulas
        self.cells_by_column: dict[str, int] = {}  # cells of each column that look like formulas

    def passing(self, pieces: Iterator[pa.Table]) -> Iterator[pa.Table]:
        """Let rows pass."""
        for piece in pieces:
            if self.formulas == "quote":
                yield with_texts(piece, quoted).rename_columns([quoted(name) for name in piece.column_names])
                continue
            for name, cells in formula_cells(piece).items():
                self.cells_by_column[name] = self.cells_by_column.get(name, 0) + cells
            yield piece

    def types(self, types: Any) -> Any:
        """Return the names and types of the columns as they stand in the file."""
        return (
            pa.schema([field.with_name(quoted(field.name)) for field in types]) if self.formulas == "quote" else types
        )

    def tell(self, what: str) -> None:
        """Warn of what looks like a formula."""
        cells = {name: count for name, count in self.cells_by_column.items() if count}
        titles = [name for name in self.cells_by_column if _is_formula(name)]
        if cells and titles:
            warn(
                "A spreadsheet would run {cells:cell|cells} of {columns} and the names of the columns {titles} in {what} as "
                "formulas; write it with formulas='quote' (--formulas quote) for people who open it in one.",
                FormulaCellsWarning,
                cells=sum(cells.values()),
                columns=names(cells),
                titles=names(titles),
                what=what,
            )
        elif cells:
            warn(
                "A spreadsheet would run {cells:cell|cells} of {columns} in {what} as formulas; write it with "
                "formulas='quote' (--formulas quote) for people who open it in one.",
                FormulaCellsWarning,
                cells=sum(cells.values()),
                columns=names(cells),
                what=what,
            )
        elif titles:
            warn(
                "A spreadsheet would run the names of the columns {titles} in {what} as formulas; write it with "
                "formulas='quote' (--formulas quote) for people who open it in one.",
                FormulaCellsWarning,
                titles=names(titles),
                what=what,
            )


def formula_cells(table: pa.Table) -> dict[str, int]:
    """Count the cells of each column that look like formulas; a column whose name does is listed too."""
    found = {name: _formulas(table.column(name)) for name in table.column_names}
    return {name: cells for name, cells in found.items() if cells or _is_formula(name)}


def with_texts(table: pa.Table, change: Callable[[str], str]) -> pa.Table:
    """Change every text of a table; each is changed once, however many cells have it."""
    for place, field in enumerate(table.schema):
        if family(field.type) == "text":
            chunks = [_changed(chunk, change) for chunk in table.column(place).chunks]
            table = table.set_column(place, field, pa.chunked_array(chunks, field.type))
    return table


def _changed(chunk: Any, change: Callable[[str], str]) -> Any:
    if not pa.types.is_dictionary(chunk.type):
        return _changed(chunk.dictionary_encode(), change).cast(chunk.type)
    texts = [None if text is None else change(text) for text in chunk.dictionary.to_pylist()]
    labels = pa.array(texts, chunk.type.value_type)
    return pa.DictionaryArray.from_arrays(chunk.indices, labels, ordered=chunk.type.ordered)


def _formulas(column: Any) -> int:
    """Count the cells of a column that look like formulas."""
    if family(column.type) != "text":
        return 0
    found = 0
    for chunk in column.chunks:
        values = chunk.dictionary if pa.types.is_dictionary(chunk.type) else chunk
        values = values.cast(pa.large_string())
        looks = pc.and_(
            pc.match_substring_regex(values, f"(?s){RUN}"), pc.invert(pc.match_substring_regex(values, f"^{NUMBER}$"))
        )
        if pa.types.is_dictionary(chunk.type):
            looks = looks.take(chunk.indices) if pc.any(looks).as_py() else None
        found += 0 if looks is None else int(pc.sum(looks).as_py() or 0)
    return found


def _is_formula(text: str) -> bool:
    return quoted(text) != text and re.search(f"(?s){RUN}", text) is not None
