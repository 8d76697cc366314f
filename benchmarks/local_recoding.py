"""Groups of at least k rows: how much each partition loses, and what it costs.

    TOKUMEI_DATA=folder python -m benchmarks.local_recoding [adult thorough large trees wide mondrian]

The folder holds adult.csv (UCI Adult, train and test together, with a header) and adult_hierarchies/NAME.csv. Loss is the
mean over all cells of (values a cell stands for - 1) / (values there are - 1); nobody is suppressed. Time is CPU time from
codes, once compiled, as a multiple of what the first partition of the table takes. What is found is stored, see
benchmarks/stored.py. `thorough` takes minutes: it also bounds what any partition can lose.
"""

from __future__ import annotations

import statistics
import sys
import time
import tracemalloc
from dataclasses import fields, replace

import numpy as np
import pandas as pd

import tokumei as tk
from benchmarks import data
from benchmarks.stored import Table, store
from tokumei.partition import Lattice, Mondrian, NearestGroups, TopDown, lattice_bound
from tokumei.partition.partition import Partition, Problem, boxes, loss
from tokumei.table.axis import Axis, axis_of

QUASI_IDENTIFIERS = [
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
]
SIZES = (2, 5, 10, 50, 100)
HEADS = [f"k = {k}" for k in SIZES]
ARX = ["ARX, local recoding of the same rows", 0.0286, 0.0563, 0.0788, 0.1494, 0.1917, ""]  # what ARX itself states


def adult(k: int) -> Problem:
    """The 30,162 complete rows of the training part, with the hierarchies that ARX ships."""
    frame = pd.read_csv(data.adult(), dtype=str, skipinitialspace=True).iloc[:32_561]
    frame = frame[~(frame == "?").any(axis=1)]
    axes, places = [], []
    for name in QUASI_IDENTIFIERS:
        tree = tk.Hierarchy.read_csv(data.path(f"adult_hierarchies/{name}.csv"))
        leaves = [row[0] for row in tree.rows]
        axis = axis_of(tk.Attribute(name, domain=tk.Categories(leaves), hierarchy=tree))
        codes = frame[name].map({leaf: code for code, leaf in enumerate(leaves)}).to_numpy(dtype=np.int64)
        axes.append(axis)
        places.append(axis.place[codes])
    return Problem(np.stack(places, axis=1), tuple(axes), k)


def run(partition: Partition, problem: Problem) -> tuple[np.ndarray, float]:
    """Return the groups and the CPU seconds, after a run on a few rows to compile; a short run is repeated."""
    partition.group(replace(problem, rows=problem.rows[:2000]))
    taken: list[float] = []
    while sum(taken) < 0.1 and len(taken) < 7:
        start = time.process_time()
        labels = partition.group(problem)
        taken.append(time.process_time() - start)
    assert labels.min() >= 0 and np.bincount(labels).min() >= problem.k
    return labels, min(taken)


def compared(
    partitions: list[Partition], problems: list[Problem], heads: list[str], measure=loss, form: str = ".4f"
) -> Table:
    """One row a partition: what it loses of each problem, and its time over that of the first partition."""
    rows, first = [], []
    for partition in partitions:
        found = [run(partition, problem) for problem in problems]
        print(f"{partition!r}: {', '.join(f'{taken:.2f} s' for _, taken in found)}", flush=True)
        first = first or [taken for _, taken in found]
        losses = [measure(problem, labels) for problem, (labels, _) in zip(problems, found, strict=True)]
        rows.append([f"`{said(partition)}`", *losses, between([taken for _, taken in found], first)])
    return Table(["partition", *heads, f"CPU, times {said(partitions[0])}"], rows, dict.fromkeys(heads, form))


def said(partition: Partition) -> str:
    """Write a partition as one calls it: without what is given anyway."""
    usual = type(partition)()
    given = [f"{f.name}={getattr(partition, f.name)!r}" for f in fields(partition) if f.init]
    kept = [each for each in given if each not in {f"{f.name}={getattr(usual, f.name)!r}" for f in fields(usual)}]
    return f"{type(partition).__name__}({', '.join(kept)})".replace("'", '"')


