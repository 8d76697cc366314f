"""Measures that some releases do not allow: say so, and go on with the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from pydantic import SerializeAsAny, StrictStr

from tokumei.diagnostics import hearing, warn
from tokumei.errors import InfeasiblePromise, InvalidParameter, NotComputable, NotMeasuredWarning
from tokumei.words import Statement, said_by


class Measure(Statement, kind="measured"):
    """What was to be measured: the name of a measure, or of what it was to be measured for."""

    name: StrictStr

    @property
    def sentence_key(self) -> str:
        """Measures of our own have a word each; other names are shown as they are."""
        return f"measure.{self.name}" if self.name in MEASURES else "measure.other"


MEASURES = {
    "release",
    "attack",
    "collation",
    "utility",
    "as_released",
    "original",
    "released",
    "reconstructed",
    "telling_rows_apart",
    "telling_drawn_rows_apart",
    "learning_from_release",
    "learning_after_reconstruction",
    "margins",
}


class Noted(Statement, kind="measured"):
    """What came up while something was measured."""

    what: Measure
    why: SerializeAsAny[Statement]


def noted(what: str, why: object) -> Noted:
    """Make a note of what an error, a warning or a statement says of a measure."""
    return Noted(what=Measure(name=what), why=said_by(why))


@contextmanager
def noting(what: str, notes: list[Statement]) -> Iterator[None]:
    """Put the warnings of some work among the notes, whether it ends well or not."""
    with hearing(lambda given: notes.append(noted(what, given))):
        yield


def carefully(what: str, work: Callable[[], Any], notes: list[Statement]) -> Any:
    """Do what may be impossible for a release; say so then, and put the warnings of the work among the notes."""
    found = None
    with noting(what, notes):
        try:
            found = work()
        except (InvalidParameter, InfeasiblePromise, NotComputable) as error:
            notes.append(noted(what, error))
    return found


def tell(notes: list[Statement]) -> None:
    """Warn of what could not be measured, once each."""
    for note in dict.fromkeys(notes):
        warn(note, NotMeasuredWarning)
