"""Nearest groups: neighbours and groups against plain ones, cells."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from tests.partition.problems import adultish, problems, tree_axis
from tests.partition.test_kernels import cost_of
from tokumei.partition import Mondrian, NearestGroups
from tokumei.partition import nearest as room
from tokumei.partition._nearest_kernels import group_cell, grow, nearest
from tokumei.partition.lines import lines_of
from tokumei.partition.partition import Problem, loss

quick = settings(max_examples=40)


@given(problem=problems())
@quick
def test_the_nearest_rows_make_the_cheapest_pairs(problem: Problem) -> None:
    lines, rows = lines_of(problem.axes), problem.rows
    others = np.arange(len(rows))
    reach = np.empty((rows.shape[1], max(axis.size for axis in problem.axes)))
    distance, found = np.empty(4), np.empty(4, np.int64)
    count = nearest(lines, rows, 0, others, len(rows), reach, distance, found)
    costs = np.sort([cost_of(problem, rows[[0, i]]) for i in others[1:]])
    assert count == min(4, len(rows) - 1) and 0 not in found[:count]
    assert np.allclose(distance[:count], costs[:count])
    assert np.allclose([cost_of(problem, rows[[0, i]]) for i in found[:count]], costs[:count])


@given(problem=problems())
@quick
def test_a_group_grows_by_the_row_that_widens_it_least(problem: Problem) -> None:
    lines, rows, k = lines_of(problem.axes), problem.rows, problem.k
    near = np.arange(1, len(rows))
    low, high = np.empty(rows.shape[1], np.int32), np.empty(rows.shape[1], np.int32)
    members, used = np.empty(k, np.int64), np.zeros(len(rows), np.int64)
    cost = grow(lines, rows, k, 0, near, len(near), low, high, members, used, 1, np.inf)
    chosen = [0]
    for _ in range(k - 1):
        costs = {i: cost_of(problem, rows[[*chosen, i]]) for i in near if i not in chosen}
        least = min(costs.values())
        chosen.append(next(i for i, value in costs.items() if np.isclose(value, least)))
    assert np.isclose(cost, cost_of(problem, rows[members]))
    assert len(set(members.tolist())) == k
    assert (low == rows[members].min(axis=0)).all() and (high == rows[members].max(axis=0)).all()
    if k == 2:
        assert np.isclose(cost, cost_of(problem, rows[chosen]))


@given(problem=problems())
@quick
def test_a_cell_is_grouped_whole(problem: Problem) -> None:
    rows, k = problem.rows, problem.k
    labels = np.full(len(rows), -1, np.int32)
    lists, listed, used = (
        np.empty((len(rows), 24), np.int32),
        np.zeros(len(rows), np.int64),
        np.zeros(len(rows), np.int64),
    )
    cell = np.arange(len(rows))
    groups, _ = group_cell(lines_of(problem.axes), rows, k, cell, lists, listed, used, labels, 3, 0)
    assert labels.min() == 3 and labels.max() == groups - 1
    assert np.bincount(labels)[3:].min() >= k


def test_the_first_group_is_the_cheapest_pair() -> None:
    rows = np.array([0, 40, 41, 20, 90, 60], dtype=np.int32)[:, None]
    axis = tree_axis([], 100)
    flat = Problem(rows, (axis,), 2)
    assert loss(flat, NearestGroups().group(flat)) == 1
    from tests.partition.problems import range_axis

    line = Problem(rows, (range_axis(100),), 2)
    labels = NearestGroups().group(line)
    assert labels[1] == labels[2] and np.bincount(labels).tolist() == [2, 2, 2]


def test_cells_hold_every_row_once(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = adultish(3000)
    monkeypatch.setattr(room, "CELL", 100)
    rows = np.arange(0, 3000, 2)
    cells = room._cells(problem, rows)
    assert len(cells) > 5 and max(map(len, cells)) <= 8 * 100
    assert sorted(np.concatenate(cells).tolist()) == rows.tolist()
    labels = NearestGroups().group(problem)
    assert np.bincount(labels).min() >= 5


def test_copies_are_groups_of_their_own() -> None:
    problem = adultish(500, k=3)
    rows = np.concatenate([problem.rows, np.repeat(problem.rows[:4], 5, axis=0)])
    problem = Problem(rows, problem.axes, 3)
    labels = NearestGroups().group(problem)
    for i in range(4):
        copies = (rows == rows[i]).all(axis=1)
        assert len(np.unique(labels[copies])) == 1
        assert cost_of(problem, rows[labels == labels[i]]) < 1


def test_many_columns_lose_less_than_by_cuts() -> None:
    axis = tree_axis([set(range(0, 64, 4)), set(range(0, 64, 16))], 64)
    rows = (64 * np.random.default_rng(0).random((4000, 15)) ** 3).astype(np.int32)
    problem = Problem(rows, (axis,) * 15, 5)
    assert loss(problem, NearestGroups().group(problem)) < 0.9 * loss(problem, Mondrian(choose="gain").group(problem))
