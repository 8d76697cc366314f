"""The command line. Heavy imports stand inside the commands, so that ``tokumei --help`` is quick."""

from __future__ import annotations


def main() -> None:
    """Run the command line; a command that fails ends the process at once.

    What it was reading may still be unpacked, or turned into UTF-8, by Python code in threads of Arrow's. A thread that comes back to
    Python while the interpreter is being taken apart is ended by it, and C++ then aborts the process, after the message and in place of its exit status.
    """
    from tokumei.cli.app import app

    try:
        app(prog_name="tokumei")
    except SystemExit as end:
        if not isinstance(end.code, int) or end.code == 0:
            raise
        _leave(end.code)


def _leave(status: int) -> None:
    import atexit
    import contextlib
    import os
    import sys

    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):  # nobody reads it any more
            stream.flush()
    atexit._run_exitfuncs()
    os._exit(status)
