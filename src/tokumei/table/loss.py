"""What coarser cells cost: each measure by name, with one definition."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def open_share(low: Any, high: Any, size: int) -> Floats:
    """Return the Loss of cells that leave open which of the values from ``low`` to ``high`` they were.

        Loss = (values - 1) / (size - 1)      values = high - low + 1

    It is 0 for a value itself and 1 for a suppressed cell. A column with one value costs nothing.

    >>> open_share([0, 0, 3], [0, 4, 4], 5).tolist()
    [0.0, 1.0, 0.25]
    """
    return (np.asarray(high) - np.asarray(low)) / max(size - 1, 1)
