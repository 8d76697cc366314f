"""The protocol for research: what is tested on has no part in anything, and every score can be made again by hand."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import tokumei as tk
from tokumei.errors import AssumptionWarning, DataError, InvalidParameter, MissingDependency
from tokumei.utility.protocol import Protocol

LOGISTIC = {"LR": LogisticRegression(max_iter=2000)}
N = 900


@pytest.fixture(scope="module")
def people() -> tuple[pd.DataFrame, tk.Schema]:
    """Three columns, the first of which tells most of the target."""
    chance = np.random.default_rng(0)
    town, age = chance.integers(0, 8, N), chance.integers(20, 60, N)
    odds = (town < 4) * 2.0 - 1.0 + (age - 40) / 20
    frame = pd.DataFrame(
        {
            "town": np.array(list("ABCDEFGH"))[town],
            "age": age,
            "sex": chance.choice(["f", "m"], N),
            "ill": np.where(chance.random(N) < 1 / (1 + np.exp(-odds)), "yes", "no"),
        }
    )
    tree = tk.Hierarchy.groups({"north": list("ABCD"), "south": list("EFGH")})
    schema = tk.Schema(
        [
            tk.Attribute("town", "quasi_identifier", tk.Categories(list("ABCDEFGH")), tree),
            tk.Attribute("age", "quasi_identifier", tk.Numbers(20, 59, step=1)),
            tk.Attribute("sex", "insensitive", tk.Categories(["f", "m"])),
            tk.Attribute("ill", "sensitive", tk.Categories(["no", "yes"])),
        ]
    )
    return frame, schema


def accuracy(found: Any, **labels: Any) -> float:
    means = found.means
    for name, value in labels.items():
        means = means[means[name] == value]
    return float(means["accuracy"].mean())


def test_every_row_is_tested_on_once_and_never_trained_on(people: Any) -> None:
    frame, schema = people
    numbered = frame.assign(id=np.arange(N))
    with_id = tk.Schema([*schema, tk.Attribute("id", "identifier")])
    seen = []
    for fold in Protocol(numbered, with_id, "ill", {}, 4, 3).splits():
        train, test = (set(part.column("id").to_pylist()) for part in (fold.train, fold.test))
        assert not train & test
        assert len(train) + len(test) == N
        seen += [*test]
        share = np.mean(np.array(fold.test.column("ill")) == "yes")
        assert share == pytest.approx(np.mean(frame["ill"] == "yes"), abs=0.01)
    assert sorted(seen) == list(range(N))


def test_trees_do_not_know_the_rows_tested_on() -> None:
    """Values that occur two or three times, and a target that is a coin: nothing can be learned honestly.

    A tree learned from all rows knows the coins of the test rows, and the same study shows it.
    """
    chance = np.random.default_rng(1)
    values = [f"v{i}" for i in range(300)]
    frame = pd.DataFrame({"x": chance.choice(values, 800), "coin": chance.choice(["h", "t"], 800)})
    schema = tk.Schema(
        [
            tk.Attribute("x", "quasi_identifier", tk.Categories(values)),
            tk.Attribute("coin", "sensitive", tk.Categories(["h", "t"])),
        ]
    )
    settings: dict[str, Any] = {
        "ks": [2],
        "cv": 4,
        "encoders": {"a": tk.encoders.AncestorEncoder()},
        "learners": LOGISTIC,
    }
    honest = tk.comparisons.study(frame, schema, "coin", hierarchies={"x": [12]}, **settings)
    leaked = schema.replacing(
        replace(schema["x"], hierarchy=tk.hierarchies.odds_hierarchy(frame, schema["x"], "coin", [12]))
    )
    with pytest.warns(AssumptionWarning, match="hierarchy of 'x' was learned from rows"):
        cheating = tk.comparisons.study(frame, leaked, "coin", **settings)
    assert accuracy(honest) == pytest.approx(0.5, abs=0.05)
    assert accuracy(cheating) > 0.6


def test_as_it_is_means_what_scikit_learn_does_with_raw_rows(people: Any) -> None:
    frame, schema = people
    found = tk.comparisons.study(
        frame, schema, "ill", LOGISTIC, encoders={"leaves": tk.encoders.LeafEncoder()}, ks=[1], cv=3
    )
    for fold in Protocol(frame, schema, "ill", {}, 3, 0).splits():
        train, test = fold.train.to_pandas(), fold.test.to_pandas()
        columns = ["town", "age", "sex"]
        encoder = tk.encoders.LeafEncoder(schema).fit(train[columns])
        model = LogisticRegression(max_iter=2000).fit(encoder.transform(train[columns]), train["ill"])
        expected = np.mean(model.predict(encoder.transform(test[columns])) == test["ill"])
        assert found.frame.query("fold == @fold.number")["accuracy"].item() == pytest.approx(expected)


def test_the_table_is_tidy(people: Any) -> None:
    frame, schema = people
    learners = {**LOGISTIC, "SVC": LinearSVC(), "tree": DecisionTreeClassifier(max_depth=4, random_state=0)}
    found = tk.comparisons.study(frame, schema, "ill", learners, ks=(1, 5), cv=2, test="both")
    assert found.table.num_rows == 3 * 3 * 2 * 2 * 2
    assert not found.frame.duplicated(["method", "encoder", "learner", "k", "test", "fold"]).any()
    assert found.frame["accuracy"].between(0.5, 1).all()
    assert found.frame["auc"].between(0.5, 1).all()
    assert list(found.means["folds"].unique()) == [2]
    raw, coarse = accuracy(found, k=1, test="raw"), accuracy(found, k=1, test="generalized")
    assert raw == coarse
    assert accuracy(found, k=5, test="raw") != accuracy(found, k=5, test="generalized")
    text = str(found)
    assert "LR, raw test rows: accuracy in %" in text
    assert text.count("Generalization, ancestors") == 6


def test_the_same_state_gives_the_same_scores(people: Any) -> None:
    frame, schema = people
    one, same, other = (
        tk.comparisons.study(frame, schema, "ill", LOGISTIC, ks=[4], cv=2, random_state=s).table for s in (1, 1, 2)
    )
    assert one == same
    assert one != other


def test_weighted_cells_give_the_same_models(people: Any) -> None:
    frame, schema = people
    settings: dict[str, Any] = {"ks": [1, 5], "cv": 3}
    plain = tk.comparisons.study(frame, schema, "ill", LOGISTIC, **settings).frame
    weighted = tk.comparisons.study(frame, schema, "ill", LOGISTIC, weighted=True, **settings).frame
    assert np.abs(plain["accuracy"] - weighted["accuracy"]).max() < 0.005
    assert plain["auc"].to_numpy() == pytest.approx(weighted["auc"].to_numpy(), abs=0.002)
    with pytest.raises(InvalidParameter, match="sample_weight"):
        tk.comparisons.study(frame, schema, "ill", {"near": KNeighborsClassifier()}, weighted=["near"])
    near = tk.comparisons.study(frame, schema, "ill", {"near": KNeighborsClassifier()}, ks=[5], cv=2)
    assert near.table.num_rows == 6


def test_methods_and_encoders_of_ones_own(people: Any) -> None:
    frame, schema = people
    found = tk.comparisons.study(
        frame,
        schema,
        "ill",
        LOGISTIC,
        methods={
            "Mondrian": lambda k: tk.Generalization(k=k, partition=tk.partitions.Mondrian()),
            "noise": lambda k: tk.PkPerturbation(k=k, tells="all"),
        },
        encoders={"uniform": tk.encoders.RateEncoder(rates="uniform"), "groups": tk.encoders.GroupStatisticsEncoder()},
        ks=[1, 4],
        cv=2,
        weighted=True,
    )
    assert accuracy(found, k=1, method="Mondrian") == accuracy(found, k=1, method="noise")
    assert accuracy(found, k=4, method="noise") < accuracy(found, k=4, method="Mondrian")


@pytest.mark.parametrize(("kind", "made"), [("polars", pl.DataFrame), ("pyarrow", pa.Table), ("pandas", pd.DataFrame)])
def test_results_come_as_the_frame_that_went_in(people: Any, kind: str, made: type) -> None:
    frame, schema = people
    given = {"polars": pl.from_pandas(frame), "pyarrow": pa.Table.from_pandas(frame), "pandas": frame}[kind]
    found = tk.comparisons.study(
        given, schema, "ill", LOGISTIC, encoders={"leaves": tk.encoders.LeafEncoder()}, ks=[3], cv=2
    )
    assert isinstance(found.frame, made)
    assert isinstance(found.means, made)


def test_a_plot_shows_every_line(people: Any, tmp_path: Path) -> None:
    frame, schema = people
    found = tk.comparisons.study(frame, schema, "ill", LOGISTIC, ks=[1, 3], cv=2, test="both")
    drawn = found.plot(learner="LR", path=tmp_path / "study.svg").to_dict()
    assert (tmp_path / "study.svg").read_text().startswith("<svg")
    (data,) = drawn["datasets"].values() if "datasets" in drawn else (drawn["data"]["values"],)
    assert {(each["line"], each["k"], each["test"]) for each in data} == {
        (line, k, test) for line in ("leaves", "rates", "ancestors") for k in (1, 3) for test in ("raw", "generalized")
    }
    for wrong in ({"learner": "SVC"}, {"score": "f1"}, {"path": "study.txt"}):
        with pytest.raises(InvalidParameter):
            found.plot(**wrong)


def test_without_altair_it_says_what_to_install(people: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    frame, schema = people
    found = tk.comparisons.study(
        frame, schema, "ill", LOGISTIC, encoders={"leaves": tk.encoders.LeafEncoder()}, ks=[1], cv=2
    )
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(MissingDependency, match="tokumei\\[plots\\]"):
        found.plot()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"target": "il"}, "Did you mean 'ill'"),
        ({"target": "age"}, "must have a domain of categories"),
        ({"target": "town"}, "give it the role 'sensitive'"),
        ({"ks": [0]}, "ks must be whole numbers"),
        ({"ks": []}, "ks must be whole numbers"),
        ({"ks": 2}, "ks must be a list"),
        ({"cv": 1}, "cv must be at least 2"),
        ({"cv": 2.5}, "cv must be at least 2"),
        ({"test": "coarse"}, "test must be"),
        ({"learners": {}}, "learners must name at least one"),
        ({"hierarchies": {"tow": None}}, "Did you mean 'town'"),
        ({"weighted": ["SVC"]}, "not a learner"),
    ],
)
def test_what_cannot_be_studied_is_said_before_any_work(people: Any, changed: dict[str, Any], message: str) -> None:
    frame, schema = people
    with pytest.raises(InvalidParameter, match=message):
        tk.comparisons.study(frame, schema, **{"target": "ill", **changed})


def test_rare_targets_and_rows_left_out_are_refused(people: Any) -> None:
    frame, schema = people
    rare = frame.assign(ill=["yes"] + ["no"] * (N - 1))
    with pytest.raises(DataError, match="fewer rows than there are folds"):
        tk.comparisons.study(rare, schema, "ill", ks=[2])
    with pytest.raises(DataError, match="the same value in all rows"):
        tk.comparisons.study(frame.assign(ill="no"), schema, "ill", ks=[2])
    with pytest.raises(InvalidParameter, match="leaves out rows"):
        tk.comparisons.study(
            frame, schema, "ill", LOGISTIC, {"gone": lambda k: tk.RecordSuppression(k=k)}, ks=[3], test="generalized"
        )


def test_three_classes_have_an_accuracy_and_no_area(people: Any) -> None:
    frame, schema = people
    three = frame.assign(ill=np.array(["no", "yes", "so so"])[np.arange(N) % 3])
    wider = schema.replacing(replace(schema["ill"], domain=tk.Categories(["no", "yes", "so so"])))
    found = tk.comparisons.study(three, wider, "ill", LOGISTIC, ks=[2], cv=2, hierarchies={"town": [3]})
    assert found.frame["auc"].isna().all()
    assert found.frame["accuracy"].between(0, 1).all()
