"""Generalization: what is released, and what it promises."""

from __future__ import annotations

import dataclasses
import json
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tokumei as tk
from tests.anonymizers.grouping import (
    AllBut,
    EachValue,
    Halving,
    InTurn,
    LastOfSecond,
    check_release,
    make,
    small_table,
)
from tests.conftest import columns_of, same_codes
from tests.partition.test_full_domain import random_schema, random_table
from tests.test_properties import tables
from tokumei.errors import InfeasiblePromise, InvalidParameter, ReleaseError
from tokumei.mechanism.record import NOT_AT_RANDOM
from tokumei.privacy.attackers import KnowsOnly
from tokumei.privacy.proofs import proof_text
from tokumei.release import manifest

Q = "quasi_identifier"
AGES = tk.Hierarchy.intervals([20, 30, 40, 50, 60], [20, 40, 60])


@pytest.fixture
def tree_schema(schema: tk.Schema) -> tk.Schema:
    return schema.replacing(tk.Attribute("age", Q, tk.Numbers(20, 60, step=1), AGES))


# What is released.


@pytest.mark.parametrize("partition", [tk.partitions.Optimal(), InTurn(), Halving()])
@pytest.mark.parametrize("seed", range(12))
def test_random_tables_keep_k_and_every_row(partition: Any, seed: int) -> None:
    rng = np.random.default_rng(seed)
    schema = random_schema(rng)
    coded = random_table(schema, int(rng.integers(8, 60)), rng)
    frame = pa.table({name: column.cells for name, column in coded.columns.items()})
    limit = float(rng.choice([0.0, 0.3, 1.0]))
    made = make(frame, schema, tk.Generalization(k=3, partition=partition, suppression_limit=limit))
    check_release(made, schema.names("quasi_identifier"), 3)
    assert np.count_nonzero(made.release.suppressed) + made.release.mechanism.left_out <= limit * coded.rows


@pytest.mark.filterwarnings("ignore::tokumei.errors.FormulaCellsWarning")
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(tables(), st.sampled_from([tk.partitions.Optimal(), InTurn(), Halving()]), st.integers(2, 5), st.booleans())
def test_any_domain_is_released_whole_or_refused_in_one_sentence(
    drawn: tuple[pa.Table, tk.Schema], partition: Any, k: int, suppress: bool
) -> None:
    table, schema = drawn
    try:
        made = make(table, schema, tk.Generalization(k=k, partition=partition, suppression_limit=float(suppress)))
    except (InfeasiblePromise, InvalidParameter) as error:
        assert "\n" not in str(error)
        assert table.num_rows < k or "stand for different groups" in str(error)
        return
    check_release(made, schema.names("quasi_identifier"), k)
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("parquet", "csv"):
            made.release.write(Path(folder) / kind, format=kind, allow_seeded=True)
            again = tk.read_release(Path(folder) / kind, frame="pyarrow")
            assert same_codes(again.coded, made.release.coded)
            assert again.mechanism == made.release.mechanism


def test_optimal_releases_the_hierarchys_own_labels(people: dict[str, list[Any]], tree_schema: tk.Schema) -> None:
    release = tk.anonymize(pd.DataFrame(people), tree_schema, tk.Generalization(k=5, partition=tk.partitions.Optimal()))
    level = next(fact.value for fact in release.disclosed if fact.name == "levels")["age"]
    labels = AGES.coarsen(tree_schema["age"].domain, level)[0].labels()
    assert set(release.frame["age"]) <= set(labels)
    assert release.schema["age"].domain.labels() == labels
    assert "name" not in release.frame.columns
    assert isinstance(release.frame, pd.DataFrame)


def test_labels_survive_a_hierarchy_file(people: dict[str, list[Any]], schema: tk.Schema, tmp_path: Path) -> None:
    (tmp_path / "sex.csv").write_text("Female;anybody\nMale;anybody\n", encoding="utf-8")
    tree = tk.Hierarchy.read_csv(tmp_path / "sex.csv")
    described = schema.replacing(tk.Attribute("sex", Q, tk.Categories(["Female", "Male"]), tree))
    release = tk.anonymize(pa.table(people), described, tk.Generalization(k=60, partition=tk.partitions.Optimal()))
    assert set(release.frame["sex"].to_pylist()) == {"anybody"}
    assert set(release.frame["age"].to_pylist()) == {"*"}  # numbers without a hierarchy have only themselves and all


