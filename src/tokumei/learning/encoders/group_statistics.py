"""Statistics of the group that a row is in."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.sparse

from tokumei.arrays import Floats, Integers
from tokumei.errors import InvalidParameter
from tokumei.learning.encoders._base import CellEncoder
from tokumei.learning.encoders._leaves import Leaves
from tokumei.learning.encoders._rates import Wanted, rates_along
from tokumei.learning.encoders.rate import Shares
from tokumei.learning.encoders.statistics import GroupStatistics, grouped
from tokumei.release.artifact import Release
from tokumei.table.domain import Categories, Dates, Domain, Numbers
from tokumei.table.reading import CellReader, Cells
from tokumei.table.schema import Schema
from tokumei.text import names


class GroupStatisticsEncoder(CellEncoder):
    """What a group's true cells are like: rates of the values of categories, mean and variance of numbers and dates.

    This is how Inan, Kantarcioglu and Bertino (ICDE 2009) feed generalized rows to a learner. It needs statistics that a
    release does not publish, since they give rows away. Without them, and for cells of no known group, such as raw ones,
    the statistics are those of the cell: its values at the rates of the whole table.

    Parameters
    ----------
    schema
        What the columns were before their cells were made coarser: a schema with domains and hierarchies, or a release.
        Without it the values are taken as they come.
    statistics
        What is known of the groups; see `GroupStatistics`. A row is in a group if all its cells are the group's.
    rates
        Where the rates of the whole table come from; see `RateEncoder`.
    sparse_output
        Whether `transform` returns a sparse matrix (CSR).

    Examples
    --------
    >>> import pandas as pd
    >>> import tokumei as tk
    >>> schema = tk.Schema([tk.Attribute("age", domain=tk.Numbers(20, 23, step=1))])
    >>> coarse, true = pd.DataFrame({"age": ["[20, 23]"] * 3}), pd.DataFrame({"age": [20, 20, 23]})
    >>> known = tk.encoders.GroupStatistics.measured(coarse, true, schema)
    >>> encoder = GroupStatisticsEncoder(schema, known, sparse_output=False).fit(coarse)
    >>> encoder.get_feature_names_out().tolist(), encoder.transform(coarse)[0].tolist()
    (['age=mean', 'age=variance'], [21.0, 2.0])
    """

    def __init__(
        self,
        schema: Schema | Release | None = None,
        statistics: GroupStatistics | None = None,
        rates: Wanted = "auto",
        *,
        sparse_output: bool = True,
    ) -> None:
        self.schema = schema
        self.statistics = statistics
        self.rates = rates
        self.sparse_output = sparse_output

    def _block(self, reader: CellReader, cells: Cells) -> _Statistics:
        return _Statistics(reader, cells, rates_along(self.rates, self.schema, reader, cells)[1])

    _blocks: list[_Statistics]  # type: ignore[assignment]

    def _learn(self, cells: Sequence[Cells]) -> None:
        super()._learn(cells)
        self._known: list[scipy.sparse.csr_matrix] | None = None
        if self.statistics is None:
            return
        columns = [reader.attribute.name for reader in self._readers]
        if set(columns) != set(self.statistics.columns):
            raise InvalidParameter(
                "the statistics are of groups distinguished by {columns}; encode exactly these columns.",
                columns=names(self.statistics.columns),
            )
        self._order = [columns.index(name) for name in self.statistics.columns]
        self._known = [
            block.measured(self.statistics.counts[name], self.statistics.sizes)
            for name, block in zip(columns, self._blocks, strict=True)
        ]

    def _encoded(self, cells: Sequence[Cells]) -> scipy.sparse.csr_matrix:
        group, boxes = grouped([*cells])
        example = np.empty(len(boxes), dtype=np.int64)
        example[group] = np.arange(len(group))
        known = np.full(len(boxes), -1, dtype=np.int64)
        if self.statistics is not None:
            known[:] = [self.statistics.groups.get(tuple(box[at] for at in self._order), -1) for box in boxes]
        parts = []
        for at, each in enumerate(cells):
            kinds = each.which[example]
            made = self._blocks[at].rows(each.low[kinds], each.high[kinds])
            if self._known is not None and np.any(known >= 0):
                rows = scipy.sparse.vstack([made, self._known[at]], format="csr")
                made = rows[np.where(known >= 0, known + len(boxes), np.arange(len(boxes)))]
            parts.append(made)
        return scipy.sparse.hstack(parts, format="csr")[group]


class _Statistics:
    """Rates of the values of a column of categories; mean and variance of numbers and dates."""

    def __init__(self, reader: CellReader, cells: Cells, along: Floats) -> None:
        self.values = None if isinstance(reader.domain, Categories) else _along(reader)
        self.shares = Shares(Leaves(reader, cells), along)
        self.rates = along
        self.names: Sequence[str] = ("mean", "variance") if self.values is not None else self.shares.names

    def rows(self, low: Integers, high: Integers) -> scipy.sparse.csr_matrix:
        """Encode stretches by what the whole table says of them."""
        if self.values is None:
            return self.shares.rows(low, high)
        rates, values = self.rates, self.values
        sums = [np.append(0.0, np.cumsum(part)) for part in (rates, rates * values, np.ones(len(values)), values)]
        mass, first, even, even_first = (each[high + 1] - each[low] for each in sums)
        none = mass <= 1e-12
        mean = np.where(none, even_first / even, first / np.where(none, 1.0, mass))
        centred = values - values.mean()  # squares of large numbers lose their low digits
        squares = [np.append(0.0, np.cumsum(part)) for part in (rates * centred**2, centred**2)]
        second, even_second = (each[high + 1] - each[low] for each in squares)
        square = np.where(none, even_second / even, second / np.where(none, 1.0, mass))
        variance = np.where(low == high, 0.0, np.maximum(square - (mean - values.mean()) ** 2, 0.0))
        mean = np.where(low == high, values[low], mean)
        return scipy.sparse.csr_matrix(np.stack([mean, variance], axis=1))

    def measured(self, counts: tuple[Integers, Integers, Integers], sizes: Integers) -> scipy.sparse.csr_matrix:
        """Encode groups by their own counts."""
        group, place, number = counts
        if self.values is None:
            columns = self.shares.leaves.at(place)
            shape = len(sizes), len(self.shares.leaves)
            return scipy.sparse.csr_matrix((number / sizes[group], (group, columns)), shape=shape)
        mean = np.bincount(group, weights=number * self.values[place]) / sizes
        spread = np.bincount(group, weights=number * (self.values[place] - mean[group]) ** 2) / sizes
        return scipy.sparse.csr_matrix(np.stack([mean, spread], axis=1))


def _along(reader: CellReader) -> Floats:
    """Return the number at each place of a line; a missing cell counts as the middle of the domain."""
    points = _points(reader.domain)
    along = np.full(reader.axis.size, points.mean())
    along[reader.axis.place[: len(points)]] = points
    return along


def _points(domain: Domain) -> Floats:
    """Return the grid points of numbers, and of dates how many steps they lie from the first."""
    if isinstance(domain, Numbers):
        return domain.points.astype(np.float64)
    assert isinstance(domain, Dates)
    return np.arange(domain.size, dtype=np.float64)
