"""How far a mixture of groups with noise is believed about the cells that their boxes hide."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tokumei.reconstruction._mixture import Mixture, Observed

NEAR = 0.02  # total variation distance, on average over columns, up to which both agree
NEARLY = 0.9  # the power from which on copies hardly differ from those that intervals were measured with
HALF = 0.045  # beyond it, where a mixture is believed by half, and it is said that both cannot be right


def believed(observed: Observed, some: Observed, mixture: Mixture) -> tuple[Observed, bool]:
    """Return what is seen with how far a mixture that was fitted to ``some`` of it is believed, and whether it contradicts the columns by themselves.

    A mixture of one class estimates the tables of single columns, and so does one of many classes. If the model of groups is right, both come to the same
    (Hausman 1978). In small groups the boxes of many columns are wide, and noise inside them tells next to nothing: a mixture then finds structure
    in how boxes overlap, and its tables are further off than the released rows. What it says is raised to the power 1 / (1 + (d / 0.045)²), where d is
    by how much the mean total variation distance between both exceeds 0.02. The numbers are measured: `python -m benchmarks.wide_groups`. Generalized rows have a belief of their own.
    """
    if not observed.tight or observed.grouped_by:
        return observed, False
    apart = [
        float(np.abs(mixture.shares @ theta - alone).sum() / 2)
        for theta, alone, hull in zip(mixture.thetas, some.alone, some.hulls, strict=True)
        if hull is not None
    ]
    beyond = max(float(np.mean(apart)) - NEAR, 0.0)
    return replace(observed, trust=1 / (1 + (beyond / HALF) ** 2)), beyond > HALF
