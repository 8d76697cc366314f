"""Samples released as they are, beyond the paper: a few more known people than assumed (its section 4.5), and strata, which it leaves open."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

import tokumei as tk
from benchmarks import data
from benchmarks.papers.program import Run, Tables
from benchmarks.stored import Table
from tokumei.privacy.sampling import HidingPlace, risk_in_strata

N, RATE = 10_000, 0.5
KNOWN, EXTRA = (100, 1_000), (0, 1, 5, 10, 100)
FEW = ["age", "sex", "race"]
SMALL = Fraction(1, 10**12)
SIZES = {"north": 5_000, "south": 3_000, "east": 1_500, "west": 500}
CASES = (((3, 2), (1, 1), (2, 0)), ((3, 2), (2, 1), (1, 1)), ((3, 3), (1, 2), (0, 1)), ((4, 2), (2, 1), (1, 0)), ((1, 4), (1, 2), (1, 0)))  # fmt: skip


def named(value: Any, known: Any, sample: Any) -> tuple[int, int]:
    """Count whom an attacker names, unique among those known and in the sample, and how many of these rows are theirs."""
    count = value.max() + 1
    alone = (np.bincount(value[known], minlength=count) == 1) & (np.bincount(value[sample], minlength=count) == 1)
    people = known[alone[value[known]]]
    return len(people), int(np.isin(people, sample).sum())


def robust(run: Run) -> Tables:
    """The risk if the attacker knows a few more people than was assumed: by the formula, and how often they are right."""
    rows: list[list[Any]] = []
    for known in KNOWN:
        assumed = tk.samples.partial_risk(N, known, round(RATE * N))
        for extra in EXTRA:
            risk = tk.samples.partial_risk(N, known + extra, round(RATE * N))
            right = np.zeros(2, dtype=np.int64)
            for seed in range(len(run.seeds) * (1 if run.quick else 20)):
                rng = np.random.default_rng([seed, known])
                value = np.concatenate(
                    [np.arange(known), rng.integers(0, known, N - known)]
                )  # as the attacker believes
                more = np.arange(known + extra)
                right += named(value, more, rng.choice(N, round(RATE * N), replace=False))
            share = float(right[1] / right[0]) if right[0] else None  # of few known people none is unique
            rows.append([known, extra, float(risk), float(risk / assumed), share])
        run.say(f"{known} known")
    rows.append([N, 0, float(tk.samples.partial_risk(N, N, round(RATE * N))), 1.0, None])  # everybody known
    frame = pd.read_csv(data.adult(), skipinitialspace=True)
    value = frame.groupby(FEW).ngroup().to_numpy()
    people: list[list[Any]] = []
    for extra in (0, 5, 50, 500):
        right, base = np.zeros(2, dtype=np.int64), len(value) // 10
        for seed in run.seeds:
            mixed = np.random.default_rng(seed).permutation(len(value))
            sample = np.random.default_rng(seed + 1000).choice(len(value), round(RATE * len(value)), replace=False)
            right += named(value, mixed[: base + extra], sample)
        share = right[1] / right[0]
        people.append([base, extra, int(right[0]), float(share), float(math.sqrt(share * (1 - share) / right[0]))])
    heads = ["known as assumed", "known besides"]
    return {
        "risk": Table(
            [*heads, "risk", "times the assumed", "right, as believed"],
            rows,
            {"risk": ".4f", "times the assumed": ".3f"},
        ),
        "adult": Table([*heads, "named", "right", "±"], people),
    }


def strongest(sizes: tuple[int, ...], taken: tuple[int, ...], known: tuple[int, ...], labels: bool) -> float:
    """The largest posterior of any link: every table that the attacker thinks possible, every draw, every release."""
    strata = [h for h, n in enumerate(sizes) for _ in range(n)]
    first = [sum(sizes[:h]) for h in range(len(sizes))]
    familiar = [first[h] + i for h, n in enumerate(known) for i in range(n)]
    others = [person for person in range(len(strata)) if person not in familiar]
    belief = [*((each, (1 - SMALL) / len(familiar)) for each in familiar), (-1, SMALL)]
    total: dict[Any, Fraction] = defaultdict(Fraction)
    linked: dict[Any, Fraction] = defaultdict(Fraction)
    draws = [list(itertools.combinations(range(a, a + n), m)) for a, n, m in zip(first, sizes, taken, strict=True)]
    for values in itertools.product(belief, repeat=len(others)):
        weight = math.prod((chance for _, chance in values), start=Fraction(1))
        record = dict(zip(familiar, familiar, strict=True)) | dict(zip(others, (v for v, _ in values), strict=True))
        for drawn in itertools.product(*draws):
            for order in itertools.permutations([person for part in drawn for person in part]):
                release = tuple((record[p], strata[p] if labels else 0) for p in order)
                total[release] += weight
                for row, person in enumerate(order):
                    if person in familiar:
                        linked[release, person, row] += weight
    return float(max(weight / total[release] for (release, _, _), weight in linked.items()))


def strata_alone(run: Run) -> Tables:
    """Samples of strata released as they are: the bound for some designs, and against enumeration on small tables."""
    known, rows = 100, []
    designs: dict[str, dict[str, int]] = {
        "a tenth of each": {name: n // 10 for name, n in SIZES.items()},
        "half of each": {name: n // 2 for name, n in SIZES.items()},
        "250 of each": dict.fromkeys(SIZES, 250),
        "all of the smallest, a tenth of the others": {
            name: n if name == "west" else n // 10 for name, n in SIZES.items()
        },
    }
    for name, taken in designs.items():
        size = sum(taken.values())
        whole = float(tk.samples.partial_risk(N, known, size))
        risk, worst = risk_in_strata([HidingPlace(n - taken[h], taken[h]) for h, n in SIZES.items()], known)
        rows.append([name, size, whole, worst.outside, float(risk), float(1 / risk)])
    exact = []
    for sizes, taken_, some in CASES[:2] if run.quick else CASES:
        places = [HidingPlace(n - m, m) for n, m in zip(sizes, taken_, strict=True)]
        bound = float(risk_in_strata(places, sum(some))[0])
        whole = float(tk.samples.partial_risk(sum(sizes), sum(some), sum(taken_)))
        texts = [" + ".join(map(str, each)) for each in (sizes, taken_, some)]
        for labels in (True, False):
            exact.append(
                [*texts, "released" if labels else "hidden", strongest(sizes, taken_, some, labels), bound, whole]
            )
        run.say(texts[0])
    figures = ["enumerated", "bound", "without strata"]
    return {
        "designs": Table(
            ["drawn", "rows", "risk without strata", "fewest not drawn", "risk", "k"],
            rows,
            {"risk": ".4f", "risk without strata": ".4f", "k": ".2f"},
        ),
        "exact": Table(["people", "drawn", "known", "labels", *figures], exact, dict.fromkeys(figures, ".4f")),
    }


def epsilon(run: Run) -> Tables:
    """What a sample does to the epsilon of a row, and to that of the whole table; and what a sample released unchanged has."""
    count = 1_000 if run.quick else N
    frame = pd.DataFrame({"a": np.arange(count) % 10})
    schema = tk.Schema([tk.Attribute("a", domain=tk.Categories(list(range(10))))])
    rows: list[list[Any]] = []
    for rate in (1.0, 0.5, 0.1, 0.01):
        sample = {} if rate == 1 else {"sample": rate}
        release = tk.anonymize(frame, schema, tk.PRAM({"a": tk.transitions.KeepOrReplace(0.5)}, **sample), seed=1)
        stated = {each.notion: each for each in release.guarantees}
        central = stated["central differential privacy"]
        local = stated["local differential privacy"].value
        rows.append(["PRAM, half of the cells kept", rate, local, central.value, central.numbers["delta"]])
    alone = tk.anonymize(frame, schema, tk.Sampling(0.1, known=10), seed=1)
    assert not any("differential" in each.notion for each in alone.guarantees)
    rows.append(["released unchanged", 0.1, None, None, None])
    heads = ["ε of a row", "ε of the table", "δ"]
    return {
        "rates": Table(["method", "rate", *heads], rows, {"rate": "g", heads[0]: ".3f", heads[1]: ".4f", "δ": ".1e"})
    }
