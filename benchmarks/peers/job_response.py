"""Randomized response of one column, and estimating its shares: multi-freq-ldpy, the same epsilon."""

from __future__ import annotations

import statistics
from typing import Any

import numpy as np

from benchmarks.peers.bench import Bench, table
from benchmarks.peers.inputs import census
from benchmarks.stored import Table
from tokumei.examples import OCCUPATION

COLUMN = "occupation"
EPSILONS = (0.5, 1.0, 3.0)


def run(bench: Bench) -> dict[str, Table]:
    rows: list[list[Any]] = []
    for count in bench.sizes([12_000, 100_000, 1_000_000], 2_000):
        given = census(count, bench.home)
        values = list(OCCUPATION)
        truth = given.frame()[COLUMN].value_counts(normalize=True).reindex(values, fill_value=0.0).to_numpy()
        for epsilon in EPSILONS if count <= 100_000 else (1.0,):
            request = {
                **given.request,
                "column": COLUMN,
                "values": values,
                "epsilon": epsilon,
                "draws": 7 if count <= 100_000 else 1,
            }
            entrants = [
                bench.entrant("tokumei, PRAM and IterativeBayes", "tokumei", "response"),
                bench.entrant("multi-freq-ldpy, GRR and MI", "multi-freq-ldpy", "response", estimator="MI"),
                bench.entrant("multi-freq-ldpy, GRR and IBU", "multi-freq-ldpy", "response", estimator="IBU"),
            ]
            for outcome in bench.compete(entrants, request, f"{given.name}: response, ε = {epsilon:g}"):
                drawn = [each for run in outcome.runs for each in run.facts.get("estimates", [])]
                errors = [float(np.abs(np.array(each) - truth).sum() / 2) for each in drawn]
                quality = [None, None]
                if errors:
                    deviation = statistics.stdev(errors) if len(errors) > 1 else 0.0
                    quality = [statistics.mean(errors), deviation / len(errors) ** 0.5]
                name = outcome.entrant.name
                rows.append([given.name, f"{epsilon:g}", name, *outcome.costs(), *quality, outcome.failure or ""])
    return {"response": table(["table", "ε"], ["error", "±"], rows, {"error": ".4f", "±": ".4f"})}
