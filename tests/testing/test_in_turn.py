"""Cases that share one test are all gone through, and those that fail are told."""

from __future__ import annotations

import pytest

from tests.in_turn import in_turn


def test_every_case_is_gone_through_and_each_that_fails_is_named() -> None:
    seen = []

    @in_turn(lambda: [1, 2, 3, 4], name=lambda number: f"number {number}")
    def check(number: int) -> None:
        seen.append(number)
        assert number % 2

    with pytest.raises(ExceptionGroup, match="2 of 4 cases failed") as failed:
        check()
    assert seen == [1, 2, 3, 4]
    assert [error.__notes__ for error in failed.value.exceptions] == [
        ["This is the case number 2."],
        ["This is the case number 4."],
    ]


def test_a_test_without_a_case_fails() -> None:
    with pytest.raises(AssertionError, match="there is no case"):
        in_turn([])(lambda _case: None)()
