"""Files handed over: bounded, private, gone when it ends."""

from __future__ import annotations

import asyncio
import stat
from collections.abc import AsyncIterator

import pytest

from tokumei.errors import DataError
from tokumei.studio.inbox import Inbox


async def pieces(*given: bytes) -> AsyncIterator[bytes]:
    for each in given:
        yield each


def test_a_file_is_kept_in_a_private_folder_and_goes_with_it() -> None:
    inbox = Inbox()
    place = asyncio.run(inbox.take("people.csv", pieces(b"a\n", b"1\n")))
    assert place.read_bytes() == b"a\n1\n"
    assert stat.S_IMODE(inbox.folder.stat().st_mode) == 0o700
    assert place.is_relative_to(inbox.folder)
    inbox.close()
    assert not inbox.folder.exists()


def test_what_is_too_large_is_refused_and_not_kept() -> None:
    inbox = Inbox(largest=10)
    with pytest.raises(DataError, match="larger than"):
        asyncio.run(inbox.take("people.csv", pieces(b"123456", b"78901")))
    assert list(inbox.folder.rglob("*")) == []
    inbox.close()


@pytest.mark.parametrize(
    "name",
    [
        "../../x.csv",
        "/etc/passwd.csv",
        "C:\\x\\y.csv",
        "a\nb.csv",
        "<b>.csv",
        ".csv",
        "..csv",
        "",
        "x.<b>",
        "x." + "y" * 300,
    ],
)
def test_no_name_leads_out_of_the_folder(name: str) -> None:
    inbox = Inbox()
    place = inbox.place(name)
    assert place.resolve().is_relative_to(inbox.folder.resolve())
    assert not set(place.name) & set("/\\<>\n\"' ")
    inbox.close()
