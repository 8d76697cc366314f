"""Complete rows to work with: SDV's copula, differentially private models of marginals, and rows completed by `tk.reconstruct`.

Adult, ten columns and income on the common grid, 16,281 rows; another split of the file for each seed. Everybody makes five times as
many rows. Who takes long has two seeds.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field
from typing import Any

from benchmarks.one_thing_a_row import GROUPS, TARGET, Adult
from benchmarks.peers.bench import FORMATS, Bench
from benchmarks.peers.complete_rows import (
    Quality,
    judged,
    local_epsilon,
    mean,
    places,
    shuffled_epsilon,
    standard_error,
)
from benchmarks.peers.contest import COSTS, Entrant, Outcome, half_range
from benchmarks.stored import Table
from benchmarks.ten_columns import COLUMNS, RELEASED

COPIES, DELTA, SAME = 5, 1e-6, 10
SEEDS, FIRST, SLOW, SEEDS_SLOW = 4, 100, 60.0, 2  # settings of the model were picked on seeds 0 to 3
KS = (10, 3, 50)
INCOME = "income unchanged"


@dataclass
class Line:
    """Somebody who makes rows: what they promise, and what came of it with each seed."""

    entrant: Entrant
    promise: str
    outcomes: list[Outcome] = field(default_factory=list)
    qualities: dict[int, Quality] = field(default_factory=dict)

    @property
    def failure(self) -> str | None:
        """Why there are no rows, if there are none."""
        return next((each.failure for each in self.outcomes if each.failure is not None), None)

    def wanted(self, turn: int) -> bool:
        """Say whether there is another turn: not after a failure, and not after two that took long."""
        slow = bool(self.outcomes) and self.outcomes[-1].runs[-1].seconds > SLOW
        return self.failure is None and not (slow and turn >= SEEDS_SLOW)


def lines(bench: Bench, epsilon: float | None) -> list[Line]:
    """List everybody; ours that is compared first, for ratios are to it."""

    def ours(name: str, promise: str, method: str, copies: int = COPIES, **settings: Any) -> Line:
        of = {"method": method, "settings": settings, "copies": copies}
        return Line(bench.entrant(f"tokumei, {name}", "tokumei", "complete_rows", **of), promise)

    central = f"differential privacy, ε = {epsilon:.2f}, δ = {DELTA:g}" if epsilon is not None else "nothing"
    alike = "k-anonymity, k = {k}; " + INCOME
    grouped = "Pk-anonymity, k = {k}, bounds of groups disclosed; " + INCOME
    found = [ours(f"one thing a row, k = {k}", f"Pk-anonymity, k = {k}; {INCOME}", "PkPerturbation", k=k) for k in KS]
    every = f"Pk-anonymity, k = {SAME}, every column; {central} after shuffling"
    found.append(ours(f"one thing a row, income too, k = {SAME}", every, "PkPerturbation", k=SAME, kept="perturb"))
    for name, promise, method in (
        ("groups", grouped, "GroupedPkPerturbation"),
        ("generalization", alike, "Generalization"),
        ("microaggregation", alike, "Microaggregation"),
    ):
        found += [ours(f"{name}, k = {k}", promise.format(k=k), method, k=k) for k in KS]
        if method != "Generalization":  # whose rows are not complete
            found.append(ours(f"{name}, as released, k = {SAME}", promise.format(k=SAME), method, copies=0, k=SAME))
    for name, categories in (("Gaussian copula", False), ("Gaussian copula, every column a category", True)):
        asked: dict[str, Any] = {"categories": categories, "copies": COPIES}
        found.append(Line(bench.entrant(f"SDV, {name}", "sdv", "complete_rows", **asked), "nothing"))
    for model in ("MST", "PrivBayes") if epsilon is not None else ():
        asked = {"model": model, "epsilon": epsilon, "delta": DELTA, "copies": COPIES}
        found.append(Line(bench.entrant(f"dpmm, {model}", "dpmm", "complete_rows", **asked), central))
    return found


@dataclass
class Contest:
    """Everybody on the same rows, one seed after the other."""

    bench: Bench
    adult: Adult
    rows: int
    everybody: list[Line] = field(default_factory=list)
    original: dict[int, Quality] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.local = local_epsilon(SAME, self.rows)
        self.everybody = lines(self.bench, shuffled_epsilon(self.local, self.rows, DELTA))
        domains = {name: list(self.adult.schema[name].domain.values) for name in COLUMNS}
        self.domains = {**domains, TARGET: ["False", "True"]}

    def turn(self, turn: int) -> None:
        """Let those who are still asked make rows, and judge them."""
        seed, grid = FIRST + turn, self.adult.grid
        which, others = grid.split(seed)
        true, test = grid.codes[which[: self.rows]], grid.codes[others]
        folder = self.bench.home / f"complete-rows-{seed}"
        folder.mkdir()
        self.adult.frame.iloc[which[: self.rows]].to_csv(folder / "data.csv", index=False)
        request = {
            "data": str(folder / "data.csv"),
            "domains": self.domains,
            "ordered": [name for name, values in self.domains.items() if isinstance(values[0], int)],
            "groups": GROUPS,
            "sensitive": TARGET,
            "seed": seed,
        }
        self.original[seed] = judged(grid, true, true, test)
        takers = [line for line in self.everybody if line.wanted(turn)]
        self.bench.warm |= {line.entrant.name for line in takers[1:]}  # the first one compiles for all
        title = f"complete rows, seed {seed}"
        outcomes = self.bench.compete([line.entrant for line in takers], request, title, rounds=1)
        for line, outcome in zip(takers, outcomes, strict=True):
            line.outcomes.append(outcome)
            if outcome.failure is not None:
                continue
            if "shuffling" in line.promise:
                assert abs(outcome.facts["epsilon"] - self.local) < 1e-3
            rows = places(outcome.folder / "rows.csv", self.domains)
            line.qualities[seed] = judged(grid, rows, true, test)

    def tables(self) -> dict[str, Table]:
        """Return what was found up to now."""
        return {
            "rows": compared(self.everybody, self.original),
            "copies": by_copies(self.everybody, self.original),
            "costs": costs(self.everybody),
        }


def run(bench: Bench) -> dict[str, Table]:
    contest = Contest(bench, Adult(), 2_000 if bench.quick else RELEASED)
    for turn in range(1 if bench.quick else SEEDS):
        contest.turn(turn)
    return contest.tables()


def lost(line: Line, original: dict[int, Quality], name: str, among: str | None = None) -> list[float]:
    """Return what AUC models lose against the original rows of the same seed."""
    return [getattr(original[seed], among or name) - getattr(each, name) for seed, each in line.qualities.items()]


def compared(everybody: list[Line], original: dict[int, Quality]) -> Table:
    """Return the table of errors and of what models lose."""
    heads = ["package", "promise", "two-way", "three-way", "AUC, LR", "lost, LR", "± LR"]
    heads += ["AUC, boosting", "lost, boosting", "± boosting", "seeds", "remark"]
    areas = [mean([getattr(each, name) for each in original.values()]) for name in ("regression", "boosting")]
    rows: list[list[Any]] = [
        ["the original rows", "nothing", 0.0, 0.0, areas[0], 0.0, None, areas[1], 0.0, None, len(original), ""]
    ]
    for line in everybody:
        cells: list[Any] = [None] * 8
        if line.qualities:
            cells = [
                mean([getattr(each, name) for each in line.qualities.values()]) for name in ("two_way", "three_way")
            ]
            for name in ("regression", "boosting"):
                gone = lost(line, original, name)
                area = mean([getattr(each, name) for each in line.qualities.values()])
                cells += [area, mean(gone), standard_error(gone)]
        rows.append([line.entrant.name, line.promise, *cells, len(line.qualities), line.failure or ""])
    return Table(heads, rows, dict.fromkeys(heads[2:-2], ".3f"))


def by_copies(everybody: list[Line], original: dict[int, Quality]) -> Table:
    """Return what models lose with one copy and with all, and with smaller trees."""
    heads = ["package", "LR, one copy", "LR, five", "boosting, one copy", "boosting, five", "small trees, five"]
    of = ("regression_of_one", "regression", "boosting_of_one", "boosting", "small_trees")
    rows = [
        [line.entrant.name, *(mean(lost(line, original, name)) for name in of)]
        for line in everybody
        if line.qualities and "as released" not in line.entrant.name
    ]
    return Table(heads, rows, dict.fromkeys(heads[1:], ".3f"))


def costs(everybody: list[Line]) -> Table:
    """Return the table of costs: medians over seeds, and ratios to ours of the same seed."""
    rows: list[list[Any]] = []
    for line in everybody:
        done = [each.costs() for each in line.outcomes if each.failure is None]
        cells: list[Any] = [None] * len(COSTS)
        if done:
            ratios = [each[1] for each in done if each[1] is not None]
            middle = [
                statistics.median(cell for cell in column if cell is not None) for column in zip(*done, strict=True)
            ]
            spread = half_range(ratios)
            cells = [middle[0], middle[1], spread, middle[3], round(middle[4])]
        rows.append([line.entrant.name, *cells, line.failure or ""])
    return Table(["package", *COSTS, "remark"], rows, FORMATS)
