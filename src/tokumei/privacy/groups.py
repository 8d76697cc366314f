"""Pk-anonymity of rows that were perturbed group by group.

Let the rows be put into groups in any way whatever, and let the rows of a group pass through the group's own mechanism.
An attacker who knows the whole table may know every person's group, and a released row shows its own. Exchanges then
happen within a group only: with n_g rows in it and the swap b_g of its mechanism, taken over all its columns together,

    k = min over groups of 1 + (n_g - 1) b_g

How the groups were found does not matter, since nothing is counted on but the draws and the shuffle inside each. Rows
that were left out are counted on in no group. An attacker who knows kept columns too tells people apart by them: then
n_g is the smallest class of those columns within the group. Where people have several rows, up to m_g of them in a group,

    k = min over groups of 1 + (n_g - m_g) b_g / m_g

**Samples.** Let m_g rows of each group be drawn after the groups were formed, every set of that size being equally likely, and let
the group's box be that of all its rows. The draws, like the noise, do not depend on who has which record, so that inside a group
the proof of `tokumei.privacy.sampling` holds with n_g for n: with the ratio a_g of the group's mechanism,

    k = min over groups of 1 + (n_g - m_g) a_g + (m_g - 1) b_g

and against an attacker who knows who was drawn, the smallest 1 + (m_g - 1) b_g. Drawing first and grouping the drawn rows would not do: the boxes
would be made from those who were drawn, and show it.

Where each row tells one thing inside its box, b_g is the square of the smallest ratio of the group's clusters
(`tokumei.mechanism.group_telling`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction

import numpy as np

from tokumei.arrays import Integers
from tokumei.mechanism.channel import channel_from
from tokumei.mechanism.group_telling import GroupTelling
from tokumei.mechanism.grouping import Group, Grouping
from tokumei.privacy.attackers import Membership
from tokumei.privacy.sampling import HidingPlace

Whole = Iterable[tuple[int, int]]  # fractions, as what stands above the line and below it


def place_in(group: Group, membership: Membership = "secret") -> HidingPlace:
    """Return where a person of a group hides from an attacker to whom it is secret, or known, who was drawn."""
    if group.of is None:
        return HidingPlace(0, group.among, group.most)
    place = HidingPlace(group.of - group.rows, group.rows, group.most)
    return place.drawn if membership == "known" else place


def achieved_in(group: Group) -> Fraction:
    """Return ``1 + (outside a + inside b) / most`` of one group, counting others' rows, a and b being the products over its channels."""
    channels = [channel_from(channel) for channel in group.channels]
    place = place_in(group)
    ratio = math.prod((channel.ratio for channel in channels), start=Fraction(1)) if place.outside else Fraction(0)
    swap = math.prod((channel.swap for channel in channels), start=Fraction(1))
    return 1 + (place.others_outside * ratio + place.others_inside * swap) / place.most


def achieved_by(grouping: Grouping, membership: Membership = "secret") -> tuple[Fraction, Group]:
    """Return the smallest k of any group, and the group.

    Groups are compared in whole numbers, which are made a fraction, in lowest terms, once.
    """
    swaps = swaps_of(grouping)
    ratios: Whole = ((0, 1) for _ in grouping.groups)  # of those not drawn, where there are none
    if grouping.sampled and grouping.telling is not None:
        ratios = _told(grouping.telling, len(grouping.groups))
    elif grouping.sampled:
        channels, which = grouping.kinds
        ratios = multiplied([channel.ratio for channel in channels], which)
    least, found = (1, 0), grouping.groups[0]  # above everything
    for group, swap, ratio in zip(grouping.groups, swaps, ratios, strict=True):
        place = place_in(group, membership)
        part = added(place.others_outside, ratio, place.others_inside, swap)
        part = part[0], part[1] * place.most
        if part[0] * least[1] < least[0] * part[1]:
            least, found = part, group
    return 1 + Fraction(*least), found


def swaps_of(grouping: Grouping) -> list[tuple[int, int]]:
    """Return the swap of each group's mechanism, not in lowest terms."""
    if grouping.telling is not None:
        return [(above**2, below**2) for above, below in _told(grouping.telling, len(grouping.groups))]
    channels, which = grouping.kinds
    return multiplied([channel.swap for channel in channels], which)


def _told(telling: GroupTelling, groups: int) -> list[tuple[int, int]]:
    return [telling.ratio(group).as_integer_ratio() for group in range(groups)]


def multiplied(factors: Sequence[Fraction], which: Integers) -> list[tuple[int, int]]:
    """Return the product of some factors for each row of ``which``, not in lowest terms."""
    parts = zip(*(factor.as_integer_ratio() for factor in factors), strict=True)
    above, below = (np.multiply.reduce(np.array(each, dtype=object)[which], axis=1) for each in parts)
    return list(zip(above.tolist(), below.tolist(), strict=True))


def added(outside: int, ratio: tuple[int, int], inside: int, swap: tuple[int, int]) -> tuple[int, int]:
    """Return ``outside ratio + inside swap``, not in lowest terms."""
    if not outside:
        return inside * swap[0], swap[1]
    return outside * ratio[0] * swap[1] + inside * swap[0] * ratio[1], ratio[1] * swap[1]
