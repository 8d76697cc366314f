"""The risk of each row of a survey, whose weights tell how many people it stands for."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import hyp2f1

from tokumei.errors import InvalidParameter, plural

Floats = npt.NDArray[np.float64]


def individual_risk(members: Any, weights: Any) -> Floats:
    """Return E(1/F | f): the probability of linking a row rightly, of each class (Benedetti and Franconi 1998).

    Of F people of the population in a class f are in the table. F given f is taken as negative binomial with
    ``p = f / sum of the weights`` of the class; then ``E(1/F | f) = p/f 2F1(1, 1; f + 1; 1 - p)``. For f = 1 that is
    ``p / (1 - p) ln(1/p)``, and for p = 1, where the table is the population, 1/f.

    >>> individual_risk(np.array([1, 2]), np.array([17.0, 110.0])).round(3).tolist()
    [0.177, 0.017]
    """
    f = np.asarray(members, dtype=np.float64)
    p = np.minimum(f / np.asarray(weights, dtype=np.float64), 1.0)
    return np.clip(p / f * hyp2f1(1.0, 1.0, f + 1.0, 1.0 - p), 0.0, 1.0 / f)


def class_weights(weights: Floats, labels: npt.NDArray[np.int64]) -> Floats:
    """Add up the weights of each class; each must be 1 at least, since a row stands for its own person."""
    wrong = int(np.count_nonzero(~(np.isfinite(weights) & (weights >= 1))))
    if wrong:
        raise InvalidParameter(
            "survey weights must be finite numbers of at least 1, since a row stands for its own person; "
            f"{plural(wrong, 'row')} {'has' if wrong == 1 else 'have'} another."
        )
    return np.asarray(np.bincount(labels, weights=weights), dtype=np.float64)
