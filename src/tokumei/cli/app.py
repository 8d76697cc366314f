"""The commands."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

import tokumei
from tokumei.cli.reporting import report
from tokumei.errors import TokumeiError

if TYPE_CHECKING:
    from tokumei.risk.collation.collation import Statistics

app = typer.Typer(
    name="tokumei",
    help="Release personal microdata with a proved promise, and still get the right answers out of it.",
    epilog="Start with: tokumei demo. Then: tokumei init data.csv; tokumei anonymize plan.toml; "
    "tokumei inspect RELEASE. "
    "Exit codes: 0 done, 1 a problem that the message explains, 2 wrong usage, 130 interrupted.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def command(
    example: str, group: typer.Typer = app, name: str | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a function a command of its name, or another: problems that a user can mend become one sentence and exit code 1."""

    def register(work: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(work)
        def carefully(*args: Any, **kwargs: Any) -> None:
            try:
                work(*args, **kwargs)
            except TokumeiError as error:
                typer.echo(f"tokumei: {error}", err=True)
                raise typer.Exit(1) from None
            except KeyboardInterrupt:
                typer.echo("tokumei: interrupted; nothing was written.", err=True)
                raise typer.Exit(130) from None

        group.command(name, epilog=f"Example: {example}")(carefully)
        return carefully

    return register


AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for a script instead of words.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but problems.")]
ReleasePath = Annotated[Path, typer.Argument(metavar="RELEASE", help="A release folder.")]


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"tokumei {tokumei.__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Take the options that stand before a command."""


@command("tokumei init people.csv --k 10")
def init(
    data: Annotated[Path, typer.Argument(help="A CSV or Parquet file, one row a person.")],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="The plan to write.")] = None,
    k: Annotated[float, typer.Option(help="The promise to draft: nobody is linked with a probability over 1/k.")] = 10,
    delimiter: Annotated[str, typer.Option(help="What separates the fields of a CSV file.")] = ",",
    encoding: Annotated[str, typer.Option(help="How the text of a CSV file is encoded.")] = "utf-8",
    missing: Annotated[
        list[str] | None, typer.Option(help="How an absent cell is written. May be repeated; guessed without it.")
    ] = None,
    overwrite: Annotated[bool, typer.Option(help="Replace an older plan.")] = False,
) -> None:
    """Draft a plan: roles and domains are guessed from the data for you to correct."""
    from tokumei.errors import plural
    from tokumei.files import atomic_file
    from tokumei.plan import Source
    from tokumei.plan.draft import default_output, draft_plan
    from tokumei.privacy.pk import check_feasible, check_k
    from tokumei.table.source import read_to_draft

    check_k(k)
    plan = output or Path("plan.toml")
    table, absent = read_to_draft(data, delimiter, ("", *missing) if missing else None, encoding)
    check_feasible(table.num_rows, k, "the table has")
    source = Source(_relative(data, plan.parent), delimiter, absent or ("",), encoding)
    whole = int(k) if float(k).is_integer() else k
    text = draft_plan(table, source, default_output(data), whole)
    with atomic_file(plan, overwrite=overwrite) as temporary:
        temporary.write_text(text, encoding="utf-8")
    typer.echo(f"Wrote {plan} for {plural(table.num_rows, 'row')} and {plural(table.num_columns, 'column')}.")
    typer.echo(f"Check its roles and domains, then run: tokumei anonymize {plan}")


def _relative(path: Path, folder: Path) -> str:
    import os

    return Path(os.path.relpath(path, folder)).as_posix()


