"""The figures of the header: risk before and after, and how much is left to learn from the release; what is quick comes first."""

from __future__ import annotations

from collections.abc import Iterator

from tokumei.privacy.rungs import number_of
from tokumei.progress import Progress, Stop
from tokumei.release.ladder import Ladder
from tokumei.reports.numbers import percent
from tokumei.studio.session import Session
from tokumei.words import Words

Figure = tuple[str, str, str]
COMING = "…"


def tone_of(ladder: Ladder, duties: str) -> str:
    """Return good news only where every rung that is a duty holds; without duties none."""
    if not duties:
        return ""
    return "good" if ladder.holds(duties) else "bad"


def figures(session: Session, words: Words, progress: Progress, cancelled: Stop) -> Iterator[list[Figure]]:
    """Yield what stands in the header, more each time: captions, figures, and whether they are good or bad news."""
    found = [(words("head_table"), f"{session.name} · {session.n_rows:,}", "")]
    before, after, utility = words("head_before"), words("head_after"), words("head_utility")
    chosen = session.state.method is not None
    rungs = words("head_rungs")
    rest = (
        [(each, COMING, "") for each in (after, rungs, utility)] if chosen else [(after, words("head_no_method"), "")]
    )
    yield [*found, (before, COMING, ""), *rest]
    smallest = session.sizes_before(progress, cancelled).smallest
    found.append((before, percent(1 / smallest), "bad" if smallest == 1 else ""))
    yield [*found, *rest]
    if not chosen:
        return
    risk = session.risk_after(progress, cancelled, thorough=False)
    tone = "bad" if risk.basis == "nothing" else ""
    found.append((after, words(f"head_{risk.basis}", share=percent(risk.highest)), tone))
    yield [*found, *rest[1:]]
    ladder = session.ladder(progress, cancelled)
    told = " · ".join("–" if rung.value is None else number_of(rung.name, rung.value, words) for rung in ladder.rungs)
    found.append((rungs, told, tone_of(ladder, session.state.duties)))
    yield [*found, *rest[2:]]
    side = session.before_after(progress=progress, cancelled=cancelled).released
    if side is not None and side.pair_distance is not None:
        found.append((utility, percent(1 - side.pair_distance), ""))
    yield found
