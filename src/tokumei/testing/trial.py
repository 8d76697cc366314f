"""One method on one table: what the checks are given, and how they say what is wrong."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from tokumei.anonymizers.anonymizer import Anonymizer
from tokumei.engines.local import anonymize
from tokumei.errors import TokumeiError, TokumeiWarning
from tokumei.examples import example_census, example_schema
from tokumei.plan import Output, Plan, Source
from tokumei.prepare.step import Step
from tokumei.release.artifact import Release
from tokumei.table.schema import Schema

ROWS = 240
SEED = 7


@dataclass(frozen=True)
class Trial:
    """A method, the table to try it on, and a folder for what is written."""

    method: Anonymizer
    frame: pa.Table
    schema: Schema
    prepare: tuple[Step, ...]
    folder: Path
    spark: Any = None

    def release(self, seed: int | None = None, **other: Any) -> Release:
        """Make a release; ``other`` may be another method, frame or schema."""
        given = {"frame": self.frame, "schema": self.schema, "method": self.method, "prepare": self.prepare, **other}
        return anonymize(**given, seed=seed)

    def plan(self, output: str = "out") -> Plan:
        """Return a plan that makes the release from a file in the folder."""
        return Plan(Source("rows.parquet"), self.schema, self.method, self.prepare, Output(output), self.folder)


def example_table(rows: int = ROWS) -> tuple[pa.Table, Schema]:
    """Return some simulated people with a few columns of every kind."""
    names = ("person_id", "age", "sex", "region", "income")
    schema = Schema(tuple(each for each in example_schema() if each.name in names))
    return example_census(rows=rows, frame="pyarrow").select(list(names)), schema


def check(right: object, what: str) -> None:
    """Say what is wrong where something is."""
    if not right:
        raise AssertionError(what)


def one_sentence(what: str, work: Callable[[], Any], *kinds: type[TokumeiError]) -> str:
    """Do something that must be refused in one clear sentence, and return it; with no kinds it may also end well."""
    try:
        work()
    except TokumeiError as error:
        said = str(error)
        check(not kinds or isinstance(error, kinds), f"{what} ends in {type(error).__name__}: {said}")
        check("\n" not in said and said.endswith((".", "?")), f"{what} is not refused in one sentence, but: {said}")
        return said
    except Exception as error:
        raise AssertionError(
            f"{what} ends in {type(error).__name__}, and should in one clear sentence: {error}"
        ) from error
    check(not kinds, f"{what} is not refused")
    return ""


@contextmanager
def quiet() -> Iterator[None]:
    """Let warnings of the library pass: a check is not the place to heed them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TokumeiWarning)
        yield
