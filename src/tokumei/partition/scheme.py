"""A scheme: labels for values, by which rows become alike."""

from __future__ import annotations

from typing import Annotated

from tokumei.partition.arrangement import Arranging
from tokumei.partition.partition import PARTITIONS, Partition
from tokumei.registry import Kinds, Registry


class Scheme(Arranging):
    """A way of giving labels to values: what a row is released as follows from its own cells and the scheme alone."""


# The schemes that a plan may name where it may name a partition.
SCHEMES: Registry[Scheme] = Registry("kind", short=True)
register_scheme = SCHEMES.register
EVERY_KIND: Kinds[Arranging] = Kinds(PARTITIONS, SCHEMES)  # type: ignore[arg-type]
AnyArranging = Annotated[Partition | Scheme, EVERY_KIND]
