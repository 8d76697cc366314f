"""Learners fitted to k-anonymous rows of Adult and tested on raw rows, encoder by encoder.

    TOKUMEI_DATA=folder-with-adult.csv python -m benchmarks.encoders accuracy [FOLDS] [K,K,...]
    TOKUMEI_DATA=folder-with-adult.csv python -m benchmarks.encoders learners
    TOKUMEI_DATA=folder-with-adult.csv python -m benchmarks.encoders weighted

Needs xgboost and lightgbm beside tokumei; what is found is stored, see benchmarks/stored.py. Each fold is split first: trees, groups and rates come from its training rows, and the
test rows are raw. `accuracy` prints the mean over folds; `learners` compares other kinds of learners on part of the rows of one
fold; `weighted` fits the rows of one fold once as they are and once as weighted cells.
"""

from __future__ import annotations

import importlib
import statistics
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

import tokumei as tk
from benchmarks import data
from benchmarks.five_columns import LEVELS
from benchmarks.stored import Table, store
from tokumei.engines.local import make_release
from tokumei.randomness import Key
from tokumei.table.frames import to_arrow

COLUMNS = list(LEVELS)
MODELS: dict[str, Callable[[], Any]] = {
    "LR": lambda: LogisticRegression(max_iter=1000),
    "SVC": LinearSVC,
    "XGBoost": lambda: importlib.import_module("xgboost").XGBClassifier(n_jobs=1),
    "LightGBM": lambda: importlib.import_module("lightgbm").LGBMClassifier(n_jobs=1, verbose=-1),
}
LEARNERS: dict[str, Callable[[], Any]] = {
    "forest": lambda: RandomForestClassifier(50, min_samples_leaf=5, random_state=0),
    "network": lambda: MLPClassifier((32,), max_iter=15, random_state=0),
    "naive Bayes": MultinomialNB,
    "25 neighbours": lambda: KNeighborsClassifier(25),
}
Encoders = dict[str, Any]
SMALLER = "dense / CSR"
WEIGHTED = ["encoder", "model", "rows", "weighted cells", "times as fast", "predicted alike, %"]


def rows() -> tuple[pd.DataFrame, np.ndarray]:
    frame = pd.read_csv(data.adult(), dtype=str)[[*COLUMNS, "income"]]
    return frame, (frame["income"] == ">50K").to_numpy()


def schema_of(training: pd.DataFrame) -> tk.Schema:
    """Columns whose trees are learned from the training rows."""
    attributes = []
    for name, clusters in LEVELS.items():
        domain = tk.Categories(sorted(set(training[name])))
        tree = tk.hierarchies.odds_hierarchy(
            training[[name, "income"]], tk.Attribute(name, domain=domain), "income", clusters
        )
        attributes.append(tk.Attribute(name, domain=domain, hierarchy=tree))
    return tk.Schema([*attributes, tk.Attribute("income", "sensitive", tk.Categories(["<=50K", ">50K"]))])


def released(training: pd.DataFrame, k: int) -> tuple[tk.Release, tk.encoders.GroupStatistics]:
    """A release that publishes its rates, and the statistics of groups that it does not publish."""
    schema = schema_of(training)
    method = tk.Generalization(k=k, partition=tk.partitions.TopDown(), publish=[tk.rates.ValueRates()])
    arrow, origin = to_arrow(training)
    made = make_release(arrow, origin, schema, method, (), Key.seeded(1))
    known = tk.encoders.GroupStatistics.measured(
        made.release.frame[COLUMNS], training.iloc[made.order][COLUMNS].reset_index(drop=True), schema
    )
    return made.release, known


def encoders(release: tk.Release, known: tk.encoders.GroupStatistics) -> Encoders:
    return {
        "leaves": tk.encoders.LeafEncoder(release),
        "rates, published": tk.encoders.RateEncoder(release, "release"),
        "rates, estimated": tk.encoders.RateEncoder(release, "estimated"),
        "rates, uniform": tk.encoders.RateEncoder(release, "uniform"),
        "group statistics": tk.encoders.GroupStatisticsEncoder(release, known, "release"),
        "ancestors": tk.encoders.AncestorEncoder(release),
    }


def folds(most: int) -> Iterator[tuple[pd.DataFrame, pd.DataFrame, np.ndarray]]:
    frame, target = rows()
    split = StratifiedKFold(5, shuffle=True, random_state=0).split(frame, target)
    for _, (training, test) in zip(range(most), split, strict=False):
        yield frame.iloc[training], frame.iloc[test], target[test]


