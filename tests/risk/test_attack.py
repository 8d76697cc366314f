"""The measured attack: it can succeed, it is calibrated, and it reaches the promise where the promise is tight."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import tokumei as tk
from tokumei.errors import InvalidParameter
from tokumei.privacy.exact import link_posteriors
from tokumei.risk import links as module

SCHEMA = tk.example_schema()


@pytest.mark.parametrize(("rows", "k"), [(50, 2), (500, 5), (3000, 10), (3000, 200)])
def test_on_the_worst_table_his_belief_is_the_promise(rows: int, k: float) -> None:
    """All equal but one, and a release in which nothing changed: the belief in the one row comes to 1/k within 1 %."""
    schema = tk.Schema(
        [tk.Attribute("b", domain=tk.Categories([0, 1])), tk.Attribute("c", domain=tk.Numbers(0, 4, step=1))]
    )
    frame = pd.DataFrame({"b": [1] + [0] * (rows - 1), "c": [4] + [0] * (rows - 1)})
    release = tk.anonymize(frame, schema, tk.PkPerturbation(k=k, tells="all"))
    tight = dataclasses.replace(release, held=pa.table({"b": frame["b"], "c": frame["c"]}))
    found = tk.attack(frame, tight, schema)
    assert found.largest_belief == pytest.approx(1 / k, rel=0.01)
    assert found.promised == pytest.approx(1 / k, rel=1e-6)
    assert found.linked is None


def test_small_tables_are_exact() -> None:
    schema = tk.Schema(
        [tk.Attribute("b", domain=tk.Categories([0, 1, 2])), tk.Attribute("s", "sensitive", tk.Categories([0, 1]))]
    )
    frame = pd.DataFrame({"b": [0, 0, 1, 2, 2, 1, 0], "s": [0, 1, 0, 0, 1, 0, 0]})
    release = tk.anonymize(frame, schema, tk.PkPerturbation(k=2, tells="all"), seed=3)
    found = tk.attack(frame, release, schema)
    matrix = release.mechanism.channels["b"].matrix()
    beliefs = link_posteriors(matrix[release.coded.codes("b")[None, :], frame["b"].to_numpy()[:, None]])
    assert found.largest_belief == pytest.approx(beliefs.max(), rel=1e-12)
    assert found.expected == pytest.approx(beliefs.max(axis=1).sum(), rel=1e-12)
    assert "exactly" in found.ways


def test_small_samples_are_exact() -> None:
    schema = tk.Schema([tk.Attribute("b", domain=tk.Categories([0, 1, 2]))])
    frame = pd.DataFrame({"b": [0, 0, 1, 2, 2, 1]})
    release = tk.anonymize(frame, schema, tk.PkPerturbation(k=2, sample=4, tells="all"), seed=3)
    from tokumei.privacy.exact import sampled_posteriors

    matrix = release.mechanism.channels["b"].matrix()
    likelihood = matrix[release.coded.codes("b")[None, :], frame["b"].to_numpy()[:, None]]
    exact = sampled_posteriors(likelihood, [0] * 6, [4])
    assert tk.attack(frame, release, schema).largest_belief == pytest.approx(exact.max(), rel=1e-12)


@pytest.mark.parametrize("sample", [None, 6])
def test_balancing_comes_close_to_the_exact_beliefs(monkeypatch: pytest.MonkeyPatch, sample: int | None) -> None:
    frame = tk.example_census(rows=9, random_state=5)
    release = tk.anonymize(frame, SCHEMA, tk.PkPerturbation(k=3, sample=sample, tells="all"), seed=3)
    exact = tk.attack(frame, release, SCHEMA)
    monkeypatch.setattr(module, "EXACT", 0)
    balanced = tk.attack(frame, release, SCHEMA)
    assert "Bethe" in balanced.ways
    assert balanced.expected == pytest.approx(exact.expected, rel=0.03)
    assert balanced.largest_belief == pytest.approx(exact.largest_belief, rel=0.05)


def test_an_unprotected_table_is_linked_row_by_row() -> None:
    frame = tk.example_census(rows=1500)
    found = tk.attack(frame, tk.Sampling(1500, known=1), SCHEMA)
    columns = [name for name in SCHEMA.names() if name != "person_id"]
    unique = int((~frame.duplicated(columns, keep=False)).sum())
    assert found.linked is not None
    assert found.linked >= unique
    assert found.largest_belief == pytest.approx(1, abs=1e-3)


def test_he_is_calibrated_and_held_to_the_promise() -> None:
    """What he expects to link is what he links, over many releases; and it is far below 1/k."""
    frame = tk.example_census(rows=400)
    outcomes = [
        tk.attack(frame, tk.PkPerturbation(k=1.2, tells="all"), SCHEMA, random_state=seed) for seed in range(12)
    ]
    linked = sum(each.linked or 0 for each in outcomes)
    expected = sum(each.expected for each in outcomes)
    assert abs(linked - expected) < 4 * np.sqrt(expected)
    assert linked > 10
    assert all(each.largest_belief <= 1 / 1.2 for each in outcomes)


def test_known_columns_help_him() -> None:
    frame = tk.example_census(rows=600)
    release = tk.anonymize(frame, SCHEMA, tk.PkPerturbation(k=5, kept="known", tells="all"), seed=1)
    blind = dataclasses.replace(release, method={**release.method, "kept": "unknown"})
    assert tk.attack(frame, release, SCHEMA).expected > 1.5 * tk.attack(frame, blind, SCHEMA).expected


def test_sensitive_values_are_guessed_beside_the_guess_without() -> None:
    """One column tells the sensitive value and is hardly perturbed: guessing works, although linking does not."""
    rng = np.random.default_rng(0)
    town = rng.integers(0, 2, 3000)
    frame = pd.DataFrame({"town": town, "ill": town == 1})
    schema = tk.Schema(
        [
            tk.Attribute("town", domain=tk.Categories([0, 1])),
            tk.Attribute("ill", "sensitive", tk.Categories([False, True])),
        ]
    )
    found = tk.attack(frame, tk.PkPerturbation(k=3, tells="all"), schema, random_state=1)
    guess = found.sensitive["ill"]
    assert guess.right / guess.people > 0.95
    assert guess.without / guess.people < 0.55
    assert found.linked is not None
    assert found.linked < 30
    assert "limits neither this" in str(found)


def test_fine_numbers_are_looked_at_in_bins() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.random(300), "y": np.where(rng.random(300) < 0.1, np.nan, rng.random(300))})
    schema = tk.Schema(
        [tk.Attribute("x", domain=tk.Numbers(0, 1)), tk.Attribute("y", domain=tk.Numbers(0, 1), missing=True)]
    )
    found = tk.attack(frame, tk.PkPerturbation(k=1.5, tells="all"), schema, random_state=1)
    assert 0 < found.largest_belief <= 1 / 1.5


def test_attacks_need_a_target_that_fits() -> None:
    frame = tk.example_census(rows=50)
    release = tk.anonymize(frame, SCHEMA, tk.PkPerturbation(k=2, tells="all"))
    with pytest.raises(InvalidParameter, match="needs a method or a release"):
        tk.attack(frame, "release", SCHEMA)
    with pytest.raises(InvalidParameter, match="not one of this table"):
        tk.attack(frame.head(40), release, SCHEMA)


def test_many_labels_are_told_apart() -> None:
    frame = pd.DataFrame({"c": np.arange(2000)})
    schema = tk.Schema([tk.Attribute("c", domain=tk.Categories(list(range(2000))))])
    found = tk.attack(frame, tk.PkPerturbation(k=1.01, tells="all"), schema, random_state=1)
    assert found.linked is not None
    assert found.linked > 200
    assert found.expected == pytest.approx(found.linked, rel=0.25)
    many = tk.Schema([tk.Attribute("c", domain=tk.Categories(list(range(5000))))])
    with pytest.raises(InvalidParameter, match="4,000 labels"):
        tk.attack(pd.DataFrame({"c": np.arange(5000)}), tk.PkPerturbation(k=2, tells="all"), many)


def test_released_strata_are_used() -> None:
    frame = pd.DataFrame({"q": [0, 1] * 200, "town": ["A"] * 20 + ["B"] * 380})
    schema = tk.Schema(
        [
            tk.Attribute("q", domain=tk.Categories([0, 1])),
            tk.Attribute("town", "insensitive", tk.Categories(["A", "B"])),
        ]
    )
    found = tk.attack(
        frame, tk.PkPerturbation(k=2, sample=tk.samples.Stratified("town", 10), tells="all"), schema, random_state=1
    )
    assert found.largest_belief > 1 / 40
    assert "strata" in found.ways


def test_nothing_is_promised_against_him_by_a_mere_sample() -> None:
    found = tk.attack(tk.example_census(rows=200), tk.Sampling(20, known=10), SCHEMA, random_state=1)
    assert found.promised == 1
