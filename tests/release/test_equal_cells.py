"""What is counted as equal is released byte for byte equal, and what is released different is counted different.

The oracle reads the written files itself: fields of the CSV file as the csv module splits them, and of the Parquet file the bytes
that each value is stored as. It knows which cells are the same value, and takes nothing from the library.
"""

from __future__ import annotations

import csv
import datetime as dt
import struct
import warnings
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest

import tokumei as tk
from tokumei.plan import Output, Plan, Source
from tokumei.table.sizes import ClassSizes

Q = "quasi_identifier"
PAYLOADS = [struct.unpack("<d", struct.pack("<Q", 0x7FF8000000000000 + n))[0] for n in (0, 1, 0xABCDEF)]
MOMENT = dt.datetime(2020, 3, 1, 13, 45)


def floats(kind: np.dtype[Any] | type) -> Any:
    """Zero of both signs, and three bit patterns of a number that is none, one of them with the sign."""
    width = np.dtype(kind).itemsize
    bits = {2: np.uint16, 4: np.uint32, 8: np.uint64}[width]
    quiet = {2: 0x7E00, 4: 0x7FC00000, 8: 0x7FF8000000000000}[width]
    sign = 1 << (8 * width - 1)
    cells = np.array([0.0, -0.0, 0.0, -0.0, 1.5, 1.5, 0, 0, 0, 0, -1.5, -1.5], dtype=kind)
    cells.view(bits)[6:10] = np.array([quiet, quiet + 1, quiet + 7, quiet + sign], dtype=bits)
    return pa.array(cells, mask=np.arange(12) == 9)


