"""What can be made of a generalized release: labels spread over their values, boxes, and refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import tokumei as tk
from tests.anonymizers.grouping import Halving, InTurn, make, small_table
from tokumei.arrays import Labels
from tokumei.errors import InvalidParameter, NotAtRandomWarning
from tokumei.partition.partition import Partition, Problem
from tokumei.values import value

Q = "quasi_identifier"
AGES = tk.Hierarchy.intervals([20, 30, 40, 50, 60], [20, 40, 60])


@pytest.fixture
def tree_schema(schema: tk.Schema) -> tk.Schema:
    return schema.replacing(tk.Attribute("age", Q, tk.Numbers(20, 60, step=1), AGES))


def test_a_global_recoding_is_inverted_by_its_kernel_of_zeros_and_ones(
    tree_schema: tk.Schema, people: dict[str, list[Any]]
) -> None:
    made = make(people, tree_schema, tk.Generalization(k=5, partition=tk.partitions.Optimal()))
    release, table = made.release, made.table
    level = next(fact.value for fact in release.disclosed if fact.name == "levels")
    estimate = tk.IterativeBayes(["age", "ill"]).fit(release)
    _, group = AGES.coarsen(tree_schema["age"].domain, level["age"]) if level["age"] <= 2 else (None, np.zeros(41, int))
    true = np.zeros((group.max() + 1, 2))
    np.add.at(true, (group[table.codes("age")], table.codes("ill")), 1 / 60)
    found = np.zeros_like(true)
    np.add.at(found, group, estimate.pmf_)
    assert found == pytest.approx(true)  # what is not recoded away comes back exactly
    assert estimate.pmf_[group == 0] == pytest.approx(
        np.broadcast_to(true[0] / (group == 0).sum(), ((group == 0).sum(), 2))
    )
    assert estimate.pmf_.shape == (41, 2)
    halves = tk.IterativeBayes(["age"], bins={"age": [20, 40, 60]}).fit(release).pmf_
    ages = estimate.pmf_.sum(axis=1)
    assert halves == pytest.approx([ages[:20].sum(), ages[20:].sum()], abs=1e-3)


def test_missing_cells_are_inverted_as_released() -> None:
    """At their own level they are missing; where only a star covers them too, they are part of it."""
    tree = tk.Hierarchy.groups({"all": ["x", "y"]})
    schema = tk.Schema([tk.Attribute("a", Q, tk.Categories(["x", "y"]), tree, missing=True)])
    for rows, expected in (
        (["x"] * 6 + ["y"] * 2 + [None] * 4, [1 / 3, 1 / 3, 1 / 3]),
        (["x"] * 6 + ["y"] * 3 + [None] * 3, [1 / 3, 1 / 3, 1 / 3]),
    ):
        release = make(pa.table({"a": rows}), schema, tk.Generalization(k=4, partition=tk.partitions.Optimal())).release
        if rows.count(None) == 4:
            assert tk.IterativeBayes(["a"]).fit(release).pmf_ == pytest.approx(expected, abs=1e-6)
        else:
            with pytest.raises(InvalidParameter, match="suppressed in every row"):
                tk.IterativeBayes(["a"]).fit(release)
        assert release.schema["a"].missing == (rows.count(None) == 4)


def test_groups_that_do_not_overlap_are_spread_over_their_boxes(
    schema: tk.Schema, people: dict[str, list[Any]]
) -> None:
    release = make(people, schema, tk.Generalization(k=10, partition=Halving())).release
    assert release.mechanism.recoding.scheme == "disjoint"
    estimate = tk.IterativeBayes(["age", "ill"]).fit(release)
    spread = np.zeros((41, 2))
    column = release.mechanism.recoding.columns["age"]
    for code, ill in zip(release.coded.codes("age"), release.coded.codes("ill"), strict=True):
        low, high = column.stretches[code]
        spread[low : high + 1, ill] += 1 / 60 / (high - low + 1)
    assert estimate.pmf_ == pytest.approx(spread, abs=1e-6)
    wide = tk.IterativeBayes(["age"], bins={"age": 4}).fit(release).pmf_
    assert wide.sum() == pytest.approx(1)
    estimate.intervals()


def test_groups_that_overlap_are_not_inverted(schema: tk.Schema, people: dict[str, list[Any]]) -> None:
    release = make(people, schema, tk.Generalization(k=4, partition=InTurn())).release
    assert release.mechanism.recoding.scheme == "overlapping"
    with pytest.raises(InvalidParameter, match="groups that overlap.*partition=Optimal"):
        tk.IterativeBayes(["age"]).fit(release)
    assert tk.IterativeBayes(["ill"]).fit(release).pmf_ == pytest.approx([0.75, 0.25])


@value
class ByChance(Partition):
    """Each row by one of four ways of cutting the line, drawn without looking at it: coarsened at random."""

    def group(self, problem: Problem) -> Labels:
        rows = problem.rows[:, 0]
        way = np.random.default_rng(0).integers(0, 4, len(rows))
        cells = way * 1000 + (rows + way) // np.array([2, 2, 3, 5])[way]
        return np.unique(cells, return_inverse=True)[1].astype(np.int32)


def test_overlapping_boxes_are_likelihoods_only_under_a_named_assumption() -> None:
    shares = np.array([0.05, 0.2, 0.1, 0.02, 0.13, 0.1, 0.2, 0.05, 0.05, 0.1])
    frame = pd.DataFrame({"age": np.random.default_rng(3).choice(10, 30_000, p=shares)})
    one = tk.Schema([tk.Attribute("age", domain=tk.Numbers(0, 9, step=1))])
    release = tk.anonymize(frame, one, tk.Generalization(k=40, partition=ByChance()), seed=1)
    assert release.mechanism.recoding.scheme == "overlapping"
    with pytest.warns(tk.errors.AssumptionWarning, match="rare values may be estimated far too low"):
        model = tk.IterativeBayes(["age"], assume="coarsened at random").fit(release)
    assert model.pmf_ == pytest.approx(shares, abs=0.02)
    with pytest.warns(tk.errors.AssumptionWarning):
        binned = tk.IterativeBayes(["age"], {"age": [0, 5, 9]}, assume="coarsened at random").fit(release)
    assert binned.pmf_ == pytest.approx([0.5, 0.5], abs=0.05)  # as if even inside bins
    with pytest.raises(InvalidParameter, match="assume must be"):
        tk.IterativeBayes(["age"], assume="hope").fit(release)


def test_smoothing_of_overlapping_boxes_holds_to_each_column_s_own_estimate() -> None:
    """A box that overlaps others is no event of a distribution, so a column's likelihood may exceed that of exact counts."""
    shares = np.array([0.05, 0.2, 0.1, 0.02, 0.13, 0.1, 0.2, 0.05, 0.05, 0.1])
    chance = np.random.default_rng(3)
    frame = pd.DataFrame({"age": chance.choice(10, 30_000, p=shares), "ill": chance.random(30_000) < 0.2})
    two = tk.Schema(
        [
            tk.Attribute("age", domain=tk.Numbers(0, 9, step=1)),
            tk.Attribute("ill", "sensitive", tk.Categories([False, True])),
        ]
    )
    release = tk.anonymize(frame, two, tk.Generalization(k=40, partition=ByChance()), seed=1)
    with pytest.warns(tk.errors.AssumptionWarning):
        model = tk.IterativeBayes(["age", "ill"], smoothing=50, assume="coarsened at random").fit(release)
    with pytest.warns(tk.errors.AssumptionWarning):
        alone = tk.IterativeBayes(["age"], smoothing=50, assume="coarsened at random").fit(release)
    (imagined,) = model._priors
    assert imagined.sum(axis=1) / 50 == pytest.approx(0.99 * alone.pmf_ + 0.001, abs=1e-4)


