"""Run commands with everything switched on that talks: `python -m tests.adversarial.loud RECORD < commands`, one JSON list a line.

All loggers write what they have to say, warnings and tracebacks included, to stderr; an audit hook notes in RECORD which programs
were started, with their arguments and environments, and which files were opened for writing.
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from pathlib import Path
from typing import Any

WRITING = ("w", "a", "x", "+")
OPEN_FOR_WRITING = 0o3  # O_WRONLY or O_RDWR


def note_into(path: Path) -> None:
    """Note what this process starts and writes."""
    record = path.open("a", encoding="utf-8")

    def note(event: str, given: tuple[Any, ...]) -> None:
        if event in {"subprocess.Popen", "os.exec", "os.posix_spawn", "os.system", "socket.connect"}:
            record.write(f"{event}\t{given!r}\n")
            record.flush()
        elif event == "open" and _writes(*given[1:3]):
            record.write(f"{event}\t{given[0]!r}\n")
            record.flush()

    sys.addaudithook(note)


def _writes(mode: Any, flags: Any) -> bool:
    return any(letter in mode for letter in WRITING) if isinstance(mode, str) else bool(flags & OPEN_FOR_WRITING)


def main() -> None:
    """Run the commands that stand on standard input."""
    commands = [json.loads(line) for line in sys.stdin]
    note_into(Path(sys.argv[1]))
    logging.basicConfig(level=logging.DEBUG, stream=sys.stderr)
    logging.captureWarnings(True)
    logging.getLogger("numba").setLevel(logging.INFO)  # it prints the code that it compiles, and would for minutes
    from tokumei.cli.app import app

    for command in commands:
        logging.getLogger("loud").debug("begins")
        print("$", *command, flush=True)
        try:
            if code := app(command, standalone_mode=False):
                print("ended with", code)
        except BaseException as error:
            logging.getLogger("loud").debug("ended", exc_info=error)
            print("ended with", type(error).__name__)
            traceback.print_exception(error)


if __name__ == "__main__":
    main()
