"""Values of numpy, pandas, polars and pyarrow as Python's own.

A user who writes ``Categories(frame["sex"].unique())`` or ``PkPerturbation(k=counts.min())`` means the values, not the library that they
came from. They are turned into Python's own where they come in, once, so that nothing behind has to know of libraries.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

PYTHONS_OWN = {bool, int, float, str, bytes, type(None)}


def plain_value(given: Any) -> Any:
    """Return scalars, arrays, series and indexes of other libraries as Python's own values and lists; all else as it is.

    A number of single precision is the decimal that it is written as, like every other number here. What is missing
    (``NaT``, ``NA``, a masked cell) becomes None. Tables are not values: they stay what they are.

    >>> import numpy as np
    >>> plain_value(np.array([1, 2])), plain_value(np.float32(0.1)), plain_value(np.datetime64("2020-01-31"))
    ([1, 2], 0.1, datetime.date(2020, 1, 31))
    """
    kind = type(given)
    if kind in PYTHONS_OWN:
        return given
    if isinstance(given, list | tuple | dict):
        return _inside(given)
    read = READERS.get(kind.__module__.partition(".")[0])
    return given if read is None else read(given)


def plain_arguments(function: Callable[P, R]) -> Callable[P, R]:
    """Give a function its arguments as Python's own values."""

    @functools.wraps(function)
    def called(*args: P.args, **kwargs: P.kwargs) -> R:
        return function(*map(plain_value, args), **{name: plain_value(each) for name, each in kwargs.items()})

    return called


def _inside(given: Any) -> Any:
    """Look into Python's own collections; one with nothing to change is returned itself."""
    if isinstance(given, dict):
        made = {plain_value(name): plain_value(each) for name, each in given.items()}
        return made if any(made.get(name) is not each for name, each in given.items()) else given
    if all(type(each) in PYTHONS_OWN for each in given):
        return given
    parts = [plain_value(each) for each in given]
    if all(part is each for part, each in zip(parts, given, strict=True)):
        return given
    return parts if isinstance(given, list) else tuple(parts)


def _numpy(given: Any) -> Any:
    if not hasattr(given, "dtype") or not hasattr(given, "ndim"):
        return given  # a generator of numbers, say
    if given.ndim:
        return [plain_value(each) for each in given]
    if type(given).__name__ == "MaskedConstant":
        return None
    if given.dtype.kind == "M":
        return _moment(given)
    if given.dtype.kind == "f" and given.dtype.itemsize < 8:
        return float(str(given))
    return plain_value(given.item()) if given.dtype.kind == "O" else given.item()


def _moment(given: Any) -> Any:
    if str(given) == "NaT":
        return None
    unit = str(given.dtype).removeprefix("datetime64[").removesuffix("]")
    return given.astype("datetime64[D]" if unit in {"Y", "M", "W", "D"} else "datetime64[us]").item()


def _pandas(given: Any) -> Any:
    kind = type(given).__name__
    if kind in {"NAType", "NaTType"}:
        return None
    if kind == "Timestamp":
        return given.to_pydatetime(warn=False)
    if hasattr(given, "dtype") and hasattr(given, "__len__"):  # a series, an index, an array of its own
        return _cells(given, given.dtype)
    return given


def _polars(given: Any) -> Any:
    return _cells(given, given.dtype) if type(given).__name__ == "Series" else given


def _pyarrow(given: Any) -> Any:
    if hasattr(given, "as_py"):
        return _cells([given.as_py()], given.type)[0]
    if hasattr(given, "to_pylist") and hasattr(given, "type"):  # an array, and no table
        return _cells(given.to_pylist(), given.type)
    return given


SHORT = {"float32": "f4", "float": "f4", "float[pyarrow]": "f4", "float16": "f2", "halffloat": "f2"}


def _cells(given: Any, kind: Any) -> list[Any]:
    """Return cells one by one, those of short floats as the decimals that they are written as."""
    short = SHORT.get(str(kind).lower())
    if short is None:
        return [plain_value(each) for each in given]
    import numpy as np

    found = (plain_value(each) for each in given)
    return [None if each is None else plain_value(np.dtype(short).type(each)) for each in found]


READERS: dict[str, Callable[[Any], Any]] = {
    "numpy": _numpy,
    "pandas": _pandas,
    "polars": _polars,
    "pyarrow": _pyarrow,
}
