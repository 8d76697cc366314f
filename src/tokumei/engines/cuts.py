"""Groups that were cut, box by box."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tokumei.arrays import Codes, Integers, Places
from tokumei.mechanism.recoding import Scheme
from tokumei.table.axis import Axis
from tokumei.table.classes import class_of
from tokumei.table.loss import mean_loss
from tokumei.table.overlap import disjoint
from tokumei.table.own_cells import OwnTexts


@dataclass(frozen=True, eq=False)
class CutGroups:
    """The boxes and sizes of groups; ``rows`` tells the group of each row, in whatever way its engine keeps it."""

    axes: tuple[Axis, ...]
    low: Places
    high: Places
    sizes: Integers
    told: Mapping[str, OwnTexts]
    rows: Any

    @cached_property
    def scheme(self) -> Scheme:
        """Whether boxes overlap."""
        return "disjoint" if disjoint(self.low, self.high) else "overlapping"

    @property
    def loss(self) -> float:
        """The mean loss of a cell."""
        losses = [axis.loss(self.low[:, c], self.high[:, c]) for c, axis in enumerate(self.axes)]
        return mean_loss(np.stack(losses, axis=1), self.sizes, 0)

    def smallest(self, codes: Mapping[str, Codes]) -> int:
        """Count the rows of the smallest class: boxes that have the same labels are one."""
        classes = class_of([codes[axis.name] for axis in self.axes], len(self.low))
        return int(np.bincount(classes, weights=self.sizes).min())
