"""Perturbing after decorrelation, which the paper on density ratios cites (Banno, "Correlation preserving Pk-anonymization", SCIS 2015).

Part of `python -m benchmarks.papers.density_ratio`: decorrelated. Adult's five numbers are released as they are, or as their principal
components; the budget is split evenly in both cases. Each column is reconstructed by itself, as if columns were independent, which
components are only if they are normally distributed. Components and their ranges are taken from all rows, which favours them: a data holder
would have to publish them.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import tokumei as tk
from benchmarks.papers.density_ratio_rows import Rows, product_of_columns
from benchmarks.papers.program import Run, Tables
from benchmarks.stored import Table
from benchmarks.ten_columns import adult

NUMBERS = ["age", "education-num", "capital-gain", "capital-loss", "hours-per-week"]
POINTS = 400
ENDS = (3, 50)


def components(cells: np.ndarray) -> np.ndarray:
    """Return the principal components of standardised columns."""
    standard = (cells - cells.mean(axis=0)) / cells.std(axis=0)
    _, vectors = np.linalg.eigh(np.cov(standard, rowvar=False))
    return np.asarray(standard @ vectors[:, ::-1])


def on_grids(cells: np.ndarray, target: pd.Series, name: str) -> tuple[pd.DataFrame, tk.Schema]:
    """Put every column on a grid of the same number of points between its least and its largest value."""
    low, high = cells.min(axis=0), cells.max(axis=0)
    places = np.rint((cells - low) / (high - low) * POINTS).astype(int)
    columns = [f"{name} {at}" for at in range(cells.shape[1])]
    frame = pd.DataFrame(places, columns=columns).assign(target=target.to_numpy())
    attributes = [tk.Attribute(each, domain=tk.Numbers(0, POINTS, step=1)) for each in columns]
    return frame, tk.Schema([*attributes, tk.Attribute("target", "sensitive", tk.Categories([False, True]))])


def decorrelated(run: Run) -> Tables:
    frame = adult()
    target, cells = frame["income"].str.contains(">"), frame[NUMBERS].to_numpy(dtype=float)
    tables = {"columns as they are": on_grids(cells, target, "column"), "principal components": on_grids(components(cells), target, "component")}  # fmt: skip
    found = []
    for name, (data, schema) in tables.items():
        for seed in run.seeds:
            rows = Rows(data, seed, 4_000 if run.quick else None)
            original = judged(rows.train, rows.test)
            for k in ENDS:
                run.say(f"{name}, seed {seed}, k = {k}")
                release = tk.anonymize(rows.train, schema, tk.PkPerturbation(k=k, tells="all"), seed=seed)
                areas = judged(release.frame, rows.test), product_of_columns(release, rows.test, steps=100)
                found.append((name, k, seed, original, *areas))
    heads = ["released", "k", "seed", "original rows", "perturbed rows as they are", "each column reconstructed"]
    every = pd.DataFrame(found, columns=heads)
    means = every.groupby(["released", "k"], sort=False)[heads[3:]].mean()
    errors = every.groupby(["released", "k"], sort=False)[heads[3:]].sem().max(axis=1)
    table = [[name, int(k), *map(float, means.loc[(name, k)]), float(errors.loc[(name, k)])] for name, k in means.index]
    return {"auc": Table(["released", "k", *heads[3:], "± at most"], table), "gain": within(every)}


def within(every: pd.DataFrame) -> Table:
    """How much better components are reconstructed than columns, within seeds."""
    wide = every.pivot_table(index=["k", "seed"], columns="released", values="each column reconstructed")
    gains = (wide["principal components"] - wide["columns as they are"]).groupby("k")
    table = [[int(k), float(each.mean()), float(each.sem())] for k, each in gains]
    return Table(["k", "gain of components", "±"], table, {"gain of components": "+.3f"})


def judged(train: pd.DataFrame, test: pd.DataFrame) -> float:
    """The AUC of a logistic regression on numbers."""
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    model.fit(train.drop(columns="target"), train["target"])
    return float(roc_auc_score(test["target"], model.decision_function(test.drop(columns="target"))))
