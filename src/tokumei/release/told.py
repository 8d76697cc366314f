"""What the rows of a release tell, as a small table: cluster by cluster, or where there are many, by how many columns they have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tokumei.mechanism.grouping import Grouping
from tokumei.mechanism.record import Mechanism
from tokumei.mechanism.retention import Retention
from tokumei.words import Words

LISTED = 12  # clusters that are listed one by one

Grid = tuple[tuple[str, ...], list[tuple[str, ...]]]


class _Told(NamedTuple):
    """A cluster: its columns, which share of the rows tells it, and by which channels, one of each group."""

    columns: tuple[str, ...]
    share: float
    channels: list[Retention]


def told_grid(mechanism: Mechanism, words: Words) -> Grid | None:
    """Return the head and the lines of a table of what rows tell, how often, in how many values, and how often these are kept.

    In groups the shares are those to expect. There is no table where every row tells every column.
    """
    if mechanism.telling is not None:
        told = [
            _Told(each.columns, each.weight / mechanism.telling.total, [each.channel])
            for each in mechanism.telling.clusters
        ]
    elif mechanism.grouping is not None and mechanism.grouping.telling is not None:
        told = _in_groups(mechanism.grouping)
    else:
        return None
    head = tuple(words(f"told_{title}") for title in ("rows", "share", "values", "kept"))
    if len(told) <= LISTED:
        return head, [_line([each], ", ".join(each.columns) or words("told_nothing")) for each in told]
    sizes = sorted({len(each.columns) for each in told}, reverse=True)
    lines = []
    for size in sizes:
        alike = [each for each in told if len(each.columns) == size]
        among = len({name for each in alike for name in each.columns})
        called = words("told_any", count=size, among=among, ways=len(alike)) if size else words("told_nothing")
        lines.append(_line(alike, called))
    return head, lines


def _in_groups(grouping: Grouping) -> list[_Told]:
    assert grouping.telling is not None
    rows = sum(group.rows for group in grouping.groups)
    shares, channels = [0.0] * len(grouping.telling.clusters), [[] for _ in grouping.telling.clusters]  # type: ignore[var-annotated]
    for group, parts in zip(grouping.groups, grouping.telling.parts, strict=True):
        total = sum(part.weight for part in parts)
        for part in parts:
            shares[part.cluster] += group.rows / rows * part.weight / total
            channels[part.cluster].append(part.channel)
    return [_Told(*each) for each in zip(grouping.telling.clusters, shares, channels, strict=True)]


def _line(told: Sequence[_Told], called: str) -> tuple[str, ...]:
    values = [channel.size for each in told for channel in each.channels]
    kept = [channel.retention for each in told for channel in each.channels]
    return (
        called,
        f"{sum(each.share for each in told):.1%}",
        _range(f"{min(values):,}", f"{max(values):,}"),
        _range(f"{min(kept):.3f}", f"{max(kept):.3f}"),
    )


def _range(low: str, high: str) -> str:
    return low if low == high else f"{low}–{high}"
