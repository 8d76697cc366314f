"""Who may import whom, what is exported, and that nothing is half there."""

from __future__ import annotations

import ast
import graphlib
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import tokumei
from tests import layers
from tests.in_turn import in_turn
from tests.public import NAMESPACES, public
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
    "loops",
    "markup",
    "messages",
    "parallel",
    "progress",
    "randomness",
    "registry",
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
    "lazy": {"text"},
    "bounds": set(),
    "compiling": set(),
    "loops": {"progress"},
    "shown": set(),
    "messages": {"shown"},
    "text": {"messages"},
    "words": {"errors", "messages", "shown"},
    "errors": {"messages", "shown"},
    "diagnostics": {"errors"},
    "memory": {"diagnostics", "errors", "messages"},
    "plain_values": set(),
    "registry": {"errors", "messages"},
    "values": {"diagnostics", "errors", "messages", "plain_values", "registry", "text"},
    "working_folder": set(),
    "files": {"bounds", "diagnostics", "errors", "messages", "working_folder"},
    "markup": {"shown"},
    "parallel": {"errors"},
    "progress": {"errors", "memory", "shown"},
    "randomness": {"arrays", "errors", "loops", "parallel"},
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
    "utility": HOLDER | ANALYST | {"plots", "compiling"},
    "plots": BASE | {"table"},
    "reports": HOLDER | ANALYST | {"utility", "plots", "compiling"},
    "examples": TABLE,
    "studio": HOLDER | ANALYST | {"utility", "plots", "reports", "examples"},
    "cli": HOLDER | ANALYST | {"compiling", "utility", "plots", "reports", "examples", "studio"},
    "__main__": {"cli"},
    "testing": HOLDER | ANALYST | {"utility", "plots", "reports", "examples", "cli"},
}
# Thin modules of public names for people: they say where a name comes from, and no room uses them.
ROOMS |= {
    "comparisons": {"lazy", "utility"},
    "constraints": {"lazy", "privacy"},
    "disclosure": {"lazy", "engines", "reports", "risk"},
    "encoders": {"lazy", "learning"},
    "partitions": {"lazy", "partition"},
    "rates": {"lazy", "anonymizers", "engines", "release"},
    "samples": {"lazy", "anonymizers", "privacy"},
    "splits": {"lazy", "anonymizers"},
    "surveys": {"lazy", "plan", "release", "table"},
    "tells": {"lazy", "anonymizers"},
    "transitions": {"lazy", "anonymizers"},
}
LAYERS_INSIDE_TABLE = [
    "domain",
    "canonical",
    "classes",
    "_overlap_kernels",
    "overlap",
    "people",
    "sizes",
    "laid",
    "levels",
    "hierarchy",
    "frames",
    "codebook",
    "codebook_files",
    "bins",
    "notebook",
    "observed",
    "schema",
    "loss",
    "axis",
    "boxes",
    "cells",
    "own_cells",
    "reading",
    "coded",
    "households",
    "distinct",
]
LAYERS_INSIDE_IO = [
    "workbook",
    "excel",
    "unpacking",
    "pages",
    "parquet",
    "delimiter",
    "encodings",
    "as_said",
    "statistical_child",
    "statistical",
    "statistical_writing",
    "source",
    "guessing",
    "reading",
    "batches",
    "urls",
    "interrupting",
    "databases",
    "new_tables",
    "listing",
]


