"""Methods with one mistake each, for the checks to find."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tokumei.anonymizers.anonymizer import Design, table_of
from tokumei.privacy.asked import Asked
from tokumei.release.disclosure import Fact
from tokumei.release.reasons import SmallestClass


def asks_for_rows_unsaid(toy: Any) -> dict[str, Any]:
    def design(self: Any, schema: Any, survey: Any) -> Design:
        table_of(survey)
        return toy.design(self, schema, survey)  # type: ignore[no-any-return]

    return {"design": design}


def declares_something_of_the_rows(toy: Any) -> dict[str, Any]:
    kept: dict[str, float] = {}

    def design(self: Any, schema: Any, survey: Any) -> Design:
        kept["sum"] = float((survey.table.codes("age") * np.arange(survey.rows)).sum())
        return toy.design(self, schema, survey)  # type: ignore[no-any-return]

    def describe(self: Any) -> dict[str, Any]:
        return {**toy.describe(self), **kept}

    return {"design": design, "describe": describe, "needs": lambda self: {"rows": ""}}


def states_more_than_it_keeps(toy: Any) -> dict[str, Any]:
    def design(self: Any, schema: Any, survey: Any) -> Design:
        made = toy.design(self, schema, survey)
        more = tuple(replace(each, value=2 * each.value) for each in made.guarantees)
        return replace(made, guarantees=more)

    return {"design": design}


def asks_for_more_than_it_keeps(toy: Any) -> dict[str, Any]:
    return {"asked": lambda self: (Asked("Pk-anonymity", 1e9),)}


def leaves_out_a_parameter(toy: Any) -> dict[str, Any]:
    return {"describe": lambda self: {"method": self.method}}


def draws_for_itself(toy: Any) -> dict[str, Any]:
    def design(self: Any, schema: Any, survey: Any) -> Design:
        made = toy.design(self, schema, survey)
        left_out = np.zeros(survey.rows, dtype=bool)
        left_out[np.random.default_rng().integers(survey.rows)] = True
        fact = Fact("left_out", 1, SmallestClass())
        mechanism = replace(made.mechanism, left_out=1)
        return replace(made, left_out=left_out, facts=(*made.facts, fact), mechanism=mechanism)

    return {"design": design, "needs": lambda self: {"rows": ""}}


def ends_in_an_error(toy: Any) -> dict[str, Any]:
    def design(self: Any, schema: Any, survey: Any) -> Design:
        if not schema.names("quasi_identifier"):
            raise KeyError("quasi_identifier")
        return toy.design(self, schema, survey)  # type: ignore[no-any-return]

    return {"design": design}


# The mistake, and what is said of it.
BROKEN = {
    asks_for_rows_unsaid: "runs on every engine: InvalidParameter: The method asks for all rows",
    declares_something_of_the_rows: "declares nothing of the rows: What is declared depends on the rows",
    states_more_than_it_keeps: "is read as it was written: ReleaseError",
    asks_for_more_than_it_keeps: "keeps what is asked: InfeasiblePromise",
    leaves_out_a_parameter: "describes itself: describe\\(\\) leaves out k",
    draws_for_itself: "a seed makes the promise void: The same seed gives other rows",
    ends_in_an_error: "a schema without quasi-identifiers ends in KeyError",
}
