"""Rows from databases and releases into them: PostgreSQL, SQLite and DuckDB, each for real."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import tokumei as tk
from tests.command_line import Program, gate_for, in_one_line, tokumei
from tests.engines.stream.rows import SCHEMA, as_multiset, people
from tokumei.errors import DataError, InvalidParameter, OutputError, PlanError, ReleaseError
from tokumei.io import databases
from tokumei.io.databases import NewTable, connect, read_table_of
from tokumei.io.new_tables import write_tables
from tokumei.plan import Output, Plan, Source
from tokumei.progress import listening


def put(url: str, name: str, table: pa.Table) -> None:
    """Write a table into a database, as somebody else would."""
    opened = connect(url, Path(), new=True)
    opened.create(NewTable(name, table.schema, iter([table])))
    opened.commit()
    opened.close()


def plan_from(url: str, method: Any = None, output: Output | None = None, **source: Any) -> Plan:
    given = Source(database=url, **(source or {"table": "people"}))
    return Plan(given, SCHEMA, method or tk.PkPerturbation(k=5, tells="all"), (), output or Output(), Path())


def tables_of(url: str) -> int:
    opened = connect(url, Path(), new=True)
    count = sum(opened.exists(name) for name in ("open", "open_manifest"))
    opened.close()
    return count


@pytest.mark.parametrize("engine", ["local", "stream"])
def test_there_and_back(database: str, engine: str) -> None:
    table = people(1000)
    put(database, "people", table)
    plan = plan_from(database, output=Output(database=database, table="open"))
    release = tk.run(plan, engine=engine, seed=3)
    expected = tk.anonymize(table, SCHEMA, tk.PkPerturbation(k=5, tells="all"), seed=3)
    assert release.guarantees == expected.guarantees
    assert plan.write(release, allow_seeded=True) == "open"
    back = tk.read_release(database, frame="pyarrow", table="open")
    assert back.guarantees == release.guarantees
    assert back.types == release.types
    assert as_multiset(back.table) == as_multiset(release.table)
    kept = ["ill", "pay", "note"]
    assert as_multiset(back.table.select(kept)) == as_multiset(table.select(kept))


def test_a_query_gives_the_rows(database: str) -> None:
    put(database, "people", people(1000))
    query = "SELECT * FROM people WHERE age < 40 ;"
    release = tk.run(plan_from(database, query=query), engine="stream", seed=1)
    young = sum(age < 40 for age in people(1000).column("age").to_pylist())
    assert release.rows == young


def test_a_plan_is_drafted_from_a_table_and_run(database: str, tmp_path: Path) -> None:
    put(database, "people", people(300))
    told = tokumei("init", "--database", database, "--table", "people", "--k", "5", cwd=tmp_path)
    assert "300 rows and 7 columns" in told.stdout
    drafted = Plan.read(tmp_path / "plan.toml")
    assert (drafted.source.database, drafted.source.table, drafted.output.path) == (
        database,
        "people",
        "people-release",
    )
    assert drafted.schema.names("identifier") == ("name",)
    shares: list[float] = []
    with listening(lambda share, note: shares.append(share)):
        assert tk.run(drafted, "stream").rows == 300
    assert 1.0 in shares  # of rows that were counted before they were read
    for given in (["people.csv", "--database", database, "--table", "people"], []):
        refused = tokumei("init", *given, "--output", "other.toml", cwd=tmp_path, code=1)
        assert "a file, or a database and its table" in in_one_line(refused.stderr)


def test_types_and_missing_cells_are_kept(database: str) -> None:
    table = pa.table(
        {
            "small": pa.array([1, None, 3], pa.int16()),
            "big": pa.array([2**40, None, -5]),
            "share": pa.array([0.25, None, 1e-9]),
            "text": ["ł", None, "大"],
            "yes": pa.array([True, None, False]),
            "day": pa.array([dt.date(2020, 2, 29), None, dt.date(1901, 1, 1)]),
            "at": pa.array([dt.datetime(2020, 2, 29, 1, 2, 3), None, dt.datetime(1999, 1, 1)]),
        }
    )
    columns = [tk.Attribute(name, "insensitive", missing=True) for name in table.column_names]
    age = tk.Attribute("age", "quasi_identifier", tk.Numbers(0, 9, step=1))
    release = tk.anonymize(
        table.append_column("age", pa.array([1, 2, 3])),
        tk.Schema([*columns, age]),
        tk.PkPerturbation(k=2, tells="all"),
        seed=1,
    )
    release.write_table(database, "typed", allow_seeded=True)
    back = tk.read_release(database, frame="pyarrow", table="typed")
    assert back.types == release.types
    assert back.table.equals(release.table)


def test_nothing_is_overwritten_unless_asked(database: str) -> None:
    put(database, "people", people(200))
    release = tk.run(plan_from(database), seed=1)
    release.write_table(database, "open", allow_seeded=True)
    with pytest.raises(OutputError, match="'open' already exists"):
        release.write_table(database, "open", allow_seeded=True)
    with pytest.raises(OutputError, match="'people' is not a release"):
        release.write_table(database, "people", allow_seeded=True, overwrite=True)
    assert read_table_of(database, Path(), "people", 1000).num_rows == 200
    smaller = tk.run(plan_from(database, tk.Sampling(50, known=2)), seed=1)
    smaller.write_table(database, "open", allow_seeded=True, overwrite=True)
    assert tk.read_release(database, table="open").rows == 50
    with pytest.raises(OutputError, match="drawn with a seed"):
        release.write_table(database, "other")


def test_a_failure_in_the_middle_leaves_nothing(database: str) -> None:
    put(database, "people", people(200))
    release = tk.run(plan_from(database), seed=1)
    release.write_table(database, "open", allow_seeded=True)

    def breaking() -> Any:
        yield release.table
        raise OSError(28, "No space left on device")

    tables = [
        NewTable("open", release.types, breaking()),
        NewTable("open_manifest", release.types, iter([release.table])),
    ]
    with pytest.raises(OutputError, match="none was left behind"):
        write_tables(database, Path(), tables, overwrite=True, mark="open_manifest", is_ours=lambda *_: True)
    assert tk.read_release(database, table="open").rows == 200  # the old one is still there


KILLED = """
import os, sys, signal, pyarrow as pa
from pathlib import Path
from tokumei.io.databases import NewTable
from tokumei.io.new_tables import write_tables
rows = pa.table({"a": list(range(100_000))})
def pieces():
    yield rows
    yield rows
    os.kill(os.getpid(), signal.SIGKILL)
