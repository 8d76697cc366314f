"""Reading a table from a file, with messages that name the file and the line but never show what stands there."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from tokumei.bounds import MOST_COLUMNS
from tokumei.errors import DataError, InvalidParameter
from tokumei.files import is_plain, kind_of_place, reason
from tokumei.io.as_said import as_said
from tokumei.io.delimiter import ABSENT, DELIMITERS, guess_decimal, guess_delimiter
from tokumei.io.encodings import guess_encoding, is_text, text_encoding
from tokumei.io.excel import EXCEL_ENDINGS, read_excel
from tokumei.io.parquet import ParquetCells
from tokumei.io.statistical import STATISTICAL_ENDINGS, codebook_inside, read_statistical
from tokumei.io.unpacking import PACKED, first_line, opened_text
from tokumei.messages import Phrase, phrase
from tokumei.progress import stage
from tokumei.table.codebook import Codebook, labelled
from tokumei.table.codebook_files import read_codebook_file
from tokumei.table.domain import Categories, Dates
from tokumei.table.schema import DROPPED, Attribute, Schema
from tokumei.text import names
from tokumei.values import value

CSV_ENDINGS = {".csv", ".tsv", ".txt", ".gz", ".bz2", ".zst", ".lz4"}
PARQUET_ENDINGS = {".parquet", ".pq"}
DATABASE = re.compile(r"(sqlite|duckdb|postgres(ql)?):/")
LONGEST_LINE = 2**20  # bytes that Arrow parses at a time
WHOLE_ENDINGS = EXCEL_ENDINGS | STATISTICAL_ENDINGS  # files that are only read as a whole
READ = phrase(".csv, .csv.gz, .tsv, .txt, .parquet, .xlsx, .sav, .zsav, .por, .dta, .sas7bdat and .xpt")


@value
class Dialect:
    """How CSV files are written.

    Parameters
    ----------
    delimiter
        What separates the fields.
    missing
        How absent cells are written.
    encoding
        How the text is encoded.
    decimal
        What stands before the decimals of a number: a point or a comma.
    dates
        How dates are written besides 2001-12-31, such as ``"%d.%m.%Y"``.
    codebook
        A file that says what codes mean.
    """

    delimiter: str = ","
    missing: tuple[str, ...] = ("",)
    encoding: str = "utf-8"
    decimal: str = "."
    dates: str | None = None
    codebook: str | None = None

    def __post_init__(self) -> None:
        if len(self.delimiter) != 1:
            raise InvalidParameter("delimiter must be one character. Got {delimiter!r}.", delimiter=self.delimiter)
        if self.decimal not in {".", ","}:
            raise InvalidParameter("decimal must be '.' or ','. Got {decimal!r}.", decimal=self.decimal)
        if self.dates is not None and not {"%d", "%m"} <= set(re.findall("%.", self.dates)):
            raise InvalidParameter(
                "dates must say where day, month and year are, such as '%d.%m.%Y'. Got {dates!r}.", dates=self.dates
            )


def read_table(
    path: Path,
    schema: Schema | None = None,
    delimiter: str = ",",
    missing: tuple[str, ...] = ("",),
    encoding: str = "utf-8",
    decimal: str = ".",
    dates: str | None = None,
) -> pa.Table:
    """Read a CSV or Parquet file. With a schema, text labels are read as text even where they look like numbers."""
    return read_written(path, schema, Dialect(delimiter, missing, encoding, decimal, dates))


def read_written(path: Path, schema: Schema | None, dialect: Dialect) -> pa.Table:
    """Read a file as it is said to be written; where a codebook says what codes mean, columns of text get the labels."""
    return _read(path, declared_types(schema), dialect, None if schema is None else text_columns(schema))


def text_columns(schema: Schema | None) -> set[str]:
    """Name the columns whose domain has labels of text."""
    return {a.name for a in schema or () if isinstance(a.domain, Categories) and isinstance(a.domain.values[0], str)}


@stage("Reading the codebook")
def read_codebook(path: str | Path, encoding: str = "utf-8") -> Codebook:
    """Read a codebook: a CSV file of variables, labels and values, a DDI codebook (XML), or what a file of SPSS, Stata or SAS says of itself."""
    file = Path(path)
    if file.suffix.lower() in STATISTICAL_ENDINGS:
        kind_of(file, Dialect(encoding=encoding), whole=True)
        return codebook_inside(file, encoding)
    return read_codebook_file(file, encoding)


def codebook_of(path: Path, codebook: str | None, encoding: str = "utf-8") -> Codebook | None:
    """Return what is known about the columns of a file: from the codebook beside it, and from the file itself."""
    own = read_codebook(path, encoding) if path.suffix.lower() in STATISTICAL_ENDINGS else None
    given = None if codebook is None else read_codebook(codebook, encoding)
    return given.over(own) if given is not None and own is not None else own if given is None else given


def declared_types(schema: Schema | None) -> dict[str, Any]:
    """Return the type of each column whose domain says what it is in a CSV file."""
    return {a.name: kind for a in schema or () if (kind := _text_or_date(a)) is not None}


def read_to_draft(
    path: Path,
    delimiter: str | None = None,
    missing: tuple[str, ...] | None = None,
    encoding: str = "utf-8",
    decimal: str | None = None,
    dates: str | None = None,
    codebook: str | None = None,
    *,
    beginning: bool = False,
) -> tuple[pa.Table, tuple[str, ...]]:
    """Read a file of which nothing is known yet, or of a CSV file only the ``beginning``; return the table, and how its absent cells are written.

    Without a delimiter or a decimal mark the first lines tell it. Codes with leading zeros stay text. A column that is text only because some cells say NA or the like is read with
    these as missing.
    """
    _check_one_file(path)
    mark = delimiter or guess_delimiter(path, encoding)
    decimal = decimal or guess_decimal(path, mark, encoding)
    dialect = Dialect(mark, missing or ("",), encoding, decimal, dates, codebook)
    read = partial(_read, path, beginning=beginning)
    table = read({}, dialect)
    if path.suffix.lower() in PARQUET_ENDINGS | WHOLE_ENDINGS:
        return table, missing or ()
    if table.num_columns == 1:
        others = [mark for mark in DELIMITERS if mark in table.column_names[0]]
        if others:
            raise DataError(
                "{path} has only one column; its delimiter looks like {others!r}, so give it (--delimiter).",
                path=path,
                others=others[0],
            )
    as_text = read(dict.fromkeys(table.column_names, pa.string()), replace(dialect, codebook=None))
    if missing is None:
        absent = {mark for name in table.column_names for mark in _absent_marks(as_text.column(name), decimal)}
        missing = ("", *(mark for mark in ABSENT if mark in absent))
    zeros = {name: pa.string() for name in table.column_names if _has_leading_zeros(as_text.column(name))}
    return read(zeros, replace(dialect, missing=missing)), missing


def check_readable(path: Path) -> None:
    """Refuse what could not be read again, or be waited for without an end, and names that Arrow does not take."""
    if kind_of_place(path) == "other":
        raise DataError("{path} is neither a file nor a folder; save its rows in a file first.", path=path)
    if not is_plain(str(path)):
        raise DataError("The name of the file, or of a folder that it is in, is not UTF-8; rename it.")


def _check_one_file(path: Path) -> None:
    """Refuse what a plan may name as a source and a draft cannot be made from, and say what to do instead."""
    check_readable(path)
    if DATABASE.match(str(path)):
        raise DataError(
            "this command reads one file, and this is a database; open it with tokumei studio and export a plan, "
            "or put its address into a plan."
        )
    pattern = any(mark in path.name for mark in "*?[") and not path.exists()
    if pattern or path.is_dir():
        raise DataError(
            "{path} is a {kind}, and this command reads one file; give one of the "
            "files, and name all of them in the plan (tokumei sizes counts equivalence classes in all of them).",
            path=path,
            kind=phrase("pattern") if pattern else phrase("folder"),
        )


def _absent_marks(column: Any, decimal: str) -> list[str]:
    """List the marks without which a column of text would be one of numbers."""
    values = column.unique().drop_null()
    marks = pc.is_in(values, value_set=pa.array(ABSENT))
    rest = values.filter(pc.invert(marks))
    number = rf"^\s*[-+]?(\d+[{decimal}]?\d*|[{decimal}]\d+)([eE][-+]?\d+)?\s*$"
    numeric = pc.all(pc.match_substring_regex(rest, number)).as_py()
    return values.filter(marks).to_pylist() if len(rest) and numeric else []


def _has_leading_zeros(column: Any) -> bool:
    return bool(pc.any(pc.match_substring_regex(column, r"^0\d+$")).as_py())


def _read(
    path: Path,
    types: Mapping[str, Any],
    dialect: Dialect,
    chosen: Collection[str] | None = None,
    *,
    beginning: bool = False,
) -> pa.Table:
    """Read a file, and put labels in place of the codes of the chosen columns where a codebook has them."""
    if dialect.codebook is not None:
        book = read_codebook(dialect.codebook, dialect.encoding)
        return labelled(_read(path, types, replace(dialect, codebook=None), chosen, beginning=beginning), book, chosen)
    ending = kind_of(path, dialect, whole=True)
    problem = ""
    try:
        with stage(f"Reading {path.name}"):
            if ending in PARQUET_ENDINGS:
                return said_of(_read_parquet(path), dialect, types)
            if ending in EXCEL_ENDINGS:
                table = read_excel(path, types)
                check_header(path, table.schema)
                return said_of(table, dialect, types, iso=True)
            if ending in STATISTICAL_ENDINGS:
                table, book = read_statistical(path, dialect.encoding)
                check_header(path, table.schema)
                return with_texts_of(labelled(said_of(table, dialect, types), book, chosen), types)
            tabbed = replace(dialect, delimiter="\t") if ending == ".tsv" else dialect
            return _read_csv(path, types, tabbed, beginning=beginning)
    except DataError:
        raise
    except pa.ArrowException as error:
        problem = harmless(str(error))
    except UnicodeError:
        problem = not_text(dialect.encoding)
    except OSError as error:
        problem = trouble(error, path)
    of_bytes = ending in PARQUET_ENDINGS | WHOLE_ENDINGS  # and says itself what is text
    if problem == NOT_UTF8 and not of_bytes and (seems := guess_encoding(path)) != "utf-8":
        problem = OTHER_KIND
        if is_text(path) or seems.startswith("utf-16"):
            problem = phrase(
                "it is not utf-8 text but looks like {seems}; give its encoding (--encoding {seems}, or encoding in the plan)",
                seems=seems,
            )
    raise DataError(
        "{path} cannot be read: {problem}.", path=path, problem=problem
    )  # outside, so that no message that quotes a line is its context


def said_of(table: pa.Table, dialect: Dialect, types: Mapping[str, Any], *, iso: bool = False) -> pa.Table:
    """Read the cells of a file that has types of its own as it is said to be written."""
    return as_said(table, types, dialect.missing, dialect.decimal, dialect.dates, iso=iso)


def with_texts_of(table: pa.Table, types: Mapping[str, Any]) -> pa.Table:
    """Return a table whose columns of numbers are text where that is what they should be."""
    for place, name in enumerate(table.column_names):
        kind = table.column(name).type
        if name in types and pa.types.is_string(types[name]) and not pa.types.is_string(kind):
            table = table.set_column(place, name, table.column(name).cast(pa.string()))
    return table


def kind_of(path: Path, dialect: Dialect, *, whole: bool = False) -> str:
    """Return a file's ending; refuse one that is not there, not known, or not in the encoding said.

    Files of Excel, SPSS, Stata and SAS can only be read as a whole.
    """
    if kind_of_place(path) == "nothing":
        raise DataError("{path} does not exist.", path=path)
    check_readable(path)
    ending = path.suffix.lower()
    if ending in EXCEL_ENDINGS and not whole:
        raise DataError(
            "{path} is an Excel file, which is only read in memory (engine local); save it as CSV or Parquet.",
            path=path,
        )
    if ending in STATISTICAL_ENDINGS and not whole:
        raise DataError(
            "{path} is a file of SPSS, Stata or SAS, which is only read in memory (engine local); save it as CSV or Parquet.",
            path=path,
        )
    if ending not in CSV_ENDINGS | PARQUET_ENDINGS | WHOLE_ENDINGS:
        raise DataError("{path} has no known file extension; tokumei reads {read}.", path=path, read=READ)
    if ending in WHOLE_ENDINGS:
        return ending
    usual = text_encoding(dialect.encoding) == "utf-8"
    try:
        with path.open("rb") as opened:
            start = opened.read(2)
    except OSError as error:
        raise DataError("{path} cannot be read: {reason}.", path=path, reason=reason(error)) from None
    if usual and start in {codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE}:
        raise DataError(
            "{path} cannot be read: it is not utf-8 text but looks like utf-16; give its encoding (--encoding utf-16, or encoding in the plan).",
            path=path,
        )
    return ending


def options_of(dialect: Dialect, delimiter: str, types: Mapping[str, Any]) -> tuple[Any, Any, Any]:
    """Return how a CSV file is read, parsed and converted."""
    return (
        pyarrow.csv.ReadOptions(encoding=dialect.encoding),
        pyarrow.csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
        pyarrow.csv.ConvertOptions(
            column_types=dict(types),
            null_values=list(dialect.missing),
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
            decimal_point=dialect.decimal,
            timestamp_parsers=[] if dialect.dates is None else [dialect.dates, pyarrow.csv.ISO8601],
        ),
    )


def _read_parquet(path: Path) -> pa.Table:
    with pa.OSFile(str(path)) as raw:
        cells = ParquetCells(path, raw)
        check_header(path, cells.schema)
        return cells.read()


def _read_csv(path: Path, types: Mapping[str, Any], dialect: Dialect, *, beginning: bool = False) -> pa.Table:
    def read(use_threads: bool, ignore_empty_lines: bool = True) -> pa.Table:
        reading, parsing, converting = options_of(dialect, dialect.delimiter, types)
        reading.use_threads, parsing.ignore_empty_lines = use_threads, ignore_empty_lines
        with pa.OSFile(str(path)) as raw:
            text = opened_text(path, raw, dialect.delimiter)
            if beginning:  # as much as Arrow parses at a time
                with pyarrow.csv.open_csv(text, reading, parsing, converting) as stream:
                    first = next(iter(stream), None)
                    return pa.Table.from_batches([] if first is None else [first], stream.schema)
            return pyarrow.csv.read_csv(text, reading, parsing, converting)

    check_width(path, first_line(path, LONGEST_LINE), dialect.delimiter)
    try:
        table = read(use_threads=True)
    except pa.ArrowInvalid:
        table = read(use_threads=False)  # fails too, but knows the number of the line
    if table.num_columns == 1:  # an empty line is then a row with an absent cell
        table = read(use_threads=True, ignore_empty_lines=False)
    check_text(path, table.schema, dialect.encoding)
    check_header(path, table.schema)
    return table


def check_width(path: Path | str, line: bytes, delimiter: str = ",") -> None:
    """Refuse a CSV file whose first line has far too many fields, before a parser makes room for each of them."""
    fields = line.count(delimiter.encode()) + 1
    if fields > 2 * MOST_COLUMNS:  # names may hold delimiters: what lies nearer is counted once it is parsed
        raise _too_many(path, fields)


def check_text(path: Path, found: Any, encoding: str) -> None:
    """Refuse a CSV file that is not text of the encoding said, or whose names go over several lines.

    A quotation mark that is not closed takes cells for a name.
    """
    if any("\n" in name or "\r" in name for name in found.names):
        raise DataError(
            "{path}: a column name spans several lines; close the quotation mark in the first line, or write the name on one line.",
            path=path,
        )
    broken = [field.name for field in found if pa.types.is_binary(field.type)]
    if broken:
        raise DataError(
            "{path}: column {broken} is not {encoding} text; give its encoding (--encoding, or encoding in the plan).",
            path=path,
            broken=names(broken),
            encoding=encoding,
        )


def check_header(path: Path, found: Any) -> None:
    """Refuse columns that are too many, have no name, or have the same."""
    if len(found) > MOST_COLUMNS:
        raise _too_many(path, len(found))
    counted = Counter(found.names)
    doubled = [str(place + 1) for place, name in enumerate(found.names) if counted[name] > 1]
    if doubled:  # without a line of names these would be cells, so they are not shown
        raise DataError(
            "{path}: column names must be unique, and those of the columns {doubled} are not; does "
            "the first line of the file hold the names?",
            path=path,
            doubled=", ".join(doubled),
        )
    if any(not name.strip() for name in found.names):
        raise DataError("{path}: a column has no name in the first line.", path=path)


def _too_many(path: Path | str, columns: int) -> DataError:
    return DataError(
        "{path} has {columns:,} columns, and at most {most_columns:,} are read; leave out those that are not needed.",
        path=path,
        columns=columns,
        most_columns=MOST_COLUMNS,
    )


def _text_or_date(attribute: Attribute) -> Any:
    domain = attribute.domain
    if attribute.role in DROPPED or (isinstance(domain, Categories) and isinstance(domain.values[0], str)):
        return pa.string()  # 007 is not 7
    if isinstance(domain, Dates):
        return pa.timestamp("us")
    return None


def harmless(message: str) -> str:
    """Say what is wrong with a file in words of our own: the library's messages quote the line itself."""
    row = re.search(r"Row #(\d+)", message)
    where = phrase("line {row}", row=row.group(1)) if row else phrase("a line")
    fields = re.search(r"Expected (\d+) columns, got (\d+)", message)
    if fields:
        expected, found = fields.groups()
        if expected == "1":
            return phrase(
                "{where} does not have as many fields as the first line ({found}, not {expected}); is its delimiter "
                "another one? Give it (--delimiter, or delimiter in the plan)",
                where=where,
                found=found,
                expected=expected,
            )
        return phrase(
            "{where} does not have as many fields as the first line ({found}, not {expected})",
            where=where,
            found=found,
            expected=expected,
        )
    column = re.search(r"In CSV column #(\d+)", message)
    if column and "UTF8" not in message:
        number = int(column.group(1)) + 1
        if row:
            return phrase(
                "column {column}, line {row}, holds cells that cannot be read as the kind of its domain",
                column=number,
                row=row.group(1),
            )
        return phrase("column {column} holds cells that cannot be read as the kind of its domain", column=number)
    return next((words for sign, words in SIGNS if sign in message), DAMAGED)


def trouble(error: OSError, path: Path) -> str:
    """Say why a file cannot be read: as the system says it, or in words of our own where a library refused its contents."""
    if error.strerror or "[errno" in str(error).lower():
        return reason(error)
    return CUT_OFF if path.suffix.lower() in PACKED else OTHER_KIND


def not_text(encoding: str) -> Phrase:
    """Say that a file is not in an encoding."""
    return phrase(
        "it is not {encoding} text; give its encoding (--encoding, or encoding in the plan)", encoding=encoding
    )


DAMAGED = phrase("its contents are damaged or not of the kind that its name says")
CUT_OFF = phrase("it is damaged or cut off, or not packed as its name says; copy it again, or pack it again")
OTHER_KIND = phrase("it is damaged, or not of the kind that its name says")
NOT_UTF8 = not_text("utf-8")
SIGNS = (
    ("UTF8", NOT_UTF8),
    ("UTF-8", NOT_UTF8),
    ("straddl", phrase("a line is longer than can be read, or a quotation mark is not closed")),
    ("Empty CSV", phrase("it is empty")),
    ("worker thread", phrase("there is no room left on the system to read it")),
    ("arquet", phrase("it is not a Parquet file, or it is damaged")),
)
