"""The lattice: boxes against all combinations of labels, openings and search against their own accounts, the bound."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.partition.problems import adultish, all_partitions, problems, range_axis, tree_axis
from tokumei.errors import InvalidParameter
from tokumei.partition import Lattice, Mondrian, lattice_bound
from tokumei.partition.local_recoding import boxes as listing
from tokumei.partition.local_recoding import greedy
from tokumei.partition.local_recoding import lattice as room
from tokumei.partition.local_recoding._kernels import (
    best_payers,
    boxes_of_rows,
    cheapest_first,
    could_pay,
    dual,
    reorder,
)
from tokumei.partition.local_recoding._opening_kernels import holds_row
from tokumei.partition.local_recoding.boxes import ladder, ladders_of, list_boxes
from tokumei.partition.local_recoding.greedy import open_cheapest
from tokumei.partition.local_recoding.opening import open_boxes
from tokumei.partition.local_recoding.search import improve
from tokumei.partition.partition import Problem, loss
from tokumei.randomness import generator

quick = settings(max_examples=50)


def plain_boxes(ladders, k: int, cap: np.ndarray) -> dict[int, tuple[float, frozenset[int]]]:
    """Every closed box with at least k rows, by trying all labels: number to cost and distinct rows."""
    found = {}
    per_axis = [
        [np.unique(ladders.labels[base + level]) for level in range(levels)]
        for base, levels in zip(ladders.base, ladders.levels, strict=True)
    ]
    for levels in itertools.product(*(range(len(axis)) for axis in per_axis)):
        for labels in itertools.product(*(per_axis[j][level] for j, level in enumerate(levels))):
            cost = float(ladders.price[list(labels)].sum())
            inside = cap + 1e-12 >= cost
            for j, level in enumerate(levels):
                inside &= ladders.labels[ladders.base[j] + level] == labels[j]
            rows = np.flatnonzero(inside)
            if ladders.weight[rows].sum() < k:
                continue
            closed = all(
                level == 0 or len(np.unique(ladders.labels[ladders.base[j] + level - 1][rows])) > 1
                for j, level in enumerate(levels)
            )
            if closed:
                found[int(ladders.share[list(labels)].sum())] = (cost, frozenset(rows.tolist()))
    return found


@given(problem=problems(most_rows=25), tight=st.booleans())
@settings(max_examples=30)
def test_all_closed_boxes_are_listed(problem: Problem, tight: bool) -> None:
    ladders = ladders_of(problem)
    cap = np.full(len(ladders.weight), 99.0)
    if tight:
        cap = np.random.default_rng(0).random(len(cap)) * ladders.dearest
    listed = list_boxes(ladders, problem.k, cap)
    expected = plain_boxes(ladders, problem.k, cap)
    assert listed is not None
    entries, starts, cost, number = listed
    got = {int(number[b]): (cost[b], frozenset(entries[starts[b] : starts[b + 1]].tolist())) for b in range(len(cost))}
    assert len(got) == len(cost)
    assert got.keys() == expected.keys()
    for name, (price, rows) in expected.items():
        assert np.isclose(got[name][0], price) and got[name][1] == rows


def test_too_many_boxes_are_not_listed() -> None:
    ladders = ladders_of(adultish(300))
    assert list_boxes(ladders, 2, np.full(len(ladders.weight), 99.0), room=50) is None


@given(problem=problems())
@quick
def test_distinct_rows_and_their_labels(problem: Problem) -> None:
    ladders = ladders_of(problem)
    assert ladders.weight.sum() == len(problem.rows)
    assert (np.bincount(ladders.distinct) == ladders.weight).all()
    rows = problem.rows[ladders.order]
    assert (rows == rows[np.cumsum(ladders.weight) - 1][ladders.distinct]).all()
    dearest = sum(float(axis.loss(*(edge[-1, 0] for edge in ladder(axis)))) for axis in problem.axes)
    assert np.isclose(ladders.dearest, dearest)


def test_a_free_axis_gets_nested_rungs_and_missing_stays_apart() -> None:
    first, last = ladder(range_axis(20, missing=True))
    assert first.shape[0] >= 4
    for low, high in itertools.pairwise(zip(first, last, strict=True)):
        assert (high[0] <= low[0]).all() and (low[1] <= high[1]).all()
    assert (first[:-1, 20] == 20).all() and (last[:-1, :20] < 20).all()
    assert (first[-1] == 0).all() and (last[-1] == 20).all()
    tree = tree_axis([{0, 3}], 5)
    assert ladder(tree)[0] is tree.first


def test_the_cheapest_boxes_are_opened_first() -> None:
    rng = np.random.default_rng(0)
    weight = rng.integers(1, 4, 12)
    held = [np.flatnonzero(rng.random(12) < 0.4) for _ in range(9)] + [np.arange(12)]
    entries = np.concatenate(held).astype(np.int32)
    starts = np.cumsum([0, *map(len, held)])
    order = rng.permutation(10)
    expected = np.full(12, -1)
    for b in order:
        free = [i for i in held[b] if expected[i] < 0]
        if weight[free].sum() >= 5:
            expected[free] = b
    found = np.full(12, -1)
    cheapest_first(entries, starts, order, weight, 5, found)
    assert (found == expected).all()
    moved, begins = np.empty_like(entries), np.empty_like(starts)
    reorder(entries, starts, order, moved, begins)
    assert all((moved[begins[p] : begins[p + 1]] == held[b]).all() for p, b in enumerate(order))
    row_starts = np.concatenate([[0], np.cumsum(np.bincount(entries, minlength=12))])
    row_boxes = np.empty(len(entries), dtype=np.int32)
    boxes_of_rows(entries, starts, row_starts[:-1].copy(), row_boxes)
    for i in range(12):
        inside = [b for b in range(10) if i in held[b]]
        assert row_boxes[row_starts[i] : row_starts[i + 1]].tolist() == inside
        assert [holds_row(row_starts, row_boxes, i, b) for b in range(10)] == [b in inside for b in range(10)]


@given(problem=problems(), last=st.sampled_from([0, 20]))
@quick
def test_no_cheaper_box_could_have_been_opened(problem: Problem, last: int) -> None:
    ladders = ladders_of(problem)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(greedy, "LAST", last)
        patch.setattr(greedy, "NOISE", 0.0)
        number, _ = open_cheapest(ladders, problem.k, generator(0))
    entries, starts, cost, name = list_boxes(ladders, problem.k, np.full(len(ladders.weight), 99.0))
    price = dict(zip(name.tolist(), cost.tolist(), strict=True))
    paid = np.array([np.inf if box < 0 else price[box] for box in number.tolist()])
    assert ladders.weight[number < 0].sum() < problem.k
    for b in range(len(cost)):
        rows = entries[starts[b] : starts[b + 1]]
        assert ladders.weight[rows[paid[rows] > cost[b] + 1e-9]].sum() < problem.k


def started(problem: Problem):
    ladders = ladders_of(problem)
    labels = room.greedy_groups(problem, ladders, generator(0))
    number, cost = room._boxes_of(problem, ladders, labels)
    boxes = room.boxes_around(ladders, problem.k, cost)
    by_number = np.argsort(boxes.number)
    box = by_number[np.searchsorted(boxes.number[by_number], number)]
    assert (boxes.number[box] == number).all() and np.allclose(boxes.cost[box], cost)
    return ladders, boxes, box


@given(seed=st.integers(0, 30), k=st.sampled_from([2, 5, 12]))
@settings(max_examples=15)
def test_openings_and_search_save_and_keep_every_box_full(seed: int, k: int) -> None:
    problem = adultish(300, k, seed)
    ladders, boxes, box = started(problem)
    opened = open_boxes(ladders, boxes, box, k)
    better = improve(ladders, boxes, opened, k, steps=3000, warm=0.5, rng=generator(seed))
    costs = [boxes.cost[found].sum() for found in (box, opened, better)]
    assert costs[0] >= costs[1] - 1e-9 and costs[1] >= costs[2] - 1e-9
    assert costs[2] < costs[0]
    for found in (opened, better):
        sizes = np.bincount(found)
        assert sizes[sizes > 0].min() >= k
        for record in range(0, len(found), 37):  # every record lies in its box
            row = ladders.distinct[record]
            assert row in boxes.entries[boxes.starts[found[record]] : boxes.starts[found[record] + 1]]


@pytest.mark.parametrize("need", [1, 5, 16, 17, 40])
def test_the_best_payers_come_first(need: int) -> None:
    rng = np.random.default_rng(need)
    price, entries = rng.random(200), rng.permutation(200)[:150].astype(np.int32)
    best, who = np.empty(150), np.empty(150, np.int64)
    listed = best_payers(entries, 10, 120, price, 0.2, 0.9, need, best, who)
    there = entries[10:120]
    expected = np.sort(price[there[(price[there] > 0.2) & (price[there] <= 0.9)]])[::-1]
    assert listed == min(need, len(expected))
    assert (best[: min(need, listed)] == expected[:need]).all() and (price[who[:listed]] == best[:listed]).all()


@given(seed=st.integers(0, 999), need=st.integers(1, 12))
@quick
def test_a_box_that_could_be_paid_for_is_never_passed_over(seed: int, need: int) -> None:
    rng = np.random.default_rng(seed)
    price, weight, entries = rng.random(30), rng.integers(1, 3, 30), np.arange(30, dtype=np.int32)
    cost, gain = rng.random(), rng.random()
    short = np.sort(np.repeat(cost - price, weight)[np.repeat(cost - price, weight) >= 0])
    possible = len(short) >= need and short[:need].sum() < gain
    said = could_pay(entries, 0, 30, price, weight, cost, gain, need, np.empty(32, np.int64))
    assert said or not possible
    if len(short) < need or short[:need].sum() > 2 * gain + need * gain / 32:
        assert not said


def plain_dual(entries, starts, cost, weight, k, price) -> float:
    """The bound for given prices, with every box's best choice by sorting its records."""
    total = float((weight * price).sum())
    for b in range(len(cost)):
        rows = entries[starts[b] : starts[b + 1]]
        reduced = np.sort(cost[b] - np.repeat(price[rows], weight[rows]))
        total += min(0.0, *(reduced[:many].sum() for many in range(k, len(reduced) + 1)))
    return total


