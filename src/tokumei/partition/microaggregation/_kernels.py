"""What several loops over rows in space need: a list of the nearest."""

from __future__ import annotations

from typing import Any

from tokumei.loops import inner


@inner()
def remember(far: Any, place: Any, near: Any, places: Any, found: Any, wanted: Any) -> Any:
    """Put a place into a list of the ``wanted`` nearest, nearest first, if it is one; return how many are listed."""
    if found < wanted:
        at = found
        found += 1
    elif far < near[wanted - 1]:
        at = wanted - 1
    else:
        return found
    while at > 0 and near[at - 1] > far:
        near[at], places[at] = near[at - 1], places[at - 1]
        at -= 1
    near[at], places[at] = far, place
    return found
