"""Where an encoder's rates come from, and what they say about a stretch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from tokumei.arrays import Floats
from tokumei.errors import InvalidParameter
from tokumei.release.artifact import Release
from tokumei.release.rates import ColumnRates, Rates
from tokumei.table.reading import CellReader, Cells
from tokumei.table.schema import Schema

Source = Literal["release", "estimated", "uniform", "given"]
Wanted = Literal["auto", "release", "estimated", "uniform"] | Rates | Mapping[str, Any]

ROUNDS = 200
SETTLED = 1e-9


def rates_along(
    wanted: Wanted, schema: Schema | Release | None, reader: CellReader, cells: Cells
) -> tuple[Source, Floats]:
    """Return where a column's rates come from, and the rate of each place of its line."""
    name = reader.attribute.name
    if isinstance(wanted, str) and wanted not in {"auto", "release", "estimated", "uniform"}:
        raise InvalidParameter(
            "rates must be 'auto', 'release', 'estimated', 'uniform', or rates by column. Got {wanted!r}.",
            wanted=wanted,
        )
    if isinstance(wanted, Rates | Mapping):
        return "given", _placed(_given(wanted, name), reader)
    published = schema.rates if isinstance(schema, Release) else None
    if wanted in {"auto", "release"} and published is not None and name in published.names:
        return "release", _placed(published[name], reader)
    if wanted == "release":
        raise InvalidParameter(
            "There are no published rates of {name!r}; ask the data holder for them (publish=[ValueRates()]), or "
            "use rates='uniform'.",
            name=name,
        )
    if wanted == "estimated":
        return "estimated", estimated(cells, reader.axis.size)
    return "uniform", np.full(reader.axis.size, 1 / reader.axis.size)


def estimated(cells: Cells, size: int) -> Floats:
    """Estimate rates from coarser cells alone: the likeliest ones, if what a cell hides does not depend on its value.

    Each round shares out a cell's rows among the places that it covers, by the rates of the round before.
    """
    counts, start, stop = cells.counts.astype(np.float64), cells.low, cells.high + 1
    rates = np.full(size, 1 / size)
    for _ in range(ROUNDS):
        reach = np.append(0.0, np.cumsum(rates))
        covered = np.maximum(reach[stop] - reach[start], np.finfo(np.float64).tiny)
        change = np.bincount(start, weights=counts / covered, minlength=size + 1)
        change -= np.bincount(stop, weights=counts / covered, minlength=size + 1)
        made = np.maximum(rates * np.cumsum(change[:-1]), 0.0)
        made /= made.sum()
        settled = np.abs(made - rates).max() < SETTLED
        rates = made
        if settled:
            break
    return rates


class Reach:
    """Sums of rates over stretches; a stretch whose values never occur counts them evenly."""

    def __init__(self, rates: Floats) -> None:
        self.along = np.append(0.0, np.cumsum(rates))
        self.even = np.arange(len(rates) + 1) / len(rates)

    def shares(self, low: Any, high: Any, within_low: Any, within_high: Any) -> Floats:
        """Return what share of ``within`` lies from ``low`` to ``high``, elementwise."""
        total = self.along[within_high + 1] - self.along[within_low]
        none = total <= 1e-12
        part = np.where(none, self.even[high + 1] - self.even[low], self.along[high + 1] - self.along[low])
        return part / np.where(none, self.even[within_high + 1] - self.even[within_low], total)


def _given(wanted: Rates | Mapping[str, Any], name: str) -> ColumnRates:
    if isinstance(wanted, Rates):
        return wanted[name]
    if name not in wanted:
        raise InvalidParameter("There are no rates of {name!r} among those given.", name=name)
    each = wanted[name]
    return each if isinstance(each, ColumnRates) else ColumnRates({str(label): rate for label, rate in each.items()})


def _placed(rates: ColumnRates, reader: CellReader) -> Floats:
    along = np.empty(reader.axis.size)
    along[reader.axis.place] = rates.by_code(reader.attribute)
    return along
