"""What is expected of tables before anything is fitted: by hand, by formula, and against what is measured."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tokumei as tk
from tokumei.engines.local import prepared_table
from tokumei.mechanism.expected_errors import EMPTY, FOLDED, NOISE, Part, errors_of_channels, expected_errors
from tokumei.mechanism.retention import Retention
from tokumei.reconstruction._worth import told
from tokumei.reconstruction.quality import expected_quality
from tokumei.utility.quick import Quick


def released(method: Any, rows: int = 2000) -> tk.Release:
    return tk.anonymize(tk.example_census(rows=rows), tk.example_schema(), method, seed=1)


def test_a_column_with_retention_is_off_by_what_its_inverse_says() -> None:
    """Kept with probability .8, 4 labels, 1000 rows: 1/M = (1/.64 - 1)/1000."""
    schema = tk.Schema([tk.Attribute("x", "quasi_identifier", tk.Categories(list("abcd")))])
    rows = pd.DataFrame({"x": list("abcd") * 250})
    method = tk.PRAM({"x": tk.transitions.KeepOrReplace(0.8)})
    channel = tk.anonymize(rows, schema, method, seed=1).mechanism.channels["x"]
    share = told(channel.matrix(), np.full(4, 0.25), np.eye(4))
    noise = NOISE * FOLDED * math.sqrt(3 * (1 / share - 1) / 1000)
    found = expected_quality(tk.anonymize(rows, schema, method, seed=1))
    assert found.columns[0].how == "noise"
    assert found.one == pytest.approx(1 / math.sqrt(noise**-2 + EMPTY**-2))
    assert found.two is None
    assert found.pairs == {}


def test_the_share_of_retention_is_its_square() -> None:
    channel = Retention.solve(7, Fraction(1, 20))
    assert told(channel.matrix(), np.full(7, 1 / 7), np.eye(7)) == pytest.approx(channel.retention**2)


def test_told_columns_have_the_error_that_the_data_holder_was_told() -> None:
    """The analyst's figures come from the manifest, the holder's from the plan: they are the same."""
    release = released(tk.PkPerturbation(k=10, tells=2))
    telling = release.mechanism.telling
    assert telling is not None
    names = list(telling.columns)
    clusters = np.array([[names.index(name) for name in each.columns] for each in telling.clusters])
    cells = np.array([telling.columns[name].cells(0) for name in names], dtype=float)
    by_hand = expected_errors([Part(clusters, np.ones(len(clusters)), cells)], 2000, float(telling.swap))
    found = expected_quality(release)
    told_ones = [each for each in found.columns if each.how == "told"]
    assert [each.name for each in told_ones] == names
    assert [each.alone for each in told_ones] == pytest.approx(by_hand.one)
    for (i, one), (j, other) in [((0, names[0]), (1, names[1])), ((2, names[2]), (5, names[5]))]:
        assert found.pairs[one, other] == pytest.approx(by_hand.two[i, j])
    assert found.never_together == ()


@pytest.mark.parametrize(
    "method",
    [tk.PkPerturbation(k=10, tells=2), tk.PkPerturbation(k=3, tells="all"), tk.PkPerturbation(k=3, sample=0.2)],
)
def test_it_is_about_what_is_measured(method: Any) -> None:
    """Means over the columns, and over pairs of them, are within a factor of two of what one reconstruction is off by."""
    people, schema = tk.example_census(rows=6000), tk.example_schema()
    release = tk.anonymize(people, schema, method, seed=2)
    found = expected_quality(release)
    side = Quick(prepared_table(people, schema, ())).undone(release, n_init=1).side
    one = np.mean([side.marginals[each.name].total_variation for each in found.uncertain])
    two = np.mean([each.total_variation for pair, each in side.pairs.items() if found.pairs[pair]])
    assert found.one is not None
    assert found.two is not None
    assert 0.5 < found.one / one < 2
    assert 0.5 < found.two / two < 2


def test_more_rows_help_and_more_privacy_costs() -> None:
    few, many = (expected_quality(released(tk.PkPerturbation(k=10, tells=2), rows)) for rows in (1000, 4000))
    safe, safer = (expected_quality(released(tk.PkPerturbation(k=k, tells="all"))) for k in (2, 50))
    assert many.one < few.one  # type: ignore[operator]
    assert many.two < few.two  # type: ignore[operator]
    assert safe.two < safer.two  # type: ignore[operator]


def test_unchanged_columns_have_no_error_unless_they_are_sampled() -> None:
    whole = expected_quality(released(tk.PkPerturbation(k=3, tells="all")))
    income = whole.columns[-1]
    assert (income.name, income.how, income.alone) == ("income", "kept", 0.0)
    assert income not in whole.uncertain
    assert not whole.sampled
    part = expected_quality(released(tk.PkPerturbation(k=3, tells="all", sample=0.5)))
    assert part.sampled
    assert part.columns[-1].alone == pytest.approx(FOLDED * math.sqrt(3 * 0.5 / 1000), rel=0.01)


def test_what_the_noise_has_drowned_is_named() -> None:
    few = released(tk.PkPerturbation(k=20, tells="all"), 600)
    found = expected_quality(few)
    assert {"age", "hours"} <= set(found.next_to_nothing)
    assert "sex" not in found.next_to_nothing
    assert ("age", "hours") in found.drowned
    assert all("income" not in pair or found.pairs[pair] for pair in found.drowned)
    one_each = expected_quality(released(tk.PkPerturbation(k=5, tells=1)))
    assert len(one_each.never_together) == math.comb(7, 2)
    assert not set(one_each.never_together) & set(one_each.drowned)


def test_labels_boxes_and_averages_have_no_stated_error() -> None:
    release = released(tk.Generalization(k=5, partition=tk.partitions.Mondrian()), 300)
    found = expected_quality(release)
    assert found.one is None
    recoding = release.mechanism.recoding
    assert recoding is not None and len(found.names("labels")) > 3
    for each in found.columns[:-1]:
        column = recoding.columns[each.name]
        wide, every = set(column.covers.sum(axis=1).tolist()), column.covers.shape[1]
        assert each.how == ("labels" if wide - {1, every} else "cells" if every in wide else "kept")
        covered = [column.covers[code].sum() for code in release.coded.codes(each.name)]
        assert each.covers == pytest.approx(np.mean(covered) / column.original.states)
    boxes = expected_quality(released(tk.GroupedPkPerturbation(k=5), 300))
    assert set(boxes.names("groups")) == {each.name for each in found.columns} - {"income"}
    assert all(0 < each.covers <= 1 for each in boxes.columns if each.covers is not None)
    averaged = expected_quality(released(tk.Microaggregation(k=5), 300))
    assert averaged.names("averaged") == boxes.names("groups")
    assert averaged.names("kept") == ("income",)


def test_channels_that_keep_everything_or_nothing() -> None:
    found = errors_of_channels(np.array([4.0, 3.0]), np.array([1.0, 0.0]), 100)
    assert found.one == pytest.approx([0.0, EMPTY], abs=1e-3)
    assert np.all(np.isfinite(found.two))
