"""What each level of a hierarchy does to its column, and to how many rows are alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from tokumei.table.classes import class_of
from tokumei.table.coded import CodedTable
from tokumei.table.hierarchy import AnyHierarchy
from tokumei.table.schema import Attribute

EXAMPLES = 4


@dataclass(frozen=True)
class LevelEffect:
    """What one level does.

    Attributes
    ----------
    level
        0 for the values as they are.
    labels, some
        How many labels it has, and the first few of them.
    fewest
        How many rows the rarest label has that any row has.
    alone
        How many rows are alone in all quasi-identifiers if this column is at this level, and the others are as they are.
    """

    level: int
    labels: int
    some: tuple[str, ...]
    fewest: int
    alone: int


def level_effects(table: CodedTable, attribute: Attribute, hierarchy: AnyHierarchy | None) -> list[LevelEffect]:
    """Return what each level of a hierarchy would do, level 0 first."""
    assert attribute.domain is not None
    domain = attribute.domain
    known = [name for name in table.schema.names("quasi_identifier") if name != attribute.name]
    others = class_of([table.codes(name) for name in known], table.rows)
    codes = table.codes(attribute.name)
    found = []
    for level in range(1 if hierarchy is None else hierarchy.depth + 1):
        if hierarchy is None or level == 0:
            labels: Sequence[str] = domain.labels()
            mapped = np.arange(domain.size)
        else:
            groups, mapped = hierarchy.coarsen(domain, level)
            labels = groups.labels()
        here = np.append(mapped, len(labels))[np.minimum(codes, domain.size)]  # a missing cell stays one
        counts = np.bincount(here)
        sizes = np.bincount(class_of([others, here], table.rows))
        some = tuple(islice(labels, EXAMPLES))
        found.append(LevelEffect(level, len(labels), some, int(counts[counts > 0].min()), int((sizes == 1).sum())))
    return found
