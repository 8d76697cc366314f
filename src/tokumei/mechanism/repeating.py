"""Draws that repeat: the words of a release's draws follow from the person and the true value, under a key that the data holder keeps.

The word of a cell is a function of the key, the person, the column, the true value and everything that its channel is:

    word = AES(K, tag XOR value)        K from the key and (column, digest of the domain and the channel's integers, width, attempt)
                                        tag = BLAKE2b of the person, keyed, 128 bits

so the same value of a person is released unchanged, and two values of a person, or of two people, have independent draws. The value is
part of the address because words shared between values would couple their draws; the channel's integers are, because the same word
under two retention probabilities would: kept at the larger and replaced at the smaller one excludes records.
What a row tells (`Telling`) is drawn per person, and the tuple of its cells is the value.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tokumei.arrays import Codes, Unsigned64
from tokumei.errors import DataError
from tokumei.mechanism.channel import Channel
from tokumei.mechanism.telling import Telling
from tokumei.randomness import Key, TaskKey
from tokumei.table.schema import Schema, describe_attribute

if TYPE_CHECKING:
    from tokumei.mechanism.record import Mechanism

REPEAT = "repeat"  # how the labels of all streams under a holder's key begin


def draw_names(mechanism: Mechanism, schema: Schema) -> dict[str, str]:
    """Name each draw of a mechanism by everything that it follows from besides the person and the value: a digest.

    Two releases repeat each other's draws of a column only where its digest is the same: its name, its released domain and every
    integer of its channel. For rows that tell one thing each there is one digest for all that they may tell, by the public column.
    """
    made = {}
    for name, channel in mechanism.channels.items():
        attribute = describe_attribute(replace(schema[name], hierarchy=None))
        made[name] = _digest([name, attribute, channel.describe()])
    if mechanism.telling is not None:
        made[mechanism.telling.label] = _digest(mechanism.telling.describe())
    return made


def _digest(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, repr=False)
class Draws:
    """Where the words of a release's draws come from: its own key and the rows, or a key that was kept and people and values.

    Attributes
    ----------
    key
        The key of the release.
    repeat
        The holder's key, where draws repeat.
    names
        What names each draw then, see `draw_names`.
    """

    key: Key
    repeat: TaskKey | None = None
    names: Mapping[str, str] | None = None

    @classmethod
    def of(cls, key: Key, repeat: TaskKey | None, mechanism: Mechanism, schema: Schema) -> Draws:
        """Get ready to draw from a mechanism, ``schema`` being that of the released columns."""
        if (repeat is None) != (mechanism.repeat is None):
            raise DataError("The method repeats draws, and its key did not reach the draws; nothing was released.")
        return cls(key) if repeat is None else cls(key, repeat, draw_names(mechanism, schema))

    def column(
        self, name: str, channel: Channel, codes: Codes, tags: Unsigned64 | None = None, start: int = 0
    ) -> Codes:
        """Draw the released codes of a column; the first is row ``start`` of the table."""
        if self.repeat is None or self.names is None:
            return channel.sample(codes, self.key.stream("column", name), start)
        addresses = _tags(tags).copy()
        addresses[:, 1] ^= codes.astype(np.uint64)
        stream = self.repeat.open().stream(REPEAT, self.names[name], "column")
        return channel.sample(codes, stream.addressed(addresses, start), start)

    def told(
        self, telling: Telling, codes: Mapping[str, Codes], tags: Unsigned64 | None = None, start: int = 0
    ) -> dict[str, Codes]:
        """Draw what rows tell and release; the first is row ``start`` of the table."""
        if self.repeat is None or self.names is None:
            return telling.sample(codes, self.key, start)
        return telling.sample(codes, self.repeat.open(), start, _tags(tags), (REPEAT, self.names[telling.label]))


def _tags(tags: Unsigned64 | None) -> Unsigned64:
    if tags is None:
        raise DataError("The method repeats draws, and nothing says whose row each is; nothing was released.")
    return tags
