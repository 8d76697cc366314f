"""The ladder: what is promised against every kind of attacker."""

from __future__ import annotations

from tokumei import plots
from tokumei.privacy.rungs import Rung, number_of
from tokumei.reports.charts import picture
from tokumei.reports.findings import Findings
from tokumei.reports.html import Html, bullets, number, paragraphs, section, table, tag
from tokumei.words import Words
from tokumei.words.catalogue import Brief


def rungs(found: Findings, words: Words) -> Html:
    """Show the rungs as a table and a picture, say each in words, and what they assume."""
    ladder = found.ladder
    head, *lines = ladder.table(words)
    rows = []
    for rung, (name, *before, value, how) in zip(ladder.rungs, lines, strict=True):
        shown = value if rung.value is None else number(value, f"after.{rung.name}", rung.value)
        rows.append([name, *before, shown, how])
    said = tag("dl", *(part for rung in ladder.rungs for part in _said(rung, words)))
    chart = plots.ladder(ladder.bars(words), title=words("ladder.title"), axis=words("ladder.chart"))
    return section(
        "ladder",
        words("title_ladder"),
        paragraphs(words("verdict_void")) if found.release.seeded else "",
        table(head, rows),
        picture(chart, words("caption_ladder"), words),
        said,
        tag("h3", words("ladder.assumes")),
        bullets(ladder.assumed(words)),
    )


def _said(rung: Rung, words: Words) -> list[Html]:
    brief = Brief(words.language)  # which columns an attacker knows stands with the guarantee
    asked = f"{words(f'ladder.name.{rung.name}')}{words('colon')}{words(f'ladder.who.{rung.name}')}"
    return [tag("dt", asked), *(tag("dd", bound.sentence(brief)) for bound in rung.bounds)]


def on_rungs(found: Findings, words: Words, *names: str) -> list[str]:
    """Answer a question by the numbers of some rungs."""
    told = []
    for name in names:
        rung = found.ladder[name]
        values = {"name": words(f"ladder.name.{name}"), "how": words(f"ladder.{rung.how}")}
        said = words.join(bound.sentence(Brief(words.language)) for bound in rung.bounds)
        told.append(words("question_rung", value=number_of(rung.name, rung.value, words), said=said, **values))
    return told
