"""Hierarchies by hand: whatever is moved, the text stays a hierarchy that can be read, and learned ones stay learned."""

from __future__ import annotations

from pathlib import Path

import pytest

import tokumei as tk
from tokumei.hierarchies.effects import level_effects
from tokumei.studio.hierarchy_text import hierarchy_text, read_hierarchy
from tokumei.studio.session import Session
from tokumei.studio.session.workshop import codes_of, grouped, moved, placed, renamed, with_edges, with_level
from tokumei.table.hierarchy import Intervals, Tree

DOMAIN = tk.Categories(["a", "b", "c", "d"])
TEXT = "a;x;*\nb;x;*\nc;y;*\nd;y;*"


def test_labels_are_moved_renamed_and_joined() -> None:
    text = moved(TEXT, 1, ["b", "c"], "z")
    assert grouped(text, DOMAIN, 1).groups == (("x", ("a",)), ("y", ("d",)), ("z", ("b", "c")))
    read_hierarchy(text, DOMAIN)
    text = renamed(text, 1, "z", "x")
    assert dict(grouped(text, DOMAIN, 1).groups)["x"] == ("a", "b", "c")
    assert read_hierarchy(text, DOMAIN).uncovered(DOMAIN) == []
    # groups of groups
    text = moved(with_level(TEXT, DOMAIN), 2, ["x"], "left")
    assert dict(grouped(text, DOMAIN, 2).groups) == {"left": ("x",), "*": ("y",)}
    assert read_hierarchy(text, DOMAIN).depth == 3


def test_a_level_is_begun_and_what_is_lacking_is_named_and_placed() -> None:
    assert with_level("", DOMAIN) == "a;*\nb;*\nc;*\nd;*"
    found = grouped("a;x;*\nb;x;*", DOMAIN, 1)
    assert found.lacking == ("c", "d")
    text = placed("a;x;*\nb;x;*", DOMAIN)
    assert read_hierarchy(text, DOMAIN).uncovered(DOMAIN) == []
    assert placed(text, DOMAIN) == text
    assert grouped(moved("a;x;*", 1, ["d"], "x"), DOMAIN, 1).lacking == ("b", "c")


@pytest.mark.parametrize(
    "domain", [tk.Numbers(0, 100, step=1), tk.Numbers(0, 1, step=0.1), tk.Dates("2020-01-01", "2020-12-31")]
)
def test_edges_are_moved_in_nested_levels(domain: tk.Numbers | tk.Dates) -> None:
    third, half = domain.size // 3, domain.size // 2
    first = read_hierarchy(with_edges(None, domain, 1, [third, half]), domain)
    assert isinstance(first, Intervals)
    assert codes_of(first, domain, 1) == [third, half]
    assert first.uncovered(domain) == []
    both = read_hierarchy(hierarchy_text(first) + "\n" + hierarchy_text(first), domain)
    assert isinstance(both, Intervals)
    changed = read_hierarchy(with_edges(both, domain, 1, [third + 1, half]), domain)
    assert isinstance(changed, Intervals)
    assert (codes_of(changed, domain, 1), codes_of(changed, domain, 2)) == ([third + 1, half], [half])
    upper = read_hierarchy(with_edges(both, domain, 2, [third - 1]), domain)
    assert isinstance(upper, Intervals)
    assert (codes_of(upper, domain, 1), codes_of(upper, domain, 2)) == ([third - 1, third, half], [third - 1])


def test_effects_count_classes(tmp_path: Path) -> None:
    with Session.example(rows=200) as session:
        attribute = session.state.schema["age"]
        found = level_effects(session.coded, attribute)
        frame = session.table.to_pandas()
        known = list(session.state.schema.names("quasi_identifier"))
        assert found[0].classes == len(frame[known].drop_duplicates())
        others = [name for name in known if name != "age"]
        assert found[-1].classes == len(frame[others].drop_duplicates())
        assert sum(session.value_counts("sex")) == 200
        assert isinstance(session.learned_hierarchy("occupation"), Tree)
