"""What every class must satisfy in addition to its size: frozen values, bound to a table before they are asked."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt
import pydantic
from pydantic import StrictFloat, StrictInt

from tokumei.errors import InvalidParameter
from tokumei.privacy import diversity
from tokumei.privacy.alpha_k_anonymity import AlphaKAnonymity
from tokumei.privacy.attackers import BoundedDisclosure, BoundedGain, Closeness, Diversity, Promise
from tokumei.privacy.class_constraint import (
    CONSTRAINTS,
    SLACK,
    AnyConstraint,
    ClassConstraint,
    Measure,
    Sensitive,
    register_constraint,
)
from tokumei.privacy.enhanced_beta_likeness import EnhancedBetaLikeness
from tokumei.privacy.notions import BETA_LIKENESS, DELTA_DISCLOSURE, L_DIVERSITY, T_CLOSENESS, Notion
from tokumei.privacy.population_constraints import DeltaPresence, KMap
from tokumei.table.coded import CodedTable
from tokumei.table.domain import Categories
from tokumei.values import value

__all__ = [
    "CONSTRAINTS",
    "SLACK",
    "AlphaKAnonymity",
    "AnyConstraint",
    "BetaLikeness",
    "ClassConstraint",
    "DeltaDisclosure",
    "DeltaPresence",
    "EnhancedBetaLikeness",
    "KMap",
    "LDiversity",
    "Measure",
    "Sensitive",
    "TCloseness",
    "constraints_of",
    "register_constraint",
]


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


def constraints_of(method: Mapping[str, Any]) -> tuple[ClassConstraint, ...]:
    """Read the constraints of a method as it appears in a manifest."""
    given: tuple[ClassConstraint, ...] = _MANY.validate_python(method.get("constraints", ()))
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
