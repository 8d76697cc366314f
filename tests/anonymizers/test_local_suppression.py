"""Single cells suppressed until rows are alike, under both meanings of a suppressed cell."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tokumei as tk
from tests.anonymizers.grouping import check_release, make
from tests.test_properties import tables
from tokumei.errors import InfeasiblePromise, InvalidParameter, ReleaseError
from tokumei.partition import cell_suppression
from tokumei.partition.cell_suppression import stars_of
from tokumei.privacy.wildcards import agreements
from tokumei.release import manifest

Q = "quasi_identifier"


def random_cells(rng: np.random.Generator) -> np.ndarray:
    rows, columns = int(rng.integers(4, 40)), int(rng.integers(1, 5))
    return np.stack([rng.choice(5, rows, p=rng.dirichlet(np.ones(5) * 0.7)) for _ in range(columns)], axis=1)


def agreeing(cells: np.ndarray, stars: np.ndarray) -> list[int]:
    """Count agreements pair by pair."""
    return [
        sum(bool(np.all((cells[i] == cells[j]) | stars[i] | stars[j])) for j in range(len(cells)))
        for i in range(len(cells))
    ]


def alike(cells: np.ndarray, stars: np.ndarray) -> list[int]:
    rows = [
        tuple("*" if s else c for c, s in zip(*row, strict=True)) for row in zip(cells.tolist(), stars, strict=True)
    ]
    return [rows.count(row) for row in rows]


@pytest.mark.parametrize("seed", range(150))
def test_both_meanings_are_kept(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cells = random_cells(rng)
    k = int(rng.integers(2, min(6, len(cells)) + 1)) if len(cells) > 2 else 2
    weights = rng.uniform(0.5, 3, cells.shape[1]).tolist()
    own = stars_of(list(cells.T), weights, k, wildcard=False)
    assert min(alike(cells, own)) >= k
    free = stars_of(list(cells.T), weights, k, wildcard=True)
    assert min(agreeing(cells, free)) >= k
    for stars in (own, free):
        exact, fast = agreeing(cells, stars), agreements(cells, stars)
        assert fast.min() == min(exact)
        assert (fast <= exact).all()


def test_small_tables_come_close_to_the_best_there_is() -> None:
    """Against all ways of suppressing cells of five rows; and nothing is suppressed that need not be."""
    rng = np.random.default_rng(7)
    ours = best = 0
    for _ in range(25):
        cells = rng.integers(0, 2, (5, 2))
        found = stars_of(list(cells.T), [1.0, 1.0], 2, wildcard=False)
        least = min(
            sum(flat)
            for flat in itertools.product([0, 1], repeat=10)
            if min(alike(cells, np.array(flat, dtype=bool).reshape(5, 2))) >= 2
        )
        assert found.sum() >= least
        ours, best = ours + int(found.sum()), best + least
    assert ours <= 1.5 * best


def test_rows_that_are_alike_already_are_left_alone() -> None:
    cells = np.array([[0, 0]] * 3 + [[1, 1]] * 3)
    assert not stars_of(list(cells.T), [1, 1], 3, wildcard=False).any()


def test_important_columns_are_suppressed_last() -> None:
    cells = np.stack([np.arange(12) % 3, np.arange(12) // 3 % 2, np.arange(12)], axis=1)
    cheap_last = stars_of(list(cells.T), [9, 9, 1], 2, wildcard=False)
    assert cheap_last[:, 2].all()
    assert not cheap_last[:, :2].any()
    dear_last = stars_of(list(cells.T), [1, 1, 9], 2, wildcard=False)
    assert dear_last[:, :2].sum() >= cheap_last[:, :2].sum()


def test_the_few_that_are_left_get_company() -> None:
    cells = np.array([[0, 0]] * 4 + [[1, 1]])
    found = stars_of(list(cells.T), [1, 1], 3, wildcard=False)
    assert min(alike(cells, found)) >= 3  # one class cannot spare two of four rows, so it goes whole
    spared = stars_of(list(np.array([[0, 0]] * 6 + [[1, 1]]).T), [1, 1], 3, wildcard=False)
    assert spared.sum() == 6


@pytest.mark.filterwarnings("ignore::tokumei.errors.FormulaCellsWarning")
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(tables(), st.integers(2, 5), st.sampled_from(["own_value", "wildcard"]))
def test_any_domain_is_released_whole_or_refused_in_one_sentence(
    drawn: tuple[pa.Table, tk.Schema], k: int, meaning: Any
) -> None:
    table, schema = drawn
    try:
        made = make(table, schema, tk.LocalSuppression(k=k, meaning=meaning))
    except (InfeasiblePromise, InvalidParameter) as error:
        assert "\n" not in str(error)
        assert table.num_rows < k or "stand for different groups" in str(error)
        return
    columns = schema.names("quasi_identifier")
    check_release(made, columns, k if meaning == "own_value" else 1)
    own, wild = made.release.guarantees
    assert wild.notion == "k-anonymity with wildcards"
    assert wild.value >= max(k, own.value)


def test_the_release_and_its_forgery(people: dict[str, list[Any]], schema: tk.Schema, tmp_path: Path) -> None:
    table = pa.table({**people, "age": [25] * 50 + list(range(30, 40))})
    release = tk.anonymize(table, schema, tk.LocalSuppression(k=3, importance={"sex": 5}))
    assert "Suppressed: 10 cells" in str(release.record.notes[0])
    assert "Suppressed: " in str(release.record.notes[0])
    assert set(release.frame["sex"].to_pylist()) <= {"Female", "Male", "*"}
    assert "not missing at random" in str(release.guarantees[0])
    assert "weaker than k-anonymity" in str(release.guarantees[1])
    release.write(tmp_path / "out")
    assert tk.read_release(tmp_path / "out").guarantees == release.guarantees
    with pytest.raises(InvalidParameter, match="groups that overlap"):
        tk.IterativeBayes(["age"]).fit(release)
    text = (tmp_path / "out" / "manifest.json").read_text(encoding="utf-8")
    for place, message in ((0, "own rows do not satisfy"), (1, "own rows do not satisfy")):
        content = json.loads(text)
        content["disclosed"]["guarantees"]["value"][place]["value"] = 59
        del content["sha256"]
        content["sha256"] = manifest._digest(content)
        (tmp_path / "out" / "manifest.json").write_text(json.dumps(content), encoding="utf-8")
        with pytest.raises(ReleaseError, match=message):
            tk.read_release(tmp_path / "out")


def test_a_hierarchy_does_not_change_what_a_star_is(people: dict[str, list[Any]], schema: tk.Schema) -> None:
    tree = tk.Hierarchy.groups({"anybody": ["Female", "Male"]})
    described = schema.replacing(tk.Attribute("sex", Q, tk.Categories(["Female", "Male"]), tree))
    release = tk.anonymize(pa.table(people), described, tk.LocalSuppression(k=30, importance={"age": 100}))
    assert set(release.frame["sex"].to_pylist()) <= {"Female", "Male", "*"}


def test_what_cannot_be_done(people: dict[str, list[Any]], schema: tk.Schema) -> None:
    table = pa.table(people)
    with pytest.raises(InfeasiblePromise, match="k = 61 is not possible"):
        tk.anonymize(table, schema, tk.LocalSuppression(k=61))
    with pytest.raises(InvalidParameter, match="importance names 'agee'.*Did you mean 'age'"):
        tk.anonymize(table, schema, tk.LocalSuppression(k=2, importance={"agee": 2}))
    with pytest.raises(InvalidParameter, match="at most 100 quasi-identifiers. Got 101"):
        stars_of([np.zeros(3, dtype=int)] * 101, [1.0] * 101, 2, wildcard=False)
    for options in ({"k": 1}, {"k": 2, "importance": {"age": 0}}, {"k": 2, "meaning": "any"}):
        with pytest.raises(InvalidParameter):
            tk.LocalSuppression(**options)


def test_a_value_that_looks_like_a_star_is_none() -> None:
    schema = tk.Schema(
        [tk.Attribute("a", Q, tk.Categories(["*", "x", "y"])), tk.Attribute("b", Q, tk.Categories(["p"]))]
    )
    table = pa.table({"a": ["*"] * 3 + ["x"] * 4 + ["y"] * 5, "b": ["p"] * 12})
    own, wildcard = make(table, schema, tk.LocalSuppression(k=3)).release.guarantees
    assert own.value == wildcard.value == 3


def test_weights_beyond_what_can_be_added_up_are_refused() -> None:
    assert tk.LocalSuppression(k=2, importance={"age": 1e9}).importance == {"age": 1e9}
    with pytest.raises(InvalidParameter, match="at most 1,000,000,000"):
        tk.LocalSuppression(k=2, importance={"age": 1.1e9})


@pytest.mark.parametrize("wildcard", [False, True])
def test_thirty_columns(wildcard: bool) -> None:
    rng = np.random.default_rng(3)
    kind = rng.integers(0, 4, 300)
    columns = [np.where(rng.random(300) < 0.8, (kind + j) % 4, rng.integers(0, 4, 300)) for j in range(30)]
    stars = stars_of(columns, [1.0] * 30, 4, wildcard=wildcard)
    cells = np.stack([np.where(stars[:, j], -1, codes) for j, codes in enumerate(columns)], axis=1)
    if wildcard:  # a suppressed cell agrees with anything
        alike = ((cells[:, None] == cells) | (cells[:, None] < 0) | (cells < 0)).all(axis=2).sum(axis=1)
        assert alike.min() >= 4
    else:
        assert np.unique(cells, axis=0, return_counts=True)[1].min() >= 4
    assert 0 < stars.mean() < 1


def test_a_search_is_nearly_as_good_as_every_set(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(4)
    kind = rng.integers(0, 4, 400)
    columns = [np.where(rng.random(400) < 0.8, (kind + j) % 4, rng.integers(0, 4, 400)) for j in range(9)]
    every = stars_of(columns, [1.0] * 9, 4, wildcard=False).mean()
    monkeypatch.setattr(cell_suppression, "EVERY", 5)
    searched = stars_of(columns, [1.0] * 9, 4, wildcard=False).mean()
    assert searched <= 1.15 * every
