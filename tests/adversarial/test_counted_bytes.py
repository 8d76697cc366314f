"""Files that say little of what they hold: what is made of them is counted while it is made, whatever their headers claim.

Every file is read in a process with little memory, where a reader that believed the file would be told that there is none.
"""

from __future__ import annotations

import io
import json
import sqlite3
import struct
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

import tokumei as tk
from benchmarks.fuzz_targets import people, schema
from tests.adversarial.memory import within
from tests.release.forging import rewrite
from tokumei import bounds
from tokumei.errors import DataError, InvalidParameter, PlanError, ReleaseError
from tokumei.io.batches import Files, read_all
from tokumei.io.parquet import ParquetCells, check_cells
from tokumei.io.source import read_table, read_to_draft

linux = pytest.mark.skipif(sys.platform != "linux", reason="memory is bounded by a means of Linux")
LONG = 1_000_000  # bytes of a text that stands once


# Parquet.


def parquet(path: Path, column: Any, **options: Any) -> Path:
    options = {"compression": "zstd", "dictionary_pagesize_limit": 2**30, "data_page_size": 2**30, **options}
    pyarrow.parquet.write_table(pa.table({"a": column}), path, **options)
    return path


def one_text(path: Path, rows: int = 3_000) -> Path:
    """One long text in a dictionary, and that all rows have it."""
    numbers = pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), pa.array(["x" * LONG]))
    return parquet(path, numbers, store_schema=False)


def one_text_kept_a_dictionary(path: Path) -> Path:
    numbers = pa.DictionaryArray.from_arrays(pa.array([0] * 3_000, pa.int32()), pa.array(["x" * LONG]))
    return parquet(path, numbers)


def one_beginning(path: Path) -> Path:
    """A long text, and that each of the others begins with all of it."""
    return parquet(path, pa.array(["x" * LONG] * 300), use_dictionary=False, column_encoding={"a": "DELTA_BYTE_ARRAY"})


def forged_footer(path: Path) -> Path:
    """Zeros that unpack far, and a footer that says they do not."""
    held = parquet(path, pa.array(["\0" * LONG] * 300), use_dictionary=False).read_bytes()
    length = struct.unpack("<I", held[-8:-4])[0]
    body, footer = held[: -8 - length], held[-8 - length : -8]
    chunk = pyarrow.parquet.read_metadata(path).row_group(0)
    for size in {chunk.total_byte_size, chunk.column(0).total_uncompressed_size}:
        written = varint(2 * size)
        assert written in footer
        footer = footer.replace(written, varint(2 * 100, len(written)))
    path.write_bytes(body + footer + struct.pack("<I", len(footer)) + b"PAR1")
    assert pyarrow.parquet.read_metadata(path).row_group(0).total_byte_size == 100
    return path


def varint(number: int, length: int = 1) -> bytes:
    """Write a number in groups of seven bits, with zeros behind it up to some length."""
    made = bytearray()
    while number >= 128 or len(made) < length - 1:
        made.append(number % 128 + 128)
        number //= 128
    return bytes([*made, number])


BOMBS = {
    "a text that all rows share": one_text,
    "a beginning that all texts share": one_beginning,
    "a footer that says little": forged_footer,
}


@linux
@pytest.mark.parametrize("name", BOMBS)
def test_parquet_files_of_a_few_bytes(name: str, tmp_path: Path) -> None:
    path = BOMBS[name](tmp_path / "t.parquet")
    assert path.stat().st_size < 100_000
    columns = "tk.Schema([tk.Attribute('a', 'insensitive')])"
    whole = f"read_table(Path({str(path)!r}))"
    pieces = f"list(Files([Path({str(path)!r})], {columns}).batches(['a'], 65536))"
    assert all(" unpacks to more than " in said for said in within(256, whole, pieces))


