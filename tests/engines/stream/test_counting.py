"""Compiled loops against plain twins, and counts against Counter, whatever memory there is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

import tokumei as tk
from tests.engines.stream.rows import in_parts, people
from tokumei.engines.stream import counting
from tokumei.engines.stream._kernels import count_places, dealt, looked_up, lowered
from tokumei.engines.stream.counting import tallies
from tokumei.engines.stream.spool import Layout, Spool
from tokumei.errors import DataError, InvalidParameter
from tokumei.partition._mondrian_kernels import cut_by_counts, leaves_of
from tokumei.partition.lines import lines_of
from tokumei.table.axis import axis_of
from tokumei.table.sizes import ClassSizes


def plainly(keys: Any, add: Any) -> dict[tuple[int, ...], tuple[int, ...]]:
    found: dict[tuple[int, ...], Any] = {}
    for key, each in zip(map(tuple, keys.tolist()), add.tolist(), strict=True):
        found[key] = [a + b for a, b in zip(found.get(key, [0] * len(each)), each, strict=True)]
    return {key: tuple(counts) for key, counts in found.items()}


@pytest.mark.parametrize("words", [1, 2, 3])
@pytest.mark.parametrize("memory", [3 * 2**20, 10**9])
@pytest.mark.parametrize("ones", [True, False])
def test_tallies_are_those_of_a_dictionary(words: int, memory: int, ones: bool, monkeypatch: Any) -> None:
    """With little memory several passes are made, each over part of the keys, and nothing is counted twice."""
    monkeypatch.setattr(counting, "SHARE", 10**6)  # a small table first, that must grow
    rng = np.random.default_rng(words)
    keys = rng.integers(0, 40_000 if words == 1 else 200, (30_000, words)).astype(np.uint64)
    add = np.ones((len(keys), 1), np.int64) if ones else np.stack([np.ones(len(keys)), rng.random(len(keys)) < 0.3], 1)
    add = add.astype(np.int64)

    def rows() -> Iterator[Any]:
        for low in range(0, len(keys), 7001):
            yield keys[low : low + 7001], None if ones else add[low : low + 7001]

    made: dict[tuple[int, ...], tuple[int, ...]] = {}
    sizes, parts = np.zeros(len(keys), np.int64), 0
    for tally in tallies(rows, words, add.shape[1], memory if memory > 10**8 else 2**20):
        found, counts = tally.result()
        for key, each in zip(map(tuple, found.tolist()), map(tuple, counts.tolist()), strict=True):
            assert key not in made
            made[key] = each
        sizes += tally.first_counts(keys)
        parts += 1
    expected = plainly(keys, add)
    assert made == expected
    assert sizes.tolist() == [expected[tuple(key)][0] for key in keys.tolist()]
    assert (parts > 1) == (memory < 10**8)


def test_keys_of_a_class_stay_together() -> None:
    rng = np.random.default_rng(0)
    keys = rng.integers(0, 3000, (60_000, 2)).astype(np.uint64)
    seen: set[int] = set()
    for tally in tallies(lambda: iter([(keys, None)]), 2, 1, 2**20, told=1):
        here = set(tally.result()[0][:, 0].tolist())
        assert not here & seen
        seen |= here
    assert seen == set(keys[:, 0].tolist())


def test_numbers_are_written_to_their_slots() -> None:
    rng = np.random.default_rng(0)
    layout = Layout.of({"a": np.uint8, "b": np.uint32, "c": np.uint16}, 8)
    packed = np.zeros((500, layout.width), np.uint8)
    slots, table, indices = layout.slots(packed), rng.integers(0, 9999, 50).astype(np.uint32), rng.integers(0, 50, 500)
    cells = rng.integers(-7, 200, 500)
    lowered(cells, -8, slots["a"])
    looked_up(table, indices, slots["b"])
    looked_up(table, indices[::-1].copy(), slots["c"])
    plain = {"a": cells + 8, "b": table[indices], "c": table[indices[::-1]]}
    assert np.array_equal(packed, layout.pack(plain, 500))


def test_dealing_is_a_stable_sort() -> None:
    rng = np.random.default_rng(0)
    rows, bucket = rng.integers(0, 256, (1000, 5)).astype(np.uint8), rng.integers(0, 7, 1000)
    counts = np.bincount(bucket, minlength=7)
    out, order = np.empty_like(rows), np.empty(1000, np.int64)
    dealt(rows, bucket, np.cumsum(counts) - counts, out, order)
    plain = np.argsort(bucket, kind="stable")
    assert np.array_equal(order, plain)
    assert np.array_equal(out, rows[plain])


def test_rows_follow_a_tree_of_cuts() -> None:
    places = np.random.default_rng(0).integers(0, 10, (500, 2)).astype(np.int32)
    axis, low, high = np.array([0, -1, 1, -1, -1]), np.array([0, -1, 4, -1, -1]), np.array([3, -1, 6, -1, -1])
    front, back = np.array([1, -1, 3, -1, -1]), np.array([2, -1, 4, -1, -1])
    found = np.empty(500, np.int64)
    leaves_of(places, axis, low, high, front, back, found)
    inside = (places[:, 1] >= 4) & (places[:, 1] <= 6)
    assert np.array_equal(found, np.where(places[:, 0] <= 3, 1, np.where(inside, 3, 4)))
    counts = np.zeros((2, 20), np.int64)
    count_places(places, found, np.array([-1, 0, -1, 1, -1]), np.array([0, 10]), counts)
    for slot, leaf in enumerate((1, 3)):
        mine = places[found == leaf]
        assert np.array_equal(counts[slot, :10], np.bincount(mine[:, 0], minlength=10))
        assert np.array_equal(counts[slot, 10:], np.bincount(mine[:, 1], minlength=10))


def test_a_cut_from_counts_halves_the_widest_axis() -> None:
    age = axis_of(tk.Attribute("age", domain=tk.Numbers(0, 9, step=1)))
    pay = axis_of(tk.Attribute("pay", domain=tk.Numbers(0, 9, step=1)))
    counts = np.array([0, 2, 2, 2, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 1, 0, 0, 0, 2])
    cut = np.empty(5, np.int64)
    assert cut_by_counts(lines_of((age, pay)), np.array([0, 10]), counts, 3, False, cut) == 1
    assert cut[:2].tolist() == [0, 0]  # three rows below, three above
    assert cut_by_counts(lines_of((age, pay)), np.array([0, 10]), counts, 4, False, cut) == -1


@pytest.mark.parametrize(
    "columns", [["town"], ["age", "town"], ["age", "town", "pay", "ill", "note", "seen"], ["name"]]
)
@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_class_sizes_of_files(tmp_path: Path, columns: list[str], kind: str) -> None:
    table = people(2000)
    folder = in_parts(table, tmp_path / "parts", 3, kind)
    found = tk.disclosure.class_sizes(folder, columns, "64MB")
    counted = Counter(zip(*(table.column(name).to_pylist() for name in columns), strict=True))
    assert found == ClassSizes.of_classes(np.array(list(counted.values())))
    assert (found.rows, found.classes, found.smallest) == (2000, len(counted), min(counted.values()))
    assert found.unique == sum(size == 1 for size in counted.values())


def test_class_sizes_of_odd_columns(tmp_path: Path) -> None:
    from decimal import Decimal

    table = pa.table(
        {
            "d": pa.array([Decimal("1.5"), None, Decimal("1.5")]),
            "f": pa.array([float("nan"), 0.5, float("nan")]),
            "b": pa.array([b"x", b"y", b"x"]),
            "u": pa.array([2**63, 1, 2**63], pa.uint64()),
            "t": pa.array([1, None, 1], pa.time32("s")),
            "n": pa.nulls(3),
            "i": pa.array([-(2**40), 2**40, -(2**40)]),
        }
    )
    pyarrow.parquet.write_table(table, tmp_path / "t.parquet")
    assert tk.disclosure.class_sizes(tmp_path / "t.parquet", table.column_names) == ClassSizes((1, 2), (1, 2))


def test_class_sizes_refuse(tmp_path: Path) -> None:
    pyarrow.parquet.write_table(people(10), tmp_path / "t.parquet")
    with pytest.raises(DataError, match="no column 'agee'. Did you mean 'age'"):
        tk.disclosure.class_sizes(tmp_path / "t.parquet", ["agee"])
    with pytest.raises(InvalidParameter, match="must name at least one column"):
        tk.disclosure.class_sizes(tmp_path / "t.parquet", [])
    pyarrow.parquet.write_table(people(10).slice(0, 0), tmp_path / "t.parquet")
    with pytest.raises(DataError, match="no rows"):
        tk.disclosure.class_sizes(tmp_path / "t.parquet", ["age"])


def test_rows_come_back_from_disk() -> None:
    layout = Layout.of({"a": np.uint8, "b": np.uint16, "c": np.uint32})
    rng = np.random.default_rng(0)
    columns = {name: rng.integers(0, 200, 100).astype(kind) for name, kind in layout.types.items()}
    cells = pa.table({"text": [str(i) for i in range(100)]})
    spool = Spool(layout)
    for low in (0, 30, 60, 90):
        part = slice(low, min(100, low + 30))
        packed = layout.pack({name: codes[part] for name, codes in columns.items()}, len(range(100)[part]))
        spool.append(packed, cells.slice(low, 30))
    whole = spool.whole()
    for name, codes in columns.items():
        assert np.array_equal(whole.codes(name), codes)
        assert np.array_equal(np.concatenate([chunk.codes(name) for chunk in spool.chunks()]), codes)
    assert whole.cells is not None
    assert whole.cells.equals(cells)
    assert [chunk.start for chunk in spool.chunks()] == [0, 30, 60, 90]
