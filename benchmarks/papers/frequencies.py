"""Adding frequencies to k-anonymous rows (Terada, Yamaoka and Fukuoka, Fujitsu Laboratories): the paper's experiment again.

    python -m benchmarks.papers.frequencies [PART ...] [--quick]

Parts: `example` (the paper's tables 1 and 2, figures 3 to 5), `trees`, `nearest` (its figure 6: every k and learner, the whole table released and
then split, on a second table too), `tuned`, `linear`, `boosting` and `forests` (test rows raw or grouped on their own, at fewer k), `sparsity` (its section
6.1), `noise` (6.2 and 6.3), `quasi_identifiers` (2) and `collation` (3). Age, workclass, education, capital-gain and
native-country of Adult predict income; rows are grouped from the top down by NCP; learners have their own defaults (the
logistic regression may take more steps) and are fitted to the different rows with their numbers as weights, except
LightGBM, which counts rows in its leaves. ``--quick``: two folds, k = 1 and 10. See `benchmarks.papers.program` for the command line.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib import metadata
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

import tokumei as tk
from benchmarks.five_columns import LEVELS, TARGET, adult, bare, with_trees
from benchmarks.papers import frequencies_example
from benchmarks.papers import frequencies_nearest as nearest
from benchmarks.papers import frequencies_why as why
from benchmarks.papers.program import Part, Run, Tables, main
from benchmarks.stored import Table

COLUMNS = list(LEVELS)
RICH = ">50K"
KS = (1, 2, 4, 6, 10, 14, 20)  # the paper has every even k between
FIRST_KS = (2, 10, 20)  # where rows are grouped before they are split
FEWER_KS, FEWER_FIRST_KS = (1, 2, 6, 10, 20), (10,)  # of what takes minutes a k
FOLDS, SEED = 5, 0
UNWEIGHTED = ("LightGBM",)
EMPTY = "leaves, * empty"


ENCODERS: dict[str, Callable[..., Any]] = {
    EMPTY: partial(tk.encoders.LeafEncoder, star="empty"),
    "leaves": tk.encoders.LeafEncoder,
    "rates": tk.encoders.RateEncoder,
    "ancestors": tk.encoders.AncestorEncoder,
}
COMPARED = (("rates", EMPTY), ("rates", "leaves"), ("ancestors", "rates"))
KINDS = {
    "raw": "raw",
    "generalized": "generalized on their own",
    "first": "grouped with the training rows",
}
LEARNERS = ("tokumei", "numpy", "scikit-learn")
BOOSTING = (*metadata.packages_distributions().get("xgboost", ["xgboost"])[:1], "lightgbm")  # or xgboost-cpu


LINEAR: dict[str, Any] = {"logistic regression": LogisticRegression(max_iter=2000), "linear SVC": LinearSVC()}
FORESTS: dict[str, Any] = {
    "random forest": RandomForestClassifier(random_state=SEED),
    "gradient boosting": GradientBoostingClassifier(random_state=SEED),
}


def linear(run: Run) -> Tables:
    return accuracy(LINEAR, run.quick)


def boosting(run: Run) -> Tables:
    try:
        import lightgbm
        import xgboost
    except ImportError:
        sys.exit("This part needs XGBoost and LightGBM; pip install 'tokumei[bench]' brings them.")
    models = {"XGBoost": xgboost.XGBClassifier(n_jobs=1), "LightGBM": lightgbm.LGBMClassifier(n_jobs=1, verbose=-1)}
    return accuracy(models, run.quick)


def forests(run: Run) -> Tables:
    return accuracy(FORESTS, run.quick, FEWER_KS, FEWER_FIRST_KS)


def top_down(k: int) -> tk.Generalization:
    """The paper's grouping, and the rates of values in the whole table, rare ones told together."""
    return tk.Generalization(k=k, partition=tk.partitions.TopDown(), publish=[tk.rates.ValueRates()])


