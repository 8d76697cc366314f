"""Nobody but the browser that was given the link comes in: asked over plain HTTP, as any program could."""

from __future__ import annotations

import os
import re
import signal
import stat
from collections.abc import Iterator
from urllib.parse import quote, urlsplit

import pytest
from nicegui import __version__ as nicegui_version

from tests.studio.serving import Served, served

STATIC = f"/_nicegui/{nicegui_version}/static/nicegui.js"
SOCKET = "/_nicegui_ws/socket.io/?EIO=4&transport=polling"
EVERYWHERE = [
    "/",
    "/data",
    "/export",
    STATIC,
    SOCKET,
    "/studio/studio.css",
    "/studio/download/x",
    "/favicon.ico",
    "/none",
]


@pytest.fixture(scope="module")
def studio() -> Iterator[Served]:
    with served(forked=False) as made:
        yield made


@pytest.fixture(scope="module")
def cookie(studio: Served) -> str:
    return studio.knock()


def upgrade(studio: Served, **headers: str) -> int:
    asked = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    return studio.ask("/_nicegui_ws/socket.io/?EIO=4&transport=websocket", headers=asked).status


@pytest.mark.parametrize("path", EVERYWHERE)
def test_without_the_cookie_nothing_is_answered(studio: Served, cookie: str, path: str) -> None:
    answer = studio.ask(path)
    assert answer.status == 403
    assert b"link" in answer.body
    name = cookie.split("=", maxsplit=1)[0]
    assert studio.ask(path, headers={"Cookie": f"{name}=guess"}).status == 403
    assert studio.ask(path, headers={"Cookie": f"other={cookie.split('=')[1]}"}).status == 403


def test_with_the_cookie_the_page_is_there(studio: Served, cookie: str) -> None:
    for path in ("/", "/data", STATIC, "/studio/studio.css"):
        assert studio.ask(path, headers={"Cookie": cookie}).status == 200, path


def test_the_link_works_once(studio: Served, cookie: str) -> None:
    knock = "/?" + urlsplit(studio.link).query
    assert studio.ask(knock).status == 403
    assert studio.ask("/?token=guess").status == 403
    assert studio.ask(knock, headers={"Cookie": cookie}).status == 303  # who is inside already is shown the way


def told(studio: Served) -> str:
    """Return the next link that the studio prints."""
    assert studio.process.stdout is not None
    while (found := re.search(r"http://\S+", studio.process.stdout.readline())) is None:
        pass
    return found.group(0)


def test_enter_in_the_terminal_gives_a_fresh_link_that_works_once() -> None:
    keyboard, terminal = os.openpty()
    with served(terminal=terminal) as other:
        first = "/?" + urlsplit(other.link).query
        os.write(keyboard, b"\n")
        second = "/?" + urlsplit(told(other)).query
        assert second != first
        assert other.ask(first).status == 403  # it was not used, and is void
        answer = other.ask(second)
        assert answer.status == 303
        cookie = answer.headers["set-cookie"].split(";")[0]
        assert other.ask(second).status == 403
        os.write(keyboard, b"\n")
        third = "/?" + urlsplit(told(other)).query
        assert other.ask("/?token=guess").status == 403
        again = other.ask(third)  # for a browser that was closed and has lost its cookie
        assert again.status == 303
        for each in (cookie, again.headers["set-cookie"].split(";")[0]):
            assert other.ask("/", headers={"Cookie": each}).status == 200
        assert other.ask(third).status == 403
        assert other.ask("/").status == 403
        for site in ("cross-site", "same-site"):
            os.write(keyboard, b"\n")
            fresh = "/?" + urlsplit(told(other)).query
            assert other.ask(fresh, headers={"Sec-Fetch-Site": site}).status == 403
            assert other.ask(fresh, headers={"Host": "evil.example"}).status == 403
    os.close(keyboard)
    os.close(terminal)


