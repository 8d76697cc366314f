"""The risk of any table, released unchanged: raw, generalized or microaggregated."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Any, get_args

import numpy as np

from tokumei.arrays import Floats, Integers
from tokumei.errors import InvalidParameter
from tokumei.messages import phrase
from tokumei.plain_values import plain_arguments
from tokumei.privacy.guarantee import several_rows
from tokumei.privacy.wildcards import agreements
from tokumei.progress import stage
from tokumei.release.artifact import Release
from tokumei.risk.assessment import Assessment, Meaning, RecordRisks
from tokumei.risk.linking import check_threshold, of_rows, three_attackers
from tokumei.risk.people import counted_rows, people_check, people_of
from tokumei.risk.population import in_population
from tokumei.risk.reading import Reading, one_or_more, read
from tokumei.risk.sensitive import sensitive_check
from tokumei.risk.singling_out.combinations import singling_out
from tokumei.risk.survey import class_weights, individual_risk
from tokumei.risk.uniqueness.population import population_uniqueness
from tokumei.table.cells import STAR
from tokumei.table.frames import to_arrow
from tokumei.table.people import Unit
from tokumei.table.schema import Schema
from tokumei.table.sizes import ClassSizes
from tokumei.text import nearest


@stage("Measuring the risk")
@plain_arguments
def assess(
    frame: Any,
    columns: str | Sequence[str] | Schema | None = None,
    sensitive: str | Sequence[str] | None = None,
    *,
    meaning: Meaning = "own_value",
    star: str | None = STAR,
    population: Any = None,
    weights: str | Sequence[float] | None = None,
    person: str | None = None,
    threshold: float = 0.2,
    largest: int = 3,
) -> Assessment:
    """Measure the risk of a table, released unchanged: raw, generalized, suppressed or microaggregated.

    Cells are compared as they are, so that a generalized table needs no schema; a missing cell is a value.

    Parameters
    ----------
    frame
        A pandas or polars frame or a pyarrow table, one row per person; or a release of generalized rows.
    columns
        What an attacker may know about a person; or a schema, whose quasi-identifiers and sensitive columns are taken. A
        release has them itself.
    sensitive
        Columns whose diversity in the classes is counted. It is counted cell for cell, whatever suppressed cells mean.
    meaning
        ``"own_value"``: a suppressed cell agrees with other suppressed cells only. ``"wildcard"``: it agrees with
        anything. The people whom a row may belong to lie between the two.
    star
        How a suppressed cell is written; none for a missing cell.
    population
        How many people the table was drawn from, to estimate how many of them are unique; or a table of them all, with
        the same columns generalized in the same way, to count them.
    weights
        How many people each row of a survey stands for: a column of the table, or one number per row.
    person
        The column that says whose row each is, where people have several; a schema names it itself. A row is then linked
        to a person if it is believed to be any of the person's. With ``weights``, a journalist's estimated risk of a row is multiplied by
        how many of the agreeing rows are the person's.
    threshold
        Rows linked with a larger probability are counted.
    largest
        Combine up to this many columns when looking for what singles people out.

    Examples
    --------
    >>> import tokumei as tk
    >>> found = tk.assess(tk.example_census(rows=500), ["age", "sex"], "income", population=10_000)
    >>> found.prosecutor.highest == 1 / found.k
    True
    """
    check_threshold(threshold)
    frame, known, secret = _asked(frame, columns, sensitive)
    reading = read(frame, known, secret)
    given = _weights(frame, reading, weights)
    class_size = class_sizes(reading, meaning, star)
    sizes = ClassSizes.of_rows(class_size)
    prosecutor, journalist, marketer = three_attackers(sizes, threshold)
    by_class, several = 1 / class_size, None
    person = _person(frame, columns, person)
    own: Integers | int = 1
    if person is not None:
        if meaning == "wildcard" or population is not None:
            raise InvalidParameter(
                "people with several rows are counted in equivalence classes of the table itself; leave out wildcards "
                "and populations."
            )
        whose = people_of(frame, person, (*known, *secret), _unit(columns, person))
        several, by_class = people_check(whose, reading.labels)
        own = whose.own_within(reading.labels)
        how = counted_rows(whose)
        prosecutor, journalist, marketer = (
            of_rows(each.attacker, by_class, threshold, how) for each in (prosecutor, journalist, marketer)
        )
    if meaning == "wildcard" and not (population is None and given is None):
        raise InvalidParameter(
            "populations and survey weights are about equivalence classes, which wildcards do not have; use meaning='own_value'."
        )
    inside, by_population, uniqueness, survey, by_weights = None, None, None, None, None
    if isinstance(population, float | str | bool):
        raise InvalidParameter("population must be its number of people, a whole number, or a table of them.")
    if population is not None and not isinstance(population, Integral):
        inside, people = in_population(reading, read(population, known))
        by_population = 1 / people
        journalist = of_rows("journalist", by_population, threshold, phrase("Counted in the population."))
        marketer = of_rows(
            "marketer", by_population, threshold, phrase("Counted, if they know everyone in the population.")
        )
        uniqueness = population_uniqueness(sizes, inside.people, inside.unique)
    elif population is not None:
        uniqueness = population_uniqueness(sizes, int(population))
    if given is not None:
        one = individual_risk(reading.sizes, class_weights(given, reading.labels))[reading.labels]
        by_weights = np.minimum(own * one, 1.0)  # each of the rows that agree may be the person's
        survey = of_rows("journalist", by_weights, threshold, phrase("Estimated from the survey weights."))
    found, score = singling_out(known, [reading.codes[name] for name in known], reading.labels, largest)
    return Assessment(
        columns=tuple(known),
        rows=reading.rows,
        meaning=meaning,
        sizes=sizes,
        prosecutor=prosecutor,
        journalist=journalist,
        marketer=marketer,
        survey=survey,
        population=inside,
        uniqueness=uniqueness,
        sensitive={name: sensitive_check(reading, name) for name in secret},
        singling_out=found,
        records=RecordRisks(class_size, by_class, by_population, by_weights, score),
        people=several,
    )


def _person(frame: Any, columns: Any, person: str | None) -> str | None:
    """Return the column that says whose row each is: as given, or as a schema has it."""
    if person is None and isinstance(columns, Schema):
        return next((name for name in columns.names("person") if name in to_arrow(frame)[0].column_names), None)
    return person


def _unit(columns: Any, person: str) -> Unit | None:
    """Say what has several rows, as a schema has it; without one its name does."""
    return columns[person].unit if isinstance(columns, Schema) and person in columns.names() else None


def _asked(
    table: Any, columns: str | Sequence[str] | Schema | None, sensitive: str | Sequence[str] | None
) -> tuple[Any, list[str], list[str]]:
    """Return the frame and what the attacker may know and would like to know of it."""
    schema = columns if isinstance(columns, Schema) else None
    if isinstance(table, Release):
        if table.mechanism.swapping is not None:
            raise InvalidParameter(
                "the equivalence classes of swapped rows say nothing about their risk; rely on the guarantee of the release."
            )
        if table.mechanism.perturbed:
            raise InvalidParameter(
                "the equivalence classes of perturbed rows say nothing about their risk; use tk.assess_release with the original."
            )
        if several_rows(table.guarantees):
            raise InvalidParameter(
                "the release is of people with several rows and does not say whose they are, so its equivalence "
                "classes would understate the risk; rely on its guarantee, which counts people."
            )
        schema = schema or (table.schema if columns is None else None)
        table = table.table
    if schema is not None:
        present = set(to_arrow(table)[0].column_names)
        known = [name for name in schema.names("quasi_identifier") if name in present]
        secret = [name for name in schema.names("sensitive") if name in present]
        if not known:
            raise InvalidParameter("the table has none of the schema's quasi-identifiers.")
        return table, known, secret if sensitive is None else one_or_more(sensitive)
    if columns is None or isinstance(columns, Schema):
        raise InvalidParameter("columns must say what an attacker may know: some columns, or a schema.")
    return table, one_or_more(columns), one_or_more(sensitive or ())


def class_sizes(table: Reading, meaning: Meaning, star: str | None = STAR) -> Integers:
    """Return for each row how many rows agree with it."""
    if meaning not in get_args(Meaning):
        raise InvalidParameter("meaning must be 'own_value' or 'wildcard'. Got {meaning!r}.", meaning=meaning)
    if meaning == "own_value":
        return np.asarray(table.sizes[table.labels])
    cells = np.stack([table.codes[name].astype(np.int64) for name in table.known], axis=1)
    return agreements(cells, table.stars(star), every=True)


def _weights(frame: Any, table: Reading, weights: str | Sequence[float] | None) -> Floats | None:
    if weights is None:
        return None
    if isinstance(weights, str):
        if weights in table.known:
            raise InvalidParameter(
                "the weights {weights!r} are among the columns that an attacker may know.", weights=weights
            )
        arrow = to_arrow(frame)[0]
        if weights not in arrow.column_names:
            raise InvalidParameter(
                "There is no column {weights!r} in the table.{hint}",
                weights=weights,
                hint=nearest(weights, arrow.column_names),
            )
        given: Any = arrow.column(weights).to_numpy(zero_copy_only=False)
    else:
        given = weights
    try:
        numbers = np.asarray(given, dtype=np.float64)
        fits = numbers.shape == (table.rows,)
    except (TypeError, ValueError):
        fits = False
    if not fits:
        raise InvalidParameter("weights must be one number for each row.")
    return numbers
