"""The data dictionary: every released column, what it is for, which values it may have, and what happened to them."""

from __future__ import annotations

from tokumei.reports.findings import Findings
from tokumei.reports.html import Html, section, table
from tokumei.reports.numbers import whole
from tokumei.table.domain import Categories, Dates, Numbers
from tokumei.table.schema import Attribute
from tokumei.words import Words

LABELS = 12


def dictionary(found: Findings, words: Words) -> Html:
    """Describe every released column."""
    head = ("column", "role", "values", "happened")
    recoding, telling = found.release.mechanism.recoding, found.release.mechanism.telling
    rows = []
    for attribute in found.release.schema:
        recoded = None if recoding is None else recoding.columns.get(attribute.name)
        told = None if telling is None else telling.columns.get(attribute.name)
        values = domain_words(found.release.original(attribute.name), words)
        if attribute.name == found.release.mechanism.tells and attribute.domain is not None:
            values = words("dictionary_clusters", count=whole(attribute.domain.size))
        if told is not None and not told.whole:
            values = words.join([values, words("dictionary_told", count=whole(len(told.stretches)))])
        if recoded is not None:
            values = words.join([values, words("dictionary_labels", count=whole(len(recoded.stretches)))])
        happened = words.say(found.release.treatment(attribute.name))
        named = attribute.name if attribute.label is None else f"{attribute.name}: {attribute.label}"
        rows.append([named, words(f"role_{attribute.role}"), values, happened])
    return section(
        "dictionary", words("title_dictionary"), table([words(f"dictionary_{key}") for key in head], rows, "dictionary")
    )


def domain_words(attribute: Attribute, words: Words) -> str:
    """Say which values a column may have; of a domain that was read from the data only how many."""
    domain = attribute.domain
    if domain is None:
        return words("domain_none")
    missing = words("domain_missing") if attribute.missing else ""
    if attribute.observed:
        return words("domain_observed", count=whole(domain.size)) + missing
    if isinstance(domain, Categories):
        labels = domain.labels()
        more = words("domain_more", count=whole(len(labels) - LABELS)) if len(labels) > LABELS else ""
        return words("list_comma").join(labels[:LABELS]) + more + missing
    if isinstance(domain, Numbers):
        step = "" if domain.step is None else words("domain_step", step=f"{domain.step:g}")
        return words("domain_range", low=f"{domain.low:g}", high=f"{domain.high:g}") + step + missing
    assert isinstance(domain, Dates)
    return words("domain_range", low=str(domain.low), high=str(domain.high)) + missing
