"""Cuts by least noise: what they minimise, that the exact ones are exact, and the loops' plain twins."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.partition.problems import adultish, range_axis, tree_axis
from tokumei.errors import InvalidParameter
from tokumei.partition import Mondrian, NoiseAware
from tokumei.partition._noise_aware_kernels import changed, noise
from tokumei.partition.lines import lines_of
from tokumei.partition.partition import Problem, boxes


def plain_noise(problem: Problem, labels: Any) -> float:
    """The sum that the partition minimises, written out: rows times the mean over columns of phi_g / phi."""
    low, high = boxes(problem, labels)
    n, k, total = len(problem.rows), problem.k, 0.0
    varies = [j for j in range(len(problem.axes)) if np.ptp(problem.rows[:, j])]
    whole = 0.5 * math.log((n - 1) / (k - 1)) / len(varies)
    for group in range(len(low)):
        rows = int(np.sum(labels == group))
        widths = {j: float(problem.axes[j].loss(low[group, j], high[group, j])) for j in varies}
        mine = [j for j in varies if widths[j] > 0]
        if not mine:
            continue
        if rows <= k:
            return math.inf
        budget = 0.5 * math.log((rows - 1) / (k - 1)) / len(mine)
        for j in mine:
            if problem.axes[j].free:
                total += rows * widths[j] * whole / budget / len(varies)
            else:
                size = problem.axes[j].size
                labels_in = 1 + widths[j] * (size - 1)
                ratio = (
                    (labels_in - 1) / (math.exp(budget) - 1 + labels_in) / ((size - 1) / (math.exp(whole) - 1 + size))
                )
                total += rows * ratio / len(varies)
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


def test_the_loop_and_its_twin_agree() -> None:
    problem = adultish(400, k=3)
    problem = Problem(problem.rows, problem.axes, 3)
    rng = np.random.default_rng(0)
    for _ in range(20):
        labels = rng.integers(0, 4, len(problem.rows)).astype(np.int32)
        low, high = np.array(
            [[problem.rows[labels == g].min(0), problem.rows[labels == g].max(0)] for g in range(4)]
        ).swapaxes(0, 1)
        ordered = np.array([axis.free > 0 for axis in problem.axes])
        whole = 0.5 * math.log(399 / 2) / len(problem.axes)
        sizes = np.bincount(labels)
        mine = sum(
            noise(
                lines_of(problem.axes), ordered, whole, sizes[g], 3, low[g].astype(np.int32), high[g].astype(np.int32)
            )
            for g in range(4)
        )
        assert mine == pytest.approx(plain_noise(problem, labels))


def test_a_cell_is_changed_as_often_as_retention_says() -> None:
    import tokumei as tk
    from tokumei.anonymizers.pk_perturbation import solve_channels
    from tokumei.mechanism.grouping import noise_of
    from tokumei.privacy.pk import budget

    column = tk.Attribute("c", domain=tk.Categories(["a", "b", "c", "d"]))
    channel = solve_channels([column], 50, 5, "even")["c"]
    assert changed(4.0, budget(50, 5)) == pytest.approx(noise_of(channel), rel=1e-6)


@settings(max_examples=25)
@given(seed=st.integers(0, 10**6), k=st.integers(2, 3), count=st.integers(6, 11), tree=st.booleans())
def test_the_exact_search_beats_every_way_to_cut(seed: int, k: int, count: int, tree: bool) -> None:
    rng = np.random.default_rng(seed)
    first = tree_axis([{0, 2, 4}], 6) if tree else range_axis(6)
    rows = rng.integers(0, 6, (count, 2)).astype(np.int32)
    problem = Problem(rows, (first, range_axis(6)), k)
    if np.any(np.ptp(rows, axis=0) == 0):
        return
    best = min(
        plain_noise(problem, labelled(parts, count)) for parts in cut_from_edge_to_edge(rows, np.arange(count), k)
    )
    found = plain_noise(problem, NoiseAware(search="exact", grid=24).group(problem))
    assert found == pytest.approx(best) or found == best == math.inf
    greedy = plain_noise(problem, NoiseAware(search="greedy").group(problem))
    assert greedy >= best - 1e-9
    assert plain_noise(problem, NoiseAware(grid=24).group(problem)) <= min(found, greedy) + 1e-9


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
