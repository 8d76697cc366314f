"""Enhanced β-likeness: frequent sensitive values may gain less than rare ones."""

from __future__ import annotations

import math
from dataclasses import field
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt
from pydantic import StrictFloat, StrictInt

from tokumei.errors import InvalidParameter
from tokumei.privacy import diversity
from tokumei.privacy.attackers import BoundedGainOrLog, Promise
from tokumei.privacy.class_constraint import Measure, Sensitive, register_constraint
from tokumei.privacy.notions import ENHANCED_BETA_LIKENESS, Notion
from tokumei.table.coded import CodedTable
from tokumei.values import value


@register_constraint
@value
class EnhancedBetaLikeness(Sensitive):
    """In every equivalence class, the share of no sensitive value grows by more than min(β, -ln q) times its share q in the whole table.

    β alone does not protect frequent values: with β = 1, a value that half the table has may have all of a class. With -ln q, no value
    that is not everybody's can have all of a class, because q (1 - ln q) < 1 for every q < 1. As classes join, the share in the new class is a
    mean of those in the old ones, so both bounds last.

    Examples
    --------
    >>> EnhancedBetaLikeness("income", 2)
    EnhancedBetaLikeness(column='income', beta=2)
    """

    column: str
    beta: StrictInt | StrictFloat
    constraint: Literal["enhanced_beta_likeness"] = field(default="enhanced_beta_likeness", kw_only=True, repr=False)

    notion: ClassVar[Notion] = ENHANCED_BETA_LIKENESS

    def __post_init__(self) -> None:
        if not 0 < self.beta < math.inf:
            raise InvalidParameter("beta must be above 0. Got {beta:g}.", beta=self.beta)

    @property
    def asked(self) -> float:
        """The value that is asked for."""
        return float(self.beta)

    def measure(self, table: CodedTable, values: npt.NDArray[np.int64], share: npt.NDArray[np.float64]) -> Measure:
        """Return what gives each class its β, infinite where a value gains more than -ln q whatever β is."""
        return lambda counts: diversity.enhanced_likeness(counts, share)

    @property
    def promise(self) -> Promise:
        """What is promised."""
        return BoundedGainOrLog(column=self.column)
