"""Releases of which one can count everything by hand."""

from __future__ import annotations

from typing import Any

import pytest

import tokumei as tk

TREE = tk.Hierarchy.groups({"low": ("a", "b"), "high": ("c", "d")})


@pytest.fixture
def small_schema() -> tk.Schema:
    """Two quasi-identifiers and a sensitive column."""
    return tk.Schema(
        [
            tk.Attribute("letter", "quasi_identifier", tk.Categories(["a", "b", "c", "d"]), TREE),
            tk.Attribute("number", "quasi_identifier", tk.Numbers(0, 4, step=1)),
            tk.Attribute("ill", "sensitive", tk.Categories(["no", "yes"])),
        ]
    )


@pytest.fixture
def doubled() -> dict[str, list[Any]]:
    """Every row twice: it is 2-anonymous as it stands."""
    letters, numbers, ill = ["a", "b", "c", "d", "a", "c"], [0, 1, 2, 3, 4, 1], ["no", "yes", "no", "yes", "yes", "no"]
    return {"letter": letters * 2, "number": numbers * 2, "ill": ill * 2}


@pytest.fixture
def alone() -> dict[str, list[Any]]:
    """No two rows alike in letter, all alike in number."""
    return {"letter": ["a", "b", "c", "d"], "number": [2, 2, 2, 2], "ill": ["no", "yes", "yes", "yes"]}
