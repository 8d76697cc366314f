"""Codebooks: what the columns of a survey are called in words, which codes they hold, and which of these mean that nothing is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import pyarrow as pa

from tokumei.table.domain import Categories, Numbers, family, number_text, plain
from tokumei.table.frames import Origin, from_arrow, to_arrow

Code = int | float | str
Measure = Literal["nominal", "ordinal", "scale"]


@dataclass(frozen=True)
class Variable:
    """What a codebook says about one column.

    Parameters
    ----------
    name
        The column.
    label
        What it is, in words.
    values
        Codes and what each stands for.
    missing
        Codes, from one to another, that mean a missing value.
    measure
        ``nominal``, ``ordinal`` (the order of the codes means something) or ``scale`` (they are a quantity).
    low, high, step
        The range of a quantity.
    role
        What the column is for, where the codebook says so.
    """

    name: str
    label: str | None = None
    values: tuple[tuple[Code, str], ...] = ()
    missing: tuple[tuple[Code, Code], ...] = ()
    measure: Measure | None = None
    low: float | None = None
    high: float | None = None
    step: float | None = None
    role: str | None = None

    @property
    def labels(self) -> dict[Code, str]:
        """The label of each code that is a value; codes that share a label, or have an empty one, are told apart by the code.

        >>> Variable("q1", values=((1, "yes"), (2, "no"), (8, "other"), (9, "other")), missing=((9, 9),)).labels
        {1: 'yes', 2: 'no', 8: 'other'}
        """
        there = [(plain_code(code), text.strip()) for code, text in self.values if not self.is_missing(code)]
        counted = Counter(text for _, text in there)
        return {code: _told_apart(code, text, counted[text]) for code, text in there}

    @property
    def domain(self) -> Categories | Numbers | None:
        """The values the column may take, as far as the codebook says it."""
        labels = self.labels
        if labels and self.measure != "scale":
            return Categories(tuple(dict.fromkeys(labels.values())), ordered=self.measure == "ordinal")
        if self.low is not None and self.high is not None:
            return Numbers(self.low, self.high, self.step, quantity=self.measure == "scale")
        return None

    def is_missing(self, code: Code) -> bool:
        """Whether a code means a missing value."""
        code = plain_code(code)
        for low, high in self.missing:
            if isinstance(code, str) or isinstance(low, str) or isinstance(high, str):
                if str(code) == str(low) == str(high):
                    return True
            elif low <= code <= high:
                return True
        return False


def _told_apart(code: Code, text: str, often: int) -> str:
    if not text:
        return code_text(code)
    return text if often == 1 else f"{text} ({code_text(code)})"


def plain_code(code: Any) -> Code:
    """Return a code as the number that it is, a whole one as such; text that is no number stays text.

    >>> plain_code(2.0), plain_code(" 07"), plain_code("M")
    (2, 7, 'M')
    """
    if isinstance(code, str):
        code = code.strip()
        try:
            code = float(code) if len(code) < 25 and code.isascii() else code
        except ValueError:
            return str(code)
    if isinstance(code, float) and code.is_integer():
        return int(code)
    return code


def code_text(code: Code) -> str:
    """Write a code as a person would."""
    return code if isinstance(code, str) else number_text(code)


@dataclass(frozen=True)
class Codebook(Mapping[str, Variable]):
    """The variables of a survey by their names.

    >>> book = Codebook((Variable("sex", "Sex of the person", ((1, "male"), (2, "female"))),))
    >>> book["sex"].labels[2]
    'female'
    """

    variables: tuple[Variable, ...] = ()
    _by_name: dict[str, Variable] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_name", {each.name: each for each in self.variables})

    def __getitem__(self, name: str) -> Variable:
        return self._by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)

    def over(self, other: Codebook) -> Codebook:
        """Return the variables of both; where both have one, this one's."""
        return Codebook(tuple({**other._by_name, **self._by_name}.values()))

    def with_missing(self, marks: Collection[str]) -> Codebook:
        """Return a codebook in which some codes mean a missing value in every column.

        >>> book = Codebook((Variable("trust", values=((1, "low"), (2, "high"), (999, "refused"))),))
        >>> book.with_missing(["", "999"])["trust"].labels
        {1: 'low', 2: 'high'}
        """
        more = tuple((plain_code(mark), plain_code(mark)) for mark in marks if mark)
        return Codebook(tuple(replace(each, missing=(*each.missing, *more)) for each in self.variables))

    def apply(self, frame: Any, columns: Collection[str] | None = None) -> Any:
        """Return a frame with labels in place of codes, and missing cells in place of codes that mean it.

        Codes of ``columns`` are replaced; without it, those of columns of which every code has a label.
        """
        table, origin = to_arrow(frame)
        made = labelled(table, self, columns)
        changed = [name for name in table.column_names if made.column(name).type != table.column(name).type]
        types = {name: kind for name, kind in origin.types.items() if name not in changed}
        return from_arrow(made, Origin(origin.kind, types), {})


def labelled(table: pa.Table, book: Codebook, columns: Collection[str] | None = None) -> pa.Table:
    """Put labels in place of the codes of some columns, and nothing in place of codes that mean a missing value.

    Without ``columns`` these are the columns of which every code has a label, unless they are a quantity.

    >>> book = Codebook((Variable("sex", values=((1, "male"), (2, "female"), (9, "unknown")), missing=((9, 9),)),))
    >>> labelled(pa.table({"sex": [1, 2, 9], "age": [3, 4, 5]}), book).to_pydict()
    {'sex': ['male', 'female', None], 'age': [3, 4, 5]}
    """
    for place, name in enumerate(table.column_names):
        variable = book.get(name)
        if variable is not None and (variable.values or variable.missing):
            asked = None if columns is None else name in columns
            table = table.set_column(place, name, _labelled(table.column(name), variable, asked))
    return table


def _labelled(column: Any, variable: Variable, asked: bool | None) -> Any:
    cells = plain(column, decode=True)
    if family(cells.type) not in {"numbers", "text"}:
        return column
    coded = cells.dictionary_encode()
    codes = coded.dictionary.to_pylist()
    known = [_known(code, variable) for code in codes]
    if asked is None:
        asked = bool(variable.labels) and variable.measure != "scale" and None not in known
    if asked:
        return pa.array(_texts(codes, known), pa.string()).take(coded.indices)
    absent = [variable.is_missing(code) for code in codes]
    if not any(absent):
        return cells
    left = [None if gone else code for code, gone in zip(codes, absent, strict=True)]
    return pa.array(left, cells.type).take(coded.indices)


def _known(code: Any, variable: Variable) -> str | None:
    """Return the label of a cell: an empty one where it means a missing value, None where the codebook does not have it."""
    if code != code or variable.is_missing(code):  # noqa: PLR0124  (NaN)
        return ""
    labels = variable.labels
    found = labels.get(plain_code(code))
    if found is None and isinstance(code, str):
        return code if code in labels.values() else labels.get(code)
    return found


def _texts(codes: Sequence[Any], known: Sequence[str | None]) -> list[str | None]:
    """Return what stands in place of each code: its label, the code itself where it has none, nothing where it is missing."""
    pairs = zip(codes, known, strict=True)
    return [code_text(plain_code(code)) if label is None else label or None for code, label in pairs]
