"""Groups of points merged until every one may stand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.sparse
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from tokumei.arrays import Floats, Labels
from tokumei.partition.microaggregation.points import centroids
from tokumei.partition.partition import Constraint


def merge_failing_points(rows: Floats, labels: Labels, constraints: Sequence[Constraint]) -> Labels:
    """Merge each group that fails a constraint with the one whose mean is nearest, until all hold or one group is left."""
    while constraints:
        means, sizes = centroids(rows, labels)
        failing = np.zeros(len(sizes), dtype=np.bool_)
        for constraint in constraints:
            failing |= ~constraint.holds(labels, len(sizes))
        if not failing.any() or len(sizes) == 1:
            break
        losers = np.flatnonzero(failing)
        near = cKDTree(means).query(means[losers], k=2)[1]
        partner = np.where(near[:, 0] == losers, near[:, 1], near[:, 0])
        pairs = scipy.sparse.coo_array((np.ones(len(losers)), (losers, partner)), shape=(len(sizes), len(sizes)))
        labels = connected_components(pairs, directed=False)[1].astype(np.int32)[labels]
    return labels
