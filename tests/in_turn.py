"""One test over many small cases, for what is so quick that a test of its own would cost more than the check."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

Case = TypeVar("Case")


def in_turn(
    cases: Iterable[Case] | Callable[[], Iterable[Case]], name: Callable[[Case], object] = str
) -> Callable[[Callable[[Case], None]], Callable[[], None]]:
    """Make a check of one case a test of all: every case is gone through, and those that fail are told by name, each with its error.

    Cases that have to be looked for first are given as a function, which is called when the test runs.
    """

    def decorate(check: Callable[[Case], None]) -> Callable[[], None]:
        def test() -> None:
            given = list(cases() if callable(cases) else cases)
            assert given, "there is no case"
            wrong = []
            for case in given:
                try:
                    check(case)
                except AssertionError as error:
                    error.add_note(f"This is the case {name(case)}.")
                    wrong.append(error)
            if wrong:
                raise ExceptionGroup(f"{len(wrong)} of {len(given)} cases failed", wrong)

        test.__name__, test.__doc__, test.__module__ = check.__name__, check.__doc__, check.__module__
        return test

    return decorate
