"""Why a column was given its role, as keys of words, and what names people directly in it."""

from __future__ import annotations

from typing import Literal, cast

from tokumei.plan import guessing
from tokumei.plan.guessing import WHY, names_directly
from tokumei.plan.written import LOOKS
from tokumei.table.schema import Role

Flag = Literal["email", "phone", "name", "address", "text"]
Reason = tuple[str, ...]  # keys of sentences

# What drafts of plans say, and the sentence of the studio for it.
SAID = {
    guessing.MAILED: "reason_email",
    guessing.CALLED: "reason_phone",
    guessing.WRITTEN: "reason_text",
    guessing.LIKE_NAMES: "reason_names",
    guessing.LIKE_NUMBERS: "reason_numbers",
    guessing.HOUSEHOLD: "reason_household",
    guessing.WHY_HOUSEHOLD: "reason_household",
    guessing.NUMBERED: "reason_within",
    guessing.PLACED: "reason_place",
    guessing.POSTED: "reason_postcode",
    guessing.DESIGNED: "reason_design",
    guessing.BORN: "reason_birth",
    guessing.LIKE_WEIGHTS: "reason_weight",
    "dropped: ": "reason_unusable",
}
AND = {
    guessing.SUMS: "reason_sums",
    guessing.REPEATS: "reason_repeats",
    guessing.OR_WEIGHTS: "reason_or_weight",
    LOOKS[0][1]: "reason_commas",
    LOOKS[1][1]: "reason_dates",
}
FLAGS: dict[str, Flag] = {
    guessing.MAILED: "email",
    guessing.CALLED: "phone",
    guessing.WRITTEN: "text",
    guessing.LIKE_NAMES: "name",
}


def reason_of(role: Role, why: str) -> Reason:
    """Return the sentences that say why a column has its role.

    >>> reason_of("identifier", guessing.MAILED), reason_of("identifier", WHY["identifier"] + guessing.REPEATS)
    (('reason_email',), ('reason_identifier', 'reason_repeats'))
    """
    more = tuple(key for said, key in AND.items() if said in why)
    first = next((key for said, key in SAID.items() if why.startswith(said)), None)
    if first is None and "reason_sums" in more:
        return more
    return (first or f"reason_{role}", *more)


def flag_of(name: str, why: str) -> Flag | None:
    """Return what names people directly in a column: by its cells, or of an identifier by its name."""
    found = next((flag for said, flag in FLAGS.items() if why.startswith(said)), None)
    if found is None and why.startswith(WHY["identifier"]):
        return cast("Flag | None", names_directly(name))
    return found