def score(model: Any, encoder: Any, training: pd.DataFrame, test: pd.DataFrame, target: np.ndarray) -> float:
    encoder.fit(training[COLUMNS])
    features, raw = (encoder.transform(frame[COLUMNS]).astype(np.float32) for frame in (training, test))
    model.fit(features, (training["income"] == ">50K").to_numpy())
    return 100 * float(np.mean(model.predict(raw) == target))


def memory(encoder: Any, frame: pd.DataFrame) -> float:
    made = encoder.fit(frame[COLUMNS]).transform(frame[COLUMNS])
    return made.shape[0] * made.shape[1] * 8 / (made.data.nbytes + made.indices.nbytes + made.indptr.nbytes)


def accuracy(most: int, ks: list[int]) -> None:
    found: dict[tuple[int, str, str], list[float]] = {}
    smaller: dict[tuple[int, str], list[float]] = {}
    for number, (training, test, target) in enumerate(folds(most), start=1):
        for k in (1, *ks):
            if k == 1:
                tried, table = {"raw rows, one-hot": tk.encoders.LeafEncoder(schema_of(training))}, training
            else:
                release, known = released(training, k)
                tried, table = encoders(release, known), release.frame
            for name, encoder in tried.items():
                smaller.setdefault((k, name), []).append(memory(encoder, table))
                for model, make in MODELS.items():
                    found.setdefault((k, name, model), []).append(score(make(), encoder, table, test, target))
            print(f"fold {number}, k = {k} done", file=sys.stderr, flush=True)
    rows = [
        [k, name, *(statistics.mean(found[k, name, model]) for model in MODELS), statistics.mean(ratios)]
        for (k, name), ratios in smaller.items()
    ]
    keep("accuracy", Table(["k", "encoder", *MODELS, SMALLER], rows, {**dict.fromkeys(MODELS, ".2f"), SMALLER: ".1f"}))


def learners(k: int = 10, part: int = 8000, tested: int = 3000) -> None:
    training, test, target = next(folds(1))
    release, known = released(training, k)
    rows = []
    for name, encoder in encoders(release, known).items():
        some = release.frame.iloc[:part], test.iloc[:tested], target[:tested]
        rows.append([name, *(score(make(), encoder, *some) for make in LEARNERS.values())])
    keep("learners", Table([f"encoder, k = {k}", *LEARNERS], rows, dict.fromkeys(LEARNERS, ".2f")))


def weighted(k: int = 10, rounds: int = 3) -> None:
    training, test, _ = next(folds(1))
    release, _ = released(training, k)
    frame, target = release.frame[COLUMNS], (release.frame["income"] == ">50K").to_numpy()
    models = {**MODELS, "boosting": lambda: GradientBoostingClassifier(n_estimators=30, random_state=0)}
    del models["LightGBM"]  # counts rows, see docs/learning/encoders.md
    table = []
    for encoder_name in ("leaves", "rates", "ancestors"):
        kind: Any = {
            "leaves": tk.encoders.LeafEncoder,
            "rates": tk.encoders.RateEncoder,
            "ancestors": tk.encoders.AncestorEncoder,
        }[encoder_name]
        for name, make in models.items():
            pairs, shares = [], []
            for _ in range(rounds):
                start = time.perf_counter()
                plain = make_pipeline(kind(release), make()).fit(frame, target)
                middle = time.perf_counter()
                cells = tk.encoders.WeightedCells(kind(release), make()).fit(frame, target)
                pairs.append((middle - start, time.perf_counter() - middle))
                shares.append(np.mean(plain.predict(test[COLUMNS]) == cells.predict(test[COLUMNS])))
            ratio = statistics.median(all_rows / few for all_rows, few in pairs)
            table.append([encoder_name, name, len(frame), cells.rows_, ratio, 100 * min(shares)])
    keep("weighted", Table(WEIGHTED, table, {WEIGHTED[-2]: ".1f", WEIGHTED[-1]: ".2f"}))


def keep(part: str, table: Table) -> None:
    """Show what was found and store it."""
    print(table.markdown())
    command = " ".join(["python -m benchmarks.encoders", *(sys.argv[1:] or ["accuracy"])])
    packages = ("tokumei", "numpy", "scikit-learn", "xgboost", "lightgbm")
    store(f"encoders_{part}", {part: table}, command=command, packages=packages)


def main() -> None:
    warnings.filterwarnings("ignore")
    what = sys.argv[1] if len(sys.argv) > 1 else "accuracy"
    if what == "accuracy":
        most = int(sys.argv[2]) if len(sys.argv) > 2 else 5
        accuracy(most, [int(k) for k in (sys.argv[3] if len(sys.argv) > 3 else "2,5,10,20").split(",")])
    else:
        {"learners": learners, "weighted": weighted}[what]()


if __name__ == "__main__":
    main()
