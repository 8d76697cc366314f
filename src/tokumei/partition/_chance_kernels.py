"""Chance inside a search for better groups: numbers of a xorshift whose state came from the room of chance.

It decides where a search looks next, never what is released: no guarantee rests on it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tokumei.loops import inner, loop


@inner()
def word(state: Any) -> Any:
    """Return the next 53 bits."""
    bits = state[0]
    bits ^= bits << np.uint64(13)
    bits ^= bits >> np.uint64(7)
    bits ^= bits << np.uint64(17)
    state[0] = bits
    return bits >> np.uint64(11)


@loop()
def chance(state: Any, below: Any) -> Any:
    """Return the next whole number below ``below``."""
    return np.int64(word(state) % np.uint64(below))


@loop()
def share(state: Any) -> Any:
    """Return the next number from 0 to 1, 1 left out."""
    return np.float64(word(state)) * 2.0**-53
