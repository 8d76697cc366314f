"""A pilot must be of other people: whether its rows agree with the table's more often than other people's would.

Rows are compared as multisets of records, on codes. Let a record occur p times in the pilot and q times in the table. The rows
in common are the sum of min(p, q). People who are independent of each other and of the same kind fall into either table at
random: given that p + q people have the record, each is of the pilot with the same probability m / (m + n). So the
distribution of the rows in common is known, whatever the population is like, and records that many people have count for as
little as they tell. A pilot made of the table's rows, in any order and less some, has more in common.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from tokumei.arrays import Integers
from tokumei.table.classes import class_of
from tokumei.table.coded import CodedTable, numbered

LEVEL = 0.05  # so often at most independent people are taken for the same
REACH = 14.0  # standard deviations of a count beyond which its probabilities are nothing


@dataclass(frozen=True)
class Shared:
    """The rows that a pilot and a table have in common.

    Attributes
    ----------
    rows
        How many: records that occur in both, as often as in the one that has fewer.
    chance
        The probability at most that independent people of the same kind have as many in common.
    """

    rows: int
    chance: float

    @property
    def too_many(self) -> bool:
        """Whether they are more than independent people would have in common."""
        return not self.chance > LEVEL


def shared_rows(table: CodedTable, pilot: CodedTable) -> Shared:
    """Count the rows that a pilot has in common with a table, both prepared alike."""
    labels = class_of(_together(table, pilot), table.rows + pilot.rows)
    classes = int(labels.max()) + 1
    theirs = np.bincount(labels[: table.rows], minlength=classes)
    mine = np.bincount(labels[table.rows :], minlength=classes)
    common = int(np.minimum(mine, theirs).sum())
    return Shared(common, _chance(common, mine + theirs, pilot.rows / (table.rows + pilot.rows)))


def _together(table: CodedTable, pilot: CodedTable) -> list[Integers]:
    """Number the values of each column alike in both; a column whose cells are of different types is left out."""
    found = []
    for name, column in table.columns.items():
        other = pilot.columns[name]
        if column.codes is not None and other.codes is not None:
            found.append(np.concatenate([column.codes, other.codes]).astype(np.int64))
        elif column.cells.type == other.cells.type:
            found.append(numbered(pa.concat_arrays([*_parts(column.cells), *_parts(other.cells)])))
    return found


def _parts(cells: pa.Array | pa.ChunkedArray) -> Sequence[pa.Array]:
    return cells.chunks if isinstance(cells, pa.ChunkedArray) else [cells]


def _chance(common: int, people: Integers, share: float) -> float:
    """Bound the probability of this many rows in common, by Chernoff's inequality.

    Of the ``people`` who have a record each is of the pilot with the probability ``share``, so that the rows in common are a
    sum of independent numbers min(p, people - p), p being binomial.
    """
    from scipy.optimize import minimize_scalar
    from scipy.special import gammaln

    several, records = np.unique(people[people > 1], return_counts=True)
    if not common:
        return 1.0
    middle, spread = several * share, np.sqrt(several * share * (1 - share))
    low = np.maximum(0, np.floor(middle - REACH * (spread + 1))).astype(np.int64)
    high = np.minimum(several, np.ceil(middle + REACH * (spread + 1))).astype(np.int64)
    starts = np.append(0, np.cumsum(high - low + 1))
    which = np.repeat(np.arange(len(several)), high - low + 1)
    p = np.arange(starts[-1]) - starts[which] + low[which]
    of = several[which]
    logs = gammaln(of + 1) - gammaln(p + 1) - gammaln(of - p + 1) + p * np.log(share) + (of - p) * np.log1p(-share)
    both = np.minimum(p, of - p)

    def bound(tilt: float) -> float:
        tilted = logs + tilt * both
        top = np.maximum.reduceat(tilted, starts[:-1])
        sums = np.log(np.add.reduceat(np.exp(tilted - top[which]), starts[:-1])) + top
        return float(records @ sums - tilt * common)

    found = minimize_scalar(bound, bounds=(0.0, 50.0), method="bounded")
    return float(np.exp(min(0.0, float(found.fun))))
