"""Clusters by density first (DBSCAN; Ester, Kriegel, Sander and Xu 1996), then groups inside each cluster."""

from __future__ import annotations

from dataclasses import field
from typing import Annotated, Any, Literal

import numpy as np
import pydantic
from pydantic import StrictFloat, StrictInt

from tokumei.arrays import Floats, Integers, Labels
from tokumei.errors import InfeasiblePromise, InvalidParameter
from tokumei.partition.feasible import least_size, require_feasible
from tokumei.partition.groups import merge_failing
from tokumei.partition.mondrian import Mondrian
from tokumei.partition.noise_aware import NoiseAware
from tokumei.partition.partition import Partition, Problem, register_partition
from tokumei.progress import stage
from tokumei.table.axis import Axis
from tokumei.values import by_kind, value

LABELS = 64  # of a column without an order: each is a coordinate

Inner = Annotated[
    Annotated[Mondrian | NoiseAware, pydantic.Field(discriminator="kind")],
    pydantic.BeforeValidator(by_kind),
]


@register_partition
@value
class DBSCAN(Partition):
    """Find clusters of rows by density, then cut each cluster into groups.

    Every column is put on the scale from 0 to 1 of its declared domain; two different labels without an order are 1 apart.

    Attributes
    ----------
    then
        How a cluster is cut into groups: `Mondrian` or `NoiseAware`.
    eps
        How near two rows must be to be neighbours. Without it, where the curve of the distances to the ``min_samples``-th
        nearest row, drawn in rising order, bends most.
    min_samples
        How many rows, itself included, a row needs within ``eps`` to be inside a cluster.
    outliers
        What happens to rows in no cluster, or in one too small for a group: ``"drop"`` leaves them out of the release, which then says how many;
        ``"nearest"`` puts each into the cluster of its nearest clustered row; ``"group"`` makes them a group of their own
        where they are enough for one, and puts them into the nearest cluster where they are not.

    Notes
    -----
    The rows within ``eps`` of each row are held in memory at once, which grows with the square of the rows where ``eps`` is
    wide. For large tables use `NoiseAware` by itself. Groups that fail constraints are merged; where rows are dropped, the
    method must see to constraints.

    Examples
    --------
    >>> DBSCAN(then=Mondrian(min_size=100))
    DBSCAN(then=Mondrian(strict=True, choose='widest', min_size=100), eps=None, min_samples=5, outliers='nearest')
    """

    then: Inner = Mondrian()
    eps: StrictInt | StrictFloat | None = None
    min_samples: StrictInt = 5
    outliers: Literal["drop", "nearest", "group"] = "nearest"
    kind: Literal["dbscan"] = field(default="dbscan", kw_only=True, repr=False)

    def __post_init__(self) -> None:
        if self.eps is not None and not 0 < self.eps < float("inf"):
            raise InvalidParameter("eps must be a number above 0. Got {eps:g}.", eps=self.eps)
        if self.min_samples < 2:
            raise InvalidParameter(
                "min_samples must be a whole number of at least 2. Got {min_samples}.", min_samples=self.min_samples
            )

    def group(self, problem: Problem) -> Labels:
        """Number the groups from zero and return each row's; a row that is left out has -1."""
        require_feasible(problem)
        with stage("Looking for clusters"):
            clusters = self.clusters(scaled(problem), least_size(problem, self.then.min_size))
        labels = np.full(len(clusters), -1, dtype=np.int32)
        for cluster in range(int(clusters.max(initial=-1)) + 1):
            inside = np.flatnonzero(clusters == cluster)
            part = Problem(problem.rows[inside], problem.axes, problem.k)
            labels[inside] = self.then.group(part) + int(labels.max()) + 1
        stays = labels >= 0
        if np.count_nonzero(stays) < problem.k:
            raise InfeasiblePromise(
                "{left:row|rows} would be left, too few for one group of {k}; use a larger eps, or outliers='nearest'.",
                left=int(np.count_nonzero(stays)),
                k=problem.k,
            )
        if stays.all():
            return merge_failing(problem, labels)
        labels[stays] = merge_failing(Problem(problem.rows[stays], problem.axes, problem.k), labels[stays])
        return labels

    def clusters(self, points: Floats, least: int) -> Integers:
        """Return the cluster of each row, -1 for outliers that are left out; clusters of fewer rows are outliers too."""
        from sklearn import cluster
        from sklearn.neighbors import NearestNeighbors

        if len(points) <= self.min_samples:
            return np.zeros(len(points), dtype=np.int64)
        eps = self.eps if self.eps is not None else suggest_eps(points, self.min_samples)
        different, which, many = np.unique(points, axis=0, return_inverse=True, return_counts=True)
        made = cluster.DBSCAN(eps=eps, min_samples=self.min_samples).fit(different, sample_weight=many)
        found = made.labels_.astype(np.int64)[which.reshape(-1)]
        sizes = np.bincount(found + 1, minlength=2)
        alone = (found < 0) | (sizes[found + 1] < least)
        number = np.cumsum(sizes[1:] >= least) - 1
        clusters: Integers = np.where(alone, -1, number[found])
        if self.outliers == "drop" or not alone.any():
            return clusters
        if alone.all():
            return np.zeros(len(points), dtype=np.int64)
        if self.outliers == "group" and np.count_nonzero(alone) >= least:
            return np.where(alone, int(clusters.max()) + 1, clusters)
        near = NearestNeighbors(n_neighbors=1).fit(points[~alone]).kneighbors(points[alone], return_distance=False)
        clusters[alone] = clusters[~alone][near[:, 0]]
        return clusters


def suggest_eps(points: Floats, min_samples: int) -> float:
    """Return the distance at the bend of the curve of distances to the ``min_samples``-th nearest row, itself counted.

    The distances are drawn in rising order, both ways on a scale from 0 to 1; the bend is where the curve lies farthest
    below the straight line between its ends.

    >>> rng = np.random.default_rng(0)
    >>> points = np.concatenate([rng.normal(0, 0.01, (200, 2)), rng.random((10, 2)) * 10 + 1])
    >>> 0.001 < suggest_eps(points, 5) < 1
    True
    """
    from sklearn.neighbors import NearestNeighbors

    found = NearestNeighbors(n_neighbors=min_samples).fit(points).kneighbors(points)[0][:, -1]
    distances = np.sort(found)
    if distances[-1] == 0:
        return 1e-9  # every row has company at its own place
    rise = (distances - distances[0]) / max(distances[-1] - distances[0], 1e-300)
    bend = int(np.argmax(np.linspace(0, 1, len(distances)) - rise))
    return max(float(distances[bend]), 1e-9)


def scaled(problem: Problem) -> Floats:
    """Lay rows out as points: places from 0 to 1, and labels without an order each its own coordinate."""
    return np.concatenate([_of_axis(axis, problem.rows[:, j]) for j, axis in enumerate(problem.axes)], axis=1)


def _of_axis(axis: Axis, places: Any) -> Floats:
    if axis.free or axis.levels > 2:
        return np.asarray(places / max(axis.size - 1, 1), dtype=np.float64)[:, None]
    if axis.size > LABELS:
        raise InvalidParameter(
            "{column!r} has {size:,} categories without order or hierarchy, and clusters take at most "
            "{labels}; give it a hierarchy, or make it coarser first with Recode.",
            column=axis.name,
            size=axis.size,
            labels=LABELS,
        )
    return np.asarray(places[:, None] == np.arange(axis.size), dtype=np.float64) / np.sqrt(2)
