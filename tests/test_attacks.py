"""Ways in which the promise, or the silence around it, has been attacked. Each one succeeded once, or might have."""

from __future__ import annotations

import datetime as dt
import pickle
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import tokumei as tk
from tests.conftest import columns_of
from tokumei.anonymizers.pk_perturbation import solve_channels
from tokumei.errors import DataError
from tokumei.mechanism.record import Mechanism
from tokumei.mechanism.retention import Retention
from tokumei.privacy.sampling import HidingPlace, achieved
from tokumei.randomness import Key
from tokumei.release.manifest import declared_and_disclosed

Q = "quasi_identifier"


# Draws.


def test_no_column_name_shares_the_words_of_another_purpose() -> None:
    """A column named like the presence flags of another one must not be drawn with the same words."""
    key = Key.seeded(1)
    labels = [
        ("a", "presence"),
        ("a\x1fpresence",),
        ("a", "retry", 1),
        ("a", "retry", "1"),
        ("a\x1fretry\x1f1",),
        ("apresence",),
    ]
    assert len({key.stream("column", *label).words(0, 1)[0] for label in labels}) == len(labels)
    name = "a\x1fpresence"
    schema = tk.Schema(
        [tk.Attribute("a", Q, tk.Numbers(0, 3, step=1), missing=True), tk.Attribute(name, Q, tk.Categories(["x", "y"]))]
    )
    table = pa.table({"a": [0] * 200, name: ["x"] + ["y"] * 199})
    present = []
    for seed in range(20):
        found = columns_of(tk.anonymize(table, schema, tk.PkPerturbation(k=75, tells="all"), seed=seed).frame)
        present.append(sum(a is not None and b == "x" for a, b in zip(found["a"], found[name], strict=True)))
    assert np.mean(present) > 20


@pytest.mark.parametrize(
    "split",
    [
        {"a": 1e308, "b": 1.0},
        {"a": 1e308, "b": 1e308},
        {"a": 5e-324, "b": 5e-324},
        {"a": 1.0, "b": 1e-300},
        {"a": 1e-9, "b": 1.0},
    ],
)
def test_no_weights_push_k_below_what_was_asked(split: dict[str, float]) -> None:
    pairs = [
        [tk.Attribute("a", Q, tk.Categories([0, 1])), tk.Attribute("b", Q, tk.Categories([0, 1, 2]))],
        [tk.Attribute("a", Q, tk.Numbers(0, 4, step=1)), tk.Attribute("b", Q, tk.Numbers(0, 1, step=1))],
    ]
    rng = np.random.default_rng(0)
    for attributes in pairs:
        for n in (10, 1000, 452_926, *rng.integers(10, 10**6, 5)):
            for k in (1.0000001, 2, 4, 9.99):
                place = HidingPlace(0, int(n))
                value = achieved(place, Mechanism(solve_channels(attributes, place, k, split)))
                assert Fraction(k) <= value <= Fraction(k) * (1 + Fraction(1, 10**6))


def test_large_domains_and_hard_promises_are_solved_as_closely() -> None:
    labels = tk.Attribute("a", Q, tk.Numbers(0, 99_999, step=1))
    place = HidingPlace(0, 10_000)
    for attribute in (labels, tk.Attribute("c", Q, tk.Categories(list(range(50_000))))):
        value = achieved(place, Mechanism(solve_channels([attribute], place, 2500, "even")))
        assert 2500 <= value <= 2500 * (1 + Fraction(1, 10**6))
    assert Retention.solve(100_000, Fraction(2499, 9999)).keep > 0
    for k in (1.0000073, 1.5):
        solve_channels([CATEGORY], HidingPlace(0, 1419), k, "equal_retention")


CATEGORY = tk.Attribute("c", Q, tk.Categories(["x", "y", "z"]))


# What leaves the house beside the rows.


@pytest.mark.parametrize(
    "column",
    [
        pl.Series([[c] for c in "cabacabb"], dtype=pl.List(pl.Categorical)),
        pl.Series([{"a": c} for c in "cabacabb"]),
        pl.Series([object()] * 8, dtype=pl.Object),
    ],
    ids=["list", "struct", "object"],
)
def test_nested_columns_are_refused(column: pl.Series) -> None:
    frame = pl.DataFrame({"q": ["x", "y"] * 4, "s": column})
    schema = tk.Schema([tk.Attribute("q", Q, tk.Categories(["x", "y"])), tk.Attribute("s", "insensitive")])
    with pytest.raises(DataError, match="Column 's'"):
        tk.anonymize(frame, schema, tk.PkPerturbation(k=2, tells="all"))


