"""What the frontier recommends at one k, with its reason: the most useful of the methods that keep what is asked for."""

from __future__ import annotations

from dataclasses import dataclass

from tokumei.privacy.duties import ROUNDING, hold, read_duties
from tokumei.privacy.rungs import number_of
from tokumei.reports.numbers import percent
from tokumei.results import Result
from tokumei.studio.session.frontier import Frontier, Point, Side, line_words
from tokumei.words import Words


@dataclass(frozen=True)
class Recommended(Result):
    """What to take.

    Attributes
    ----------
    k
        The k that was asked about.
    best
        The most useful point for this k or a larger one that meets every duty, or without duties that keeps linking at 1/k; ``None``
        where there is none.
    stronger
        Where no duties were given and another point is safer against those who know the whole table: the most useful one that keeps
        1/k against them too, or else the safest.
    duties
        The duties that were asked for.
    side
        Which utility was compared.
    measured
        Whether anything has been measured for this k.
    """

    k: int
    best: Point | None
    stronger: Point | None
    duties: str
    side: Side
    measured: bool


def recommend(found: Frontier, k: int, duties: str = "", side: Side = "reconstructed") -> Recommended:
    """Recommend one of the measured points for a k."""
    wanted = read_duties(duties)
    there = [
        point
        for line in found.lines.values()
        for point in line.points
        if point.measured and point.rungs and point.k >= k
    ]
    if wanted:
        fit = [point for point in there if all(each.holds for each in hold(point.rungs, wanted))]
    else:
        fit = [point for point in there if _number(point, "linking") * k <= 1 + ROUNDING]
    best = max(fit, key=lambda point: (point.shown(side) or 0.0, -point.k), default=None)
    stronger = None
    if best is not None and not wanted:
        strong = [point for point in fit if _number(point, "whole_table") * k <= 1 + ROUNDING]
        safest = min(fit, key=lambda point: (_number(point, "whole_table"), -(point.shown(side) or 0.0)))
        other = max(strong, key=lambda point: (point.shown(side) or 0.0, -point.k), default=safest)
        stronger = other if _number(other, "whole_table") < _number(best, "whole_table") else None
    return Recommended(k, best, stronger, duties, side, bool(there))


def recommended_words(found: Recommended, words: Words) -> str:
    """Say what to take and why."""
    if not found.measured:
        return words("frontier_recommended_waiting")
    if found.best is None:
        return words("frontier_recommended_none", k=found.k)
    told = {"k": found.k, **_named(found.best, found.side, words)}
    if found.duties:
        said = [words("frontier_recommended_duties", duties=found.duties, **told)]
    else:
        said = [words("frontier_recommended", risk=percent(1 / found.k), **told)]
    if found.stronger is not None:
        value = number_of("whole_table", _number(found.stronger, "whole_table"), words)
        said.append(words("frontier_recommended_stronger", value=value, **_named(found.stronger, found.side, words)))
    sampled = [each for each in (found.best, found.stronger) if each is not None and each.sampled is not None]
    if sampled:
        methods = words("list_comma").join(dict.fromkeys(line_words(each.line, words) for each in sampled))
        said.append(words("frontier_recommended_sampled", methods=methods, rows=f"{sampled[0].sampled:,}"))
    return words.join(said)


def _named(point: Point, side: Side, words: Words) -> dict[str, str]:
    utility = percent(point.shown(side) or 0.0)
    return {"method": line_words(point.line, words), "utility": utility, "own": f"{point.k:,}"}


def _number(point: Point, name: str) -> float:
    """Return the number of a rung: 1 where nothing is promised."""
    value = next(each.value for each in point.rungs if each.name == name)
    return 1.0 if value is None else value
