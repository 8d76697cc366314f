"""A mistake of the studio's own says where it happened, and nothing of what it was about."""

from __future__ import annotations

import pytest

from tokumei.studio.internal_errors import report_internal_error


def test_where_is_told_and_what_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    people: dict[str, int] = {}
    try:
        people["Tanaka Hanako"]
    except KeyError as error:
        report_internal_error(error)
    told = capsys.readouterr().err
    assert "KeyError" in told
    assert "test_internal_errors.py" in told
    assert "Tanaka" not in told
