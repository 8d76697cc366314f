"""Names that mean something else to a database, or nothing; tables of others; queries that would change something."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import tokumei as tk
from tests.io.databases.test_databases import put
from tokumei.errors import DataError, InvalidParameter, OutputError
from tokumei.io.databases import connect, read_table_of
from tokumei.plan import Output, Plan, Source


@cache
def made(columns: tuple[str, str] = ("age", "note"), rows: int = 4) -> tk.Release:
    first, second = columns
    schema = tk.Schema(
        [tk.Attribute(first, "quasi_identifier", tk.Numbers(0, 9, step=1)), tk.Attribute(second, "insensitive")]
    )
    table = pa.table({first: [place % 10 for place in range(rows)], second: ["x", "y"] * (rows // 2)})
    return tk.anonymize(table, schema, tk.PkPerturbation(k=2, tells="all"), seed=1)


def held(url: str, table: str) -> Any:
    return read_table_of(url, Path(), table, 1000).to_pydict()


def do(url: str, *statements: str) -> None:
    opened = connect(url, Path(), new=True)
    for each in statements:
        opened.execute(each)
    opened.commit()
    opened.close()


ODD = [
    'x"; DROP TABLE victim; --', "x'; DROP TABLE victim; --", "x\\'; DROP TABLE victim; --", "select", "with\nline", "$$ %s ? -- /*",
    "tokumei_rows", "tokumei_query", "é", "e\u0301", "x" * 54,
]  # fmt: skip


def test_odd_names_are_names_and_nothing_else(database: str) -> None:
    """Every one is written, read, replaced, and leaves all others as they were."""
    put(database, "victim", pa.table({"v": [1]}))
    for name in ODD:
        made().write_table(database, name, allow_seeded=True)
    for name in ODD[:3]:
        made(rows=6).write_table(database, name, allow_seeded=True, overwrite=True)
    assert [tk.read_release(database, table=name).rows for name in ODD] == [6] * 3 + [4] * (len(ODD) - 3)
    assert held(database, "victim") == {"v": [1]}


@pytest.mark.parametrize("name", ["", ".", "a.", ".a", "a.b.c", "nul\0byte", "\ud800"])
def test_what_is_no_name(tmp_path: Path, name: str) -> None:
    for kind in ("sqlite", "duckdb"):
        url = f"{kind}:///{tmp_path / kind}"
        for ask in (
            lambda url=url: made().write_table(url, name, allow_seeded=True),
            lambda url=url: tk.read_release(url, table=name),
            lambda url=url: Source(database=url, table=name),
            lambda url=url: Output(database=url, table=name),
        ):
            with pytest.raises(InvalidParameter, match="cannot be the name of a table"):
                ask()
    assert list(tmp_path.iterdir()) == []


def test_tables_of_others_are_not_overwritten(database: str) -> None:
    """Anybody may call two tables orders and orders_manifest; what is ours is told from what it holds."""
    release = made()
    release.write_table(database, "open", allow_seeded=True)
    manifest = held(database, "open_manifest")
    cases: list[tuple[dict[str, list[Any]], dict[str, list[Any]]]] = [
        ({"v": [1]}, {"ship": ["x"]}),
        ({"v": [1]}, {"manifest": ["a list of goods"]}),
        ({"v": [1]}, {"manifest": ['{"declared": 3}']}),
        ({"v": [1]}, {"manifest": ['{"declared": ["tokumei"], "data": {"types": {"v": "int64"}}} {']}),
        ({"v": [1]}, manifest),  # our manifest beside somebody's table
        ({"age": [1], "note": ["x"]}, {"manifest": manifest["manifest"] * 2}),
        ({"age": [1], "note": ["x"], "more": [1]}, manifest),
    ]
    for place, (rows, told) in enumerate(cases):
        name = f"orders{place}"
        put(database, name, pa.table(rows))
        put(database, f"{name}_manifest", pa.table(told))
        with pytest.raises(OutputError, match="is not a release, so it is not overwritten"):
            release.write_table(database, name, allow_seeded=True, overwrite=True)
        assert held(database, name) == rows
        assert held(database, f"{name}_manifest") == told
    put(database, "lone", pa.table({"v": [1]}))
    with pytest.raises(OutputError, match="is not a release"):
        release.write_table(database, "lone", allow_seeded=True, overwrite=True)
    put(database, "half_manifest", pa.table(manifest))  # of a release whose rows are gone
    release.write_table(database, "half", allow_seeded=True, overwrite=True)
    assert tk.read_release(database, table="half").rows == 4


def test_names_that_a_database_would_cut_off(postgres: str) -> None:
    """PostgreSQL takes 63 bytes and drops the rest without a word: two tables, or a table and its manifest, would be one."""
    long = "y" * 63
    put(postgres, long, pa.table({"v": [1]}))
    for name in (long, "y" * 62 + "é", "z" * 55, "é" * 28):
        for overwrite in (False, True):
            with pytest.raises(OutputError, match="longer than the 63 bytes that the database allows"):
                made().write_table(postgres, name, allow_seeded=True, overwrite=overwrite)
    assert held(postgres, long) == {"v": [1]}
    for columns in (("x" * 64, "y"), ("x" * 63 + "1", "x" * 63 + "2"), ("é" * 32, "y")):
        with pytest.raises(OutputError, match="longer than the 63 bytes"):
            made(columns).write_table(postgres, "short", allow_seeded=True)
    made(("x" * 63, "y")).write_table(postgres, "z" * 54, allow_seeded=True)
    assert tk.read_release(postgres, table="z" * 54).rows == 4
    do(postgres, f'DROP TABLE "{long}"')


@pytest.mark.parametrize(
    "columns",
    [
        ("Age", "age"),
        ("nul\0a", "b"),
        ('q"q', "q'q"),
        ("select", "from"),
        ("rowid", "_rowid_"),
        ("oid", "ctid"),
        ("a", "a "),
    ],
)
def test_columns_come_back_under_their_names_or_nothing_is_written(database: str, columns: tuple[str, str]) -> None:
    try:
        made(columns).write_table(database, "open", allow_seeded=True)
    except OutputError as error:
        assert "\n" not in str(error)
        assert any(words in str(error) for words in ("rename", "two columns would have", "refused"))
        with pytest.raises(DataError, match="no such table"):
            tk.read_release(database, table="open")
        assert columns in {("Age", "age"), ("nul\0a", "b"), ("oid", "ctid")}
    else:
        back = tk.read_release(database, frame="pyarrow", table="open").table
        assert sorted(back.column_names) == sorted(columns)


def test_schemas_are_told_apart(postgres: str, tmp_path: Path) -> None:
    for url in (postgres, f"duckdb:///{tmp_path / 'rows.duckdb'}"):
        do(url, 'CREATE SCHEMA "one"', 'CREATE SCHEMA "Two"')
        put(url, "one.people", pa.table({"v": [1]}))
        put(url, "one.people_manifest", pa.table({"v": [1]}))
        made().write_table(url, "Two.people", allow_seeded=True)
        made(rows=6).write_table(url, "Two.people", allow_seeded=True, overwrite=True)
        made(rows=8).write_table(url, "people", allow_seeded=True)
        assert held(url, "one.people") == {"v": [1]}
        assert tk.read_release(url, table="Two.people").rows == 6
        assert tk.read_release(url, table="people").rows == 8
        with pytest.raises(OutputError, match="no such schema|no such table"):
            made().write_table(url, "nowhere.people", allow_seeded=True)
        do(
            url,
            'DROP TABLE "people"',
            'DROP TABLE "people_manifest"',
            'DROP SCHEMA "one" CASCADE',
            'DROP SCHEMA "Two" CASCADE',
        )
    with pytest.raises(OutputError, match="SQLite has no schemas"):
        made().write_table(f"sqlite:///{tmp_path / 'x.db'}", "one.people", allow_seeded=True)


def test_names_that_differ_in_capitals_only(database: str) -> None:
    """PostgreSQL tells them apart; the others do not, and say that the table is there."""
    made().write_table(database, "Open", allow_seeded=True)
    if database.startswith("postgresql"):
        made(rows=6).write_table(database, "open", allow_seeded=True)
        assert tk.read_release(database, table="Open").rows == 4
        return
    with pytest.raises(OutputError, match="'open' already exists"):
        made(rows=6).write_table(database, "open", allow_seeded=True)
    made(rows=6).write_table(database, "OPEN", allow_seeded=True, overwrite=True)
    assert tk.read_release(database, table="open").rows == 6


QUERIES = [
    "SELECT 1 AS v) AS x; DROP TABLE victim; SELECT * FROM (SELECT 1 AS v",
    "DELETE FROM victim RETURNING v",
    "WITH d AS (DELETE FROM victim RETURNING v) SELECT * FROM d",
    "SELECT v FROM victim) AS x; DELETE FROM victim; --",
]


@pytest.mark.parametrize("query", QUERIES)
def test_reading_changes_nothing(database: str, query: str) -> None:
    put(database, "victim", pa.table({"v": [1, 2]}))
    plan = Plan(
        Source(database=database, query=query), tk.Schema([tk.Attribute("v", "insensitive")]), tk.Sampling(1, known=1)
    )
    for engine in ("local", "stream"):
        try:
            tk.run(plan, engine)
        except DataError as error:
            assert "\n" not in str(error)
        assert held(database, "victim") == {"v": [1, 2]}


def test_a_query_that_writes_by_a_function(postgres: str) -> None:
    put(postgres, "victim", pa.table({"v": [1, 2]}))
    do(postgres, "CREATE FUNCTION erase() RETURNS integer LANGUAGE sql AS 'DELETE FROM victim RETURNING 1'")
    plan = Plan(
        Source(database=postgres, query="SELECT erase() AS v"),
        tk.Schema([tk.Attribute("v", "insensitive")]),
        tk.Sampling(1, known=1),
    )
    with pytest.raises(DataError, match="must not change anything|not have permission"):
        tk.run(plan)
    assert held(postgres, "victim") == {"v": [1, 2]}
    do(postgres, "DROP FUNCTION erase", "DROP TABLE victim")


def test_a_query_that_ends_in_a_comment(database: str) -> None:
    put(database, "people", pa.table({"v": [1, 2]}))
    query = "SELECT v FROM people -- all of them"
    plan = Plan(
        Source(database=database, query=query), tk.Schema([tk.Attribute("v", "insensitive")]), tk.Sampling(1, known=1)
    )
    assert tk.run(plan, "stream").rows == 1


def test_what_one_may_not_do(postgres: str) -> None:
    """Somebody who may only read, and a table that a view needs: a sentence, and everything as it was."""
    made().write_table(postgres, "open", allow_seeded=True)
    do(postgres, "CREATE ROLE reader LOGIN", "GRANT USAGE ON SCHEMA public TO reader", "GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader",
       "REVOKE CREATE ON SCHEMA public FROM PUBLIC")  # fmt: skip
    reader = postgres.replace("clerk@", "reader@")
    assert tk.read_release(reader, table="open").rows == 4
    for name in ("open", "mine"):
        with pytest.raises(OutputError, match="you do not have permission to do that"):
            made(rows=6).write_table(reader, name, allow_seeded=True, overwrite=True)
    do(postgres, 'CREATE VIEW seen AS SELECT * FROM "open"')
    with pytest.raises(OutputError, match="something else in the database depends on it"):
        made(rows=6).write_table(postgres, "open", allow_seeded=True, overwrite=True)
    with pytest.raises(OutputError, match="'seen' already exists"):
        made(rows=6).write_table(postgres, "seen", allow_seeded=True)
    assert tk.read_release(postgres, table="open").rows == 4
    do(postgres, "DROP VIEW seen", 'DROP TABLE "open"', "DROP TABLE open_manifest", "DROP OWNED BY reader", "DROP ROLE reader",
       "GRANT CREATE ON SCHEMA public TO PUBLIC")  # fmt: skip


def test_nothing_temporary_stays(database: str) -> None:
    made().write_table(database, "open", allow_seeded=True)
    kinds = {
        "postgresql": "SELECT relname AS name FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema'",
        "sqlite": "SELECT name FROM sqlite_master UNION ALL SELECT name FROM sqlite_temp_master",
        "duckdb": "SELECT table_name AS name FROM information_schema.tables",
    }  # fmt: skip
    opened = connect(database, Path())
    found = opened.rows(kinds[database.split(":", maxsplit=1)[0]]).read_all().column("name").to_pylist()
    opened.close()
    assert sorted(found) == ["open", "open_manifest"]
