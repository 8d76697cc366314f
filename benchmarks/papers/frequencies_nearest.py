"""The protocol nearest to the paper's text: the whole table is released, and the released rows are split into five folds.

Every k of the paper and all six of its learners, on Adult and on a second table, a survey of marriages that comes with the package
statsmodels (Fair, 6,366 women; eight columns predict whether there was an affair). Trees, groups and rates have then seen the test rows, and test rows
are as coarse as training rows. Learners have their defaults (the logistic regression may take more steps); `tuned` chooses among a few
settings by cross-validation inside the training rows. Different rows are fitted once, with their numbers as weights, except by LightGBM,
which counts rows in its leaves.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import LinearSVC

import tokumei as tk
from benchmarks import five_columns
from benchmarks.papers.program import Run, Tables
from benchmarks.stored import Table

KS = (1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20)
FOLDS, FEWER, SEED = 5, 2, 0
SLOW = ("random forest", "gradient boosting")  # in the first FEWER of the five folds of Adult
LINEAR = ("logistic regression", "linear SVC")
EMPTY, RATES = "leaves, * empty", "rates"


@dataclass(frozen=True)
class Data:
    """A table, its target, and how many groups each level of a column's tree has."""

    name: str
    frame: pd.DataFrame
    target: str
    positive: Any
    levels: Mapping[str, Sequence[int]]

    @property
    def columns(self) -> list[str]:
        """The quasi-identifiers."""
        return list(self.levels)

    def schema(self, rows: pd.DataFrame | None = None) -> tk.Schema:
        """The columns with trees learned from these rows, or from all."""
        rows = self.frame if rows is None else rows
        domains = {name: tk.Categories(sorted(self.frame[name].unique().tolist())) for name in self.frame}
        roles = {name: "quasi_identifier" if name in self.levels else "sensitive" for name in self.frame}
        made = tk.Schema([tk.Attribute(name, roles[name], domain) for name, domain in domains.items()])
        for name, clusters in self.levels.items():
            tree = tk.hierarchies.odds_hierarchy(rows, made[name], self.target, list(clusters))
            made = made.replacing(replace(made[name], hierarchy=tree))
        return made


def adult() -> Data:
    return Data("Adult", five_columns.adult(), five_columns.TARGET, ">50K", five_columns.LEVELS)


def fair() -> Data:
    """Fair's survey of marriages (Redbook, 1974), from the package statsmodels; every column is a label."""
    try:
        from statsmodels.datasets import fair as source
    except ImportError:
        sys.exit("This part needs statsmodels, which brings the table.")
    frame = source.load_pandas().data
    made = frame.drop(columns="affairs").astype(str)
    made["affair"] = np.where(frame["affairs"] > 0, "yes", "no")
    levels = {name: [3] if made[name].nunique() > 4 else [2] for name in made if name != "affair"}
    return Data("Fair", made, "affair", "yes", levels)


def learners() -> dict[str, Any]:
    try:
        import lightgbm
        import xgboost
    except ImportError:
        sys.exit("This part needs XGBoost and LightGBM; pip install 'tokumei[bench]' brings them.")
    return {
        "logistic regression": LogisticRegression(max_iter=2000),
        "linear SVC": LinearSVC(),
        "XGBoost": xgboost.XGBClassifier(n_jobs=1),
        "LightGBM": lightgbm.LGBMClassifier(n_jobs=1, verbose=-1),
        "random forest": RandomForestClassifier(random_state=SEED),
        "gradient boosting": GradientBoostingClassifier(random_state=SEED),
    }


def settings() -> dict[str, list[dict[str, Any]]]:
    """What `tuned` chooses among, the defaults first."""
    return {
        "logistic regression": [{}, {"C": 0.01}, {"C": 0.1}, {"C": 10.0}],
        "linear SVC": [{}, {"C": 0.01}, {"C": 0.1}, {"C": 10.0}],
        "XGBoost": [{}, {"max_depth": 3}, {"max_depth": 3, "learning_rate": 0.1}, {"n_estimators": 30}],
        "LightGBM": [{}, {"num_leaves": 7}, {"num_leaves": 7, "learning_rate": 0.05}, {"n_estimators": 30}],
        "random forest": [{}, {"max_depth": 8}, {"max_depth": 16}, {"max_features": 0.3, "max_depth": 12}],
    }


