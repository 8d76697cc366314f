"""What reads a statistical file in a process of its own: the library that parses it is C, and a damaged file can end it.

The file comes on standard input. One line of JSON goes to standard output, then the table as an Arrow stream.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

NUMBER, TEXT = 32, 64  # bytes of a cell in the parser's memory, of text in addition to what is written
BESIDE = 2**32  # bytes of memory beside what the cells may take
READERS = {
    ".sav": "read_sav",
    ".zsav": "read_sav",
    ".por": "read_por",
    ".dta": "read_dta",
    ".sas7bdat": "read_sas7bdat",
    ".xpt": "read_xport",
}


def main(ending: str, encoding: str, most: str, wanted: str) -> None:
    """Read the file on standard input, and write what it holds, as long as its cells take at most this many bytes.

    ``wanted`` is ``"rows"``, or ``"codebook"`` for no rows.
    """
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # so that nothing the parser says gets between
    _limit(int(most))
    told, table = _read(ending, encoding, int(most), rows_too=wanted == "rows")
    out.write(json.dumps(told).encode() + b"\n")
    if table is not None:
        with pa.ipc.new_stream(out, table.schema) as stream:
            stream.write_table(table)
    out.close()


def _limit(most: int) -> None:
    """Take no more memory than the cells may need, where the system can hold us to it."""
    try:
        resource: Any = importlib.import_module("resource")
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = most + BESIDE
    resource.setrlimit(resource.RLIMIT_AS, (wanted if hard < 0 else min(wanted, hard), hard))


class _Refused(Exception):
    """A file that is not read, and what is told of it."""


def _read(ending: str, encoding: str, most: int, *, rows_too: bool) -> tuple[dict[str, Any], Any]:
    """Return what is told of a file, and its table; of one that is not read what the problem is, and nothing that it holds."""
    library: Any = importlib.import_module("pyreadstat")
    given = {"encoding": encoding} if encoding else {}
    try:
        return _parsed(getattr(library, READERS[ending]), ending, given, most, rows_too=rows_too)
    except _Refused as refused:
        return refused.args[0], None
    except UnicodeDecodeError:
        problem = "encoding"
    except MemoryError:
        problem = "memory"
    except Exception as error:  # noqa: BLE001  (whatever the parser ends in, and it may quote a cell)
        problem = "encoding" if "convert a string" in str(error) else "damaged"
    return {"problem": problem}, None


def _parsed(read: Any, ending: str, given: dict[str, str], most: int, *, rows_too: bool) -> tuple[dict[str, Any], Any]:
    known = {} if ending in {".por", ".xpt"} else {"user_missing": True}
    _, found = read(_file(), metadataonly=True, **known, **given)
    width = sum(
        TEXT + found.variable_storage_width[name] if kind == "string" else NUMBER
        for name, kind in found.readstat_variable_types.items()
    )
    columns = len(found.column_names)
    if columns == 0:
        raise _Refused({"problem": "empty"})
    told = {"variables": [_variable(name, found) for name in found.column_names]}
    if not rows_too:
        return told, None
    rows = most // width
    if (found.number_rows or 0) > rows:
        raise _Refused({"problem": "large", "rows": found.number_rows, "columns": columns})
    cells, _ = read(_file(), row_limit=rows + 1, output_format="dict", **given)
    if len(cells) != columns:
        raise _Refused({"problem": "damaged"})
    table = pa.table(
        {
            name: _column(cells[name], single=found.readstat_variable_types.get(name) == "float")
            for name in found.column_names
        }
    )
    if table.num_rows > rows:
        raise _Refused({"problem": "large", "rows": table.num_rows, "columns": columns})
    return told, table


def _file() -> Any:
    return os.fdopen(os.dup(0), "rb") if sys.stdin.seekable() and os.lseek(0, 0, os.SEEK_SET) == 0 else sys.stdin.buffer


def _column(cells: list[Any], *, single: bool = False) -> Any:
    """Make an Arrow column: whole numbers as such, and empty text as a missing cell, which these files cannot tell apart.

    Numbers of single precision are the decimals that they were written as: 103.8, not 103.80000305.
    """
    if any(isinstance(cell, str) for cell in cells):
        return pa.array([cell or None for cell in cells], pa.string())
    made = pa.array(cells, from_pandas=True)
    if pa.types.is_floating(made.type):
        whole = pc.and_(pc.equal(pc.floor(made), made), pc.less(pc.abs(made), float(2**53)))
        if pc.all(whole).as_py():
            return made.cast(pa.int64())
        return _shortest(made) if single else made
    return made


def _shortest(numbers: Any) -> Any:
    """Return the shortest decimals that are these numbers in single precision, which are written in place of what doubles make of them.

    >>> _shortest(pa.array([103.80000305175781, None, 0.5])).to_pylist()
    [103.8, None, 0.5]
    """
    coded = numbers.dictionary_encode()
    short = np.asarray(coded.dictionary).astype(np.float32).astype(str).astype(np.float64)
    return pa.array(short).take(coded.indices)


def _variable(name: str, found: Any) -> dict[str, Any]:
    text = found.readstat_variable_types.get(name) == "string"
    kind = str if text else (int, float)
    labels = found.variable_value_labels.get(name) or {}
    ranges = found.missing_ranges.get(name) or []
    return {
        "name": name,
        "label": found.column_names_to_labels.get(name) or None,
        "values": [[code, label] for code, label in labels.items() if isinstance(code, kind) and label is not None],
        "missing": [_range(each) for each in ranges],
        "measure": found.variable_measure.get(name),
    }


def _range(given: Any) -> list[Any]:
    return [given["lo"], given["hi"]] if isinstance(given, dict) else [given, given]


if __name__ == "__main__":
    main(*sys.argv[1:])
