"""How cells of text are written that a person would read as something else: what a draft says about them."""

from __future__ import annotations

from typing import Any

import pyarrow.compute as pc

from tokumei.io.delimiter import ABSENT
from tokumei.plan.cells import texts_of
from tokumei.table.domain import Domain

# Every cell looks like this, and what to say then.
LOOKS = (
    (
        r"^\s*[-+]?\d[\d. ]*,\d+\s*$|^\s*[-+]?\d+\s*$",
        'its cells look like numbers with a decimal comma; set decimal = "," above (--decimal ,) to read them as numbers',
    ),
    (
        r"^\s*\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(\D.*)?$",
        'its cells look like dates; say above how they are written, such as dates = "%d.%m.%Y" (--dates), to read them as dates',
    ),
)


def looks_like(column: Any) -> str | None:
    """Say what the cells of a column of text look like, if all of them do; codes with leading zeros are codes.

    >>> import pyarrow as pa
    >>> looks_like(pa.chunked_array([["1,5", "12,25", None]]))
    'its cells look like numbers with a decimal comma; set decimal = "," above (--decimal ,) to read them as numbers'
    >>> looks_like(pa.chunked_array([["31.12.2001", "2001-12-31"]]))
    'its cells look like dates; say above how they are written, such as dates = "%d.%m.%Y" (--dates), to read them as dates'
    >>> looks_like(pa.chunked_array([["007", "010"]])) is None
    True
    """
    texts = texts_of(column)
    if texts is None or not pc.any(pc.match_substring_regex(texts.values, "[,./-]")).as_py():
        return None
    return next((say for form, say in LOOKS if pc.all(pc.match_substring_regex(texts.values, form)).as_py()), None)


def absent_labels(domain: Domain) -> bool:
    """Say whether a label is one that people write for an absent cell."""
    known = getattr(domain, "values", ())
    return bool(len(known)) and any(label in ABSENT for label in known)