@given(problem=problems(trees_only=True), seed=st.integers(0, 99))
@quick
def test_the_value_of_prices(problem: Problem, seed: int) -> None:
    ladders = ladders_of(problem)
    entries, starts, cost, _ = list_boxes(ladders, problem.k, np.full(len(ladders.weight), 99.0))
    price = np.random.default_rng(seed).random(len(ladders.weight)) * ladders.dearest
    use = np.empty(len(price))
    value = dual(entries, starts, cost, ladders.weight, problem.k, price, use)
    assert np.isclose(value, plain_dual(entries, starts, cost, ladders.weight, problem.k, price))


def test_the_bound_is_tight_on_easy_tables_and_below_every_result() -> None:
    pairs = Problem(np.repeat(np.arange(4, dtype=np.int32), 3)[:, None], (tree_axis([{0, 2}], 4),), 3)
    assert lattice_bound(pairs) == 0
    lonely = Problem(np.arange(4, dtype=np.int32)[:, None], (tree_axis([{0, 2}], 4),), 2)
    assert np.isclose(lattice_bound(lonely), 1 / 3)
    problem = adultish(500)
    problem = replace(problem, rows=problem.rows[:, 1:], axes=problem.axes[1:])
    found = loss(problem, Lattice().group(problem))
    assert 0.8 * found < lattice_bound(problem, 200) <= found


