"""Kakizawa, Watanabe, Furukawa and Takahashi, "Improvement of Pk-anonymization using grouping of attribute values".

    python -m benchmarks.papers.grouping [--quick] [noise] [adult]

Sets A (two round clusters), B (two clusters whose columns go together), C (five clusters) and, beyond the paper, D (spread
evenly), 1,000 points each, k = 5. Ratios are of the scale phi, a group's over that of the whole set; where a box is so narrow that its cells are
kept or replaced instead, of the scale that costs as much. "Least noise" is in this measure, not in that of the default. The paper's own points are not
published, so its sets are drawn anew from its descriptions. A logistic regression on six columns of Adult shows what less noise is worth.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import tokumei as tk
from benchmarks import data
from benchmarks.papers.program import Part, Run, Tables, main
from benchmarks.stored import Table
from tokumei import plots
from tokumei.anonymizers.pk_perturbation import solve_channels

K, POINTS, STEP, TRAINING = 5, 1000, 0.1, 32_561
MONDRIAN, DBSCAN, LEAST = "Mondrian, 100 at least", "DBSCAN, then Mondrian, outliers dropped", "least noise"
PARTITIONS = {
    MONDRIAN: tk.partitions.Mondrian(min_size=100),
    DBSCAN: tk.partitions.DBSCAN(then=tk.partitions.Mondrian(min_size=100), outliers="drop"),
    "DBSCAN, then Mondrian, outliers nearest": tk.partitions.DBSCAN(then=tk.partitions.Mondrian(min_size=100)),
    "least noise, 100 at least": tk.partitions.NoiseAware(min_size=100, measure="scale"),
    "least noise, greedy": tk.partitions.NoiseAware(search="greedy", measure="scale"),
    LEAST: tk.partitions.NoiseAware(measure="scale"),
}
PICTURES = {MONDRIAN: "mondrian", DBSCAN: "dbscan", LEAST: "noise_aware"}

# The averages over groups that the paper prints below its figures 5, 7, 9, 11, 13 and 15, and the numbers of groups. In figure 15
# the printed averages leave out two of the eleven groups; these are over all that it prints.
PRINTED = {
    ("A", MONDRIAN): (8, 0.475468, 0.470305),
    ("A", DBSCAN): (6, 0.448788, 0.363850),
    ("B", MONDRIAN): (8, 0.364388, 0.305064),
    ("B", DBSCAN): (6, 0.341448, 0.274851),
    ("C", MONDRIAN): (8, 0.566608, 0.427123),
    ("C", DBSCAN): (11, 0.375920, 0.428824),
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


def even(rng: np.random.Generator) -> Any:
    return rng.uniform(0, 100, (POINTS, 2))


SETS: dict[str, Callable[[np.random.Generator], Any]] = {"A": two_round, "B": two_slanted, "C": five, "D": even}


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
    """Return the ratios of each group, column by column, and its rows; the release must keep its promise."""
    grouping = release.mechanism.grouping
    assert grouping is not None
    assert release.guarantees[0].value >= K
    whole = [channel.scale for channel in solve_channels(list(schema), POINTS, K, "even").values()]
    channels, which = grouping.kinds
    scales = [(channel.size - 1) / channel.cost if channel.size > 1 else 0.0 for channel in channels]
    return np.array(scales)[which] / whole, np.array([group.rows for group in grouping.groups])


def averages(run: Run, seeds: Sequence[int]) -> Table:
    """Mean ratios over groups, as the paper takes them, and over records, with the standard error of the latter."""
    rows = []
    for which in SETS:
        for name, partition in PARTITIONS.items():
            run.say(f"{which}, {name}")
            by_group, by_record, groups, dropped = [], [], [], []
            for seed in seeds:
                release, schema = grouped(which, seed, partition)
                ratios, counts = ratios_of(release, schema)
                by_group.append(ratios.mean(axis=0))
                by_record.append(np.average(ratios.mean(axis=1), weights=counts))
                groups.append(len(counts))
                dropped.append(release.mechanism.left_out)
            x, y = map(float, np.mean(by_group, axis=0))
            error = np.std(by_record, ddof=1) / len(seeds) ** 0.5
            means = [float(np.mean(each)) for each in (groups, dropped, by_record)]
            rows.append([which, name, *means[:2], x, y, means[2], float(error)])
    columns = ["set", "groups made by", "groups", "dropped", "x", "y", "over records", "±"]
    return Table(columns, rows, {"groups": ".0f", "dropped": ".0f"})


def beside(found: Table) -> Table:
    """The paper's averages beside those of the same method on sets drawn anew, and of the groups with the least noise."""
    rows = []
    for (which, name), (groups, x, y) in PRINTED.items():
        _, _, ours, _, *ratios = found.found(f"{which} / {name}")
        least = found.found(f"{which} / {LEAST}")
        rows.append([which, name, groups, x, y, ours, *ratios[:2], *least[4:6]])
    columns = ["set", "groups made by", "groups, paper", "x, paper", "y, paper", "groups", "x", "y", "x, least noise", "y, least noise"]  # fmt: skip
    return Table(columns, rows, {"groups": ".0f"})


