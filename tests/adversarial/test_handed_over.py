"""Files handed over to the studio: whatever they are called and however they are announced, they stay in one private folder."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.studio.serving import Served, served
from tokumei.errors import DataError
from tokumei.studio.guard import LARGEST_BODY, Guard
from tokumei.studio.inbox import LARGEST, Inbox

NAMES = [
    "..",
    "../",
    "..\\..\\x.csv",
    "a\0b.csv",
    "x.csv\0.exe",
    "\u202egpj.csv",  # turns the reading direction
    "．．／x.csv",  # look like dots and a slash
    unicodedata.normalize("NFD", "é") + ".csv",
    "\ud800.csv",
    "CON.csv",
    "x.csv ",
    "x.csv.",
    "~root/x.csv",
    "-rf.csv",
    "$(id).csv",
    "\r\nSet-Cookie: a=b.csv",
    "x" * 10_000 + ".csv",
    "é" * 300 + ".csv",
    "𝒳" * 300 + ".csv",
]


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_no_name_leads_anywhere_else(name: str) -> None:
    inbox = Inbox()
    try:
        place = asyncio.run(inbox.take(name, pieces(b"a\n1\n")))
        assert place.resolve().is_relative_to(inbox.folder.resolve())
        assert place.read_bytes() == b"a\n1\n"
        assert all(each.isprintable() and each not in "/\\<>:\"'$~ \t" for each in place.name)
        assert not place.name.startswith((".", "-"))
        assert len(place.name.encode()) < 255
    finally:
        inbox.close()
    assert not inbox.folder.exists()


async def pieces(*given: bytes) -> AsyncIterator[bytes]:
    for each in given:
        yield each


def test_an_upload_that_lies_about_its_size_is_counted() -> None:
    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield b"x" * 1000

    inbox = Inbox(largest=10_000)
    with pytest.raises(DataError, match="larger than"):
        asyncio.run(inbox.take("x.csv", endless()))
    assert list(inbox.folder.rglob("*")) == []
    inbox.close()
    assert LARGEST <= 2**31


@pytest.mark.parametrize(
    "length", ["", "-1", "+1", "1e3", "²", "٣", "1" * 5000, "0x10", " 5", "5 5", str(LARGEST_BODY + 1)]
)
def test_lengths_that_are_no_small_numbers_are_refused(length: str) -> None:
    said: list[Any] = []

    async def inside(_scope: Any, _receive: Any, _send: Any) -> None:
        said.append("inside")

    async def send(message: Any) -> None:
        said.append(message.get("status"))

    async def receive() -> Any:
        return {}

    guard = Guard(inside, 4711)
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/data",
        "headers": [
            (b"host", b"127.0.0.1:4711"),
            (b"origin", b"http://127.0.0.1:4711"),
            (b"cookie", f"{guard.cookie}={guard._pass}".encode()),
            (b"content-length", length.encode("utf-8")),
        ],
    }
    asyncio.run(guard(scope, receive, send))
    assert 413 in said
    assert "inside" not in said


@pytest.fixture(scope="module")
def studio() -> Iterator[Served]:
    with served() as made:
        yield made


def test_a_running_studio_outlives_bad_uploads(studio: Served) -> None:
    ours = {"Origin": f"http://{studio.host}", "Cookie": studio.knock()}
    for name in ("", "%", "%00", "%ff%fe.csv", "..%2f..%2fx.csv", "x.exe", "a" * 5000):
        answer = studio.ask("/studio/upload", "POST", {**ours, "X-File-Name": name}, b"a\n1\n")
        assert answer.status in {200, 400, 413, 415, 422}, (name, answer.status, answer.body)
        assert b"Traceback" not in answer.body
    assert studio.ask("/studio/upload", "POST", ours, b"a\n1\n").status in {200, 400, 422}
    (private,) = studio.folder.glob("tokumei-studio-*")
    assert all(file.is_relative_to(private) for file in studio.folder.rglob("*.csv"))
    assert studio.ask("/", headers={"Cookie": ours["Cookie"]}).status == 200


def test_what_is_kept_belongs_to_nobody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    inbox = Inbox()
    first, second = (asyncio.run(inbox.take("x.csv", pieces(b"a"))) for _ in range(2))
    assert first != second  # two uploads of one name do not meet
    inbox.close()
