"""Hierarchies changed by hand, and what their levels do, counted by hand."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tokumei as tk
from tokumei.errors import InvalidParameter
from tokumei.hierarchies import editing
from tokumei.hierarchies.effects import level_effects
from tokumei.table.coded import encode
from tokumei.table.hierarchy import Tree

TREE = tk.Hierarchy.groups(
    {"city": ["a", "b"], "hill": ["c"], "shore": ["d", "e"]}, {"in": ["city", "hill"], "out": ["shore"]}
)


def test_joining_and_taking_apart_undo_each_other() -> None:
    joined = editing.join(TREE, 1, ["city", "hill"], "land")
    assert [row[1] for row in joined.rows] == ["land", "land", "land", "shore", "shore"]
    apart = editing.take_apart(joined, 1, "land", ["c"], "hill")
    assert editing.rename(apart, 1, "land", "city") == TREE


def test_joining_may_keep_one_of_the_names() -> None:
    assert editing.join(TREE, 1, ["city", "hill"], "city").rows[2] == ("c", "city", "in")


def test_moving_takes_what_lies_below_along() -> None:
    moved = editing.move(TREE, 1, "hill", "out")
    assert moved.rows[2] == ("c", "hill", "out")
    assert editing.move(TREE, 0, "a", "shore").rows[0] == ("a", "shore", "out")


def test_levels_come_and_go() -> None:
    more = editing.add_level(TREE, 3, {"*": ["in", "out"]})
    assert more.depth == 3
    assert editing.remove_level(more, 3) == TREE
    between = editing.add_level(TREE, 1, {letter.upper(): [letter] for letter in "abcde"})
    assert between.rows[0] == ("a", "A", "city", "in")


@pytest.mark.parametrize(
    ("work", "message"),
    [
        (lambda: editing.join(TREE, 1, ["city", "shore"], "x"), "lie under different ones"),
        (lambda: editing.join(TREE, 1, ["city"], "x"), "at least two"),
        (lambda: editing.join(TREE, 1, ["city", "hill"], "shore"), "has a label 'shore' already"),
        (lambda: editing.join(TREE, 1, ["citi", "hill"], "x"), "no label 'citi' at level 1. Did you mean 'city'"),
        (lambda: editing.join(TREE, 3, ["in", "out"], "x"), "level must be between 0 and 2"),
        (lambda: editing.take_apart(TREE, 1, "city", ["a", "b"], "x"), "not all of them"),
        (lambda: editing.take_apart(TREE, 1, "city", ["c"], "x"), "not all of them"),
        (lambda: editing.take_apart(TREE, 1, "city", ["a"], "hill"), "already"),
        (lambda: editing.rename(TREE, 1, "city", " "), "needs a name"),
        (lambda: editing.rename(TREE, 1, "city", "hill"), "already"),
        (lambda: editing.move(TREE, 2, "in", "out"), "lie under nothing"),
        (lambda: editing.add_level(TREE, 9, {}), "from 1 to 3"),
        (lambda: editing.add_level(TREE, 3, {"*": ["in"]}), "every label of the level below"),
        (lambda: editing.add_level(TREE, 3, {"x": ["in", "out"], "y": ["in"]}), "two groups"),
        (lambda: editing.remove_level(tk.Hierarchy.groups({"x": ["a"]}), 1), "whole hierarchy"),
        (lambda: editing.with_edge(tk.Hierarchy.intervals([0, 5, 10]), 1, 5), "already"),
        (lambda: editing.with_edge(tk.Hierarchy.intervals([0, 5, 10]), 1, 11), "between 0 and 10"),
        (lambda: editing.with_edge(tk.Hierarchy.intervals([0, 5, 10]), 2, 3), "between 1 and 1"),
        (lambda: editing.without_edge(tk.Hierarchy.intervals([0, 5, 10]), 1, 10), "no edge between"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(work: object, message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        work()  # type: ignore[operator]


def test_intervals_become_a_tree_that_recodes_alike() -> None:
    domain = tk.Numbers(0, 10, step=1)
    edges = tk.Hierarchy.intervals([0, 3, 6, 10], [0, 6, 10])
    tree = editing.as_tree(edges, domain)
    for level in (1, 2):
        assert tree.coarsen(domain, level)[0].values == edges.coarsen(domain, level)[0].values
        assert (tree.coarsen(domain, level)[1] == edges.coarsen(domain, level)[1]).all()
    assert editing.as_tree(tree, domain) is tree


def test_a_learned_tree_stays_a_learned_one() -> None:
    learned = Tree(TREE.rows, learned=True)
    assert editing.rename(learned, 1, "city", "town").learned


@given(
    rows=st.lists(st.tuples(st.sampled_from("abcde"), st.integers(0, 2)), min_size=1, max_size=30),
)
def test_effects_are_what_counting_gives(rows: list[tuple[str, int]]) -> None:
    column = tk.Attribute("place", "quasi_identifier", tk.Categories(list("abcde")), TREE)
    other = tk.Attribute("n", "quasi_identifier", tk.Numbers(0, 2, step=1))
    table = encode(
        pa.table({"place": [row[0] for row in rows], "n": pa.array([row[1] for row in rows])}),
        tk.Schema((column, other)),
    )
    found = level_effects(table, column)
    labels = {row[0]: (*row, "*") for row in TREE.rows}
    sizes = {level: Counter(each[level] for each in labels.values()) for level in range(4)}
    for level, effect in enumerate(found):
        alone = Counter(labels[place][level] for place, _ in rows)
        both = Counter((labels[place][level], n) for place, n in rows)
        assert effect.level == level
        assert (effect.labels, effect.rarest) == (len(alone), min(alone.values()))
        assert (effect.smallest, effect.unique) == (min(both.values()), sum(size == 1 for size in both.values()))
        loss = sum((sizes[level][labels[place][level]] - 1) / 4 for place, _ in rows) / len(rows)
        assert effect.loss == pytest.approx(loss)
    assert len(found) == 4
