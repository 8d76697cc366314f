"""The reconstruction that the paper on density ratios proposes, in both readings of its widths, beside other models of the same weights.

Parts of `python -m benchmarks.papers.density_ratio`: weights, models and points. Rows, releases and the judge are those of the part auc.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import r2_score, roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import LinearSVC

import tokumei as tk
from benchmarks import stored
from benchmarks.papers.density_ratio_rows import Rows, product_of_columns, whole
from benchmarks.papers.program import Run
from benchmarks.stored import Table
from benchmarks.ten_columns import NUMBERS, adult, auc, schema
from tokumei import plots
from tokumei.reconstruction import _support

KS, ENDS = (3, 5, 10, 50), (3, 50)
STANDARD_WIDTH = (
    1.46  # sigma^2 = 1000 for ten columns as 117 standardised ones, in units of the usual distance of two rows
)
PERTURBED = "perturbed rows as they are"
RAW = "kernel weights, σ² = 1000, raw numbers"
STANDARD = "kernel weights, σ² = 1000, standardized"
LINEAR, CHOSEN = "linear weights", "kernel weights, width by held-back rows"
STEPS, LIKELIEST = f"{RAW}, 50 published steps", f"{RAW}, no smoothing"
FREE, PRODUCT = "free weights", "free weights, support drawn from the product"
FIGURE_1 = (
    "original rows",
    PERTURBED,
    RAW,
    STANDARD,
    "generalized, one level a column",
    "generalized, up to a fifth of the rows deleted",
    "rows deleted, cells as they are",
)
# Each with the k and the number of seeds it is measured at: what takes long, at fewer.
WEIGHTS: Mapping[str, tuple[tuple[int, ...], int, Callable[[], tk.DensityRatio]]] = {
    RAW: (KS, 2, lambda: tk.DensityRatio("kernel", sigma2=1000)),
    STANDARD: (ENDS, 2, lambda: tk.DensityRatio("kernel", bandwidth=STANDARD_WIDTH)),
    LINEAR: (KS, 2, lambda: tk.DensityRatio("linear")),
    FREE: (ENDS, 2, lambda: tk.DensityRatio("free")),
    CHOSEN: (ENDS, 2, lambda: tk.DensityRatio("kernel")),
    PRODUCT: (ENDS, 2, lambda: tk.DensityRatio("free", "product")),
    STEPS: (ENDS, 2, lambda: tk.DensityRatio("kernel", sigma2=1000, solver="gradient", max_iter=50)),
    LIKELIEST: (ENDS, 2, lambda: tk.DensityRatio("kernel", sigma2=1000, smoothing=0, max_iter=100)),
}
FITTED = {
    "steps": ",.0f",
    "within of the best log-likelihood": ",.1f",
    "effective rows": ",.0f",
    "width": ".3g",
    "CPU, s": ",.0f",
}


def income_by_weights(run: Run, frame: pd.DataFrame, ks: tuple[int, ...]) -> dict[str, Table]:
    """Return AUC and gains by method and k, and how the fits of the first seed went."""
    data, columns = whole(frame)
    found, fits = [], []
    for seed in run.seeds:
        rows = Rows(data, seed, 4_000 if run.quick else None)
        for k in ks:
            release = tk.anonymize(rows.train, schema(frame, columns), tk.PkPerturbation(k=k, tells="all"), seed=seed)
            plain = auc(release.frame, rows.test)
            found.append((PERTURBED, k, seed, plain, 0.0))
            for name, (there, seeds, make) in WEIGHTS.items():
                if k not in there or seed >= seeds:
                    continue
                begun = time.process_time()
                made = make().fit(release)
                taken = time.process_time() - begun
                area = auc(made.support_, rows.test, made.weights_)
                found.append((name, k, seed, area, area - plain))
                run.say(f"seed {seed}, k = {k}, {name}: {area:.4f}, {area - plain:+.4f}")
                if seed == run.seeds[0]:
                    kish = float(made.weights_.sum() ** 2 / np.sum(made.weights_**2))
                    fits.append([name, k, made.n_iter_, made.gap_, kish, made.bandwidth_, taken])
    return {**gains(found), "fits": Table(["what", "k", *FITTED], fits, FITTED)}


def chart(tables: Mapping[str, Table]) -> dict[str, Any]:
    """Figure 1 of the paper, from what is stored: rows as they are, perturbed, weighed, generalized and deleted."""
    others = stored.read("density_ratio_auc")[1]["methods"]
    points = [
        {"line": name, "k": int(column.removeprefix("k = ")), "AUC": value}
        for table in (others, tables["methods"])
        for name, *values in table.rows
        if name in FIGURE_1 and (name != PERTURBED or table is not others)
        for column, value in zip(table.columns[1:], values, strict=True)
        if column.startswith("k = ") and value is not None
    ]
    return {"figure_1": plots.curves(points, x="k", y="AUC", log_x=True, y_title="mean AUC on true rows")}


def gains(found: list[tuple[str, int, int, float, float]]) -> dict[str, Table]:
    """Sum up: the AUC by k, and all of it with errors and gains within seeds; one seed has no error."""
    every = pd.DataFrame(found, columns=["what", "k", "seed", "AUC", "gain"])
    made = every.groupby(["what", "k"], sort=False)[["AUC", "gain"]].agg(["mean", "sem", "count"])
    table = [
        [what, int(k), float(row["AUC", "mean"]), _error(row["AUC", "sem"]), float(row["gain", "mean"]),
         _error(row["gain", "sem"]), int(row["gain", "count"])]
        for (what, k), row in made.iterrows()
    ]  # fmt: skip
    names, ks = list(dict.fromkeys(every["what"])), sorted(set(every["k"]))
    means = {(row[0], row[1]): row[2] for row in table}
    digits = {"AUC": ".4f", "±": ".4f", "gain": "+.4f", "± of gain": ".4f"}
    return {
        "methods": Table(
            ["AUC", *(f"k = {k}" for k in ks)], [[name, *(means.get((name, k)) for k in ks)] for name in names]
        ),
        "gains": Table(["what", "k", *digits, "seeds"], table, digits),
    }


def _error(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def learners() -> dict[str, tuple[Any, str]]:
    """Models that take weights, and how each is judged."""
    return {
        "logistic regression": (LogisticRegression(max_iter=1000), "AUC"),
        "linear SVC": (LinearSVC(), "AUC"),
        "ridge regression of the hours": (Ridge(), "R²"),
    }


def by_models(run: Run, frame: pd.DataFrame, k: int = ENDS[0]) -> Table:
    """What weights do for other models than logistic regression: section 4 of the paper."""
    data, columns = whole(frame)
    found = []
    for seed in run.seeds:
        rows = Rows(data, seed, 4_000 if run.quick else None)
        release = tk.anonymize(rows.train, schema(frame, columns), tk.PkPerturbation(k=k, tells="all"), seed=seed)
        weights = WEIGHTS[RAW][2]().fit(release).weights_
        for name, (model, judged) in learners().items():
            run.say(f"seed {seed}, {name}")
            scores = [judge(model, judged, release.frame, rows.test, each) for each in (None, weights)]
            found.append((name, judged, scores[0], scores[1], scores[1] - scores[0]))
    frame_ = pd.DataFrame(found, columns=["model", "judged by", "unweighted", "weighted", "gain"])
    made = frame_.groupby(["model", "judged by"], sort=False)
    rows_ = [
        [*key, float(each["unweighted"].mean()), float(each["weighted"].mean()), float(each["gain"].mean()), float(each["gain"].sem())]
        for key, each in made
    ]  # fmt: skip
    return Table(["model", "judged by", "unweighted", "weighted", "gain", "± of gain"], rows_, {"gain": "+.3f"})


def judge(model: Any, by: str, train: pd.DataFrame, test: pd.DataFrame, weights: Any) -> float:
    target = "target" if by == "AUC" else "hours-per-week"
    columns = [name for name in train.columns if name not in {target, "target"}]
    numeric = [name for name in columns if name in NUMBERS]
    others = [name for name in columns if name not in NUMBERS]
    features = make_column_transformer((StandardScaler(), numeric), (OneHotEncoder(handle_unknown="ignore"), others))
    pipe = make_pipeline(features, model)
    pipe.fit(train[columns], train[target], **{f"{pipe.steps[-1][0]}__sample_weight": weights})
    if by == "AUC":
        return float(roc_auc_score(test[target], pipe.decision_function(test[columns])))
    return float(r2_score(test[target], pipe.predict(test[columns])))


@contextmanager
def points(count: int) -> Any:
    """Look at numbers at this many points while weights are found."""
    before = _support.FINE
    _support.FINE = count
    try:
        yield
    finally:
        _support.FINE = before


def by_points(run: Run) -> Table:
    """Whether discretising numbers costs accuracy: columns of numbers in few bins and in many."""
    frame = adult()
    data, columns = whole(frame)
    found = []
    for seed in run.seeds:
        rows = Rows(data, seed, 4_000 if run.quick else None)
        for k in ENDS:
            release = tk.anonymize(rows.train, schema(frame, columns), tk.PkPerturbation(k=k, tells="all"), seed=seed)
            for bins in (2, 4, 16, 64, 256):
                run.say(f"seed {seed}, k = {k}, {bins} bins")
                with points(bins):
                    weights = tk.DensityRatio("free").fit(release).weights_
                found.append(("free weights", bins, k, seed, auc(release.frame, rows.test, weights)))
                area = product_of_columns(release, rows.test, bins=bins)
                found.append(("iterative Bayes, one column at a time", bins, k, seed, area))
    made = pd.DataFrame(found, columns=["what", "bins", "k", "seed", "auc"])
    means = made.pivot_table(index=["what", "bins"], columns="k", values="auc", sort=False)
    wide = made.pivot_table(index=["k", "seed"], columns=["what", "bins"], values="auc")
    table = []
    for what, bins in means.index:
        lost = wide[(what, 256)] - wide[(what, bins)]
        table.append([what, int(bins), *map(float, means.loc[(what, bins)]), float(lost.mean()), float(lost.sem())])
    heads = ["what", "bins", *(f"AUC, k = {k}" for k in ENDS), "gain of 256 bins", "±"]
    return Table(heads, table, {"gain of 256 bins": "+.4f", "±": ".4f"})
