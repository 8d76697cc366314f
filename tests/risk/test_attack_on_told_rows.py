"""The attack on rows that tell one thing each: exact where it can be, close elsewhere, and as strong as the guarantee allows."""

from __future__ import annotations

import dataclasses
from itertools import permutations
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import tokumei as tk
from tokumei.errors import InvalidParameter
from tokumei.risk import links as module

SCHEMA = tk.example_schema()
MIXED = (tk.tells.Subsets(3, cells=4), tk.tells.Subsets(1))


def odd_one_out(rows: int) -> tuple[pd.DataFrame, tk.Schema]:
    schema = tk.Schema(
        [tk.Attribute("b", domain=tk.Categories([0, 1])), tk.Attribute("c", domain=tk.Numbers(0, 4, step=1))]
    )
    return pd.DataFrame({"b": [1] + [0] * (rows - 1), "c": [4] + [0] * (rows - 1)}), schema


@pytest.mark.parametrize(("rows", "k"), [(50, 2), (500, 5), (3000, 10), (3000, 200)])
def test_on_the_worst_table_the_belief_is_the_guarantee(rows: int, k: float) -> None:
    """All equal but one, and every row tells its true ``b``: the belief in the one row comes to 1/k within 1 %."""
    frame, schema = odd_one_out(rows)
    release = tk.anonymize(frame, schema, tk.PkPerturbation(k=k, tells=1))
    tight = pa.table(
        {"b": frame["b"], "c": pa.nulls(rows, release.table.schema.field("c").type), "tells": ["b"] * rows}
    )
    found = tk.attack(frame, dataclasses.replace(release, held=tight), schema)
    assert found.largest_belief == pytest.approx(1 / k, rel=0.01)
    assert found.promised == pytest.approx(1 / k, rel=1e-6)


def plain_likelihood(release: tk.Release, frame: pd.DataFrame) -> Any:
    """Reckon P(released row | person) from the manifest alone, cell by cell; every column has each value as its own cell."""
    told = release.mechanism.describe()["telling"]
    total = sum(each["weight"] for each in told["clusters"])
    labels = {", ".join(each["columns"]): each for each in told["clusters"]}
    made = np.empty((len(frame), release.rows))
    for j, row in enumerate(release.table.to_pylist()):
        cluster = labels[row[told["label"]]]
        keep, other, size = (cluster["channel"][name] for name in ("keep", "other", "size"))
        for i, person in enumerate(frame.to_dict("records")):
            same = all(row[name] == (None if pd.isna(person[name]) else person[name]) for name in cluster["columns"])
            made[i, j] = cluster["weight"] / total * (keep * same + other) / (keep + size * other)
    return made


def small() -> tuple[pd.DataFrame, tk.Schema]:
    """Three columns, one of which has missing cells."""
    schema = tk.Schema(
        [
            tk.Attribute("a", domain=tk.Categories(["x", "y", "z"])),
            tk.Attribute("b", domain=tk.Categories(["p", "q"]), missing=True),
            tk.Attribute("c", domain=tk.Categories(["u", "v"])),
        ]
    )
    return pd.DataFrame({"a": list("xxyzzy"), "b": ["p", None, "q", None, "p", "q"], "c": list("uvuvvu")}), schema


@pytest.mark.parametrize("tells", [1, 2, (tk.tells.Subsets(("a", "b")), tk.tells.Subsets(("c",), weight=3))])
@pytest.mark.parametrize("drawn", [6, 4])
def test_small_tables_are_exact(tells: Any, drawn: int) -> None:
    frame, schema = small()
    method = tk.PkPerturbation(k=1.5, tells=tells, sample=None if drawn == 6 else drawn)
    release = tk.anonymize(frame, schema, method, seed=3)
    likelihood = plain_likelihood(release, frame)
    beliefs = np.zeros((6, drawn))
    for people in permutations(range(6), drawn):  # which person each row is
        mass = np.prod(likelihood[list(people), range(drawn)])
        beliefs[list(people), range(drawn)] += mass
    beliefs /= beliefs[:, 0].sum()
    found = tk.attack(frame, release)
    assert found.largest_belief == pytest.approx(beliefs.max(), rel=1e-9)
    assert found.expected == pytest.approx(beliefs.max(axis=1).sum(), rel=1e-9)


@pytest.mark.parametrize("tells", [1, 2, MIXED])
@pytest.mark.parametrize("options", [{}, {"sample": 6}, {"kept": "perturb"}])
def test_balancing_comes_close_to_the_exact_beliefs(
    monkeypatch: pytest.MonkeyPatch, tells: Any, options: dict[str, Any]
) -> None:
    frame = tk.example_census(rows=9, random_state=5)
    release = tk.anonymize(frame, SCHEMA, tk.PkPerturbation(k=3, tells=tells, **options), seed=3)
    exact = tk.attack(frame, release, SCHEMA)
    monkeypatch.setattr(module, "EXACT", 0)
    balanced = tk.attack(frame, release, SCHEMA)
    assert "Bethe" in balanced.ways
    assert balanced.expected == pytest.approx(exact.expected, rel=0.03)
    assert balanced.largest_belief == pytest.approx(exact.largest_belief, rel=0.05)


@pytest.mark.parametrize("tells", [2, MIXED])
def test_attackers_are_calibrated_and_held_to_the_guarantee(tells: Any) -> None:
    """What they expect to link is what they link, over many releases; and no link is surer than 1/k."""
    frame = tk.example_census(rows=300)
    method = tk.PkPerturbation(k=1.1, tells=tells)
    outcomes = [tk.attack(frame, method, SCHEMA, random_state=seed) for seed in range(8)]
    linked, expected = sum(each.linked or 0 for each in outcomes), sum(each.expected for each in outcomes)
    assert abs(linked - expected) < 4 * np.sqrt(expected)
    assert linked > 10
    assert all(each.largest_belief <= 1 / 1.1 for each in outcomes)


def test_known_columns_help_them() -> None:
    frame = tk.example_census(rows=600)
    release = tk.anonymize(frame, SCHEMA, tk.PkPerturbation(k=5, kept="known", tells=2), seed=1)
    blind = dataclasses.replace(release, method={**release.method, "kept": "unknown"})
    informed = tk.attack(frame, release, SCHEMA)
    assert informed.expected > 1.5 * tk.attack(frame, blind, SCHEMA).expected
    assert informed.largest_belief <= 1 / 5


def test_coarser_columns_are_compared_as_they_were() -> None:
    """Without a schema the release's own serves, whose told columns are those of the original."""
    frame = tk.example_census(rows=200).drop(columns="person_id")
    release = tk.anonymize(frame, SCHEMA.without("person_id"), tk.PkPerturbation(k=4, tells=2), seed=1)
    assert tk.attack(frame, release) == tk.attack(frame, release, SCHEMA.without("person_id"))
    finer = SCHEMA.without("person_id").replacing(
        dataclasses.replace(SCHEMA["age"], domain=tk.Numbers(0, 120, step=1), hierarchy=None)
    )
    with pytest.raises(InvalidParameter, match="not one of this table"):
        tk.attack(frame, release, finer)
    with pytest.raises(InvalidParameter, match="equivalence classes of perturbed rows say nothing"):
        tk.assess(release)
