"""The small tables of the paper on frequencies, worked through: its tables 1 and 2, and its figures 3 to 5."""

from __future__ import annotations

from typing import Any

import pandas as pd

import tokumei as tk
from benchmarks.papers.program import Run, Tables
from benchmarks.stored import Table

# Table 1: six people, released in two groups of three.
PEOPLE = {
    "education": ["Masters", "Masters", "Masters", "11th", "11th", "12th"],
    "age": [35, 36, 36, 28, 22, 33],
}
# Figure 4: how many people are of each age and in each job.
AGES = {"20s": 10, "30s": 30, "40s": 31, "50s": 9}
JOBS = {"sole trader": 20, "freelance": 20, "national": 20, "local": 19, "chick sexer": 1}
GROUPS = {
    "age": {"20s-30s": ["20s", "30s"], "40s-50s": ["40s", "50s"]},
    "job": {"self-employed": ["sole trader", "freelance"], "civil service": ["national", "local", "chick sexer"]},
}


def people() -> tuple[pd.DataFrame, tk.Schema]:
    education = tk.Categories(["11th", "12th", "Bachelors", "Masters"])
    tree = tk.Hierarchy.groups({"Senior Sec.": ["11th", "12th"], "University": ["Bachelors", "Masters"]})
    schema = tk.Schema(
        [
            tk.Attribute("education", "quasi_identifier", education, tree),
            tk.Attribute("age", "quasi_identifier", tk.Numbers(1, 99, step=1)),
        ]
    )
    return pd.DataFrame(PEOPLE), schema


def collated() -> Table:
    """Who of table 1 is pinned, by what is published about the groups."""
    frame, schema = people()
    method = tk.Generalization(k=3, partition=tk.partitions.TopDown())
    rows = []
    for statistics in ("moments", "counts", "rates"):
        found = tk.disclosure.collation_check(frame, method, schema, statistics=statistics, random_state=0)
        rows.append([statistics, found.looked_at, found.resolved, found.pinned])
    return Table(["published", "groups", "resolved", "pinned rows"], rows)


def groups() -> Table:
    """The released rows of table 1, with the statistics of table 2."""
    frame, schema = people()
    release = tk.anonymize(frame, schema, tk.Generalization(k=3, partition=tk.partitions.TopDown()), seed=0)
    rows: list[list[Any]] = []
    cells = release.frame[["education", "age"]].drop_duplicates().sort_values("education")
    for education, age in cells.itertuples(index=False):
        under = ["11th", "12th"] if education == "Senior Sec." else [education]
        here = frame[frame["education"].isin(under)]
        shares = here["education"].value_counts(normalize=True).sort_index()
        told = ", ".join(f"{label} {share:.2f}" for label, share in shares.items())
        rows.append([education, age, len(here), told, float(here["age"].mean()), float(here["age"].var(ddof=0))])
    columns = ["education", "age", "rows", "rates of the group", "mean age", "variance"]
    return Table(columns, rows, {"mean age": ".2f", "variance": ".2f"})


def rates() -> Table:
    """What each coarse cell of figures 3 to 5 becomes."""
    counts = {"age": AGES, "job": JOBS}
    schema = tk.Schema(
        [
            tk.Attribute(name, "quasi_identifier", tk.Categories(list(of)), tk.Hierarchy.groups(GROUPS[name]))
            for name, of in counts.items()
        ]
    )
    shares = {name: {label: count / sum(of.values()) for label, count in of.items()} for name, of in counts.items()}
    cells = pd.DataFrame({"age": ["20s-30s", "40s-50s"], "job": ["self-employed", "civil service"]})
    encoder = tk.encoders.RateEncoder(schema, shares, sparse_output=False).fit(cells)
    made = encoder.transform(cells)
    rows = []
    for (_, cell), features in zip(cells.iterrows(), made, strict=True):
        of = dict(zip(encoder.get_feature_names_out(), features, strict=True))
        for name in counts:
            told = ", ".join(
                f"{feature.split('=')[-1]} {rate:.3f}"
                for feature, rate in of.items()
                if rate and feature.startswith(name)
            )
            rows.append([name, cell[name], told])
    return Table(["column", "cell", "rates"], rows)


def worked(_: Run) -> Tables:
    return {"groups": groups(), "collated": collated(), "rates": rates()}
