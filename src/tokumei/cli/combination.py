"""`tokumei combine`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tokumei.cli.command import JUDGE, AsJson, command, print_json, say

if TYPE_CHECKING:
    from tokumei.privacy.repeats import PatternPromise, Repeats
    from tokumei.release.artifact import Release

MOST = 12  # patterns that are printed


@command("tokumei combine january february --plan january.toml --plan february.toml", panel=JUDGE)
def combine(
    releases: Annotated[list[Path], typer.Argument(metavar="RELEASE...", help="Release folders of the same people.")],
    plan: Annotated[
        list[Path] | None,
        typer.Option(
            help="For releases whose draws repeat: the plan of each release, in the same order. Their tables are read to count who "
            "changed, joined or left."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """State what several releases of the same people guarantee together."""
    from tokumei.cli.words import guarantee_lines
    from tokumei.privacy.combined import combine as together
    from tokumei.release.files import read_release

    read = [read_release(each, frame="pyarrow") for each in releases]
    repeats = None if plan is None else _counted(read, plan)
    guarantees = together(read, repeats)
    found = () if repeats is None else repeats.promised(read)
    if as_json:
        counts = {} if repeats is None else {"patterns": [asdict(each) for each in found]}
        print_json({"guarantees": [each.describe() for each in guarantees], **counts})
        return
    for line in (*guarantee_lines(guarantees), *_pattern_lines(found)):
        say(line)


def _counted(releases: list[Release], plans: list[Path]) -> Repeats:
    """Count the patterns of the tables that plans name."""
    from tokumei.errors import InvalidParameter
    from tokumei.plan import Plan
    from tokumei.risk.repeats import Month, count
    from tokumei.runner import rows_of

    if len(plans) != len(releases):
        raise InvalidParameter("Give one --plan for each release, in the same order.")
    months = []
    for release, place in zip(releases, plans, strict=True):
        plan = Plan.read(place)
        repeat = plan.method.repeating()
        if repeat is None:
            raise InvalidParameter("{plan} has no repeat, so the draws of its release repeat nowhere.", plan=place)
        months.append(Month.of(release, rows_of(plan), plan.schema, repeat.person, plan.prepare))
    return count(months)


def _pattern_lines(found: Sequence[PatternPromise]) -> list[str]:
    """Say what holds for people of each pattern, the weakest first."""
    from tokumei.privacy.notions import down
    from tokumei.shown import shown
    from tokumei.words import spoken

    words, lines = spoken(), list[str]()
    for each in found[:MOST]:
        there = ", ".join(str(place) for place, here in enumerate(each.present, start=1) if here)
        key = "cli.pattern_changed" if each.changed else "cli.pattern_unchanged"
        said = words(key, people=each.people, k=down(each.k), releases=there, columns=each.changed)
        lines.append(f"  {shown(said)}")
    if len(found) > MOST:
        lines.append(f"  {words('cli.more_patterns', patterns=len(found) - MOST)}")
    return [words("cli.patterns"), *lines] if lines else []
