"""Noise in groups: how much less of it three synthetic sets of points need, by partition; pictures of the groups.

    python -m benchmarks.grouping [SEEDS] [--write FOLDER]

Sets A (two round clusters), B (two clusters whose columns go together) and C (five clusters), 1,000 points each, k = 5.
Ratios are of the scale phi, a group's over that of the whole set, averaged over records. ``--write`` also writes the
ratios of every group of the first seed (CSV) and pictures of the groups (SVG). With TOKUMEI_DATA set, a model of Adult is
fitted to released rows too.
"""

from __future__ import annotations

import argparse
import csv
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

import tokumei as tk
from benchmarks import data
from tokumei.anonymizers.group_boxes import noise_ratios

K, POINTS, STEP = 5, 1000, 0.1
PARTITIONS = {
    "Mondrian, 100 at least": tk.Mondrian(min_size=100),
    "DBSCAN, then Mondrian, outliers dropped": tk.Dbscan(then=tk.Mondrian(min_size=100), outliers="drop"),
    "DBSCAN, then Mondrian, outliers nearest": tk.Dbscan(then=tk.Mondrian(min_size=100)),
    "least noise, 100 at least": tk.NoiseAware(min_size=100),
    "least noise, greedy": tk.NoiseAware(search="greedy"),
    "least noise": tk.NoiseAware(),
}
PICTURES = {
    "mondrian": "Mondrian, 100 at least",
    "dbscan": "DBSCAN, then Mondrian, outliers dropped",
    "noise_aware": "least noise",
}


def two_round(rng: np.random.Generator) -> Any:
    half = POINTS // 2
    return np.concatenate([rng.normal(30, 8, (half, 2)), rng.normal(70, 8, (half, 2))])


def two_slanted(rng: np.random.Generator) -> Any:
    half, shape = POINTS // 2, 144 * np.array([[1, 0.9], [0.9, 1]])
    return np.concatenate([rng.multivariate_normal([m, m], shape, half) for m in (30, 70)])


