"""Pk-anonymity of rows that were perturbed group by group.

Let the rows be put into groups in any way whatever, and let the rows of a group pass through the group's own mechanism.
An attacker who knows the whole table may know every person's group, and a released row shows its own. Exchanges then
happen within a group only: with n_g rows in it and the swap b_g of its mechanism, taken over all its columns together,

    k = min over groups of 1 + (n_g - 1) b_g

How the groups were found does not matter, since nothing is counted on but the draws and the shuffle inside each. Rows
that were left out are counted on in no group. An attacker who knows kept columns too tells people apart by them: then
n_g is the smallest class of those columns within the group. Where people have several rows, up to m_g of them in a group,

    k = min over groups of 1 + (n_g - m_g) b_g / m_g
"""

from __future__ import annotations

import math
from fractions import Fraction

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
    channels, which = grouping.kinds
    swaps = [channel.swap for channel in channels]
    parts = [(swap.numerator, swap.denominator) for swap in swaps]
    least, found = (1, 0), grouping.groups[0]  # above everything
    for group, numbers in zip(grouping.groups, which.tolist(), strict=True):
        above = max(0, group.among - group.most) * math.prod(parts[number][0] for number in numbers)
        below = group.most * math.prod(parts[number][1] for number in numbers)
        if above * least[1] < least[0] * below:
            least, found = (above, below), group
    return 1 + Fraction(*least), found
