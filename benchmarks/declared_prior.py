"""Would a declared prior help? Rows that tell one thing each, replaced by values as likely as the root of declared shares.

    TOKUMEI_DATA=folder-with-adult.csv python -m benchmarks.declared_prior [SEEDS]

With public weights a_s(y) of what can be told, P(s, y | x) = a_s(y) (1 + t [y = x_s]) / Z(x) has the same swap, 1/(1 + t)^2, for every a, as
long as it is normalised over all clusters s together: Z(x) = sum of a + t sum over s of a_s(x_s). Here a is uniform within each cluster, as
in `PkPerturbation`, or goes with the root of the shares that the cluster's columns have in 50,000 other rows, as if a census
had published them. Clusters and their weights are those of ``tells="auto"``, on the tables of `benchmarks.telling`.

Both are fitted by the same mixture. It is one of the tilted distribution, the true one divided by Z(x), in which what rows show is a product
again: rows that were never drawn because Z(x) is small are imagined, as for any truncated sample, and tables are multiplied by Z(x) again.
"""

from __future__ import annotations

import itertools
import math
import sys
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

import tokumei as tk
from benchmarks.stored import Table, store
from benchmarks.telling import distance, shares, table
from tokumei.arrays import Floats, Integers
from tokumei.mechanism.likelihood import distinct
from tokumei.reconstruction import _mixture_kernels as kernels
from tokumei.reconstruction._mixture import EVEN, Look, Mixture, Observed, Products, started
from tokumei.reconstruction._mixture_size import STRENGTH

OTHERS = 50_000  # rows from which the declared shares come
LEAST = 0.02  # of the declared shares is spread evenly
CLASSES, STARTS, STEPS = 12, 3, 300
KS, ROWS = (3, 10, 50), 16_281


@dataclass(frozen=True)
class Kernel:
    """What rows tell, with weights a_s(y) = scale_s * product of q_j(y_j)."""

    clusters: list[tuple[int, ...]]
    scales: Floats
    q: list[Floats]
    t: float

    @classmethod
    def of(
        cls, clusters: list[tuple[int, ...]], weights: Floats, declared: list[Floats], t: float, root: bool
    ) -> Kernel:
        """Replace uniformly, or by the root of the declared shares, so that clusters are told as often as they should be."""
        q = [np.sqrt(p) if root else np.ones_like(p) for p in declared]
        q = [each / each.sum() for each in q]
        meet = [math.prod(float(q[j] @ declared[j]) for j in cluster) for cluster in clusters]
        return cls(clusters, weights / (1 + t * np.array(meet)), q, t)

    @property
    def total(self) -> float:
        """The sum of all weights."""
        return float(self.scales.sum())

    def draw(self, rows: Integers, rng: np.random.Generator) -> tuple[Integers, Integers]:
        """Return for each row the cluster that it tells, and what it tells of each column, -1 for nothing."""
        kept = np.stack(
            [
                self.t * scale * np.prod([self.q[j][rows[:, j]] for j in cluster], axis=0)
                for cluster, scale in zip(self.clusters, self.scales, strict=True)
            ],
            axis=1,
        )
        sums = np.cumsum(kept + self.scales, axis=1)
        which = (rng.random(len(rows))[:, None] * sums[:, -1:] > sums).sum(axis=1)
        mine = kept[np.arange(len(rows)), which]
        keep = rng.random(len(rows)) < mine / (mine + self.scales[which])
        out = np.full(rows.shape, -1)
        for place, cluster in enumerate(self.clusters):
            here = np.flatnonzero(which == place)
            for j in cluster:
                out[here, j] = np.where(keep[here], rows[here, j], rng.choice(len(self.q[j]), len(here), p=self.q[j]))
        return which, out

    def around(self, thetas: tuple[Floats, ...]) -> tuple[Floats, list[Floats]]:
        """Return for each class the mean of Z, and for each column what t q_j(v) is multiplied with in it."""
        meet = [theta @ q for theta, q in zip(thetas, self.q, strict=True)]
        mean, slopes = np.full(len(meet[0]), self.total), [np.zeros(len(meet[0])) for _ in meet]
        for cluster, scale in zip(self.clusters, self.scales, strict=True):
            mean += self.t * scale * np.prod([meet[j] for j in cluster], axis=0)
            for j in cluster:
                others = [meet[other] for other in cluster if other != j]
                slopes[j] += self.t * scale * (np.prod(others, axis=0) if others else 1.0)
        return mean, slopes

    def pair(self, mixture: Mixture, one: int, other: int) -> Floats:
        """Return the table of two columns, Z multiplied in again."""
        meet = [theta @ q for theta, q in zip(mixture.thetas, self.q, strict=True)]
        found = np.zeros((len(self.q[one]), len(self.q[other])))
        for c, share in enumerate(mixture.shares):
            lift = np.full(found.shape, self.total)
            for cluster, scale in zip(self.clusters, self.scales, strict=True):
                part = self.t * scale * math.prod(meet[j][c] for j in cluster if j not in (one, other))
                rows = self.q[one] if one in cluster else np.ones(len(self.q[one]))
                lift += part * np.outer(rows, self.q[other] if other in cluster else np.ones(len(self.q[other])))
            found += share * lift * np.outer(mixture.thetas[one][c], mixture.thetas[other][c])
        return found / found.sum()


