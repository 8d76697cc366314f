"""The population that a constraint names: opened, and prepared as the table was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tokumei.anonymizers.anonymizer import Survey
from tokumei.errors import DataError, InvalidParameter
from tokumei.messages import message_of
from tokumei.privacy.population_constraints import OfPopulation
from tokumei.privacy.population_places import Population


def opened_population(constraint: OfPopulation, survey: Survey, columns: tuple[str, ...]) -> Population:
    """Read the quasi-identifiers of everyone in the population; its other columns are not looked at."""
    given = constraint.population
    if given is None:
        raise InvalidParameter(
            "{kind} needs the population: a table with the quasi-identifiers, or the path of its file.",
            kind=type(constraint).__name__,
        )
    problem: Any = ""
    try:
        table = survey.prepared(Path(given) if isinstance(given, str) else given, columns)
    except DataError as error:
        problem = message_of(error)
    if problem:
        raise DataError("The population does not fit: {problem}", problem=problem)
    return Population(table, columns)
