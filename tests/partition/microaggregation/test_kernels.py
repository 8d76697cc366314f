"""The arithmetic of a region, kept up to date step by step, against the same from scratch."""

from __future__ import annotations

import numpy as np
import pytest

from tests.partition.microaggregation.plain import groups_of, squares
from tokumei.partition.microaggregation._local_search_kernels import descend, disturb, far, move, within
from tokumei.partition.microaggregation._local_search_kernels import products as fill_products


def products(cells: np.ndarray, label: np.ndarray, slots: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return what the loop fills in, from room in which anything was before."""
    found = np.full((len(label), len(label)), 9.0), np.full((slots, len(label)), 9.0), np.full(slots, 9.0)
    fill_products(cells, label, slots, *found)
    return found


@pytest.mark.parametrize("seed", range(5))
def test_a_region_is_kept_up_to_date(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cells, label = rng.normal(size=(24, 3)), np.arange(24) % 4
    size = np.append(np.bincount(label), [0, 0])
    dots, along, norm = products(cells, label, 6)
    for _ in range(40):
        row = int(rng.integers(24))
        to = int(label[row] + rng.integers(1, 6)) % 6
        move(row, to, dots, label, size, along, norm)
    assert np.array_equal(size, np.bincount(label, minlength=6))
    assert within(dots, size, norm) == pytest.approx(squares(cells, groups_of(label)))
    fresh = products(cells, label, 6)
    assert np.allclose(along, fresh[1]) and np.allclose(norm, fresh[2])
    mean = cells[label == label[0]].mean(axis=0)
    assert far(5, label[0], dots, size, along, norm) == pytest.approx(np.square(cells[5] - mean).sum())


@pytest.mark.parametrize("how", [0, 1, 2])
@pytest.mark.parametrize("seed", range(5))
def test_descending_gains_and_keeps_k_after_any_disturbance(seed: int, how: int) -> None:
    rng = np.random.default_rng(seed)
    cells, label, k = rng.normal(size=(24, 3)), np.arange(24) % 6, 4
    size, state = np.append(np.bincount(label), 0), rng.integers(1, 2**63, size=1, dtype=np.uint64)
    dots, along, norm = products(cells, label, 7)
    first = within(dots, size, norm)
    disturb(how, k, 6, state, dots, label, size, along, norm)
    assert squares(cells, groups_of(label)) != pytest.approx(first)
    disturbed = within(dots, size, norm)
    descend(k, dots, label, size, along, norm)
    found = squares(cells, groups_of(label))
    assert within(dots, size, norm) == pytest.approx(found)
    assert found < disturbed or how == 0  # a dissolved group leaves fewer and larger ones, which are split first
    assert np.array_equal(size, np.bincount(label, minlength=7))
    assert size[size > 0].min() >= k
    _no_move_or_swap_gains(cells, label, k)


def _no_move_or_swap_gains(cells: np.ndarray, label: np.ndarray, k: int) -> None:
    now = squares(cells, groups_of(label))
    for row in range(len(label)):
        for other in range(len(label)):
            if label[row] == label[other]:
                continue
            swapped, moved = label.copy(), label.copy()
            swapped[[row, other]] = label[[other, row]]
            moved[row] = label[other]
            assert squares(cells, groups_of(swapped)) >= now - 1e-6
            if np.count_nonzero(label == label[row]) > k:
                assert squares(cells, groups_of(moved)) >= now - 1e-6
