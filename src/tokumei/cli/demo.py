"""The demonstration: one table, from its risk to a release, in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
from rich.console import Console
from rich.table import Table

from tokumei.anonymizers.pk_perturbation import PkPerturbation
from tokumei.arrays import Floats, Integers
from tokumei.cli.words import Terminal, cell, program, typed
from tokumei.engines.local import anonymize
from tokumei.examples import example_census, example_schema
from tokumei.learning.reconstruct import reconstruct
from tokumei.messages import spoken_language, spoken_text
from tokumei.privacy.guarantee import headline
from tokumei.release.artifact import Release
from tokumei.release.files import read_release
from tokumei.table.classes import class_sizes
from tokumei.table.coded import encode
from tokumei.table.schema import Schema
from tokumei.utility.lines import line_of
from tokumei.utility.pairing import BINS
from tokumei.utility.tables import OriginalTables, ReleasedTables
from tokumei.words import spoken

SHOWN = 3  # released rows


def tell(rows: int, k: float, output: Path, *, overwrite: bool = False) -> None:
    """Tell the story."""
    console = Terminal(highlight=False)
    frame, schema = example_census(rows, frame="pyarrow"), example_schema()
    _risk(console, frame, schema)
    release = anonymize(frame, schema, PkPerturbation(k=k, kept="known"))
    release.write(output, overwrite=overwrite)
    _promise(console, release)
    _answers(console, frame, schema, read_release(output, frame="pyarrow"))
    _next(console, output)


def _risk(console: Console, frame: pa.Table, schema: Schema) -> None:
    console.rule(spoken_text("[bold]1  A table of people"), align="left")
    coded = encode(frame, schema)
    quasi = schema.names("quasi_identifier")
    sizes = class_sizes([coded.codes(name) for name in quasi], coded.rows)
    alone = int(np.count_nonzero(sizes == 1))
    console.print(
        spoken_text(
            "{rows:invented person|invented people}. The names are gone, but {others} and {last} are there.",
            rows=coded.rows,
            others=", ".join(quasi[:-1]),
            last=quasi[-1],
        )
    )
    console.print(
        spoken_text(
            "[bold red]{share:.0%} of them have a unique combination[/] of these. Anyone who knows "
            "these few facts about a neighbor can find their row, and with it their income.",
            share=alone / coded.rows,
        )
    )
    console.print()


def _promise(console: Console, release: Release) -> None:
    console.rule(spoken_text("[bold]2  A guarantee"), align="left")
    guarantee = release.guarantees[0]
    among = guarantee.numbers["among"]
    console.print(
        spoken_text(
            "Each row tells a few columns, drawn at random, and is blank in the others. What it tells is kept, or "
            "replaced at random:"
        )
    )
    changes = Table.grid(padding=(0, 0, 0, 2))
    for name in release.mechanism.perturbed:
        changes.add_row(name, release.mechanism.treatment(name).in_language(spoken_language()))
    console.print(changes)
    _rows(console, release)
    console.print(
        spoken_text(
            "The rows are shuffled. Income is released unchanged, so the noise is made strong enough for an "
            "attacker who knows even that: a person hides among at least {among:,} rows. What follows is proven:",
            among=among,
        )
    )
    console.print(f"[bold green]{headline(guarantee, spoken())}[/]")
    console.print()


def _rows(console: Console, release: Release) -> None:
    """Show what released rows look like."""
    telling = release.mechanism.telling
    assert telling is not None
    console.print(spoken_text("The first released rows:"))
    table = Table(box=None, header_style="bold", padding=(0, 0, 0, 2))
    for heading in (telling.label, "", *release.mechanism.kept):
        table.add_column(heading)
    for row in release.table.slice(0, SHOWN).to_pylist():
        told = [cell(row[name]) for name in release.mechanism.perturbed if row[name] is not None]
        table.add_row(cell(row[telling.label]), ", ".join(told), *(cell(row[name]) for name in release.mechanism.kept))
    console.print(table)


def _answers(console: Console, frame: pa.Table, schema: Schema, received: Release) -> None:
    console.rule(spoken_text("[bold]3  Wrong answers, and right ones"), align="left")
    console.print(
        spoken_text(
            "Two questions, answered from the original, from the released rows that tell the answer, and from a model "
            "of all columns, fitted to the release. The recipient has only the release. Its mechanism is public, so "
            "the model can take the noise out."
        )
    )
    education, income, marital = (line_of(schema[name], BINS) for name in ("education", "income", "marital"))
    model = reconstruct(received)
    counted = OriginalTables(encode(frame, schema)), ReleasedTables(received)
    console.print()
    by_school = [each.pair(education, income) for each in counted] + [model.table(["education", "income"]).pmf_]
    stages, place = _stages(schema)
    well_paid = [_over(joint, place, len(stages)) for joint in by_school]
    _show(console, spoken_text("Who earns over 50k, by schooling"), stages, well_paid)
    console.print()
    shares = [each.alone(marital) for each in counted] + [model.table("marital").pmf_]
    _show(console, spoken_text("Marital status"), marital.labels, shares)
    console.print()


def _stages(schema: Schema) -> tuple[list[str], Integers]:
    """Return the stages of schooling, and which of them each label belongs to."""
    education = schema["education"]
    assert education.domain is not None
    assert education.hierarchy is not None
    stages, place = education.hierarchy.coarsen(education.domain, 1)
    return stages.labels(), place


def _over(joint: Floats, place: Integers, stages: int) -> Floats:
    """Return the share of those with the two highest incomes at each stage."""
    over, everyone = (np.bincount(place, part.sum(axis=1), stages) for part in (joint[:, 2:], joint))
    return over / everyone


def _show(console: Console, title: str, labels: Sequence[str], answers: list[Floats]) -> None:
    table = Table(title=title, title_justify="left", title_style="bold", box=None, header_style="bold")
    table.add_column("")
    for heading, style in (
        (spoken_text("original"), ""),
        (spoken_text("released"), "red"),
        (spoken_text("reconstructed"), "green"),
    ):
        table.add_column(heading, justify="left", style=style, min_width=18)
    scale = max(float(answer.max()) for answer in answers)
    for place, label in enumerate(labels):
        table.add_row(label, *(_bar(float(answer[place]), scale) for answer in answers))
    errors = [np.abs(answer - answers[0]).mean() for answer in answers[1:]]
    table.add_row(
        spoken_text("[dim]off by, on average"),
        "",
        *(spoken_text("{points:.1f} points", points=100 * error) for error in errors),
    )
    console.print(table)


def _bar(share: float, scale: float, width: int = 10) -> str:
    return f"{share:6.1%} {'█' * round(width * share / scale)}"


def _next(console: Console, output: Path) -> None:
    console.rule(spoken_text("[bold]4  A release"), align="left")
    console.print(
        spoken_text(
            "[bold]{output}[/] holds the rows and a manifest that says how they were made. Nothing else was released.",
            output=cell(output),
        )
    )
    console.print(spoken_text("Now try:"), markup=False)
    for command in (
        typed("inspect", output),
        typed("reconstruct", output, "--columns", "education,income"),
        typed("regress", output, "income ~ education", "--outcome", "over 100k"),
        spoken_text("{program} init YOUR.csv  (and correct the plan.toml that it drafts)", program=program()),
        typed("anonymize", "plan.toml"),
    ):
        console.print(f"  {command}", markup=False)
