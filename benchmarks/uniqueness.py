"""How far estimates of population uniqueness are off: samples from populations whose uniques are known.

    python -m benchmarks.uniqueness       invented populations, and Adult where TOKUMEI_DATA names its folder

For each population and sampled share it prints the relative error of each estimator over many samples: the median, which
is its bias, and in brackets the range of the middle half, which is its spread.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks import data
from tokumei.risk.uniqueness.population import population_uniqueness
from tokumei.table.classes import class_of
from tokumei.table.coded import numbered
from tokumei.table.sizes import ClassSizes

SHARES = (0.02, 0.05, 0.1, 0.2, 0.5)
RUNS = 100


def populations() -> Iterator[tuple[str, np.ndarray]]:
    rng = np.random.default_rng(0)
    yield "heavy tail", rng.zipf(1.5, 50_000) % 20_000
    yield "slide negative binomial", np.repeat(np.arange(20_000), 1 + rng.negative_binomial(0.5, 0.2, 20_000))
    yield "Poisson-gamma", np.repeat(np.arange(60_000), rng.poisson(rng.gamma(0.1, 10, 60_000)))
    if data.named() is not None:
        from benchmarks import adult

        table = adult.complete()
        for columns in (adult.COLUMNS[:5], adult.COLUMNS):
            codes = [numbered(table.column(name).combine_chunks()) for name in columns]
            yield f"Adult, {len(columns)} columns", class_of(codes, table.num_rows)


def errors(people: np.ndarray, share: float, runs: int) -> dict[str, list[float]]:
    truth = np.count_nonzero(np.bincount(people) == 1)
    rng = np.random.default_rng(1)
    found: dict[str, list[float]] = {"Pitman": [], "Zayatz": [], "SNB": [], "rule": []}
    for _ in range(runs):
        sizes = np.bincount(rng.choice(people, int(share * len(people)), replace=False))
        each = population_uniqueness(ClassSizes.of_classes(sizes[sizes > 0]), len(people))
        numbers = (each.pitman, each.zayatz, each.slide_negative_binomial, each.people)
        for name, number in zip(found, numbers, strict=True):
            if number is not None:
                found[name].append(number / truth - 1)
    return found


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    table = Table(box=None, header_style="bold")
    for title in ("population", "unique", "sampled", "Pitman", "Zayatz", "SNB", "rule"):
        table.add_column(title, justify="left" if title == "population" else "right")
    for name, people in populations():
        unique = np.count_nonzero(np.bincount(people) == 1) / len(people)
        for share in SHARES:
            cells = []
            for off in errors(people, share, runs).values():
                low, middle, high = np.percentile(off, [25, 50, 75]) if off else [np.nan] * 3
                cells.append(f"{middle:+.2f} ({low:+.2f} to {high:+.2f})")
            table.add_row(name, f"{unique:.1%}", f"{share:.0%}", *cells)
    Console(width=140).print(table)


if __name__ == "__main__":
    main()
