"""Shares of all columns, and of all pairs, under local differential privacy of a whole row: multi-freq-ldpy's protocols, the same epsilon."""

from __future__ import annotations

import itertools
import statistics
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks import adult
from benchmarks.peers.bench import Bench, table
from benchmarks.peers.inputs import Input, tables
from benchmarks.stored import Table

EPSILONS = (1.0, 2.0, 4.0)
STRETCHES = 12
DRAWS = 2


def coded(given: Input) -> tuple[dict[str, Any], pd.DataFrame]:
    """Write a table as codes, numbers in stretches of equal width: the same domains for everybody."""
    frame, made, sizes = given.frame(), {}, []
    for name in given.request["columns"]:
        domain = given.request["domains"][name]
        if isinstance(domain, dict):
            width = domain["high"] - domain["low"] + 1
            made[name] = (frame[name].astype(int) - domain["low"]) * STRETCHES // width
            sizes.append(STRETCHES)
        else:
            made[name] = frame[name].map({str(value): code for code, value in enumerate(domain)})
            sizes.append(len(domain))
    codes = pd.DataFrame(made).astype(int)
    path = Path(given.request["data"]).parent / "codes.csv"
    codes.to_csv(path, index=False)
    return {"data": str(path), "columns": list(codes), "sizes": sizes, "draws": DRAWS}, codes


def off(codes: pd.DataFrame, sizes: list[int], found: dict[str, Any]) -> tuple[float, float]:
    """The mean total variation over columns, and over pairs; where a package estimates columns alone, pairs are their products."""
    ones = [np.bincount(codes[name], minlength=size) / len(codes) for name, size in zip(codes, sizes, strict=True)]
    shares = [np.asarray(each) for each in found["one"]]
    one = [np.abs(a - b).sum() / 2 for a, b in zip(ones, shares, strict=True)]
    two = []
    for place, (i, j) in enumerate(itertools.combinations(range(len(sizes)), 2)):
        right = np.bincount(codes.iloc[:, i] * sizes[j] + codes.iloc[:, j], minlength=sizes[i] * sizes[j]) / len(codes)
        made = np.asarray(found["two"][place]) if "two" in found else np.outer(shares[i], shares[j])
        two.append(np.abs(right - made.ravel()).sum() / 2)
    return float(np.mean(one)), float(np.mean(two))


def run(bench: Bench) -> dict[str, Table]:
    rows: list[list[Any]] = []
    for given in tables(bench.sizes([12_000, adult.COMPLETE, 100_000], 2_000), bench.home):
        request, codes = coded(given)
        for epsilon in EPSILONS:
            entrants = [
                bench.entrant("tokumei, tells=1", "tokumei", "several", tells=1),
                bench.entrant("tokumei, tells=2", "tokumei", "several", tells=2),
                bench.entrant('tokumei, tells="auto"', "tokumei", "several", tells="auto"),
                *(
                    bench.entrant(f"multi-freq-ldpy, {shown}", "multi-freq-ldpy", "several", protocol=protocol)
                    for shown, protocol in (
                        ("SPL with GRR", "SPL_GRR"),
                        ("SMP with GRR", "SMP_GRR"),
                        ("SMP with OUE", "SMP_UE"),
                        ("RS+FD with GRR", "RSpFD_GRR"),
                        ("RS+FD with OUE-z", "RSpFD_UE_zero"),
                    )
                ),
            ]
            asked = {**request, "epsilon": epsilon}
            for outcome in bench.compete(entrants, asked, f"{given.name}: several columns, ε = {epsilon:g}"):
                drawn = [each for run in outcome.runs for each in run.facts.get("estimates", [])]
                errors = [off(codes, request["sizes"], each) for each in drawn]
                quality: list[float | None] = [None, None, None]
                if errors:
                    one, two = zip(*errors, strict=True)
                    quality = [statistics.mean(one), statistics.mean(two), statistics.stdev(two) / len(two) ** 0.5]
                name = outcome.entrant.name
                rows.append([given.name, f"{epsilon:g}", name, *outcome.costs(), *quality, outcome.failure or ""])
    formats = {"one-way": ".4f", "two-way": ".4f", "±": ".4f"}
    return {"several": table(["table", "ε"], ["one-way", "two-way", "±"], rows, formats)}
