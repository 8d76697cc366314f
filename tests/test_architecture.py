"""Who may import whom, what is exported, and that nothing is half there."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import tokumei
from tokumei.anonymizers import METHODS
from tokumei.prepare import STEPS

SOURCE = Path(tokumei.__file__).parent
ROOT = SOURCE.parent.parent

# A room may use the rooms of its own list and itself. Holder and analyst never meet below the utility room.
BASE = {
    "arrays",
    "bounds",
    "diagnostics",
    "errors",
    "memory",
    "plain_values",
    "shown",
    "values",
    "files",
    "markup",
    "parallel",
    "progress",
    "randomness",
    "results",
    "text",
    "words",
    "working_folder",
}
TABLE = BASE | {"table"}
MECHANISM = TABLE | {"mechanism"}
PRIVACY = MECHANISM | {"privacy"}
RELEASE = PRIVACY | {"io", "release"}
HOLDER = RELEASE | {"hierarchies", "prepare", "partition", "anonymizers", "engines", "plan", "runner", "risk"}
ANALYST = RELEASE | {"reconstruction", "learning"}
ROOMS = {
    "arrays": set(),
    "bounds": set(),
    "compiling": set(),
    "shown": set(),
    "text": set(),
    "words": {"errors", "shown"},
    "errors": {"shown"},
    "diagnostics": {"errors"},
    "memory": {"diagnostics", "errors"},
    "plain_values": set(),
    "values": {"diagnostics", "errors", "plain_values", "text"},
    "working_folder": set(),
    "files": {"bounds", "diagnostics", "errors", "working_folder"},
    "markup": {"shown"},
    "parallel": {"errors"},
    "progress": {"errors", "memory", "shown"},
    "randomness": {"arrays", "errors", "parallel"},
    "results": {"errors", "shown"},
    "table": BASE,
    "io": TABLE,
    "mechanism": TABLE,
    "privacy": MECHANISM,
    "release": PRIVACY | {"io"},
    "hierarchies": TABLE,
    "prepare": PRIVACY,
    "partition": RELEASE,
    "anonymizers": RELEASE | {"prepare", "partition"},
    "engines": RELEASE | {"prepare", "partition", "anonymizers"},
    "plan": RELEASE | {"prepare", "partition", "anonymizers"},
    "runner": RELEASE | {"prepare", "partition", "anonymizers", "engines", "plan"},
    "risk": RELEASE | {"prepare", "partition", "anonymizers", "engines"},
    "reconstruction": RELEASE,
    "learning": RELEASE | {"reconstruction"},
    "utility": HOLDER | ANALYST | {"plots"},
    "plots": BASE | {"table"},
    "reports": HOLDER | ANALYST | {"utility", "plots"},
    "examples": TABLE,
    "studio": HOLDER | ANALYST | {"utility", "plots", "reports", "examples"},
    "cli": HOLDER | ANALYST | {"utility", "plots", "reports", "examples", "studio"},
    "__main__": {"cli"},
}
LAYERS_INSIDE_TABLE = [
    "domain",
    "canonical",
    "classes",
    "people",
    "sizes",
    "levels",
    "hierarchy",
    "frames",
    "bins",
    "notebook",
    "observed",
    "schema",
    "loss",
    "axis",
    "cells",
    "own_cells",
    "reading",
    "coded",
]
LAYERS_INSIDE_IO = [
    "workbook",
    "excel",
    "unpacking",
    "pages",
    "parquet",
    "delimiter",
    "source",
    "batches",
    "urls",
    "databases",
    "new_tables",
]


def modules() -> list[Path]:
    return sorted(path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py")


def room_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_layers_import_downwards_only(path: Path) -> None:
    room = room_of(path)
    used = {name.split(".")[1] for name in imports(path) if name.startswith("tokumei.")}
    used.discard("__version__")
    assert used <= ROOMS[room] | {room}, f"{room} may not use {used - ROOMS[room] - {room}}"


def test_every_room_is_listed() -> None:
    assert {room_of(path) for path in modules()} == set(ROOMS)


@pytest.mark.parametrize(("room", "layers"), [("table", LAYERS_INSIDE_TABLE), ("io", LAYERS_INSIDE_IO)])
def test_inside_a_room_files_import_downwards(room: str, layers: list[str]) -> None:
    for place, name in enumerate(layers):
        prefix = f"tokumei.{room}."
        used = {u.split(".")[2] for u in imports(SOURCE / room / f"{name}.py") if u.startswith(prefix)}
        assert used <= set(layers[:place]), name


def test_chance_comes_only_from_its_room() -> None:
    for path in modules():
        if room_of(path) == "randomness":
            continue
        used = imports(path)
        assert not {u.split(".")[0] for u in used} & {"random", "secrets"}, path
        assert not any(u.startswith("numpy.random") for u in used), path
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr in {"default_rng", "RandomState", "urandom"}:
                raise AssertionError(f"{path}: {node.attr}")
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "seed":
                raise AssertionError(f"{path}: seed")


def test_narwhals_only_in_its_file() -> None:
    users = {path for path in modules() if any(u.split(".")[0] == "narwhals" for u in imports(path))}
    assert users == {SOURCE / "table" / "frames.py"}


def test_array_types_are_named_in_one_module() -> None:
    for path in modules():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("npt.NDArray["):
                assert path == SOURCE / "arrays.py", f"{path}: {ast.unparse(node)}"


def test_frame_libraries_are_not_imported() -> None:
    for path in modules():
        assert not {u.split(".")[0] for u in imports(path)} & {"pandas", "polars"}, path


def test_the_analysts_side_works_without_the_holders() -> None:
    program = """
