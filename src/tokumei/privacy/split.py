"""How the budget of a guarantee is shared among the columns: your largest lever on utility.

A column with one possible value costs nothing and gets nothing. Costs are in the units of `budget`: a category column
of size A kept with probability rho costs ``ln((1 + (A - 1) rho)/(1 - rho))``, a numeric one of range R with noise of
scale phi costs ``R / phi``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal

from tokumei.errors import InvalidParameter
from tokumei.table.domain import Categories
from tokumei.table.schema import Attribute
from tokumei.text import names, nearest

Split = Literal["even", "equal_retention"] | dict[str, float]


def share_budget(split: Split, attributes: Sequence[Attribute], total: float) -> dict[str, float]:
    """Return the cost that each column may have; the costs add up to ``total``."""
    costly = [attribute for attribute in attributes if attribute.states > 1]
    if isinstance(split, dict):
        weights = _given(split, [attribute.name for attribute in attributes])
        largest = max((weights[a.name] for a in costly), default=0.0)
        if largest:  # as shares of the largest, and nothing where a share would be lost in rounding
            weights = {a.name: weights[a.name] / largest for a in costly}
            weights = {name: weight if weight > 1e-12 else 0.0 for name, weight in weights.items()}
        elif costly:
            raise InvalidParameter("split gives every column a weight of 0; give at least one column a larger weight.")
    elif split == "even":
        weights = {attribute.name: 1.0 for attribute in costly}
    else:
        kept = _equal_retention([_levels(a) for a in costly], total)
        weights = {a.name: _cost(kept, _levels(a)) for a in costly}
    scale = sum(weights.values())
    found = {name: total * weight / scale if scale else 0.0 for name, weight in weights.items()}
    return {attribute.name: found.get(attribute.name, 0.0) for attribute in attributes}


def _given(split: Mapping[str, float], wanted: Sequence[str]) -> dict[str, float]:
    for name, weight in split.items():
        if name not in wanted:
            raise InvalidParameter(
                "split names {name!r}, which is not perturbed.{hint}", name=name, hint=nearest(name, wanted)
            )
        if not math.isfinite(weight) or weight < 0:
            raise InvalidParameter(
                "the weight of {name!r} in split must be a number of at least 0. Got {weight}.",
                name=name,
                weight=weight,
            )
    lacking = [name for name in wanted if name not in split]
    if lacking:
        raise InvalidParameter("split gives no weight to {lacking}.", lacking=names(lacking))
    return dict(split)


def _levels(attribute: Attribute) -> int:
    """Count a numeric column as a yes-or-no column with the same retention: its two ends."""
    return attribute.states if isinstance(attribute.domain, Categories) else 2


def _cost(x: float, levels: int) -> float:
    """Return the cost of a retention of 1 - exp(-x): written so, it keeps its digits up to a retention of 1 - 1e-300."""
    return math.log1p(-(levels - 1) * math.expm1(-x)) + x


def _equal_retention(levels: Sequence[int], total: float) -> float:
    """Find the retention that all columns can have when their costs add up to ``total``, as the x of `_cost`."""
    from scipy.optimize import brentq

    if not levels or not total:
        return 0.0
    return float(brentq(lambda x: sum(_cost(x, size) for size in levels) - total, 0.0, total + 1.0, maxiter=1000))
