"""A table as the library works on it: codes for the columns that have a domain, and the other columns as they came."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tokumei.arrays import AnyIntegers, Codes, Floats, Integers, Unsigned64
from tokumei.errors import DataError, InvalidParameter
from tokumei.messages import phrase
from tokumei.progress import stop_if_asked
from tokumei.table.canonical import canonical
from tokumei.table.classes import class_of
from tokumei.table.domain import Categories, Coded, Numbers, cast_values, code_type, family, plain
from tokumei.table.people import People
from tokumei.table.schema import DROPPED, Attribute, Schema
from tokumei.text import names, nearest

PLAIN = {"booleans", "numbers", "text", "dates", "times of day", "bytes", "nothing but missing cells"}


@dataclass(frozen=True, repr=False)  # what it holds is nobody's business in a message
class Column:
    """One column: codes where a domain is declared, the cells as they came where they may be released so.

    Cells are text, and large: those of some rows in another order are copied only when somebody looks at them.
    """

    codes: Codes | None
    came: Any  # an Arrow array, or None once the codes have been changed
    rows: AnyIntegers | None = None  # which of its cells there are; None for all of them, in their order

    @property
    def cells(self) -> Any:
        """The cells as an Arrow array; None once the codes have been changed."""
        return self.came if self.came is None or self.rows is None else self.came.take(pa.array(self.rows))

    @property
    def told_by_cells(self) -> bool:
        """Whether there are cells beside the codes."""
        return self.came is not None

    def taking(self, rows: AnyIntegers) -> Column:
        """Return the column with the cells of some rows, in the order given."""
        codes = None if self.codes is None else self.codes[rows]
        return Column(codes, self.came, None if self.came is None else self._places(rows))

    def cells_of(self, rows: AnyIntegers) -> Any:
        """Return the cells of some rows, in the order given."""
        return None if self.came is None else self.came.take(pa.array(self._places(rows)))

    def _places(self, rows: AnyIntegers) -> AnyIntegers:
        return rows if self.rows is None else self.rows[rows]


@dataclass(frozen=True, repr=False)
class CodedTable:
    """The rows of a table under a schema, with every cell checked against its domain. Identifiers are gone.

    Where a column said whose row each is, ``people`` has kept that, as numbers. Where draws repeat, ``tags`` has a keyed hash of each
    row's person, in two words.
    """

    schema: Schema
    columns: Mapping[str, Column]
    rows: int
    rounded: Mapping[str, int]
    people: People | None = None
    tags: Unsigned64 | None = None

    def codes(self, name: str) -> Codes:
        """Return the codes of a column that has a domain."""
        found = self.columns[self.schema[name].name].codes
        if found is None:
            raise DataError("Column {name!r} has no declared domain; declare one in the schema.", name=name)
        return found

    def class_of(self, columns: tuple[str, ...]) -> Integers:
        """Number the groups of rows that agree in all of ``columns``, cell for cell as released."""
        return class_of((self.identity(name) for name in columns), self.rows)

    def identity(self, name: str) -> Codes:
        """Return what tells the cells of a column apart as they would be released: their codes, or their ranks.

        Codes tell cells apart unless some lie between the points of a grid.
        """
        column = self.columns[name]
        if column.codes is not None and not (column.told_by_cells and self.rounded.get(name)):
            return column.codes
        number = numbered(column.cells)
        if column.codes is None:
            return number
        example = np.empty(int(number.max(initial=-1)) + 1, dtype=np.int64)
        example[number] = np.arange(self.rows)
        rank = np.empty(len(example), dtype=np.int64)
        rank[pc.sort_indices(column.cells_of(example)).to_numpy()] = np.arange(len(example))
        return rank[number]

    def with_codes(self, attribute: Attribute, codes: Codes, cells: Any = None) -> CodedTable:
        """Return the table with one column described and coded anew; without ``cells``, its codes are all that it has."""
        assert attribute.domain is not None
        column = Column(codes.astype(code_type(attribute.domain), copy=False), cells)
        schema = self.schema.replacing(attribute)
        return replace(self, schema=schema, columns={**self.columns, attribute.name: column})

    def described(self, attribute: Attribute) -> CodedTable:
        """Return the table with one column described anew, its codes being the same."""
        return replace(self, schema=self.schema.replacing(attribute))

    def taking(self, rows: AnyIntegers) -> CodedTable:
        """Return the table with some of its rows only, in the order given."""
        columns = {name: column.taking(rows) for name, column in self.columns.items()}
        people = None if self.people is None else self.people.taking(rows)
        tags = None if self.tags is None else self.tags[rows]
        return replace(self, columns=columns, rows=len(rows), people=people, tags=tags)

    def without(self, *dropped: str) -> CodedTable:
        """Return the table less some columns."""
        schema = self.schema.without(*dropped)
        return replace(self, schema=schema, columns={n: c for n, c in self.columns.items() if n not in dropped})


def numbered(cells: Any) -> Integers:
    """Number the different cells of an Arrow array, missing ones being one of them."""
    if pa.types.is_dictionary(cells.type):
        number = numbered(pa.concat_arrays([cells.dictionary, pa.nulls(1, cells.type.value_type)]))
        return number[cells.indices.fill_null(len(cells.dictionary)).to_numpy(zero_copy_only=False)]
    indices = canonical(cells).dictionary_encode(null_encoding="encode").indices
    return indices.to_numpy(zero_copy_only=False).astype(np.int64)


def with_numbered_texts(table: pa.Table) -> pa.Table:
    """Return a table whose texts are a dictionary, in the order in which they occur, and numbers: one that is held for long takes a third of the room.

    >>> made = with_numbered_texts(pa.table({"a": ["x", "y", "x", None], "b": [1, 2, 3, 4]}))
    >>> made.column("a").type
    DictionaryType(dictionary<values=string, indices=int8, ordered=0>)
    >>> made.column("a").to_pylist()
    ['x', 'y', 'x', None]
    """
    made = {}
    for name in table.column_names:
        cells = table.column(name)
        if pa.types.is_string(cells.type) or pa.types.is_large_string(cells.type):
            coded = plain(cells.dictionary_encode())
            kind = next(
                kind
                for kind in (pa.int8(), pa.int16(), pa.int32())
                if len(coded.dictionary) < 2 ** (kind.bit_width - 1) - 1
            )
            if kind != pa.int32():  # of a column of names, say, more would be held
                cells = pa.DictionaryArray.from_arrays(coded.indices.cast(kind), coded.dictionary)
        made[name] = plain(cells)
    return pa.table(made)


def in_few_bytes(codes: Integers) -> Codes:
    """Return numbers from 0 on in as few bytes each as will do.

    >>> in_few_bytes(np.array([0, 255])).dtype, in_few_bytes(np.array([0, 256])).dtype
    (dtype('uint8'), dtype('uint16'))
    """
    return codes.astype(np.min_scalar_type(int(codes.max(initial=0))))


LARGEST_WEIGHT = 1e100  # its square, times any number of rows, is a number; and so is one over it


def row_weights(table: CodedTable, name: str) -> Floats:
    """Return the weights of rows from a column of a table: finite numbers of at least 0, and not all 0."""
    column = table.columns[name]
    cells: Any = column.cells
    if cells is None:
        domain = table.schema[name].domain
        assert domain is not None
        cells = domain.values_of(table.codes(name))
    if family(cells.type) != "numbers" or cells.null_count:
        raise InvalidParameter("the weights {name!r} must be numbers without missing cells.", name=name)
    weights = np.asarray(cells.cast(pa.float64()).to_numpy(zero_copy_only=False))
    wrong = int(np.count_nonzero(~(np.isfinite(weights) & (weights >= 0))))
    if wrong or not np.any(weights > 0):
        if wrong:
            raise InvalidParameter(
                "the weights {name!r} must be finite numbers of at least 0, and not all 0; {wrong:row has|rows have} another.",
                name=name,
                wrong=wrong,
            )
        raise InvalidParameter(
            "the weights {name!r} must be finite numbers of at least 0, and not all 0; they are.", name=name
        )
    if not 1 / LARGEST_WEIGHT <= weights.max() <= LARGEST_WEIGHT:
        if weights.max() > 1:
            raise InvalidParameter(
                "the weights {name!r} are too large to be squared and added up; scale them.", name=name
            )
        raise InvalidParameter("the weights {name!r} are too small to be squared and added up; scale them.", name=name)
    return weights


def encode(table: pa.Table, schema: Schema, *, cells: Collection[str] | None = None, empty: bool = False) -> CodedTable:
    """Check a table against its schema and turn it into codes; identifiers are dropped here.

    With ``cells``, only the cells of these columns are kept beside their codes, and of them only those that codes cannot tell.
    A table without rows is refused, unless ``empty`` says that only its columns are to be looked at.
    """
    present = table.column_names
    check_columns(present, schema)
    if table.num_rows == 0 and not empty:
        raise DataError("The table has no rows.")
    columns, rounded = {}, {}
    for name in present:  # the order of the frame is kept
        stop_if_asked()
        attribute = schema[name]
        if attribute.role not in DROPPED:
            given = table.column(name)
            bare = cells is not None and (name not in cells or told_by_codes(attribute, given.type))
            columns[name], moved = _encode_column(given, attribute, bare=bare and attribute.domain is not None)
            if moved:
                rounded[name] = moved
    if not columns:
        raise DataError("Every column is an identifier, so nothing is left to release.")
    released = schema.without(*schema.names(*DROPPED))
    return CodedTable(released, columns, table.num_rows, rounded, people_of(table, schema))


def people_of(table: pa.Table, schema: Schema) -> People | None:
    """Number the people of a table, where a column says whose row each is."""
    for name in schema.names("person"):
        cells = plain(table.column(name), decode=True)
        if family(cells.type) not in PLAIN:
            raise DataError(
                "Column {name!r} holds {holds}, which cannot say whose row each is; convert it.",
                name=name,
                holds=family(cells.type),
            )
        if family(cells.type) == "text":
            cells = _names_of_people(cells)
        lost = pc.sum(pc.is_null(cells, nan_is_null=True)).as_py() or 0
        if lost:
            raise DataError(
                "Column {name!r} says whose row each is, and {lost:cell|cells} of it "
                "{lost:|is|are} missing; fill them in.",
                name=name,
                lost=lost,
            )
        return people_named(cells, name, schema)
    return None


def people_named(cells: Any, name: str, schema: Schema) -> People:
    """Number the people that the cells of a person column name; refuse a table in which one has more rows than declared."""
    people = People.of(numbered(cells), schema[name].most, cells, schema[name].unit)
    people.check(name)
    return people


def _names_of_people(cells: Any) -> Any:
    """Return texts so that a person is one text, however its letters are composed, and a blank one is missing."""
    coded = cells.cast(pa.large_string()).dictionary_encode()
    texts = pc.utf8_normalize(coded.dictionary, form="NFC")
    blank = pc.equal(pc.utf8_trim_whitespace(texts), "")
    return pc.take(pc.if_else(blank, pa.scalar(None, texts.type), texts), coded.indices)


def check_columns(present: Sequence[str], schema: Schema) -> None:
    """Refuse a table that lacks columns of its schema, or has others."""
    needed = schema.names("person", "quasi_identifier", "sensitive", "insensitive")  # identifiers are dropped anyway
    there, described = set(present), set(schema.names())
    lacking = [name for name in needed if name not in there]
    if lacking and not there & described:
        raise DataError(
            "The table has none of the schema's columns; does the first line of its file hold the names, and is "
            "its delimiter the right one?"
        )
    if lacking:
        raise DataError(
            "The table has no column {lacking}.{hint}", lacking=names(lacking), hint=nearest(lacking[0], present)
        )
    unknown = [name for name in present if name not in described]
    if unknown:
        raise DataError(
            "The schema does not describe {unknown}; describe it, as an identifier if it is to be dropped.",
            unknown=names(unknown),
        )


def told_by_codes(attribute: Attribute, kind: Any) -> bool:
    """Whether a column's cells can be made again from its codes, its type being known: labels that are no doubles."""
    kind = cell_type(kind)
    return isinstance(attribute.domain, Categories) and not (pa.types.is_floating(kind) or pa.types.is_null(kind))


