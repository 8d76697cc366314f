"""Replace an identifier by a keyed pseudonym."""

from __future__ import annotations

from dataclasses import field
from typing import Any, Literal

from tokumei.prepare.identifier_step import IdentifierStep
from tokumei.prepare.keyed import BITS, Keyed
from tokumei.prepare.keys import check_reference, read_key
from tokumei.prepare.step import register_step
from tokumei.privacy.assumptions import Assumption
from tokumei.privacy.pseudonyms import assumed_of_pseudonym
from tokumei.values import value


@register_step
@value
class Pseudonymize(IdentifierStep):
    """Release a pseudonym in place of an identifier: the same person has the same one, and only the key tells whose it is.

    A pseudonym is the first 128 bits of HMAC-SHA256 under the key, of the purpose and the cell's text, written in 26 letters
    and digits (base32). Anyone who has the key can compute it for every name they can think of, so the key is kept apart from the
    release; without it a pseudonym tells nothing but which rows have the same one. A missing cell stays missing.

    Parameters
    ----------
    column
        A column of the role ``identifier``.
    key
        Where the key is: ``"env:NAME"`` (an environment variable) or ``"file:PATH"`` (a file that only its owner may read).
        It is at least 16 bytes as hexadecimal digits; ``tokumei key FILE`` makes one.
    purpose
        What the pseudonyms are for. Columns and tables with the same purpose have the same pseudonyms under the same key;
        without it the column's name is the purpose, so that two columns cannot be joined.

    Examples
    --------
    >>> Pseudonymize("patient", key="env:PSEUDONYM_KEY", purpose="visits")
    Pseudonymize(column='patient', purpose='visits')
    """

    column: str
    key: str = field(repr=False)
    purpose: str | None = None
    step: Literal["pseudonymize"] = field(default="pseudonymize", kw_only=True, repr=False)
    keyed = True

    def __post_init__(self) -> None:
        check_reference(self.key)

    def opened(self) -> Keyed:
        """Return the step with its key in hand."""
        what = f"column {self.column}" if self.purpose is None else f"purpose {self.purpose}"
        return Keyed(self.column, what, read_key(self.key, self.column), self.describe(), self.assumes())

    def changed(self, texts: Any) -> Any:
        """Return the pseudonyms of some different cells."""
        return self.opened().changed(texts)

    def describe(self) -> dict[str, Any]:
        """Return the step as it appears in a manifest: nothing about the key."""
        told = {} if self.purpose is None else {"purpose": self.purpose}
        return {"step": self.step, "column": self.column, "bits": BITS, **told}

    def assumes(self) -> tuple[Assumption, ...]:
        """Say what a pseudonym means for every guarantee."""
        return assumed_of_pseudonym(self.column)
