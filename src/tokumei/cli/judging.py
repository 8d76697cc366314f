"""Commands that look at a table and a plan before anything leaves the house."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from tokumei.cli.command import (
    DATA,
    JUDGE,
    AsJson,
    Data,
    DateForm,
    Decimal,
    Delimiter,
    Encoding,
    Known,
    Ks,
    Largest,
    Missing,
    Person,
    PlanPath,
    Sensitive,
    command,
    print_json,
    say,
)
from tokumei.cli.completing import choices, column, columns
from tokumei.cli.completing import methods as complete_methods

if TYPE_CHECKING:
    from tokumei.risk.collation import Statistics


@command("tokumei attack plan.toml", panel=JUDGE)
def attack(
    plan: PlanPath,
    seed: Annotated[int | None, typer.Option(help="Makes the drawn release repeatable.")] = None,
    as_json: AsJson = False,
) -> None:
    """Draw a release by a plan, attack it with all the knowledge there is, and count the right links. Writes nothing."""
    from dataclasses import asdict

    from tokumei.plan import Plan
    from tokumei.risk.attack import attack as play
    from tokumei.runner import rows_of

    described = Plan.read(plan)
    found = play(rows_of(described), described.method, described.schema, described.prepare, seed)
    if as_json:
        print_json(asdict(found))
    else:
        say(str(found))


@command("tokumei collation generalized.toml --statistics counts --groups 500", panel=JUDGE)
def collation(
    plan: Annotated[
        Path, typer.Argument(metavar="PLAN", help="A plan file with a method that makes rows alike: generalization.")
    ],
    statistics: Annotated[
        str,
        typer.Option(
            help="What is published beside the rows: rates, or for each group counts or moments.",
            autocompletion=choices("tokumei.risk.collation", "Statistics"),
        ),
    ] = "rates",
    kept: Annotated[bool, typer.Option(help="Compare columns released as they are, too.")] = False,
    groups: Annotated[int | None, typer.Option(help="Look at so many groups only, drawn at random.")] = None,
    effort: Annotated[
        int | None, typer.Option(help="Steps of the search in a group before it is left undecided.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Makes the release and the draw of groups repeatable.")] = None,
    as_json: AsJson = False,
) -> None:
    """Make a release by a plan, and count the groups that can be resolved to original rows. Writes nothing."""
    from dataclasses import asdict

    from tokumei.plan import Plan
    from tokumei.risk.collation import EFFORT, collation_check
    from tokumei.runner import rows_of

    described, published = Plan.read(plan), cast("Statistics", statistics)
    steps = EFFORT if effort is None else effort
    found = collation_check(
        rows_of(described), described.method, described.schema, described.prepare, published, kept, groups, steps, seed
    )
    if as_json:
        print_json(asdict(found))
    else:
        say(str(found))


@command("tokumei check people.csv --qi age,sex,region --sensitive income", panel=JUDGE)
def check(
    data: Data,
    qi: Known,
    sensitive: Sensitive = None,
    person: Person = None,
    at_risk_below: Annotated[int, typer.Option(help="Rows in smaller classes count as at risk.")] = 5,
    largest: Largest = 3,
    delimiter: Delimiter = None,
    encoding: Encoding = "utf-8",
    missing: Missing = None,
    decimal: Decimal = ".",
    dates: DateForm = None,
    as_json: AsJson = False,
) -> None:
    """Say how alike the rows of a table are: k, l, t, who is alone, and by which columns. Needs no plan."""
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
        say(str(found))


@command("tokumei sizes parts/ --qi age,sex,region --memory 1GB", panel=JUDGE)
def sizes(
    data: Annotated[
        Path, typer.Argument(metavar="FILES", help="CSV or Parquet: a file, a folder, or a pattern in quotes.")
    ],
    qi: Known,
    memory: Annotated[str, typer.Option(help="About how much memory to take.")] = "1GB",
    delimiter: Annotated[str, typer.Option(help="What separates the fields of a CSV file.")] = ",",
    encoding: Encoding = "utf-8",
    missing: Annotated[list[str] | None, typer.Option(help="How an absent cell is written. May be repeated.")] = None,
    as_json: AsJson = False,
) -> None:
    """Count the classes of rows that agree in some columns, in files of any size."""
    from tokumei.engines.stream.class_sizes import class_sizes

    columns = [name.strip() for given in qi for name in given.split(",")]
    absent = ("", *missing) if missing else ("",)
    found = class_sizes(data, columns, memory, delimiter=delimiter, missing=absent, encoding=encoding)
    if as_json:
        print_json(found.facts())
    else:
        say(str(found))


@command(
    "tokumei compare people.csv --qi age,sex,region --methods generalization,microaggregation --k 2,5,10", panel=JUDGE
)
def compare(
    data: Annotated[Path, typer.Argument(metavar="DATA", help=f"{DATA[:-1]}, or a plan file.")],
    methods: Annotated[
        list[str] | None,
        typer.Option(
            "--methods",
            help="Methods, separated by commas; generalization:mondrian names the partition too. Without it the usual ones.",
            autocompletion=complete_methods,
        ),
    ] = None,
    k: Ks = None,
    qi: Annotated[
        list[str] | None,
        typer.Option("--qi", help="Columns that somebody may know; guessed without it.", autocompletion=columns),
    ] = None,
    sensitive: Annotated[
        list[str] | None, typer.Option(help="Columns to keep as they are, in the same way.", autocompletion=columns)
    ] = None,
    target: Annotated[
        str | None, typer.Option(help="A column that models are to predict.", autocompletion=column)
    ] = None,
    measure: Annotated[
        str,
        typer.Option(
            help="What to draw: pairs, marginals, associations, told_apart, score, loss or ncp.",
            autocompletion=choices("tokumei.plots.frontier", "MEASURES"),
        ),
    ] = "pairs",
    reconstruct: Annotated[bool, typer.Option(help="Also measure releases with their noise undone.")] = True,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Where to write, without an ending: .csv, .html and .svg.")
    ] = None,
    delimiter: Delimiter = None,
    encoding: Encoding = "utf-8",
    missing: Missing = None,
    decimal: Decimal = ".",
    dates: DateForm = None,
    overwrite: Annotated[bool, typer.Option(help="Replace older files.")] = False,
    as_json: AsJson = False,
) -> None:
    """Run several methods on the same table and draw what each costs for the same risk. Releases nothing."""
    from tokumei.cli import comparing
    from tokumei.cli.words import parse_sizes
    from tokumei.files import beside
    from tokumei.utility.compare import DEFAULT_K, DEFAULT_METHODS

    paths = comparing.places(output or beside(data, f"{data.name.split('.')[0]}-compare"), measure, overwrite)
    sizes = parse_sizes(k, DEFAULT_K)
    notes: list[str] = []
    dialect = {"delimiter": delimiter, "missing": ("", *missing) if missing else None, "encoding": encoding}
    dialect |= {"decimal": decimal, "dates": dates}
    source = comparing.rows_and_schema(data, qi or [], sensitive or [], dialect, notes)
    wanted = [part.strip() for text in methods or DEFAULT_METHODS for part in text.split(",")]
    settings = {"target": target, "reconstruct": reconstruct}
    found = comparing.run(source, wanted, sizes, settings, notes)
    comparing.write(found, measure, paths, overwrite)
    if as_json:
        print_json({"paths": [str(path) for path in paths], "rows": found.to_pylist()})
        return
    for note in dict.fromkeys(notes):
        say(f"note: {note}", err=True)
    comparing.show(found)
    say(f"Wrote {', '.join(str(path) for path in paths)}. They are yours: they say things about the original.")
