"""Measures that some releases do not allow: say so, and go on with the others."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tokumei.diagnostics import warn
from tokumei.errors import InfeasiblePromise, InvalidParameter, NotComputable, NotMeasuredWarning, TokumeiWarning


@contextmanager
def noting(what: str, notes: list[str]) -> Iterator[None]:
    """Put the warnings of some work among the notes, whether it ends well or not."""
    with warnings.catch_warnings(record=True) as noticed:
        warnings.simplefilter("always", TokumeiWarning)
        try:
            yield
        finally:
            told = list(noticed)
    for notice in told:
        if issubclass(notice.category, TokumeiWarning):
            notes.append(f"{what}: {notice.message}")
        else:
            warnings.warn_explicit(notice.message, notice.category, notice.filename, notice.lineno)


def carefully(what: str, work: Callable[[], Any], notes: list[str]) -> Any:
    """Do what may be impossible for a release; say so then, and put the warnings of the work among the notes."""
    found = None
    with noting(what, notes):
        try:
            found = work()
        except (InvalidParameter, InfeasiblePromise, NotComputable) as error:
            notes.append(f"{what}: {error}")
    return found


def tell(notes: list[str]) -> None:
    """Warn of what could not be measured, once each."""
    for note in dict.fromkeys(notes):
        warn(note, NotMeasuredWarning)
