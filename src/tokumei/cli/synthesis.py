"""The command for complete rows."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tokumei.cli.command import ANALYST, AsJson, ReleasePath, command, print_json, say
from tokumei.cli.completion import choices, column
from tokumei.messages import phrase


@command("tokumei synthesize people-release -o rows.parquet --copies 20", panel=ANALYST)
def synthesize(
    release: ReleasePath,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Write to this CSV or Parquet file. By default a Parquet file next to the release."
        ),
    ] = None,
    rows: Annotated[
        int | None,
        typer.Option(help="Draw this many rows. By default one row is imputed for each released row, which is better."),
    ] = None,
    copies: Annotated[
        int | None,
        typer.Option(
            help="Make several copies, so that what is uncertain shows; combine estimates by Rubin's rules, in Python with tk.pool."
        ),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(
            help="The column that the rows will be used to explain, if it has categories.", autocompletion=column
        ),
    ] = None,
    weights: Annotated[
        str | None,
        typer.Option(
            help="A column of survey weights that is released unchanged: each row counts for this many people."
        ),
    ] = None,
    random_state: Annotated[int, typer.Option(help="The same number gives the same rows.")] = 0,
    formulas: Annotated[
        str,
        typer.Option(
            help="Cells of a CSV file that a spreadsheet would run: keep them, or quote them.",
            autocompletion=choices("tokumei.release.formulas", "WAYS"),
        ),
    ] = "keep",
    overwrite: Annotated[bool, typer.Option(help="Replace existing files.")] = False,
    as_json: AsJson = False,
) -> None:
    """Complete the rows of a release: rows in the original's columns and types, drawn from what the release leaves open, with a card that says what they are good for."""
    import warnings
    from typing import Any

    from tokumei.errors import TokumeiWarning
    from tokumei.files import sibling
    from tokumei.learning.synthesize import synthesize as complete
    from tokumei.learning.synthesized import check_places
    from tokumei.release.files import read_release
    from tokumei.words import spoken

    place = output or sibling(release.resolve(), f"{release.resolve().name}-rows.parquet")
    way: Any = formulas
    check_places(place, overwrite=overwrite, formulas=way)
    found = read_release(release, frame="pyarrow")
    with warnings.catch_warnings(record=True) as noticed:
        warnings.simplefilter("always", TokumeiWarning)
        made = complete(found, rows, copies, target=target, weights=weights, random_state=random_state)
        written = made.write(place, overwrite=overwrite, formulas=way)
    for notice in noticed:
        if issubclass(notice.category, TokumeiWarning):
            say(phrase("note: {note}", note=notice.message), err=True)
    if as_json:
        print_json({"path": str(place), "files": [str(each) for each in written], "card": made.card.describe()})
        return
    say(phrase("Wrote {path} ({rows:complete row|complete rows}).", path=place, rows=made.frame.num_rows))
    for title, sentences in made.card.lines(spoken()):
        say("\n".join([title, *(f"  • {each}" for each in sentences)]))
    say(phrase("The same stands in {files}.", files=", ".join(str(each) for each in written[1:])))
