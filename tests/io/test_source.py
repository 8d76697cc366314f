from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

import tokumei as tk
from tokumei.errors import DataError, InvalidParameter
from tokumei.io.batches import Files, read_all
from tokumei.io.source import Dialect, read_table, read_to_draft, read_written

CSV = "code,n,day\n007,1,2020-01-01\n010,2,2020-01-02\n"


def test_text_labels_stay_text(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text(CSV, encoding="utf-8")
    schema = tk.Schema([tk.Attribute("code", domain=tk.Categories(["007", "010"]))])
    assert read_table(file, schema).column("code").to_pylist() == ["007", "010"]
    assert read_table(file).column("code").to_pylist() == [7, 10]


def test_other_shapes_of_the_same_file(tmp_path: Path) -> None:
    (tmp_path / "t.tsv").write_text(CSV.replace(",", "\t"), encoding="utf-8")
    (tmp_path / "s.csv").write_text(CSV.replace(",", ";"), encoding="utf-8")
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(CSV.encode()))
    (tmp_path / "latin.csv").write_bytes("name\nJosé\n".encode("latin-1"))
    plain = read_table(tmp_path / "t.tsv")
    assert read_table(tmp_path / "s.csv", delimiter=";").equals(plain)
    assert read_table(tmp_path / "t.csv.gz").equals(plain)
    assert read_table(tmp_path / "latin.csv", encoding="latin-1").column("name").to_pylist() == ["José"]
    pyarrow.parquet.write_table(plain, tmp_path / "t.parquet")
    assert read_table(tmp_path / "t.parquet").equals(plain)


def test_missing_is_what_the_plan_says(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('a,b\n?,x\n1,""\n,?\n', encoding="utf-8")
    table = read_table(tmp_path / "t.csv", missing=("", "?"))
    assert table.column("a").to_pylist() == [None, 1, None]
    assert table.column("b").to_pylist() == ["x", "", None]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t.csv", b"", "it is empty"),
        ("t.csv", b"a,b\nGrace Hopper,1,2\n", r"line 2 does not have as many fields as the first line \(3, not 2\)"),
        ("t.csv", b"a,b\nx,1\ny\n", r"line 3 does not have as many fields as the first line \(1, not 2\)"),
        ("t.csv", b"a,a\n1,2\n", "unique, and those of the columns 1, 2 are not"),
        ("t.csv", b"a,\n1,2\n", "a column has no name"),
        ("t.csv", b"a\nJos\xe9 Hopper\n", "not utf-8 text"),
        ("t.parquet", b"PAR1 Grace Hopper", "not a Parquet file"),
        ("t.csv.gz", b"not gzip", "cannot be read"),
        ("t.sav", b"x", "it is damaged, or not of the kind that its name says"),
        ("t.doc", b"x", "no known file extension"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=message) as caught:
        read_table(tmp_path / name)
    assert "Hopper" not in str(caught.value)
    assert name in str(caught.value)


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="does not exist"):
        read_table(tmp_path / "t.csv")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(DataError, match="cannot be read"):
        read_table(tmp_path / "folder.csv")


