"""A studio in a process of its own, as a person starts it, and a browser to look at it."""

from __future__ import annotations

import http.client
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
from urllib.parse import urlsplit

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
    process: subprocess.Popen[str]
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


@contextmanager
def served(
    *arguments: str, module: str = "tokumei", terminal: int = subprocess.DEVNULL, **settings: str
) -> Iterator[Served]:
    """Start a studio, and end it after the block; it has folders of its own for what is temporary and for what it keeps."""
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [sys.executable, "-m", module, "studio", "--no-browser", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=folder,
            stdin=terminal,
            env={**os.environ, "TMPDIR": folder, "TOKUMEI_STATE": str(Path(folder) / "state"), **settings},
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
