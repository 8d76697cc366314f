from __future__ import annotations

import warnings
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest

import tokumei as tk
from tests.conftest import columns_of
from tokumei.errors import InfeasiblePromise, InvalidParameter, RoundedInputWarning
from tokumei.privacy.assumptions import ObservedDomains

CENSUS = tk.example_census(rows=3000, frame="pyarrow")


@pytest.mark.parametrize("split", ["even", "equal_retention"])
@pytest.mark.parametrize("k", [1.001, 2, 3.7, 10, 500, 2999, 3000])
def test_achieved_k_is_at_least_the_one_asked_and_hardly_more(k: float, split: str) -> None:
    release = tk.anonymize(CENSUS, tk.example_schema(), tk.PkPerturbation(k=k, split=split, tells="all"))
    stated = release.guarantees[0].value
    computed = 1 + 2999 * release.mechanism.swap
    assert Fraction(k) <= Fraction(stated) <= computed <= Fraction(k) * (1 + Fraction(1, 10**6))


def test_identifiers_are_dropped_and_rows_shuffled(make, people, schema) -> None:
    kept = tk.Schema([*schema, tk.Attribute("row", "insensitive")])
    release = tk.anonymize(make({**people, "row": list(range(60))}), kept, tk.PkPerturbation(k=5, tells="all"), seed=1)
    found = columns_of(release.frame)
    assert list(found) == ["age", "sex", "ill", "row"]
    assert found["row"] != list(range(60))
    assert sorted(found["row"]) == list(range(60))
    assert [people["ill"][i] for i in found["row"]] == found["ill"]  # kept columns stay together


def test_fresh_keys_give_fresh_draws(make, people, schema) -> None:
    made = [columns_of(tk.anonymize(make(people), schema, tk.PkPerturbation(k=5, tells="all")).frame) for _ in range(2)]
    assert made[0] != made[1]


def test_released_values_are_in_their_domain(make, people, schema) -> None:
    found = columns_of(tk.anonymize(make(people), schema, tk.PkPerturbation(k=30, tells="all")).frame)
    assert set(found["age"]) <= set(range(20, 61))
    assert set(found["sex"]) <= {"Female", "Male"}


def test_kept_unknown_never_says_whatever_he_knows(make, people, schema) -> None:
    guarantee = tk.anonymize(make(people), schema, tk.PkPerturbation(k=5, tells="all")).guarantees[0]
    assert "whatever" not in str(guarantee)
    assert "Against attackers who also know 'ill', k = 1." in guarantee.headline
    assert guarantee.numbers["among"] == 60


def test_without_kept_columns_the_promise_is_against_everybody(make, people, schema) -> None:
    release = tk.anonymize(make(people), schema, tk.PkPerturbation(k=5, tells="all"), prepare=[tk.prepare.Drop("ill")])
    assert release.guarantees[0].headline.startswith("No attacker, whatever they know about the original table,")


def test_kept_known_counts_the_smallest_joint_class(make, people, schema) -> None:
    more = tk.Schema([*schema, tk.Attribute("town", "insensitive")])
    table = make({**people, "town": ["T" if i % 2 else "U" for i in range(60)]})
    release = tk.anonymize(table, more, tk.PkPerturbation(k=5, kept="known", tells="all"))
    # 15 of 60 are ill, all of them in even rows: the classes are (ill, U) 15, (not ill, U) 15, (not ill, T) 30
    assert release.guarantees[0].numbers["among"] == 15
    assert [(fact.name, fact.value) for fact in release.disclosed] == [("hiding_places", [{"rows": 15, "drawn": 15}])]
    assert release.guarantees[0].value >= 5
    assert "whatever they know" in release.guarantees[0].headline
    with pytest.raises(
        InfeasiblePromise,
        match=r"smallest equivalence class of the kept columns 'ill', 'town' has 15 rows.*largest k is 15",
    ):
        tk.anonymize(table, more, tk.PkPerturbation(k=16, kept="known", tells="all"))


def test_kept_known_tells_apart_what_is_released_apart(make) -> None:
    """Kept numbers are released as they are, so classes are of exact values, not of grid points."""
    schema = tk.Schema(
        [tk.Attribute("q", domain=tk.Categories([0, 1])), tk.Attribute("s", "sensitive", tk.Numbers(0, 10, step=5))]
    )
    table = make({"q": [0, 1] * 10, "s": [4.9] * 10 + [5.1] * 10})
    release = tk.anonymize(table, schema, tk.PkPerturbation(k=2, kept="known", tells="all"))
    assert release.guarantees[0].numbers["among"] == 10
    assert set(columns_of(release.frame)["s"]) == {4.9, 5.1}


def test_kept_perturb_perturbs_all(make, people, schema) -> None:
    release = tk.anonymize(make(people), schema, tk.PkPerturbation(k=20, kept="perturb", tells="all"), seed=3)
    assert set(release.mechanism.channels) == {"age", "sex", "ill"}
    assert release.mechanism.kept == ()
    assert sum(columns_of(release.frame)["ill"]) != 15
    assert "whatever they know" in release.guarantees[0].headline


