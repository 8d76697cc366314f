"""Commands for the data holder: from a table to a release."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from tokumei.cli.command import (
    ANALYST,
    DATA,
    HOLDER,
    START,
    AsJson,
    CodebookFile,
    DateForm,
    Decimal,
    Delimiter,
    Encoding,
    Missing,
    Person,
    PlanPath,
    Quiet,
    ReleasePath,
    command,
    print_json,
    say,
)
from tokumei.cli.completion import choices, column

LISTED = 20  # tables of a database that are named
EXAMPLE = Path("example-release")  # written by the demonstration, and replaced by the next


@command("tokumei init people.csv --k 10", panel=HOLDER)
def init(
    data: Annotated[Path | None, typer.Argument(metavar="DATA", help=DATA)] = None,
    database: Annotated[
        str | None,
        typer.Option(
            help="Instead of a file: postgresql://…, sqlite:///file or duckdb:///file, as seen from the plan."
        ),
    ] = None,
    table: Annotated[str | None, typer.Option(help="The table of the database.")] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="The plan to write.")] = None,
    k: Annotated[
        float,
        typer.Option(help="The guarantee to draft: no attacker links a row to a person with a probability over 1/k."),
    ] = 10,
    person: Person = None,
    delimiter: Delimiter = None,
    encoding: Encoding = "utf-8",
    missing: Missing = None,
    decimal: Decimal = None,
    dates: DateForm = None,
    codebook: CodebookFile = None,
    overwrite: Annotated[bool, typer.Option(help="Replace an existing plan.")] = False,
) -> None:
    """Draft a plan: roles and domains are guessed from the data, for you to correct."""
    from tokumei.cli.words import roles_guessed, typed
    from tokumei.files import atomic_file
    from tokumei.io.source import codebook_of
    from tokumei.plan.draft import default_output, draft_plan
    from tokumei.privacy.pk import check_feasible, check_k
    from tokumei.words import spoken

    check_k(k)
    plan = output or Path("plan.toml")
    book = None
    if data is None or database is not None or table is not None:
        rows, source = _from_database(data, database, table, plan.parent)
    else:
        rows, source = _from_file(data, plan.parent, delimiter, missing, encoding, decimal, dates, codebook)
        book = codebook_of(data, None if codebook is None else str(codebook), encoding)
    if rows.num_rows:
        check_feasible(rows.num_rows, k)
    whole = int(k) if float(k).is_integer() else k
    text = draft_plan(rows, source, default_output(data or Path(table or "")), whole, person, book)
    with atomic_file(plan, overwrite=overwrite, private=True) as temporary:
        temporary.write_text(text, encoding="utf-8")
    words = spoken()
    say(words("cli.drafted", plan=str(plan), rows=rows.num_rows, columns=rows.num_columns))
    for line in roles_guessed(text):
        say(line)
    say(words("cli.check_draft", plan=str(plan), command=typed("anonymize", plan)))


def _from_file(
    data: Path,
    folder: Path,
    delimiter: str | None,
    missing: list[str] | None,
    encoding: str,
    decimal: str | None,
    dates: str | None,
    codebook: Path | None,
) -> tuple[Any, Any]:
    """Read a file to draft a plan from, and say where it is."""
    from tokumei.io.delimiter import guess_decimal, guess_delimiter
    from tokumei.io.source import read_to_draft
    from tokumei.plan import Source

    delimiter = delimiter or guess_delimiter(data, encoding)
    decimal = decimal or guess_decimal(data, delimiter, encoding)
    marks, book = ("", *missing) if missing else None, None if codebook is None else str(codebook)
    rows, absent = read_to_draft(data, delimiter, marks, encoding, decimal, dates, book)
    place = _relative(data, folder)
    beside = None if codebook is None else _relative(codebook, folder)
    return rows, Source(place, delimiter, absent or ("",), encoding, decimal=decimal, dates=dates, codebook=beside)


def _from_database(data: Path | None, database: str | None, table: str | None, folder: Path) -> tuple[Any, Any]:
    """Read a table of a database to draft a plan from, and say where it is."""
    from tokumei.errors import InvalidParameter
    from tokumei.plan import Source
    from tokumei.runner import read_rows

    if data is not None or database is None:
        raise InvalidParameter("init needs a file, or a database and its table (--database and --table), not both.")
    if table is None:
        raise InvalidParameter(
            "init needs a table of the database (--table). {tables}", tables=_tables(database, folder)
        )
    source = Source(database=database, table=table)
    return read_rows(source, None, folder), source


def _tables(database: str, folder: Path) -> Any:
    """Say which tables a database has."""
    from tokumei.io.listing import list_tables
    from tokumei.messages import phrase
    from tokumei.text import names

    found = list_tables(database, folder)
    if not found:
        return phrase("It has none that you may read.")
    if len(found) > LISTED:
        return phrase("It has {count:,}, such as {tables}.", count=len(found), tables=names(found[:LISTED]))
    return phrase("It has {tables}.", tables=names(found))


def _relative(path: Path, folder: Path) -> str:
    import os

    return Path(os.path.relpath(path, folder)).as_posix()


@command("tokumei key pseudonyms.key", panel=HOLDER)
def key(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The file to create; an existing file is never overwritten.")
    ],
) -> None:
    """Make a key for pseudonyms or draws that repeat, in a file that only you can read."""
    from tokumei.prepare.keys import write_key
    from tokumei.words import spoken

    write_key(file)
    say(spoken()("cli.key", file=str(file)))


@command("tokumei anonymize plan.toml --output out/", panel=HOLDER)
def anonymize(
    plan: PlanPath,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write here, not where the plan says.")] = None,
    overwrite: Annotated[bool, typer.Option(help="Replace an existing release.")] = False,
    seed: Annotated[
        int | None, typer.Option(help="Repeatable draws, for tests and research: the guarantee is void.")
    ] = None,
    engine: Annotated[
        str | None,
        typer.Option(
            help="auto (by size and free memory), local (in memory), stream (on disk) or spark (on a cluster). By default as the plan says, or stream if --memory is given.",
            autocompletion=choices("tokumei.runner", "NAMES"),
        ),
    ] = None,
    memory: Annotated[str | None, typer.Option(help="About how much memory to use, such as 1GB.")] = None,
    shuffle: Annotated[
        str | None,
        typer.Option(
            help="rows: among all rows; blocks: within blocks, which is faster, and the guarantee counts on one block.",
            autocompletion=choices("tokumei.plan", "Shuffle"),
        ),
    ] = None,
    formulas: Annotated[
        str | None,
        typer.Option(
            help="Cells of a CSV release that a spreadsheet would run: keep them, or quote them. By default as the plan says.",
            autocompletion=choices("tokumei.release.formulas", "WAYS"),
        ),
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Run a plan and write the release to a folder or a database."""
    import warnings

    from tokumei.cli.words import release_facts, typed
    from tokumei.errors import TokumeiWarning
    from tokumei.plan import Plan
    from tokumei.release.files import check_form, coded_numbers
    from tokumei.runner import run
    from tokumei.words import spoken

    described = Plan.read(plan)
    kept: Any = formulas
    if kept is not None:
        check_form(described.output.format, kept)
    with warnings.catch_warnings(record=True) as noticed:
        warnings.simplefilter("always", TokumeiWarning)
        wanted: Any = shuffle
        release = run(
            described,
            engine or (None if memory is None else "stream"),
            seed,
            memory=memory,
            shuffle=wanted,
        )
        target = described.write(release, output, overwrite=overwrite, allow_seeded=seed is not None, formulas=kept)
    if as_json:
        print_json({"path": str(target), **release_facts(release)})
        return
    words = spoken()
    for notice in noticed:
        if issubclass(notice.category, TokumeiWarning) and not quiet:
            say(words("cli.note", note=words.say(notice.message)), err=True)
    if quiet:
        return
    try:
        _tell(release, described)
    finally:  # the release is there, even if what it still says was not waited for
        say(words("cli.wrote", place=str(target), rows=release.rows))
        coded = () if isinstance(target, str) else coded_numbers(release, described.output.format)
        if coded:
            said = words("cli.codes_of_labels", columns=coded, ending=f".{described.output.format}")
            say(words("cli.note", note=said), err=True)
    if not isinstance(target, str):
        say(words("cli.inspect", command=typed("inspect", target)))
    say(words("cli.report", command=typed("report", plan)))


