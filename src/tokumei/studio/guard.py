"""Who may come in: one browser on this machine that was given the link, and nobody else.

Every request and every socket passes here first, whatever it asks for.

* The host must be this machine's loopback address with our port, so that no other name can be made to mean us.
* The origin, where a browser names one, must be ours; a socket or a change without one is refused.
* A link works once. It is exchanged for a cookie that scripts cannot read and that other sites cannot send. Only the terminal can
  make a fresh one, and an older one that was not used is then void.
* Answers forbid the browser to load anything from elsewhere, to show us in a frame, and to keep a copy.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

from tokumei.randomness import token

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]

NAMES = ("127.0.0.1", "localhost")
SAFE = {"GET", "HEAD"}
KNOCK = "token"  # the parameter of the link
LARGEST_BODY = 4 * 2**20  # bytes of anything but a file that is opened


class Guard:
    """An application behind a door.

    Parameters
    ----------
    app
        What is behind it.
    port
        The port that it is reached at.
    unbounded
        The path whose requests may be large, because their handlers count for themselves.
    """

    def __init__(self, app: Application, port: int, unbounded: str = "") -> None:
        self.app = app
        self.port = port
        self.unbounded = unbounded
        self.cookie = f"tokumei-studio-{port}"
        self._link: str | None = token()
        self._pass = token()

    @property
    def link(self) -> str:
        """Where a browser begins; it works once."""
        return f"http://127.0.0.1:{self.port}/" + ("" if self._link is None else f"?{KNOCK}={self._link}")

    def fresh(self) -> str:
        """Return a new link, for another browser or for one that has lost its cookie; the one before works no more."""
        self._link = token()
        return self.link

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = _headers(scope)
        problem = self._stranger(scope, headers)
        if problem is None and self._knows(headers):
            if KNOCK in parse_qs(scope.get("query_string", b"").decode("latin-1")):
                await _answer(send, 303, "", [(b"location", b"/")])
            elif self._too_large(scope, headers):
                await _refuse(scope, send, 413, "This is larger than the studio accepts.")
            else:
                await self.app(scope, receive, self._careful(send, str(scope["path"])))
        elif problem is None and self._knocks(scope):
            self._link = None
            cookie = f"{self.cookie}={self._pass}; HttpOnly; SameSite=Strict; Path=/"
            await _answer(send, 303, "", [(b"location", b"/"), (b"set-cookie", cookie.encode())])
        else:
            await _refuse(
                scope,
                send,
                403,
                problem
                or "Open the studio by the link it printed. Each link works once; press Enter in its terminal for a fresh one.",
            )

    def _stranger(self, scope: Message, headers: dict[str, str]) -> str | None:
        """Say what is wrong with where a request comes from or believes to go to."""
        host = headers.get("host", "")
        if host not in {f"{name}:{self.port}" for name in NAMES}:
            return "The studio answers only at its own address on this computer."
        origin, method = headers.get("origin"), scope.get("method", "GET")
        if origin is None and (scope["type"] == "websocket" or method not in SAFE):
            return "A request that changes something must say where it comes from."
        if origin is not None and origin != f"http://{host}":
            return "Other sites may not talk to the studio."
        if headers.get("sec-fetch-site", "none") not in {"none", "same-origin"}:
            return "Other sites may not talk to the studio; copy the link into the address line."
        return None

    def _knows(self, headers: dict[str, str]) -> bool:
        try:
            found = SimpleCookie(headers.get("cookie", "")).get(self.cookie)
        except CookieError:
            return False
        return found is not None and hmac.compare_digest(found.value.encode(), self._pass.encode())

    def _knocks(self, scope: Message) -> bool:
        if self._link is None or scope["type"] != "http" or scope["method"] != "GET" or scope["path"] != "/":
            return False
        given = parse_qs(scope.get("query_string", b"").decode("latin-1")).get(KNOCK, [""])
        return len(given) == 1 and hmac.compare_digest(given[0].encode(), self._link.encode())

    def _too_large(self, scope: Message, headers: dict[str, str]) -> bool:
        if scope["type"] != "http" or scope["method"] in SAFE or scope["path"] == self.unbounded:
            return False
        length = headers.get("content-length", "")
        return re.fullmatch("[0-9]{1,12}", length) is None or int(length) > LARGEST_BODY

    def _careful(self, send: Send, path: str) -> Send:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                kept = [(name, value) for name, value in message.get("headers", []) if name.lower() not in _OURS]
                shared = path.startswith("/_nicegui/") and "/client/" not in path
                stored = b"private, max-age=86400" if shared else b"no-store"
                message = {**message, "headers": [*kept, *self._rules(), (b"cache-control", stored)]}
            await send(message)

        return with_headers

    def _rules(self) -> list[tuple[bytes, bytes]]:
        sockets = " ".join(f"ws://{name}:{self.port}" for name in NAMES)
        # Scripts stand inside the page and are compiled in it, so they cannot be told from one that got in; what got
        # in could load nothing and tell nobody.
        policy = (
            "default-src 'none'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
            f"img-src 'self' data:; font-src 'self' data:; connect-src 'self' {sockets}; form-action 'none'; "
            "base-uri 'none'; frame-ancestors 'none'"
        )
        return [(b"content-security-policy", policy.encode()), *_HARD]


_HARD = [
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]
_OURS = {name for name, _ in _HARD} | {b"cache-control", b"content-security-policy", b"access-control-allow-origin"}


def _headers(scope: Message) -> dict[str, str]:
    """Return a request's headers; one that is there twice counts for nothing, so that no two readers can differ."""
    found: dict[str, str] = {}
    for name, value in scope["headers"]:
        key = name.decode("latin-1").lower()
        found[key] = value.decode("latin-1") if key not in found else "\0"
    return found


async def _refuse(scope: Message, send: Send, status: int, sentence: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
        return
    await _answer(send, status, sentence, [])


async def _answer(send: Send, status: int, text: str, headers: list[tuple[bytes, bytes]]) -> None:
    body = text.encode()
    always = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
        (b"cache-control", b"no-store"),
        *_HARD,
    ]
    await send({"type": "http.response.start", "status": status, "headers": [*always, *headers]})
    await send({"type": "http.response.body", "body": body})
