"""Something to fill in or to choose from, that always shows what the studio goes by."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Generic, TypeVar

from nicegui import ui

V = TypeVar("V", str, bool)


class Control(ui.element, Generic[V], component="static/control.js"):
    """One control: a ``select``, a ``checkbox``, a ``textarea`` or a kind of ``input``.

    Parameters
    ----------
    kind
        Which of them.
    value
        What it shows first.
    on_change
        Is told what the person has made of it.
    options
        What a ``select`` offers: names, and what is shown for each.
    delay
        After how many seconds without a letter the text is told while it is being written; only when it is left, without one.
    """

    def __init__(
        self,
        kind: str,
        value: V,
        on_change: Callable[[V], Awaitable[None] | None],
        *,
        options: Mapping[str, str] | None = None,
        delay: float | None = None,
    ) -> None:
        super().__init__()
        self.value: V = value
        self._offered = None if options is None else set(options)
        self._on_change: Callable[[V], Awaitable[None] | None] = on_change
        self.props["kind"] = kind
        self.props["value"] = value
        self.props["pushed"] = 0
        if options is not None:
            self.props["options"] = [[name, shown] for name, shown in options.items()]
        if delay is not None:
            self.props["delay"] = 1000 * delay
        self.on("heard", self._heard)

    def push(self, value: V) -> None:
        """Show something else than the person has put there."""
        self.value = value
        self.props["value"] = value
        self.props["pushed"] += 1

    def _heard(self, event: Any) -> Awaitable[None] | None:
        given = event.args
        if type(given) is not type(self.value) or (self._offered is not None and given not in self._offered):
            return None  # which no control of ours sends
        self.value = given
        return self._on_change(given)
