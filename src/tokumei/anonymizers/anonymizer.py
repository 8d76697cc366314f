"""What every method offers: from public facts, and from data only what it asks for by name, to a design."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal, Protocol

import numpy as np
import numpy.typing as npt

from tokumei.anonymizers.pilot import Shared
from tokumei.anonymizers.repeat import Repeat
from tokumei.anonymizers.sample import Sample
from tokumei.anonymizers.value_rates import ValueRates
from tokumei.arrays import AnyIntegers, Codes, Places
from tokumei.errors import InvalidParameter
from tokumei.mechanism.recoding import Scheme
from tokumei.mechanism.record import Mechanism
from tokumei.partition.mondrian import Mondrian
from tokumei.privacy.asked import Asked
from tokumei.privacy.attackers import Kept
from tokumei.privacy.guarantee import Guarantee
from tokumei.privacy.sampling import HidingPlace
from tokumei.registry import Registry
from tokumei.release.disclosure import Fact
from tokumei.table.axis import Axis
from tokumei.table.coded import CodedTable
from tokumei.table.own_cells import OwnTexts
from tokumei.table.people import People
from tokumei.table.schema import Schema
from tokumei.words import Statement

# What a method may need that not every engine offers: all rows in one memory; which rows are in small classes; groups by cuts
# that follow from counts; classes judged by a sensitive column; rates of values; people with several rows.
Need = Literal["rows", "small_classes", "cuts", "constraints", "rates", "people"]


@dataclass(frozen=True)
class SmallClasses:
    """Rows in classes of fewer than k: how many, the size of the smallest other class, and which rows, as the engine names them."""

    rows: int
    smallest: int
    left_out: Any


class Cut(Protocol):
    """Rows in groups that an engine has cut without holding them all: the stretches that occur, and what follows from them."""

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The axes of the columns."""

    @property
    def low(self) -> Places:
        """Where stretches begin: one column an axis."""

    @property
    def high(self) -> Places:
        """Where they end."""

    @property
    def scheme(self) -> Scheme:
        """Whether groups overlap."""

    @property
    def loss(self) -> float:
        """The mean loss of a cell."""

    @property
    def told(self) -> Mapping[str, OwnTexts]:
        """How values are written that lie between the points of a grid."""

    def smallest(self, codes: Mapping[str, Codes]) -> int:
        """Count the rows of the smallest class, given the released codes of the stretches."""


class Survey(Protocol):
    """What a method may ask. The first three are public; whatever it asks of the data must end up among its facts."""

    @property
    def offers(self) -> frozenset[Need]:
        """What can be asked beyond counts; a method that needs more is refused before."""

    def small_classes(self, columns: tuple[str, ...], k: int) -> SmallClasses:
        """Find the rows that agree in all columns with fewer than k, themselves included."""

    def cut(self, columns: tuple[str, ...], k: int, cuts: Mondrian) -> Cut:
        """Put the rows into groups of at least k by cuts."""

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
    def table(self) -> CodedTable | None:
        """The rows themselves, for a method that learns from them; none where they are not in one memory. See `table_of`."""

    def prepared(self, frame: Any, columns: tuple[str, ...] | None = None) -> CodedTable:
        """Check and prepare another table as this one was, or some columns of it; it may be given as the path of a file."""

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
    the data holder only. What an engine gave for rows that it does not hold in memory goes back to it in ``left_out`` and ``cut``;
    ``recoded`` has then the codes of stretches, not of rows.
    """

    mechanism: Mechanism
    guarantees: tuple[Guarantee, ...]
    facts: tuple[Fact, ...] = ()
    schema: Schema | None = None
    recoded: Mapping[str, Codes] = field(default_factory=dict)
    left_out: Any = None
    notes: tuple[Statement, ...] = ()
    groups: npt.NDArray[np.int64] | None = None
    taken: Mapping[str, AnyIntegers] = field(default_factory=dict)
    cut: Cut | None = None


class Anonymizer(ABC):
    """A way of making a release.

    Engines do not look at which method it is: they ask what it needs, and what it can do.

    Attributes
    ----------
    any_order
        What happens to a row does not depend on where the others stand. Any other method is given the rows in an order of chance:
        what breaks ties by the order of rows must not do so by that of the original, which would show in who is grouped with whom.
    in_blocks
        Its promise follows from the hiding places that it asks for, so it holds in each block of rows that are shuffled by themselves.
    on_frontier
        It can be made from k alone, and the studio draws a line for it.
    """

    method: str
    any_order: ClassVar[bool] = False
    in_blocks: ClassVar[bool] = False
    on_frontier: ClassVar[bool] = False

    def needs(self) -> Mapping[Need, str]:
        """Return what it needs of an engine beyond counts, each with what could be changed to do without (nothing where it is empty).

        A method that asks for the rows (`table_of`) needs them, which is taken of any that does not say otherwise.
        """
        return {"rows": ""}

    def keeps(self, schema: Schema) -> tuple[str, ...]:
        """Name the columns of which cells may be released as they came: all of them, unless it is known that some are drawn anew."""
        return schema.names()

    def sampling(self) -> Sample | None:
        """Return how rows are drawn; a method that can sample has a field ``sample``."""
        return getattr(self, "sample", None)

    def publishing(self) -> tuple[ValueRates, ...]:
        """Return which rates are published; a method that can publish some has a field ``publish``, and one ``k``."""
        return getattr(self, "publish", ())

    def repeating(self) -> Repeat | None:
        """Return under which key draws repeat; a method that can repeat them has a field ``repeat``."""
        return getattr(self, "repeat", None)

    def kept_is(self) -> Kept | None:
        """Return what it thinks of the columns that it keeps; a method that thinks of them has a field ``kept``."""
        return getattr(self, "kept", None)

    @abstractmethod
    def asked(self) -> tuple[Asked, ...]:
        """Return what is asked for; a release that guarantees less is refused by every engine."""

    @abstractmethod
    def design(self, schema: Schema, survey: Survey) -> Design:
        """Decide what to do with a table of this schema."""

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """Return the method as it appears in a manifest: its name and the parameters that the plan gave."""


def table_of(survey: Survey) -> CodedTable:
    """Return the rows themselves, for a method that said that it needs them."""
    if survey.table is None:
        raise InvalidParameter(
            "The method asks for all rows in one memory and did not say in needs() that it does; use the local engine."
        )
    return survey.table


# The methods that a plan may name.
METHODS: Registry[Anonymizer] = Registry("method", strict=True)
register_method = METHODS.register
AnyMethod = Annotated[Anonymizer, METHODS]