def between(taken: list[float], first: list[float]) -> str:
    """Say from how many to how many times as long it took, in two figures."""
    ratios = sorted(each / other for each, other in zip(taken, first, strict=True))
    low, high = (f"{float(f'{each:.2g}'):g}" for each in (ratios[0], ratios[-1]))
    return low if low == high else f"{low} to {high}"


def keep(part: str, table: Table) -> None:
    """Show what was found and store it."""
    print(table.markdown())
    store(
        f"partitions_{part}",
        {"loss": table},
        command=f"python -m benchmarks.local_recoding {part}",
        packages=("tokumei", "numpy"),
    )


def print_adult() -> None:
    partitions = [
        Mondrian(choose="gain"),
        Mondrian(),
        Mondrian(strict=False, choose="gain"),
        NearestGroups(),
        TopDown(),
        Lattice(effort="fast"),
        Lattice(),
    ]
    found = compared(partitions, [adult(k) for k in SIZES], HEADS)
    keep("adult", replace(found, rows=[ARX, *found.rows]))


def print_thorough() -> None:
    problems = [adult(k) for k in SIZES]
    found = compared([Lattice(), Lattice(effort="thorough")], problems, HEADS)
    bound = ["*no partition can lose less*", *(lattice_bound(problem) for problem in problems), ""]
    keep("thorough", replace(found, rows=[*found.rows, bound]))


def resampled(problem: Problem, rows: int, anew: float = 0.05) -> Problem:
    """More rows like these: drawn with replacement, and a share of each column's cells drawn anew."""
    rng = np.random.default_rng(0)
    made = problem.rows[rng.integers(0, len(problem.rows), rows)]
    for column in range(made.shape[1]):
        fresh = rng.random(rows) < anew
        made[fresh, column] = problem.rows[rng.integers(0, len(problem.rows), int(fresh.sum())), column]
    return replace(problem, rows=made)


def print_large() -> None:
    small = adult(5)
    partitions = [Mondrian(choose="gain"), Lattice(effort="fast")]
    keep("large", compared(partitions, [small, resampled(small, 300_000)], ["30,162 rows", "300,000 rows"]))


class LeafShare(Axis):
    """The older measure: leaves / all leaves, and nothing for a leaf."""

    def loss(self, low, high):
        """Return the share of the leaves."""
        return np.where(np.asarray(high) > np.asarray(low), (np.asarray(high) - low + 1) / self.size, 0.0)


LEVELS = {"age": (16, 5), "workclass": (4,), "education": (5,), "capital-gain": (11,), "native-country": (7,)}


def clusters(count: np.ndarray, hits: np.ndarray, wanted: int) -> np.ndarray:
    """Join the rarest cluster with the one of nearest log-odds and log-frequency until so many are left."""
    member, base = np.arange(len(count)), hits.sum() / count.sum()
    count, hits = count.astype(float), hits.astype(float)
    while (alive := np.flatnonzero(count > 0)).size > wanted:
        odds = np.log((hits[alive] + base) / (count[alive] - hits[alive] + 1 - base))
        rarest = int(np.argmin(count[alive]))
        apart = np.abs(odds - odds[rarest]) + 0.5 * np.abs(np.log(count[alive] / count[alive[rarest]]))
        apart[rarest] = np.inf
        into, gone = sorted((alive[int(np.argmin(apart))], alive[rarest]))
        count[into], hits[into], count[gone] = count[into] + count[gone], hits[into] + hits[gone], 0
        member[member == gone] = into
    return np.unique(member, return_inverse=True)[1]


def five_trees(k: int) -> Problem:
    """All 48,842 rows, five columns, with trees that follow the odds of the income."""
    frame = pd.read_csv(data.adult(), skipinitialspace=True)
    rich = frame["income"].astype(str).str.contains(">50K").to_numpy()
    axes, places = [], []
    for name, levels in LEVELS.items():
        leaves, codes = np.unique(frame[name].to_numpy(), return_inverse=True)
        label, columns = np.arange(len(leaves)), [[str(leaf) for leaf in leaves]]
        for number, wanted in enumerate(levels):
            member = label[codes]
            label = clusters(np.bincount(member), np.bincount(member, weights=rich), wanted)[label]
            columns.append([f"{number}.{group}" for group in label])
        tree = tk.Hierarchy.groups(*[dict_of(columns[i], columns[i + 1]) for i in range(len(levels))])
        plain = axis_of(tk.Attribute(name, domain=tk.Categories(columns[0]), hierarchy=tree))
        axes.append(LeafShare(plain.name, plain.place, plain.first, plain.last))
        places.append(plain.place[codes])
    return Problem(np.stack(places, axis=1), tuple(axes), k)


