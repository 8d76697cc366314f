"""The encoder follows the learner."""

from __future__ import annotations

import pytest
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler

import tokumei as tk


@pytest.mark.parametrize(
    ("learner", "kind_of", "sparse"),
    [
        (LogisticRegression(), tk.encoders.AncestorEncoder, True),
        (RandomForestClassifier(), tk.encoders.AncestorEncoder, True),
        (HistGradientBoostingClassifier(), tk.encoders.AncestorEncoder, False),
        (make_pipeline(MaxAbsScaler(), MultinomialNB()), tk.encoders.RateEncoder, True),
        (GaussianNB(), tk.encoders.RateEncoder, False),
        (KNeighborsClassifier(), tk.encoders.RateEncoder, True),
        ("trees", tk.encoders.AncestorEncoder, True),
        ("neighbours", tk.encoders.RateEncoder, True),
    ],
)
def test_by_model_or_by_name(learner: object, kind_of: type, sparse: bool) -> None:
    schema = tk.example_schema()
    encoder = tk.encoders.encoder_for(learner, schema)
    assert type(encoder) is kind_of
    assert encoder.sparse_output is sparse
    assert encoder.schema is schema
    if not isinstance(learner, str):
        frame = tk.example_census(rows=60)
        columns = list(schema.names("quasi_identifier"))
        make_pipeline(encoder, learner).fit(frame[columns], frame["sex"]).predict(frame[columns])


@pytest.mark.parametrize("learner", ["forest", LogisticRegression, None])
def test_no_learner(learner: object) -> None:
    with pytest.raises(tk.errors.InvalidParameter, match="learner must be a model"):
        tk.encoders.encoder_for(learner)