def split_first(frame: pd.DataFrame, models: dict[str, Any], ks: Sequence[int], folds: int) -> pd.DataFrame:
    """Scores where trees, groups and rates come from the training rows alone."""
    found = tk.comparisons.study(
        frame,
        bare(frame),
        TARGET,
        models,
        {"top-down": top_down},
        {name: encoder() for name, encoder in ENCODERS.items()},
        ks=ks,
        cv=folds,
        test="both",
        hierarchies=LEVELS,
        weighted=[name for name in models if name not in UNWEIGHTED],
        random_state=SEED,
    ).frame
    return found.replace({"test": KINDS})[["test", "learner", "encoder", "k", "fold", "accuracy"]]


def grouped_first(frame: pd.DataFrame, models: dict[str, Any], ks: Sequence[int], folds: int) -> pd.DataFrame:
    """Scores where all rows are grouped together and the released ones are split: what the paper's text comes closest to."""
    schema = with_trees(frame, bare(frame), TARGET)
    found = []
    for k in ks:
        release = tk.anonymize(frame, schema, top_down(k), seed=SEED)
        cells, target = release.frame[COLUMNS], (release.frame[TARGET] == RICH).to_numpy()
        splits = StratifiedKFold(folds, shuffle=True, random_state=SEED).split(cells, target)
        for (fold, (train, test)), name, coder in itertools.product(enumerate(splits), models, ENCODERS):
            encoder, model = ENCODERS[coder](release), clone(models[name])
            learner = make_pipeline(encoder, model) if name in UNWEIGHTED else tk.encoders.WeightedCells(encoder, model)
            learner.fit(cells.iloc[train], target[train])
            right = float(np.mean(learner.predict(cells.iloc[test]) == target[test]))
            found.append((KINDS["first"], name, coder, k, fold, right))
    return pd.DataFrame(found, columns=["test", "learner", "encoder", "k", "fold", "accuracy"])


def over_k(scores: pd.DataFrame) -> Table:
    """The mean accuracy in percent, a column for each k."""
    ks = sorted(scores["k"].unique())
    means = scores.groupby(["learner", "encoder", "k"], sort=False)["accuracy"].mean() * 100
    pairs = itertools.product(scores["learner"].unique(), scores["encoder"].unique())
    rows = [[*pair, *(float(means[(*pair, k)]) for k in ks)] for pair in pairs]
    return Table(["learner", "encoder", *(f"k = {k}" for k in ks)], rows, {f"k = {k}": ".2f" for k in ks})


def advantages(scores: pd.DataFrame) -> Table:
    """By how many points an encoder is better than another at k > 1, and at how many k worse by two standard errors over folds."""
    wide = scores[scores["k"] > 1].pivot_table(
        index=["test", "learner", "k", "fold"], columns="encoder", values="accuracy", sort=False
    )
    rows = []
    for (kind, learner), part in wide.groupby(level=["test", "learner"], sort=False):
        for one, other in COMPARED:
            gains = (100 * (part[one] - part[other])).groupby(level="k")
            mean, error = gains.mean(), gains.std() / np.sqrt(gains.count())
            worse, better = int((mean < -2 * error).sum()), int((mean > 2 * error).sum())
            rows.append(
                [kind, learner, f"{one} over {other}", float(mean.min()), float(mean.max()), len(mean), better, worse]
            )
    columns = ["test rows", "learner", "gain of", "least", "most", "k", "better", "worse"]
    return Table(columns, rows, {"least": "+.2f", "most": "+.2f"})


def accuracy(models: dict[str, Any], quick: bool, ks: Sequence[int] = KS, first_ks: Sequence[int] = FIRST_KS) -> Tables:
    frame, folds = adult(), 2 if quick else FOLDS
    scores = pd.concat(
        [
            split_first(frame, models, (1, 10) if quick else ks, folds),
            grouped_first(frame, models, (10,) if quick else first_ks, folds),
        ]
    )
    tables = {name: over_k(scores[scores["test"] == kind]) for name, kind in KINDS.items()}
    return {**tables, "advantage": advantages(scores)}


def accuracy_charts(tables: Tables) -> dict[str, Any]:
    rows = []
    for kind in ("raw", "generalized"):
        table = tables[kind]
        for learner, encoder, *cells in table.rows:
            for column, cell in zip(table.columns[2:], cells, strict=True):
                k = int(column.removeprefix("k = "))
                test = f"{kind} test rows"
                rows.append({"learner": learner, "line": encoder, "k": k, "test": test, "accuracy": cell / 100})
    return {"accuracy": tk.plots.scores(rows, panel="learner", row="test")}


