"""Risk today: who is unique in the unchanged table, and why."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tokumei import plots
from tokumei.progress import Progress, Stop
from tokumei.reports.charts import picture
from tokumei.reports.numbers import percent, whole
from tokumei.risk.assessment import Assessment
from tokumei.risk.linking import Linking
from tokumei.studio.parts import Text, box, card, figure, note, number, paragraph, table
from tokumei.studio.sizes import Sizes

if TYPE_CHECKING:
    from tokumei.studio.frame import View

USUAL_K = 5
MOST = 12  # columns
MOST_SETS = 6


async def risk(view: View) -> None:
    """Show the risk of the unchanged table."""
    session = view.session

    def work(progress: Progress, cancelled: Stop) -> tuple[Assessment, str]:
        found = session.risk_before(progress, cancelled)
        return found, _blame(view, found)

    await view.fill("risk", work, partial(_risk, view))


def _blame(view: View, found: Assessment) -> str:
    told = [each for each in found.singling_out.attributes if each.share > 0][:MOST]
    if not told:
        return ""
    chart = plots.blame([each.name for each in told], [each.share for each in told])
    return str(picture(chart, view.words("caption_blame"), view.words))


def _risk(view: View, made: tuple[Assessment, str]) -> None:
    words, (found, blame) = view.words, made
    with box("grid"):
        with card():
            number(
                percent(found.unique_share),
                words("risk_alone", rows=whole(found.unique), all=whole(found.rows)),
                "bad" if found.unique else "good",
            )
        with card():
            number(whole(found.k), words("risk_smallest"), "bad" if found.k == 1 else "")
        with card():
            number(percent(found.prosecutor.average), words("risk_mean"))
    with box("halves"):
        with card(words("risk_sizes")):
            paragraph(words("risk_sizes_about", columns=words.names(found.columns)))
            k = getattr(view.session.state.method, "k", None)
            Sizes(found.sizes, int(k) if k else USUAL_K, words)
        with card(words("risk_why")):
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
    Text("h2", words("risk_attackers"))
    with box("grid"):
        for linking in (found.prosecutor, found.journalist, found.marketer):
            _attacker(view, linking)


def _attacker(view: View, found: Linking) -> None:
    words = view.words
    with card(words(f"attacker_{found.attacker}"), level=3):
        paragraph(words(f"attacker_{found.attacker}_knows"))
        number(percent(found.highest), words("attacker_highest"))
        note(words("attacker_average", share=percent(found.average), rows=f"{found.expected:,.0f}"))
