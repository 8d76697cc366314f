from __future__ import annotations

import pytest

import tokumei as tk
from tokumei.errors import DataError, InvalidParameter, ObservedDomainWarning


def test_names_by_role(schema: tk.Schema) -> None:
    assert schema.names() == ("name", "age", "sex", "ill")
    assert schema.names("quasi_identifier", "sensitive") == ("age", "sex", "ill")
    assert schema["age"].states == 41
    assert schema.without("age").names() == ("name", "sex", "ill")


def test_unknown_columns_are_named_with_the_nearest(schema: tk.Schema) -> None:
    with pytest.raises(InvalidParameter, match="no column 'agee' in the schema. Did you mean 'age'"):
        _ = schema["agee"]


def test_observing_warns(make, people) -> None:
    with pytest.warns(ObservedDomainWarning, match="'age', 'sex', 'ill' were read from the data"):
        found = tk.Schema.observe(make(people), roles={"name": "identifier", "ill": "sensitive"})
    assert found["age"] == tk.Attribute(
        "age", "quasi_identifier", tk.Numbers(20, 60, step=1, quantity=False), observed=True
    )
    assert found["ill"] == tk.Attribute("ill", "sensitive", tk.Categories([False, True]), observed=True)
    assert found["name"].domain is None


def test_observed_missing_is_noticed(make) -> None:
    with pytest.warns(ObservedDomainWarning):
        found = tk.Schema.observe(make({"a": ["x", None, "y"]}))
    assert found["a"].missing


@pytest.mark.parametrize(
    ("roles", "message"),
    [({"agee": "sensitive"}, "Did you mean 'age'"), ({"age": "secret"}, "must be one of 'identifier'")],
)
def test_bad_roles(people, make, roles, message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        tk.Schema.observe(make(people), roles=roles)


@pytest.mark.parametrize(
    ("make_it", "message"),
    [
        (lambda: tk.Schema([]), "at least one column"),
        (lambda: tk.Schema([tk.Attribute("a", "identifier")] * 2), "'a' is described twice"),
        (lambda: tk.Attribute(""), "needs a name"),
        (lambda: tk.Attribute("a"), "quasi-identifier 'a' needs a domain"),
        (lambda: tk.Attribute("a", "key"), "'role' must be 'identifier'"),
        (lambda: tk.Attribute("a", "sensitive", hierarchy=tk.Hierarchy.intervals([0, 1])), "hierarchy but no domain"),
        (
            lambda: tk.Attribute("a", domain=tk.Categories(["x", "y"]), hierarchy=tk.Hierarchy.groups({"g": ["x"]})),
            "lacks 1 value of its domain: 'y'",
        ),
    ],
)
def test_schemas_that_cannot_be(make_it, message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        make_it()


def test_values_known_only_from_data_are_counted_not_named() -> None:
    with pytest.raises(InvalidParameter, match=r"lacks 1 value of its domain\.$"):
        tk.Attribute(
            "a", domain=tk.Categories(["x", "secret"]), hierarchy=tk.Hierarchy.groups({"g": ["x"]}), observed=True
        )


def test_empty_tables_have_no_domain(make) -> None:
    with pytest.raises(DataError, match="no rows"):
        tk.Schema.observe(make({"a": []}))
