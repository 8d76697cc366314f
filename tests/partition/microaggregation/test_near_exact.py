"""Nearly the best groups, and the bound: never above the best grouping of a few rows, which trying all finds."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import tokumei as tk
from tests.partition.microaggregation.plain import best_squares, groups_of, squares
from tokumei.errors import InvalidParameter
from tokumei.partition.microaggregation import candidate_groups as columns
from tokumei.partition.microaggregation import column_generation as generation
from tokumei.partition.microaggregation import near_exact, pricing
from tokumei.partition.microaggregation._pricing_kernels import price
from tokumei.partition.microaggregation.candidate_groups import Columns
from tokumei.partition.microaggregation.column_generation import _in_small_groups
from tokumei.partition.microaggregation.points import Points, information_loss
from tokumei.partition.microaggregation.pricing import KEEP, priced, total


def tiny(seed: int) -> tuple[Any, int]:
    """A few rows: scattered, on a coarse grid with copies, with one far out, or close together far from zero."""
    rng = np.random.default_rng(seed)
    k = 2 + seed % 2
    rows = rng.normal(size=(int(rng.integers(2 * k, 10)), int(rng.integers(2, 4))))
    if seed % 4 == 1:
        rows = rng.integers(0, 3, size=rows.shape).astype(np.float64)
    elif seed % 4 == 2:
        rows[0] += 1e3
    elif seed % 4 == 3:
        rows = 1e4 + 1e-3 * rows
    return rows, k


def apart(rows: Any) -> Any:
    return np.square(rows[:, None] - rows[None]).sum(axis=2)


def every_group(count: int, k: int) -> list[tuple[int, ...]]:
    return [group for size in range(k, min(2 * k, count + 1)) for group in combinations(range(count), size)]


# The bound.


def test_the_bound_is_never_above_the_best_and_mostly_close() -> None:
    reached, close = [], []
    for seed in range(40):
        rows, k = tiny(seed)
        best = best_squares(rows, k)
        whole = squares(rows, [list(range(len(rows)))])
        found = tk.partitions.NearExact().grouped(Points(rows, k))
        assert found.least is not None
        bound, lost = found.least / 100 * whole, squares(rows, groups_of(found.labels))
        assert bound <= best * (1 + 1e-12) + 1e-12 * whole
        assert np.bincount(found.labels).min() >= k and lost >= best * (1 - 1e-9) - 1e-12 * whole
        reached.append(lost <= best * (1 + 1e-6) + 1e-12 * whole)
        close.append(bound >= 0.97 * best - 1e-9 * whole)
    assert np.mean(reached) >= 0.97 and np.mean(close) >= 0.7


@pytest.mark.parametrize("budget", [1, 40, 10**6])
@pytest.mark.parametrize("seed", range(12))
def test_whatever_rows_are_worth_no_group_is_worth_more_than_it_costs(seed: int, budget: int) -> None:
    rows, k = tiny(seed)
    rng = np.random.default_rng(seed)
    share = apart(rows).mean() / 4
    for prices in (
        np.zeros(len(rows) + 1),
        share * rng.uniform(0, 2, len(rows) + 1),
        share * rng.normal(size=len(rows) + 1),
    ):
        prices[-1] = abs(prices[-1])
        found = priced(apart(rows), prices, k, budget)
        slack, below = [], []
        for group in map(list, every_group(len(rows), k)):
            cost = squares(rows, [group])
            slack.append(cost - found.least[group].sum() + found.least[-1])
            below.append(cost < prices[group].sum() - prices[-1] - 1e-9 * share)
        assert min(slack) >= -1e-8 * share
        assert total(found.least, k) <= best_squares(rows, k) + 1e-8 * share
        assert not found.whole or any(below) <= any(len(groups) for groups in found.groups)
        assert found.whole or budget < 10**6


def test_a_budget_that_runs_out_is_told() -> None:
    rows = np.random.default_rng(0).normal(size=(12, 2))
    assert not priced(apart(rows), np.append(np.full(12, 5.0), 0.0), 3, budget=5).whole


@pytest.mark.parametrize("size", [2, 3, 4, 5])
@pytest.mark.parametrize("spread", [2, 50])  # few different costs: many ties
@pytest.mark.parametrize("seed", range(4))
def test_pricing_meets_every_group_below_zero_once(seed: int, spread: int, size: int) -> None:
    count = 11
    half = np.triu(np.random.default_rng(seed).integers(-spread, spread + 2, size=(count, count)), 1)
    pairs = half + half.T
    costs = {group: int(half[np.ix_(group, group)].sum()) for group in combinations(range(count), size)}
    below = {group: cost for group, cost in costs.items() if cost < 0}
    keep = 1 + len(below)
    best, sets = np.zeros((count, keep), dtype=np.int64), np.full((count, keep, size), -1, dtype=np.int64)
    assert all(price(pairs, size, first, 3, 10**6, best, sets) for first in range(3))
    for row in range(count):
        expected = sorted(cost for group, cost in below.items() if row in group)
        assert best[row, : len(expected)].tolist() == expected and not best[row, len(expected) :].any()
        met = [tuple(sorted(each)) for each in sets[row, : len(expected)].tolist()]
        assert sorted(met) == sorted(group for group in below if row in group)


def test_the_cheapest_groups_of_each_row_are_listed() -> None:
    rows, k = np.random.default_rng(3).normal(size=(14, 2)), 2
    prices = np.append(np.full(14, 0.8), 0.4)
    found = priced(apart(rows), prices, k, 10**6)
    for size, groups in zip((2, 3), found.groups, strict=True):
        costs = {g: squares(rows, [list(g)]) - 0.8 * size + 0.4 for g in combinations(range(14), size)}
        listed = {tuple(group) for group in groups.tolist()}
        for row in range(14):
            cheapest = sorted((cost, g) for g, cost in costs.items() if row in g and cost < -1e-9)[:KEEP]
            assert {g for _, g in cheapest} <= listed
        assert all(costs[group] < 1e-9 for group in listed)


# The groups.


def test_it_loses_less_than_the_search_and_proves_how_little_there_is_to_gain() -> None:
    rows = np.random.default_rng(1).normal(size=(150, 3))
    points = Points(rows, 3)
    found = tk.partitions.NearExact().grouped(points)
    lost = information_loss(rows, found.labels)
    assert found.least is not None and 0.97 * lost < found.least <= lost
    assert lost <= information_loss(rows, tk.partitions.LocalSearch(thorough=True).group(points))
    assert np.array_equal(found.labels, tk.partitions.NearExact().group(points))


def test_without_a_choice_of_whole_groups_it_returns_what_the_search_found(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(2).normal(size=(40, 2))
    monkeypatch.setattr(Columns, "chosen", lambda self, nodes, seconds: None)
    found = tk.partitions.NearExact().group(Points(rows, 3))
    searched = tk.partitions.LocalSearch(thorough=True).group(Points(rows, 3))
    assert information_loss(rows, found) == pytest.approx(information_loss(rows, searched))


def test_without_prices_the_bound_is_lower_and_still_one(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(2).normal(size=(40, 2))
    usual = tk.partitions.NearExact().grouped(Points(rows, 3))
    monkeypatch.setattr(Columns, "relaxed", lambda self: None)
    early = tk.partitions.NearExact().grouped(Points(rows, 3))
    assert usual.least is not None and early.least is not None
    assert 0 < early.least < usual.least <= information_loss(rows, early.labels)


def test_groups_that_do_not_cover_every_row_are_no_choice() -> None:
    rows = np.random.default_rng(2).normal(size=(6, 2))
    listed = Columns(rows, 2)
    listed.add([np.array([[0, 1], [1, 2], [4, 5]])])
    assert listed.relaxed() is None and listed.chosen(nodes=10, seconds=60.0) is None


@pytest.mark.parametrize("threads", ["1", "2", "5"])
def test_the_number_of_threads_changes_nothing(threads: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(5).normal(size=(60, 3))
    prices = np.append(np.full(60, 0.8), 0.0)
    monkeypatch.setenv("TOKUMEI_THREADS", "3")
    one = priced(apart(rows), prices, 3, 500)
    monkeypatch.setenv("TOKUMEI_THREADS", threads)
    two = priced(apart(rows), prices, 3, 500)
    assert np.array_equal(one.least, two.least) and one.whole == two.whole
    assert all(np.array_equal(a, b) for a, b in zip(one.groups, two.groups, strict=True))


@pytest.mark.parametrize(
    ("rows", "k", "groups"),
    [
        (np.random.default_rng(0).normal(size=(9, 2)), 1, 9),
        (np.random.default_rng(0).normal(size=(5, 2)), 3, 1),
        (np.zeros((9, 2)), 3, 1),
        (np.array([[1.0], [2.0], [9.0], [10.0]]), 2, 2),
    ],
)
def test_where_the_best_is_known_the_bound_is_the_loss(rows: Any, k: int, groups: int) -> None:
    found = tk.partitions.NearExact().grouped(Points(rows, k))
    assert found.labels.max() + 1 == groups
    assert found.least == pytest.approx(information_loss(rows, found.labels))


def test_copies_cost_nothing_and_the_bound_says_so() -> None:
    rows = np.repeat(np.random.default_rng(4).normal(size=(6, 3)), 4, axis=0)
    found = tk.partitions.NearExact().grouped(Points(rows, 4))
    assert information_loss(rows, found.labels) < 1e-9 and found.least == pytest.approx(0, abs=1e-9)


def test_groups_of_2k_rows_are_cut() -> None:
    rows = np.random.default_rng(6).normal(size=(20, 2))
    labels = np.repeat([0, 1, 2], [9, 4, 7]).astype(np.int32)
    cut = _in_small_groups(Points(rows, 3), labels)
    sizes = np.bincount(cut)
    assert sizes.min() >= 3 and sizes.max() < 6 and sizes.sum() == 20
    assert all(len(set(labels[cut == group].tolist())) == 1 for group in range(len(sizes)))


@pytest.mark.parametrize(("count", "k"), [(near_exact.ROWS + 1, 3), (100, near_exact.K + 1)])
def test_tables_that_are_too_large_are_refused_with_the_alternative(count: int, k: int) -> None:
    with pytest.raises(InvalidParameter, match=r"at most 2,000 rows.*use LocalSearch\(thorough=True\)") as raised:
        tk.partitions.NearExact().group(Points(np.zeros((count, 2)), k))
    assert "\n" not in str(raised.value)


# Columns.


def test_columns_are_listed_once_with_their_costs() -> None:
    rows = np.random.default_rng(7).normal(size=(8, 2))
    listed = Columns(rows, 2)
    assert listed.add([np.array([[0, 1], [2, 3]]), np.array([[4, 5, 6]])]) == 3
    assert listed.add([np.array([[2, 3], [6, 7]]), np.array([[0, 1, 2]])]) == 2
    groups = [[row for row in group if row >= 0] for group in listed.members.tolist()]
    assert sorted(groups) == [[0, 1], [0, 1, 2], [2, 3], [4, 5, 6], [6, 7]]
    assert listed.costs.tolist() == pytest.approx([squares(rows, [group]) for group in groups])
    prices = np.append(np.arange(8.0), 0.5)
    expected = [squares(rows, [group]) - sum(group) + 0.5 for group in groups]
    assert listed.dearer_than(prices).tolist() == pytest.approx(expected)


def test_columns_are_chosen_to_cover_each_row_once() -> None:
    rows, k = np.random.default_rng(8).normal(size=(9, 2)), 2
    listed = Columns(rows, k)
    for size in (2, 3):
        listed.add([np.array(list(combinations(range(9), size)))])
    relaxed = listed.relaxed()
    assert relaxed is not None
    cost, prices = relaxed
    chosen = listed.chosen(nodes=1000, seconds=60.0)
    assert chosen is not None
    best = best_squares(rows, k)
    assert squares(rows, groups_of(listed.labels(chosen))) == pytest.approx(best, rel=1e-3)
    assert cost <= best * (1 + 1e-9) and total(prices, k) == pytest.approx(cost)
    again = Columns(rows, k)
    again.add(columns.groups_of(listed.labels(chosen), k))
    assert again.costs.sum() == pytest.approx(best, rel=1e-3)


def test_sums_of_whole_numbers_do_not_overflow() -> None:
    pairs_of_a_group = (2 * near_exact.K - 1) * (2 * near_exact.K - 2) // 2
    assert (pricing.UNITS + 2) * pairs_of_a_group * 2 < 2**63
    assert generation.LISTED >= generation.CHOSEN


def test_the_bound_of_one_column_stands_where_sums_lose_their_digits() -> None:
    for seed in range(60):
        rng = np.random.default_rng(seed)
        count, k = int(rng.integers(8, 24)), int(rng.integers(2, 5))
        rows = rng.random(count) + 10.0 ** rng.integers(0, 9) * rng.integers(0, 3, count)
        found = tk.partitions.NearExact().grouped(Points(rows[:, None], k))
        assert found.least is not None and Fraction(found.least) <= _best_in_fractions(rows.tolist(), k)


def _best_in_fractions(rows: list[float], k: int) -> Fraction:
    """The least loss of one column in percent, without any rounding."""
    line = [Fraction(row) for row in sorted(rows)]

    def squares(start: int, stop: int) -> Fraction:
        mean = sum(line[start:stop], Fraction(0)) / (stop - start)
        return sum(((each - mean) ** 2 for each in line[start:stop]), Fraction(0))

    least: dict[int, Fraction] = {0: Fraction(0)}
    for stop in range(k, len(line) + 1):
        starts = [start for start in range(max(0, stop - 2 * k + 1), stop - k + 1) if start in least]
        if starts:
            least[stop] = min(least[start] + squares(start, stop) for start in starts)
    return 100 * least[len(line)] / squares(0, len(line))
