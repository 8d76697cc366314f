"""The risk of each row of a survey, whose weights tell how many people it stands for."""

from __future__ import annotations

from typing import Any

import numpy as np

from tokumei.arrays import Floats, Integers
from tokumei.errors import InvalidParameter

FEW = 16  # from this many rows on the series is short whatever the sampled share
ENOUGH = 2.0**-56  # of a term beside the sum


def individual_risk(members: Any, weights: Any) -> Floats:
    """Return E(1/F | f): the probability of linking a row correctly, of each class (Benedetti and Franconi 1998).

    Of F people of the population in a class f are in the table. F given f is taken as negative binomial with
    ``p = f / sum of the weights`` of the class; then ``E(1/F | f) = p/f 2F1(1, 1; f + 1; 1 - p)``. For f = 1 that is
    ``p / (1 - p) ln(1/p)``, and for p = 1, where the table is the population, 1/f. It lies between p/f and 1/f.

    >>> individual_risk(np.array([1, 2]), np.array([17.0, 110.0])).round(3).tolist()
    [0.177, 0.017]
    """
    f = np.asarray(members, dtype=np.float64)
    p = np.minimum(f / np.asarray(weights, dtype=np.float64), 1.0)
    found = np.empty(np.broadcast(f, p).shape)
    f, p = np.broadcast_to(f, found.shape), np.broadcast_to(p, found.shape)
    closed = (f < FEW) & (p < 0.5)
    found[closed] = _closed(f[closed], p[closed])
    found[~closed] = _series(f[~closed], p[~closed])
    return np.clip(found, p / f, 1.0 / f)


def _series(f: Floats, p: Floats) -> Floats:
    """Sum ``p/f (1 + 1/(f+1) q + 1·2/((f+1)(f+2)) q² + ...)`` with q = 1 - p: all terms positive, none larger than before."""
    q = 1.0 - p
    term, total, step = np.ones(f.shape), np.ones(f.shape), 0
    while term.size and (term > ENOUGH * total).any():
        step += 1
        term = term * q * step / (f + step)
        total += term
    return p / f * total


def _closed(f: Floats, p: Floats) -> Floats:
    """Work out ``p ∫ s^(f-1) / (p + q s) ds`` over 0 to 1 from ``I(f + 1) = (1/f - p I(f)) / q`` and ``I(1) = ln(1/p) / q``.

    Going up is stable as long as p is below q.
    """
    q = 1.0 - p
    integral = -np.log(p) / q
    for rows in range(1, int(f.max(initial=1.0))):
        integral = np.where(rows < f, (1.0 / rows - p * integral) / q, integral)
    return p * integral


def class_weights(weights: Floats, labels: Integers) -> Floats:
    """Add up the weights of each class; each must be 1 at least, since a row stands for its own person."""
    wrong = int(np.count_nonzero(~(np.isfinite(weights) & (weights >= 1))))
    if wrong:
        raise InvalidParameter(
            "survey weights must be finite numbers of at least 1, since a row stands for its own person; "
            "{wrong:row|rows} {wrong:|has|have} another.",
            wrong=wrong,
        )
    found = np.asarray(np.bincount(labels, weights=weights), dtype=np.float64)
    if not np.isfinite(found).all():
        raise InvalidParameter("survey weights must add up to a finite number of people.")
    return found
