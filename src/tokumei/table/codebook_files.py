"""Codebooks as files: a CSV of variables, labels and values, or a DDI codebook."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.parsers import expat

from tokumei.bounds import DEEPEST, LARGEST_TEXT, MOST_COLUMNS, MOST_PARTS, size_text
from tokumei.errors import DataError
from tokumei.files import kind_of_place, reason
from tokumei.messages import phrase
from tokumei.table.codebook import Code, Codebook, Measure, Variable, plain_code

# What the columns of a codebook are called, in English and Japanese.
HEADINGS: Mapping[str, tuple[str, ...]] = {
    "name": ("variable", "variables", "name", "column", "field", "varname", "変数", "変数名", "列", "列名", "項目"),
    "label": (
        "label",
        "description",
        "question",
        "variable label",
        "varlabel",
        "title",
        "ラベル",
        "説明",
        "変数ラベル",
        "設問",
        "質問",
    ),
    "values": ("values", "value labels", "categories", "codes", "levels", "選択肢", "値ラベル", "カテゴリ", "コード表"),
    "value": ("value", "code", "値", "コード"),
    "value_label": ("value label", "category", "code label", "値の説明", "内容", "値の意味"),
    "missing": ("missing", "missing values", "missing codes", "na", "欠損", "欠損値", "欠測", "欠測値"),
    "measure": ("measure", "measurement", "level", "scale", "type", "尺度", "尺度水準", "種類"),
    "low": ("low", "min", "minimum", "最小", "最小値", "下限"),
    "high": ("high", "max", "maximum", "最大", "最大値", "上限"),
    "step": ("step", "単位", "刻み"),
    "role": ("role", "役割"),
}
MEASURES: Mapping[str, Measure] = {
    "nominal": "nominal", "categorical": "nominal", "ordinal": "ordinal", "ordered": "ordinal",
    "scale": "scale", "interval": "scale", "ratio": "scale", "continuous": "scale", "numeric": "scale", "quantity": "scale",
    "名義": "nominal", "名義尺度": "nominal", "順序": "ordinal", "順序尺度": "ordinal",
    "間隔": "scale", "間隔尺度": "scale", "比例": "scale", "比例尺度": "scale", "数値": "scale", "連続": "scale",
}  # fmt: skip
ROLES = {"identifier", "person", "quasi_identifier", "sensitive", "insensitive"}
BETWEEN = re.compile(r"\s*[;|\n；]\s*")  # two values of one cell
MEANS = re.compile(r"\s*(?:=|:|：|＝|→)\s*")  # what stands between a code and its label
RANGE = re.compile(r"^\s*(-?\d+(?:\.\d+)?)\s*(?:\.\.|thru|to|～|〜)\s*(-?\d+(?:\.\d+)?)\s*$", re.IGNORECASE)
NOT_XML = phrase("it is not a DDI codebook (XML), or it is damaged")


def read_codebook_file(file: Path, encoding: str = "utf-8") -> Codebook:
    """Read a codebook; a file that is XML is taken for a DDI codebook, any other for CSV.

    CSV has a line of headings: ``variable``, ``label`` and ``values`` (``1 = male; 2 = female``), or ``value`` and ``value label`` with one line per
    value; ``missing``, ``measure``, ``low``, ``high``, ``step`` and ``role`` may be there too. The headings may be Japanese.
    """
    content = _bytes(file)
    start = content[:200].lstrip(codecs.BOM_UTF8).lstrip()
    if start.startswith(b"<") or file.suffix.lower() == ".xml":
        variables = _from_ddi(file, content)
    else:
        variables = _from_csv(file, _text(file, content, encoding))
    if not variables:
        raise DataError("{file} is a codebook without a variable.", file=file)
    if len(variables) > MOST_COLUMNS:
        raise DataError(
            "{file} has {found:,} variables, and at most {most:,} are read.",
            file=file,
            found=len(variables),
            most=MOST_COLUMNS,
        )
    return Codebook(tuple(variables))


def _bytes(file: Path) -> bytes:
    if kind_of_place(file) != "file":
        raise DataError("{file} does not exist, or is not a file.", file=file)
    try:
        with file.open("rb") as opened:
            content = opened.read(LARGEST_TEXT + 1)
    except OSError as error:
        raise DataError("{path} cannot be read: {reason}.", path=file, reason=reason(error)) from None
    if len(content) > LARGEST_TEXT:
        raise DataError("{path} is larger than {size}, the most that is read.", path=file, size=size_text(LARGEST_TEXT))
    return content


def _text(file: Path, content: bytes, encoding: str) -> str:
    for attempt in ("utf-8-sig", encoding):
        try:
            return content.decode(attempt)
        except (UnicodeError, LookupError):
            continue
    raise DataError("{file} is not {encoding} text; give its encoding (--encoding).", file=file, encoding=encoding)


def _from_csv(file: Path, text: str) -> list[Variable]:
    first = text.partition("\n")[0]
    delimiter = max((",", ";", "\t"), key=first.count)
    try:
        lines = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    except csv.Error as error:
        raise DataError("{file} is not a codebook: {error}.", file=file, error=error) from None
    place = _places(lines[0] if lines else ())
    if "name" not in place or not {"label", "values", "value"} & set(place):
        raise DataError(
            "{file} is not a codebook: its first line must name a column variable, and label, values or both; see the page on codebooks.",
            file=file,
        )
    found: dict[str, dict[str, Any]] = {}
    name = ""
    for number, line in enumerate(lines[1:], start=2):
        cells = {key: line[at].strip() if at < len(line) else "" for key, at in place.items()}
        name = cells.pop("name") or name
        if not any(cells.values()):
            continue
        if not name:
            raise DataError("{file}: line {line} has no variable.", file=file, line=number)
        _add(found.setdefault(name, {"values": [], "missing": []}), cells, file, number)
    return [_made(name, parts) for name, parts in found.items()]


def _places(head: Sequence[str]) -> dict[str, int]:
    """Find which column of a codebook holds what."""
    place: dict[str, int] = {}
    for at, heading in enumerate(head):
        said = re.sub(r"[\s_-]+", " ", heading.strip().lower())
        key = next((key for key, known in HEADINGS.items() if said in known), None)
        if key is not None:
            place.setdefault(key, at)
    if "value" in place and "value_label" not in place and "label" in place and "values" not in place:
        labels = [at for at, heading in enumerate(head) if heading.strip().lower() in HEADINGS["label"]]
        if len(labels) > 1:  # variable, label, value, label
            place["value_label"] = labels[1]
    return place


def _add(parts: dict[str, Any], cells: Mapping[str, str], file: Path, number: int) -> None:
    if cells.get("values"):
        parts["values"] += _pairs(cells["values"], file, number)
    if cells.get("value"):
        parts["values"].append((plain_code(cells["value"]), cells.get("value_label") or cells["value"]))
    parts["missing"] += [_range(each) for each in BETWEEN.split(cells.get("missing", "").replace(",", ";")) if each]
    measure = MEASURES.get(cells.get("measure", "").lower())
    if measure is not None:
        parts["measure"] = measure
    for key in ("low", "high", "step"):
        if cells.get(key):
            parts[key] = _number(cells[key], key, file, number)
    role = cells.get("role", "").lower().replace("-", "_").replace(" ", "_")
    if role and role not in ROLES:
        raise DataError("{file}: line {line} has a role that there is not.", file=file, line=number)
    if role:
        parts["role"] = role
    if cells.get("label"):
        parts.setdefault("label", cells["label"])


def _pairs(cell: str, file: Path, number: int) -> list[tuple[Code, str]]:
    """Read ``1 = male; 2 = female``; values without a label are their own."""
    pairs = []
    for each in BETWEEN.split(cell):
        if each:
            code, _, label = _parted(each)
            pairs.append((plain_code(code), label or code))
    if len(pairs) == 1 and cell.count("=") > 1:  # 1=male, 2=female
        return _pairs(re.sub(r"\s*[,、]\s*(?=[^,=]*=)", ";", cell), file, number)
    return pairs


def _parted(each: str) -> tuple[str, str, str]:
    found = MEANS.search(each)
    return (
        (each.strip(), "", "") if found is None else (each[: found.start()].strip(), "=", each[found.end() :].strip())
    )


def _range(text: str) -> tuple[Code, Code]:
    found = RANGE.match(text)
    return (plain_code(text), plain_code(text)) if found is None else (plain_code(found[1]), plain_code(found[2]))


def _number(text: str, key: str, file: Path, number: int) -> float:
    code = plain_code(text)
    if isinstance(code, str) or code != code or code in (float("inf"), float("-inf")):  # noqa: PLR0124
        raise DataError("{file}: line {line}, {key}, must be a number.", file=file, line=number, key=key)
    return code


def _made(name: str, parts: Mapping[str, Any]) -> Variable:
    lists = {key: tuple(dict.fromkeys(parts[key])) for key in ("values", "missing")}
    return Variable(name=name, **{**parts, **lists})


def _from_ddi(file: Path, content: bytes) -> list[Variable]:
    """Read the variables of a DDI codebook (2.5, and 1.2 and 2.1, which describe them in the same way)."""
    reader = _Ddi()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = reader.start, reader.end
    parser.CharacterDataHandler = reader.text
    parser.StartDoctypeDeclHandler = _refuse  # no entity can be declared then, and none is fetched
    broken = False
    try:
        parser.Parse(content, True)
    except (expat.ExpatError, ValueError):
        broken = True
    if broken:
        raise DataError("{path} cannot be read: {problem}.", path=file, problem=NOT_XML)
    return reader.variables


def _refuse(*_given: Any) -> None:
    raise ValueError("a codebook declares no types of its own")


class _Ddi:
    """Collects variables from the elements of a DDI codebook: ``var``, ``labl``, ``catgry``, ``catValu``, ``invalrng`` and ``valrng``."""

    def __init__(self) -> None:
        self.variables: list[Variable] = []
        self._path: list[str] = []
        self._parts: dict[str, Any] | None = None
        self._category: dict[str, Any] | None = None
        self._words: list[str] = []
        self._seen = 0

    def start(self, name: str, told: dict[str, str]) -> None:
        """Begin an element."""
        kind = name.rpartition(":")[2]
        self._path.append(kind)
        self._seen += 1
        if len(self._path) > DEEPEST or self._seen > MOST_PARTS:
            raise ValueError("it is too deep, or has too many parts")
        self._words = []
        if kind == "var":
            self._parts = {"name": told.get("name") or told.get("ID", ""), "values": [], "missing": []}
            nature = MEASURES.get(told.get("nature", "").lower()) or (
                "scale" if told.get("intrvl") == "contin" else None
            )
            self._parts |= {} if nature is None else {"measure": nature}
        elif self._parts is None:
            return
        elif kind == "catgry":
            self._category = {"missing": told.get("missing", "N").upper() == "Y"}
        elif kind == "item" and "invalrng" in self._path:
            self._parts["missing"].append((plain_code(told.get("VALUE", "")),) * 2)
        elif kind == "range":
            self._range(self._parts, told)

    def _range(self, parts: dict[str, Any], told: Mapping[str, str]) -> None:
        low, high = (plain_code(told.get(end) or told.get(f"{end}Exclusive", "")) for end in ("min", "max"))
        if isinstance(low, str) or isinstance(high, str):
            return
        if "invalrng" in self._path:
            parts["missing"].append((low, high))
        elif "valrng" in self._path:
            parts |= {"low": low, "high": high}

    def text(self, words: str) -> None:
        """Take text of the element that is open."""
        self._words.append(words)

    def end(self, _name: str) -> None:
        """End an element."""
        kind = self._path.pop()
        words, self._words = " ".join("".join(self._words).split()), []
        if self._parts is None:
            return
        above = self._path[-1] if self._path else ""
        if kind == "labl" and above == "var":
            self._parts.setdefault("label", words or None)
        elif kind == "qstnLit" and words:
            self._parts.setdefault("question", words)
        elif self._category is not None and kind == "catValu":
            self._category["code"] = plain_code(words)
        elif self._category is not None and kind == "labl" and above == "catgry":
            self._category.setdefault("label", words)
        elif kind == "catgry" and self._category is not None:
            self._close(self._parts, self._category)
            self._category = None
        elif kind == "var":
            question = self._parts.pop("question", None)
            if not self._parts.get("label"):
                self._parts["label"] = question
            name = self._parts.pop("name")
            if name:
                self.variables.append(_made(name, self._parts))
            self._parts = None

    @staticmethod
    def _close(parts: dict[str, Any], category: Mapping[str, Any]) -> None:
        if "code" not in category:
            return
        if category.get("label"):
            parts["values"].append((category["code"], category["label"]))
        if category["missing"]:
            parts["missing"].append((category["code"],) * 2)
