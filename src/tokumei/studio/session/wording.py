"""Steps and methods in plain words, for the history."""

from __future__ import annotations

from typing import Any

from tokumei.studio.session.state import State

ROLES = {
    "identifier": "dropped",
    "quasi_identifier": "quasi-identifier, protected",
    "sensitive": "sensitive",
    "insensitive": "harmless",
}


def told(before: State, after: State) -> str:
    """Say in a few words what was changed."""
    changes = before.changes(after)
    said = [words for name in changes if (words := _SAYS[name](getattr(before, name), getattr(after, name)))]
    return "; ".join(said)


def method_words(method: Any) -> str:
    """Name a method with its k.

    >>> from tokumei import Generalization
    >>> method_words(Generalization(k=5))
    'Generalization, k = 5'
    """
    k = getattr(method, "k", None)
    return type(method).__name__ + ("" if k is None else f", k = {k:g}")


def _schema(before: Any, after: Any) -> str:
    if before.names() != after.names():
        return "Other columns"
    said = []
    for old, new in zip(before, after, strict=True):
        if old == new:
            continue
        if old.role != new.role:
            said.append(f"{new.name}: {ROLES[new.role]}")
        elif old.domain != new.domain:
            said.append(f"{new.name}: another domain")
        elif old.hierarchy != new.hierarchy:
            said.append(f"{new.name}: {'no' if new.hierarchy is None else 'another'} hierarchy")
        else:
            said.append(f"{new.name}: described differently")
    return ", ".join(said)


def _method(before: Any, after: Any) -> str:
    return "No method" if after is None else method_words(after)


def _prepare(before: Any, after: Any) -> str:
    return f"Prepared by {', '.join(type(step).__name__ for step in after)}" if after else "Nothing prepared"


def _seed(before: Any, after: Any) -> str:
    return "No seed" if after is None else "Drawn with a seed"


def _pinned(before: Any, after: Any) -> str:
    new = [each for each in after if each not in before]
    return f"Pinned {', '.join(method_words(each) for each in new)}" if new else "Unpinned"


_SAYS: dict[str, Any] = {
    "source": lambda before, after: "Another source",
    "schema": _schema,
    "method": _method,
    "prepare": _prepare,
    "seed": _seed,
    "pinned": _pinned,
    "duties": lambda before, after: f"Duties: {after}" if after else "No duties",
}
