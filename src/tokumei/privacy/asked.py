"""What a method was asked to guarantee, and the one place that refuses a release that guarantees less."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokumei.errors import InfeasiblePromise
from tokumei.privacy.constraints import SLACK, ClassConstraint
from tokumei.privacy.guarantee import Guarantee
from tokumei.privacy.notions import NOTIONS


@dataclass(frozen=True)
class Asked:
    """A value of a notion that is asked for.

    ``place`` says which of a release's promises of this notion must keep it: a sample states two, and with several constraints
    of one notion each has its own.
    """

    notion: str
    value: float
    place: int = 0

    def kept_by(self, guarantees: Sequence[Guarantee]) -> bool:
        """Say whether the promise is there and keeps what is asked; what is not a number keeps nothing.

        >>> from tokumei.privacy.attackers import KnowsOnly, Linking
        >>> promise = Guarantee("k-anonymity", 5.0, Linking(), KnowsOnly(columns=("age",)), ())
        >>> Asked("k-anonymity", 5).kept_by([promise]), Asked("k-anonymity", 6).kept_by([promise])
        (True, False)
        """
        stated = [each.value for each in guarantees if each.notion == self.notion]
        if not -len(stated) <= self.place < len(stated):
            return False
        # Diversity is a sum of shares, which rounds; k is counted or a fraction, and is never below what is asked.
        notion = NOTIONS[self.notion]
        slack = SLACK if notion.summed else 0.0
        value = stated[self.place]
        if notion.larger_is_better:
            return value >= self.value * (1 - slack)
        return value <= self.value * (1 + slack) + slack


def asked_of_classes(k: float, constraints: Sequence[ClassConstraint] = ()) -> tuple[Asked, ...]:
    """Return what is asked of classes: their size, and every constraint."""
    asked, seen = [Asked("k-anonymity", k)], list[str]()
    for constraint in constraints:
        name = constraint.notion.name
        asked.append(Asked(name, constraint.asked, seen.count(name)))
        seen.append(name)
    return tuple(asked)


def refuse_less(asked: Sequence[Asked], guarantees: Sequence[Guarantee]) -> None:
    """Refuse a release that promises less than was asked for.

    Every engine calls this on every release, whatever a method has checked itself before.
    """
    for each in asked:
        if not each.kept_by(guarantees):
            raise InfeasiblePromise(
                "{notion} of {value:g} was asked for and would not hold, so nothing is released; ask "
                "for less, and please report how this happened.",
                notion=each.notion,
                value=each.value,
            )
