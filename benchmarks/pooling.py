"""How often 90% intervals that are pooled over copies of complete rows hold the truth.

    python -m benchmarks.pooling told [SEEDS] [--minutes M]
    python -m benchmarks.pooling boxes [SEEDS] [--minutes M]

What is found is stored, see benchmarks/stored.py. Every seed is another table of 2,000 simulated people, of whom four columns and a
logistic regression are known, and a release of it. `told` are rows that tell some columns, `boxes` rows in
groups. Rows are completed in five copies: from one fitted model (*one fit*), from
a fit of its own for each copy (what `tk.synthesize` does), with the target of the regression named, and drawn
instead of imputed, where the package gives no interval: by the rule for synthetic rows. Intervals are about the population, but where it says that they are
about the table.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

import tokumei as tk
from benchmarks.pieces import Pieces, minutes_of
from benchmarks.stored import Table, store
from tokumei.learning.pooled import Pooled

PEOPLE, COPIES, LEVEL = 2_000, 5, 0.9
SCHEMA = tk.Schema(
    [
        tk.Attribute("age", domain=tk.Numbers(0, 7, step=1)),
        tk.Attribute("sex", domain=tk.Categories(["F", "M"])),
        tk.Attribute("area", domain=tk.Categories(["n", "e", "s"])),
        tk.Attribute("ill", "sensitive", tk.Categories(["no", "yes"])),
    ]
)
ODDS = {"intercept": -2.0, "age": 0.3, "sex M": 0.8, "area s": 0.6}
METHODS = {
    "told": {"Pk-perturbation, k = 3": tk.PkPerturbation(k=3), "Pk-perturbation, k = 10": tk.PkPerturbation(k=10)},
    "boxes": {"groups, k = 10": tk.GroupedPkPerturbation(k=10), "generalization, k = 10": tk.Generalization(k=10)},
}
WAYS = ("one fit", "copies", "with target", "drawn", "copies, about the table", "with target, about the table")


def people(rows: int, rng: np.random.Generator) -> pd.DataFrame:
    age = rng.binomial(7, 0.45, rows)
    man = rng.random(rows) < 0.3 + 0.06 * age
    south = rng.random(rows) < np.where(man, 0.5, 0.3)
    area = np.where(south, "s", rng.choice(["n", "e"], rows))
    odds = ODDS["intercept"] + ODDS["age"] * age + ODDS["sex M"] * man + ODDS["area s"] * south
    ill = rng.random(rows) < 1 / (1 + np.exp(-odds))
    return pd.DataFrame({"age": age, "sex": np.where(man, "M", "F"), "area": area, "ill": np.where(ill, "yes", "no")})


def estimated(frame: pd.DataFrame) -> tuple[dict[str, float], dict[str, float]]:
    """Means, shares and coefficients, and their variances."""
    age, man = frame["age"].to_numpy(float), (frame["sex"] == "M").to_numpy(float)
    south, ill = (frame["area"] == "s").to_numpy(float), (frame["ill"] == "yes").to_numpy(float)
    columns = {
        "mean age": age,
        "share of M": man,
        "share of s": south,
        "share of M and s": man * south,
        "mean of age for M, else 0": age * man,
    }
    values = {name: each.mean() for name, each in columns.items()}
    variances = {name: each.var(ddof=1) / len(each) for name, each in columns.items()}
    design, found = np.column_stack([np.ones(len(age)), age, man, south]), np.zeros(4)
    for _ in range(30):
        chance = 1 / (1 + np.exp(-design @ found))
        information = (design * (chance * (1 - chance))[:, None]).T @ design
        step = np.linalg.solve(information, design.T @ (ill - chance))
        found += step
        if np.abs(step).max() < 1e-9:
            break
    names = [f"coefficient: {name}" for name in ODDS]
    values |= dict(zip(names, found.tolist(), strict=True))
    return values, variances | dict(zip(names, np.diag(np.linalg.inv(information)).tolist(), strict=True))


def truth() -> dict[str, float]:
    """What is true of the population: the coefficients as given, the rest exactly."""
    age = np.arange(8)
    chances = np.array([1, 7, 21, 35, 35, 21, 7, 1]) * 0.45**age * 0.55 ** (7 - age)
    man = 0.3 + 0.06 * age
    share = float(chances @ man)
    return {
        "mean age": 7 * 0.45,
        "share of M": share,
        "share of s": 0.5 * share + 0.3 * (1 - share),
        "share of M and s": 0.5 * share,
        "mean of age for M, else 0": float(chances @ (age * man)),
        **{f"coefficient: {name}": odds for name, odds in ODDS.items()},
    }


def pooled(frames: Sequence[pd.DataFrame], about: str | None = None):
    found = [estimated(each) for each in frames]
    return tk.pool([each for each, _ in found], [each for _, each in found], about=about)


def by_rule_for_synthetic_rows(frames: Sequence[pd.DataFrame]) -> Pooled:
    """Pool by Raghunathan, Reiter and Rubin (2003): (1 + 1/m) B - W, and at least W, which as many complete rows as there are released ones would have."""
    found = [estimated(each) for each in frames]
    values, within = (np.array([list(each.values()) for each in part]) for part in zip(*found, strict=True))
    more, within = (1 + 1 / COPIES) * values.var(axis=0, ddof=1), within.mean(axis=0)
    degrees = np.maximum((COPIES - 1) * (1 - within / np.maximum(more, 1e-300)) ** 2, 1.0)
    degrees = np.where(more - within > within, degrees, COPIES - 1)
    error = np.sqrt(np.maximum(more - within, within))
    return Pooled(tuple(found[0][0]), values.mean(axis=0), error, degrees, None, "population", COPIES)


def one_release(method, seed: int) -> tuple[dict, dict[str, float]]:
    frame = people(PEOPLE, np.random.default_rng(seed))
    release = tk.anonymize(frame, SCHEMA, method, seed=seed)
    model = tk.reconstruct(release, random_state=seed)
    copies = tk.synthesize(model, copies=COPIES, random_state=seed)
    target = tk.synthesize(model, copies=COPIES, target="ill", random_state=seed)
    drawn = tk.synthesize(model, rows=PEOPLE, copies=COPIES, random_state=seed)
    once = model.impute(COPIES, random_state=seed)
    made = (
        pooled(once),
        pooled(copies.frames),
        pooled(target.frames),
        by_rule_for_synthetic_rows(drawn.frames),
        pooled(copies.frames, about="table"),
        pooled(target.frames, about="table"),
    )
    return dict(zip(WAYS, made, strict=True)), estimated(frame)[0]


def summed(method: Any, seed: int) -> dict[str, list[list[float]]]:
    """Return for every way which intervals hold in one release, the estimates, and their standard errors."""
    found, of_table = one_release(method, seed)
    true, made = truth(), {}
    for way, each in found.items():
        low, high = each.interval(LEVEL)
        aim = np.array([(of_table if "table" in way else true)[what] for what in each.names])
        held = (low <= aim) & (aim <= high)
        made[way] = [held.astype(float).tolist(), np.asarray(each.estimate).tolist(), each.standard_error.tolist()]
    return made


def measured(name: str, method: Any, seeds: int, pieces: Pieces) -> tuple[list[list], list[list]]:
    """How often intervals hold, and how far estimates are off, by what is estimated."""
    every = [pieces.piece(f"{name}, {seed}", lambda seed=seed: summed(method, seed)) for seed in range(seeds)]
    found = {
        way: np.array([each[way] for each in every]) for way in WAYS
    }  # releases, held, estimates or errors, figures
    rows, sizes = [], []
    for place, (what, true) in enumerate(truth().items()):
        rows.append([name, what, *(float(found[way][:, 0, place].mean()) for way in WAYS)])
        given = [found[way][:, 1:, place] for way in ("copies", "with target")]
        means, spreads = [float(x[:, 0].mean()) for x in given], [float(x[:, 0].std(ddof=1)) for x in given]
        sizes.append([name, what, true, *means, *spreads, *(float(np.mean(x[:, 1] ** 2) ** 0.5) for x in given)])
    return rows, sizes


def main() -> None:
    warnings.filterwarnings("ignore")
    given, minutes = minutes_of(sys.argv[1:])
    part = given[0] if given else "told"
    seeds, pieces = int(given[1]) if len(given) > 1 else 200, Pieces(f"pooling_{part}", minutes)
    others = ["release", "estimate", "truth", "copies", "with target"]
    others += [f"{what}, {way}" for what in ("spread", "standard error") for way in ("copies", "with target")]
    rows, sizes = [], []
    for name, method in METHODS[part].items():
        found = measured(name, method, seeds, pieces)
        rows += found[0]
        sizes += found[1]
    tables = {
        "coverage": Table(["release", "estimate", *WAYS], rows, dict.fromkeys(WAYS, ".3f")),
        "estimates": Table(others, sizes, dict.fromkeys(others[2:], ".3f")),
    }
    for table in tables.values():
        print(table.markdown())
    store(f"pooling_{part}", tables, command=f"python -m benchmarks.pooling {part} {seeds}", seeds=range(seeds))
    pieces.finish()


if __name__ == "__main__":
    main()
