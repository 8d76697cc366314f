"""How often 90% intervals cover the truth, for every kind of release: `python -m benchmarks.coverage honest [SEEDS] [RELEASE ...]`.

Every seed is another table of 2,000 people of the example census and a release of it. Intervals about the table are compared with that table, and those
about the population with a census of a million. Coefficients are those of small models: working hours, and whether somebody earns more than
50k, from sex and a degree. Releases of which nothing has an interval are twenty. Only the intervals that are printed count; cells of the other kinds are counted beside them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from sklearn.linear_model import LinearRegression, LogisticRegression

import tokumei as tk
from benchmarks.stored import RESULTS, Table, store
from tokumei.reconstruction.honest import mean_interval, share_intervals

ROWS, PEOPLE, LEVEL = 2_000, 1_000_000, 0.9
COLUMNS = ["age", "sex", "region", "education", "marital", "income"]
ONE_WAY = (("sex",), ("region",), ("education",))
TWO_WAY = (("sex", "income"), ("region", "marital"))
ABOUT = ("table", "population")
KINDS = ("interval", "exact", "bounds", "none")
NO = "no honest interval"
FIRST = 1_000  # seed: those below were looked at while the intervals were made
FEWER = 20  # releases where nothing has an interval
OPEN = ("microaggregation",)  # releases of which shares and means have none
REFUSED = (
    "generalized",
    "microaggregation",
    "groups",
    "rows tell pairs",
)  # releases of which corrected regressions take none
NORMAL = 1.6448536269514722  # half the width of a 90% interval, in standard errors


def _even(k: float, **more: Any) -> Callable[[], Any]:
    return lambda: tk.PkPerturbation(k=k, tells="all", **more)


def _pram() -> Any:
    return tk.PRAM({name: tk.transitions.KeepOrReplace(0.7) for name in COLUMNS[1:-1]})


RELEASES: Mapping[str, Callable[[], Any]] = {
    "rows tell all, k = 3": _even(3),
    "rows tell all, k = 10": _even(10),
    "rows tell some, k = 3": lambda: tk.PkPerturbation(k=3),
    "rows tell pairs, k = 10": lambda: tk.PkPerturbation(k=10, tells=2),
    "rows tell one column, k = 5": lambda: tk.PkPerturbation(k=5, tells=1),
    "rows tell all, k = 3, weights": _even(3),
    "rows tell pairs, k = 5, weights": lambda: tk.PkPerturbation(k=5, tells=2),
    "PRAM": _pram,
    "sample of half": lambda: tk.Sampling(ROWS // 2, known=2),
    "sample of half, k = 3": _even(3, sample=ROWS // 2),
    "strata, k = 3": _even(3, sample=tk.samples.Stratified("income", 200, labels="released"), kept="known"),
    "groups, k = 3": lambda: tk.GroupedPkPerturbation(k=3, partition=tk.partitions.NoiseAware(min_size=100)),
    "global recoding, k = 5": lambda: tk.Generalization(k=5, partition=tk.partitions.Optimal()),
    "generalized in groups, k = 5": lambda: tk.Generalization(k=5),
    "record suppression, k = 2": lambda: tk.RecordSuppression(k=2),
    "local suppression, k = 3": lambda: tk.LocalSuppression(k=3),
    "microaggregation, k = 5": lambda: tk.Microaggregation(k=5),
    "swapping, k = 5": lambda: tk.Swapping(k=5, partition=tk.partitions.Mondrian()),
}


def schema_of(weighted: bool) -> tk.Schema:
    names = {attribute.name for attribute in tk.example_schema()}
    whole = tk.example_schema().without(*(names - set(COLUMNS)))
    weight = tk.Attribute("weight", "sensitive", tk.Numbers(1, 4, step=1))
    return tk.Schema([*whole, weight]) if weighted else whole


def people(rows: int, seed: int) -> pd.DataFrame:
    """Invented people, whose weights go with their region."""
    frame = tk.example_census(rows=rows, random_state=seed)
    chance = np.random.default_rng(seed).random(rows)
    frame["weight"] = 1 + (chance < 0.5) + 2 * (frame["region"].astype(str).str[0] < "M").to_numpy() * (chance < 0.7)
    return frame


def shares(frame: pd.DataFrame, columns: Sequence[str], weights: np.ndarray | None) -> np.ndarray:
    schema = schema_of(False)
    labels = [list(schema[name].domain.values) for name in columns]
    codes = [pd.Categorical(frame[name], categories=each).codes for name, each in zip(columns, labels, strict=True)]
    shape = tuple(len(each) for each in labels)
    cells = np.ravel_multi_index([each.astype(np.int64) for each in codes], shape)
    counted = np.bincount(cells, weights=weights, minlength=int(np.prod(shape))).reshape(shape)
    return counted / counted.sum()


@cache
def everyone() -> pd.DataFrame:
    return people(PEOPLE, 4_242)


class Tally:
    """How many figures were of each kind, and how many of them were covered."""

    def __init__(self) -> None:
        self.there, self.covered = dict.fromkeys(KINDS, 0), dict.fromkeys(KINDS, 0)

    def add(self, kinds: np.ndarray, low: np.ndarray, high: np.ndarray, truth: np.ndarray) -> None:
        """Count some figures."""
        slack = 1e-9 * (1 + np.abs(truth))
        right = (low <= truth + slack) & (truth - slack <= high)
        for kind in KINDS:
            here = np.asarray(kinds) == kind
            self.there[kind] += int(np.count_nonzero(here))
            self.covered[kind] += int(np.count_nonzero(right & here))

    def coverage(self) -> float | str | None:
        """Of intervals; otherwise what there is in their place."""
        for kind, said in (("interval", None), ("exact", "exact"), ("bounds", "bounds"), ("none", NO)):
            if self.there[kind]:
                return self.covered[kind] / self.there[kind] if said is None else said
        return None

    def share(self, kind: str) -> float | None:
        """Of all figures that are of a kind."""
        whole = sum(self.there.values())
        return self.there[kind] / whole if whole else None

    def held(self, kind: str) -> float | None:
        """How often those of a kind held."""
        return self.covered[kind] / self.there[kind] if self.there[kind] else None


def tallies(name: str, seeds: int) -> dict[tuple[str, str], Tally]:
    """Make releases, and tally shares and the mean of age."""
    weighted = "weights" in name
    schema, weights = schema_of(weighted), "weight" if weighted else None
    if name == "PRAM":  # which takes no numbers
        schema = schema.replacing(tk.Attribute("age", "sensitive", schema["age"].domain))
    whole = everyone()
    of_all = whole["weight"].to_numpy(float) if weighted else None
    truths = {columns: shares(whole, columns, of_all) for columns in (*ONE_WAY, *TWO_WAY)}
    found = {(about, what): Tally() for about in ABOUT for what in ("one-way", "two-way", "two-way, over .01", "mean")}
    for seed in range(FIRST, FIRST + seeds):
        frame = people(ROWS, seed)
        mine = frame["weight"].to_numpy(float) if weighted else None
        release = tk.anonymize(frame[list(schema.names())], schema, RELEASES[name](), seed=seed)
        for about in ABOUT:
            source, by = (frame, mine) if about == "table" else (whole, of_all)
            for columns in (*ONE_WAY, *TWO_WAY):
                truth = shares(frame, columns, mine) if about == "table" else truths[columns]
                made = share_intervals(release, columns, weights=weights, level=LEVEL, about=about)
                kind = "one-way" if columns in ONE_WAY else "two-way"
                found[about, kind].add(made.kinds, made.low, made.high, truth)
                if kind == "two-way":
                    large = truth > 0.01
                    found[about, "two-way, over .01"].add(
                        made.kinds[large], made.low[large], made.high[large], truth[large]
                    )
            mean = mean_interval(release, "age", weights, LEVEL, about)
            truth = np.array([np.average(source["age"], weights=by)])
            found[about, "mean"].add(*(np.array([each]) for each in (mean.kind, mean.low, mean.high)), truth)
    return found


DEGREES = ("Bachelor", "Master", "Doctorate")
MODELS: Mapping[str, Callable[[], Any]] = {
    "rows tell all, k = 3": _even(3),
    "rows tell all, k = 10": _even(10),
    "sample of half, k = 3": _even(3, sample=ROWS // 2),
    "PRAM": lambda: tk.PRAM({name: tk.transitions.KeepOrReplace(0.7) for name in ("sex", "degree")}),
    "rows tell pairs, k = 5": lambda: tk.PkPerturbation(k=5, tells=2),
    "groups, k = 3": lambda: tk.GroupedPkPerturbation(k=3),
    "generalized in groups, k = 5": lambda: tk.Generalization(k=5),
    "microaggregation, k = 5": lambda: tk.Microaggregation(k=5),
}
MODELLED = tk.Schema(
    [
        tk.Attribute("sex", domain=tk.Categories(["Female", "Male"])),
        tk.Attribute("degree", domain=tk.Categories(["no", "yes"])),
        tk.Attribute("hours", "sensitive", tk.Numbers(0, 80, step=1)),
        tk.Attribute("rich", "sensitive", tk.Categories(["no", "yes"])),
    ]
)


def modelled(frame: pd.DataFrame) -> pd.DataFrame:
    rich = frame["income"].isin(["50k to 100k", "over 100k"])
    degree = frame["education"].isin(DEGREES)
    yes = {True: "yes", False: "no"}
    return pd.DataFrame(
        {"sex": frame["sex"].astype(str), "degree": degree.map(yes), "hours": frame["hours"], "rich": rich.map(yes)}
    )


def fitted(frame: pd.DataFrame) -> dict[str, np.ndarray]:
    """The coefficients that rows without noise have."""
    design = np.column_stack([frame["sex"] == "Male", frame["degree"] == "yes"]).astype(float)
    linear = LinearRegression().fit(design, frame["hours"])
    logistic = LogisticRegression(C=np.inf, tol=1e-12, solver="newton-cholesky").fit(design, frame["rich"] == "yes")
    return {
        "hours": np.append(linear.intercept_, linear.coef_),
        "rich": np.append(logistic.intercept_, logistic.coef_),
    }


def coefficients(name: str, seeds: int) -> list[list[Any]]:
    of_all, rows = fitted(modelled(everyone())), []
    held: dict[tuple[str, str], list[np.ndarray]] = {(t, about): [] for t in ("hours", "rich") for about in ABOUT}
    refused = dict.fromkeys(("hours", "rich"), 0)
    for seed in range(FIRST, FIRST + seeds):
        frame = modelled(people(ROWS, seed))
        release = tk.anonymize(frame, MODELLED, MODELS[name](), seed=seed)
        of_table = fitted(frame)
        for target, kind in (("hours", tk.CorrectedLinearRegression), ("rich", tk.CorrectedLogisticRegression)):
            try:
                model = kind(target, columns=["sex", "degree"]).fit(release)
            except (tk.errors.TooNoisy, tk.errors.InvalidParameter):
                refused[target] += 1
                continue
            estimate = np.append(model.intercept_, model.coef_)
            for about, errors in (("table", model.table_standard_errors_), ("population", model.standard_errors_)):
                truth = (of_table if about == "table" else of_all)[target]
                held[target, about].append(np.abs(estimate - truth) <= NORMAL * errors)
    for (target, about), each in held.items():
        what = "linear" if target == "hours" else "logistic"
        rows.append([name, what, about, float(np.mean(each)) if each else NO, refused[target]])
    return rows


def main(seeds: int, wanted: Sequence[str] = ()) -> None:
    """Measure; with names of releases only these, and put their rows in the place of those that are stored."""
    kept, kinds, terms = [], [], []
    titles = ["one-way", "two-way", "two-way, over .01", "mean"]
    for name in RELEASES:
        if wanted and name not in wanted:
            continue
        rounds = min(seeds, FEWER) if name.startswith(OPEN) else seeds
        found = tallies(name, rounds)
        for about in ABOUT:
            kept.append([name, about, rounds, *(found[about, what].coverage() for what in titles)])
            for what in ("one-way", "two-way", "mean"):
                tally = found[about, what]
                made = [tally.share(kind) for kind in KINDS]
                kinds.append([name, about, what, *made, *(tally.held(kind) for kind in KINDS[:3])])
        print(Table(["release", "about", "releases", *titles], kept[-2:]).markdown(), flush=True)
    for name in MODELS:
        if not wanted or name in wanted:
            terms += coefficients(name, min(seeds, FEWER) if name.startswith(REFUSED) else seeds)
    heads = ["release", "about", "figures", *KINDS, "intervals cover", "exact are right", "bounds cover"]
    tables = {
        "coverage": (["release", "about", "releases", *titles], kept, dict.fromkeys(titles, ".3f")),
        "kinds": (heads, kinds, {**dict.fromkeys(KINDS, ".2f"), **dict.fromkeys(heads[7:], ".3f")}),
        "coefficients": (["release", "regression", "about", "coverage", "refused"], terms, {"coverage": ".3f"}),
    }
    command = f"python -m benchmarks.coverage honest {seeds}"
    made = {
        key: Table(heads, _merged(key, rows) if wanted else rows, forms) for key, (heads, rows, forms) in tables.items()
    }
    store("coverage_honest", made, command=command, seeds=range(FIRST, FIRST + seeds))


def _merged(key: str, rows: list[list[Any]]) -> list[list[Any]]:
    """Put rows in the place of those of the same releases that are stored."""
    place = RESULTS / "coverage_honest.json"
    stored = json.loads(place.read_text(encoding="utf-8"))["tables"][key]["rows"] if place.exists() else []
    new = {row[0] for row in rows}
    order = list(dict.fromkeys([*RELEASES, *MODELS]))
    return sorted([*(row for row in stored if row[0] not in new), *rows], key=lambda row: order.index(row[0]))
