"""Clusters first, then groups."""

from __future__ import annotations

import numpy as np
import pytest

from tests.partition.problems import range_axis, tree_axis
from tokumei.errors import InfeasiblePromise, InvalidParameter
from tokumei.partition import DBSCAN, Mondrian
from tokumei.partition.dbscan import scaled, suggest_eps
from tokumei.partition.partition import Problem


def two_clusters(strays: int = 3) -> Problem:
    rng = np.random.default_rng(0)
    near = rng.normal(200, 20, (150, 2))
    far = rng.normal(800, 20, (150, 2))
    alone = np.array([[0, 999], [999, 0], [500, 500], [0, 0], [999, 999]])[:strays]
    rows = np.clip(np.concatenate([near, far, alone]), 0, 999).astype(np.int32)
    return Problem(rows, (range_axis(1000), range_axis(1000)), 5)


def test_no_group_reaches_into_two_clusters() -> None:
    problem = two_clusters(0)
    labels = DBSCAN(then=Mondrian(min_size=50)).group(problem)
    assert not set(labels[:150]) & set(labels[150:])
    assert np.bincount(labels).min() >= 50


def test_what_happens_to_outliers() -> None:
    problem = two_clusters()
    dropped = DBSCAN(eps=0.05, outliers="drop").group(problem)
    assert (dropped[-3:] == -1).all()
    assert np.bincount(dropped[dropped >= 0]).min() >= 5
    near = DBSCAN(eps=0.05, outliers="nearest").group(problem)
    assert near.min() == 0
    few = DBSCAN(eps=0.05, outliers="group").group(problem)  # three are not enough for a group of their own
    assert few.min() == 0
    own = DBSCAN(eps=0.05, outliers="group").group(two_clusters(5))
    assert len(set(own[-5:])) == 1 and not set(own[-5:]) & set(own[:300])


def test_clusters_too_small_for_a_group_are_outliers() -> None:
    problem = two_clusters(0)
    company = np.repeat(np.array([[500, 10]], dtype=np.int32), 8, axis=0)
    problem = Problem(np.concatenate([problem.rows, company]), problem.axes, 5)
    assert (DBSCAN(eps=0.05, outliers="drop").group(problem)[-8:] >= 0).all()
    labels = DBSCAN(eps=0.05, outliers="drop", then=Mondrian(min_size=20)).group(problem)
    assert (labels[-8:] == -1).all()


def test_the_bend_lies_between_the_clusters_and_the_strays() -> None:
    points = scaled(two_clusters())
    eps = suggest_eps(points, 5)
    assert 0.005 < eps < 0.1
    assert suggest_eps(np.zeros((20, 2)), 5) == 1e-9
    found = DBSCAN(outliers="drop").clusters(points, 5)
    assert (found[-3:] == -1).all() and set(found) == {-1, 0, 1}


def test_labels_without_an_order_are_one_apart() -> None:
    problem = Problem(np.array([[0], [1], [2]], dtype=np.int32), (tree_axis([], 3),), 2)
    points = scaled(problem)
    assert np.allclose([np.linalg.norm(points[i] - points[j]) for i, j in ((0, 1), (0, 2), (1, 2))], 1)
    with pytest.raises(InvalidParameter, match="at most 64"):
        scaled(Problem(np.zeros((3, 1), dtype=np.int32), (tree_axis([], 65),), 2))


def test_what_it_refuses() -> None:
    with pytest.raises(InvalidParameter, match="eps must be a number above 0"):
        DBSCAN(eps=0)
    with pytest.raises(InvalidParameter, match="min_samples must be"):
        DBSCAN(min_samples=1)
    scattered = Problem(np.arange(0, 1000, 50, dtype=np.int32)[:, None], (range_axis(1000),), 2)
    with pytest.raises(InfeasiblePromise, match="0 rows would be left"):
        DBSCAN(eps=0.001, outliers="drop").group(scattered)
    assert (DBSCAN(eps=0.001).group(scattered) >= 0).all()
