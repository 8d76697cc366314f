"""Charts as part of a page: pictures without a program, whose colours follow the page's."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from tokumei.plots.saving import svg
from tokumei.plots.theme import faint, ink, palette, paper
from tokumei.reports.html import Html, safe, tag
from tokumei.words import Words

VARIABLES: Mapping[str, str] = {
    ink(False): "var(--ink)",
    paper(False): "var(--paper)",
    faint(False): "var(--faint)",
    "#555555": "var(--soft)",
    **{colour: f"var(--series-{place})" for place, colour in enumerate(palette(False)[:3])},
}
# Where no font has the letters of a language, text is laid out narrower than it will be: leave room for it.
ROOM = {"padding": {"left": 24, "top": 12, "right": 72, "bottom": 12}}
APART = {"columnPadding": 56}
COUNTED = re.compile(r"\b(?:clip|gradient_)\d+\b")
SERIES = ("when", "which")  # fields whose values are words of ours, not names of columns or labels


def picture(chart: Any, caption: str, words: Words, *, follows: bool = True, class_: str = "") -> Html:
    """Return a chart as a figure; one with shades of its own keeps its light colours."""
    drawn = svg(Translated(chart.to_dict(validate=False), words))
    drawn = re.sub(r' (xmlns(:\w+)?|class|role|aria-[a-z]+)="[^"]*"', "", drawn)
    if follows:
        for colour, variable in VARIABLES.items():
            drawn = re.sub(f'="{colour}"', f'="{variable}"', drawn, flags=re.IGNORECASE)
    drawn = _marked(drawn)
    drawn = drawn.replace("<svg", f'<svg role="img" aria-label="{safe(caption)}"', 1)
    return tag(
        "figure", Html(drawn), tag("figcaption", caption), class_=f"{class_}{'' if follows else ' light'}".strip()
    )


def _marked(drawn: str) -> str:
    """Give the parts that a picture refers to names of its own, the same each time: the program that draws counts them on."""
    numbers = {number: place for place, number in enumerate(dict.fromkeys(COUNTED.findall(drawn)))}
    plain = COUNTED.sub(lambda found: str(numbers[found[0]]), drawn)
    mark = hashlib.sha256(plain.encode()).hexdigest()[:8]
    return COUNTED.sub(lambda found: f"part-{mark}-{numbers[found[0]]}", drawn)


class Translated:
    """A chart with its own words put into another language; names and labels stay as they are."""

    def __init__(self, spec: dict[str, Any], words: Words) -> None:
        self.words = words
        self.spec = {key: self._walk(part) if key not in {"datasets", "config"} else part for key, part in spec.items()}
        self.spec["config"] = {**spec["config"], **(ROOM if words.language == "ja" else {})}
        self.spec["config"]["legend"] = {**spec["config"]["legend"], **(APART if words.language == "ja" else {})}
        self.spec.pop("title", None)  # the caption says it
        self.spec["datasets"] = {key: self._rows(rows) for key, rows in spec.get("datasets", {}).items()}

    def to_json(self) -> str:
        """Return the chart as altair would."""
        return json.dumps(self.spec)

    def _walk(self, part: Any, key: str = "") -> Any:
        if isinstance(part, dict):
            return {name: self._walk(each, name) for name, each in part.items()}
        if isinstance(part, list):
            return [self._walk(each, key) for each in part]
        if isinstance(part, str) and key in {"title", "text", "subtitle", "domain"}:
            return self._word(part)
        if isinstance(part, str) and key == "labelExpr":
            return part.replace(" or more'", f"{self.words('chart_or_more')}'")
        return part

    def _rows(self, rows: Any) -> Any:
        return [{name: self._word(cell) if name in SERIES else cell for name, cell in row.items()} for row in rows]

    def _word(self, text: str) -> str:
        key = f"chart_{text}"
        return self.words(key) if self.words.knows(key) else text