def test_without_a_terminal_nothing_makes_a_fresh_link(studio: Served, cookie: str) -> None:
    for path in ("/link", "/fresh", "/?fresh", "/?token="):
        assert studio.ask(path).status == 403
    assert studio.ask("/?token=", headers={"Cookie": cookie}).status in {200, 303}


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "[::1]:{port}", "evil.example:{port}", ""]
)
def test_other_hosts_are_refused(studio: Served, cookie: str, host: str) -> None:
    answer = studio.ask("/", headers={"Host": host.format(port=studio.port), "Cookie": cookie})
    assert answer.status in {400, 403}


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1:{port}", ""]
)
def test_other_origins_are_refused(studio: Served, cookie: str, origin: str) -> None:
    given = origin.format(port=studio.port)
    for path in ("/", STATIC, SOCKET):
        assert studio.ask(path, headers={"Origin": given, "Cookie": cookie}).status == 403
    assert upgrade(studio, Origin=given, Cookie=cookie) == 403


def test_a_socket_needs_origin_and_cookie(studio: Served, cookie: str) -> None:
    ours = f"http://{studio.host}"
    assert upgrade(studio, Origin=ours) == 403
    assert upgrade(studio, Cookie=cookie) == 403
    assert upgrade(studio, Origin=ours, Cookie=cookie) == 101


def test_pages_of_other_ports_and_sites_are_refused_though_they_send_the_cookie(studio: Served, cookie: str) -> None:
    for site, status in (("same-site", 403), ("cross-site", 403), ("same-origin", 200), ("none", 200)):
        assert studio.ask("/", headers={"Sec-Fetch-Site": site, "Cookie": cookie}).status == status


def test_a_header_that_is_there_twice_counts_for_nothing(studio: Served, cookie: str) -> None:
    headers = {"Cookie": cookie, "cookie": cookie}
    assert studio.ask("/", headers=headers).status == 403


def test_answers_forbid_what_is_not_needed(studio: Served, cookie: str) -> None:
    answer = studio.ask("/", headers={"Cookie": cookie})
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "http" not in policy  # nothing is loaded from anywhere else
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert "access-control-allow-origin" not in answer.headers


def test_the_cookie_is_for_this_site_and_no_script() -> None:
    with served(forked=False) as other:
        given = other.ask("/?" + urlsplit(other.link).query).headers["set-cookie"]
        assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= {part.strip() for part in given.split(";")}


def test_uploads_need_everything_and_are_named_by_nobody_else(studio: Served, cookie: str) -> None:
    ours = {"Origin": f"http://{studio.host}", "Cookie": cookie, "X-File-Name": quote("../../<b>x.csv")}
    body = b"a,b\n1,2\n"
    for lacking in ("Origin", "Cookie"):
        headers = {name: content for name, content in ours.items() if name != lacking}
        assert studio.ask("/studio/upload", "POST", headers, body).status == 403
    answer = studio.ask("/studio/upload", "POST", ours, body)
    assert answer.status == 200
    (private,) = studio.folder.glob("tokumei-studio-*")
    assert stat.S_IMODE(private.stat().st_mode) == 0o700
    (kept,) = private.rglob("*.csv")
    assert kept.read_bytes() == body
    assert kept.is_relative_to(private)


def test_other_requests_are_small(studio: Served, cookie: str) -> None:
    headers = {"Origin": f"http://{studio.host}", "Cookie": cookie, "Content-Length": str(10**9)}
    assert studio.ask("/data", "POST", headers).status == 413


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_it_ends_in_good_order_and_leaves_nothing(how: signal.Signals) -> None:
    with served(forked=False) as other:
        inside = other.knock()
        headers = {"Origin": f"http://{other.host}", "Cookie": inside, "X-File-Name": "x.csv"}
        assert other.ask("/studio/upload", "POST", headers, b"a\n1\n").status == 200
        assert list(other.folder.glob("tokumei-studio-*"))
        assert other.end(how) in {0, 130}
        assert not list(other.folder.glob("tokumei-studio-*"))
