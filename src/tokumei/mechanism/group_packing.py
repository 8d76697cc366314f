"""Groups as they stand in a manifest: a list of numbers for each thing that is said of them, the same place in each list being the same group.

There may be a hundred thousand groups, most of which have the same few channels: these are described once, and named by their places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, pairwise
from typing import Any

import numpy as np

from tokumei.arrays import Integers
from tokumei.errors import ReleaseError
from tokumei.mechanism.boxes import Box
from tokumei.mechanism.channel import channel_from
from tokumei.mechanism.group_telling import Part
from tokumei.mechanism.retention import Retention


def packed_boxes(boxes: Sequence[Box]) -> dict[str, Any]:
    """Describe the boxes of a column: ``low`` and ``high`` of stretches, or the ``labels`` of sets one set behind the other and their ``count``; ``missing`` where some may be.

    >>> packed_boxes([Box(0, 3, False), Box(2, 2, True)])
    {'low': [0, 2], 'high': [3, 2], 'missing': [0, 1]}
    >>> packed_boxes([Box.of((1, 4), False), Box.of((2,), False)])
    {'labels': [1, 4, 2], 'count': [2, 1]}
    """
    assert len({box.labels is None for box in boxes}) == 1
    made: dict[str, Any]
    if boxes[0].labels is None:
        made = {"low": [box.low for box in boxes], "high": [box.high for box in boxes]}
    else:
        sets = [box.labels or () for box in boxes]
        made = {"labels": list(chain.from_iterable(sets)), "count": [len(each) for each in sets]}
    if any(box.missing for box in boxes):
        made["missing"] = [int(box.missing) for box in boxes]
    return made


def boxes_from(described: Mapping[str, Any], groups: int) -> list[Box]:
    """Make the boxes of a column again from what `packed_boxes` gave; equal ones are one object.

    >>> boxes_from({"labels": [1, 4, 2], "count": [2, 1]}, 2)
    [Box(low=1, high=4, missing=False, labels=(1, 4)), Box(low=2, high=2, missing=False, labels=(2,))]
    """
    missing = whole(described["missing"], groups) if "missing" in described else np.zeros(groups, dtype=np.int64)
    if np.any((missing != 0) & (missing != 1)):
        raise ReleaseError("The release describes its groups by numbers that are not whole.")
    gone = (missing > 0).tolist()
    if "labels" not in described:
        low, high = (whole(described[end], groups) for end in ("low", "high"))
        _possible(np.all((low >= 0) & (low <= high + 1) & (high - low + 1 + missing > 0)))
        return _each_once(Box, zip(low.tolist(), high.tolist(), gone, strict=True))
    labels = whole(described["labels"])
    count, ends = _counts(described["count"], groups, len(labels))
    _possible(np.all(count + missing > 0) and np.all(labels >= 0))
    same = np.repeat(np.arange(groups), count)
    _possible(np.all((np.diff(labels) > 0) | (np.diff(same) > 0)))
    places = labels.tolist()
    parts = zip(pairwise(ends), gone, strict=True)
    return _each_once(Box.of, ((tuple(places[first:last]), one) for (first, last), one in parts))


def _each_once(make: Callable[..., Box], given: Iterable[tuple[Any, ...]]) -> list[Box]:
    """Make a box of each, equal ones being one object: many groups have the same few."""
    known: dict[tuple[Any, ...], Box] = {}
    return [known.get(each) or known.setdefault(each, make(*each)) for each in given]


def packed_channels(channels: Sequence[Sequence[Mapping[str, Any]]]) -> tuple[list[dict[str, Any]], list[list[int]]]:
    """Describe the different channels, and for each column which of them each group has."""
    places: dict[int, int] = {}  # by object first: most groups share a few
    number: dict[str, int] = {}  # objects that differ may say the same
    made: list[dict[str, Any]] = []
    for channel in chain.from_iterable(channels):
        if id(channel) not in places:
            said = repr(sorted(channel.items()))
            if said not in number:
                number[said] = len(made)
                made.append(dict(channel))
            places[id(channel)] = number[said]
    return made, [[places[id(channel)] for channel in column] for column in zip(*channels, strict=True)]


def channels_from(
    described: Sequence[Mapping[str, Any]], which: Sequence[Any], columns: int, groups: int
) -> list[tuple[Mapping[str, Any], ...]]:
    """Make the channels of each group again; equal ones are one object."""
    _possible(len(which) == columns)
    places = [whole(each, groups) for each in which]
    _possible(all(np.all((each >= 0) & (each < len(described))) for each in places))
    known = [dict(each) for each in described]
    return list(zip(*([known[at] for at in each.tolist()] for each in places), strict=True))


def packed_parts(parts: Sequence[Sequence[Part]]) -> tuple[list[dict[str, Any]], dict[str, list[int]]]:
    """Describe what groups tell: the different channels, and how many parts each group has, with the cluster, weight and channel of each part."""
    flat = list(chain.from_iterable(parts))
    channels = list(dict.fromkeys(part.channel for part in flat))
    place = {channel: at for at, channel in enumerate(channels)}
    return [channel.describe() for channel in channels], {
        "count": [len(each) for each in parts],
        "cluster": [part.cluster for part in flat],
        "weight": [part.weight for part in flat],
        "channel": [place[part.channel] for part in flat],
    }


def parts_from(
    described: Sequence[Mapping[str, Any]], tells: Mapping[str, Any], groups: int
) -> tuple[tuple[Part, ...], ...]:
    """Make again what the rows of each group tell."""
    cluster = whole(tells["cluster"])
    count, ends = _counts(tells["count"], groups, len(cluster))
    weight, place = whole(tells["weight"], len(cluster)), whole(tells["channel"], len(cluster))
    _possible(np.all(count >= 1) and np.all((place >= 0) & (place < len(described))))
    channels = [channel_from(each) for each in described]
    kept = [each for each in channels if isinstance(each, Retention)]
    if len(kept) < len(channels):
        raise ReleaseError("The release tells columns in a way that is not possible.")
    flat = [
        Part(one, other, kept[at])
        for one, other, at in zip(cluster.tolist(), weight.tolist(), place.tolist(), strict=True)
    ]
    return tuple(tuple(flat[first:last]) for first, last in pairwise(ends))


def _counts(given: Any, groups: int, total: int) -> tuple[Integers, list[int]]:
    """Return how many of ``total`` things each group has, and where those of each end; no count may be so large that the sum of all wraps around."""
    count = whole(given, groups)
    _possible(np.all((count >= 0) & (count <= total)))
    ends = np.cumsum(np.append(0, count)).tolist()
    _possible(ends[-1] == total)
    return count, ends


def whole(given: Any, many: int | None = None) -> Integers:
    """Return a list of whole numbers; refuse anything else, and another number of them than ``many``."""
    if not isinstance(given, list) or not set(map(type, given)) <= {int}:
        raise ReleaseError("The release describes its groups by numbers that are not whole.")
    _possible(many is None or len(given) == many)
    _possible(not given or max(map(abs, given)) < 2**63)
    return np.array(given, dtype=np.int64)


def _possible(holds: Any) -> None:
    if not holds:
        raise ReleaseError("The release has a group that is not possible.")
