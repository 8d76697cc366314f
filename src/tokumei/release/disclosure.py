"""Facts taken from the data on purpose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Fact:
    """One fact about the original rows that a release makes public, and why it must."""

    name: str
    value: Any
    reason: str
