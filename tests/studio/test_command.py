"""`tokumei studio` says in one sentence what is wrong, and leaves nothing behind."""

from __future__ import annotations

import socket
import sys
import tempfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.studio.serving import served
from tokumei.cli.app import app
from tokumei.errors import MissingDependency
from tokumei.studio.server import serve


@pytest.fixture(autouse=True)
def private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def refused(*arguments: str) -> str:
    found = CliRunner().invoke(app, ["studio", "--no-browser", *arguments])
    assert found.exit_code == 1
    assert "Traceback" not in found.output
    return found.output


def test_a_file_that_is_not_there(private: Path) -> None:
    assert "none.csv" in refused(str(private / "none.csv"))
    assert list(private.iterdir()) == []


def test_a_file_that_is_not_utf_8_is_opened_with_its_encoding(private: Path) -> None:
    file = private / "people.csv"
    file.write_text("氏名,年齢\n" + "田中,30\n佐藤,40\n" * 5, encoding="cp932")
    assert "--encoding" in refused(str(file))
    with served(str(file), "--encoding", "cp932", forked=False) as studio:
        assert studio.ask("/", headers={"Cookie": studio.knock()}).status == 200


def test_a_port_that_is_taken_or_none() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert "choose another" in refused("--port", str(taken.getsockname()[1]))
    assert "between 0 and 65535" in refused("--port", "70000")


def test_without_nicegui_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nicegui", None)
    with pytest.raises(MissingDependency, match=r"pip install 'tokumei\[studio\]'"):
        serve()