def test_groups_release_intervals_labels_and_values(people: dict[str, list[Any]], schema: tk.Schema) -> None:
    release = tk.anonymize(pa.table(people), schema, tk.Generalization(k=4, partition=InTurn()))
    assert release.schema["age"].domain.values[0].startswith("[20, ")
    assert set(release.frame["sex"].to_pylist()) <= {"Female", "Male", "*"}


def test_every_kind_of_frame_comes_back(
    kind: str, make: Any, people: dict[str, list[Any]], tree_schema: tk.Schema
) -> None:
    release = tk.anonymize(
        make(people), tree_schema, tk.Generalization(k=5, suppression_limit=0.2, partition=tk.partitions.Optimal())
    )
    assert type(release.frame) is type(make(people))
    assert len(columns_of(release.frame)["ill"]) == release.rows
    assert sorted(columns_of(release.frame)["ill"]) == sorted(people["ill"]) or release.mechanism.left_out


# Suppressed rows.


def test_too_few_suppressed_rows_are_left_out_because_stars_would_single_them_out() -> None:
    table, schema = small_table()
    made = make(table, schema, tk.Generalization(k=5, suppression_limit=0.2, partition=tk.partitions.Optimal()))
    check_release(made, ("a",), 5)
    assert made.release.rows == 16
    assert made.release.mechanism.left_out == 2
    assert "*" not in made.release.schema["a"].domain.values
    assert {fact.name: fact.value for fact in made.release.disclosed}["left_out"] == 2
    assert "not missing at random" in str(made.release.guarantees[0])
    assert made.release.mechanism.describe()["left_out"]["how"] == "rare"


def test_enough_suppressed_rows_are_starred_and_keep_their_other_cells() -> None:
    _, schema = small_table()
    table = pa.table({"a": ["x"] * 8 + ["y"] * 8 + ["z"] * 4, "s": ["p", "q"] * 10})
    made = make(table, schema, tk.Generalization(k=4, partition=EachValue(), suppression_limit=0.3))
    check_release(made, ("a",), 4)
    assert made.release.rows == 20
    assert Counter(made.release.table["a"].to_pylist()) == {"x": 8, "y": 8, "*": 4}
    assert {fact.name: fact.value for fact in made.release.disclosed}["suppressed"] == 4
    assert "4 rows are suppressed" in str(made.release.guarantees[0])


def test_a_root_keeps_its_label_beside_stars() -> None:
    tree = tk.Hierarchy.groups({"all": ["x", "y", "z"]})
    schema = tk.Schema(
        [tk.Attribute("a", Q, tk.Categories(["x", "y", "z"]), tree), tk.Attribute("b", Q, tk.Categories(["p", "q"]))]
    )
    table = pa.table({"a": ["x", "y", "z"] * 8, "b": ["p"] * 20 + ["q"] * 4})
    made = make(table, schema, tk.Generalization(k=4, partition=LastOfSecond(), suppression_limit=0.5))
    check_release(made, ("a", "b"), 4)
    assert Counter(made.release.table["a"].to_pylist()) == {"all": 20, "*": 4}
    assert made.release.suppressed.sum() == 4


@pytest.mark.usefixtures("in_order")
def test_starred_rows_must_hold_the_constraints_too() -> None:
    table, schema = small_table()
    alike = pa.table({"a": table["a"], "s": ["p"] * 6 + ["p", "q"] * 6})
    method = tk.Generalization(
        k=2, partition=AllBut(4), suppression_limit=0.3, constraints=[tk.constraints.LDiversity("s", 2)]
    )
    assert make(alike, schema, method).release.mechanism.left_out == 4
    assert make(table, schema, method).release.mechanism.left_out == 0


def test_more_suppressed_rows_than_allowed_are_refused() -> None:
    table, schema = small_table()
    with pytest.raises(InfeasiblePromise, match="4 rows would be suppressed, and suppression_limit allows 3"):
        make(table, schema, tk.Generalization(k=2, partition=AllBut(4), suppression_limit=0.2))
    with pytest.raises(InfeasiblePromise, match="Every row would be left out"):
        one = pa.table({"a": ["x"] * 18, "s": ["p"] * 18})
        constraints = [tk.constraints.LDiversity("s", 2)]
        make(
            one,
            schema,
            tk.Generalization(k=2, suppression_limit=1.0, constraints=constraints, partition=tk.partitions.Optimal()),
        )