write_tables(sys.argv[1], Path(), [NewTable("open", rows.schema, pieces())], overwrite=False, mark="open_manifest", is_ours=bool)
"""


def test_a_kill_in_the_middle_leaves_nothing(database: str) -> None:
    done = Program(KILLED, database).ended()
    assert done.returncode == -9, done.stderr
    assert tables_of(database) == 0
    put(database, "open", pa.table({"a": [1]}))  # and a second run succeeds
    assert read_table_of(database, Path(), "open", 10).num_rows == 1


def test_a_locked_table(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(databases, "LOCK_WAIT", 200)
    put(database, "people", people(100))
    release = tk.run(plan_from(database), seed=1)
    release.write_table(database, "open", allow_seeded=True)
    gate = gate_for(2)
    holder = Program(HOLD, database, gate=gate)
    gate.wait()  # it holds the lock
    try:
        with pytest.raises(OutputError, match="locked by another user; try again later") as caught:
            release.write_table(database, "open", allow_seeded=True, overwrite=True)
        assert "\n" not in str(caught.value)
    finally:
        gate.wait()
        assert holder.ended().returncode == 0
    release.write_table(database, "open", allow_seeded=True, overwrite=True)


HOLD = """
import sys
from pathlib import Path
from tokumei.io.databases import connect
database = connect(sys.argv[1], Path(), new=True)
if sys.argv[1].startswith("postgresql"):
    database.execute('LOCK TABLE "open" IN ACCESS EXCLUSIVE MODE')
