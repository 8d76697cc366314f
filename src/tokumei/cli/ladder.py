"""`tokumei promises`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from tokumei.cli.command import JUDGE, AsJson, Delimiter, Encoding, ReleasePath, command, print_json, say


@command("tokumei promises people-release --original people.csv --duty 'linking 1/10, inference 3/4'", panel=JUDGE)
def promises(
    release: ReleasePath,
    original: Annotated[
        Path | None, typer.Option(help="The original table, to see how each rung was before; for the data holder.")
    ] = None,
    duty: Annotated[
        str | None,
        typer.Option(
            help="What is allowed at most on some rungs, such as 'linking 1/10, inference 3/4'; exit code 1 if one fails."
        ),
    ] = None,
    population: Annotated[int | None, typer.Option(help="The number of people from whom the table was drawn.")] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Also draw it: an .svg, .png or .html file to write.")
    ] = None,
    overwrite: Annotated[bool, typer.Option(help="Replace an existing picture.")] = False,
    delimiter: Delimiter = None,
    encoding: Encoding = "utf-8",
    as_json: AsJson = False,
) -> None:
    """Say what a release promises against every kind of attacker: proved, counted, or nothing."""
    from tokumei.cli.words import Terminal, show_ladder
    from tokumei.files import check_free
    from tokumei.io.source import read_to_draft
    from tokumei.privacy.duties import read_duties
    from tokumei.release.files import read_release
    from tokumei.risk.ladder import ladder
    from tokumei.words import spoken

    duties = read_duties(duty)
    if output is not None:
        check_free(output, overwrite=overwrite)
    found = read_release(release, frame="pyarrow")
    frame: Any = None if original is None else read_to_draft(original, delimiter, None, encoding)[0]
    made = ladder(found, frame, population=population)
    words = spoken()
    kept = made.duties(duties)
    if output is not None:
        from tokumei import plots

        drawn = plots.ladder(made.bars(words), title=words("ladder.title"), axis=words("ladder.chart"))
        plots.save(drawn, output, overwrite=overwrite)
    if as_json:
        print_json(
            {
                "path": str(release),
                **made.describe(),
                "duties": [vars(each) for each in kept],
                "holds": made.holds(duties),
            }
        )
    else:
        show_ladder(made, kept, Terminal(), words)
        if output is not None:
            say(words("cli.wrote_files", files=str(output)))
    if not made.holds(duties):
        raise typer.Exit(1)
