"""Trees that join rare values first: with other rare ones, or with those that go alike with a target."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei.arrays import Floats
from tokumei.errors import DataError, InvalidParameter
from tokumei.plain_values import plain_arguments
from tokumei.progress import stage
from tokumei.table.coded import encode, numbered
from tokumei.table.domain import Categories
from tokumei.table.frames import to_arrow
from tokumei.table.hierarchy import Tree
from tokumei.table.levels import ROOT, stretch_label
from tokumei.table.schema import Attribute, Schema
from tokumei.text import nearest

LARGEST = 5000  # values; every join looks at all clusters
LONGEST = 40  # characters of a label that lists its values
FREQUENCY_WEIGHT = 0.5  # of a distance in log-frequency, beside one in log-odds


@stage("Learning a hierarchy")
@plain_arguments
def frequency_hierarchy(
    frame: Any, attribute: Attribute, n_clusters: Sequence[int] | None = None, contiguous: bool | None = None
) -> Tree:
    """Build a tree in which rare values are joined with rare ones first.

    As in Huffman's code, the two least frequent groups are joined until this many are left.

    Parameters
    ----------
    frame
        The rows to learn from, and no others: where a model is to be tested, the training rows only.
    attribute
        The column, with its domain; values that do not occur count as the rarest.
    n_clusters
        How many groups each level has, finest first; by default a quarter of those below, down to two.
    contiguous
        Whether groups are stretches of neighbours; by default so for ordered domains.

    Examples
    --------
    >>> import tokumei as tk
    >>> column = tk.Attribute("x", "quasi_identifier", tk.Categories(["a", "b", "c", "d"]))
    >>> frequency_hierarchy({"x": ["a"] * 9 + ["b"] * 5 + ["c", "d"]}, column, n_clusters=[3]).rows[3]
    ('d', '{c, d}', '*')
    """
    counts = _counts(frame, attribute)[0]
    return _tree(attribute, counts, None, n_clusters, contiguous)


@stage("Learning a hierarchy")
@plain_arguments
def odds_hierarchy(
    frame: Any,
    attribute: Attribute,
    target: str,
    n_clusters: Sequence[int] | None = None,
    contiguous: bool | None = None,
) -> Tree:
    """Build a tree that joins the rarest group with the one that is most like it in the odds of a target.

    Such a tree keeps what predicts the target longest, and tells something about the target itself: learn it from rows
    that are not used to judge a model.

    Parameters
    ----------
    frame
        The rows to learn from, and no others.
    attribute
        The column, with its domain.
    target
        A column of the frame with two values.
    n_clusters, contiguous
        See `frequency_hierarchy`.
    """
    counts, positive = _counts(frame, attribute, target)
    return _tree(attribute, counts, positive, n_clusters, contiguous)


def _counts(frame: Any, attribute: Attribute, target: str | None = None) -> tuple[Floats, Floats | None]:
    if not isinstance(attribute, Attribute):
        raise InvalidParameter("attribute must be a column with its domain, such as schema['age'].")
    table = pa.table(frame) if isinstance(frame, dict) else to_arrow(frame)[0]
    wanted = [attribute.name] if target is None else [attribute.name, target]
    for name in wanted:
        if name not in table.column_names:
            raise InvalidParameter(
                "There is no column {name!r} in the frame.{hint}", name=name, hint=nearest(name, table.column_names)
            )
    if attribute.domain is None:
        raise InvalidParameter("{column!r} has no declared domain; declare one in the schema.", column=attribute.name)
    if attribute.domain.size > LARGEST:
        raise InvalidParameter(
            "{column!r} has {size:value|values}, more than {largest:,}; coarsen it first.",
            column=attribute.name,
            size=attribute.domain.size,
            largest=LARGEST,
        )
    bare = Attribute(attribute.name, "quasi_identifier", attribute.domain, missing=attribute.missing)
    codes = encode(table.select([attribute.name]), Schema((bare,))).codes(attribute.name)
    counts = np.bincount(codes, minlength=attribute.states)[: attribute.domain.size].astype(np.float64)
    if target is None:
        return counts, None
    found = numbered(table.column(target).combine_chunks())
    if found.max() != 1 or table.column(target).null_count:
        raise DataError("The target {target!r} must have two values and no missing cells.", target=target)
    weights = found.astype(np.float64)
    positive = np.bincount(codes, weights=weights, minlength=attribute.states)[: attribute.domain.size]
    return counts, positive.astype(np.float64)


def _tree(
    attribute: Attribute,
    counts: Floats,
    positive: Floats | None,
    n_clusters: Sequence[int] | None,
    contiguous: bool | None,
) -> Tree:
    domain = attribute.domain
    assert domain is not None
    ordered = not isinstance(domain, Categories) or domain.ordered
    if contiguous and not ordered:
        raise InvalidParameter("{column!r} has no order, so its groups cannot be contiguous.", column=attribute.name)
    runs = ordered if contiguous is None else contiguous
    wanted = _default_clusters(domain.size) if n_clusters is None else list(n_clusters)
    if any(not 1 < fewer < more for more, fewer in zip([domain.size, *wanted], wanted, strict=False)):
        raise InvalidParameter(
            "n_clusters must decrease from below {size} to at least 2. Got {wanted}.", size=domain.size, wanted=wanted
        )
    groups = [[code] for code in range(domain.size)]
    distance = _by_frequency(counts) if positive is None else _by_odds(counts, positive)
    labels = domain.labels()
    columns = [labels]
    for left in wanted:
        groups = _joined(groups, left, counts, distance, runs)
        named = [_label(labels, group, runs) for group in groups]
        of = {code: name for group, name in zip(groups, named, strict=True) for code in group}
        columns.append([of[code] for code in range(domain.size)])
    return Tree(tuple(zip(*columns, [ROOT] * domain.size, strict=True)), learned=True)


def _default_clusters(size: int) -> list[int]:
    found = []
    while size >= 8:
        size = -(-size // 4)
        found.append(size)
    return found


Distance = Callable[[Sequence[list[int]], int], Floats]


def _by_frequency(counts: Floats) -> Distance:
    return lambda groups, rarest: np.array([counts[group].sum() for group in groups])


def _by_odds(counts: Floats, positive: Floats) -> Distance:
    """Measure how far groups are from the rarest one in the target's log-odds, smoothed by one row, and log-frequency."""
    share = positive.sum() / counts.sum()

    def distance(groups: Sequence[list[int]], rarest: int) -> Floats:
        many = np.array([counts[group].sum() for group in groups])
        with_it = np.array([positive[group].sum() for group in groups])
        odds = np.log((with_it + share) / (many - with_it + 1 - share))
        often = np.log(many + 0.5)
        return np.abs(odds - odds[rarest]) + FREQUENCY_WEIGHT * np.abs(often - often[rarest])

    return distance


def _joined(groups: list[list[int]], left: int, counts: Floats, distance: Distance, runs: bool) -> list[list[int]]:
    """Join the rarest group with its nearest one until this many are left; neighbours only where groups are runs."""
    groups = [list(group) for group in groups]
    while len(groups) > left:
        rarest = int(np.argmin([counts[group].sum() for group in groups]))
        far = distance(groups, rarest)
        far[rarest] = np.inf
        if runs:
            far[np.abs(np.arange(len(groups)) - rarest) > 1] = np.inf
        first, second = sorted((rarest, int(np.argmin(far))))
        groups[first] += groups.pop(second)
    return groups


def _label(labels: Sequence[str], group: Sequence[int], runs: bool) -> str:
    """Name a group by its values, by its ends if it is a run, or by its first value and how many it has."""
    if len(group) == 1:
        return labels[group[0]]
    if runs:
        return stretch_label(labels, min(group), max(group))
    names = sorted(labels[code] for code in group)
    listed = f"{{{', '.join(names)}}}"
    return listed if len(listed) <= LONGEST else f"{{{names[0]}, … {len(names)} values}}"
