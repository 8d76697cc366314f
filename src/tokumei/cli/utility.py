"""Commands that measure what methods and routes cost, and the utility they leave."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tokumei.cli.command import (
    DATA,
    JUDGE,
    AsJson,
    DateForm,
    Decimal,
    Delimiter,
    Encoding,
    Ks,
    Missing,
    command,
    print_json,
    say,
)
from tokumei.cli.completion import choices, column, columns
from tokumei.cli.completion import methods as complete_methods
from tokumei.messages import phrase


@command(
    "tokumei compare people.csv --qi age,sex,region --methods generalization,microaggregation --k 2,5,10", panel=JUDGE
)
def compare(
    data: Annotated[Path, typer.Argument(metavar="DATA", help=f"{DATA[:-1]}, or a plan file.")],
    methods: Annotated[
        list[str] | None,
        typer.Option(
            "--methods",
            help="Methods, separated by commas; generalization:mondrian also names the partition, pk_perturbation:tells=2 what rows tell. By default the usual ones.",
            autocompletion=complete_methods,
        ),
    ] = None,
    k: Ks = None,
    qi: Annotated[
        list[str] | None,
        typer.Option(
            "--qi",
            help="Quasi-identifiers: columns that an attacker may know. By default they are guessed.",
            autocompletion=columns,
        ),
    ] = None,
    sensitive: Annotated[
        list[str] | None, typer.Option(help="Columns to release unchanged, in the same form.", autocompletion=columns)
    ] = None,
    target: Annotated[str | None, typer.Option(help="A column that models predict.", autocompletion=column)] = None,
    measure: Annotated[
        str,
        typer.Option(
            help="What to draw: pairs, marginals, associations, told_apart, score, or a loss: loss, ncp or another registered one.",
            autocompletion=choices("tokumei.plots.frontier", "measures"),
        ),
    ] = "pairs",
    rung: Annotated[
        str | None,
        typer.Option(
            help="The rung of the ladder on the axis and in the table, the same attacker for every method: linking, whole_table, "
            "inference, differencing or membership. By default 1/k, against each method's own attacker.",
            autocompletion=choices("tokumei.plots.rung_axis", "RUNGS_ON_AXIS"),
        ),
    ] = None,
    reconstruct: Annotated[bool, typer.Option(help="Also measure each release after reconstruction.")] = True,
    sample: Annotated[
        int | None,
        typer.Option(
            help="On how many rows, drawn at random. By default on as many as take some seconds; give the number of rows for all."
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Where to write, without a file extension: .csv, .html and .svg."),
    ] = None,
    delimiter: Delimiter = None,
    encoding: Encoding = "utf-8",
    missing: Missing = None,
    decimal: Decimal = None,
    dates: DateForm = None,
    overwrite: Annotated[bool, typer.Option(help="Replace existing files.")] = False,
    as_json: AsJson = False,
) -> None:
    """Run several methods on the same table and plot what each costs at the same risk. Releases nothing."""
    from tokumei.cli import comparison as comparing
    from tokumei.cli.words import parse_sizes
    from tokumei.files import sibling
    from tokumei.utility.compare import DEFAULT_K, DEFAULT_METHODS

    paths = comparing.places(output or sibling(data, f"{data.name.split('.')[0]}-compare"), measure, rung, overwrite)
    sizes = parse_sizes(k, DEFAULT_K)
    notes: list[str] = []
    dialect = {"delimiter": delimiter, "missing": ("", *missing) if missing else None, "encoding": encoding}
    dialect |= {"decimal": decimal, "dates": dates}
    source = comparing.rows_and_schema(data, qi or [], sensitive or [], dialect, notes)
    wanted = [part.strip() for text in methods or DEFAULT_METHODS for part in text.split(",")]
    settings = {"target": target, "reconstruct": reconstruct, "sample": sample}
    found = comparing.run(source, wanted, sizes, settings, notes)
    comparing.write(found, measure, paths, overwrite, rung)
    if as_json:
        print_json({"paths": [str(path) for path in paths], "rows": found.to_pylist()})
        return
    for note in dict.fromkeys(notes):
        say(phrase("note: {note}", note=note), err=True)
    comparing.show(found, rung)
    say(
        phrase(
            "Wrote {paths}. They are for the data holder only: they say things about the original.",
            paths=", ".join(map(str, paths)),
        )
    )


@command("tokumei routes plan.toml --target income --k 5,10", panel=JUDGE)
def routes(
    plan: Annotated[
        Path, typer.Argument(metavar="PLAN", help="A plan file; its source and schema are used, its method is not.")
    ],
    target: Annotated[
        str, typer.Option(help="The column to predict, a sensitive one with categories.", autocompletion=column)
    ],
    k: Ks = None,
    cv: Annotated[
        int, typer.Option(help="The number of parts the rows are split into; each is the test set once.")
    ] = 5,
    random_state: Annotated[int, typer.Option(help="For another split and other draws.")] = 0,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Also write the score of every fold to a CSV or Parquet file.")
    ] = None,
    overwrite: Annotated[bool, typer.Option(help="Replace an existing file.")] = False,
    as_json: AsJson = False,
) -> None:
    """Say which route gives the better model at the same k: generalized rows, encoded, or perturbed rows, reconstructed."""
    from tokumei.cli.words import parse_sizes, write_frame
    from tokumei.errors import InvalidParameter
    from tokumei.plan import Plan
    from tokumei.runner import rows_of
    from tokumei.utility.routes import DEFAULT_K as ROUTES_K
    from tokumei.utility.routes import compare_routes

    described = Plan.read(plan)
    if described.prepare:
        raise InvalidParameter("routes compares the columns unprepared; remove the steps of [[prepare]] from the plan.")
    wanted = parse_sizes(k, ROUTES_K)
    if any(each != int(each) for each in wanted):
        raise InvalidParameter("routes generalizes rows, so each k must be a whole number.")
    found = compare_routes(
        rows_of(described),
        described.schema,
        target,
        ks=[int(each) for each in wanted],
        cv=cv,
        random_state=random_state,
    )
    if output is not None:
        write_frame(found.table, output, overwrite=overwrite, private=True)
    if as_json:
        print_json({"scores": found.table.to_pylist()})
    else:
        say(found)
