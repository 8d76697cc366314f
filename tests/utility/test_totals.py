"""Weighted totals of a margin: counted by hand, before and after."""

from __future__ import annotations

import pandas as pd
import pytest

import tokumei as tk
from tokumei.errors import InvalidParameter

TOWNS = ["A", "B"]


@pytest.fixture
def survey() -> pd.DataFrame:
    rows = [("A", "x", 2, 10)] * 6 + [("B", "x", 5, 20)] * 5 + [("B", "y", 5, 30)]
    return pd.DataFrame(rows, columns=["town", "job", "w", "age"])


def schema(survey: pd.DataFrame) -> tk.Schema:
    return tk.Schema(
        [
            tk.Attribute("job", domain=tk.Categories(["x", "y"])),
            tk.Attribute("age", domain=tk.Categories([10, 20, 30])),
            tk.Attribute("town", "insensitive", tk.Categories(TOWNS)),
            tk.Attribute("w", "insensitive", tk.Categories([2, 5])),
        ]
    )


def totals(
    survey: pd.DataFrame, method: tk.RecordSuppression | tk.LocalSuppression, weights: str | None
) -> pd.DataFrame:
    release = tk.anonymize(survey, schema(survey), method, seed=1)
    return tk.comparisons.contingency(survey, release, schema(survey), ["town"], weights=weights).set_index("town")  # type: ignore[no-any-return]


@pytest.mark.filterwarnings("ignore::tokumei.errors.TokumeiWarning")
def test_totals_of_unchanged_columns_are_kept(survey: pd.DataFrame) -> None:
    found = totals(survey, tk.LocalSuppression(k=2), "w")
    assert found["original"].tolist() == pytest.approx([12, 30])
    assert found["released"].tolist() == pytest.approx([12, 30])


@pytest.mark.filterwarnings("ignore::tokumei.errors.TokumeiWarning")
def test_rows_that_were_left_out_are_missing_in_the_total(survey: pd.DataFrame) -> None:
    found = totals(survey, tk.RecordSuppression(k=2), "w")
    assert found["original"].tolist() == pytest.approx([12, 30])
    assert found["released"].tolist() == pytest.approx([12, 25]), "one row of weight 5 was left out"
    unweighted = totals(survey, tk.RecordSuppression(k=2), None)
    assert unweighted["original"].tolist() == pytest.approx([6, 6])


def test_weights_must_be_released(survey: pd.DataFrame) -> None:
    with pytest.raises(InvalidParameter, match="were not released unchanged"):
        totals(survey, tk.LocalSuppression(k=2), "age")
