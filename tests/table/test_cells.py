"""What coarser cells are called."""

from __future__ import annotations

import datetime as dt

import pytest

import tokumei as tk
from tokumei.errors import InvalidParameter
from tokumei.table.axis import axis_of
from tokumei.table.cells import CellNames, check_names


def names(attribute: tk.Attribute) -> CellNames:
    return CellNames(attribute, axis_of(attribute))


def test_numbers_dates_and_orders_are_intervals() -> None:
    ages = names(tk.Attribute("age", domain=tk.Numbers(20, 60, step=1)))
    assert ages.of([0, 0, 3], [0, 14, 40]) == ["20", "[20, 34]", "[23, 60]"]
    assert ages.of([0], [40]) == ["*"]  # the whole range says nothing
    missing = names(tk.Attribute("age", domain=tk.Numbers(20, 60, step=1), missing=True))
    assert missing.of([0, 41, 3], [40, 41, 41]) == ["[20, 60]", None, "*"]
    days = names(tk.Attribute("day", domain=tk.Dates(dt.date(2024, 1, 1), dt.date(2024, 1, 31))))
    assert days.of([1], [2]) == ["[2024-01-02, 2024-01-03]"]
    grades = names(tk.Attribute("grade", domain=tk.Categories(["A", "B", "C"], ordered=True)))
    assert grades.of([0, 1], [1, 1]) == ["[A, B]", "B"]


def test_trees_have_their_own_labels() -> None:
    tree = tk.Hierarchy.groups({"north": ["A", "C"], "south": ["B"]})
    place = names(tk.Attribute("place", domain=tk.Categories(["A", "B", "C"]), hierarchy=tree, missing=True))
    assert place.of([0, 0, 2, 0, 3], [0, 1, 2, 2, 3]) == ["A", "north", "B", "*", None]
    assert place.at_level(1) == {(0, 1): "north", (2, 2): "south", (3, 3): None}
    assert place.at_level(2) == {(0, 3): "*"}
    assert place.at_level(0) == {(0, 0): "A", (1, 1): "C", (2, 2): "B", (3, 3): None}


def test_names_that_are_possible() -> None:
    tree = tk.Hierarchy.groups({"north": ["A", "C"], "south": ["B"]})
    place = names(tk.Attribute("place", domain=tk.Categories(["A", "B", "C"]), hierarchy=tree, missing=True))
    assert place.possible([(0, 1), (2, 2), (2, 2), (0, 3), (0, 2)], ["north", "B", "south", "*", "*"])
    for stretch, name in (((0, 1), "south"), ((0, 1), "*"), ((0, 0), "C"), ((0, 3), "all")):
        assert not place.possible([stretch], [name])


def test_one_name_stands_for_one_stretch() -> None:
    column = tk.Attribute("place", domain=tk.Categories(["A", "B", "C"]))
    check_names(column, [(0, 1), (2, 2)], ["x", "y"])
    with pytest.raises(InvalidParameter, match="the label 'x' of 'place'"):
        check_names(column, [(0, 1), (2, 2)], ["x", "x"])
    seen = tk.Attribute("place", domain=tk.Categories(["A", "B", "C"]), observed=True)
    with pytest.raises(InvalidParameter, match="the label of 'place'"):
        check_names(seen, [(0, 1), (2, 2)], ["x", "x"])
