"""Groupings of points: against plain twins, against the best there is, and on awkward tables."""

from __future__ import annotations

import itertools
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from scipy.sparse.csgraph import dijkstra

import tokumei as tk
from tests.partition.microaggregation.plain import (
    as_sets,
    best_squares,
    cuts,
    groups_of,
    plain_farthest_first,
    plain_mdav,
    plain_path,
    plain_v_mdav,
    squares,
)
from tokumei.errors import InfeasiblePromise, InvalidParameter
from tokumei.partition.microaggregation import POINT_PARTITIONS, farthest_first, local_search
from tokumei.partition.microaggregation.merging import merge_failing_points
from tokumei.partition.microaggregation.near_exact import K
from tokumei.partition.microaggregation.path._kernels import nearest_point_next
from tokumei.partition.microaggregation.path.cut import cut
from tokumei.partition.microaggregation.points import Points, information_loss
from tokumei.partition.microaggregation.tree import blocks_of, tree_of

EVERY = [partition() for partition in POINT_PARTITIONS]
named = pytest.mark.parametrize("partition", EVERY, ids=str)


def cloud(seed: int, count: int, columns: int) -> Any:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(count, columns)) + 3.0 * rng.integers(0, 4, size=(count, 1))


SIZES = [
    (partition, k, count)
    for partition, k, count in itertools.product(EVERY, [1, 2, 3, 7], [7, 20, 61, 300])
    if not isinstance(partition, tk.partitions.NearExact) or (k <= K and count <= 61)  # it takes small tables
]


@pytest.mark.parametrize("columns", [1, 2, 5])
@pytest.mark.parametrize(("partition", "k", "count"), SIZES, ids=str)
def test_every_row_has_a_group_of_at_least_k(partition: Any, columns: int, k: int, count: int) -> None:
    labels = partition.group(Points(cloud(count, count, columns), k))
    sizes = np.bincount(labels)
    assert len(labels) == count and sizes.min() >= k
    assert np.array_equal(labels, partition.group(Points(cloud(count, count, columns), k)))


@named
@pytest.mark.parametrize("rows", [np.zeros((40, 3)), np.repeat(np.eye(4), 10, axis=0), np.full((9, 1), 5.0)])
def test_rows_that_are_alike_lose_nothing(partition: Any, rows: Any) -> None:
    labels = partition.group(Points(rows, 3))
    assert np.bincount(labels).min() >= 3
    if len(np.unique(rows, axis=0)) == 1:
        assert information_loss(rows, labels) == 0.0


def test_the_search_finds_groups_of_copies() -> None:
    rows = np.repeat(cloud(1, 30, 3), 4, axis=0)
    assert information_loss(rows, tk.partitions.LocalSearch().group(Points(rows, 4))) < 1e-9


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("k", [2, 3, 5])
def test_groups_are_those_of_the_plain_twins(seed: int, k: int) -> None:
    rows = cloud(seed, 40 + seed, 1 + seed % 4)
    points = Points(rows, k)
    assert as_sets(tk.partitions.MDAV().group(points)) == plain_mdav(rows, k)
    assert as_sets(tk.partitions.FarthestFirst().group(points)) == plain_farthest_first(rows, k)
    for gain in (0.0, 0.2, 1.1):
        assert as_sets(tk.partitions.VMDAV(gain).group(points)) == plain_v_mdav(rows, k, gain)
    assert nearest_point_next(rows).tolist() == plain_path(rows)


