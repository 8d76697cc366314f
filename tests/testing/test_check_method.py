"""Every method of the library passes the checks that a contributor's method must pass, and broken methods do not."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import tokumei as tk
from tests.extending.broken import BROKEN
from tokumei.anonymizers import METHODS
from tokumei.testing import check_method, isolated
from tokumei.words.catalogue import table

COARSE = [tk.prepare.Recode("age", level=1), tk.prepare.Drop("region")]
EVERY: dict[str, tuple[Any, list[Any]]] = {
    "pk": (tk.PkPerturbation(k=3, tells="all"), []),
    "pk, a sample": (tk.PkPerturbation(k=3, kept="perturb", sample=100, tells="all"), []),
    "grouped": (tk.GroupedPkPerturbation(k=3, partition=tk.partitions.Mondrian()), []),
    "grouped, one thing a row": (
        tk.GroupedPkPerturbation(k=3, partition=tk.partitions.Mondrian(min_size=20), tells=1),
        [],
    ),
    "pram": (
        tk.PRAM({"sex": tk.transitions.KeepOrReplace(0.5), "region": tk.transitions.KeepOrReplace(0.5)}, k=1.01),
        [tk.prepare.Drop("age")],
    ),
    "sampling": (tk.Sampling(60, known=20, k=2), []),
    "generalization": (tk.Generalization(k=3), []),
    "mondrian": (tk.Generalization(k=3, partition=tk.partitions.Mondrian()), []),
    "optimal": (tk.Generalization(k=3, partition=tk.partitions.Optimal(), suppression_limit=0.2), []),
    "diverse": (tk.Generalization(k=3, constraints=[tk.constraints.LDiversity("income", 2)]), []),
    "rates": (tk.Generalization(k=3, publish=[tk.rates.ValueRates(["sex"], epsilon=1)]), []),
    "record suppression": (tk.RecordSuppression(k=3), COARSE),
    "local suppression": (tk.LocalSuppression(k=3), COARSE),
    "microaggregation": (tk.Microaggregation(k=3), []),
    "swapping": (tk.Swapping(k=3), []),
}


def test_all_methods_are_here() -> None:
    assert {type(method) for method, _ in EVERY.values()} == set(METHODS)


@pytest.mark.parametrize("name", EVERY)
def test_a_method_of_the_library_passes(name: str) -> None:
    method, prepare = EVERY[name]
    check_method(method, prepare=prepare)


@pytest.fixture(scope="module")
def toy() -> Iterator[Any]:
    with isolated():
        yield importlib.import_module("tests.extending.toy_method").ToyReplacement
        del sys.modules["tests.extending.toy_method"]


@pytest.mark.parametrize("mistake", BROKEN, ids=lambda mistake: mistake.__name__)
def test_a_mistake_is_told(mistake: Callable[[Any], dict[str, Any]], toy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = type("Plain", (), {name: getattr(toy, name) for name in ("design", "describe", "asked", "needs")})
    for name, changed in mistake(plain).items():
        monkeypatch.setattr(toy, name, changed)
    with pytest.raises(AssertionError, match=BROKEN[mistake]):
        check_method(toy(k=4))


def test_words_that_are_missing_are_named(toy: Any) -> None:
    with isolated():
        del table("ja")["about_toy_replacement"]
        with pytest.raises(AssertionError, match="The catalogue lacks 'about_toy_replacement' in 日本語"):
            check_method(toy(k=4))


def test_a_frame_needs_its_schema() -> None:
    with pytest.raises(TypeError, match="a frame and its schema, or neither"):
        check_method(tk.PkPerturbation(k=3, tells="all"), frame=tk.example_census(rows=20))
