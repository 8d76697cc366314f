"""The rows of the experiments on density ratios: which are released, and iterative Bayes on them column by column."""

from __future__ import annotations

import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score

import tokumei as tk
from benchmarks.ten_columns import PILOT, RELEASED, prepared, targets
from tokumei.mechanism.coarsening import Coarsened
from tokumei.table.coded import encode
from tokumei.table.frames import to_arrow


def product_of_columns(release: tk.Release, test: pd.DataFrame, steps: int = 300, bins: int | None = None) -> float:
    """Iterative Bayes column by column and class by class: plain steps from a uniform start, with numbers in bins."""
    classes = release.coded.codes("target")
    score = np.zeros(len(test))
    coded = encode(to_arrow(test)[0], release.schema)
    for name, channel in release.mechanism.channels.items():
        most = 100 if bins is None else bins
        narrow = channel.size <= most or (bins is not None and not isinstance(release.schema[name].domain, tk.Numbers))
        finer = (50, 64) if bins is None else (bins, bins)
        true_bins, released_bins = (channel.size, channel.size) if narrow else finer
        into = np.arange(channel.size) * true_bins // channel.size
        seen_bins = np.arange(channel.size) * released_bins // channel.size
        conditional = Coarsened(channel, into, seen_bins)
        logs = []
        for label in (0, 1):
            seen = np.bincount(seen_bins[release.coded.codes(name)[classes == label]], minlength=conditional.outputs)
            p = np.full(conditional.size, 1 / conditional.size)
            for _ in range(steps):
                p = p * conditional.backward(seen / seen.sum() / conditional.forward(p))
            logs.append(np.log(p + 1e-9))
        score += (logs[1] - logs[0])[into[coded.codes(name)]]
    return float(roc_auc_score(test["target"], score))


class Rows:
    """The rows of one seed: released, pilot, and for testing."""

    def __init__(self, data: pd.DataFrame, seed: int, released: int | None = None) -> None:
        order = np.random.default_rng(seed).permutation(len(data))
        cuts = ((0, RELEASED), (RELEASED, RELEASED + PILOT), (RELEASED + PILOT, None))
        self.train, self.pilot, self.test = (data.iloc[order[a:b]].reset_index(drop=True) for a, b in cuts)
        self.train = self.train.iloc[:released].reset_index(drop=True)
        self.seed = seed

    def suggested(self, described: tk.Schema, k: int) -> tuple[tk.Release, pd.DataFrame]:
        """Release by the suggested split; return the test rows recoded likewise."""
        found = tk.splits.suggest_split(self.pilot, described, k=k, rows=RELEASED, target="target")
        method = tk.PkPerturbation(k=k, split=found.split, tells="all")
        release = tk.anonymize(self.train, described, method, found.prepare, seed=self.seed)
        return release, prepared(self.test, described, found.prepare)


def whole(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Return the rows with income as the target, and the ten columns."""
    target, columns = targets(frame)["income over 50K"]
    return frame[columns].assign(target=target.to_numpy()), columns
