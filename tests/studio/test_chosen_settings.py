"""How a file is written, corrected faster than it is read: no correction puts an end to another."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tokumei.progress import Progress, Stop
from tokumei.studio.screens.chosen import Shown, _choose
from tokumei.studio.session.chosen import Chosen
from tokumei.studio.worker import Worker


class Page:
    """What a screen asks of its page, without a browser."""

    def __init__(self) -> None:
        self.worker = Worker()

    async def do(self, kind: str, work: Callable[[Progress, Stop], Any]) -> Any:
        return await self.worker.do(f"page {kind}", work)

    async def fill(self, kind: str, work: Callable[[Progress, Stop], Any], *_: Any) -> None:
        """Draw nothing."""


def test_every_correction_counts_though_the_rows_are_still_being_read(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("name;age;pay\nTanaka;30;1,5\nSato;40;2,5\n", encoding="utf-8")
    file, page, reading, go = (
        Chosen(tmp_path / "people.csv", "people.csv"),
        Page(),
        threading.Event(),
        threading.Event(),
    )
    wanted = {"encoding": "cp932", "delimiter": "\t", "decimal": ".", "dates": "", "missing": "Sato"}

    def rows(progress: Progress, cancelled: Stop) -> None:
        reading.set()
        go.wait()

    async def story() -> None:
        busy = asyncio.create_task(page.do("beginning", rows))
        await asyncio.to_thread(reading.wait)
        chosen = [
            asyncio.create_task(_choose(page, file, Shown({}), name, value))  # type: ignore[arg-type]
            for name, value in wanted.items()
        ]
        await asyncio.sleep(0)
        go.set()
        await asyncio.gather(busy, *chosen)

    try:
        asyncio.run(story())
    finally:
        go.set()
        page.worker.close()
    known = file.dialect
    assert (known.encoding, known.delimiter, known.decimal, known.dates) == ("cp932", "\t", ".", None)
    assert "Sato" in known.missing
    assert file.guessed == ()
