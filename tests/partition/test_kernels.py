"""Compiled loops that all partitions share, each against plain numpy."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
from hypothesis import given, settings

from tests.partition.problems import Distinct, adultish, problems, range_axis, tree_axis
from tokumei.partition import groups as rooms
from tokumei.partition._kernels import box_cost, cheapest_home, cheapest_partners, fit_boxes, pair_off, span, take_in
from tokumei.partition.groups import fill_up, fit, merge_failing, place_rest
from tokumei.partition.lines import lines_of
from tokumei.partition.partition import Problem, boxes
from tokumei.table.axis import Axis

quick = settings(max_examples=40)


def cost_of(problem: Problem, rows: np.ndarray) -> float:
    """What a row costs in the smallest box around some rows, by the axes themselves."""
    total = 0.0
    for column, axis in enumerate(problem.axes):
        total += float(axis.loss(*axis.closure(rows[:, column].min(), rows[:, column].max())))
    return total


def total_of(problem: Problem, labels: np.ndarray) -> float:
    return sum(
        (labels == g).sum() * cost_of(problem, problem.rows[labels == g]) for g in np.unique(labels[labels >= 0])
    )


def test_the_cost_of_a_stretch_looked_up_and_worked_out() -> None:
    axes = [range_axis(9), range_axis(6, missing=True), tree_axis([{0, 2, 3, 7}, {0, 3}], 9), tree_axis([], 4)]
    longer = [
        range_axis(300),
        range_axis(299, missing=True),
        tree_axis([set(range(0, 300, 7)), set(range(0, 300, 70))], 300),
    ]
    for axis in [*axes, *longer]:
        lines = lines_of((axes[0], axis))
        assert (lines.pairs[1] >= 0) == (axis.size <= 256)
        step = max(1, axis.size // 40)
        for low, high in itertools.combinations_with_replacement(range(0, axis.size, step), 2):
            assert np.isclose(span(lines, 1, low, high), axis.loss(*axis.closure(low, high)))


@given(problem=problems())
@quick
def test_fitting_boxes(problem: Problem) -> None:
    labels = np.random.default_rng(0).integers(-1, 4, len(problem.rows)).astype(np.int32)
    labels[: min(5, len(labels))] = np.arange(-1, 4)[: min(5, len(labels))]
    lines = lines_of(problem.axes)
    shape = (4, len(problem.axes))
    low, high, size, cost = np.empty(shape, np.int32), np.empty(shape, np.int32), np.empty(4, np.int64), np.empty(4)
    fit_boxes(lines, problem.rows, labels, low, high, size, cost)
    for g in range(4):
        inside = problem.rows[labels == g]
        assert size[g] == len(inside)
        if len(inside):
            assert (low[g] == inside.min(axis=0)).all() and (high[g] == inside.max(axis=0)).all()
            assert np.isclose(cost[g], cost_of(problem, inside)) and np.isclose(
                cost[g], box_cost(lines, low[g], high[g])
            )


@given(problem=problems())
@quick
def test_a_row_joins_the_group_whose_total_grows_least(problem: Problem) -> None:
    lines, rng = lines_of(problem.axes), np.random.default_rng(1)
    labels = rng.integers(0, 3, len(problem.rows)).astype(np.int32)
    boxes_now = fit(lines, problem, labels)
    row = np.array([rng.integers(0, axis.size) for axis in problem.axes], dtype=np.int32)

    def grown(row: np.ndarray) -> dict[int, float]:
        rises = {}
        for g in np.unique(labels[labels >= 0]).tolist():
            inside = problem.rows[labels == g]
            wider = cost_of(problem, np.vstack([inside, row]))
            rises[g] = (len(inside) + 1) * wider - len(inside) * cost_of(problem, inside)
        return rises

    rises = grown(row)
    home = cheapest_home(lines, row, *boxes_now)
    assert np.isclose(rises[home], min(rises.values()))
    labels[0] = -1
    if len(np.unique(labels)) > 1:
        boxes_now = fit(lines, problem, labels)
        home = cheapest_home(lines, problem.rows[0], *boxes_now)
        after = labels.copy()
        take_in(lines, problem.rows, after, *boxes_now)
        assert after[0] == home and (after[1:] == labels[1:]).all()
        placed, rises = place_rest(problem, labels), grown(problem.rows[0])  # of equal rises either may be taken
        assert np.isclose(rises[int(placed[0])], min(rises.values())) and (placed[1:] == labels[1:]).all()
        if np.count_nonzero(np.isclose(list(rises.values()), min(rises.values()))) == 1:
            assert placed[0] == after[0]


@given(problem=problems())
@quick
def test_the_cheapest_partner_of_a_group(problem: Problem) -> None:
    lines = lines_of(problem.axes)
    labels = np.unique(np.random.default_rng(2).integers(0, 5, len(problem.rows)), return_inverse=True)[1].astype(
        np.int32
    )
    groups = int(labels.max()) + 1
    if groups == 1:
        return
    failing, partner = np.arange(groups), np.full(groups, -1)
    cheapest_partners(lines, *fit(lines, problem, labels), failing, np.arange(groups)[None], groups, partner)
    before = total_of(problem, labels)
    for g in range(groups):
        rises = {h: total_of(problem, np.where(labels == g, h, labels)) - before for h in range(groups) if h != g}
        assert np.isclose(rises[int(partner[g])], min(rises.values()))


def test_failing_groups_are_paired_off_without_chains() -> None:
    into = pair_off(6, np.array([0, 1, 2, 5]), np.array([1, 2, 3, 3]))
    assert into.tolist() == [1, 1, 3, 3, 4, 3]


def test_filling_up_takes_the_dearest_rows_that_can_be_spared() -> None:
    axis = range_axis(11)
    rows = np.array([0, 0, 0, 4, 5, 6, 7, 10], dtype=np.int32)[:, None]
    labels = np.array([0, 0, 0, 1, 1, 1, 1, -1], dtype=np.int32)
    found = fill_up(Problem(rows, (axis,), 3), labels)
    assert found.tolist() == [0, 0, 0, 1, 1, 1, 1, 1] or np.bincount(found).min() >= 3
    found = fill_up(Problem(rows, (axis,), 2), labels)
    assert np.bincount(found).tolist() == [3, 3, 2] and found[7] == 2
    assert fill_up(Problem(rows[:7], (axis,), 2), labels[:7]).tolist() == labels[:7].tolist()


def test_merging_looks_at_neighbours_only_where_groups_are_many(monkeypatch) -> None:
    problem = adultish(1500, k=4)
    labels = np.arange(1500, dtype=np.int32) // 2
    exact = merge_failing(problem, labels)
    monkeypatch.setattr(rooms, "PAIRS", 10)
    near = merge_failing(problem, labels)
    for found in (exact, near):
        assert np.bincount(found).min() >= 4
    assert total_of(problem, exact) <= total_of(problem, near) * 1.05


def test_merging_ends_soon_where_only_the_whole_table_will_do(monkeypatch) -> None:
    problem = adultish(1200, k=1)
    values = np.zeros(1200, dtype=np.int64)
    values[:5] = np.arange(1, 6)  # six values in all, so every group needs rows from everywhere
    calls = []

    class Counted(Distinct):
        def holds(self, labels, groups):
            calls.append(groups)
            return super().holds(labels, groups)

    found = merge_failing(replace(problem, constraints=(Counted(values, 6),)), np.arange(1200, dtype=np.int32))
    assert found.max() == 0
    assert len(calls) <= 20


def test_boxes_of_an_axis_with_another_measure() -> None:
    class Leaves(Axis):
        def loss(self, low, high):
            return np.where(np.asarray(high) > low, (np.asarray(high) - low + 1) / self.size, 0.0)

    plain = tree_axis([{0, 2, 4}], 6)
    axis = Leaves(plain.name, plain.place, plain.first, plain.last)
    lines = lines_of((axis,))
    assert [span(lines, 0, 0, high) for high in range(6)] == [0, 2 / 6, 1, 1, 1, 1]
    problem = Problem(np.array([[0], [1]], dtype=np.int32), (axis,), 2)
    assert boxes(problem, np.zeros(2, dtype=np.int32))[1].tolist() == [[1]]
