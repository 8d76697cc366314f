"""What is promised, and what that assumes."""

from __future__ import annotations

from tokumei.privacy.guarantee import headline
from tokumei.reports.findings import Findings
from tokumei.reports.html import Html, bullets, section, tag
from tokumei.words import Statement, Words


def promise(found: Findings, words: Words) -> Html:
    """List the promises, then once what each assumes."""
    stated = found.release.guarantees
    places: dict[Statement, list[int]] = {}
    for place, each in enumerate(stated, start=1):
        for said in each.assumes:
            places.setdefault(said, []).append(place)
    assumed = []
    for said, of in places.items():
        which = "" if len(of) == len(stated) else words("promise_of", places=", ".join(map(str, of)))
        assumed.append(words.join([words.say(said), which]))
    proofs = ", ".join(dict.fromkeys(f"tokumei proof {each.proof}" for each in stated if each.checked and each.proof))
    return section(
        "promise",
        words("title_promise"),
        tag("ol", *(tag("li", headline(each, words)) for each in stated), class_="promises"),
        tag("h3", words("title_assumes")),
        bullets(assumed),
        tag("p", words("promise_proofs", proofs=proofs), class_="note") if proofs else "",
    )
