"""Table 1 of the paper on density ratios, measured: the set-up, a step, and what a step has to hold, against rows and against columns.

Parts of `python -m benchmarks.papers.density_ratio`: table and large. P is stored, as in the paper, and a step is one product with it or with what was made of
it and one with the transpose. Columns are Adult's, perturbed by an even split at k = 3. Seconds are of CPU time on one thread; those of a step are
the least of five.
"""

from __future__ import annotations

import time
from functools import partial
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

import tokumei as tk
from benchmarks.papers.density_ratio_cost import LABELS, held, release_of
from benchmarks.papers.density_ratio_rows import whole
from benchmarks.papers.program import Run, Tables
from benchmarks.stored import Table
from benchmarks.ten_columns import COLUMNS, RELEASED, adult, auc, schema
from tokumei import plots
from tokumei.reconstruction import _ratio
from tokumei.reconstruction._arrays import arrays
from tokumei.reconstruction._bumps import Ordered
from tokumei.reconstruction._em import maximise
from tokumei.reconstruction._products import product
from tokumei.reconstruction._ratio import Choices
from tokumei.reconstruction._support import Problem
from tokumei.reconstruction._views import shares_of

SIZES, WIDTHS, STEPS = (2_000, 4_000, 8_000, RELEASED), (4, 6, 8, 10), 5
MOST_KERNEL = 100_000
WIDE = 1e8  # every pair counts, so that K is stored whole, as in the paper
KERNEL, LINEAR, BAYES = "kernel", "linear", "iterative Bayes"
HEADS = ["what", "grows", "rows", "columns", "features", "set-up, s", "a step, s", "a step holds, MB"]
LARGE = {"set-up, s": ".1f", "a step, s": ".3f", "a step through P, s": ".3f", "a step holds, MB": ",.0f"}


def problem_of(release: tk.Release, model: Any) -> Problem:
    """Return the likelihood of a model's weights on all columns."""
    codes = {a.name: release.coded.codes(a.name).astype(np.int64) for a in release.schema}
    model._schema, model._scales = release.schema, {}
    return Problem.of(release, release.schema, codes, codes, shares_of(release, None), model._design(codes))


def weighed(release: tk.Release, name: str, way: Any = "dense") -> tuple[float, float, float, int]:
    """Return the seconds of setting up and of a step, what a step holds in MB, and how many coefficients there are."""
    model = tk.DensityRatio("kernel", sigma2=WIDE) if name == KERNEL else tk.DensityRatio("linear")
    problem, where = problem_of(release, model), arrays("numpy")
    begun = time.process_time()
    made = product(problem.matrices, problem.true, problem.released, way, where)
    if name == KERNEL:
        choices = Choices("kernel", None, WIDE, 0.0, None)
        through = _ratio._kernel(problem, choices, made, where, np.random.default_rng(0))
        holds = 4 * (len(problem.true) * len(problem.released) + len(problem.true) ** 2)  # P and K, in single floats
    else:
        through = _ratio._linear(problem, made, where)
        holds = 4 * (len(problem.true) + len(problem.released)) * int(through.used.sum())  # Y, and P Y
    ready = time.process_time() - begun
    shares, taken = through.means / through.means.sum(), []
    at_once = 1 if name == KERNEL else 40  # a step of the linear model is too short to be timed by itself
    for _ in range(STEPS):
        begun = time.process_time()
        for _ in range(at_once):
            gradient = through.backward(problem.counts / through.forward(shares / through.means)) / through.means
            shares = shares * gradient / problem.counts.sum()
        taken.append((time.process_time() - begun) / at_once)
    return ready, min(taken), holds / 1e6, len(shares)


def bayes(release: tk.Release, columns: list[str]) -> tuple[float, float, int]:
    """Return the seconds of a step, what it held in MB, and the cells of the joint table."""
    cells = int(np.prod([release.schema[name].domain.size for name in columns]))
    model = tk.IterativeBayes(columns, max_iter=STEPS, tol=1e-9)
    begun = time.process_time()
    _, memory = held(partial(model.fit, release))
    return (time.process_time() - begun) / max(model.n_iter_, 1), memory, cells


def table_1(run: Run) -> Tables:
    with threadpool_limits(1):  # threads that wait for each other would count as work
        return measured(run)


def measured(run: Run) -> Tables:
    frame, table = adult(), []
    sizes, widths = (SIZES[:2], WIDTHS[:2]) if run.quick else (SIZES, WIDTHS)
    for name in (KERNEL, LINEAR):
        weighed(release_of(frame, 300, COLUMNS), name)  # compile
        for rows in sizes:
            run.say(f"{name}, {rows:,} rows")
            ready, step, holds, features = weighed(release_of(frame, rows, COLUMNS), name)
            table.append([name, "rows", rows, len(COLUMNS), features, ready, step, holds])
        for count in widths:
            run.say(f"{name}, {count} columns")
            ready, step, holds, features = weighed(release_of(frame, 2_000, COLUMNS[:count]), name)
            table.append([name, "columns", 2_000, count, features, ready, step, holds])
    for rows in sizes:
        run.say(f"{BAYES}, {rows:,} rows")
        step, holds, cells = bayes(release_of(frame, rows, LABELS[:6]), LABELS[:6])
        table.append([BAYES, "rows", rows, 6, cells, None, step, holds])
    for count in range(1, len(LABELS) + 1 - run.quick):
        run.say(f"{BAYES}, {count} columns")
        step, holds, cells = bayes(release_of(frame, 2_000, LABELS[:count]), LABELS[:count])
        table.append([BAYES, "columns", 2_000, count, cells, None, step, holds])
    made = Table(HEADS, table, {"set-up, s": ".3f", "a step, s": ".5f", "a step holds, MB": ",.1f"})
    return {"measured": made, "powers": powers(made)}