def test_a_wrong_encoding(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a\nx\n", encoding="utf-8")
    with pytest.raises(InvalidParameter, match="there is no encoding 'klingon'"):
        read_table(tmp_path / "t.csv", encoding="klingon")
    (tmp_path / "u.csv").write_text("a\nx\n", encoding="utf-16")
    with pytest.raises(DataError, match="looks like utf-16"):
        read_table(tmp_path / "u.csv")
    assert read_table(tmp_path / "u.csv", encoding="utf-16").column_names == ["a"]


def test_a_file_that_is_no_text_is_not_taken_for_text_of_another_encoding(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(b"PK\x03\x04\xff\xfe\x80\x00\x00ab\xff\n" * 40)
    with pytest.raises(DataError, match="damaged, or not of the kind that its name says"):
        read_table(tmp_path / "t.csv")
    (tmp_path / "u.csv").write_bytes("näme,b\nJürgen,1\n".encode("latin-1") * 40)
    with pytest.raises(DataError, match="looks like"):
        read_table(tmp_path / "u.csv")


def test_dates_that_are_none(tmp_path: Path) -> None:
    import datetime as dt

    (tmp_path / "t.csv").write_text("day\n2020-01-01\nGrace Hopper\n", encoding="utf-8")
    schema = tk.Schema([tk.Attribute("day", domain=tk.Dates(dt.date(2020, 1, 1), dt.date(2020, 1, 2)))])
    with pytest.raises(DataError, match="column 1.* holds cells that cannot be read") as caught:
        read_table(tmp_path / "t.csv", schema)
    assert "Hopper" not in str(caught.value)


def test_drafting_keeps_leading_zeros_and_finds_how_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("zip,age,word\n01234,30,NA\n99999,NA,yes\n,?,no\n", encoding="utf-8")
    table, missing = read_to_draft(tmp_path / "t.csv")
    assert missing == ("", "NA", "?")
    assert table.column("zip").to_pylist() == ["01234", "99999", None]
    assert table.column("age").to_pylist() == [30, None, None]
    assert table.column("word").to_pylist() == [None, "yes", "no"]
    table, missing = read_to_draft(tmp_path / "t.csv", missing=("",))
    assert table.column("age").to_pylist() == ["30", "NA", "?"]


@pytest.mark.parametrize("mark", [";", "\t", "|"])
def test_a_wrong_delimiter_is_noticed(tmp_path: Path, mark: str) -> None:
    (tmp_path / "t.csv").write_text(f"a{mark}b\n1{mark}2\n", encoding="utf-8")
    with pytest.raises(DataError, match="only one column; its delimiter looks like"):
        read_to_draft(tmp_path / "t.csv", delimiter=",")
    assert read_to_draft(tmp_path / "t.csv")[0].column_names == ["a", "b"]
    with pytest.raises(InvalidParameter, match="delimiter must be one character"):
        read_to_draft(tmp_path / "t.csv", delimiter=mark * 2)


@pytest.mark.parametrize(
    ("place", "message"),
    [("", "is a folder"), ("*.csv", "is a pattern"), ("sqlite:/people.db", "this is a database")],
)
def test_what_is_not_one_file_says_what_to_do(tmp_path: Path, place: str, message: str) -> None:
    given = Path(place) if place.startswith("sqlite") else tmp_path / place
    with pytest.raises(DataError, match=rf"{message}.*plan"):
        read_to_draft(given)


def test_decimal_commas_do_not_hide_a_wrong_delimiter(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a;b\n1;2,5\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"line 2 does not have as many fields .* delimiter another one\? Give it"):
        read_table(tmp_path / "t.csv")
    assert read_to_draft(tmp_path / "t.csv")[0].to_pylist() == [{"a": 1, "b": 2.5}]


def test_empty_lines_of_a_single_column_are_absent_cells(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a\n1\n\n3\n", encoding="utf-8")
    assert read_table(tmp_path / "t.csv").column("a").to_pylist() == [1, None, 3]
    (tmp_path / "u.csv").write_text("a,b\n1,2\n\n3,4\n\n", encoding="utf-8")
    assert read_table(tmp_path / "u.csv").num_rows == 2


def test_decimal_commas_and_other_dates(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text("a;b;c;born\n1,5;x;-;01.12.2001\n-2,25;y;3,5;2002-01-31\n", encoding="utf-8")
    table, missing = read_to_draft(file, decimal=",", dates="%d.%m.%Y")
    assert missing == ("", "-")
    assert table.column("a").to_pylist() == [1.5, -2.25]
    assert table.column("c").to_pylist() == [None, 3.5]
    assert [each.isoformat()[:10] for each in table.column("born").to_pylist()] == ["2001-12-01", "2002-01-31"]
    dialect = Dialect(";", ("", "-"), "utf-8", ",", "%d.%m.%Y")
    (tmp_path / "quoted.csv").write_text('a,b\n"1,5",x\n', encoding="utf-8")
    assert read_table(tmp_path / "quoted.csv", decimal=",").column("a").to_pylist() == [1.5]
    assert read_all(Files([file], None, dialect)).equals(read_written(file, None, dialect))  # in pieces too


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"decimal": ";"}, "decimal must be '.' or ','"),
        ({"dates": "%Y"}, "where day, month and year are"),
    ],
)
def test_ways_of_writing_that_cannot_be(wrong: Any, message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        Dialect(**wrong)


@pytest.mark.parametrize("kind", ["cut off", "damaged", "not packed"])
def test_a_packed_file_that_is_damaged_is_refused_in_our_own_words(tmp_path: Path, kind: str) -> None:
    packed = bytearray(gzip.compress(b"age,town\n" + b"".join(b"%d,%d\n" % (row, row**3) for row in range(2000))))
    if kind == "damaged":
        packed[500:520] = bytes(20)
    file = tmp_path / "people.csv.gz"
    file.write_bytes(packed[:3000] if kind == "cut off" else b"age,town\n1,2\n" if kind == "not packed" else packed)
    said = r"^\S+people\.csv\.gz cannot be read: it is damaged or cut off, or not packed as its name says; copy it again, or pack it again\.$"
    for read in (read_to_draft, read_table, lambda path: read_all(Files([path]))):
        with pytest.raises(DataError, match=said):
            read(file)
