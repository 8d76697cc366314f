"""The same regression from both tables."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import tokumei as tk
from tests.conftest import columns_of

EXAMPLE = tk.example_schema()


def two_of_each(rows: int) -> pa.Table:
    people = tk.example_census(rows=rows, frame="pyarrow")
    return pa.concat_tables([people, people])


def test_linear_coefficients_are_those_of_least_squares() -> None:
    people = two_of_each(800)
    release = tk.anonymize(people, EXAMPLE, tk.LocalSuppression(k=2), seed=1)
    found = tk.comparisons.compare_regression(people, release, EXAMPLE, "hours", ["age", "sex", "education"])
    labels = list(EXAMPLE["education"].domain.values)  # type: ignore[union-attr]
    x = np.stack(
        [
            np.ones(people.num_rows),
            np.array(people.column("age")),
            np.array(people.column("sex")) == "Male",
            [labels.index(each) for each in people.column("education").to_pylist()],
        ],
        axis=1,
    ).astype(float)
    y = np.array(people.column("hours")).astype(float)
    beta, rest, *_ = np.linalg.lstsq(x, y, rcond=None)
    errors = np.sqrt(np.diag(np.linalg.inv(x.T @ x)) * rest[0] / (len(y) - 4))
    assert list(found.original) == ["(constant)", "age", "sex=Male", "education"]
    np.testing.assert_allclose([each.value for each in found.original.values()], beta, rtol=1e-6)
    np.testing.assert_allclose(
        [(each.high - each.low) / 2 for each in found.original.values()], 1.96 * errors, rtol=1e-3
    )
    # Every row is there twice, so nothing was suppressed and the release says the same.
    assert list(found.overlaps().values()) == pytest.approx([1, 1, 1, 1])
    assert found.mean_overlap() == pytest.approx(1)


def test_logistic_coefficients_of_a_table_of_two_by_two() -> None:
    schema = tk.Schema(
        [
            tk.Attribute("sex", "quasi_identifier", tk.Categories(["f", "m"])),
            tk.Attribute("ill", "sensitive", tk.Categories(["no", "yes"])),
        ]
    )
    people = pa.table({"sex": ["f"] * 40 + ["m"] * 60, "ill": ["yes"] * 10 + ["no"] * 30 + ["yes"] * 40 + ["no"] * 20})
    release = tk.anonymize(people, schema, tk.LocalSuppression(k=2), seed=1)
    found = tk.comparisons.compare_regression(people, release, schema, "ill")
    assert found.kind == "logistic"
    assert found.original["(constant)"].value == pytest.approx(np.log(10 / 30), abs=1e-5)
    assert found.original["sex=m"].value == pytest.approx(np.log((40 / 20) / (10 / 30)), abs=1e-5)
    error = np.sqrt(1 / 10 + 1 / 30 + 1 / 40 + 1 / 20)
    assert found.original["sex=m"].high - found.original["sex=m"].value == pytest.approx(1.96 * error, rel=1e-3)


def test_noise_pulls_coefficients_to_zero_and_reconstruction_puts_them_back() -> None:
    schema = tk.Schema([EXAMPLE["age"], tk.Attribute("works", "sensitive", tk.Categories(["no", "yes"]))])
    people = tk.example_census(rows=20_000)
    people["works"] = (people["hours"] > 30).map({False: "no", True: "yes"})
    people = people[["age", "works"]]
    release = tk.anonymize(people, schema, tk.PkPerturbation(k=2, tells="all"), seed=1)
    found = tk.comparisons.compare_regression(people, release, schema, "works")
    assert found.released is not None
    assert found.reconstructed is not None
    truth, noisy, back = (each["age"].value for each in (found.original, found.released, found.reconstructed))
    assert abs(noisy) < 0.8 * abs(truth)
    assert abs(back - truth) < 0.5 * abs(noisy - truth)
    assert found.mean_overlap("reconstructed") > found.mean_overlap()
    assert set(columns_of(found.frame())["side"]) == {"original", "released", "reconstructed"}


def test_labels_enter_with_the_mean_of_their_values() -> None:
    schema = tk.Schema(
        [
            tk.Attribute("age", "quasi_identifier", tk.Numbers(0, 3, step=1), tk.Hierarchy.intervals([0, 2, 3])),
            tk.Attribute("hours", "sensitive", tk.Numbers(0, 40, step=1)),
        ]
    )
    people = pa.table({"age": [0, 1, 2, 3], "hours": [0, 10, 20, 34]})
    release = tk.anonymize(people, schema, tk.Generalization(k=2, partition=tk.partitions.Optimal()), seed=1)
    found = tk.comparisons.compare_regression(people, release, schema, "hours")
    assert found.released is not None
    # 0 and 1 became 0.5 with a mean of 5 hours, 2 and 3 became 2.5 with 27.
    assert found.released["age"].value == pytest.approx((27 - 5) / 2)


def test_what_the_others_determine_is_left_out() -> None:
    schema = tk.Schema([tk.Attribute(name, "quasi_identifier", tk.Numbers(0, 9, step=1)) for name in ("a", "b", "c")])
    numbers = [0, 1, 2, 3, 4, 5, 6, 7]
    people = pa.table({"a": numbers, "b": numbers, "c": [1, 1, 3, 3, 4, 6, 6, 8]})
    release = tk.anonymize(people, schema, tk.LocalSuppression(k=2), seed=1)
    assert list(tk.comparisons.compare_regression(people, release, schema, "c").original) == ["(constant)", "a"]


def test_targets_that_cannot_be_explained_are_refused() -> None:
    people = tk.example_census(rows=300, frame="pyarrow")
    release = tk.anonymize(people, EXAMPLE, tk.LocalSuppression(k=2), seed=1)
    with pytest.raises(tk.errors.InvalidParameter, match="two categories"):
        tk.comparisons.compare_regression(people, release, EXAMPLE, "income", ["age"])
    with pytest.raises(tk.errors.InvalidParameter, match="no column to explain"):
        tk.comparisons.compare_regression(people, release, EXAMPLE, "hours", [])
