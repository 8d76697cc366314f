"""The studio in Japanese."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, str] = {}
