"""Zayatz: classes of the population are taken to be as large as those of the sample."""

from __future__ import annotations

import numpy as np
from scipy.special import betaln

from tokumei.table.sizes import ClassSizes


def zayatz(sample: ClassSizes, population: int) -> float:
    """Return the estimated number of population uniques (Zayatz 1991).

    By Bayes' rule a row that is unique in the sample is alone in the population with a probability of
    ``P = p1 h(1) / sum_j p_j h(j)``, where ``p_j`` is the share of classes of size j, taken from the sample, and
    ``h(j) = P(f = 1 | F = j)`` is hypergeometric. The estimate is ``s1 P N / n``, s1 being the sample uniques.

    Only the ratios ``h(j) / h(1) = j (N - n) ... (N - n - j + 2) / ((N - 1) ... (N - j + 1))`` are needed.

    Sample classes are smaller than those of the population, so the estimate is too high for small samples.

    >>> zayatz(ClassSizes((1, 2), (4, 6)), 10)
    4.0
    """
    if not sample.unique:
        return 0.0
    sizes, classes = sample.arrays()
    others, left = sizes - 1, population - sample.rows  # everyone else of the class is among those not drawn
    fits = (others > 0) & (others <= left)
    once = np.where(others > 0, 0.0, 1.0)  # h(j) / h(1)
    once[fits] = sizes[fits] * np.exp(
        betaln(float(population) - others[fits], others[fits]) - betaln(left - others[fits] + 1, others[fits])
    )
    stays = sample.unique / float(classes @ once)
    return float(sample.unique * stays * population / sample.rows)
