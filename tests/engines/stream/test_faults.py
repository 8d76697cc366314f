"""What can go wrong with large files: one clear sentence, no partial output, and a second run succeeds."""

from __future__ import annotations

import subprocess
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

import tokumei as tk
from tests.command_line import COMMAND, Program
from tests.engines.stream.rows import SCHEMA, as_multiset, in_parts, people, plan_for
from tokumei import files
from tokumei.errors import DataError, InvalidParameter

PLAN = """
[source]
path = "parts"

[schema."age"]
role = "quasi_identifier"
domain = { kind = "numbers", low = 0, high = 99, step = 1 }

[schema."pay"]
role = "insensitive"

[method]
method = "pk_perturbation"
k = 5

[output]
path = "out"
format = "FORMAT"
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    rng = np.random.default_rng(1)
    table = pa.table({"age": rng.integers(0, 100, 9000), "pay": rng.random(9000)})
    in_parts(table, tmp_path / "parts", 3, "parquet")
    (tmp_path / "plan.toml").write_text(PLAN.replace("FORMAT", "parquet"), encoding="utf-8")
    return tmp_path


def tokumei(home: Path, before: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    """Run the plan with the streaming engine in a process of its own, something having been done to it before."""
    words = ("anonymize", "plan.toml", "--memory", "64MB", "--quiet")
    return Program(textwrap.dedent(before) + COMMAND, *words, name="tokumei", cwd=home, env=more).ended()


def sentence(done: subprocess.CompletedProcess[str]) -> str:
    """Return the one sentence that a failed run printed."""
    assert done.returncode == 1, done.stderr
    (line,) = done.stderr.strip().splitlines()
    return line


KILL = """
    import os, signal
    from tokumei.engines.stream.shuffle import Buckets
    ask = Buckets.__iter__
    def killed(self):
        for piece in ask(self):
            yield piece.slice(0, 100)
            os.kill(os.getpid(), signal.SIGKILL)
    Buckets.__iter__ = killed