def cell_type(kind: Any) -> Any:
    """Return the type in which cells of a type are released unchanged."""
    return canonical(pa.array([], kind)).type


def _encode_column(given: Any, attribute: Attribute, *, bare: bool = False) -> tuple[Column, int]:
    # A dictionary's order is that of the original rows: it is never passed on.
    if family(given.type) not in PLAIN:
        raise DataError(
            "Column {column!r} holds {holds}, which cannot be released; drop or convert it.",
            column=attribute.name,
            holds=family(given.type),
        )
    cells = plain(given) if bare else canonical(given)
    if attribute.domain is None:
        if cells.null_count and not attribute.missing:
            raise _missing(attribute, cells.null_count)
        return Column(None, cells), 0
    problem = None
    try:
        coded: Coded = attribute.domain.code(cells)
    except DataError as error:
        problem = phrase("Column {column!r} {error}.", column=attribute.name, error=error)
    if problem is not None:
        raise DataError(problem)
    if coded.outside:
        raise DataError(
            "Column {column!r} has {outside:value|values} outside its domain ({domain}).",
            column=attribute.name,
            outside=coded.outside,
            domain=attribute.domain.describe(),
        )
    missing = int(np.count_nonzero(coded.codes == attribute.domain.size))
    if missing and not attribute.missing:
        raise _missing(attribute, missing)
    _check_type(cell_type(cells.type), attribute)
    if isinstance(attribute.domain, Numbers) and not bare:
        cells = attribute.domain.settled(cells, coded)
    return Column(coded.codes.astype(code_type(attribute.domain)), None if bare else cells), coded.rounded


