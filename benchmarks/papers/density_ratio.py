"""Hasegawa, Hamada and Kikuchi, "Efficient Reconstruction Algorithm for Multivariate Statistics": AUC on Adult, and costs.

    python -m benchmarks.papers.density_ratio [--quick] [PART ...]

16,281 random rows of Adult are released, ten columns perturbed or made coarser and income as it is. A logistic regression
(or what reconstruction offers instead) is fitted to the release and judged by its AUC on true rows that were not released: all others but
2,000, which are a pilot for the suggested split. Everything is done again with every seed, and differences are taken within seeds.
Weights take long and have fewer seeds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score

import tokumei as tk
from benchmarks.papers import (
    density_ratio_cost,
    density_ratio_decorrelated,
    density_ratio_table,
    density_ratio_theory,
    density_ratio_weights,
)
from benchmarks.papers.density_ratio_rows import Rows, product_of_columns, whole
from benchmarks.papers.density_ratio_weights import ENDS, KS, PERTURBED
from benchmarks.papers.program import Part, Run, Tables, main
from benchmarks.stored import Table
from benchmarks.ten_columns import RELEASED, adult, auc, coarse_auc, schema, targets
from tokumei import plots
from tokumei.errors import InfeasiblePromise

RAW = "original rows"
GROUPS, DELETED = "generalized in groups, Mondrian", "rows deleted, cells as they are"
BAYES = "iterative Bayes, one column at a time"
FIFTH = "generalized, up to a fifth of the rows deleted"
OURS, SUGGESTED = "ClassConditionalClassifier", "suggested split, perturbed rows as they are"
DRAWN = (RAW, GROUPS, SUGGESTED, FIFTH, DELETED, OURS, BAYES, PERTURBED)
HEADS = ["seed", "k", "method", "auc", "gone"]


def by_model(model: tk.ClassConditionalClassifier, test: pd.DataFrame) -> float:
    return float(roc_auc_score(test["target"], model.decision_function(test)))


def perturbed(rows: Rows, described: tk.Schema, k: int) -> Iterator[tuple[str, float]]:
    """Perturb, and learn from the rows as they are, from what is reconstructed, and after a better split."""
    release = tk.anonymize(rows.train, described, tk.PkPerturbation(k=k, tells="all"), seed=rows.seed)
    yield PERTURBED, auc(release.frame, rows.test)
    yield BAYES, product_of_columns(release, rows.test)
    yield OURS, by_model(tk.ClassConditionalClassifier("target").fit(release), rows.test)
    release, test = rows.suggested(described, k)
    yield SUGGESTED, auc(release.frame, test)
    yield (
        "suggested split, ClassConditionalClassifier",
        by_model(tk.ClassConditionalClassifier("target").fit(release), test),
    )


def alike(rows: Rows, described: tk.Schema, k: int) -> Iterator[tuple[str, float, float]]:
    """Make k rows alike, and learn; beside the AUC, the share of rows deleted or without any cell."""
    methods = {
        GROUPS: tk.Generalization(k=k, partition=tk.partitions.Mondrian()),
        "generalized, one level a column": tk.Generalization(k=k, partition=tk.partitions.Optimal()),
        FIFTH: tk.Generalization(k=k, partition=tk.partitions.Optimal(), suppression_limit=0.2),
        DELETED: tk.RecordSuppression(k=k),
    }
    for name, method in methods.items():
        try:
            release = tk.anonymize(rows.train, described, method, seed=rows.seed)
        except InfeasiblePromise:  # no row would be left
            yield name, float("nan"), 1.0
            continue
        stars = (release.frame.drop(columns="target").astype(str) == "*").all(axis=1).sum()
        usable = release.frame["target"].nunique() == 2
        gone = 1 - (len(release.frame) - stars) / RELEASED
        yield name, coarse_auc(release, rows.test) if usable else float("nan"), float(gone)


def summed(found: pd.DataFrame) -> tuple[Table, Table, Table]:
    """Return the AUC by k, all of it with errors and paired gains, and what deleting leaves."""
    names, ks = list(dict.fromkeys(found["method"])), list(dict.fromkeys(found["k"]))
    seeds = found.pivot_table(index=["k", "seed"], columns="method", values="auc", dropna=False)
    rows, every = [], []
    for name in names:
        means, errors = [], []
        for k in ks:
            values, gains = seeds.loc[k, name], seeds.loc[k, name] - seeds.loc[k, PERTURBED]
            known = bool(values.notna().all())  # not measured at every k, or no row left
            means.append(float(values.mean()) if known else None)
            errors.append(float(values.sem()) if known else 0.0)
            if known:
                every.append([name, int(k), means[-1], errors[-1], float(gains.mean()), float(gains.sem())])
        rows.append([name, *means, max(errors)])
    gone = found[found["method"].isin([FIFTH, DELETED])].pivot_table(
        index="method", columns="k", values="gone", sort=False
    )
    heads = [f"k = {k}" for k in ks]
    digits = {"AUC": ".4f", "±": ".4f", "gain": "+.4f", "± of gain": ".4f"}
    return (
        Table(["AUC", *heads, "± at most"], rows),
        Table(["what", "k", *digits], every, digits),
        Table(
            ["rows deleted or blank", *heads],
            [[name, *map(float, gone.loc[name])] for name in gone.index],
            dict.fromkeys(heads, ".1%"),
        ),
    )


def income(run: Run, frame: pd.DataFrame, ks: tuple[int, ...], seeds: Sequence[int]) -> pd.DataFrame:
    """The paper's figure 1, and more: every way but weights at every k."""
    data, columns = whole(frame)
    plain, trees = schema(frame, columns), schema(frame, columns, trees=True)
    found = []
    for seed in seeds:
        rows = Rows(data, seed)
        raw = auc(rows.train, rows.test)
        for k in ks:
            run.say(f"seed {seed}, k = {k}")
            found.append((seed, k, RAW, raw, None))
            found += [(seed, k, name, area, None) for name, area in perturbed(rows, plain, k)]
            found += [(seed, k, *each) for each in alike(rows, trees, k)]
    return pd.DataFrame(found, columns=HEADS)


