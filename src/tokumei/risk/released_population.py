"""A release in a population that its recipient has: k-map and δ-presence, counted again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tokumei.errors import DataError, InvalidParameter
from tokumei.messages import message_of
from tokumei.privacy.population import InPopulation
from tokumei.privacy.population import in_population as counted
from tokumei.privacy.population_places import Population, finer
from tokumei.progress import stage
from tokumei.release.artifact import Release
from tokumei.table.coded import encode
from tokumei.table.frames import to_arrow
from tokumei.table.schema import Schema


@stage("Counting in the population")
def in_population(release: Release, population: Any) -> InPopulation:
    """Count how many people of a population each released row may belong to, and how well it can be told who is in the table.

    This is how `KMap` and `DeltaPresence` are counted, for a recipient who has the population: `read_release` cannot count them.

    Parameters
    ----------
    release
        A release of rows that were generalized, or left out: its cells must say what they stand for.
    population
        Everyone whom the rows may belong to, once each: a frame with the quasi-identifiers, as they were before they were generalized.

    Examples
    --------
    >>> import tokumei as tk
    >>> register = tk.example_census(rows=2000)
    >>> method = tk.Generalization(k=3, constraints=[tk.constraints.KMap(5, register)])
    >>> release = tk.anonymize(register.head(600), tk.example_schema(), method, seed=1)
    >>> tk.disclosure.in_population(release, register).k_map == release.guarantees[1].value
    True
    """
    made = release.mechanism
    columns = release.schema.names("quasi_identifier")
    if made.perturbed or made.averaging is not None or made.swapping is not None or made.of is not None or not columns:
        raise InvalidParameter(
            "in_population is for generalized rows, whose cells say which people of a population they may belong to."
        )
    if release.suppressed.any():
        raise InvalidParameter(
            "in_population cannot count suppressed rows: whom their stars may stand for depends on all other rows. With KMap or "
            "DeltaPresence among the constraints, they are left out."
        )
    before = Schema(tuple(replace(release.original(name), name=name, role="quasi_identifier") for name in columns))
    rows = to_arrow(population)[0]
    problem: Any = ""
    try:
        people = encode(rows.select([name for name in columns if name in rows.column_names]), before)
    except DataError as error:
        problem = message_of(error)
    if problem:
        raise DataError("The population does not fit: {problem}", problem=problem)
    for name in columns:
        exact = made.recoding is None or name not in made.recoding.columns or made.recoding.columns[name].exact
        if people.rounded.get(name) or release.coded.rounded.get(name) or not exact:
            raise finer(name)
    return counted(Population(people, columns), release.coded, columns, made.recoding, made.left_out)