def powers(table: Table) -> Table:
    """By which power of the rows, or of the columns, each grew between the smallest and the largest."""
    found = []
    for name in (KERNEL, LINEAR, BAYES):
        line: list[Any] = [name]
        for grows, column in (("rows", "rows"), ("columns", "columns")):
            rows = [row for row in table.rows if row[0] == name and row[1] == grows]
            first, last = rows[0], rows[-1]
            at = HEADS.index(column)
            line += [_power(last[at] / first[at], last[cell], first[cell]) for cell in (5, 6, 7)]
        found.append(line)
    heads = ["what", *(f"{what}, by {grows}" for grows in ("rows", "columns") for what in ("set-up", "step", "held"))]
    return Table(heads, found, dict.fromkeys(heads[1:], ".2f"))


def _power(times: float, last: float | None, first: float | None) -> float | None:
    return None if last is None or first is None else float(np.log(max(last, 1e-9) / max(first, 1e-9)) / np.log(times))


def chart(tables: Tables) -> dict[str, Any]:
    """Seconds of a step against rows, and against columns."""
    made = {}
    for grows, at in (("rows", 2), ("columns", 3)):
        points = [{"line": row[0], grows: row[at], "s": row[6]} for row in tables["measured"].rows if row[1] == grows]
        made[f"by_{grows}"] = plots.curves(
            points, x=grows, y="s", log_x=grows == "rows", log_y=True, y_title="CPU seconds of a step"
        )
    return made


def large(run: Run) -> Tables:
    with threadpool_limits(1):
        return on_many(run)


def on_many(run: Run) -> Tables:
    """The paper's future work: the linear model on many rows, Adult's drawn with replacement from the half that is not tested on; and kernels."""
    frame = adult()
    data, columns = whole(frame)
    order = np.random.default_rng(0).permutation(len(data))
    half, test = data.iloc[order[: len(data) // 2]], data.iloc[order[len(data) // 2 :]]
    described, cost, gains, kernels = schema(frame, columns), [], [], []
    for rows in (2_000, 4_000) if run.quick else (100_000, 1_000_000):
        drawn = half.iloc[np.random.default_rng(1).integers(0, len(half), rows)].reset_index(drop=True)
        release = tk.anonymize(drawn, described, tk.PkPerturbation(k=3, tells="all"), seed=1)
        run.say(f"{rows:,} rows")
        found, weights, steps = linear_on_many(release, "dense" if run.quick else "structured")
        cost.append([rows, *found])
        run.say(f"{rows:,} rows, AUC")
        plain, better = auc(release.frame, test), auc(release.frame, test, weights)
        gains.append([LINEAR, rows, plain, better, better - plain, steps])
        if rows <= MOST_KERNEL:
            run.say(f"{rows:,} rows, kernels")
            began = time.process_time()
            model = tk.DensityRatio("kernel", sigma2=1000).fit(release)
            taken = time.process_time() - began
            better = auc(release.frame, test, model.weights_)
            gains.append([f"{KERNEL}, σ² = 1000, every row", rows, plain, better, better - plain, model.n_iter_])
            near = Ordered.of(*[problem_of(release, model).design] * 2, 1000.0)
            kernels.append([rows, rows**2, near.near(), 8 * near.near() / 1e6, taken])
    return {
        "cost": Table(["rows", "features", *LARGE], cost, LARGE),
        "auc": Table(
            ["weights", "rows", "perturbed rows as they are", "weighed", "gain", "steps"],
            gains,
            {"perturbed rows as they are": ".4f", "weighed": ".4f", "gain": "+.4f"},
        ),
        "kernels": Table(
            ["rows", "pairs", "pairs that count", "stored, MB", "the whole fit, CPU s"],
            kernels,
            {"pairs that count": ",.0f", "stored, MB": ",.0f", "the whole fit, CPU s": ",.0f"},
        ),
    }


def linear_on_many(release: tk.Release, way: Any) -> tuple[list[Any], Any, int]:
    """Return the costs and the weights of the linear model, as `DensityRatio("linear")` finds them."""
    problem, where = problem_of(release, tk.DensityRatio("linear")), arrays("numpy")
    begun = time.process_time()
    made = product(problem.matrices, problem.true, problem.released, way, where)
    model = _ratio._linear(problem, made, where)
    ready = time.process_time() - begun
    begun = time.process_time()
    made.backward(problem.counts / made.forward(problem.base))
    through = time.process_time() - begun
    begun = time.process_time()
    model.backward(problem.counts / model.forward(np.ones_like(model.means)))
    step = time.process_time() - begun
    fit = maximise(
        problem.counts,
        lambda shares: model.forward(shares / model.means),
        lambda ratio: model.backward(ratio) / model.means,
        model.means,
        1.0,
        300,
        entropy=0.02,
        exact=False,
    )
    weights = model.weights(fit.estimate / model.means)[problem.place]
    holds = 4 * (len(problem.true) + len(problem.released)) * int(model.used.sum()) / 1e6
    return [int(model.used.sum()), ready, step, through, holds], weights / weights.mean(), fit.steps
