"""Who might try, before and after: what each attacker can do with the table and with its release, given what is known of the population."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow as pa

from tokumei.arrays import Floats
from tokumei.errors import DataError, InvalidParameter, TokumeiError
from tokumei.messages import message_of
from tokumei.release.artifact import Release
from tokumei.results import Result
from tokumei.risk.linking import Attacker, of_rows, of_sizes
from tokumei.risk.population import in_population
from tokumei.risk.reading import Reading, read
from tokumei.risk.released_population import in_population as release_in_population
from tokumei.risk.releases import classes_of
from tokumei.risk.survey import class_weights, individual_risk
from tokumei.risk.uniqueness.population import PopulationUniqueness, population_uniqueness
from tokumei.studio.session.drawn import Drawn
from tokumei.studio.session.population import Population
from tokumei.studio.session.risk_after import counted_in_classes
from tokumei.table.schema import Schema
from tokumei.table.sizes import ClassSizes
from tokumei.utility.compare import linking_k

Grounds = Literal["counted", "estimated", "at_most", "proved", "nothing"]
ATTACKERS: tuple[Attacker, ...] = ("prosecutor", "journalist", "marketer")
THRESHOLD = 0.2


@dataclass(frozen=True)
class Chance(Result):
    """What one attacker can do: the largest and the mean probability of a correct link, and on what grounds that is said.

    ``"at_most"``: nothing is known of the population, and in it a person hides among at least as many as in the table.
    """

    attacker: Attacker
    highest: float
    average: float | None
    grounds: Grounds


@dataclass(frozen=True)
class Tries(Result):
    """What every attacker can do with a table, or with a release.

    Attributes
    ----------
    chances
        The prosecutor, the journalist and the marketer.
    sizes
        How many rows are in classes of each size, where classes show the risk.
    unique
        How many people of the population are unique, where that can be said.
    problem
        Why what was said of the population could not be used, if it could not.
    """

    chances: tuple[Chance, ...]
    sizes: ClassSizes | None
    unique: PopulationUniqueness | None = None
    problem: TokumeiError | None = None


def tries_before(
    rows: pa.Table, schema: Schema, sizes: ClassSizes, population: Population | None, people: pa.Table | None
) -> Tries:
    """Return what attackers can do with the table, were it released unchanged."""
    known = [name for name in schema.names("quasi_identifier") if name in rows.column_names]
    if population is None or schema.names("person"):  # people with several rows are counted in the table itself
        return Tries(_alone(sizes), sizes)
    try:
        reading = read(rows, known)
        if population.told == "table":
            inside, among = in_population(reading, _reading(people, known))
            unique = population_uniqueness(sizes, inside.people, inside.unique)
            return Tries(_with(sizes, 1 / among, "counted"), sizes, unique)
        weights = population.weights(rows)
        assert weights is not None
        unique = population_uniqueness(sizes, max(round(float(weights.sum())), sizes.rows))
        return Tries(_with(sizes, _estimated(reading, weights), "estimated"), sizes, unique)
    except TokumeiError as error:
        return Tries(_alone(sizes), sizes, problem=error)


def tries_after(
    drawn: Drawn, rows: pa.Table, schema: Schema, population: Population | None, people: pa.Table | None
) -> Tries:
    """Return what attackers can do with a release: counted in its classes where rows were generalized, else as it is proved."""
    release = drawn.release
    if not counted_in_classes(release):
        k = linking_k(release)
        grounds: Grounds = "nothing" if k is None else "proved"
        return Tries(tuple(Chance(each, 1 / (k or 1.0), None, grounds) for each in ATTACKERS), None)
    sizes = classes_of(release.table, release.schema)
    if population is None or schema.names("person"):
        return Tries(_alone(sizes), sizes)
    try:
        if population.told == "table":
            found = release_in_population(release, _given(people))
            first, _, last = _alone(sizes)
            journalist = Chance("journalist", 1 / found.k_map, None, "counted")
            return Tries((first, journalist, Chance(last.attacker, 1 / found.k_map, None, "counted")), sizes)
        weights = population.weights(rows)
        assert weights is not None
        known = [name for name in release.schema.names("quasi_identifier") if name in release.table.column_names]
        risks = _estimated(read(release.table, known), weights[drawn.made.order])
        return Tries(_with(sizes, risks, "estimated"), sizes)
    except TokumeiError as error:
        return Tries(_alone(sizes), sizes, problem=error)


def unique_rows(table: pa.Table, sets: Sequence[Sequence[str]]) -> list[int | None]:
    """Count the rows that are unique in each set of columns; none where the table does not have them all."""
    found: list[int | None] = []
    for columns in sets:
        if not columns or not set(columns) <= set(table.column_names):
            found.append(None)
            continue
        sizes = read(table, list(columns)).sizes
        found.append(int(np.count_nonzero(sizes == 1)))
    return found


def uniques_after(release: Release, sets: Sequence[Sequence[str]]) -> list[int | None] | None:
    """Count the rows of a release that are unique in each set of columns; none where its rows were perturbed and look unique at random."""
    return unique_rows(release.table, sets) if counted_in_classes(release) else None


def _given(people: pa.Table | None) -> pa.Table:
    """Return the table of the population; projects do not keep it."""
    if people is None:
        raise DataError("The table of the population is not kept; hand it over again.")
    return people


def _reading(people: pa.Table | None, known: Sequence[str]) -> Reading:
    problem: str = ""
    try:
        return read(_given(people), known)
    except InvalidParameter as error:
        problem = message_of(error)
    raise DataError("The population does not fit: {problem}", problem=problem)


def _alone(sizes: ClassSizes) -> tuple[Chance, ...]:
    """Return what can be said without a population: the prosecutor's chances, which bound the journalist's."""
    found = of_sizes("prosecutor", sizes, THRESHOLD, "")
    grounds: tuple[Grounds, ...] = ("counted", "at_most", "at_most")
    return tuple(Chance(each, found.highest, found.average, how) for each, how in zip(ATTACKERS, grounds, strict=True))


def _with(sizes: ClassSizes, risks: Floats, grounds: Grounds) -> tuple[Chance, ...]:
    """Return what attackers can do whose knowledge of the population gives each row a risk of its own."""
    first, *_ = _alone(sizes)
    found = of_rows("journalist", np.asarray(risks), THRESHOLD, "")
    return (first, *(Chance(each, found.highest, found.average, grounds) for each in ATTACKERS[1:]))


def _estimated(reading: Reading, weights: Floats) -> Floats:
    risks: Floats = individual_risk(reading.sizes, class_weights(weights, reading.labels))[reading.labels]
    return risks
