"""What a pilot is worth by itself: its rows alone, against a release whose split was suggested from them.

    TOKUMEI_DATA=folder-with-adult.csv python -m benchmarks.pilot_alone [SEEDS]

The rows of `benchmarks.papers.density_ratio`: 16,281 of Adult are released with income unchanged, 2,000 others are the pilot, and a
logistic regression is judged by its AUC on the rest. A pilot that may be analyzed as it is needs no release to learn from.
"""

from __future__ import annotations

import sys

import numpy as np

import tokumei as tk
from benchmarks.papers.density_ratio import Rows, whole
from benchmarks.stored import Table, store
from benchmarks.ten_columns import adult, auc, schema

KS = (3, 10, 50)


def main() -> None:
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 4
    frame = adult()
    data, columns = whole(frame)
    described = schema(frame, columns)
    found: dict[str, list[float]] = {}

    def keep(name: str, area: float) -> None:
        found.setdefault(name, []).append(area)
        print(f"{name}: {area:.3f}", flush=True)

    for seed in range(seeds):
        rows = Rows(data, seed)
        keep("the original rows", auc(rows.train, rows.test))
        keep("the pilot's 2,000 rows alone", auc(rows.pilot, rows.test))
        for k in KS:
            release, test = rows.suggested(described, k)
            keep(f"suggested split, k = {k}", auc(release.frame, test))
            release = tk.anonymize(rows.train, described, tk.PkPerturbation(k=k, tells="all"), seed=seed)
            keep(f"even split, k = {k}", auc(release.frame, rows.test))
    table = [
        [name, float(np.mean(each)), float(np.std(each, ddof=1) / len(each) ** 0.5)] for name, each in found.items()
    ]
    store(
        "pilot_alone",
        {"auc": Table(["fitted to", "AUC", "±"], table)},
        command=f"python -m benchmarks.pilot_alone {seeds}",
        seeds=list(range(seeds)),
    )


if __name__ == "__main__":
    main()
