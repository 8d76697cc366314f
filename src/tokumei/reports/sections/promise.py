"""What is promised, and what that assumes."""

from __future__ import annotations

from tokumei.reports.findings import Findings
from tokumei.reports.html import Html, bullets, section, tag
from tokumei.reports.words import Words


def promise(found: Findings, words: Words) -> Html:
    """List the promises, then once what each assumes."""
    stated = found.release.guarantees
    places: dict[str, list[int]] = {}
    for place, each in enumerate(stated, start=1):
        for sentence in each.assumes:
            places.setdefault(sentence, []).append(place)
    assumed = []
    for sentence, of in places.items():
        which = "" if len(of) == len(stated) else words("promise_of", places=", ".join(map(str, of)))
        assumed.append(words.join([words.sentence(sentence), which]))
    proofs = ", ".join(dict.fromkeys(each.proof for each in stated))
    return section(
        "promise",
        words("title_promise"),
        tag("ol", *(tag("li", words.headline(each)) for each in stated), class_="promises"),
        tag("h3", words("title_assumes")),
        bullets(assumed),
        tag("p", words("promise_proofs", proofs=proofs), class_="note"),
    )
