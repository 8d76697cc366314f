"""What the rows of a release tell, as a small table: cluster by cluster, or where there are many, by how many columns they have."""

from __future__ import annotations

from collections.abc import Sequence

from tokumei.mechanism.telling import Cluster, Telling
from tokumei.words import Words

LISTED = 12  # clusters that are listed one by one

Grid = tuple[tuple[str, ...], list[tuple[str, ...]]]


def told_grid(telling: Telling, words: Words) -> Grid:
    """Return the head and the lines of a table of what rows tell, how often, in how many values, and how often these are kept."""
    head = tuple(words(f"told_{title}") for title in ("rows", "share", "values", "kept"))
    if len(telling.clusters) <= LISTED:
        return head, [_line(telling, [each], ", ".join(each.columns)) for each in telling.clusters]
    sizes = sorted({len(each.columns) for each in telling.clusters}, reverse=True)
    lines = []
    for size in sizes:
        alike = [each for each in telling.clusters if len(each.columns) == size]
        among = len({name for each in alike for name in each.columns})
        lines.append(_line(telling, alike, words("told_any", count=size, among=among, ways=len(alike))))
    return head, lines


def _line(telling: Telling, clusters: Sequence[Cluster], called: str) -> tuple[str, ...]:
    values = [each.channel.size for each in clusters]
    kept = [each.channel.retention for each in clusters]
    share = sum(each.weight for each in clusters) / telling.total
    return (
        called,
        f"{share:.1%}",
        _range(f"{min(values):,}", f"{max(values):,}"),
        _range(f"{min(kept):.3f}", f"{max(kept):.3f}"),
    )


def _range(low: str, high: str) -> str:
    return low if low == high else f"{low}–{high}"
