"""Released tables made comparable: against a plain count of every row's possible values."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import tokumei as tk
from tokumei.utility.lines import line_of
from tokumei.utility.pairing import pairing
from tokumei.utility.tables import OriginalTables, ReconstructedTables, ReleasedTables

METHODS = [
    tk.LocalSuppression(k=3),
    tk.Generalization(k=4, partition=tk.partitions.Mondrian()),
    tk.Generalization(k=6, partition=tk.partitions.Optimal(), suppression_limit=0.2),
    tk.Microaggregation(k=3, partition=tk.partitions.MDAV()),
    tk.Microaggregation(k=4, partition=tk.partitions.MDAV(), cells="interval"),
    tk.PkPerturbation(k=3, tells="all"),
]


def schema() -> tk.Schema:
    tree = tk.Hierarchy.groups({"low": ("a", "b"), "high": ("c", "d", "e")})
    return tk.Schema(
        [
            tk.Attribute("letter", "quasi_identifier", tk.Categories(["c", "a", "e", "b", "d"]), tree, missing=True),
            tk.Attribute("number", "quasi_identifier", tk.Numbers(0, 30, step=1)),
            tk.Attribute("ill", "sensitive", tk.Categories(["no", "yes"])),
        ]
    )


def people() -> pa.Table:
    rng = np.random.default_rng(3)
    letters = rng.choice([*"abcde", None], 60, p=[0.3, 0.2, 0.2, 0.1, 0.1, 0.1])
    return pa.table(
        {"letter": letters.tolist(), "number": rng.integers(0, 31, 60), "ill": rng.choice(["no", "yes"], 60).tolist()}
    )


def plain(release: tk.Release, names: list[str], lines: dict[str, Any]) -> np.ndarray:
    """Count cell by cell, each row spread over every combination of values that it may stand for."""
    total = np.zeros([lines[name].cells for name in names])
    codes = [release.coded.codes(name) for name in names]
    for row in range(release.rows):
        possible = []
        for name, code in zip(names, codes, strict=True):
            recoding = release.mechanism.recoding
            if recoding is None or name not in recoding.columns:
                possible.append([int(code[row])])
            else:
                possible.append(np.flatnonzero(recoding.columns[name].covers[code[row]]).tolist())
        share = 1 / np.prod([len(each) for each in possible])
        for states in itertools.product(*possible):
            total[tuple(lines[name].cell_of[state] for name, state in zip(names, states, strict=True))] += share
    return total / release.rows


@pytest.mark.parametrize("method", METHODS, ids=lambda method: f"{type(method).__name__}-{method.k}")
@pytest.mark.parametrize("sparse", [0, 10**6], ids=["sparse", "dense"])
def test_shares_are_those_of_a_plain_count(method: Any, sparse: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tokumei.utility.tables.SPARSE", sparse)
    release = tk.anonymize(people(), schema(), method, seed=2)
    both = pairing(people(), release, schema(), n_bins=7)
    tables, lines = ReleasedTables(release), {line.name: line for line in both.lines}
    for line in both.lines:
        fine = tables.alone(line)
        assert fine.sum() == pytest.approx(1)
        cells = np.bincount(line.cell_of, weights=fine, minlength=line.cells)
        np.testing.assert_allclose(cells, plain(release, [line.name], lines), atol=1e-12)
    for first, second in itertools.combinations(both.lines, 2):
        joint = tables.pair(first, second)
        np.testing.assert_allclose(joint, plain(release, [first.name, second.name], lines), atol=1e-12)
        np.testing.assert_allclose(joint, tables.pair(second, first).T, atol=1e-12)


def test_the_original_is_counted_as_it_is() -> None:
    release = tk.anonymize(people(), schema(), tk.LocalSuppression(k=3), seed=2)
    both = pairing(people(), release, schema(), n_bins=7)
    tables = OriginalTables(both.table)
    letter, number, _ = both.lines
    assert tables.alone(letter)[5] * 60 == people().column("letter").null_count
    joint = tables.pair(letter, number)
    np.testing.assert_allclose(joint.sum(axis=1), tables.alone(letter))


def test_reconstruction_of_unchanged_columns_changes_nothing(small_schema: tk.Schema, doubled: Any) -> None:
    frame = pa.table(doubled)
    release = tk.anonymize(frame, small_schema, tk.Generalization(k=2, partition=tk.partitions.Optimal()), seed=1)
    both = pairing(frame, release, small_schema)
    made = ReconstructedTables(release)
    for line in both.lines:
        np.testing.assert_allclose(made.alone(line), OriginalTables(both.table).alone(line), atol=1e-3)


def test_a_line_of_numbers_is_cut_into_intervals() -> None:
    attribute = tk.Attribute("age", "quasi_identifier", tk.Numbers(0, 9, step=1), missing=True)
    line = line_of(attribute, 3)
    assert line.labels == ("0-2", "3-5", "6-9", "(missing)")
    assert line.cell_of.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 3]
    np.testing.assert_allclose(line.centres, [1 / 9, 4 / 9, 7.5 / 9])
    np.testing.assert_allclose(line.spread(np.array([0.3, 0.3, 0.4, 0.0]))[:4], [0.1] * 4)


def test_columns_that_are_not_the_same_are_refused() -> None:
    release = tk.anonymize(people(), schema(), tk.LocalSuppression(k=3), seed=2)
    other = schema().replacing(tk.Attribute("number", "quasi_identifier", tk.Numbers(0, 40, step=1)))
    both = pairing(people(), release, other)
    with pytest.raises(tk.errors.InvalidParameter, match="'number' are not those of the original"):
        ReleasedTables(release).alone(both.line("number"))


def test_preparation_must_be_the_same() -> None:
    steps = [tk.prepare.Recode("letter", level=1)]
    release = tk.anonymize(people(), schema(), tk.LocalSuppression(k=3), steps, seed=2)
    assert pairing(people(), release, schema(), steps).line("letter").labels == ("high", "low", "(missing)")
    with pytest.raises(tk.errors.InvalidParameter, match="it was prepared by 'recode'"):
        pairing(people(), release, schema())


def test_tables_that_would_not_fit_are_refused() -> None:
    labels = [f"label {place}" for place in range(2100)]
    wide = tk.Schema([tk.Attribute(name, "quasi_identifier", tk.Categories(labels)) for name in ("a", "b")])
    frame = pa.table({"a": labels[:4] * 2, "b": labels[4:8] * 2})
    release = tk.anonymize(frame, wide, tk.LocalSuppression(k=2), seed=1)
    with pytest.raises(tk.errors.InvalidParameter, match="more than 4,194,304 cells"):
        pairing(frame, release, wide)
    assert pairing(frame, release, wide, columns=["a"]).line("a").cells == 2100


def test_rows_of_a_stratified_sample_count_for_those_they_stand_for() -> None:
    table = pa.table({"letter": ["a"] * 80 + ["b"] * 20, "number": [1] * 100, "ill": ["no"] * 80 + ["yes"] * 20})
    sample = tk.samples.Stratified("ill", {"no": 20, "yes": 20})
    release = tk.anonymize(table, schema(), tk.PkPerturbation(k=2, sample=sample, tells="all"), seed=1)
    both = pairing(table, release, schema(), n_bins=7)
    np.testing.assert_allclose(ReleasedTables(release).alone(both.line("ill")), [0.8, 0.2])
    joint = ReleasedTables(release).pair(both.line("ill"), both.line("letter"))
    np.testing.assert_allclose(joint.sum(axis=1), [0.8, 0.2])


def test_labels_of_a_matrix_are_compared_only_after_reconstruction() -> None:
    towns = tk.Schema([tk.Attribute("town", "quasi_identifier", tk.Categories(["x", "y"]))])
    table = pa.table({"town": ["x"] * 300 + ["y"] * 100})
    matrix = tk.transitions.Matrix(((0.8, 0.2), (0.2, 0.8)), labels=("p", "q"))
    release = tk.anonymize(table, towns, tk.PRAM({"town": matrix}), seed=1)
    found = tk.measure_utility(table, release, towns)
    assert found.released is None
    assert any("are not those of the original" in str(note) for note in found.notes)
    assert found.reconstructed is not None
    assert found.reconstructed.marginal_distance < 0.1
