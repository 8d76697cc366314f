"""What `tokumei reconstruct RELEASE` says when nothing is asked: what can be, by which command, and how good it will be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.table import Table

from tokumei.cli.words import Terminal, cell, typed
from tokumei.reconstruction.quality import BINS, ColumnQuality, Quality, expected_quality, quality_lines
from tokumei.release.artifact import Release
from tokumei.table.domain import Categories, Numbers
from tokumei.words import Words, spoken

MOST = 30  # columns that are shown
Told = tuple[dict[str, Any], Callable[[], None]]


def overview(release: Release, place: Path) -> Told:
    """Say what can be asked of a release, and what to expect of the answers."""
    found = expected_quality(release)
    asks = _asks(release, found, place)
    facts = {
        "ask": [{"what": what, "columns": list(columns), "command": command} for what, columns, command in asks],
        "expected": {"one": found.one, "two": found.two},
        "columns": [asdict(each) for each in found.columns],
        "pairs": [{"columns": list(pair), "expected": error} for pair, error in found.pairs.items()],
        "never_together": [list(pair) for pair in found.never_together],
        "drowned": [list(pair) for pair in found.drowned],
        "next_to_nothing": list(found.next_to_nothing),
    }

    def told() -> None:
        console, words = Terminal(), spoken()
        console.print(words("cli.size", rows=release.rows, columns=len(release.types)), style="bold")
        console.rule(words("title_ask"), align="left")
        for what, columns, command in asks:
            said = words(f"ask_{what}", columns=columns)
            console.print(f"• {said}\n    {command}", markup=False)
        if not asks:
            console.print(words("ask_nothing"), markup=False)
        console.rule(words("title_quality"), align="left")
        for line in quality_lines(found, words):
            console.print(line, markup=False)
        if found.uncertain or any(each.covers is not None for each in found.columns):
            console.print(_grid(found, words))
            console.print(words("quality_basis", bins=BINS), markup=False)

    return facts, told


def _grid(found: Quality, words: Words) -> Table:
    """Lay out what to expect of each column; of many, of those that will be worst."""
    shown = list(found.columns)
    if len(shown) > MOST:
        shown = sorted(shown, key=lambda each: -(each.paired or each.covers or 0.0))[:MOST]
    grid = Table(box=None, pad_edge=False, header_style="bold")
    grid.add_column(words("dictionary_column"), overflow="fold")
    parts: list[tuple[str, Callable[[ColumnQuality], float | None], str]] = [
        ("alone", lambda each: each.alone, ".3f"),
        ("paired", lambda each: each.paired, ".3f"),
        ("covers", lambda each: each.covers, ".0%"),
    ]
    used = [part for part in parts if any(part[1](each) is not None for each in shown)]
    for name, _, _ in used:
        grid.add_column(words(f"quality_{name}"), justify="right")
    for each in shown:
        numbers = [(value(each), form) for _, value, form in used]
        grid.add_row(
            cell(each.name), *(words("absent") if number is None else format(number, form) for number, form in numbers)
        )
    return grid


def _asks(release: Release, found: Quality, place: Path) -> list[tuple[str, tuple[str, ...], str]]:
    """Return what can be asked: its name, of which columns, and an example of the command."""
    mechanism = release.mechanism
    columns = tuple(each.name for each in found.columns if each.how != "suppressed")
    asks = []
    if columns:
        first = [name for name in mechanism.example if name in columns]
        known = list(dict.fromkeys([*first, *found.names("kept"), *columns]))[:2]
        asks.append(("table", columns, typed("reconstruct", place, "--columns", ",".join(known))))
    targets = tuple(name for name in columns if isinstance(release.original(name).domain, Categories | Numbers))
    if len(columns) > 1 and targets:
        sensitive = [name for name in targets if release.schema[name].role == "sensitive"]
        command = typed("reconstruct", place, "--target", (sensitive or targets)[-1])
        asks.append(("target", targets, command))
    name = place.resolve().name
    asks.append(("rows", columns, typed("synthesize", place, "--output", f"{name}-rows.parquet")))
    if mechanism.channels:
        asks.append(("weights", columns, typed("reconstruct", place, "--output", f"{name}-weights.csv")))
    return asks