def others(run: Run, frame: pd.DataFrame, seeds: Sequence[int], k: int = KS[0]) -> Table:
    """Six targets, each predicted without the columns it is made of."""
    table = []
    for name, (target, columns) in targets(frame).items():
        run.say(name)
        data, described = frame[columns].assign(target=target.to_numpy()), schema(frame, columns)
        drawn = [Rows(data, seed) for seed in seeds]
        areas = pd.DataFrame([dict(perturbed(rows, described, k)) for rows in drawn])
        raw = np.mean([auc(rows.train, rows.test) for rows in drawn])
        gain = areas[OURS] - areas[BAYES]
        means = [areas[each].mean() for each in (PERTURBED, BAYES, OURS, SUGGESTED)]
        table.append([name, *map(float, (*means, raw, areas.sem().max(), gain.mean(), gain.sem()))])
    columns = ["target", "perturbed", "iterative Bayes", OURS, "suggested split", "original", "± at most", "gain", "± of gain"]  # fmt: skip
    return Table(columns, table, {"gain": "+.3f"})


def picked(run: Run, frame: pd.DataFrame) -> Table:
    """What `tk.reconstruct` picks for the first seed."""
    data, columns = whole(frame)
    rows, table = Rows(data, 0), []
    for k in ENDS:
        run.say(f"tk.reconstruct, k = {k}")
        release = tk.anonymize(rows.train, schema(frame, columns), tk.PkPerturbation(k=k, tells="all"), seed=0)
        model = tk.reconstruct(release, target="target")
        area = float(roc_auc_score(rows.test["target"], model.predict_proba(rows.test)[:, 1]))
        table.append(
            [k, type(model).__name__, area, by_model(tk.ClassConditionalClassifier("target").fit(release), rows.test)]
        )
    return Table(["k", "picked", "its AUC", "AUC of ClassConditionalClassifier"], table)


def areas(run: Run) -> Tables:
    frame = adult()
    return told(run, frame, income(run, frame, ENDS if run.quick else KS, run.seeds))


def told(run: Run, frame: pd.DataFrame, found: pd.DataFrame) -> dict[str, Table]:
    """Every way at every k, and the picture."""
    by_k, every, gone = summed(found)
    points = [{"line": name, "k": k, "AUC": area} for name in DRAWN for what, k, area, *_ in every.rows if what == name]
    run.picture("auc", plots.curves(points, x="k", y="AUC", log_x=True, y_title="mean AUC on true rows"))
    return {"methods": by_k, "gains": every, "deleted": gone, "picked": picked(run, frame)}


def weights(run: Run) -> Tables:
    ks = ENDS[:1] if run.quick else KS
    return density_ratio_weights.income_by_weights(run, adult(), ks)


def models(run: Run) -> Tables:
    return {"gains": density_ratio_weights.by_models(run, adult())}


def points(run: Run) -> Tables:
    return {"bins": density_ratio_weights.by_points(run)}


def targets_of(run: Run) -> Tables:
    return {"methods": others(run, adult(), run.seeds)}


def cost_by(name: str, work: Callable[[Run, pd.DataFrame], Table]) -> Part:
    """Make a part of a table of costs and its picture."""

    def part(run: Run) -> Tables:
        found = work(run, adult())
        run.picture(name, density_ratio_cost.chart(found))
        return {"cost": found}

    return Part(part, seeds=[0])


def ways(run: Run) -> Tables:
    """Whether the ways of multiplying with P lead to the same."""
    return {"alike": density_ratio_cost.by_ways(run, adult())}


LEARNERS = ("tokumei", "numpy", "scikit-learn")
PARTS = {
    "auc": Part(areas, seeds=range(4), packages=LEARNERS),
    "weights": Part(weights, density_ratio_weights.chart, seeds=range(2), packages=LEARNERS),
    "models": Part(models, seeds=range(2), packages=LEARNERS),
    "points": Part(points, seeds=[0], packages=LEARNERS),
    "targets": Part(targets_of, seeds=range(4), packages=LEARNERS),
    "theorem": Part(density_ratio_theory.theorem),
    "decorrelated": Part(density_ratio_decorrelated.decorrelated, seeds=range(6), packages=LEARNERS),
    "table": Part(density_ratio_table.table_1, density_ratio_table.chart, seeds=[0]),
    "large": Part(density_ratio_table.large, seeds=[1], packages=LEARNERS),
    "rows": cost_by("rows", density_ratio_cost.by_rows),
    "columns": cost_by("columns", density_ratio_cost.by_columns),
    "ways": Part(ways, seeds=[0], packages=LEARNERS),
}

if __name__ == "__main__":
    main("density_ratio", __doc__.splitlines()[0], PARTS)
