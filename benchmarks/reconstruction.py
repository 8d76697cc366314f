"""Classifiers from a perturbed release of Adult: what is lost, and what comes back.

    TOKUMEI_DATA=folder-with-adult.csv python -m benchmarks.reconstruction [seeds] [--first SEED] [--targets] [--suggested] [--weights]

16,281 random rows are released with ten columns perturbed by an even split, income as it is; the other 32,561 rows,
clean, are for testing. ``--targets`` goes through five other targets too, each without the columns it is made of, and
``--suggested`` splits and recodes as `suggest_split` says from 2,000 of the other rows, which are then not tested on.
``--weights`` adds logistic regressions on rows weighed by `DensityRatio`, at k = 3 and 50 only: it takes minutes a seed.
Mean AUC with its standard error; differences are paired by seed.
"""

from __future__ import annotations

import argparse
import warnings

import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score

import tokumei as tk
from benchmarks.optimised_split import COLUMNS, PILOT, RELEASED, adult, auc, prepared, schema, targets
from tokumei.mechanism.coarsening import Coarsened
from tokumei.table.coded import encode
from tokumei.table.frames import to_arrow


def all_targets(frame: pd.DataFrame) -> dict[str, tuple[pd.Series, list[str]]]:
    """Six targets, each with the columns left to predict it from."""

    def without(*made_of: str) -> list[str]:
        return [c for c in COLUMNS if c not in made_of]

    return {
        **targets(frame),
        "40 years or more": (frame["age"] >= 40, without("age")),
        "male": (frame["sex"] == "Male", without("sex", "relationship")),
        "13 years of education": (frame["education-num"] >= 13, without("education-num")),
    }


def naive_bayes(release: tk.Release, test: pd.DataFrame, steps: int = 300) -> float:
    """The product of one-column tables, each by so many plain EM steps from a uniform start."""
    classes = release.coded.codes("target")
    score = np.zeros(len(test))
    coded = encode(to_arrow(test)[0], release.schema)
    for name, channel in release.mechanism.channels.items():
        true_bins, released_bins = (50, 64) if channel.size > 100 else (channel.size, channel.size)
        bins = np.arange(channel.size) * true_bins // channel.size
        seen_bins = np.arange(channel.size) * released_bins // channel.size
        conditional = Coarsened(channel, bins, seen_bins)
        logs = []
        for label in (0, 1):
            seen = np.bincount(seen_bins[release.coded.codes(name)[classes == label]], minlength=conditional.outputs)
            p = np.full(conditional.size, 1 / conditional.size)
            for _ in range(steps):
                p = p * conditional.backward(seen / seen.sum() / conditional.forward(p))
            logs.append(np.log(p + 1e-9))
        score += (logs[1] - logs[0])[bins[coded.codes(name)]]
    return roc_auc_score(test["target"], score)


WEIGHTS = {
    "weights, linear": tk.DensityRatio("linear"),
    "weights, kernel": tk.DensityRatio("kernel"),
    "weights, free": tk.DensityRatio("free"),
    "free on product": tk.DensityRatio("free", "product"),
}


def once(
    data: pd.DataFrame, described: tk.Schema, k: int, seed: int, suggested: bool, weights: bool
) -> dict[str, float]:
    """Release and test once."""
    order = np.random.default_rng(seed).permutation(len(data))
    held = PILOT if suggested else 0
    train, pilot, test = (
        data.iloc[order[a:b]].reset_index(drop=True)
        for a, b in ((0, RELEASED), (RELEASED, RELEASED + held), (RELEASED + held, None))
    )
    split, steps = "even", ()
    if suggested:
        found = tk.suggest_split(pilot, described, k=k, rows=RELEASED, target="target")
        split, steps = found.split, found.prepare
        test = prepared(test, described, steps)
    release = tk.anonymize(train, described, tk.PkPerturbation(k=k, split=split), steps, seed=seed)
    model = tk.ClassConditional("target").fit(release)
    found = {
        "perturbed rows": auc(release.frame, test),
        "1-D EM product": naive_bayes(release, test),
        "ClassConditional": roc_auc_score(test["target"], model.decision_function(test)),
    }
    for name, each in WEIGHTS.items() if weights else ():
        each.fit(release)
        found[name] = auc(each.support_, test, each.weights_)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Classifiers from a perturbed release of Adult.")
    parser.add_argument("seeds", nargs="?", type=int, default=16)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--targets", action="store_true", help="five other targets too")
    parser.add_argument("--suggested", action="store_true", help="the suggested split instead of the even one")
    parser.add_argument("--weights", action="store_true", help="density ratios too")
    asked = parser.parse_args()
    warnings.filterwarnings("ignore")
    frame = adult()
    wanted = all_targets(frame) if asked.targets else {"income over 50K": targets(frame)["income over 50K"]}
    for name, (target, columns) in wanted.items():
        data, described = frame[columns].assign(target=target.to_numpy()), schema(frame, columns)
        for k in (3, 50) if asked.weights else (3, 5, 10, 50):
            seeds = range(asked.first, asked.first + asked.seeds)
            results = pd.DataFrame([once(data, described, k, seed, asked.suggested, asked.weights) for seed in seeds])
            paired = results.sub(results["1-D EM product"], axis=0)
            print(f"{name}, k = {k}, seeds {seeds.start} to {seeds.stop - 1}")
            for what in results:
                print(
                    f"  {what:<17} {results[what].mean():.4f} ± {results[what].sem():.4f}   against the product "
                    f"{paired[what].mean():+.4f} ± {paired[what].sem():.4f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
