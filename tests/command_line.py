"""Run commands and programs as a person would, each in a process of its own, without starting Python anew for each of them.

A server process imports everything once and is forked for every program (multiprocessing's forkserver), so a program costs what it
does and not what its imports cost. That `python -m tokumei` and the installed script start at all is tested elsewhere.
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import sys
import tempfile
import textwrap
from collections.abc import Mapping
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["tests.preloaded"])
COMMAND = "from tokumei.cli import main\nmain()\n"


def tokumei(
    *arguments: object, cwd: Path, code: int = 0, env: Mapping[str, str] | None = None, before: str = ""
) -> CompletedProcess[str]:
    """Run a command in a folder, something having been done to its process; it must end with the given code and without a traceback."""
    given = {"COLUMNS": "120", "NO_COLOR": "1", **(env or {})}
    done = Program(textwrap.dedent(before) + COMMAND, *arguments, name="tokumei", cwd=cwd, env=given).ended()
    assert done.returncode == code, (done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    return done


def in_one_line(text: str) -> str:
    """Return what was said without line breaks."""
    return " ".join(text.split())


class Program:
    """The text of a program that runs in a process of its own, with words for it.

    Those that are given the same ``gate`` (see `gate_for`) find it as a variable, and begin together once each has waited there.
    """

    def __init__(
        self,
        program: str,
        *arguments: object,
        name: str = "-c",
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        gate: Any = None,
    ) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._said = [Path(self._folder.name) / each for each in ("out", "err")]
        self.words = [name, *(str(argument) for argument in arguments)]
        given = (program, self.words, str(cwd or Path.cwd()), {**os.environ, **(env or {})}, self._said, gate)
        self._process = CONTEXT.Process(target=_run, args=given)
        self._process.start()

    def ended(self) -> CompletedProcess[str]:
        """Wait for its end, and return how it ended and what it said."""
        self._process.join()
        out, err = (each.read_text("utf-8") if each.exists() else "" for each in self._said)
        self._folder.cleanup()
        code = self._process.exitcode
        assert code is not None
        return CompletedProcess(self.words, code, out, err)


def gate_for(programs: int) -> Any:
    """Return what so many programs wait at until all of them are there."""
    return CONTEXT.Barrier(programs, timeout=600)


def _run(
    program: str, words: list[str], cwd: str, environment: dict[str, str], said: list[Path], gate: Any = None
) -> None:
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    for number, path in enumerate(said, start=1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    sys.argv = words
    try:
        exec(compile(program, "<program>", "exec"), {"__name__": "__main__", "gate": gate})
    finally:
        atexit._run_exitfuncs()  # what a process does at its end, which a forked one leaves out
