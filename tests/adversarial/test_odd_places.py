"""Files that are none, that are gone, or have names that not everybody can read: a result or one sentence, and no waiting."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import tokumei as tk
from tests.adversarial.killing import NOBODY
from tokumei import compiling
from tokumei.errors import DataError, OutputError, ReleaseError
from tokumei.io.batches import Files
from tokumei.io.source import read_to_draft

LATIN = os.fsdecode(b"caf\xe9")  # a name that is no UTF-8
SCHEMA = tk.Schema(
    [tk.Attribute("age", domain=tk.Numbers(0, 99, step=1)), tk.Attribute("sex", domain=tk.Categories(["F", "M"]))]
)


def people() -> pa.Table:
    return pa.table({"age": [row % 60 for row in range(200)], "sex": ["FM"[row % 2] for row in range(200)]})


def written(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        if path.suffix == ".parquet":
            pq.write_table(people(), file)
        else:
            rows = people().to_pylist()
            file.write(("age,sex\n" + "".join(f"{row['age']},{row['sex']}\n" for row in rows)).encode())
    return path


def run(path: Path, engine: str) -> Any:
    return tk.run(tk.Plan({"path": str(path)}, SCHEMA, tk.PkPerturbation(k=3, tells="all")), engine)


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
@pytest.mark.parametrize("engine", ["local", "stream"])
def test_names_that_are_no_text(engine: str, ending: str, tmp_path: Path) -> None:
    for path in (tmp_path / f"{LATIN}{ending}", tmp_path / LATIN / f"people{ending}"):
        with pytest.raises(DataError, match="is not UTF-8; rename it"):
            run(written(path), engine)
    with pytest.raises(DataError, match="is not UTF-8; rename it"):
        read_to_draft(tmp_path / f"{LATIN}{ending}")
    for name in ("名前", "new\nline", "a b", "-x", "{}", "%s", "~", "#1?"):
        assert run(written(tmp_path / f"{name}{ending}"), engine).rows == 200


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_a_release_in_a_folder_whose_name_is_no_text(kind: Any, tmp_path: Path) -> None:
    release = tk.anonymize(people(), SCHEMA, tk.PkPerturbation(k=3, tells="all"))
    assert tk.read_release(release.write(tmp_path / LATIN, kind)).rows == 200
    with pytest.raises(OutputError, match="already exists"):
        release.write(tmp_path / LATIN, kind)


@pytest.mark.parametrize("name", ["\ud800", "a\0b", "x" * 300, "\ud800/x", "a\0b/x", "x" * 300 + "/x"])
def test_what_no_file_can_be_called(name: str, tmp_path: Path) -> None:
    release = tk.anonymize(people(), SCHEMA, tk.PkPerturbation(k=3, tells="all"))
    with pytest.raises(OutputError, match="cannot be the name of a file|cannot be written: file name too long"):
        release.write(tmp_path / name)
    with pytest.raises(ReleaseError, match="is not a release"):
        tk.read_release(tmp_path / name)
    with pytest.raises(DataError, match="does not exist"):
        run(tmp_path / f"{name}.csv", "local")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("engine", ["local", "stream"])
def test_pipes_are_not_waited_for(engine: str, tmp_path: Path) -> None:
    for name in ("people.csv", "people.parquet", "people.xlsx"):
        os.mkfifo(tmp_path / name)
        for read in (lambda path: run(path, engine), read_to_draft):
            with pytest.raises(DataError, match="neither a file nor a folder"):
                read(tmp_path / name)
    os.mkfifo(tmp_path / "manifest.json")
    with pytest.raises(ReleaseError, match="is not a release"):
        tk.read_release(tmp_path)


@pytest.mark.parametrize("engine", ["local", "stream"])
def test_links_that_lead_nowhere_or_round(engine: str, tmp_path: Path) -> None:
    (tmp_path / "nowhere.csv").symlink_to(tmp_path / "gone.csv")
    (tmp_path / "round.csv").symlink_to(tmp_path / "round.csv")
    (tmp_path / "good.csv").symlink_to(written(tmp_path / "people.csv"))
    for name in ("nowhere.csv", "round.csv", "missing/people.csv", "people.csv/people.csv"):
        with pytest.raises(DataError, match="does not exist"):
            run(tmp_path / name, engine)
    assert run(tmp_path / "good.csv", engine).rows == 200


def test_files_that_vanish_between_two_looks(tmp_path: Path) -> None:
    """Their columns were looked at; when their rows are to be read, one is gone."""
    files = [written(tmp_path / f"part-{part}{ending}") for part in range(2) for ending in (".parquet", ".csv")]
    for kind in (0, 1):
        rows = Files(files[kind::2], SCHEMA)
        rows.settle()
        files[2 + kind].unlink()
        with pytest.raises(DataError, match=r"part-1\.\w+ (cannot be read|does not exist)"):
            list(rows.batches(rows.columns, 1000))


UNPRIVILEGED = """
import os, sys
import tokumei as tk
plan = tk.Plan.read(sys.argv[1])
tk.run(plan, "stream")  # with everything loaded that it needs, since others may not be let into where that is
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid({nobody})
    os.setuid({nobody})
for place in sys.argv[2:]:
    try:
        os.environ["TOKUMEI_SCRATCH"] = place
        print(tk.run(plan, "stream").rows)
    except tk.errors.TokumeiError as error:
        print(type(error).__name__, error)
"""


def test_loops_are_compiled_where_nothing_can_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A read-only installation whose user has no home: numba has nowhere to keep them, and would not start."""
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    kept: list[Any] = []
    monkeypatch.setattr("atexit.register", lambda *given, **more: kept.append((given, more)))
    compiling.find_room()
    assert "NUMBA_CACHE_DIR" not in os.environ  # there is room
    monkeypatch.setattr(os, "access", lambda *_: False)
    compiling.find_room()
    made = Path(os.environ["NUMBA_CACHE_DIR"])
    assert stat.S_IMODE(made.stat().st_mode) == 0o700
    monkeypatch.undo()
    ((remove, place), more) = kept[0]
    remove(place, **more)
    assert not made.exists()


def test_a_scratch_folder_that_may_not_be_written() -> None:
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        home.chmod(0o755)
        written(home / "people.csv")
        (home / "plan.toml").write_text(
            '[source]\npath = "people.csv"\n[schema.age]\nrole = "quasi_identifier"\n'
            'domain = { kind = "numbers", low = 0, high = 99, step = 1 }\n[schema.sex]\nrole = "insensitive"\n'
            '[method]\nmethod = "pk_perturbation"\nk = 3\n'
        )
        for place, mode in (("closed", 0o555), ("hidden", 0o000), ("open", 0o777)):
            (home / place).mkdir()
            (home / place).chmod(mode)
        places = [str(home / place) for place in ("closed", "hidden", "open", "people.csv", "gone")]
        done = subprocess.run(
            [sys.executable, "-c", UNPRIVILEGED.replace("{nobody}", str(NOBODY)), str(home / "plan.toml"), *places],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        closed, hidden, free, file, gone = done.stdout.strip().splitlines()
        assert "could not be stored in" in closed
        assert "permission denied" in closed
        assert "could not be stored in" in hidden
        assert free == "200"
        assert all("TOKUMEI_SCRATCH must be a folder" in each for each in (file, gone))
        assert list((home / "open").iterdir()) == []