def test_the_bound_wants_hierarchies() -> None:
    with pytest.raises(InvalidParameter, match="'range' may take any range"):
        lattice_bound(adultish(100))


def test_more_effort_loses_less() -> None:
    problem = adultish(500)
    losses = [loss(problem, Lattice(effort=effort).group(problem)) for effort in ("fast", "default", "thorough")]
    assert losses[0] > losses[1] > losses[2]
    assert losses[0] < loss(problem, Mondrian(choose="gain").group(problem))


def test_thorough_finds_the_best_of_nearly_all_small_tables() -> None:
    axis = tree_axis([{0, 2, 4, 6}, {0, 4}], 8)
    found = 0
    for seed in range(30):
        rows = np.random.default_rng(seed).integers(0, 8, (8, 2)).astype(np.int32)
        problem = Problem(rows, (axis, axis), 2)
        best = min(loss(problem, labels) for labels in all_partitions(8, 2))
        found += loss(problem, Lattice(effort="thorough").group(problem)) <= best + 1e-12
    assert found >= 27


def test_too_many_columns_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    axis = tree_axis([set(range(0, 64, 4)), set(range(0, 64, 16))], 64)
    rows = np.random.default_rng(0).integers(0, 64, (50, 12)).astype(np.int32)
    with pytest.raises(InvalidParameter, match="too many columns to number"):
        Lattice().group(Problem(rows, (axis,) * 12, 5))
    monkeypatch.setattr(listing, "ROOM", 3)
    monkeypatch.setattr(greedy, "list_boxes", lambda *args: list_boxes(*args, room=3))
    with pytest.raises(InvalidParameter, match="too many boxes"):
        Lattice().group(adultish(200))


def test_the_search_is_left_out_where_its_boxes_do_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = adultish(400)
    monkeypatch.setattr(room, "list_boxes", lambda *args: None)
    assert np.array_equal(Lattice().group(problem), Lattice(effort="fast").group(problem))
