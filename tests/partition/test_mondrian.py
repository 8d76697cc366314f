"""Mondrian: cuts against plain ones, packed cells of every width, rounds with constraints."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.partition.problems import Distinct, adultish, problems, range_axis, tree_axis
from tokumei.partition import Mondrian
from tokumei.partition import mondrian as room
from tokumei.partition._mondrian_kernels import (
    best_child,
    best_range,
    extremes,
    let_stand,
    middle,
    number_parts,
    occupied,
    send,
)
from tokumei.partition.lines import lines_of
from tokumei.partition.partition import Problem, boxes, loss

quick = settings(max_examples=60)


@pytest.mark.parametrize("cell", [np.uint8, np.uint16, np.int32])
@pytest.mark.parametrize("columns", [8, 16, 24, 64, 72])
def test_extremes(cell: type, columns: int) -> None:
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 200, (50, columns)).astype(cell)
    low, high, lanes = np.empty(columns, np.int64), np.empty(columns, np.int64), np.empty((2, 72), cell)
    for first, last in itertools.combinations(range(51), 2):
        extremes(rows, first, last, lanes, low, high)
        part = rows[first:last]
        assert (low == part.min(axis=0)).all() and (high == part.max(axis=0)).all(), (first, last)


@quick
@given(st.lists(st.integers(0, 6), min_size=1, max_size=12), st.integers(1, 8))
def test_the_middle_of_counted_places_is_the_most_even_cut(counts: list[int], k: int) -> None:
    rows, cut = sum(counts) + 2, np.full(5, -7)
    assume(rows >= 2 * k)
    histogram = np.array([1, *counts, 1], dtype=np.int32)  # the first and the last place occur
    places = np.flatnonzero(histogram)
    lines = lines_of([range_axis(len(histogram))])
    expected = np.full(5, -7)
    worth = best_range(
        lines, 0, rows, k, places.astype(np.int32), histogram[places], len(places), False, False, expected
    )
    assert middle(rows, k, histogram, 0, cut) == worth
    if worth > 0:
        assert cut.tolist() == expected.tolist()


@pytest.mark.parametrize("cell", [np.uint8, np.uint16, np.int32])
def test_occupied_places(cell: type) -> None:
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 200, (50, 16)).astype(cell)
    low, high = rows[10:40].min(axis=0).astype(np.int64), rows[10:40].max(axis=0).astype(np.int64)
    for room_for in (200, 3):  # by histogram and by sorting
        histogram, places, counts = (np.empty(size, np.int32) for size in (room_for, 200, 200))
        found = occupied(rows, 10, 40, 5, low[5], high[5], histogram, places, counts)
        expected = np.unique(rows[10:40, 5], return_counts=True)
        assert (places[:found] == expected[0]).all() and (counts[:found] == expected[1]).all()


@pytest.mark.parametrize("columns", [8, 16])
@pytest.mark.parametrize("quota", [-1, 3])
def test_rows_are_sent_to_their_side(columns: int, quota: int) -> None:
    rng = np.random.default_rng(1)
    rows = rng.integers(0, 9, (60, columns)).astype(np.uint8)
    order = rng.permutation(60).astype(np.uint32)
    words = rows.view(np.uint64)
    to_words, to_order = np.zeros_like(words), np.zeros_like(order)
    cut = np.array([2, 5, 4, 5, quota])
    back = send(rows, words, order, to_words, to_order, 7, 53, 3, cut)
    cells = rows[7:53, 3]
    inside = (cells >= 2) & (cells <= 5)
    if quota >= 0:
        ties = np.flatnonzero((cells == 4) | (cells == 5))
        inside[ties[quota:]] = False
    assert back - 7 == inside.sum()
    assert sorted(to_order[7:back]) == sorted(order[7:53][inside])
    assert sorted(to_order[back:53]) == sorted(order[7:53][~inside])
    place = {who: i for i, who in enumerate(order)}
    assert (to_words[7:53].view(np.uint8) == rows[[place[who] for who in to_order[7:53]]]).all()


def parts_of(cells: np.ndarray, cut: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    inside = (cells >= cut[0]) & (cells <= cut[1])
    if cut[4] >= 0:
        ties = np.flatnonzero((cells >= cut[2]) & (cells <= cut[3]))
        inside[ties[cut[4] :]] = False
    return cells[inside], cells[~inside]


def saving(axis, cells: np.ndarray, parts: tuple[np.ndarray, ...]) -> float:
    def total(part: np.ndarray) -> float:
        return len(part) * float(axis.loss(*axis.closure(part.min(), part.max())))

    return total(cells) - sum(total(part) for part in parts)


@given(seed=st.integers(0, 999), k=st.integers(1, 6), relaxed=st.booleans(), gain=st.booleans())
@quick
def test_the_best_cut_of_a_range(seed: int, k: int, relaxed: bool, gain: bool) -> None:
    rng = np.random.default_rng(seed)
    axis = range_axis(12)
    cells = np.sort((12 * rng.random(rng.integers(2 * k, 40)) ** 2).astype(np.int64))
    places, counts = np.unique(cells, return_counts=True)
    cut = np.empty(5, np.int64)
    worth = best_range(lines_of((axis,)), 0, len(cells), k, places, counts, len(places), relaxed, gain, cut)
    best = 0.0
    for front in range(k, len(cells) - k + 1):  # every cut of the sorted cells
        if relaxed or cells[front - 1] != cells[front]:
            parts = cells[:front], cells[front:]
            best = max(best, saving(axis, cells, parts) if gain else min(map(len, parts)))
    if len(places) > 1 or not relaxed:
        assert np.isclose(worth, best)
    if worth > 0:
        parts = parts_of(cells, cut)
        assert min(map(len, parts)) >= k
        assert np.isclose(worth, saving(axis, cells, parts) if gain else min(map(len, parts)))


@given(seed=st.integers(0, 999), k=st.integers(1, 6), relaxed=st.booleans(), gain=st.booleans(), missing=st.booleans())
@quick
def test_the_best_label_to_set_apart(seed: int, k: int, relaxed: bool, gain: bool, missing: bool) -> None:
    rng = np.random.default_rng(seed)
    axis = range_axis(11, missing=True) if missing else tree_axis([{0, 1, 3, 4, 8, 10}, {0, 4, 8}], 12)
    cells = np.sort((12 * rng.random(rng.integers(2 * k, 40)) ** 2).astype(np.int64))
    cells[-1] = 11
    places, counts = np.unique(cells, return_counts=True)
    if len(places) == 1:
        return
    cut = np.empty(5, np.int64)
    worth = best_child(lines_of((axis,)), 0, len(cells), k, places, counts, len(places), relaxed, gain, cut)
    level = int(axis.level(cells[0], cells[-1]))
    child = np.where(cells < axis.free, -1, axis.first[level - 1, cells])
    best = 0.0
    for label in np.unique(child):
        inside = np.flatnonzero(child == label)
        take = min(len(inside), len(cells) - k) if relaxed else len(inside)
        chosen = np.isin(np.arange(len(cells)), inside[:take])
        parts = cells[chosen], cells[~chosen]
        if min(map(len, parts)) < k:
            continue
        if gain and take < len(inside):  # which rows stay behind is not looked at, so no more than this is counted on
            whole = len(cells) * float(axis.loss(*axis.closure(cells[0], cells[-1])))
            ends = axis.closure(cells[inside[0]], cells[inside[-1]])
            best = max(best, whole - take * float(axis.loss(*ends)) - whole * (len(cells) - take) / len(cells))
        else:
            best = max(best, saving(axis, cells, parts) if gain else min(map(len, parts)))
    assert np.isclose(worth, best)
    if worth > 0:
        assert min(map(len, parts_of(cells, cut))) >= k


def test_parts_are_numbered_and_let_stand_in_either_buffer() -> None:
    order, order2 = np.array([3, 1, 0, 2], np.uint32), np.array([0, 2, 1, 3], np.uint32)
    labels, begins = np.full(4, -1, np.int32), np.zeros(4, bool)
    parts = np.array([[0, 1, 0], [2, 4, 1]])
    number_parts(parts, order, order2, labels)
    assert labels.tolist() == [-1, 1, -1, 1]  # row 3 is in both parts of this made-up case; the later one wins
    let_stand(parts, order, order2, begins)
    assert begins.tolist() == [True, False, True, False] and order.tolist() == [3, 1, 1, 3]


@given(problem=problems(), gain=st.booleans())
@quick
def test_no_strict_group_could_have_been_cut_further(problem: Problem, gain: bool) -> None:
    labels = Mondrian(choose="gain" if gain else "widest").group(problem)
    assert len(np.unique(labels)) == labels.max() + 1
    for g in range(labels.max() + 1):
        inside = problem.rows[labels == g]
        for column, axis in enumerate(problem.axes):
            cells = inside[:, column]
            if cells.max() < axis.free:
                fronts = [(cells <= value).sum() for value in np.unique(cells)]
            else:
                level = int(axis.level(cells.min(), cells.max()))
                child = np.where(cells < axis.free, -1, axis.first[max(level - 1, 0), cells])
                fronts = np.unique(child, return_counts=True)[1].tolist()
            assert not any(problem.k <= front <= len(cells) - problem.k for front in fronts)


def test_the_result_does_not_depend_on_pieces_or_cell_width(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = adultish(3000)
    labels = Mondrian(choose="gain").group(problem)
    monkeypatch.setattr(room, "PIECE", 100)
    same = Mondrian(choose="gain").group(problem)
    assert np.array_equal(labels, same)
    # The same places on lines that are longer behind, so that cells need two or four bytes and the order of widths is kept.
    for size in (300, 70_000):
        wide = Problem(problem.rows[:, :1], (range_axis(size),), 5)
        found = Mondrian().group(wide)
        narrow = Mondrian().group(Problem(problem.rows[:, :1], (range_axis(40),), 5))
        assert np.array_equal(found, narrow)


def test_gain_loses_less_than_width_where_values_are_skewed() -> None:
    rng = np.random.default_rng(0)
    rows = (50 * rng.random((5000, 4)) ** 6).astype(np.int32)
    problem = Problem(rows, (range_axis(50),) * 4, 5)
    assert loss(problem, Mondrian(choose="gain").group(problem)) < 0.85 * loss(problem, Mondrian().group(problem))


def test_relaxed_parts_are_halves() -> None:
    rows = np.array([0] * 30 + [1] * 2, dtype=np.int32)[:, None]
    labels = Mondrian(strict=False).group(Problem(rows, (range_axis(2),), 16))
    assert np.bincount(labels).tolist() == [16, 16]
    assert Mondrian().group(Problem(rows, (range_axis(2),), 16)).max() == 0


def test_a_refused_cut_is_tried_along_another_axis() -> None:
    rows = np.array([[a, b] for a in range(2) for b in range(2) for _ in range(4)], dtype=np.int32)
    problem = Problem(rows, (range_axis(2), range_axis(2)), 2, (Distinct(rows[:, 0].astype(np.int64), 2),))
    labels = Mondrian().group(problem)
    low, high = boxes(problem, labels)
    assert labels.max() == 1 and (low[:, 1] == high[:, 1]).all() and (low[:, 0] < high[:, 0]).all()
    assert Mondrian().group(replace(problem, constraints=())).max() == 3
