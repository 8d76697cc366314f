"""Axes: trees and ranges as stretches of a line."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tokumei import Attribute, Categories, Hierarchy, Numbers
from tokumei.table.axis import axis_of

TREE = Hierarchy.groups(
    {"north": ["A", "D"], "south": ["C"], "west": ["B", "E"]}, {"mainland": ["north", "west"], "island": ["south"]}
)


@pytest.mark.parametrize("missing", [False, True])
def test_the_closure_is_the_smallest_label_over_a_set(missing: bool) -> None:
    domain = Categories(["A", "B", "C", "D", "E"])
    axis = axis_of(Attribute("place", domain=domain, hierarchy=TREE, missing=missing))
    rows = {row[0]: row for row in TREE.rows}
    everything = set(range(5 + missing))
    labels = [{c} for c in everything]
    for level in (1, 2):
        for label in {row[level] for row in TREE.rows}:
            labels.append({c for c, value in enumerate(domain.values) if rows[value][level] == label})
    labels.append(everything)
    for size in range(1, len(everything) + 1):
        for codes in itertools.combinations(everything, size):
            places = axis.place[list(codes)]
            low, high = axis.closure(places.min(), places.max())
            covered = {c for c in everything if low <= axis.place[c] <= high}
            assert covered == min((label for label in labels if label >= set(codes)), key=len)


def test_free_ranges_cover_no_more_than_they_must() -> None:
    axis = axis_of(Attribute("age", domain=Numbers(0, 9, step=1)))
    low, high = axis.closure([2, 0], [5, 9])
    assert list(zip(low.tolist(), high.tolist(), strict=True)) == [(2, 5), (0, 9)]
    assert np.allclose(axis.loss(low, high), [3 / 9, 1])


def test_a_missing_number_is_covered_by_everything_only() -> None:
    axis = axis_of(Attribute("age", domain=Numbers(0, 9, step=1), missing=True))
    assert axis.closure(10, 10) == (10, 10)
    assert axis.closure(3, 10) == (0, 10)
    assert axis.closure(3, 5) == (3, 5)
