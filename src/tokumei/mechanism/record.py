"""The mechanism of a whole release: a channel or a recoding for each column, columns kept, and the secret shuffle."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from tokumei.bounds import LARGEST_MECHANISM
from tokumei.errors import InvalidParameter, ReleaseError
from tokumei.markup.card import card, grid
from tokumei.mechanism.averaging import Averaging
from tokumei.mechanism.channel import Channel, Conditional, Kept, channel_from, undominated
from tokumei.mechanism.grid_laplace import FlaggedGridLaplace, GridLaplace
from tokumei.mechanism.grouping import Grouping
from tokumei.mechanism.recoding import Recoding
from tokumei.mechanism.retention import Retention
from tokumei.mechanism.swapping import SwappedColumns
from tokumei.mechanism.telling import Telling
from tokumei.mechanism.transition_matrix import TransitionMatrix
from tokumei.mechanism.treatments import AsItIs, Averaged, Swapped, Treatment
from tokumei.table.domain import Categories
from tokumei.table.schema import Attribute
from tokumei.words import spoken

# Every channel that a manifest may name; importing them here makes them known wherever a mechanism is.
CHANNELS = (Retention, GridLaplace, FlaggedGridLaplace, TransitionMatrix)

KEY_NAME = re.compile(r"[0-9a-f]{32}")  # the public name of a key
NOT_AT_RANDOM = "rare"  # rows were left out because few others were like them: not at random


@dataclass(frozen=True)
class Mechanism:
    """The conditional distribution of a released record given the true one: a product over the columns, or of what a row tells."""

    channels: Mapping[str, Channel]
    kept: tuple[str, ...] = ()
    of: int | None = None  # how many rows the released ones were drawn from, where they are a sample
    recoding: Recoding | None = None  # the columns that were made coarser
    left_out: int = 0  # rows that were left out because they were rare: not at random
    averaging: Averaging | None = None  # the columns that were averaged over groups: not to be undone
    grouping: Grouping | None = None  # the columns that were perturbed group by group
    block: int | None = None  # rows of the smallest block, where rows were shuffled within blocks only
    telling: Telling | None = None  # the columns of which each row tells some
    swapping: SwappedColumns | None = None  # the columns whose values were exchanged within groups: not to be undone
    repeat: str | None = None  # the public name of the holder's key, where draws repeat in releases under the same key

    def __post_init__(self) -> None:
        recoded = () if self.recoding is None else self.recoding.columns.values()
        told = () if self.telling is None else self.telling.columns.values()
        sizes = [channel.size for channel in self.channels.values()]
        sizes += [column.original.states for column in (*recoded, *told)]
        if sum(sizes) > LARGEST_MECHANISM:
            raise InvalidParameter(
                "the perturbed columns have {sizes:,} values together, and a guarantee is possible for at "
                "most {largest_mechanism:,}; coarsen their domains, or drop some.",
                sizes=sum(sizes),
                largest_mechanism=LARGEST_MECHANISM,
            )

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column that it says something about."""
        recoded = () if self.recoding is None else tuple(self.recoding.columns)
        averaged = () if self.averaging is None else tuple(self.averaging.columns)
        grouped: tuple[str, ...] = ()
        if self.grouping is not None:
            grouped = (*self.grouping.columns, *self.grouping.made_up)
        told = () if self.telling is None else (*self.telling.columns, self.telling.label)
        return (*self.channels, *self.kept, *recoded, *averaged, *grouped, *told, *self.swapped)

    @property
    def perturbed(self) -> tuple[str, ...]:
        """The columns that noise was put on."""
        grouped = () if self.grouping is None else self.grouping.columns
        return (*self.channels, *grouped, *(() if self.telling is None else self.telling.columns))

    @property
    def swapped(self) -> tuple[str, ...]:
        """The columns whose values were exchanged within groups of rows."""
        return () if self.swapping is None else self.swapping.columns

    @property
    def example(self) -> tuple[str, ...]:
        """Up to two perturbed columns whose joint table the release says something about."""
        if self.telling is not None:
            return max((cluster.columns for cluster in self.telling.clusters), key=len)[:2]
        if self.grouping is not None and self.grouping.telling is not None:
            return max(self.grouping.telling.clusters, key=len)[:2] or self.perturbed[:1]
        return self.perturbed[:2]

    @property
    def tells(self) -> str | None:
        """The public column that says what a row tells, where rows tell some columns only."""
        telling = self.telling if self.grouping is None else self.grouping.telling
        return None if telling is None else telling.label

    @property
    def partly_told(self) -> tuple[str, ...]:
        """The columns that some rows do not tell, and are blank in."""
        if self.telling is not None:
            return tuple(self.telling.columns)
        return () if self.grouping is None or self.grouping.telling is None else self.grouping.columns

    @property
    def made_up(self) -> tuple[str, ...]:
        """The public columns that were added to say which group a row is in, and what it tells."""
        if self.telling is not None:
            return (self.telling.label,)
        return () if self.grouping is None else self.grouping.made_up

    def original(self, released: Attribute) -> Attribute:
        """Return what a column was before its cells were made coarser, or left blank in some rows."""
        if self.recoding is not None and released.name in self.recoding.columns:
            return self.recoding.columns[released.name].original
        if self.telling is not None and released.name in self.telling.columns:
            return replace(self.telling.columns[released.name].original, observed=released.observed)
        if self.grouping is not None and self.grouping.telling is not None and released.name in self.grouping.columns:
            return replace(released, missing=released.name in self.grouping.telling.missing)
        return released

    def treatment(self, name: str) -> Treatment:
        """Say what happens to a value of a column."""
        if self.recoding is not None and name in self.recoding.columns:
            return self.recoding.treatment(name)
        if self.averaging is not None and name in self.averaging.columns:
            return Averaged(by=self.averaging.columns[name])
        if self.swapping is not None and name in self.swapping.columns:
            return Swapped(least=self.swapping.least)
        if self.grouping is not None and name in (*self.grouping.columns, *self.grouping.made_up):
            return self.grouping.treatment(name)
        if self.telling is not None and name in {*self.telling.columns, self.telling.label}:
            return self.telling.treatment(name)
        return self.channels[name].treatment() if name in self.channels else AsItIs()

    def population(self, released: int) -> int:
        """Return how many rows there were, this many having been released."""
        return released if self.of is None else self.of

    def hiding(self, released: int) -> int:
        """Return among how many rows a person hides who is not told apart by anything else: all, or those of a block."""
        return self.population(released) if self.block is None else self.block

    @property
    def swap(self) -> Fraction:
        """The product of the channels' swaps: what exchanging the origins of two whole records can change."""
        told = Fraction(1) if self.telling is None else self.telling.swap
        return math.prod((channel.swap for channel in self.channels.values()), start=told)

    @property
    def tradeoffs(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """Pairs of (ratio, swap) of the parts that multiply, one of which holds for any records taken together."""
        pairs: tuple[tuple[Fraction, Fraction], ...] = ((Fraction(1), Fraction(1)),)
        if self.telling is not None:
            pairs = ((self.telling.ratio, self.telling.swap),)
        for channel in self.channels.values():
            pairs = undominated((a * x, b * y) for a, b in pairs for x, y in channel.tradeoffs())
        return pairs

    @property
    def epsilons(self) -> dict[str, float]:
        """The local differential privacy of each part of a row: of every perturbed column, or of what the row tells."""
        told = {} if self.telling is None else {self.telling.label: self.telling.epsilon}
        return {**{name: channel.epsilon for name, channel in self.channels.items()}, **told}

    def conditional(self, attribute: Attribute) -> Conditional:
        """Return the distribution that made a column."""
        if attribute.name in self.channels:
            return self.channels[attribute.name]
        if attribute.name in {*self.kept, *self.swapped}:  # of swapped columns each one's own distribution is unchanged
            return Kept(attribute.states)
        if self.recoding is not None and attribute.name in self.recoding.columns:
            return self.recoding.conditional(attribute.name)
        if self.averaging is not None and attribute.name in self.averaging.columns:
            raise self.averaging.refuse(attribute.name)
        if self.grouping is not None and attribute.name in self.grouping.made_up:
            return Kept(attribute.states)
        if self.grouping is not None and attribute.name in self.grouping.columns:
            raise self.grouping.refuse(attribute.name)
        if self.telling is not None and attribute.name == self.telling.label:
            return Kept(attribute.states)
        if self.telling is not None and attribute.name in self.telling.columns:
            raise self.telling.refuse(attribute.name)
        raise InvalidParameter("The mechanism does not say how the column {column!r} was made.", column=attribute.name)

    def _repr_html_(self) -> str:
        words = spoken()
        rows = [(name, words.say(self.treatment(name))) for name in self.columns]
        return card(words("mechanism_card"), grid((words("dictionary_column"), words("dictionary_happened")), rows))

    def describe(self) -> dict[str, Any]:
        """Return the mechanism as it appears in a manifest."""
        described: dict[str, Any] = {
            "columns": {name: channel.describe() for name, channel in self.channels.items()},
            "kept": list(self.kept),
            "rows": "shuffled" if self.block is None else {"shuffled_in_blocks_of_at_least": self.block},
            "of": self.of,
        }
        if self.recoding is not None:
            described["recoding"] = self.recoding.describe()
        if self.averaging is not None:
            described["averaging"] = self.averaging.describe()
        if self.grouping is not None:
            described["grouping"] = self.grouping.describe()
        if self.telling is not None:
            described["telling"] = self.telling.describe()
        if self.swapping is not None:
            described["swapping"] = self.swapping.describe()
        if self.left_out:
            described["left_out"] = {"rows": self.left_out, "how": NOT_AT_RANDOM}
        if self.repeat is not None:
            described["repeat"] = {"key": self.repeat}
        return described

    @classmethod
    def from_description(cls, described: Mapping[str, Any]) -> Mechanism:
        """Make a mechanism again from what `describe` gave."""
        block = _block(described.get("rows"))
        channels = {name: channel_from(channel) for name, channel in described["columns"].items()}
        of = described["of"]
        if of is not None and (isinstance(of, bool) or not isinstance(of, int) or of < 1):
            raise ReleaseError("The release does not give as a whole number how many rows it was sampled from.")
        recoding = Recoding.from_description(described["recoding"]) if "recoding" in described else None
        averaging = Averaging.from_description(described["averaging"]) if "averaging" in described else None
        left_out = _left_out(described.get("left_out"))
        grouping = Grouping.from_description(described["grouping"]) if "grouping" in described else None
        telling = Telling.from_description(described["telling"]) if "telling" in described else None
        swapping = SwappedColumns.from_description(described["swapping"]) if "swapping" in described else None
        repeat = _repeat(described.get("repeat"))
        kept = tuple(described["kept"])
        return cls(channels, kept, of, recoding, left_out, averaging, grouping, block, telling, swapping, repeat)


def _block(described: Any) -> int | None:
    if described == "shuffled":
        return None
    if isinstance(described, Mapping) and set(described) == {"shuffled_in_blocks_of_at_least"}:
        rows = described["shuffled_in_blocks_of_at_least"]
        if isinstance(rows, int) and not isinstance(rows, bool) and rows >= 1:
            return rows
    raise ReleaseError("The release treats rows in a way that this version of tokumei does not know.")


def _left_out(described: Mapping[str, Any] | None) -> int:
    if described is None:
        return 0
    rows = described["rows"]
    if described["how"] != NOT_AT_RANDOM or isinstance(rows, bool) or not isinstance(rows, int) or rows < 1:
        raise ReleaseError("The release left out rows in a way that this version of tokumei does not know.")
    return rows


def _repeat(described: Mapping[str, Any] | None) -> str | None:
    if described is None:
        return None
    name = described["key"]
    if not isinstance(name, str) or not KEY_NAME.fullmatch(name):
        raise ReleaseError("The release repeats draws under a key whose name is not possible.")
    return name


def channel_for(attribute: Attribute, swap: Fraction) -> Channel:
    """Return the channel for a column that hides best what is left once its `Channel.swap` is at least ``swap``."""
    domain = attribute.domain
    if domain is None:
        raise InvalidParameter("{column!r} has no declared domain; declare one to perturb it.", column=attribute.name)
    if isinstance(domain, Categories):
        return Retention.solve(attribute.states, swap)
    return FlaggedGridLaplace.solve(domain.size, swap) if attribute.missing else GridLaplace.solve(domain.size, swap)
