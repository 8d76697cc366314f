"""(α, k)-anonymity: no sensitive value is too frequent in an equivalence class."""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt
from pydantic import StrictFloat, StrictInt, StrictStr

from tokumei.errors import InvalidParameter
from tokumei.privacy import diversity
from tokumei.privacy.attackers import BoundedShare, Promise
from tokumei.privacy.class_constraint import Measure, Sensitive, register_constraint
from tokumei.privacy.notions import ALPHA_K, Notion
from tokumei.table.coded import CodedTable
from tokumei.text import nearest
from tokumei.values import value


@register_constraint
@value
class AlphaKAnonymity(Sensitive):
    """In every equivalence class, a sensitive value has at most the share α of the rows.

    Together with the k of the method this is (α, k)-anonymity. As classes join, the share of a value in the new class is a mean of those
    in the old ones, weighted by their rows, so it stays at α or below.

    Parameters
    ----------
    column
        The sensitive column.
    alpha
        The largest share, above 0 and at most 1.
    values
        The values that it is about, as their domain writes them, such as ``["HIV"]``: all values if not given, a missing cell being one
        of them.

    Examples
    --------
    >>> AlphaKAnonymity("illness", 0.5, ["HIV"])
    AlphaKAnonymity(column='illness', alpha=0.5, values=('HIV',))
    """

    column: str
    alpha: StrictInt | StrictFloat
    values: tuple[StrictStr, ...] | None = None
    constraint: Literal["alpha_k_anonymity"] = field(default="alpha_k_anonymity", kw_only=True, repr=False)

    notion: ClassVar[Notion] = ALPHA_K

    def __post_init__(self) -> None:
        if not 0 < self.alpha <= 1:
            raise InvalidParameter("alpha must be above 0 and at most 1. Got {alpha:g}.", alpha=self.alpha)
        if self.values is not None and (not self.values or len(set(self.values)) < len(self.values)):
            raise InvalidParameter("values must name at least one value of the column, and each once.")

    @property
    def asked(self) -> float:
        """The value that is asked for."""
        return float(self.alpha)

    def measure(self, table: CodedTable, values: npt.NDArray[np.int64], share: npt.NDArray[np.float64]) -> Measure:
        """Return what gives each class its α: the largest share that one of the values has in it."""
        if self.values is None:
            return lambda counts: diversity.largest_share(counts, np.ones(len(values), dtype=np.bool_))
        domain = table.schema[self.column].domain
        assert domain is not None
        codes = {label: code for code, label in enumerate(domain.labels())}
        for each in self.values:
            if each not in codes:
                raise InvalidParameter(
                    "a constraint names {value!r}, which is not a value of {column!r}.{hint}",
                    value=each,
                    column=self.column,
                    hint=nearest(each, codes),
                )
        named = np.isin(values, [codes[each] for each in self.values])
        return lambda counts: diversity.largest_share(counts, named)

    @property
    def promise(self) -> Promise:
        """What is promised."""
        return BoundedShare(column=self.column, values=self.values)
