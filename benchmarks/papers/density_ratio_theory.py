"""What the paper on density ratios proves, computed: formula (4) by enumeration, and theorem 1 by integrals.

Part of `python -m benchmarks.papers.density_ratio`: theorem.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
from scipy.integrate import quad

import tokumei as tk
from benchmarks.papers.program import Run, Tables
from benchmarks.stored import Table
from benchmarks.ten_columns import COLUMNS, NUMBERS, RELEASED, adult

NARROW = (0.01, 0.05, 0.1, 0.5, 1.0, 2.0)  # half of the interval, in units of the noise


def density(there: float, value: float, noise: float, low: float, high: float) -> float:
    """The bounded Laplace density of formula (2)."""
    inside = 1 - (math.exp(-(value - low) / noise) + math.exp(-(high - value) / noise)) / 2
    return math.exp(-abs(there - value) / noise) / (2 * noise * inside)


def factors(half: float, noise: float = 1.0, low: float = -10.0, high: float = 10.0) -> tuple[float, float, float]:
    """How often the density the probability of an interval is, over its length: the value far off, at the edge, and in the middle."""
    made = []
    for value in (half + 2.0, half, 0.0):
        parts = [(-half, half)] if value >= half else [(-half, value), (value, half)]
        mass = sum(quad(density, a, b, args=(value, noise, low, high), epsabs=1e-13)[0] for a, b in parts)
        made.append(mass / density(0.0, value, noise, low, high) / (2 * half))
    return made[0], made[1], made[2]


def intervals() -> Table:
    """Theorem 1 says that the probability of an interval is the density at its middle times one constant."""
    table = []
    for half in NARROW:
        far, edge, middle = factors(half)
        table.append([half, far, edge, middle, far / middle - 1, math.sinh(half) / half])
    heads = ["ξ / φ", "value far off", "value at the edge", "value in the middle", "largest over least, − 1", "sinh(ξ/φ) / (ξ/φ)"]  # fmt: skip
    return Table(heads, table, {"ξ / φ": "g", **dict.fromkeys(heads[1:], ".4f")})


def spreads(quick: bool) -> dict[str, float]:
    """The ranges of Adult's numbers, or of those of the example census, which needs no data folder."""
    if quick:
        domains = {each.name: each.domain for each in tk.example_schema()}
        return {name: float(d.high - d.low) for name, d in domains.items() if isinstance(d, tk.Numbers)}
    frame = adult()
    return {name: float(frame[name].max() - frame[name].min()) for name in COLUMNS if name in NUMBERS}


def columns(quick: bool) -> Table:
    """How narrow the intervals of numbers are: one step of their grid, the budget split evenly over ten columns."""
    table = []
    for name, spread in spreads(quick).items():
        for k in (3, 50):
            share = 0.5 * math.log((RELEASED - 1) / (k - 1)) / len(COLUMNS)
            half = 0.5 * share / spread
            far, _, middle = factors(half)
            table.append([name, k, half, far / middle - 1])
    heads = ["column", "k", "ξ / φ", "largest over least, − 1"]
    return Table(heads, table, {"ξ / φ": ".2g", "largest over least, − 1": ".2g"})


def linked(rows: int, retention: float, size: int, noise: float, span: int) -> tuple[float, float]:
    """The k of formula (4), and the largest posterior of a link over every table and every release, inverted.

    Rows have a category of `size` values, kept or replaced, and a number on `span + 1` points with Laplace noise.
    """
    points = np.arange(span + 1)
    keep = np.full((size, size), (1 - retention) / size) + retention * np.eye(size)
    weight = np.exp(-np.abs(points[:, None] - points[None, :]) / noise)
    channel = np.kron(keep, weight / weight.sum(axis=1, keepdims=True))  # one row per true value
    values = range(len(channel))
    worst = 0.0
    for true in itertools.combinations_with_replacement(values, rows):
        for released in itertools.combinations_with_replacement(values, rows):
            linked_here = all_here = 0.0
            for order in itertools.permutations(range(rows)):
                mass = math.prod(channel[true[who], released[order[who]]] for who in range(rows))
                all_here += mass
                linked_here += mass if order[0] == 0 else 0.0
            worst = max(worst, linked_here / all_here)
    lowest = ((1 - retention) / (1 + (size - 1) * retention)) ** 2 * math.exp(-2 * span / noise)
    return 1 + (rows - 1) * lowest, 1 / worst


def formula_4(run: Run) -> Table:
    """Formula (4) beside an attacker who knows the whole table."""
    table = []
    for rows, retention, size, noise, span in ((2, 0.5, 2, 2.0, 2), (3, 0.5, 2, 2.0, 1), (3, 0.3, 3, 4.0, 1), (4, 0.6, 2, 3.0, 1)):  # fmt: skip
        run.say(f"{rows} rows")
        table.append([rows, retention, size, noise, span, *linked(rows, retention, size, noise, span)])
    heads = ["rows", "retention", "categories", "φ", "range", "k by the formula", "k enumerated"]
    return Table(heads, table, dict.fromkeys(heads[1:4], "g") | dict.fromkeys(heads[5:], ".6f"))


def theorem(run: Run) -> Tables:
    return {"intervals": intervals(), "columns": columns(run.quick), "pk": formula_4(run)}
