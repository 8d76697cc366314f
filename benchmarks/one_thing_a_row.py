"""Rows that tell one thing each, against every other method on the same rows: tables of two columns, and a model.

    TOKUMEI_DATA=folder-with-adult.csv python -m benchmarks.one_thing_a_row adult [seeds]
    python -m benchmarks.one_thing_a_row census [seeds]

Adult: 16,281 rows and ten columns on the common grid, income kept; 2,000 other rows are the pilot, and all others test models.
Census: 200,000 rows of the example census, seven columns. Error: the mean, over all pairs of columns, of the total variation
distance between the estimated table and that of the same original rows. The estimate is that of `tk.reconstruct` where rows tell
some columns each, of `IterativeBayes` where every row tells every column, and what is released otherwise, coarser cells being
spread evenly over their values. AUC: for income, of what ``tk.reconstruct(release, target="income")`` gives where columns are
perturbed, and otherwise of a logistic regression on the released rows, which is also what a split is suggested for. Means over
seeds, with standard errors. The settings of the model (imagined rows, starts, classes that each have one value of the target) were
picked on Adult with seeds 0 to 3, so that these are not used here.
"""

from __future__ import annotations

import itertools
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

import tokumei as tk
from benchmarks.common_grid import CUTS, CommonGrid
from benchmarks.stored import Table, store
from benchmarks.ten_columns import COLUMNS, PILOT, RELEASED, prepared

TARGET, EVEN = "income", "even split"
CENSUS_ROWS = 200_000
FIRST = 100  # seed
KS = (3, 10, 50)
GROUPS: dict[str, dict[str, list[str]]] = {
    "workclass": {
        "own": ["Self-emp-inc", "Self-emp-not-inc"],
        "government": ["Federal-gov", "Local-gov", "State-gov"],
        "private": ["Private"],
        "none": ["?", "Never-worked", "Without-pay"],
    },
    "marital-status": {
        "married": ["Married-civ-spouse", "Married-AF-spouse"],
        "never": ["Never-married"],
        "apart": ["Divorced", "Separated", "Married-spouse-absent"],
        "widowed": ["Widowed"],
    },
    "occupation": {
        "professions": ["Exec-managerial", "Prof-specialty"],
        "office": ["Adm-clerical", "Sales", "Tech-support"],
        "manual": ["Craft-repair", "Machine-op-inspct", "Transport-moving", "Handlers-cleaners"],
        "other": ["Other-service", "Protective-serv", "?"],
    },
    "relationship": {
        "husband": ["Husband"],
        "wife": ["Wife"],
        "child or relative": ["Own-child", "Other-relative"],
        "none": ["Not-in-family", "Unmarried"],
    },
}
NOISE, ALIKE, NONE = "Pk-anonymity", "k-anonymity", "none"
IN_GROUPS = "Pk-anonymity, bounds of groups disclosed"
# What a row may tell: a name, and what makes the method for a k.
TOLD: dict[str, Callable[[int], Any]] = {
    "one thing a row (default)": lambda k: tk.PkPerturbation(k=k),
    "one column a row": lambda k: tk.PkPerturbation(k=k, tells=1),
    "one pair a row": lambda k: tk.PkPerturbation(k=k, tells=2),
    "half three coarse columns, half one": lambda k: tk.PkPerturbation(
        k=k, tells=[tk.tells.Subsets(3, cells=4), tk.tells.Subsets(1)]
    ),
}
Tables = Callable[[str, str], Any]  # the estimated table of two columns


class Rows(NamedTuple):
    """Rows to release, rows of other people to learn a split from, and rows to test models on."""

    train: pd.DataFrame
    pilot: pd.DataFrame
    test: pd.DataFrame


