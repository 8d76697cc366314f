"""Kikuchi, "How much can the sampling reduce the identification risk?": the risk of samples, alone and after PRAM.

    python -m benchmarks.papers.sampling [--quick] [risk] [exact] [people] [robust] [pram] [strata] [strata_alone] [epsilon] [attack]

The paper has formulas and no figures; here they are drawn, compared with an adversary who enumerates everything where that is
possible, and with attacks that are played where it is not. People: Adult, of whom the attacker knows a tenth.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

import tokumei as tk
from benchmarks import data
from benchmarks.papers import sampling_more as beyond
from benchmarks.papers.program import Part, Run, Tables, main
from benchmarks.stored import Table
from tokumei import plots
from tokumei.errors import InfeasiblePromise
from tokumei.mechanism.record import Mechanism
from tokumei.mechanism.retention import Retention
from tokumei.privacy.exact import sampled_posteriors, tables
from tokumei.privacy.sampling import HidingPlace, achieved, best_rate

N, VALUES = 10_000, 10
RATES = (0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0)
SHOWN = (0.01, 0.1, 0.5, 0.9, 0.99, 1.0)
KNOWN = (10, 100, 1_000, 2_000, 5_000)
FEW = ["age", "sex", "race"]
MANY = [*FEW, "marital-status", "education", "native-country", "workclass", "occupation"]
BELIEVED = 30  # so many times the seeds: claims are rare there
SMALL = Fraction(1, 10**12)  # the chance of a value that nobody knows; the risk is the limit as it vanishes


# Samples released as they are.


def risk(run: Run) -> Tables:
    """The risk over the rate and over how many people the attacker knows, and the largest sample for a k."""
    points = [
        {
            "line": f"{known:,} of {N:,} known",
            "rate": rate,
            "risk": float(tk.samples.partial_risk(N, known, round(rate * N))),
        }
        for known in KNOWN
        for rate in RATES
    ]
    run.picture("risk", plots.curves(points, x="rate", y="risk", x_title="share of rows released", y_title="risk"))
    risks = [[known, *(float(tk.samples.partial_risk(N, known, round(rate * N))) for rate in SHOWN)] for known in KNOWN]
    sizes = [[known, *(largest(known, k) for k in (2, 3, 5, 10, 50))] for known in KNOWN]
    heads = [f"rate {rate:g}" for rate in SHOWN]
    return {
        "risk": Table(["people known", *heads], risks, dict.fromkeys(heads, ".4f")),
        "largest": Table(["people known", *(f"k = {k}" for k in (2, 3, 5, 10, 50))], sizes),
    }


def largest(known: int, k: int) -> int | None:
    try:
        return tk.samples.largest_sample(N, known, k)
    except InfeasiblePromise:
        return None


def as_printed(n: int, known: int, m: int) -> float | None:
    """The paper's sum over the range of indices that it prints; none where that range is empty."""
    spare = n - known - (m - 1)
    ends = range(1, spare)
    if not ends:
        return None

    def inner(i: int) -> Fraction:
        return sum((j * math.comb(spare, j - 1) * Fraction(known - 1) ** (i - j) for j in ends), start=Fraction(0))

    return float(sum(math.comb(spare, i - 1) / inner(i) for i in ends))


def enumerated(n: int, known: int, m: int) -> float:
    """The largest posterior of any link: every table that the attacker thinks possible, every draw, every release."""
    belief = [(1 - SMALL) / known] * known + [SMALL]
    total: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)
    linked: dict[tuple[tuple[int, ...], int, int], Fraction] = defaultdict(Fraction)
    for others in itertools.product(range(known + 1), repeat=n - known):
        table, weight = (*range(known), *others), math.prod((belief[v] for v in others), start=Fraction(1))
        for drawn in itertools.permutations(range(n), m):
            release = tuple(table[person] for person in drawn)
            total[release] += weight
            for row, person in enumerate(drawn):
                if person < known:
                    linked[release, person, row] += weight
    return float(max(weight / total[release] for (release, _, _), weight in linked.items()))


