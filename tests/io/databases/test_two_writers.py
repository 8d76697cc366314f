"""Two runs that write one table: one of them is there, whole, and the other says so in a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

import tokumei as tk
from benchmarks.fuzz_targets import people, schema
from tests.adversarial.test_two_runs import k_of, together
from tests.command_line import Program, gate_for
from tokumei.errors import OutputError

WRITER = """
import sys
import tokumei as tk
release = tk.read_release(sys.argv[1])
gate.wait()
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
        tk.anonymize(people(), schema(), tk.PkPerturbation(k=k, tells="all"), seed=1).write(
            home / str(k), allow_seeded=True
        )
        for k in (2, 5)
    ]


@pytest.mark.parametrize("overwrite", ["no", "yes"])
def test_processes_that_write_one_table(database: str, stored: list[Path], overwrite: str) -> None:
    if overwrite == "yes":
        tk.read_release(stored[0]).write_table(database, "open", allow_seeded=True)
    gate = gate_for(len(stored))
    running = [Program(WRITER, folder, database, overwrite, gate=gate) for folder in stored]
    done = [each.ended() for each in running]
    assert all(each.stderr == "" for each in done), done
    assert {each.returncode for each in done} <= {0, 3}
    assert 0 in {each.returncode for each in done}
    assert all(len(each.stdout.splitlines()) <= 1 for each in done)
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