def every_group(run: Run) -> Table:
    """The ratios of every group of the first seed, and a picture of the groups."""
    rows = []
    for which in SETS:
        for title, name in PICTURES.items():
            release, schema = grouped(which, 0, PARTITIONS[title])
            grouping = release.mechanism.grouping
            assert grouping is not None
            ratios, counts = ratios_of(release, schema)
            for number, (ratio, count) in enumerate(zip(ratios, counts, strict=True), start=1):
                rows.append([which, title, number, int(count), *(round(float(each), 3) for each in ratio)])
            low, high = (np.asarray(ends, dtype=float) * STEP for ends in grouping.edges)
            starts = np.array([float(schema[n].domain.low) for n in "xy"])
            mean = np.average(ratios.mean(axis=1), weights=counts)
            chart = plots.groups(
                low + starts, high + starts, counts, names=("x", "y"), step=STEP, title=f"{which}: {title}",
                subtitle=f"{len(counts)} groups, noise {mean:.2f} of that without groups",
            )  # fmt: skip
            run.picture(f"{which}_{name}", chart)
    return Table(["set", "groups made by", "group", "rows", "x", "y"], rows)


def adult(run: Run, ks: tuple[int, ...], seeds: Sequence[int]) -> Table:
    """Fit a logistic regression to released rows of Adult, six columns, and test it on raw rows."""
    numbers, labels = ["age", "education-num", "hours-per-week"], ["marital-status", "sex", "race"]
    columns = [*numbers, *labels]
    frame = pd.read_csv(data.adult())[[*columns, "income"]]
    attributes = [
        tk.Attribute(c, domain=tk.Numbers(int(frame[c].min()), int(frame[c].max()), step=1)) for c in numbers
    ] + [tk.Attribute(c, domain=tk.Categories(sorted(frame[c].unique()))) for c in labels]
    schema = tk.Schema([*attributes, tk.Attribute("income", "sensitive", tk.Categories(["<=50K", ">50K"]))])
    train, test = frame.iloc[:TRAINING], frame.iloc[TRAINING:]
    rich = test["income"] == ">50K"

    def auc(rows: Any) -> float:
        encoder = make_column_transformer((StandardScaler(), numbers), (OneHotEncoder(handle_unknown="ignore"), labels))
        model = make_pipeline(encoder, LogisticRegression(max_iter=1000))
        model.fit(rows[columns], rows["income"] == ">50K")
        return float(roc_auc_score(rich, model.predict_proba(test[columns])[:, 1]))

    raw, rows = auc(train), []
    for k in ks:
        found = []
        for seed in seeds:
            run.say(f"Adult, k = {k}, seed {seed}")
            whole = tk.anonymize(train, schema, tk.PkPerturbation(k=k, tells="all"), seed=seed)
            undone = tk.reconstruct(whole, target="income").predict_proba(test[columns])[:, 1]
            partitions = (tk.partitions.Mondrian(min_size=max(100, k)), tk.partitions.NoiseAware())
            methods = [tk.GroupedPkPerturbation(k=k, partition=each) for each in partitions]
            areas = [auc(tk.anonymize(train, schema, method, seed=seed).frame) for method in methods]
            found.append([auc(whole.frame), float(roc_auc_score(rich, undone)), *areas])
        error = np.std(found, axis=0, ddof=1).max() / len(seeds) ** 0.5
        rows.append([k, raw, *map(float, np.mean(found, axis=0)), float(error)])
    columns = ["k", "original rows", "Pk", "Pk, reconstructed", "in groups, Mondrian 100", "in groups, least noise", "± at most"]  # fmt: skip
    return Table(columns, rows)


def pictures(run: Run) -> Tables:
    found = averages(run, run.seeds)
    return {"ratios": found, "printed": beside(found), "groups": every_group(run)}


def learning(run: Run) -> Tables:
    return {"auc": adult(run, (3,) if run.quick else (3, 10, 50), run.seeds)}


LEARNERS = ("tokumei", "numpy", "scikit-learn")
PARTS = {
    "noise": Part(pictures, seeds=range(5), packages=LEARNERS),
    "adult": Part(learning, seeds=range(4), packages=LEARNERS),
}

if __name__ == "__main__":
    main("grouping", __doc__.splitlines()[0], PARTS)
