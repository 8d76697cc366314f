"""How often 90% intervals of `tk.regress` hold what is true of the population, by release and kind of regression.

    python -m benchmarks.regressions [SEEDS] [--minutes M] [RELEASE ...] [FAMILY ...]

What is found is stored, see benchmarks/stored.py; with names of releases or families only these are measured and printed, and nothing is stored. With `--minutes` it
stops after that time, and the same command again goes on (`benchmarks/pieces.py`). Every seed is another table of 2,000
simulated people whose regressions are known (pay is linear, ill is logistic and visits are Poisson in age, sex and area), and a release of it. An honest
interval holds the truth in .85 to .95 of the releases. *off* is the mean error of an estimate in units of the standard error, the largest of the
coefficients. Releases whose intervals `tk.regress` does not give are measured too, to see why.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

import tokumei as tk
from benchmarks.pieces import Pieces, minutes_of
from benchmarks.stored import Table, store
from tokumei.learning import regress as regressing

PEOPLE, LEVEL, ENOUGH = 2_000, 0.9, 20  # so many releases are enough to see that there is no interval
QUASI, KEPT = "quasi_identifier", "sensitive"
SLOPES = {"age": 0.1, "sex=M": 0.4, "area=e": -0.3, "area=s": 0.3}
CONSTANTS = {"pay": 20.0, "ill": -1.2, "visits": 0.2}
TIMES = {"pay": 10.0, "ill": 2.0, "visits": 1.0}
FAMILIES = {"pay": "linear", "ill": "logistic", "visits": "poisson"}


def people(rows: int, rng: np.random.Generator) -> pd.DataFrame:
    age = rng.binomial(11, 0.45, rows)
    man = rng.random(rows) < 0.25 + 0.05 * age
    area = np.where(rng.random(rows) < np.where(man, 0.5, 0.3), "s", rng.choice(["n", "e"], rows))
    total = (
        SLOPES["age"] * age
        + SLOPES["sex=M"] * man
        + SLOPES["area=e"] * (area == "e")
        + SLOPES["area=s"] * (area == "s")
    )
    pay = np.clip(np.round(CONSTANTS["pay"] + TIMES["pay"] * total + rng.normal(0, 6, rows)), 0, 60).astype(int)
    ill = rng.random(rows) < 1 / (1 + np.exp(-(CONSTANTS["ill"] + TIMES["ill"] * (total - 0.6))))
    visits = np.minimum(rng.poisson(np.exp(CONSTANTS["visits"] + TIMES["visits"] * (total - 0.6))), 20)
    weight = np.where(area == "n", 1.0, 3.0) * rng.choice([1.0, 2.0], rows)
    house, hours = (age // 2 + rng.integers(0, 3, rows)) % 8, np.minimum(rng.poisson(3 + 2 * man, rows), 15)
    made = {
        "house": house.astype(str),
        "hours": hours,
        "age": age,
        "sex": np.where(man, "M", "F"),
        "area": area,
        "pay": pay,
        "visits": visits,
    }
    return pd.DataFrame({**made, "ill": np.where(ill, "yes", "no"), "weight": weight})


def truth(target: str) -> np.ndarray:
    shift = 0.0 if target == "pay" else -0.6 * TIMES[target]
    return np.array([CONSTANTS[target] + shift, *(TIMES[target] * each for each in SLOPES.values())])


def schema(role: str, weight: bool = False) -> tk.Schema:
    made = [
        tk.Attribute("house", QUASI, tk.Categories([str(each) for each in range(8)])),
        tk.Attribute("hours", QUASI, tk.Numbers(0, 15, step=1)),
        tk.Attribute("age", QUASI, tk.Numbers(0, 11, step=1)),
        tk.Attribute("sex", QUASI, tk.Categories(["F", "M"])),
        tk.Attribute("area", QUASI, tk.Categories(["n", "e", "s"])),
        tk.Attribute("pay", role, tk.Numbers(0, 60, step=1)),
        tk.Attribute("ill", role, tk.Categories(["no", "yes"])),
        tk.Attribute("visits", role, tk.Numbers(0, 20, step=1)),
    ]
    return tk.Schema([*made, *([tk.Attribute("weight", "insensitive", tk.Numbers(1, 6, step=1))] if weight else [])])


ALIKE = {name: tk.transitions.KeepOrReplace(0.8) for name in ("age", "sex", "area")}
ALL, PAIRS = (tk.tells.Subsets(3, cells=12),), (tk.tells.Subsets(2, cells=12),)
MANY = 20_000  # people where every column has noise of its own
# what is released, the role of the targets, which are released, and whether weights are used
RELEASES: dict[str, tuple[Callable[[], Any], str, bool]] = {
    "rows as they are (a sample)": (lambda: tk.Sampling(1_000, known=50), KEPT, False),
    "the same, weights": (lambda: tk.Sampling(1_000, known=50), KEPT, True),
    "noise on every column, k = 2": (lambda: tk.PkPerturbation(k=2, tells="all"), KEPT, False),
    "the same, weights too": (lambda: tk.PkPerturbation(k=2, tells="all"), KEPT, True),
    "noise on the target too": (lambda: tk.PkPerturbation(k=1.05, tells="all"), QUASI, False),
    "PRAM, .8 kept": (lambda: tk.PRAM(columns=ALIKE), KEPT, False),
    "rows tell all three, k = 1.5": (lambda: tk.PkPerturbation(k=1.5, tells=ALL), KEPT, False),
    "rows tell pairs, k = 1.5": (lambda: tk.PkPerturbation(k=1.5, tells=PAIRS), KEPT, False),
    "rows tell what auto picks, k = 1.5": (lambda: tk.PkPerturbation(k=1.5), KEPT, False),
    "groups with noise, k = 5": (lambda: tk.GroupedPkPerturbation(k=5), KEPT, False),
    "groups with noise, k = 20": (lambda: tk.GroupedPkPerturbation(k=20), KEPT, False),
    "generalized in groups, k = 5": (lambda: tk.Generalization(k=5), KEPT, False),
    "generalized in groups, k = 20": (lambda: tk.Generalization(k=20), KEPT, False),
    "generalized in groups, weights": (lambda: tk.Generalization(k=5), KEPT, True),
    "the same, completed in copies": (lambda: tk.Generalization(k=20), KEPT, False),
    "local suppression, k = 5": (lambda: tk.LocalSuppression(k=5), KEPT, False),
    "local suppression, k = 15": (lambda: tk.LocalSuppression(k=15), KEPT, False),
    "record suppression, k = 5": (lambda: tk.RecordSuppression(k=5), KEPT, False),
    "record suppression, k = 3": (lambda: tk.RecordSuppression(k=3), KEPT, False),
    "averages, k = 3": (lambda: tk.Microaggregation(k=3), KEPT, False),
    "averages, k = 10": (lambda: tk.Microaggregation(k=10), KEPT, False),
    "averages, target too, k = 3": (lambda: tk.Microaggregation(k=3), QUASI, False),
    "swapped, k = 3": (lambda: tk.Swapping(k=3), KEPT, False),
    "swapped, k = 10": (lambda: tk.Swapping(k=10), KEPT, False),
}
NARROW = [
    each for each in RELEASES if "noise on" in each or "the same, weights" in each or "tell" in each or "PRAM" in each
]  # three columns only
SIZES = {each: MANY for each in NARROW if "noise on" in each or "weights too" in each}
SIZES |= {each: 5_000 for each in NARROW if "tell" in each}


def declared(name: str, role: str, weight: bool, targets: list[str]) -> tk.Schema:
    made = schema(role, weight)
    keep = {
        "age",
        "sex",
        "area",
        *targets,
        *(["weight"] if weight else []),
        *([] if name in NARROW else ["house", "hours"]),
    }
    columns = [each for each in made if each.name in keep]
    if name.startswith("PRAM"):
        ordered = tk.Categories(list(range(12)), ordered=True)
        columns = [tk.Attribute("age", QUASI, ordered) if each.name == "age" else each for each in columns]
    return tk.Schema(columns)


def measured(name: str, seeds: int, families: dict[str, str]) -> list[list[Any]]:
    make, role, weight = RELEASES[name]
    found: dict[str, list[Any]] = {target: [] for target in families}
    spent = time.process_time()
    for seed in range(seeds):
        wanted = {
            t: f for t, f in families.items() if seed < ENOUGH or not all(r is None or r.reasons for r in found[t])
        }
        if not wanted:
            break
        frame = people(SIZES.get(name, PEOPLE), np.random.default_rng(seed))
        release = None
        for target, family in wanted.items():
            if release is None or role == QUASI:  # otherwise one release has all targets, unchanged
                about = declared(name, role, weight, [target] if role == QUASI else list(FAMILIES))
                release = tk.anonymize(frame[list(about.names())], about, make(), seed=seed)
            try:
                made = regressing.unlimited(
                    release,
                    f"{target} ~ age + sex + area",
                    family=family,
                    weights="weight" if weight else None,
                    random_state=seed,
                    copies=5,
                    completed="completed" in name,
                )
            except tk.errors.InvalidParameter:
                made = None
            found[target].append(made)
    print(name, f"{time.process_time() - spent:.0f} s", flush=True)
    return [[name, FAMILIES[target], *_summed(target, each)] for target, each in found.items()]


def _summed(target: str, made: list[Any]) -> list[Any]:
    there = [each for each in made if each is not None]
    refused, aim = len(made) - len(there), truth(target)
    if not there:
        return [len(made), None, None, None, None, refused, "none"]
    ends = [each.interval(LEVEL) for each in there]
    held = np.mean([(low <= aim) & (aim <= high) for low, high in ends], axis=0)
    off = np.mean([(each.estimate - aim) / each.standard_error for each in there], axis=0)
    worth = [1.0 if each.worth is None else float(np.median(each.worth)) / each.rows for each in there]
    given = sum(not each.reasons for each in there)
    print("   ", FAMILIES[target], held.round(3), off.round(2), refused, given, flush=True)
    which = "all" if given == len(there) else "none" if not given else f"{given} of {len(there)}"
    return [
        len(made),
        float(held.mean()),
        float(held.min()),
        float(off[np.abs(off).argmax()]),
        float(np.median(worth)),
        refused,
        which,
    ]


TITLES = [
    "release",
    "regression",
    "releases",
    "coverage",
    "least of a coefficient",
    "off",
    "rows worth",
    "refused",
    "have an interval",
]


def main() -> None:
    warnings.filterwarnings("ignore")
    given, minutes = minutes_of(sys.argv[1:])
    seeds, named = int(given[0]) if given else 200, given[1:]
    families = {t: f for t, f in FAMILIES.items() if f in named} or FAMILIES
    wanted = [each for each in named if each in RELEASES] or list(RELEASES)
    pieces, rows = Pieces(f"regressions_{seeds}", minutes), []
    for name in wanted:
        for target, family in families.items():
            key = f"{name}, {family}"
            rows += pieces.piece(key, lambda name=name, mine={target: family}: measured(name, seeds, mine))
    table = Table(TITLES, rows, dict.fromkeys(TITLES[3:6], ".3f") | {"rows worth": ".2f"})
    print(table.markdown())
    if not named:
        command = f"python -m benchmarks.regressions {seeds}"
        store("regressions", {"coverage": table}, command=command, seeds=range(seeds))
        pieces.finish()


if __name__ == "__main__":
    main()
