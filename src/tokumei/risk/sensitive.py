"""How diverse a sensitive column is in the classes of a table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tokumei.privacy import diversity
from tokumei.privacy.constraints import Bound, LDiversity, TCloseness
from tokumei.risk.reading import Reading


@dataclass(frozen=True)
class SensitiveCheck:
    """The least diverse class of a sensitive column.

    Attributes
    ----------
    distinct
        The fewest different values in any class.
    entropy
        The fewest evenly spread values that any class is worth: exp of its entropy.
    t
        The largest distance of any class from the whole table, all values being equally far apart.
    disclosed
        How many rows lie in classes that agree in one value.
    """

    distinct: int
    entropy: float
    t: float
    disclosed: int


def sensitive_check(table: Reading, name: str) -> SensitiveCheck:
    """Look at a sensitive column class by class."""
    codes, labels, sizes = table.codes[name], table.labels, table.sizes
    share = np.bincount(codes) / len(codes)
    values = len(share)
    l_diversity = LDiversity(name, 1)
    distinct = Bound(l_diversity, codes, values, diversity.distinct).numbers(labels, len(sizes))
    entropy = Bound(l_diversity, codes, values, diversity.effective).numbers(labels, len(sizes))
    distance = Bound(TCloseness(name, 1), codes, values, lambda counts: diversity.variation(counts, share))
    return SensitiveCheck(
        distinct=int(distinct.min()),
        entropy=float(entropy.min()),
        t=float(distance.numbers(labels, len(sizes)).max()),
        disclosed=int(sizes[distinct == 1].sum()),
    )
