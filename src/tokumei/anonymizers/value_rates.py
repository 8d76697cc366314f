"""Rates of values that a release publishes with its rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Literal

import numpy as np
import numpy.typing as npt
from pydantic import StrictFloat, StrictInt

from tokumei.errors import InvalidParameter
from tokumei.messages import phrase
from tokumei.privacy.noisy_counts import decay_of
from tokumei.randomness import Key
from tokumei.randomness.geometric import two_sided_geometric
from tokumei.release.rates import ColumnRates, Rates, pooled
from tokumei.release.reasons import RatesForLearning
from tokumei.table.coded import CodedTable
from tokumei.table.people import one_row_each
from tokumei.text import nearest
from tokumei.values import value

REASON = RatesForLearning()


@value
class ValueRates:
    """Publish how often each value of a column occurs in the whole table, for analysts who learn from coarser cells.

    Values of fewer than k rows are told together only. Without ``epsilon`` the rates are true ones, of the rows that are
    released. With it, whole-number noise is added to the counts of every value of the domain in all rows, and what is below
    zero is cut off before the counts are divided by their sum.

    Parameters
    ----------
    columns
        Quasi-identifiers; by default all of them.
    epsilon
        What the rates of each column may tell of a person (differential privacy); several columns add up.

    Examples
    --------
    >>> ValueRates(["age"], epsilon=1)
    ValueRates(columns=('age',), epsilon=1)
    """

    columns: tuple[str, ...] | None = None
    epsilon: StrictInt | StrictFloat | None = None
    kind: Literal["value_rates"] = field(default="value_rates", kw_only=True, repr=False)

    def __post_init__(self) -> None:
        if self.columns is not None and not self.columns:
            raise InvalidParameter("columns must name at least one column.")
        if self.epsilon is not None:
            decay_of(self.epsilon)


def measured(
    publish: Sequence[ValueRates], table: CodedTable, released: npt.NDArray[np.bool_] | None, k: int, key: Key
) -> Rates:
    """Count the rates that are asked for; true ones on the released rows only, if it is said which these are."""
    one_row_each(table.people, phrase("publishing rates"))
    columns: dict[str, ColumnRates] = {}
    for name, epsilon in _columns(publish, table.schema.names("quasi_identifier")).items():
        attribute = table.schema[name]
        codes = table.codes(name)
        if epsilon is None:
            rows = codes if released is None else codes[released]
            columns[name] = pooled(np.bincount(rows, minlength=attribute.states).astype(np.int64), k, attribute)
            continue
        if attribute.observed:
            raise InvalidParameter(
                "{name!r} has a domain or hierarchy that was read from rows, which no epsilon covers; declare "
                "it, or publish its rates without epsilon.",
                name=name,
            )
        decay = decay_of(epsilon)
        counts = np.bincount(codes, minlength=attribute.states).astype(np.int64)
        noisy = counts + two_sided_geometric(key.stream("rates", name), len(counts), decay)
        columns[name] = pooled(np.maximum(noisy, 0), k, attribute, decay)
    return Rates(columns)


def _columns(publish: Sequence[ValueRates], known: Sequence[str]) -> Mapping[str, float | None]:
    found: dict[str, float | None] = {}
    if not known:
        raise InvalidParameter("publish counts quasi-identifiers, and the schema has none.")
    for each in publish:
        for name in known if each.columns is None else each.columns:
            if name not in known:
                raise InvalidParameter(
                    "publish names {name!r}, which is not a quasi-identifier.{hint}",
                    name=name,
                    hint=nearest(name, known),
                )
            if name in found:
                raise InvalidParameter("publish names {name!r} twice.", name=name)
            found[name] = each.epsilon
    return found
