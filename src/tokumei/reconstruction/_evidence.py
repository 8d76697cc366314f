"""What one perturbed column says about a class, with priors in place of iteration counts.

Each model takes the counts ``seen[c, y]`` of released values in two classes and the channel ``matrix[y, x]``. For every
true value x it estimates the contrast, the logarithm of how much likelier x is in class 1 than in class 0, once for each
of a few `SCALES` that contrasts may have. `on_their_own` and `together` average over the scales by their evidence. Where
noise has drowned the signal the priors draw the contrast towards zero; there is nothing to stop early.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tokumei.arrays import Floats

SCALES = (0.15, 0.3, 0.6, 1.2, 2.4)  # prior standard deviations of a contrast
ALIKE = 0.4  # how far apart the logarithms of the scales of a table's columns are
SPREAD = 2.0  # prior standard deviation of the pooled logarithms
MIDDLES = np.linspace(-0.3, 1.3, 49)
WIDTHS = np.exp(np.linspace(np.log(0.03), np.log(0.6), 11))


@dataclass(frozen=True)
class Fits:
    """A column fitted with each scale: the logarithms of the evidence, and the contrasts, one row per scale."""

    logs: Floats
    contrasts: Floats


def nominal(seen: Floats, matrix: Floats) -> Fits:
    """For unordered values: independent contrasts."""
    alone = np.eye(matrix.shape[1])
    return _fitted(seen, matrix, alone, alone)


def short_ordered(seen: Floats, matrix: Floats) -> Fits:
    """For a few ordered values: a contrast that is a line plus something smooth, of mean square one."""
    size = matrix.shape[1]
    contrast = _smooth(size, 0.1)
    return _fitted(seen, matrix, _smooth(size, 0.5), contrast / (np.mean(np.diag(contrast)) - np.mean(contrast)))


def _smooth(size: int, alone: float) -> Floats:
    place = np.linspace(0, 1, size)
    line = 6 * np.outer(place - 0.5, place - 0.5)
    kernel = line + np.exp(-8 * (place[:, None] - place[None, :]) ** 2) + alone * np.eye(size)
    return kernel / np.mean(np.diag(kernel))


def numeric(seen: Floats, matrix: Floats) -> Fits:
    """For numbers and long orders: a truncated normal in each class with a common width, summed over a grid exactly."""
    place = np.linspace(0, 1, matrix.shape[1])
    shapes = np.exp(-0.5 * ((place - MIDDLES[:, None, None]) / WIDTHS[None, :, None]) ** 2) + 1e-300
    shapes /= shapes.sum(axis=2, keepdims=True)
    fits = np.tensordot(np.log(shapes @ matrix.T), seen.T, 1)  # middle, width, class
    apart = MIDDLES[None, :] - MIDDLES[:, None]
    centre = (MIDDLES[None, :] + MIDDLES[:, None]) / 2
    outside = -32 * np.where(centre < 0, centre**2, np.where(centre > 1, (centre - 1) ** 2, 0.0))
    width_prior = _log_normalised(-0.5 * ((np.log(WIDTHS) - np.log(1 / 6)) / 0.3) ** 2)
    logs, contrasts = [], []
    for scale in SCALES:
        each = np.stack(
            [
                fits[:, at, 0][:, None]
                + fits[:, at, 1][None, :]
                + _log_normalised(-0.5 * (apart / (scale * width)) ** 2 + outside)
                + width_prior[at]
                for at, width in enumerate(WIDTHS)
            ]
        )
        weights = np.exp(each - each.max())
        low = np.einsum("sab,asx->x", weights, shapes)
        high = np.einsum("sab,bsx->x", weights, shapes)
        logs.append(each.max() + np.log(weights.sum()))
        contrasts.append(np.log(high) - np.log(low))
    return Fits(np.array(logs), np.array(contrasts))


def on_their_own(columns: Sequence[Fits]) -> list[Floats]:
    """Average each column's contrasts by the evidence for its scales (never take the likeliest alone)."""
    return [_shares(column.logs) @ column.contrasts for column in columns]


def together(columns: Sequence[Fits]) -> list[Floats]:
    """Average each column's contrasts by what all columns say about its scale.

    A number has a single contrast, which cannot tell its own scale. But columns of a table tell about as much as each
    other about a target: the logarithms of their scales are taken as spread around an unknown centre by `ALIKE`, and
    the centre, summed over a grid, is learned from all of them.
    """
    scales = np.log(SCALES)
    centres = np.linspace(scales[0], scales[-1], 21)
    near = np.exp(-0.5 * ((scales - centres[:, None]) / ALIKE) ** 2)
    near /= near.sum(axis=1, keepdims=True)
    joint = [near * _shares(column.logs) for column in columns]  # centre, scale
    centre = _shares(np.sum([np.log(each.sum(axis=1)) for each in joint], axis=0))
    return [
        centre @ (each / each.sum(axis=1, keepdims=True)) @ column.contrasts
        for each, column in zip(joint, columns, strict=True)
    ]


def _shares(logs: Floats) -> Floats:
    return np.asarray(np.exp(_log_normalised(logs)))


def _log_normalised(logs: Floats) -> Floats:
    return np.asarray(logs - logs.max() - np.log(np.exp(logs - logs.max()).sum()))


def _fitted(seen: Floats, matrix: Floats, pooled: Floats, contrast: Floats) -> Fits:
    fits = [_fit(seen, matrix, pooled, contrast, scale) for scale in SCALES]
    return Fits(np.array([evidence for _, evidence in fits]), np.array([found for found, _ in fits]))


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
