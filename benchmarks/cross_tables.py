"""Joint tables of two perturbed columns of Adult: how far estimates are from the table of the same original rows.

    TOKUMEI_DATA=folder-with-adult.csv python -m benchmarks.cross_tables [seeds]

16,281 rows, ten columns perturbed by an even split. Total variation: half the sum of absolute differences. Inverting
the channels' matrices is unbiased and can leave cells far below zero; "cut" puts it back among the tables that there are.
"""

from __future__ import annotations

import sys
import warnings

import numpy as np

import tokumei as tk
from benchmarks.ten_columns import COLUMNS, RELEASED, adult, schema

PAIRS = (
    ("marital-status", "sex"),
    ("marital-status", "relationship"),
    ("marital-status", "occupation"),
    ("workclass", "occupation"),
    ("education-num", "sex"),
    ("education-num", "marital-status"),
    ("age", "marital-status"),
)


def cut(table: np.ndarray) -> np.ndarray:
    """Return the nearest table of shares."""
    falling = np.sort(table.ravel())[::-1]
    over = np.cumsum(falling) - 1
    last = np.nonzero(falling - over / (np.arange(falling.size) + 1) > 0)[0][-1]
    return np.maximum(table - over[last] / (last + 1), 0)


def counted(coded, pair, shape) -> np.ndarray:
    places = np.ravel_multi_index([coded.codes(name).astype(np.int64) for name in pair], shape)
    return np.bincount(places, minlength=np.prod(shape)).reshape(shape) / len(places)


def main() -> None:
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    warnings.filterwarnings("ignore")
    frame = adult()
    data = frame[COLUMNS].assign(target=frame["income"].str.contains(">"))
    described = schema(frame, COLUMNS)
    for k in (3, 10):
        print(f"k = {k}, {seeds} seeds: total variation, mean over seeds")
        print(f"  {'':<32}{'released':>9}{'inverted':>9}{'cut':>7}{'likeliest':>10}{'smoothing 5':>12}")
        found = {pair: [] for pair in PAIRS}
        for seed in range(seeds):
            rows = np.random.default_rng(seed).permutation(len(data))[:RELEASED]
            train = data.iloc[rows].reset_index(drop=True)
            release = tk.anonymize(train, described, tk.PkPerturbation(k=k, tells="all"), seed=seed)
            true = tk.anonymize(train, described, tk.Sampling(RELEASED, known=1), seed=0).coded
            for pair in PAIRS:
                channels = [release.mechanism.channels[name] for name in pair]
                shape = tuple(channel.size for channel in channels)
                right, seen = counted(true, pair, shape), counted(release.coded, pair, shape)
                inverted = np.linalg.solve(channels[0].matrix(), seen) @ np.linalg.inv(channels[1].matrix()).T
                made = [seen, inverted, cut(inverted)]
                made += [tk.IterativeBayes(list(pair), smoothing=s).fit(release).pmf_ for s in (0, 5)]
                found[pair].append([np.abs(each - right).sum() / 2 for each in made])
        for pair, values in found.items():
            mean = np.mean(values, axis=0)
            print(
                f"  {' × '.join(pair):<32}{mean[0]:9.3f}{mean[1]:9.3f}{mean[2]:7.3f}{mean[3]:10.3f}{mean[4]:12.3f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