def observed_of(kernel: Kernel, which: Integers, out: Integers) -> Observed:
    """What the rows show: a tuple, seen with 1 + t times its mass."""
    sizes = [len(each) for each in kernel.q]
    starts = np.cumsum([0, *sizes])
    rows, place, _ = distinct([which, *(out.T + 1)], len(out))
    entries = [[starts[j] + row[j + 1] - 1 for j in kernel.clusters[row[0]]] for row in rows]
    ends = np.cumsum([0, *map(len, entries)])
    flat = np.array([each for row in entries for each in row])
    kept = Products(np.full(len(rows), kernel.t), ends, flat)
    noise = Products(np.ones(len(rows)), np.zeros_like(ends), np.zeros(0, dtype=np.int64))
    things = np.arange(len(rows))[:, None]
    return Observed(tuple(np.eye(size) for size in sizes), kept, noise, things, place, np.ones(len(out)))


def fitted(kernel: Kernel, observed: Observed, start: Mixture, prior: list[Floats]) -> tuple[Mixture, float]:
    """Climb from a start. Rows that were not drawn, because their Z is small, are imagined."""
    mixture, last, counts = start, -math.inf, observed.counted(observed.weights)
    likelihoods = np.empty(len(counts))
    for _ in range(STEPS):
        masses = observed.masses(mixture.thetas)
        look = Look.at(observed, masses)
        added, classes = np.zeros_like(look.seen), np.zeros(mixture.size)
        kernels.respond(observed.rows, look.seen, look.logs, mixture.shares, counts, added, classes, likelihoods)
        mean, slopes = kernel.around(mixture.thetas)
        level = float(mixture.shares @ mean)
        reached = float(counts @ likelihoods) - counts.sum() * math.log(level)
        if abs(reached - last) < 1e-7 * abs(reached):
            break
        last = reached
        shared = np.zeros_like(masses)
        kernels.share_out(added * look.kept, observed.first.starts, observed.first.entries, shared)
        shared /= np.maximum(masses, 1e-300)
        each = counts.sum() / level * mixture.shares  # imagined rows of a class, for each unit of Z that it lacks
        thetas = []
        for j, (place, theta, imagined) in enumerate(zip(observed.places, mixture.thetas, prior, strict=True)):
            # Rows that show nothing of a column would change nothing here, nor do imagined rows that lack the same for every value.
            lacking = (kernel.q[j].max() - kernel.q[j]) * slopes[j][:, None]
            made = theta * (shared[place].T + each[:, None] * lacking) + imagined
            thetas.append(made / made.sum(axis=1, keepdims=True))
        total = classes + each * (mean.max() - mean) + 1
        mixture = Mixture(total / total.sum(), tuple(thetas))
    return mixture, last


