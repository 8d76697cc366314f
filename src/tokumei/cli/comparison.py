"""What `tokumei compare` does: rows and roles in, a table, a page and a picture out."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
from rich.console import Console
from rich.table import Table

from tokumei.cli.words import Terminal, cell, parse_columns, write_frame
from tokumei.compiling import compiling
from tokumei.errors import DataError, InvalidParameter, TokumeiWarning
from tokumei.files import check_free, sibling
from tokumei.io.source import read_to_draft
from tokumei.messages import Joined, phrase, spoken_language
from tokumei.plan import Plan
from tokumei.plan.draft import suggest_role
from tokumei.plots.frontier import frontier, measures
from tokumei.plots.rung_axis import NOTHING, axis_of, how_known
from tokumei.plots.saving import save
from tokumei.plots.theme import altair
from tokumei.runner import rows_of
from tokumei.table.schema import Attribute, Role, Schema, observed_attribute
from tokumei.text import names, nearest
from tokumei.utility.compare import compare
from tokumei.words import Words

DIRECTIONS = phrase(
    "Less is better. Pairs and marginals are the distances of tables of two columns and of one (0 identical, 1 "
    "nothing in common); told apart is how well released rows can be told from original ones (0 not at all)."
)
ATTACKERS = phrase(
    "Risk is 1/k of what each method guarantees, against its own attacker. Generalized and averaged rows: one "
    "who knows the quasi-identifiers and nothing else. Perturbed rows: one who may know the whole original table."
)

Rows = tuple[pa.Table, Schema, tuple[Any, ...]]  # the rows, their columns, and the steps before the method


def rows_and_schema(
    data: Path, qi: Sequence[str], sensitive: Sequence[str], dialect: Mapping[str, Any], notes: list[str]
) -> Rows:
    """Read a table with the roles of a plan, with those that are named, or with guessed ones."""
    if data.suffix.lower() == ".toml":
        if qi or sensitive:
            raise InvalidParameter("a plan already gives the roles of columns; leave out --qi and --sensitive.")
        plan = Plan.read(data)
        return rows_of(plan), plan.schema, plan.prepare
    table, _ = read_to_draft(data, **dialect)
    roles = _roles(table, parse_columns(qi, table.column_names), parse_columns(sensitive, table.column_names))
    attributes: list[Attribute] = []
    for name, role in roles.items():
        try:
            attributes.append(observed_attribute(name, table.column(name), role))
        except (DataError, InvalidParameter) as error:
            notes.append(phrase("{name!r} is left out: {error}", name=name, error=error))
    used = [attribute.name for attribute in attributes]
    if not qi:
        known = [a.name for a in attributes if a.role == "quasi_identifier"]
        notes.append(
            phrase(
                "Guessed that an attacker may know {known}. Choose others with --qi, or give a plan.",
                known=names(known),
            )
        )
    if not used:
        raise DataError("{data} has no column that can be compared.", data=data)
    return table.select(used), Schema(tuple(attributes)), ()


def _roles(table: pa.Table, known: Sequence[str], secret: Sequence[str]) -> dict[str, Role]:
    """Return the role of each column that is to be used."""
    for name in (*known, *secret):
        if name not in table.column_names:
            raise InvalidParameter(
                "There is no column {name!r} in the table.{hint}", name=name, hint=nearest(name, table.column_names)
            )
    if known:
        return {**dict.fromkeys(known, "quasi_identifier"), **dict.fromkeys(secret, "sensitive")}
    roles = {name: suggest_role(name, table.column(name)) for name in table.column_names}
    return {name: "sensitive" if name in secret else role for name, role in roles.items() if role != "identifier"}


def run(
    source: Rows, methods: Sequence[str], sizes: Sequence[float], settings: Mapping[str, Any], notes: list[str]
) -> pa.Table:
    """Compare the methods; what they warn of comes among the notes."""
    table, schema, prepare = source
    with warnings.catch_warnings(record=True) as noticed:
        warnings.simplefilter("always", TokumeiWarning)
        with compiling() as compiled:
            found: pa.Table = compare(table, schema, methods, sizes, prepare, **settings)
    notes += [str(notice.message) for notice in noticed if issubclass(notice.category, TokumeiWarning)]
    if compiled.seconds >= 0.5:
        notes.append(
            phrase(
                "Compiling took {seconds:.1f} s of CPU on this first run; it is no method's cost, and the next run does without it.",
                seconds=compiled.seconds,
            )
        )
    return found


def places(place: Path, measure: str, rung: str | None, overwrite: bool) -> list[Path]:
    """Name the files to write, and refuse before the work what could not be written after it."""
    altair()
    axis_of(rung)
    known = measures()
    if measure not in known:
        raise InvalidParameter(
            "--measure must be one of {known}.{hint}", known=names(known), hint=nearest(measure, known)
        )
    paths = [sibling(place, place.name + ending) for ending in (".csv", ".html", ".svg")]
    for path in paths:
        check_free(path, overwrite=overwrite)
    return paths


def write(found: pa.Table, measure: str, paths: Sequence[Path], overwrite: bool, rung: str | None = None) -> None:
    """Write the table as CSV and the frontier as a page and a picture."""
    write_frame(found, paths[0], overwrite=overwrite, private=True)
    chart = frontier(found, measure, rung=rung)
    for path in paths[1:]:
        save(chart, path, overwrite=overwrite, private=True)


def _block(rows: Sequence[Mapping[str, Any]], columns: Sequence[str], rung: str | None, words: Words) -> Table:
    """Lay out one side of a comparison."""
    shown = Table(box=None, pad_edge=False, header_style="bold")
    shown.add_column("method", overflow="fold", min_width=24)
    shown.add_column("k", justify="right")
    for title in columns:
        shown.add_column(title.replace("_", " "), justify="right")
    for row in rows:
        numbers = ["" if row[name] is None else f"{row[name]:.3f}" for name in columns]
        if rung is not None and row[how_known(rung)] is not None:
            how, number = row[how_known(rung)], row[rung]
            numbers[0] = (
                words(f"ladder.{how}")
                if how == NOTHING
                else words("in_brackets", text=f"{number:.3f}", aside=words(f"ladder.{how}"))
            )
        shown.add_row(cell(row["method"]), f"{row['k']:g}", *numbers)
    return shown


def show(found: pa.Table, rung: str | None = None, console: Console | None = None) -> None:
    """Print the comparison; with a rung its number in place of the risk that each method states."""
    console = console or Terminal()
    scored = ["score"] if found.column("score").null_count < found.num_rows else []
    measured = [rung or "risk", "pairs", "marginals", "told_apart", *scored]
    words = Words(spoken_language())
    for side, columns in {"released": [*measured, "seconds"], "reconstructed": measured}.items():
        rows = [row for row in found.to_pylist() if row["side"] == side]
        if rows:
            console.print(words(f"side_{side}"), style="bold", markup=False)
            console.print(_block(rows, columns, rung, words))
    reasons = [
        (row["method"], row["k"], row["note"]) for row in found.to_pylist() if row["risk"] is None and row["note"]
    ]
    for method, k, note in dict.fromkeys(reasons):
        console.print(f"{method}, k = {k:g}: {note}", markup=False)
    language = spoken_language()
    more_is_better = phrase(" The score of a model: more is better.") if scored else ""
    console.print(Joined([DIRECTIONS, more_is_better]).in_language(language), markup=False)
    if rung is None:
        console.print(ATTACKERS.in_language(language), markup=False)
    else:
        called, whom = words(f"ladder.name.{rung}"), words(f"ladder.who.{rung}")
        console.print(f"{called}{words('colon')}{whom}", markup=False)
