"""Unique rows by sets of columns, before and after: the sets that single out most, and any that somebody chooses."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from tokumei.progress import Progress, Stop, listening
from tokumei.reports.numbers import whole
from tokumei.studio.parts import Text, box, button, note, paragraph, table, tick

if TYPE_CHECKING:
    from nicegui import ui

    from tokumei.studio.frame import View

MOST_SETS = 6
MOST_COLUMNS = 60  # that can be ticked

Counts = tuple[list[int | None], list[int | None] | None]


async def unique_sets(view: View) -> None:
    """Show the smallest sets of columns that single out the most rows, and how many they single out in the release."""
    session = view.session
    sets = [each.columns for each in session.risk_before().singling_out.minimal if each.rows][:MOST_SETS]
    if sets and view.sets is not None:
        await view.fill("sets", partial(_count, view, sets), partial(_sets, view, sets), view.sets)


def own_set(view: View) -> None:
    """Let somebody choose what an attacker knows."""
    words = view.words
    columns = view.session.state.schema.names("quasi_identifier")[:MOST_COLUMNS]
    chosen: dict[str, bool] = {}
    with box("", "details"):
        Text("summary", words("risk_some"))
        note(words("risk_some_about"))
        with box("ticks"):
            for name in columns:
                tick(name, False, partial(chosen.__setitem__, name))
        with box("row"):
            button(words("risk_some_count"), lambda: _ask(view, [name for name in columns if chosen.get(name)], place))
        place = box("filled")


async def _ask(view: View, columns: Sequence[str], place: ui.element) -> None:
    if not columns:
        view.tell(view.words("risk_some_none"))
        return
    await view.fill("own set", partial(_count, view, [columns]), partial(_sets, view, [columns]), place)


def _count(view: View, sets: Sequence[Sequence[str]], progress: Progress, cancelled: Stop) -> Counts:
    with listening(progress, cancelled):
        return view.session.unique_rows(sets)


def _sets(view: View, sets: Sequence[Sequence[str]], found: Counts) -> None:
    words, (before, after) = view.words, found
    head = [words("risk_columns"), words("risk_was")]
    rows = [[words.names(each), _written(count)] for each, count in zip(sets, before, strict=True)]
    if after is not None:
        head.append(words("risk_is"))
        for row, count in zip(rows, after, strict=True):
            row.append(_written(count))
    if len(sets) > 1:
        paragraph(words("risk_sets"))
    table(head, rows, words("risk_sets" if len(sets) > 1 else "risk_some"), numbers=range(1, len(head)))
    if after is None and view.session.state.method is not None:
        note(words("risk_told_apart"))


def _written(count: int | None) -> str:
    return "–" if count is None else whole(count)
