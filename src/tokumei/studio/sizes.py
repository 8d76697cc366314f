"""Sizes of classes, with a line for k."""

from __future__ import annotations

from nicegui import ui

from tokumei.plots.class_sizes import edges_of
from tokumei.table.sizes import ClassSizes
from tokumei.words import Words

LEAST = 10  # rows of a class that the axis reaches to, so that a line for k has somewhere to go


class Sizes(ui.element, component="static/sizes.js"):
    """How many rows are in classes of which size, before and after; the browser looks up the rest for every k."""

    def __init__(self, sizes: ClassSizes, k: int, words: Words) -> None:
        super().__init__()
        given = {
            "sizes": list(sizes.sizes),
            "rows": list(sizes.rows_of),
            "edges": edges_of(max(LEAST, *sizes.sizes), None),
            "k": k,
            "label": words("risk_sizes"),
            "slider": words("risk_slider"),
            "sentence": words("risk_below", k="{k}", rows="{rows}", share="{share}"),
            "between": words("colon"),
            "more": words("chart_or_more"),
            "legend": [words("risk_legend_before"), words("risk_legend_after"), words("risk_legend_below")],
            "then": {},
        }
        for name, content in given.items():
            self.props[name] = content

    def after(self, sizes: ClassSizes) -> None:
        """Show the classes of the release beside those of the table."""
        largest = max(LEAST, *self.props["sizes"], *sizes.sizes)
        self.props["edges"] = edges_of(largest, None)
        self.props["then"] = {"sizes": list(sizes.sizes), "rows": list(sizes.rows_of)}
