"""Where files are dropped."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import ui


class Drop(ui.element, component="static/drop.js"):
    """A place to drop a file; ``on_file`` is told by which ticket the studio knows it."""

    def __init__(
        self,
        url: str,
        on_file: Callable[[str], Awaitable[None] | None],
        *,
        invitation: str,
        choose: str,
        failed: str,
        accept: str = "",
    ) -> None:
        super().__init__()
        words: dict[str, Any] = {"invitation": invitation, "choose": choose, "failed": failed, "accept": accept}
        for name, content in {"url": url, **words}.items():
            self.props[name] = content
        self.on("handed", lambda event: on_file(str(event.args)))
