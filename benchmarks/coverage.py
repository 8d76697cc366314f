"""How often intervals of reconstructions cover what the original rows, or the population, have.

    TOKUMEI_DATA=folder-with-adult.csv python -m benchmarks.coverage cells [SEEDS]
    TOKUMEI_DATA=folder-with-adult.csv python -m benchmarks.coverage bins [SEEDS]
    TOKUMEI_DATA=folder-with-adult.csv python -m benchmarks.coverage regressions [SEEDS]
    python -m benchmarks.coverage population [SEEDS]
    python -m benchmarks.coverage honest [SEEDS] [RELEASE ...]

What is found is stored, see benchmarks/stored.py. Every seed is another release of the same rows of Adult, and intervals are 95% ones about the table. `cells` are joint tables of the
eight columns of `benchmarks.adult`, beside the intervals that drawing the released rows again gives the likeliest table (the bootstrap, ten seeds). `bins` are numbers
in a few intervals; it counts those that have an interval. `regressions` are logistic, and of models that are not right.
`honest` is in benchmarks/honest.py: 90% intervals of everything that has some, from every kind of release.
`population` is a logistic regression of simulated people whose log-odds are known: every seed is another table of people and a release of it, and
intervals are about the population.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression

import tokumei as tk
from benchmarks import adult, data, honest
from benchmarks.stored import Table, store
from tokumei.reconstruction._joint import fitted
from tokumei.table.bins import equal_edges
from tokumei.table.coded import encode

TABLES = (
    ("sex",),
    ("marital-status",),
    ("education",),
    ("native-country",),
    ("marital-status", "sex"),
    ("education", "income"),
    ("marital-status", "education"),
    ("sex", "race", "marital-status"),
)
ROUNDS = 30
AGAIN = 10  # seeds for which rows are drawn again, which takes long
BINS = (3, 5, 8, 12, 20)
NUMBERS = {"age": tk.Numbers(17, 90, step=1), "hours-per-week": tk.Numbers(1, 99, step=1)}
INCOME = tk.Attribute("income", "sensitive", tk.Categories(["<=50K", ">50K"]))


def held(low: np.ndarray, high: np.ndarray, truth: np.ndarray) -> np.ndarray:
    return (low <= truth + 1e-12) & (truth - 1e-12 <= high)


def counted(table, schema: tk.Schema, columns: Sequence[str]) -> np.ndarray:
    """The shares of the original rows."""
    coded = encode(table.select(list(columns)), tk.Schema([schema[name] for name in columns]))
    shape = tuple(schema[name].states for name in columns)
    cells = np.ravel_multi_index([coded.codes(name).astype(np.int64) for name in columns], shape)
    return np.bincount(cells, minlength=np.prod(shape)).reshape(shape) / table.num_rows


def drawn_again(model: tk.IterativeBayes, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """The middle 95% of the likeliest tables of released rows that were drawn again, with replacement."""
    (part,) = model._parts
    seen, made = part.seen.ravel() / part.seen.sum(), []
    for _ in range(ROUNDS):
        rows = rng.multinomial(round(part.seen.sum()), seen).reshape(part.seen.shape).astype(float)
        made.append(fitted(rows, part.conditionals, 0.99 * model.pmf_ + 0.01 / model.pmf_.size, 0.1, 100).estimate)
    low, high = np.quantile(made, [0.025, 0.975], axis=0)
    return low, high


def cells(seeds: int) -> None:
    table, schema, rows = adult.complete(), adult.schema(), []
    for k in (2, 5, 50):
        found: dict[tuple[str, ...], list[list[float]]] = {columns: [] for columns in TABLES}
        for seed in range(seeds):
            release = tk.anonymize(table, schema, tk.PkPerturbation(k=k, tells="all"), seed=seed)
            for columns in TABLES:
                truth = counted(table, schema, columns)
                model = tk.IterativeBayes(list(columns), max_iter=300, tol=0.1).fit(release)
                model.intervals(about="table")
                here = model.kinds_ != "none"
                mine = [held(model.low_, model.high_, truth)[here].mean(), np.mean((model.high_ - model.low_)[here])]
                mine = [here.mean(), *(mine if here.any() else [np.nan, np.nan])]
                if seed < AGAIN:
                    low, high = drawn_again(model, np.random.default_rng(seed))
                    mine += [held(low, high, truth).mean(), np.mean(high - low)]
                found[columns].append([*mine, np.nan, np.nan][:5])
        for columns, each in found.items():
            cells = counted(table, schema, columns).size
            rows.append([k, " × ".join(columns), cells, *np.nanmean(each, axis=0).tolist()])
    titles = ["k", "table", "cells", "have an interval", "coverage", "mean width", "rows drawn again", "their width"]
    keep("cells", Table(titles, rows, dict.fromkeys(titles[3:], ".3f")), seeds)


def bins(seeds: int) -> None:
    frame, rows = pd.read_csv(data.adult()).iloc[: adult.TRAINING], []
    sexes = tk.Attribute("sex", domain=tk.Categories(["Female", "Male"]))
    for name, domain in NUMBERS.items():
        schema = tk.Schema([tk.Attribute(name, domain=domain), sexes])
        for k in (2, 20):
            for count in BINS:
                edges = equal_edges(domain, count, name)
                _, bin_of = tk.Hierarchy.intervals(edges).coarsen(domain, 1)
                truth = np.bincount(bin_of[frame[name] - domain.low], minlength=count) / len(frame)
                good, there, widths = [], [], []
                for seed in range(seeds):
                    release = tk.anonymize(frame[[name, "sex"]], schema, tk.PkPerturbation(k=k, tells="all"), seed=seed)
                    model = tk.IterativeBayes([name], bins={name: count}, max_iter=300, tol=0.1).fit(release)
                    model.intervals(about="table")
                    good.append(held(model.low_, model.high_, truth))
                    there.append(model.kinds_ != "none")
                    widths.append(model.high_ - model.low_)
                right, sure = np.array(good), np.array(there)
                both = [right[sure].mean(), np.array(widths)[sure].mean()] if sure.any() else [None, None]
                rows.append([name, k, count, sure.mean(), *both])
    titles = ["column", "k", "bins", "cells with an interval", "coverage", "mean width"]
    formats = {"cells with an interval": ".2f", **dict.fromkeys(titles[4:], ".3f")}
    keep("bins", Table(titles, rows, formats), seeds)


def models() -> dict[str, tuple[pd.DataFrame, tk.Schema]]:
    """Columns that explain income; in none of them are the log-odds a sum over the columns."""
    frame = pd.read_csv(data.adult()).iloc[: adult.TRAINING]
    yes = tk.Categories(["no", "yes"])
    three = pd.DataFrame(
        {
            "sex": frame["sex"],
            "married": np.where(frame["marital-status"].isin(["Married-civ-spouse", "Married-AF-spouse"]), "yes", "no"),
            "college": np.where(frame["education-num"] >= 13, "yes", "no"),
            "income": frame["income"],
        }
    )
    sex = tk.Attribute("sex", domain=tk.Categories(["Female", "Male"]))
    binary = [sex, tk.Attribute("married", domain=yes), tk.Attribute("college", domain=yes), INCOME]
    age = [tk.Attribute("age", domain=NUMBERS["age"]), sex, INCOME]
    return {
        "sex, married, college": (three, tk.Schema(binary)),
        "age, sex": (frame[["age", "sex", "income"]], tk.Schema(age)),
    }


def maximum_likelihood(frame: pd.DataFrame, schema: tk.Schema) -> np.ndarray:
    """The coefficients of the original rows."""
    columns, scale = [], [1.0]
    for attribute in schema.without("income"):
        number = isinstance(attribute.domain, tk.Numbers)
        unit = float(attribute.domain.high) if number else 1.0
        columns.append(frame[attribute.name] / unit if number else frame[attribute.name] == attribute.domain.values[1])
        scale.append(unit)
    design = np.column_stack(columns).astype(float)
    model = LogisticRegression(C=np.inf, tol=1e-12, solver="newton-cholesky").fit(design, frame["income"] == ">50K")
    return np.append(model.intercept_, model.coef_) / scale


def regressions(seeds: int) -> None:
    rows = []
    for name, (frame, schema) in models().items():
        truth = maximum_likelihood(frame, schema)
        for k in (2, 10, 50):
            estimates, errors, refused = [], [], 0
            for seed in range(seeds):
                release = tk.anonymize(frame, schema, tk.PkPerturbation(k=k, tells="all"), seed=seed)
                try:
                    model = tk.CorrectedLogisticRegression("income").fit(release)
                except tk.errors.TooNoisy:
                    refused += 1
                    continue
                estimates.append([model.intercept_, *model.coef_])
                errors.append([model.table_standard_errors_, model.standard_errors_])
            off = np.abs(np.array(estimates) - truth)[:, None, :] < 1.96 * np.array(errors)
            for at, term in enumerate(model.names_):
                given = np.array(estimates)[:, at]
                mine = [truth[at], given.mean(), given.std(ddof=1), np.array(errors)[:, 0, at].mean()]
                rows.append([name, k, term, *mine, *off[:, :, at].mean(axis=0).tolist(), refused])
    titles = ["columns", "k", "coefficient", "original rows", "mean estimate", "its spread", "standard error"]
    titles += ["coverage", "with the population's errors", "refused"]
    keep("regressions", Table(titles, rows, dict.fromkeys(titles[3:9], ".3f")), seeds)


SIMULATED = tk.Schema(
    [
        tk.Attribute("age", domain=tk.Numbers(18, 90, step=1)),
        tk.Attribute("sex", domain=tk.Categories(["F", "M"])),
        tk.Attribute("ill", "sensitive", tk.Categories(["no", "yes"])),
    ]
)
ODDS = np.array([-3.0, 0.03, 0.8])  # a constant, a year of age, being a man


def simulated(rows: int, rng: np.random.Generator) -> pd.DataFrame:
    age, man = rng.integers(18, 91, rows), rng.integers(0, 2, rows)
    ill = rng.random(rows) < 1 / (1 + np.exp(-(ODDS[0] + ODDS[1] * age + ODDS[2] * man)))
    return pd.DataFrame({"age": age, "sex": np.array(["F", "M"])[man], "ill": np.where(ill, "yes", "no")})


def population(seeds: int) -> None:
    rows = []
    for people in (5_000, 20_000):
        estimates, errors = [], []
        for seed in range(seeds):
            frame = simulated(people, np.random.default_rng(seed))
            release = tk.anonymize(frame, SIMULATED, tk.PkPerturbation(k=2, tells="all"), seed=seed)
            model = tk.CorrectedLogisticRegression("ill").fit(release)
            estimates.append([model.intercept_, *model.coef_])
            errors.append(model.standard_errors_)
        given, error = np.array(estimates), np.array(errors)
        off = (given - ODDS) / error
        for at, term in enumerate(model.names_):
            mine = [ODDS[at], given[:, at].mean(), given[:, at].std(ddof=1), error[:, at].mean()]
            rows.append([people, term, *mine, off[:, at].std(ddof=1), np.mean(np.abs(off[:, at]) < 1.96)])
    titles = [
        "people",
        "coefficient",
        "truth",
        "mean estimate",
        "its spread",
        "standard error",
        "spread in errors",
        "coverage",
    ]
    keep(
        "population",
        Table(titles, rows, {**dict.fromkeys(titles[2:6], ".4f"), **dict.fromkeys(titles[6:], ".3f")}),
        seeds,
    )


def keep(part: str, table: Table, seeds: int) -> None:
    """Show what was found and store it."""
    print(table.markdown())
    command = f"python -m benchmarks.coverage {part} {seeds}"
    store(f"coverage_{part}", {part: table}, command=command, seeds=range(seeds))


def main() -> None:
    warnings.filterwarnings("ignore")
    part = sys.argv[1] if len(sys.argv) > 1 else "cells"
    usual = {"cells": 60, "bins": 40, "regressions": 120, "population": 500, "honest": 400}
    seeds = int(sys.argv[2]) if len(sys.argv) > 2 else usual[part]
    if part == "honest":
        honest.main(seeds, sys.argv[3:])
        return
    {"cells": cells, "bins": bins, "regressions": regressions, "population": population}[part](seeds)


if __name__ == "__main__":
    main()
