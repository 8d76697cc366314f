"""A studio in a process of its own: forked from one that has imported everything, or started as a person starts it."""

from __future__ import annotations

import atexit
import http.client
import importlib
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import Message
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.command_line import CONTEXT

PATIENCE = 600.0


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: Message
    body: bytes


@dataclass
class Served:
    """A running studio."""

    link: str
    process: subprocess.Popen[str] | Forked
    folder: Path

    @property
    def port(self) -> int:
        found = urlsplit(self.link).port
        assert found is not None
        return found

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def ask(
        self, path: str, method: str = "GET", headers: dict[str, str] | None = None, body: bytes | None = None
    ) -> Answer:
        """Send a request just as it is given."""
        talk = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        talk.putrequest(method, path, skip_host="Host" in (headers or {}))
        for name, content in (headers or {}).items():
            talk.putheader(name, content)
        if body is not None:
            talk.putheader("Content-Length", str(len(body)))
        try:
            talk.endheaders(body)
            found = talk.getresponse()
            upgraded = found.status == 101  # and whatever follows is a socket's
            return Answer(found.status, found.headers, b"" if upgraded else found.read())
        finally:
            talk.close()

    def knock(self) -> str:
        """Use the link up, and return the cookie it is exchanged for."""
        answer = self.ask("/?" + urlsplit(self.link).query)
        assert answer.status == 303
        return answer.headers["set-cookie"].split(";")[0]

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """End it, and return its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        return self.process.wait(PATIENCE)


class Forked:
    """A studio that is there without importing anything, with what tests ask of `subprocess.Popen`."""

    def __init__(self, module: str, words: list[str], folder: str, environment: dict[str, str]) -> None:
        ends = [CONTEXT.Pipe(duplex=False) for _ in range(2)]
        given = (module, words, folder, environment, [written for _, written in ends])
        self._process = CONTEXT.Process(target=_serve, args=given)
        self._process.start()
        for _, written in ends:
            written.close()
        self.stdout, self.stderr = (os.fdopen(os.dup(read.fileno()), encoding="utf-8") for read, _ in ends)
        for read, _ in ends:
            read.close()

    def poll(self) -> int | None:
        """Return its exit status, or nothing while it runs."""
        return self._process.exitcode

    def send_signal(self, how: signal.Signals) -> None:
        """Send it a signal."""
        assert self._process.pid is not None
        os.kill(self._process.pid, how)

    def wait(self, seconds: float) -> int:
        """Wait for its end, and return its exit status."""
        self._process.join(seconds)
        code = self._process.exitcode
        assert code is not None, "it does not end"
        return code


def _serve(module: str, words: list[str], folder: str, environment: dict[str, str], said: list[Any]) -> None:
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    tempfile.tempdir = None  # which the process that this one is forked from has looked for
    for number, written in enumerate(said, start=1):
        os.dup2(written.fileno(), number)
        written.close()
    sys.argv = ["tokumei", *words]
    try:
        importlib.import_module({"tokumei": "tokumei.cli"}.get(module, module)).main()
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        atexit._run_exitfuncs()  # as in `tests.command_line`


@contextmanager
def served(
    *arguments: str, module: str = "tokumei", terminal: int = subprocess.DEVNULL, forked: bool = True, **settings: str
) -> Iterator[Served]:
    """Start a studio, and end it after the block; it has folders of its own for what is temporary and for what it keeps.

    One that a terminal is given to, or that is not to be ``forked``, is started as a person starts it.
    """
    with tempfile.TemporaryDirectory() as folder:
        words = ["studio", "--no-browser", *arguments]
        environment = {**os.environ, "TMPDIR": folder, "TOKUMEI_STATE": str(Path(folder) / "state"), **settings}
        process: subprocess.Popen[str] | Forked
        if forked and terminal == subprocess.DEVNULL:
            process = Forked(module, words, folder, environment)
        else:
            process = subprocess.Popen(
                [sys.executable, "-m", module, *words],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                cwd=folder,
                stdin=terminal,
                env=environment,
            )
        assert process.stdout is not None
        assert process.stderr is not None
        line = process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, line + process.stderr.read()
        studio = Served(found.group(0), process, Path(folder))
        try:
            yield studio
        finally:
            studio.end()
            said = process.stderr.read()
            process.stdout.close()
            process.stderr.close()
        assert said == "", said
        assert list(Path(folder).glob("tokumei*")) == [], "something was left behind"
        assert not (Path(folder) / ".nicegui").exists()
