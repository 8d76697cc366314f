"""The proofs behind the guarantees, as pages that come with the package.

In a wheel they lie in ``tokumei/proofs``; in a checkout of the project they are the pages ``docs/promises``.
"""

from __future__ import annotations

from pathlib import Path

from tokumei.errors import InvalidParameter, MissingDependency
from tokumei.text import nearest

PROOFS = (
    "ladder",
    "pk",
    "sampling",
    "epsilon",
    "central",
    "k",
    "whole_table",
    "inference",
    "differencing",
    "membership",
    "diversity",
    "population",
    "swapping",
    "rates",
    "combined",
    "repeated",
)
PLACES = (
    Path(__file__).parents[1] / "proofs",
    Path(__file__).parents[3] / "docs" / "promises",
)


def proof_text(name: str) -> str:
    """Return the page that proves a guarantee, in Markdown: formula, assumptions and proof.

    >>> print(proof_text("pk").splitlines()[0])
    # ...
    """
    if name not in PROOFS:
        raise InvalidParameter(
            "There is no proof called {name!r}; there are {proofs}.{hint}",
            name=name,
            proofs=", ".join(PROOFS),
            hint=nearest(name, PROOFS),
        )
    for place in PLACES:
        page = place / f"{name}.md"
        if page.is_file():
            return page.read_text(encoding="utf-8")
    raise MissingDependency("The pages of proofs are missing from this installation; install tokumei again.")
