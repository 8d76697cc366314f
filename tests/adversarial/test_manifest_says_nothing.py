"""A manifest tells of the rows what it declares to have taken from them, and nothing else.

`python -m tests.adversarial.distinguisher --per-side 1000` prints the same for more tables.
"""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

import tokumei as tk
from tests.adversarial.distinguisher import (
    ONE,
    OTHER,
    PUBLIC,
    ROWS,
    SCHEMA,
    TELLING,
    TOWNS,
    accuracy,
    both_sides,
    manifest_of,
    manifest_text,
    tables,
    undisclosed,
)
from tokumei.anonymizers import METHODS
from tokumei.anonymizers.anonymizer import Anonymizer
from tokumei.release.disclosure import Fact
from tokumei.release.reasons import SmallestClass

SIDE = 40
SURE = 0.5 + 4 * math.sqrt(0.25 / SIDE)  # of as many manifests as are told apart, guessing hardly ever gets more right


def anybody(rng: np.random.Generator) -> pa.Table:
    """Draw a table that has nothing in common with another but its schema and its number of rows."""
    return pa.table(
        {
            "age": rng.integers(0, 21, ROWS),
            "town": [None if place == 3 else TOWNS[place] for place in rng.integers(0, 4, ROWS)],
            "ill": rng.random(ROWS) < rng.random(),
            "id": [f"other {row}" for row in range(ROWS)],
        }
    )


@pytest.mark.parametrize("name", PUBLIC)
@pytest.mark.parametrize("seed", [None, 5])
def test_with_public_parameters_it_is_the_same_byte_for_byte(name: str, seed: int | None) -> None:
    rng = np.random.default_rng(1)
    rows = [tables(ONE, rng), tables(OTHER, rng), *(anybody(rng) for _ in range(4))]
    made = {json.dumps(manifest_of(each, PUBLIC[name], seed=seed)) for each in rows}
    assert len(made) == 1
    assert json.loads(made.pop())["disclosed"] == {}


def test_a_seed_is_not_in_it() -> None:
    table = tables(ONE, np.random.default_rng(1))
    made = {json.dumps(manifest_of(table, tk.PkPerturbation(k=3, tells="all"), seed=seed)) for seed in (1, 987654321)}
    assert len(made) == 1


@pytest.mark.parametrize("name", TELLING)
def test_without_the_facts_that_it_discloses_neighbours_are_the_same(name: str) -> None:
    rng = np.random.default_rng(2)
    rows = [anybody(rng) for _ in range(4)]
    rows += [tables(person, rng) for person in (ONE, OTHER) for _ in range(6)]
    made = [found for each in rows if (found := possible(each, TELLING[name])) is not None]
    assert len(made) > 10
    assert all(each["disclosed"] for each in made)
    assert len({json.dumps(undisclosed(each)) for each in made}) == 1


def possible(table: pa.Table, method: Any) -> dict[str, Any] | None:
    try:
        return manifest_of(table, method)
    except tk.errors.InfeasiblePromise:
        return None


@pytest.mark.parametrize("name", ["mondrian", "invariant pram", "known columns"])
def test_what_is_disclosed_can_tell_neighbours_apart(name: str) -> None:
    """So the distinguisher is no fool: these facts do tell, and only they."""
    sides = both_sides(lambda table: manifest_of(table, TELLING[name]), SIDE)
    assert accuracy(*sides) > 0.8
    assert accuracy(*([undisclosed(each) for each in side] for side in sides)) == 0.5


def test_every_method_is_tried() -> None:
    assert {type(method) for method in (*PUBLIC.values(), *TELLING.values())} == set(METHODS)


# Observed schemas, engines, noise.


def test_an_observed_schema_stands_among_what_is_disclosed() -> None:
    def make(table: pa.Table) -> dict[str, Any]:
        with pytest.warns(tk.errors.ObservedDomainWarning):
            schema = tk.Schema.observe(table, roles={"id": "identifier", "ill": "sensitive"})
            return manifest_text(tk.anonymize(table, schema, tk.PkPerturbation(k=3, tells="all")))

    sides = both_sides(make, SIDE)
    assert accuracy(*sides) > 0.9
    assert len({json.dumps(undisclosed(each)) for side in sides for each in side}) == 1


