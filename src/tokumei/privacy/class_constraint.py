"""What a constraint on equivalence classes is: a frozen value, bound to a table before it is asked."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
import numpy.typing as npt

from tokumei.errors import InvalidParameter
from tokumei.privacy.assumptions import constraint_assumptions
from tokumei.privacy.attackers import KnowsOnly, Promise
from tokumei.privacy.guarantee import Guarantee
from tokumei.privacy.notions import Notion
from tokumei.registry import Registry
from tokumei.table.coded import CodedTable
from tokumei.text import nearest
from tokumei.values import described

SLACK = 1e-12  # wider than the rounding of a sum of shares
CELLS = 2**24  # classes times values that are counted at a time

Measure = Callable[[Any], npt.NDArray[np.float64]]


class ClassConstraint(ABC):
    """Something that is asked of every equivalence class in addition to its size."""

    notion: ClassVar[Notion]

    @property
    @abstractmethod
    def asked(self) -> float:
        """The value that is asked for."""

    @property
    def rising(self) -> bool:
        """Whether more is better."""
        return self.notion.larger_is_better

    @property
    def lasting(self) -> str:
        """What happens to the promise as classes join: ``"together"`` if two that hold it do so as one."""
        return "together"

    @property
    @abstractmethod
    def promise(self) -> Promise:
        """What is promised."""

    def describe(self) -> dict[str, Any]:
        """Return the constraint as it appears in a manifest."""
        return described(self)


# The constraints that a plan may name.
CONSTRAINTS: Registry[ClassConstraint] = Registry("constraint", strict=True)
register_constraint = CONSTRAINTS.register
AnyConstraint = Annotated[ClassConstraint, CONSTRAINTS]


class Sensitive(ClassConstraint):
    """A guarantee about one sensitive column in every equivalence class."""

    column: str

    @abstractmethod
    def measure(self, table: CodedTable, values: npt.NDArray[np.int64], share: npt.NDArray[np.float64]) -> Measure:
        """Return what gives each class its number, given the codes that occur and their shares in the whole table."""

    def bind(self, table: CodedTable) -> Bound:
        """Fix the table whose classes are judged."""
        if self.column not in table.schema.names():
            raise InvalidParameter(
                "a constraint names {column!r}, which is not a column of the table.{hint}",
                column=self.column,
                hint=nearest(self.column, table.schema.names()),
            )
        values, codes = np.unique(table.codes(self.column), return_inverse=True)
        if int(table.class_of((self.column,)).max()) + 1 > len(values):
            raise InvalidParameter(
                "the cells of {column!r} differ where its domain does not tell them apart, so equivalence "
                "classes cannot be judged by what is released; declare a step that fits, or recode it.",
                column=self.column,
            )
        share = np.bincount(codes) / len(codes)
        return Bound(self, codes.astype(np.int64), len(values), self.measure(table, values.astype(np.int64), share))

    def guarantee(self, achieved: float, columns: Sequence[str], people: bool) -> Guarantee:
        """State what the released rows keep; ``people`` says that they belong to people who may have several."""
        assumes = constraint_assumptions(columns, self.column, people)
        attacker = KnowsOnly(columns=tuple(columns))
        return Guarantee(self.notion.name, achieved, self.promise, attacker, assumes)


@dataclass(frozen=True, eq=False)
class Bound:
    """A constraint on the rows of one table."""

    constraint: Sensitive
    codes: npt.NDArray[np.int64]
    values: int
    measure: Measure

    @property
    def lasting(self) -> str:
        """What happens to the constraint as classes join."""
        return self.constraint.lasting

    def numbers(self, labels: npt.NDArray[Any], groups: int) -> npt.NDArray[np.float64]:
        """Return the number of each group; rows with a negative label are in none."""
        found = np.empty(groups)
        for part, counts in counted(self.codes, self.values, labels, groups):
            found[part] = self.measure(counts)
        return found

    def holds(self, labels: npt.NDArray[Any], groups: int) -> npt.NDArray[np.bool_]:
        """Say for each of the groups whether it holds."""
        return self.keeps(self.numbers(labels, groups))

    def keeps(self, number: Any) -> Any:
        """Say whether numbers are good enough."""
        asked = self.constraint.asked
        return number >= asked * (1 - SLACK) if self.constraint.rising else number <= asked * (1 + SLACK) + SLACK

    def achieved(self, labels: npt.NDArray[Any], groups: int) -> float:
        """Return the worst number of any group."""
        each = self.numbers(labels, groups)
        return float(each.min() if self.constraint.rising else each.max())


def counted(
    codes: npt.NDArray[Any], values: int, labels: npt.NDArray[Any], groups: int
) -> Iterator[tuple[slice, npt.NDArray[np.int64]]]:
    """Count the values of each group, some groups at a time; rows with a negative label are in none."""
    inside = labels >= 0
    mine, codes = labels[inside].astype(np.int64), codes[inside]
    step = max(1, CELLS // values)
    if groups > step:
        order = np.argsort(mine, kind="stable")
        mine, codes = mine[order], codes[order]
    for low in range(0, groups, step):
        high = min(groups, low + step)
        part = slice(None) if groups <= step else slice(*np.searchsorted(mine, [low, high]))
        flat = (mine[part] - low) * values + codes[part]
        counts = np.bincount(flat, minlength=(high - low) * values).reshape(high - low, values)
        yield slice(low, high), counts