def test_groups_that_miss_a_constraint_are_suppressed_for_partitions_that_do_not_look_at_it() -> None:
    _, schema = small_table()
    table = pa.table({"a": ["x"] * 8 + ["y"] * 8 + ["z"] * 4, "s": ["p", "q"] * 4 + ["p"] * 8 + ["p", "q"] * 2})
    method = tk.Generalization(
        k=4, partition=EachValue(), suppression_limit=0.7, constraints=[tk.constraints.LDiversity("s", 2)]
    )
    made = make(table, schema, method)
    check_release(made, ("a",), 4)
    assert Counter(made.release.table["a"].to_pylist()) == {"x": 8, "*": 12}
    with pytest.raises(InfeasiblePromise, match="12 rows would be suppressed"):
        make(table, schema, dataclasses.replace(method, suppression_limit=0.5))


def test_a_partition_that_breaks_its_word_is_caught() -> None:
    table, schema = small_table()
    with pytest.raises(
        InfeasiblePromise, match="k = 5 does not hold: the smallest equivalence class would have 2 rows"
    ):

        class Wrong(InTurn):
            def group(self, problem: Any) -> Any:
                return np.unique(problem.rows[:, 0], return_inverse=True)[1].astype(np.int32)

        make(table, schema, tk.Generalization(k=5, partition=Wrong()))


# What is promised.


def test_constraints_are_recounted_on_the_released_rows() -> None:
    rng = np.random.default_rng(3)
    _, schema = small_table()
    frame = pa.table(
        {"a": rng.choice(["x", "y", "z"], 200).tolist(), "s": rng.choice(["p", "q"], 200, p=[0.8, 0.2]).tolist()}
    )
    constraints = [
        tk.constraints.LDiversity("s", 1.2, kind="entropy"),
        tk.constraints.TCloseness("s", 0.1),
        tk.constraints.BetaLikeness("s", 1),
    ]
    release = make(
        frame, schema, tk.Generalization(k=3, constraints=constraints, partition=tk.partitions.Optimal())
    ).release
    classes: dict[Any, Counter[str]] = defaultdict(Counter)
    for a, s in zip(release.table["a"].to_pylist(), release.table["s"].to_pylist(), strict=True):
        classes[a][s] += 1
    overall = Counter(release.table["s"].to_pylist())
    entropies, distances, gains = [], [], []
    for counts in classes.values():
        n = sum(counts.values())
        entropies.append(np.exp(-sum(c / n * np.log(c / n) for c in counts.values())))
        distances.append(sum(abs(counts[v] / n - overall[v] / 200) for v in overall) / 2)
        gains.append(max(counts[v] / n / (overall[v] / 200) - 1 for v in overall))
    assert [g.notion for g in release.guarantees] == ["k-anonymity", "l-diversity", "t-closeness", "beta-likeness"]
    stated = [g.value for g in release.guarantees[1:]]
    assert stated == pytest.approx([min(entropies), max(distances), max(gains)])


def test_what_depends_on_the_rows_is_disclosed_and_the_rest_is_declared(
    tree_schema: tk.Schema, people: dict[str, list[Any]]
) -> None:
    other = {**people, "age": [20 + (11 * i) % 41 for i in range(60)], "sex": ["Male"] * 60}
    declared = set()
    for frame in (people, other):
        release = tk.anonymize(
            pa.table(frame),
            tree_schema,
            tk.Generalization(k=5, suppression_limit=0.1, partition=tk.partitions.Optimal()),
        )
        first, second = manifest.declared_and_disclosed(release)
        declared.add(json.dumps(first))
        assert {"levels", "domains", "mechanism", "guarantees"} <= set(second)
    assert len(declared) == 1


