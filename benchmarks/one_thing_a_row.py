"""Rows that tell one thing each, with the whole budget: how far tables of two columns are off, and what a model is worth.

    TOKUMEI_DATA=folder-with-adult.csv python -m benchmarks.one_thing_a_row [seeds]

Adult, 16,281 rows and ten columns on a common grid of at most 12 values each, income kept; 200,000 rows of the example census,
seven columns. Error: the mean, over all pairs of columns, of the total variation distance between the table that
`tk.reconstruct` gives and that of the same original rows. AUC: of ``tk.reconstruct(release, target="income")`` on the original
rows that were not released. Means over seeds, with standard errors. The settings of the model (imagined rows, starts, classes
that each have one value of the target) were picked on Adult with seeds 0 to 3, so that these are not used here.
"""

from __future__ import annotations

import itertools
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score

import tokumei as tk
from benchmarks.stored import Table, store
from benchmarks.ten_columns import COLUMNS, RELEASED, adult

TARGET = "income"
CENSUS_ROWS = 200_000
FIRST = 100  # seed
CUTS: dict[str, Sequence[int]] = {
    "age": (21, 25, 29, 33, 37, 41, 45, 49, 54, 60, 67),
    "education-num": (5, 7, 8, 9, 10, 11, 12, 13, 14),
    "capital-gain": (0, 3000, 5000, 7500, 15000),
    "capital-loss": (0, 1600, 1900, 2200),
    "hours-per-week": (19, 29, 34, 39, 40, 45, 50, 60),
}
MERGED = {
    "Armed-Forces": "Protective-serv",
    "Priv-house-serv": "Other-service",
    "Farming-fishing": "Handlers-cleaners",
}
GROUPS: dict[str, dict[str, list[str]]] = {
    "workclass": {
        "own": ["Self-emp-inc", "Self-emp-not-inc"],
        "government": ["Federal-gov", "Local-gov", "State-gov"],
        "private": ["Private"],
        "none": ["?", "Never-worked", "Without-pay"],
    },
    "marital-status": {
        "married": ["Married-civ-spouse", "Married-AF-spouse"],
        "never": ["Never-married"],
        "apart": ["Divorced", "Separated", "Married-spouse-absent"],
        "widowed": ["Widowed"],
    },
    "occupation": {
        "professions": ["Exec-managerial", "Prof-specialty"],
        "office": ["Adm-clerical", "Sales", "Tech-support"],
        "manual": ["Craft-repair", "Machine-op-inspct", "Transport-moving", "Handlers-cleaners"],
        "other": ["Other-service", "Protective-serv", "?"],
    },
    "relationship": {
        "husband": ["Husband"],
        "wife": ["Wife"],
        "child or relative": ["Own-child", "Other-relative"],
        "none": ["Not-in-family", "Unmarried"],
    },
}
# Every method that is compared: its name, and what makes it for a k.
METHODS: list[tuple[str, Callable[[int], Any]]] = [
    ("one column per row", lambda k: tk.PkPerturbation(k=k, tells=1)),
    ("one pair per row", lambda k: tk.PkPerturbation(k=k, tells=2)),
    (
        "half three coarse columns, half one",
        lambda k: tk.PkPerturbation(k=k, tells=[tk.tells.Subsets(3, cells=4), tk.tells.Subsets(1)]),
    ),
    ("auto", lambda k: tk.PkPerturbation(k=k, tells="auto")),
    ("auto, for income", lambda k: tk.PkPerturbation(k=k, tells=tk.tells.Auto(target=TARGET))),
]
HEADS = ["table", "method", "k", "2-D error", "± ", "AUC", "±", "CPU seconds"]


def adult_on_grid() -> tuple[pd.DataFrame, tk.Schema]:
    """Return Adult with at most 12 values per column, and its schema: numbers as ordered labels, coarser groups declared."""
    frame = adult()
    rows = {}
    attributes = []
    for name in COLUMNS:
        if name in CUTS:
            rows[name] = np.searchsorted(CUTS[name], frame[name].to_numpy(dtype=float), side="left")
            domain, hierarchy = tk.Categories(range(len(CUTS[name]) + 1), ordered=True), None
        else:
            labels = frame[name].replace(MERGED)
            rows[name] = labels.to_numpy()
            domain = tk.Categories(sorted(labels.unique()))
            hierarchy = tk.Hierarchy.groups(GROUPS[name]) if name in GROUPS else None
        attributes.append(tk.Attribute(name, domain=domain, hierarchy=hierarchy))
    rows[TARGET] = frame["income"].str.contains(">").to_numpy()
    attributes.append(tk.Attribute(TARGET, "sensitive", tk.Categories([False, True])))
    return pd.DataFrame(rows), tk.Schema(attributes)


