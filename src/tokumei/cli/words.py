"""What the commands say about releases and tables."""

from __future__ import annotations

import datetime as dt
import os
import shlex
import shutil
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from tokumei.errors import InvalidParameter
from tokumei.files import atomic_file
from tokumei.release.artifact import Release
from tokumei.release.files import WRITERS, check_form
from tokumei.release.formulas import Formulas
from tokumei.release.manifest import declared_and_disclosed
from tokumei.shown import escaped, shown
from tokumei.table.hierarchy import Edge
from tokumei.text import plural
from tokumei.words import Statement, read_statement

if TYPE_CHECKING:
    from tokumei.anonymizers.suggest import Suggestion
    from tokumei.reconstruction.iterative_bayes import IterativeBayes


class Terminal(Console):
    """A console that shows whatever stands in a text, and obeys none of it."""

    def render_str(self, text: str, **options: Any) -> Text:
        """Make a text ready to be shown."""
        return super().render_str(shown(text, lines=True), **options)


def cell(text: object) -> str:
    """Write a name or a label for a table: no markup, no line of its own."""
    return escape(shown(text))


def program() -> str:
    """Return what to type for this program: its name, or where it lies if the shell would not find it by its name."""
    called = Path(sys.argv[0])
    if called.stem != "tokumei" or shutil.which("tokumei") is not None:
        return "tokumei"
    return shlex.quote(os.path.relpath(called) if called.is_relative_to(Path.cwd()) else str(called))


def typed(command: str, *words: object) -> str:
    """Write a command that may be typed as it stands, whatever its words hold.

    >>> typed("reconstruct", "a release", "--columns", "age,$(date)").partition(" ")[2]
    "reconstruct 'a release' --columns 'age,$(date)'"
    """
    return f"{program()} {command} {shlex.join(shown(word) for word in words)}"


def roles_guessed(plan: str, most: int = 8) -> list[str]:
    """Say which columns of a plan's text have which role, in a line each."""
    columns: dict[str, list[str]] = {}
    for name, described in tomllib.loads(plan)["schema"].items():
        columns.setdefault(described["role"], []).append(name)
    lines = []
    for role, found in columns.items():
        rest = f" and {len(found) - most:,} more" if len(found) > most else ""
        lines.append(f"  {role}: {', '.join(map(shown, found[:most]))}{rest}")
    return ["Guessed:", *lines]


def release_facts(release: Release) -> dict[str, Any]:
    """Return the public facts of a release for a script."""
    declared, disclosed = declared_and_disclosed(release)
    return {
        "rows": release.rows,
        "guarantees": [guarantee.describe() for guarantee in release.guarantees],
        "declared": declared,
        "disclosed": disclosed,
    }


def explain(release: Release, place: Path, console: Console | None = None) -> None:
    """Explain a release in plain words."""
    console = console or Terminal()
    console.print(f"[bold]{plural(release.rows, 'row')}, {plural(len(release.types), 'column')}[/bold]")
    console.rule("What is promised", align="left")
    for line in promise_lines(release):
        console.print(line, markup=False)
    if release.seeded:
        console.print(
            "[bold red]The draws come from a seed: the guarantee is void against anyone who knows it.[/bold red]"
        )
    console.rule("How it was made", align="left")
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("column", "role", "domain", "what happens to a value"):
        table.add_column(title, overflow="fold")
    for attribute in release.schema:
        domain = attribute.domain.describe() if attribute.domain is not None else "not declared"
        table.add_row(
            cell(attribute.name),
            attribute.role.replace("_", "-"),
            cell(domain + (", or missing" if attribute.missing else "")),
            cell(release.treatment(attribute.name)),
        )
    console.print(table)
    steps = [
        shown(f"{s['step']} {s['column']}" + (f" to level {s['level']}" if "level" in s else ""))
        for s in release.prepare
    ]
    if steps:
        console.print(f"Before that: {', '.join(steps)}.", markup=False)
    of = release.mechanism.of
    drawn = "" if of is None else f"{release.rows:,} of {of:,} rows were sampled. "
    left_out = release.mechanism.left_out
    gone = (
        f"{plural(left_out, 'row')} {'was' if left_out == 1 else 'were'} left out because too few rows were like {'it' if left_out == 1 else 'them'}. "
        if left_out
        else ""
    )
    replaced = any(step["step"] in {"pseudonymize", "mask"} for step in release.prepare)
    console.print(f"{drawn}{gone}Rows were shuffled; {'other ' * replaced}direct identifiers were dropped.")
    _, disclosed = declared_and_disclosed(release)
    console.rule("What was taken from the data", align="left")
    if not disclosed:
        console.print("Nothing: parameters and domains follow from what was declared and from the number of rows.")
    for name, fact in disclosed.items():
        value = f" = {fact['value']}" if isinstance(fact["value"], int | float | str) else ""
        told = shown(f"{name}{value}: {read_statement(fact['reason'])}")
        console.print(f"  • {told}", markup=False)
    perturbed = release.mechanism.perturbed[:2]
    if perturbed:
        console.rule("What to do with it", align="left")
        console.print(
            "Counting released rows directly gives wrong answers, by design. Take the noise out statistically, "
            f"for example:\n  {typed('reconstruct', place, '--columns', ','.join(perturbed))}",
            markup=False,
        )
    elif release.mechanism.recoding is not None:
        console.rule("What to do with it", align="left")
        console.print(
            "Cells are coarse but true. In Python, tk.encoders.encoder_for(model, release) lets models read them together "
            "with raw cells.",
            markup=False,
        )


