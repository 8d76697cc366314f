"""Each piece of advice where it is called for, and not where it is not."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

import tokumei as tk
from tokumei.reports import advice
from tokumei.reports.evidence import Evidence, now
from tokumei.reports.findings import Findings, private_findings, public_findings

ROWS = 60


def found_for(
    columns: dict[str, list[Any]], attributes: list[tk.Attribute], method: Any, seed: int | None = None
) -> Findings:
    rows, schema = pa.table(columns), tk.Schema(attributes)
    release = tk.anonymize(rows, schema, method, seed=seed)
    return private_findings(release, {}, Evidence(now()), rows, schema, (), method, None, 1)


def people(**changes: list[Any]) -> dict[str, list[Any]]:
    plain: dict[str, list[Any]] = {
        "age": [20 + i % 3 for i in range(ROWS)],
        "sex": ["f" if i % 2 else "m" for i in range(ROWS)],
        "ill": [str(i // 6 % 2) for i in range(ROWS)],
    }
    return {**plain, **changes}


def schema(**changes: tk.Attribute) -> list[tk.Attribute]:
    plain = {
        "age": tk.Attribute("age", "quasi_identifier", tk.Numbers(0, 120, step=1)),
        "sex": tk.Attribute("sex", "quasi_identifier", tk.Categories(("f", "m", "x"))),
        "ill": tk.Attribute("ill", "sensitive", tk.Categories(("0", "1"))),
    }
    return list({**plain, **changes}.values())


def keys(found: Findings) -> list[tuple[str, ...]]:
    return [(each.key.removeprefix("advice_"), *each.columns) for each in advice.advice_for(found)]


def test_quiet_data_need_no_advice() -> None:
    assert keys(found_for(people(), schema(), tk.Generalization(k=2))) == []


def test_nearly_unique_columns_are_named() -> None:
    code = tk.Attribute("code", "insensitive")
    some = found_for(people(code=[f"c{i}" for i in range(ROWS)]), schema(code=code), tk.Generalization(k=2))
    assert ("nearly_unique", "code") in keys(some)
    (said,) = advice.nearly_unique(some, some.private)  # type: ignore[arg-type]
    assert said.values == {"share": "100%"}
    few = found_for(people(code=[f"c{i % 50}" for i in range(ROWS)]), schema(code=code), tk.Generalization(k=2))
    assert ("nearly_unique", "code") not in keys(few)


def test_outliers_are_counted() -> None:
    far = people(age=[20 + i % 3 for i in range(ROWS - 2)] + [99, 100])
    found = found_for(far, schema(), tk.PkPerturbation(k=3, tells="all"))
    (said,) = advice.outliers(found, found.private)  # type: ignore[arg-type]
    assert (said.columns, said.values) == (("age",), {"rows": "2"})


def test_values_of_few_people_are_counted() -> None:
    rare = people(sex=["x"] + ["f" if i % 2 else "m" for i in range(ROWS - 1)])
    found = found_for(rare, schema(), tk.PkPerturbation(k=3, tells="all"))
    (said,) = advice.small_groups(found, found.private)  # type: ignore[arg-type]
    assert (said.columns, said.values) == (("sex",), {"values": "1", "rows": "1", "k": "3"})


def test_bounds_from_the_data_are_told() -> None:
    seen = tk.Attribute("age", "quasi_identifier", tk.Numbers(20, 22, step=1), observed=True)
    assert ("bounds_from_data", "age") in keys(found_for(people(), schema(age=seen), tk.Generalization(k=2)))


def test_classes_filled_by_one_sensitive_value_are_counted() -> None:
    same = people(ill=["0" if i % 2 else "1" for i in range(ROWS)])
    found = found_for(same, schema(), tk.Generalization(k=2))
    (said,) = advice.filled_classes(found, found.private)  # type: ignore[arg-type]
    assert (said.columns, said.values) == (("ill",), {"rows": "60", "share": "100%"})


def test_columns_that_tell_rows_apart_are_told() -> None:
    note = tk.Attribute("note", "insensitive")
    found = found_for(people(note=[str(i % 40) for i in range(ROWS)]), schema(note=note), tk.Generalization(k=2))
    assert ("told_apart",) in keys(found)
    assert found.together is not None
    (said,) = advice.told_apart(found, found.private)  # type: ignore[arg-type]
    assert said.values["rows"] == str(found.together.unique)


def test_many_rows_gone_are_counted() -> None:
    alone = people(age=[*range(30, 40), *(20 + i % 2 for i in range(ROWS - 10))])
    found = found_for(alone, schema(), tk.RecordSuppression(k=3, suppression_limit=0.5))
    (said,) = advice.many_gone(found, found.private)  # type: ignore[arg-type]
    assert said.values == {"rows": "10", "share": "16.7%"}


def test_seeds_and_empty_promises_are_told() -> None:
    seeded = found_for(people(), schema(), tk.Generalization(k=2), seed=1)
    assert keys(seeded) == [("seeded",)]
    two = {"sex": people()["sex"], "ill": people()["ill"]}
    matrix = tk.PRAM({"sex": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]})
    with pytest.warns(tk.errors.NothingPromisedWarning):
        nothing = found_for(two, schema()[1:], matrix)
    assert keys(nothing) == [("nothing_promised",)]


def test_the_public_variant_has_no_advice() -> None:
    release = tk.anonymize(pa.table(people()), tk.Schema(schema()), tk.Generalization(k=2), seed=1)
    assert advice.advice_for(public_findings(release, {}, Evidence(now()))) == ()
