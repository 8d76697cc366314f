"""What perturbed rows are worth: how many true rows would tell as much about a column at most, the noise counted."""

from __future__ import annotations

import numpy as np

from tokumei.arrays import Floats
from tokumei.reconstruction._survey import effective_rows
from tokumei.reconstruction._views import marginal, view
from tokumei.release.artifact import Release
from tokumei.table.domain import Categories
from tokumei.table.schema import Attribute


def rows_worth(release: Release, attribute: Attribute, shares: Floats) -> float:
    """Return how many true rows would tell as much about a column as the released ones do at most: its shares, or its mean.

    ``shares`` says how much each released row counts.
    """
    seen = view(release, attribute)
    p: Floats = np.bincount(seen.true_bin, weights=marginal(release, attribute, shares)).astype(np.float64)
    states = len(p)
    if isinstance(attribute.domain, Categories):
        wanted = np.eye(states)
    else:  # the mean of the numbers that are there, and how many are
        there = np.arange(states) < states - int(attribute.missing)
        place = np.where(there, np.arange(states), 0.0)
        middle = (p @ place) / max(p[there].sum(), 1e-300)
        wanted = np.stack([np.where(there, place - middle, 0.0), ~there], axis=1).astype(np.float64)
    return effective_rows(shares) * told(seen.conditional.matrix(), p, wanted)


def told(matrix: Floats, p: Floats, wanted: Floats) -> float:
    """Return what a released value tells of the means ``wanted`` (one column each) as a share of what a true one does.

    Let shares near p differ in the mean of h only, as ``p exp(t h)`` does. A true value x then has the Fisher information
    ``Var(h(x))`` about t, and a released one y has ``Var(E(h(x) | y))``. The share is the second, summed over all h, over the
    first. An estimate of all of p from the release says less about a mean, and no estimate can say more.

    >>> kept = 0.5 * np.eye(2) + 0.25                   # kept with probability one half, else drawn anew
    >>> told(kept, np.array([0.5, 0.5]), np.eye(2))
    0.25
    """
    means = p @ wanted
    true = float(np.sum(p @ wanted**2 - means**2))
    if true <= 0:  # the column does not vary
        return 1.0
    joint = matrix * p
    y = joint.sum(axis=1)
    seen = y > 0
    expected = joint[seen] @ wanted / y[seen][:, None]
    released = float(np.sum(y[seen] @ expected**2 - means**2))
    return min(1.0, max(0.0, released / true))
