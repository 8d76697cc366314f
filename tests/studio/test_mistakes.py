"""A mistake of the studio's own says where it happened, and nothing of what it was about."""

from __future__ import annotations

import pytest

from tokumei.studio.mistakes import confess


def test_where_is_told_and_what_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    people: dict[str, int] = {}
    try:
        people["Tanaka Hanako"]
    except KeyError as error:
        confess(error)
    told = capsys.readouterr().err
    assert "KeyError" in told
    assert "test_mistakes.py" in told
    assert "Tanaka" not in told
