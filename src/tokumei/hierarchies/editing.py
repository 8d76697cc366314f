"""Changing a hierarchy by hand: join labels, take them apart, rename and move them; add and remove edges and levels.

Every change returns a new hierarchy, or refuses in one sentence; levels stay nested.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from tokumei.errors import InvalidParameter
from tokumei.table.domain import Domain
from tokumei.table.hierarchy import Edge, Hierarchy, Intervals, Tree
from tokumei.text import nearest


def as_tree(hierarchy: Hierarchy, domain: Domain) -> Tree:
    """Return a hierarchy value by value, so that its labels can be changed one by one.

    >>> from tokumei import Hierarchy, Numbers
    >>> as_tree(Hierarchy.intervals([0, 2, 4]), Numbers(0, 4, step=1)).rows[0]
    ('0', '0-1')
    """
    if isinstance(hierarchy, Tree):
        return hierarchy
    columns = [domain.labels()]
    for level in range(1, hierarchy.depth + 1):
        groups, codes = hierarchy.coarsen(domain, level)
        labels = groups.labels()
        columns.append([labels[code] for code in codes])
    return Tree(tuple(zip(*columns, strict=True)), learned=hierarchy.learned)


def join(tree: Tree, level: int, labels: Collection[str], name: str) -> Tree:
    """Make one label of several of a level, which must lie under one label of the next.

    >>> from tokumei import Hierarchy
    >>> join(Hierarchy.groups({"x": "a", "y": "b", "z": "c"}), 1, ["x", "y"], "xy").rows
    (('a', 'xy'), ('b', 'xy'), ('c', 'z'))
    """
    _check(tree, level, labels)
    if len(set(labels)) < 2:
        raise InvalidParameter("joining needs at least two labels.")
    above = {row[level + 1 :] for row in tree.rows if row[level] in labels}
    if len(above) > 1:
        raise InvalidParameter("the labels lie under different ones of the next level; join those first.")
    return _relabelled(tree, level, dict.fromkeys(labels, name))


def take_apart(tree: Tree, level: int, label: str, members: Collection[str], name: str) -> Tree:
    """Give some of the members of a label, which are labels of the level below, a label of their own beside it.

    >>> from tokumei import Hierarchy
    >>> take_apart(Hierarchy.groups({"x": ["a", "b", "c"]}), 1, "x", ["c"], "y").rows
    (('a', 'x'), ('b', 'x'), ('c', 'y'))
    """
    _check(tree, level, [label])
    _check(tree, level - 1, members)
    inside = {row[level - 1] for row in tree.rows if row[level] == label}
    if not members or not set(members) < inside:
        raise InvalidParameter("the members must be some of those under the label, and not all of them.")
    _check_new(tree, level, name)
    rows = (
        (*row[:level], name, *row[level + 1 :]) if row[level] == label and row[level - 1] in members else row
        for row in tree.rows
    )
    return replace(tree, rows=tuple(rows))


def rename(tree: Tree, level: int, label: str, name: str) -> Tree:
    """Give a label of a level another name, which no other label of that level has."""
    _check(tree, level, [label])
    return tree if name == label else _relabelled(tree, level, {label: name})


def move(tree: Tree, level: int, label: str, to: str) -> Tree:
    """Put a label (at level 0 a value) under another label of the next level, with all that lies under it.

    >>> from tokumei import Hierarchy
    >>> move(Hierarchy.groups({"x": ["a", "b"], "y": ["c"]}), 0, "b", "y").rows
    (('a', 'x'), ('b', 'y'), ('c', 'y'))
    """
    if level >= tree.depth:
        raise InvalidParameter("the labels of the highest level lie under nothing.")
    _check(tree, level, [label], lowest=0)
    _check(tree, level + 1, [to])
    above = next(row[level + 1 :] for row in tree.rows if row[level + 1] == to)
    rows = ((*row[: level + 1], *above) if row[level] == label else row for row in tree.rows)
    return replace(tree, rows=tuple(rows))


def add_level(tree: Tree, level: int, groups: Mapping[str, Collection[str]]) -> Tree:
    """Put a new level in, whose labels group those of the level below it.

    >>> from tokumei import Hierarchy
    >>> add_level(Hierarchy.groups({"x": ["a"], "y": ["b"]}), 2, {"*": ["x", "y"]}).rows
    (('a', 'x', '*'), ('b', 'y', '*'))
    """
    if not 1 <= level <= tree.depth + 1:
        raise InvalidParameter(f"a new level can be one from 1 to {tree.depth + 1}. Got {level}.")
    of = {member: label for label, members in groups.items() for member in members}
    if sum(len(members) for members in groups.values()) > len(of):
        raise InvalidParameter("a label of the level below stands in two groups.")
    below = {row[level - 1] for row in tree.rows}
    if set(of) != below:
        raise InvalidParameter("the groups must hold every label of the level below once, and nothing else.")
    return replace(tree, rows=tuple((*row[:level], of[row[level - 1]], *row[level:]) for row in tree.rows))


def remove_level(tree: Tree, level: int) -> Tree:
    """Take a level out."""
    _check_level(tree, level, 1)
    if tree.depth == 1:
        raise InvalidParameter("a hierarchy needs at least one level; take the whole hierarchy away instead.")
    return replace(tree, rows=tuple((*row[:level], *row[level + 1 :]) for row in tree.rows))


def with_edge(intervals: Intervals, level: int, edge: Edge) -> Intervals:
    """Cut an interval of a level in two; finer levels get the edge too, if they lack it.

    >>> from tokumei import Hierarchy
    >>> with_edge(Hierarchy.intervals([0, 5, 10], [0, 10]), 2, 2).edges
    ((0, 2, 5, 10), (0, 2, 10))
    """
    _check_interval_level(intervals, level)
    here = intervals.edges[level - 1]
    if edge in here:
        raise InvalidParameter(f"{edge} is an edge of level {level} already.")
    if not here[0] < edge < here[-1]:  # type: ignore[operator]
        raise InvalidParameter(f"an edge must lie between {here[0]} and {here[-1]}. Got {edge}.")
    return _with_edges(
        intervals,
        [tuple(sorted({*each, edge})) if place < level else each for place, each in enumerate(intervals.edges)],
    )


def without_edge(intervals: Intervals, level: int, edge: Edge) -> Intervals:
    """Join the two intervals of a level beside an edge; coarser levels lose the edge too.

    >>> from tokumei import Hierarchy
    >>> without_edge(Hierarchy.intervals([0, 2, 5, 10], [0, 2, 10]), 1, 2).edges
    ((0, 5, 10), (0, 10))
    """
    _check_interval_level(intervals, level)
    if edge not in intervals.edges[level - 1][1:-1]:
        raise InvalidParameter(f"{edge} is no edge between two intervals of level {level}.")
    return _with_edges(
        intervals,
        [
            tuple(each for each in edges if each != edge) if place >= level - 1 else edges
            for place, edges in enumerate(intervals.edges)
        ],
    )


def _with_edges(intervals: Intervals, edges: Sequence[tuple[Edge, ...]]) -> Intervals:
    return replace(intervals, edges=tuple(edges))


def _relabelled(tree: Tree, level: int, names: Mapping[str, str]) -> Tree:
    for name in set(names.values()):
        if name not in names:
            _check_new(tree, level, name)
    rows = ((*row[:level], names.get(row[level], row[level]), *row[level + 1 :]) for row in tree.rows)
    return replace(tree, rows=tuple(rows))


def _check_level(tree: Tree, level: int, lowest: int) -> None:
    if not lowest <= level <= tree.depth:
        raise InvalidParameter(f"level must be between {lowest} and {tree.depth}. Got {level}.")


def _check(tree: Tree, level: int, labels: Collection[str], lowest: int | None = None) -> None:
    _check_level(tree, level, 0 if lowest is None else lowest)
    known = {row[level] for row in tree.rows}
    for label in labels:
        if label not in known:
            raise InvalidParameter(f"there is no label {label!r} at level {level}.{nearest(label, known)}")


def _check_new(tree: Tree, level: int, name: str) -> None:
    if not name.strip():
        raise InvalidParameter("a label needs a name.")
    if any(row[level] == name for row in tree.rows):
        raise InvalidParameter(f"level {level} has a label {name!r} already.")


def _check_interval_level(intervals: Intervals, level: int) -> None:
    if not 1 <= level <= intervals.depth:
        raise InvalidParameter(f"level must be between 1 and {intervals.depth}. Got {level}.")
