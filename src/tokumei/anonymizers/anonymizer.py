"""What every method offers: from public facts, and from data only what it asks for by name, to a design."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from tokumei.anonymizers.pilot import Shared
from tokumei.anonymizers.sample import Sample
from tokumei.anonymizers.value_rates import ValueRates
from tokumei.arrays import Codes
from tokumei.mechanism.record import Mechanism
from tokumei.privacy.asked import Asked
from tokumei.privacy.guarantee import Guarantee
from tokumei.privacy.sampling import HidingPlace
from tokumei.release.disclosure import Fact
from tokumei.table.coded import CodedTable
from tokumei.table.people import People
from tokumei.table.schema import Schema
from tokumei.words import Statement


class Survey(Protocol):
    """What a method may ask. The first three are public; whatever it asks of the data must end up among its facts."""

    @property
    def rows(self) -> int:
        """How many rows the table has."""

    @property
    def released(self) -> int:
        """How many of them were drawn for the release."""

    @property
    def planned(self) -> int:
        """The number of released rows that a guarantee is to be solved for; more than `released` where that is chance."""

    def hiding_places(self, known: tuple[str, ...]) -> tuple[HidingPlace, ...]:
        """List among how many rows people hide from an attacker who knows the columns ``known``, and the strata."""

    @property
    def table(self) -> CodedTable:
        """The rows themselves, for a method that learns from them."""

    def prepared(self, frame: Any) -> CodedTable:
        """Check and prepare another table as this one was."""

    def shared_with(self, pilot: CodedTable) -> Shared | None:
        """Count the rows that a prepared pilot has in common with the table; ``None`` where they cannot be compared."""

    @property
    def people(self) -> People | None:
        """Whose row each is, where a column says so."""

    def counts(self, column: str) -> tuple[int, ...]:
        """Count the values of a column, in the order of its codes."""

    def strata(self) -> tuple[tuple[str | None, int, int], ...]:
        """Count, for each stratum whose label is released, its rows and those drawn; empty without strata."""


@dataclass(frozen=True)
class Design:
    """What a method has decided to do: the mechanism to draw from, what it promises, and what it took from the data.

    ``schema`` describes the released columns where the mechanism changes their domains. A method that groups rows does
    not draw: it gives the released codes of its columns in ``recoded``, or in ``taken`` the row whose cell each row is given as
    it came, and which rows are not released in ``left_out``.
    One that perturbs in groups gives each row's group in ``groups``, -1 for a row that is not released. ``notes`` are for
    the data holder only.
    """

    mechanism: Mechanism
    guarantees: tuple[Guarantee, ...]
    facts: tuple[Fact, ...] = ()
    schema: Schema | None = None
    recoded: Mapping[str, Codes] = field(default_factory=dict)
    left_out: npt.NDArray[np.bool_] | None = None
    notes: tuple[Statement, ...] = ()
    groups: npt.NDArray[np.int64] | None = None
    taken: Mapping[str, npt.NDArray[np.int64]] = field(default_factory=dict)


class Anonymizer(ABC):
    """A way of making a release.

    ``any_order`` says that what happens to a row does not depend on where the others stand. Any other method is given the rows
    in an order of chance: what breaks ties by the order of rows must not do so by that of the original, which would show in
    who is grouped with whom.
    """

    any_order: ClassVar[bool] = False

    def sampling(self) -> Sample | None:
        """Return how rows are drawn; a method that can sample has a field ``sample``."""
        return getattr(self, "sample", None)

    def publishing(self) -> tuple[ValueRates, ...]:
        """Return which rates are published; a method that can publish some has a field ``publish``, and one ``k``."""
        return getattr(self, "publish", ())

    @abstractmethod
    def asked(self) -> tuple[Asked, ...]:
        """Return what is asked for; a release that guarantees less is refused by every engine."""

    @abstractmethod
    def design(self, schema: Schema, survey: Survey) -> Design:
        """Decide what to do with a table of this schema."""

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """Return the method as it appears in a manifest: its name and the parameters that the plan gave."""