def promise_lines(release: Release) -> list[str]:
    """Say what a release promises: each guarantee, then once what all of them assume, and where the proofs are."""
    lines = [f"{place}. {shown(guarantee.headline)}" for place, guarantee in enumerate(release.guarantees, start=1)]
    lines.append("This assumes:")
    sentences: dict[Statement, list[int]] = {}
    for place, guarantee in enumerate(release.guarantees, start=1):
        for sentence in guarantee.assumes:
            sentences.setdefault(sentence, []).append(place)
    for sentence, places in sentences.items():
        which = "" if len(places) == len(release.guarantees) else f" ({', '.join(map(str, places))})"
        lines.append(f"  • {shown(sentence)}{which}")
    proofs = " and ".join(
        f"tokumei proof {name}" for name in dict.fromkeys(g.proof for g in release.guarantees if g.checked)
    )
    return [*lines, shown(f"For the proofs, run: {proofs}")] if proofs else lines


def show_table(table: pa.Table, columns: Sequence[str], model: IterativeBayes, most: int = 60) -> None:
    """Print a reconstructed table, largest cells first if there are many."""
    console = Terminal()
    cells = table.num_rows
    if cells > most:
        table = table.sort_by([(table.column_names[len(columns)], "descending")]).slice(0, most)
    grid = Table(box=None, pad_edge=False, header_style="bold")
    for name in columns:
        grid.add_column(cell(name))
    share, count, *interval = table.column_names[len(columns) :]  # then: standard error, low, high, trusted
    for title in ("share", "count", *(["95 % interval of the share"] if interval else [])):
        grid.add_column(title, justify="right")
    for row in table.to_pylist():
        labels = ["(missing)" if row[name] is None else cell(row[name]) for name in columns]
        between = (
            [f"{row[interval[1]]:.4f} to {row[interval[2]]:.4f}{'' if row[interval[3]] else ' ?'}"] if interval else []
        )
        grid.add_row(*labels, f"{row[share]:.4f}", f"{row[count]:,.0f}", *between)
    console.print(grid)
    if cells > most:
        console.print(f"The {most} largest of {cells:,} cells; write all of them with --output.")
    state = "converged" if model.converged_ else "NOT converged"
    console.print(
        f"The fit has {state} after {plural(model.n_iter_, 'step')} (log-likelihood at most {model.gap_:.2g} below the best)."
    )
    if interval:
        console.print(
            "The intervals are about the population from which the people were sampled, each on its own. They "
            "belong to the unbiased estimate, so a share may lie off their middle."
        )
        if not model.trusted_.all():
            console.print("Intervals marked ? may cover the truth less than 95 % of the time; ask for more bins.")


def write_frame(
    table: pa.Table, path: Path, *, overwrite: bool, formulas: Formulas = "keep", private: bool = False
) -> None:
    """Write a table to a CSV or Parquet file, whole or not at all; a private one for its owner only."""
    kind = path.suffix.lower().lstrip(".")
    if kind not in WRITERS:
        raise InvalidParameter(f"{path} must end in .csv or .parquet.")
    check_form(kind, formulas)
    with atomic_file(path, overwrite=overwrite, private=private) as temporary:
        WRITERS[kind](iter([table]), table.schema, temporary, formulas)


