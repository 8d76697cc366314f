"""What the source says to people: the templates of errors, warnings and phrases, and messages that are made in another way."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from string import Formatter

import tokumei
from tokumei import errors

SOURCE = Path(tokumei.__file__).parent
SAYING = {"warn", "phrase", "spoken_text"} | {
    name
    for name, each in vars(errors).items()
    if isinstance(each, type) and issubclass(each, errors.TokumeiError | errors.TokumeiWarning)
}


@dataclass(frozen=True)
class Said:
    """One template where it stands, and the fields that are given to it."""

    place: str
    template: str
    fields: frozenset[str]


def holes(template: str) -> set[str]:
    """Return the names of a template's fields."""
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def templates(source: str, place: str) -> Iterator[Said]:
    """Go through the templates of a module."""
    for call, said in _calls(source):
        if isinstance(said, ast.Constant) and isinstance(said.value, str):
            fields = frozenset(each.arg or "**" for each in call.keywords)
            yield Said(f"{place}:{call.lineno}", said.value, fields)


def others(source: str) -> list[str]:
    """Return what is said by something else than a template: each as it stands in the source."""
    return [
        ast.unparse(said)
        for _, said in _calls(source)
        if not (isinstance(said, ast.Constant) and isinstance(said.value, str)) and not _is_phrase(said)
    ]


def _calls(source: str) -> Iterator[tuple[ast.Call, ast.expr]]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and _name(node.func) in SAYING:
            yield node, node.args[0] if node.args else ast.Constant(None)


def _is_phrase(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and _name(node.func) in {"phrase", "message_of"}


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
