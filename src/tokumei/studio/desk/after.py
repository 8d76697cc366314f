"""The risk of a release, never a promise and a count under one name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tokumei.privacy.guarantee import Guarantee
from tokumei.release.artifact import Release
from tokumei.risk.assess import assess
from tokumei.risk.assessment import Assessment
from tokumei.risk.releases import made_alike
from tokumei.utility.compare import linking_k

Basis = Literal["counted", "proved", "nothing"]


@dataclass(frozen=True)
class RiskAfter:
    """The risk of a release.

    Attributes
    ----------
    highest
        The largest probability of a right link; 1 where nothing is promised.
    basis
        Whether that is ``"counted"`` on the released rows, which were made alike, or ``"proved"`` from the mechanism, for
        rows that were perturbed or sampled, or ``"nothing"`` where nothing is promised.
    classes
        What attackers can do, where the classes of the released rows tell it.
    guarantees
        What is promised.
    rows
        How many rows were released.
    """

    highest: float
    basis: Basis
    classes: Assessment | None
    guarantees: tuple[Guarantee, ...]
    rows: int


def risk_of(release: Release) -> RiskAfter:
    """Return the risk of a release."""
    if made_alike(release) and not release.mechanism.perturbed:
        found = assess(release)
        return RiskAfter(found.prosecutor.highest, "counted", found, release.guarantees, release.rows)
    k = linking_k(release)
    if k is None:
        return RiskAfter(1.0, "nothing", None, release.guarantees, release.rows)
    return RiskAfter(1 / k, "proved", None, release.guarantees, release.rows)