def exact(run: Run) -> Tables:
    """Formulas against enumeration, for samples as they are, after PRAM, and in strata."""
    alone = []
    for n, known in ((4, 2), (5, 2), (5, 3)) if run.quick else ((4, 2), (5, 2), (5, 3), (6, 2), (6, 3), (6, 4)):
        run.say(f"n = {n}, {known} known")
        for m in range(1, n):
            alone.append([n, known, m, enumerated(n, known, m), float(tk.samples.partial_risk(n, known, m)), as_printed(n, known, m)])  # fmt: skip
    channel = Retention.solve(2, Fraction(1, 7))
    after = []
    for n in range(2, 5 if run.quick else 6):
        for m in range(1, n + 1):
            run.say(f"PRAM, {m} of {n}")
            worst = largest_posterior(channel, (n,), (m,), None)[0]
            promised = [float(achieved(place, Mechanism({"a": channel}))) for place in places((n,), (m,), True)]
            after.append([n, m, promised[0], 1 / worst, float(1 + (m - 1) * channel.swap)])
    strata = []
    for sizes, taken in (((2, 2), (1, 1)), ((3, 2), (2, 1)), ((3, 2), (1, 2)), ((3, 1), (1, 1))):
        run.say(f"strata of {sizes}")
        for released in (True, False):
            labels = tuple(h for h, m in enumerate(taken) for _ in range(m)) if released else None
            worst = max(largest_posterior(channel, sizes, taken, labels))
            promised = min(float(achieved(p, Mechanism({"a": channel}))) for p in places(sizes, taken, released))
            strata.append([" + ".join(map(str, sizes)), " + ".join(map(str, taken)), "released" if released else "hidden", promised, 1 / worst])  # fmt: skip
    first, second = ["enumerated", "n0 / (n - m + 1)", "as printed"], ["k by formula", "k enumerated"]
    third = [*second, "k, membership known"]
    return {
        "alone": Table(["n", "known", "m", *first], alone, dict.fromkeys(first, ".4f")),
        "pram": Table(["n", "m", *third], after, dict.fromkeys(third, ".4f")),
        "strata": Table(["people", "drawn", "labels", *second], strata, dict.fromkeys(second, ".4f")),
    }


def places(sizes: Sequence[int], taken: Sequence[int], released: bool) -> list[HidingPlace]:
    """Where the people of each stratum hide."""
    return [HidingPlace(n - m, m if released else sum(taken)) for n, m in zip(sizes, taken, strict=True)]


def largest_posterior(
    channel: Retention, sizes: Sequence[int], taken: Sequence[int], labels: tuple[int, ...] | None
) -> list[float]:
    """The largest posterior in each stratum, over all tables and releases of two values."""
    strata = [h for h, n in enumerate(sizes) for _ in range(n)]
    found = [0.0] * len(sizes)
    for parts in itertools.product(*(tables(2, n) for n in sizes)):
        people = [value for part in parts for value in part]
        for release in itertools.product(range(2), repeat=sum(taken)):
            posterior = sampled_posteriors(channel.matrix().T[np.ix_(people, release)], strata, taken, labels)
            for person, h in enumerate(strata):
                found[h] = max(found[h], float(posterior[person].max()))
    return found


def claims(value: Any, known: Any, sample: Any) -> tuple[int, int]:
    """Let the attacker name everybody he knows whose value is alone among those he knows and alone in the sample.

    ``value`` is the value of each person, ``known`` and ``sample`` are numbers of people. Returns how many he names and
    how many of those rows are really theirs.
    """
    count = value.max() + 1
    alone = (np.bincount(value[known], minlength=count) == 1) & (np.bincount(value[sample], minlength=count) == 1)
    named = known[alone[value[known]]]
    return len(named), int(np.isin(named, sample).sum())


