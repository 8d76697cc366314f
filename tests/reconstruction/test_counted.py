"""A table estimated from counts is the one estimated from the rows."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import tokumei as tk
from tokumei.errors import CoverageWarning, InvalidParameter


def counted(release: tk.Release, *columns: str) -> pa.Table:
    table = release.table.select(list(columns)).append_column("one", pa.array(np.ones(release.rows, dtype=np.int64)))
    found = table.group_by(list(columns)).aggregate([("one", "sum")])
    return found.select([*columns, "one_sum"]).rename_columns([*columns, "count"])


@pytest.mark.parametrize("sample", [None, 1500, tk.samples.Stratified("income", 300)], ids=["all", "sample", "strata"])
def test_counts_and_rows_say_the_same(sample: Any) -> None:
    census = tk.example_census(rows=3000, frame="pyarrow")
    release = tk.anonymize(census, tk.example_schema(), tk.PkPerturbation(k=3, sample=sample, tells="all"), seed=1)
    columns = ["sex", "hours"]
    rows = tk.IterativeBayes(columns, bins={"hours": 4}, smoothing=2.0).fit(release)
    counts = counted(release, *columns, *(["income"] if isinstance(sample, tk.samples.Stratified) else []))
    found = tk.IterativeBayes(columns, bins={"hours": 4}, smoothing=2.0).fit(release, counts=counts)
    np.testing.assert_allclose(found.pmf_, rows.pmf_, atol=1e-9)
    np.testing.assert_allclose(found.counts_, rows.counts_, atol=1e-5)
    with warnings.catch_warnings():  # bins are wide and noise is strong, so some cells have none
        warnings.simplefilter("ignore", CoverageWarning)
        found.intervals()
        rows.intervals()
    np.testing.assert_allclose(found.standard_errors_, rows.standard_errors_, atol=1e-6)
    assert np.array_equal(found.kinds_, rows.kinds_)


def test_counts_of_told_rows_say_the_same() -> None:
    census = tk.example_census(rows=3000, frame="pyarrow")
    release = tk.anonymize(census, tk.example_schema(), tk.PkPerturbation(k=3, tells=2), seed=1)
    table = tk.IterativeBayes(["sex", "marital"])
    rows = table.fit(release).pmf_
    found = table.fit(release, counts=counted(release, "sex", "marital", "tells")).pmf_
    np.testing.assert_allclose(found, rows, atol=1e-9)
    with pytest.raises(InvalidParameter, match="it lacks 'tells'"):
        table.fit(release, counts=counted(release, "sex", "marital"))


def test_counts_that_do_not_fit_are_refused() -> None:
    census = tk.example_census(rows=500, frame="pyarrow")
    release = tk.anonymize(census, tk.example_schema(), tk.PkPerturbation(k=3, tells="all"), seed=1)
    counts, table = counted(release, "sex"), tk.IterativeBayes(["sex"])
    with pytest.raises(InvalidParameter, match="it lacks 'count'"):
        table.fit(release, counts=counts.drop_columns("count"))
    with pytest.raises(InvalidParameter, match="add up to the 500 rows"):
        table.fit(release, counts=counts.slice(1))
    with pytest.raises(InvalidParameter, match="add up to the 500 rows"):
        table.fit(release, counts=counts.set_column(1, "count", pa.array([0.5, 499.5])))
    recoded = tk.anonymize(census, tk.example_schema(), tk.Generalization(k=3))
    with pytest.raises(
        InvalidParameter,
        match="has recoded cells, and counts do not tell which values a cell stands for, so fit it on its rows",
    ):
        table.fit(recoded, counts=counts)