def test_a_release_is_read_back_and_its_k_is_counted_again(
    tree_schema: tk.Schema, people: dict[str, list[Any]], tmp_path: Path
) -> None:
    for place, partition in enumerate((tk.partitions.Optimal(), InTurn(), Halving())):
        method = tk.Generalization(k=4, partition=partition, constraints=[tk.constraints.LDiversity("ill", 1)])
        release = tk.anonymize(pa.table(people), tree_schema, method)
        for kind in ("parquet", "csv"):
            release.write(tmp_path / f"{place}{kind}", format=kind)
            again = tk.read_release(tmp_path / f"{place}{kind}", frame="pyarrow")
            assert again.guarantees == release.guarantees
            assert again.mechanism == release.mechanism
            assert again.schema == release.schema
            assert same_codes(again.coded, release.coded)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d["guarantees"]["value"][0].update(value=50.0), "its own rows do not satisfy"),
        (lambda d: d["guarantees"]["value"][1].update(value=2.5), "its own rows do not satisfy"),
        (lambda d: d["guarantees"]["value"].pop(), "guarantees something else"),
        (
            lambda d: d["guarantees"]["value"][0].update(attacker={"key": "attacker.anyone"}),
            "guarantees something else",
        ),
        (lambda d: d["guarantees"].update(value=[]), "does not state how small"),
        (lambda d: d["mechanism"]["value"]["recoding"].update(scheme="secret"), "does not know"),
        (lambda d: d["mechanism"]["value"]["recoding"]["columns"].pop("sex"), "how every column"),
        (lambda d: d["mechanism"]["value"]["recoding"]["columns"]["sex"]["stretches"].append([0, 1]), "does not fit"),
        (
            lambda d: d["mechanism"]["value"]["recoding"]["columns"]["sex"]["stretches"].append([0, 9]),
            "values that it does not",
        ),
        (lambda d: d["mechanism"]["value"]["recoding"]["columns"]["sex"].update(missing=True), "does not fit"),
        (
            lambda d: d["mechanism"]["value"]["recoding"]["columns"]["age"]["stretches"].__setitem__(0, [0, 3]),
            "does not fit",
        ),
        (lambda d: d["mechanism"]["value"].update(left_out={"rows": 3, "how": "at random"}), "left out rows in a way"),
    ],
)
def test_a_forged_manifest_is_refused(
    change: Any, message: str, tree_schema: tk.Schema, people: dict[str, list[Any]], tmp_path: Path
) -> None:
    method = tk.Generalization(
        k=4, constraints=[tk.constraints.LDiversity("ill", 1)], partition=tk.partitions.Optimal()
    )
    tk.anonymize(pa.table(people), tree_schema, method).write(tmp_path / "out")
    content = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
    change(content["disclosed"])
    del content["sha256"]
    content["sha256"] = manifest._digest(content)
    (tmp_path / "out" / "manifest.json").write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(ReleaseError, match=message):
        tk.read_release(tmp_path / "out")


def test_promises_name_pages_that_exist_and_rows_are_shuffled(people: dict[str, list[Any]], schema: tk.Schema) -> None:
    constraints = [tk.constraints.LDiversity("ill", 1), tk.constraints.TCloseness("ill", 1)]
    for method in (
        tk.Generalization(k=2, constraints=constraints, partition=tk.partitions.Optimal()),
        tk.RecordSuppression(k=2, constraints=constraints),
        tk.LocalSuppression(k=2),
    ):
        made = make({**people, "age": [30] * 30 + [40] * 30}, schema, method)
        for guarantee in made.release.guarantees:
            assert proof_text(guarantee.proof)
        assert made.order.tolist() != sorted(made.order.tolist())
        assert "name" not in made.release.schema.names()


