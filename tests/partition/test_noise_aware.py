"""Cuts by least noise: what they minimise, that the exact ones are exact, and the loops' plain twins."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tokumei as tk
from tests.partition.problems import adultish, range_axis, tree_axis
from tokumei.anonymizers.group_boxes import noise_of
from tokumei.anonymizers.pk_perturbation import solve_channels
from tokumei.errors import InvalidParameter
from tokumei.partition import Mondrian, NoiseAware
from tokumei.partition import _noise_aware_kernels as kernels
from tokumei.partition._noise_aware_kernels import DISTANCE, LABELS, along_grid
from tokumei.partition._noise_aware_kernels import column_noise as column_noise_
from tokumei.partition.partition import Problem, boxes
from tokumei.privacy.pk import budget


def column_noise(problem: Problem, axis: int, values: float, width: float, budget: float, measure: str) -> float:
    """The noise of one column: how far a number is moved or its scale, or the probability that a label is changed."""
    growth = math.exp(budget) - 1
    if not problem.axes[axis].free:
        return (values - 1) / (growth + values)
    if measure == "scale":
        return width / budget
    return width * min(1 / math.sqrt(1 + 0.3 * budget + budget**2 / 9), values / (growth + values))


def plain_noise(problem: Problem, labels: Any, measure: str = "distance") -> float:
    """The sum that the partition minimises, written out: rows times the mean over columns of the noise over that without groups."""
    low, high = boxes(problem, labels)
    n, k, total = len(problem.rows), problem.k, 0.0
    varies = [j for j in range(len(problem.axes)) if np.ptp(problem.rows[:, j])]
    whole = 0.5 * math.log((n - 1) / (k - 1)) / len(varies)
    for group in range(len(low)):
        rows = problem.rows[labels == group]
        widths = {}
        for j in varies:
            if problem.axes[j].name in problem.sets:
                widths[j] = (len(set(rows[:, j].tolist())) - 1) / (problem.axes[j].size - 1)
            else:
                widths[j] = float(problem.axes[j].loss(low[group, j], high[group, j]))
        mine = [j for j in varies if widths[j] > 0]
        if not mine:
            continue
        if len(rows) <= k:
            return math.inf
        budget = 0.5 * math.log((len(rows) - 1) / (k - 1)) / len(mine)
        for j in mine:
            size = problem.axes[j].size
            after = column_noise(problem, j, 1 + widths[j] * (size - 1), widths[j], budget, measure)
            total += len(rows) * after / column_noise(problem, j, size, 1.0, whole, measure) / len(varies)
    return total


def cut_from_edge_to_edge(rows: np.ndarray, which: np.ndarray, least: int) -> Iterator[list[np.ndarray]]:
    """Every way to cut rows in two, and the parts again, between different places of either axis."""
    yield [which]
    for axis in range(rows.shape[1]):
        for place in np.unique(rows[which, axis])[:-1]:
            back = rows[which, axis] > place
            if min(back.sum(), (~back).sum()) >= least:
                for first in cut_from_edge_to_edge(rows, which[~back], least):
                    for second in cut_from_edge_to_edge(rows, which[back], least):
                        yield first + second


def labelled(parts: list[np.ndarray], count: int) -> np.ndarray:
    labels = np.empty(count, dtype=np.int32)
    for number, part in enumerate(parts):
        labels[part] = number
    return labels


def test_the_noise_of_a_column_is_that_of_its_channel() -> None:
    column = tk.Attribute("c", domain=tk.Categories(["a", "b", "c", "d"]))
    channel = solve_channels([column], 50, 5, "even")["c"]
    cost = budget(50, 5)
    assert column_noise_(LABELS, 4, 1.0, cost, math.expm1(cost), along_grid(cost)) == pytest.approx(
        noise_of(channel, line=False), rel=1e-6
    )
    steps = (4 - 1 / 4) / 3  # how far uniform noise moves one of four places
    assert column_noise_(DISTANCE, 4, 1.0, cost, math.expm1(cost), along_grid(cost)) * steps == pytest.approx(
        noise_of(channel, line=True), rel=1e-6
    )


@settings(max_examples=25)
@given(
    seed=st.integers(0, 10**6),
    k=st.integers(2, 3),
    count=st.integers(6, 11),
    first=st.sampled_from(["range", "tree", "sets"]),
    measure=st.sampled_from(["distance", "scale"]),
)
def test_the_exact_search_beats_every_way_to_cut(seed: int, k: int, count: int, first: str, measure: Any) -> None:
    rng = np.random.default_rng(seed)
    axis = range_axis(6) if first == "range" else tree_axis([{0, 2, 4}], 6)
    axis = replace(axis, name="first")
    rows = rng.integers(0, 6, (count, 2)).astype(np.int32)
    problem = Problem(rows, (axis, range_axis(6)), k, sets=frozenset(["first"] if first == "sets" else []))
    if np.any(np.ptp(rows, axis=0) == 0):
        return
    best = min(
        plain_noise(problem, labelled(parts, count), measure)
        for parts in cut_from_edge_to_edge(rows, np.arange(count), k)
    )
    found = plain_noise(problem, NoiseAware(search="exact", grid=24, measure=measure).group(problem), measure)
    assert found == pytest.approx(best) or found == best == math.inf
    greedy = plain_noise(problem, NoiseAware(search="greedy", measure=measure).group(problem), measure)
    assert greedy >= best - 1e-9
    both = plain_noise(problem, NoiseAware(grid=24, measure=measure).group(problem), measure)
    assert both <= min(found, greedy) + 1e-9


@pytest.mark.parametrize("sets", [(), ("1",), ("0", "1", "2")])
def test_the_greedy_search_counts_what_its_twin_counts(sets: tuple[str, ...]) -> None:
    # What the loops say that their groups cost is what the same groups cost written out.
    drawn = adultish(400, k=3)
    axes = tuple(replace(axis, name=str(at)) for at, axis in enumerate(drawn.axes))
    problem = Problem(drawn.rows, axes, 3, sets=frozenset(sets))
    labels, told = np.zeros(len(problem.rows), dtype=np.int32), []
    grown = kernels.grow_and_prune

    def listening(*given: Any) -> Any:
        told.append(grown(*given))
        return told[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels, "grow_and_prune", listening)
        labels = NoiseAware(search="greedy").group(problem)
    assert told == [pytest.approx(plain_noise(problem, labels))]
    assert plain_noise(problem, labels) < plain_noise(problem, np.zeros_like(labels))


def test_labels_that_lie_apart_are_one_box_where_sets_are_allowed() -> None:
    # Two kinds of rows, each with two labels that lie at the two ends of the line.
    ends = np.array([[0, 10], [5, 10], [1, 90], [4, 90]], dtype=np.int32)
    rows = np.repeat(ends, 3, axis=0)
    axis = replace(tree_axis([], 6), name="label")
    sets = Problem(rows, (axis, range_axis(100)), 4, sets=frozenset(["label"]))
    labels = NoiseAware().group(sets)
    assert len(set(labels[:6])) == len(set(labels[6:])) == 1 and labels[0] != labels[-1]
    assert plain_noise(sets, labels) < 0.8 * plain_noise(replace(sets, sets=frozenset()), labels)
    many = Problem(np.repeat(np.arange(80, dtype=np.int32), 4)[:, None] % [80, 7], (replace(tree_axis([], 80), name="label"), range_axis(7)), 2, sets=frozenset(["label"]))  # fmt: skip
    with pytest.raises(InvalidParameter, match="the exact search takes sets of up to 64 labels, and a column has 80"):
        NoiseAware(search="exact").group(many)
    assert np.bincount(NoiseAware().group(many)).min() >= 2


def test_pruning_undoes_cuts_that_do_not_pay() -> None:
    rng = np.random.default_rng(1)
    rows = rng.integers(0, 100, (60, 5)).astype(np.int32)
    problem = Problem(rows, tuple(range_axis(100) for _ in range(5)), 10)
    labels = NoiseAware().group(problem)
    assert plain_noise(problem, labels) <= plain_noise(problem, np.zeros(60, dtype=np.int32))
    small = NoiseAware(min_size=20).group(problem)
    assert np.bincount(small).min() >= 20


def test_clusters_get_boxes_of_their_own() -> None:
    rng = np.random.default_rng(2)
    near, far = rng.integers(0, 20, (200, 2)), rng.integers(80, 100, (200, 2))
    problem = Problem(np.concatenate([near, far]).astype(np.int32), (range_axis(100), range_axis(100)), 5)
    labels = NoiseAware().group(problem)
    assert not set(labels[:200]) & set(labels[200:])
    mondrian = Mondrian(min_size=100).group(problem)
    assert plain_noise(problem, labels) < 0.8 * plain_noise(problem, mondrian)


def test_what_it_refuses() -> None:
    three = Problem(np.zeros((9, 3), dtype=np.int32), tuple(range_axis(4) for _ in range(3)), 2)
    with pytest.raises(InvalidParameter, match="takes two columns that vary, and there are 0"):
        NoiseAware(search="exact").group(three)
    with pytest.raises(InvalidParameter, match="grid must be between 2 and 96"):
        NoiseAware(grid=97)
    with pytest.raises(InvalidParameter, match="min_size must be"):
        NoiseAware(min_size=0)
    assert (NoiseAware().group(three) == 0).all()  # nothing varies: nothing to cut
