"""What the package rests on: licences, lower bounds, nothing used that is not declared, nothing done by being imported.

No database of known weaknesses can be reached from here, so none is asked.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from fnmatch import fnmatch
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from scripts import licences

ROOT = Path(__file__).parent.parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]

# Declared, and imported by other means than a statement.
OTHERWISE = {
    "adbc-driver-manager": "both drivers need it; it is named for its lower bound",
    "mkdocs-material": "a program",
    "pandas": "frames go through narwhals",
    "polars": "frames go through narwhals",
    "python-calamine": "imported by its name in io/excel.py",
    "pyreadstat": "imported by its name in io/statistical_child.py and io/statistical_writing.py",
    "torch": "imported by its name in reconstruction/_arrays.py",
}


# Licences.


def test_every_licence_is_known_and_none_binds_what_uses_it() -> None:
    extras = licences.installed_extras()
    assert {"plots", "sql", "studio"} <= set(extras)
    rows = licences.needed(extras)
    assert len(rows) > 50
    assert [(row.name, row.problem) for row in rows if row.problem] == []
    assert {"numpy", "pydantic-core"} <= {licences.plain(row.name) for row in rows if row.by == "core"}


def test_exceptions_are_needed() -> None:
    rows = licences.needed(licences.installed_extras())
    for pattern in licences.EXCEPTIONS:
        matching = [row for row in rows if fnmatch(licences.plain(row.name), pattern)]
        assert matching or pattern.startswith("nvidia"), pattern  # these come only where torch or xgboost are
        assert all(licences.problem_of(row.licence) for row in matching), pattern


@pytest.mark.parametrize(
    ("licence", "problem"),
    [
        ("MIT", None),
        ("Apache-2.0 WITH LLVM-exception AND BSD-2-Clause", None),
        ("MPL-2.0 AND (Apache-2.0 OR MIT)", None),
        ("GPL-3.0-or-later OR MIT", None),
        ("(MIT OR GPL-2.0-only) AND GPL-3.0-only", "strong copyleft"),
        ("GPL-3.0-only AND (MIT OR ISC)", "strong copyleft"),
        ("MIT License; GNU Affero General Public License v3", "strong copyleft"),
        ("GNU General Public License (GPL)", "strong copyleft"),
        ("GNU Lesser General Public License v2", None),
        ("not stated", "unknown"),
        ("Proprietary", "unknown"),
        ("", "unknown"),
    ],
)
def test_licences_are_read_right(licence: str, problem: str | None) -> None:
    assert licences.problem_of(licence) == problem


# What is declared, and what is used.


@cache
def imported(folder: str) -> dict[str, str]:
    """List the packages that a folder's programs import, each with one of the files that do."""
    found: dict[str, str] = {}
    for file in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            modules += [node.module] if isinstance(node, ast.ImportFrom) and node.module and not node.level else []
            for module in modules:
                found.setdefault(module.split(".")[0], str(file.relative_to(ROOT)))
    own = {"tokumei", "tests", "benchmarks", "scripts"}
    return {name: file for name, file in found.items() if name not in sys.stdlib_module_names | own}


def declared(*extras: str) -> set[str]:
    lines = [*PROJECT["dependencies"], *(line for extra in extras for line in EXTRAS[extra])]
    return {licences.plain(re.split(r"[\s<>=!~;\[]", line)[0]) for line in lines}


@cache
def providers() -> Mapping[str, list[str]]:
    return packages_distributions()


def distributions_of(module: str) -> set[str]:
    return {licences.plain(name) for name in providers().get(module, [module])}


def test_every_dependency_has_a_lower_bound() -> None:
    lines = [*PROJECT["dependencies"], *(line for lines in EXTRAS.values() for line in lines)]
    assert [line for line in lines if not re.fullmatch(r"[A-Za-z0-9._-]+>=\d+(\.\d+)*(,<\d+)?", line)] == []


def test_nothing_is_imported_that_is_not_declared() -> None:
    used = [extra for extra in EXTRAS if extra not in licences.WORK]
    for module, file in imported("src").items():
        assert distributions_of(module) & declared(*used), f"{file} imports {module}"
    for module, file in imported("tests").items():
        assert distributions_of(module) & declared("dev"), f"{file} imports {module}"


def test_nothing_is_declared_that_is_not_imported() -> None:
    used = [extra for extra in EXTRAS if extra not in licences.WORK]
    modules = set().union(*(distributions_of(module) for module in imported("src")))
    assert declared(*used) - modules - set(OTHERWISE) == set()
    assert not modules & set(OTHERWISE)


# What happens when it is imported.

EVERYTHING = """
import importlib, pkgutil, sys, tokumei
for name in tokumei.__all__:
    getattr(tokumei, name)
for found in pkgutil.walk_packages(tokumei.__path__, "tokumei."):
    if not found.name.startswith("tokumei.studio") and not found.name.endswith("__main__"):
        importlib.import_module(found.name)
print(sum(name.startswith("tokumei.") for name in sys.modules))
"""
MODULES = ["adbc_driver_postgresql.dbapi", "adbc_driver_sqlite.dbapi", "altair", "duckdb", "pandas", "polars"]
MODULES += ["pyspark.sql", "python_calamine", "vl_convert", "nicegui"]


def noted(program: str, folder: Path) -> tuple[list[str], str]:
    """Run a program in a new process, and return what it connected to, started or wrote outside caches, and printed."""
    start = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); from pathlib import Path; from tests.adversarial import loud; "
    )
    start += f"loud.note_into(Path({str(folder / 'record')!r}))\n"
    done = subprocess.run(
        [sys.executable, "-B", "-c", start + program], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    lines = (folder / "record").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if "__pycache__" not in line and "/dev/null" not in line], done.stdout


def test_importing_everything_opens_no_socket_and_writes_nothing(tmp_path: Path) -> None:
    done, printed = noted(EVERYTHING, tmp_path)
    assert int(printed) > 250
    assert done == []
    assert sorted(file.name for file in tmp_path.iterdir()) == ["record"]


@pytest.mark.parametrize("module", MODULES)
def test_nor_does_importing_what_an_extra_brings(module: str, tmp_path: Path) -> None:
    done = noted(f"import {module}", tmp_path)[0]
    if module == "nicegui":  # a part of it asks the system where its C library is
        done = [line for line in done if "ldconfig', '-p'" not in line]
    assert done == []


def test_what_an_import_does_is_noted(tmp_path: Path) -> None:
    program = (
        "import socket, subprocess, sys\n"
        "open('left', 'w').close()\n"
        "subprocess.run([sys.executable, '-c', ''])\n"
        "try:\n    socket.create_connection(('127.0.0.1', 9), timeout=1)\nexcept OSError:\n    pass\n"
    )
    events = {line.split("\t")[0] for line in noted(program, tmp_path)[0]}
    assert {"open", "subprocess.Popen", "socket.connect"} <= events
