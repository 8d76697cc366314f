"""Complete rows to work with: SDV's copula, differentially private models of marginals, and rows completed by `tk.reconstruct`.

Adult, ten columns and income on the common grid, 16,281 rows; another split of the file for each seed. Everybody makes five times as
many rows. Those who take minutes come last, with half as many seeds; what is done is stored after every line.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

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
SEEDS, FIRST = 4, 100  # settings of the model were picked on seeds 0 to 3
KS = (10, 3, 50)
INCOME = "income unchanged"


@dataclass
class Line:
    """Somebody who makes rows: what they promise, and what came of it with each seed."""

    entrant: Entrant
    promise: str
    slow: bool = False
    outcomes: list[Outcome] = field(default_factory=list)
    qualities: dict[int, Quality] = field(default_factory=dict)

    @property
    def failure(self) -> str | None:
        """Why there are no rows, if there are none."""
        return next((each.failure for each in self.outcomes if each.failure is not None), None)

    @property
    def remark(self) -> str:
        """What there is to say besides figures."""
        return self.failure or ("" if self.qualities else "not run")


def lines(bench: Bench, epsilon: float | None) -> list[Line]:
    """List everybody; ours that is compared first, for ratios are to it."""

    def ours(name: str, promise: str, method: str, copies: int = COPIES, slow: bool = False, **settings: Any) -> Line:
        of = {"method": method, "settings": settings, "copies": copies}
        return Line(bench.entrant(f"tokumei, {name}", "tokumei", "complete_rows", **of), promise, slow)

    central = None if epsilon is None else f"differential privacy, ε = {epsilon:.2f}, δ = {DELTA:g}"
    grouped = f"Pk-anonymity, k = {SAME}, bounds of groups disclosed; {INCOME}"
    every = f"Pk-anonymity, k = {SAME}, every column" + ("" if central is None else f"; {central} after shuffling")
    found = [ours(f"one thing a row, k = {k}", f"Pk-anonymity, k = {k}; {INCOME}", "PkPerturbation", k=k) for k in KS]
    found.append(ours(f"one thing a row, income too, k = {SAME}", every, "PkPerturbation", k=SAME, kept="perturb"))
    found.append(ours(f"groups, k = {SAME}", grouped, "GroupedPkPerturbation", slow=True, k=SAME))
    found.append(ours(f"groups, as released, k = {SAME}", grouped, "GroupedPkPerturbation", copies=0, k=SAME))
    found += [ours(f"generalization, k = {k}", f"k-anonymity, k = {k}; {INCOME}", "Generalization", k=k) for k in KS]
    found.append(
        ours(f"microaggregation, k = {SAME}", f"k-anonymity, k = {SAME}; {INCOME}", "Microaggregation", k=SAME)
    )
    for name, categories in (("Gaussian copula", False), ("Gaussian copula, every column a category", True)):
        asked: dict[str, Any] = {"categories": categories, "copies": COPIES}
        found.append(Line(bench.entrant(f"SDV, {name}", "sdv", "complete_rows", **asked), "nothing"))
    for model in ("MST", "PrivBayes") if central is not None else ():
        asked = {"model": model, "epsilon": epsilon, "delta": DELTA, "copies": COPIES}
        found.append(Line(bench.entrant(f"dpmm, {model}", "dpmm", "complete_rows", **asked), central, slow=True))
    return found


class Given(NamedTuple):
    """What there is for a seed: the request, the rows to release, and rows of other people for tests."""

    request: dict[str, Any]
    true: Any
    test: Any


@dataclass
class Contest:
    """Everybody on the same rows, one seed after the other."""

    bench: Bench
    adult: Adult
    rows: int
    everybody: list[Line] = field(default_factory=list)
    original: dict[int, Quality] = field(default_factory=dict)
    splits: dict[int, Given] = field(default_factory=dict)
    first: dict[int, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.local = local_epsilon(SAME, self.rows)
        self.everybody = lines(self.bench, shuffled_epsilon(self.local, self.rows, DELTA))
        domains = {name: list(self.adult.schema[name].domain.values) for name in COLUMNS}
        self.domains = {**domains, TARGET: ["False", "True"]}

    def given(self, seed: int) -> Given:
        """Write the rows of a seed, and judge the original's."""
        if seed not in self.splits:
            grid = self.adult.grid
            which, others = grid.split(seed)
            which = which[: self.rows]
            path = self.bench.home / f"complete-rows-{seed}.csv"
            self.adult.frame.iloc[which].to_csv(path, index=False)
            request = {
                "data": str(path),
                "domains": self.domains,
                "ordered": [name for name, values in self.domains.items() if isinstance(values[0], int)],
                "groups": GROUPS,
                "sensitive": TARGET,
                "seed": seed,
            }
            self.splits[seed] = Given(request, grid.codes[which], grid.codes[others])
            self.original[seed] = judged(grid, grid.codes[which], grid.codes[which], grid.codes[others])
        return self.splits[seed]

    def turn(self, line: Line, seed: int) -> None:
        """Let one of them make rows, and judge them; ratios are to the first line with the same seed."""
        if line.failure is not None:
            return
        request, true, test = self.given(seed)
        if line is not self.everybody[0]:
            self.bench.warm.add(line.entrant.name)  # the first one has compiled for all
        (outcome,) = self.bench.compete([line.entrant], request, f"complete rows, seed {seed}", rounds=1)
        if outcome.failure is None:
            seconds = outcome.runs[-1].seconds
            outcome = replace(outcome, ratio=seconds / self.first.setdefault(seed, seconds))
            if "shuffling" in line.promise:
                assert abs(outcome.facts["epsilon"] - self.local) < 1e-3
            rows = places(outcome.folder / "rows.csv", self.domains)
            line.qualities[seed] = judged(self.adult.grid, rows, true, test)
            print(f"  {line.qualities[seed]}", flush=True)
        line.outcomes.append(outcome)

    def tables(self) -> dict[str, Table]:
        """Return what was found up to now."""
        return {
            "rows": compared(self.everybody, self.original),
            "copies": by_copies(self.everybody, self.original),
            "costs": costs(self.everybody),
        }


def run(bench: Bench) -> dict[str, Table]:
    contest = Contest(bench, Adult(), 2_000 if bench.quick else RELEASED)
    count = bench.seeds or (1 if bench.quick else SEEDS)
    for slow, seeds in ((False, count), (True, max(1, count // 2))):
        for seed in range(FIRST, FIRST + seeds):
            for line in contest.everybody:
                if line.slow == slow:
                    contest.turn(line, seed)
                    bench.done = sorted(contest.original)
                    bench.keep(contest.tables(), bench.done)
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
        rows.append([line.entrant.name, line.promise, *cells, len(line.qualities), line.remark])
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
        rows.append([line.entrant.name, *cells, line.remark])
    return Table(["package", *COSTS, "remark"], rows, FORMATS)