def test_rounding_is_counted_and_told(make) -> None:
    schema = tk.Schema([tk.Attribute("x", domain=tk.Numbers(0, 10, step=5))])
    with pytest.warns(RoundedInputWarning, match="'x': 10 values lay between points"):
        release = tk.anonymize(make({"x": [0.0, 2.2] * 10}), schema, tk.PkPerturbation(k=2, tells="all"))
    assert release.record is not None
    assert release.record.rounded == {"x": 10}
    assert set(columns_of(release.frame)["x"]) <= {0.0, 5.0, 10.0}


def test_the_default_grid_is_counted_without_a_warning(make) -> None:
    schema = tk.Schema([tk.Attribute("x", domain=tk.Numbers(0, 1))])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        release = tk.anonymize(make({"x": [0.1, 0.2] * 10}), schema, tk.PkPerturbation(k=2, tells="all"))
    assert release.record is not None
    assert release.record.rounded == {"x": 20}
    steps = np.array(columns_of(release.frame)["x"]) * 2**16
    assert np.array_equal(steps, np.rint(steps))  # every released number lies on the grid


def test_observed_domains_are_named_in_the_promise(make, people) -> None:
    with pytest.warns(tk.errors.ObservedDomainWarning):
        schema = tk.Schema.observe(make(people), roles={"name": "identifier", "ill": "sensitive"})
    guarantee = tk.anonymize(make(people), schema, tk.PkPerturbation(k=5, tells="all")).guarantees[0]
    assert ObservedDomains(columns=("age", "sex", "ill")) in guarantee.assumes


def test_weights_steer_the_noise() -> None:
    names = tk.example_schema().names("quasi_identifier")
    weights = dict.fromkeys(names, 1.0) | {"education": 10.0}
    even = tk.anonymize(CENSUS, tk.example_schema(), tk.PkPerturbation(k=10, tells="all")).mechanism.channels
    ours = tk.anonymize(
        CENSUS, tk.example_schema(), tk.PkPerturbation(k=10, split=weights, tells="all")
    ).mechanism.channels
    assert ours["education"].cost > 3 * even["education"].cost
    assert ours["sex"].cost < even["sex"].cost


@pytest.mark.parametrize(
    ("make_it", "message"),
    [
        (lambda: tk.PkPerturbation(k=1, tells="all"), "k must be a number above 1"),
        (lambda: tk.PkPerturbation(k="10", tells="all"), "'k' must be"),
        (lambda: tk.PkPerturbation(k=True, tells="all"), "'k' must be"),
        (lambda: tk.PkPerturbation(k=float("nan"), tells="all"), "k must be a number above 1"),
        (lambda: tk.PkPerturbation(tells="all"), "needs k, epsilon, or both"),
        (lambda: tk.PkPerturbation(k=3, split="fair", tells="all"), "'split' must be 'even' or 'equal_retention'"),
        (lambda: tk.PkPerturbation(k=3, kept="maybe", tells="all"), "'kept' must be 'unknown', 'known' or 'perturb'"),
        (lambda: tk.PkPerturbation(k=3, seed=1, tells="all"), "'seed' is not known"),
    ],
)
def test_methods_that_cannot_be(make_it, message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        make_it()


def test_nothing_to_perturb() -> None:
    schema = tk.Schema([tk.Attribute("a", "sensitive")])
    with pytest.raises(InvalidParameter, match="nothing to perturb"):
        tk.anonymize(pa.table({"a": [1, 2]}), schema, tk.PkPerturbation(k=2, tells="all"))


def test_kept_perturb_needs_domains() -> None:
    schema = tk.Schema([tk.Attribute("a", "sensitive"), tk.Attribute("b", domain=tk.Categories([1, 2]))])
    with pytest.raises(InvalidParameter, match="'a' has no declared domain"):
        tk.anonymize(
            pa.table({"a": [1, 2, 1], "b": [1, 2, 2]}), schema, tk.PkPerturbation(k=2, kept="perturb", tells="all")
        )


def test_constant_columns_cost_nothing() -> None:
    schema = tk.Schema([tk.Attribute("a", domain=tk.Categories(["x"])), tk.Attribute("b", domain=tk.Numbers(3, 3))])
    release = tk.anonymize(pa.table({"a": ["x"] * 5, "b": [3] * 5}), schema, tk.PkPerturbation(k=2, tells="all"))
    assert release.guarantees[0].value == 5


def test_methods_are_values() -> None:
    assert tk.PkPerturbation(k=3, tells="all") == tk.PkPerturbation(3, tells="all")
    assert tk.PkPerturbation(k=3, tells="all") != tk.PkPerturbation(4, tells="all")
    with pytest.raises(AttributeError):
        tk.PkPerturbation(k=3, tells="all").k = 4  # type: ignore[misc]


def test_rare_labels_of_an_observed_domain_are_pointed_out(make) -> None:
    table = make({"town": ["A"] * 50 + ["Lonely Isle"] * 2})
    with pytest.warns(tk.errors.ObservedDomainWarning):
        schema = tk.Schema.observe(table)
    with pytest.warns(
        tk.errors.ObservedDomainWarning, match="'town'.* 1 label of it occurs in fewer than 5 rows"
    ) as caught:
        tk.anonymize(table, schema, tk.PkPerturbation(k=2, tells="all"))
    assert "Lonely" not in str(caught[0].message)
