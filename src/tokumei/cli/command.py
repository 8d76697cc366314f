"""The application: how a function becomes a command, and what options mean everywhere."""

from __future__ import annotations

import functools
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

import tokumei
from tokumei.cli.completion import choices, column, columns
from tokumei.errors import TokumeiError, TokumeiWarning
from tokumei.memory import within_memory
from tokumei.messages import said_in, spoken_language
from tokumei.progress import clear, stage
from tokumei.shown import shown

app = typer.Typer(
    name="tokumei",
    help="Release personal microdata with a proven guarantee, and still get the right answers from it.",
    epilog="Start with: tokumei demo. Then: tokumei init data.csv; tokumei anonymize plan.toml; tokumei inspect "
    "RELEASE. Exit codes: 0 success, 1 a problem that the message explains, 2 wrong usage, 130 "
    "interrupted.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


IMPORTS = 0.6  # seconds that starting takes at most

# What the list of commands is divided into.
START = "Start here"
HOLDER = "From a table to a release"
JUDGE = "Before you release anything"
ANALYST = "From a release to answers"


@contextmanager
def noting(told: Callable[[TokumeiWarning], None]) -> Iterator[None]:
    """Tell warnings of ours that nobody else hears, each once, in words and not as Python shows them."""
    shown_by_python, before = warnings.showwarning, set[str]()

    def show(message: Any, category: Any, *where: Any, **more: Any) -> None:
        if not isinstance(message, TokumeiWarning):
            shown_by_python(message, category, *where, **more)
        elif str(message) not in before:
            before.add(str(message))
            told(message)

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield


def _starting() -> float:
    """Return how many seconds Python has taken to start and to import us, `IMPORTS` at most: what a process has done beyond that was other work."""
    return min(time.process_time(), IMPORTS)


def command(
    example: str, group: typer.Typer = app, name: str | None = None, panel: str | None = None, *, ends: bool = True
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a function a command of its name, or another: problems that a user can mend become one sentence and exit code 1.

    From its first second on it shows that it works, unless it never ``ends`` by itself.
    """

    def register(work: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(work)
        def carefully(*args: Any, **kwargs: Any) -> None:
            from tokumei.cli.saying import on_command_line
            from tokumei.words import Words, spoken

            words = Words()
            try:
                words = spoken()
                with (
                    noting(lambda given: say(words("cli.note", note=on_command_line(given, words)), err=True)),
                    stage(f"tokumei {name or work.__name__}", gone=_starting()) if ends else within_memory(),
                ):
                    work(*args, **kwargs)
            except TokumeiError as error:
                say(f"tokumei: {on_command_line(error, words)}", err=True)
                raise typer.Exit(1) from None
            except KeyboardInterrupt:
                say(f"tokumei: {words('cli.interrupted')}", err=True)
                raise typer.Exit(130) from None

        group.command(name, epilog=f"Example: {example}", rich_help_panel=panel)(carefully)
        return carefully

    return register


AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for scripts instead of text.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print only problems.")]
Delimiter = Annotated[
    str | None,
    typer.Option(help="What separates the fields of a CSV file. By default it is detected from the first line."),
]
Decimal = Annotated[
    str | None,
    typer.Option(
        help="The decimal mark of numbers in a CSV file: . or , By default it is detected from the first lines."
    ),
]
DateForm = Annotated[
    str | None, typer.Option(help="How a CSV file writes dates, in addition to 2001-12-31, such as %d.%m.%Y.")
]
Encoding = Annotated[str, typer.Option(help="The character encoding of a CSV file, such as cp932.")]
Missing = Annotated[
    list[str] | None, typer.Option(help="How a missing cell is written. May be repeated. By default it is guessed.")
]
KNOWN = "Quasi-identifiers: columns that an attacker may know, separated by commas, or one by one."
Known = Annotated[list[str], typer.Option("--qi", help=KNOWN, autocompletion=columns)]
Sensitive = Annotated[
    list[str] | None, typer.Option(help="Columns whose diversity is counted, in the same form.", autocompletion=columns)
]
Person = Annotated[
    str | None,
    typer.Option(help="The column that says whose row each is, if people have several rows.", autocompletion=column),
]
Meaning = Annotated[
    str,
    typer.Option(
        help="What a suppressed cell agrees with: own_value (other suppressed cells) or wildcard (any value).",
        autocompletion=choices("tokumei.risk.assessment", "Meaning"),
    ),
]
Ks = Annotated[
    list[str] | None,
    typer.Option("--k", help="The k to look at, separated by commas, or one by one. By default some common ones."),
]
Largest = Annotated[int, typer.Option(help="Up to how many columns are combined to see whom they single out.")]
CodebookFile = Annotated[
    Path | None,
    typer.Option("--codebook", help="What codes mean: a CSV file of variables, labels and values, or a DDI codebook."),
]
DATA = "A CSV, Parquet, Excel, SPSS, Stata or SAS file with one row per person."
Data = Annotated[Path, typer.Argument(metavar="DATA", help=DATA)]
PlanPath = Annotated[Path, typer.Argument(metavar="PLAN", help="A plan file, such as the one drafted by tokumei init.")]
ReleasePath = Annotated[Path, typer.Argument(metavar="RELEASE", help="A release folder.")]


def _version(asked: bool) -> None:
    if asked:
        say(f"tokumei {tokumei.__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Take the options that stand before a command."""


def say(text: object, *, err: bool = False) -> None:
    """Print something for a person, in their language. Whatever names of columns or files are in it, a terminal obeys none of it."""
    clear()
    typer.echo(shown(said_in(text, spoken_language()), lines=True), err=err)


def print_json(content: dict[str, Any]) -> None:
    """Print something for a script."""
    from tokumei.results import json_text

    clear()
    typer.echo(json_text(content, indent=2, default=_plain))


def _plain(given: object) -> object:
    """Write what JSON does not have: statements as their data, anything else as text."""
    describe = getattr(given, "describe", None)
    return describe() if describe is not None else str(given)


risk = typer.Typer(
    help="Measure the risk of tables and releases, and answer questions about guarantees without any data.",
    no_args_is_help=True,
)
app.add_typer(risk, name="risk", rich_help_panel=JUDGE)
survey = typer.Typer(
    help="Put files of households and people together and apart, and rake weights to disclosed totals.",
    no_args_is_help=True,
)
app.add_typer(survey, name="survey", rich_help_panel=JUDGE)
