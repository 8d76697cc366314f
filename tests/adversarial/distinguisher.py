"""Tell from manifests alone which of two people was in the table: `python -m tests.adversarial.distinguisher --per-side 1000`.

Tables are drawn at random and hold one of two people besides; a classifier learns on half of the manifests and is scored on
the others. Digests are taken out, since they say nothing that the rows do not.
"""

from __future__ import annotations

import argparse
import json
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

import tokumei as tk
from tokumei.release.manifest import text_of
from tokumei.release.shape import DataFile

Q = "quasi_identifier"
TOWNS = ["north", "south", "west"]
SCHEMA = tk.Schema(
    [
        tk.Attribute("age", Q, tk.Numbers(0, 20, step=1), tk.Hierarchy.order(tk.Numbers(0, 20, step=1), (4, 3))),
        tk.Attribute("town", Q, tk.Categories(TOWNS), missing=True),
        tk.Attribute("ill", "sensitive", tk.Categories([False, True])),
        tk.Attribute("id", "identifier"),
    ]
)
ROWS = 16
ONE, OTHER = (0, None, True), (20, "west", False)

# The manifest follows from the schema, the plan and the number of rows alone.
PUBLIC: dict[str, Any] = {
    "pk": tk.PkPerturbation(k=3, tells="all"),
    "pk, all perturbed": tk.PkPerturbation(k=3, kept="perturb", tells="all"),
    "pk, weights": tk.PkPerturbation(k=3, split={"age": 2.0, "town": 1.0}, tells="all"),
    "pk, one column a row": tk.PkPerturbation(k=3, tells=1),
    "pk, coarse or fine": tk.PkPerturbation(k=3, tells=(tk.tells.Subsets(2, cells=4), tk.tells.Subsets(1))),
    "pk, sample": tk.PkPerturbation(k=3, sample=0.5, tells="all"),
    "pram": tk.PRAM({"age": tk.transitions.Banded(0.4), "town": tk.transitions.KeepOrReplace(0.3)}),
    "pram, matrix": tk.PRAM({"age": tk.transitions.KeepOrReplace(0.4), "town": [[0.7, 0.1, 0.1, 0.1]] * 4}),
    "sampling": tk.Sampling(0.5, known=3),
}
# Something is taken from the rows, and stands under `disclosed`.
TELLING: dict[str, Any] = {
    "optimal": tk.Generalization(3, tk.partitions.Optimal(), 0.3),
    "fixed levels": tk.Generalization(3, tk.partitions.FixedLevels({"age": 2, "town": 1}), 1.0),
    "mondrian": tk.Generalization(3, tk.partitions.Mondrian()),
    "automatic": tk.Generalization(3),
    "t-closeness": tk.Generalization(3, tk.partitions.Mondrian(), 0.0, (tk.constraints.TCloseness("ill", 0.5),)),
    "record suppression": tk.RecordSuppression(1 + 1),
    "local suppression": tk.LocalSuppression(3),
    "wildcards": tk.LocalSuppression(3, meaning="wildcard"),
    "microaggregation": tk.Microaggregation(3),
    "swapping": tk.Swapping(3),
    "microaggregation, intervals": tk.Microaggregation(3, cells="interval"),
    "grouped": tk.GroupedPkPerturbation(2, tk.partitions.Mondrian(min_size=4)),
    "invariant pram": tk.PRAM({"age": tk.transitions.KeepOrReplace(0.4), "town": tk.transitions.Invariant(0.5)}),
    "known columns": tk.PkPerturbation(k=2, kept="known", tells="all"),
    "strata": tk.PkPerturbation(k=2, sample=tk.samples.Stratified("ill", 0.5), tells="all"),
    "rates": tk.Generalization(
        3, tk.partitions.FixedLevels({"age": 3, "town": 1}), 1.0, publish=(tk.rates.ValueRates(),)
    ),
}


