"""The mechanism of a whole release: one channel a column, columns released as they are, and the secret shuffle."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from tokumei.errors import InvalidParameter, ReleaseError
from tokumei.mechanism.channel import Channel, Codes, Conditional, Floats, Kept, channel_from
from tokumei.mechanism.grid_laplace import FlaggedGridLaplace, GridLaplace
from tokumei.mechanism.retention import Retention
from tokumei.mechanism.transition_matrix import TransitionMatrix
from tokumei.table.domain import Categories
from tokumei.table.schema import Attribute

# Every channel that a manifest may name; importing them here makes them known wherever a mechanism is.
CHANNELS = (Retention, GridLaplace, FlaggedGridLaplace, TransitionMatrix)


@dataclass(frozen=True)
class Mechanism:
    """The conditional distribution of a released record given the true one: a product over the columns."""

    channels: Mapping[str, Channel]
    kept: tuple[str, ...] = ()
    of: int | None = None  # how many rows the released ones were drawn from, where they are a sample

    def population(self, released: int) -> int:
        """Return how many rows there were, so many having been released."""
        return released if self.of is None else self.of

    @property
    def swap(self) -> Fraction:
        """The product of the channels' swaps: what exchanging the origins of two whole records can change."""
        return math.prod((channel.swap for channel in self.channels.values()), start=Fraction(1))

    def conditional(self, attribute: Attribute) -> Conditional:
        """Return the distribution that made a column."""
        if attribute.name in self.channels:
            return self.channels[attribute.name]
        if attribute.name in self.kept:
            return Kept(attribute.states)
        raise InvalidParameter(f"The mechanism does not say how the column {attribute.name!r} was made.")

    def probability(self, released: Mapping[str, Codes], true: Mapping[str, Codes]) -> Floats:
        """Return P(released record | true record) over the perturbed columns, elementwise with broadcasting."""
        factors = [channel.probability(released[name], true[name]) for name, channel in self.channels.items()]
        return np.asarray(math.prod(factors, start=np.float64(1.0)), dtype=np.float64)

    def describe(self) -> dict[str, Any]:
        """Return the mechanism as it stands in a manifest."""
        return {
            "columns": {name: channel.describe() for name, channel in self.channels.items()},
            "kept": list(self.kept),
            "rows": "shuffled",
            "of": self.of,
        }

    @classmethod
    def from_description(cls, described: Mapping[str, Any]) -> Mechanism:
        """Make a mechanism again from what `describe` gave."""
        if described.get("rows") != "shuffled":
            raise ReleaseError("The release treats rows in a way that this version of tokumei does not know.")
        channels = {name: channel_from(channel) for name, channel in described["columns"].items()}
        of = described["of"]
        if of is not None and (isinstance(of, bool) or not isinstance(of, int) or of < 1):
            raise ReleaseError("The release does not say in a whole number how many rows it was drawn from.")
        return cls(channels, tuple(described["kept"]), of)


def channel_for(attribute: Attribute, swap: Fraction) -> Channel:
    """Return the channel for a column that hides best what is left once its `Channel.swap` is at least ``swap``."""
    domain = attribute.domain
    if domain is None:
        raise InvalidParameter(f"{attribute.name!r} has no declared domain; declare one to perturb it.")
    if isinstance(domain, Categories):
        return Retention.solve(attribute.states, swap)
    return FlaggedGridLaplace.solve(domain.size, swap) if attribute.missing else GridLaplace.solve(domain.size, swap)
