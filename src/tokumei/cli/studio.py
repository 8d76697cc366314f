"""`tokumei studio`."""

from __future__ import annotations

from typing import Annotated

import typer

from tokumei.cli.command import START, Encoding, command, say


@command("tokumei studio people.csv", panel=START, ends=False)
def studio(
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="DATA",
            help="A CSV, Parquet or Excel file, a database such as sqlite:///people.db, or a plan, to open first.",
        ),
    ] = None,
    table: Annotated[str | None, typer.Option(help="The table in the database.")] = None,
    encoding: Encoding = "utf-8",
    port: Annotated[int, typer.Option(help="The port to listen on, on this computer; 0 picks a free one.")] = 0,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the link and do not open a browser.")] = False,
) -> None:
    """Open the studio: see the risk, choose a method, compare and export, in a browser on this computer only."""
    from tokumei.studio.server import serve

    serve(source, table, encoding=encoding, port=port, browser=not no_browser, say=say)
