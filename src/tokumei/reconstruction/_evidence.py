"""What one perturbed column says about a class, with priors in place of iteration counts.

Each function takes the counts ``seen[c, y]`` of released values in two classes and the channel ``matrix[y, x]``, and
returns, for every true value x, the logarithm of how much likelier it is in class 1 than in class 0. Where noise has
drowned the signal the priors draw it towards zero; there is nothing to stop early.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tokumei.reconstruction._em import maximise

Floats = npt.NDArray[np.float64]

SPREAD = 2.0  # prior standard deviation of the pooled logarithms
NOMINAL = (0.3, 0.6, 1.2)  # prior standard deviations of the contrast, averaged over by evidence
ORDERED = (0.5, 1.0, 2.0, 4.0)
NUMERIC = (0.05, 0.3, 0.6, 1.2)
MIDDLES = np.linspace(-0.3, 1.3, 49)
WIDTHS = np.exp(np.linspace(np.log(0.03), np.log(0.6), 11))


def nominal(seen: Floats, matrix: Floats) -> Floats:
    """For unordered values: independent contrasts, the rarer a value the wider its prior."""
    size = matrix.shape[1]
    pooled = seen.sum(axis=0)
    share = maximise(pooled, lambda p: matrix @ p, lambda r: matrix.T @ r, np.ones(size), 1.0, 200).estimate
    prior = np.diag(1 / np.maximum(size * share, 0.1))
    return _averaged(seen, matrix, np.eye(size), prior, NOMINAL)


def short_ordered(seen: Floats, matrix: Floats) -> Floats:
    """For a few ordered values: a contrast that is a line plus something smooth."""
    size = matrix.shape[1]
    return _averaged(seen, matrix, _smooth(size, 0.5), _smooth(size, 0.1), ORDERED)


def _smooth(size: int, alone: float) -> Floats:
    place = np.linspace(0, 1, size)
    line = 6 * np.outer(place - 0.5, place - 0.5)
    kernel = line + np.exp(-8 * (place[:, None] - place[None, :]) ** 2) + alone * np.eye(size)
    return kernel / np.mean(np.diag(kernel))


def numeric(seen: Floats, matrix: Floats) -> Floats:
    """For numbers and long orders: a truncated normal in each class with a common width, summed over a grid exactly."""
    place = np.linspace(0, 1, matrix.shape[1])
    shapes = np.exp(-0.5 * ((place - MIDDLES[:, None, None]) / WIDTHS[None, :, None]) ** 2) + 1e-300
    shapes /= shapes.sum(axis=2, keepdims=True)
    fits = np.tensordot(np.log(shapes @ matrix.T), seen.T, 1)  # middle, width, class
    apart = MIDDLES[None, :] - MIDDLES[:, None]
    centre = (MIDDLES[None, :] + MIDDLES[:, None]) / 2
    outside = -32 * np.where(centre < 0, centre**2, np.where(centre > 1, (centre - 1) ** 2, 0.0))
    width_prior = _log_normalised(-0.5 * ((np.log(WIDTHS) - np.log(1 / 6)) / 0.3) ** 2)
    logs = []
    for tau in NUMERIC:
        for at, width in enumerate(WIDTHS):
            prior = _log_normalised(-0.5 * (apart / (tau * width)) ** 2 + outside)
            logs.append(fits[:, at, 0][:, None] + fits[:, at, 1][None, :] + prior + width_prior[at])
    weights = np.exp(np.array(logs) - np.max(logs)).reshape(len(NUMERIC), len(WIDTHS), *apart.shape).sum(axis=0)
    low = np.einsum("sab,asx->x", weights, shapes)
    high = np.einsum("sab,bsx->x", weights, shapes)
    return np.log(high) - np.log(low)


def _log_normalised(logs: Floats) -> Floats:
    return logs - logs.max() - np.log(np.exp(logs - logs.max()).sum())


def _averaged(seen: Floats, matrix: Floats, pooled: Floats, contrast: Floats, taus: Sequence[float]) -> Floats:
    """Fit with each prior width, and average the contrasts by their evidence (never take the likeliest alone)."""
    fits = [_fit(seen, matrix, pooled, contrast, tau) for tau in taus]
    evidence = np.array([each[1] for each in fits])
    weights = np.exp(evidence - evidence.max())
    return np.sum([w * each[0] for w, each in zip(weights / weights.sum(), fits, strict=True)], axis=0)


def _fit(seen: Floats, matrix: Floats, pooled: Floats, contrast: Floats, tau: float) -> tuple[Floats, float]:
    """Find the likeliest ``p_c = softmax(eta + (c - pi) g)`` by damped Fisher scoring; return g and Laplace's evidence.

    ``eta ~ N(0, SPREAD^2 pooled)`` is what both classes share and ``g ~ N(0, tau^2 contrast)`` what tells them apart.
    """
    size = matrix.shape[1]
    rows = seen.sum(axis=1)
    share = rows[1] / rows.sum()
    signs = (-share, 1 - share)
    precision = np.zeros((2 * size, 2 * size))
    precision[:size, :size] = np.linalg.inv(pooled + 1e-6 * np.eye(size)) / SPREAD**2
    precision[size:, size:] = np.linalg.inv(contrast + 1e-6 * np.eye(size)) / tau**2

    def look(theta: Floats) -> tuple[float, Floats, Floats]:
        value, slope, bend = -0.5 * float(theta @ precision @ theta), -precision @ theta, precision.copy()
        for sign, counts, total in zip(signs, seen, rows, strict=True):
            level = theta[:size] + sign * theta[size:]
            p = np.exp(level - level.max())
            p /= p.sum()
            q = matrix @ p
            value += float(counts @ np.log(q))
            jacobian = matrix * p - np.outer(q, p)
            pull = jacobian.T @ (counts / q)
            information = total * (jacobian.T / q) @ jacobian
            mixed = np.array([[1.0, sign], [sign, sign**2]])
            slope += np.concatenate([pull, sign * pull])
            bend += np.kron(mixed, information)
        return value, slope, bend

    theta, damping = np.zeros(2 * size), 1e-6
    value, slope, bend = look(theta)
    for _ in range(50):
        step = np.linalg.solve(bend + damping * np.diag(np.diag(bend)), slope)
        found = look(theta + step)
        if found[0] < value - 1e-10:
            damping = max(damping * 10, 1e-3)
            if damping > 1e6:
                break
            continue
        gained, theta, damping = found[0] - value, theta + step, max(damping * 0.3, 1e-8)
        value, slope, bend = found
        if gained < 1e-5:
            break
    evidence = value + 0.5 * float(np.linalg.slogdet(precision)[1] - np.linalg.slogdet(bend)[1])
    contrast_found = theta[size:]
    return contrast_found - contrast_found.mean(), evidence
