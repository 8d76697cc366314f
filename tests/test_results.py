"""No figure that is not finite is kept, shown or written, and none counts as safe."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import math
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import tokumei as tk
from tokumei.bounds import parsed_json
from tokumei.errors import NotComputable
from tokumei.plots.theme import chart_of
from tokumei.privacy.attackers import Linking, WholeTable
from tokumei.privacy.guarantee import Guarantee
from tokumei.release.disclosure import Fact
from tokumei.release.reasons import Derived
from tokumei.reports.html import number
from tokumei.reports.numbers import decimal, percent, whole
from tokumei.results import Result, json_text, shown
from tokumei.risk.linking import of_rows
from tokumei.utility.careful import carefully
from tokumei.utility.ordinary import Estimate
from tokumei.words import Statement

NOT_FINITE = [math.nan, math.inf, -math.inf, np.float32("nan")]

# What a method or a solver is given or works with, and nobody is told: everything else with a number in it is a result.
INNER = {
    "Asked", "LDiversity", "TCloseness", "DeltaDisclosure", "BetaLikeness", "SharedOut",  # what was asked for
    "AlphaKAnonymity", "EnhancedBetaLikeness", "DeltaPresence", "InClasses", "Population",
    "Partition", "Side", "InBlocks", "Links", "Features", "Fitted", "RegressionRows", "Losses", "JointDraws", "Counted",  # on the way to a result
}  # fmt: skip
ROOMS = ("privacy", "release", "reports", "risk", "studio.session", "utility")


def kinds() -> Iterator[type[Any]]:
    for found in pkgutil.walk_packages(tk.__path__, "tokumei."):
        if found.name.startswith(tuple(f"tokumei.{room}" for room in ROOMS)):
            for kind in vars(importlib.import_module(found.name)).values():
                if inspect.isclass(kind) and kind.__module__ == found.name and dataclasses.is_dataclass(kind):
                    yield kind


def test_every_kind_of_result_refuses_them() -> None:
    """A new dataclass with a number in it is a `Result`, or its name stands above with a reason."""
    held = {
        kind
        for kind in kinds()
        if any("float" in str(part.type).lower() for part in dataclasses.fields(kind)) and kind.__name__ not in INNER
    }
    assert len(held) > 20
    assert {kind.__name__ for kind in held if not issubclass(kind, Result)} == set()
    for kind in held:  # one with checks of its own must not forget this one
        own = kind.__post_init__
        assert own is Result.__post_init__ or "super().__post_init__()" in inspect.getsource(own), kind


@pytest.mark.parametrize("wrong", NOT_FINITE)
def test_wherever_it_hides(wrong: Any) -> None:
    @dataclass(frozen=True)
    class Some(Result):
        part: Any

    for part in (wrong, [1.0, wrong], (wrong,), {"a": {"b": [wrong]}}, np.array([[1.0], [wrong]]), {wrong}):
        with pytest.raises(NotComputable, match="The part of a Some is not a finite number"):
            Some(part)
    for part in (1.0, None, 10**400, "nan", [None, 2], np.array([1, 2]), np.array(["inf"]), {"a": True}):
        assert Some(part).part is part


@pytest.mark.parametrize("wrong", NOT_FINITE)
def test_promises_facts_pages_and_files_refuse_them(wrong: Any) -> None:
    for work in (
        lambda: Guarantee("Pk-anonymity", wrong, Linking(), WholeTable(), ()),
        lambda: Guarantee("Pk-anonymity", 2.0, Linking(), WholeTable(), (), {"among": wrong}),
        lambda: Fact("rates", {"a": [wrong]}, Derived()),
        lambda: percent(wrong),
        lambda: decimal(wrong),
        lambda: whole(wrong),
        lambda: number("1", "after.k", wrong),
        lambda: shown(wrong),
        lambda: json_text({"a": [wrong]}),
    ):
        with pytest.raises(NotComputable, match="not a finite number"):
            work()
    with pytest.raises(tk.errors.InvalidParameter, match="must be finite"):
        chart_of([{"x": float(wrong)}])


def test_a_risk_that_is_no_number_is_not_below_a_threshold() -> None:
    with pytest.raises(NotComputable, match="The highest of a Linking"):
        of_rows("journalist", np.array([0.1, math.nan]), 0.2, "")


def test_a_measure_that_is_no_number_is_told_in_words() -> None:
    notes: list[Statement] = []
    assert carefully("as_released", lambda: Estimate(1.0, -math.inf, math.inf), notes) is None
    assert len(notes) == 1
    assert "not a finite number" in str(notes[0])


@pytest.mark.parametrize("text", ["[NaN]", '{"a": Infinity}', "[-Infinity]", "[1e999]", "[-1e999]"])
def test_what_is_read_has_none_either(text: str) -> None:
    with pytest.raises(ValueError, match="not finite"):
        parsed_json(text)


def test_one_column_has_no_pairs_and_no_number_for_them() -> None:
    schema = tk.Schema([tk.Attribute("sex", domain=tk.Categories(["F", "M"]))])
    people = pa.table({"sex": ["F", "M"] * 30})
    found = tk.measure_utility(
        people, tk.anonymize(people, schema, tk.PkPerturbation(k=2, tells="all"), seed=1), schema
    )
    assert found.released is not None
    assert found.released.pair_distance is None
    assert found.association_distance(found.released) is None
    assert "nan" not in f"{found}{found._repr_html_()}{found.frame()}"


def test_nobody_writes_nan_as_a_result() -> None:
    """In the rooms of results nothing is made `nan` on purpose, and JSON is written by one function."""
    home = Path(tk.__file__).parent
    for path in (path for room in (*ROOMS, "cli") for path in (home / room.replace(".", "/")).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "float":
                assert not any(isinstance(a, ast.Constant) and a.value == "nan" for a in node.args), path
