"""The demonstration: one table, from its risk to a release, in the terminal."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pyarrow as pa
from rich.console import Console
from rich.table import Table

from tokumei.anonymizers.pk_perturbation import PkPerturbation
from tokumei.cli.words import Terminal, cell, program, typed
from tokumei.engines.local import anonymize
from tokumei.errors import NotConvergedWarning
from tokumei.examples import example_census, example_schema
from tokumei.messages import spoken_language, spoken_text
from tokumei.prepare import Drop, Recode
from tokumei.prepare.rows import prepared_rows
from tokumei.privacy.guarantee import headline
from tokumei.reconstruction.iterative_bayes import IterativeBayes
from tokumei.release.artifact import Release
from tokumei.release.files import read_release
from tokumei.table.classes import class_sizes
from tokumei.table.coded import CodedTable, encode
from tokumei.table.schema import Schema
from tokumei.words import spoken

PREPARE = (Recode("age"), Recode("region"), Recode("education"), Drop("occupation"), Drop("hours"))
WEIGHTS = {"age": 2.0, "sex": 1.0, "region": 1.0, "education": 3.0, "marital": 1.0}


def tell(rows: int, k: float, output: Path, *, overwrite: bool = False) -> None:
    """Tell the story."""
    console = Terminal(highlight=False)
    frame, schema = example_census(rows, frame="pyarrow"), example_schema()
    method = PkPerturbation(k=k, split=WEIGHTS, kept="known", tells="all")
    _risk(console, frame, schema)
    release = anonymize(frame, schema, method, PREPARE)
    release.write(output, overwrite=overwrite)
    _promise(console, release)
    original = prepared_rows(frame, schema, PREPARE)
    received = read_release(output, frame="pyarrow")
    _answers(console, original, received)
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
            "Ages, regions and schooling are made coarser; hours and occupation are left out. Then cells are changed at random:"
        )
    )
    changes = Table.grid(padding=(0, 0, 0, 2))
    for name in release.mechanism.perturbed:
        changes.add_row(name, release.mechanism.treatment(name).in_language(spoken_language()))
    console.print(changes)
    console.print(
        spoken_text(
            "Then the rows are shuffled. Income is released unchanged, so the noise is made strong enough for an "
            "attacker who knows even that: a person hides among at least {among:,} rows. What follows is proven:",
            among=among,
        )
    )
    console.print(f"[bold green]{headline(guarantee, spoken())}[/]")
    console.print()


def _answers(console: Console, original: CodedTable, received: Release) -> None:
    console.rule(spoken_text("[bold]3  Wrong answers, and right ones"), align="left")
    console.print(
        spoken_text(
            "Two questions, answered from the original, from the released rows, and from the released rows with the "
            "noise taken out. The recipient has only the release. Its mechanism is public, so they can take the "
            "noise out."
        )
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error", NotConvergedWarning)
        by_school = IterativeBayes(["education", "income"]).fit(received).pmf_
        marital = IterativeBayes(["marital"]).fit(received).pmf_
    console.print()
    answers = [_joint(table, ("education", "income")) for table in (original, received.coded)] + [by_school]
    well_paid = [joint[:, 2:].sum(axis=1) / joint.sum(axis=1) for joint in answers]
    _show(console, spoken_text("Who earns over 50k, by schooling"), _labels(received.schema, "education"), well_paid)
    console.print()
    shares = [_joint(table, ("marital",)) for table in (original, received.coded)] + [marital]
    _show(console, spoken_text("Marital status"), _labels(received.schema, "marital"), shares)
    console.print()


def _show(console: Console, title: str, labels: list[str], answers: list[np.ndarray]) -> None:
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


def _joint(table: CodedTable, columns: tuple[str, ...]) -> np.ndarray:
    shape = tuple(table.schema[name].states for name in columns)
    counts = np.zeros(shape)
    np.add.at(counts, tuple(table.codes(name) for name in columns), 1.0)
    return counts / table.rows


def _labels(schema: Schema, name: str) -> list[str]:
    domain = schema[name].domain
    assert domain is not None
    return domain.labels()


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
        typed("reconstruct", output, "--columns", "age,education,income"),
        spoken_text("{program} init YOUR.csv  (and correct the plan.toml that it drafts)", program=program()),
        typed("anonymize", "plan.toml"),
    ):
        console.print(f"  {command}", markup=False)
