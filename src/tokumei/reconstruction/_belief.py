"""How far a mixture of groups with noise is believed about the cells that their boxes hide."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from tokumei.reconstruction._mixture import Mixture, Observed

NEAR = 0.02  # total variation distance, on average over columns, up to which both agree
NEARLY = 0.9  # the power from which on copies hardly differ from those that intervals were measured with
HALF = 0.045  # beyond it, where a mixture is believed by half, and it is said that both cannot be right
SETTLED = 0.1  # how far fits disagree, as a share of how far they have columns depend on each other, where the rows settle that
OPEN = 0.3  # beyond it, where they leave half of it open
LEAST = 0.5  # the power by which fits that disagree are still believed


def believed(
    observed: Observed, some: Observed, mixture: Mixture, fits: int, spread: float, dependent: float
) -> tuple[Observed, float, bool]:
    """Return what is seen with how far a mixture that was fitted to ``some`` of it is believed, the power by single columns alone, and whether it contradicts these.

    A mixture of one class estimates the tables of single columns, and so does one of many classes. If the model of groups is right, both come to the same
    (Hausman 1978). In small groups the boxes of many columns are wide, and noise inside them tells next to nothing: a mixture then finds structure
    in how boxes overlap, and its tables are further off than the released rows. What it says is raised to the power 1 / (1 + (d / 0.045)²), where d is
    by how much the mean total variation distance between both exceeds 0.02.

    Where columns are few both may agree and be wrong together. Then it shows in how fits from different starts disagree about pairs of columns: of the ``dependent``
    distance of their tables from independence the ``spread`` of the ``fits`` is what the rows leave open. Where that is more than a tenth, r being by how much, the
    power is at most 1 / (1 + (r / 0.3)²), but never below one half for this reason alone: half way to an even spread the tables of all measured releases were
    nearer than the released rows. The numbers are measured: `python -m benchmarks.wide_groups`. Generalized rows have a belief of their own.
    """
    if not observed.tight or observed.grouped_by:
        return observed, observed.trust, False
    apart = [
        float(np.abs(mixture.shares @ theta - alone).sum() / 2)
        for theta, alone, hull in zip(mixture.thetas, some.alone, some.hulls, strict=True)
        if hull is not None
    ]
    beyond = max(float(np.mean(apart)) - NEAR, 0.0)
    by_columns = 1 / (1 + (beyond / HALF) ** 2)
    trust = min(by_columns, _settled(fits, spread, dependent))
    return replace(observed, trust=trust), by_columns, beyond > HALF


def _settled(fits: int, spread: float, dependent: float) -> float:
    """Return the power that the disagreement of fits leaves; of a single fit nothing is known.

    Fits are nearer to their mean than to what many more of them would give: by the root of (n - 1) / n if they are n.

    >>> _settled(6, 0.002, 0.07), round(_settled(2, 0.0163, 0.0593), 2), _settled(2, 0.05, 0.05)
    (1.0, 0.52, 0.5)
    """
    if fits < 2 or not spread:
        return 1.0
    open_ = spread * math.sqrt(fits / (fits - 1)) / max(dependent, 1e-9)
    return max(1 / (1 + (max(open_ - SETTLED, 0.0) / OPEN) ** 2), LEAST)