def people(run: Run) -> Tables:
    """How often the attacker is right: where people are as he believes, and where they are those of Adult."""
    frame = pd.read_csv(data.adult(), skipinitialspace=True)
    few, many = (frame.groupby(columns).ngroup().to_numpy() for columns in (FEW, MANY))
    names = ["people as the attacker believes", "Adult, 3 columns", "Adult, 8 columns"]
    rows, points = [], []
    for rate in (0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7):
        run.say(f"claims, rate {rate:g}")
        counts = np.zeros((3, 2), dtype=np.int64)
        for seed in range(len(run.seeds) * BELIEVED):
            rng = np.random.default_rng(seed)
            value = np.concatenate([np.arange(N // 10), rng.integers(0, N // 10, N - N // 10)])
            counts[0] += claims(value, np.arange(N // 10), rng.choice(N, round(rate * N), replace=False))
        for place, value in ((1, few), (2, many)):
            for seed in run.seeds:
                mixed = np.random.default_rng(seed).permutation(len(value))
                known, rest = mixed[: len(value) // 10], np.random.default_rng(seed + 1000)
                counts[place] += claims(value, known, rest.choice(len(value), round(rate * len(value)), replace=False))
        bound = float(tk.samples.partial_risk(N, N // 10, round(rate * N)))
        shares = [right / named for named, right in counts]
        errors = [(share * (1 - share) / named) ** 0.5 for share, (named, _) in zip(shares, counts, strict=True)]
        rows.append([rate, bound, *map(float, shares), float(max(errors))])
        points += [{"line": "the formula", "rate": rate, "right": bound}]
        points += [
            {"line": name, "rate": rate, "right": float(share)} for name, share in zip(names, shares, strict=True)
        ]
    says = {"x_title": "share of rows released", "y_title": "share of his claims that are right"}
    run.picture("people", plots.curves(points, x="rate", y="right", **says))
    return {"right": Table(["rate", "the formula", *names, "± at most"], rows, {"rate": "g"})}


# PRAM and sampling.


def column(name: str = "a") -> tk.Attribute:
    return tk.Attribute(name, domain=tk.Categories(list(range(VALUES))))


def released(values: Any, k: int, seed: int, **more: Any) -> tk.Release:
    return tk.anonymize(pd.DataFrame({"a": values}), tk.Schema([column()]), tk.PkPerturbation(k=k, **more), seed=seed)


def promises(release: tk.Release) -> tuple[float, float]:
    """Return both numbers: k where who was drawn is secret, and where it is known."""
    first, second = release.guarantees[:2]
    sampled = release.mechanism.of is not None
    return float(first.value), float(second.value if sampled else first.value)


def pram(run: Run) -> Tables:
    """Retention at equal k over the rate, both promises, and the error of shares estimated from the release."""
    truth = np.random.default_rng(0).dirichlet(np.full(VALUES, 2.0))
    values = np.repeat(np.arange(VALUES), np.random.default_rng(1).multinomial(N, truth))
    shares = np.bincount(values, minlength=VALUES) / N
    rows, points = [], []
    for k in (3, 10, 50):
        for rate in RATES:
            run.say(f"k = {k}, rate {rate:g}")
            sample = {} if rate == 1 else {"sample": rate}
            release = released(values, k, 0, **sample)
            kept = float(release.mechanism.channels["a"].retention)
            secret, known = promises(release)
            worth = release.rows * kept**2 / N
            line = f"k = {k}"
            points.append({"line": line, "rate": rate, "value": kept, "panel": "retention"})
            points.append({"line": line, "rate": rate, "value": worth, "panel": "rows × retention², share of all rows"})
            error = None
            if k == 10:
                drawn = [released(values, k, seed, **sample) for seed in run.seeds]
                off = [tk.IterativeBayes(["a"]).fit(each).pmf_ - shares for each in drawn]
                error = float(np.sqrt(np.mean(np.square(off))))
            safe = released(values, k, 0, membership="known", **sample) if rate * N > k else None
            again = None if safe is None else float(safe.mechanism.channels["a"].retention)
            rows.append([k, rate, kept, secret, known, again, worth, error])
    run.picture("pram", plots.curves(points, x="rate", y="value", panel="panel", x_title="share of rows released", y_title=" "))  # fmt: skip
    columns = ["k", "rate", "retention", "k, who was drawn secret", "k, known", "retention for k against those who know", "m ρ² / n", "error of a share"]  # fmt: skip
    best = [[k, best_rate(N, k, VALUES)] for k in (3, 10, 50)]
    formats = {"rate": "g", columns[3]: ".3f", columns[4]: ".3f", "error of a share": ".5f"}
    every = Table(columns, rows, formats)
    shown = [row for row in rows if row[0] == 10 and row[1] in {0.01, 0.1, 0.5, 0.8, 0.9, 0.99, 1.0}]
    return {"ten": Table(columns, shown, formats), "every": every, "best": Table(["k", "best rate"], best, {"best rate": ".2f"})}  # fmt: skip


def strata(run: Run) -> Tables:
    """Four strata of unequal size, drawn in proportion or equally; labels released or hidden; and Bernoulli samples."""
    sizes = {"north": 5_000, "south": 3_000, "east": 1_500, "west": 500}
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.integers(0, VALUES, N), "region": np.repeat(list(sizes), list(sizes.values()))})
    schema = tk.Schema([column(), tk.Attribute("region", "insensitive", tk.Categories(list(sizes)))])
    designs: dict[str, dict[str, Any]] = {
        "a tenth": {"sample": 0.1},
        "a tenth of each stratum, labels released": {"sample": tk.samples.Stratified("region", 0.1)},
        "a tenth of each stratum, labels hidden": {"sample": tk.samples.Stratified("region", 0.1, labels="hidden")},
        "250 of each stratum, labels released": {"sample": tk.samples.Stratified("region", 250)},
        "250 of each stratum, labels hidden": {"sample": tk.samples.Stratified("region", 250, labels="hidden")},
        "everybody": {},
        "Bernoulli, half, fails once in a million": {"sample": tk.samples.Bernoulli(0.5, delta=1e-6)},
        "Bernoulli, half, drawn again above 5,100": {"sample": tk.samples.Bernoulli(0.5, redraw_above=5_100)},
        "half": {"sample": 0.5},
    }
    rows = []
    for name, more in designs.items():
        run.say(name)
        stratified = "stratum" in name
        table, described = (frame, schema) if stratified else (frame[["a"]], tk.Schema([column()]))
        release = tk.anonymize(table, described, tk.PkPerturbation(k=10, **more), seed=1)
        channel = release.mechanism.channels["a"]
        everybody = float(achieved(HidingPlace(0, N), Mechanism({"a": channel})))
        rows.append([name, release.rows, float(channel.retention), *promises(release), everybody])
    columns = ["drawn", "rows", "retention", "k, who was drawn secret", "k, known", "k, had all been drawn"]
    return {"designs": Table(columns, rows)}


def attack(run: Run) -> Tables:
    """The strongest practical attacker, who knows the whole table, on perturbed samples of a census."""
    rows = []
    census = tk.example_census(rows=500 if run.quick else 1_000)
    for k in (3, 10):
        for rate in (0.1, 0.5, 0.9, 1.0):
            run.say(f"attack, k = {k}, rate {rate:g}")
            method = (
                tk.PkPerturbation(k=k, tells="all") if rate == 1 else tk.PkPerturbation(k=k, sample=rate, tells="all")
            )
            found = [tk.attack(census, method, tk.example_schema(), random_state=seed) for seed in run.seeds]
            right = sum(each.linked for each in found) / sum(each.rows for each in found)
            surest = max(each.largest_belief for each in found)
            expected = sum(each.expected for each in found) / sum(each.rows for each in found)
            rows.append([k, rate, found[0].rows, right, expected, surest, found[0].promised])
    columns = [
        "k",
        "rate",
        "rows",
        "links right, per row",
        "expected by the attacker",
        "largest belief",
        "promised at most",
    ]
    return {"links": Table(columns, rows, {"rate": "g"})}


PARTS = {
    "risk": Part(risk),
    "exact": Part(exact),
    "people": Part(people, seeds=range(10)),
    "pram": Part(pram, seeds=range(12)),
    "robust": Part(beyond.robust, seeds=range(10)),
    "strata": Part(strata, seeds=[1]),
    "strata_alone": Part(beyond.strata_alone),
    "epsilon": Part(beyond.epsilon, seeds=[1]),
    "attack": Part(attack, seeds=range(4)),
}

if __name__ == "__main__":
    main("sampling", __doc__.splitlines()[0], PARTS)
