"""The risk of a release, never a guarantee and a count under one name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tokumei.privacy.guarantee import Guarantee, several_rows
from tokumei.release.artifact import Release
from tokumei.results import Result
from tokumei.risk.assess import assess
from tokumei.risk.assessment import Assessment
from tokumei.risk.releases import linking_of_released, made_alike
from tokumei.utility.compare import linking_k

Basis = Literal["counted", "proved", "asked", "nothing"]
PROVED: Basis = "proved"
NOTHING: Basis = "nothing"
ASKED: Basis = "asked"


@dataclass(frozen=True)
class RiskAfter(Result):
    """The risk of a release.

    Attributes
    ----------
    highest
        The largest probability of a right link; 1 where nothing is promised.
    basis
        Whether that is ``"counted"`` on the released rows, which were generalized, or ``"proved"`` from the mechanism, for
        rows that were perturbed or sampled, or ``"nothing"`` where nothing is promised. ``"asked"`` is what was asked for of
        a release that has not been made.
    average
        The mean probability of a right link, where it is counted.
    classes
        What attackers can do in full, where the classes of the released rows tell it and somebody asked.
    guarantees
        What is promised.
    rows
        How many rows were released.
    """

    highest: float
    basis: Basis
    average: float | None
    classes: Assessment | None
    guarantees: tuple[Guarantee, ...]
    rows: int


def risk_of(release: Release, *, thorough: bool = False) -> RiskAfter:
    """Return the risk of a release; with ``thorough`` also all that its classes tell."""
    if counted_in_classes(release):
        found = linking_of_released(release)
        classes = assess(release) if thorough else None
        return RiskAfter(found.highest, "counted", found.average, classes, release.guarantees, release.rows)
    k = linking_k(release)
    highest, basis = (1.0, NOTHING) if k is None else (1 / k, PROVED)
    return RiskAfter(highest, basis, None, None, release.guarantees, release.rows)


def counted_in_classes(release: Release) -> bool:
    """Whether the classes of the released rows show the risk: not where people have several rows, since they do not say whose."""
    return made_alike(release) and not release.mechanism.perturbed and not several_rows(release.guarantees)
