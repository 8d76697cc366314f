"""Risk today: who is unique in the unchanged table, and why."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from tokumei import plots
from tokumei.progress import Progress, Stop
from tokumei.reports.charts import picture
from tokumei.reports.numbers import percent, whole
from tokumei.risk.assessment import Assessment
from tokumei.risk.linking import Linking, three_attackers
from tokumei.studio.parts import Text, box, card, figure, note, number, paragraph, table
from tokumei.studio.sizes import Sizes
from tokumei.table.sizes import ClassSizes
from tokumei.words import Words

if TYPE_CHECKING:
    from nicegui import ui

    from tokumei.studio.frame import View

USUAL_K = 5
MOST = 12  # columns
MOST_SETS = 6
THRESHOLD = 0.2


async def risk(view: View) -> None:
    """Show the risk of the unchanged table: the sizes of its classes first, and then what singles people out."""
    session = view.session
    counted = box("filled")
    why = box("filled")

    def work(progress: Progress, cancelled: Stop) -> tuple[Assessment, str]:
        found = session.risk_before(progress, cancelled)
        return found, _blame(view, found)

    if await view.fill("sizes", session.sizes_before, partial(_counted, view, why), counted):
        await view.fill("risk", work, partial(_why, view), why)


def _blame(view: View, found: Assessment) -> str:
    told = [each for each in found.singling_out.attributes if each.share > 0][:MOST]
    if not told:
        return ""
    chart = plots.blame([each.name for each in told], [each.share for each in told])
    return str(picture(chart, view.words("caption_blame"), view.words))


def _counted(view: View, why: ui.element, sizes: ClassSizes) -> None:
    words = view.words
    unique = sizes.rows_of[0] if sizes.smallest == 1 else 0
    attackers = three_attackers(sizes, THRESHOLD)
    with box("grid"):
        with card():
            number(
                percent(unique / sizes.rows),
                words("risk_alone", rows=whole(unique), all=whole(sizes.rows)),
                "bad" if unique else "good",
            )
        with card():
            number(whole(sizes.smallest), words("risk_smallest"), "bad" if sizes.smallest == 1 else "")
        with card():
            number(percent(attackers[0].average), words("risk_mean"))
    with box("halves"):
        with card(words("risk_sizes")):
            columns = view.session.state.schema.names("quasi_identifier")
            paragraph(words("risk_sizes_about", columns=_some(words, columns)))
            k = getattr(view.session.state.method, "k", None)
            Sizes(sizes, int(k) if k else USUAL_K, words)
        with card(words("risk_why")) as around:
            why.move(around)
    Text("h2", words("risk_attackers"))
    with box("grid"):
        for linking in attackers:
            _attacker(view, linking)


def _some(words: Words, columns: Sequence[str]) -> str:
    shown = words.names(columns[:MOST])
    return shown if len(columns) <= MOST else words("risk_and_more", columns=shown, count=f"{len(columns) - MOST:,}")


def _why(view: View, made: tuple[Assessment, str]) -> None:
    words, (found, blame) = view.words, made
    if blame:
        figure(blame)
    minimal = [each for each in found.singling_out.minimal if each.rows][:MOST_SETS]
    if minimal:
        paragraph(words("risk_sets"))
        table(
            (words("risk_columns"), words("risk_rows")),
            [(words.names(each.columns), whole(each.rows)) for each in minimal],
            words("risk_sets"),
            numbers=(1,),
        )
    if not blame and not minimal:
        note(words("risk_nobody"))
    if found.singling_out.largest < min(3, len(found.columns)):
        note(words("risk_up_to", largest=str(found.singling_out.largest), columns=whole(len(found.columns))))


def _attacker(view: View, found: Linking) -> None:
    words = view.words
    with card(words(f"attacker_{found.attacker}"), level=3):
        paragraph(words(f"attacker_{found.attacker}_knows"))
        number(percent(found.highest), words("attacker_highest"))
        note(words("attacker_average", share=percent(found.average), rows=f"{found.expected:,.0f}"))
