"""What is believed of the population's uniqueness: every estimator, and the rule that picks one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tokumei.errors import InvalidParameter
from tokumei.results import Result
from tokumei.risk.uniqueness.pitman import pitman
from tokumei.risk.uniqueness.slide_negative_binomial import slide_negative_binomial
from tokumei.risk.uniqueness.zayatz import zayatz
from tokumei.table.sizes import ClassSizes

Estimator = Literal["counted", "pitman", "zayatz", "slide_negative_binomial"]
SMALL = 0.1  # up to this sampled share the rule takes Pitman's estimate


@dataclass(frozen=True)
class PopulationUniqueness(Result):
    """How many people of the population are believed to be unique in it.

    Attributes
    ----------
    population
        How many people there are.
    sampled
        Which share of them is in the table.
    pitman, zayatz, slide_negative_binomial
        The estimated number by each model; none where a model has no solution.
    chosen, people
        The estimator that the rule of Dankar et al. (2012) picks, and its number: Pitman's where a tenth or less was
        sampled, else the smaller of Zayatz's and the slide negative binomial. Where the table is the whole population,
        or a table of it was given, they are counted.
    share
        The same as a share of the population.
    right_match
        The probability that a match is right if a row that is unique is linked to the only person who seems to fit:
        ``p u / (p u + 2 (1 - p) d)`` for u unique rows and d classes of two, p being the sampled share (Skinner and
        Elliot 2002); none if nobody is unique.
    """

    population: int
    sampled: float
    pitman: float
    zayatz: float
    slide_negative_binomial: float | None
    chosen: Estimator
    people: float
    right_match: float | None

    @property
    def share(self) -> float:
        """The share of the population that is believed to be unique."""
        return self.people / self.population


def population_uniqueness(sample: ClassSizes, population: int, counted: int | None = None) -> PopulationUniqueness:
    """Estimate how many people of a population are unique, if the table is a simple random sample of it.

    Where their number is known, it stands beside the estimates.

    >>> found = population_uniqueness(ClassSizes((1, 2, 3), (50, 20, 30)), 2000)
    >>> found.chosen, 50 < found.people < 2000
    ('pitman', True)
    """
    if isinstance(population, bool) or not isinstance(population, int) or population < sample.rows:
        raise InvalidParameter(
            "the population must be a whole number of people, at least the {rows:,} of the table. Got {population}.",
            rows=sample.rows,
            population=population,
        )
    by_pitman, by_zayatz = pitman(sample, population), zayatz(sample, population)
    by_binomial = slide_negative_binomial(sample, population)
    rate, alone, pairs = sample.rows / population, sample.unique, sample.having(2) / 2
    chosen: Estimator
    if counted is not None or population == sample.rows:
        chosen, people = "counted", float(alone if counted is None else counted)
    elif rate <= SMALL:
        chosen, people = "pitman", by_pitman
    elif by_binomial is not None and by_binomial <= by_zayatz:
        chosen, people = "slide_negative_binomial", by_binomial
    else:
        chosen, people = "zayatz", by_zayatz
    right = rate * alone / (rate * alone + 2 * (1 - rate) * pairs) if alone else None
    return PopulationUniqueness(population, rate, by_pitman, by_zayatz, by_binomial, chosen, people, right)
