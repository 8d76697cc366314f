"""Names of the array types that modules pass to each other."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Complexes = npt.NDArray[np.complex128]
Booleans = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]
Integers = npt.NDArray[np.int64]
Integers32 = npt.NDArray[np.int32]
Unsigned64 = npt.NDArray[np.uint64]
AnyIntegers = npt.NDArray[np.integer[Any]]  # of any width
AnyUnsigned = npt.NDArray[np.unsignedinteger[Any]]
Codes = AnyIntegers  # of a column: places in its domain
Places = Integers32  # along an axis
Labels = Integers32  # the group of each row, or -1


def row_numbers(rows: Integers, count: int) -> AnyIntegers:
    """Return numbers of rows of a table of ``count`` rows in four bytes each, if that will do."""
    return rows.astype(np.int32) if count < 2**31 else rows
