"""How large the classes of a table are: all that most measures of risk need to know, wherever they were counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tokumei.arrays import Floats, Integers
from tokumei.messages import Spoken, phrase


@dataclass(frozen=True)
class ClassSizes(Spoken):
    """The sizes that classes have, in rising order, and how many classes have each.

    Where suppressed cells agree with anything, rows do not fall into classes. A row's size is then the number of rows
    that agree with it, and ``classes`` counts rows over their size, so that it need not be whole.

    Attributes
    ----------
    sizes, rows_of
        Each size that occurs, and how many rows have it.
    """

    sizes: tuple[int, ...]
    rows_of: tuple[int, ...]

    @classmethod
    def of_rows(cls, sizes: Integers) -> ClassSizes:
        """Count how many rows have each size, given the size of each row's class.

        >>> ClassSizes.of_rows(np.array([2, 2, 1])).rows_of
        (1, 2)
        """
        many = np.bincount(sizes)
        found = np.flatnonzero(many)
        return cls(tuple(found.tolist()), tuple(many[found].tolist()))

    @classmethod
    def of_classes(cls, sizes: Integers) -> ClassSizes:
        """Count how many rows have each size, given the size of each class.

        >>> ClassSizes.of_classes(np.array([3, 1, 1])).rows_of
        (2, 3)
        """
        many = np.bincount(sizes)
        found = np.flatnonzero(many)
        return cls(tuple(found.tolist()), tuple((many[found] * found).tolist()))

    @classmethod
    def of_counts(cls, classes: Mapping[int, int]) -> ClassSizes:
        """Count how many rows have each size, given how many classes have it.

        >>> ClassSizes.of_counts({3: 1, 1: 2}).rows_of
        (2, 3)
        """
        sizes = sorted(classes)
        return cls(tuple(sizes), tuple(size * classes[size] for size in sizes))

    @cached_property
    def rows(self) -> int:
        """How many rows there are."""
        return sum(self.rows_of)

    @cached_property
    def classes(self) -> float:
        """How many classes there are: the sum of 1/size over all rows."""
        return float(sum(rows / size for size, rows in zip(self.sizes, self.rows_of, strict=True)))

    @property
    def smallest(self) -> int:
        """The smallest size: k."""
        return self.sizes[0]

    @property
    def largest(self) -> int:
        """The largest size."""
        return self.sizes[-1]

    @property
    def unique(self) -> int:
        """How many rows are unique."""
        return self.having(1)

    def facts(self) -> dict[str, Any]:
        """Return what there is to say, for a script: ``sizes`` has the number of classes of each size."""
        classes = {size: rows // size for size, rows in zip(self.sizes, self.rows_of, strict=True)}
        return {
            "rows": self.rows,
            "classes": round(self.classes),
            "smallest": self.smallest,
            "alone": self.unique,
            "sizes": classes,
        }

    def lines(self) -> list[str]:
        """Say how large the classes are, in one line."""
        return [
            phrase(
                "{rows:row|rows} in {classes:class|classes}; the smallest has "
                "{smallest:,}, and {unique:row|rows} {unique:|is|are} unique.",
                rows=self.rows,
                classes=round(self.classes),
                smallest=self.smallest,
                unique=self.unique,
            )
        ]

    def having(self, size: int) -> int:
        """Return how many rows have a size."""
        return dict(zip(self.sizes, self.rows_of, strict=True)).get(size, 0)

    def below(self, size: float) -> int:
        """Return how many rows have a smaller size."""
        return sum(rows for each, rows in zip(self.sizes, self.rows_of, strict=True) if each < size)

    def arrays(self) -> tuple[Floats, Floats]:
        """Return the sizes and how many classes have each."""
        sizes = np.array(self.sizes, dtype=np.float64)
        return sizes, np.array(self.rows_of) / sizes
