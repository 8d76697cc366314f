"""Ways to treat a column before its noise: as it is, at a level of its hierarchy, or in groups built for a target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from tokumei.arrays import Floats, Integers
from tokumei.prepare.recode import Recode
from tokumei.table.domain import Categories, Domain
from tokumei.table.hierarchy import Hierarchy
from tokumei.table.schema import Attribute

BINS = 12  # numbers that stay numbers are looked at in this many bins
FINEST = 40  # values that groups are built from
GROUPS = 5
LEAST_SHARE = 0.02  # of the rows, in a group


@dataclass(frozen=True, eq=False)
class Treatment:
    """One way to treat a column: as it is, or recoded. ``groups`` gives the place of each code among ``states``."""

    step: Recode | None
    groups: Integers
    states: int
    channel: Literal["retention", "laplace", "laplace with missing"]


def treatments(attribute: Attribute, codes: Integers, target: Floats | None, coarsen: bool) -> list[Treatment]:
    """List the treatments of a column: as it is, each level of its hierarchy, and groups built for the target.

    Groups are built from the given codes and targets, row by row.
    """
    domain = attribute.domain
    assert domain is not None
    options = [_as_it_is(attribute)]
    if not coarsen:
        return options
    if attribute.hierarchy is not None:
        for level in range(1, attribute.hierarchy.depth + 1):
            groups, mapped = attribute.hierarchy.coarsen(domain, level)
            if 1 < groups.size < domain.size:
                options.append(_recoded(attribute, Recode(attribute.name, level), mapped, groups.size))
    if target is not None and domain.size > 2:
        for mapped in build_groups(codes, target, attribute):
            step = Recode(attribute.name, 1, _hierarchy(domain, mapped))
            options.append(_recoded(attribute, step, mapped, int(mapped.max()) + 1))
    return options


def _as_it_is(attribute: Attribute) -> Treatment:
    domain = attribute.domain
    assert domain is not None
    if isinstance(domain, Categories):
        return Treatment(None, np.arange(attribute.states), attribute.states, "retention")
    bins = min(domain.size, BINS)
    groups = np.arange(domain.size) * bins // domain.size
    if attribute.missing:
        return Treatment(None, np.append(groups, bins), bins + 1, "laplace with missing")
    return Treatment(None, groups, bins, "laplace")


def _recoded(attribute: Attribute, step: Recode, mapped: Integers, size: int) -> Treatment:
    groups = np.append(mapped, size) if attribute.missing else mapped
    return Treatment(step, groups, size + int(attribute.missing), "retention")


def build_groups(codes: Integers, target: Floats, attribute: Attribute) -> list[Integers]:
    """Build groupings of 2 to 5 groups that keep as much as possible of what the column says about the target.

    Values are first put in a row: in their own order where they have one, else by what they say about the target
    (smoothed, so that rare ones say little). The best cuts of the row are found exactly, by dynamic programming.
    """
    domain = attribute.domain
    assert domain is not None
    present = codes < domain.size
    codes, target = codes[present], target[present]
    main = target @ np.linalg.svd(target, full_matrices=False)[2][0] if target.shape[1] > 1 else target[:, 0]
    ordered = not isinstance(domain, Categories) or domain.ordered
    fine = _fine(codes, domain.size) if domain.size > FINEST and ordered else np.arange(domain.size)
    count = np.bincount(fine[codes], minlength=int(fine.max()) + 1).astype(np.float64)
    total = np.bincount(fine[codes], weights=main, minlength=len(count)).astype(np.float64)
    order = np.arange(len(count)) if ordered else np.argsort(total / (count + 10.0), kind="stable")
    cuts = best_cuts(count[order], total[order], min(GROUPS, len(count)), least=LEAST_SHARE * len(codes))
    found = []
    for starts in cuts:
        place = np.empty(len(count), dtype=np.int64)
        place[order] = np.searchsorted(starts, np.arange(len(count)), side="right") - 1
        mapped = place[fine]
        if int(mapped.max()) + 1 < domain.size:
            found.append(np.unique(mapped, return_inverse=True)[1].astype(np.int64))
    return found


def _fine(codes: Integers, size: int) -> Integers:
    """Cut a long order into about forty runs that hold equally many rows."""
    count = np.bincount(codes, minlength=size)
    middle = np.cumsum(count) - count / 2
    return np.unique((middle / max(1, len(codes)) * FINEST).astype(np.int64), return_inverse=True)[1].astype(np.int64)


def best_cuts(count: Floats, total: Floats, most: int, least: float) -> list[Integers]:
    """Return, for 2 up to ``most`` runs, where each run starts so that the squared sums per count are largest.

    A run holds at least ``least`` rows, lest chance make it look special; numbers of runs that cannot be had are left out.
    """
    size = len(count)
    reach, sums = np.append(0.0, np.cumsum(count)), np.append(0.0, np.cumsum(total))
    low, high = np.meshgrid(np.arange(size + 1), np.arange(size + 1), indexing="ij")
    gain = (sums[high] - sums[low]) ** 2 / np.maximum(reach[high] - reach[low], 1e-9)
    gain[(high <= low) | (reach[high] - reach[low] < least)] = -np.inf
    best, back, possible = gain[0].copy(), [], []
    for runs in range(2, most + 1):
        through = best[:, None] + gain
        back.append(through.argmax(axis=0))
        best = through.max(axis=0)
        if np.isfinite(best[size]):
            possible.append(runs)
    found = []
    for runs in possible:
        starts, end = [], size
        for step in back[runs - 2 :: -1][: runs - 1]:
            end = int(step[end])
            starts.append(end)
        found.append(np.array([0, *reversed(starts)]))
    return found


def _hierarchy(domain: Domain, mapped: Integers) -> Any:
    """Write a grouping as a hierarchy of one level: intervals of numbers and dates, groups of labels otherwise."""
    if isinstance(domain, Categories):
        labels = domain.labels()
        members: dict[int, list[str]] = {}
        for code, group in enumerate(mapped):
            members.setdefault(int(group), []).append(labels[code])
        return Hierarchy.groups({_label(each, domain.ordered): each for each in members.values()})
    starts = [int(np.argmax(mapped == group)) for group in range(int(mapped.max()) + 1)]
    edges = domain.values_of(np.array([*starts, domain.size - 1])).to_pylist()
    if edges[-1] == edges[-2]:  # the last group is the last value alone: its interval ends one step later
        edges[-1] += edges[-1] - domain.values_of(np.array([domain.size - 2])).to_pylist()[0]
    return Hierarchy.intervals(edges)


def _label(members: Sequence[str], ordered: bool) -> str:
    """Name a group by its members: a run by its ends, a long list by its first three."""
    if ordered and len(members) > 1:
        return f"{members[0]} to {members[-1]}"
    return " | ".join(members[:3]) + (f" | and {len(members) - 3} more" if len(members) > 3 else "")
