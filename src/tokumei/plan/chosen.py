"""How the method of a plan was chosen, where that depended on the rows: the release has to say so."""

from __future__ import annotations

from dataclasses import replace

from pydantic import StrictInt

from tokumei.errors import InvalidParameter
from tokumei.privacy.notions import CENTRAL_DP, LOCAL_DP
from tokumei.release.artifact import Release
from tokumei.release.disclosure import Fact
from tokumei.release.reasons import ChosenFromRows
from tokumei.values import value

CHOICE = "choice"  # what the fact is called in a manifest
OF_A_PERSON = {CENTRAL_DP.name, LOCAL_DP.name}  # notions that compare tables which differ in one person


@value
class Chosen:
    """The method was chosen by trying several on the table, so which one it is depends on the rows.

    Guarantees that hold for every table by themselves are unharmed: Pk-anonymity and probabilistic k-anonymity hold against attackers who
    know the whole table, and so which method is chosen for it; k-anonymity and what is asked of equivalence classes are counted
    on the released rows. Epsilon is a bound over tables that differ in one person. The choice may differ between two such tables, and no noise
    covers it, so no epsilon is stated.

    Parameters
    ----------
    tried
        How many methods were tried.
    purpose
        What they were ranked by: ``"tables"``, ``"records"``, or ``"model:"`` and a column.
    duties
        What the release must hold to, such as ``"linking 1/10, inference 3/4"``.
    """

    tried: StrictInt
    purpose: str
    duties: str

    def __post_init__(self) -> None:
        if self.tried < 1:
            raise InvalidParameter("tried must be at least 1. Got {tried}.", tried=self.tried)

    @property
    def fact(self) -> Fact:
        """What the release discloses."""
        said = {"tried": self.tried, "purpose": self.purpose, "duties": self.duties}
        return Fact(CHOICE, said, ChosenFromRows())

    def disclosed(self, release: Release) -> Release:
        """Return a release that says how its method was chosen, and states no epsilon."""
        if release.method.get("epsilon") is not None:
            raise InvalidParameter(
                "the method was chosen by looking at the rows, so no epsilon can be stated; choose it from public numbers alone "
                "(tokumei recommend --no-look), or delete [chosen] if somebody chose it without looking."
            )
        kept = tuple(each for each in release.guarantees if each.notion not in OF_A_PERSON)
        return replace(release, guarantees=kept, disclosed=(*release.disclosed, self.fact))
