from __future__ import annotations

import datetime as dt
from pathlib import Path

import numpy as np
import pytest

import tokumei as tk
from tokumei.errors import DataError, InvalidParameter
from tokumei.table.hierarchy import Intervals, Tree

TREE = Tree((("A", "north", "all"), ("B", "north", "all"), ("C", "south", "all")))


def test_csv_in_arx_form_and_back(tmp_path: Path) -> None:
    file = tmp_path / "h.csv"
    file.write_text("A;north;all\nB;north;all\n\nC;south;all\n", encoding="utf-8")
    assert tk.Hierarchy.read_csv(file) == TREE
    TREE.write_csv(tmp_path / "again.csv")
    assert tk.Hierarchy.read_csv(tmp_path / "again.csv") == TREE
    TREE.write_csv(tmp_path / "comma.csv", delimiter=",")
    assert tk.Hierarchy.read_csv(tmp_path / "comma.csv") == TREE


def test_groups_of_groups() -> None:
    assert tk.Hierarchy.groups({"north": "AB", "south": "C"}, {"all": ["north", "south"]}) == TREE


def test_coarsening_a_tree() -> None:
    domain = tk.Categories(["C", "A"])
    groups, codes = TREE.coarsen(domain, 1)
    assert groups == tk.Categories(["south", "north"])
    assert codes.tolist() == [0, 1]
    assert TREE.coarsen(domain, 2)[0] == tk.Categories(["all"])
    assert TREE.coarsen(domain, 0)[0] == domain
    assert TREE.above(domain, 1) == Tree((("south", "all"), ("north", "all")))
    assert TREE.above(domain, 2) is None


def test_ordered_stays_ordered_only_where_groups_are_runs() -> None:
    ordered = tk.Categories(["A", "B", "C"], ordered=True)
    assert TREE.coarsen(ordered, 1)[0].ordered
    assert not TREE.coarsen(tk.Categories(["A", "C", "B"], ordered=True), 1)[0].ordered


def test_a_tree_over_numbers() -> None:
    tree = tk.Hierarchy.groups({"low": [1, 2], "high": [3]})
    groups, codes = tree.coarsen(tk.Numbers(1, 3, step=1), 1)
    assert groups == tk.Categories(["low", "high"], ordered=True)
    assert codes.tolist() == [0, 0, 1]


def test_intervals_over_whole_numbers() -> None:
    ages = tk.Hierarchy.intervals([0, 18, 30, 65, 120], [0, 18, 120])
    groups, codes = ages.coarsen(tk.Numbers(17, 90, step=1), 1)
    assert groups.values == ("0-17", "18-29", "30-64", "65-120")
    assert groups.ordered
    assert np.bincount(codes).tolist() == [1, 12, 35, 26]
    assert ages.above(tk.Numbers(17, 90, step=1), 1) == Tree(
        (("0-17", "0-17"), ("18-29", "18-120"), ("30-64", "18-120"), ("65-120", "18-120"))
    )


def test_intervals_over_fractions_and_dates() -> None:
    halves = tk.Hierarchy.intervals([0, 0.5, 1])
    groups, codes = halves.coarsen(tk.Numbers(0, 1, step=0.25), 1)
    assert groups.values == ("[0, 0.5)", "[0.5, 1]")
    assert codes.tolist() == [0, 0, 1, 1, 1]
    years = tk.Hierarchy.intervals([dt.date(2020, 1, 1), dt.date(2021, 1, 1), dt.date(2021, 12, 31)])
    _, codes = years.coarsen(tk.Dates(dt.date(2020, 1, 1), dt.date(2021, 12, 31)), 1)
    assert np.bincount(codes).tolist() == [366, 365]


def test_intervals_that_hold_nothing_are_left_out() -> None:
    groups, codes = tk.Hierarchy.intervals([0, 5, 10, 20]).coarsen(tk.Numbers(12, 15, step=1), 1)
    assert groups.size == 1
    assert codes.tolist() == [0] * 4


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Tree(()), "at least one row"),
        (lambda: Tree((("A",),)), "at least one level"),
        (lambda: Tree((("A", "x"), ("B",))), "row 2 does not"),
        (lambda: Tree((("A", "x"), ("A", "y"))), "occur twice: 'A'"),
        (lambda: Tree((("A", "x", "p"), ("B", "x", "q"))), "'x' of level 1 lies under two labels"),
        (lambda: tk.Hierarchy.groups(), "at least one level"),
        (lambda: tk.Hierarchy.groups({"x": ["A"], "y": ["A"]}), "'A' is in two groups"),
        (lambda: tk.Hierarchy.groups({"x": ["A"]}, {"top": ["y"]}), "'x' is in no group"),
        (lambda: Intervals(()), "at least one level"),
        (lambda: tk.Hierarchy.intervals([1]), "two edges"),
        (lambda: tk.Hierarchy.intervals([1, 1]), "must increase"),
        (lambda: tk.Hierarchy.intervals([1, 2, 3], [1, 2.5, 3]), "edge 2.5 of level 2 is missing below it"),
        (lambda: TREE.coarsen(tk.Categories(["A"]), 3), "between 0 and 2"),
        (lambda: TREE.coarsen(tk.Categories(["Z"]), 1), "lacks 1 value"),
        (lambda: tk.Hierarchy.intervals([0, 1]).coarsen(tk.Categories(["A"]), 1), "numbers or dates"),
        (lambda: tk.Hierarchy.intervals([0, 1]).coarsen(tk.Numbers(0, 2), 1), "do not cover"),
    ],
)
def test_hierarchies_that_cannot_be(make, message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        make()


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read: no such file"):
        tk.Hierarchy.read_csv(tmp_path / "absent.csv")
    broken = tmp_path / "broken.csv"
    broken.write_text("A;x\nA;y\n", encoding="utf-8")
    with pytest.raises(InvalidParameter, match=r"broken.csv: Tree: each value may occur once"):
        tk.Hierarchy.read_csv(broken)
    broken.write_bytes(b"\xff\xfe\x00A")
    with pytest.raises(DataError, match="not UTF-8"):
        tk.Hierarchy.read_csv(broken)