def test_categories_that_were_dropped_are_not_remembered() -> None:
    frame = pd.DataFrame({"q": pd.Categorical(["x", "y"] * 4, categories=["y", "x", "Alice dropped"])})
    release = tk.anonymize(
        frame, tk.Schema([tk.Attribute("q", Q, tk.Categories(["x", "y"]))]), tk.PkPerturbation(k=2, tells="all")
    )
    assert b"Alice" not in pickle.dumps(release)
    assert list(release.frame["q"].cat.categories) == ["x", "y"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (pd.DataFrame({"a": [1, 2] * 4}), pd.DataFrame({"a": [1, 2] * 3 + [1, None]})),
        (pd.DataFrame({"a": [1, 2] * 4}), pd.DataFrame({"a": [1.0, 2.0] * 4})),
        (pa.table({"a": pa.array([1, 2] * 4, pa.int8())}), pa.table({"a": pa.array([1, 2] * 4, pa.int64())})),
    ],
)
@pytest.mark.filterwarnings("ignore::tokumei.errors.RoundedInputWarning")
def test_the_type_of_the_original_does_not_show(one: object, other: object, tmp_path) -> None:
    schema = tk.Schema([tk.Attribute("a", Q, tk.Numbers(1, 2, step=1), missing=True)])
    types = set()
    for place, frame in enumerate((one, other)):
        release = tk.anonymize(frame, schema, tk.PkPerturbation(k=2, tells="all"))
        release.write(tmp_path / str(place), format="csv")
        types.add(str(release.table.schema))
    assert len(types) == 1


def test_observing_that_nothing_is_missing_is_disclosed_too() -> None:
    declared = set()
    for cells in ([True, False] * 4, [True, False] * 3 + [True, None]):
        table = pa.table({"b": cells})
        with pytest.warns(tk.errors.ObservedDomainWarning):
            schema = tk.Schema.observe(table)
        release = tk.anonymize(table, schema, tk.PkPerturbation(k=2, tells="all"))
        declared.add(str(declared_and_disclosed(release)[0]))
    assert len(declared) == 1


# Types that cannot hold what is released.


@pytest.mark.parametrize("kind", ["bool", "int64", "uint8", "float64", "boolean", "Int64"])
def test_released_nulls_stay_null_in_pandas(kind: str) -> None:
    labels = [False, True] if kind.startswith("bool") else [0, 1]
    frame = pd.DataFrame({"a": pd.Series(labels * 20).astype(kind)})
    schema = tk.Schema([tk.Attribute("a", Q, tk.Categories(labels), missing=True)])
    release = tk.anonymize(frame, schema, tk.PkPerturbation(k=35, tells="all"))
    assert release.frame["a"].isna().sum() == release.table.column("a").null_count > 0


def test_known_classes_of_every_kind_of_kept_column() -> None:
    for cells in (
        pa.array(["p", "q"] * 10).dictionary_encode(),
        pa.array(["p", None] * 10),
        pa.array([0.0, -0.0, float("nan"), None] * 5),
        pa.array(["p", "q"] * 10).cast(pa.string_view()),
        pa.array([b"p", b"q"] * 10),
        pa.array([dt.time(1), dt.time(2)] * 10),
        pa.array([True, False] * 10),
    ):
        schema = tk.Schema([CATEGORY, tk.Attribute("s", "sensitive", missing=True)])
        release = tk.anonymize(
            pa.table({"c": ["x", "y"] * 10, "s": cells}), schema, tk.PkPerturbation(k=2, kept="known", tells="all")
        )
        assert release.guarantees[0].numbers["among"] in {5, 10}


# Messages and their context.


@pytest.mark.parametrize(
    ("column", "domain"),
    [
        ([1, 2, 9007199254740993], tk.Numbers(1, 2, step=1)),
        ([1, 2, 9007199254740993], tk.Categories([1, 2])),
        (["f", "m", "Alice\udc80"], tk.Categories(["f", "m"])),
        ([1, "Alice", 2], tk.Categories([1, 2])),
    ],
)
def test_no_error_carries_a_cell(column: list[object], domain: object) -> None:
    schema = tk.Schema([tk.Attribute("a", Q, domain)])  # type: ignore[arg-type]
    with pytest.raises(DataError) as caught:
        tk.anonymize(pd.DataFrame({"a": pd.Series(column, dtype=object)}), schema, tk.PkPerturbation(k=2, tells="all"))
    assert caught.value.__context__ is None
    assert "Alice" not in str(caught.value)
    assert "9007" not in str(caught.value)


def test_a_file_without_a_line_of_names_does_not_print_its_first_row() -> None:
    schema = tk.Schema([tk.Attribute("age", Q, tk.Numbers(0, 99, step=1))])
    with pytest.raises(DataError, match="none of the schema's columns") as caught:
        tk.anonymize(pa.table({"Alice": [1], "34": [2]}), schema, tk.PkPerturbation(k=2, tells="all"))
    assert "Alice" not in str(caught.value)


# Dates.


def test_dates_far_off_or_just_before_are_not_wrapped_into_the_domain() -> None:
    days = tk.Dates(dt.date(2020, 1, 1), dt.date(2020, 1, 10))
    early = tk.Dates(dt.date(1970, 1, 1), dt.date(1970, 1, 10))
    assert early.code(pa.array([-1], pa.timestamp("ns"))).outside == 1
    assert days.code(pa.array([288230377729894144, 2**62], pa.timestamp("s"))).outside == 2
    week = tk.Dates(dt.date(2020, 1, 1), dt.date(2020, 1, 10), step=7)
    assert week.code(pa.array([dt.date(2020, 1, 14), dt.date(2020, 1, 10)])).codes.tolist() == [-1, 1]


# Seeds.


def test_a_seeded_promise_does_not_claim_a_secret_key(people, schema) -> None:
    release = tk.anonymize(pd.DataFrame(people), schema, tk.PkPerturbation(k=5, tells="all"), seed=1)
    for guarantee in release.guarantees:
        assert "operating system" not in str(guarantee)
    assert "come from a seed" in str(release.guarantees[0])
