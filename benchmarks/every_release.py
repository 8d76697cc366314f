"""The model of every release against simpler ways to read it: no worse than any, on several tables and targets.

    TOKUMEI_DATA=folder-with-adult.csv python -m benchmarks.every_release [SEEDS] [--quick]
    TOKUMEI_DATA=folder-with-adult.csv python -m benchmarks.every_release areas [SEEDS] [--minutes M]
    TOKUMEI_DATA=folder-with-adult.csv python -m benchmarks.every_release boxes [3] [5] [7] [all] [constraints] [--minutes M]

Tables: Adult on the common grid (16,281 rows, ten columns), the example census (16,000 rows, seven columns), and 4,000 rows of
Adult. 2-D: the mean, over all pairs of columns, of the total variation distance from the original's table: of released rows as they
are (cells made coarser being spread evenly over their values), of `IterativeBayes` pair by pair, and of ``tk.reconstruct``.
AUC: for six columns of Adult and one of the census, of a logistic regression on released rows as they are, of
`ClassConditionalClassifier`, and of ``tk.reconstruct(release, target=...)``, on true rows. Seconds are those of CPU. `areas` measures the AUC alone, on
other seeds, and compares the model with the better of the simpler ways, release by release. `boxes` measures two-way tables of generalized rows
by partition, k and number of columns, and with constraints on the sensitive column.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

import tokumei as tk
from benchmarks.one_thing_a_row import TARGET, Adult, by_pairs, census_on_grid, counted, error, spread_evenly
from benchmarks.pieces import Pieces, minutes_of
from benchmarks.stored import Table, store
from benchmarks.ten_columns import RELEASED, adult, targets
from tokumei.reconstruction._observed import modelled
from tokumei.reconstruction._some_rows import settled
from tokumei.reconstruction.release_model import ReleaseModel

K, FIRST, AREAS = 10, 200, 400
NOTHING = 0.0005  # of AUC: a difference that is none, whatever its standard error
METHODS: dict[str, Callable[[int], Any]] = {
    "one thing a row": lambda k: tk.PkPerturbation(k=k),
    "every column with noise": lambda k: tk.PkPerturbation(k=k, tells="all"),
    "noise in groups": lambda k: tk.GroupedPkPerturbation(k=k),
    "generalization": lambda k: tk.Generalization(k=k),
    "generalization, Mondrian": lambda k: tk.Generalization(k=k, partition=tk.partitions.Mondrian()),
    "local suppression": lambda k: tk.LocalSuppression(k=k),
    "microaggregation": lambda k: tk.Microaggregation(k=k),
}


class Case(NamedTuple):
    """Rows to release, others for tests, and what they are."""

    table: str
    target: str
    schema: tk.Schema
    train: pd.DataFrame
    test: pd.DataFrame


def cases(seed: int) -> list[Case]:
    """Return every table with every target."""
    grid, frame = Adult(), adult()
    order = np.random.default_rng(seed).permutation(len(frame))
    made = []
    for name, (target, columns) in targets(frame).items():
        rows = grid.frame[columns].assign(**{TARGET: target.to_numpy()})
        schema = tk.Schema([grid.schema[each] for each in (*columns, TARGET)])
        parts = [rows.iloc[part].reset_index(drop=True) for part in np.split(order, [RELEASED])]
        made.append(Case("Adult", name, schema, *parts))
        if not len(made) > 1:
            made.append(Case("Adult, 4,000 rows", name, schema, parts[0].iloc[:4000], parts[1]))
    rows, schema = census_on_grid(seed)
    made.append(Case("census", "income over 50k", schema, rows.iloc[:16_000], rows.iloc[16_000:60_000]))
    return made


def as_released(case: Case, release: tk.Release) -> float:
    """Return the two-way error of released rows as they are; rows that tell some columns each are of no use so."""
    if release.mechanism.telling is not None:
        return np.nan
    recoded = release.mechanism.recoding is not None
    tables = spread_evenly(release, case.schema) if recoded else counted(release.frame, case.schema)
    return error(tables, case.train, case.schema)


def regression(case: Case, release: tk.Release) -> float:
    """Return the AUC of a logistic regression on released rows as they are."""
    names = [name for name in case.schema.names() if name != TARGET]
    if release.mechanism.telling is not None:
        return np.nan
    learner = LogisticRegression(max_iter=1000)
    if release.mechanism.recoding is None:
        model = make_pipeline(OneHotEncoder(handle_unknown="ignore"), learner)
        model.fit(release.frame[names].astype(str), release.frame[TARGET])
        scores = model.decision_function(case.test[names].astype(str))
    else:
        model = make_pipeline(tk.encoders.encoder_for(learner, release), learner)
        model.fit(release.frame[names], release.frame[TARGET])
        scores = model.decision_function(case.test[names])
    return float(roc_auc_score(case.test[TARGET], scores))


def noisy(release: tk.Release) -> bool:
    """Whether `IterativeBayes` and `ClassConditionalClassifier` can be used."""
    return bool(release.mechanism.channels or release.mechanism.telling)


def class_conditional(case: Case, release: tk.Release) -> float:
    """Return the AUC of `ClassConditionalClassifier`."""
    return _auc(tk.ClassConditionalClassifier(TARGET).fit(release), case.test) if noisy(release) else np.nan


def _auc(model: Any, test: pd.DataFrame) -> float:
    return float(roc_auc_score(test[TARGET], model.predict_proba(test.drop(columns=TARGET))[:, 1]))


def judged(case: Case, method: Any, seed: int) -> list[float]:
    """Return errors and areas of all three ways, and the seconds of the model."""
    release = tk.anonymize(case.train, case.schema, method, seed=seed)
    pairs = error(by_pairs(release, case.schema), case.train, case.schema) if noisy(release) else np.nan
    start = time.process_time()
    model = tk.reconstruct(release)
    taken = time.process_time() - start
    off = error(lambda *pair: model.estimated_table(pair).pmf_, case.train, case.schema)
    simpler = regression(case, release), class_conditional(case, release)
    return [as_released(case, release), pairs, off, *simpler, _auc(model.estimator(TARGET), case.test), taken]


def area_of_each(case: Case, method: Any, seed: int) -> list[float]:
    """Return the AUC of both simpler ways and of the model, of the same release."""
    release = tk.anonymize(case.train, case.schema, method, seed=seed)
    simpler = regression(case, release), class_conditional(case, release)
    return [*simpler, _auc(tk.reconstruct(release, target=TARGET), case.test)]


def areas(seeds: range, pieces: Pieces) -> None:
    """Compare the AUC of the model with the better of the simpler ways, on the same releases."""
    found: dict[tuple[str, str, str], list[list[float]]] = {}
    for seed in seeds:
        for case in cases(seed):
            for name, method in METHODS.items():
                key = (case.table, case.target, name)
                made = pieces.piece(f"{key}, {seed}", partial(area_of_each, case, method(K), seed))
                found.setdefault(key, []).append(made)
                print(seed, *key, *(f"{each:.4f}" for each in made), flush=True)
    stored_areas(found, seeds)


def summed_up(rows: list[list[Any]]) -> Table:
    """Say on how many releases the model is worse."""
    mean, off = np.array([row[-2:] for row in rows]).T
    worse = int((mean < -np.maximum(off, NOTHING)).sum())
    return Table(
        ["what", "releases", "not below", "worse", "worst", "mean"],
        [["all", len(rows), int((mean > -1e-6).sum()), worse, float(mean.min()), float(mean.mean())]],
        {"worst": "+.4f", "mean": "+.4f"},
    )


def stored_areas(found: dict[tuple[str, str, str], list[list[float]]], seeds: range) -> None:
    """Store what was found, seed by seed, and how many releases the model is worse on."""
    rows = []
    for key, each in found.items():
        numbers = np.array(each)
        means = numbers.mean(axis=0)
        gain = numbers[:, 2] - numbers[:, int(np.nanargmax(means[:2]))]
        off = float(gain.std(ddof=1) / len(gain) ** 0.5) if len(gain) > 1 else 0.0
        areas = (None if np.isnan(number) else float(number) for number in means)
        rows.append([*key, *areas, float(gain.mean()), off])
    heads = ["table", "target", "method", "as released", "class-conditional", "model", "gain", "± gain"]
    formats = {**dict.fromkeys(heads[3:6], ".3f"), "gain": "+.4f", "± gain": ".4f"}
    command = f"python -m benchmarks.every_release areas {len(seeds)}"
    store(
        "every_release_areas",
        {"areas": Table(heads, rows, formats), "summary": summed_up(rows)},
        command=command,
        seeds=list(seeds),
    )


BOXES: dict[str, Callable[[int], Any]] = {
    "default": lambda k: tk.Generalization(k=k),
    "top-down": lambda k: tk.Generalization(k=k, partition=tk.partitions.TopDown()),
    "cuts by gain": lambda k: tk.Generalization(k=k, partition=tk.partitions.Mondrian(strict=False, choose="gain")),
    "Mondrian": lambda k: tk.Generalization(k=k, partition=tk.partitions.Mondrian()),
    "suppressed cells": lambda k: tk.LocalSuppression(k=k),
}
CONSTRAINTS: dict[str, Any] = {
    "l-diversity, l = 2": tk.constraints.LDiversity(TARGET, 2),
    "t-closeness, t = .2": tk.constraints.TCloseness(TARGET, 0.2),
    "beta-likeness, beta = 1": tk.constraints.BetaLikeness(TARGET, 1),
    "(alpha, k), alpha = .85": tk.constraints.AlphaKAnonymity(TARGET, 0.85),
}
COLUMNS: dict[str, slice] = {"3": slice(0, 3), "5": slice(1, 6), "7": slice(0, 7), "all": slice(None)}


def two_way(case: Case, columns: slice, method: Any, seed: int) -> list[float]:
    """Return the two-way errors of generalized rows spread evenly, of the model that is believed altogether, and of the model."""
    names = [name for name in case.schema.names() if name != TARGET][columns]
    sensitive, rows = replace(case.schema[TARGET], role="sensitive"), case.train[[*names, TARGET]]
    schema = tk.Schema([*(case.schema[each] for each in names), sensitive])
    release = tk.anonymize(rows, schema, method, seed=seed)
    model = ReleaseModel(n_init=3).fit(release)
    shipped = error(lambda *pair: model.estimated_table(pair).pmf_, rows, schema)
    model._observed = settled(replace(modelled(release).observed, trust=1.0, spread=0.0, usual=np.inf), model._mixture)
    alone = error(lambda *pair: model.estimated_table(pair).pmf_, rows, schema)
    return [error(spread_evenly(release, schema), rows, schema), alone, shipped]


def boxes(pieces: Pieces, wanted: list[str], seed: int = 3) -> None:
    """Compare what boxes say by the model with an even spread, on tables of few and many columns; the numbers of the model were chosen on other seeds."""
    rows, asked = [], wanted or [*COLUMNS, "constraints"]
    every = [(some, k, name, method(k)) for some in asked if some in COLUMNS for k in (3, 10, 50) for name, method in BOXES.items()]  # fmt: skip
    if "constraints" in asked:
        every += [
            ("5", 10, name, tk.Generalization(k=10, constraints=(each,), partition=partition))
            for each_name, each in CONSTRAINTS.items()
            for name, partition in (
                (each_name, tk.partitions.Automatic()),
                (f"cuts by gain, {each_name}", tk.partitions.Mondrian(strict=False, choose="gain")),
            )
        ]
    for case in [each for each in cases(seed) if each.target.startswith("income") and "4,000" not in each.table]:
        for some, k, name, method in every:
            make = partial(two_way, case, COLUMNS[some], method, seed)
            found = pieces.piece(f"{case.table}, {some}, {k}, {name}", make)
            rows.append([case.table, some, name, k, *found, found[2] / found[0]])
            print(*rows[-1], flush=True)
    heads = ["table", "columns", "boxes", "k", "spread evenly", "model alone", "model", "model / evenly"]
    formats = {**dict.fromkeys(heads[4:7], ".4f"), "model / evenly": ".2f"}
    tables = {"boxes": Table(heads, rows, formats)}
    store(
        "every_release_boxes",
        tables,
        command=" ".join(["python -m benchmarks.every_release boxes", *wanted]),
        seeds=[seed],
    )


HEADS = ["table", "target", "method", "2-D as released", "2-D by pairs", "2-D model", "AUC as released", "AUC class-conditional", "AUC model", "seconds"]  # fmt: skip


def main() -> None:
    warnings.filterwarnings("ignore")
    arguments, minutes = minutes_of(sys.argv[1:])
    if "boxes" in arguments:
        pieces = Pieces("every_release_boxes", minutes)
        boxes(pieces, [each for each in arguments if each in COLUMNS or each == "constraints"])
        pieces.finish()
        return
    given = [int(each) for each in arguments if each.isdigit()]
    if "areas" in arguments:
        pieces = Pieces("every_release_areas", minutes)
        areas(range(AREAS, AREAS + (given[0] if given else 4)), pieces)
        pieces.finish()
        return
    quick = "--quick" in sys.argv
    seeds = range(FIRST, FIRST + (1 if quick else given[0] if given else 2))
    found: dict[tuple[str, str, str], list[list[float]]] = {}
    for seed in seeds:
        for case in cases(seed)[: 2 if quick else None]:
            for name, method in METHODS.items():
                key = (case.table, case.target, name)
                found.setdefault(key, []).append(judged(case, method(K), seed))
                print(seed, *key, *(f"{each:.4f}" for each in found[key][-1]), flush=True)
    rows = []
    for key, each in found.items():
        numbers = np.mean(each, axis=0).tolist()
        rows.append([*key, *(None if np.isnan(number) else number for number in numbers)])
    table = Table(HEADS, rows, {**dict.fromkeys(HEADS[3:9], ".3f"), "seconds": ".1f"})
    print(table.markdown())
    if not quick:
        command = f"python -m benchmarks.every_release {len(seeds)}"
        store("every_release", {"ways": table}, command=command, seeds=list(seeds))


if __name__ == "__main__":
    main()
