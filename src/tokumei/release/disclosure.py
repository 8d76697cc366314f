"""Facts taken from the data on purpose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tokumei.results import Result
from tokumei.words import Statement


@dataclass(frozen=True)
class Fact(Result):
    """One fact about the original rows that a release makes public, and why it must."""

    name: str
    value: Any
    reason: Statement