def _missing(attribute: Attribute, count: int) -> DataError:
    return DataError(
        "Column {column!r} has {count:missing value|missing values}; allow them in the schema (missing=True, "
        "in a plan missing = true), and they will be protected like any other value.",
        column=attribute.name,
        count=count,
    )


def _check_type(kind: Any, attribute: Attribute) -> None:
    """Refuse a column type that could not hold every value of its domain, before anything is drawn."""
    domain = attribute.domain
    if not isinstance(domain, Numbers) or pa.types.is_floating(kind) or pa.types.is_null(kind):
        return
    try:
        cast_values(domain.values_of(np.arange(domain.size)), kind)
        fits = True
    except pa.ArrowInvalid:
        fits = False
    if not fits:
        hint = phrase(" Give the domain a whole step.") if pa.types.is_integer(kind) and not domain.whole else ""
        raise DataError(
            "Column {column!r} has the type {kind}, which cannot hold every value of its domain ({domain}).{hint}",
            column=attribute.name,
            kind=kind,
            domain=domain.describe(),
            hint=hint,
        )


def as_released(column: Column, attribute: Attribute, order: Integers, codes: Codes | None) -> Any:
    """Return a column as it is released: drawn codes or the cells as they are, in the order of the shuffle.

    The type of a drawn column follows from its domain alone: what type the original had may tell whether a cell was
    missing or broken.
    """
    if codes is None and column.told_by_cells:
        return column.cells_of(order)
    if codes is None:
        codes = column.codes
    assert codes is not None
    assert attribute.domain is not None
    return attribute.domain.values_of(codes[order])
