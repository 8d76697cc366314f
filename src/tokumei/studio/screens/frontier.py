"""The frontier: what each method costs for every k, and the choice of one."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

from tokumei.errors import TokumeiError
from tokumei.privacy.rungs import RUNGS
from tokumei.progress import Progress, Stop
from tokumei.reports.numbers import percent
from tokumei.studio.frontier import FrontierChart, place_of
from tokumei.studio.parts import Text, box, button, card, choice, note, number, problem
from tokumei.studio.session import Session
from tokumei.studio.session.frontier import Frontier, LineName, Point, line_words, lines
from tokumei.studio.session.recommended import recommend, recommended_words
from tokumei.studio.worker import Superseded

if TYPE_CHECKING:
    from tokumei.studio.frame import View

USUAL_K = 5


async def frontier(view: View) -> None:
    """Show the frontier, as far as it is known, and go on with it."""
    words, session = view.words, view.session
    here = place_of(session.state.method)
    view.k = view.k or (here[1] if here else USUAL_K)
    with card(classes="frontier-card"):
        view.recommended = box("recommended", role="status")
        axes: dict[str, str] = {
            "k": words("frontier_axis_k"),
            **{str(name): words(f"ladder.name.{name}") for name in RUNGS},
        }
        choice(words("frontier_axis"), axes, view.rung or "k", partial(_across, view))
        chart = FrontierChart(
            words,
            view.k,
            current=session.state.method,
            pinned=session.state.pinned,
            on_apply=partial(_choose, view, "apply"),
            on_pin=partial(_choose, view, "pin"),
            on_settle=partial(_settle, view),
            side=view.side,
            on_side=partial(_turn, view, "side"),
            rung=view.rung,
        )

        note(words("frontier_attackers"))
        large = box()
    view.chart = chart
    pins = box("filled")
    try:
        now = await view.do("frontier now", lambda progress, cancelled: session.frontier_now())
        chart.take(now)
        if now.sampled is not None:
            with large:
                note(words("frontier_large", rows=f"{now.sampled:,}"))
        with pins:
            _pins(view, session, now)
        now = await _grow(view, session, chart)
    except Superseded:
        with pins:
            note(words("stopped"))
            button(words("again"), view.refresh)
    except TokumeiError as error:
        with pins:
            problem(view.say(error))
    else:
        pins.clear()
        with pins:
            _pins(view, session, now)


def _across(view: View, name: str) -> None:
    """Put k or a rung of the ladder on the axis."""
    view.rung = next((rung for rung in RUNGS if rung == name), None)
    view.chart.across(view.rung)


def _turn(view: View, what: str, to: Any) -> None:
    """Show another side."""
    setattr(view, what, to)
    _recommend(view)


def _recommend(view: View) -> None:
    """Say in a sentence what to take at the k of the slider, and why."""
    words, place = view.words, view.recommended
    if place is None or place.is_deleted:
        return
    found = recommend(view.session.frontier_now(), view.k, view.session.state.duties, view.side)
    place.clear()
    with place:
        Text("p", recommended_words(found, words), "recommendation")


async def _grow(view: View, session: Session, chart: FrontierChart) -> Frontier:
    loop = asyncio.get_running_loop()

    def take(found: Frontier) -> None:
        if not chart.is_deleted:
            chart.take(found)
            _recommend(view)

    def tell(found: Frontier) -> None:
        loop.call_soon_threadsafe(take, found)

    def work(progress: Progress, cancelled: Stop) -> Frontier:
        return session.frontier(progress, cancelled, tell)

    found = await view.do("frontier", work, lane="patient")
    take(found)
    return found


async def _settle(view: View, k: int) -> None:
    """Measure every method at the k where the slider was left, so that its figures are its own."""
    view.k = k
    session, chart = view.session, view.chart
    _recommend(view)

    def work(progress: Progress, cancelled: Stop) -> Frontier:
        for name in lines():
            session.point(name, k, progress=progress, cancelled=cancelled)
        return session.frontier_now()

    try:
        found = await view.do("point", work)
    except Superseded:
        return
    except TokumeiError as error:
        view.complain(error)
        return
    if not chart.is_deleted:
        chart.take(found)
        _recommend(view)


async def _choose(view: View, what: str, line: LineName, k: int) -> None:
    view.k = k
    session = view.session
    view.stop("point")
    try:
        found = await view.do(
            "choose", lambda progress, cancelled: session.point(line, k, progress=progress, cancelled=cancelled)
        )
    except Superseded:
        return
    except TokumeiError as error:
        view.complain(error)
        return
    if found is None:
        view.tell(view.words("frontier_none"))
        return
    point = found
    await view.attempt(lambda: session.apply(point) if what == "apply" else session.pin(point))


def _pins(view: View, session: Session, found: Frontier) -> None:
    words = view.words
    if not session.state.pinned:
        note(words("frontier_no_pins"))
        return
    Text("h2", words("frontier_pins"))
    with box("grid"):
        for method in session.state.pinned:
            place = place_of(method)
            point = None if place is None else found.lines[place[0]].at(place[1])
            with card(_name(view, method), level=3):
                if point is not None:
                    _figures(view, point)
                with box("row"):
                    button(
                        words("frontier_apply"), partial(view.step, partial(session.change, method=method)), "primary"
                    )
                    button(words("frontier_unpin"), partial(view.step, partial(session.unpin, method)))


def _figures(view: View, point: Point) -> None:
    words = view.words
    with box("row"):
        for side, utility in (("released", point.utility), ("reconstructed", point.reconstructed)):
            if utility is not None:
                number(
                    percent(utility),
                    words("list_comma").join([words("frontier_utility"), words(f"frontier_{side}").lower()]),
                )
        number(
            percent(point.risk), words("list_comma").join([words("frontier_risk"), words(f"frontier_{point.basis}")])
        )
    if point.sampled is not None:
        note(words("frontier_sampled", rows=f"{point.sampled:,}"))


def _name(view: View, method: Any) -> str:
    place = place_of(method)
    if place is None:
        return str(method)
    return f"{line_words(place[0], view.words)}, k = {place[1]}"
