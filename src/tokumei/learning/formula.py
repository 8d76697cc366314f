"""Which column a regression explains by which: a small formula, or names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from tokumei.errors import InvalidParameter

TERM = re.compile(r"\s*(?:`([^`]+)`|([^`+~]+?))\s*")


class Formula(NamedTuple):
    """The column to explain, and those to explain it by; none means all others."""

    target: str
    columns: tuple[str, ...] | None


def formula(text: str, columns: Sequence[str] | None = None) -> Formula:
    """Read ``target ~ column + column``; names with ``+`` or ``~`` in them stand in backticks, and ``.`` means all other columns.

    >>> formula("income ~ age + `hours + overtime`")
    Formula(target='income', columns=('age', 'hours + overtime'))
    >>> formula("income ~ .")
    Formula(target='income', columns=None)
    >>> formula("income", ["age"])
    Formula(target='income', columns=('age',))
    """
    if not isinstance(text, str) or not text.strip():
        raise InvalidParameter("Say what to explain by what, such as 'income ~ age + sex'.")
    if "~" not in re.sub(r"`[^`]*`", "", text):
        named = None if columns is None else tuple([columns] if isinstance(columns, str) else columns)
        return Formula(text.strip().strip("`"), named)
    if columns is not None:
        raise InvalidParameter("Name the columns in the formula or in a list, not in both.")
    parts = _split(text, "~")
    if len(parts) == 2 and not all(part.strip() for part in parts):
        raise InvalidParameter(
            "A formula names the column to explain before ~, and after it the columns to explain it by, such as 'income ~ age + sex', or . for all others."
        )
    if len(parts) != 2:
        raise InvalidParameter("A formula has one ~, such as 'income ~ age + sex'.")
    targets, names = ([_name(each) for each in _split(part, "+")] for part in parts)
    if len(targets) != 1:
        raise InvalidParameter("A formula explains one column, such as 'income ~ age + sex'.")
    return Formula(targets[0], None if names == ["."] else tuple(names))


def _split(text: str, mark: str) -> list[str]:
    """Split a text, but not inside backticks."""
    return re.split(rf"{re.escape(mark)}(?=(?:[^`]*`[^`]*`)*[^`]*$)", text)


def _name(text: str) -> str:
    found = TERM.fullmatch(text)
    if found is None or not text.strip():
        raise InvalidParameter(
            "A formula names columns and + only, such as 'income ~ age + sex'; put a name with other signs in backticks."
        )
    return found[1] or found[2]