def runs(labels: Sequence[str]) -> str:
    """Write whole numbers that follow each other as from-to, and other labels one by one."""
    if not all(label.isdigit() for label in labels):
        return ", ".join(sorted(labels))
    numbers = sorted(map(int, labels))
    breaks = [0, *(at for at in range(1, len(numbers)) if numbers[at] != numbers[at - 1] + 1), len(numbers)]
    parts = [numbers[start:stop] for start, stop in itertools.pairwise(breaks)]
    return ", ".join(f"{part[0]}" if len(part) == 1 else f"{part[0]}–{part[-1]}" for part in parts)


def trees(_: Run) -> Tables:
    """The trees of the five columns, learned from all rows: each group with its rows and how many of them earn over 50K."""
    frame = adult()
    schema, rich = with_trees(frame, bare(frame), TARGET), frame[TARGET] == RICH
    rows: list[list[Any]] = []
    for name in COLUMNS:
        leaves = schema[name].hierarchy.rows
        found = []
        for fine, members in itertools.groupby(sorted(leaves, key=lambda leaf: leaf[1]), key=lambda leaf: leaf[1]):
            group = list(members)
            here = frame[name].astype(str).isin([leaf[0] for leaf in group])
            above = group[0][2] if len(group[0]) > 3 else fine
            found.append((above, float(rich[here].mean()), int(here.sum()), runs([leaf[0] for leaf in group])))
        order = {
            above: number
            for number, above in enumerate(
                dict.fromkeys(above for above, *_ in sorted(found, key=lambda each: each[1]))
            )
        }
        for above, share, count, values in sorted(found, key=lambda each: (order[each[0]], each[1])):
            rows.append([name, order[above] + 1 if len(leaves[0]) > 3 else None, values, count, 100 * share])
    columns = ["column", "upper group", "values of the group", "rows", "over 50K, %"]
    return {"groups": Table(columns, rows, {"over 50K, %": ".1f"})}


def collation(run: Run) -> Tables:
    """Which groups the holder can put beside their original rows, by what is published about them."""
    frame = adult()
    schema = with_trees(frame, bare(frame), TARGET)
    rows = []
    for k in (10,) if run.quick else (2, 5, 10, 20):
        method = tk.Generalization(k=k, partition=tk.partitions.TopDown())
        for statistics in ("rates", "moments", "counts"):
            found = tk.disclosure.collation_check(
                frame, method, schema, statistics=statistics, groups=150 if run.quick else None, random_state=SEED
            )
            parts = (found.looked_at, found.resolved, found.whole, found.ambiguous, found.undecided, found.pinned)
            rows.append([f"k = {k}", statistics, *parts])
    columns = ["", "published", "groups", "resolved", "one set of rows", "ambiguous", "undecided", "pinned rows"]
    return {"adult": Table(columns, rows)}


PARTS = {
    "example": Part(frequencies_example.worked),
    "trees": Part(trees),
    "linear": Part(linear, accuracy_charts, seeds=[SEED], packages=LEARNERS),
    "boosting": Part(boosting, accuracy_charts, seeds=[SEED], packages=(*LEARNERS, *BOOSTING)),
    "forests": Part(forests, accuracy_charts, seeds=[SEED], packages=LEARNERS),
    "nearest": Part(nearest.nearest, nearest.charts, seeds=[SEED], packages=(*LEARNERS, *BOOSTING, "statsmodels")),
    "tuned": Part(nearest.tuned, seeds=[SEED], packages=(*LEARNERS, *BOOSTING, "statsmodels")),
    "sparsity": Part(why.sparsity, seeds=[SEED], packages=LEARNERS),
    "noise": Part(why.noise, seeds=[SEED], packages=LEARNERS),
    "quasi_identifiers": Part(why.columns, seeds=[SEED], packages=LEARNERS),
    "collation": Part(collation, seeds=[SEED]),
}

if __name__ == "__main__":
    main("frequencies", "Adding frequencies to k-anonymous rows, on Adult.", PARTS)
