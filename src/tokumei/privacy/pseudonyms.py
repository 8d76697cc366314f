"""Identifiers that are released in another form, as the steps of a release tell, and what that means for its promises."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tokumei.privacy.assumptions import (
    Assumption,
    KeyNamesRows,
    SameKeyJoins,
    SamePersonSamePseudonym,
    ShownCharacters,
)


def pseudonyms_of(prepare: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """Name the columns that steps, as a manifest describes them, have replaced by pseudonyms.

    >>> pseudonyms_of([{"step": "recode", "column": "age"}, {"step": "pseudonymize", "column": "id"}])
    ('id',)
    """
    return tuple(step["column"] for step in prepare if step["step"] == "pseudonymize")


def assumed_of_pseudonym(column: str) -> tuple[Assumption, ...]:
    """Return what a pseudonym means for every promise."""
    return KeyNamesRows(column=column), SameKeyJoins(column=column), SamePersonSamePseudonym(column=column)


def assumed_of_steps(prepare: Iterable[Mapping[str, Any]], released: Iterable[str]) -> tuple[Assumption, ...]:
    """Return what steps, as a manifest describes them, mean for every promise, of columns that are released.

    >>> [each.key for each in assumed_of_steps([{"step": "mask", "column": "phone"}], ["phone"])]
    ['assumption.shown_characters']
    """
    shown, assumes = set(released), list[Assumption]()
    for step in prepare:
        column = step["column"]
        if column in shown and step["step"] == "pseudonymize":
            assumes += assumed_of_pseudonym(column)
        elif column in shown and step["step"] == "mask":
            assumes.append(ShownCharacters(column=column))
    return tuple(assumes)
