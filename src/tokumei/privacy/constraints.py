"""What every class must satisfy in addition to its size: frozen values, bound to a table before they are asked."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt
import pydantic
from pydantic import StrictFloat, StrictInt

from tokumei.errors import InvalidParameter
from tokumei.privacy import diversity
from tokumei.privacy.assumptions import constraint_assumptions
from tokumei.privacy.attackers import BoundedDisclosure, BoundedGain, Closeness, Diversity, KnowsOnly, Promise
from tokumei.privacy.guarantee import Guarantee
from tokumei.privacy.notions import BETA_LIKENESS, DELTA_DISCLOSURE, L_DIVERSITY, T_CLOSENESS, Notion
from tokumei.registry import Registry
from tokumei.table.coded import CodedTable
from tokumei.table.domain import Categories
from tokumei.text import nearest
from tokumei.values import described, value

CELLS = 2**24  # classes times values that are counted at a time

Measure = Callable[[Any], npt.NDArray[np.float64]]


class Sensitive(ABC):
    """A guarantee about one sensitive column in every equivalence class."""

    column: str
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

    @abstractmethod
    def measure(self, table: CodedTable, values: npt.NDArray[np.int64], share: npt.NDArray[np.float64]) -> Measure:
        """Return what gives each class its number, given the codes that occur and their shares in the whole table."""

    @property
    @abstractmethod
    def promise(self) -> Promise:
        """What is promised to those who know the quasi-identifiers."""

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

    def describe(self) -> dict[str, Any]:
        """Return the constraint as it appears in a manifest."""
        return described(self)


# The constraints that a plan may name.
CONSTRAINTS: Registry[Sensitive] = Registry("constraint", strict=True)
register_constraint = CONSTRAINTS.register
AnyConstraint = Annotated[Sensitive, CONSTRAINTS]


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
    codes: npt.NDArray[np.int64], values: int, labels: npt.NDArray[Any], groups: int
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


SLACK = 1e-12  # wider than the rounding of a sum of shares


@register_constraint
@value
class LDiversity(Sensitive):
    """Every equivalence class has at least l well-represented values of a sensitive column.

    Parameters
    ----------
    column
        The sensitive column.
    l
        How many values.
    kind
        ``"distinct"``: this many different ones. ``"entropy"``: the entropy of the class is at least ln l, so none is too
        frequent. ``"recursive"``: the most frequent one is less than c times all but the l - 1 most frequent together.
    c
        For ``"recursive"``.

    Examples
    --------
    >>> LDiversity("income", 2, kind="entropy")
    LDiversity(column='income', l=2, kind='entropy', c=None)
    """

    column: str
    l: StrictInt | StrictFloat  # noqa: E741 - its name in the field
    kind: Literal["distinct", "entropy", "recursive"] = "distinct"
    c: StrictInt | StrictFloat | None = None
    constraint: Literal["l_diversity"] = field(default="l_diversity", kw_only=True, repr=False)

    notion: ClassVar[Notion] = L_DIVERSITY

    def __post_init__(self) -> None:
        if not 1 <= self.l < math.inf:
            raise InvalidParameter("l must be at least 1. Got {l:g}.", l=self.l)
        if (self.kind == "recursive") != (self.c is not None):
            raise InvalidParameter("c must be given for kind='recursive', and only then.")
        if self.c is not None and not 0 < self.c < math.inf:
            raise InvalidParameter("c must be above 0. Got {c:g}.", c=self.c)

    @property
    def asked(self) -> float:
        """The value that is asked for."""
        return float(self.l)

    @property
    def lasting(self) -> str:
        """Rows added to a class never make it less diverse where only different values count."""
        return "always" if self.kind == "distinct" else "together"

    def measure(self, table: CodedTable, values: npt.NDArray[np.int64], share: npt.NDArray[np.float64]) -> Measure:
        """Return what gives each class its l."""
        if self.kind == "recursive":
            assert self.c is not None
            c = float(self.c)
            return lambda counts: diversity.recursive(counts, c)
        return diversity.distinct if self.kind == "distinct" else diversity.effective

    @property
    def promise(self) -> Promise:
        """What is promised."""
        return Diversity(column=self.column, measure=self.kind, c=self.c)


@register_constraint
@value
class TCloseness(Sensitive):
    """In every equivalence class, a sensitive column is distributed nearly as in the whole table: at a distance of at most t.

    Parameters
    ----------
    column
        The sensitive column.
    t
        The largest distance, between 0 and 1.
    distance
        ``"equal"``: all values are equally far apart. ``"ordered"``: by rank among the values that occur,
        of numbers, dates or ordered categories.
        ``"hierarchical"``: by the level of the column's hierarchy that joins them.
    """

    column: str
    t: StrictInt | StrictFloat
    distance: Literal["equal", "ordered", "hierarchical"] = "equal"
    constraint: Literal["t_closeness"] = field(default="t_closeness", kw_only=True, repr=False)

    notion: ClassVar[Notion] = T_CLOSENESS

    def __post_init__(self) -> None:
        if not 0 <= self.t <= 1:
            raise InvalidParameter("t must lie between 0 and 1. Got {t:g}.", t=self.t)

    @property
    def asked(self) -> float:
        """The value that is asked for."""
        return float(self.t)

    def measure(self, table: CodedTable, values: npt.NDArray[np.int64], share: npt.NDArray[np.float64]) -> Measure:
        """Return what gives each class its distance."""
        if self.distance == "equal":
            return lambda counts: diversity.variation(counts, share)
        if self.distance == "ordered":
            domain = table.schema[self.column].domain
            if isinstance(domain, Categories) and not domain.ordered:
                raise InvalidParameter(
                    "the ordered distance of {column!r} needs categories declared as ordered; declare them so, or use "
                    "distance='equal'.",
                    column=self.column,
                )
            return lambda counts: diversity.ordered_distance(counts, share)
        levels = _levels(table, self.column)[:, values]
        return lambda counts: diversity.tree_distance(counts, share, levels)

    @property
    def promise(self) -> Promise:
        """What is promised."""
        return Closeness(column=self.column, distance=self.distance)


@register_constraint
@value
class DeltaDisclosure(Sensitive):
    """In every equivalence class, the share of each sensitive value is within a factor e^δ of its share in the whole table."""

    column: str
    delta: StrictInt | StrictFloat
    constraint: Literal["delta_disclosure"] = field(default="delta_disclosure", kw_only=True, repr=False)

    notion: ClassVar[Notion] = DELTA_DISCLOSURE

    def __post_init__(self) -> None:
        if not 0 < self.delta < math.inf:
            raise InvalidParameter("delta must be above 0. Got {delta:g}.", delta=self.delta)

    @property
    def asked(self) -> float:
        """The value that is asked for."""
        return float(self.delta)

    def measure(self, table: CodedTable, values: npt.NDArray[np.int64], share: npt.NDArray[np.float64]) -> Measure:
        """Return what gives each class its δ."""
        return lambda counts: diversity.disclosure(counts, share)

    @property
    def promise(self) -> Promise:
        """What is promised."""
        return BoundedDisclosure(column=self.column)


@register_constraint
@value
class BetaLikeness(Sensitive):
    """In every equivalence class, no sensitive value gains more than β times its share in the whole table."""

    column: str
    beta: StrictInt | StrictFloat
    constraint: Literal["beta_likeness"] = field(default="beta_likeness", kw_only=True, repr=False)

    notion: ClassVar[Notion] = BETA_LIKENESS

    def __post_init__(self) -> None:
        if not 0 < self.beta < math.inf:
            raise InvalidParameter("beta must be above 0. Got {beta:g}.", beta=self.beta)

    @property
    def asked(self) -> float:
        """The value that is asked for."""
        return float(self.beta)

    def measure(self, table: CodedTable, values: npt.NDArray[np.int64], share: npt.NDArray[np.float64]) -> Measure:
        """Return what gives each class its β."""
        return lambda counts: diversity.likeness(counts, share)

    @property
    def promise(self) -> Promise:
        """What is promised."""
        return BoundedGain(column=self.column)


_MANY: Any = pydantic.TypeAdapter(tuple[AnyConstraint, ...])


def constraints_of(method: Mapping[str, Any]) -> tuple[Sensitive, ...]:
    """Read the constraints of a method as it appears in a manifest."""
    given: tuple[Sensitive, ...] = _MANY.validate_python(method.get("constraints", ()))
    return given


def _levels(table: CodedTable, column: str) -> npt.NDArray[np.int64]:
    """Return the label over each code at each level of a column's hierarchy, everything joined at the last."""
    attribute = table.schema[column]
    if attribute.hierarchy is None or attribute.domain is None:
        raise InvalidParameter(
            "the hierarchical distance of {column!r} needs a hierarchy in the schema.", column=column
        )
    tree = attribute.hierarchy
    rows = [tree.coarsen(attribute.domain, level)[1] for level in range(1, tree.depth + 1)]
    joined = [bool(np.all(labels == labels[0])) for labels in rows]
    if any(joined):  # a level above the first that joins everything would only make distances look smaller
        rows = rows[: joined.index(True) + 1]
    if attribute.missing:  # a missing cell is joined with the others last
        rows = [np.append(labels, labels.max() + 1) for labels in rows]
    if np.any(rows[-1] != rows[-1][0]):
        rows.append(np.zeros(attribute.states, dtype=np.int64))
    return np.stack(rows)