# A column of each type with twelve cells, and which of them are the same value.
SAME = "aaaabbccccdd"
PAIRS = "aabbccddeeff"
COLUMNS: dict[str, tuple[Any, str]] = {
    "float64": (floats(np.float64), SAME),
    "float32": (floats(np.float32), SAME),
    "float16": (floats(np.float16), SAME),
    "whole floats": (pa.array([-0.0, 0.0, 1.0, 1.0, None, None] * 2), "aabbccaabbcc"),
    "int8": (pa.array([1, 1, 2, 2, None, None] * 2, pa.int8()), "aabbccaabbcc"),
    "uint64": (pa.array([7, 7, 2**53, 2**53, 8, 8] * 2, pa.uint64()), "aabbccaabbcc"),
    "decimal": (pa.array([Decimal(x) for x in ("1.5", "1.50", "-0.00", "0", "2", "2.00")] * 2), "aabbccaabbcc"),
    "long decimal": (
        pa.array(
            [Decimal(x) for x in ("1", "1", "1.000000000000000000000001", "1.000000000000000000000001")] * 3,
            pa.decimal256(50, 24),
        ),
        "aabb" * 3,
    ),
    "text": (pa.array(["a", "a", "a ", "a ", "", "", None, None, "é", "é", "e\u0301", "e\u0301"]), PAIRS),
    "large text": (pa.array(["a", "a", "A", "A", "", ""] * 2, pa.large_string()), "aabbccaabbcc"),
    "text view": (pa.array(["a", "a", "b", "b", "", ""] * 2, pa.string_view()), "aabbccaabbcc"),
    "dictionary": (
        pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, None, 3, 4] * 2), ["x", "x", None, "y", "y"]),
        "aabbcc" * 2,
    ),
    "dictionary of floats": (
        pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, 3] * 3), pa.array([0.0, -0.0, 1.5, PAYLOADS[1]])),
        "aabc" * 3,
    ),
    "booleans": (pa.array([True, True, False, False, None, None] * 2), "aabbccaabbcc"),
    "days": (pa.array([dt.date(2020, 3, 1)] * 4 + [dt.date(2020, 3, 2)] * 4 + [None] * 4), "aaaabbbbcccc"),
    "days in milliseconds": (pa.array([86_400_000, 86_400_005, 0, 1] * 3, pa.int64()).view(pa.date64()), "aabb" * 3),
    **{
        f"times in {unit}": (
            pa.array([MOMENT, MOMENT, MOMENT + dt.timedelta(seconds=1)] * 4, pa.timestamp(unit)),
            "aab" * 4,
        )
        for unit in ("s", "ms", "us", "ns")
    },
    "times in a zone": (
        pa.array([MOMENT, MOMENT, MOMENT.replace(hour=3)] * 4, pa.timestamp("us", "Europe/Berlin")),
        "aab" * 4,
    ),
    "times of day": (pa.array([dt.time(1, 2, 3)] * 6 + [dt.time(0)] * 6), "a" * 6 + "b" * 6),
    "durations": (pa.array([dt.timedelta(1)] * 6 + [dt.timedelta(0)] * 6), "a" * 6 + "b" * 6),
    "nothing": (pa.nulls(12), "a" * 12),
}
DOMAINS: dict[str, Any] = {
    "float64": tk.Numbers(-2, 2),
    "float32": tk.Numbers(-2, 2),
    "float16": tk.Numbers(-2, 2, step=0.5),
    "whole floats": tk.Categories([0, 1]),
    "int8": tk.Numbers(0, 9, step=1),
    "uint64": tk.Categories([7, 8, 2**53]),
    "decimal": tk.Numbers(0, 2, step=0.5),
    "long decimal": tk.Numbers(0, 2, step=0.5),
    "text": tk.Categories(["", "a", "a ", "é", "e\u0301"]),
    "large text": tk.Categories(["", "a", "A"]),
    "text view": tk.Categories(["", "a", "b"]),
    "dictionary": tk.Categories(["x", "y"]),
    "dictionary of floats": tk.Numbers(0, 2),
    "booleans": tk.Categories([False, True]),
    "days": tk.Dates("2020-01-01", "2020-12-31"),
    "days in milliseconds": tk.Dates("1970-01-01", "1970-12-31"),
    **{f"times in {unit}": tk.Dates("2020-01-01", "2020-12-31") for unit in ("s", "ms", "us", "ns")},
    "nothing": tk.Categories(["a"]),
}
FRAMES: dict[str, Callable[[pa.Table], Any]] = {
    "pyarrow": lambda table: table,
    "polars": pl.from_arrow,
    "pandas": lambda table: table.to_pandas(),
    "pandas nullable": lambda table: table.to_pandas(types_mapper=pd.ArrowDtype),
}
# pandas has no category twice, and none that is missing; polars has no days in milliseconds and no decimals so long.
NOT_THERE = {
    ("dictionary", "pandas"),
    ("dictionary of floats", "pandas"),
    ("days in milliseconds", "polars"),
    ("long decimal", "polars"),
}
CASES = [(name, kind) for name in COLUMNS for kind in FRAMES if (name, kind) not in NOT_THERE]


NOT_IN_PARQUET = {"text view", "dictionary"}  # files have no views, and no missing value in a dictionary


def frame_of(name: str, kind: str) -> Any:
    cells, _ = COLUMNS[name]
    table = pa.table({"x": pa.array(["p", "q"] * 6), "cell": cells})
    return FRAMES[kind](table)


def bytes_of_csv(file: Path) -> Counter[str]:
    with file.open(newline="", encoding="utf-8") as opened:
        first, *lines = opened.read().splitlines()
    place = next(csv.reader([first])).index("cell")
    # Whether a field was quoted tells text without letters from nothing, so the line itself is cut.
    return Counter(_fields(line)[place] for line in lines)


def _fields(line: str) -> list[str]:
    inside, fields = False, [""]
    for letter in line:
        if letter == "," and not inside:
            fields.append("")
        else:
            inside ^= letter == '"'
            fields[-1] += letter
    return fields


def bytes_of_column(column: Any) -> Counter[Any]:
    """Count the bytes of an Arrow column's values."""
    found: Counter[Any] = Counter()
    for piece in column.chunks if isinstance(column, pa.ChunkedArray) else [column]:
        chunk = piece.dictionary_decode() if pa.types.is_dictionary(piece.type) else piece
        kind = chunk.type
        gone = np.array([not each.is_valid for each in chunk], dtype=bool)
        if pa.types.is_null(kind):
            values: list[Any] = [b""] * len(chunk)
        elif pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
            values = [None if each is None else each.encode() for each in chunk.to_pylist()]
        elif pa.types.is_boolean(kind):
            values = chunk.to_pylist()
        else:
            width = kind.bit_width // 8
            raw = chunk.buffers()[1].to_pybytes()[chunk.offset * width :]
            values = [raw[at * width : (at + 1) * width] for at in range(len(chunk))]
        found.update("missing" if lost else each for each, lost in zip(values, gone, strict=True))
    return found


