"""A studio that can be asked what it goes by: `python -m tests.studio.probed studio ...` answers at the socket that ``PROBE`` names.

It answers what every control of every page is taken to be, so that a test can compare that with what the person sees.
"""

from __future__ import annotations

import importlib
import json
import os
import socket
import threading
import time
from pathlib import Path
from typing import Any

PROBE = "PROBE"
HERE = os.pathsep.join([str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")])
DEAF = (
    "DEAF"  # where it is set, counting classes goes on for ever and looks at nothing, as a long call of a library may
)

FEW = "FEW"  # a table of more rows than this is large for the frontier
TOYS = "TOYS"  # where it is set, there is a method and a partition of somebody else's package


# Remembered when it is made. To look for it among all objects (gc.get_objects) would hold on to tuples that other threads are still
# filling, and CPython then refuses to finish them, with a SystemError in the middle of the studio's work.
_STUDIOS: list[Any] = []


def ask(place: Path) -> dict[str, Any]:
    """Ask a studio: the values of its controls by their id in the page, and its state."""
    with socket.socket(socket.AF_UNIX) as talk:
        talk.connect(str(place))
        with talk.makefile("rb") as answer:
            found: dict[str, Any] = json.loads(answer.read())
    return found


def _known() -> dict[str, Any]:
    from nicegui import Client

    from tokumei.studio.control import Control

    controls = {
        f"c{element.id}": element.value
        for client in Client.instances.values()
        if client.has_socket_connection
        for element in list(client.elements.values())
        if isinstance(element, Control)
    }
    (studio,) = _STUDIOS
    state = studio.session.state if studio.session is not None else None
    return {
        "controls": controls,
        "roles": {} if state is None else {each.name: each.role for each in state.schema},
        "method": None if state is None else repr(state.method),
        "prepare": None if state is None else repr(state.prepare),
        "places": None if studio.session is None else [studio.session.place, len(studio.session.history)],
    }


def _answer(listening: socket.socket) -> None:
    while True:
        talk, _ = listening.accept()
        with talk:
            talk.sendall(json.dumps(_known()).encode())


def main() -> None:
    """Start it."""
    from tokumei.cli.app import app
    from tokumei.studio.studio import Studio

    made = Studio.__init__

    def remember(self: Studio, *given: Any) -> None:
        made(self, *given)
        _STUDIOS.append(self)

    Studio.__init__ = remember  # type: ignore[method-assign]
    if os.environ.get(DEAF):
        from tokumei.studio.session import Session

        Session.sizes_before = lambda *_given: time.sleep(10**6)  # type: ignore[assignment,method-assign]
    if os.environ.get(FEW):
        from tokumei.studio.session import frontier_builder

        frontier_builder.SAMPLED = int(os.environ[FEW])
    if os.environ.get(TOYS):
        importlib.import_module("tests.extending.toy_method")
        importlib.import_module("tests.extending.toy_partition")
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(os.environ[PROBE])
    listening.listen()
    threading.Thread(target=_answer, args=(listening,), daemon=True).start()
    app()


if __name__ == "__main__":
    main()
