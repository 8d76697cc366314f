"""Classifiers from a perturbed release of Adult: what is lost, and what comes back.

    TOKUMEI_DATA=folder-with-adult.csv python benchmarks/reconstruction.py [seeds]

16,281 random rows are released with ten columns perturbed by an even split, income as it is; the other 32,561 rows,
clean, are for testing. Mean AUC with its standard error; differences are paired by seed.
"""

from __future__ import annotations

import sys
import warnings

import numpy as np
from sklearn.metrics import roc_auc_score

import tokumei as tk
from optimised_split import COLUMNS, RELEASED, adult, auc, schema


def naive_bayes(release: tk.Release, test, steps: int = 300) -> float:
    """The product of one-column tables, each by so many plain EM steps from a uniform start."""
    classes = release.coded.codes("target")
    score = np.zeros(len(test))
    coded = tk.anonymize(test, release.schema, tk.Sampling(len(test), known=1), seed=0)
    for name in COLUMNS:
        channel = release.mechanism.channels[name]
        from tokumei.mechanism.coarsening import Coarsened

        bins = np.arange(channel.size) * min(channel.size, 50) // channel.size
        seen_bins = np.arange(channel.size) * min(channel.size, 64) // channel.size
        conditional = channel if channel.size <= 100 else Coarsened(channel, bins, seen_bins)
        bins, seen_bins = (bins, seen_bins) if channel.size > 100 else (np.arange(channel.size),) * 2
        logs = []
        for label in (0, 1):
            seen = np.bincount(seen_bins[release.coded.codes(name)[classes == label]], minlength=conditional.outputs)
            p = np.full(conditional.size, 1 / conditional.size)
            for _ in range(steps):
                p = p * conditional.backward(seen / seen.sum() / conditional.forward(p))
            logs.append(np.log(p + 1e-9))
        score += (logs[1] - logs[0])[bins[coded.coded.codes(name)]]
    return roc_auc_score(coded.frame["target"], score)


def main() -> None:
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 16
    warnings.filterwarnings("ignore")
    frame = adult()
    data = frame[COLUMNS].assign(target=frame["income"].str.contains(">"))
    described = schema(frame, COLUMNS)
    for k in (3, 5, 10, 50):
        results: dict[str, list[float]] = {}
        for seed in range(seeds):
            order = np.random.default_rng(seed).permutation(len(data))
            train, test = (data.iloc[rows].reset_index(drop=True) for rows in (order[:RELEASED], order[RELEASED:]))
            release = tk.anonymize(train, described, tk.PkPerturbation(k=k), seed=seed)
            model = tk.ClassConditional("target").fit(release)
            ours = roc_auc_score(test["target"], model.decision_function(test))
            for what, value in (
                ("perturbed rows", auc(release.frame, test)),
                ("1-D EM product", naive_bayes(release, test)),
                ("ClassConditional", ours),
            ):
                results.setdefault(what, []).append(value)
        print(f"k = {k}, {seeds} seeds")
        for what, values in results.items():
            paired = np.subtract(values, results["1-D EM product"])
            print(
                f"  {what:<17} {np.mean(values):.4f} ± {np.std(values, ddof=1) / seeds**0.5:.4f}   against the product "
                f"{paired.mean():+.4f} ± {paired.std(ddof=1) / seeds**0.5:.4f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
