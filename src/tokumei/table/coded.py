"""A table as the library works on it: codes for the columns that have a domain, and the other columns as they came."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from tokumei.errors import DataError, names, nearest, plural
from tokumei.table.classes import smallest_class
from tokumei.table.domain import Categories, Coded, Codes, Domain, code_type, family
from tokumei.table.schema import Attribute, Schema


@dataclass(frozen=True)
class Column:
    """One column: codes where a domain is declared, the cells as they came where they may be released so."""

    codes: Codes | None
    cells: Any  # an Arrow array, or None once the codes have been changed
    kind: Any  # the Arrow type to release it as, or None for the natural one


@dataclass(frozen=True)
class CodedTable:
    """The rows of a table under a schema, with every cell checked against its domain. Identifiers are gone."""

    schema: Schema
    columns: Mapping[str, Column]
    rows: int
    rounded: Mapping[str, int]

    def codes(self, name: str) -> Codes:
        """Return the codes of a column that has a domain."""
        found = self.columns[name].codes
        if found is None:
            raise DataError(f"Column {name!r} has no declared domain; declare one in the schema.")
        return found

    def smallest_class(self, columns: tuple[str, ...]) -> int:
        """Count the rows of the smallest group that agree in all of ``columns``, cell for cell as released."""
        return smallest_class([self._identity(name) for name in columns], self.rows)

    def _identity(self, name: str) -> npt.NDArray[np.int64]:
        column = self.columns[name]
        if column.cells is None:
            return self.codes(name).astype(np.int64)
        encoded = column.cells.dictionary_encode(null_encoding="encode")
        if isinstance(encoded, pa.ChunkedArray):
            encoded = encoded.unify_dictionaries().combine_chunks()
        if pa.types.is_dictionary(column.cells.type):
            encoded = column.cells.cast(column.cells.type.value_type).dictionary_encode(null_encoding="encode")
        found: npt.NDArray[np.int64] = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
        return found

    def with_codes(self, attribute: Attribute, codes: Codes) -> CodedTable:
        """Return the table with one column described and coded anew."""
        assert attribute.domain is not None
        column = Column(codes.astype(code_type(attribute.domain)), cells=None, kind=None)
        schema = self.schema.replacing(attribute)
        return replace(self, schema=schema, columns={**self.columns, attribute.name: column})

    def without(self, *dropped: str) -> CodedTable:
        """Return the table less some columns."""
        schema = self.schema.without(*dropped)
        return replace(self, schema=schema, columns={n: c for n, c in self.columns.items() if n not in dropped})


def encode(table: pa.Table, schema: Schema) -> CodedTable:
    """Check a table against its schema and turn it into codes; identifiers are dropped here."""
    present = table.column_names
    lacking = [name for name in schema.names() if name not in present]
    if lacking:
        raise DataError(f"The table has no column {names(lacking)}.{nearest(lacking[0], present)}")
    unknown = [name for name in present if name not in schema.names()]
    if unknown:
        raise DataError(
            f"The schema does not describe {names(unknown)}; describe it, as an identifier if it is to be dropped."
        )
    if table.num_rows == 0:
        raise DataError("The table has no rows.")
    columns, rounded = {}, {}
    for name in present:  # the order of the frame is kept
        attribute = schema[name]
        if attribute.role != "identifier":
            columns[name], moved = _encode_column(table.column(name), attribute)
            if moved:
                rounded[name] = moved
    if not columns:
        raise DataError("Every column is an identifier, so nothing is left to release.")
    return CodedTable(schema.without(*schema.names("identifier")), columns, table.num_rows, rounded)


def _encode_column(cells: Any, attribute: Attribute) -> tuple[Column, int]:
    if isinstance(cells, pa.ChunkedArray):
        cells = cells.combine_chunks() if cells.num_chunks != 1 else cells.chunk(0)
    if attribute.domain is None:
        if cells.null_count and not attribute.missing:
            raise _missing(attribute, cells.null_count)
        return Column(None, cells, cells.type), 0
    try:
        coded: Coded = attribute.domain.code(cells)
    except DataError as error:
        raise DataError(f"Column {attribute.name!r} {error}.") from None
    if coded.outside:
        whole = plural(coded.outside, "value")
        raise DataError(f"Column {attribute.name!r} has {whole} outside its domain ({attribute.domain.describe()}).")
    missing = int(np.count_nonzero(coded.codes == attribute.domain.size))
    if missing and not attribute.missing:
        raise _missing(attribute, missing)
    _check_type(cells.type, attribute)
    return Column(coded.codes.astype(code_type(attribute.domain)), cells, cells.type), coded.rounded


def _missing(attribute: Attribute, count: int) -> DataError:
    return DataError(
        f"Column {attribute.name!r} has {plural(count, 'missing value')}; allow them with missing=True, and they will "
        "be protected like any other value."
    )


def _check_type(kind: Any, attribute: Attribute) -> None:
    """Refuse a column type that could not hold every value of its domain, before anything is drawn."""
    domain = attribute.domain
    assert domain is not None
    if pa.types.is_dictionary(kind) or pa.types.is_null(kind):
        return
    try:
        decode(np.array([0, domain.size // 2, domain.size - 1]), domain, kind)
    except DataError:
        hint = " Give the domain a whole step." if pa.types.is_integer(kind) else ""
        raise DataError(
            f"Column {attribute.name!r} has the type {kind}, which cannot hold every value of its domain "
            f"({domain.describe()}).{hint}"
        ) from None


def as_released(column: Column, attribute: Attribute, order: npt.NDArray[np.int64], codes: Codes | None) -> Any:
    """Return a column as it leaves the house: drawn codes or the cells as they are, in the order of the shuffle.

    A dictionary is never passed on: its order is that of the original rows. It is made anew, in the declared order
    where there is one and sorted otherwise.
    """
    if codes is None and column.cells is not None:
        cells = column.cells
        if not pa.types.is_dictionary(cells.type):
            return cells.take(pa.array(order))
        if not isinstance(attribute.domain, Categories):
            labels = cells.cast(cells.type.value_type)
            found = pc.array_sort_indices(labels.unique().drop_null())
            declared = labels.unique().drop_null().take(found)
            indices = pc.index_in(labels, value_set=declared).take(pa.array(order))
            return pa.DictionaryArray.from_arrays(indices, declared)
    if codes is None:
        codes = column.codes
    assert codes is not None and attribute.domain is not None
    return decode(codes[order], attribute.domain, column.kind)


def decode(codes: Codes, domain: Domain, kind: Any) -> Any:
    """Turn codes into an Arrow array of type ``kind``; a dictionary has the declared values in the declared order."""
    if kind is not None and pa.types.is_dictionary(kind) and isinstance(domain, Categories):
        index = kind.index_type if domain.size <= 2 ** (kind.index_type.bit_width - 1) else pa.int32()
        indices = pa.array(codes.astype(index.to_pandas_dtype()), mask=np.asarray(codes == domain.size))
        labels = domain.arrow.cast(kind.value_type)
        return pa.DictionaryArray.from_arrays(indices, labels, ordered=kind.ordered)
    values = domain.values_of(codes)
    if kind is None or pa.types.is_null(kind) or pa.types.is_dictionary(kind):
        return values
    try:
        # A float32 or a day cannot always hold the exact grid point; the nearest one it can hold is meant.
        exact = family(kind) == "numbers" and not pa.types.is_floating(kind)
        return values.cast(kind, safe=exact)
    except pa.ArrowInvalid:
        raise DataError(f"values of the domain do not fit the type {kind}") from None
