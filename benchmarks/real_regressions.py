"""How often 90% intervals of `tk.regress` hold the coefficients of a real table, whose regressions no model made.

    TOKUMEI_DATA=folder-with-adult.csv python -m benchmarks.real_regressions [RELEASES] [--minutes M]

Every seed draws 4,000 rows of a table, and releases them. What is true is the regression on the whole table, which stands for the population: Adult
(48,842 rows; income by age, sex, years of schooling and hours), and the health insurance experiment that comes with statsmodels (20,190 person-years;
doctor visits by coinsurance, deductible, limitation, chronic diseases and health). `printed` are the releases for which `tk.regress` gives an interval;
`if all were` is the coverage that its intervals would have were they always given. With `--minutes` it stops after
that time, and the same command again goes on.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import statsmodels.api as sm

import tokumei as tk
from benchmarks.pieces import Pieces, minutes_of
from benchmarks.stored import Table, store
from benchmarks.ten_columns import adult
from tokumei.learning.regress import unlimited

ROWS, LEVEL, NAME = 4_000, 0.9, "real_regressions"
METHODS: dict[str, Callable[[], Any]] = {
    "generalized in groups, k = 5": lambda: tk.Generalization(k=5),
    "local suppression, k = 5": lambda: tk.LocalSuppression(k=5),
    "record suppression, k = 3": lambda: tk.RecordSuppression(k=3),
    "averages, k = 5": lambda: tk.Microaggregation(k=5),
}


class Case(NamedTuple):
    """A table, what is declared of it, and a regression."""

    table: str
    frame: pd.DataFrame
    schema: tk.Schema
    formula: str
    family: str


def cases() -> list[Case]:
    """Return both tables."""
    quasi = "quasi_identifier"
    people = adult()
    grown = pd.DataFrame(
        {
            "age": people["age"].astype(int) // 5 * 5,
            "sex": people["sex"].astype(str),
            "schooling": people["education-num"].astype(int),
            "hours": (people["hours-per-week"].astype(int) // 10 * 10).clip(0, 80),
            "income": np.where(people["income"].str.contains(">"), "high", "low"),
        }
    )
    first = tk.Schema(
        [
            tk.Attribute("age", quasi, tk.Numbers(15, 90, step=5)),
            tk.Attribute("sex", quasi, tk.Categories(sorted(set(grown["sex"])))),
            tk.Attribute("schooling", quasi, tk.Numbers(1, 16, step=1)),
            tk.Attribute("hours", quasi, tk.Numbers(0, 80, step=10)),
            tk.Attribute("income", "sensitive", tk.Categories(["low", "high"])),
        ]
    )
    given = sm.datasets.randhie.load_pandas().data
    visits = pd.DataFrame(
        {
            "coinsurance": np.round(np.exp(given["lncoins"]) - 1).astype(int).clip(0, 100),
            "deductible": np.where(given["idp"] > 0, "yes", "no"),
            "limited": np.where(given["physlm"] > 0.5, "yes", "no"),
            "diseases": np.round(given["disea"]).astype(int),
            "health": np.select([given["hlthp"] > 0, given["hlthf"] > 0, given["hlthg"] > 0], [3, 2, 1], 0),
            "visits": given["mdvis"].astype(int),
        }
    )
    second = tk.Schema(
        [
            tk.Attribute("coinsurance", quasi, tk.Numbers(0, 100, step=1)),
            tk.Attribute("deductible", quasi, tk.Categories(["no", "yes"])),
            tk.Attribute("limited", quasi, tk.Categories(["no", "yes"])),
            tk.Attribute("diseases", quasi, tk.Numbers(0, int(visits["diseases"].max()), step=1)),
            tk.Attribute("health", quasi, tk.Numbers(0, 3, step=1)),
            tk.Attribute("visits", "sensitive", tk.Numbers(0, int(visits["visits"].max()), step=1)),
        ]
    )
    health = "visits ~ coinsurance + deductible + limited + diseases + health"
    return [
        Case("Adult", grown, first, "income ~ age + sex + schooling + hours", "logistic"),
        Case("health", visits, second, health, "poisson"),
    ]


def true_of(case: Case) -> dict[str, float]:
    """Return the coefficients of the whole table, by the names that `tk.regress` uses."""
    target, _, rest = case.formula.partition(" ~ ")
    made = {}
    for name in rest.split(" + "):
        domain = case.schema[name].domain
        if isinstance(domain, tk.Categories):
            made |= {f"{name}={label}": (case.frame[name] == label) for label in domain.values[1:]}
        else:
            made[name] = case.frame[name]
    answers = case.frame[target]
    answers = (answers == "high").astype(float) if case.family == "logistic" else answers
    family = sm.families.Binomial() if case.family == "logistic" else sm.families.Poisson()
    fit = sm.GLM(answers, sm.add_constant(pd.DataFrame(made).astype(float)), family=family).fit()
    return {name: float(fit.params[name]) for name in made}


def one(case: Case, true: dict[str, float], method: Any, seed: int) -> list[Any]:
    """Return whether there is an interval, and for each coefficient whether it would hold; nothing where a regression is refused."""
    rows = case.frame.iloc[np.random.default_rng(seed).choice(len(case.frame), ROWS, replace=False)]
    release = tk.anonymize(rows.reset_index(drop=True), case.schema, method, seed=seed)
    try:
        found = unlimited(release, case.formula, family=case.family)
    except tk.errors.InvalidParameter:
        return []
    assert found.standard_error is not None
    low, high = found.interval(LEVEL)
    held = {n: bool(low[at] <= true[n] <= high[at]) for at, n in enumerate(found.names) if n in true}
    return [not found.reasons, *(held[name] for name in true if name in held)]


def main() -> None:
    warnings.filterwarnings("ignore")
    given, minutes = minutes_of(sys.argv[1:])
    many, pieces = int(given[0]) if given else 200, Pieces(NAME, minutes)
    done: dict[str, list[list[Any]]] = {}
    for case in cases():
        true = true_of(case)
        for name, method in METHODS.items():
            key = f"{case.table} / {name}"
            done[key] = [
                pieces.piece(
                    f"{key}, {seed}",
                    lambda case=case, true=true, method=method, seed=seed: one(case, true, method(), seed),
                )
                for seed in range(many)
            ]
    rows = []
    for key, found in done.items():
        there = [line for line in found if line]
        printed = [line[1:] for line in there if line[0]]
        cover = float(np.mean(np.concatenate(printed))) if printed else None
        every = float(np.mean(np.concatenate([line[1:] for line in there]))) if there else None
        rows.append([*key.split(" / "), many, len(printed), cover, every])
    heads = ["table", "release", "releases", "printed", "coverage of those", "if all were"]
    table = Table(heads, rows, {"coverage of those": ".3f", "if all were": ".3f"})
    print(table.markdown())
    command = f"python -m benchmarks.real_regressions {many}"
    store(NAME, {"coverage": table}, command=command, seeds=range(many), packages=("tokumei", "statsmodels", "numpy"))
    pieces.finish()


if __name__ == "__main__":
    main()
