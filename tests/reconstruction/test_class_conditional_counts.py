"""Class-conditional models of counted rows are those of the rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tokumei as tk
from tokumei.anonymizers.sample import Stratified
from tokumei.errors import InvalidParameter
from tokumei.reconstruction._counted import counted_quantiles

SCHEMA = tk.Schema(
    [
        tk.Attribute("age", domain=tk.Numbers(20, 59, step=1)),
        tk.Attribute("town", domain=tk.Categories(list("abcd")), missing=True),
        tk.Attribute("ill", "sensitive", tk.Categories(["no", "yes"])),
        tk.Attribute("pay", "sensitive", tk.Numbers(0, 9, step=1)),
    ]
)
METHODS = {
    "all told": tk.PkPerturbation(k=3, tells="all"),
    "one thing a row": tk.PkPerturbation(k=3, tells=1),
    "strata": tk.PkPerturbation(k=3, tells="all", sample=Stratified("ill", {"no": 300, "yes": 150})),
}


@pytest.fixture(scope="module")
def people() -> Any:
    rng = np.random.default_rng(2)
    age = rng.integers(20, 60, 2500)
    town = rng.integers(0, 5, 2500)
    ill = np.where(rng.random(2500) < age / 100, "yes", "no")
    return {
        "age": age,
        "town": [[*"abcd", None][t] for t in town],
        "ill": ill,
        "pay": np.minimum(9, age // 8 + rng.integers(0, 3, 2500)),
    }


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("target", ["ill", "pay"])
def test_counts_give_the_model_of_the_rows(people: Any, name: str, target: str) -> None:
    import pyarrow as pa

    release = tk.anonymize(pa.table(people), SCHEMA, METHODS[name], seed=4)
    model: Any = tk.ClassConditionalClassifier if target == "ill" else tk.ClassConditionalRegressor
    counts = release.counted(*release.types.names)
    assert counts.num_rows < release.rows
    rows, counted = model(target).fit(release), model(target).fit(release, counts=counts)
    for column, evidence in rows.evidence_.items():
        assert np.allclose(counted.evidence_[column], evidence, atol=1e-6)
        assert counted.signal_[column] == pytest.approx(rows.signal_[column], abs=1e-6)
    if target == "pay":
        assert np.allclose(counted.means_, rows.means_)


def test_what_counts_do_not_hold(people: Any) -> None:
    import pyarrow as pa

    release = tk.anonymize(pa.table(people), SCHEMA, METHODS["all told"], seed=4)
    counts = release.counted(*release.types.names)
    with pytest.raises(InvalidParameter, match="counts do not include the weights"):
        tk.ClassConditionalClassifier("ill", weights="pay").fit(release, counts=counts)
    with pytest.raises(InvalidParameter, match="it lacks 'town'"):
        tk.ClassConditionalClassifier("ill").fit(release, counts=release.counted("age", "ill", "pay"))
    with pytest.raises(InvalidParameter, match="salary"):
        release.counted("salary")


def test_quantiles_of_counted_values() -> None:
    rng = np.random.default_rng(0)
    values, many = rng.permutation(50).astype(float), rng.integers(1, 6, 50).astype(float)
    shares = np.linspace(0, 1, 23)
    assert np.allclose(
        counted_quantiles(values, many, shares), np.quantile(np.repeat(values, many.astype(int)), shares)
    )
