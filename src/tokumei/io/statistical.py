"""Reading the files of SPSS, Stata and SAS: the rows with their codes, and the codebook that these files carry."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import IO, Any

import pyarrow as pa

from tokumei.bounds import FAR, UNPACKED
from tokumei.errors import DataError, MissingDependency
from tokumei.files import reason
from tokumei.messages import phrase
from tokumei.table.codebook import Codebook, Variable

STATISTICAL_ENDINGS = {".sav", ".zsav", ".por", ".dta", ".sas7bdat", ".xpt"}
DAMAGED = phrase("it is damaged, or not of the kind that its name says")
EMPTY = phrase("it has no columns")
CUT_OFF = phrase("it is cut off, or was changed in transit as text is; copy it again, as it is")
CARD = 80  # bytes of which a SAS transport file has a whole number
CHILD = "from tokumei.io.statistical_child import main; import sys; main(*sys.argv[1:])"
MEASURES = {"nominal", "ordinal", "scale"}


def read_statistical(path: Path, encoding: str = "utf-8") -> tuple[pa.Table, Codebook]:
    """Read a file as it is, codes as numbers; codes that the file declares to be missing are missing cells."""
    with _opened(path) as opened:
        table, book = read_opened(opened, path, path.suffix.lower(), encoding)
    assert table is not None
    return table, book


def codebook_inside(path: Path, encoding: str = "utf-8") -> Codebook:
    """Return what a file says of its columns, without reading its rows."""
    with _opened(path) as opened:
        return read_opened(opened, path, path.suffix.lower(), encoding, rows=False)[1]


def _opened(path: Path) -> IO[bytes]:
    try:
        return path.open("rb")
    except OSError as error:
        raise DataError("{path} cannot be read: {problem}.", path=path, problem=reason(error)) from None


def read_opened(
    opened: IO[bytes], path: Path | str, ending: str, encoding: str = "utf-8", *, rows: bool = True
) -> tuple[pa.Table | None, Codebook]:
    """Read an open file in a process of its own, which a damaged file may end without ending this one."""
    need_pyreadstat()
    size = opened.seek(0, 2)
    opened.seek(0)
    if (
        ending == ".xpt" and size % CARD
    ):  # it does not say how many rows it has, and one that is cut off would be read as a shorter one
        raise DataError("{path} cannot be read: {problem}.", path=path, problem=CUT_OFF)
    most = max(UNPACKED, FAR * size)
    wanted = "rows" if rows else "codebook"
    command = [sys.executable, "-c", CHILD, ending, "" if _usual(encoding) else encoding, str(most), wanted]
    table, told = None, dict[str, Any]()
    with subprocess.Popen(command, stdin=opened, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as child:
        assert child.stdout is not None
        try:
            told = json.loads(child.stdout.readline())
            if rows and "variables" in told:
                table = pa.ipc.open_stream(child.stdout).read_all()
        except (ValueError, pa.ArrowException, OSError):
            table = None
        finally:
            child.kill()
    if (table is None and rows) or "variables" not in told:
        raise _refusal(path, told, encoding)
    return table, Codebook(tuple(_variable(each) for each in told["variables"]))


def need_pyreadstat() -> None:
    """Refuse where the library is not there that reads and writes these files."""
    if importlib.util.find_spec("pyreadstat") is None:
        raise MissingDependency(
            "Files of SPSS, Stata and SAS need pyreadstat; install it with: pip install 'tokumei[stat]', or save the table "
            "as CSV."
        )


def _usual(encoding: str) -> bool:
    """Whether nobody asked for an encoding: these files mostly say theirs."""
    return encoding.lower().replace("_", "-") in {"utf-8", "utf8"}


def _refusal(path: Path | str, told: dict[str, Any], encoding: str) -> DataError:
    problem = told.get("problem")
    if problem == "large":
        return DataError(
            "{path} has {rows:row|rows} of {columns:column|columns}, far more than its size should hold; save it as CSV or Parquet, if it is meant "
            "to be that large.",
            path=path,
            rows=told["rows"],
            columns=told["columns"],
        )
    if problem == "memory":
        raise MemoryError
    if problem == "encoding":
        said = phrase(
            "its text is not {encoding}, or not as it says; give its encoding (--encoding, or encoding in the plan)",
            encoding=encoding,
        )
        return DataError("{path} cannot be read: {problem}.", path=path, problem=said)
    return DataError("{path} cannot be read: {problem}.", path=path, problem=EMPTY if problem == "empty" else DAMAGED)


def _variable(given: dict[str, Any]) -> Variable:
    return Variable(
        name=given["name"],
        label=given["label"],
        values=tuple((code, label) for code, label in given["values"]),
        missing=tuple((low, high) for low, high in given["missing"]),
        measure=given["measure"] if given["measure"] in MEASURES else None,
    )
