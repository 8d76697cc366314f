"""Column generation: groups that are worth choosing from, a bound, and the choice."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist

from tokumei.arrays import Floats, Labels
from tokumei.partition.microaggregation.candidate_groups import Columns, groups_of
from tokumei.partition.microaggregation.farthest_first import FarthestFirst
from tokumei.partition.microaggregation.local_search import LONG, improved
from tokumei.partition.microaggregation.mdav import MDAV
from tokumei.partition.microaggregation.points import Points, information_loss
from tokumei.partition.microaggregation.pricing import priced, total
from tokumei.progress import Stage, stage

ROUNDS = 60  # of pricing at most
CLOSE = 3e-4  # of the relaxed cost: when the bound is as near as this, more rounds gain nothing
BUDGET = 4_000  # groups that pricing lists from one row
LISTED = 16  # groups a row to choose shares from
CHOSEN = 8  # groups a row to choose whole ones from
NODES = 100  # of the search for whole groups
SECONDS = 120.0  # of that search at most: where it takes longer, what was found by then depends on the machine


def generated(points: Points) -> tuple[Labels, float]:
    """Return nearly the best groups, and a share of the sum of squares of all rows that no grouping's is below.

    Begin with the groups that a local search goes through, and those of nearest rows. In turns, find what each row is worth
    when groups may be chosen in shares, and take in groups that cost less than their rows are worth. Then choose
    whole groups, and search again from there. What is chosen never loses more than what the search began with. A solver that
    gives up ends the rounds or the choice early; groups and bound stay what they are called.
    """
    columns = Columns(points.rows, points.k)
    labels = _searched(points, FarthestFirst().group(points), columns)
    near = np.argsort(cdist(points.rows, points.rows), axis=1, kind="stable")
    columns.add(np.sort(near[:, :size], axis=1) for size in range(points.k, 2 * points.k))
    with stage("Generating groups", total=ROUNDS) as working:
        prices = _prices(points, columns, labels, working)
    _forget(columns, prices, prices, points, labels, CHOSEN)
    with stage("Choosing among groups"):
        chosen = columns.chosen(NODES, SECONDS)
    if chosen is not None:
        again = _searched(points, columns.labels(chosen), columns)
        labels = min(labels, again, key=lambda each: _squares(points, each))
    return labels, total(prices, points.k) / float(np.square(points.rows - points.rows.mean(axis=0)).sum())


def _prices(points: Points, columns: Columns, labels: Labels, working: Stage) -> Floats:
    """Take in groups round by round; return the prices that no group is below with the largest total found."""
    apart, k = cdist(points.rows, points.rows, "sqeuclidean"), points.k
    least = priced(apart, np.zeros(len(apart) + 1), k, BUDGET).least
    step = 0.5  # from where the bound was best to the prices of the relaxed choice, which jump from round to round
    for _ in range(ROUNDS):
        relaxed = columns.relaxed()
        if relaxed is None:
            break
        cost, prices = relaxed
        for asked in (least + step * (prices - least), prices):
            found = priced(apart, asked, k, BUDGET)
            least = max(least, found.least, key=lambda each: total(each, k))
            fresh = columns.add(found.groups)
            if fresh:
                break
        step = min(0.5, 1.5 * step) if found.whole else step / 2
        left = cost - total(least, k)
        working.advance(note=f"{left:.2g} of {cost:.4g} left")
        if not fresh or left <= CLOSE * cost:
            break
        _forget(columns, least, prices, points, labels, LISTED)
    return least


def _forget(columns: Columns, least: Floats, prices: Floats, points: Points, labels: Labels, listed: int) -> None:
    """Forget groups that no better grouping has, and of the others all but this many a row, those cheapest for their prices."""
    dearer = columns.dearer_than(prices)
    places = np.empty(len(dearer), dtype=np.int64)
    places[np.argsort(dearer, kind="stable")] = np.arange(len(dearer))
    room = _squares(points, labels) - total(least, points.k)
    columns.keep((columns.dearer_than(least) <= room) & (places < listed * len(points.rows)))
    columns.add(groups_of(labels, points.k))  # something that covers every row


def _searched(points: Points, labels: Labels, columns: Columns) -> Labels:
    """Search from given groups, and list all groups that come by."""
    for better in improved(points, labels, LONG):
        labels = _in_small_groups(points, better)
        columns.add(groups_of(labels, points.k))
    return labels


def _squares(points: Points, labels: Labels) -> float:
    whole = float(np.square(points.rows - points.rows.mean(axis=0)).sum())
    return information_loss(points.rows, labels) / 100.0 * whole


def _in_small_groups(points: Points, labels: Labels) -> Labels:
    """Cut groups of 2k or more rows, which a search may leave where rows are alike."""
    sizes = np.bincount(labels)
    made, numbers = labels.copy(), len(sizes)
    for group in np.flatnonzero(sizes >= 2 * points.k):
        inside = np.flatnonzero(labels == group)
        parts = MDAV().group(Points(points.rows[inside], points.k))
        made[inside] = np.where(parts == 0, group, parts + numbers - 1)
        numbers += int(parts.max())
    return made
