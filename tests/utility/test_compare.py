"""Several methods on the same table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import tokumei as tk
from tests.conftest import MAKERS, columns_of
from tokumei.utility.compare import columns_found

EXAMPLE = tk.example_schema()


def test_risk_is_counted_on_the_rows_and_proved_for_noise() -> None:
    people = tk.example_census(rows=600)
    found = tk.compare(
        people, EXAMPLE, ["pk_perturbation", "generalization:mondrian"], ks=[3, 8], columns=["sex", "income"]
    )
    assert list(found.columns) == list(columns_found())
    for row in found.to_dict("records"):
        assert row["risk"] == 1 / row["kept_k"]
        assert row["kept_k"] >= row["k"]
    alike = found[found["method"] == "generalization:mondrian"]
    for size, kept in zip(alike["k"], alike["kept_k"], strict=True):
        method = tk.Generalization(k=int(size), partition=tk.partitions.Mondrian())
        released = tk.anonymize(people, EXAMPLE, method, seed=0).frame
        counted = released.groupby([*EXAMPLE.names("quasi_identifier")], observed=True).size()
        assert kept == counted.min()


def test_every_rung_of_the_ladder_has_its_number_and_how_it_is_known() -> None:
    people = tk.example_census(rows=400, frame="pyarrow")
    methods = {"noise": tk.PkPerturbation(k=2, kept="perturb"), "stars": tk.LocalSuppression(k=2)}
    found = tk.compare(people, EXAMPLE, methods, ks=[4], columns=["sex"], reconstruct=False).to_pylist()
    for row, method in zip(found, methods.values(), strict=True):
        ladder = tk.ladder(tk.anonymize(people, EXAMPLE, replace(method, k=4), seed=0))
        told = {rung.name: (rung.value, rung.how) for rung in ladder.rungs}
        assert {name: (row[name], row[f"{name}_how"]) for name in told} == told
    noise, stars = found
    assert (noise["differencing_how"], stars["differencing_how"]) == ("proved", "nothing")
    assert stars["differencing"] is None
    assert noise["inference"] < stars["inference"] == 1.0


def test_each_side_of_each_method_has_a_row() -> None:
    people = tk.example_census(rows=600, frame="pyarrow")
    found = tk.compare(people, EXAMPLE, ["pk_perturbation", "local_suppression"], ks=[3], columns=["sex", "income"])
    rows = {(row["method"], row["side"]) for row in found.to_pylist()}
    assert {
        ("pk_perturbation", "released"),
        ("pk_perturbation", "reconstructed"),
        ("local_suppression", "released"),
    } <= rows


def test_any_kind_of_frame_gives_the_same_table() -> None:
    people, made = columns_of(tk.example_census(rows=300)), []
    for maker in MAKERS.values():
        found = tk.compare(maker(people), EXAMPLE, ["local_suppression"], ks=[2, 4], target="income", reconstruct=False)
        assert type(found) is type(maker(people))
        made.append({name: cells for name, cells in columns_of(found).items() if name != "seconds"})
    assert made[0] == made[1] == made[2]


def test_methods_may_be_values_with_names_of_ones_own() -> None:
    people = tk.example_census(rows=300, frame="pyarrow")
    mine = {"cheap": tk.LocalSuppression(k=2, importance={"age": 0.1}), "usual": "local_suppression"}
    found = tk.compare(people, EXAMPLE, mine, ks=[3], columns=["age", "sex"], reconstruct=False).to_pylist()
    assert [row["method"] for row in found] == ["cheap", "usual"]
    assert {row["kept_k"] for row in found} != {2.0}
    values = [tk.Generalization(k=2, partition=tk.partitions.Mondrian()), tk.PkPerturbation(k=2, tells="all")]
    named = tk.compare(people, EXAMPLE, values, ks=[3], columns=["age", "sex"], reconstruct=False).to_pylist()
    assert [row["method"] for row in named] == ["generalization:mondrian", "pk_perturbation:tells=all"]


def test_a_promise_that_cannot_be_kept_is_a_row_that_says_so() -> None:
    people = tk.example_census(rows=20, frame="pyarrow")
    found = tk.compare(
        people, EXAMPLE, ["local_suppression"], ks=[2, 50], columns=["sex"], reconstruct=False
    ).to_pylist()
    assert found[0]["risk"] is not None
    assert found[1]["risk"] is None
    assert "is not possible" in found[1]["note"]


@pytest.mark.parametrize(
    ("methods", "k", "message"),
    [
        (["nothing"], [2], "method must be one of"),
        (["generalization:nothing"], [2], "partition.kind must be one of"),
        (["local_suppression"], [], "at least one"),
        ([], [2], "at least one"),
        (["local_suppression"], [2.5], "'k' must be a whole number"),
        (["local_suppression", "local_suppression"], [2], "same name"),
        (["pram"], [2], "cannot be used"),
    ],
)
def test_bad_parameters_get_one_sentence(methods: Any, k: Any, message: str) -> None:
    with pytest.raises(tk.errors.InvalidParameter, match=message):
        tk.compare(tk.example_census(rows=50), EXAMPLE, methods, k)


def test_more_privacy_costs_more() -> None:
    people = tk.example_census(rows=1500, frame="pyarrow")
    found = tk.compare(people, EXAMPLE, ["generalization:mondrian"], ks=[2, 10, 100], reconstruct=False).to_pylist()
    for measure in ("loss", "pairs", "marginals", "told_apart"):
        assert np.all(np.diff([row[measure] for row in found]) > 0), measure