def dict_of(lower: list[str], upper: list[str]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for below, above in dict.fromkeys(zip(lower, upper, strict=True)):
        groups.setdefault(above, []).append(below)
    return groups


def print_trees() -> None:
    sizes = (5, 10, 20)

    def percent(problem: Problem, labels: np.ndarray) -> float:
        low, high = boxes(problem, labels)
        each = np.mean([axis.loss(low[:, j], high[:, j]) for j, axis in enumerate(problem.axes)], axis=0)
        return float(100 * each[labels].mean())

    partitions = [Mondrian(choose="gain"), TopDown(), Lattice(effort="fast"), Lattice()]
    heads = [f"NCP, %, k = {k}" for k in sizes]
    keep("trees", compared(partitions, [five_trees(k) for k in sizes], heads, percent, ".2f"))


def wide(columns: int, *, joined: bool, rows: int = 30_000) -> Problem:
    """Skewed columns of 64 values in four levels: drawn on their own, or from four hidden factors."""
    rng = np.random.default_rng(0)
    line = np.arange(64, dtype=np.int32)
    first = np.stack([line // width * width for width in (1, 4, 16, 64)])
    last = np.stack([line // width * width + width - 1 for width in (1, 4, 16, 64)])
    axis = Axis("column", line, first, last)
    if joined:
        factors = rng.normal(size=(rows, 4)) @ rng.normal(size=(4, columns)) + 0.8 * rng.normal(size=(rows, columns))
        ranks = factors.argsort(axis=0).argsort(axis=0) / rows
        places = (64 * ranks**1.5).astype(np.int32)
    else:
        share = 1 / np.arange(1, 65)
        places = rng.choice(64, size=(rows, columns), p=share / share.sum()).astype(np.int32)
    return Problem(places, (axis,) * columns, 5)


def print_wide() -> None:
    partitions = [Mondrian(choose="gain"), Mondrian(strict=False, choose="gain"), TopDown(), NearestGroups()]
    problems = [wide(columns, joined=joined) for joined in (False, True) for columns in (15, 30)]
    heads = ["15 on their own", "30 on their own", "15 tied", "30 tied"]
    keep("wide", compared(partitions, problems, heads))


def print_mondrian(rows: int = 10_000_000) -> None:
    """Ten million rows x 8 ordered columns of at most 256 values, against sorting the rows as 8-byte words."""
    source = adult(10)
    line = [np.arange(axis.size, dtype=np.int32) for axis in source.axes]
    axes = tuple(
        Axis(axis.name, at, np.stack([at, 0 * at]), np.stack([at, 0 * at + axis.size - 1]), axis.size)
        for axis, at in zip(source.axes, line, strict=True)
    )
    problem = replace(resampled(source, rows), axes=axes)
    words = problem.rows.astype(np.uint8).view(np.uint64)[:, 0]
    found = []
    for partition in (Mondrian(), Mondrian(strict=False), Mondrian(choose="gain"), Mondrian(False, "gain")):
        partition.group(replace(problem, rows=problem.rows[:2000]))
        ratios = []
        for _ in range(3):
            start = time.process_time()
            np.sort(words)
            middle = time.process_time()
            labels = partition.group(problem)
            ratios.append((time.process_time() - middle) / (middle - start))
        tracemalloc.start()
        partition.group(problem)
        most = tracemalloc.get_traced_memory()[1] / words.nbytes
        tracemalloc.stop()
        found.append([f"`{said(partition)}`", statistics.median(ratios), loss(problem, labels), most])
    heads = ["partition", "CPU, times sorting", "loss", "memory, times the packed codes"]
    keep("mondrian", Table(heads, found, {heads[1]: ".1f", heads[2]: ".4f", heads[3]: ".1f"}))


def main() -> None:
    asked = sys.argv[1:] or ["adult", "thorough", "large", "trees", "wide", "mondrian"]
    for name in asked:
        globals()[f"print_{name}"]()


if __name__ == "__main__":
    main()
