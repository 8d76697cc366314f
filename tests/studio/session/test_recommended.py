"""What the frontier recommends: the most useful of what keeps everything asked for, found here by looking at all points."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tokumei.studio.session import Session, frontier_builder
from tokumei.studio.session.frontier import Frontier, Point
from tokumei.studio.session.recommended import recommend, recommended_words
from tokumei.words import Words

LINES = ("groups", "pk_perturbation", "pk_all_told", "swapping")


@pytest.fixture(scope="module")
def found() -> Iterator[Frontier]:
    with Session.example(rows=400) as session:
        for name in LINES:
            for k in (5, 20):
                session.point(name, k)
        yield session.frontier_now()


def points(found: Frontier) -> list[Point]:
    return [point for line in found.lines.values() for point in line.points if point.measured]


def value(point: Point, name: str) -> float:
    (rung,) = [each for each in point.rungs if each.name == name]
    return 1.0 if rung.value is None else rung.value


@pytest.mark.parametrize("k", [2, 5, 6, 20])
def test_without_duties_it_is_the_most_useful_that_keeps_linking(found: Frontier, k: int) -> None:
    made = recommend(found, k)
    fit = [each for each in points(found) if each.k >= k and value(each, "linking") <= 1 / k + 1e-9]
    assert made.best is not None
    assert made.best.shown(made.side) == max(each.shown("reconstructed") or 0 for each in fit)
    said = recommended_words(made, Words("en"))
    assert said.startswith(f"At k = {k}, take ")
    assert f"k = {made.best.k}" in said
    safest = min(value(each, "whole_table") for each in fit)
    if safest < value(made.best, "whole_table"):
        assert made.stronger is not None
        strong = [each for each in fit if value(each, "whole_table") <= 1 / k + 1e-9]
        if strong:
            assert made.stronger.shown(made.side) == max(each.shown(made.side) or 0 for each in strong)
        else:
            assert value(made.stronger, "whole_table") == safest
        assert "the whole table" in said
    assert "勧めます" in recommended_words(made, Words("ja"))


def test_with_duties_only_what_meets_all_of_them(found: Frontier) -> None:
    made = recommend(found, 5, "linking 1/5, whole_table 1/4")
    fit = [each for each in points(found) if value(each, "linking") <= 0.2 and value(each, "whole_table") <= 0.25]
    assert (made.best is None) == (not fit)
    nothing = recommend(found, 5, "differencing 0.000001")
    assert nothing.best is None
    assert "No method here meets every duty" in recommended_words(nothing, Words("en"))
    assert "Nothing has been measured" in recommended_words(recommend(found, 100), Words("en"))


def test_what_was_measured_on_some_rows_meets_only_duties_that_its_method_is_held_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(frontier_builder, "SAMPLED", 150)
    with Session.example(rows=400) as session:
        point = session.point("swapping", 5)
        now = session.frontier_now()
    assert point is not None
    assert point.sampled == 150
    made = recommend(now, 5)
    assert made.best == point
    assert recommended_words(made, Words("en")).endswith("Measured on 150 random rows only: Data swapping.")
    assert "150 行" in recommended_words(made, Words("ja"))
    held = recommend(now, 5, "linking 1/5")
    assert held.best == point
    assert "150 random rows" in recommended_words(held, Words("en"))
    assert recommend(now, 5, "linking 1/6").best is None
    assert recommend(now, 5, "linking 1/5, inference 0.99").best is None
