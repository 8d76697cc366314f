"""Distances of distributions: counted by hand, and what holds for any two."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import wasserstein_distance

from tokumei.utility.associations import correlation, cramers_v
from tokumei.utility.distances import hellinger, overlap, total_variation, wasserstein

DISTANCES = [total_variation, hellinger, wasserstein]

weights = st.lists(st.integers(0, 20), min_size=4, max_size=4).filter(any)


def shares(counts: list[int]) -> np.ndarray:
    return np.array(counts) / sum(counts)


@pytest.mark.parametrize("distance", DISTANCES)
@given(first=weights, second=weights)
def test_distances_are_symmetric_and_within_bounds(distance, first: list[int], second: list[int]) -> None:
    p, q = shares(first), shares(second)
    found = distance(p, q)
    assert found == pytest.approx(distance(q, p), abs=1e-12)
    assert -1e-12 <= found <= 1 + 1e-9
    assert distance(p, p) == 0
    assert (found < 1e-12) == np.allclose(p, q, atol=1e-12)


@given(first=weights, second=weights, third=weights)
def test_distances_keep_the_triangle(first: list[int], second: list[int], third: list[int]) -> None:
    p, q, r = shares(first), shares(second), shares(third)
    for distance in DISTANCES:
        assert distance(p, r) <= distance(p, q) + distance(q, r) + 1e-9


@given(first=weights, second=weights)
def test_wasserstein_is_scipys_on_a_line_of_length_one(first: list[int], second: list[int]) -> None:
    places = np.linspace(0, 1, 4)
    expected = wasserstein_distance(places, places, shares(first), shares(second))
    assert wasserstein(shares(first), shares(second)) == pytest.approx(expected, abs=1e-9)


def test_hellinger_by_hand() -> None:
    assert hellinger([0.25, 0.75], [1.0, 0.0]) == pytest.approx(np.sqrt((0.25 + 0.75) / 2))


@pytest.mark.parametrize(
    ("intervals", "expected"),
    [
        ((0, 2, 0, 2), 1.0),
        ((0, 2, 3, 4), 0.0),
        ((0, 4, 1, 2), (1 / 4 + 1) / 2),
        ((1, 1, 1, 1), 1.0),
        ((1, 1, 0, 2), 0.0),
    ],
)
def test_overlap_by_hand(intervals: tuple[float, ...], expected: float) -> None:
    assert overlap(*intervals) == pytest.approx(expected)
    assert overlap(*intervals[2:], *intervals[:2]) == pytest.approx(expected)


def test_correlation_is_numpys() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 5, 400), rng.integers(0, 3, 400)
    y = np.minimum(y + (x > 2), 2)
    table = np.zeros((5, 3))
    np.add.at(table, (x, y), 1)
    places = np.arange(5) / 4, np.arange(3) / 2
    assert correlation(table, *places) == pytest.approx(np.corrcoef(x, y)[0, 1])
    assert correlation(table, places[0], np.zeros(3)) == 0
    assert correlation(np.zeros((2, 2)), np.arange(2.0), np.arange(2.0)) == 0


def test_cramers_v_is_that_of_chi_squared() -> None:
    from scipy.stats.contingency import association

    table = np.array([[12, 3, 0], [5, 9, 2]])
    assert cramers_v(table.astype(float)) == pytest.approx(association(table, method="cramer"))
    assert cramers_v(np.outer([1.0, 3.0], [2.0, 5.0])) == pytest.approx(0, abs=1e-9)
    assert cramers_v(np.array([[1.0, 2.0], [0.0, 0.0]])) == 0