import sys
class Wall:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[:2] in [["tokumei", r] for r in ("hierarchies", "prepare", "partition", "anonymizers", "engines", "plan", "runner", "risk")]:
            raise ImportError("the holder's side is blocked: " + name)
sys.meta_path.insert(0, Wall())
import tokumei as tk
tk.IterativeBayes, tk.DensityRatio, tk.reconstruct, tk.read_release
tk.AncestorEncoder, tk.RateEncoder, tk.GroupStatisticsEncoder, tk.encoder_for, tk.WeightedCells
try:
    tk.anonymize
except ImportError:
    print("blocked")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "blocked", done.stderr


def test_import_is_lazy() -> None:
    program = "import sys, tokumei; print(sorted({m.split('.')[0] for m in sys.modules} & {'numpy', 'pydantic', 'numba', 'pyarrow', 'sklearn'}))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_help_imports_nothing_heavy() -> None:
    program = (
        "import sys; from tokumei.cli.app import app; "
        "print(sorted({m.split('.')[0] for m in sys.modules} & {'numpy', 'pydantic', 'numba', 'pyarrow', 'sklearn'}))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_exports_are_there_typed_and_sorted() -> None:
    names = list(tokumei._EXPORTS)
    assert names == sorted(names, key=lambda name: (name.lower() if name[0].islower() else "", name))
    for name in names:
        found = getattr(tokumei, name)
        assert found is not None
        if callable(found):
            assert found.__doc__, name
    tree = ast.parse((SOURCE / "__init__.py").read_text(encoding="utf-8"))
    typed = {
        alias.asname
        for node in ast.walk(tree)
        if isinstance(node, ast.If)
        for statement in node.body
        if isinstance(statement, ast.ImportFrom)
        for alias in statement.names
    }
    assert typed == set(names)


def test_unknown_names_raise() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = tokumei.nothing


@pytest.mark.parametrize("thing", [*METHODS, *STEPS], ids=lambda thing: thing.__name__)
def test_every_method_and_step_is_complete(thing: type) -> None:
    """One file, one line of export, a test, a page of docs: say what is missing."""
    file = thing.__module__.split(".")[-1]
    assert thing.__name__ in tokumei._EXPORTS, "no line of export"
    assert list((ROOT / "tests").rglob(f"test_{file}.py")), f"no tests/**/test_{file}.py"
    pages = "\n".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs").rglob("*.md"))
    assert f"`{thing.__name__}" in pages, "no page of docs names it"
    classes = [
        node
        for node in ast.parse((SOURCE / Path(*thing.__module__.split(".")[1:])).with_suffix(".py").read_text()).body
        if isinstance(node, ast.ClassDef)
    ]
    assert len(classes) == 1, "one method, one file"
