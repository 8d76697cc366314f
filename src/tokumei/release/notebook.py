"""What notebooks show of a release: guarantees, columns and how they were made; never its rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei.markup.card import card, folded, grid, in_words, said
from tokumei.markup.pieces import bullets
from tokumei.table.notebook import domain_words, role_words
from tokumei.text import plural

if TYPE_CHECKING:
    from tokumei.release.artifact import Release
    from tokumei.table.schema import Attribute

VOID = "The draws come from a seed: the guarantee is void against anyone who knows it."
NONE = "It guarantees nothing."


def release_card(release: Release) -> str:
    """Show a release."""
    assumed = dict.fromkeys(str(said) for each in release.guarantees for said in each.assumes)
    rows = [(a.name, role_words(a), _holds(release, a), str(release.treatment(a.name))) for a in release.schema]
    facts = [f"{fact.name}: {fact.reason}" for fact in release.disclosed]
    return card(
        f"Release of {plural(release.rows, 'row')} and {plural(len(release.types), 'column')}",
        bullets(each.headline for each in release.guarantees) if release.guarantees else said(NONE),
        said(VOID, loud=True) if release.seeded else "",
        folded("What this assumes", assumed) if assumed else "",
        grid(("column", "role", "domain", "what happens to a value"), rows),
        said(_made(release)),
        folded(f"What was taken from the data ({len(facts)})", facts) if facts else "",
    )


def _holds(release: Release, attribute: Attribute) -> str:
    """Say what cells of a column can be; labels that came about by recoding are counted only."""
    recoding = release.mechanism.recoding
    if recoding is None or attribute.name not in recoding.columns or attribute.domain is None:
        return domain_words(attribute)
    return plural(attribute.domain.size, "label") + (", or missing" if attribute.missing else "")


def _made(release: Release) -> str:
    """Say how the rows were made, in a line."""
    settings = [
        f"{name} = {each}"
        for name, each in release.method.items()
        if name != "method" and isinstance(each, int | float | str)
    ]
    steps = [f"{step['step']} {in_words(step.get('column', ''))}".strip() for step in release.prepare]
    of, left_out = release.mechanism.of, release.mechanism.left_out
    told = [
        f"Method: {release.method.get('method')}" + (f" ({', '.join(settings)})." if settings else "."),
        f"Prepared by: {', '.join(steps)}." if steps else "",
        f"Sampled from {plural(of, 'row')}." if of is not None else "",
        f"Left out: {plural(left_out, 'row')}, not at random." if left_out else "",
    ]
    return " ".join(sentence for sentence in told if sentence)
