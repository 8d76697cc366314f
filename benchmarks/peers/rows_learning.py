"""Models of k-anonymous rows: all rows against weighted cells."""

from __future__ import annotations

from collections.abc import Iterator

from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

import tokumei as tk
from benchmarks.row import Row

ROWS = 100_000
COLUMNS = ["age", "sex", "region", "education"]


def rows() -> Iterator[Row]:
    dropped = [tk.prepare.Drop(name) for name in ("marital", "occupation", "hours")]
    method = tk.Generalization(k=10, partition=tk.partitions.Mondrian(choose="gain"))
    release = tk.anonymize(tk.example_census(ROWS), tk.example_schema(), method, dropped)
    frame, target = release.frame[COLUMNS], release.frame["income"].isin(["50k to 100k", "over 100k"])
    for model, least in ((LogisticRegression(max_iter=1000), 4), (LinearSVC(), 8)):
        yield Row(
            f"{type(model).__name__}, {ROWS:,} rows at k = 10 as weighted cells",
            "encoding and fitting all rows",
            lambda model=model: tk.encoders.WeightedCells(tk.encoders.RateEncoder(release), model).fit(frame, target),
            lambda model=model: make_pipeline(tk.encoders.RateEncoder(release), model).fit(frame, target),
            at_least=least,
            rounds=3,
        )
