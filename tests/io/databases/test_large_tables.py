"""Tables that are large, that change while they are read, and runs that are stopped."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import tokumei as tk
from tests.command_line import Program, tokumei
from tests.engines.stream.rows import people
from tests.io.databases.test_databases import plan_from, put
from tests.io.databases.test_names import do, held, made
from tokumei import progress
from tokumei.errors import Cancelled, DataError
from tokumei.io.databases import NewTable, QueryRows, connect, query_rows
from tokumei.io.new_tables import write_tables
from tokumei.progress import listening

MANY = {"postgresql": 500_000, "sqlite": 500_000, "duckdb": 1_500_000}
MAKE = {
    "postgresql": f"CREATE TABLE large AS SELECT n, repeat('x', 400) AS t FROM generate_series(1, {MANY['postgresql']}) AS made(n)",
    "sqlite": f"CREATE TABLE large AS WITH RECURSIVE made(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM made WHERE n < {MANY['sqlite']}) SELECT n, '{'x' * 400}' AS t FROM made",
    "duckdb": f"CREATE TABLE large AS SELECT n, repeat('x', 400) AS t FROM range(1, {MANY['duckdb']} + 1) AS made(n)",
}
READ = """
import resource, sys
from pathlib import Path
from tokumei.io.databases import query_rows
rows = query_rows(sys.argv[1], "SELECT * FROM large", Path(), None)
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
before, total, size = peak(), 0, 0
for batch in rows.batches(rows.columns, 10_000):
    assert batch.rows.num_rows <= 10_000
    total += sum(batch.rows.column("n").to_pylist())
    size += batch.rows.nbytes >> 10
print(total, size >> 10, peak() - before)
"""


def kind(url: str) -> str:
    return url.split(":", maxsplit=1)[0]


def test_a_large_table_is_read_within_a_bounded_memory(database: str) -> None:
    do(database, MAKE[kind(database)])
    done = Program(READ, database).ended()
    assert done.returncode == 0, done.stderr
    total, size, grown = (int(each) for each in done.stdout.split())
    many = MANY[kind(database)]
    assert total == many * (many + 1) // 2  # every row, once
    assert size > many * 400 >> 20
    assert grown < size / 2


def rows_of(url: str) -> QueryRows:
    return query_rows(url, "SELECT * FROM changing", Path(), None)


def first_and_rest(url: str) -> tuple[Any, Iterator[Any]]:
    """Begin to read a table of the numbers up to 200,000."""
    put(url, "changing", pa.table({"n": range(200_000)}))
    batches = rows_of(url).batches(["n"], 1000)
    return next(batches).rows, batches


@pytest.mark.parametrize(
    "change", ["DELETE FROM changing", "UPDATE changing SET n = 0", "INSERT INTO changing SELECT n FROM changing"]
)
@pytest.mark.parametrize("where", ["postgresql", "sqlite"])
def test_a_table_that_changes_while_it_is_read(where: str, change: str, postgres: str, tmp_path: Path) -> None:
    """One statement in one transaction reads all rows, so they are those of one moment, whatever others do meanwhile."""
    url = postgres
    if where == "sqlite":
        url = f"sqlite:///{tmp_path / 'rows.db'}"
        sqlite3.connect(tmp_path / "rows.db").execute("PRAGMA journal_mode = WAL")
    first, rest = first_and_rest(url)
    do(url, change)
    read = pa.concat_tables([first, *(batch.rows for batch in rest)])
    assert read.column("n").to_pylist() == list(range(200_000))
    assert rows_of(url).about() != 200_000 or change.startswith("UPDATE")
    do(url, "DROP TABLE changing")


def test_a_table_that_nobody_may_change_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite without a write-ahead log, and DuckDB: whoever wants to write is refused, and the rows stay those of one moment."""
    from tokumei.io import databases

    monkeypatch.setattr(databases, "LOCK_WAIT", 100)
    for url in (f"sqlite:///{tmp_path / 'rows.db'}", f"duckdb:///{tmp_path / 'rows.duckdb'}"):
        first, rest = first_and_rest(url)
        refused = Program(CHANGE, url).ended()
        assert refused.returncode == 3, refused.stderr
        read = pa.concat_tables([first, *(batch.rows for batch in rest)])
        assert read.column("n").to_pylist() == list(range(200_000))


CHANGE = """
import sys
from pathlib import Path
from tokumei.io import databases
databases.LOCK_WAIT = 100
try:
    opened = databases.connect(sys.argv[1], Path(), new=True)
    opened.execute("DELETE FROM changing")
    opened.commit()
except Exception:
    sys.exit(3)
"""


def test_a_connection_that_breaks_while_rows_are_read(postgres: str) -> None:
    """Fewer rows than there are must never pass for all of them."""
    put(postgres, "changing", pa.table({"n": range(3_000_000)}))
    batches = rows_of(postgres).batches(["n"], 1000)
    next(batches)
    do(
        postgres,
        "DO $$ BEGIN PERFORM pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND usename = 'clerk'; END $$",
    )
    with pytest.raises(DataError, match="The rows cannot be read from the database"):
        for _ in batches:
            pass
    do(postgres, "DROP TABLE changing")