def bytes_of_frame(frame: Any) -> Counter[Any]:
    if isinstance(frame, pa.Table):
        return bytes_of_column(frame.column("cell"))
    if isinstance(frame, pl.DataFrame):
        return bytes_of_column(frame["cell"].to_arrow().cast(_plain_text(frame["cell"].to_arrow().type)))
    column = frame["cell"]
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "fiuMmb":
        return Counter(each.tobytes() for each in column.to_numpy())
    return Counter(
        "missing" if each is None or each is pd.NA or each is pd.NaT else _bits(each) for each in column.tolist()
    )


def _bits(cell: Any) -> Any:
    return struct.pack("<d", cell) if isinstance(cell, float) else (type(cell), str(cell))


def _plain_text(kind: Any) -> Any:
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return pa.large_string() if pa.types.is_string_view(kind) else kind


def expected(name: str) -> list[int]:
    return sorted(Counter(COLUMNS[name][1]).values())


def make(frame: Any, schema: tk.Schema, method: Any) -> tk.Release:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return tk.anonymize(frame, schema, method)


def check(release: tk.Release, name: str, folder: Path) -> None:
    """Compare what is counted with what is written, in memory and in every format."""
    assert sorted(bytes_of_frame(release.frame).values()) == expected(name)
    for format_, count in (
        ("csv", bytes_of_csv),
        ("parquet", lambda at: bytes_of_column(pa.parquet.read_table(at)["cell"])),
    ):
        release.write(folder / format_, format_)
        assert sorted(count(folder / format_ / f"data.{format_}").values()) == expected(name), format_
        assert tk.read_release(folder / format_).guarantees == release.guarantees


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_a_kept_column_that_attackers_know(name: str, kind: str, tmp_path: Path) -> None:
    """The promise counts on the smallest class of the kept cells, so it is the oracle's smallest class."""
    schema = tk.Schema(
        [tk.Attribute("x", Q, tk.Categories(["p", "q"])), tk.Attribute("cell", "insensitive", missing=True)]
    )
    release = make(frame_of(name, kind), schema, tk.PkPerturbation(k=1.01, kept="known", tells="all"))
    assert release.guarantees[0].numbers["inside"] == expected(name)[0]
    check(release, name, tmp_path)


@pytest.mark.parametrize(
    ("name", "kind"), [case for case in CASES if case[0] in DOMAINS and case[1] in {"pyarrow", "pandas"}]
)
def test_a_quasi_identifier_whose_rare_rows_are_left_out(name: str, kind: str, tmp_path: Path) -> None:
    schema = tk.Schema([tk.Attribute("x", "insensitive"), tk.Attribute("cell", Q, DOMAINS[name], missing=True)])
    release = make(frame_of(name, kind), schema, tk.RecordSuppression(k=2))
    assert release.guarantees[0].value == expected(name)[0]
    check(release, name, tmp_path)


Z = dt.timezone(dt.timedelta(hours=1))
OBJECTS: dict[str, tuple[list[Any], str]] = {
    "numbers": ([0, -0.0, np.float32(-0.0), 1, 1.0, np.int8(1), None, np.nan, pd.NA, PAYLOADS[2]], "aaabbbcccc"),
    "decimals": ([Decimal("1.5"), Decimal("1.50"), None, Decimal("NaN")], "aabb"),
    "booleans": ([True, np.True_, None, np.nan], "aabb"),
    "text": (["", "", None, np.nan, pd.NA, " ", " "], "aabbbcc"),
    "times": (
        [dt.datetime(2020, 1, 1, 12, tzinfo=dt.UTC), dt.datetime(2020, 1, 1, 13, tzinfo=Z), pd.NaT, None],
        "aabb",
    ),
}


