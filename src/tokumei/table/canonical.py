"""One form for every value: cells that are counted as equal are the same bytes.

Every cell passes here once, before it is coded, counted or released. So there is no second place that could count two cells as one
and release them as two.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from tokumei.table.domain import plain, whole_days


def canonical(column: Any) -> Any:
    """Return an Arrow column as one array without a dictionary, each value in the one form that it is released in.

    Minus zero is zero, and a number that is none (NaN, whatever its bits) is a missing cell. A day that is stored in
    milliseconds is a day. Text stays as it is, letter by letter: ``"a "`` is not ``"a"``, nor a letter with an accent the same as
    the letter and the accent.

    >>> canonical(pa.array([-0.0, float("nan"), None, 1.5])).to_pylist()
    [0.0, None, None, 1.5]
    """
    cells = plain(column, decode=True)
    if pa.types.is_float16(cells.type):  # which CSV files and Arrow's own functions do not know
        cells = cells.cast(pa.float32())
    if pa.types.is_floating(cells.type):
        return _numbers(cells)
    if pa.types.is_date64(cells.type):
        return whole_days(cells)
    if pa.types.is_string_view(cells.type):
        return cells.cast(pa.large_string())
    return cells


def _numbers(cells: Any) -> Any:
    given = cells.to_numpy(zero_copy_only=False)  # a missing cell is NaN here
    missing = np.isnan(given)
    return pa.array(np.where(missing, 0, given + given.dtype.type(0)), cells.type, mask=missing)
