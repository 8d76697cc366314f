"""What a step of reconstruction costs on Adult, by rows and by columns: the complexity table of the paper as measured curves.

Parts of `python -m benchmarks.papers.density_ratio`: rows, columns and ways. A step is one EM step of the free model, or one of iterative Bayes on
the joint table, ten columns perturbed by an even split at k = 3 and income kept. Rows beyond Adult's 48,842 are drawn from them with
replacement. Seconds are of CPU time, the least of some steps; memory is the largest that numpy held, set-up included and the release not.
"""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import numpy as np
import pandas as pd

import tokumei as tk
from benchmarks.papers.program import Run
from benchmarks.stored import Table
from benchmarks.ten_columns import COLUMNS, RELEASED, auc, schema
from tokumei import plots
from tokumei.mechanism.likelihood import seen
from tokumei.reconstruction._arrays import arrays
from tokumei.reconstruction._products import product

T = TypeVar("T")

SIZES = {
    "dense": (1_000, 2_000, 4_000, 8_000, RELEASED),
    "blocks": (1_000, 2_000, 4_000, 8_000),
    "structured": (1_000, RELEASED, 130_000, 1_000_000),
}
STEPS, MOST = 3, 5
FORMATS = {"a step, s": ".4f", "memory, MB": ",.1f"}
LABELS = ["sex", "relationship", "marital-status", "workclass", "occupation", "education-num", "age"]


def release_of(frame: pd.DataFrame, rows: int, columns: list[str]) -> tk.Release:
    data = frame[columns].assign(target=frame["income"].str.contains(">"))
    rng = np.random.default_rng(0)
    which = rng.permutation(len(data))[:rows] if rows <= len(data) else rng.integers(0, len(data), rows)
    train = data.iloc[which].reset_index(drop=True)
    return tk.anonymize(train, schema(frame, columns), tk.PkPerturbation(k=3, tells="all"), seed=1)


def problem_of(release: tk.Release) -> tuple[list[Any], Any]:
    """Return the matrix of every column, and the codes of the rows."""
    views = []
    for attribute in release.schema:
        codes = release.coded.codes(attribute.name)
        views.append(seen(release.mechanism.conditional(attribute), codes, codes, 256))
    return [view.matrix for view in views], np.stack([view.true for view in views], axis=1)


def weighed(matrices: list[Any], codes: Any, way: Any, steps: int) -> tuple[float, float]:
    """Return the seconds of setting up, and the least seconds of a step."""
    begun = time.process_time()
    made = product(matrices, codes, codes, way, arrays("numpy"))
    ready = time.process_time() - begun
    weights, taken = np.full(len(codes), 1 / len(codes)), []
    for _ in range(steps):
        begun = time.process_time()
        weights = weights * made.backward(1 / len(codes) / made.forward(weights))
        taken.append(time.process_time() - begun)
    return ready, min(taken)


def held(work: Callable[[], T]) -> tuple[T, float]:
    """Do some work; return its result, and the largest memory that Python and numpy held on the way, in MB."""
    tracemalloc.start()
    made = work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return made, peak / 1e6


def by_rows(run: Run, frame: pd.DataFrame) -> Table:
    """Seconds and memory of a step against rows, in each way of multiplying with P."""
    table = []
    for way, sizes in SIZES.items():
        for rows in sizes[:2] if run.quick else sizes:
            run.say(f"{way}, {rows:,} rows")
            matrices, codes = problem_of(release_of(frame, rows, COLUMNS))
            weighed(matrices, codes[:500], way, 1)  # compile
            (ready, step), memory = held(partial(weighed, matrices, codes, way, STEPS))
            table.append([way, rows, ready, step, memory])
    return Table(["way", "rows", "set-up, s", "a step, s", "memory, MB"], table, FORMATS)


def by_ways(run: Run, frame: pd.DataFrame) -> Table:
    """How far the two ways that one may choose between agree: their weights, and a model fitted with them."""
    rows = 4_000 if run.quick else RELEASED
    data = frame[COLUMNS].assign(target=frame["income"].str.contains(">"))
    order = np.random.default_rng(0).permutation(len(data))
    test = data.iloc[order[rows:]]
    release = tk.anonymize(data.iloc[order[:rows]], schema(frame, COLUMNS), tk.PkPerturbation(k=3, tells="all"), seed=1)
    weights = {}
    for way in ("dense", "structured"):
        run.say(f"{way}, {rows:,} rows")
        weights[way] = tk.DensityRatio(operator=way, random_state=0).fit(release).weights_
    dense, structured = (auc(release.frame, test, each) for each in weights.values())
    alike = float(np.corrcoef(*weights.values())[0, 1])
    return Table(
        ["rows", "correlation of the weights", "AUC, dense", "AUC, structured"],
        [[rows, alike, dense, structured]],
        {"correlation of the weights": ".4f", "AUC, dense": ".4f", "AUC, structured": ".4f"},
    )


def by_columns(run: Run, frame: pd.DataFrame) -> Table:
    """Seconds and memory of a step against columns: the joint table grows with every column, the rows do not."""
    table = []
    rows = 4_000 if run.quick else RELEASED
    for count in range(1, len(LABELS) + 1 - 2 * run.quick):
        run.say(f"{count} columns")
        release = release_of(frame, rows, LABELS[:count])
        cells = int(np.prod([release.schema[name].domain.size for name in LABELS[:count]]))
        model = tk.IterativeBayes(LABELS[:count], max_iter=MOST, tol=1e-9)
        begun = time.process_time()
        _, memory = held(partial(model.fit, release))
        step = (time.process_time() - begun) / model.n_iter_
        table.append(["iterative Bayes", count, cells, step, memory])
        matrices, codes = problem_of(release)
        for way in ("dense", "structured"):
            weighed(matrices, codes[:500], way, 1)
            (_, step), memory = held(partial(weighed, matrices, codes, way, STEPS))
            table.append([f"density ratio, {way}", count, cells, step, memory])
    order = sorted(table, key=lambda row: (row[0] != "iterative Bayes", row[0], row[1]))
    return Table(["what", "columns", "cells of the joint table", "a step, s", "memory, MB"], order, FORMATS)


def chart(table: Table) -> Any:
    """Draw seconds and memory of a step, side by side, in units that are said above each."""
    across = table.columns[1]
    units = {"a step, s": "CPU seconds of a step", "memory, MB": "memory, MB"}
    points = [
        {"line": row[0], across: row[1], "value": max(row[list(table.columns).index(name)], 1e-5), "panel": says}
        for name, says in units.items()
        for row in table.rows
    ]
    return plots.curves(
        points, x=across, y="value", panel="panel", log_x=across == "rows", log_y=True, own_y=True, y_title=" "
    )