# What cannot be done.


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": 1}, "k must be a whole number of at least 2"),
        ({"k": 2.5}, "'k' must be a whole number"),
        ({"k": 3, "suppression_limit": 1.5}, "between 0 and 1"),
        ({"k": 3, "partition": "fast"}, "partition"),
        ({"k": 3, "partition": {"kind": "nothing"}}, "partition"),
        ({"k": 3, "constraints": [{"constraint": "l_diversity", "column": "ill"}]}, "constraints.0.l"),
        ({"k": 3, "constraints": [{"constraint": "fairness"}]}, "must be one of"),
    ],
)
def test_bad_parameters(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        tk.Generalization(**options)


def test_bad_tables(people: dict[str, list[Any]], schema: tk.Schema) -> None:
    with pytest.raises(InfeasiblePromise, match="k = 61 is not possible with 60 rows"):
        tk.anonymize(pa.table(people), schema, tk.Generalization(k=61, partition=tk.partitions.Optimal()))
    harmless = tk.Schema([tk.Attribute("ill", "sensitive", tk.Categories([False, True]))])
    with pytest.raises(InvalidParameter, match="no quasi-identifier"):
        tk.anonymize(
            pa.table({"ill": people["ill"]}), harmless, tk.Generalization(k=2, partition=tk.partitions.Optimal())
        )
    for column, message in (("sex", "it is a quasi-identifier"), ("height", "not a column of the table")):
        with pytest.raises(InvalidParameter, match=message):
            tk.anonymize(
                pa.table(people),
                schema,
                tk.Generalization(
                    k=2, constraints=[tk.constraints.LDiversity(column, 2)], partition=tk.partitions.Optimal()
                ),
            )
    with pytest.raises(InfeasiblePromise, match="not even the coarsest"):
        tk.anonymize(
            pa.table(people),
            schema,
            tk.Generalization(
                k=2, constraints=[tk.constraints.LDiversity("ill", 3)], partition=tk.partitions.Optimal()
            ),
        )


@pytest.mark.usefixtures("in_order")
def test_one_label_for_two_groups_is_refused() -> None:
    tree = tk.Hierarchy.groups({"a": ["b", "c"], "d": ["a"]})
    schema = tk.Schema([tk.Attribute("x", Q, tk.Categories(["b", "c", "a"]), tree)])
    table = pa.table({"x": ["b"] * 2 + ["c"] * 1 + ["a"] * 3})
    with pytest.raises(InvalidParameter, match="'a' of 'x' would stand for different groups"):
        make(table, schema, tk.Generalization(k=3, partition=InTurn()))
    starry = tk.Schema([tk.Attribute("x", Q, tk.Categories(["*", "y"]))])
    with pytest.raises(InvalidParameter, match="a suppressed cell is written as a star"):
        table = pa.table({"x": ["y"] * 6 + ["*"] * 4})
        make(table, starry, tk.Generalization(k=3, partition=AllBut(6), suppression_limit=1.0))


@pytest.mark.usefixtures("in_order")
def test_rows_left_out_leave_no_trace_but_their_number() -> None:
    schema = tk.Schema(
        [
            tk.Attribute("age", Q, tk.Numbers(0, 99, step=1)),
            tk.Attribute("s", "sensitive", tk.Categories(["p", "q"])),
            tk.Attribute("note", "insensitive"),
        ]
    )
    for method in (
        tk.Generalization(k=4, partition=AllBut(2), suppression_limit=0.5),
        tk.Generalization(k=4, suppression_limit=0.5, partition=tk.partitions.Optimal()),
        tk.RecordSuppression(k=4),
    ):
        shown = set()
        for rare, secret in ((["77", "78"], ["p", "q"]), (["98", "3"], ["q", "q"])):
            ages = [*map(int, rare), *[40] * 5, *[41] * 5]
            table = pa.table({"age": ages, "s": [*secret, *["p", "q"] * 5], "note": [*rare, *["x"] * 10]})
            release = tk.anonymize(table, schema, method, seed=1)
            assert release.mechanism.left_out == 2
            rows = sorted(map(str, release.table.to_pylist()))
            shown.add(str((rows, release.schema, manifest.declared_and_disclosed(release))))
        assert len(shown) == 1


def test_without_a_partition_one_is_picked_by_public_numbers_and_the_release_says_which(people, schema) -> None:
    release = tk.anonymize(pa.table(people), schema, tk.Generalization(k=3), seed=1)
    assert release.guarantees[0].value >= 3
    assert release.record is not None and str(release.record.notes[0]).startswith(
        "Partition: Local recoding on the lattice"
    )
    fact = next(fact for fact in release.disclosed if fact.name == "partition")
    assert fact.value["kind"] == "lattice"
    for name in ("lattice", "mondrian", "nearest_groups", "top_down", "automatic", "optimal"):
        assert tk.Generalization(k=3, partition=name).describe()["partition"]["kind"] == name


def forge(folder: Path, change: Any) -> None:
    content = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    change(content)
    del content["sha256"]
    content["sha256"] = manifest._digest(content)
    (folder / "manifest.json").write_text(json.dumps(content), encoding="utf-8")


def recoded(content: Any, name: str) -> Any:
    return content["disclosed"]["mechanism"]["value"]["recoding"]["columns"][name]


def without_quasi_identifiers(content: Any) -> None:
    """Call every row alike, by knowing nothing."""
    recoding = content["disclosed"]["mechanism"]["value"].pop("recoding")
    content["disclosed"]["mechanism"]["value"]["kept"] += list(recoding["columns"])
    for column in content["declared"]["columns"]:
        column["role"] = "insensitive"
    k, l_diversity = content["disclosed"]["guarantees"]["value"]
    for each in (k, l_diversity):
        each.update(attacker=KnowsOnly(columns=()).describe())


def same_stretch(content: Any) -> None:
    """Say of two labels of age that they stand for the same values."""
    column = recoded(content, "age")
    labels = content["disclosed"]["domains"]["value"]["age"]["domain"]["values"]
    column["original"]["hierarchy"] = {
        "kind": "tree",
        "rows": [[str(age), *labels] for age in range(20, 61)],
    }
    column["stretches"] = [[0, 40]] * len(labels)


FORGED = [
    (without_quasi_identifiers, "has no quasi-identifier"),
    (lambda m: m["declared"]["columns"][0].update(role="insensitive"), "does not call a quasi-identifier"),
    (lambda m: m["declared"]["columns"][0].update(role="identifier"), "calls an identifier"),
    (same_stretch, "two labels of 'age' for the same values"),
    (lambda m: m["disclosed"]["guarantees"]["value"][0].update(value=0.5), "a smaller k"),
    (lambda m: m["declared"]["method"].update(k=40), "a smaller k than its method asks for"),
    (lambda m: m["declared"]["method"]["constraints"][0].update(l=3), "its own rows do not satisfy"),
    (lambda m: m["declared"]["method"].update(k="4"), "contradicts itself"),
    (lambda m: m["declared"].update(guarantees=m["disclosed"]["guarantees"]["value"]), "its guarantees once"),
    (lambda m: m["declared"].update(mechanism=m["disclosed"]["mechanism"]["value"]), "its mechanism once"),
    (
        lambda m: m["disclosed"]["mechanism"]["value"].update(left_out={"rows": 3, "how": NOT_AT_RANDOM}),
        "another number of rows than it discloses",
    ),
    (
        lambda m: m["disclosed"].update(left_out={"value": 3, "reason": {"key": "reason.derived"}}),
        "another number of rows",
    ),
    (
        lambda m: m["declared"]["columns"][2].update(domain={"kind": "numbers", "low": 0, "high": 1}),
        "contradicts itself",
    ),
    (lambda m: recoded(m, "age")["original"].update(domain=None), "cannot be understood"),
]


@pytest.mark.parametrize(("change", "message"), FORGED)
def test_a_manifest_whose_parts_do_not_fit_is_refused(
    change: Any, message: str, schema: tk.Schema, people: dict[str, list[Any]], tmp_path: Path
) -> None:
    method = tk.Generalization(k=4, constraints=[tk.constraints.LDiversity("ill", 1)], partition=Halving())
    tk.anonymize(pa.table(people), schema, method).write(tmp_path / "out")
    tk.read_release(tmp_path / "out")
    forge(tmp_path / "out", change)
    with pytest.raises(ReleaseError, match=message):
        tk.read_release(tmp_path / "out")


def test_labels_that_overlap_are_not_global(schema: tk.Schema, people: dict[str, list[Any]], tmp_path: Path) -> None:
    tk.anonymize(pa.table(people), schema, tk.Generalization(k=4, partition=InTurn())).write(tmp_path / "out")
    forge(tmp_path / "out", lambda m: m["disclosed"]["mechanism"]["value"]["recoding"].update(scheme="global"))
    with pytest.raises(ReleaseError, match="its labels overlap"):
        tk.read_release(tmp_path / "out")


def test_constraints_on_cells_finer_than_their_codes_are_refused_in_a_release_too(tmp_path: Path) -> None:
    table = pa.table({"c": ["a", "b"] * 20, "pay": [float(at % 4) for at in range(40)]})
    schema = tk.Schema(
        [
            tk.Attribute("c", "quasi_identifier", tk.Categories(["a", "b"])),
            tk.Attribute("pay", "sensitive", tk.Numbers(0, 4, step=1)),
        ]
    )
    method = tk.Generalization(k=5, constraints=[tk.constraints.TCloseness("pay", 1)])
    tk.anonymize(table, schema, method).write(tmp_path / "out")
    forge(tmp_path / "out", lambda m: m["declared"]["columns"][1]["domain"].update(step=4))
    with pytest.raises(ReleaseError, match="contradicts itself"):
        tk.read_release(tmp_path / "out")


@pytest.mark.filterwarnings("ignore::tokumei.errors.ObservedDomainWarning")
def test_observed_domains_of_recoded_columns_are_called_so(people: dict[str, list[Any]], schema: tk.Schema) -> None:
    seen = tk.Schema.observe(pa.table(people), roles={"name": "identifier", "ill": "insensitive"})
    declared = tk.anonymize(pa.table(people), schema, tk.Generalization(k=4))
    observed = tk.anonymize(pa.table(people), seen.replacing(schema["ill"]), tk.Generalization(k=4))
    reasons = [manifest.declared_and_disclosed(each)[1]["domains"]["reason"] for each in (declared, observed)]
    assert [each["how"] for each in reasons] == ["recoding", "both"]
