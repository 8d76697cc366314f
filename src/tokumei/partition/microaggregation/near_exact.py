"""Column generation: nearly the best groups of a small table, and a bound that no grouping is below."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

import numpy as np

from tokumei.arrays import Labels
from tokumei.errors import InvalidParameter
from tokumei.partition.microaggregation.column_generation import generated
from tokumei.partition.microaggregation.path.cut import cut_sorted
from tokumei.partition.microaggregation.points import (
    Grouping,
    PointPartition,
    Points,
    information_loss,
    register_point_partition,
)
from tokumei.values import value

ROWS = 2_000  # at most: a table of all distances, and linear programs with a row for each
K = 5  # at most: groups to be priced grow many times with each row that they may have more
ROUNDING = 1e-9  # of the bound, given away for sums of floating numbers
DIGITS = 8 * float(
    np.finfo(np.float64).eps
)  # of the sum of squares of all rows, given away for each row added to a sum


@register_point_partition
@value
class NearExact(PointPartition):
    """Find nearly the best groups of a small table, and a loss that no grouping is below.

    It takes at most 2,000 rows and a k of at most 5, and some seconds to minutes. Groups are generated and chosen by linear
    programming: those that a local search goes through, and those that cost less than their rows are worth. The same rows
    give the same groups, unless the choice takes more than two minutes and is stopped.

    The bound is a proof, whatever the linear programs returned. Every row gets a worth such that no group of k to 2k - 1 rows
    is worth more than its sum of squares; any grouping is made of such groups, so the worths of all rows add up to at most
    its sum of squares. That no group is worth more is not taken from a solver: all groups that would be are listed in whole
    numbers rounded down, and the worths of their rows lowered; where they are too many to list, the worths are
    lowered by what their pairs could cost at least, which gives a lower bound.

    Examples
    --------
    >>> from tokumei.partition.microaggregation.points import Points, information_loss
    >>> rows = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [5.0, 5.0], [6.0, 5.0], [5.0, 7.0]])
    >>> found = NearExact().grouped(Points(rows, k=3))
    >>> found.labels.tolist()
    [1, 1, 1, 0, 0, 0]
    >>> round(found.least, 3), round(information_loss(rows, found.labels), 3)
    (5.501, 5.501)
    """

    kind: Literal["near_exact"] = field(default="near_exact", kw_only=True, repr=False)

    def group(self, points: Points) -> Labels:
        """Number the groups from zero and return each row's."""
        return self.grouped(points).labels

    def grouped(self, points: Points) -> Grouping:
        """Return the groups, and the loss that no grouping is below."""
        rows, k = points.rows, points.k
        if len(rows) > ROWS or k > K:
            raise InvalidParameter(
                "NearExact takes at most {most_rows:,} rows and a k of at most {largest_k}. Got {rows:,} rows and k = "
                "{k}; use LocalSearch(thorough=True).",
                most_rows=ROWS,
                largest_k=K,
                rows=len(rows),
                k=k,
            )
        labels = self._best_at_once(points)
        if labels is not None:
            return Grouping(labels, _surely(information_loss(rows, labels), len(rows)))
        centred = rows - rows.mean(axis=0)
        scaled = centred / np.sqrt(np.square(centred).sum() / len(rows))
        labels, share = generated(Points(scaled, k))
        return Grouping(labels, _surely(100.0 * share, len(rows)))

    @staticmethod
    def _best_at_once(points: Points) -> Labels | None:
        """Return the best groups where no search is needed: one column, one group, rows that stay alone or are all alike."""
        count = len(points.rows)
        if points.rows.shape[1] == 1:
            return cut_sorted(points)
        if points.k == 1:
            return np.arange(count, dtype=np.int32)
        if count < 2 * points.k or (points.rows == points.rows[0]).all():
            return np.zeros(count, dtype=np.int32)
        return None


def _surely(least: float, rows: int) -> float:
    """Lower a bound by what rounding may have put into it.

    Sums of squares are taken around the mean of all rows, so each is only as good as the digits of their whole sum: groups
    that lose less than that cannot be told from better ones.
    """
    return max(0.0, least * (1.0 - ROUNDING) - 100.0 * rows * DIGITS)
