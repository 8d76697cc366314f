"""How an attacker's beliefs were computed, and what cannot be attacked: statements, whose wording is in the catalogue."""

from __future__ import annotations

from tokumei.mechanism.treatments import Problem
from tokumei.words.statement import Count, Statement


class Beliefs(Statement, kind="beliefs"):
    """How beliefs were computed."""


class EveryAssignment(Beliefs):
    """Exactly."""


class Sinkhorn(Beliefs):
    """By balancing."""


class Bethe(Beliefs):
    """By Bethe's approximation."""


class WithoutStrata(Beliefs):
    """The sizes of the strata were not used."""


class InGroups(Beliefs):
    """Each group on its own."""


class AttackNeedsPeople(Problem):
    """People have several rows, and whose row each is was not said."""


class GroupsNotTold(Problem):
    """Who is in which group is not known."""


class TooLargeToAttack(Problem):
    """The table is too large."""

    rows: Count


class CollationNeedsOneRow(Problem):
    """People have several rows."""