def modules() -> list[Path]:
    return sorted(path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py")


def room_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def source_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def imports(path: Path) -> frozenset[str]:
    return frozenset(layers.imports(ast.parse(source_of(path))))


def forbidden(room: str, source: str) -> set[str]:
    """Return the rooms that a module of a room uses and may not."""
    return layers.used_rooms(source, tokumei._EXPORTS) - ROOMS[room] - {room}


@in_turn(modules)
def test_layers_import_downwards_only(path: Path) -> None:
    room = room_of(path)
    assert not forbidden(room, source_of(path)), f"{room} may not use {forbidden(room, source_of(path))}"


PLANTED = {
    "from tokumei.risk.attack import attack": {"risk"},
    "from tokumei import risk": {"risk"},
    "from tokumei import attack": {"risk"},
    "from tokumei import *": {"*"},
    "import tokumei.risk.attack": {"risk"},
    "import tokumei.risk.attack as harmless": {"risk"},
    "import tokumei\ntokumei.risk.attack.attack()": {"risk"},
    "import tokumei as tk\ndef f():\n    return tk.attack(tk.__version__)": {"risk"},
    "import tokumei.errors\ntokumei.risk": {"risk"},
    "import tokumei\ngetattr(tokumei, 'risk')": {"*"},
    "import tokumei as tk\ntk.partitions.Mondrian()": {"partitions"},
    "from tokumei.partitions import Mondrian": {"partitions"},
    "from tokumei import prepare": {"prepare"},
    "import importlib\nimportlib.import_module('tokumei.risk.attack')": {"risk"},
    "import importlib\nimportlib.import_module(f'tokumei.risk.{name}')": {"risk"},
    "import sys\nsys.modules['tokumei.risk.attack']": {"risk"},
    "from tokumei.elsewhere import something": {"elsewhere"},
    "def f():\n    if TYPE_CHECKING:\n        from tokumei.cli import app": {"cli"},
}


@pytest.mark.parametrize("source", PLANTED)
def test_a_planted_use_of_a_room_above_is_found(source: str) -> None:
    assert forbidden("table", source) == PLANTED[source]


def test_what_is_allowed_is_not_taken_for_a_violation() -> None:
    source = '''"""tokumei.risk is a room above."""
import tokumei
from tokumei.errors import DataError
import tokumei.values as values
print(tokumei.__version__, "see tokumei risk")
'''
    assert layers.used_rooms(source, tokumei._EXPORTS) == {"errors", "values"}
    assert not forbidden("table", source)


# Modules that load another by a name that does not stand in them, and how often.
COMPUTED = {
    "lazy.py": 1,  # from the table of public names
    "cli/completion.py": 1,  # asked for by name from modules of its room, whose texts are looked at
    "reconstruction/_arrays.py": 1,  # the library that an array is of
    "testing/saying.py": 1,  # the program of a plan, which the library wrote itself
}


def test_names_of_modules_are_computed_in_few_places_only() -> None:
    found = {str(path.relative_to(SOURCE)): len(layers.computed_imports(source_of(path))) for path in modules()}
    assert {name: count for name, count in found.items() if count} == COMPUTED


@pytest.mark.parametrize(
    "source",
    [
        "import importlib\nimportlib.import_module(name)",
        "import importlib\nimportlib.import_module('tokumei' + '.risk')",
        "import importlib\nimportlib.import_module(f'tokumei{name}')",
        "from importlib import import_module\nimport_module(name)",
        "from importlib import import_module as load",
        "__import__(name)",
        "exec('import tokumei.risk')",
        "runpy.run_module(name)",
    ],
)
def test_a_planted_computed_import_is_found(source: str) -> None:
    assert layers.computed_imports(source)


def test_the_package_itself_imports_next_to_nothing() -> None:
    body = ast.parse(source_of(SOURCE / "__init__.py")).body
    runs = ast.Module([node for node in body if not isinstance(node, ast.If)], [])
    assert {name for name in layers.imports(runs) if name.startswith("tokumei")} == {
        "tokumei.compiling.find_room",
        "tokumei.lazy.lazily",
    }


def test_every_room_is_listed() -> None:
    assert {room_of(path) for path in modules()} == set(ROOMS)
    folders = {path.name for path in SOURCE.iterdir() if path.is_dir()} - {"__pycache__"}
    assert folders <= set(ROOMS), "a folder without a module is no room"
    assert set().union(*ROOMS.values()) <= set(ROOMS), "a room is listed that is not there"


def test_no_room_uses_a_namespace_that_is_for_people() -> None:
    thin = {name for name in NAMESPACES if (SOURCE / f"{name}.py").is_file()} - {"errors"}
    assert thin == {room for room, used in ROOMS.items() if "lazy" in used}
    assert not thin & set().union(*ROOMS.values())
    for name in thin:
        tree = ast.parse(source_of(SOURCE / f"{name}.py"))
        assert {type(node) for node in tree.body[1:]} == {ast.ImportFrom, ast.If}, f"{name} is no longer thin"


def test_no_room_stands_on_itself() -> None:
    assert list(graphlib.TopologicalSorter(ROOMS).static_order())


@pytest.mark.parametrize(("room", "order"), [("table", LAYERS_INSIDE_TABLE), ("io", LAYERS_INSIDE_IO)])
def test_inside_a_room_files_import_downwards(room: str, order: list[str]) -> None:
    assert sorted(order) == sorted(path.stem for path in (SOURCE / room).rglob("*.py") if path.stem != "__init__")
    for place, name in enumerate(order):
        prefix = f"tokumei.{room}."
        used = {u.split(".")[2] for u in imports(SOURCE / room / f"{name}.py") if u.startswith(prefix)}
        assert used <= set(order[:place]), name


def test_chance_comes_only_from_its_room() -> None:
    for path in modules():
        if room_of(path) != "randomness":
            assert not layers.chance(source_of(path)), path


@pytest.mark.parametrize(
    "source",
    [
        "import random",
        "from random import choice",
        "import secrets as s",
        "import uuid",
        "import numpy.random",
        "from numpy import random",
        "from numpy.random import default_rng",
        "import numpy as np\nnp.random.normal()",
        "import numpy as np\nnp.random.rand(3)",
        "import numpy as np\ndraw = np.random",
        "import numpy\nnumpy.random.shuffle(rows)",
        "import numpy as other\nother.random.Generator(other.random.PCG64())",
        "import numpy as np\nnp.random.Generator(bits)",
        "import numpy as np\ndef f():\n    return np.random.default_rng(0)",
        "import pyarrow.compute as pc\npc.random(3)",
        "rng.seed(3)",
        "os.urandom(16)",
    ],
)
def test_planted_chance_is_found(source: str) -> None:
    assert layers.chance(source)


def test_a_generator_that_is_handed_in_is_not_chance_of_its_own() -> None:
    source = "import numpy as np\ndef f(rng: np.random.Generator):\n    return rng.random(3), self.seed, plan.random"
    assert not layers.chance(source)


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
tk.encoders.AncestorEncoder, tk.encoders.RateEncoder, tk.encoders.GroupStatisticsEncoder, tk.encoders.encoder_for, tk.encoders.WeightedCells
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


def typed(path: Path) -> set[str | None]:
    """Return the names that a module has for type checkers."""
    return {
        alias.asname
        for node in ast.walk(ast.parse(source_of(path)))
        if isinstance(node, ast.If)
        for statement in node.body
        if isinstance(statement, ast.ImportFrom)
        for alias in statement.names
    }


def test_exports_are_there_typed_and_sorted() -> None:
    spaces = [name.rpartition(".")[::2] for name in tokumei._EXPORTS]
    assert spaces == sorted(
        spaces, key=lambda each: (each[0], each[1].lower() if each[1][0].islower() else "", each[1])
    )
    for name, found in public().items():
        assert found is not None
        if callable(found):
            assert found.__doc__, name
    assert typed(SOURCE / "__init__.py") == {name for name in tokumei._EXPORTS if "." not in name}


def test_what_most_people_need_is_at_the_top_and_little_else() -> None:
    assert len([name for name in public() if "." not in name]) <= 48
    assert {name.partition(".")[0] for name in tokumei._EXPORTS if "." in name} == set(NAMESPACES) - {"errors", "plots"}


@pytest.mark.parametrize("space", NAMESPACES)
def test_a_namespace_completes_and_has_types(space: str) -> None:
    found = getattr(tokumei, space)
    assert found.__doc__, "a namespace says what is in it"
    names = {name.partition(".")[2] for name in tokumei._EXPORTS if name.startswith(f"{space}.")}
    listed = set(dir(found))
    assert listed
    assert all(hasattr(found, name) for name in listed)
    if names:
        assert listed == names
    if "lazy" in ROOMS[space]:
        assert typed(SOURCE / f"{space}.py") == names
    elif names:
        assert names <= set(found.__all__)


def test_namespaces_are_loaded_when_they_are_used() -> None:
    program = (
        "import sys, tokumei as tk; tk.partitions; print(sorted(m for m in sys.modules if m.startswith('tokumei.')))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['tokumei.compiling', 'tokumei.lazy', 'tokumei.partitions']"


def test_unknown_names_raise() -> None:
    with pytest.raises(AttributeError, match="module 'tokumei' has no attribute 'nothing'$"):
        _ = tokumei.nothing
    with pytest.raises(AttributeError, match="no attribute 'Mondrian'. Did you mean 'partitions.Mondrian'"):
        _ = tokumei.Mondrian
    with pytest.raises(
        AttributeError, match="module 'tokumei.partitions' has no attribute 'Mondrain'. Did you mean 'Mondrian'"
    ):
        _ = tokumei.partitions.Mondrain


@pytest.mark.parametrize("thing", [*METHODS, *STEPS], ids=lambda thing: thing.__name__)
def test_every_method_and_step_is_complete(thing: type) -> None:
    """One file, one line of export, a test, a page of docs: say what is missing."""
    file = thing.__module__.split(".")[-1]
    assert thing in public().values(), "no line of export"
    assert list((ROOT / "tests").rglob(f"test_{file}.py")), f"no tests/**/test_{file}.py"
    pages = "\n".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs").rglob("*.md"))
    assert f"`{thing.__name__}" in pages, "no page of docs names it"
    classes = [
        node
        for node in ast.parse((SOURCE / Path(*thing.__module__.split(".")[1:])).with_suffix(".py").read_text()).body
        if isinstance(node, ast.ClassDef)
    ]
    assert len(classes) == 1, "one method, one file"


@in_turn(modules)
def test_no_class_has_a_method_that_only_raises(path: Path) -> None:
    """What a class cannot do it does not offer; keys and streams alone refuse to be pickled."""
    for cls in [node for node in ast.walk(ast.parse(source_of(path))) if isinstance(node, ast.ClassDef)]:
        for method in [node for node in cls.body if isinstance(node, ast.FunctionDef)]:
            works = [node for node in method.body if not isinstance(node, ast.Expr)]
            only = len(works) == 1 and isinstance(works[0], ast.Raise)
            assert not only or method.name == "__reduce__", f"{cls.name}.{method.name}"


def test_engines_do_not_look_at_which_method_they_run() -> None:
    """They import the base of methods and what methods share, and no method."""
    files = {cls.__module__ for cls in METHODS}
    for path in modules():
        if room_of(path) in {"engines", "runner"}:
            assert not {name.rpartition(".")[0] for name in imports(path)} & files, path
