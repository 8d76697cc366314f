"""A rung of the ladder as the axis of a chart: what it is called, how it is scaled, and a place for those that promise nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple, get_args

from tokumei.errors import InvalidParameter
from tokumei.plots.theme import altair
from tokumei.text import names, nearest
from tokumei.words import Words

RungOnAxis = Literal["linking", "whole_table", "inference", "differencing", "membership"]
RUNGS_ON_AXIS: tuple[RungOnAxis, ...] = get_args(RungOnAxis)
HOW = "_how"  # after the name of a rung: the column that says whether its number is proved, counted or nothing
NOTHING = "nothing"
LINKS = ("linking", "whole_table")  # rungs whose number is the probability of a link, 1/k
SMALL = 0.05  # epsilons below this are drawn evenly, those above by their ratio


class RungAxis(NamedTuple):
    """The columns and the words of an axis.

    Attributes
    ----------
    number, how
        The column of the number, and that which says how it is known; none for the risk that each method states itself.
    title, attackers
        The title of the axis, and lines that say against whom.
    """

    number: str
    how: str | None
    title: str
    attackers: tuple[str, ...]


OWN_RISK = RungAxis(
    "risk",
    None,
    "risk: the guaranteed limit on the probability of a link (1/k)",
    (
        "Generalized rows: against an attacker who knows the quasi-identifiers and nothing else.",
        "Perturbed rows: against an attacker who may know the whole original table.",
    ),
)
TITLES: dict[RungOnAxis, str] = {
    "linking": "largest probability of a link by the quasi-identifiers",
    "whole_table": "largest probability of a link by the whole table",
    "inference": "largest belief in a sensitive value",
    "differencing": "epsilon of the whole table, or of a row",
    "membership": "largest belief that somebody is in the table",
}


def how_known(rung: str) -> str:
    """Name the column that says how the number of a rung is known.

    >>> how_known("inference")
    'inference_how'
    """
    return f"{rung}{HOW}"


def axis_of(rung: str | None) -> RungAxis:
    """Return the axis of a rung; without one that of the risk that each method states against its own attacker."""
    if rung is None:
        return OWN_RISK
    if rung not in RUNGS_ON_AXIS:
        raise InvalidParameter(
            "There is no rung called {name!r}; there are {rungs}.{hint}",
            name=str(rung),
            rungs=names(RUNGS_ON_AXIS),
            hint=nearest(str(rung), RUNGS_ON_AXIS),
        )
    words = Words("en")
    said = f"{words(f'ladder.name.{rung}')}: {words(f'ladder.who.{rung}')}"
    return RungAxis(rung, how_known(rung), TITLES[rung], (said,))


def encoded(axis: RungAxis, field: str, numbers: Iterable[float]) -> Any:
    """Return the horizontal axis: logarithmic for links and epsilons, even for beliefs."""
    alt, ticks = altair(), sorted(set(numbers))
    if axis.how is None or axis.number in LINKS:
        scale = alt.Scale(type="log", nice=False, padding=14)
        drawn = alt.Axis(values=ticks, labelExpr="'1/' + format(1 / datum.value, '.3~g')", labelOverlap="greedy")
    elif axis.number == "differencing":
        scale = alt.Scale(type="symlog", constant=SMALL, nice=False, padding=14)
        drawn = alt.Axis(values=ticks, format=".2~g", labelOverlap="greedy")
    else:
        scale = alt.Scale(domain=[0, 1])
        drawn = alt.Axis(format="%", tickCount=5)
    return alt.X(f"{field}:Q", title=axis.title, scale=scale, axis=drawn)