def census_on_grid(seed: int) -> tuple[pd.DataFrame, tk.Schema]:
    """Return the example census with numbers in tenths and at most 12 labels per column."""
    frame = tk.example_census(rows=CENSUS_ROWS, random_state=2026 + seed)
    rows, attributes = {}, []
    for name in ("age", "sex", "region", "education", "marital", "occupation", "hours"):
        column = frame[name]
        if pd.api.types.is_numeric_dtype(column):
            edges = np.unique(np.quantile(column, np.arange(1, 10) / 10))
            rows[name] = np.searchsorted(edges, column)
            domain = tk.Categories(range(len(edges) + 1), ordered=True)
        else:
            labels = column.astype(str)
            common = labels.value_counts().index[:11]
            rows[name] = labels.where(labels.isin(common), "other").to_numpy()
            domain = tk.Categories(sorted(set(rows[name])))
        hierarchy = tk.example_schema()[name].hierarchy if name in ("region", "education") else None
        attributes.append(tk.Attribute(name, domain=domain, hierarchy=hierarchy))
    rows[TARGET] = frame["income"].astype(str).isin(["50k to 100k", "over 100k"]).to_numpy()
    attributes.append(tk.Attribute(TARGET, "sensitive", tk.Categories([False, True])))
    return pd.DataFrame(rows), tk.Schema(attributes)


def error(model: Any, rows: pd.DataFrame, schema: tk.Schema) -> float:
    """Return the mean total variation distance over all pairs of columns."""
    names = [name for name in schema.names() if name != TARGET]
    codes = {name: pd.Index(schema[name].domain.values).get_indexer(rows[name]) for name in names}
    found = []
    for one, other in itertools.combinations(names, 2):
        shape = schema[one].domain.size, schema[other].domain.size
        true = np.zeros(shape)
        np.add.at(true, (codes[one], codes[other]), 1 / len(rows))
        found.append(0.5 * np.abs(model.table([one, other]).pmf_ - true).sum())
    return float(np.mean(found))


def tried(rows: pd.DataFrame, others: pd.DataFrame | None, schema: tk.Schema, method: Any, seed: int) -> list[float]:
    """Release some rows; return the error, the AUC on the others, and the CPU time of the model of the whole table."""
    release = tk.anonymize(rows, schema, method, seed=seed)
    start = time.process_time()
    model = tk.reconstruct(release)
    took = time.process_time() - start
    auc = np.nan
    if others is not None:
        auc = roc_auc_score(others[TARGET], model.predict_proba(others.drop(columns=TARGET), TARGET)[:, 1])
    return [error(model, rows, schema), auc, took]


def line(table: str, name: str, k: int, found: list[list[float]]) -> list[Any]:
    """Return a row of the table of results."""
    mean = np.mean(found, axis=0)
    off = np.std(found, axis=0, ddof=1) / len(found) ** 0.5
    auc = (None, None) if np.isnan(mean[1]) else (float(mean[1]), float(off[1]))
    print(table, name, k, np.round(mean, 4), np.round(off, 4), flush=True)
    return [table, name, k, float(mean[0]), float(off[0]), *auc, float(mean[2])]


def main() -> None:
    seeds = range(FIRST, FIRST + (int(sys.argv[1]) if len(sys.argv) > 1 else 4))
    warnings.filterwarnings("ignore")
    frame, schema = adult_on_grid()
    rows = []
    for name, made in METHODS:
        for k in (3, 10, 50):
            found = []
            for seed in seeds:
                order = np.random.default_rng(seed).permutation(len(frame))
                train, test = frame.iloc[order[:RELEASED]], frame.iloc[order[RELEASED + 2000 :]]
                found.append(tried(train.reset_index(drop=True), test, schema, made(k), seed))
            rows.append(line("Adult", name, k, found))
    for name, made in METHODS:
        for k in (3, 10, 50):
            found = [tried(*_census(seed), made(k), seed) for seed in seeds]
            rows.append(line("census", name, k, found))
    formats = {"2-D error": ".4f", "± ": ".4f", "AUC": ".4f", "±": ".4f", "CPU seconds": ".1f"}
    command = "python -m benchmarks.one_thing_a_row"
    store("one_thing_a_row", {"methods": Table(HEADS, rows, formats)}, command=command, seeds=list(seeds))


def _census(seed: int) -> tuple[pd.DataFrame, None, tk.Schema]:
    rows, schema = census_on_grid(seed)
    return rows, None, schema


if __name__ == "__main__":
    main()
