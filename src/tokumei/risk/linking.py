"""One scale for every attacker: the probability with which they link a row to its person."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from tokumei.arrays import Floats
from tokumei.errors import InvalidParameter
from tokumei.messages import Spoken, phrase
from tokumei.results import Result
from tokumei.table.sizes import ClassSizes

Attacker = Literal["prosecutor", "journalist", "marketer", "all-knowing"]
NAMED = {
    "prosecutor": phrase("prosecutor"),
    "journalist": phrase("journalist"),
    "marketer": phrase("marketer"),
    "all-knowing": phrase("all-knowing"),
}
KNOWS = {
    "prosecutor": "They know these columns about one person, and that the person is in the table.",
    "journalist": "They know these columns about everyone in the population, but not who is in the table.",
    "marketer": "They know these columns about many people, link every row they can, and accept wrong links.",
    "all-knowing": "They know the whole original table and how the release was made, but not its draws.",
}


@dataclass(frozen=True)
class Linking(Spoken, Result):
    """What one attacker can do.

    Attributes
    ----------
    attacker, rows
        Who they are, and how many rows they may try to link.
    highest
        The largest probability with which they link any row correctly.
    average
        The mean over the rows: the share that they link correctly if they try each.
    above, threshold
        How many rows they link with a probability over the threshold.
    how
        Where the numbers come from.
    exact
        Whether they are what is true of the rows; otherwise the most that can be.
    """

    attacker: Attacker
    rows: int
    highest: float
    average: float
    above: int
    threshold: float
    how: str
    exact: bool = True

    @property
    def knows(self) -> str:
        """What they know, in a sentence."""
        return KNOWS[self.attacker]

    @property
    def expected(self) -> float:
        """How many rows they link correctly if they try each."""
        return self.average * self.rows

    @property
    def above_share(self) -> float:
        """The share of rows that they link with a probability over the threshold."""
        return self.above / self.rows

    def lines(self) -> list[str]:
        """Say what they can do, in one line."""
        return [
            phrase(
                "{named}: links a row with a probability of up to {highest:.4g}, on average {average:.4g} "
                "({expected:,.1f} of {rows:row|rows}); {above:row|rows} ({above_share:.2%}) over "
                "{threshold:g}. {how}",
                named=NAMED[self.attacker],
                highest=self.highest,
                average=self.average,
                expected=self.expected,
                rows=self.rows,
                above=self.above,
                above_share=self.above_share,
                threshold=self.threshold,
                how=self.how,
            )
        ]


def of_sizes(attacker: Attacker, sizes: ClassSizes, threshold: float, how: str) -> Linking:
    """Return what an attacker can do who links a row of a class of f with the probability 1/f.

    The highest is 1/k, the average the number of classes over the number of rows.

    >>> of_sizes("prosecutor", ClassSizes((1, 2), (1, 2)), 0.5, "counted").above
    1
    """
    check_threshold(threshold)
    pairs = zip(sizes.sizes, sizes.rows_of, strict=True)
    above = sum(rows for size, rows in pairs if 1 / size > threshold)
    average = min(sizes.classes / sizes.rows, 1.0)
    return Linking(attacker, sizes.rows, 1 / sizes.smallest, average, above, threshold, how)


def three_attackers(sizes: ClassSizes, threshold: float) -> tuple[Linking, Linking, Linking]:
    """Return what the prosecutor, the journalist and the marketer can do, nothing being known but the sizes of classes."""
    return (
        of_sizes("prosecutor", sizes, threshold, phrase("Counted.")),
        of_sizes("journalist", sizes, threshold, phrase("At most this: no table of the population was given.")),
        of_sizes("marketer", sizes, threshold, phrase("Counted, if the people they know are those in the table.")),
    )


def of_rows(attacker: Attacker, risks: Floats, threshold: float, how: str) -> Linking:
    """Return what an attacker can do who links each row with a probability of its own."""
    check_threshold(threshold)
    above = int(np.count_nonzero(risks > threshold))
    return Linking(attacker, len(risks), float(risks.max()), float(risks.mean()), above, threshold, how)


def check_threshold(threshold: float) -> None:
    """Refuse a threshold that is no probability."""
    if (
        isinstance(threshold, bool)
        or not isinstance(threshold, int | float | np.integer | np.floating)
        or not 0 < threshold < 1
    ):
        raise InvalidParameter(
            "threshold must be a probability between 0 and 1. Got {threshold!r}.", threshold=threshold
        )
