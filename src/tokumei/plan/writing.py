"""A plan as text: the file that `Plan.read` reads."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import tomlkit

from tokumei.anonymizers.anonymizer import Anonymizer
from tokumei.errors import InvalidParameter
from tokumei.plan import Plan, Run
from tokumei.prepare.step import Step
from tokumei.shown import escaped
from tokumei.table.hierarchy import Hierarchy, Intervals, Tree
from tokumei.table.schema import Attribute
from tokumei.values import said

KEPT_AS_THEY_ARE = (bool, int, float, str, dt.date)


def plan_text(plan: Plan) -> str:
    """Return the text of a plan file that stands for the same plan, with the paths that the plan has."""
    document = tomlkit.document()
    document["source"] = plain_parts(plan.source)
    columns = tomlkit.table(is_super_table=True)
    for attribute in plan.schema:
        columns[attribute.name] = _column(attribute)
    document["schema"] = columns
    document.update(plan_sections(plan.method, plan.prepare))
    document["output"] = _table({**plain_parts(plan.output), "path": plan.output.path})
    if plan.chosen is not None:
        document["chosen"] = _table(plain_parts(plan.chosen))
    if plan.calibration is not None:
        document["calibration"] = _table(plain_parts(plan.calibration))
    if plan.run != Run():
        document["run"] = _table(plain_parts(plan.run))
    return escaped(tomlkit.dumps(document))


def plan_sections(method: Anonymizer, prepare: Sequence[Step] = ()) -> tomlkit.TOMLDocument:
    """Return the sections of a plan file that say what is done: the steps and the method."""
    document = tomlkit.document()
    if prepare:
        steps = tomlkit.aot()
        for step in prepare:
            steps.append(_table(_with_hierarchy(step)))
        document["prepare"] = steps
    document["method"] = _table(plain_parts(method))
    return document


def _column(attribute: Attribute) -> Any:
    parts = _with_hierarchy(attribute)
    del parts["name"]
    return _table({"role": attribute.role, **parts})


def _with_hierarchy(given: Any) -> dict[str, Any]:
    """Return the parts of a column or a step, its hierarchy in the short form where that says the same."""
    parts: dict[str, Any] = plain_parts(given)
    if given_tree := getattr(given, "hierarchy", None):
        parts["hierarchy"] = _hierarchy(given_tree)
    return parts


def _hierarchy(tree: Hierarchy) -> dict[str, Any]:
    if isinstance(tree, Intervals):
        return {"edges": plain_parts(tree.edges)}
    assert isinstance(tree, Tree)
    levels: list[dict[str, list[str]]] = [{} for _ in range(tree.depth)]
    for row in tree.rows:
        for level, groups in enumerate(levels):
            members = groups.setdefault(row[level + 1], [])
            if row[level] not in members[-1:]:
                members.append(row[level])
    if not tree.learned and _says_the_same(levels, tree):
        return {"groups": levels}
    return plain_parts(tree)


def _says_the_same(levels: list[dict[str, list[str]]], tree: Tree) -> bool:
    """Whether groups would be read as this very tree: not where a group's values do not stand together."""
    if any(len(set(members)) < len(members) for groups in levels for members in groups.values()):
        return False
    return Hierarchy.groups(*levels) == tree


def plain_parts(given: Any) -> Any:
    """Return a value, or something made of values, as TOML can hold it; parts that are as by default are left out."""
    if isinstance(given, KEPT_AS_THEY_ARE):
        return given
    if isinstance(given, Path):
        return given.as_posix()
    if is_dataclass(given):
        parts = {name: plain_parts(part) for name, part in said(given).items() if part is not None}
        first = fields(given)[0].name  # a value of which nothing need be said would be an empty table
        return parts or {first: plain_parts(getattr(given, first))}
    if isinstance(given, Mapping):
        return {str(name): plain_parts(part) for name, part in given.items()}
    if isinstance(given, list | tuple):
        return [plain_parts(part) for part in given]
    raise InvalidParameter(
        "the plan holds a table of its own, such as a pilot, which a plan file can only name by path."
    )


def _table(parts: Mapping[str, Any]) -> Any:
    """Return a section whose parts stand in one line each."""
    made = tomlkit.table()
    for name, part in parts.items():
        made[name] = _inline(part)
    return made


def _inline(given: Any) -> Any:
    if isinstance(given, Mapping):
        inline = tomlkit.inline_table()
        for name, part in given.items():
            inline[name] = _inline(part)
        return inline
    if isinstance(given, list):
        array = tomlkit.array()
        for part in given:
            array.append(_inline(part))
        return array
    return given
