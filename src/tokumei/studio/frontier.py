"""The chart of risk against utility, with its slider."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from nicegui import ui

from tokumei.privacy.rungs import RUNGS, RungName
from tokumei.studio.saying import in_studio
from tokumei.studio.session.frontier import Frontier, LineName, Point, Side, line_words, lines
from tokumei.studio.terms import names_in
from tokumei.words import Words

Chosen = Callable[[LineName, int], Awaitable[None] | None]
SAID = (
    "k",
    "limit",
    "chart",
    "across",
    "upward",
    "table",
    "method",
    "risk",
    "utility",
    "sides",
    "across_rung",
    "released",
    "reconstructed",
    "loss",
    "actions",
    "current",
    "waiting",
    "near",
    "better",
    "sampled",
    "asked",
    "counted",
    "proved",
    "nothing",
    "apply",
    "pin",
)
EXPLAINED = ("risk", "utility", "loss")  # the heads of the table's columns


class FrontierChart(ui.element, component="static/frontier.js"):
    """Every point at once; the browser looks up what the slider shows."""

    def __init__(
        self,
        words: Words,
        start: int,
        *,
        current: Any,
        pinned: Sequence[Any],
        on_apply: Chosen,
        on_pin: Chosen,
        on_settle: Callable[[int], Awaitable[None] | None],
        side: Side,
        on_side: Callable[[Side], None],
        rung: RungName | None,
    ) -> None:
        super().__init__()
        self._words = words
        self.props["start"] = start
        self.props["side"] = side
        self.props["rung"] = rung or ""
        self.props["rungs"] = [[name, words(f"ladder.name.{name}")] for name in RUNGS]
        self.props["lines"] = []
        self.props["largest"] = max(start, 3)
        self.props["words"] = {
            name: words(f"frontier_{name}", share="{share}", rows="{rows}", k="{k}", side="{side}") for name in SAID
        }
        self.props["terms"] = {name: names_in(words(f"frontier_{name}"), words.language) for name in EXPLAINED}
        self.props["current"] = _marked(current)
        self.props["pinned"] = [mark for each in pinned if (mark := _marked(each)) is not None]
        self.on("apply", lambda event: on_apply(event.args["line"], int(event.args["k"])))
        self.on("pin", lambda event: on_pin(event.args["line"], int(event.args["k"])))
        self.on("settle", lambda event: on_settle(int(event.args)))
        self.on("side", lambda event: on_side("released" if event.args == "released" else "reconstructed"))

    def across(self, rung: RungName | None) -> None:
        """Put a rung on the axis, or k."""
        self.props["rung"] = rung or ""

    def take(self, found: Frontier) -> None:
        """Show as much of the frontier as there is."""
        self.props["largest"] = found.largest
        self.props["lines"] = [
            {
                "name": line.name,
                "shown": line_words(line.name, self._words),
                "note": in_studio(line.note, self._words) if line.note else "",
                "points": [_plain(point) for point in line.points if point.measured],
            }
            for line in found.lines.values()
        ]


def place_of(method: Any) -> tuple[LineName, int] | None:
    """Return the line and the k of a method, if it is one of the frontier's."""
    k = getattr(method, "k", None)
    if k is None or k != int(k):
        return None
    return next(((name, int(k)) for name, make in lines().items() if k >= 2 and make(int(k)) == method), None)


def _marked(method: Any) -> dict[str, Any] | None:
    found = place_of(method)
    return None if found is None else {"line": found[0], "k": found[1]}


def _plain(point: Point) -> dict[str, Any]:
    parts = ("k", "utility", "reconstructed", "risk", "basis", "loss", "sampled")
    rungs = {each.name: [each.value, each.how] for each in point.rungs}
    return {**{name: getattr(point, name) for name in parts}, "rungs": rungs}
