"""Two routes at the same k."""

from __future__ import annotations

from pathlib import Path

import pytest
from sklearn.tree import DecisionTreeClassifier

import tokumei as tk
from tokumei.errors import InvalidParameter
from tokumei.utility import routes as module

FRAME, SCHEMA = tk.example_census(rows=3000), tk.example_schema()


@pytest.fixture(scope="module")
def found() -> module.Routes:
    return tk.comparisons.compare_routes(FRAME, SCHEMA, "income", ks=[2, 20], cv=2)


def test_both_routes_meet_in_one_table(found: module.Routes) -> None:
    frame = found.frame
    assert len(frame) == 2 * (1 + 2 * 2)
    assert set(frame["route"]) == {module.AS_IT_IS, module.ENCODE, module.RECONSTRUCT}
    assert set(frame.loc[frame["route"] == module.RECONSTRUCT, "model"]) <= {
        "AveragedClassifier", "CorrectedLogisticRegression",
    }  # fmt: skip
    means = found.means.set_index(["route", "k"])["accuracy"]
    assert means[module.AS_IT_IS, 1] >= means[module.ENCODE, 20] - 0.01
    assert means[module.ENCODE, 2] > 0.3
    best = found.better(20)
    assert means[best, 20] == max(means[module.ENCODE, 20], means[module.RECONSTRUCT, 20])
    assert f"Best at k = 20: {best}." in str(found)


def test_a_route_that_keeps_nothing_is_no_better_than_guessing() -> None:
    """Noise for a k near the number of rows drowns everything: the commonest class is what is left."""
    two = FRAME.assign(income=(FRAME["income"].isin(["50k to 100k", "over 100k"])).map({True: "high", False: "low"}))
    schema = tk.Schema(
        [
            a if a.name != "income" else tk.Attribute("income", "sensitive", tk.Categories(["low", "high"]))
            for a in SCHEMA
        ]
    )
    found = tk.comparisons.compare_routes(
        two, schema, "income", {"tree": DecisionTreeClassifier(max_depth=5, random_state=0)}, ks=[2], cv=2,
        perturbed=lambda k: tk.PkPerturbation(k=1400, tells="all"),
    )  # fmt: skip
    means = found.means.set_index("route")
    commonest = two["income"].value_counts(normalize=True).max()
    assert means.loc[module.RECONSTRUCT, "accuracy"] == pytest.approx(commonest, abs=0.02)
    assert means.loc[module.RECONSTRUCT, "auc"] < means.loc[module.ENCODE, "auc"]
    assert found.better(2, "auc") == module.ENCODE


def test_it_can_be_drawn(found: module.Routes, tmp_path: Path) -> None:
    found.plot(path=tmp_path / "routes.svg")
    assert "perturbed, reconstructed" in (tmp_path / "routes.svg").read_text()


def test_what_cannot_be_compared_is_said(found: module.Routes) -> None:
    with pytest.raises(InvalidParameter, match="a number above 1"):
        tk.comparisons.compare_routes(FRAME, SCHEMA, "income", ks=[1])
    with pytest.raises(InvalidParameter, match="at least one"):
        tk.comparisons.compare_routes(FRAME, SCHEMA, "income", {})
    with pytest.raises(InvalidParameter, match="that was compared"):
        found.better(3)
