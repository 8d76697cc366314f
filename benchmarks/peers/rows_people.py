"""People with several rows, and survey weights: what counting them costs against rows alone."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import tokumei as tk
from benchmarks.row import Row

ROWS = 20_000
METHODS = [
    ("PkPerturbation", tk.PkPerturbation(k=5, kept="perturb", tells="all"), 2.0),
    ("Generalization by Mondrian", tk.Generalization(k=5, partition=tk.partitions.Mondrian()), None),
]


def rows() -> Iterator[Row]:
    frame = tk.example_census(ROWS, random_state=1)
    frame["person_id"] = np.random.default_rng(1).integers(0, ROWS // 2, ROWS)
    plain = tk.example_schema()
    people = plain.replacing(tk.Attribute("person_id", "person"))
    for name, method, limit in METHODS:
        yield Row(
            f"{name} for people with several rows, {ROWS:,} rows",
            "the same, one row per person",
            lambda method=method: tk.anonymize(frame, people, method),
            lambda method=method: tk.anonymize(frame, plain, method),
            at_most=limit,
            rounds=3,
        )
    weighed = frame.assign(w=np.random.default_rng(2).choice([1, 2, 5], ROWS))
    schema = tk.Schema([*plain, tk.Attribute("w", "insensitive", tk.Categories([1, 2, 5]))])
    release = tk.anonymize(weighed, schema, tk.PkPerturbation(k=5, tells="all"), seed=1)
    yield Row(
        f"IterativeBayes of two columns with survey weights, {ROWS:,} rows",
        "the same without weights",
        lambda: tk.IterativeBayes(["education", "occupation"], weights="w").fit(release),
        lambda: tk.IterativeBayes(["education", "occupation"]).fit(release),
        at_most=2.0,
        rounds=3,
    )
