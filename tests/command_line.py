"""Run commands as a person would, each in a process of its own, without starting Python anew for each of them.

A server process imports everything once and is forked for every command (multiprocessing's forkserver), so a command costs what it
does and not what its imports cost. That `python -m tokumei` and the installed script start at all is tested elsewhere.
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from subprocess import CompletedProcess

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["tests.preloaded"])


def tokumei(
    *arguments: object, cwd: Path, code: int = 0, env: Mapping[str, str] | None = None
) -> CompletedProcess[str]:
    """Run a command in a folder; it must end with the given code and without a traceback."""
    words = [str(argument) for argument in arguments]
    environment = {**os.environ, "COLUMNS": "120", "NO_COLOR": "1", **(env or {})}
    with tempfile.TemporaryDirectory() as folder:
        out, err = Path(folder) / "out", Path(folder) / "err"
        process = CONTEXT.Process(target=_command, args=(words, str(cwd), environment, str(out), str(err)))
        process.start()
        process.join()
        done = CompletedProcess(
            ["tokumei", *words], process.exitcode or 0, out.read_text("utf-8"), err.read_text("utf-8")
        )
    assert done.returncode == code, (done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    return done


def _command(words: list[str], cwd: str, environment: dict[str, str], out: str, err: str) -> None:
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    for number, path in ((1, out), (2, err)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    sys.argv = ["tokumei", *words]
    from tokumei.cli import main

    try:
        main()
    finally:
        atexit._run_exitfuncs()  # what a process does at its end, which a forked one leaves out
