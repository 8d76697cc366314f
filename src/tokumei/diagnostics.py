"""How errors are raised and warnings given."""

from __future__ import annotations

import sys
import warnings
from typing import NoReturn

from tokumei.errors import TokumeiWarning

OURS = {"tokumei", "contextlib"}  # modules that a warning is passed through


def warn(message: object, category: type[TokumeiWarning], /, **fields: object) -> None:
    """Warn the user of the library, from however deep inside it.

    The message is a template with its fields, as an error's is, or a statement of the catalogue.
    """
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in OURS:
        level, frame = level + 1, frame.f_back
    warnings.warn(category(message, **fields), stacklevel=level)


def raise_alone(error: Exception) -> NoReturn:
    """Raise an error with nothing behind it, in place of one that is being handled and may quote a cell or a secret.

    ``raise ... from None`` only keeps the other error from being printed: it is still attached to the new one, and a log may show both.
    """
    try:
        raise error
    finally:
        error.__context__ = None
