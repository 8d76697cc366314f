"""Compiled loops: those that Python cannot call are called by loops only, and sorting inside loops sorts."""

from __future__ import annotations

import ast
import gc
from pathlib import Path

import numpy as np
import pytest

import tokumei
from tokumei.loops import _Compiling
from tokumei.partition._chance_kernels import chance, share
from tokumei.partition._sorting_kernels import sort_in_place

SOURCE = Path(tokumei.__file__).parent
TESTS = SOURCE.parent.parent / "tests"


def inner_loops() -> dict[str, set[str]]:
    """Return the names of the inner loops of each file."""
    found = {}
    for path in SOURCE.rglob("_*kernels.py"):
        functions = [node for node in ast.parse(path.read_text("utf-8")).body if isinstance(node, ast.FunctionDef)]
        found[path.stem] = {
            each.name for each in functions if any(ast.unparse(d).startswith("inner(") for d in each.decorator_list)
        }
    return found


def test_inner_loops_are_called_by_loops_only() -> None:
    inner = inner_loops()
    assert any(inner.values())
    for path in [*SOURCE.rglob("*.py"), *TESTS.rglob("*.py")]:
        if path.name.endswith("kernels.py"):
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                names = {each.name for each in node.names}
                assert not names & inner.get(node.module.rpartition(".")[2], set()), path
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and "kernels" in node.value.id:
                assert not any(node.attr in names for names in inner.values()), path


@pytest.mark.parametrize("collects", [True, False])
def test_no_garbage_is_looked_for_while_loops_are_compiled(collects: bool) -> None:
    before, heard = gc.isenabled(), _Compiling()
    try:
        (gc.enable if collects else gc.disable)()
        heard.on_start(None)
        assert not gc.isenabled()
        heard.on_start(None)  # a loop that the first one calls
        heard.on_end(None)
        assert not gc.isenabled()
        heard.on_end(None)
        assert gc.isenabled() == collects
    finally:
        (gc.enable if before else gc.disable)()


@pytest.mark.parametrize("count", [0, 1, 2, 17, 300])
def test_sorting(count: int) -> None:
    rng = np.random.default_rng(count)
    values = rng.integers(0, 20, count).astype(np.int32)
    kept = values.copy()
    sort_in_place(values, count)
    assert (values == np.sort(kept)).all()


def test_chance_is_even() -> None:
    state = np.random.default_rng(5).integers(1, 2**63, 1, dtype=np.uint64)
    drawn = np.bincount([chance(state, 5) for _ in range(5000)], minlength=5)
    assert len(drawn) == 5 and np.abs(drawn - 1000).max() < 5 * np.sqrt(800)
    shares = np.array([share(state) for _ in range(5000)])
    assert shares.min() >= 0 and shares.max() < 1 and abs(shares.mean() - 0.5) < 5 * np.sqrt(1 / 12 / 5000)
