"""Writing files of SPSS, Stata and SAS: labels as value labels of codes, and nothing that would not be read back as it was."""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei.errors import MissingDependency, OutputError
from tokumei.io.statistical import need_pyreadstat
from tokumei.messages import Phrase, phrase
from tokumei.table.codebook import Code
from tokumei.table.domain import Categories, Domain, Numbers, exact, family, plain
from tokumei.text import names

WRITTEN = ("sav", "dta", "xpt")
WRITERS = {"sav": "write_sav", "dta": "write_dta", "xpt": "write_xport"}
LONGEST_LABEL = {"sav": 120, "dta": 32_000, "xpt": 0}  # bytes of a value label; SAS keeps them in another file
LONGEST_TEXT = {"sav": 255, "dta": 80, "xpt": 256}  # of what a column is, in words, so that every version shows it
LONGEST_CODE = 2**31 - 1 - 128  # up to here Stata has whole numbers beside its codes for missing ones
NAME = {
    "sav": re.compile(r"[^\W\d_][\w.@#$]{0,63}"),
    "dta": re.compile(r"[^\W\d][\w]{0,31}"),
    "xpt": re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,31}"),
}
RULES: Mapping[str, Phrase] = {
    "sav": phrase(
        "begin with a letter, have no spaces, and differ in more than upper and lower case, and have at most 64 bytes"
    ),
    "dta": phrase("begin with a letter, have letters, digits and _ only, and have at most 32 characters"),
    "xpt": phrase("begin with a letter, have unaccented letters, digits and _ only, and have at most 32 characters"),
}


@dataclass(frozen=True)
class Described:
    """What is written about a column: its label, its domain, and the codes that labels had where they came from."""

    label: str | None = None
    domain: Domain | None = None
    codes: Mapping[str, Code] | None = None


def write_statistical(table: pa.Table, columns: Mapping[str, Described], file: Path, kind: str) -> None:
    """Write a table; text of a declared domain becomes codes with value labels, where the format has these."""
    need_pyreadstat()
    try:
        polars: Any = importlib.import_module("polars")
    except ImportError:
        raise MissingDependency(
            "Writing files of SPSS, Stata and SAS needs polars; install it with: pip install 'tokumei[stat]'."
        ) from None
    library: Any = importlib.import_module("pyreadstat")
    check_names(table.column_names, kind)
    labels: dict[str, dict[int, str]] = {}
    for place, name in enumerate(table.column_names):
        cells = plain(table.column(name), decode=True)
        told = value_labels(columns[name], kind) if family(cells.type) == "text" else None
        if told is not None:
            labels[name] = told
            cells = _codes(cells, told)
        table = table.set_column(place, name, _plain_type(cells))
    said = {name: _cut(each.label, LONGEST_TEXT[kind]) for name, each in columns.items() if each.label}
    given: dict[str, Any] = {"column_labels": said}
    if kind != "xpt":
        given["variable_value_labels"] = labels
    if kind == "sav":
        given["variable_measure"] = {name: _measure(columns[name]) for name in table.column_names}
        given["variable_format"] = {
            name: form for name in table.column_names if (form := _format(table, name, columns[name]))
        }
    try:
        getattr(library, WRITERS[kind])(polars.from_arrow(table), str(file), **given)
    except (library.ReadstatError, library.PyreadstatError, ValueError, OverflowError):
        file.unlink(missing_ok=True)  # what it says may quote a cell
    if not file.exists():
        raise OutputError("The rows cannot be written as .{kind}; write them as Parquet or CSV.", kind=kind)


def check_names(columns: Sequence[str], kind: str) -> None:
    """Refuse names that a format cannot have."""
    wrong = [name for name in columns if not NAME[kind].fullmatch(name) or len(name.encode()) > 64]
    if kind == "sav":
        lower = [name.lower() for name in columns]
        wrong += [name for name in columns if lower.count(name.lower()) > 1 and name not in wrong]
    if wrong:
        raise OutputError(
            "The columns {wrong} cannot be written as .{kind}, where names {rule}; rename them, or write Parquet or CSV.",
            wrong=names(wrong),
            kind=kind,
            rule=RULES[kind],
        )


def value_labels(column: Described, kind: str) -> dict[int, str] | None:
    """Number the labels of a column: by the codes that they had, others from the next on; None where the format cannot have them as labels.

    >>> value_labels(Described(domain=Categories(["yes", "no", "*"]), codes={"no": 0, "yes": 1}), "sav")
    {1: 'yes', 0: 'no', 2: '*'}
    """
    domain = column.domain
    if not isinstance(domain, Categories) or not isinstance(domain.values[0], str):
        return None
    texts = domain.labels()
    if any(not 0 < len(text.encode()) <= LONGEST_LABEL[kind] or text != text.strip() for text in texts):
        return None
    known = {
        text: code for text, code in (column.codes or {}).items() if type(code) is int and abs(code) <= LONGEST_CODE
    }
    used = [known[text] for text in texts if text in known]
    if len(set(used)) < len(used):
        known, used = {}, []
    following = max([0, *used]) + 1
    made: dict[int, str] = {}
    for text in texts:
        code = known.get(text)
        if code is None:
            code, following = following, following + 1
        made[code] = text
    return made


def _codes(cells: Any, told: Mapping[int, str]) -> Any:
    coded = cells.dictionary_encode()
    of = {text: code for code, text in told.items()}
    return pa.array([of[text] for text in coded.dictionary.to_pylist()], pa.int64()).take(coded.indices)


def _plain_type(cells: Any) -> Any:
    """Return a column in a type that the formats have: doubles, text, days and times."""
    kind = cells.type
    if (
        pa.types.is_boolean(kind)
        or pa.types.is_integer(kind)
        or pa.types.is_decimal(kind)
        or pa.types.is_floating(kind)
    ):
        return (
            cells.cast(pa.float64(), safe=False)
            if not pa.types.is_boolean(kind)
            else cells.cast(pa.int8()).cast(pa.float64())
        )
    if pa.types.is_null(kind):
        return cells.cast(pa.float64())
    return cells


def _measure(column: Described) -> str:
    if isinstance(column.domain, Categories):
        return "ordinal" if column.domain.ordered else "nominal"
    return "scale" if isinstance(column.domain, Numbers) else "unknown"


def _format(table: pa.Table, name: str, column: Described) -> str | None:
    """Say how SPSS shows a number: with the decimals that its domain has."""
    if not pa.types.is_floating(table.column(name).type):
        return None
    if isinstance(column.domain, Categories):
        return "F8.0"
    cells = table.column(name).drop_null().to_numpy()
    if np.all(np.trunc(cells) == cells):
        return "F12.0" if len(cells) and np.max(np.abs(cells)) >= 10**7 else "F8.0"
    if isinstance(column.domain, Numbers) and column.domain.step is not None:
        step, decimals = exact(column.domain.step), 0
        while step.denominator != 1 and decimals < 6:
            step, decimals = step * 10, decimals + 1
        return f"F12.{decimals}"
    return None


def _cut(text: str | None, most: int) -> str:
    return (text or "").encode()[:most].decode(errors="ignore")
