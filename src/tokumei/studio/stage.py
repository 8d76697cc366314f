"""Where a screen is shown: a new one is put together behind the scenes and takes the place of the old one once it is ready."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from nicegui import background_tasks, ui

from tokumei.studio.parts import box

PATIENCE = 0.3  # seconds in which the old screen stays while the new one is made


class Backstage(ui.element, component="static/backstage.js"):
    """Where elements are that nobody sees yet."""


class Keeper(ui.element, component="static/keeper.js"):
    """Where the screen is; the browser keeps its scroll position and the focus when it is drawn anew."""


class Stage:
    """One screen after another, and the same one anew when something has changed."""

    def __init__(self) -> None:
        self._back = Backstage()
        self._front = Keeper()
        self._drawing: asyncio.Task[None] | None = None

    def show(self, draw: Callable[[], Awaitable[None]]) -> None:
        """Draw a screen; whatever was being drawn before is given up."""
        self.stop()
        self._drawing = background_tasks.create(self._show(draw), name="drawing a screen")

    def stop(self) -> None:
        """Draw no further."""
        if self._drawing is not None:
            self._drawing.cancel()

    async def _show(self, draw: Callable[[], Awaitable[None]]) -> None:
        self._back.clear()
        with self._back:
            made = box("screen")
        begun: asyncio.Task[None] = background_tasks.create(_within(made, draw), name="a screen")
        try:
            if self._front.default_slot.children:
                await asyncio.wait({begun}, timeout=PATIENCE)
            if self._front.is_deleted:
                return
            self._front.clear()
            made.move(self._front)
            await begun
        finally:
            begun.cancel()


async def _within(place: ui.element, draw: Callable[[], Awaitable[None]]) -> None:
    with place:
        await draw()