def test_a_dictionary_is_counted_as_the_cells_that_it_stands_for(tmp_path: Path) -> None:
    path = one_text_kept_a_dictionary(tmp_path / "t.parquet")
    with pytest.raises(
        DataError, match="unpacks to more than 512 MiB and 100 times its size; leave out its long texts"
    ):
        read_table(path)


def test_declared_labels_stay_numbers_in_pieces(tmp_path: Path) -> None:
    path = one_text(tmp_path / "t.parquet")
    columns = tk.Schema([tk.Attribute("a", domain=tk.Categories(["x" * LONG]))])
    (only,) = list(Files([path], columns).batches(["a"], 65536))
    assert only.rows.num_rows == 3_000
    assert only.rows.nbytes < 2 * LONG


def test_nested_texts_that_all_rows_share(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.parquet"
    parquet(path, pa.array([["x" * 20_000] * 100] * 2))
    assert read_table(path).nbytes < 100_000, "they stay a dictionary"
    parquet(
        path,
        pa.array([["x" * LONG] * 100]),
        use_dictionary=False,
        column_encoding={"a.list.element": "DELTA_BYTE_ARRAY"},
    )
    monkeypatch.setattr(bounds, "UNPACKED", 2**26)
    with pytest.raises(DataError, match="leave out the column 'a'"):
        read_table(path)


TYPES = {
    "text": pa.array(["a", None, "", "ü", "a"] * 1000),
    "long text": pa.array(["a", None, "b"] * 1000, pa.large_string()),
    "bytes": pa.array([b"a", None] * 1000),
    "all missing": pa.array([None] * 1000, pa.string()),
    "different texts": pa.array([f"text {row}" for row in range(5000)]),
    "a dictionary": pa.array(["x", None, "y"] * 1000).dictionary_encode(),
    "whole numbers": pa.array([1, None, 3] * 1000),
    "numbers": pa.array([1.5, -0.0, None] * 1000),
    "booleans": pa.array([True, None] * 1000),
    "decimals": pa.array([1, None]).cast(pa.decimal128(25, 2)),
    "days": pa.array([1, None] * 1000).cast(pa.timestamp("us")),
    "nested": pa.array([[1, 2], None, []] * 10),
    "no rows": pa.array([], pa.string()),
}
WAYS: dict[str, dict[str, Any]] = {
    "as usual": {},
    "plain": {"use_dictionary": False},
    "small groups of rows": {"row_group_size": 7, "data_page_size": 64, "dictionary_pagesize_limit": 64},
    "second format of pages": {"data_page_version": "2.0"},
    "no types": {"store_schema": False},
    "packed by gzip": {"compression": "gzip"},
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", TYPES)
def test_honest_parquet_files_are_read_as_arrow_reads_them(name: str, way: str, tmp_path: Path) -> None:
    path = parquet(tmp_path / "t.parquet", TYPES[name], **{"data_page_size": 2**12, **WAYS[way]})
    expected = pyarrow.parquet.ParquetFile(path).read().replace_schema_metadata(None)
    found = read_table(path)
    if name == "nested":
        assert found.to_pylist() == expected.to_pylist()
    else:
        assert found.equals(expected)


@pytest.mark.parametrize("encoding", ["DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY", "PLAIN"])
def test_every_way_to_write_texts(encoding: str, tmp_path: Path) -> None:
    texts = pa.array([f"text {row % 7}" for row in range(1000)])
    path = parquet(tmp_path / "t.parquet", texts, use_dictionary=False, column_encoding={"a": encoding})
    assert read_table(path).column("a").to_pylist() == texts.to_pylist()
    columns = tk.Schema([tk.Attribute("a", domain=tk.Categories([f"text {row}" for row in range(7)]))])
    for declared in (None, columns):
        assert read_all(Files([path], declared)).column("a").to_pylist() == texts.to_pylist()


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("codec", ["zstd", "gzip", "snappy", "brotli", "lz4"])
def test_arrow_keeps_to_what_the_header_of_a_page_says(codec: str, version: str, tmp_path: Path) -> None:
    """Headers of pages are what is counted, so no page may unpack to more than its header says."""
    path = tmp_path / "t.parquet"
    parquet(path, pa.array(["x" * 10_000] * 5), compression=codec, use_dictionary=False, data_page_version=version)
    with pa.OSFile(str(path)) as file:
        size = ParquetCells(path, file)._leaves(["a"])[0].pages.unpacked
    held = path.read_bytes()
    at = held.index(varint(2 * size))
    path.write_bytes(held[:at] + varint(2 * 5_000, len(varint(2 * size))) + held[at + len(varint(2 * size)) :])
    with pa.OSFile(str(path)) as file:
        assert ParquetCells(path, file)._leaves(["a"])[0].pages.unpacked == 5_000
    with pytest.raises(DataError, match="cannot be read"):
        read_table(path)


def test_pages_that_lie_are_refused(tmp_path: Path) -> None:
    path = parquet(tmp_path / "t.parquet", pa.array(["abc", "def"] * 100))
    held = bytearray(path.read_bytes())
    held[4:40] = b"\xff" * 36
    path.write_bytes(held)
    with pytest.raises(DataError, match="it is damaged"):
        read_table(path)


@pytest.mark.parametrize("number", [2, 255])
def test_numbers_of_values_that_are_not_there_are_refused(number: int, tmp_path: Path) -> None:
    """Arrow hands out the numbers of cells as they stand in the file; whoever looked them up would read other memory."""
    path = parquet(tmp_path / "t.parquet", pa.array(["x"] * 500 + ["y"] * 500), compression="none")
    held = bytearray(path.read_bytes())
    runs = varint(1000) + b"\0" + varint(1000) + b"\1"
    assert held.count(runs) == 1
    held[held.index(runs) + len(runs) - 1] = number
    path.write_bytes(held)
    batch = next(pyarrow.parquet.ParquetFile(path, read_dictionary=["a"]).iter_batches())
    assert batch.column("a").indices[-1].as_py() == number
    for read in (read_table, lambda path: tk.disclosure.class_sizes(path, ["a"])):
        with pytest.raises(DataError, match="cannot be read"):
            read(path)


@pytest.mark.parametrize("numbers", [[0, 1], [0, 2], [-1, 0], [1, None], [None, 7], [None, None], []])
@pytest.mark.parametrize("text", [b"a", "あ".encode(), b"\xff"])
def test_dictionaries_are_checked_as_arrow_does_it(numbers: list[int | None], text: bytes) -> None:
    values = pa.StringArray.from_buffers(
        2, pa.py_buffer(struct.pack("<3i", 0, len(text), len(text))), pa.py_buffer(text)
    )
    made = pa.DictionaryArray.from_arrays(pa.array(numbers, pa.int32()), values, safe=False)
    batch = pa.record_batch({"a": made})
    try:
        batch.validate(full=True)
    except pa.ArrowInvalid:
        with pytest.raises(pa.ArrowInvalid):
            check_cells(batch)
    else:
        check_cells(batch)


# Excel.

HEAD = '<?xml version="1.0" encoding="UTF-8"?>'
MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
BOOK: dict[str, str] = {}


def book() -> dict[str, str]:
    """Return the parts of an honest Excel file."""
    if not BOOK:
        import openpyxl

        made, file = openpyxl.Workbook(), io.BytesIO()
        made.active.append(["a"])
        made.active.append(["some text"])
        made.save(file)
        with zipfile.ZipFile(file) as archive:
            BOOK.update({name: archive.read(name).decode() for name in archive.namelist()})
    return dict(BOOK)


def excel(path: Path, cells: str, texts: str = "") -> Path:
    parts = book() | {"xl/worksheets/sheet1.xml": f"{HEAD}<worksheet {MAIN}><sheetData>{cells}</sheetData></worksheet>"}
    if texts:
        parts["xl/sharedStrings.xml"] = f"{HEAD}<sst {MAIN}>{texts}</sst>"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return path


def forged_directory(path: Path) -> Path:
    """A sheet of zeros, and a directory that says it is small."""
    excel(path, f'<row r="1"><c r="A1"><v>1</v></c></row><!--{"0" * 150_000_000}-->')
    held = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as archive:
        (size,) = [part.file_size for part in archive.infolist() if part.filename.endswith("sheet1.xml")]
    while (at := held.find(struct.pack("<I", size))) >= 0:
        held[at : at + 4] = struct.pack("<I", 1000)
    path.write_bytes(held)
    return path


def shared_text(path: Path) -> Path:
    rows = "".join(f'<row r="{row}"><c r="A{row}" t="s"><v>1</v></c></row>' for row in range(1, 151))
    return excel(path, rows, f"<si><t>a</t></si><si><t>{'x' * LONG}</t></si>")


def shared_text_in_pieces(path: Path) -> Path:
    """What the text begins with looks like many short ones, for who reads it carelessly."""
    rows = "".join(f'<row r="{row}"><c t="s" r="A{row}"><v> 0</v></c></row>' for row in range(1, 151))
    return excel(path, rows, f"<si><t>{('x' * 10_000 + '<!--<si><t>-->') * 100}</t></si>")


FAR = {
    "a cell far out": '<row r="1"><c r="A1"><v>1</v></c></row><row r="9"><c r="XFD1048576"><v>1</v></c></row>',
    "a row far out": '<row r="1048576"><c r="A1"><v>1</v></c>' + "<c><v>1</v></c>" * 3000 + "</row>",
    "behind an empty row": '<row r="1048576"/><row>' + "<c><v>1</v></c>" * 3000 + "</row>",
    "behind an empty cell": '<row r="1048500"><c r="XFC1"/><c><v>1</v></c></row>',
    "other letters": "<x:row xmlns:x='y' r = '1'><x:c r\n=\n'xfd1048576'><x:v>1</x:v></x:c></x:row>",
}


@linux
@pytest.mark.parametrize("make", [forged_directory, shared_text, shared_text_in_pieces])
def test_excel_files_of_a_few_bytes(make: Callable[[Path], Path], tmp_path: Path) -> None:
    path = make(tmp_path / "t.xlsx")
    assert path.stat().st_size < 1_000_000
    before = "import python_calamine, xml.parsers.expat, tokumei.io.excel"
    (said,) = within(200, f"read_table(Path({str(path)!r}))", before=before)
    assert "it is not an Excel file, or it is damaged" in said or " more than 64 MiB" in said


@pytest.mark.parametrize("name", FAR)
def test_cells_far_out_in_an_excel_file(name: str, tmp_path: Path) -> None:
    path = excel(tmp_path / "t.xlsx", FAR[name])
    with pytest.raises(DataError, match="has cells as far out as row 1,048,5.. and column"):
        read_table(path)


def test_what_only_has_a_look_is_no_cell(tmp_path: Path) -> None:
    cells = '<row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c></row><row r="2"><c r="A2"><v>7</v></c></row>'
    path = excel(tmp_path / "t.xlsx", cells + '<row r="1048576"><c r="XFD1048576" s="0"/></row>')
    assert read_table(path).to_pydict() == {"a": [7]}


def test_texts_that_many_cells_share_are_counted_one_by_one(tmp_path: Path) -> None:
    rows = "".join(f'<row r="{row}"><c r="A{row}" t="s"><v>0</v></c></row>' for row in range(1, 2001))
    path = excel(tmp_path / "t.xlsx", rows, f"<si><t>short</t></si><si><t>{'x' * LONG}</t></si>")
    assert read_table(path).num_rows == 1999, "the long one is no cell's"


@pytest.mark.parametrize("ways", [{"compression": zipfile.ZIP_LZMA}, {"twice": True}, {"kind": "<!DOCTYPE x>"}])
def test_excel_files_that_excel_does_not_write(ways: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    with zipfile.ZipFile(path, "w", ways.get("compression", zipfile.ZIP_DEFLATED)) as archive:
        for name, part in book().items():
            archive.writestr(name, ways.get("kind", "") + part if "sheet1" in name else part)
        if ways.get("twice"):
            with pytest.warns(UserWarning, match="Duplicate"):
                archive.writestr("xl/workbook.xml", book()["xl/workbook.xml"])
    with pytest.raises(DataError, match="not an Excel file, or it is damaged"):
        read_table(path)


def test_the_old_format_of_excel_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "t.xls").write_bytes(b"\xd0\xcf\x11\xe0")
    with pytest.raises(DataError, match=r"save it as \.xlsx or CSV"):
        read_to_draft(tmp_path / "t.xls")


# CSV.


def test_cells_of_a_packed_file_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "UNPACKED", 10**6)
    path = tmp_path / "t.csv.gz"
    with pa.CompressedOutputStream(str(path), "gzip") as packed:
        packed.write(b"a,b,c,d\n" + b",,,\n" * 100_000)
    with pytest.raises(DataError, match="cells as they are stored in memory"):
        read_table(path)
    assert read_all(Files([path])).num_rows == 100_000, "in pieces they are held a few at a time"


@linux
def test_columns_are_counted_before_there_is_room_made_for_them(tmp_path: Path) -> None:
    line = ",".join(str(place) for place in range(100_000))
    (tmp_path / "t.csv").write_text(f"{line}\n{line}\n", encoding="utf-8")
    path = str(tmp_path / "t.csv")
    for said in within(150, f"read_table(Path({path!r}))", f"Files([Path({path!r})])"):
        assert "100,000 columns, and at most 16,384" in said


# Manifests, plans and hierarchies.


def channels(content: Any) -> Any:
    declared = content["declared"]
    return (declared.get("mechanism") or content["disclosed"]["mechanism"]["value"])["columns"]


def released(folder: Path, method: Any = None, of: Any = None) -> Path:
    made = tk.anonymize(people(), of or schema(), method or tk.PkPerturbation(k=2, tells="all"), seed=1)
    return made.write(folder / "r", allow_seeded=True)


def far_larger(content: Any) -> None:
    for channel in channels(content).values():
        channel["size"] = 100_000_000


@linux
def test_a_channel_far_larger_than_its_domain(tmp_path: Path) -> None:
    rewrite(released(tmp_path), far_larger)
    (said,) = within(200, f"tk.read_release({str(tmp_path / 'r')!r})", before="tk.read_release")
    assert "parameters that are not possible" in said


def test_channels_and_boxes_are_held_against_domains_before_promises(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_given: Any) -> Any:
        raise AssertionError("a promise was computed")

    monkeypatch.setattr("tokumei.release.promised.recount", never)
    rewrite(released(tmp_path), lambda content: channels(content)["age"].update(size=bounds.LARGEST_DOMAIN))
    with pytest.raises(ReleaseError, match="'age' does not fit its domain"):
        tk.read_release(tmp_path / "r")

    def wider(content: Any) -> None:
        for group in content["disclosed"]["mechanism"]["value"]["grouping"]["groups"]:
            group["boxes"][0] = [0, 3_999_999, 0]
            group["channels"][0] = {"channel": "grid_laplace", "size": 4_000_000, "decay": 2**63, "shift": 10}

    made = tk.anonymize(people(), schema(), tk.GroupedPkPerturbation(k=2), seed=1)
    rewrite(made.write(tmp_path / "g", allow_seeded=True), wider)
    with pytest.raises(ReleaseError, match="a box that does not fit the domain of 'age'"):
        tk.read_release(tmp_path / "g")


def test_tables_of_channels_are_let_go_once_the_promise_is_computed(tmp_path: Path) -> None:
    fine = tk.Schema(
        [tk.Attribute(name, domain=tk.Numbers(20, 60, step=0.001), missing=name == "b") for name in ("a", "b")]
    )
    ages = people().column("age")
    made = tk.anonymize(
        pa.table({"a": ages.cast(pa.float64()), "b": ages.cast(pa.float64())}),
        fine,
        tk.PkPerturbation(k=2, tells="all"),
        seed=1,
    )
    back = tk.read_release(made.write(tmp_path / "r", allow_seeded=True))
    for channel in back.mechanism.channels.values():
        assert channel.swap > 0
        held = [*vars(channel).values(), *vars(vars(channel).get("grid", channel)).values()]
        assert not any(isinstance(each, np.ndarray) for each in held)


def test_all_columns_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tokumei.mechanism.record.LARGEST_MECHANISM", 40)
    for method in (tk.PkPerturbation(k=2, tells="all"), tk.Generalization(k=2)):
        with pytest.raises(InvalidParameter, match="values together, and a guarantee is possible for at most 40"):
            tk.anonymize(people(), schema(), method, seed=1)


def test_manifests_of_countless_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MOST_PARTS", 1000)
    from tokumei.release import manifest

    for text in ("[" + "[]," * 500 + "1]", "[" + "{}," * 500 + "1]", "[" + "256," * 1000 + "1]"):
        with pytest.raises(ReleaseError, match="too many parts"):
            manifest.read(text)
    assert bounds.parsed_json("[" + "[]," * 400 + "1]")
    (large,) = [json.dumps({"values": list(range(2**16))}, indent=2)]
    assert large.count(",") < bounds.LARGEST_TEXT / len(large) * 2**25


def test_rows_of_a_database_without_end(tmp_path: Path) -> None:
    made = tk.anonymize(people(), schema(), tk.PkPerturbation(k=2, tells="all"), seed=1)
    url = f"sqlite:///{tmp_path / 'x.db'}"
    made.write_table(url, "open", allow_seeded=True)
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
    with sqlite3.connect(tmp_path / "x.db") as opened:
        opened.execute("ALTER TABLE open RENAME TO kept")
        opened.execute(f"CREATE VIEW open AS {endless} SELECT kept.* FROM n, kept")
    with pytest.raises(ReleaseError, match="does not have the rows"):
        tk.read_release(url, table="open")
    with sqlite3.connect(tmp_path / "x.db") as opened:
        opened.execute("ALTER TABLE open_manifest RENAME TO kept_manifest")
        opened.execute(f"CREATE VIEW open_manifest AS {endless} SELECT manifest FROM n, kept_manifest")
    with pytest.raises(ReleaseError, match="its manifest is damaged"):
        tk.read_release(url, table="open")


@pytest.mark.parametrize(
    "hierarchy",
    [
        "{ edges = [" + "[0, 4000000]," * 20 + "] }",
        "{ order = [2, 2, 2, 2, 2, 2, 2, 2, 2] }",
    ],
)
def test_hierarchies_far_larger_than_their_text(hierarchy: str) -> None:
    domain = '{ kind = "numbers", low = 0, high = 4000000, step = 1 }'
    text = f'[source]\npath = "x"\n[schema.a]\ndomain = {domain}\nhierarchy = {hierarchy}\n[method]\nmethod = "pk_perturbation"\nk = 2\n'
    with pytest.raises(PlanError, match="over 4,000,001 values is too large"):
        tk.Plan.from_toml(text)


def test_masks_of_one_long_label() -> None:
    with pytest.raises(InvalidParameter, match="at most 256 levels"):
        tk.Hierarchy.masks(tk.Categories(["x" * 1_000_000]))
    with pytest.raises(InvalidParameter, match="of 200 levels over 1 value is too large"):
        tk.Hierarchy.masks(tk.Categories(["x" * 10_000_000]), keep=list(range(200, 0, -1)))


def test_hierarchy_files_of_countless_labels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tokumei.table.hierarchy.LARGEST_TREE", 1000)
    (tmp_path / "h.csv").write_text("a;b\n" * 501, encoding="utf-8")
    with pytest.raises(InvalidParameter, match="more than 1,000 labels"):
        tk.Hierarchy.read_csv(tmp_path / "h.csv")
