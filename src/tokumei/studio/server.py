"""A server for one person: on this machine's loopback address only, gone without a trace when it ends."""

from __future__ import annotations

import importlib
import signal
import socket
import sys
import threading
import warnings
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import TYPE_CHECKING

from tokumei.errors import InvalidParameter, MissingDependency, TokumeiWarning
from tokumei.files import reason

if TYPE_CHECKING:
    from tokumei.studio.guard import Guard

ADDRESS = "127.0.0.1"


def serve(
    source: str | None = None,
    table: str | None = None,
    *,
    encoding: str = "utf-8",
    port: int = 0,
    browser: bool = True,
    say: Callable[[str], None] = print,
) -> None:
    """Open the studio and keep it open until it is interrupted.

    Parameters
    ----------
    source
        A file, a database or a plan to begin with.
    table
        The table of the database.
    encoding
        How the text of a CSV file is encoded.
    port
        Where to listen; 0 takes a free one.
    browser
        Whether to open the page.
    say
        Is told the link.
    """
    try:
        import nicegui  # noqa: F401
        import uvicorn
    except ImportError:
        raise MissingDependency("The studio needs NiceGUI; install it with: pip install 'tokumei[studio]'.") from None
    from tokumei.studio.app import UPLOAD, Studio, application
    from tokumei.studio.guard import Guard
    from tokumei.studio.inbox import Inbox

    # Warnings are told on the page; where two threads collect them at once, one could slip to the terminal.
    warnings.simplefilter("ignore", TokumeiWarning)
    listening = _listen(port)
    inbox = Inbox()
    studio = Studio(inbox)
    try:
        if source is not None:
            studio.open(source, table, encoding)
        guard = Guard(application(studio), listening.getsockname()[1], unbounded=UPLOAD)
        config = uvicorn.Config(
            guard,
            log_level="error",
            access_log=False,
            server_header=False,
            ws="wsproto",
            timeout_graceful_shutdown=1,
        )
        server = uvicorn.Server(config)
        _end_well(server)
        say(f"The studio is open at {guard.link}")
        say("The link works once, for one browser. Press Ctrl+C to stop; uploaded files are then removed.")
        if sys.stdin is not None and sys.stdin.isatty():
            say("Press Enter for a fresh link: for another browser, or after this one was closed.")
            threading.Thread(target=_links, args=(guard, say), daemon=True).start()
        threading.Thread(target=_warm, daemon=True).start()
        if browser:
            threading.Thread(target=webbrowser.open, args=(guard.link,), daemon=True).start()
        with suppress(KeyboardInterrupt):
            server.run(sockets=[listening])
    finally:
        studio.close()
        inbox.close()
        listening.close()


def _links(guard: Guard, say: Callable[[str], None]) -> None:
    """Tell a fresh link whenever Enter is pressed in the terminal."""
    with suppress(OSError, ValueError):  # the terminal was closed
        while sys.stdin.readline():
            say(f"A fresh link, which works once: {guard.fresh()}")


def _warm() -> None:
    """Load what opening a table needs, while the person looks at the first page."""
    importlib.import_module("tokumei.studio.session")


def _listen(port: int) -> socket.socket:
    if not 0 <= port <= 65_535:
        raise InvalidParameter("port must be between 0 and 65535. Got {port}.", port=port)
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        made.bind((ADDRESS, port))
        made.listen(128)
    except OSError as error:
        made.close()
        raise InvalidParameter(
            "port {port} cannot be used: {reason}; choose another, or leave it out.", port=port, reason=reason(error)
        ) from None
    return made


def _end_well(server: object) -> None:
    """End in good order when the system asks for it, so that the private folder is removed."""

    def end(_number: int, _frame: FrameType | None) -> None:
        if getattr(server, "should_exit", False):
            raise SystemExit(0)
        server.should_exit = True  # type: ignore[attr-defined]

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), end)
