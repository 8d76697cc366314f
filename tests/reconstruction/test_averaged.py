"""Two classifiers of a column, averaged."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

import tokumei as tk
from tokumei.reconstruction.averaged import TOLD, AveragedClassifier
from tokumei.reconstruction.imputed import ImputedClassifier

ROWS = tk.example_census(rows=1500)
TRUE = tk.example_census(rows=300, random_state=9)


@pytest.fixture(scope="module")
def told() -> tk.Release:
    return tk.anonymize(ROWS, tk.example_schema(), tk.PkPerturbation(k=3, tells=2), seed=1)


def test_probabilities_are_the_geometric_mean_of_those_of_both(told: tk.Release) -> None:
    model = tk.reconstruct(told)
    found = model.estimator("income")
    assert isinstance(found, AveragedClassifier)
    leaning = tk.ClassConditionalClassifier("income").fit(told).predict_proba(TRUE)
    imputed = ImputedClassifier("income", found.columns).fit(model._rows["income"]).predict_proba(TRUE)
    expected = imputed**TOLD * leaning ** (1 - TOLD)
    expected /= expected.sum(axis=1, keepdims=True)
    assert np.allclose(found.predict_proba(TRUE), expected, atol=1e-9)
    assert list(found.predict(TRUE)) == [found.classes_[place] for place in expected.argmax(axis=1)]
    assert np.allclose(np.exp(found.decision_function(TRUE)), expected, atol=1e-9)
    assert not np.allclose(found.predict_proba(TRUE), imputed, atol=0.01)


def test_two_classes_have_the_mean_log_odds(told: tk.Release) -> None:
    rich = ROWS.assign(income=ROWS["income"].isin(["50k to 100k", "over 100k"]))
    schema = tk.example_schema().replacing(tk.Attribute("income", "sensitive", tk.Categories([False, True])))
    release = tk.anonymize(rich, schema, tk.PkPerturbation(k=3, tells=2), seed=2)
    model = tk.reconstruct(release)
    found = model.estimator("income")
    imputed = ImputedClassifier("income", found.columns).fit(model._rows["income"]).decision_function(TRUE)
    leaning = tk.ClassConditionalClassifier("income").fit(release).decision_function(TRUE)
    assert np.allclose(found.decision_function(TRUE), TOLD * imputed + (1 - TOLD) * leaning, atol=1e-6)


def test_only_a_target_that_every_row_shows_is_averaged(told: tk.Release) -> None:
    assert isinstance(tk.reconstruct(told, target="sex"), ImputedClassifier)
    assert "one column at a time" in tk.reconstruct(told, target="income").picked_.reason
    assert "one column at a time" not in tk.reconstruct(told, target="sex").picked_.reason
    grouped = tk.anonymize(ROWS, tk.example_schema(), tk.GroupedPkPerturbation(k=3, tells=1), seed=1)
    assert isinstance(tk.reconstruct(grouped, target="income"), ImputedClassifier)


def test_generalized_rows_are_averaged_with_a_regression_on_their_labels() -> None:
    schema = tk.example_schema().without("age", "hours")  # the encoder cuts numbers in another way
    rows = ROWS.drop(columns=["age", "hours"])
    release = tk.anonymize(rows, schema, tk.Generalization(k=5, partition=tk.partitions.Mondrian()), seed=1)
    found = tk.reconstruct(release, target="income")
    assert isinstance(found, AveragedClassifier)
    names = [name for name in release.schema.names() if name != "income"]
    learner = LogisticRegression(max_iter=500)
    labels = make_pipeline(tk.encoders.AncestorEncoder(release), learner)
    labels.fit(release.frame[names], release.frame["income"].astype(str))
    order = [list(learner.classes_).index(each) for each in found.classes_]
    assert np.allclose(found._simpler.predict_proba(TRUE), labels.predict_proba(TRUE[names])[:, order], atol=0.01)
    assert "labels as they are" in found.picked_.reason


def test_suppressed_rows_are_read_as_they_are() -> None:
    release = tk.anonymize(ROWS, tk.example_schema(), tk.LocalSuppression(k=3), seed=1)
    found = tk.reconstruct(release, target="income")
    assert isinstance(found, ImputedClassifier)
    assert "cells that are there" in found.picked_.reason


def test_missing_targets_are_a_class_in_both() -> None:
    some = ROWS.assign(income=ROWS["income"].where(np.arange(len(ROWS)) % 7 > 0))
    schema = tk.example_schema().replacing(
        tk.Attribute("income", "sensitive", tk.example_schema()["income"].domain, missing=True)
    )
    release = tk.anonymize(some, schema, tk.PkPerturbation(k=3, tells=2), seed=3)
    found = tk.reconstruct(release, target="income")
    assert found.classes_[-1] is None
    assert found.predict_proba(TRUE).shape == (300, 5)