class Adult:
    """Adult on the common grid, in labels: numbers as ordered ones, coarser groups declared."""

    def __init__(self) -> None:
        self.grid = CommonGrid()
        cells: dict[str, Any] = {}
        attributes = []
        for place, (name, size) in enumerate(zip(COLUMNS, self.grid.sizes, strict=True)):
            labels = list(range(size)) if name in CUTS else self.grid.labels[name]
            cells[name] = np.array(labels)[self.grid.codes[:, place]]
            hierarchy = tk.Hierarchy.groups(GROUPS[name]) if name in GROUPS else None
            domain = tk.Categories(labels, ordered=name in CUTS)
            attributes.append(tk.Attribute(name, domain=domain, hierarchy=hierarchy))
        cells[TARGET] = self.grid.codes[:, -1] == 1
        attributes.append(tk.Attribute(TARGET, "sensitive", tk.Categories([False, True])))
        self.frame, self.schema = pd.DataFrame(cells), tk.Schema(attributes)

    def split(self, seed: int) -> Rows:
        """Return rows to release, the pilot's, and those for tests."""
        order = np.random.default_rng(seed).permutation(len(self.frame))
        parts = np.split(order, [RELEASED, RELEASED + PILOT])
        return Rows(*(self.frame.iloc[part].reset_index(drop=True) for part in parts))

    def regression(self, fitted_to: pd.DataFrame, test: pd.DataFrame) -> float:
        """Return the AUC of a logistic regression with one column for each value."""
        return self.grid.auc(self._codes(fitted_to), self._codes(test))

    def _codes(self, rows: pd.DataFrame) -> Any:
        codes = codes_of(rows, self.schema)
        return np.column_stack([*(codes[name] for name in COLUMNS), rows[TARGET].to_numpy(dtype=int)])


def census_on_grid(seed: int) -> tuple[pd.DataFrame, tk.Schema]:
    """Return the example census with numbers in tenths and at most 12 labels per column."""
    frame = tk.example_census(rows=CENSUS_ROWS, random_state=2026 + seed)
    rows, attributes = {}, []
    for name in ("age", "sex", "region", "education", "marital", "occupation", "hours"):
        column = frame[name]
        if pd.api.types.is_numeric_dtype(column):
            edges = np.unique(np.quantile(column, np.arange(1, 10) / 10))
            rows[name] = np.searchsorted(edges, column)
            domain = tk.Categories(range(len(edges) + 1), ordered=True)
        else:
            labels = column.astype(str)
            common = labels.value_counts().index[:11]
            rows[name] = labels.where(labels.isin(common), "other").to_numpy()
            domain = tk.Categories(sorted(set(rows[name])))
        hierarchy = tk.example_schema()[name].hierarchy if name in ("region", "education") else None
        attributes.append(tk.Attribute(name, domain=domain, hierarchy=hierarchy))
    rows[TARGET] = frame["income"].astype(str).isin(["50k to 100k", "over 100k"]).to_numpy()
    attributes.append(tk.Attribute(TARGET, "sensitive", tk.Categories([False, True])))
    return pd.DataFrame(rows), tk.Schema(attributes)


def codes_of(rows: pd.DataFrame, schema: tk.Schema) -> dict[str, Any]:
    """Return the places of cells in their domains."""
    names = [name for name in schema.names() if name != TARGET]
    return {name: pd.Index(schema[name].domain.values).get_indexer(rows[name]) for name in names}


def counted(rows: pd.DataFrame, schema: tk.Schema) -> Tables:
    """Tables of rows as they are."""
    codes = codes_of(rows, schema)

    def table(one: str, other: str) -> Any:
        made = np.zeros((schema[one].domain.size, schema[other].domain.size))
        np.add.at(made, (codes[one], codes[other]), 1 / len(rows))
        return made

    return table


def by_pairs(release: tk.Release, schema: tk.Schema) -> Tables:
    """Tables by `IterativeBayes`; columns that were made coarser or dropped first are spread evenly over their values."""

    def spread(name: str) -> Any:
        """Return for each released value how it is spread over the values of the schema."""
        size = schema[name].domain.size
        if name not in release.schema.names():
            return np.full((1, size), 1 / size)
        original = release.originals.columns.get(name)
        codes = np.arange(size) if original is None else original.codes
        inside = (np.arange(codes.max() + 1)[:, None] == codes).astype(float)
        return inside / inside.sum(axis=1, keepdims=True)

    def table(one: str, other: str) -> Any:
        there = [name for name in (one, other) if name in release.schema.names()]
        found = tk.IterativeBayes(there).fit(release).pmf_ if there else np.ones(())
        shape = [found.shape[there.index(name)] if name in there else 1 for name in (one, other)]
        return spread(one).T @ found.reshape(shape) @ spread(other)

    return table


