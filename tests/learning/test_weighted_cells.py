"""Weighted cells are the same model as all rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import is_classifier, is_regressor
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

import tokumei as tk

COLUMNS = ["age", "sex", "region", "education"]


@pytest.fixture(scope="module")
def release() -> Any:
    schema = tk.example_schema().without("marital", "occupation", "hours")
    census = tk.example_census(rows=1500).drop(columns=["marital", "occupation", "hours"])
    return tk.anonymize(census, schema, tk.Generalization(k=10), seed=1)


@pytest.mark.parametrize(
    "model",
    [
        LogisticRegression(max_iter=2000, tol=1e-8),
        DecisionTreeClassifier(max_depth=6, random_state=0),
        GradientBoostingClassifier(n_estimators=20, random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)
def test_the_same_predictions_from_few_rows(release: Any, model: Any) -> None:
    frame, target = release.frame[COLUMNS], release.frame["income"].isin(["50k to 100k", "over 100k"]).to_numpy()
    # Where two features split the training cells alike a tree may pick either, and raw rows may differ in them.
    linear = isinstance(model, LogisticRegression)
    rows = tk.example_census(rows=800, random_state=5)[COLUMNS] if linear else frame
    weighted = tk.encoders.WeightedCells(tk.encoders.AncestorEncoder(release), model).fit(frame, target)
    plain = make_pipeline(tk.encoders.AncestorEncoder(release), model).fit(frame, target)
    assert weighted.rows_ < len(frame) / 4
    assert is_classifier(weighted)
    assert np.mean(weighted.predict(rows) == plain.predict(rows)) >= 0.999
    np.testing.assert_allclose(weighted.predict_proba(rows), plain.predict_proba(rows), atol=2e-3)
    assert weighted.score(frame, target) == pytest.approx(plain.score(frame, target), abs=1e-3)


def test_weights_of_rows_add_up(release: Any) -> None:
    frame = release.frame[COLUMNS]
    target = release.coded.codes("income").astype(float)
    weights = 1.0 + np.arange(len(frame)) % 3
    weighted = tk.encoders.WeightedCells(tk.encoders.LeafEncoder(release), Ridge()).fit(frame, target, weights)
    encoder = tk.encoders.LeafEncoder(release).fit(frame)
    plain = Ridge().fit(encoder.transform(frame), target, weights)
    assert is_regressor(weighted)
    np.testing.assert_allclose(weighted.predict(frame), plain.predict(encoder.transform(frame)), atol=1e-3)
    assert not hasattr(weighted, "predict_proba")


def test_frames_and_arrays(release: Any) -> None:
    frame, target = release.frame[COLUMNS], release.frame["income"].to_numpy().astype(str)
    model = tk.encoders.WeightedCells(tk.encoders.LeafEncoder(release), LogisticRegression(max_iter=500))
    expected = model.fit(frame, target).predict(frame)
    for rows in (pl.from_pandas(frame), release.table.select(COLUMNS), frame.astype("category")):
        assert (model.fit(rows, target).predict(rows) == expected).all()
    rows = np.array([[0, 1], [0, 1], [2, 1]])
    assert tk.encoders.WeightedCells(tk.encoders.LeafEncoder(), LogisticRegression()).fit(rows, [0, 0, 1]).rows_ == 2
    gaps = np.array([["a", None], ["b", "c"], ["a", None]], dtype=object)
    assert tk.encoders.WeightedCells(tk.encoders.LeafEncoder(), LogisticRegression()).fit(gaps, [0, 1, 0]).rows_ == 2


def test_bad_input(release: Any) -> None:
    frame = release.frame[COLUMNS]
    with pytest.raises(tk.errors.InvalidParameter, match="takes no sample_weight"):
        tk.encoders.WeightedCells(tk.encoders.LeafEncoder(), KNeighborsClassifier()).fit(frame, np.zeros(len(frame)))
    with pytest.raises(tk.errors.DataError, match="y has 3"):
        tk.encoders.WeightedCells(tk.encoders.LeafEncoder(), LogisticRegression()).fit(frame, [0, 1, 0])
    with pytest.raises(tk.errors.DataError, match="rows and columns"):
        tk.encoders.WeightedCells(tk.encoders.LeafEncoder(), LogisticRegression()).fit([1, 2, 3], [0, 1, 0])
    pd.testing.assert_frame_equal(frame, release.frame[COLUMNS])
