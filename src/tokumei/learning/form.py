"""Whether the form of a regression fits the rows: straight lines in its columns, no products of them, and nothing else that rows were selected by.

Rows that show all values were selected by their quasi-identifiers. Where the form is right, selection does no harm. Where it is an
approximation only, selected rows have another approximation than all rows do, and an interval around it does not hold the coefficient of all
rows. So it is where a quasi-identifier that rows were selected by explains the target, and the regression leaves it out. The form is tested on the rows that are there, by squares and
products of its columns, powers of what it predicts, and the columns that it leaves out:

    u = sum of w r z,   V = sum of (w r)^2 z z',   u' V^-1 u  ~  chi-squared with as many degrees of freedom as z has columns

with r what the regression leaves over, and z the added columns without what the regression's own columns say of them. This is the score test in
the robust form of White (1982) and Wooldridge (1991): it assumes nothing about how rows vary.
"""

from __future__ import annotations

import itertools

import numpy as np
from scipy.stats import chi2

from tokumei.arrays import Floats
from tokumei.learning.glm import Family, mean_and_slope

PRODUCTS = 30  # of columns, beyond which only powers of what is predicted are added
ALIKE = 1e-8  # of what a column was, that is left of it where the others say the same


def probability(
    family: Family,
    design: Floats,
    answers: Floats,
    weights: Floats,
    coefficients: Floats,
    beside: Floats | None = None,
) -> float:
    """Return how probable such rows would be, or worse fitting ones, were the form right and did columns ``beside`` it explain nothing more.

    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=(400, 2))
    >>> design = np.column_stack([np.ones(400), x])
    >>> straight, bent = x.sum(axis=1) + rng.normal(size=400), x[:, 0] * x[:, 1] + rng.normal(size=400)
    >>> found = [probability("linear", design, y, np.ones(400), np.linalg.lstsq(design, y)[0]) for y in (straight, bent)]
    >>> found[0] > 0.05, found[1] < 1e-6
    (True, True)
    """
    eta = design @ coefficients
    mean, slope = mean_and_slope(family, eta)
    middle, scale = design.mean(axis=0), np.maximum(design.std(axis=0), 1e-12)
    own = ((design - middle) / scale)[:, design.std(axis=0) > 0]
    pairs = list(itertools.combinations_with_replacement(range(own.shape[1]), 2))
    products = [own[:, a] * own[:, b] for a, b in pairs] if len(pairs) <= PRODUCTS else []
    about = (eta - eta.mean()) / max(float(eta.std()), 1e-12)
    others = () if beside is None else ((beside - beside.mean(axis=0)) / np.maximum(beside.std(axis=0), 1e-12)).T
    added = np.column_stack([about**2, about**3, *products, *others])
    root = np.sqrt(weights * slope)[:, None]
    left = root * added
    left -= (root * design) @ np.linalg.lstsq(root * design, left, rcond=None)[0]
    kept: list[Floats] = []
    for column, was in zip(left.T, np.linalg.norm(root * added, axis=0), strict=True):
        rest = column - sum((each * (each @ column) for each in kept), np.zeros(len(column)))
        size = float(np.linalg.norm(rest))
        if size > ALIKE**0.5 * max(float(was), 1e-300):
            kept.append(rest / size)
    if not kept:
        return 1.0
    basis = np.column_stack(kept) / np.maximum(root, 1e-300)
    scores = basis * (weights * (answers - mean))[:, None]
    total = scores.sum(axis=0)
    statistic = float(total @ np.linalg.lstsq(scores.T @ scores, total, rcond=None)[0])
    return float(chi2.sf(statistic, len(kept)))
