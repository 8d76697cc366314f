"""One state of the work: what would be done with the table, whole and frozen."""

from __future__ import annotations

from typing import Any

from tokumei.anonymizers import AnyMethod
from tokumei.errors import InvalidParameter
from tokumei.plan import Source
from tokumei.prepare import AnyStep
from tokumei.privacy.duties import read_duties
from tokumei.studio.session.population import Population
from tokumei.table.schema import Schema
from tokumei.values import value

MOST_PINNED = 3


@value
class State:
    """What would be done with a table.

    Parameters
    ----------
    source
        Where its rows are.
    schema
        Its columns.
    method
        What would be done with it; nothing where it has not been chosen yet.
    prepare
        Steps to take first.
    seed
        For tests and research only: the guarantee is void against anyone who knows it.
    pinned
        Methods that are kept to be compared, three at most.
    duties
        What the rungs of the ladder must not exceed, such as ``"linking 1/10, inference 3/4"``; the header is green where all of it holds.
    population
        What is known of the people from whom the table was drawn; nothing where nobody has said so.
    """

    source: Source
    schema: Schema
    method: AnyMethod | None = None
    prepare: tuple[AnyStep, ...] = ()
    seed: int | None = None
    pinned: tuple[AnyMethod, ...] = ()
    duties: str = ""
    population: Population | None = None

    def __post_init__(self) -> None:
        read_duties(self.duties)
        if len(self.pinned) > MOST_PINNED:
            raise InvalidParameter(
                "at most {most_pinned:method|methods} can be pinned; remove one first.", most_pinned=MOST_PINNED
            )

    def changes(self, other: State) -> dict[str, Any]:
        """Return the parts in which another state differs, as they are there."""
        parts = ("source", "schema", "method", "prepare", "seed", "pinned", "duties", "population")
        return {name: getattr(other, name) for name in parts if getattr(self, name) != getattr(other, name)}
