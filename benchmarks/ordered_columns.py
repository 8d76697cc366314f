"""Ordered categories under noise on every column: fitted value by value, or as two normals, by how many values they have.

    TOKUMEI_DATA=folder-with-adult.csv python -m benchmarks.ordered_columns [SEEDS]

Adult, 16,281 rows, k = 10. Age, hours and years of education (as far as they have as many values) are cut into so many classes of equal width, capital gain and loss into a
few, all as ordered categories. AUC of `ClassConditionalClassifier` on true rows, for three targets: where these columns are fitted value by value, and where those with more than eight
values are fitted as normals; *gain* is in pairs on the same releases, with its standard error.
"""

from __future__ import annotations

import sys
import warnings
from unittest.mock import patch

import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score

import tokumei as tk
from benchmarks.stored import Table, store
from benchmarks.ten_columns import NUMBERS, RELEASED, adult, targets
from tokumei.reconstruction import _weighing

FIRST, K, SIZES = 630, 10, (10, 12, 14, 16, 19, 24, 36)
TARGETS = ("income over 50K", "married", "male")
CUTS = {"capital-gain": [1, 3_000, 5_000, 7_000, 15_000], "capital-loss": [1, 1_500, 1_800, 2_000]}
WAYS = {"normals": _weighing.SHORT, "value by value": 1_000}


def in_classes(frame: pd.DataFrame, size: int) -> tuple[pd.DataFrame, tk.Schema]:
    """Cut numbers into ordered classes."""
    cells, attributes = {}, []
    for name in frame:
        column, ordered = frame[name], name in NUMBERS or name == "age"
        if name in CUTS:
            cells[name] = np.searchsorted(CUTS[name], column, side="right")
        elif ordered:
            low, wide = int(column.min()), int(column.max() - column.min()) + 1
            cells[name] = (column - low) * min(size, wide) // wide
        else:
            cells[name] = column.to_numpy()
        attributes.append(tk.Attribute(name, domain=tk.Categories(np.unique(cells[name]).tolist(), ordered=ordered)))
    return pd.DataFrame(cells), tk.Schema(attributes)


def areas(frame: pd.DataFrame, size: int, name: str, seed: int) -> list[float]:
    """Return the AUC of both ways."""
    target, columns = targets(frame)[name]
    rows, schema = in_classes(frame[columns], size)
    rows = rows.assign(target=target.to_numpy())
    schema = tk.Schema([*schema, tk.Attribute("target", "sensitive", tk.Categories([False, True]))])
    order = np.random.default_rng(seed).permutation(len(rows))
    train, test = (rows.iloc[part].reset_index(drop=True) for part in np.split(order, [RELEASED]))
    release = tk.anonymize(train, schema, tk.PkPerturbation(k=K, tells="all"), seed=seed)
    found = []
    for fewer in WAYS.values():
        with patch.object(_weighing, "LONG", fewer):
            model = tk.ClassConditionalClassifier("target").fit(release)
        found.append(float(roc_auc_score(test["target"], model.decision_function(test.drop(columns="target")))))
    return found


def main() -> None:
    warnings.filterwarnings("ignore")
    seeds = range(FIRST, FIRST + int(sys.argv[1] if len(sys.argv) > 1 else 4))
    frame, lines = adult(), []
    for size in SIZES:
        found = np.array([[areas(frame, size, name, seed) for name in TARGETS] for seed in seeds]).mean(axis=1)
        gain = found[:, 1] - found[:, 0]
        lines.append(
            [size, *found.mean(axis=0).tolist(), float(gain.mean()), float(gain.std(ddof=1) / len(gain) ** 0.5)]
        )
        print(*lines[-1], flush=True)
    heads = ["classes", *WAYS, "gain", "± gain"]
    formats = {**dict.fromkeys(WAYS, ".3f"), "gain": "+.4f", "± gain": ".4f"}
    command = f"python -m benchmarks.ordered_columns {len(seeds)}"
    store("ordered_columns", {"areas": Table(heads, lines, formats)}, command=command, seeds=list(seeds))


if __name__ == "__main__":
    main()