STOPPED = """
import os, signal, sys
from pathlib import Path
import pyarrow as pa
from tokumei.io.databases import NewTable
from tokumei.io.new_tables import write_tables
rows = pa.table({"a": list(range(100_000))})
def pieces():
    yield rows
    os.kill(os.getpid(), signal.SIGINT)
    for _ in range(10_000):
        yield rows
try:
    write_tables(sys.argv[1], Path(), [NewTable("old", rows.schema, pieces())], overwrite=True, mark="old", is_ours=lambda *_: True)
except KeyboardInterrupt:
    sys.exit(130)
"""


def test_ctrl_c_while_a_table_is_written_leaves_the_old_one(database: str) -> None:
    put(database, "old", pa.table({"a": [1, 2]}))
    done = Program(STOPPED, database).ended()
    assert done.returncode == 130, done.stderr
    assert held(database, "old") == {"a": [1, 2]}


SLOW = {
    "postgresql": "SELECT count(*) AS n FROM generate_series(1, 100000000000)",
    "sqlite": "WITH RECURSIVE made(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM made) SELECT count(*) AS n FROM made",
    "duckdb": "SELECT sum(hash(n)) AS n FROM range(100000000000000) AS made(n)",
}
WAITING = """
import os, signal, sys, threading, time
from pathlib import Path
from tokumei.io import databases
begun = databases.query_rows(sys.argv[1], "SELECT 1 AS n", Path(), None)
begun.query = sys.argv[2]
try:
    threading.Timer(.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    for batch in begun.batches(["n"], 1000):
        pass
except KeyboardInterrupt:
    os._exit(130)
"""


def test_ctrl_c_ends_a_query_that_would_run_for_ever(database: str) -> None:
    put(database, "old", pa.table({"a": [1]}))  # so that there is a file
    assert Program(WAITING, database, SLOW[kind(database)]).ended().returncode == 130


def test_a_command_that_is_stopped_while_it_writes_into_a_database(database: str, tmp_path: Path) -> None:
    put(database, "people", people(300))
    tokumei("init", "--database", database, "--table", "people", "--k", "5", cwd=tmp_path)
    plan = tmp_path / "plan.toml"
    text = plan.read_text("utf-8")
    plan.write_text(
        text.replace('path = "people-release"', f'database = "{database}"\ntable = "open"'), encoding="utf-8"
    )
    stopping = """
        import os, signal, tokumei.release.files as files
        plain = files.counted
        def counted(pieces, writing):
            for piece in plain(pieces, writing):
                yield piece
                os.kill(os.getpid(), signal.SIGINT)
                while True:
                    yield piece
        files.counted = counted
    """
    done = tokumei("anonymize", "plan.toml", cwd=tmp_path, code=130, before=stopping)
    assert done.stderr.strip().splitlines()[-1] == "tokumei: interrupted; nothing was left half-written."
    with pytest.raises(DataError, match="there is no such table"):
        held(database, "open")
    tokumei("anonymize", "plan.toml", cwd=tmp_path)
    assert tk.read_release(database, table="open").rows == 300


def test_work_that_is_cancelled_while_a_table_is_written(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the studio's Cancel does."""
    monkeypatch.setattr(progress, "PAUSE", 0.0)
    made(rows=4).write_table(database, "open", allow_seeded=True)
    more = made(rows=8)
    told: list[str] = []
    with (
        pytest.raises(Cancelled),
        listening(lambda share, note: told.append(note), lambda: any("Writing" in note for note in told)),
    ):
        more.write_table(database, "open", allow_seeded=True, overwrite=True)
    assert tk.read_release(database, table="open").rows == 4


def test_a_problem_of_ours_is_told_as_it_is(database: str) -> None:
    rows = pa.table({"a": [1]})

    def breaking() -> Iterator[pa.Table]:
        yield rows
        raise DataError("The table has no rows.")

    with pytest.raises(DataError, match="The table has no rows."):
        write_tables(
            database, Path(), [NewTable("new", rows.schema, breaking())], overwrite=False, mark="x", is_ours=bool
        )
    opened = connect(database, Path(), new=True)
    assert not opened.exists("new")
    opened.close()


def test_rows_done_are_told(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PAUSE", 0.0)
    put(database, "people", people(300))
    for engine in ("local", "stream"):
        told: list[tuple[float, str]] = []
        with listening(lambda share, note, told=told: told.append((share, note))):  # type: ignore[misc]
            tk.run(plan_from(database), engine, seed=1).write_table(database, engine, allow_seeded=True)
        reading = "Reading the rows" if engine == "local" else "Reading and checking every cell"
        assert (1.0, f"{reading}: 300 of 300 rows") in told
        assert (1.0, f"Writing {engine}: 300 of 300 rows") in told


LATE = """
import os, signal, time
from tokumei.io.interrupting import interruptibly
def work():
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(1)
    return 7
os._exit(interruptibly(work, None))
"""


def test_ctrl_c_comes_too_late_for_what_cannot_be_undone() -> None:
    assert Program(LATE).ended().returncode == 7