@pytest.mark.parametrize("name", OBJECTS)
def test_objects_of_python_in_a_pandas_column(name: str, tmp_path: Path) -> None:
    cells, same = OBJECTS[name]
    frame = pd.DataFrame({"x": ["p"] * len(cells), "cell": pd.Series(cells, dtype=object)})
    schema = tk.Schema(
        [tk.Attribute("x", Q, tk.Categories(["p", "q"])), tk.Attribute("cell", "insensitive", missing=True)]
    )
    release = make(frame, schema, tk.PkPerturbation(k=1.01, kept="known", tells="all"))
    sizes = sorted(Counter(same).values())
    assert release.guarantees[0].numbers["inside"] == sizes[0]
    release.write(tmp_path / "out", "csv")
    assert sorted(bytes_of_csv(tmp_path / "out" / "data.csv").values()) == sizes
    assert sorted(bytes_of_column(release.table.column("cell")).values()) == sizes


def plan_of(place: Path, domain: Any, method: Any) -> Plan:
    schema = tk.Schema([tk.Attribute("x", "insensitive"), tk.Attribute("cell", Q, domain, missing=True)])
    return Plan(Source(str(place)), schema, method, (), Output(), Path())


@pytest.mark.parametrize("name", [name for name in DOMAINS if name not in NOT_IN_PARQUET])
def test_the_stream_counts_and_releases_alike(name: str, tmp_path: Path) -> None:
    pa.parquet.write_table(frame_of(name, "pyarrow"), tmp_path / "rows.parquet", row_group_size=5)
    plan = plan_of(tmp_path / "rows.parquet", DOMAINS[name], tk.RecordSuppression(k=2))
    release = tk.run(plan, engine="stream")
    assert release.guarantees[0].value == expected(name)[0]
    check(release, name, tmp_path)
    found = tk.disclosure.class_sizes(tmp_path / "rows.parquet", ["cell"])
    assert found == ClassSizes.of_classes(np.array(expected(name)))


@pytest.mark.parametrize("engine", ["local", "stream"])
def test_numbers_written_in_many_ways_in_a_csv_file(engine: str, tmp_path: Path) -> None:
    written = ["0", "-0", "0.0", "-0.0", "-0e5", "1.5", "1.50", "15e-1", "nan", "NaN", "", "-nan"]
    (tmp_path / "rows.csv").write_text("x,cell\n" + "".join(f"p,{cell}\n" for cell in written))
    for domain in (tk.Numbers(0, 2), tk.Numbers(0, 2, step=0.5)):
        release = tk.run(plan_of(tmp_path / "rows.csv", domain, tk.RecordSuppression(k=3)), engine=engine)
        assert release.guarantees[0].value == 3
        release.write(tmp_path / "out", "csv", overwrite=True)
        assert bytes_of_csv(tmp_path / "out" / "data.csv") == {"0": 5, "1.5": 3, "": 4}


def test_spark_counts_and_releases_alike(spark: Any, tmp_path: Path) -> None:
    """One release of a quasi-identifier that has every kind of zero, and of kept columns of every type that Spark has."""
    kept = [name for name in ("float32", "decimal", "text", "booleans", "days", "times in us") if name in COLUMNS]
    table = pa.table({"cell": COLUMNS["float64"][0], **{name.replace(" ", ""): COLUMNS[name][0] for name in kept}})
    pa.parquet.write_table(table, tmp_path / "rows.parquet", row_group_size=5)
    schema = tk.Schema(
        [
            tk.Attribute("cell", Q, tk.Numbers(-2, 2), missing=True),
            *(tk.Attribute(name.replace(" ", ""), "insensitive", missing=True) for name in kept),
        ]
    )
    release = tk.anonymize(spark.read.parquet(str(tmp_path / "rows.parquet")), schema, tk.RecordSuppression(k=2))
    assert release.guarantees[0].value == 2
    release.write(tmp_path / "out")
    written = pa.parquet.read_table(tmp_path / "out" / "data.parquet")
    for name in ("float64", *kept):
        column = written.column("cell" if name == "float64" else name.replace(" ", ""))
        assert sorted(bytes_of_column(column).values()) == expected(name), name
