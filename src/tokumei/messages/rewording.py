"""The same message in other words, where it is read in another place: on the command line, or in the studio."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tokumei.messages.phrase import Joined, Phrase, with_fields

Instead = Mapping[str, Callable[..., Phrase]]  # templates, and what to say in place of each, given its fields

WITH_CLASS = "{kind}: {problem}"  # a value that cannot be, after the name of its class


def reworded(said: Any, instead: Instead) -> Any:
    """Return a text without names of classes, and with other words where there are any; its parts too."""
    if isinstance(said, Joined):
        return Joined(reworded(part, instead) for part in said.parts)
    if not isinstance(said, Phrase):
        return said
    if said.template == WITH_CLASS:
        return reworded(said.fields["problem"], instead)
    fields = {name: reworded(each, instead) for name, each in said.fields.items()}
    return instead[said.template](**fields) if said.template in instead else with_fields(said, fields)
