"""The only door for data frames: pandas, polars and pyarrow come in, and the same kind goes out.

Inside, a table is a `pyarrow.Table` at the edge and integer codes behind it. On the way out columns keep the type that
they had, but nothing else of the frame they came from: no index, no metadata, and no category order other than the
declared one.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import narwhals as nw
import pyarrow as pa
import pyarrow.compute as pc

from tokumei.errors import DataError, InvalidParameter, MissingDependency
from tokumei.table.domain import cast_values
from tokumei.text import names

FrameKind = Literal["pandas", "polars", "pyarrow"]


@dataclass(frozen=True)
class Categorical:
    """Stands for a categorical type of a frame, without the categories that it listed."""

    ordered: bool = False


@dataclass(frozen=True)
class Origin:
    """What kind of frame a table came from, and the native type of each column."""

    kind: FrameKind
    types: Mapping[str, Any] = field(default_factory=dict)


def to_arrow(frame: Any) -> tuple[pa.Table, Origin]:
    """Turn a frame into an Arrow table without index or metadata."""
    if "Lazy" in type(frame).__name__:
        raise DataError("A lazy frame has no rows yet; collect it first.")
    columns = frame.column_names if isinstance(frame, pa.Table) else getattr(frame, "columns", [])
    _check_names(list(columns))
    try:
        held = nw.from_native(frame, eager_only=True)
    except TypeError:
        if isinstance(frame, str | Path):
            raise DataError(
                "A table must be a pandas or polars frame or a pyarrow table. Got {kind}; read the file first, or name it "
                "in a plan (tk.run).",
                kind=type(frame).__name__,
            ) from None
        raise DataError(
            "A table must be a pandas or polars frame or a pyarrow table. Got {kind}.",
            kind=type(frame).__name__,
        ) from None
    kind = held.implementation.name.lower()
    if kind not in {"pandas", "polars", "pyarrow"}:
        raise DataError("Frames of {kind} are not supported; convert it to pandas, polars or pyarrow.", kind=kind)
    arrays, types = {}, {}
    if isinstance(frame, pa.Table):  # as it is: narwhals would copy every column
        return pa.table(dict(zip(frame.column_names, frame.columns, strict=True))), Origin(
            "pyarrow", {field.name: field.type for field in frame.schema}
        )
    for name in held.columns:
        made = None
        # The libraries' own messages quote the cell, so the error is raised outside, without them as its context.
        with contextlib.suppress(pa.ArrowNotImplementedError, TypeError, ValueError, OverflowError):
            made = held[name].to_arrow() if kind != "polars" or held[name].dtype != nw.Object else None
        if made is None:
            raise DataError(
                "Column {name!r} mixes kinds of values, or holds values that cannot be read; give it one type.",
                name=name,
            )
        arrays[name] = made
        types[name] = _type_of(held[name], kind)
    return pa.table(arrays), Origin(kind, types)


def _type_of(column: Any, kind: str) -> Any:
    """Return the native type of a column, a categorical one without its categories."""
    native = column.to_native()
    if kind == "pyarrow":
        return native.type
    if column.dtype in {nw.Categorical, nw.Enum}:
        return Categorical(bool(getattr(native.dtype, "ordered", False)) if kind == "pandas" else False)
    return native.dtype if kind == "pandas" else column.dtype


def from_arrow(table: pa.Table, origin: Origin, labels: Mapping[str, Sequence[Any]] | None = None) -> Any:
    """Turn an Arrow table into the kind of frame that ``origin`` names, with its column types where they still apply.

    ``labels`` gives the declared categories of columns; a categorical column gets exactly these, in this order.
    """
    labels = labels or {}
    types = {name: kind for name, kind in origin.types.items() if name in table.column_names}
    if origin.kind == "pyarrow":
        return pa.table({name: _to_type(table, name, types.get(name), labels) for name in table.column_names})
    try:
        frame = nw.from_arrow(table, backend=origin.kind)
    except ImportError:
        raise MissingDependency(
            "{kind} is not installed; install it with: pip install 'tokumei[{kind}]', or ask for another kind of "
            "frame (pandas, polars, pyarrow).",
            kind=origin.kind,
        ) from None
    categories = {
        name: _categories(table, name, labels) for name, kind in types.items() if isinstance(kind, Categorical)
    }
    if origin.kind == "polars":
        enums = {name: nw.Enum([str(label) for label in seen]) for name, seen in categories.items()}
        return frame.with_columns(nw.col(name).cast(enums.get(name, kind)) for name, kind in types.items()).to_native()
    native = frame.to_native()
    for name, kind in types.items():
        if isinstance(kind, Categorical):
            made = native[name].astype("category").cat
            native[name] = made.set_categories(list(categories[name]), ordered=kind.ordered)
        elif native[name].dtype != kind:
            native[name] = native[name].astype(_nullable(kind) if native[name].isna().any() else kind)
    return native


def _nullable(kind: Any) -> Any:
    """Return a pandas type that can hold missing cells in place of one of numpy's that cannot."""
    if getattr(kind, "kind", "") == "b" and str(kind) == "bool":
        return "boolean"
    return str(kind).replace("uint", "UInt").replace("int", "Int") if str(kind).startswith(("int", "uint")) else kind


def _to_type(table: pa.Table, name: str, kind: Any, labels: Mapping[str, Sequence[Any]]) -> Any:
    column = table.column(name)
    if kind is None or kind == column.type or pa.types.is_null(kind):
        return column
    if not pa.types.is_dictionary(kind):
        return cast_values(column, kind)
    values = cast_values(pa.array(_categories(table, name, labels)), kind.value_type)
    index = kind.index_type if len(values) <= 2 ** (kind.index_type.bit_width - 1) else pa.int32()
    indices = pc.index_in(column.combine_chunks().cast(kind.value_type), value_set=values).cast(index)
    return pa.DictionaryArray.from_arrays(indices, values, ordered=kind.ordered)


def frame_kind(kind: str) -> Origin:
    """Name a kind of frame to be made from a release."""
    if kind not in {"pandas", "polars", "pyarrow"}:
        raise InvalidParameter("frame must be 'pandas', 'polars' or 'pyarrow'. Got {kind!r}.", kind=kind)
    return Origin(kind)  # type: ignore[arg-type]


def _categories(table: pa.Table, name: str, labels: Mapping[str, Sequence[Any]]) -> Sequence[Any]:
    """Return the declared categories, or those of the released rows, sorted so that their order says nothing."""
    return labels[name] if name in labels else sorted(table.column(name).unique().drop_null().to_pylist())


def _check_names(columns: list[Any]) -> None:
    if any(not isinstance(name, str) for name in columns):
        raise DataError("Column names must be text; rename the columns first.")
    doubled = sorted({name for name in columns if columns.count(name) > 1})
    if doubled:
        raise DataError("Column names must be unique; these are not: {doubled}.", doubled=names(doubled))
