"""Trees made by a rule."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pytest

import tokumei as tk
from tokumei.errors import InvalidParameter, PlanError

ZIPS = tk.Categories(["60310", "60594", "10115", "10999"])
DAYS = tk.Dates(dt.date(2023, 12, 30), dt.date(2024, 7, 2))


def test_masks_hide_the_ends() -> None:
    tree = tk.Hierarchy.masks(ZIPS)
    assert tree.rows[1] == ("60594", "6059*", "605**", "60***", "6****", "*****")
    assert tk.Hierarchy.masks(ZIPS, keep=[2], mask="x").coarsen(ZIPS, 1)[0].values == ("60xxx", "10xxx")


def test_dates_are_joined_by_the_calendar() -> None:
    tree = tk.Hierarchy.dates(DAYS, ("month", "quarter", "half", "year", "decade"))
    assert tree.rows[0] == ("2023-12-30", "2023-12", "2023-Q4", "2023-H2", "2023", "2020s")
    assert tree.rows[-1] == ("2024-07-02", "2024-07", "2024-Q3", "2024-H2", "2024", "2020s")
    _, codes = tree.coarsen(DAYS, 2)
    assert np.bincount(codes).tolist() == [2, 91, 91, 2]
    hours = tk.Dates(dt.datetime(2024, 1, 1), dt.datetime(2024, 1, 2, 5), unit="hour")
    assert np.bincount(tk.Hierarchy.dates(hours, ["day", "month"]).coarsen(hours, 1)[1]).tolist() == [24, 6]


def test_order_joins_neighbours() -> None:
    grades = tk.Categories(["A", "B", "C", "D", "E"], ordered=True)
    assert [row[1] for row in tk.Hierarchy.order(grades, [2]).rows] == ["[A, B]", "[A, B]", "[C, D]", "[C, D]", "E"]
    ages = tk.Numbers(17, 90, step=1)
    tree = tk.Hierarchy.order(ages, [5, 3])
    assert tree.depth == 3
    sizes = np.bincount(tree.coarsen(ages, 2)[1])
    assert sizes.tolist() == [15, 15, 15, 15, 14]
    assert tree.coarsen(ages, 1)[0].ordered


@pytest.mark.parametrize("tree_domain", [(tk.Hierarchy.masks(ZIPS), ZIPS), (tk.Hierarchy.dates(DAYS), DAYS)])
def test_a_rule_covers_its_whole_domain(tree_domain: Any) -> None:
    tree, domain = tree_domain
    assert tree.uncovered(domain) == []
    assert not tree.learned
    tk.Attribute("x", "quasi_identifier", domain, tree)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: tk.Hierarchy.masks(tk.Categories(["123", "1234"])), "3 to 4 characters"),
        (lambda: tk.Hierarchy.masks(ZIPS, keep=[2, 3]), "must decrease from level to level"),
        (lambda: tk.Hierarchy.masks(ZIPS, keep=[5]), "must decrease"),
        (lambda: tk.Hierarchy.masks(ZIPS, keep=[]), "must decrease"),
        (lambda: tk.Hierarchy.masks(ZIPS, mask="**"), "one character"),
        (lambda: tk.Hierarchy.masks(ZIPS, mask="0"), "contain the mask '0' themselves"),
        (lambda: tk.Hierarchy.masks(tk.Numbers(0, 1)), "needs a domain of categories"),
        (lambda: tk.Hierarchy.dates(ZIPS), "needs a domain of dates"),
        (lambda: tk.Hierarchy.dates(DAYS, ["year", "month"]), "get longer"),
        (lambda: tk.Hierarchy.dates(DAYS, ["week"]), "some of 'day'"),
        (lambda: tk.Hierarchy.dates(DAYS, []), "some of 'day'"),
        (lambda: tk.Hierarchy.order(ZIPS), "needs an ordered domain"),
        (lambda: tk.Hierarchy.order(tk.Numbers(0, 9, step=1), [1]), "at least 2"),
        (lambda: tk.Hierarchy.order(tk.Numbers(0, 9, step=1), [5, 2]), "joins 10 values at its last level"),
    ],
)
def test_rules_that_cannot_be(make: Any, message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        make()


PLAN = """
[source]
path = "x.csv"
[schema.x]
role = "quasi_identifier"
domain = {}
hierarchy = {}
[method]
method = "generalization"
k = 2
"""
CODES = '{ kind = "categories", values = ["601", "602"] }'


def test_rules_in_a_plan() -> None:
    tree = tk.Plan.from_toml(PLAN.format(CODES, "{ masks = [2, 0] }")).schema["x"].hierarchy
    assert tree.rows == (("601", "60*", "***"), ("602", "60*", "***"))
    days = '{ kind = "dates", low = 2024-01-01, high = 2024-12-31 }'
    assert tk.Plan.from_toml(PLAN.format(days, '{ dates = ["month"] }')).schema["x"].hierarchy.depth == 1
    ages = '{ kind = "numbers", low = 0, high = 99, step = 1 }'
    assert tk.Plan.from_toml(PLAN.format(ages, "{ order = [5, 4] }")).schema["x"].hierarchy.depth == 3
    for domain, rule, message in (
        (CODES, "{ masks = 2 }", "are a list"),
        (CODES, '{ masks = ["a"] }', "whole numbers"),
        (CODES, "{ order = [2] }", "needs an ordered domain"),
        ('{ kind = "letters" }', "{ masks = [1] }", "schema.x.domain"),
        (CODES, "{ guess = [2] }", "a hierarchy is the name of a file"),
    ):
        with pytest.raises(PlanError, match=message):
            tk.Plan.from_toml(PLAN.format(domain, rule))
