"""Kakizawa, Watanabe, Furukawa and Takahashi, "Improvement of Pk-anonymization using grouping of attribute values".

    python -m benchmarks.papers.grouping [--quick] [noise] [adult]

Sets A (two round clusters), B (two clusters whose columns go together), C (five clusters) and, beyond the paper, D (spread
evenly), 1,000 points each, k = 5. Clusters have the sizes that give the paper's numbers of groups: two thirds and one third of the points in A and B, and
in C one of 360, three of about 180 and one of 110; for its eleven groups of 80 to 100 the smallest allowed group must be below its stated 100. Ratios are of the scale phi, a group's over that of the whole set; where a box is so narrow that its cells are
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
TWO, FIVE = (660, 340), (360, 180, 175, 175, 110)  # points of each cluster
MONDRIAN, DBSCAN, LEAST = "Mondrian, 100 at least", "DBSCAN, then Mondrian, outliers dropped", "least noise"
SMALLER, DRAWN = "DBSCAN, then Mondrian, 75 at least, outliers dropped", "least noise, nine tenths of each group drawn"
PARTITIONS = {
    MONDRIAN: tk.partitions.Mondrian(min_size=100),
    DBSCAN: tk.partitions.DBSCAN(then=tk.partitions.Mondrian(min_size=100), outliers="drop"),
    SMALLER: tk.partitions.DBSCAN(then=tk.partitions.Mondrian(min_size=75), outliers="drop"),
    "DBSCAN, then Mondrian, outliers nearest": tk.partitions.DBSCAN(then=tk.partitions.Mondrian(min_size=100)),
    "least noise, 100 at least": tk.partitions.NoiseAware(min_size=100, measure="scale"),
    "least noise, greedy": tk.partitions.NoiseAware(search="greedy", measure="scale"),
    LEAST: tk.partitions.NoiseAware(measure="scale"),
    DRAWN: tk.partitions.NoiseAware(measure="scale"),
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
    ("C", SMALLER): (11, 0.375920, 0.428824),
}

# The eleven ratios of figure 15 and the averages printed beside them.
FIGURE_15 = {
    "x": (
        [0.550347, 0.542171, 0.274932, 0.236904, 0.154736, 0.359185, 0.628691, 0.622504, 0.420632, 0.148517, 0.196504],
        0.421122,
    ),
    "y": (
        [0.202117, 0.533945, 0.255629, 0.516421, 0.417084, 0.399215, 0.486843, 0.197942, 0.840227, 0.364694, 0.502952],
        0.427714,
    ),
}


def two_round(rng: np.random.Generator) -> Any:
    return np.concatenate([rng.normal(m, 10, (n, 2)) for m, n in zip((30, 70), TWO, strict=True)])


def two_slanted(rng: np.random.Generator) -> Any:
    shape = 81 * np.array([[1, 0.9], [0.9, 1]])
    return np.concatenate([rng.multivariate_normal([m, m], shape, n) for m, n in zip((24, 76), TWO, strict=True)])


def five(rng: np.random.Generator) -> Any:
    centres = [(20, 20), (20, 80), (80, 20), (80, 80), (50, 50)]
    return np.concatenate([rng.normal(centre, 7, (n, 2)) for centre, n in zip(centres, FIVE, strict=True)])


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


def grouped(which: str, seed: int, name: str) -> tuple[tk.Release, tk.Schema]:
    table, schema = table_of(which, seed)
    method = tk.GroupedPkPerturbation(k=K, partition=PARTITIONS[name], sample=0.9 if name == DRAWN else None)
    return tk.anonymize(table, schema, method, seed=seed), schema


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
        for name in PARTITIONS:
            run.say(f"{which}, {name}")
            by_group, squared, by_record, groups, dropped, sizes = [], [], [], [], [], []
            for seed in seeds:
                release, schema = grouped(which, seed, name)
                ratios, counts = ratios_of(release, schema)
                by_group.append(ratios.mean(axis=0))
                squared.append((ratios**2).mean(axis=0))
                by_record.append(np.average(ratios.mean(axis=1), weights=counts))
                groups.append(len(counts))
                sizes += counts.tolist()
                dropped.append(release.mechanism.left_out)
            x, y = map(float, np.mean(by_group, axis=0))
            error = np.std(by_record, ddof=1) / len(seeds) ** 0.5
            means = [float(np.mean(each)) for each in (groups, dropped, by_record)]
            variances = [float(each) for each in np.mean(squared, axis=0)]
            rows.append([which, name, *means[:2], min(sizes), max(sizes), x, y, means[2], float(error), *variances])
    columns = [
        "set",
        "groups made by",
        "groups",
        "dropped",
        "fewest rows",
        "most rows",
        "x",
        "y",
        "over records",
        "±",
        "x, variances",
        "y, variances",
    ]
    return Table(columns, rows, {"groups": ".0f", "dropped": ".0f"})


def beside(found: Table) -> Table:
    """The paper's averages beside those of the same method on sets drawn anew, and of the groups with the least noise."""
    rows = []
    for (which, name), (groups, x, y) in PRINTED.items():
        _, _, ours, _, fewest, most, *ratios = found.found(f"{which} / {name}")
        least = found.found(f"{which} / {LEAST}")
        rows.append([which, name, groups, x, y, ours, fewest, most, *ratios[:2], *least[6:8]])
    columns = ["set", "groups made by", "groups, paper", "x, paper", "y, paper", "groups", "fewest rows", "most rows", "x", "y", "x, least noise", "y, least noise"]  # fmt: skip
    return Table(columns, rows, {"groups": ".0f"})


def every_group(run: Run) -> Table:
    """The ratios of every group of the first seed, and a picture of the groups."""
    rows = []
    for which in SETS:
        for title, name in PICTURES.items():
            release, schema = grouped(which, 0, title)
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
            releases = [tk.anonymize(train, schema, method, seed=seed) for method in methods]
            areas = [auc(release.frame) for release in releases]
            both = tk.reconstruct(releases[1], target="income").predict_proba(test[columns])[:, 1]
            found.append(
                [auc(whole.frame), float(roc_auc_score(rich, undone)), *areas, float(roc_auc_score(rich, both))]
            )
        error = np.std(found, axis=0, ddof=1).max() / len(seeds) ** 0.5
        rows.append([k, raw, *map(float, np.mean(found, axis=0)), float(error)])
    columns = ["k", "original rows", "Pk", "Pk, reconstructed", "in groups, Mondrian 100", "in groups, least noise", "in groups, least noise, reconstructed", "± at most"]  # fmt: skip
    return Table(columns, rows)


def pictures(run: Run) -> Tables:
    found = averages(run, run.seeds)
    averages_15 = [[axis, printed, float(np.mean(each))] for axis, (each, printed) in FIGURE_15.items()]
    eleven = Table(["axis", "printed average", "of all eleven"], averages_15)
    return {"ratios": found, "printed": beside(found), "figure_15": eleven, "groups": every_group(run)}


def learning(run: Run) -> Tables:
    return {"auc": adult(run, (3,) if run.quick else (3, 10, 50), run.seeds)}


LEARNERS = ("tokumei", "numpy", "scikit-learn")
PARTS = {
    "noise": Part(pictures, seeds=range(5), packages=LEARNERS),
    "adult": Part(learning, seeds=range(2), packages=LEARNERS),
}

if __name__ == "__main__":
    main("grouping", __doc__.splitlines()[0], PARTS)
