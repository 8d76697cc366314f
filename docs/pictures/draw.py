"""Draw the pictures of the documentation from example data: python docs/pictures/draw.py [folder] [ending]."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import tokumei as tk
from tokumei.table.coded import encode
from tokumei.table.frames import to_arrow

KNOWN = ["age", "sex", "region", "education", "marital", "occupation"]
DARK = {"frontier"}  # drawn for dark pages too
METHODS = [
    "pk_perturbation",
    "generalization:top_down",
    "microaggregation:farthest_first",
    "local_suppression",
]


def census_schema() -> tk.Schema:
    """Return the example's schema, hours being insensitive: six quasi-identifiers."""
    schema = tk.example_schema()
    return schema.replacing(tk.Attribute("hours", "insensitive", schema["hours"].domain))


def sizes_of(frame: Any, columns: list[str]) -> Any:
    """Count the classes of a table."""
    table = to_arrow(frame)[0].select(columns)
    bare = tk.Schema([tk.Attribute(name, "insensitive") for name in columns])
    return np.bincount(encode(table, bare).class_of(tuple(columns)))


def charts() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Compute the numbers of every chart, and return what draws them with the name of its file."""
    schema, people = census_schema(), tk.example_census()
    alike = tk.anonymize(people, schema, tk.Generalization(k=5, partition=tk.partitions.TopDown()), seed=1)
    noisy = tk.anonymize(people, schema, tk.PkPerturbation(k=5, tells="all"), seed=1)
    before, after = sizes_of(people, KNOWN), sizes_of(alike.frame, KNOWN)
    plots = tk.plots
    yield "class-sizes-before", partial(plots.class_sizes, before, k=5)
    yield "class-sizes-after", partial(plots.class_sizes, after, k=5)
    risks = [
        {
            "the worst row": 1 / each.min(),
            "a row on average": len(each) / each.sum(),
            "unique records": float((each == 1).sum() / each.sum()),
        }
        for each in (before, after)
    ]
    yield "before-after", partial(plots.before_after, *risks)
    blamed = tk.assess(people, KNOWN).singling_out.attributes
    yield "blame", partial(plots.blame, [each.name for each in blamed], [each.share for each in blamed])
    cards = [
        ("Knows one person", 1 / float(after.min()), "Links the person they look for with at most this probability."),
        ("Knows everyone", risks[1]["a row on average"], "Links this share of all rows correctly, on average."),
        ("Unique records", "0", "No released row differs from all others."),
    ]
    yield "attackers", partial(plots.attackers, cards)
    found = tk.measure_utility(people, noisy, schema)
    assert found.released is not None
    yield "correlations", partial(plots.correlations, found.columns, found.associations, found.released.associations)
    table = tk.comparisons.contingency(people, noisy, schema, ["marital"])
    shares = [table[view] / len(people) for view in ("original", "released", "reconstructed")]
    yield "marginals", partial(plots.marginals, list(table["marital"]), *shares, name="marital")
    compared = tk.compare(people, schema, METHODS, sample=len(people))
    yield "frontier", partial(plots.frontier, compared)
    every_cell = {"pk_perturbation": tk.PkPerturbation(k=2, kept="perturb"), "generalization": "generalization"}
    rungs = tk.compare(people, schema, every_cell, columns=["age", "sex", "region", "income"], sample=len(people))
    yield "frontier-differencing", partial(plots.frontier, rungs, rung="differencing")
    yield "groups", partial(plots.groups, *boxes(people), names=("age", "hours"))
    model = tk.IterativeBayes(["education", "marital"]).fit(noisy)
    yield "convergence", partial(plots.convergence, model.trace_, model.tol)


def boxes(people: Any) -> tuple[Any, Any, Any]:
    """Group the rows by age and hours, and return the boxes of the groups."""
    ages, hours = (tk.Attribute(n, "quasi_identifier", tk.example_schema()[n].domain) for n in ("age", "hours"))
    release = tk.anonymize(
        people[["age", "hours"]],
        tk.Schema([ages, hours]),
        tk.Generalization(k=50, partition=tk.partitions.Mondrian()),
        seed=1,
    )
    recoding = release.mechanism.recoding
    assert recoding is not None
    spans = [recoding.columns[name].spans[release.coded.codes(name)] for name in ("age", "hours")]
    both, counts = np.unique(np.concatenate(spans, axis=1), axis=0, return_counts=True)
    start = np.array([17, 0])
    return both[:, [0, 2]] + start, both[:, [1, 3]] + start, counts


def main(folder: Path, ending: str) -> None:
    """Draw everything for light pages, and some for dark ones."""
    warnings.simplefilter("ignore", tk.errors.TokumeiWarning)
    for name, draw in charts():
        for dark in (False, True) if name in DARK else (False,):
            place = tk.plots.save(draw(dark=dark), folder / f"{name}{'-dark' if dark else ''}.{ending}", overwrite=True)
            print(place)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent, sys.argv[2] if len(sys.argv) > 2 else "svg")
