"""What the shell offers while a command is typed: names of choices, of methods, and of columns of a file that was named.

Install it once with ``tokumei --install-completion``. Files are completed by the shell itself.
"""

from __future__ import annotations

import csv
import importlib
import inspect
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, get_args

import typer

from tokumei.bounds import LARGEST_PLAN, parsed_json
from tokumei.files import read_text
from tokumei.shown import shown

SOURCES = ("data", "plan", "release", "subject")  # arguments that name where columns are
BY_ITSELF = (".parquet", ".pq")


def choices(module: str, name: str) -> Callable[[str], list[str]]:
    """Return what completes one of the names that a module knows, in a mapping, a list or a Literal, or that it finds."""

    def complete(incomplete: str) -> list[str]:
        known = getattr(importlib.import_module(module), name)
        known = known() if inspect.isfunction(known) else known
        return starting(get_args(known) or list(known), incomplete)

    return complete


def methods(incomplete: str) -> list[str]:
    """Complete a list of methods; behind a colon the partition."""
    from tokumei.anonymizers import METHODS
    from tokumei.values import kinds_of

    known = {name: kinds_of(cls, "partition") for name, cls in zip(METHODS.names, METHODS, strict=True)}
    with_partitions = [f"{name}:{kind}" for name, kinds in known.items() for kind in kinds]
    wanted = [*known, *with_partitions] if ":" in last(incomplete) else known
    return in_a_list(wanted, incomplete)


def column(ctx: typer.Context, incomplete: str) -> list[str]:
    """Complete the name of a column."""
    return starting(columns_known(ctx), incomplete)


def columns(ctx: typer.Context, incomplete: str) -> list[str]:
    """Complete a list of columns, separated by commas."""
    return in_a_list(columns_known(ctx), incomplete)


def starting(known: Iterable[str], incomplete: str) -> list[str]:
    r"""Return the names that begin with what is there, but none that a terminal would obey.

    >>> starting(["age", "sex", "a\x1b[2J"], "a")
    ['age']
    """
    return [name for name in known if name.startswith(incomplete) and name == shown(name)]


def last(incomplete: str) -> str:
    """Return what stands behind the last comma."""
    return incomplete.rpartition(",")[2]


def in_a_list(known: Iterable[str], incomplete: str) -> list[str]:
    """Complete the last name of a list; names that it has already are not offered again.

    >>> in_a_list(["age", "sex", "region"], "age,")
    ['age,sex', 'age,region']
    """
    before, comma, rest = incomplete.rpartition(",")
    there = set(before.split(","))
    return [f"{before}{comma}{name}" for name in starting(known, rest) if name not in there]


def columns_known(ctx: typer.Context) -> list[str]:
    """Return the columns of the first file that was named; none where it cannot be read: that, the command itself will say."""
    named = [ctx.params[name] for name in SOURCES if isinstance(ctx.params.get(name), Path)]
    named += [Path(word) for word in ctx.args]  # an option that waits for its value leaves the arguments here
    try:
        found = next((path for path in named if path.exists()), None)
        return [] if found is None else columns_of(found, ctx.params.get("delimiter"))
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return []


def columns_of(path: Path, delimiter: str | None = None) -> list[str]:
    """Return the names of the columns of a table, a plan or a release, without reading a row."""
    if path.is_dir() and (path / "manifest.json").exists():
        content = parsed_json(read_text(path / "manifest.json"))
        return [str(each["name"]) for each in content["declared"]["columns"]]
    if path.is_dir():
        return columns_of(next(each for each in sorted(path.iterdir()) if each.is_file()), delimiter)
    if path.suffix.lower() == ".toml":
        plan: dict[str, Any] = tomllib.loads(read_text(path, LARGEST_PLAN))
        return list(plan["schema"])
    if path.suffix.lower() in BY_ITSELF:
        import pyarrow.parquet

        found: list[str] = pyarrow.parquet.read_schema(path).names
        return found
    from tokumei.io.delimiter import guess_delimiter

    with path.open(encoding="utf-8-sig", newline="") as file:
        return next(csv.reader(file, delimiter=delimiter or guess_delimiter(path)), [])
