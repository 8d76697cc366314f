"""Trees learned from rows, and that nobody can use one in silence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import tokumei as tk
from tokumei.errors import DataError, InvalidParameter
from tokumei.release.manifest import declared_and_disclosed

Q = "quasi_identifier"
LETTERS = tk.Attribute("x", Q, tk.Categories(list("abcdef")))


def grouped(tree: Any, level: int) -> set[frozenset[str]]:
    groups: dict[str, set[str]] = {}
    for row in tree.rows:
        groups.setdefault(row[level], set()).add(row[0])
    return {frozenset(group) for group in groups.values()}


def test_rare_values_are_joined_first_as_in_huffmans_code() -> None:
    # a 8, b 5, c 4, d 2, e 1, f 0: f+e = 1, +d = 3, then c 4 + def 3 = 7, ...
    frame = {"x": list("a" * 8 + "b" * 5 + "c" * 4 + "d" * 2 + "e")}
    tree = tk.hierarchies.frequency_hierarchy(frame, LETTERS, n_clusters=[4, 3, 2])
    assert grouped(tree, 1) == {frozenset("a"), frozenset("b"), frozenset("c"), frozenset("def")}
    assert grouped(tree, 2) == {frozenset("a"), frozenset("b"), frozenset("cdef")}
    assert grouped(tree, 3) == {frozenset("ab"), frozenset("cdef")} or grouped(tree, 3) == {
        frozenset("a"),
        frozenset("bcdef"),
    }
    assert tree.rows[0][-1] == "*"
    assert tree.learned


def test_contiguous_groups_are_runs() -> None:
    column = tk.Attribute("x", Q, tk.Numbers(0, 11, step=1))
    rng = np.random.default_rng(0)
    frame = pa.table({"x": rng.choice(12, 500, p=rng.dirichlet(np.ones(12)))})
    tree = tk.hierarchies.frequency_hierarchy(frame, column, n_clusters=[6, 3])
    for level in (1, 2):
        _, codes = tree.coarsen(column.domain, level)
        assert np.all(np.diff(codes) >= 0)
    assert any(row[1].startswith("[") for row in tree.rows)
    with pytest.raises(InvalidParameter, match="has no order"):
        tk.hierarchies.frequency_hierarchy({"x": ["a"]}, LETTERS, contiguous=True)


def test_values_that_go_alike_with_the_target_are_joined() -> None:
    x = list("a" * 40 + "b" * 40 + "c" * 40 + "d" * 40 + "e" * 40 + "f" * 40)
    y = ([1] * 36 + [0] * 4) * 3 + ([1] * 4 + [0] * 36) * 3
    mixed = {"x": [*x[0::2], *x[1::2]], "y": [*y[0::2], *y[1::2]]}
    tree = tk.hierarchies.odds_hierarchy(mixed, LETTERS, "y", n_clusters=[2])
    assert grouped(tree, 1) == {frozenset("abc"), frozenset("def")}


def test_only_the_given_rows_count() -> None:
    frame = pd.DataFrame({"x": list("aabbbccccdddddeeeeeeffffffff"), "y": [True, False] * 14})
    part = frame.iloc[:14]
    assert tk.hierarchies.frequency_hierarchy(part, LETTERS) == tk.hierarchies.frequency_hierarchy(part.copy(), LETTERS)
    assert tk.hierarchies.odds_hierarchy(part, LETTERS, "y", [3]) != tk.hierarchies.odds_hierarchy(
        frame, LETTERS, "y", [3]
    )


def test_bad_questions() -> None:
    for work, message in (
        (lambda: tk.hierarchies.frequency_hierarchy({"y": [1]}, LETTERS), "no column 'x'"),
        (lambda: tk.hierarchies.odds_hierarchy({"x": ["a"]}, LETTERS, "xx"), "no column 'xx'.*Did you mean"),
        (lambda: tk.hierarchies.frequency_hierarchy({"x": ["a"]}, LETTERS, [6]), "n_clusters must decrease"),
        (lambda: tk.hierarchies.frequency_hierarchy({"x": ["a"]}, LETTERS, [3, 3]), "n_clusters must decrease"),
        (
            lambda: tk.hierarchies.frequency_hierarchy({"x": ["a"]}, tk.Attribute("x", "sensitive")),
            "no declared domain",
        ),
        (
            lambda: tk.hierarchies.frequency_hierarchy({"x": [1]}, tk.Attribute("x", Q, tk.Numbers(0, 9999, step=1))),
            "10,000 values",
        ),
    ):
        with pytest.raises(InvalidParameter, match=message):
            work()
    for y in ([1, 2, 3], [1, 1, 1], [1, 2, None]):
        with pytest.raises(DataError, match="must have two values"):
            tk.hierarchies.odds_hierarchy({"x": list("abc"), "y": y}, LETTERS, "y")


@pytest.mark.filterwarnings("ignore::tokumei.errors.ObservedDomainWarning")  # some labels are rare here
def test_a_learned_tree_is_disclosed_whatever_it_is_used_for(tmp_path: Path) -> None:
    frame = pa.table({"x": list("aabbbccccdddddeeeeeeffffffff")})
    tree = tk.hierarchies.frequency_hierarchy(frame, LETTERS, n_clusters=[3])
    schema = tk.Schema([tk.Attribute("x", Q, LETTERS.domain, tree)])
    for place, (method, steps) in enumerate(
        [
            (tk.PkPerturbation(k=3, tells="all"), []),
            (tk.PkPerturbation(k=3, tells="all"), [tk.prepare.Recode("x", 1)]),
            (tk.PkPerturbation(k=3, tells="all"), [tk.prepare.Recode("x", 1, hierarchy=tree)]),
            (tk.Generalization(k=3), []),
            (tk.RecordSuppression(k=2), [tk.prepare.Recode("x", 1)]),
        ]
    ):
        plain = tk.Schema([LETTERS]) if steps and steps[0].hierarchy is not None else schema
        release = tk.anonymize(frame, plain, method, prepare=steps)
        declared, disclosed = declared_and_disclosed(release)
        assert "{" not in str(declared["columns"][0].get("domain", ""))
        assert "hierarchy" not in declared["columns"][0]
        assert "x" in disclosed["domains"]["value"]
        assert not any(g.notion == "local differential privacy" for g in release.guarantees)
        release.write(tmp_path / str(place))
        assert tk.read_release(tmp_path / str(place)).schema == release.schema