@pytest.mark.parametrize("seed", range(10))
def test_the_cut_of_an_order_is_the_best(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows, k = 1e3 + cloud(seed, int(rng.integers(6, 13)), 2), int(rng.integers(2, 4))
    order = rng.permutation(len(rows))
    found = cut(Points(rows, k), order)
    best = min(squares(rows, [order[list(part)].tolist() for part in pieces]) for pieces in cuts(len(rows), k))
    assert squares(rows, groups_of(found)) == pytest.approx(best)
    assert all(np.ptp(np.flatnonzero(np.isin(order, group))) == len(group) - 1 for group in groups_of(found))


@pytest.mark.parametrize("k", [2, 3, 6])
@pytest.mark.parametrize("seed", range(3))
def test_the_cut_is_the_shortest_path_through_the_graph_of_groups(seed: int, k: int) -> None:
    """The same by another way: every group that the order allows is an edge that costs its own sum of squares."""
    rows = 1e3 + cloud(seed, 80 + seed, 3)
    order = np.random.default_rng(seed).permutation(len(rows))
    edges = scipy.sparse.lil_array((len(rows) + 1, len(rows) + 1))
    for start in range(len(rows)):
        for stop in range(start + k, min(start + 2 * k, len(rows) + 1)):
            edges[start, stop] = squares(rows, [order[start:stop].tolist()])
    shortest = dijkstra(scipy.sparse.csr_array(edges), indices=0)[-1]
    assert squares(rows, groups_of(cut(Points(rows, k), order))) == pytest.approx(shortest)


@pytest.mark.parametrize("seed", range(8))
def test_one_column_is_grouped_best(seed: int) -> None:
    rows, k = cloud(seed, 9, 1), 2 + seed % 2
    labels = tk.partitions.LocalSearch().group(Points(rows, k))
    assert squares(rows, groups_of(labels)) == pytest.approx(best_squares(rows, k))


def test_a_thorough_search_of_a_few_rows_finds_nearly_the_best() -> None:
    reached = []
    for seed in range(12):
        rows, k = cloud(seed, 9, 2), 2 + seed % 2
        found = squares(rows, groups_of(tk.partitions.LocalSearch(thorough=True).group(Points(rows, k))))
        best = best_squares(rows, k)
        assert best <= found * (1 + 1e-9)
        reached.append(found <= best * (1 + 1e-9))
    assert sum(reached) >= 10


@pytest.mark.parametrize("k", [3, 5, 10])
def test_each_step_of_the_search_loses_less(k: int) -> None:
    rows = cloud(5, 600, 4)
    points = Points(rows, k)
    start = information_loss(rows, tk.partitions.FarthestFirst().group(points))
    usual = information_loss(rows, tk.partitions.LocalSearch().group(points))
    thorough = information_loss(rows, tk.partitions.LocalSearch(thorough=True).group(points))
    assert thorough < usual < 0.97 * start
    assert usual < information_loss(rows, tk.partitions.MDAV().group(points))


def test_a_large_table_is_searched_in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = cloud(6, 3000, 3)
    usual = tk.partitions.LocalSearch().group(Points(rows, 4))
    monkeypatch.setattr(local_search, "FEW", 1000)
    hurried = tk.partitions.LocalSearch().group(Points(rows, 4))
    start = information_loss(rows, tk.partitions.FarthestFirst().group(Points(rows, 4)))
    assert information_loss(rows, usual) < information_loss(rows, hurried) < start


def test_a_large_table_is_grouped_block_by_block(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, k = cloud(7, 1000, 2), 5
    whole = information_loss(rows, tk.partitions.FarthestFirst().group(Points(rows, k)))
    monkeypatch.setattr(farthest_first, "BLOCK", 100)
    labels = tk.partitions.FarthestFirst().group(Points(rows, k))
    assert np.bincount(labels).min() == k
    order, edges = blocks_of(rows, 100)
    for start, stop in pairwise(edges):
        inside = np.sort(order[start:stop])
        groups = plain_farthest_first(rows[inside], k)
        assert as_sets(labels[inside]) == groups
    assert information_loss(rows, labels) < 1.5 * whole
    assert tk.partitions.FarthestFirst().group(Points(rows, 400)).max() == 1  # blocks are never smaller than two groups


@pytest.mark.parametrize("threads", ["1", "2", "5"])
def test_the_number_of_threads_changes_nothing(threads: str, monkeypatch: pytest.MonkeyPatch) -> None:
    points = Points(cloud(8, 3000, 3), 4)
    monkeypatch.setattr(farthest_first, "BLOCK", 500)
    monkeypatch.setenv("TOKUMEI_THREADS", "3")
    searched, grouped = tk.partitions.LocalSearch().group(points), tk.partitions.FarthestFirst().group(points)
    monkeypatch.setenv("TOKUMEI_THREADS", threads)
    assert np.array_equal(searched, tk.partitions.LocalSearch().group(points))
    assert np.array_equal(grouped, tk.partitions.FarthestFirst().group(points))


def test_the_information_loss_is_the_share_of_squares() -> None:
    rows, labels = cloud(2, 50, 3), np.arange(50, dtype=np.int32) % 7
    whole = squares(rows, [list(range(50))])
    assert information_loss(rows, labels) == pytest.approx(100 * squares(rows, groups_of(labels)) / whole)


@pytest.mark.parametrize("leaf", [1, 2, 5, 100])
def test_a_tree_holds_every_row_once_inside_its_boxes(leaf: int) -> None:
    rows = np.round(cloud(3, 77, 3))
    tree = tree_of(rows, leaf)
    assert sorted(tree.order.tolist()) == list(range(77))
    for node in range(len(tree.start)):
        inside = rows[tree.order[tree.start[node] : tree.stop[node]]]
        assert np.array_equal(inside.min(axis=0), tree.low[node])
        assert np.array_equal(inside.max(axis=0), tree.high[node])
        if tree.child[node] < 0:
            assert len(inside) <= leaf
        else:
            assert tree.parent[tree.child[node]] == tree.parent[tree.child[node] + 1] == node
    order, edges = blocks_of(rows, leaf)
    assert sorted(order.tolist()) == list(range(77))
    assert edges[0] == 0 and edges[-1] == 77 and np.diff(edges).min() >= 1 and np.diff(edges).max() <= leaf


class Marked:
    """Holds for groups that have a row whose number divides by nine."""

    def holds(self, labels: Any, groups: int) -> Any:
        return np.bincount(labels[::9], minlength=groups) > 0


def test_groups_that_fail_are_merged_with_neighbours_until_all_hold() -> None:
    rows = cloud(4, 200, 2)
    before = tk.partitions.FarthestFirst().group(Points(rows, 4))
    assert not Marked().holds(before, int(before.max()) + 1).all()
    after = merge_failing_points(rows, before, [Marked()])
    assert Marked().holds(after, int(after.max()) + 1).all()
    assert 1 < after.max() < before.max()
    assert all(len(set(after[before == group].tolist())) == 1 for group in range(int(before.max()) + 1))
    assert merge_failing_points(rows, before, []) is before


@pytest.mark.parametrize(
    ("rows", "k", "error", "words"),
    [
        (np.zeros((3, 2)), 4, InfeasiblePromise, "with 3 rows"),
        (np.zeros((3, 2)), 0, InvalidParameter, "at least 1"),
        (np.zeros((3, 0)), 2, InvalidParameter, "at least one column"),
        (np.array([[1.0], [np.nan], [2.0]]), 2, InvalidParameter, "finite"),
        (np.array([[1.0], [np.inf], [2.0]]), 2, InvalidParameter, "finite"),
    ],
)
def test_bad_points_are_refused_in_one_sentence(rows: Any, k: int, error: Any, words: str) -> None:
    with pytest.raises(error, match=words) as raised:
        Points(rows, k)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("gain", [-0.1, float("nan"), float("inf")])
def test_a_gain_that_cannot_be_is_refused(gain: float) -> None:
    with pytest.raises(InvalidParameter, match="gamma must be"):
        tk.partitions.VMDAV(gain)
