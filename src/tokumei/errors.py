"""Everything that tokumei raises or warns of.

    TokumeiError
      InvalidParameter      a value given to a function, a plan or a schema cannot be used
        TooNoisy            ... because the release was perturbed too much for it
        PlanError           ... and it stands in a plan file
      DataError             the table does not fit its schema, or the file cannot be read
      InfeasiblePromise     no mechanism can give the guarantee asked for on this table
      ReleaseError          a release folder is damaged, changed, or from a newer version
      OutputError           a result could not be written; nothing was left behind
      NotComputable         a figure is not a finite number, so nothing is shown, stored or concluded from it
      MissingDependency     an optional package is needed for this
      NotEnoughMemory       the work needs more memory than there is

    Cancelled               the user asked for the work to stop; nothing was changed

    TokumeiWarning
      ObservedDomainWarning   domains were read from the data and are therefore part of what is published
      RoundedInputWarning     numbers were moved to their grid before anything else
      NotConvergedWarning     an estimate stopped before it reached the accuracy asked for
      UnweightedWarning       an estimate is about a sample, because its rows cannot be weighted
      NotAtRandomWarning      an estimate is about part of the rows, because the others were suppressed for being rare
      AssumptionWarning       an estimate rests on an assumption that the release does not bear out
      NothingPromisedWarning  a release is made that guarantees nothing
      MergedGroupsWarning     groups were too small for the guarantee and were merged with others
      SamePeopleWarning       a release is like an earlier one, and people who are in both are not protected by either alone
      JoinedRowsWarning       columns that are released unchanged show which rows belong to one person
      NotMeasuredWarning      a measure does not exist for a release, or only with reservations
      LeftBehindWarning       a result was written, and something that was needed on the way could not be removed
      FormulaCellsWarning     cells of a CSV file look like formulas, which a spreadsheet would run
      CoverageWarning         confidence intervals may cover the truth less often than they state

A message names columns, counts rows and says what to do next. It never shows a cell of the data: values that only
the data know stay out of every message, log and report, while labels that a schema or hierarchy declares may appear.

A message is a template and its fields, and English is its key (`tokumei.messages`). ``str(error)`` speaks the language that
``TOKUMEI_LANGUAGE`` names; ``error.args[0]`` is English whatever that is.
"""

from __future__ import annotations

from tokumei.messages import phrase, said_in, spoken_language
from tokumei.shown import shown


class _Speaking(Exception):
    """What errors and warnings have in common: a message that can be said in every language."""

    def __init__(self, message: object = "", /, **fields: object) -> None:
        super().__init__(phrase(str(message), **fields) if fields else message)

    def __str__(self) -> str:
        return shown(said_in(self, spoken_language()))


class TokumeiError(_Speaking):
    """Base of every error that tokumei raises on purpose."""


class InvalidParameter(TokumeiError, ValueError):
    """A value given to a function, plan or schema cannot be used."""


class TooNoisy(InvalidParameter):
    """The release was perturbed too much for what was asked of it."""


class PlanError(InvalidParameter):
    """A plan file cannot be used as it stands."""


class DataError(TokumeiError, ValueError):
    """The table does not fit its schema, or its file cannot be read."""


class InfeasiblePromise(TokumeiError, ValueError):
    """No parameters can give the guarantee asked for on this table."""


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
    """The user asked for the work to stop. A caller cannot fix that, so it is not a `TokumeiError`."""


class TokumeiWarning(_Speaking, UserWarning):
    """Base of every warning that tokumei gives."""


class ObservedDomainWarning(TokumeiWarning):
    """Domains were taken from the data, so the release publishes something about the rows."""


class RoundedInputWarning(TokumeiWarning):
    """Numbers were moved to the nearest point of their declared grid."""


class NotConvergedWarning(TokumeiWarning):
    """An estimate stopped before it reached the accuracy asked for."""


class UnweightedWarning(TokumeiWarning):
    """An estimate is about the sample, not the original, because its rows cannot be weighted."""


class NotAtRandomWarning(TokumeiWarning):
    """An estimate is about part of the rows only: the others were suppressed because they were rare."""


class AssumptionWarning(TokumeiWarning):
    """An estimate rests on an assumption that the release does not bear out."""


class MergedGroupsWarning(TokumeiWarning):
    """Groups were too small for the guarantee and were merged with others."""


class SamePeopleWarning(TokumeiWarning):
    """A release is like an earlier one: people who are in both are not protected by either alone."""


class JoinedRowsWarning(TokumeiWarning):
    """Columns that are released unchanged show which rows belong to one person."""


class NothingPromisedWarning(TokumeiWarning):
    """A release is made that guarantees nothing."""


class NotMeasuredWarning(TokumeiWarning):
    """A measure does not exist for a release, or only with reservations."""


class LeftBehindWarning(TokumeiWarning):
    """A result was written whole, and something that was needed on the way could not be removed."""


class CoverageWarning(TokumeiWarning):
    """Confidence intervals may cover the truth less often than they state."""


class FormulaCellsWarning(TokumeiWarning):
    """Cells of a CSV file look like formulas, which a spreadsheet would run."""


def __dir__() -> list[str]:
    return sorted(name for name, each in globals().items() if isinstance(each, type) and not name.startswith("_"))
