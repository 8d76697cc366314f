"""Commands that examine a table or a plan before anything is released."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from tokumei.cli.command import (
    JUDGE,
    AsJson,
    Data,
    DateForm,
    Decimal,
    Delimiter,
    Encoding,
    Known,
    Largest,
    Missing,
    Person,
    PlanPath,
    Sensitive,
    command,
    print_json,
    say,
)
from tokumei.cli.completion import choices

if TYPE_CHECKING:
    from tokumei.risk.collation import Statistics


@command("tokumei attack plan.toml", panel=JUDGE)
def attack(
    plan: PlanPath,
    random_state: Annotated[int | None, typer.Option(help="Makes the release drawn for the attack repeatable.")] = None,
    as_json: AsJson = False,
) -> None:
    """Draw a release from a plan, attack it with all possible knowledge, and count the correct links. Writes nothing."""
    from dataclasses import asdict

    from tokumei.plan import Plan
    from tokumei.risk.attack import attack as play
    from tokumei.runner import rows_of

    described = Plan.read(plan)
    found = play(rows_of(described), described.method, described.schema, described.prepare, random_state)
    if as_json:
        print_json(asdict(found))
    else:
        say(found)


@command("tokumei collation generalized.toml --statistics counts --groups 500", panel=JUDGE)
def collation(
    plan: Annotated[Path, typer.Argument(metavar="PLAN", help="A plan file with the method generalization.")],
    statistics: Annotated[
        str,
        typer.Option(
            help="What is published with the rows: rates, or for each group counts or moments.",
            autocompletion=choices("tokumei.risk.collation", "Statistics"),
        ),
    ] = "rates",
    kept: Annotated[bool, typer.Option(help="Also compare the columns released unchanged.")] = False,
    groups: Annotated[int | None, typer.Option(help="Look at only this many groups, drawn at random.")] = None,
    effort: Annotated[
        int | None, typer.Option(help="Steps of the search in a group before it is left undecided.")
    ] = None,
    random_state: Annotated[
        int | None, typer.Option(help="Makes the release and the choice of groups repeatable.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make a release from a plan, and count the groups that can be resolved to original rows. Writes nothing."""
    from dataclasses import asdict

    from tokumei.plan import Plan
    from tokumei.risk.collation import EFFORT, collation_check
    from tokumei.runner import rows_of

    described, published = Plan.read(plan), cast("Statistics", statistics)
    steps = EFFORT if effort is None else effort
    found = collation_check(
        rows_of(described),
        described.method,
        described.schema,
        described.prepare,
        published,
        kept,
        groups,
        steps,
        random_state,
    )
    if as_json:
        print_json(asdict(found))
    else:
        say(found)


@command("tokumei check people.csv --qi age,sex,region --sensitive income", panel=JUDGE)
def check(
    data: Data,
    qi: Known,
    sensitive: Sensitive = None,
    person: Person = None,
    at_risk_below: Annotated[int, typer.Option(help="Rows in smaller equivalence classes count as at risk.")] = 5,
    largest: Largest = 3,
    delimiter: Delimiter = None,
    encoding: Encoding = "utf-8",
    missing: Missing = None,
    decimal: Decimal = None,
    dates: DateForm = None,
    as_json: AsJson = False,
) -> None:
    """Measure a table: k, l, t, how many records are unique, and by which columns. Needs no plan."""
    from dataclasses import asdict

    from tokumei.cli.words import parse_columns
    from tokumei.io.source import read_to_draft
    from tokumei.risk.check import check as count

    table, _ = read_to_draft(data, delimiter, ("", *missing) if missing else None, encoding, decimal, dates)
    known, secret = (parse_columns(given, table.column_names) for given in (qi, sensitive or []))
    found = count(table, known, secret, at_risk_below, largest, person)
    if as_json:
        print_json(asdict(found))
    else:
        say(found)


@command("tokumei sizes parts/ --qi age,sex,region --memory 1GB", panel=JUDGE)
def sizes(
    data: Annotated[
        Path, typer.Argument(metavar="FILES", help="CSV or Parquet: a file, a folder, or a pattern in quotes.")
    ],
    qi: Known,
    memory: Annotated[str, typer.Option(help="About how much memory to use.")] = "1GB",
    delimiter: Annotated[str, typer.Option(help="What separates the fields of a CSV file.")] = ",",
    encoding: Encoding = "utf-8",
    missing: Annotated[list[str] | None, typer.Option(help="How a missing cell is written. May be repeated.")] = None,
    as_json: AsJson = False,
) -> None:
    """Count the equivalence classes of some columns, in files of any size."""
    from tokumei.engines.stream.class_sizes import class_sizes

    columns = [name.strip() for given in qi for name in given.split(",")]
    absent = ("", *missing) if missing else ("",)
    found = class_sizes(data, columns, memory, delimiter=delimiter, missing=absent, encoding=encoding)
    if as_json:
        print_json(found.facts())
    else:
        say(found)
