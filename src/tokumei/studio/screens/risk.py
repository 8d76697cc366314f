"""Risk before and after: who is unique in the table and in its release, why, and who might try."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from tokumei import plots
from tokumei.progress import Progress, Stop
from tokumei.reports.charts import picture
from tokumei.reports.numbers import percent, whole
from tokumei.risk.assessment import Assessment
from tokumei.risk.linking import of_sizes
from tokumei.studio.parts import Text, box, card, figure, note, number, paragraph
from tokumei.studio.screens.attackers import attackers
from tokumei.studio.screens.unique_rows import own_set, unique_sets
from tokumei.studio.sizes import Sizes
from tokumei.table.sizes import ClassSizes

if TYPE_CHECKING:
    from nicegui import ui

    from tokumei.studio.frame import View
    from tokumei.studio.session.attackers import Tries

USUAL_K = 5
MOST = 12  # columns
THRESHOLD = 0.2


@dataclass
class Shown:
    """What is drawn of the table first, and told of the release later."""

    chart: Sizes | None = None
    figures: tuple[ui.element, ...] = ()
    said: ui.element | None = None


async def risk(view: View) -> None:
    """Show the sizes of classes first, then what singles people out, then who might try, before and after."""
    session = view.session
    counted, shown = box("filled"), Shown()
    why = box("filled")

    def work(progress: Progress, cancelled: Stop) -> tuple[Assessment, str]:
        found = session.risk_before(progress, cancelled)
        return found, _blame(view, found)

    if not await view.fill("sizes", session.sizes_before, partial(_counted, view, shown, why), counted):
        return
    await attackers(view, partial(_after, view, shown))
    if await view.fill("risk", work, partial(_why, view), why):
        await unique_sets(view)


def _blame(view: View, found: Assessment) -> str:
    told = [each for each in found.singling_out.attributes if each.share > 0][:MOST]
    if not told:
        return ""
    chart = plots.blame([each.name for each in told], [each.share for each in told])
    return str(picture(chart, view.words("caption_blame"), view.words))


def _counted(view: View, shown: Shown, why: ui.element, sizes: ClassSizes) -> None:
    words = view.words
    unique, _, mean = _figures(sizes)
    with box("grid"):
        told = (
            (
                unique,
                words("risk_alone", rows=whole(sizes.unique), all=whole(sizes.rows)),
                "bad" if sizes.unique else "good",
            ),
            (whole(sizes.smallest), words("risk_smallest"), "bad" if sizes.smallest == 1 else ""),
            (mean, words("risk_mean"), ""),
        )
        places = []
        for each, caption, tone in told:
            with card():
                number(each, caption, tone)
                places.append(box("then-place"))
        shown.figures = tuple(places)
    shown.said = box("filled")
    with box("halves"):
        with card(words("risk_sizes")):
            columns = view.session.state.schema.names("quasi_identifier")
            paragraph(words("risk_sizes_about", columns=words.some_names(columns)))
            k = getattr(view.session.state.method, "k", None)
            shown.chart = Sizes(sizes, int(k) if k else USUAL_K, words)
        with card(words("risk_why")) as around:
            why.move(around)
            own_set(view)


def _figures(sizes: ClassSizes) -> tuple[str, str, str]:
    """Return the share of unique rows, the smallest class and the mean probability of a link."""
    mean = of_sizes("prosecutor", sizes, THRESHOLD, "").average
    return percent(sizes.unique / sizes.rows), whole(sizes.smallest), percent(mean)


def _after(view: View, shown: Shown, found: Tries) -> None:
    """Tell of the release what was told of the table, where its classes show the risk."""
    words = view.words
    if shown.chart is None or shown.chart.is_deleted or shown.said is None:
        return
    for place in shown.figures:
        place.clear()
    shown.said.clear()
    if found.sizes is not None:
        shown.chart.after(found.sizes)
        for place, told in zip(shown.figures, _figures(found.sizes), strict=True):
            with place:
                Text("p", words("risk_then", figure=told), "then")
        return
    first = found.chances[0]
    with shown.said:
        note(words(f"risk_then_{first.grounds}", share=percent(first.highest)))


def _why(view: View, made: tuple[Assessment, str]) -> None:
    words, (found, blame) = view.words, made
    if blame:
        figure(blame)
    view.sets = box("filled")
    if not blame and not any(each.rows for each in found.singling_out.minimal):
        note(words("risk_nobody"))
    if found.singling_out.largest < min(3, len(found.columns)):
        note(words("risk_up_to", largest=str(found.singling_out.largest), columns=whole(len(found.columns))))