@dataclass(frozen=True)
class Encoded:
    """A release as learners see it: its different rows encoded, which of them each row is, and the target."""

    features: Any
    which: Any
    target: Any

    @classmethod
    def of(cls, frame: pd.DataFrame, data: Data, encoder: Any) -> Encoded:
        """Encode the rows of a frame."""
        cells = frame[data.columns].astype(str)
        which = cells.groupby(data.columns, sort=False).ngroup().to_numpy()
        first = np.unique(which, return_index=True)[1]
        features = encoder.fit(cells).transform(cells.iloc[first])
        return cls(features, which, (frame[data.target] == data.positive).to_numpy())

    def fitted(self, model: Any, rows: Any) -> Any:
        """Fit a copy of a model to some rows."""
        made, which, target = clone(model), self.which[rows], self.target[rows]
        if type(model).__name__ == "LGBMClassifier":
            return made.fit(self.features[which], target)
        cells, counts = np.unique(2 * which + target, return_counts=True)
        return made.fit(self.features[cells // 2], (cells % 2).astype(bool), sample_weight=counts)

    def accuracy(self, model: Any, rows: Any) -> float:
        """Return how many of some rows a model predicts."""
        return float(np.mean(model.predict(self.features)[self.which[rows]] == self.target[rows]))

    def folds(self) -> list[tuple[Any, Any]]:
        """Split the rows into training and test rows."""
        return list(StratifiedKFold(FOLDS, shuffle=True, random_state=SEED).split(self.which, self.target))


def encodings(data: Data, k: int) -> Iterator[tuple[str, Encoded]]:
    """Encode what is released at a k both ways; of the original rows (k = 1) the two are the same."""
    schema = data.schema()
    if k == 1:
        yield EMPTY, Encoded.of(data.frame, data, tk.encoders.LeafEncoder(schema, star="empty"))
        return
    method = tk.Generalization(k=k, partition=tk.partitions.TopDown(), publish=[tk.rates.ValueRates()])
    release = tk.anonymize(data.frame, schema, method, seed=SEED)
    yield EMPTY, Encoded.of(release.frame, data, tk.encoders.LeafEncoder(release, star="empty"))
    yield RATES, Encoded.of(release.frame, data, tk.encoders.RateEncoder(release))


def scores(run: Run, data: Data) -> pd.DataFrame:
    """Accuracy of every learner and encoder at every k, fold by fold."""
    found = []
    for k in (1, 10) if run.quick else KS:
        for encoder, encoded in encodings(data, k):
            for name, model in learners().items():
                few = run.quick or (name in SLOW and data.name == "Adult")
                for fold, (train, test) in enumerate(encoded.folds()[: FEWER if few else FOLDS]):
                    right = encoded.accuracy(encoded.fitted(model, train), test)
                    found += [(name, each, k, fold, right) for each in ((EMPTY, RATES) if k == 1 else (encoder,))]
                run.say(f"{data.name}, k = {k}, {encoder}, {name}")
    return pd.DataFrame(found, columns=["learner", "encoder", "k", "fold", "accuracy"])


def over_k(found: pd.DataFrame) -> Table:
    """The mean accuracy in percent, a column for each k."""
    ks = sorted(found["k"].unique())
    means = found.groupby(["learner", "encoder", "k"], sort=False)["accuracy"].mean() * 100
    pairs = [(name, encoder) for name in found["learner"].unique() for encoder in (EMPTY, RATES)]
    rows = [[*pair, *(float(means[(*pair, k)]) for k in ks)] for pair in pairs]
    return Table(["learner", "encoder", *(f"k = {k}" for k in ks)], rows, {f"k = {k}": ".2f" for k in ks})


def gains(found: pd.DataFrame) -> Table:
    """By how many points rates do better at k > 1: least, most, mean, and at how many k clearly (two standard errors over folds)."""
    wide = found[found["k"] > 1].pivot_table(
        index=["learner", "k", "fold"], columns="encoder", values="accuracy", sort=False
    )
    rows = []
    for learner, part in wide.groupby(level="learner", sort=False):
        points = (100 * (part[RATES] - part[EMPTY])).groupby(level="k")
        mean, error = points.mean(), points.std() / np.sqrt(points.count())
        clear = [int((mean > 2 * error).sum()), int((mean < -2 * error).sum())]
        rows.append([learner, float(mean.min()), float(mean.max()), float(mean.mean()), len(mean), *clear])
    columns = ["learner", "least", "most", "mean", "k", "better", "worse"]
    return Table(columns, rows, dict.fromkeys(("least", "most", "mean"), "+.2f"))


def nearest(run: Run) -> Tables:
    made = {}
    for data in (fair(),) if run.quick else (fair(), adult()):
        found = scores(run, data)
        made |= {data.name.lower(): over_k(found), f"{data.name.lower()}_gains": gains(found)}
    return made


def charts(tables: Tables) -> dict[str, Any]:
    made = {}
    for name in ("adult", "fair"):
        table = tables[name]
        rows = [
            {"learner": learner, "line": encoder, "k": int(column[4:]), "accuracy": cell / 100}
            for learner, encoder, *cells in table.rows
            for column, cell in zip(table.columns[2:], cells, strict=True)
        ]
        made[name] = tk.plots.scores(rows, panel="learner")
    return made


def tuned(run: Run) -> Tables:
    """Learners as they come, and with settings chosen inside the training rows (two inner folds), at one k; the slow ones on Fair only."""
    rows = []
    for data in (fair(),) if run.quick else (fair(), adult()):
        made = dict(encodings(data, 10))
        for name, options in settings().items():
            if name in SLOW and data.name == "Adult":
                continue
            base, means = learners()[name], {}
            for encoder, encoded in made.items():
                found = []
                few = 1 if run.quick else FOLDS if name in LINEAR else FEWER
                for train, test in encoded.folds()[:few]:
                    inner = list(
                        StratifiedKFold(2, shuffle=True, random_state=SEED).split(train, encoded.target[train])
                    )
                    tried = []
                    for option in options:
                        model = clone(base).set_params(**option)
                        right = [encoded.accuracy(encoded.fitted(model, train[a]), train[b]) for a, b in inner]
                        tried.append(float(np.mean(right)))
                    best = clone(base).set_params(**options[int(np.argmax(tried))])
                    found.append([encoded.accuracy(encoded.fitted(model, train), test) for model in (base, best)])
                means[encoder] = 100 * np.mean(found, axis=0)
                run.say(f"{data.name}, {name}, {encoder}")
            gain = means[RATES] - means[EMPTY]
            cells = [means[EMPTY][0], means[RATES][0], gain[0], means[EMPTY][1], means[RATES][1], gain[1]]
            rows.append([data.name, name, *map(float, cells)])
    heads = [f"{which}, {each}" for which in ("defaults", "tuned") for each in (EMPTY, RATES, "gain")]
    formats = {head: "+.2f" if head.endswith("gain") else ".2f" for head in heads}
    return {"k10": Table(["table", "learner", *heads], rows, formats)}
