"""Released cells on their way through Spark's shuffle: a few bits in a word instead of a cell in a column.

A drawn cell is a value of its declared domain, so its code tells it, and Spark can look it up among the values once the rows are in their
new order. It then sorts a word or two for each row, where text and numbers of all columns would take several times as much.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei.arrays import Codes, Integers
from tokumei.engines.spark.release import quoted
from tokumei.table.coded import told_by_codes
from tokumei.table.domain import Domain
from tokumei.table.schema import Schema

WORD = "tokumei packed"
BITS = 63  # of a word: no sign
MOST = 2**12  # values of a domain that are looked up by their codes
SQL = {pa.string(): "string", pa.int64(): "bigint", pa.float64(): "double"}


@dataclass(frozen=True)
class Place:
    """Where the code of a column is: in which word, from which bit on, and in how many bits."""

    word: int
    first: int
    bits: int


@dataclass(frozen=True)
class Packing:
    """Which columns travel as codes, and where."""

    places: Mapping[str, Place]

    @property
    def kinds(self) -> dict[str, Any]:
        """The names and Arrow types of the words."""
        words = 1 + max((place.word for place in self.places.values()), default=-1)
        return {f"{WORD} {word}": pa.int64() for word in range(words)}

    def packed(self, codes: Mapping[str, Codes], rows: int) -> dict[str, Any]:
        """Return the words of rows.

        >>> packing = Packing({"sex": Place(0, 0, 1), "town": Place(0, 1, 4)})
        >>> packing.packed({"sex": np.array([0, 1]), "town": np.array([3, 3])}, 2)["tokumei packed 0"].to_pylist()
        [6, 7]
        """
        words: list[Integers] = [np.zeros(rows, dtype=np.int64) for _ in self.kinds]
        for name, place in self.places.items():
            words[place.word] |= codes[name].astype(np.int64) << place.first
        return {name: pa.array(word) for name, word in zip(self.kinds, words, strict=True)}

    def opened(self, frame: Any, schema: Schema, types: Mapping[str, Any]) -> Any:
        """Return a Spark frame of the released columns, in the order of ``types``: codes become the values of their domains."""
        from pyspark.sql import functions as F  # noqa: N812

        def cell(name: str) -> Any:
            if name not in self.places:
                return F.col(quoted(name))
            place, domain = self.places[name], schema[name].domain
            assert domain is not None
            values = domain.values_of(np.arange(domain.size + 1)).to_pylist()  # the last is a missing cell
            code = F.shiftright(F.col(f"{WORD} {place.word}"), place.first).bitwiseAND((1 << place.bits) - 1)
            array = F.expr(f"array({', '.join(_written(value, SQL[types[name]]) for value in values)})")
            return F.element_at(array, code.cast("int") + 1).alias(name)

        return frame.select(*[cell(name) for name in types])


UNPACKED = Packing({})


def packing_of(schema: Schema, types: Mapping[str, Any], anew: Iterable[str]) -> Packing:
    """Pack the columns that are made anew from codes, and those whose codes tell their cells, where values are few, plain and declared.

    The values stand in the plan of the query, which Spark may log: those that are known only from the rows must not.
    """
    places: dict[str, Place] = {}
    word, first, made = 0, 0, set(anew)
    for name, kind in types.items():
        domain = schema[name].domain
        if domain is None or schema[name].observed or domain.size > MOST or kind not in SQL:
            continue
        if name not in made and not (told_by_codes(schema[name], kind) and _value_type(domain) == kind):
            continue
        bits = domain.size.bit_length()  # a missing cell has the code ``size``
        if first + bits > BITS:
            word, first = word + 1, 0
        places[name] = Place(word, first, bits)
        first += bits
    return Packing(places)


def _value_type(domain: Domain) -> Any:
    return domain.values_of(np.zeros(0, dtype=np.uint32)).type


def _written(value: Any, kind: str) -> str:
    """Write a value in SQL, in a way that no setting of Spark reads differently: text by its bytes."""
    if value is None:
        return f"cast(null as {kind})"
    if kind == "string":
        return f"cast(X'{value.encode().hex()}' as string)"
    return f"cast('{value!r}' as {kind})"