def tables(person: tuple[Any, ...], rng: np.random.Generator) -> pa.Table:
    """Draw a table of people from the middle of every domain, with one person besides."""
    others = ROWS - 1
    ages = [*rng.integers(8, 13, others).tolist(), person[0]]
    towns = [*rng.choice(TOWNS[:2], others).tolist(), person[1]]
    ill = [*([True, False] * others)[:others], person[2]]
    return pa.table({"age": ages, "town": towns, "ill": ill, "id": [f"id {row}" for row in range(ROWS)]})


def manifest_of(table: pa.Table, method: Any, schema: tk.Schema = SCHEMA, seed: int | None = None) -> dict[str, Any]:
    """Make a release and return its manifest without digests."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tk.errors.TokumeiWarning)
        first = (tk.prepare.Recode("age", level=1),) if isinstance(method, tk.PRAM) else ()
        return manifest_text(tk.anonymize(table, schema, method, first, seed=seed))


def manifest_text(release: tk.Release) -> dict[str, Any]:
    """Return the manifest of a release without digests."""
    types = {field.name: str(field.type) for field in release.types.remove_metadata()}
    data = DataFile(file="data.parquet", format="parquet", rows=release.rows, sha256="", types=types)
    content: dict[str, Any] = json.loads(text_of(release, data))
    del content["sha256"]
    return content


def undisclosed(content: dict[str, Any]) -> dict[str, Any]:
    """Take out what a manifest says it took from the data."""
    left = {name: dict(part) if isinstance(part, dict) else part for name, part in content.items()}
    facts = left.pop("disclosed")
    # The file has as many rows as these facts leave, and one column more where the groups of rows are told.
    left["data"]["rows"] += facts.get("left_out", {}).get("value", 0)
    left["data"]["rows"] -= sum(each["drawn"] for each in facts.get("strata", {}).get("value", ()))
    told = (facts.get("mechanism", {}).get("value", {}).get("grouping") or {}).get("label")
    left["data"]["types"] = {name: kind for name, kind in left["data"]["types"].items() if name != told}
    return left


def features(content: Any, path: str = "") -> Iterator[tuple[str, float]]:
    """List the numbers of a manifest by their places, and its texts as being there."""
    if isinstance(content, dict):
        for name, part in content.items():
            yield from features(part, f"{path}/{name}")
    elif isinstance(content, list):
        yield f"{path}/length", float(len(content))
        for place, part in enumerate(content):
            yield from features(part, f"{path}/{place}")
    elif isinstance(content, bool) or content is None or isinstance(content, str):
        yield f"{path}={content}", 1.0
    else:
        yield path, float(content)


def accuracy(ones: list[dict[str, Any]], others: list[dict[str, Any]]) -> float:
    """Learn on half of the manifests whose they are, and return the share of the other half that is told right."""
    found = DictVectorizer(sparse=False).fit_transform([dict(features(each)) for each in (*ones, *others)])
    spread = found.std(axis=0)
    scaled = (found - found.mean(axis=0)) / np.where(spread > 0, spread, 1)
    whose = np.repeat([0, 1], [len(ones), len(others)])
    half = np.arange(len(whose)) % 2 == 0
    if not spread.any():
        return 0.5  # they are all the same
    model = LogisticRegression(max_iter=2000).fit(scaled[half], whose[half])
    return float(model.score(scaled[~half], whose[~half]))


Make = Callable[[pa.Table], dict[str, Any]]


def both_sides(make: Make, per_side: int, seed: int = 0) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Make manifests of tables with the one person, and with the other."""
    rng = np.random.default_rng(seed)
    return tuple([make(tables(person, rng)) for _ in range(per_side)] for person in (ONE, OTHER))  # type: ignore[return-value]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--per-side", type=int, default=200)
    per_side = parser.parse_args().per_side
    print(f"{per_side} tables a side\n\n| method | told right | without the disclosed facts |\n|---|---|---|")
    for name, method in {**PUBLIC, **TELLING}.items():
        sides = both_sides(lambda table, method=method: manifest_of(table, method), per_side)  # type: ignore[misc]
        bare = [[undisclosed(each) for each in side] for side in sides]
        print(f"| {name} | {accuracy(*sides):.2f} | {accuracy(*bare):.2f} |", flush=True)


if __name__ == "__main__":
    main()