else:
    database.execute("CREATE TABLE held (a INTEGER)")
gate.wait()
gate.wait()
database.close()
"""


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://clerk:geheim@server/census",
        "postgresql:///census?password=geheim",
        "postgres://server/census?user=a&sslpassword=geheim",
    ],
)
def test_a_password_in_a_plan_is_refused(url: str) -> None:
    text = f'[source]\ndatabase = "{url}"\ntable = "people"\n[schema."a"]\nrole = "insensitive"\n[method]\nmethod = "sampling"\nsample = 1\nknown = 1\n'
    with pytest.raises(PlanError, match="must not contain a password; use PGPASSWORD") as caught:
        Plan.from_toml(text)
    assert "geheim" not in str(caught.value)
    with pytest.raises(InvalidParameter) as again:
        Output(database=url, table="x")
    assert "geheim" not in str(again.value)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "needs a path or a database"),
        ({"path": "a", "database": "sqlite:///b", "table": "c"}, "needs a path or a database"),
        ({"path": "a", "table": "c"}, "needs a database"),
        ({"database": "sqlite:///b"}, "needs a table or a query"),
        ({"database": "mysql:///b", "table": "c"}, "postgresql://…, sqlite:///file or duckdb:///file"),
    ],
)
def test_sources_that_cannot_be(given: dict[str, str], message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        Source(**given)


def test_what_is_not_there(database: str, tmp_path: Path) -> None:
    put(database, "people", people(50))
    with pytest.raises(DataError, match="there is no such table"):
        tk.run(plan_from(database, table="nobody"))
    with pytest.raises(DataError, match="there is no such column|not valid SQL|no such table|refused"):
        tk.run(plan_from(database, query="SELECT nothing FROM people"))
    with pytest.raises(DataError, match="does not exist"):
        tk.run(plan_from(f"sqlite:///{tmp_path / 'none.db'}"))
    assert not (tmp_path / "none.db").exists()
    with pytest.raises(DataError, match="cannot be reached|refused"):
        tk.run(plan_from("postgresql:///x?host=/nowhere"))
    with pytest.raises((ReleaseError, DataError)):
        tk.read_release(database, table="people")


def test_a_changed_manifest_is_noticed(database: str) -> None:
    put(database, "people", people(50))
    tk.run(plan_from(database), seed=1).write_table(database, "open", allow_seeded=True)
    opened = connect(database, Path(), new=True)
    opened.execute('DELETE FROM "open" WHERE age > 50')
    opened.commit()
    opened.close()
    with pytest.raises(ReleaseError, match="does not have the rows"):
        tk.read_release(database, table="open")


def test_names_in_any_script(database: str) -> None:
    table = pa.table({'年齢 "x"': [1, 2, 3, 4], "город": ["a", "b", "a", "b"]})
    schema = tk.Schema(
        [
            tk.Attribute('年齢 "x"', "quasi_identifier", tk.Numbers(0, 9, step=1)),
            tk.Attribute("город", "insensitive", tk.Categories(["a", "b"])),
        ]
    )
    put(database, "人々", table)
    plan = Plan(Source(database=database, table="人々"), schema, tk.PkPerturbation(k=2, tells="all"))
    release = tk.run(plan, engine="stream", seed=1)
    release.write_table(database, "公開", allow_seeded=True)
    assert tk.read_release(database, frame="pyarrow", table="公開").table.column_names == ['年齢 "x"', "город"]


def test_the_password_stays_with_the_client(postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGPASSWORD", "geheim")
    put(postgres, "secret_people", people(100))
    plan = Plan(Source(database=postgres, table="secret_people"), SCHEMA, tk.PkPerturbation(k=3, tells="all"))
    release = tk.run(plan)
    release.write(tmp_path / "out")
    text = (tmp_path / "out" / "manifest.json").read_text(encoding="utf-8")
    assert "geheim" not in text
    assert "postgresql" not in text
    opened = connect(postgres, tmp_path, new=True)
    opened.execute("DROP TABLE secret_people")
    opened.commit()
    opened.close()
