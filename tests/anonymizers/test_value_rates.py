"""Rates that a release publishes: what they count, pool, promise, and how they are read back."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tokumei as tk
from tests.release.forging import rewrite
from tokumei.errors import DataError, InvalidParameter, ReleaseError
from tokumei.privacy.assumptions import TrueRates
from tokumei.privacy.noisy_counts import decay_of
from tokumei.release.rates import ColumnRates, pooled

SCHEMA = tk.Schema(
    [
        tk.Attribute("age", domain=tk.Numbers(20, 29, step=1), missing=True),
        tk.Attribute("sex", domain=tk.Categories(["Female", "Male", "Other"])),
        tk.Attribute("ill", "sensitive", tk.Categories([False, True])),
    ]
)
PEOPLE = pd.DataFrame(
    {
        "age": [20] * 12 + [21] * 7 + [22] * 3 + [25] * 2 + [None] * 6,
        "sex": ["Female", "Male"] * 15,
        "ill": [at % 4 == 0 for at in range(30)],
    }
)
METHODS: list[Callable[..., Any]] = [
    lambda **more: tk.Generalization(k=5, **more),
    lambda **more: tk.LocalSuppression(k=5, **more),
    lambda **more: tk.RecordSuppression(k=2, **more),
]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("epsilon", [None, 1.0])
def test_every_method_publishes_and_every_reader_checks(method: Any, epsilon: Any, tmp_path: Path) -> None:
    release = tk.anonymize(PEOPLE, SCHEMA, method(publish=[tk.rates.ValueRates(epsilon=epsilon)]))
    release.write(tmp_path / "out")
    again = tk.read_release(tmp_path / "out")
    assert again.rates == release.rates
    assert again.guarantees == release.guarantees
    assert again.rates is not None
    assert again.rates.names == ("age", "sex")
    encoder = tk.encoders.RateEncoder(again, "release").fit(again.frame[["age", "sex"]])
    assert encoder.sources_ == {"age": "release", "sex": "release"}


def test_true_rates_are_those_of_the_rows_and_rare_values_are_pooled() -> None:
    release = tk.anonymize(PEOPLE, SCHEMA, tk.Generalization(k=5, publish=[tk.rates.ValueRates()]))
    assert release.rates is not None
    age = release.rates["age"]
    assert age.values == {"20": 12 / 30, "21": 7 / 30}
    assert (age.others, age.missing) == (5 / 30, 6 / 30)
    assert isinstance(release.guarantees[0].assumes[-1], TrueRates)
    by_code = age.by_code(SCHEMA["age"])
    np.testing.assert_allclose(by_code, [0.4, 7 / 30, *[5 / 30 / 8] * 8, 0.2])
    without = tk.anonymize(PEOPLE, SCHEMA, tk.Generalization(k=5))
    assert without.rates is None
    assert not any(isinstance(each, TrueRates) for each in without.guarantees[0].assumes)


def test_rows_that_are_left_out_are_not_counted() -> None:
    release = tk.anonymize(PEOPLE, SCHEMA, tk.RecordSuppression(k=3, publish=[tk.rates.ValueRates(["age"])]))
    assert release.mechanism.left_out > 0
    assert release.rates is not None
    counted = {label: rate * release.rows for label, rate in release.rates["age"].values.items()}
    released = release.frame["age"].value_counts()
    assert counted == pytest.approx({str(int(age)): count for age, count in released.items() if count >= 3})


@pytest.mark.parametrize(
    ("counts", "shown", "others"),
    [
        ([10, 7, 0], {"a": 10, "b": 7}, 0),
        ([10, 7, 3], {"a": 10}, 10),
        ([10, 3, 3], {"a": 10}, 6),
        ([5, 5, 1], {"b": 5}, 6),
        ([1, 1, 1], {}, 3),
        ([0, 0, 0], {}, 1),
    ],
)
def test_pools_hold_k_rows_or_none(counts: list[int], shown: dict[str, int], others: int) -> None:
    column = tk.Attribute("x", domain=tk.Categories(["a", "b", "c"]))
    found = pooled(np.array(counts), 5, column)
    whole = max(sum(counts), 1)
    assert found.values == {label: count / whole for label, count in shown.items()}
    assert found.others == others / whole


def test_noisy_rates_have_an_epsilon_for_each_column_and_together() -> None:
    asked = [tk.rates.ValueRates(["age"], epsilon=0.5), tk.rates.ValueRates(["sex"], epsilon=1.5)]
    release = tk.anonymize(PEOPLE, SCHEMA, tk.Generalization(k=5, publish=asked))
    promise = release.guarantees[-1]
    assert promise.notion == "differential privacy"
    assert promise.numbers == pytest.approx({"age": 0.5, "sex": 1.5})
    assert promise.value == pytest.approx(2.0)
    assert "ε = 2" in promise.headline
    assert not any(isinstance(each, TrueRates) for each in release.guarantees[0].assumes)
    mixed = tk.anonymize(PEOPLE, SCHEMA, tk.Generalization(k=5, publish=[asked[0], tk.rates.ValueRates(["sex"])]))
    assert mixed.guarantees[-1].numbers == pytest.approx({"age": 0.5})
    assert mixed.guarantees[0].assumes[-1] == TrueRates(columns=("sex",))


def test_noisy_rates_count_all_rows_with_noise_of_their_scale() -> None:
    """Unpooled noisy counts differ from the true ones by noise whose mean size follows from epsilon."""
    wide = tk.Schema([tk.Attribute("x", domain=tk.Numbers(0, 3999, step=1)), SCHEMA["ill"]])
    frame = pd.DataFrame({"x": np.repeat(np.arange(4000), 60), "ill": [False, True] * 120_000})
    rates = tk.rates.measure_rates(frame, wide, k=2, publish=[tk.rates.ValueRates(epsilon=0.5)])
    noisy = rates["x"].by_code(wide["x"]) * 240_000
    q = math.exp(-0.25)
    expected = 2 * q / (1 - q**2)  # E|z|, about 3.96
    assert np.abs(noisy - 60).mean() == pytest.approx(expected, rel=0.15)  # more than nine standard errors
    exact = tk.rates.measure_rates(frame, wide, k=2)
    np.testing.assert_allclose(exact["x"].by_code(wide["x"]), 1 / 4000)


def test_noise_differs_from_column_to_column_and_run_to_run() -> None:
    first, second = (
        tk.rates.measure_rates(PEOPLE, SCHEMA, 2, [tk.rates.ValueRates(["age"], epsilon=0.1)]) for _ in range(2)
    )
    assert first != second


def test_rates_of_their_own(tmp_path: Path) -> None:
    rates = tk.rates.measure_rates(PEOPLE, SCHEMA, k=5, publish=[tk.rates.ValueRates(["sex"], epsilon=2)])
    rates.write(tmp_path / "rates.json")
    assert tk.rates.Rates.read(tmp_path / "rates.json") == rates
    assert rates.guarantees[0].value == pytest.approx(2.0)
    frame = tk.anonymize(PEOPLE, SCHEMA, tk.Generalization(k=5)).frame
    assert tk.encoders.RateEncoder(SCHEMA, rates).fit(frame[["sex"]]).sources_ == {"sex": "given"}
    for text in ("{", "[1]"):
        (tmp_path / "rates.json").write_text(text, encoding="utf-8")
        with pytest.raises(DataError, match="holds no rates: it is not a JSON object"):
            tk.rates.Rates.read(tmp_path / "rates.json")
    (tmp_path / "rates.json").write_text('{"sex": {"values": {"Male": 2.0}}}', encoding="utf-8")
    with pytest.raises(DataError, match="holds no rates. .*add up to one"):
        tk.rates.Rates.read(tmp_path / "rates.json")


def test_plans_publish_too(tmp_path: Path) -> None:
    PEOPLE.to_csv(tmp_path / "people.csv", index=False)
    (tmp_path / "plan.toml").write_text(
        """
        [source]
        path = "people.csv"
        [schema.age]
        domain = { kind = "numbers", low = 20, high = 29, step = 1 }
        missing = true
        [schema.sex]
        domain = { kind = "categories", values = ["Female", "Male", "Other"] }
        [schema.ill]
        role = "sensitive"
        domain = { kind = "categories", values = [false, true] }
        [method]
        method = "generalization"
        k = 5
        publish = [{ columns = ["age"] }, { columns = ["sex"], epsilon = 1 }]
        """,
        encoding="utf-8",
    )
    release = tk.run(tmp_path / "plan.toml")
    assert release.rates is not None
    assert release.rates.exact == ("age",)
    assert release.rates.epsilons == pytest.approx({"sex": 1.0})


def test_what_cannot_be_published() -> None:
    def ask(*publish: tk.rates.ValueRates, schema: tk.Schema = SCHEMA) -> None:
        tk.anonymize(PEOPLE, schema, tk.Generalization(k=5, publish=publish))

    with pytest.raises(InvalidParameter, match="'ill', which is not a quasi-identifier"):
        ask(tk.rates.ValueRates(["ill"]))
    with pytest.raises(InvalidParameter, match="'age' twice"):
        ask(tk.rates.ValueRates(), tk.rates.ValueRates(["age"], epsilon=1))
    with pytest.raises(InvalidParameter, match="epsilon must be between"):
        tk.rates.ValueRates(epsilon=0)
    with pytest.raises(InvalidParameter, match="at least one column"):
        tk.rates.ValueRates([])
    with pytest.warns(tk.errors.ObservedDomainWarning):
        observed = tk.Schema.observe(PEOPLE, roles={"ill": "sensitive"})
    with pytest.raises(InvalidParameter, match="which no epsilon covers"):
        ask(tk.rates.ValueRates(["sex"], epsilon=1), schema=observed)
    with pytest.raises(InvalidParameter, match="publish must be"):
        tk.rates.measure_rates(PEOPLE, SCHEMA, 5, publish=[])
    with pytest.raises(InvalidParameter, match="k must be a whole number"):
        tk.rates.measure_rates(PEOPLE, SCHEMA, 2.5)  # type: ignore[arg-type]
    with pytest.raises(InvalidParameter, match="schema must be"):
        tk.rates.measure_rates(PEOPLE, {}, 5)


def test_wildcards_and_true_rates_do_not_go_together(tmp_path: Path) -> None:
    """One cell is suppressed in all: true rates less the cells that are shown would be its value, and its row alone."""
    frame = pd.DataFrame({"a": list("AAAABBBBB"), "b": list("xxxxyyyyx")})
    domains = {"a": tk.Categories(["A", "B"]), "b": tk.Categories(["x", "y"])}
    schema = tk.Schema([tk.Attribute(name, "quasi_identifier", domain) for name, domain in domains.items()])
    with pytest.raises(InvalidParameter, match="reveals the suppressed ones"):
        tk.LocalSuppression(
            k=2, meaning="wildcard", publish=[tk.rates.ValueRates(["a"], epsilon=1), tk.rates.ValueRates(["b"])]
        )
    method = tk.LocalSuppression(k=2, meaning="wildcard", publish=[tk.rates.ValueRates(epsilon=1)])
    release = tk.anonymize(frame, schema, method)
    assert (release.frame["b"] == "*").sum() == 1
    release.write(tmp_path / "out")

    def true_rates(content: Any) -> None:
        content["declared"]["method"]["publish"] = [{"columns": None, "epsilon": None, "kind": "value_rates"}]
        content["disclosed"]["rates"]["value"] = {
            "a": {"values": {"A": 4 / 9, "B": 5 / 9}},
            "b": {"values": {"x": 5 / 9, "y": 4 / 9}},
        }
        stated = content["disclosed"]["guarantees"]["value"]
        stated[0]["assumes"].append(TrueRates(columns=("a", "b")).describe())
        stated.pop()

    tk.read_release(tmp_path / "out")
    rewrite(tmp_path / "out", true_rates)
    with pytest.raises(ReleaseError, match="what its suppressed cells were"):
        tk.read_release(tmp_path / "out")


def test_rates_that_are_none() -> None:
    with pytest.raises(InvalidParameter, match="not negative"):
        ColumnRates({"a": -0.5, "b": 1.5})
    with pytest.raises(InvalidParameter, match="not negative"):
        ColumnRates({"a": math.nan})
    with pytest.raises(InvalidParameter, match="decay"):
        ColumnRates({"a": 1.0}, decay=2**64)
    with pytest.raises(InvalidParameter, match="no value is left"):
        ColumnRates({"Female": 0.5, "Male": 0.2, "Other": 0.2}, 0.1).by_code(SCHEMA["sex"])
    with pytest.raises(InvalidParameter, match="it may have none"):
        ColumnRates({"Female": 0.5}, missing=0.5).by_code(SCHEMA["sex"])
    with pytest.raises(InvalidParameter, match="no rates of 'agee'. Did you mean 'age'"):
        _ = tk.rates.Rates({"age": {"values": {"20": 1.0}}})["agee"]


def less_epsilon(content: Any, epsilon: float) -> None:
    """Claim more noise than there is, in the rates and in the promise alike."""
    shares(content, "sex", decay=decay_of(epsilon))
    content["disclosed"]["guarantees"]["value"][-1].update(value=epsilon, numbers={"sex": epsilon})


def shares(content: Any, name: str, **given: Any) -> None:
    content["disclosed"]["rates"]["value"][name].update(given)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: shares(m, "age", others=0.5), "contradicts itself"),
        (lambda m: shares(m, "age", values={"20": 1.5}, others=-0.7), "contradicts itself"),
        (lambda m: shares(m, "age", values={"20": 12 / 30, "77": 7 / 30}), "contradicts itself"),
        (lambda m: shares(m, "age", values={"20": 12 / 30, "22": 3 / 30}, others=9 / 30), "fewer than k rows"),
        (lambda m: shares(m, "age", values={"20": 0.42, "21": 7 / 30}, others=11 / 75), "are not possible"),
        (lambda m: m["disclosed"].pop("rates"), "other assumptions"),
        (lambda m: m["declared"]["method"].update(publish=[]), "that its method asks for"),
        (lambda m: m["disclosed"]["rates"]["value"].pop("age"), "other assumptions"),
        (lambda m: m["declared"]["method"]["publish"][1].update(epsilon=None), "that its method asks for"),
        (lambda m: shares(m, "sex", decay=2**60), "another epsilon"),
        (lambda m: m["disclosed"]["guarantees"]["value"][-1].update(value=0.5), "another epsilon"),
        (lambda m: m["disclosed"]["guarantees"]["value"][-1]["numbers"].update(sex=0.5), "another epsilon"),
        (lambda m: m["disclosed"]["guarantees"]["value"].pop(), "another epsilon"),
        (lambda m: m["disclosed"]["guarantees"]["value"][-1].update(assumes=[]), "other assumptions"),
        (lambda m: m["declared"]["method"]["publish"][1].update(epsilon=0.5), "than its method asks for"),
        (lambda m: less_epsilon(m, 0.5), "than its method asks for"),
        (lambda m: m["disclosed"]["guarantees"]["value"][0]["assumes"].pop(), "other assumptions"),
    ],
)
def test_forged_rates_are_refused(tmp_path: Path, change: Any, message: str) -> None:
    asked = [tk.rates.ValueRates(["age"]), tk.rates.ValueRates(["sex"], epsilon=1)]
    tk.anonymize(PEOPLE, SCHEMA, tk.Generalization(k=5, publish=asked)).write(tmp_path / "out")
    tk.read_release(tmp_path / "out")
    rewrite(tmp_path / "out", change)
    with pytest.raises(ReleaseError, match=message):
        tk.read_release(tmp_path / "out")


def test_an_epsilon_without_rates_is_refused(tmp_path: Path) -> None:
    tk.anonymize(PEOPLE, SCHEMA, tk.Generalization(k=5)).write(tmp_path / "out")
    promise = tk.rates.measure_rates(PEOPLE, SCHEMA, 5, [tk.rates.ValueRates(epsilon=1)]).guarantees[0].describe()
    rewrite(tmp_path / "out", lambda m: m["disclosed"]["guarantees"]["value"].append(promise))
    with pytest.raises(ReleaseError, match="other assumptions"):
        tk.read_release(tmp_path / "out")
