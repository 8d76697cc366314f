"""One release that was drawn, what was told on the way, and what has been found out about it since."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tokumei.engines.local import Made
from tokumei.release.artifact import Release
from tokumei.risk.attack import Attack
from tokumei.studio.session.cache import Cache
from tokumei.words import Statement


@dataclass(frozen=True, eq=False, repr=False)
class Drawn:
    """A release with the secrets of its making, for the data holder only.

    Attributes
    ----------
    made
        The release, and which original row each of its rows is.
    notes
        The warnings of its making.
    views
        What was found out about it; it goes when the release goes, so nothing is ever told of another draw.
    """

    made: Made
    notes: tuple[Statement, ...]
    views: Cache[Any] = field(default_factory=lambda: Cache[Any](8))

    @property
    def release(self) -> Release:
        """The release alone."""
        return self.made.release


@dataclass(frozen=True)
class Played:
    """What the measured attack found; ``attacked`` is how many rows of a large table were drawn for it.

    There is no attack if rows were generalized, whose equivalence classes show the risk, or if the notes say why not.
    """

    attack: Attack | None
    attacked: int | None
    notes: tuple[Statement, ...]
