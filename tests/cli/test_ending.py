"""How a command ends that fails: with its exit status, whatever threads of other libraries still do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import atexit, os, sys
from tokumei.cli import main

class Late:
    def __del__(self, write=os.write):
        write(1, b"the interpreter was taken apart\\n")

sys.late = Late()
atexit.register(print, "what is done at the end was done")
sys.argv = ["tokumei", *sys.argv[1:]]
main()
"""


def ended(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", PROGRAM, *words], capture_output=True, text=True, check=False, cwd=cwd)


def test_a_command_that_fails_ends_before_the_interpreter_is_taken_apart(tmp_path: Path) -> None:
    """Threads of Arrow's that decode text in Python would abort the process then, now and again."""
    (tmp_path / "people.csv").write_bytes(b"name,age\nTan\x81,30\nS\xff\xfe,40\n")
    done = ended("sizes", "people.csv", "--qi", "age", "--encoding", "cp932", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout == "what is done at the end was done\n"
    assert done.stderr == (
        "tokumei: people.csv cannot be read: it is not cp932 text; give its encoding (--encoding, or encoding in the plan).\n"
    )


def test_one_that_succeeds_ends_as_usual(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("name,age\nTanaka,30\nSato,40\n", encoding="cp932")
    done = ended("sizes", "people.csv", "--qi", "age", "--encoding", "cp932", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-2:] == ["what is done at the end was done", "the interpreter was taken apart"]
