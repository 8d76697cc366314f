"""The figures of the header: risk before and after, and how much is left to learn from the release."""

from __future__ import annotations

from tokumei.privacy.rungs import number_of
from tokumei.progress import Progress, Stop
from tokumei.release.ladder import Ladder
from tokumei.reports.numbers import percent
from tokumei.studio.session import Session
from tokumei.words import Words


def tone_of(ladder: Ladder, duties: str) -> str:
    """Return good news only where every rung that is a duty holds; without duties none."""
    if not duties:
        return ""
    return "good" if ladder.holds(duties) else "bad"


def figures(session: Session, words: Words, progress: Progress, cancelled: Stop) -> list[tuple[str, str, str]]:
    """Return what stands in the header: a caption, a figure, and whether it is good or bad news."""
    before = session.risk_before(progress, cancelled)
    found = [
        (words("head_table"), f"{session.name} · {before.rows:,}", ""),
        (words("head_before"), percent(before.prosecutor.highest), "bad" if before.k == 1 else ""),
    ]
    if session.state.method is None:
        return [*found, (words("head_after"), words("head_no_method"), "")]
    after = session.risk_after(progress, cancelled)
    ladder, duties = session.ladder(progress, cancelled), session.state.duties
    shown = words(f"head_{after.basis}", share=percent(after.highest))
    found.append((words("head_after"), shown, "bad" if after.basis == "nothing" else ""))
    rungs = " · ".join("–" if rung.value is None else number_of(rung.name, rung.value, words) for rung in ladder.rungs)
    found.append((words("head_rungs"), rungs, tone_of(ladder, duties)))
    side = session.before_after(progress=progress, cancelled=cancelled).released
    if side is not None and side.pair_distance is not None:
        found.append((words("head_utility"), percent(1 - side.pair_distance), ""))
    return found
