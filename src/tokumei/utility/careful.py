"""Measures that some releases do not allow: say so, and go on with the others."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from tokumei.errors import InfeasiblePromise, InvalidParameter, NotMeasured, TokumeiWarning


def carefully(what: str, work: Callable[[], Any], notes: list[str]) -> Any:
    """Do what may be impossible for a release; say so then, and put the warnings of the work among the notes."""
    with warnings.catch_warnings(record=True) as noticed:
        warnings.simplefilter("always", TokumeiWarning)
        try:
            found = work()
        except (InvalidParameter, InfeasiblePromise) as error:
            notes.append(f"{what}: {error}")
            found = None
    for notice in noticed:
        if issubclass(notice.category, TokumeiWarning):
            notes.append(f"{what}: {notice.message}")
        else:
            warnings.warn_explicit(notice.message, notice.category, notice.filename, notice.lineno)
    return found


def tell(notes: list[str]) -> None:
    """Warn of what could not be measured, once each."""
    for note in dict.fromkeys(notes):
        warnings.warn(note, NotMeasured, stacklevel=3)
