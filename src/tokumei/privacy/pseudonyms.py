"""Columns that are pseudonyms, as the steps of a release tell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


def pseudonyms_of(prepare: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """Name the columns that steps, as a manifest describes them, have replaced by pseudonyms.

    >>> pseudonyms_of([{"step": "recode", "column": "age"}, {"step": "pseudonymize", "column": "id"}])
    ('id',)
    """
    return tuple(step["column"] for step in prepare if step["step"] == "pseudonymize")
