"""What errors and warnings say, in the language of the person who reads them.

English stands where the error is raised, as a template with named fields, and is the key of its translations:

    raise DataError("The table has no column {name!r}.{hint}", name=name, hint=nearest(name, known))

A part that is itself in words is a `phrase`; `tokumei.text` makes lists of names. ``{rows:row|rows}`` counts ("1 row", "20 rows"),
and ``{rows:|is|are}`` chooses between words by a number without showing it. Other formats are Python's own.
"""

from tokumei.messages.packing import packed, unpacked
from tokumei.messages.phrase import (
    LANGUAGE_SETTING,
    LANGUAGES,
    Joined,
    Language,
    Listed,
    Phrase,
    Spoken,
    add_messages,
    counted,
    message_of,
    phrase,
    quoted,
    said_in,
    spoken_language,
    spoken_text,
    with_fields,
    with_text,
)

__all__ = [
    "LANGUAGES",
    "LANGUAGE_SETTING",
    "Joined",
    "Language",
    "Listed",
    "Phrase",
    "Spoken",
    "add_messages",
    "counted",
    "message_of",
    "packed",
    "phrase",
    "quoted",
    "said_in",
    "spoken_language",
    "spoken_text",
    "unpacked",
    "with_fields",
    "with_text",
]
