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
    advise: Annotated[
        bool,
        typer.Option(
            "--advise",
            help="Try changes that may mend weak rungs on the original, and say what each gives and costs. Needs --original or --plan.",
        ),
    ] = False,
    plan: Annotated[
        Path | None, typer.Option(help="The plan of the release: it names the original, its schema and the method.")
    ] = None,
    take: Annotated[
        int | None,
        typer.Option(help="With --plan: write the plan with this change of the list, to the place of --save."),
    ] = None,
    save: Annotated[Path, typer.Option(help="Where the changed plan goes.")] = Path("changed-plan.toml"),
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Also draw it: an .svg, .png or .html file to write.")
    ] = None,
    overwrite: Annotated[bool, typer.Option(help="Replace an existing picture.")] = False,
    delimiter: Delimiter = None,
    encoding: Encoding = "utf-8",
    as_json: AsJson = False,
) -> None:
    """Say what a release promises against every kind of attacker: proved, counted, or nothing."""
    from tokumei.files import check_free
    from tokumei.plan import Plan
    from tokumei.privacy.duties import read_duties
    from tokumei.release.files import read_release
    from tokumei.risk.ladder import ladder
    from tokumei.words import spoken

    duties, words = read_duties(duty), spoken()
    _check(original, plan, advise, take)
    for target in (output, save if take is not None else None):
        if target is not None:
            check_free(target, overwrite=overwrite)
    found = read_release(release, frame="pyarrow")
    described = None if plan is None else Plan.read(plan)
    frame = _original(original, described, delimiter, encoding)
    made = ladder(found, frame, None if described is None else described.schema, population=population)
    if output is not None:
        from tokumei import plots

        drawn = plots.ladder(made.bars(words), title=words("ladder.title"), axis=words("ladder.chart"))
        plots.save(drawn, output, overwrite=overwrite, private=frame is not None)  # as it was measured on the original
    advised = None
    if advise:
        advised = _advised(found, described, original, delimiter, encoding, duties)
        if take is not None:
            _write_changed(described, advised, take, save, overwrite)
    written = [str(each) for each in (output, save if take is not None else None) if each is not None]
    if as_json:
        told = {"duties": [vars(each) for each in made.duties(duties)], "holds": made.holds(duties)}
        advice = {} if advised is None else {"advice": advised.describe()}
        print_json({"path": str(release), **made.describe(), **told, **advice})
    else:
        _show(made, duties, advised, written)
    if not made.holds(duties):
        raise typer.Exit(1)


def _show(made: Any, duties: Any, advised: Any, written: list[str]) -> None:
    from tokumei.cli.words import Terminal, show_advice, show_ladder
    from tokumei.words import spoken

    words = spoken()
    show_ladder(made, made.duties(duties), Terminal(), words)
    if advised is not None:
        show_advice(advised, Terminal(), words)
    if written:
        say(words("cli.wrote_files", files=", ".join(written)))


def _check(original: Path | None, plan: Path | None, advise: bool, take: int | None) -> None:
    """Refuse options that do not go together."""
    from tokumei.errors import InvalidParameter

    if advise and original is None and plan is None:
        raise InvalidParameter("advice is measured on the original: give --original or --plan.")
    if original is not None and plan is not None:
        raise InvalidParameter("a plan names its own table; give --original or --plan, not both.")
    if take is not None and (plan is None or not advise):
        raise InvalidParameter("--take writes a changed plan, so give --plan and --advise too.")


def _original(original: Path | None, plan: Any, delimiter: str | None, encoding: str) -> Any:
    """Read the original: the table of a plan, or a file."""
    from tokumei.io.source import read_to_draft
    from tokumei.runner import rows_of

    if plan is not None:
        return rows_of(plan)
    return None if original is None else read_to_draft(original, delimiter, None, encoding)[0]


def _advised(release: Any, plan: Any, original: Path | None, delimiter: str | None, encoding: str, duties: Any) -> Any:
    from tokumei.reports.mending import advise

    if plan is not None:
        return advise(plan, duties=duties)
    return advise(release, _as_declared(original, release, delimiter, encoding), duties=duties)


def _as_declared(original: Path | None, release: Any, delimiter: str | None, encoding: str) -> Any:
    """Read the original as the columns of a release were declared; columns that it does not have are left out."""
    from tokumei.errors import InvalidParameter
    from tokumei.io.delimiter import guess_delimiter
    from tokumei.io.source import Dialect, read_written
    from tokumei.reports.mending import parts_of
    from tokumei.text import names

    assert original is not None
    changed = list(
        dict.fromkeys(step["column"] for step in release.prepare if step["step"] in {"recode", "top_bottom_code"})
    )
    if changed:
        raise InvalidParameter(
            "{changed} had been made coarser before the method, and only the plan says from what; give --plan in place of --original.",
            changed=names(changed),
        )
    schema = parts_of(release)[0]
    return read_written(original, schema, Dialect(delimiter or guess_delimiter(original, encoding), encoding=encoding))


def _write_changed(plan: Any, advised: Any, take: int, save: Path, overwrite: bool) -> None:
    """Write a plan with one of the changes that were tried."""
    from dataclasses import replace

    from tokumei.errors import InvalidParameter
    from tokumei.files import atomic_file

    if not 1 <= take <= len(advised.changes):
        raise InvalidParameter(
            "there is no change {take}; there are {changes:,}.", take=take, changes=len(advised.changes)
        )
    chosen = advised.changes[take - 1]
    changed = replace(plan, method=chosen.method, prepare=chosen.prepare)
    with atomic_file(save, overwrite=overwrite, private=True) as temporary:
        temporary.write_text(changed.to_toml(), encoding="utf-8")
