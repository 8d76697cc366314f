"""`tokumei report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from tokumei.cli.command import JUDGE, command, print_json, say
from tokumei.cli.completion import choices, column


@command("tokumei report plan.toml -o report.html --approver 'A. Name'", panel=JUDGE)
def report(
    subject: Annotated[Path, typer.Argument(metavar="PLAN-OR-RELEASE", help="A plan file, or a release folder.")],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="The HTML file to write. By default report.html, or public-report.html if it is public.",
        ),
    ] = None,
    public: Annotated[
        bool, typer.Option("--public", help="Leave out everything that only the data holder may see.")
    ] = False,
    language: Annotated[
        str | None, typer.Option(help="en or ja.", autocompletion=choices("tokumei.words", "Language"))
    ] = None,
    pdf: Annotated[
        bool, typer.Option("--pdf", help="Also print it to a PDF file, using an installed browser.")
    ] = False,
    approver: Annotated[
        str | None,
        typer.Option(help="Who approves the release; a record for the data holder is written next to the report."),
    ] = None,
    target: Annotated[
        str | None, typer.Option(help="A column that models predict, to see how well they do.", autocompletion=column)
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(help="What the table is called in the report; a public report has no name without it."),
    ] = None,
    overwrite: Annotated[bool, typer.Option(help="Replace existing files.")] = False,
    random_state: Annotated[int | None, typer.Option(help="Makes the draws for the report repeatable.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for scripts instead of text.")] = False,
) -> None:
    """Report on a plan (private, with risk and utility) or a release (public) as one HTML file to read, print and keep."""
    import warnings

    from tokumei.errors import InvalidParameter, TokumeiWarning
    from tokumei.files import check_free
    from tokumei.reports.browser import find_browser
    from tokumei.reports.report import report as make
    from tokumei.words import spoken

    if output is None:  # a public report never stands where a private one did
        output = Path("public-report.html" if public or subject.is_dir() else "report.html")
    if output.suffix.lower() not in {".html", ".htm"}:
        raise InvalidParameter("{output} must end in .html.", output=output)
    check_free(output, overwrite=overwrite)
    if pdf:
        find_browser()
    wanted: Any = language or spoken().language
    with warnings.catch_warnings(record=True) as noticed:
        warnings.simplefilter("always", TokumeiWarning)
        made = make(
            subject,
            public=public,
            language=wanted,
            approver=approver,
            target=target,
            random_state=random_state,
            name=name,
        )
    written = made.write(output, overwrite=overwrite, pdf=pdf)
    if as_json:
        print_json({"public": made.public, "files": [str(path) for path in written]})
        return
    words = spoken()
    for notice in noticed:
        if issubclass(notice.category, TokumeiWarning):
            say(words("cli.note", note=words.say(notice.message)), err=True)
    whose = words("cli.report_public" if made.public else "cli.report_private")
    files = ", ".join(map(str, written))
    say(words.join([words("cli.wrote_files", files=files), whose, words("cli.open", file=str(written[0]))]))