@command("tokumei anonymize plan.toml --output out/")
def anonymize(
    plan: Annotated[Path, typer.Argument(help="A plan file.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write here instead of where the plan says.")
    ] = None,
    overwrite: Annotated[bool, typer.Option(help="Replace an older release.")] = False,
    seed: Annotated[
        int | None, typer.Option(help="Repeatable draws, for tests and research: the promise is void.")
    ] = None,
    engine: Annotated[str, typer.Option(help="Where to do it: local, or spark.")] = "local",
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Carry out a plan and write the release folder."""
    import warnings

    from tokumei.cli.words import gained_by_sampling, promise_lines, release_facts
    from tokumei.errors import TokumeiWarning, plural
    from tokumei.plan import Plan
    from tokumei.runner import run

    described = Plan.read(plan)
    with warnings.catch_warnings(record=True) as noticed:
        warnings.simplefilter("always", TokumeiWarning)
        release = run(described, engine, seed)
    target = release.write(
        output or described.output_path,
        described.output.format,
        overwrite=overwrite or described.output.overwrite,
        allow_seeded=seed is not None,
    )
    if as_json:
        _print_json({"path": str(target), **release_facts(release)})
        return
    for notice in noticed:
        if issubclass(notice.category, TokumeiWarning) and not quiet:
            typer.echo(f"note: {notice.message}", err=True)
    if quiet:
        return
    assert release.record is not None
    if release.record.identifiers:
        typer.echo(f"Dropped: {', '.join(release.record.identifiers)}.")
    for name, count in release.record.rounded.items():
        typer.echo(f"Moved to the grid: {plural(count, 'value')} of {name}.")
    for line in release.record.notes:
        typer.echo(line)
    for line in promise_lines(release):
        typer.echo(line)
    for line in gained_by_sampling(release):
        typer.echo(f"By sampling, {line}.")
    if release.seeded:
        typer.echo("This release was drawn with a seed: its promise is void for whoever knows it.", err=True)
    typer.echo(f"Wrote {target} ({plural(release.rows, 'row')}). Look at it with: tokumei inspect {target}")


@command("tokumei inspect people-release")
def inspect(release: ReleasePath, as_json: AsJson = False) -> None:
    """Explain what a release promises and how it was made."""
    from tokumei.cli.words import explain, release_facts
    from tokumei.release.files import read_release

    found = read_release(release, frame="pyarrow")
    if as_json:
        _print_json({"path": str(release), **release_facts(found)})
    else:
        explain(found)


@command("tokumei reconstruct people-release --columns age,income --bins age=10 -o table.csv")
def reconstruct(
    release: ReleasePath,
    columns: Annotated[
        list[str] | None,
        typer.Option(
            "--columns", "-c", help="A joint table of these columns, separated by commas or given one by one."
        ),
    ] = None,
    target: Annotated[
        str | None, typer.Option(help="A model that predicts this column; says what was picked and what still tells.")
    ] = None,
    rows: Annotated[
        Path | None, typer.Option(help="True rows to predict the target of, a CSV or Parquet file.")
    ] = None,
    bins: Annotated[
        list[str] | None,
        typer.Option(
            help="For numbers: how many intervals (age=10) or their edges (age=17:30:60:90). May be repeated."
        ),
    ] = None,
    model: Annotated[str, typer.Option(help="What weights may be: free, kernel or linear.")] = "free",
    support: Annotated[str, typer.Option(help="Which rows are weighed: released or product.")] = "released",
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write to this CSV or Parquet file.")] = None,
    smoothing: Annotated[
        float | None, typer.Option(help="Imagine so many more rows; for weights chosen without it, for tables none.")
    ] = None,
    tolerance: Annotated[float | None, typer.Option(help="Stop within this of the best log-likelihood.")] = None,
    max_steps: Annotated[int | None, typer.Option(help="Give up after so many steps.")] = None,
    assume: Annotated[
        str | None, typer.Option(help="'coarsened at random': go on where rows were recoded in groups that overlap.")
    ] = None,
    intervals: Annotated[bool, typer.Option(help="Also say how far chance may have moved each share.")] = True,
    overwrite: Annotated[bool, typer.Option(help="Replace an older file.")] = False,
    as_json: AsJson = False,
) -> None:
    """Undo the noise: a joint table (--columns), a model (--target), or weights for the rows, written next to the release."""
    import warnings

    from tokumei.cli import reconstructing
    from tokumei.errors import InvalidParameter, TokumeiWarning
    from tokumei.release.files import read_release

    if columns and target is not None:
        raise InvalidParameter("give --columns for a table or --target for a model, not both.")
    if rows is not None and target is None:
        raise InvalidParameter("--rows are predicted by a model; say with --target which column.")
    found = read_release(release, frame="pyarrow")
    given = {"smoothing": smoothing, "tolerance": tolerance, "max_steps": max_steps}
    settings: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    with warnings.catch_warnings(record=True) as noticed:
        warnings.simplefilter("always", TokumeiWarning)
        if columns:
            settings |= {} if assume is None else {"assume": assume}
            facts, lines = reconstructing.table(found, columns, bins or [], settings, intervals, output, overwrite)
        elif target is not None:
            facts, lines = reconstructing.predictor(found, target, rows, output, overwrite)
        else:
            place = output or release.resolve().with_name(f"{release.resolve().name}-weights.csv")
            facts, lines = reconstructing.weights(found, model, support, settings, place, overwrite)
    for notice in noticed:
        if issubclass(notice.category, TokumeiWarning):
            typer.echo(f"note: {notice.message}", err=True)
    if as_json:
        _print_json(facts)
    else:
        lines()


@command("tokumei suggest plan.toml --pilot last-year.csv --target income")
def suggest(
    plan: Annotated[Path, typer.Argument(help="A plan file with pk_perturbation.")],
    pilot: Annotated[Path, typer.Option(help="A table of the same kind that is not released, to learn from.")],
    rows: Annotated[
        int | None, typer.Option("--n", help="How many rows people hide among; counted without it.")
    ] = None,
    purpose: Annotated[str, typer.Option(help="marginals, pairs or association.")] = "association",
    target: Annotated[str | None, typer.Option(help="The column to be predicted, for an association.")] = None,
    coarsen: Annotated[bool, typer.Option(help="Whether columns may be recoded.")] = True,
    as_json: AsJson = False,
) -> None:
    """Suggest how columns share the noise, and which to make coarser first: lines to put into the plan."""
    from tokumei.anonymizers.suggest import suggest_split
    from tokumei.cli.words import suggestion_toml
    from tokumei.errors import InvalidParameter
    from tokumei.plan import Plan
    from tokumei.runner import rows_of
    from tokumei.table.source import read_table

    described = Plan.read(plan)
    if not hasattr(described.method, "split"):
        raise InvalidParameter("suggest is for plans with the method pk_perturbation.")
    if pilot.exists() and described.source_path.exists() and pilot.samefile(described.source_path):
        raise InvalidParameter(
            "the pilot is the table that is to be released, so the split would tell something about it."
        )
    source = described.source
    table = read_table(pilot, described.schema, source.delimiter, source.missing, source.encoding)
    count = rows if rows is not None else rows_of(described).num_rows
    wanted: Any = purpose
    found = suggest_split(
        table, described.schema, described.method.k, count, wanted, target, coarsen, described.prepare
    )
    if as_json:
        _print_json(
            {"split": found.split, "worth": found.worth, "worth_even": found.worth_even, "plan": suggestion_toml(found)}
        )
    else:
        typer.echo(suggestion_toml(found))


@command("tokumei attack plan.toml")
def attack(
    plan: Annotated[Path, typer.Argument(help="A plan file.")],
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
        _print_json(asdict(found))
    else:
        typer.echo(str(found))


@command("tokumei collation plan.toml --statistics counts --groups 500")
def collation(
    plan: Annotated[Path, typer.Argument(help="A plan file with a method that makes rows alike.")],
    statistics: Annotated[
        str, typer.Option(help="What is published beside the rows: rates, or for each group counts or moments.")
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
    from tokumei.risk.collation.collation import EFFORT, collation_check
    from tokumei.runner import rows_of

    described, published = Plan.read(plan), cast("Statistics", statistics)
    steps = EFFORT if effort is None else effort
    found = collation_check(
        rows_of(described), described.method, described.schema, described.prepare, published, kept, groups, steps, seed
    )
    if as_json:
        _print_json(asdict(found))
    else:
        typer.echo(str(found))


@command("tokumei routes plan.toml --target income --k 5 --k 10")
def routes(
    plan: Annotated[Path, typer.Argument(help="A plan file; its source and schema are used, its method is not.")],
    target: Annotated[str, typer.Option(help="The column to predict, a sensitive one with categories.")],
    ks: Annotated[list[int] | None, typer.Option("--k", help="A promise to look at. May be repeated.")] = None,
    folds: Annotated[int, typer.Option(help="Into how many parts the rows are split; each is tested on once.")] = 5,
    seed: Annotated[int, typer.Option(help="Another split, and other draws.")] = 0,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Also write the score of every fold to a CSV or Parquet file.")
    ] = None,
    overwrite: Annotated[bool, typer.Option(help="Replace an older file.")] = False,
    as_json: AsJson = False,
) -> None:
    """Say which route gives the better model at the same k: rows made alike and encoded, or perturbed and reconstructed."""
    from tokumei.cli.words import write_frame
    from tokumei.errors import InvalidParameter
    from tokumei.plan import Plan
    from tokumei.runner import rows_of
    from tokumei.utility.routes import compare_routes

    described = Plan.read(plan)
    if described.prepare:
        raise InvalidParameter(
            "routes compares the columns as they come; take the steps of [[prepare]] out of the plan."
        )
    wanted = ks or [2, 5, 10, 20]
    found = compare_routes(rows_of(described), described.schema, target, ks=wanted, folds=folds, random_state=seed)
    if output is not None:
        write_frame(found.table, output, overwrite=overwrite)
    if as_json:
        _print_json({"scores": found.table.to_pylist()})
    else:
        typer.echo(str(found))


@command("tokumei check people.csv --qi age,sex,region --sensitive income")
def check(
    data: Annotated[Path, typer.Argument(help="A CSV or Parquet file, one row a person.")],
    qi: Annotated[
        list[str], typer.Option("--qi", help="Columns that somebody may know, separated by commas, or one by one.")
    ],
    sensitive: Annotated[
        list[str] | None, typer.Option(help="Columns whose diversity is counted, in the same way.")
    ] = None,
    threshold: Annotated[int, typer.Option(help="Rows in smaller classes count as at risk.")] = 5,
    largest: Annotated[int, typer.Option(help="Up to how many columns to put together.")] = 3,
    delimiter: Annotated[str, typer.Option(help="What separates the fields of a CSV file.")] = ",",
    encoding: Annotated[str, typer.Option(help="How the text of a CSV file is encoded.")] = "utf-8",
    missing: Annotated[
        list[str] | None, typer.Option(help="How an absent cell is written. May be repeated; guessed without it.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say how alike the rows of a table are: k, l, t, who is alone, and by which columns. Needs no plan."""
    from dataclasses import asdict

    from tokumei.cli.words import parse_columns
    from tokumei.risk.check import check as count
    from tokumei.table.source import read_to_draft

    table, _ = read_to_draft(data, delimiter, ("", *missing) if missing else None, encoding)
    known, secret = (parse_columns(given, table.column_names) for given in (qi, sensitive or []))
    found = count(table, known, secret, threshold, largest)
    if as_json:
        _print_json(asdict(found))
    else:
        typer.echo(str(found))


@command("tokumei compare people.csv --qi age,sex,region --methods generalization,microaggregation --k 2,5,10")
def compare(
    data: Annotated[Path, typer.Argument(help="A CSV or Parquet file, one row a person, or a plan file.")],
    methods: Annotated[
        list[str] | None,
        typer.Option(
            "--methods", help="Methods, separated by commas; generalization:mondrian names the partition too."
        ),
    ] = None,
    k: Annotated[str, typer.Option("--k", help="The promises to compare, separated by commas.")] = "2,5,10,50",
    qi: Annotated[
        list[str] | None, typer.Option("--qi", help="Columns that somebody may know; guessed without it.")
    ] = None,
    sensitive: Annotated[list[str] | None, typer.Option(help="Columns to keep as they are, in the same way.")] = None,
    target: Annotated[str | None, typer.Option(help="A column that models are to predict.")] = None,
    measure: Annotated[
        str,
        typer.Option(help="What to draw: pairs, marginals, associations, told_apart, score, loss or ncp."),
    ] = "pairs",
    reconstruct: Annotated[bool, typer.Option(help="Also measure releases with their noise undone.")] = True,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Where to write, without an ending: .csv, .html and .svg.")
    ] = None,
    delimiter: Annotated[str, typer.Option(help="What separates the fields of a CSV file.")] = ",",
    encoding: Annotated[str, typer.Option(help="How the text of a CSV file is encoded.")] = "utf-8",
    missing: Annotated[
        list[str] | None, typer.Option(help="How an absent cell is written. May be repeated; guessed without it.")
    ] = None,
    overwrite: Annotated[bool, typer.Option(help="Replace older files.")] = False,
    as_json: AsJson = False,
) -> None:
    """Run several methods on the same table and draw what each costs for the same risk. Releases nothing."""
    from tokumei.cli import comparing
    from tokumei.utility.compare import DEFAULT_METHODS

    paths = comparing.places(output or data.with_name(f"{data.name.split('.')[0]}-compare"), measure, overwrite)
    sizes = comparing.parse_sizes(k)
    notes: list[str] = []
    dialect = {"delimiter": delimiter, "missing": ("", *missing) if missing else None, "encoding": encoding}
    source = comparing.rows_and_schema(data, qi or [], sensitive or [], dialect, notes)
    wanted = [part.strip() for text in methods or DEFAULT_METHODS for part in text.split(",")]
    settings = {"target": target, "reconstruct": reconstruct}
    found = comparing.run(source, wanted, sizes, settings, notes)
    comparing.write(found, measure, paths, overwrite)
    if as_json:
        _print_json({"paths": [str(path) for path in paths], "rows": found.to_pylist()})
        return
    for note in dict.fromkeys(notes):
        typer.echo(f"note: {note}", err=True)
    comparing.show(found)
    typer.echo(f"Wrote {', '.join(str(path) for path in paths)}. They are yours: they say things about the original.")


