"""Mistakes of the studio's own: where they happened is told, what they were about is not."""

from __future__ import annotations

import sys
import traceback


def report_internal_error(error: Exception) -> None:
    """Say where a mistake of ours happened; not what it was about, for that may hold a cell of the data."""
    places = "".join(f"\n  {at.filename}:{at.lineno} {at.name}" for at in traceback.extract_tb(error.__traceback__))
    print(f"tokumei studio: {type(error).__name__}, which is a bug in the studio, at{places}", file=sys.stderr)
