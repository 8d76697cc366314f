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


def achieved_in(group: Group, swaps: dict[str, Fraction] | None = None) -> Fraction:
    """Return ``1 + (among - most) b / most`` of one group, b being the product of its channels' swaps.

    ``swaps`` are those of channels that were met already: most groups have the same few.
    """
    swaps = {} if swaps is None else swaps
    for channel in group.channels:
        if repr(channel) not in swaps:
            swaps[repr(channel)] = channel_from(channel).swap
    swap = math.prod((swaps[repr(channel)] for channel in group.channels), start=Fraction(1))
    return 1 + max(0, group.among - group.most) * swap / group.most


def achieved_by(grouping: Grouping) -> tuple[Fraction, Group]:
    """Return the smallest k of any group, and the group."""
    swaps: dict[str, Fraction] = {}
    return min(((achieved_in(group, swaps), group) for group in grouping.groups), key=lambda pair: pair[0])