def error(kernel: Kernel, rows: Integers, sizes: list[int], rng: np.random.Generator) -> float:
    """Release, fit, and return the mean total variation of two-way tables."""
    observed = observed_of(kernel, *kernel.draw(rows, rng))
    even = [np.full((1, size), 1 / size) for size in sizes]
    alone = fitted(kernel, observed, Mixture(np.ones(1), tuple(even)), [0.5 * each for each in even])[0]
    around = [(1 - EVEN) * theta[0] + EVEN / theta.shape[1] for theta in alone.thetas]
    prior = [STRENGTH * each for each in around]
    fits = [fitted(kernel, observed, started(CLASSES, around, rng), prior)[0] for _ in range(STARTS)]
    names = {f"{j}": size for j, size in enumerate(sizes)}
    codes = {f"{j}": rows[:, j] for j in range(len(sizes))}
    found = []
    for one, other in itertools.combinations(range(len(sizes)), 2):
        estimate = np.mean([kernel.pair(each, one, other) for each in fits], axis=0)
        found.append(distance(estimate, shares(codes, names, (f"{one}", f"{other}"))))
    return float(np.mean(found))


def coded(frame: pd.DataFrame, labels: dict[str, list[str]]) -> Integers:
    return np.stack([pd.Index(labels[name]).get_indexer(frame[name]) for name in frame], axis=1)


def main(seeds: int) -> None:
    lines: list[list[Any]] = []
    for name, k in itertools.product(("Adult", "census", "copula"), KS):
        found = []
        for seed in range(seeds):
            frame, others = table(name, ROWS, seed), table(name, OTHERS, 1000 + seed)
            labels = {column: sorted({*frame[column], *others[column]}) for column in frame}
            schema = tk.Schema([tk.Attribute(column, domain=tk.Categories(labels[column])) for column in frame])
            telling = tk.anonymize(frame, schema, tk.PkPerturbation(k=k), seed=seed).mechanism.telling
            assert telling is not None
            assert all(column.whole for column in telling.columns.values())
            names = list(telling.columns)
            clusters = [tuple(names.index(each) for each in cluster.columns) for cluster in telling.clusters]
            weights = np.array([cluster.weight / telling.total for cluster in telling.clusters])
            rows, sizes = coded(frame, labels), [len(labels[column]) for column in frame]
            there = coded(others, labels)
            declared = [
                (1 - LEAST) * np.bincount(there[:, j], minlength=size) / len(there) + LEAST / size
                for j, size in enumerate(sizes)
            ]
            t = float(1 / telling.ratio - 1)
            made = [Kernel.of(clusters, weights, declared, t, root) for root in (False, True)]
            found.append([error(each, rows, sizes, np.random.default_rng(seed)) for each in made])
            print(name, k, seed, len(clusters[0]), [round(each, 4) for each in found[-1]], flush=True)
        both = np.array(found)
        gain = both[:, 1] / both[:, 0] - 1
        off = float(np.std(gain, ddof=1) / len(gain) ** 0.5) if len(gain) > 1 else 0.0
        lines.append([name, k, *both.mean(axis=0).tolist(), float(gain.mean()), off])
    heads = ["table", "k", "uniform", "root of the prior", "change", "± change"]
    formats = {**dict.fromkeys(heads[2:4], ".3f"), "change": "+.1%", "± change": ".1%"}
    mean = float(np.mean([line[4] for line in lines]))
    store(
        "declared_prior",
        {
            "errors": Table(heads, lines, formats),
            "mean": Table(["tables", "change"], [["all", mean]], {"change": "+.1%"}),
        },
        command=f"python -m benchmarks.declared_prior {seeds}",
        seeds=list(range(seeds)),
    )


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 4)
