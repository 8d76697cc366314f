"""Cells of every kind are read as the stretch of values that they stand for."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pyarrow as pa
import pytest

import tokumei as tk
from tokumei.table.axis import axis_of
from tokumei.table.cells import CellNames
from tokumei.table.reading import CellReader

TREE = tk.Hierarchy.groups({"north": ["B", "D"], "south": ["A", "C"]})
PLACE = tk.Attribute("place", domain=tk.Categories(["A", "B", "C", "D"]), hierarchy=TREE, missing=True)
AGE = tk.Attribute("age", domain=tk.Numbers(20, 29, step=1))
DAY = tk.Attribute("day", domain=tk.Dates(dt.date(2020, 1, 1), dt.date(2020, 1, 31)))
SIZE = tk.Attribute("size", domain=tk.Categories(["S, slim", "S", "M", "L"], ordered=True))


def stretches(attribute: tk.Attribute, cells: list[object]) -> list[tuple[int, int]]:
    found = CellReader(attribute).read(pa.array(cells))
    return [(int(found.low[at]), int(found.high[at])) for at in found.which]


def test_values_labels_and_stars_of_a_tree() -> None:
    place = axis_of(PLACE).place
    found = stretches(PLACE, ["A", "D", "north", "south", "*", None, "unheard of"])
    north = sorted(int(place[code]) for code in (1, 3))
    south = sorted(int(place[code]) for code in (0, 2))
    assert found[0] == (place[0], place[0])
    assert found[1] == (place[3], place[3])
    assert found[2:4] == [tuple(north), tuple(south)]
    assert found[4:] == [(0, 4), (4, 4), (0, 4)]


def test_raw_numbers_and_intervals() -> None:
    assert stretches(AGE, [20, 29, 99, None]) == [(0, 0), (9, 9), (0, 9), (0, 9)]
    assert stretches(AGE, ["[22, 25]", "23", "*", "[25, 22]", "nan", "[5, 22]"]) == [
        (2, 5),
        (3, 3),
        (0, 9),
        (0, 9),
        (0, 9),
        (0, 9),
    ]


def test_a_reader_reads_more_than_once() -> None:
    reader = CellReader(AGE)
    for cells, low in ((["[22, 25]", "23"], [2, 3]), (["23", "[24, 29]", "22"], [3, 4, 2]), (["23"], [3])):
        found = reader.read(pa.array(cells))
        assert found.low[found.which].tolist() == low


def test_dates_and_ordered_categories() -> None:
    assert stretches(DAY, ["[2020-01-02, 2020-01-05]", "2020-01-31"]) == [(1, 4), (30, 30)]
    assert stretches(DAY, [dt.date(2020, 1, 3)]) == [(2, 2)]
    assert stretches(DAY, ["2020-01-02T00:00+02:00", "tomorrow"]) == [(0, 30), (0, 30)]
    assert stretches(SIZE, ["[S, slim, M]", "[S, L]", "S, slim"]) == [(0, 2), (1, 3), (0, 0)]


@pytest.mark.parametrize("attribute", [PLACE, AGE, DAY, SIZE], ids=lambda each: each.name)
def test_every_name_of_a_stretch_is_read_as_that_stretch(attribute: tk.Attribute) -> None:
    axis = axis_of(attribute)
    low, high = (part.ravel() for part in np.meshgrid(np.arange(axis.size), np.arange(axis.size)))
    low, high = axis.closure(low[low <= high], high[low <= high])
    names = CellNames(attribute, axis).of(low, high)
    assert stretches(attribute, names) == list(zip(low.tolist(), high.tolist(), strict=True))


def test_a_label_with_two_meanings_is_refused() -> None:
    tree = tk.Hierarchy.groups({"A": ["A", "B"], "rest": ["C"]})
    twice = tk.Attribute("x", domain=tk.Categories(["A", "B", "C"]), hierarchy=tree)
    assert stretches(twice, ["B", "rest"]) == [(1, 1), (2, 2)]
    with pytest.raises(tk.errors.InvalidParameter, match="different values at different levels"):
        stretches(twice, ["A"])


def test_a_column_of_another_kind_is_refused_without_its_cells() -> None:
    with pytest.raises(tk.errors.DataError, match="'place' holds numbers") as caught:
        stretches(PLACE, [123456])
    assert "123456" not in str(caught.value)
