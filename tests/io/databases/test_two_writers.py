"""Two runs that write one table: one of them is there, whole, and the other says so in a sentence."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import tokumei as tk
from benchmarks.fuzz_targets import people, schema
from tests.adversarial.test_two_runs import k_of, together
from tokumei.errors import OutputError

WRITER = """
import sys
import tokumei as tk
release = tk.read_release(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
try:
    release.write_table(sys.argv[2], "open", overwrite=sys.argv[3] == "yes", allow_seeded=True)
except tk.errors.OutputError as error:
    print(error)
    sys.exit(3)
"""


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two releases that can be told apart by their promise."""
    home = tmp_path_factory.mktemp("made")
    return [
        tk.anonymize(people(), schema(), tk.PkPerturbation(k=k), seed=1).write(home / str(k), allow_seeded=True)
        for k in (2, 5)
    ]


@pytest.mark.parametrize("overwrite", ["no", "yes"])
def test_processes_that_write_one_table(database: str, stored: list[Path], overwrite: str) -> None:
    if overwrite == "yes":
        tk.read_release(stored[0]).write_table(database, "open", allow_seeded=True)
    running = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(folder), database, overwrite],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for folder in stored
    ]  # fmt: skip
    for each in running:
        assert each.stdout is not None
        assert each.stdout.readline() == "ready\n"
    for each in running:
        assert each.stdin is not None
        each.stdin.write("\n")
        each.stdin.flush()
    told = [each.communicate(timeout=600) for each in running]
    assert all(stderr == "" for _, stderr in told), told
    assert {each.returncode for each in running} <= {0, 3}
    assert 0 in {each.returncode for each in running}
    assert all(len(text.splitlines()) <= 1 for text, _ in told)
    assert k_of(tk.read_release(database, table="open")) in {2, 5}


def test_threads_that_write_one_table(database: str, stored: list[Path]) -> None:
    releases = [tk.read_release(folder) for folder in stored]
    problems = together(
        *(lambda release=each: release.write_table(database, "open", allow_seeded=True) for each in releases)
    )
    assert all(error is None or isinstance(error, OutputError) for error in problems), problems
    assert None in problems
    assert sum(error is not None for error in problems) == 1
    assert k_of(tk.read_release(database, table="open")) in {2, 5}
