"""The bench of the hierarchy workshop: one level of a hierarchy, to be taken hold of."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from tokumei.errors import TokumeiError
from tokumei.studio.hierarchy_text import read_hierarchy
from tokumei.studio.parts import box, button, choice, note
from tokumei.studio.session.workshop import (
    can_be_handled,
    codes_of,
    grouped,
    moved,
    renamed,
    rows_of,
    with_edges,
    with_level,
)
from tokumei.studio.workshop import Groups, Handles
from tokumei.table.domain import Categories
from tokumei.table.hierarchy import Intervals

if TYPE_CHECKING:
    from tokumei.studio.frame import View
    from tokumei.table.schema import Attribute

MOST_LABELS = 400  # that are drawn
BARS = 60
FIRST_PARTS = 4  # intervals to begin with


class Bench:
    """What a person takes hold of; ``take`` is told the text that it makes."""

    def __init__(self, view: View, attribute: Attribute, take: Callable[..., None]) -> None:
        assert attribute.domain is not None
        self.view, self.domain, self.take = view, attribute.domain, take
        self.text = ""
        self.counts = view.session.value_counts(attribute.name)

    def draw(self, text: str) -> None:
        """Draw a level of the hierarchy that a text says."""
        self.text = text
        if isinstance(self.domain, Categories):
            self._groups(text)
        elif can_be_handled(self.domain):
            self._handles(text)

    def _level(self, levels: int, more: str) -> int:
        """Let a level be chosen, and another one be added."""
        words = self.view.words
        level = max(1, min(self.view.level, levels))

        def go(chosen: str) -> None:
            self.view.level = int(chosen)
            self.view.redraw()

        with box("row bottom"):
            if levels > 1:
                options = {str(each): words("tree_nth", level=each) for each in range(1, levels + 1)}
                choice(words("tree_level"), options, str(level), go)
            button(words("tree_add_level"), partial(self._add_level, more, levels))
        return level

    def _add_level(self, text: str, levels: int) -> None:
        self.view.level = levels + 1
        self.take(text)

    def _groups(self, text: str) -> None:
        words = self.view.words
        if self.domain.size > MOST_LABELS:
            note(words("tree_too_many", most=f"{MOST_LABELS:,}"))
            return
        try:
            levels = grouped(text, self.domain, 1).levels
        except csv.Error:
            return  # what is wrong with the text is said beside it
        level = self._level(levels, with_level(text, self.domain))
        if not levels:
            return
        found = grouped(text, self.domain, level)
        rows = self._rows(text, level)
        Groups(
            [(name, [(item, rows[item]) for item in items]) for name, items in found.groups],
            found.lacking,
            {
                "lacking": words("tree_not_placed"),
                "name": words("tree_group_name"),
                "into": words("tree_into"),
                "move": words("tree_move"),
                "chosen": words("tree_chosen"),
                "how": words("tree_how_groups"),
            },
            lambda items, group: self.take(moved(text, level, items, group)),
            lambda group, name: self.take(renamed(text, level, group, name)),
        )

    def _rows(self, text: str, level: int) -> Counter[str]:
        """Count the rows of every label that is in a group of a level."""
        own = dict(zip(self.domain.labels(), self.counts, strict=True))
        found: Counter[str] = Counter()
        for row in rows_of(text):
            if len(row) >= level:
                found[row[level - 1]] += own.get(row[0], 0)
        return found

    def _handles(self, text: str) -> None:
        words = self.view.words
        hierarchy = None
        if text.strip():
            try:
                hierarchy = read_hierarchy(text, self.domain)
            except TokumeiError:
                return  # what is wrong with the text is said beside it
        if hierarchy is not None and not isinstance(hierarchy, Intervals):
            note(words("tree_as_tree"))
            return
        if hierarchy is None:
            parts = min(FIRST_PARTS, self.domain.size - 1)
            first = with_edges(None, self.domain, 1, [round(at * self.domain.size / parts) for at in range(1, parts)])
            button(words("tree_begin_intervals"), lambda: self.take(first))
            return
        lines = text.strip().splitlines()
        level = self._level(hierarchy.depth, "\n".join([*lines, lines[-1]]))
        bars = np.bincount(
            np.arange(self.domain.size) * min(BARS, self.domain.size) // self.domain.size, weights=self.counts
        )
        labels = self.domain.labels()
        Handles(
            (bars / max(bars.max(), 1)).tolist(),
            self.domain.size,
            codes_of(hierarchy, self.domain, level),
            labels,
            {
                "edge": words("tree_edge"),
                "add": words("tree_add_edge"),
                "even": words("tree_even"),
                "how": words("tree_how_handles"),
            },
            partial(self._edges, level),
        )

    def _edges(self, level: int, codes: list[int]) -> None:
        """Take other edges; what is held stays as it is, so that it can be moved on."""
        before = read_hierarchy(self.text, self.domain)
        if isinstance(before, Intervals):
            self.text = with_edges(before, self.domain, level, codes)
            self.take(self.text, False)