def spread_evenly(release: tk.Release, schema: tk.Schema) -> Tables:
    """Tables of generalized rows, each spread evenly over the values that its labels stand for."""
    shares = {}
    for name in (each for each in schema.names() if each != TARGET):
        covers = release.mechanism.recoding.columns[name].covers.astype(float)
        shares[name] = (covers / covers.sum(axis=1, keepdims=True))[release.coded.codes(name)]
    return lambda one, other: shares[one].T @ shares[other] / release.rows


def error(tables: Tables, rows: pd.DataFrame, schema: tk.Schema) -> float:
    """Return the mean total variation distance from the rows' own tables, over all pairs of columns."""
    true = counted(rows, schema)
    pairs = itertools.combinations([name for name in schema.names() if name != TARGET], 2)
    return float(np.mean([0.5 * np.abs(tables(*pair) - true(*pair)).sum() for pair in pairs]))


def area(model: Any, test: pd.DataFrame) -> float:
    """Return the AUC of a fitted model."""
    return float(roc_auc_score(test[TARGET], model.predict_proba(test.drop(columns=TARGET))[:, 1]))


class Tried:
    """One seed: every method, with its error and AUC."""

    def __init__(self, adult: Adult, seed: int) -> None:
        self.adult, self.schema, self.rows, self.seed = adult, adult.schema, adult.split(seed), seed

    def plain(self) -> list[tuple[str, str, int | None, float, float]]:
        """Rows as they are: the original's, and the pilot's."""
        train, pilot, test = self.rows
        return [
            (name, NONE, None, error(counted(rows, self.schema), train, self.schema), self.adult.regression(rows, test))
            for name, rows in (("the original rows", train), (f"the pilot's {PILOT:,} rows alone", pilot))
        ]

    def methods(self, k: int) -> list[tuple[str, str, int | None, float, float]]:
        """Every method, for one k."""
        target, pilot = tk.splits.OptimisedSplit("association", TARGET, self.rows.pilot), self.rows.pilot
        found = tk.splits.suggest_split(pilot, self.schema, k=k, rows=RELEASED, target=TARGET)
        every = {
            EVEN: (tk.PkPerturbation(k=k, tells="all"), ()),
            "suggested split, columns as they are": (tk.PkPerturbation(k=k, split=target, tells="all"), ()),
            "suggested split, columns coarser": (tk.PkPerturbation(k=k, split=found.split, tells="all"), found.prepare),
        }
        made = [(name, NOISE, k, *self.every_column(name, *method)) for name, method in every.items()]
        made += [(name, NOISE, k, *self.told(method(k))) for name, method in TOLD.items()]
        made += [("noise in groups", IN_GROUPS, k, *self.as_released(tk.GroupedPkPerturbation(k=k)))]
        made += [("generalization", ALIKE, k, *self.coarser(tk.Generalization(k=k)))]
        mondrian = tk.Generalization(k=k, partition=tk.partitions.Mondrian())
        made += [("generalization, Mondrian", ALIKE, k, *self.coarser(mondrian))]
        made += [("microaggregation", ALIKE, k, *self.as_released(tk.Microaggregation(k=k)))]
        return made

    def released(self, method: Any, prepare: Any = ()) -> tk.Release:
        """Release the rows."""
        return tk.anonymize(self.rows.train, self.schema, method, prepare, seed=self.seed)

    def every_column(self, name: str, method: Any, prepare: Any) -> tuple[float, float]:
        """Judge a release in which every row tells every column; a suggested split is for a model of the released rows."""
        release, test = self.released(method, prepare), self.rows.test
        off = error(by_pairs(release, self.schema), self.rows.train, self.schema)
        if name == EVEN:
            return off, area(tk.reconstruct(release, target=TARGET), test)
        model = make_pipeline(OneHotEncoder(handle_unknown="ignore"), LogisticRegression(max_iter=1000))
        columns = [column for column in COLUMNS if column in release.frame]
        model.fit(release.frame[columns].astype(str), release.frame[TARGET])
        true = prepared(test, self.schema, prepare)[columns].astype(str)
        return off, float(roc_auc_score(test[TARGET], model.decision_function(true)))

    def told(self, method: Any) -> tuple[float, float]:
        """Judge a release in which each row tells some columns."""
        model = tk.reconstruct(self.released(method))
        off = error(lambda *pair: model.table(pair).pmf_, self.rows.train, self.schema)
        return off, area(model.estimator(TARGET), self.rows.test)

    def as_released(self, method: Any) -> tuple[float, float]:
        """Judge released rows, taken as they are."""
        frame = self.released(method).frame
        off = error(counted(frame, self.schema), self.rows.train, self.schema)
        return off, self.adult.regression(frame, self.rows.test)

    def coarser(self, method: Any) -> tuple[float, float]:
        """Judge rows whose cells were made coarser."""
        release = self.released(method)
        learner = LogisticRegression(max_iter=1000)
        model = make_pipeline(tk.encoders.encoder_for(learner, release), learner)
        model.fit(release.frame[COLUMNS], release.frame[TARGET])
        off = error(spread_evenly(release, self.schema), self.rows.train, self.schema)
        return off, float(roc_auc_score(self.rows.test[TARGET], model.decision_function(self.rows.test[COLUMNS])))