command("tokumei report plan.toml -o report.html --approver 'A. Name'")(report)


@command("tokumei demo --output tokumei-demo")
def demo(
    rows: Annotated[int, typer.Option(help="How many people to invent.")] = 12_000,
    k: Annotated[float, typer.Option(help="The promise: nobody is linked with a probability over 1/k.")] = 10,
    output: Annotated[Path, typer.Option("--output", "-o", help="The release folder to write.")] = Path(
        "example-release"
    ),
) -> None:
    """Show the whole way on example data: risk, promise, wrong answers, right answers, release."""
    from tokumei.cli.story import tell

    tell(rows, k, output)


risk = typer.Typer(
    help="Measure the risk of tables and releases, and answer questions about promises without any data.",
    no_args_is_help=True,
)
app.add_typer(risk, name="risk")

Rows = Annotated[int, typer.Option("--n", help="How many rows the table has.")]


@command("tokumei risk sampling --n 10000 --known 500 --k 10", group=risk)
def sampling(
    rows: Rows,
    known: Annotated[int, typer.Option(help="How many people the attacker knows.")],
    k: Annotated[float | None, typer.Option(help="Ask for the largest sample that keeps this.")] = None,
    sample: Annotated[int | None, typer.Option(help="Ask for the risk of a sample of this size.")] = None,
    shared: Annotated[int, typer.Option(help="How many of the known people share the target's record.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Say how many rows may be released as they are, or how risky a sample is, if the attacker knows part of the table."""
    from tokumei.errors import InvalidParameter
    from tokumei.privacy.sampling import largest_sample, partial_risk

    if (k is None) == (sample is None):
        raise InvalidParameter("give either --k, to ask for the largest sample, or --sample, to ask for its risk.")
    size = sample if sample is not None else largest_sample(rows, known, k or 1)
    found = partial_risk(rows, known, size, shared)
    if as_json:
        _print_json({"n": rows, "known": known, "sample": size, "risk": float(found), "k": float(1 / found)})
        return
    if k is not None:
        typer.echo(f"At most {size:,} of {rows:,} rows may be released.")
    typer.echo(
        f"From a sample of {size:,}, somebody who knows {known:,} of {rows:,} people, and not who was drawn, links a row with "
        f"a probability of at most {found.numerator}/{found.denominator} (k = {float(1 / found):.6g})."
    )


@command("tokumei risk rate --n 10000 --k 10 --values 10", group=risk)
def rate(
    rows: Rows,
    k: Annotated[float, typer.Option(help="The promise: nobody is linked with a probability over 1/k.")],
    values: Annotated[int, typer.Option(help="How many values the column of interest has.")],
    as_json: AsJson = False,
) -> None:
    """Suggest the sampling rate at which the shares of a perturbed column are estimated best, if who is drawn is secret."""
    from tokumei.privacy.pk import check_feasible, check_k
    from tokumei.privacy.sampling import HidingPlace, best_rate, retention_at

    check_k(k)
    check_feasible(rows, k, "the table has")
    best = best_rate(rows, k, values)
    size = max(1, int(best * rows))
    kept, alone = (retention_at(HidingPlace(rows - m, m), k, values) for m in (size, rows))
    if as_json:
        _print_json(
            {"n": rows, "k": k, "values": values, "rate": best, "retention": kept, "retention_unsampled": alone}
        )
        return
    typer.echo(
        f"Draw {best:.1%} of the rows: values are then kept with probability {kept:.3f}, without sampling {alone:.3f}."
    )
    typer.echo("The promise is for attackers who do not know who was drawn.")


@command("tokumei risk table people.csv --qi age,sex,region --sensitive income --population 100000", group=risk)
def table(
    data: Annotated[Path, typer.Argument(help="A CSV or Parquet file, one row a person.")],
    qi: Annotated[
        list[str] | None,
        typer.Option("--qi", help="Columns that somebody may know, separated by commas, or one by one."),
    ] = None,
    plan: Annotated[Path | None, typer.Option(help="Take the columns from this plan's schema instead.")] = None,
    sensitive: Annotated[
        list[str] | None, typer.Option(help="Columns whose diversity is counted, in the same way.")
    ] = None,
    meaning: Annotated[
        str, typer.Option(help="What a suppressed cell agrees with: own_value (others alike) or wildcard (anything).")
    ] = "own_value",
    star: Annotated[str, typer.Option(help="How a suppressed cell is written.")] = "*",
    population: Annotated[int | None, typer.Option(help="How many people the table was drawn from.")] = None,
    population_table: Annotated[
        Path | None, typer.Option(help="A table of all of them, with the same columns generalized alike.")
    ] = None,
    weights: Annotated[str | None, typer.Option(help="The column of survey weights.")] = None,
    threshold: Annotated[float, typer.Option(help="Count the rows linked with a larger probability.")] = 0.2,
    largest: Annotated[int, typer.Option(help="Up to how many columns to put together.")] = 3,
    delimiter: Annotated[str, typer.Option(help="What separates the fields of a CSV file.")] = ",",
    encoding: Annotated[str, typer.Option(help="How the text of a CSV file is encoded.")] = "utf-8",
    missing: Annotated[
        list[str] | None, typer.Option(help="How an absent cell is written. May be repeated; guessed without it.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure the risk of a table as it stands: attackers, uniqueness, and which columns make people unique."""
    from tokumei.cli.words import parse_columns
    from tokumei.errors import InvalidParameter
    from tokumei.plan import Plan
    from tokumei.risk.assess import assess
    from tokumei.table.source import read_to_draft

    if population is not None and population_table is not None:
        raise InvalidParameter("give --population or --population-table, not both.")
    if (qi is None) == (plan is None):
        raise InvalidParameter("give --qi or --plan to say what somebody may know, and not both.")
    absent = ("", *missing) if missing else None
    rows, absent = read_to_draft(data, delimiter, absent, encoding)
    known: Any = parse_columns(qi, rows.column_names) if qi else Plan.read(plan).schema if plan else []
    people: Any = population
    if population_table is not None:
        people, _ = read_to_draft(population_table, delimiter, absent, encoding)
    wanted: Any = meaning
    found = assess(
        rows,
        known,
        None if sensitive is None else parse_columns(sensitive, rows.column_names),
        meaning=wanted,
        star=star,
        population=people,
        weights=weights,
        threshold=threshold,
        largest=largest,
    )
    if as_json:
        _print_json(found.facts())
    else:
        typer.echo(str(found))


@command("tokumei risk compare generalized.toml perturbed.toml", group=risk, name="compare")
def compare_risk(
    plans: Annotated[list[Path], typer.Argument(help="Plans for the same table.")],
    threshold: Annotated[float, typer.Option(help="Count the rows linked with a larger probability.")] = 0.2,
    meaning: Annotated[
        str, typer.Option(help="What a suppressed cell agrees with: own_value (others alike) or wildcard (anything).")
    ] = "own_value",
    seed: Annotated[int | None, typer.Option(help="Makes the drawn releases repeatable.")] = None,
    as_json: AsJson = False,
) -> None:
    """Put releases by several plans side by side: what is proved and what an attacker can do. Writes nothing."""
    from dataclasses import asdict

    from tokumei.errors import InvalidParameter
    from tokumei.plan import Plan
    from tokumei.risk.releases import SideBySide, as_it_is, assess_release
    from tokumei.runner import rows_of

    described = {path.stem: Plan.read(path) for path in plans}
    if len(described) < len(plans):
        raise InvalidParameter("every plan needs a file name of its own to be told by.")
    if len({each.source_path.resolve() for each in described.values()}) > 1:
        raise InvalidParameter("the plans must be for the same table.")
    wanted: Any = meaning
    first = next(iter(described.values()))
    found = [as_it_is(rows_of(first), first.schema, threshold=threshold, meaning=wanted)]
    for name, each in described.items():
        found.append(
            assess_release(
                rows_of(each),
                each.method,
                each.schema,
                each.prepare,
                seed,
                threshold=threshold,
                meaning=wanted,
                name=name,
            )
        )
    together = SideBySide(tuple(found))
    if as_json:
        _print_json(asdict(together))
    else:
        typer.echo(str(together))


def _print_json(content: dict[str, Any]) -> None:
    typer.echo(json.dumps(content, indent=2, ensure_ascii=False, default=str))
