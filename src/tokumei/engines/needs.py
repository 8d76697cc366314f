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


def needs_of(method: Anonymizer, schema: Schema) -> dict[Need, str]:
    """Return all that a method needs for a table of this schema, each with what could be changed to do without."""
    needs: dict[Need, str] = dict(method.needs())
    if method.publishing():
        needs["rates"] = phrase("leave publish out")
    if schema.names("person"):
        needs["people"] = ""
    return needs


def needs_rows(method: Anonymizer, schema: Schema) -> bool:
    """Whether a method needs more than counts, and so the codes of all rows in one memory."""
    return not set(needs_of(method, schema)) <= COUNTS


def refuse_needs(method: Anonymizer, schema: Schema, engine: str, offers: AbstractSet[Need]) -> None:
    """Refuse a method that needs more than an engine offers, and say what could be changed."""
    needs = needs_of(method, schema)
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


def refuse_size(method: Anonymizer, schema: Schema, engine: str, rows: int, size: int, memory: int) -> None:
    """Refuse a method that needs the codes of all rows in one memory where they take more than is allowed."""
    if size <= memory:
        return
    needs = needs_of(method, schema)
    need = next(each for each in NEEDED if each in needs and each not in COUNTS)
    if needs[need]:
        raise InvalidParameter(
            "{kind} needs {what}: {rows:row|rows} take about {size:.2f} GB for it, and the engine {engine!r} may use "
            "{memory:.2f} GB; allow more memory, or {instead}.",
            kind=type(method).__name__,
            what=NEEDED[need],
            rows=rows,
            size=size / 1e9,
            engine=engine,
            memory=memory / 1e9,
            instead=needs[need],
        )
    raise InvalidParameter(
        "{kind} needs {what}: {rows:row|rows} take about {size:.2f} GB for it, and the engine {engine!r} may use "
        "{memory:.2f} GB; allow more memory.",
        kind=type(method).__name__,
        what=NEEDED[need],
        rows=rows,
        size=size / 1e9,
        engine=engine,
        memory=memory / 1e9,
    )
