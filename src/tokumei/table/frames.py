"""The only door for data frames: pandas, polars and pyarrow come in, and the same kind goes out.

Inside, a table is a `pyarrow.Table` at the edge and integer codes behind it. On the way out columns keep the type that
they had, but nothing else of the frame they came from: no index, no metadata, and no category order other than the
declared one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import narwhals as nw
import pyarrow as pa

from tokumei.errors import DataError, InvalidParameter, MissingDependency, names

FrameKind = Literal["pandas", "polars", "pyarrow"]


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
        raise DataError(
            f"A table must be a pandas or polars frame or a pyarrow table. Got {type(frame).__name__}."
        ) from None
    kind = held.implementation.name.lower()
    if kind not in {"pandas", "polars", "pyarrow"}:
        raise DataError(f"Frames of {kind} are not supported; convert it to pandas, polars or pyarrow.")
    arrays, types = [], {}
    for name in held.columns:
        column = held[name]
        types[name] = column.to_native().dtype if kind == "pandas" else column.dtype
        try:
            made = column.to_arrow()
        except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, TypeError):
            raise DataError(f"Column {name!r} mixes kinds of values; give it one type.") from None
        arrays.append(made)
    return pa.table(dict(zip(held.columns, arrays, strict=True))), Origin(kind, types)


def from_arrow(table: pa.Table, origin: Origin, labels: Mapping[str, Sequence[Any]] | None = None) -> Any:
    """Turn an Arrow table into the kind of frame that ``origin`` names, with its column types where they still apply.

    ``labels`` gives the declared categories of columns; a categorical column gets exactly these, in this order.
    """
    labels = labels or {}
    plain = pa.table(
        {n: c.cast(c.type.value_type) if pa.types.is_dictionary(c.type) else c for n, c in _columns(table)}
    )
    if origin.kind == "pyarrow":
        return table
    try:
        frame = nw.from_arrow(plain, backend=origin.kind)
    except ImportError:
        raise MissingDependency(
            f"{origin.kind} is not installed; install it, or ask for another kind of frame (pandas, polars, pyarrow)."
        ) from None
    categorical = [n for n, c in _columns(table) if pa.types.is_dictionary(c.type)]
    if origin.kind == "polars":
        kinds = {n: kind for n, kind in origin.types.items() if n in frame.columns and n not in categorical}
        kinds |= {n: nw.Enum([str(label) for label in labels.get(n, _seen(table, n))]) for n in categorical}
        return frame.with_columns(nw.col(n).cast(kind) for n, kind in kinds.items()).to_native()
    native = frame.to_native()
    kept = {n: kind for n, kind in origin.types.items() if n in native.columns and n not in categorical}
    native = native.astype({n: kind for n, kind in kept.items() if native[n].dtype != kind})
    for n in categorical:
        ordered = bool(getattr(origin.types.get(n), "ordered", False))
        native[n] = (
            native[n].astype("category").cat.set_categories(list(labels.get(n, _seen(table, n))), ordered=ordered)
        )
    return native


def frame_kind(kind: str) -> Origin:
    """Name a kind of frame to be made from a release."""
    if kind not in {"pandas", "polars", "pyarrow"}:
        raise InvalidParameter(f"frame must be 'pandas', 'polars' or 'pyarrow'. Got {kind!r}.")
    return Origin(kind)  # type: ignore[arg-type]


def _columns(table: pa.Table) -> list[tuple[str, Any]]:
    return list(zip(table.column_names, table.columns, strict=True))


def _seen(table: pa.Table, name: str) -> list[Any]:
    """Return the labels of a categorical column without a declared domain, sorted so that their order says nothing."""
    return sorted(table.column(name).cast(table.column(name).type.value_type).unique().drop_null().to_pylist())


def _check_names(columns: list[Any]) -> None:
    if any(not isinstance(name, str) for name in columns):
        raise DataError("Column names must be text; rename the columns first.")
    doubled = sorted({name for name in columns if columns.count(name) > 1})
    if doubled:
        raise DataError(f"Column names must be unique; these are not: {names(doubled)}.")