"""


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_a_kill_in_the_middle_of_writing(home: Path, kind: str) -> None:
    (home / "plan.toml").write_text(PLAN.replace("FORMAT", kind), encoding="utf-8")
    scratch = home / "scratch"
    scratch.mkdir()
    assert tokumei(home, KILL, TOKUMEI_SCRATCH=str(scratch)).returncode == -9
    assert not (home / "out").exists()
    assert list(scratch.iterdir()) == []  # the rows on disk had no name, so nothing of them is left
    assert len(list(home.glob(".tokumei-*"))) == 1
    done = tokumei(home)
    assert done.returncode == 0, done.stderr
    assert tk.read_release(home / "out").rows == 9000
    assert list(home.glob(".*")) == []  # what the killed run had begun is gone too


def test_the_folder_of_a_run_that_lives_is_left_alone(tmp_path: Path) -> None:
    with files.atomic_folder(tmp_path / "out") as working:
        program = "import sys; from pathlib import Path; from tokumei import files; files._put_right(Path(sys.argv[1]))"
        assert Program(program, tmp_path / "out").ended().returncode == 0
        assert working.is_dir()


FULL = """
    import resource, signal
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))
"""


def test_no_room_for_the_rows_on_disk(home: Path) -> None:
    said = sentence(tokumei(home, FULL.format(limit=20_000)))
    assert "could not be stored in" in said
    assert "set TOKUMEI_SCRATCH to a folder with more room" in said
    assert not (home / "out").exists()
    assert list(home.glob(".*")) == []


def test_no_room_for_the_release(home: Path) -> None:
    lots = """
        from tokumei.engines.stream.shuffle import Buckets
        ask = Buckets.__iter__
        def endless(self):
            while True:
                yield from ask(self)
        Buckets.__iter__ = endless
    """
    said = sentence(tokumei(home, textwrap.dedent(FULL.format(limit=2_000_000)) + textwrap.dedent(lots)))
    assert "could not be written (file too large); nothing was left behind" in said
    assert not (home / "out").exists()
    assert list(home.glob(".*")) == []


def test_a_scratch_folder_that_is_none(home: Path) -> None:
    said = sentence(tokumei(home, TOKUMEI_SCRATCH=str(home / "nowhere")))
    assert "TOKUMEI_SCRATCH must be a folder" in said


@pytest.mark.parametrize("damage", ["cut", "nothing", "text"])
def test_an_unreadable_file_in_the_middle(home: Path, damage: str) -> None:
    file = home / "parts" / "part-1.parquet"
    content = file.read_bytes()
    file.write_bytes({"cut": content[: len(content) // 2], "nothing": b"", "text": b"age,pay\n1,2\n"}[damage])
    said = sentence(tokumei(home))
    assert "part-1.parquet cannot be read" in said
    assert not (home / "out").exists()


def test_a_file_damaged_within_its_rows(home: Path) -> None:
    file = home / "parts" / "part-1.parquet"
    content = bytearray(file.read_bytes())
    content[200:2000] = bytes(1800)
    file.write_bytes(content)
    said = sentence(tokumei(home))
    assert "part-1.parquet cannot be read" in said or "outside its domain" in said
    assert not (home / "out").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t.drop_columns(["pay"]), "has other columns than part-0.parquet: it lacks 'pay'"),
        (lambda t: t.append_column("more", t.column("pay")), "it also has 'more'"),
        (lambda t: t.set_column(1, "pay", t.column("pay").cast(pa.float32())), "another type of 'pay'"),
    ],
)
def test_files_that_drift(home: Path, change: Any, message: str) -> None:
    file = home / "parts" / "part-2.parquet"
    pyarrow.parquet.write_table(change(pyarrow.parquet.read_table(file)), file)
    said = sentence(tokumei(home))
    assert "part-2.parquet" in said
    assert message in said
    assert not (home / "out").exists()


def test_other_things_in_a_folder(home: Path) -> None:
    (home / "parts" / "README.md").write_text("hello", encoding="utf-8")
    assert "README.md, whose file extension is not known" in sentence(tokumei(home))
    (home / "parts" / "README.md").unlink()
    pyarrow.csv.write_csv(pa.table({"age": [1], "pay": [0.5]}), home / "parts" / "x.csv")
    assert "CSV and Parquet" in sentence(tokumei(home))
    with pytest.raises(DataError, match="holds no file"):
        tk.run(plan_for(home / "nothing-*.csv", tk.PkPerturbation(k=2, tells="all")), engine="stream")


def test_messages_show_no_cell(tmp_path: Path) -> None:
    rows = "".join(f"{i % 50},1\n" for i in range(3000))
    (tmp_path / "t.csv").write_text("age,n\n" + rows + "7,1,secret\n", encoding="utf-8")
    schema = tk.Schema([tk.Attribute("age", domain=tk.Numbers(0, 99, step=1)), tk.Attribute("n", "insensitive")])
    with pytest.raises(DataError, match="line( 3002)? does not have as many fields") as caught:
        tk.run(plan_for(tmp_path / "t.csv", tk.PkPerturbation(k=2, tells="all"), (), schema), engine="stream")
    assert "secret" not in str(caught.value)
    (tmp_path / "t.csv").write_text("age,n\n" + rows + "secret,1\n", encoding="utf-8")
    with pytest.raises(DataError, match="holds text but its domain is numbers") as caught:
        tk.run(plan_for(tmp_path / "t.csv", tk.PkPerturbation(k=2, tells="all"), (), schema), engine="stream")
    assert "secret" not in str(caught.value)


def test_a_column_of_one_value(tmp_path: Path) -> None:
    table = people(400).drop_columns(["town"]).append_column("town", pa.array(["大阪"] * 400))
    pyarrow.parquet.write_table(table, tmp_path / "t.parquet")
    plan = plan_for(tmp_path / "t.parquet", tk.PkPerturbation(k=3, tells="all"))
    local, streamed = tk.run(plan, seed=1), tk.run(plan, engine="stream", seed=1)
    assert as_multiset(local.table) == as_multiset(streamed.table)


def test_two_thousand_columns(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    names = [f"列 {i}" for i in range(2000)]
    table = pa.table({name: rng.integers(0, 4, 600) for name in names})
    pyarrow.parquet.write_table(table, tmp_path / "t.parquet")
    roles: list[Any] = ["quasi_identifier"] * 3 + ["insensitive"] * 1997
    schema = tk.Schema([tk.Attribute(n, role, tk.Numbers(0, 3, step=1)) for n, role in zip(names, roles, strict=True)])
    plan = plan_for(tmp_path / "t.parquet", tk.PkPerturbation(k=3, tells="all"), (), schema)
    local, streamed = tk.run(plan, seed=1), tk.run(plan, engine="stream", seed=1, memory="64MB")
    assert streamed.types == local.types
    assert as_multiset(streamed.table) == as_multiset(local.table)
    streamed.write(tmp_path / "out", allow_seeded=True)


def test_no_rows(tmp_path: Path) -> None:
    pyarrow.parquet.write_table(people(10).slice(0, 0), tmp_path / "t.parquet")
    with pytest.raises(DataError, match="no rows"):
        tk.run(plan_for(tmp_path / "t.parquet", tk.PkPerturbation(k=2, tells="all")), engine="stream")
    pyarrow.csv.write_csv(people(10).slice(0, 0), tmp_path / "t.csv")
    with pytest.raises(DataError, match="no rows"):
        tk.run(plan_for(tmp_path / "t.csv", tk.PkPerturbation(k=2, tells="all")), engine="stream")


def test_engines_that_are_not_there(tmp_path: Path) -> None:
    pyarrow.parquet.write_table(people(10), tmp_path / "t.parquet")
    plan = plan_for(tmp_path / "t.parquet", tk.PkPerturbation(k=2, tells="all"))
    with pytest.raises(InvalidParameter, match="engine must be one of 'auto', 'local', 'stream'"):
        tk.run(plan, engine="cloud")
    with pytest.raises(InvalidParameter, match="shuffle='blocks' is only for the engine 'stream'"):
        tk.run(plan, engine="local", shuffle="blocks")
    assert SCHEMA is not None
