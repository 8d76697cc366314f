"""Pk-anonymity of rows that were perturbed group by group.

Let the rows be put into groups in any way whatever, and let the rows of a group pass through the group's own mechanism.
An attacker who knows the whole table may know every person's group, and a released row shows its own. Exchanges then
happen within a group only: with n_g rows in it and the swap b_g of its mechanism, taken over all its columns together,

    k = min over groups of 1 + (n_g - 1) b_g

How the groups were found does not matter, since nothing is counted on but the draws and the shuffle inside each. Rows
that were left out are counted on in no group. An attacker who knows kept columns too tells people apart by them: then
n_g is the smallest class of those columns within the group. Where people have several rows, up to m_g of them in a group,

    k = min over groups of 1 + (n_g - m_g) b_g / m_g

Where each row tells one thing inside its box, b_g is the square of the smallest ratio of the group's clusters
(`tokumei.mechanism.group_telling`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction

import numpy as np

from tokumei.mechanism.channel import channel_from
from tokumei.mechanism.grouping import Group, Grouping


def achieved_in(group: Group) -> Fraction:
    """Return ``1 + (among - most) b / most`` of one group, b being the product of its channels' swaps."""
    swap = math.prod((channel_from(channel).swap for channel in group.channels), start=Fraction(1))
    return 1 + max(0, group.among - group.most) * swap / group.most


def achieved_by(grouping: Grouping) -> tuple[Fraction, Group]:
    """Return the smallest k of any group, and the group.

    Groups are compared in whole numbers, which are made a fraction, in lowest terms, once.
    """
    if grouping.telling is not None:
        ratios = [grouping.telling.ratio(group).as_integer_ratio() for group in range(len(grouping.groups))]
        return _least(grouping, [ratio[0] ** 2 for ratio in ratios], [ratio[1] ** 2 for ratio in ratios])
    channels, which = grouping.kinds
    swaps = zip(*(channel.swap.as_integer_ratio() for channel in channels), strict=True)
    above, below = (np.multiply.reduce(np.array(each, dtype=object)[which], axis=1) for each in swaps)
    return _least(grouping, above, below)


def _least(grouping: Grouping, above: Iterable[int], below: Iterable[int]) -> tuple[Fraction, Group]:
    """Return the smallest k, and the group that has it; swaps are given as what stands above the line and below it."""
    least, found = (1, 0), grouping.groups[0]  # above everything
    for group, top, bottom in zip(grouping.groups, above, below, strict=True):
        part = max(0, group.among - group.most) * top, group.most * bottom
        if part[0] * least[1] < least[0] * part[1]:
            least, found = part, group
    return 1 + Fraction(*least), found
