"""Rows that tell one thing each: the error that is stated beside the one that is measured, and how numbers are best told.

    TOKUMEI_DATA=folder-with-adult.csv python -m benchmarks.telling errors [SEEDS]
    TOKUMEI_DATA=folder-with-adult.csv python -m benchmarks.telling numbers [SEEDS]

`errors` releases three tables (Adult in eight columns, the example census in seven, a Gaussian copula in twelve; numbers in twelve
stretches) with `PkPerturbation(k, tells=...)` and compares the tables of one and two columns that `tk.reconstruct` gives with those of
the original rows: the mean total variation, beside the one that `tokumei.mechanism.expected_errors` states.

`numbers` tells one number with the whole budget, on the same rows: by retention on the cells that `tells=1` picks, and by grid Laplace
on every value. Both are reconstructed by expectation maximization with one imagined row, spread evenly over the cells. Errors are those of
the distribution function (the mean absolute difference over the domain) and of the mean, as a share of the range.
"""

from __future__ import annotations

import itertools
import sys
import warnings
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

import tokumei as tk
from benchmarks.stored import Table, store
from benchmarks.ten_columns import adult
from tokumei.anonymizers.auto_tells import pick
from tokumei.arrays import Floats
from tokumei.mechanism.record import channel_for
from tokumei.mechanism.retention import Retention
from tokumei.randomness import Key

ADULT = ["age", "workclass", "education-num", "marital-status", "occupation", "relationship", "sex", "hours-per-week"]
CENSUS = ["age", "sex", "region", "education", "marital", "occupation", "hours"]
STRETCHES = 12
SIZES = (2_000, 16_281, 200_000)
KS = (3, 10, 50)
TELLS: dict[str, Any] = {"one column": 1, "two columns": 2, "three columns": 3, "auto": "auto"}


