"""Everything that tokumei raises or warns of.

    TokumeiError
      InvalidParameter      a value given to a function, a plan or a schema cannot be used
        PlanError           ... and it stands in a plan file
      DataError             the table does not fit its schema, or the file cannot be read
      InfeasiblePromise     no mechanism can keep the promise asked for on this table
      ReleaseError          a release folder is damaged, changed, or from a newer version
      OutputError           a result could not be written; nothing was left behind
      NotComputable         a figure is not a finite number, so nothing is shown, stored or concluded from it
      MissingDependency     an optional package is needed for this
      NotEnoughMemory       the work needs more memory than there is

    Cancelled               somebody asked for the work to stop; nothing was changed

    TokumeiWarning
      ObservedDomain        domains were read off the data and are therefore part of what is published
      RoundedInput          numbers were moved to their grid before anything else
      NotConverged          an estimate stopped before it reached the accuracy asked for
      Unweighted            an estimate is about a sample, because its rows cannot be weighted
      NotAtRandom           an estimate is about part of the rows, because the others were suppressed for being rare
      NothingPromised       a release is made that promises nothing
      MergedGroups          groups were too small for the promise and were merged with others
      SamePeople            a release is like an earlier one, and people who are in both are not protected by either alone
      JoinedRows            columns that are released as they are show which rows are one person's
      NotMeasured           a measure does not exist for a release, or only with reservations
      LeftBehind            a result was written, and something that was needed on the way could not be removed
      FormulaCells          cells of a CSV file look like formulas, which a spreadsheet would run
      CoverageWarning       confidence intervals may hold the truth less often than they say

A message names columns, counts rows and says what to do next. It never shows a cell of the data: values that only
the data know stay out of every message, log and report, while labels that a schema or hierarchy declares may appear.
"""

from __future__ import annotations

import difflib
import sys
import warnings
from collections.abc import Iterable
from contextlib import ContextDecorator
from typing import NoReturn

from tokumei.shown import shown


class TokumeiError(Exception):
    """Base of every error that tokumei raises on purpose."""

    def __str__(self) -> str:
        return shown(super().__str__())


class InvalidParameter(TokumeiError, ValueError):
    """A value given to a function, plan or schema cannot be used."""


class TooNoisy(InvalidParameter):
    """The release was perturbed too much for what was asked of it."""


class PlanError(InvalidParameter):
    """A plan file cannot be used as it stands."""


class DataError(TokumeiError, ValueError):
    """The table does not fit its schema, or its file cannot be read."""


class InfeasiblePromise(TokumeiError, ValueError):
    """The promise asked for cannot be kept on this table by any parameters."""


class ReleaseError(TokumeiError):
    """A release is damaged, was changed after writing, or comes from a newer version."""


class OutputError(TokumeiError, OSError):
    """A result could not be written; nothing was left behind."""


class NotComputable(TokumeiError, ArithmeticError):
    """A figure is infinite or no number at all, so it is neither shown nor stored nor compared with anything."""


class MissingDependency(TokumeiError, ImportError):
    """An optional package is needed and not installed."""


class NotEnoughMemory(TokumeiError, MemoryError):
    """The work needs more memory than there is."""


class Cancelled(Exception):
    """Somebody asked for the work to stop. It is no problem that a caller could mend, so it is no `TokumeiError`."""


class TokumeiWarning(UserWarning):
    """Base of every warning that tokumei gives."""

    def __str__(self) -> str:
        return shown(super().__str__())


class ObservedDomain(TokumeiWarning):
    """Domains were taken from the data, so the release publishes something about the rows."""


class RoundedInput(TokumeiWarning):
    """Numbers were moved to the nearest point of their declared grid."""


class NotConverged(TokumeiWarning):
    """An estimate stopped before it reached the accuracy asked for."""


class Unweighted(TokumeiWarning):
    """An estimate is about the sample, not the original, because its rows cannot be weighted."""


class NotAtRandom(TokumeiWarning):
    """An estimate is about part of the rows only: the others were suppressed because they were rare."""


class Assumed(TokumeiWarning):
    """An estimate rests on an assumption that the release does not bear out."""


class MergedGroups(TokumeiWarning):
    """Groups were too small for the promise and were merged with others."""


class SamePeople(TokumeiWarning):
    """A release is like an earlier one: people who are in both are not protected by either alone."""


class JoinedRows(TokumeiWarning):
    """Columns that are released as they are show which rows are one person's."""


class NothingPromised(TokumeiWarning):
    """A release is made that promises nothing."""


class NotMeasured(TokumeiWarning):
    """A measure does not exist for a release, or only with reservations."""


class LeftBehind(TokumeiWarning):
    """A result was written whole, and something that was needed on the way could not be removed."""


class CoverageWarning(TokumeiWarning):
    """Confidence intervals may hold the truth less often than they say."""


def raise_alone(error: Exception) -> NoReturn:
    """Raise an error with nothing behind it, in place of one that is being handled and may quote a cell or a secret.

    ``raise ... from None`` only keeps the other error from being printed: it still hangs on the new one, for whoever logs both.
    """
    try:
        raise error
    finally:
        error.__context__ = None


class FormulaCells(TokumeiWarning):
    """Cells of a CSV file look like formulas, which a spreadsheet would run."""


class within_memory(ContextDecorator):  # noqa: N801  (used like a function)
    """End work for which there is too little memory in one sentence, as a block or around a function.

    >>> with within_memory():
    ...     raise MemoryError
    Traceback (most recent call last):
    tokumei.errors.NotEnoughMemory: There is too little memory for this. ...
    """

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, MemoryError) and not isinstance(error, TokumeiError):
            raise_alone(
                NotEnoughMemory(
                    "There is too little memory for this. Take fewer rows or columns or coarser domains, the engine 'stream' "
                    "(--engine stream), which keeps rows on disk, or a machine with more."
                )
            )


OURS = {"tokumei", "contextlib"}  # modules that a warning is passed through


def warn(message: object, category: type[TokumeiWarning]) -> None:
    """Warn whoever uses the library, from however deep inside it; what is said may be a statement of the catalogue."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in OURS:
        level, frame = level + 1, frame.f_back
    warnings.warn(category(message), stacklevel=level)


def names(items: Iterable[str]) -> str:
    """Quote and join names for a message.

    >>> names(["age", "sex"])
    "'age', 'sex'"
    """
    return ", ".join(repr(item) for item in items)


def nearest(name: str, known: Iterable[str]) -> str:
    """Return ``" Did you mean 'x'?"`` when a known name is close to ``name``, else an empty string.

    >>> nearest("agee", ["age", "sex"])
    " Did you mean 'age'?"
    """
    found = difflib.get_close_matches(name, list(known), n=1)
    return f" Did you mean {found[0]!r}?" if found else ""


def plural(count: int, word: str, words: str | None = None) -> str:
    """Count things in words; ``words`` is what several are called, if that is not the word with an s.

    >>> plural(1, "row"), plural(1200, "value"), plural(2, "class", "classes")
    ('1 row', '1,200 values', '2 classes')
    """
    return f"{count:,} {word if count == 1 else words or word + 's'}"
