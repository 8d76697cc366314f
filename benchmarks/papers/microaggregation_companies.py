"""The eleven companies of the paper's tables 1 and 2, microaggregated step by step: scale, order, cut, centroids."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd

import tokumei as tk
from benchmarks.papers.program import Run, Tables
from benchmarks.points import standardised
from benchmarks.stored import Table
from tokumei.arrays import Floats
from tokumei.partition.microaggregation.path._kernels import nearest_point_next
from tokumei.partition.microaggregation.path.cut import cut
from tokumei.partition.microaggregation.points import Points, centroids, information_loss

K = 3
# Table 1, the two columns that are grouped (square metres, employees), and beside them what table 2 prints for them.
COMPANIES = {
    "A&A Ltd": (790, 55, 0.777, 1.296),
    "B&B SpA": (710, 44, 0.457, 0.704),
    "C&C Inc": (730, 32, 0.537, 0.058),
    "D&D BV": (810, 17, 0.857, -0.748),
    "E&E SL": (950, 3, 1.416, -1.502),
    "F&F GmbH": (510, 25, -0.341, -0.318),
    "G&G AG": (400, 45, -0.781, 0.758),
    "H&H SA": (330, 50, -1.060, 1.027),
    "I&I LLC": (510, 5, -0.341, -1.394),
    "J&J Co": (760, 52, 0.657, 1.135),
    "K&K Sarl": (50, 12, -2.179, -1.017),
}
NAMES = list(COMPANIES)
CELLS = np.array([values[:2] for values in COMPANIES.values()], dtype=np.float64)
PRINTED = np.array([values[2:] for values in COMPANIES.values()])
PARTITIONS = {
    "nearest point next": tk.partitions.NearestPointNext(),
    "grid blocks": tk.partitions.GridBlocks(parts=2),
    "FlexDice": tk.partitions.FlexDice(),
    "MDAV": tk.partitions.MDAV(),
    "V-MDAV": tk.partitions.VMDAV(),
    "farthest first": tk.partitions.FarthestFirst(),
    "local search": tk.partitions.LocalSearch(),
    "NearExact": tk.partitions.NearExact(),
}
DIGITS = {"area, scaled": ".3f", "employees, scaled": ".3f"}


def squares(rows: Floats) -> float:
    return float(np.square(rows - rows.mean(axis=0)).sum())


def ordered() -> tuple[Floats, Any, Any]:
    """Return the companies on one scale, in the order of the path, with that order and their groups."""
    rows = standardised(CELLS)
    order = nearest_point_next(rows)
    return rows[order], order, cut(Points(rows, K), order)[order]


def path() -> Table:
    """The companies in the order of the path, and the group of each."""
    rows, order, labels = ordered()
    groups = np.concatenate([[0], np.cumsum(np.diff(labels) != 0)]) + 1
    steps = np.concatenate([[np.nan], np.sqrt(np.square(np.diff(rows, axis=0)).sum(axis=1))])
    table = [
        [
            step + 1,
            NAMES[at],
            *map(int, CELLS[at]),
            *map(float, rows[step]),
            None if step == 0 else float(steps[step]),
            int(groups[step]),
        ]
        for step, at in enumerate(order)
    ]
    columns = ["step", "company", "area", "employees", *DIGITS, "from the one before", "group"]
    return Table(columns, table, DIGITS)


def edges() -> Table:
    """What each group that the cut may choose from would lose: from the first to the last step of it."""
    rows, _, labels = ordered()
    ends = [0, *(np.flatnonzero(np.diff(labels)) + 1), len(rows)]
    chosen = set(itertools.pairwise(ends))
    sizes = range(K, 2 * K)
    table = []
    for start in range(len(rows) - K + 1):
        losses = [squares(rows[start : start + size]) if start + size <= len(rows) else None for size in sizes]
        taken = next((str(size) for size in sizes if (start, start + size) in chosen), None)
        table.append([start + 1, *losses, taken])
    return Table(["first step", *(f"{size} rows" for size in sizes), "taken"], table)


def groups() -> Table:
    """The groups of the cut: what they hold, their centroids, and what they lose."""
    rows, order, labels = ordered()
    table = []
    for number, label in enumerate(dict.fromkeys(labels.tolist())):
        here = labels == label
        means = CELLS[order[here]].mean(axis=0)
        held = ", ".join(NAMES[at] for at in order[here])
        table.append([number + 1, held, *map(float, means), *map(float, rows[here].mean(axis=0)), squares(rows[here])])
    digits = {"area": ".1f", "employees": ".1f"}
    return Table(["group", "companies", *digits, *DIGITS, "sum of squares"], table, {**digits, **DIGITS})


def released() -> Table:
    """What `tk.anonymize` releases: the centroids on the grid of whole numbers."""
    schema = tk.Schema(
        [
            tk.Attribute("company", "identifier"),
            tk.Attribute("area", "quasi_identifier", tk.Numbers(0, 2000, step=1)),
            tk.Attribute("employees", "quasi_identifier", tk.Numbers(0, 500, step=1)),
        ]
    )
    frame = pd.DataFrame(CELLS.astype(int), columns=["area", "employees"]).assign(company=NAMES)
    method = tk.Microaggregation(k=K, partition=tk.partitions.NearestPointNext())
    made = tk.anonymize(frame, schema, method, seed=0).frame
    counted = made.groupby(["area", "employees"]).size().reset_index(name="rows")
    return Table(list(counted.columns), [[int(cell) for cell in row] for row in counted.to_numpy().tolist()])


def compared() -> Table:
    """What every partition loses on these rows; NearExact's lower bound says that nothing loses less."""
    points = Points(standardised(CELLS), K)
    table = []
    for name, partition in PARTITIONS.items():
        found = partition.grouped(points)
        sizes = ", ".join(map(str, sorted(centroids(points.rows, found.labels)[1])))
        table.append([name, sizes, information_loss(points.rows, found.labels), found.least])
    return Table(
        ["partition", "sizes of groups", "loss", "no grouping below"],
        table,
        {"loss": ".2f", "no grouping below": ".2f"},
    )


def scaled() -> Table:
    """How far table 2 is from the cells of table 1 on one scale, by the divisor of the variance."""
    gaps = []
    for divisor, ddof in (("n", 0), ("n − 1", 1)):
        made = (CELLS - CELLS.mean(axis=0)) / CELLS.std(axis=0, ddof=ddof)
        gaps.append([divisor, float(np.abs(made - PRINTED).max())])
    return Table(
        ["variance divided by", "largest difference from table 2"], gaps, {"largest difference from table 2": ".4f"}
    )


def worked(_: Run) -> Tables:
    return {
        "scaled": scaled(),
        "path": path(),
        "edges": edges(),
        "groups": groups(),
        "released": released(),
        "compared": compared(),
    }


def charts(_: Tables) -> dict[str, Any]:
    rows, order, labels = ordered()
    return {
        "path": tk.plots.path(
            rows,
            labels,
            labels=[f"{step} {NAMES[at]}" for step, at in enumerate(order, start=1)],
            names=("area, scaled", "employees, scaled"),
        )
    }
