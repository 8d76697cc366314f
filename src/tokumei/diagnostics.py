"""How errors are raised and warnings given."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NoReturn

from tokumei.errors import TokumeiWarning

OURS = {"tokumei", "contextlib"}  # modules that a warning is passed through
_HEARD: ContextVar[Callable[[TokumeiWarning], None] | None] = ContextVar("heard", default=None)


def warn(message: object, category: type[TokumeiWarning], /, **fields: object) -> None:
    """Warn the user of the library, from however deep inside it.

    The message is a template with its fields, as an error's is, or a statement of the catalogue. Where somebody is `hearing`, they alone are told.
    """
    made, heard = category(message, **fields), _HEARD.get()
    if heard is not None:
        heard(made)
    else:
        _give(made)


def _give(made: TokumeiWarning) -> None:
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in OURS:
        level, frame = level + 1, frame.f_back
    warnings.warn(made, stacklevel=level)


@contextmanager
def hearing(heard: Callable[[TokumeiWarning], None]) -> Iterator[None]:
    """Hear the warnings of some work, and of no other work that goes on beside it in another thread.

    What Python offers for it, ``warnings.catch_warnings``, is for the whole program: of two threads each hears the other's.
    """
    token = _HEARD.set(heard)
    try:
        yield
    finally:
        _HEARD.reset(token)


@contextmanager
def ignoring(category: type[TokumeiWarning]) -> Iterator[None]:
    """Leave out warnings of a kind that some work gives."""
    before = _HEARD.get()

    def heard(given: TokumeiWarning) -> None:
        if isinstance(given, category):
            return
        if before is not None:
            before(given)
        else:
            _give(given)

    with hearing(heard):
        yield


def raise_alone(error: Exception) -> NoReturn:
    """Raise an error with nothing behind it, in place of one that is being handled and may quote a cell or a secret.

    ``raise ... from None`` only keeps the other error from being printed: it is still attached to the new one, and a log may show both.
    """
    try:
        raise error
    finally:
        error.__context__ = None