def stretches(column: pd.Series) -> Any:
    """A number in stretches of equal width; a label as it is."""
    if not pd.api.types.is_numeric_dtype(column) or column.nunique() <= STRETCHES:
        return column.fillna("missing").astype(str).to_numpy()
    low, high = column.min(), column.max()
    return np.minimum((column.fillna(low) - low) * STRETCHES // (high - low), STRETCHES - 1).astype(int).astype(str)


def copula(rows: int, seed: int, columns: int = 12) -> pd.DataFrame:
    """Columns cut from correlated normal variables; what they are is the same for every seed."""
    fixed = np.random.default_rng(77)
    loadings = fixed.normal(size=(columns, 3))
    shared = loadings @ loadings.T / 2 + np.eye(columns)
    scale = np.sqrt(np.diag(shared))
    cuts = [np.sort(fixed.normal(size=size - 1)) for size in fixed.integers(2, 13, columns)]
    drawn = np.random.default_rng(seed).multivariate_normal(np.zeros(columns), shared / np.outer(scale, scale), rows)
    return pd.DataFrame({f"c{at}": np.searchsorted(cut, drawn[:, at]).astype(str) for at, cut in enumerate(cuts)})


def table(name: str, rows: int, seed: int) -> pd.DataFrame:
    if name == "copula":
        return copula(rows, seed)
    if name == "Adult":
        frame = adult()[ADULT]
        picked = np.random.default_rng(seed).choice(len(frame), rows, replace=rows > len(frame))
        frame = frame.iloc[picked]
    else:
        frame = tk.example_census(rows=rows, random_state=seed)[CENSUS]
    return pd.DataFrame({column: stretches(frame[column]) for column in frame})


def distance(one: Any, other: Any) -> float:
    return float(np.abs(np.asarray(one) - np.asarray(other)).sum() / 2)


def shares(codes: dict[str, Any], shape: dict[str, int], columns: tuple[str, ...]) -> Floats:
    size = [shape[name] for name in columns]
    places = np.ravel_multi_index([codes[name] for name in columns], size)
    return (np.bincount(places, minlength=int(np.prod(size))) / len(places)).reshape(size)


def errors(seeds: int) -> None:
    rows: list[list[Any]] = []
    for name, count in itertools.product(("Adult", "census", "copula"), SIZES):
        for k, (shown, tells) in itertools.product(KS if count < 100_000 else (10,), TELLS.items()):
            found = []
            for seed in range(seeds if count < 100_000 else 1):
                frame = table(name, count, seed)
                labels = {column: sorted(frame[column].unique()) for column in frame}
                schema = tk.Schema([tk.Attribute(column, domain=tk.Categories(labels[column])) for column in frame])
                release = tk.anonymize(frame, schema, tk.PkPerturbation(k=k, tells=tells), seed=seed)
                model = tk.reconstruct(release)
                codes = {column: pd.Index(labels[column]).get_indexer(frame[column]) for column in frame}
                shape = {column: len(labels[column]) for column in frame}
                one, two = (
                    np.mean(
                        [
                            distance(model.table(list(each)).pmf_, shares(codes, shape, each))
                            for each in itertools.combinations(frame.columns, size)
                        ]
                    )
                    for size in (1, 2)
                )
                stated = pick(tells, list(schema), [], count, (k - 1) / (count - 1))
                found.append([one, two, stated.errors.mean_one, stated.errors.mean_two])
                last = stated.parts
            mean = np.mean(found, axis=0)
            told = len(last[0].columns) if isinstance(last[0].columns, tuple) else last[0].columns
            rows.append([name, count, k, shown, told, *mean.tolist()])
            print(rows[-1], flush=True)
    kept(rows, seeds)


HEADS = ["table", "rows", "k", "a row tells", "columns", "one-way", "two-way", "one-way, stated", "two-way, stated"]


def kept(rows: list[list[Any]], seeds: int) -> None:
    """Store what was measured, one line for each table, size and k, and how far stated errors are off."""
    found = pd.DataFrame(rows, columns=HEADS)
    gaps = [np.log(found[f"{ways}, stated"] / found[ways]) for ways in ("one-way", "two-way")]
    off = [float(np.sqrt(np.mean(np.square(gap)))) for gap in gaps]
    wide = found.pivot_table(index=HEADS[:3], columns="a row tells", values="two-way", sort=False)[list(TELLS)]
    auto = found[found["a row tells"] == "auto"].set_index(HEADS[:3])
    wide = wide.assign(**{"auto tells": auto["columns"], "stated for auto": auto["two-way, stated"]}).reset_index()
    told = {1: "one", 2: "two", 3: "three"}
    lines = [
        [told.get(cell, cell) if name == "auto tells" else cell for name, cell in row.items()]
        for _, row in wide.iterrows()
    ]
    store(
        "telling_errors",
        {
            "errors": Table(HEADS, rows, {}),
            "compared": Table(list(wide.columns), lines, {}),
            "fit": Table(
                ["tables of", "stated is off by"],
                [["one column", off[0]], ["two columns", off[1]]],
                {"stated is off by": ".0%"},
            ),
        },
        command=f"python -m benchmarks.telling errors {seeds}",
        seeds=list(range(seeds)),
    )


def likeliest(channel: Any, seen: Floats, size: int) -> Floats:
    """Expectation maximization for one column, with one imagined row."""
    found = np.full(size, 1 / size)
    for _ in range(2000):
        weights = channel.backward(seen / np.maximum(channel.forward(found), 1e-300))
        new = found * weights + 1 / size
        new /= new.sum()
        if np.abs(new - found).sum() < 1e-7:
            break
        found = new
    return found


NUMBERS = {
    "age, Adult": (17, 90),
    "hours, Adult": (1, 99),
    "normal": (0, 99),
    "exponential": (0, 999),
}


def number(name: str, rows: int, seed: int) -> Any:
    low, high = NUMBERS[name]
    rng = np.random.default_rng(seed)
    if name.endswith("Adult"):
        column = adult()[{"age": "age", "hours": "hours-per-week"}[name.split(",", maxsplit=1)[0]]].to_numpy()
        return rng.choice(column, rows) - low
    drawn = rng.normal(50, 16, rows) if name == "normal" else rng.exponential(80, rows)
    return np.clip(np.rint(drawn), 0, high - low).astype(int)


def numbers(seeds: int) -> None:
    rows = []
    for name, count, cost in itertools.product(NUMBERS, (1_600, 20_000), (0.5, 1.0, 2.0, 4.5)):
        low, high = NUMBERS[name]
        attribute = tk.Attribute("x", domain=tk.Numbers(low, high, step=1))
        points, swap = high - low + 1, Fraction(np.exp(-2 * cost))
        picked = pick(1, [attribute], [], count, float(swap)).parts[0].cells
        cells = picked["x"]
        bounds = np.array([-(-place * points // cells) for place in range(cells)])
        cell_of = np.searchsorted(bounds, np.arange(points), side="right") - 1
        width = np.bincount(cell_of)
        found = []
        for seed in range(seeds):
            true = number(name, count, seed)
            right = np.bincount(true, minlength=points) / count
            key = Key.seeded(seed)
            each = []
            for channel, codes in ((Retention.solve(cells, swap), cell_of[true]), (channel_for(attribute, swap), true)):
                out = np.empty(count, dtype=np.uint16)
                channel.draw(codes.astype(np.uint16), out, key.stream(channel.kind), 0)
                estimate = likeliest(channel, np.bincount(out, minlength=channel.size).astype(float), channel.size)
                fine = estimate[cell_of] / width[cell_of] if channel.size == cells else estimate
                spread = np.abs(np.cumsum(fine) - np.cumsum(right)).mean()
                mean = abs(float((fine - right) @ np.arange(points))) / points
                each += [spread, mean]
            found.append(each)
        rows.append([name, count, f"{cost:g}", cells, *np.mean(found, axis=0).tolist()])
        print(rows[-1], flush=True)
    columns = ["number", "rows", "cost", "cells"]
    columns += [f"{what}, {how}" for how in ("retention", "Laplace") for what in ("distribution", "mean")]
    store(
        "telling_numbers",
        {"numbers": Table(columns, rows, dict.fromkeys(columns[4:], ".3f"))},
        command=f"python -m benchmarks.telling numbers {seeds}",
        seeds=list(range(seeds)),
    )


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    what = sys.argv[1] if len(sys.argv) > 1 else ""
    if what not in {"errors", "numbers"}:
        sys.exit("python -m benchmarks.telling errors|numbers [SEEDS]")
    {"errors": errors, "numbers": numbers}[what](int(sys.argv[2]) if len(sys.argv) > 2 else 4)
