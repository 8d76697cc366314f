"""The comparison as one page: what is recommended and why, the ranking, every rung of every method, and the paragraph for the approval file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei.privacy.duties import written
from tokumei.privacy.rungs import RUNGS, number_of
from tokumei.reports.html import Html, bullets, number, paragraphs, section, table, tag
from tokumei.reports.page import page
from tokumei.reports.recommending.trial import Tried
from tokumei.words import Words

if TYPE_CHECKING:
    from tokumei.reports.recommending.recommendation import Recommendation


def recommendation_page(found: Recommendation, words: Words) -> str:
    """Put the page together."""
    parts = [
        ("answer", _answer(found, words)),
        ("ranking", _ranking(found, words)),
        ("rungs", _rungs(found, words)),
        ("choice", _choice(found, words)),
        ("approval", _approval(found, words)),
    ]
    titles = [(key, words(f"recommend_title.{key}")) for key, _ in parts]
    return page(titles, [part for _, part in parts], words, public=False, title=words("recommend.title"))


def _answer(found: Recommendation, words: Words) -> Html:
    first, *rest = found.summary(words)
    plan = ""
    if found.chosen is not None and found.source is not None:
        method = found.plan_text().rpartition("[method]")[2]
        plan = tag("pre", tag("code", f"[method]{method}".strip()))
    asked = words(
        "recommend.line_asked",
        duties=written(found.duties),
        purpose=words(f"recommend_purpose.{found.purpose.kind}", target=found.purpose.target or ""),
    )
    return section(
        "answer",
        words("recommend_title.answer"),
        tag("p", first, class_="verdict"),
        paragraphs(asked),
        bullets(rest),
        plan,
    )


def _ranking(found: Recommendation, words: Words) -> Html:
    from tokumei.reports.recommending.recommendation import title

    sides = [side for side in ("released", "reconstructed", "expected") if any(t.side(side) for t in found.ranking)]
    scored = any(each.score is not None for tried in found.ranking for each in tried.served)
    head = [
        words("recommend.method"),
        words("recommend.meets"),
        *(words(f"recommend_side.{side}") for side in sides),
        *([words("recommend.score")] if scored else []),
        words("recommend.released_rows"),
        words("recommend.seconds"),
    ]
    rows = []
    for each in found.ranking:
        if each.values:
            losses = [_loss(each, side, words) for side in sides]
            score = [_score(each, words)] if scored else []
            meets = words("recommend.yes" if each.meets else "recommend.no")
            rows.append(
                [
                    title(each.name, words),
                    meets,
                    *losses,
                    *score,
                    f"{each.released:,}",
                    number(f"{each.seconds:.2f}", f"{each.name}.seconds", each.seconds),
                ]
            )
    impossible = found.impossible(words)
    return section(
        "ranking",
        words("recommend_title.ranking"),
        paragraphs(words(f"recommend_how.{found.purpose.kind}" if found.looked_at else "recommend_how.expected")),
        table(head, rows, "compared"),
        tag("h3", words("recommend_title.impossible")) if impossible else "",
        bullets(impossible) if impossible else "",
    )


def _loss(tried: Tried, side: str, words: Words) -> str:
    found = tried.side(side)
    return words("absent") if found is None else number(f"{found.lost:.3f}", f"{tried.name}.{side}", found.lost)


def _score(tried: Tried, words: Words) -> str:
    best = tried.best
    if best is None or best.score is None:
        return words("absent")
    return number(f"{best.score:.3f}", f"{tried.name}.score", best.score)


def _rungs(found: Recommendation, words: Words) -> Html:
    from tokumei.reports.recommending.recommendation import title

    head = [words("recommend.method"), *(words(f"ladder.name.{name}") for name in RUNGS)]
    rows = []
    tried = [each for each in found.ranking if each.values]
    if found.whole is not None and found.chosen is not None:
        tried.insert(0, found.whole)
    for each in tried:
        all_rows = words("recommend.on_all_rows") if each is found.whole else ""
        kept = {duty.name: duty.holds for duty in each.duties}
        cells = [
            words(
                "in_brackets", text=number_of(name, each.values[name], words), aside=words(f"ladder.{each.how[name]}")
            )
            + ("" if name not in kept else " ✓" if kept[name] else " ✗")
            for name in RUNGS
        ]
        rows.append([words.join([title(each.name, words), all_rows]), *cells])
    who = [f"{words(f'ladder.name.{name}')}{words('colon')}{words(f'ladder.who.{name}')}" for name in RUNGS]
    return section(
        "rungs",
        words("recommend_title.rungs"),
        paragraphs(words("recommend.rungs_how")),
        table(head, rows, "compared"),
        bullets(who),
    )


def _choice(found: Recommendation, words: Words) -> Html:
    return section(
        "choice",
        words("recommend_title.choice"),
        paragraphs(found.meaning(words)),
        paragraphs(words("recommend.by_hand")) if found.looked_at else "",
    )


def _approval(found: Recommendation, words: Words) -> Html:
    return section(
        "approval",
        words("recommend_title.approval"),
        tag("h3", "English"),
        tag("p", found.paragraph("en"), lang="en"),
        tag("h3", "日本語"),
        tag("p", found.paragraph("ja"), lang="ja"),
    )