def five(rng: np.random.Generator) -> Any:
    centres = [(20, 20), (20, 80), (80, 20), (80, 80), (50, 50)]
    return np.concatenate([rng.normal(centre, 5, (POINTS // 5, 2)) for centre in centres])


SETS: dict[str, Callable[[np.random.Generator], Any]] = {"A": two_round, "B": two_slanted, "C": five}


def table_of(which: str, seed: int) -> tuple[pa.Table, tk.Schema]:
    """Draw a set; the domain of a column is from its least to its largest value, as in the paper."""
    points = np.round(np.clip(SETS[which](np.random.default_rng(seed)), 0, 100) / STEP)
    columns = {name: points[:, place] * STEP for place, name in enumerate("xy")}
    attributes = [
        tk.Attribute(name, domain=tk.Numbers(round(float(c.min()), 1), round(float(c.max()), 1), step=STEP))
        for name, c in columns.items()
    ]
    return pa.table({name: np.round(c, 1) for name, c in columns.items()}), tk.Schema(attributes)


def grouped(which: str, seed: int, partition: Any) -> tuple[tk.Release, tk.Schema]:
    table, schema = table_of(which, seed)
    return tk.anonymize(table, schema, tk.GroupedPkPerturbation(k=K, partition=partition), seed=seed), schema


def ratios_of(release: tk.Release, schema: tk.Schema) -> tuple[Any, Any]:
    grouping = release.mechanism.grouping
    assert grouping is not None
    return noise_ratios(grouping, list(schema), POINTS, K), np.array([group.rows for group in grouping.groups])


def averages(seeds: int) -> None:
    print(f"| set | {' | '.join(PARTITIONS)} |")
    print("|---" * (len(PARTITIONS) + 1) + "|")
    for which in SETS:
        cells = []
        for partition in PARTITIONS.values():
            means, dropped, groups = [], [], []
            for seed in range(seeds):
                release, schema = grouped(which, seed, partition)
                ratios, rows = ratios_of(release, schema)
                means.append(np.average(ratios.mean(axis=1), weights=rows))
                dropped.append(release.mechanism.left_out)
                groups.append(len(rows))
            gone = f", {np.mean(dropped):.0f} dropped" if max(dropped) else ""
            cells.append(f"{np.mean(means):.3f} ({np.mean(groups):.0f} groups{gone})")
        print(f"| {which} | {' | '.join(cells)} |", flush=True)


def write(folder: Path) -> None:
    from tokumei import plots

    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "groups.csv").open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["set", "partition", "group", "rows", "ratio of x", "ratio of y"])
        for which in SETS:
            for name, title in PICTURES.items():
                release, schema = grouped(which, 0, PARTITIONS[title])
                grouping = release.mechanism.grouping
                assert grouping is not None
                ratios, counts = ratios_of(release, schema)
                for number, (ratio, count) in enumerate(zip(ratios, counts, strict=True), start=1):
                    rows.writerow([which, title, number, int(count), *(f"{each:.3f}" for each in ratio)])
                low, high = (np.asarray(ends, dtype=float) * STEP for ends in grouping.edges)
                starts = np.array([float(schema[n].domain.low) for n in "xy"])
                mean = np.average(ratios.mean(axis=1), weights=counts)
                chart = plots.groups(
                    low + starts, high + starts, counts, names=("x", "y"), step=STEP, title=f"{which}: {title}",
                    subtitle=f"{len(counts)} groups, noise {mean:.2f} of that without groups",
                )  # fmt: skip
                plots.save(chart, folder / f"groups_{which}_{name}.svg", overwrite=True)


def adult() -> None:
    """Fit a logistic regression to released rows of Adult, six columns, and test it on raw rows."""
    import pandas as pd
    from sklearn.compose import make_column_transformer
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import roc_auc_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    numbers, labels = ["age", "education-num", "hours-per-week"], ["marital-status", "sex", "race"]
    columns = [*numbers, *labels]
    frame = pd.read_csv(data.adult())[[*columns, "income"]]
    attributes = [
        tk.Attribute(c, domain=tk.Numbers(int(frame[c].min()), int(frame[c].max()), step=1)) for c in numbers
    ] + [tk.Attribute(c, domain=tk.Categories(sorted(frame[c].unique()))) for c in labels]
    schema = tk.Schema([*attributes, tk.Attribute("income", "sensitive", tk.Categories(["<=50K", ">50K"]))])
    train, test = frame.iloc[:32561], frame.iloc[32561:]

    def auc(rows: Any) -> float:
        encoder = make_column_transformer((StandardScaler(), numbers), (OneHotEncoder(handle_unknown="ignore"), labels))
        model = make_pipeline(encoder, LogisticRegression(max_iter=1000))
        model.fit(rows[columns], rows["income"] == ">50K")
        return float(roc_auc_score(test["income"] == ">50K", model.predict_proba(test[columns])[:, 1]))

    print("\nAUC on raw rows of Adult, logistic regression fitted to released rows as they are")
    print("| k | raw rows | Pk | Pk, reconstructed | grouped Pk, Mondrian 100 | grouped Pk, least noise |")
    print("|---|---|---|---|---|---|")
    for k in (3, 10, 50):
        whole = tk.anonymize(train, schema, tk.PkPerturbation(k=k), seed=1)
        model = tk.reconstruct(whole, target="income")
        undone = roc_auc_score(test["income"] == ">50K", model.predict_proba(test[columns])[:, 1])
        methods = [
            tk.GroupedPkPerturbation(k=k, partition=p) for p in (tk.Mondrian(min_size=max(100, k)), tk.NoiseAware())
        ]
        found = [auc(tk.anonymize(train, schema, method, seed=1).frame) for method in methods]
        cells = [auc(train), auc(whole.frame), undone, *found]
        print(f"| {k} | {' | '.join(f'{cell:.4f}' for cell in cells)} |", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("seeds", type=int, nargs="?", default=5)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    averages(given.seeds)
    if given.write is not None:
        write(given.write)
    if data.named() is not None:
        adult()
