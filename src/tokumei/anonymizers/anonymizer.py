"""What every method offers: from public facts, and from data only what it asks for by name, to a design."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Protocol

from tokumei.mechanism.record import Mechanism
from tokumei.privacy.guarantee import Guarantee
from tokumei.release.disclosure import Fact
from tokumei.table.schema import Schema


class Survey(Protocol):
    """What a method may ask about the data. Whatever it asks for must end up among the disclosed facts."""

    @property
    def rows(self) -> int:
        """How many rows there are."""

    def smallest_class(self, columns: tuple[str, ...]) -> int:
        """Count the rows of the smallest group that agree in all of ``columns``."""


@dataclass(frozen=True)
class Design:
    """What a method has decided to do: the mechanism to draw from, what it promises, and what it took from the data."""

    mechanism: Mechanism
    guarantees: tuple[Guarantee, ...]
    facts: tuple[Fact, ...] = ()


class Anonymizer(ABC):
    """A way of making a release."""

    @abstractmethod
    def design(self, schema: Schema, survey: Survey) -> Design:
        """Decide what to do with a table of this schema."""

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """Return the method as it stands in a manifest: its name and the parameters that the plan gave."""
