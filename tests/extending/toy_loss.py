"""A loss of somebody else's package: whether a cell is no longer the value itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from tokumei.arrays import Floats
from tokumei.table.loss import register_loss
from tokumei.words.catalogue import add_words


@register_loss("toy_changed")
def changed(low: Any, high: Any, size: int) -> Floats:
    """Return 1 for every cell that leaves more than one value open."""
    return (np.asarray(high) > np.asarray(low)).astype(np.float64)


add_words("en", {"utility_toy_changed": "Share of cells that were changed at all"})
add_words("ja", {"utility_toy_changed": "変更されたセルの割合（おもちゃ）"})
