"""Which coefficients are nearest to those of the original rows: of the rows that show all values, of labels taken as their middle, or of completed rows.

    TOKUMEI_DATA=folder-with-adult.csv python -m benchmarks.adult_regressions [SEEDS] [--minutes M]

Every seed draws 10,000 rows of Adult, or of the health insurance experiment (the tables of `benchmarks/real_regressions.py`), and releases them; all 48,842 rows of Adult with
15 columns, twelve of them quasi-identifiers, are released once for each k. What is true is the regression on the rows that were released. The error is the root mean
square, over these rows, of what the estimate predicts (on the scale of the coefficients) less what the true regression predicts, divided by the standard deviation of the latter: 0 is
perfect, and 1 is no better than a constant. It says `none` where an estimate cannot be made. `tk.regress` is what a user gets. With `--minutes` it stops after that time, and the same command again goes on.
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
from benchmarks import data
from benchmarks.pieces import Pieces, minutes_of
from benchmarks.real_regressions import cases
from benchmarks.stored import Table, store
from tokumei.learning.asked import Asked, asked_of
from tokumei.learning.completed_rows import from_copies
from tokumei.learning.fitted_rows import from_rows
from tokumei.learning.shown_rows import whole_rows
from tokumei.table.domain import Categories

ROWS, NAME = 10_000, "adult_regressions"
FAMILIES = {
    "linear": sm.families.Gaussian(),
    "logistic": sm.families.Binomial(),
    "poisson": sm.families.Poisson(),
}
METHODS: dict[str, Callable[[], Any]] = {
    "generalized, k = 5": lambda: tk.Generalization(k=5),
    "generalized, k = 10": lambda: tk.Generalization(k=10),
    "generalized, k = 50": lambda: tk.Generalization(k=50),
    "generalized by Mondrian, k = 10": lambda: tk.Generalization(k=10, partition=tk.partitions.Mondrian()),
    "local suppression, k = 5": lambda: tk.LocalSuppression(k=5),
    "local suppression, k = 10": lambda: tk.LocalSuppression(k=10),
    "local suppression, k = 50": lambda: tk.LocalSuppression(k=50),
}
WAYS = ["rows that show all", "labels", "completed", "tk.regress"]
ASKED = {
    "Adult": [("income ~ age + sex + schooling + hours", "logistic"), ("income ~ age + sex", "logistic")],
    "health": [
        ("visits ~ coinsurance + deductible + limited + diseases + health", "poisson"),
        ("visits ~ diseases + health", "linear"),
    ],
    "Adult, 15 columns": [("income ~ age + sex", "logistic"), ("`hours-per-week` ~ age + sex", "linear")],
}


class Case(NamedTuple):
    """A table and what is declared of it."""

    table: str
    frame: pd.DataFrame
    schema: tk.Schema
    positive: str


def all_columns() -> Case:
    """Adult as it is, the weight rounded to ten thousands."""
    frame = pd.read_csv(data.adult())
    frame["fnlwgt"] = (frame["fnlwgt"] // 10_000).clip(1, 60)
    roles = {"fnlwgt": "insensitive", "income": "sensitive"}
    made = []
    for name in frame.columns:
        values: Any = frame[name]
        numbers = pd.api.types.is_numeric_dtype(values) and name != "education-num"
        labels = (
            sorted(each.item() if hasattr(each, "item") else each for each in values.unique()) if not numbers else []
        )
        domain = tk.Numbers(int(values.min()), int(values.max()), step=1) if numbers else tk.Categories(labels)
        made.append(tk.Attribute(name, roles.get(name, "quasi_identifier"), domain))
    return Case("Adult, 15 columns", frame, tk.Schema(made), ">50K")


def by_labels(release: tk.Release, asked: Asked) -> tuple[tuple[str, ...], np.ndarray]:
    """Fit labels by statsmodels: numbers by the middle of what a label stands for, categories by each of them in equal parts."""
    recoding = release.mechanism.recoding
    assert recoding is not None
    names, columns = ["(constant)"], [np.ones(release.rows)]

    def parts(name: str, table: np.ndarray) -> np.ndarray:
        codes = release.coded.codes(name)
        if name not in recoding.columns:
            return table[codes]
        covers = recoding.columns[name].covers.astype(float)
        return (covers @ table / covers.sum(axis=1, keepdims=True))[codes]

    for each in asked.columns:
        domain = each.domain
        if isinstance(domain, Categories):
            labels = domain.labels()
            names += [f"{each.name}={label}" for label in labels[1:]]
            columns += list(parts(each.name, np.eye(len(labels)))[:, 1:].T)
        else:
            names.append(each.name)
            columns.append(parts(each.name, domain.points.astype(float)[:, None])[:, 0])  # type: ignore[union-attr]
    target = parts(asked.target.name, asked.answers[:, None])[:, 0]
    return tuple(names), np.asarray(sm.GLM(target, np.column_stack(columns), FAMILIES[asked.family]).fit().params)


def error(case: Case, frame: pd.DataFrame, asked: Asked, names: Any, estimate: np.ndarray) -> float:
    """Return how far off an estimate is."""
    columns: list[Any] = []
    for name in names:
        column, _, label = name.partition("=")
        columns.append(
            np.ones(len(frame))
            if name == "(constant)"
            else (frame[column].astype(str) == label).astype(float)
            if label
            else frame[column].astype(float)
        )
    design = np.column_stack(columns)
    given = frame[asked.target.name]
    target = (given == case.positive).astype(float) if asked.family == "logistic" else given.astype(float)
    true = np.asarray(sm.GLM(target, design, FAMILIES[asked.family]).fit().params)
    off = float(np.sqrt(np.mean((design @ (estimate - true)) ** 2)))
    return off / float((design @ true).std())


def one(case: Case, frame: pd.DataFrame, method: Any, seed: int) -> list[list[float | None]]:
    """Return the errors of every way, for each regression that is asked of the table."""
    release = tk.anonymize(frame, case.schema, method, seed=seed)
    found: list[list[float | None]] = []
    for formula, family in ASKED[case.table]:
        outcome = case.positive if family == "logistic" else None
        asked = asked_of(release, formula, None, family, outcome, None)

        def whole(asked: Any = asked) -> Any:
            made = from_rows(asked, "recoded", whole_rows(asked))
            lost = [each.name for each in asked.columns if not any(n.startswith(each.name) for n in made.names)]
            if lost:  # one value only in these rows
                raise tk.errors.InvalidParameter("The rows show one value of {column!r} only.", column=lost[0])
            return made.names, made.estimate

        def completed(asked: Any = asked, seed: int = seed) -> Any:
            made = from_copies(asked, 5, seed, whole=False, refused=True)
            return made.names, made.estimate

        def given(formula: str = formula, family: Any = family, outcome: Any = outcome, seed: int = seed) -> Any:
            made = tk.regress(release, formula, family=family, outcome=outcome, copies=5, random_state=seed)
            return made.names, made.estimate

        errors: list[float | None] = []
        for way in (whole, lambda asked=asked: by_labels(release, asked), completed, given):
            try:
                errors.append(error(case, frame, asked, *way()))
            except tk.errors.InvalidParameter:
                errors.append(None)
        found.append(errors)
    return found


def main() -> None:
    warnings.filterwarnings("ignore")
    given, minutes = minutes_of(sys.argv[1:])
    many, pieces = int(given[0]) if given else 5, Pieces(NAME, minutes)
    small = [Case(each.table, each.frame, each.schema, "high") for each in cases()]
    rows: list[list[Any]] = []
    for case in (*small, all_columns()):
        seeds = many if len(case.frame.columns) < 10 else 1
        for name, method in METHODS.items():

            def made(seed: int, case: Case = case, method: Any = method, seeds: int = seeds) -> Any:
                rng = np.random.default_rng(seed)
                some = case.frame if seeds == 1 else case.frame.iloc[rng.choice(len(case.frame), ROWS, replace=False)]
                return one(case, some.reset_index(drop=True), method(), seed)

            runs = [
                pieces.piece(f"{case.table}, {name}, {seed}", lambda seed=seed, made=made: made(seed))
                for seed in range(seeds)
            ]
            for at, (formula, family) in enumerate(ASKED[case.table]):
                each = [run[at] for run in runs]
                means = [
                    "none" if any(value is None for value in column) else float(np.mean(column))
                    for column in zip(*each, strict=True)
                ]
                rows.append([case.table, name, f"{family}, {formula}".replace("`", ""), seeds, *means])
                print(*rows[-1], flush=True)
    heads = ["table", "release", "regression", "releases", *WAYS]
    table = Table(heads, rows, dict.fromkeys(WAYS, ".3f"))
    print(table.markdown())
    command = f"python -m benchmarks.adult_regressions {many}"
    store(NAME, {"errors": table}, command=command, seeds=range(many), packages=("tokumei", "statsmodels", "numpy"))
    pieces.finish()


if __name__ == "__main__":
    main()
