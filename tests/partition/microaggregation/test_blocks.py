"""Paths through blocks: the blocks, their neighbours and the path, each against a plain twin."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tokumei as tk
from tests.partition.microaggregation.plain import (
    as_sets,
    groups_of,
    plain_dice,
    plain_walk,
    ring_of_cells,
    ring_of_neighbours,
)
from tokumei.errors import InvalidParameter
from tokumei.partition.microaggregation.path.blocks import cut_through_blocks, neighbours_of, within_range
from tokumei.partition.microaggregation.path.cut import cut
from tokumei.partition.microaggregation.path.flex_dice import diced
from tokumei.partition.microaggregation.path.grid_blocks import FINEST, _block_of, _cells, _finest
from tokumei.partition.microaggregation.points import Points, information_loss, numbered


def scattered(seed: int, count: int, columns: int) -> Any:
    return np.random.default_rng(seed).lognormal(size=(count, columns))


@pytest.mark.parametrize("parts", [1, 2, 3, 8])
@pytest.mark.parametrize("seed", range(4))
def test_a_path_through_a_grid_is_that_of_the_plain_twin(seed: int, parts: int) -> None:
    rows = scattered(seed, 70, 2 + seed % 2)
    points = Points(rows, 3)
    cells = _cells(within_range(rows), parts)
    blocks = _block_of(cells).astype(np.int32)
    ring = ring_of_cells({int(block): cell for block, cell in zip(blocks, cells, strict=True)})
    path = np.array(plain_walk(rows, blocks, ring))
    assert as_sets(tk.partitions.GridBlocks(parts).group(points)) == as_sets(cut(points, path))


@pytest.mark.parametrize("parts", [1, 2, 4])
@pytest.mark.parametrize("seed", range(4))
def test_a_path_through_diced_blocks_is_that_of_the_plain_twin(seed: int, parts: int) -> None:
    rows = scattered(seed, 90, 2 + seed % 2)
    points = Points(rows, 2)
    blocks = diced(rows, rows.shape[1] * 2 * parts, parts)
    path = np.array(plain_walk(rows, blocks, ring_of_neighbours(neighbours_of(rows, blocks))))
    assert as_sets(tk.partitions.FlexDice(parts).group(points)) == as_sets(cut(points, path))


def test_blocks_that_no_step_leads_to_are_found_all_the_same() -> None:
    rows = np.concatenate([scattered(1, 30, 2), 100 + scattered(2, 30, 2), 1e4 + scattered(3, 30, 2)])
    blocks = numbered(
        np.concatenate([_block_of(_cells(within_range(part), 4)) + i * 100 for i, part in enumerate(np.split(rows, 3))])
    )
    neighbours = neighbours_of(rows, blocks)
    path = np.array(plain_walk(rows, blocks, ring_of_neighbours(neighbours)))
    assert sorted(path.tolist()) == list(range(90))
    assert as_sets(cut_through_blocks(Points(rows, 3), blocks, None)) == as_sets(cut(Points(rows, 3), path))


@pytest.mark.parametrize("seed", range(4))
def test_a_block_has_the_nearest_on_each_side_as_neighbours(seed: int) -> None:
    rows = scattered(seed, 200, 2)
    blocks = diced(rows, 8, 1)
    neighbours = neighbours_of(rows, blocks)
    means = np.array([rows[blocks == block].mean(axis=0) for block in range(blocks.max() + 1)])
    assert neighbours.shape == (len(means), 4)
    for block, mean in enumerate(means):
        gaps = means - mean
        near = np.argsort(np.square(gaps).sum(axis=1), kind="stable")[1:9]
        for side in range(4):
            column, up = divmod(side, 2)
            there = [o for o in near if np.argmax(np.abs(gaps[o])) == column and (gaps[o, column] > 0) == bool(up)]
            assert neighbours[block, side] == (there[0] if there else -1)


@pytest.mark.parametrize(("most", "parts"), [(5, 1), (10, 2), (24, 4), (1000, 3)])
@pytest.mark.parametrize("columns", [1, 2, 9])
def test_blocks_are_those_of_the_plain_twin(columns: int, most: int, parts: int) -> None:
    rows = np.round(scattered(columns, 150, columns), 1)
    assert as_sets(diced(rows, most, parts)) == plain_dice(rows, most, parts)


def test_only_rows_that_are_alike_stay_together_in_large_blocks() -> None:
    rows = np.concatenate([np.ones((30, 3)), scattered(0, 100, 3)])
    for block in groups_of(diced(rows, 6, 2)):
        assert len(block) <= 6 or len(np.unique(rows[block], axis=0)) == 1


@pytest.mark.parametrize("columns", [1, 2, 6])
def test_a_grid_is_as_fine_as_the_rows_fill_it(columns: int) -> None:
    shares = within_range(scattered(2, 500, columns))
    parts = _finest(shares, 500 // 6)
    assert parts == 1 or _block_of(_cells(shares, parts)).max() < 500 // 6
    assert _block_of(_cells(shares, parts + 1)).max() >= 500 // 6


def test_copies_end_the_search_for_a_finer_grid() -> None:
    shares = within_range(np.repeat(np.eye(2), 50, axis=0))
    assert FINEST // 2 <= _finest(shares, 30) <= FINEST


def test_few_columns_are_grouped_about_as_well_as_along_one_path() -> None:
    rows = np.random.default_rng(3).normal(size=(2000, 2))
    points = Points(rows, 4)
    one = information_loss(rows, tk.partitions.NearestPointNext().group(points))
    for partition in (tk.partitions.GridBlocks(), tk.partitions.FlexDice()):
        assert information_loss(rows, partition.group(points)) < 1.5 * one


@pytest.mark.parametrize(
    "make",
    [
        lambda: tk.partitions.GridBlocks(0),
        lambda: tk.partitions.GridBlocks(FINEST + 1),
        lambda: tk.partitions.FlexDice(0),
    ],
)
def test_parts_that_cannot_be_are_refused(make: Any) -> None:
    with pytest.raises(InvalidParameter, match="parts must be a whole number"):
        make()
