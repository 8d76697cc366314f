"""What methods need of engines, and the sentence that says what an engine does not offer."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import get_args

from tokumei.anonymizers.anonymizer import Anonymizer, Need
from tokumei.errors import InvalidParameter
from tokumei.messages import phrase
from tokumei.table.schema import Schema

EVERYTHING: frozenset[Need] = frozenset(get_args(Need))
COUNTS: frozenset[Need] = frozenset({"small_classes", "cuts"})  # what can be counted of rows that are not in one memory

NEEDED: dict[Need, str] = {
    "people": phrase("a column of role 'person', which says whose row each is"),
    "rates": phrase("rates of values to be published"),
    "constraints": phrase("classes that are judged by a sensitive column or a population"),
    "rows": phrase("all rows in one memory"),
    "cuts": phrase("groups of rows by cuts"),
    "small_classes": phrase("the sizes of classes"),
}


def refuse_needs(method: Anonymizer, schema: Schema, engine: str, offers: AbstractSet[Need]) -> None:
    """Refuse a method that needs more than an engine offers, and say what could be changed."""
    needs: dict[Need, str] = dict(method.needs())
    if method.publishing():
        needs["rates"] = phrase("leave publish out")
    if schema.names("person"):
        needs["people"] = ""
    for need, what in NEEDED.items():
        if need in needs and need not in offers:
            if needs[need]:
                raise InvalidParameter(
                    "{kind} needs {what}, which the engine {engine!r} does not offer; {instead}, or use the local engine.",
                    kind=type(method).__name__,
                    what=what,
                    engine=engine,
                    instead=needs[need],
                )
            raise InvalidParameter(
                "{kind} needs {what}, which the engine {engine!r} does not offer; use the local engine.",
                kind=type(method).__name__,
                what=what,
                engine=engine,
            )
