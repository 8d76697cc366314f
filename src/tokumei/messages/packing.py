"""Messages as plain text, for places that only text passes through; the text of others cannot become a message of ours."""

from __future__ import annotations

import json
from typing import Any

from tokumei.messages.phrase import Joined, Listed, Phrase, Seen, phrase, seen, translations

MARK = " | message: "


def packed(said: str) -> str:
    """Write a message as its English, for logs, and as JSON.

    >>> from tokumei.messages import phrase
    >>> packed(phrase("The table has no rows."))
    'The table has no rows. | message: {"template": "The table has no rows.", "fields": {}}'
    """
    return said + MARK + json.dumps(_plain(said))


def unpacked(text: str) -> str:
    """Read what `packed` wrote; only templates of which there is a translation are filled, anything else stays text."""
    english, mark, written = text.rpartition(MARK)
    if not mark:
        return text
    try:
        made = _read(json.loads(written))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return english
    return made if isinstance(made, str) and made == english else english


def _plain(said: Any) -> Any:
    if isinstance(said, Phrase):
        return {"template": said.template, "fields": {name: _plain(each) for name, each in said.fields.items()}}
    if isinstance(said, Listed):
        return {"names": list(said.items)}
    if isinstance(said, Joined):
        return {"parts": [_plain(part) for part in said.parts]}
    if isinstance(said, Seen):
        return {"text": str(said), "look": said.look}
    if isinstance(said, bool | int | float | None):
        return said
    return int(said) if hasattr(said, "__index__") else str(said)


def _read(given: Any) -> Any:
    if isinstance(given, dict):
        if "names" in given:
            return Listed(given["names"])
        if "parts" in given:
            return Joined(map(_read, given["parts"]))
        if "look" in given:
            return seen(str(given["text"]), str(given["look"]))
        if given["template"] not in translations("ja"):
            raise ValueError("not a message of ours")
        return phrase(given["template"], **{name: _read(each) for name, each in given["fields"].items()})
    if isinstance(given, list):
        raise TypeError("not a message of ours")
    return given
