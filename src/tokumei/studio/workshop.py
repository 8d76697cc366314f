"""A level of a hierarchy to take hold of: labels in groups, or the edges of intervals on a histogram; by mouse and by keyboard."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from nicegui import ui

from tokumei.shown import shown

Told = Callable[..., Awaitable[None] | None]


class Groups(ui.element, component="static/groups.js"):
    """Groups of labels; ``on_move`` is told which labels go into which group, ``on_rename`` what a group is to be called."""

    def __init__(
        self,
        groups: Sequence[tuple[str, Sequence[tuple[str, int]]]],
        lacking: Sequence[str],
        words: Mapping[str, str],
        on_move: Told,
        on_rename: Told,
    ) -> None:
        super().__init__()
        self.props["groups"] = [
            {"name": name, "shown": shown(name), "items": [_item(label, rows) for label, rows in items]}
            for name, items in groups
        ]
        self.props["lacking"] = [_item(label, None) for label in lacking]
        self.props["words"] = dict(words)
        self.on("moved", lambda event: on_move([str(each) for each in event.args["items"]], str(event.args["group"])))
        self.on("renamed", lambda event: on_rename(str(event.args["group"]), str(event.args["name"])))


def _item(label: str, rows: int | None) -> dict[str, Any]:
    return {"label": label, "shown": shown(label), "rows": rows}


class Handles(ui.element, component="static/handles.js"):
    """A histogram with an edge for each handle; ``on_edges`` is told at which codes they are."""

    def __init__(
        self,
        bars: Sequence[float],
        size: int,
        edges: Sequence[int],
        labels: Sequence[str],
        words: Mapping[str, str],
        on_edges: Told,
    ) -> None:
        super().__init__()
        given: dict[str, Any] = {"bars": list(bars), "size": size, "edges": list(edges), "labels": list(labels)}
        for name, content in {**given, "words": dict(words)}.items():
            self.props[name] = content
        self.on("edges", lambda event: on_edges([int(each) for each in event.args]))
