"""What notebooks show of a release: guarantees, columns and how they were made; never its rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei.markup.card import card, folded, grid, in_words, said
from tokumei.markup.pieces import bullets
from tokumei.privacy.guarantee import headline
from tokumei.release.told import told_grid
from tokumei.table.notebook import domain_words, role_words
from tokumei.text import plural
from tokumei.words import Words, spoken

if TYPE_CHECKING:
    from tokumei.release.artifact import Release
    from tokumei.table.schema import Attribute


def release_card(release: Release) -> str:
    """Show a release."""
    words = spoken()
    assumed = dict.fromkeys(words.say(each) for promise in release.guarantees for each in promise.assumes)
    rows = [(a.name, role_words(a), _holds(release, a), words.say(release.treatment(a.name))) for a in release.schema]
    facts = [f"{fact.name}{words('colon')}{words.say(fact.reason)}" for fact in release.disclosed]
    told = told_grid(release.mechanism, words)
    stated = [headline(each, words) for each in release.guarantees]
    return card(
        words("cli.size", rows=release.rows, columns=len(release.types)),
        bullets(stated) if stated else said(words("card.nothing")),
        said(words("cli.seeded"), loud=True) if release.seeded else "",
        folded(words("title_assumes"), assumed) if assumed else "",
        grid(tuple(words(f"dictionary_{title}") for title in ("column", "role", "values", "happened")), rows),
        "" if told is None else grid(*told),
        said(_made(release, words)),
        *(said(words.say(note)) for note in (() if release.record is None else release.record.notes)),
        folded(f"{words('title_looked')} ({len(facts)})", facts) if facts else "",
    )


def _holds(release: Release, attribute: Attribute) -> str:
    """Say what cells of a column can be; labels that came about by recoding are counted only."""
    recoding = release.mechanism.recoding
    if recoding is None or attribute.name not in recoding.columns or attribute.domain is None:
        return domain_words(release.original(attribute.name))
    return plural(attribute.domain.size, "label") + (", or missing" if attribute.missing else "")


def _made(release: Release, words: Words) -> str:
    """Say how the rows were made, in a line."""
    settings = [
        f"{name} = {each}"
        for name, each in release.method.items()
        if name != "method" and isinstance(each, int | float | str)
    ]
    steps = [f"{step['step']} {in_words(step.get('column', ''))}".strip() for step in release.prepare]
    of, left_out = release.mechanism.of, release.mechanism.left_out
    method = str(release.method.get("method")) + (f" ({', '.join(settings)})" if settings else "")
    told = [
        words("card.method", method=method),
        words("cli.steps", steps=", ".join(steps)) if steps else "",
        words("cli.sampled", rows=release.rows, of=of) if of is not None else "",
        words("cli.left_out", rows=left_out) if left_out else "",
    ]
    return words.join(told)