def test_estimates_without_suppressed_rows_say_so() -> None:
    table, schema = small_table()
    release = make(
        table, schema, tk.Generalization(k=5, suppression_limit=0.2, partition=tk.partitions.Optimal())
    ).release
    with pytest.warns(NotAtRandomWarning, match="2 rows were suppressed.*the other 16,"):
        found = tk.IterativeBayes(["a"]).fit(release)
    assert found.counts_.sum() == pytest.approx(16)
    long = pa.table({"a": ["x"] * 8 + ["y"] * 8 + ["z"] * 2 + ["w"] * 4, "s": ["p", "q"] * 11})
    wider = schema.replacing(tk.Attribute("a", Q, tk.Categories(["x", "y", "z", "w"])))
    starred = make(
        long, wider, tk.Generalization(k=5, suppression_limit=0.5, partition=tk.partitions.Optimal())
    ).release
    assert starred.suppressed.sum() == 6
    with pytest.warns(NotAtRandomWarning, match="6 rows were suppressed.*the other 16,"):
        found = tk.IterativeBayes(["a"]).fit(starred)
    assert found.pmf_ == pytest.approx([0.5, 0.5, 0, 0], abs=1e-4)
    assert found.counts_.sum() == pytest.approx(16)
    assert tk.IterativeBayes(["s"]).fit(starred).counts_.sum() == pytest.approx(22)


def test_other_tools_say_that_they_are_for_perturbed_columns(
    tree_schema: tk.Schema, people: dict[str, list[Any]]
) -> None:
    release = make(people, tree_schema, tk.Generalization(k=5, partition=tk.partitions.Optimal())).release
    with pytest.raises(InvalidParameter, match="has generalized ones"):
        tk.ClassConditionalClassifier("ill").fit(release)
    with pytest.raises(InvalidParameter, match="tk.check"):
        tk.attack(pa.table(people), tk.Generalization(k=5, partition=tk.partitions.Optimal()), tree_schema)
