"""`ladder`: what a release promises against every kind of attacker, beside its original where the data holder has it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from numbers import Integral
from typing import Any

import pyarrow as pa

from tokumei.errors import DataError, InvalidParameter
from tokumei.privacy.attackers import Anyone, KnowsOnly, KnowsOthers, WholeTable
from tokumei.privacy.people import least_share
from tokumei.privacy.rungs import (
    Before,
    Bound,
    InSample,
    LinkedAlike,
    OriginalAsItIs,
    PopulationComplete,
    Present,
    Rung,
    RungName,
    Said,
    Shares,
    ToldApart,
    nothing,
    worst,
)
from tokumei.progress import stage
from tokumei.release.artifact import Release
from tokumei.release.ladder import Ladder
from tokumei.risk.population import in_population
from tokumei.risk.reading import read
from tokumei.table.canonical import canonical
from tokumei.table.classes import class_of
from tokumei.table.coded import numbered
from tokumei.table.distinct import DistinctRows, distinct_in
from tokumei.table.frames import to_arrow
from tokumei.table.people import People
from tokumei.table.schema import DROPPED, Schema
from tokumei.text import names


@stage("Counting what is promised")
def ladder(release: Release, frame: Any = None, schema: Schema | None = None, *, population: Any = None) -> Ladder:
    """Say what a release promises on each of five rungs: proved, counted, or nothing.

    Parameters
    ----------
    release
        The release, as it was made or read.
    frame
        The original table, for the data holder: each rung then says how it was before.
    schema
        The roles of the original's columns; those of the release without it.
    population
        How many people the table was drawn from, or a table of them all, with the quasi-identifiers generalized like the release:
        how probable it is that a person of the population is in the table.

    Examples
    --------
    >>> import tokumei as tk
    >>> people, schema = tk.example_census(rows=500), tk.example_schema()
    >>> release = tk.anonymize(people, schema, tk.PkPerturbation(k=10, kept="perturb"))
    >>> found = tk.ladder(release, people, schema)
    >>> [rung.name for rung in found.rungs]
    ['linking', 'whole_table', 'inference', 'differencing', 'membership']
    >>> found["whole_table"].how, found["whole_table"].value, found["whole_table"].original.value
    ('proved', 0.1, 1.0)
    >>> found.holds("linking 1/10"), found.holds({"differencing": 0.1})
    (True, False)
    """
    if not isinstance(release, Release):
        raise InvalidParameter("ladder takes a release; read one with tk.read_release.")
    with stage("Counting what is promised"):
        rungs = list(release.rungs)
        original = None if frame is None else to_arrow(frame)[0]
        if original is not None:
            was = original_bounds(original, schema or release.schema)
            rungs = [replace(rung, original=was[rung.name]) for rung in rungs]
        place = next(at for at, rung in enumerate(rungs) if rung.name == "membership")
        rungs[place] = _present(release, rungs[place], original, population)
    return Ladder(tuple(rungs), release.seeded)


def original_bounds(table: pa.Table, schema: Schema) -> dict[RungName, Bound]:
    """Say how each rung would be, were the original released unchanged, shuffled and without identifiers."""
    lacking = [name for name in schema.names("quasi_identifier") if name not in table.column_names]
    if lacking:
        raise DataError(
            "The original has no column {lacking}; is it the table of this release?", lacking=names(lacking)
        )
    released = [a.name for a in schema if a.role not in DROPPED and a.name in table.column_names]
    known = tuple(name for name in released if schema[name].role == "quasi_identifier")
    secret = [name for name in released if schema[name].role == "sensitive"]
    person = next((name for name in schema.names("person") if name in table.column_names), None)
    inferring = KnowsOnly(columns=known)
    rows = distinct_in(table, released)
    return {
        "linking": _linked(table, rows, known, person, KnowsOnly(columns=known)) if known else _nothing(1.0),
        "whole_table": _linked(table, rows, tuple(released), person, WholeTable()),
        "inference": worst(_shares(rows, known, name, inferring) for name in secret) if secret else _nothing(1.0),
        "differencing": nothing(OriginalAsItIs(), KnowsOthers(), None),
        "membership": _nothing(1.0),
    }


def _nothing(value: float) -> Bound:
    return nothing(OriginalAsItIs(), Anyone(), value)


def _linked(
    table: pa.Table, different: DistinctRows, columns: Sequence[str], person: str | None, attacker: Any
) -> Bound:
    if person is None:
        rows = different.smallest(columns)
        k = float(rows)
    else:
        labels = class_of([numbered(canonical(table.column(name))) for name in columns], table.num_rows)
        least = least_share(People.of(numbered(canonical(table.column(person)))), labels)
        k, rows = float(least), int(least)
    said: Said = LinkedAlike(k=k, rows=rows) if k > 1 else ToldApart(columns=tuple(columns))
    return Bound("counted", min(1.0, 1 / k), said, attacker)


def _shares(rows: DistinctRows, known: Sequence[str], name: str, attacker: Any) -> Bound:
    found, overall = rows.shares(known, name), rows.shares((), name)
    said = Shares(
        column=name, largest=found.largest, average=found.average, agreed=found.agreed, overall=overall.largest
    )
    return Bound("counted", found.largest, said, attacker)


def _present(release: Release, rung: Rung, original: pa.Table | None, population: Any) -> Rung:
    """Count who is in the table, of a population or of the original that was sampled."""
    if isinstance(population, float | str | bool):
        raise InvalidParameter("population must be its number of people, a whole number, or a table of them.")
    rows = release.mechanism.population(release.rows) + release.mechanism.left_out
    if isinstance(population, Integral):
        if population < rows:
            raise InvalidParameter(
                "a population of {population:,} cannot have {rows:,} rows drawn from it.",
                population=population,
                rows=rows,
            )
        share = rows / int(population)
        return replace(rung, original=Bound("counted", share, Before(prior=share, people=int(population)), Anyone()))
    known = release.schema.names("quasi_identifier")
    assumes = (PopulationComplete(),)
    if population is not None:
        if release.mechanism.perturbed:
            raise InvalidParameter(
                "a table of the population cannot be compared with perturbed rows; give its number of people."
            )
        found, _ = in_population(read(release.table, known), read(population, known))
        told = Present(smallest=found.presence[0], largest=found.presence[1], people=found.people)
        counted = Bound("counted", found.presence[1], told, KnowsOnly(columns=known), assumes, "membership")
        return replace(rung, bounds=(counted, *rung.bounds))
    sampled = release.mechanism.of is not None and not release.mechanism.perturbed
    if original is not None and sampled and known and not release.prepare:
        found, _ = in_population(read(release.table, known), read(original, known))
        drawn = InSample(smallest=found.presence[0], largest=found.presence[1], people=found.people)
        counted = Bound("counted", found.presence[1], drawn, KnowsOnly(columns=known), (), "membership")
        return replace(rung, bounds=(counted, *rung.bounds))
    return rung
