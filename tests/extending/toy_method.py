"""A method of somebody else's package: every quasi-identifier becomes anything with the same probability."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from typing import Any, ClassVar, Literal

from pydantic import StrictFloat, StrictInt

from tokumei.anonymizers.anonymizer import Anonymizer, Design, Need, Survey, register_method
from tokumei.anonymizers.promises import pk_guarantees, split_columns
from tokumei.mechanism.record import Mechanism, channel_for
from tokumei.partition.notes import Note
from tokumei.privacy.asked import Asked
from tokumei.privacy.assumptions import Assumption
from tokumei.privacy.pk import check_feasible, check_k
from tokumei.table.schema import Schema
from tokumei.values import value
from tokumei.words.catalogue import add_words
from tokumei.words.statement import Count


class ToyNothingLeft(Assumption):
    """Released quasi-identifiers have nothing to do with true ones."""


class ToyReplaced(Note):
    """How many columns were replaced."""

    columns: Count


@register_method
@value
class ToyReplacement(Anonymizer):
    """Replace every quasi-identifier by any value of its domain, all equally likely."""

    k: StrictInt | StrictFloat
    method: Literal["toy_replacement"] = field(default="toy_replacement", kw_only=True, repr=False)
    any_order: ClassVar[bool] = True
    in_blocks: ClassVar[bool] = True
    on_frontier: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_k(self.k)

    def needs(self) -> Mapping[Need, str]:
        return {}

    def keeps(self, schema: Schema) -> tuple[str, ...]:
        return split_columns(schema, "unknown", None)[1]

    def design(self, schema: Schema, survey: Survey) -> Design:
        perturbed, kept = split_columns(schema, "unknown", None)
        check_feasible(survey.rows, self.k)
        mechanism = Mechanism({name: channel_for(schema[name], Fraction(1)) for name in perturbed}, kept)
        stated = pk_guarantees(schema, survey, mechanism, "unknown", None)
        guarantees = tuple(_also(each) for each in stated)
        return Design(mechanism, guarantees, notes=(ToyReplaced(columns=len(perturbed)),))

    def asked(self) -> tuple[Asked, ...]:
        return (Asked("Pk-anonymity", self.k),)

    def describe(self) -> dict[str, Any]:
        return {"method": self.method, "k": self.k}


def _also(guarantee: Any) -> Any:
    from dataclasses import replace

    return replace(guarantee, assumes=(*guarantee.assumes, ToyNothingLeft()))


add_words(
    "en",
    {
        "method_toy_replacement": "toy replacement",
        "about_toy_replacement": "Every quasi-identifier is replaced by any value, all equally likely.",
        "assumption.toy_nothing_left": "The released quasi-identifiers say nothing about the true ones.",
        "note.toy_replaced": "{columns:column was|columns were} replaced.",
    },
)
add_words(
    "ja",
    {
        "method_toy_replacement": "おもちゃの置換",
        "about_toy_replacement": "準識別子はすべて、等しい確率で任意の値に置き換えられます。",
        "assumption.toy_nothing_left": "公開された準識別子は真の値について何も語りません。",
        "note.toy_replaced": "{columns}列を置き換えました。",
    },
)
