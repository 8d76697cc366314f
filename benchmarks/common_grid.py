"""Adult, ten columns, on a common grid of up to twelve values each: what releases of any domain are judged by.

Rows of another domain are brought to the grid first. "2-D" is the mean total variation distance over all 45 tables of two columns; "AUC" that of a
logistic regression for income, fitted to the released rows and used on true ones.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

import tokumei as tk
from benchmarks.ten_columns import COLUMNS, PILOT, RELEASED, adult

CUTS = {
    "age": [21, 25, 29, 33, 37, 41, 45, 49, 54, 60, 67],
    "education-num": [5, 7, 8, 9, 10, 11, 12, 13, 14],
    "capital-gain": [0, 3000, 5000, 7500, 15000],
    "capital-loss": [0, 1600, 1900, 2200],
    "hours-per-week": [19, 29, 34, 39, 40, 45, 50, 60],
}  # a value belongs to the first cut that is not below it
MERGED = {"Armed-Forces": "Protective-serv", "Priv-house-serv": "Other-service", "Farming-fishing": "Handlers-cleaners"}


class CommonGrid:
    """The rows of Adult, and the grid."""

    def __init__(self) -> None:
        frame = adult()
        self.frame = frame[COLUMNS].assign(target=frame["income"].str.contains(">"))
        self.labels = {c: sorted(self.frame[c].replace(MERGED).unique()) for c in COLUMNS if c not in CUTS}
        self.sizes = [len(CUTS[c]) + 1 if c in CUTS else len(self.labels[c]) for c in COLUMNS]
        self.codes = self.to_grid(self.frame)

    def to_grid(self, rows: pd.DataFrame) -> Any:
        """Return the places of rows on the grid, and the target last."""

        def places(name: str) -> Any:
            if name in CUTS:
                return np.searchsorted(CUTS[name], rows[name].to_numpy(dtype=float), side="left")
            return pd.Index(self.labels[name]).get_indexer(rows[name].replace(MERGED))

        found = np.column_stack([*map(places, COLUMNS), rows["target"].to_numpy(dtype=int)])
        assert (found >= 0).all()
        return found

    def split(self, seed: int) -> tuple[Any, Any]:
        """Return the rows to release and those to test models on; the pilot's rows are neither."""
        order = np.random.default_rng(seed).permutation(len(self.frame))
        return order[:RELEASED], order[RELEASED + PILOT :]

    def schema(self) -> tk.Schema:
        """Describe rows that are on the grid already: their places, numbers and age in their order."""
        attributes = [
            tk.Attribute(
                name, domain=tk.Numbers(0, size - 1, step=1) if name in CUTS else tk.Categories(list(range(size)))
            )
            for name, size in zip(COLUMNS, self.sizes, strict=True)
        ]
        return tk.Schema([*attributes, tk.Attribute("target", "sensitive", tk.Categories([0, 1]))])

    def rows(self, which: Any) -> pd.DataFrame:
        """Return rows on the grid."""
        return pd.DataFrame(self.codes[which], columns=[*COLUMNS, "target"])

    def two_way_error(self, true: Any, released: Any) -> float:
        """Return the mean total variation distance over all tables of two columns."""
        return self.error(true, released, together=2)

    def error(self, true: Any, released: Any, together: int) -> float:
        """Return the mean total variation distance over all tables of so many columns."""

        def table(codes: Any, which: tuple[int, ...]) -> Any:
            shape = tuple(self.sizes[at] for at in which)
            places = np.ravel_multi_index(tuple(codes[:, at] for at in which), shape)
            return np.bincount(places, minlength=math.prod(shape)) / len(codes)

        tables = itertools.combinations(range(len(COLUMNS)), together)
        return float(np.mean([0.5 * np.abs(table(true, which) - table(released, which)).sum() for which in tables]))

    def auc(self, train: Any, test: Any, weights: Any = None) -> float:
        """Fit a logistic regression to places on the grid, one column for each, and test it on others."""

        def features(codes: Any) -> Any:
            starts = np.cumsum([0, *self.sizes[:-1]])
            count, width = len(codes), len(COLUMNS)
            where = (codes[:, :width] + starts).ravel()
            return sparse.csr_matrix((np.ones(count * width), where, np.arange(count + 1) * width), shape=(count, sum(self.sizes)))  # fmt: skip

        model = LogisticRegression(max_iter=300).fit(features(train), train[:, -1], sample_weight=weights)
        return float(roc_auc_score(test[:, -1], model.decision_function(features(test))))

    def boosted_auc(self, train: Any, test: Any, weights: Any = None, **settings: Any) -> float:
        """Fit gradient boosting to places on the grid, labels as categories and numbers in their order, and test it on others.

        It stops after a fixed number of trees: rows held out of several copies would be those of the same people.
        """
        width = len(COLUMNS)
        model = HistGradientBoostingClassifier(
            categorical_features=[name not in CUTS for name in COLUMNS],
            early_stopping=False,
            random_state=0,
            **settings,
        )
        model.fit(train[:, :width], train[:, -1], sample_weight=weights)
        return float(roc_auc_score(test[:, -1], model.decision_function(test[:, :width])))