def rates_told(epsilon: float) -> float:
    """Return how often noisy rates tell whether a person is 8 or 12, with three others of either age."""
    method = tk.RecordSuppression(2, publish=(tk.rates.ValueRates(columns=("age",), epsilon=epsilon),))

    def make(age: int) -> dict[str, Any]:
        table = pa.table({"age": [8, 8, 8, 12, 12, 12, age], "town": TOWNS[:1] * 7, "ill": [True] * 7, "id": ["x"] * 7})
        found: dict[str, Any] = manifest_of(table, method)["disclosed"]["rates"]
        return found

    return accuracy(*([make(age) for _ in range(200)] for age in (8, 12)))


def test_rates_with_noise_tell_no_more_than_their_epsilon() -> None:
    """An epsilon lets nobody be right more often than e^epsilon / (1 + e^epsilon)."""
    most = math.exp(0.5) / (1 + math.exp(0.5)) + 4 * math.sqrt(0.25 / 200)
    assert rates_told(0.5) < most < rates_told(8.0)


@pytest.mark.parametrize("name", ["pk", "pk, sample", "sampling"])
def test_engines_and_files_write_the_same(name: str, tmp_path: Path) -> None:
    rng, made = np.random.default_rng(3), set()
    for place, person in enumerate((ONE, OTHER)):
        table = tables(person, rng)
        pa.parquet.write_table(table, tmp_path / f"{place}.parquet")
        source = {"path": f"{place}.parquet"}
        for engine in ("local", "stream"):
            plan = tk.Plan(source, SCHEMA, PUBLIC[name], folder=tmp_path)
            release = tk.run(plan, engine)
            release.write(tmp_path / f"{place}-{engine}")
            content = json.loads((tmp_path / f"{place}-{engine}" / "manifest.json").read_text())
            del content["sha256"], content["data"]["sha256"]
            made.add(json.dumps(content))
    assert len(made) == 1


# The distinguisher finds what is planted.


class Leaky(Anonymizer):
    """A method whose description holds the mean of a column."""

    def __init__(self) -> None:
        self.mean = 0.0

    def asked(self) -> Any:
        return ()

    def design(self, schema: Any, survey: Any) -> Any:
        self.mean = round(float(survey.table.codes("age").mean()), 2)
        return tk.PkPerturbation(k=3, tells="all").design(schema, survey)

    def describe(self) -> dict[str, Any]:
        return {**tk.PkPerturbation(k=3, tells="all").describe(), "note": self.mean}


def test_a_planted_mean_of_cells_is_found() -> None:
    sides = both_sides(lambda table: manifest_of(table, Leaky()), SIDE)
    assert accuracy(*([undisclosed(each) for each in side] for side in sides)) > SURE


def test_a_planted_fact_is_found_and_goes_with_the_disclosed_ones() -> None:
    def make(table: pa.Table) -> dict[str, Any]:
        release = tk.anonymize(table, SCHEMA, tk.PkPerturbation(k=3, tells="all"))
        mean = round(float(np.mean(table.column("age").to_pylist())), 2)
        return manifest_text(replace(release, disclosed=(Fact("mean", mean, SmallestClass()),)))

    sides = both_sides(make, SIDE)
    assert accuracy(*sides) > SURE
    assert len({json.dumps(undisclosed(each)) for side in sides for each in side}) == 1


def test_what_does_not_depend_on_the_person_is_not_told() -> None:
    """Noise that follows from nothing is not mistaken for a leak."""
    rng = np.random.default_rng(9)
    sides = both_sides(lambda table: {"noise": float(rng.normal())}, 200)
    assert accuracy(*sides) < 0.5 + 4 * math.sqrt(0.25 / 200)
