"""How far a mixture of groups with noise is believed about the cells that their boxes hide."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tokumei.reconstruction._mixture import Mixture, Observed

APART = 0.075  # total variation distance, on average over columns, from which on both cannot be right
STEEP, LEAST = 8.0, 0.1  # how quickly a mixture is believed less with it, and the power that is left


def believed(observed: Observed, mixture: Mixture) -> tuple[Observed, bool]:
    """Return what is seen with how far a mixture is believed about it, and whether it contradicts the columns by themselves.

    A mixture of one class estimates the tables of single columns, and so does one of many classes. If the model of groups is right, both come to the same
    (Hausman 1978). In small groups the boxes of many columns are wide, and noise inside them tells next to nothing: a mixture then finds structure
    in how boxes overlap, and its tables are further off than the released rows. There it is believed by a power 1 - 8 d of what it says, at least 0.1, where d is the mean total
    variation distance between both. Generalized rows have a belief of their own.
    """
    if not observed.tight or observed.grouped_by:
        return observed, False
    apart = [
        float(np.abs(mixture.shares @ theta - alone).sum() / 2)
        for theta, alone, hull in zip(mixture.thetas, observed.alone, observed.hulls, strict=True)
        if hull is not None
    ]
    distance = float(np.mean(apart))
    if distance <= APART:
        return observed, False
    return replace(observed, trust=max(1 - STEEP * distance, LEAST)), True
