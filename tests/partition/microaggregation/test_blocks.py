"""Paths through blocks: the blocks, their neighbours and the path, each against a plain twin."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tokumei as tk
from tests.partition.microaggregation.plain import (
    across,
    as_sets,
    box_of,
    groups_of,
    plain_dice,
    plain_halves,
    plain_walk,
    ring_of_cells,
    ring_of_neighbours,
)
from tokumei.errors import InvalidParameter
from tokumei.partition.microaggregation.path.blocks import cut_through_blocks, within_range
from tokumei.partition.microaggregation.path.cut import cut
from tokumei.partition.microaggregation.path.flex_dice import diced, halved
from tokumei.partition.microaggregation.path.grid_blocks import FINEST, _block_of, _cells, _finest
from tokumei.partition.microaggregation.points import Points, information_loss


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


HALVES = ["every", "widest"]


@pytest.mark.parametrize("halve", HALVES)
@pytest.mark.parametrize("parts", [1, 2, 4])
@pytest.mark.parametrize("seed", range(4))
def test_a_path_through_blocks_is_that_of_the_plain_twin(seed: int, parts: int, halve: Any) -> None:
    rows = scattered(seed, 90, 2 + seed % 2)
    points = Points(rows, 2)
    partition = tk.partitions.FlexDice(parts, halve=halve)
    blocks, neighbours = partition.blocks(points)
    path = np.array(plain_walk(rows, blocks, ring_of_neighbours(neighbours)))
    assert as_sets(partition.group(points)) == as_sets(cut(points, path))


def test_rows_that_no_neighbour_leads_to_are_found_all_the_same() -> None:
    rows = np.concatenate([scattered(1, 30, 2), 100 + scattered(2, 30, 2), 1e4 + scattered(3, 30, 2)])
    blocks, neighbours = diced(rows, 4, 1)
    path = np.array(plain_walk(rows, blocks, ring_of_neighbours(neighbours)))
    assert sorted(path.tolist()) == list(range(90))
    found = cut_through_blocks(Points(rows, 3), blocks, neighbours=neighbours)
    assert as_sets(found) == as_sets(cut(Points(rows, 3), path))


@pytest.mark.parametrize(("most", "parts"), [(3, 1), (8, 1), (20, 4), (1000, 3)])
@pytest.mark.parametrize("columns", [1, 2, 3, 5])
def test_neighbours_share_a_face(columns: int, most: int, parts: int) -> None:
    rows = scattered(columns + most, 200, columns)
    blocks, neighbours = diced(rows, most, parts)
    placed = {block: box_of(*where) for block, where in plain_dice(rows, most, parts).items()}
    boxes = [placed[frozenset(np.flatnonzero(blocks == block).tolist())] for block in range(len(neighbours))]
    assert neighbours.shape == (len(boxes), 2 * columns)
    for block, sides in enumerate(across(boxes)):
        for side, there in enumerate(sides):
            assert (neighbours[block, side] >= 0) == bool(there)
            if there:
                assert neighbours[block, side] in there
                middles = [[(low + high) / 2 for low, high in boxes[at]] for at in (block, *sorted(there))]
                away = [sum((a - b) ** 2 for a, b in zip(middles[0], each, strict=True)) for each in middles[1:]]
                chosen = away[sorted(there).index(int(neighbours[block, side]))]
                assert chosen == min(away)  # of smaller blocks across a face the nearest


@pytest.mark.parametrize(("most", "parts"), [(3, 1), (8, 2), (20, 4), (1000, 3)])
@pytest.mark.parametrize("columns", [1, 2, 5])
def test_blocks_halved_along_one_column_are_those_of_the_plain_twin(columns: int, most: int, parts: int) -> None:
    rows = np.round(scattered(columns, 150, columns), 1)
    blocks, neighbours = halved(rows, most, parts)
    twin = plain_halves(rows, most, parts)
    assert as_sets(blocks) == {frozenset(block) for block, _ in twin}
    number = {int(blocks[block[0]]): box for block, box in twin}
    assert sorted(number) == list(range(len(neighbours)))
    for block, box in number.items():
        own = rows[blocks == block]
        for side in range(2 * columns):
            column, up = divmod(side, 2)
            face = box[column][up]
            if not np.isfinite(face):
                assert neighbours[block, side] == -1
                continue
            middle = (own.min(axis=0) + own.max(axis=0)) / 2
            middle[column] = face if up else np.nextafter(face, -np.inf)
            there = [
                at
                for at, other in number.items()
                if all(low <= x < high for x, (low, high) in zip(middle, other, strict=True))
            ]
            assert [neighbours[block, side]] == there


@pytest.mark.parametrize(("most", "parts"), [(5, 1), (10, 2), (24, 4), (1000, 3)])
@pytest.mark.parametrize("columns", [1, 2, 9])
def test_blocks_are_those_of_the_plain_twin(columns: int, most: int, parts: int) -> None:
    rows = np.round(scattered(columns, 150, columns), 1)
    assert as_sets(diced(rows, most, parts)[0]) == set(plain_dice(rows, most, parts))


@pytest.mark.parametrize("columns", [2, 10, 40])
def test_blocks_halved_along_one_column_are_few_in_many_columns(columns: int) -> None:
    rows = np.random.default_rng(columns).normal(size=(4000, columns))
    blocks, _ = tk.partitions.FlexDice(halve="widest").blocks(Points(rows, 5))
    assert 1 <= (blocks.max() + 1) / (4000 / (5 * columns)) <= 4


def test_the_most_rows_of_a_block_can_be_given() -> None:
    rows = scattered(5, 300, 2)
    for halve in HALVES:
        given = tk.partitions.FlexDice(4, 24, halve)  # type: ignore[arg-type]
        standard = tk.partitions.FlexDice(4, halve=halve)  # type: ignore[arg-type]
        np.testing.assert_array_equal(given.blocks(Points(rows, 3))[0], standard.blocks(Points(rows, 3))[0])
        assert given.blocks(Points(rows, 9))[0].max() > standard.blocks(Points(rows, 9))[0].max()


def test_only_rows_that_are_alike_stay_together_in_large_blocks() -> None:
    rows = np.concatenate([np.ones((30, 3)), scattered(0, 100, 3)])
    for block in groups_of(diced(rows, 6, 2)[0]):
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
    for partition in (tk.partitions.GridBlocks(), tk.partitions.FlexDice(), tk.partitions.FlexDice(halve="widest")):
        assert information_loss(rows, partition.group(points)) < 1.5 * one


@pytest.mark.parametrize(
    "make",
    [
        lambda: tk.partitions.GridBlocks(0),
        lambda: tk.partitions.GridBlocks(FINEST + 1),
        lambda: tk.partitions.FlexDice(0),
        lambda: tk.partitions.FlexDice(4, 0),
    ],
)
def test_parts_that_cannot_be_are_refused(make: Any) -> None:
    with pytest.raises(InvalidParameter, match="(parts|max_rows) must be a whole number"):
        make()