def gained_by_sampling(release: Release) -> list[str]:
    """Say how much more often values are kept because only a sample is released, where the noise was solved for a k."""
    from tokumei.anonymizers.pk_perturbation import solve_channels
    from tokumei.mechanism.retention import Retention
    from tokumei.privacy.sampling import HidingPlace

    method, of = release.method, release.mechanism.of
    split = method.get("split")
    if of is None or "split" not in method or (isinstance(split, dict) and "kind" in split):
        return []
    columns = [release.schema[name] for name in release.mechanism.channels]
    most = max(int(each.numbers.get("most", 1)) for each in release.guarantees)
    whole = solve_channels(columns, HidingPlace(0, of, most), method["k"], method["split"])
    lines = []
    for name, channel in release.mechanism.channels.items():
        before = whole[name]
        if isinstance(channel, Retention) and isinstance(before, Retention) and channel.size > 1:
            lines.append(
                f"{shown(name)} is kept with probability {channel.retention:.3f}, all rows released {before.retention:.3f}"
            )
    return lines


def suggestion_toml(found: Suggestion) -> str:
    """Write a suggestion as the lines of a plan that it stands for."""
    import tomlkit

    document = tomlkit.document()
    for line in (
        f"Score for the purpose: {found.worth:.4g} (higher is better); even split: {found.worth_even:.4g}.",
        "Put the steps before the method, and replace its split by this one.",
    ):
        document.add(tomlkit.comment(line))
    steps = tomlkit.aot()
    for step in found.prepare:
        section = tomlkit.table()
        section["step"], section["column"] = step.step, step.column
        if hasattr(step, "level"):
            section["level"] = step.level
        hierarchy: Any = getattr(step, "hierarchy", None)
        if hierarchy is not None:
            inline = tomlkit.inline_table()
            if hasattr(hierarchy, "edges"):
                inline["edges"] = [list(level) for level in hierarchy.edges]
            else:
                groups: dict[str, list[str]] = {}
                for leaf, group in hierarchy.rows:
                    groups.setdefault(group, []).append(leaf)
                inline["groups"] = groups
            section["hierarchy"] = inline
        steps.append(section)
    if found.prepare:
        document["prepare"] = steps
    method = tomlkit.table()
    shares = tomlkit.inline_table()
    shares.update({name: round(weight, 4) for name, weight in found.split.items()})
    method["split"] = shares
    document["method"] = method
    return escaped(tomlkit.dumps(document))


def parse_columns(given: Sequence[str], known: Sequence[str]) -> list[str]:
    """Split names at commas, except where a whole name has some.

    >>> parse_columns(["age, sex", "town,county"], ["age", "sex", "town,county"])
    ['age', 'sex', 'town,county']
    """
    parts = [part for text in given for part in ([text] if text in known else text.split(","))]
    return [part if part in known else part.strip() for part in parts if part.strip()]


def parse_sizes(given: Sequence[str] | None, default: Sequence[float]) -> list[float]:
    """Read what was given for ``--k``, numbers separated by commas or one by one; ``default`` where there is nothing.

    >>> parse_sizes(["2, 5", "10"], default=(3,))
    [2.0, 5.0, 10.0]
    """
    try:
        return [float(part) for text in given or [] for part in text.split(",") if part.strip()] or list(default)
    except ValueError:
        raise InvalidParameter(f"--k must hold numbers separated by commas. Got {','.join(given or [])!r}.") from None


def parse_bins(given: Sequence[str]) -> dict[str, int | Sequence[Edge]]:
    """Read ``age=10`` or ``age=17:30:60``.

    >>> parse_bins(["age=10", "hours=0:20:40"])
    {'age': 10, 'hours': [0, 20, 40]}
    """
    found: dict[str, int | Sequence[Edge]] = {}
    for text in given:
        name, separator, after = text.rpartition("=")
        if not separator or not name:
            raise InvalidParameter(f"--bins must look like age=10 or age=17:30:60. Got {text!r}.")
        edges = [_edge(part, text) for part in after.split(":")]
        found[name] = edges[0] if len(edges) == 1 and isinstance(edges[0], int) else edges
    return found


def _edge(part: str, whole: str) -> Edge:
    for kind in (int, float, dt.date.fromisoformat):
        try:
            return kind(part)
        except ValueError:
            continue
    raise InvalidParameter(f"--bins must hold numbers or dates. Got {whole!r}.")
