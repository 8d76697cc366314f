from __future__ import annotations

import pytest

import tokumei as tk
from tests.conftest import columns_of
from tokumei.errors import InvalidParameter

AGES = tk.Hierarchy.intervals([20, 40, 60], [20, 60])


def with_ages(schema: tk.Schema, hierarchy: tk.Hierarchy | None = AGES) -> tk.Schema:
    return schema.replacing(tk.Attribute("age", "quasi_identifier", tk.Numbers(20, 60, step=1), hierarchy))


def test_recoding_before_perturbing(make, people, schema) -> None:
    release = tk.anonymize(
        make(people), with_ages(schema), tk.PkPerturbation(k=2, tells="all"), [tk.prepare.Recode("age")]
    )
    assert release.schema["age"].domain == tk.Categories(["20-39", "40-60"], ordered=True)
    assert set(columns_of(release.frame)["age"]) <= {"20-39", "40-60"}
    assert release.schema["age"].hierarchy is not None  # level 2 is still above
    assert release.prepare == ({"step": "recode", "column": "age", "level": 1},)


def test_recoded_kept_columns_are_released_recoded(make, people, schema) -> None:
    sensitive = with_ages(schema).replacing(tk.Attribute("age", "sensitive", tk.Numbers(20, 60, step=1), AGES))
    release = tk.anonymize(make(people), sensitive, tk.PkPerturbation(k=2, tells="all"), [tk.prepare.Recode("age")])
    counts = columns_of(release.frame)["age"]
    assert counts.count("20-39") == sum(age < 40 for age in people["age"])


def test_a_hierarchy_given_with_the_step(make, people, schema) -> None:
    step = tk.prepare.Recode("sex", hierarchy=tk.Hierarchy.groups({"person": ["Female", "Male"]}))
    release = tk.anonymize(make(people), schema, tk.PkPerturbation(k=2, tells="all"), [step])
    assert set(columns_of(release.frame)["sex"]) == {"person"}


def test_recoding_twice_climbs_what_is_left(make, people, schema) -> None:
    release = tk.anonymize(
        make(people),
        with_ages(schema),
        tk.PkPerturbation(k=2, tells="all"),
        [tk.prepare.Recode("age"), tk.prepare.Recode("age")],
    )
    assert set(columns_of(release.frame)["age"]) == {"20-60"}


def test_missing_stays_missing(make) -> None:
    attribute = tk.Attribute("age", domain=tk.Numbers(20, 60, step=1), hierarchy=AGES, missing=True)
    release = tk.anonymize(
        make({"age": [20, None, 60] * 9}),
        tk.Schema([attribute]),
        tk.PkPerturbation(k=2, tells="all"),
        [tk.prepare.Recode("age")],
    )
    assert set(columns_of(release.frame)["age"]) == {"20-39", "40-60", None}


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (tk.prepare.Recode("sex"), "Recode needs a hierarchy for 'sex'"),
        (tk.prepare.Recode("age", level=3), "needs a level between 1 and 2. Got 3"),
        (tk.prepare.Recode("age", level=0), "needs a level between 1 and 2. Got 0"),
        (tk.prepare.Recode("agee"), "Did you mean 'age'"),
        (tk.prepare.Recode("age", hierarchy=tk.Hierarchy.intervals([20, 50])), "lacks 1 value of its domain: '60'"),
        (tk.prepare.Recode("name"), "no column 'name'"),
        ("recode", "prepare must be a list of steps"),
    ],
)
def test_steps_that_cannot_be_taken(people, schema, make, step, message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        tk.anonymize(make(people), with_ages(schema), tk.PkPerturbation(k=2, tells="all"), [step])
