"""What reconstruction costs with many rows: the structured way against the dense one, on Adult.

    TOKUMEI_DATA=folder-with-adult.csv python -m benchmarks.structured

Ten columns perturbed by an even split at k = 3, income kept. 1,000,000 rows are Adult's, drawn with replacement. A step is
one EM step of the free model; the dense matrix of 1,000,000 rows would have 3,770 times the entries of that of 16,281.
"""

from __future__ import annotations

import resource
import time
import warnings

import numpy as np

import tokumei as tk
from benchmarks.optimised_split import COLUMNS, RELEASED, adult, auc, schema
from tokumei.mechanism.likelihood import seen
from tokumei.reconstruction._arrays import arrays
from tokumei.reconstruction._products import product


def release_of(frame, rows: int) -> tk.Release:
    data = frame[COLUMNS].assign(target=frame["income"].str.contains(">"))
    rng = np.random.default_rng(0)
    which = rng.permutation(len(data))[:rows] if rows <= len(data) else rng.integers(0, len(data), rows)
    train = data.iloc[which].reset_index(drop=True)
    return tk.anonymize(train, schema(frame, COLUMNS), tk.PkPerturbation(k=3), seed=1)


def seconds_of_a_step(release: tk.Release, way: str, steps: int = 5) -> float:
    views = []
    for attribute in release.schema:
        codes = release.coded.codes(attribute.name)
        views.append(seen(release.mechanism.conditional(attribute), codes, codes, 256))
    codes = np.stack([view.true for view in views], axis=1)
    made = product([view.matrix for view in views], codes, codes, way, arrays("numpy"))
    weights = np.full(release.rows, 1 / release.rows)
    taken = []
    for _ in range(steps + 1):
        begun = time.perf_counter()
        weights = weights * made.backward(1 / release.rows / made.forward(weights))
        taken.append(time.perf_counter() - begun)
    return min(taken[1:])


def main() -> None:
    warnings.filterwarnings("ignore")
    frame = adult()
    large = release_of(frame, 1_000_000)
    taken = seconds_of_a_step(large, "structured")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    del large
    small = release_of(frame, RELEASED)
    test = frame[COLUMNS].assign(target=frame["income"].str.contains(">")).sample(10_000, random_state=1)
    dense, structured = (tk.DensityRatio(way=way).fit(small) for way in ("dense", "structured"))
    areas = [auc(model.support_, test, model.weights_) for model in (dense, structured)]
    alike = np.corrcoef(dense.weights_, structured.weights_)[0, 1]
    print(
        f"dense and structured at {RELEASED:,} rows: weights correlate {alike:.5f}, AUC {areas[0]:.4f} and {areas[1]:.4f}"
    )
    steps = {way: seconds_of_a_step(small, way) for way in ("dense", "blocks", "structured")}
    for way, taken in steps.items():
        print(f"  a step, {way:<10} {taken:6.2f} s")
    print(
        f"a structured step at 1,000,000 rows: {taken:.2f} s, {taken / steps['structured']:.1f} times that at {RELEASED:,}"
    )
    print(f"peak memory: {peak:.2f} GB")


if __name__ == "__main__":
    main()