def summed(found: list[list[Any]]) -> list[list[Any]]:
    """Return for each method and k the means over seeds, with standard errors; seeds are outermost."""
    rows = []
    for each in zip(*found, strict=True):
        assert len({line[:3] for line in each}) == 1
        numbers = np.array([line[3:] for line in each])
        off = np.std(numbers, axis=0, ddof=1) / len(each) ** 0.5
        rows.append([*each[0][:3], *(float(x) for pair in zip(numbers.mean(axis=0), off, strict=True) for x in pair)])
    return rows


def wide(rows: list[list[Any]]) -> Table:
    """Return the table of a page: one line for each method, and what it promises."""

    def said(mean: float, off: float) -> str:
        return f"{mean:.3f} ± {off:.3f}".replace("0.", ".")

    cells: dict[tuple[str, str], dict[int | None, Any]] = {}
    for name, promise, k, *numbers in rows:
        cells.setdefault((name, promise), {})[k] = said(*numbers[:2]), said(*numbers[2:4])
    lines = [
        [*key, *(found.get(k, found.get(None))[at] for at in (0, 1) for k in KS)]  # type: ignore[index]
        for key, found in cells.items()
    ]
    heads = [f"{what}, k = {k}" for what in ("2-D error", "AUC") for k in KS]
    return Table(["method", "promise", *heads], lines)


def on_adult(seeds: range) -> None:
    warnings.filterwarnings("ignore")
    adult, found = Adult(), []
    for seed in seeds:
        tried, start = Tried(adult, seed), time.monotonic()
        found.append([*tried.plain(), *(line for k in KS for line in tried.methods(k))])
        print(f"seed {seed}: {time.monotonic() - start:.0f} s", flush=True)
        for line in found[-1]:
            print(*line, flush=True)
    rows = summed(found)
    order = list(dict.fromkeys(row[0] for row in rows))
    rows.sort(key=lambda row: order.index(row[0]))
    heads = ["method", "promise", "k", "2-D error", "± ", "AUC", "±"]
    formats = dict.fromkeys(heads[3:], ".4f")
    command = f"python -m benchmarks.one_thing_a_row adult {len(seeds)}"
    tables = {"methods": Table(heads, rows, formats), "compared": wide(rows)}
    store("one_thing_a_row", tables, command=command, seeds=list(seeds))


def on_census(seeds: range) -> None:
    warnings.filterwarnings("ignore")
    found = []
    for seed in seeds:
        rows, schema = census_on_grid(seed)
        lines = []
        for (name, made), k in itertools.product(TOLD.items(), KS):
            model = tk.reconstruct(tk.anonymize(rows, schema, made(k), seed=seed))
            lines.append((name, NOISE, k, error(lambda *pair, of=model: of.table(pair).pmf_, rows, schema)))
            print(seed, *lines[-1], flush=True)
        found.append(lines)
    heads = ["method", "promise", "k", "2-D error", "±"]
    table = Table(heads, summed(found), dict.fromkeys(heads[3:], ".4f"))
    command = f"python -m benchmarks.one_thing_a_row census {len(seeds)}"
    store("one_thing_a_row_census", {"errors": table}, command=command, seeds=list(seeds))


if __name__ == "__main__":
    what = sys.argv[1] if len(sys.argv) > 1 else ""
    if what not in {"adult", "census"}:
        sys.exit("python -m benchmarks.one_thing_a_row adult|census [SEEDS]")
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 4
    {"adult": on_adult, "census": on_census}[what](range(FIRST, FIRST + count))
