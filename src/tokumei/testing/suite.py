"""The checks that every method must pass, one function each, and the one function that runs them all."""

from __future__ import annotations

import inspect
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tokumei.anonymizers.anonymizer import Anonymizer
from tokumei.prepare.step import Step
from tokumei.table.frames import to_arrow
from tokumei.table.schema import Schema
from tokumei.testing import making, promising, saying
from tokumei.testing.trial import Trial, example_table, quiet

Check = Callable[[Trial], None]
CHECKS: dict[str, Check] = {
    name.replace("_", " "): check
    for room in (promising, making, saying)
    for name, check in inspect.getmembers(room, inspect.isfunction)
    if check.__module__ == room.__name__ and not name.startswith("_")
}


def check_method(
    method: Anonymizer, frame: Any = None, schema: Schema | None = None, prepare: Sequence[Step] = (), spark: Any = None
) -> None:
    """Check that a method does everything that a method of the library does, and say all that it does not.

    It is taken through a plan, the command line, a written release and its reading, forged promises, seeds, the order of rows, the bytes
    that are drawn, reports in every language, a comparison, the streaming engine (which must run it, or refuse it in one sentence),
    and bad input.

    Parameters
    ----------
    method
        The method, with parameters that suit the table.
    frame, schema, prepare
        A table of about 200 rows, with an identifier, quasi-identifiers and a sensitive column; by default simulated people.
    spark
        A Spark session, to be tried too.

    Raises
    ------
    AssertionError
        With a line for each check that failed.

    Examples
    --------
    >>> import tokumei as tk
    >>> check_method(tk.RecordSuppression(k=2), prepare=[tk.prepare.Recode("age", level=1), tk.prepare.Drop("region")])
    """
    if (frame is None) != (schema is None):
        raise TypeError("check_method takes a frame and its schema, or neither.")
    rows, columns = example_table() if schema is None else (to_arrow(frame)[0], schema)
    failed: dict[str, Exception] = {}
    for name, check in CHECKS.items():
        with tempfile.TemporaryDirectory() as folder, quiet():
            try:
                check(Trial(method, rows, columns, tuple(prepare), Path(folder), spark))
            except Exception as error:  # noqa: BLE001  (told below, with all others)
                failed[name] = error
    if failed:
        lines = [f"  {name}: {_told(error)}" for name, error in failed.items()]
        raise AssertionError("\n".join([f"{type(method).__name__} fails:", *lines])) from next(iter(failed.values()))


def _told(error: Exception) -> str:
    return str(error) if isinstance(error, AssertionError) else f"{type(error).__name__}: {error}"
