"""Leaving rows out until the others are alike."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import tokumei as tk
from tests.anonymizers.grouping import check_release, make
from tests.partition.test_full_domain import random_schema, random_table
from tokumei.errors import InfeasiblePromise, InvalidParameter, NotAtRandomWarning


@pytest.mark.parametrize("seed", range(20))
def test_exactly_the_small_classes_go(seed: int) -> None:
    rng = np.random.default_rng(seed)
    schema = random_schema(rng)
    coded = random_table(schema, 60, rng)
    frame = pa.table({name: column.cells for name, column in coded.columns.items()})
    columns = schema.names("quasi_identifier")
    rows = list(zip(*(frame[name].to_pylist() for name in columns), strict=True))
    sizes = Counter(rows)
    staying = sum(n for n in sizes.values() if n >= 4)
    if not staying:
        with pytest.raises(InfeasiblePromise, match="60 of 60 rows would be left out"):
            make(frame, schema, tk.RecordSuppression(k=4))
        return
    made = make(frame, schema, tk.RecordSuppression(k=4))
    check_release(made, columns, 4)
    assert made.release.rows == staying
    assert sorted(made.order.tolist()) == [at for at, row in enumerate(rows) if sizes[row] >= 4]


def test_recode_first_then_delete(people: dict[str, list[Any]], schema: tk.Schema, tmp_path: Path) -> None:
    table = pa.table(people)
    with pytest.raises(InfeasiblePromise, match="recode the columns first"):
        tk.anonymize(table, schema, tk.RecordSuppression(k=3))
    step = tk.prepare.Recode("age", 1, hierarchy=tk.Hierarchy.intervals([20, 30, 60]))
    release = tk.anonymize(table, schema, tk.RecordSuppression(k=6), prepare=[step])
    assert release.guarantees[0].value >= 6
    release.write(tmp_path / "out")
    again = tk.read_release(tmp_path / "out", frame="pyarrow")
    assert again.mechanism.left_out == release.mechanism.left_out == 60 - release.rows
    assert again.guarantees == release.guarantees


def test_deleting_is_not_at_random_and_is_said(people: dict[str, list[Any]], schema: tk.Schema) -> None:
    table = {**people, "age": [25] * 50 + list(range(30, 40))}
    release = tk.anonymize(pa.table(table), schema, tk.RecordSuppression(k=10))
    assert release.mechanism.left_out == 10
    assert "10 rows were left out because too few rows were like them" in str(release.guarantees[0])
    assert release.mechanism.describe()["left_out"]["how"] == "rare"
    with pytest.warns(NotAtRandomWarning, match="10 rows were suppressed"):
        found = tk.IterativeBayes(["sex"]).fit(release)
    assert found.counts_.sum() == pytest.approx(50)


def test_classes_that_miss_a_constraint_go_too(schema: tk.Schema, people: dict[str, list[Any]]) -> None:
    table = {**people, "age": [25] * 30 + [35] * 30, "ill": [False] * 30 + [False, True] * 15, "sex": ["Male"] * 60}
    method = tk.RecordSuppression(k=2, constraints=[tk.constraints.LDiversity("ill", 2)])
    release = tk.anonymize(pa.table(table), schema, method)
    assert release.rows == 30
    assert [g.value for g in release.guarantees] == [30, 2]
    # without the class that went, the others are as close to the rest as can be
    closer = tk.RecordSuppression(
        k=2, constraints=[tk.constraints.TCloseness("ill", 0.3), tk.constraints.LDiversity("ill", 2)]
    )
    assert [g.value for g in tk.anonymize(pa.table(table), schema, closer).guarantees] == [30, 0, 2]


def test_a_limit_refuses(schema: tk.Schema, people: dict[str, list[Any]]) -> None:
    table = {**people, "age": [25] * 50 + list(range(30, 40))}
    with pytest.raises(InfeasiblePromise, match="10 of 60 rows would be left out"):
        tk.anonymize(pa.table(table), schema, tk.RecordSuppression(k=10, suppression_limit=0.1))
    for options in ({"k": 1}, {"k": 2, "suppression_limit": -0.1}):
        with pytest.raises(InvalidParameter):
            tk.RecordSuppression(**options)