def _tell(release: Any, plan: Any) -> None:
    """Say what was done, what the release still says, and what it promises."""
    from tokumei.anonymizers.notes import ExpectedErrors
    from tokumei.cli.left import left_lines
    from tokumei.cli.words import gained_by_sampling, promise_lines
    from tokumei.words import spoken

    words = spoken()
    assert release.record is not None
    if release.record.identifiers:
        say(words("cli.dropped", columns=release.record.identifiers))
    for name, count in release.record.rounded.items():
        say(words("cli.moved", column=name, values=count))
    for note in release.record.notes:
        if not isinstance(note, ExpectedErrors):  # which is said of every method below
            say(words.say(note))
    for line in left_lines(release, plan, words):
        say(line)
    for line in promise_lines(release):
        say(line)
    if plan.calibration is not None:
        key = "cli.totals_kept" if plan.calibration.keep else "cli.totals_reported"
        say(words(key, margins=plan.calibration.said, weights=plan.calibration.weights))
    for line in gained_by_sampling(release):
        say(line)
    if release.seeded:
        say(words("cli.seeded"), err=True)


@command("tokumei inspect people-release", panel=ANALYST)
def inspect(release: ReleasePath, as_json: AsJson = False) -> None:
    """Explain what a release promises and how it was made."""
    from tokumei.cli.words import explain, release_facts
    from tokumei.release.files import read_release

    found = read_release(release, frame="pyarrow")
    if as_json:
        print_json({"path": str(release), **release_facts(found)})
    else:
        explain(found, release)


