"""The cells of an identifier as text, the same text however the table was stored."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tokumei.errors import DataError
from tokumei.messages import phrase
from tokumei.table.domain import family, plain

TEXT = pa.large_string()
EXACT = {16: 2**11, 32: 2**24, 64: 2**53}  # up to here a float of this many bits holds every whole number


def different_texts(column: Any, name: str) -> tuple[Any, Any]:
    """Return the different cells of a column as text, and for each row which one it has, missing where its cell is.

    Text is brought into the form NFC, so that letters that look the same are. A whole number is its digits, also where it is
    stored as a float because other cells are missing; a date is year-month-day.

    >>> texts, which = different_texts(pa.array([7.0, None, 12.0, 7.0]), "id")
    >>> texts.to_pylist(), which.to_pylist()
    (['7', '12'], [0, None, 1, 0])
    """
    cells = plain(column, decode=True)
    if pa.types.is_floating(cells.type):
        cells = pc.if_else(pc.is_nan(cells), pa.scalar(None, cells.type), cells)
    if pa.types.is_null(cells.type):
        cells = cells.cast(TEXT)
    if pa.types.is_string_view(cells.type):
        cells = cells.cast(TEXT)
    found = cells.dictionary_encode()
    return _texts(found.dictionary, name), found.indices


def _texts(cells: Any, name: str) -> Any:
    kind = cells.type
    if family(kind) == "text":
        return pc.utf8_normalize(cells.cast(TEXT), form="NFC")
    if pa.types.is_integer(kind) or (pa.types.is_decimal(kind) and kind.scale == 0):
        return cells.cast(TEXT)
    if pa.types.is_floating(kind):
        return _whole(cells, name).cast(TEXT)
    if pa.types.is_date(kind):
        return cells.cast(pa.date32()).cast(TEXT)
    raise DataError(
        "The identifier {name!r} holds {holds}; only text, whole numbers and dates can be replaced, so convert it to text.",
        name=name,
        holds=phrase("points in time") if pa.types.is_timestamp(kind) else family(kind),
    )


def _whole(cells: Any, name: str) -> Any:
    numbers = cells.to_numpy(zero_copy_only=False).astype(np.float64)
    told = np.isfinite(numbers) & (np.abs(numbers) <= EXACT[cells.type.bit_width]) & (np.trunc(numbers) == numbers)
    broken = int(np.count_nonzero(~told))
    if broken:
        raise DataError(
            "The identifier {name!r} holds {broken:number|numbers} with a fraction, or too large for floats "
            "to distinguish from adjacent ones; convert it to text.",
            name=name,
            broken=broken,
        )
    return pa.array(numbers.astype(np.int64))
