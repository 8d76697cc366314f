"""`tokumei recommend`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from tokumei.cli.command import (
    DATA,
    START,
    AsJson,
    CodebookFile,
    DateForm,
    Decimal,
    Delimiter,
    Encoding,
    Missing,
    Person,
    command,
    print_json,
    say,
)
from tokumei.cli.completion import columns


@command(
    "tokumei recommend people.csv --duty 'linking 1/10, inference 9/10' --purpose tables",
    panel=START,
)
def recommend(
    data: Annotated[Path, typer.Argument(metavar="DATA", help=f"{DATA[:-1]}, or a plan file.")],
    duty: Annotated[
        str,
        typer.Option(help="What is allowed at most on which rung, such as 'linking 1/10, inference 3/4'."),
    ] = "linking 1/10",
    purpose: Annotated[str, typer.Option(help="What the release is for: tables, records, or model:COLUMN.")] = "tables",
    qi: Annotated[
        list[str] | None,
        typer.Option(
            "--qi",
            help="Quasi-identifiers: columns that an attacker may know; columns not named are then left out. By default they are guessed.",
            autocompletion=columns,
        ),
    ] = None,
    sensitive: Annotated[
        list[str] | None, typer.Option(help="Sensitive columns, in the same form.", autocompletion=columns)
    ] = None,
    known: Annotated[int | None, typer.Option(help="How many people an attacker knows, to try sampling too.")] = None,
    look: Annotated[
        bool,
        typer.Option(
            help="Try methods on the rows; --no-look chooses from public numbers alone, so that an epsilon holds."
        ),
    ] = True,
    sample: Annotated[
        int | None, typer.Option(help="On how many rows methods are tried. By default on as many as take some seconds.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Where to write, without a file extension: .toml, .html, .approval.en.txt and .approval.ja.txt.",
        ),
    ] = None,
    delimiter: Delimiter = None,
    encoding: Encoding = "utf-8",
    missing: Missing = None,
    decimal: Decimal = None,
    dates: DateForm = None,
    codebook: CodebookFile = None,
    person: Person = None,
    overwrite: Annotated[bool, typer.Option(help="Replace existing files.")] = False,
    as_json: AsJson = False,
) -> None:
    """Say which method and which k suit your table, with the reason, a plan to run and a paragraph for the approval file.

    Every method that can meet the duties is tried on your table and ranked by the purpose, as released and after reconstruction. Nothing is
    released. Exit code 1 if no method meets the duties; the nearest that can be met is then named.
    """
    from tokumei.cli.words import typed
    from tokumei.reports.recommending.recommend import recommend as recommended
    from tokumei.words import spoken

    words = spoken()
    place = output or data.parent / "recommended"
    place = place.with_suffix("") if place.suffix in {".toml", ".html"} else place
    files = [place.parent / f"{place.name}{ending}" for ending in ENDINGS]
    _check(files, overwrite)
    dialect = {"delimiter": delimiter, "missing": ("", *missing) if missing else None, "encoding": encoding}
    plan = _plan(data, qi or [], sensitive or [], {**dialect, "decimal": decimal, "dates": dates}, codebook, person)
    found = recommended(plan, None, duty, purpose, known=known, look=look, sample=sample)
    wrote = found.write(place.parent, name=place.name, overwrite=overwrite, language=words.language)
    if as_json:
        print_json({"paths": [str(each) for each in wrote], **found.describe()})
    else:
        _show(found)
        listed = ", ".join(map(str, wrote))
        if found.chosen is None:
            say(words("recommend.wrote_no_plan", files=listed))
        else:
            say(words("recommend.wrote", files=listed, command=typed("anonymize", files[0])))
        say(words("recommend.holder_only"))
    if found.chosen is None:
        raise typer.Exit(1)


ENDINGS = (".toml", ".html", ".approval.en.txt", ".approval.ja.txt")


def _check(files: list[Path], overwrite: bool) -> None:
    """Refuse before the work what could not be written after it."""
    from tokumei.files import check_free

    for each in files:
        check_free(each, overwrite=overwrite)


def _plan(
    data: Path,
    known: list[str],
    sensitive: list[str],
    dialect: dict[str, Any],
    codebook: Path | None,
    person: str | None,
) -> Any:
    """Read a plan, or draft one for a table."""
    from tokumei.cli.words import parse_columns
    from tokumei.errors import InvalidParameter
    from tokumei.io.source import read_to_draft
    from tokumei.plan import Plan
    from tokumei.reports.recommending.drafted import drafted
    from tokumei.text import names

    if data.suffix.lower() == ".toml":
        if known or sensitive:
            raise InvalidParameter("a plan already gives the roles of columns; leave out --qi and --sensitive.")
        unlike = {**dialect, "codebook": codebook, "person": person, "encoding": dialect["encoding"] != "utf-8"}
        if given := [f"--{name}" for name, each in unlike.items() if each]:
            raise InvalidParameter(
                "a plan already says how its rows are read; leave out {options}.", options=names(given)
            )
        return Plan.read(data)
    there = read_to_draft(data, **dialect)[0].column_names if known or sensitive else []
    return drafted(
        data, parse_columns(known, there), parse_columns(sensitive, there), **dialect, codebook=codebook, person=person
    )


def _show(found: Any) -> None:
    from rich.table import Table

    from tokumei.cli.words import Terminal, cell
    from tokumei.words import spoken

    console, words = Terminal(), spoken()
    for line in found.summary(words):
        console.print(line, markup=False)
    head, *lines = found.table(words, every=False)
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    widths = _widths([head, *lines], console.width)
    for place, (title, width) in enumerate(zip(head, widths, strict=True)):
        table.add_column(title, overflow="fold", justify="left" if place < 2 else "right", width=width)
    for line in lines:
        table.add_row(*map(cell, line))
    console.print(table)
    for line in found.impossible(words):
        console.print(f"  • {line}", markup=False)


def _widths(lines: list[tuple[str, ...]], room: int) -> list[int]:
    """Return how wide each column is shown: numbers in full under titles of several lines, and the methods in the room that is left."""
    from rich.cells import cell_len

    head, *body = lines
    widths = []
    for place, title in enumerate(head):
        word = min(WIDEST_WORD, max(map(cell_len, title.split()), default=0))
        widths.append(max([word, *(cell_len(line[place]) for line in body)]))
    left = room - sum(width + 1 for place, width in enumerate(widths) if place != 1)
    widths[1] = max(NARROWEST, min(widths[1], left - 1))
    return widths


WIDEST_WORD = 17  # of a title: quasi-identifiers
NARROWEST = 15  # that methods are shown in, whatever the terminal