@command("tokumei suggest plan.toml --pilot last-year.csv --target income", panel=HOLDER)
def suggest(
    plan: Annotated[Path, typer.Argument(metavar="PLAN", help="A plan file with pk_perturbation.")],
    pilot: Annotated[
        Path, typer.Option(help="A similar table of other people that is not released, to choose the split from.")
    ],
    rows: Annotated[
        int | None, typer.Option("--n", help="How many rows people hide among. By default they are counted.")
    ] = None,
    purpose: Annotated[
        str,
        typer.Option(
            help="marginals, pairs or association.", autocompletion=choices("tokumei.anonymizers.suggest", "Purpose")
        ),
    ] = "association",
    target: Annotated[
        str | None, typer.Option(help="The column to be predicted, for an association.", autocompletion=column)
    ] = None,
    coarsen: Annotated[bool, typer.Option(help="Whether columns may be recoded.")] = True,
    save: Annotated[Path | None, typer.Option(help="Also write the plan with these lines in it, to this file.")] = None,
    overwrite: Annotated[bool, typer.Option(help="Replace an existing file.")] = False,
    as_json: AsJson = False,
) -> None:
    """Suggest how columns should share the noise, and which to make coarser first: lines for the plan.

    This is for you if every row has to tell every column, and you have a pilot: a similar table of other people. A pilot that analysts may use as
    it is can be worth more than the release. Without one, leave tells = "auto" in the plan; to choose a method, use tokumei recommend.
    """
    from tokumei.anonymizers.pilot import shared_rows
    from tokumei.anonymizers.suggest import suggest_split
    from tokumei.cli.words import suggestion_toml
    from tokumei.engines.local import prepared_table
    from tokumei.errors import InvalidParameter
    from tokumei.files import check_free
    from tokumei.io.source import read_written
    from tokumei.plan import Plan
    from tokumei.runner import rows_of
    from tokumei.words import spoken

    described = Plan.read(plan)
    if save is not None:
        check_free(save, overwrite=overwrite)
    if not hasattr(described.method, "split"):
        raise InvalidParameter(
            "suggest is for plans with the method pk_perturbation; tokumei recommend says which method suits."
        )
    table = read_written(pilot, described.schema, described.source.dialect)
    if rows is None or described.source_path.exists():
        released = rows_of(described)
        rows = released.num_rows if rows is None else rows
        shared = shared_rows(*(prepared_table(each, described.schema, described.prepare) for each in (released, table)))
        if shared.too_many:
            raise InvalidParameter(
                "{shared:,} of the pilot's {rows:row|rows} are also in the table to be "
                "released, more than independent people would share, so the split would reveal something about "
                "it. Use a pilot of other people.",
                shared=shared.rows,
                rows=table.num_rows,
            )
    wanted: Any = purpose
    k = getattr(described.method, "k", None)
    if k is None:
        raise InvalidParameter("a split is suggested for a k, and the method of the plan has none.")
    found = suggest_split(table, described.schema, k, rows, wanted, target, coarsen, described.prepare)
    if save is not None:
        _save_suggested(described, found, save, overwrite=overwrite)
    if as_json:
        print_json(
            {"split": found.split, "worth": found.worth, "worth_even": found.worth_even, "plan": suggestion_toml(found)}
        )
    else:
        say(suggestion_toml(found))
        if save is not None:
            say(spoken()("cli.wrote_files", files=str(save)))


def _save_suggested(plan: Any, found: Any, save: Path, *, overwrite: bool) -> None:
    """Write a plan with a suggested split, and the steps that go before it; its paths are seen from the new file."""
    import os
    from dataclasses import replace

    from tokumei.files import atomic_file

    source = plan.source
    if source.path is not None:
        source = replace(source, path=Path(os.path.relpath(plan.source_path, save.parent)).as_posix())
    method = replace(plan.method, tells="all", split=found.split)
    changed = replace(plan, source=source, method=method, prepare=(*plan.prepare, *found.prepare), folder=save.parent)
    with atomic_file(save, overwrite=overwrite, private=True) as temporary:
        temporary.write_text(changed.to_toml(), encoding="utf-8")


@command("tokumei demo --output tokumei-demo", panel=START)
def demo(
    rows: Annotated[int, typer.Option(help="The number of people in the example.")] = 12_000,
    k: Annotated[
        float, typer.Option(help="The guarantee: no attacker links a row to a person with a probability over 1/k.")
    ] = 10,
    output: Annotated[Path, typer.Option("--output", "-o", help="The release folder to write.")] = EXAMPLE,
    overwrite: Annotated[bool, typer.Option(help=f"Replace an existing release elsewhere than in {EXAMPLE}.")] = False,
) -> None:
    """Show every step on example data: risk, guarantee, wrong answers, right answers, release."""
    from tokumei.cli.demo import tell

    tell(rows, k, output, overwrite=overwrite or output == EXAMPLE)
