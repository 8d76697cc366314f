"""The channels of groups: solved column by column from what is public of a group, so that groups that are alike share them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from tokumei.mechanism.boxes import Box
from tokumei.mechanism.channel import Channel
from tokumei.mechanism.displacement import prefers_retention
from tokumei.mechanism.record import channel_for
from tokumei.mechanism.retention import Retention
from tokumei.privacy.pk import check_feasible
from tokumei.privacy.sampling import HidingPlace, required_ratio
from tokumei.privacy.split import Split, share_budget
from tokumei.table.domain import Categories, Numbers
from tokumei.table.schema import Attribute

HAIRS = (
    1e-12,
    1e-9,
    1e-6,
    1e-3,
    1.0,
)  # shares are taken this much smaller, until their product is enough; 1 is uniform noise


class GroupChannels:
    """Solves for the channels of one group after the other.

    The columns of a group share its budget. A channel depends on the size of its column's box and on its share alone, both of
    which are published, and channels that were solved once are used again. What a group achieves is worked out in whole numbers
    from the channels it gets; where rounding left it short, they spend a hair less.
    """

    def __init__(self, attributes: Sequence[Attribute], k: float, split: Split) -> None:
        self._names = [attribute.name for attribute in attributes]
        self._labelled = [isinstance(attribute.domain, Categories) for attribute in attributes]
        self._k, self._split = Fraction(k), split
        self._solved: dict[tuple[bool, int, bool, float], tuple[Mapping[str, Any], int, int]] = {}

    def of(self, boxes: Sequence[Box], place: HidingPlace) -> tuple[Mapping[str, Any], ...]:
        """Return the channels of a group with these boxes, in which a person hides in this place, as their public integers."""
        check_feasible(place.among, float(self._k), "a person hides among", place.most)
        total = -math.log(min(1.0, required_ratio(place, float(self._k))))
        varying = sum(box.size > 1 for box in boxes)
        values = [box.size - box.missing for box in boxes]
        kept = [
            labelled or prefers_retention(box.size, total / max(1, varying))
            for labelled, count, box in zip(self._labelled, values, boxes, strict=True)
        ]
        columns = [
            stand_in(name, labels, count, box.missing)
            for name, labels, count, box in zip(self._names, kept, values, boxes, strict=True)
        ]
        shares = share_budget(self._weights(columns), columns, total)
        needed = (self._k - 1) * place.most
        for hair in HAIRS:
            found = [self._channel(column, shares[column.name] * (1 - hair)) for column in columns]
            above, below = math.prod(top for _, top, _ in found), math.prod(bottom for _, _, bottom in found)
            if place.others_inside * above * needed.denominator >= needed.numerator * below:
                break
        return tuple(described for described, _, _ in found)

    def _weights(self, columns: Sequence[Attribute]) -> Split:
        """Return the split; where no column that varies has a weight, what the others do not need is free for them."""
        split = self._split
        if isinstance(split, dict) and set(split) == set(self._names):
            varying = [column.name for column in columns if column.states > 1]
            if not any(split[name] for name in varying):
                return {**split, **dict.fromkeys(varying, 1.0)}
        return split

    def _channel(self, column: Attribute, share: float) -> tuple[Mapping[str, Any], int, int]:
        """Return a channel that costs this share at most, and its swap as a fraction."""
        labelled = isinstance(column.domain, Categories)
        key = labelled, column.states, column.missing, share
        if key not in self._solved:
            swap = Fraction(math.exp(-2 * share))
            made: Channel = Retention.solve(column.states, swap, 64) if labelled else channel_for(column, swap)
            self._solved[key] = made.describe(), made.swap.numerator, made.swap.denominator
        return self._solved[key]


@lru_cache(maxsize=4096)
def stand_in(name: str, labels: bool, values: int, missing: bool) -> Attribute:
    """Describe a box as a column of its own, for the solver: this many values, and missing or not."""
    if values + int(missing) == 1 or values == 0:
        return Attribute(name, domain=Categories((0,)))
    domain = Categories(tuple(range(values))) if labels or values == 1 else Numbers(0, values - 1, step=1)
    return Attribute(name, domain=domain, missing=missing)
