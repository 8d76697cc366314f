"""The list of a database's tables, from which one is picked."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from tests.command_line import in_one_line, tokumei
from tests.io.databases.test_databases import put
from tests.io.databases.test_names import ODD, do
from tokumei.errors import DataError, InvalidParameter
from tokumei.io.listing import list_tables
from tokumei.plan import Source
from tokumei.runner import read_rows

ROWS = pa.table({"a": [1, 2, 3]})


def test_every_table_in_the_list_is_read_under_its_name(database: str) -> None:
    for name in ODD:
        put(database, name, ROWS)
    do(database, 'CREATE VIEW seen AS SELECT * FROM "select"')
    found = list_tables(database)
    assert found == tuple(sorted([*ODD, "seen"]))
    for name in found:
        assert read_rows(Source(database=database, table=name), None).column("a").to_pylist() == [1, 2, 3]


def test_what_is_left_out(database: str) -> None:
    """Nothing is listed that a plan could not name, or that belongs to the system."""
    put(database, "people", ROWS)
    do(database, 'CREATE TABLE "census.people" (a INTEGER)')
    if not database.startswith("sqlite"):
        do(
            database,
            "CREATE SCHEMA census",
            'CREATE SCHEMA "a.b"',
            "CREATE TABLE census.people (a INTEGER)",
            'CREATE TABLE "a.b".c (a INTEGER)',
        )
    assert list_tables(database) == (("people",) if database.startswith("sqlite") else ("census.people", "people"))
    if database.startswith("postgresql"):
        do(database, "DROP SCHEMA census CASCADE", 'DROP SCHEMA "a.b" CASCADE')


def test_a_list_has_only_what_one_may_read(postgres: str) -> None:
    do(postgres, "CREATE TABLE mine (a INTEGER)", "CREATE TABLE shown (a INTEGER) PARTITION BY RANGE (a)",
       "CREATE TABLE part PARTITION OF shown FOR VALUES FROM (0) TO (9)", "CREATE ROLE guest LOGIN", "GRANT SELECT ON shown TO guest", "GRANT USAGE ON SCHEMA public TO guest")  # fmt: skip
    assert list_tables(postgres.replace("clerk@", "guest@")) == ("shown",)
    assert {"mine", "shown"} <= set(list_tables(postgres))
    assert "part" not in list_tables(postgres)
    do(postgres, "DROP TABLE mine", "DROP TABLE shown", "DROP OWNED BY guest", "DROP ROLE guest")


def test_a_list_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("no database " * 99, encoding="utf-8")
    for url, kind, message in (
        (f"sqlite:///{tmp_path / 'none.db'}", DataError, "does not exist"),
        (f"sqlite:///{tmp_path / 'text.db'}", DataError, "it is not a database of that kind"),
        (f"duckdb:///{tmp_path / 'text.db'}", DataError, "it is not a database of that kind"),
        ("postgresql:///x?host=/nowhere", DataError, "cannot be listed"),
        ("postgresql://a:geheim@b/c", InvalidParameter, "must not contain a password"),
    ):
        with pytest.raises(kind, match=message) as caught:
            list_tables(url)
        assert "geheim" not in str(caught.value)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["text.db"]


def test_the_command_line_names_the_tables(database: str, tmp_path: Path) -> None:
    asked = ("init", "--database", database)
    if not database.startswith("postgresql"):
        put(database, "people", ROWS)
        do(database, "DROP TABLE people")
    assert "It has none that you may read." in in_one_line(tokumei(*asked, cwd=tmp_path, code=1).stderr)
    put(database, "people", ROWS)
    put(database, "\x1b[31mred", ROWS)
    told = in_one_line(tokumei(*asked, cwd=tmp_path, code=1).stderr)
    assert "init needs a table of the database (--table)." in told
    assert "'people'" in told
    assert "\x1b" not in told
    japanese = tokumei(*asked, cwd=tmp_path, code=1, env={"TOKUMEI_LANGUAGE": "ja"}).stderr
    assert "次の表があります" in japanese
    do(database, *(f"CREATE TABLE many_{number} (a INTEGER)" for number in range(20)))
    assert "It has 22, such as" in in_one_line(tokumei(*asked, cwd=tmp_path, code=1).stderr)
