"""What the commands say about releases and tables."""

from __future__ import annotations

import datetime as dt
import os
import shlex
import shutil
import sys
import tomllib
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from tokumei.cli.breaking import Japanese, Printed, is_wide
from tokumei.errors import InvalidParameter
from tokumei.files import atomic_file
from tokumei.messages import phrase, said_in, spoken_text
from tokumei.plan.calibration import told_calibration
from tokumei.privacy.guarantee import Guarantee, headline
from tokumei.privacy.rungs import number_of
from tokumei.progress import clear
from tokumei.release.artifact import Release
from tokumei.release.files import WRITERS, check_form
from tokumei.release.formulas import Formulas
from tokumei.release.ladder import Ladder
from tokumei.release.manifest import declared_and_disclosed
from tokumei.release.told import told_grid
from tokumei.shown import escaped, shown
from tokumei.table.domain import Categories, Numbers
from tokumei.table.hierarchy import Edge
from tokumei.table.schema import Attribute
from tokumei.words import Statement, Words, read_statement, spoken

if TYPE_CHECKING:
    from tokumei.anonymizers.suggest import Suggestion
    from tokumei.mechanism.recoding import Recoding
    from tokumei.mechanism.record import Mechanism
    from tokumei.privacy.duties import Kept
    from tokumei.reconstruction.iterative_bayes import IterativeBayes
    from tokumei.release.ladder import Ladder
    from tokumei.reports.mending import Advised


INTERVAL_LEVEL = 0.9  # of the intervals that commands print
FEW_LABELS = 12  # that a column may have to be explained in a suggested regression
MANY_CELLS = 10**6  # of larger tables intervals are left out: nobody reads them


class Terminal(Console):
    """A console that shows whatever stands in a text, and obeys none of it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(emoji=False, **options)  # a column may be called ':b:'

    def render_str(self, text: str, **options: Any) -> Text:
        """Make a text ready to be shown."""
        return Japanese.of(super().render_str(shown(text, lines=True), **options))

    def print(self, *objects: Any, **options: Any) -> None:
        """Print something, where no progress bar is drawn."""
        clear()
        if len(objects) == 1 and isinstance(objects[0], str) and is_wide(objects[0]):
            how = {name: options[name] for name in ("markup", "emoji", "highlight") if name in options}
            objects = (Printed(self.render_str(objects[0], **how)),)
        super().print(*objects, **options)


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
    return [spoken_text("Guessed:"), *lines]


def release_facts(release: Release) -> dict[str, Any]:
    """Return the public facts of a release for a script."""
    declared, disclosed = declared_and_disclosed(release)
    return {
        "rows": release.rows,
        "guarantees": [guarantee.describe() for guarantee in release.guarantees],
        "rungs": [rung.describe() for rung in release.rungs],
        "declared": declared,
        "disclosed": disclosed,
    }


def explain(release: Release, place: Path, console: Console | None = None) -> None:
    """Explain a release in plain words."""
    console, words = console or Terminal(), spoken()
    console.print(f"[bold]{words('cli.size', rows=release.rows, columns=len(release.types))}[/bold]")
    console.rule(words("title_promise"), align="left")
    for line in promise_lines(release):
        console.print(line, markup=False)
    if release.seeded:
        console.print(f"[bold red]{words('cli.seeded')}[/bold red]")
    console.rule(words("ladder.title"), align="left")
    show_rungs(Ladder(release.rungs, release.seeded), console, words)
    console.print(words("cli.promises", command=typed("promises", place)), markup=False)
    console.rule(words("title_method"), align="left")
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("column", "role", "values", "happened"):
        table.add_column(words(f"dictionary_{title}"), overflow="fold")
    for attribute in release.schema:
        table.add_row(
            cell(attribute.name),
            words(f"role_{attribute.role}"),
            cell(_holds(release, attribute, words)),
            cell(words.say(release.treatment(attribute.name))),
        )
    console.print(table)
    _show_told(console, release.mechanism, words)
    steps = [
        shown(f"{s['step']} {s['column']}" + (f" ({words('cli.level', level=s['level'])})" if "level" in s else ""))
        for s in release.prepare
    ]
    if steps:
        console.print(words("cli.steps", steps=", ".join(steps)), markup=False)
    of, left_out = release.mechanism.of, release.mechanism.left_out
    replaced = any(step["step"] in {"pseudonymize", "mask"} for step in release.prepare)
    made = [
        "" if of is None else words("cli.sampled", rows=release.rows, of=of),
        words("cli.left_out", rows=left_out) if left_out else "",
        words("cli.shuffled_other" if replaced else "cli.shuffled"),
    ]
    console.print(words.join(made))
    _, disclosed = declared_and_disclosed(release)
    console.rule(words("title_looked"), align="left")
    if not disclosed:
        console.print(words("looked_nothing"))
    for name, fact in disclosed.items():
        value = f" = {fact['value']}" if isinstance(fact["value"], int | float | str) else ""
        told = shown(f"{name}{value}{words('colon')}{words.say(read_statement(fact['reason']))}")
        console.print(f"  • {told}", markup=False)
    console.rule(words("title_use"), align="left")
    for line in use_lines(release, place, words):
        console.print(line, markup=False)
    _show_quality(console, release, place, words)


def _holds(release: Release, attribute: Attribute, words: Words) -> str:
    """Say what cells of a column can be; labels that came about by recoding are counted, and a star is none of them."""
    recoding = release.mechanism.recoding
    if recoding is not None and attribute.name in recoding.columns and attribute.domain is not None:
        starred = int(np.count_nonzero(recoding.columns[attribute.name].starred))
        if starred == attribute.domain.size:
            return words("domain_starred")
        made = words("domain_labels", count=attribute.domain.size - starred) + (
            words("domain_or_star") if starred else ""
        )
        return made + (words("domain_missing") if attribute.missing else "")
    was = release.original(attribute.name) if release.mechanism.partly_told else attribute
    domain = said_in(was.domain.describe(), words.language) if was.domain is not None else words("domain_none")
    return domain + (words("domain_missing") if was.missing else "")


def use_lines(release: Release, place: Path, words: Words) -> list[str]:
    """Say what the recipient can do with the rows, whatever method made them, by commands."""
    mechanism, made = release.mechanism, list[str]()
    if mechanism.example:
        command = typed("reconstruct", place, "--columns", ",".join(mechanism.example))
        made += [words("cli.use_perturbed"), f"  {command}"]
    elif mechanism.recoding is not None:
        recoded = [name for name in mechanism.recoding.columns if name not in mechanism.recoding.suppressed][:2]
        made += (
            [words(_recoded(mechanism.recoding)), f"  {typed('reconstruct', place, '--columns', ','.join(recoded))}"]
            if recoded
            else []
        )
    elif mechanism.averaging is not None:
        means = [name for name, how in mechanism.averaging.columns.items() if how == "mean"]
        typical = [name for name in mechanism.averaging.columns if name not in means]
        made += [words("cli.use_averaged", columns=words.names(means))] if means else []
        made += [words("cli.use_typical", columns=words.names(typical))] if typical else []
    elif mechanism.swapping is not None:
        made.append(words("cli.use_swapped", columns=words.names(mechanism.swapped)))
    elif mechanism.of is not None:
        made.append(words("cli.use_sampled", rows=release.rows, of=mechanism.of))
    else:
        made.append(words("cli.use_rows"))
    if mechanism.left_out:
        made.append(words("cli.use_left_out"))
    kept = told_calibration(release)
    if kept is not None:
        command = typed("survey weights", place, "-o", "weighted.csv")
        made += [words("cli.use_totals", margins=shown(kept.said)), f"  {command}"]
    gone = () if mechanism.recoding is None else mechanism.recoding.suppressed
    there = [a for a in release.schema if a.domain is not None and a.name not in {*mechanism.made_up, *gone}]
    targets = [a for a in there if not isinstance(a.domain, Categories) or a.domain.size <= FEW_LABELS]
    target = max(targets, key=_worth_explaining) if targets else None
    others = [a.name for a in sorted(there, key=lambda a: a.role == "insensitive") if a is not target][:2]
    if target is not None and others:
        quoted = [name if name.isidentifier() else f"`{name}`" for name in (target.name, *others)]
        command = typed("regress", place, f"{quoted[0]} ~ {' + '.join(quoted[1:])}", *_outcome(target))
        said = "cli.use_regression" if mechanism.swapping is None else "cli.use_regression_swapped"
        made += [words(said), f"  {command}"]
    return made


def _recoded(recoding: Recoding) -> str:
    """Return which sentence is true of cells that were replaced by labels: coarse ones, suppressed ones, or both."""
    labels, starred = False, False
    for column in recoding.columns.values():
        low, high = column.spans.T
        stars = column.starred[: len(low)]
        labels, starred = labels or bool(np.any((low < high) & ~stars)), starred or bool(np.any(stars))
    return ("cli.use_recoded_starred" if labels else "cli.use_starred") if starred else "cli.use_recoded"


def _outcome(target: Attribute) -> tuple[str, ...]:
    """Name the value that a regression is about, where a column has more than two."""
    domain = target.domain
    return ("--outcome", str(domain.values[0])) if isinstance(domain, Categories) and domain.size != 2 else ()


def _worth_explaining(attribute: Attribute) -> tuple[bool, bool, bool]:
    """Rank columns as the outcome of a regression: sensitive ones before others, weights and the like last, and first those that need no more words."""
    domain = attribute.domain
    plain = isinstance(domain, Numbers) or (isinstance(domain, Categories) and domain.size == 2)
    return attribute.role == "sensitive", attribute.role != "insensitive", plain and not attribute.missing


def _show_quality(console: Console, release: Release, place: Path, words: Words) -> None:
    """Say how good tables will be, and which command says more."""
    from tokumei.reconstruction.quality import expected_quality, quality_lines

    console.rule(words("title_quality"), align="left")
    for line in quality_lines(expected_quality(release), words):
        console.print(line, markup=False)
    console.print(words("cli.ask_more", command=typed("reconstruct", place)), markup=False)


def _show_told(console: Console, mechanism: Mechanism, words: Words) -> None:
    """Show what rows tell, in a small table, where they tell some columns only."""
    found = told_grid(mechanism, words)
    if found is None:
        return
    console.rule(words("title_told"), align="left")
    head, lines = found
    table = Table(box=None, pad_edge=False, header_style="bold")
    for place, title in enumerate(head):
        table.add_column(title, overflow="fold", justify="left" if place == 0 else "right")
    for line in lines:
        table.add_row(*map(cell, line))
    console.print(table)
    console.print(words("told_blank", label=mechanism.tells), markup=False)


def promise_lines(release: Release) -> list[str]:
    """Say what a release promises: each guarantee, then once what all of them assume, and where the proofs are."""
    return guarantee_lines(release.guarantees)


def guarantee_lines(guarantees: Sequence[Guarantee]) -> list[str]:
    """Say what is promised: each guarantee, then once what all of them assume, and where the proofs are."""
    words = spoken()
    lines = [f"{place}. {shown(headline(each, words))}" for place, each in enumerate(guarantees, start=1)]
    lines.append(words("this_assumes"))
    assumed: dict[Statement, list[int]] = {}
    for place, guarantee in enumerate(guarantees, start=1):
        for said in guarantee.assumes:
            assumed.setdefault(said, []).append(place)
    for said, places in assumed.items():
        line = words.say(said)
        if len(places) < len(guarantees):
            line = words("in_brackets", text=line, aside=", ".join(map(str, places)))
        lines.append(f"  • {shown(line)}")
    proofs = ", ".join(
        f"tokumei proof {name}" for name in dict.fromkeys(g.proof for g in guarantees if g.checked and g.proof)
    )
    return [*lines, shown(words("promise_proofs", proofs=proofs))] if proofs else lines


def show_rungs(found: Ladder, console: Console, words: Words) -> None:
    """Print the rungs of a ladder, a line each."""
    head, *lines = found.table(words)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for place, title in enumerate(head):
        table.add_column(title, overflow="fold", justify="left" if place in {0, len(head) - 1} else "right")
    for line in lines:
        table.add_row(*map(cell, line))
    console.print(table)


def show_ladder(found: Ladder, kept: Sequence[Kept], console: Console, words: Words) -> None:
    """Print a ladder: its rungs, what each says, what they assume, and which duties hold."""
    if found.seeded:
        console.print(f"[bold red]{words('cli.seeded')}[/bold red]")
    show_rungs(found, console, words)
    for line in found.lines(words):
        console.print(line, markup=False)
    console.rule(words("ladder.assumes"), align="left")
    for line in found.assumed(words):
        console.print(f"  • {line}", markup=False)
    console.print(words("ladder.lower"), markup=False)
    for duty in kept:
        console.print(duty_line(duty, words), markup=False)


def show_advice(found: Advised, console: Console, words: Words) -> None:
    """Print the changes that were tried, what each gives and costs, and the lines of a plan that they are."""
    console.rule(words("mend.title"), align="left")
    if not found.changes:
        console.print(words("mend.none"), markup=False)
        return
    (_, _, lost, *names), *lines = found.table(words)
    for (place, change, loss, *numbers), each in zip(lines, (found.now, *found.changes), strict=True):
        console.print(words("mend.line", place=place or "•", change=change, mend=lost, loss=loss), markup=False)
        told = [f"{name} {number}" for name, number in zip(names, numbers, strict=True) if number]
        if told:
            console.print(f"   {words('list_semicolon').join(told)}", markup=False)
        if each.lines and each.why is None:
            console.print(f"   {words('mend.in_plan', lines='; '.join(each.lines))}", markup=False)
    console.print(words("mend.legend"), markup=False)


def duty_line(duty: Kept, words: Words) -> str:
    """Say whether a duty holds."""
    return words(
        f"ladder.duty.{'holds' if duty.holds else 'fails'}",
        name=words(f"ladder.name.{duty.name}"),
        value=number_of(duty.name, duty.value, words),
        allowed=number_of(duty.name, duty.allowed, words),
    )


def show_table(table: pa.Table, columns: Sequence[str], model: IterativeBayes) -> None:
    """Print a reconstructed table, and how well the fit has converged."""
    show_cells(table, columns)
    _show_fit(model, len(table.column_names) > len(columns) + 2)


def show_cells(table: pa.Table, columns: Sequence[str], most: int = 60) -> None:
    """Print the cells of a reconstructed table, largest first if there are many."""
    console = Terminal()
    cells = table.num_rows
    if cells > most:
        table = table.sort_by([(table.column_names[len(columns)], "descending")]).slice(0, most)
    grid = Table(box=None, pad_edge=False, header_style="bold")
    for name in columns:
        grid.add_column(cell(name))
    share, count, *more = table.column_names[len(columns) :]  # then: standard error, low, high, interval
    words = spoken()
    for title in ("share", "count", *([words("interval.title", level=INTERVAL_LEVEL)] if more else [])):
        grid.add_column(title, justify="right")
    for row in table.to_pylist():
        labels = ["(missing)" if row[name] is None else cell(row[name]) for name in columns]
        low, high, kind = (row[name] for name in more[-3:]) if more else (None, None, None)
        between = [words(f"interval.{kind}", low=low, high=high)] if more else []
        grid.add_row(*labels, f"{row[share]:.4f}", f"{row[count]:,.0f}", *between)
    console.print(grid)
    if cells > most:
        console.print(
            spoken_text(
                "The {most} largest of {cells:,} cells; write all of them with --output.", most=most, cells=cells
            )
        )


def _show_fit(model: IterativeBayes, intervals: bool) -> None:
    console, steps, gap = Terminal(), model.n_iter_, model.gap_
    console.print(
        spoken_text(
            "The fit has converged after {steps:step|steps} (log-likelihood at most {gap:.2g} below the best).",
            steps=steps,
            gap=gap,
        )
        if model.converged_
        else spoken_text(
            "The fit has NOT converged after {steps:step|steps} (log-likelihood at most {gap:.2g} below the best).",
            steps=steps,
            gap=gap,
        )
    )
    if intervals:
        show_reasons(model.reasons_)


def show_reasons(reasons: Sequence[Statement]) -> None:
    """Say what intervals are about, and why some are only bounds, or missing."""
    console, words = Terminal(), spoken()
    for line in (words("interval.about"), *(words.say(each) for each in reasons)):
        console.print(line, markup=False)


def write_frame(
    table: pa.Table, path: Path, *, overwrite: bool, formulas: Formulas = "keep", private: bool = False
) -> None:
    """Write a table to a CSV or Parquet file, whole or not at all; a private one for its owner only."""
    kind = path.suffix.lower().lstrip(".")
    if kind not in WRITERS:
        raise InvalidParameter("{path} must end in .csv or .parquet.", path=path)
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
    if (
        of is None
        or release.mechanism.grouping is not None
        or "split" not in method
        or method["k"] is None
        or method.get("epsilon") is not None
        or (isinstance(split, dict) and "kind" in split)
    ):
        return []
    most = max(int(each.numbers.get("most", 1)) for each in release.guarantees)
    if release.mechanism.telling is not None:
        swap = (Fraction(method["k"]) - 1) * most / (of - most)
        sizes = {each.channel.size: each.channel for each in release.mechanism.telling.clusters}
        now = [channel.retention for size, channel in sizes.items() if size > 1]
        if not now:
            return []
        all_rows = [Retention.solve(size, min(swap, Fraction(1)), 64).retention for size in sizes if size > 1]
        return [
            phrase(
                "By sampling, what a row tells is kept with probability {sampled}, all rows released {before}.",
                sampled=_between(now),
                before=_between(all_rows),
            )
        ]
    columns = [release.schema[name] for name in release.mechanism.channels]
    whole = solve_channels(columns, HidingPlace(0, of, most), method["k"], method["split"])
    lines: list[str] = []
    for name, channel in release.mechanism.channels.items():
        before = whole[name]
        if isinstance(channel, Retention) and isinstance(before, Retention) and channel.size > 1:
            lines.append(
                phrase(
                    "By sampling, {name} is kept with probability {sampled:.3f}, all rows released {before:.3f}.",
                    name=shown(name),
                    sampled=channel.retention,
                    before=before.retention,
                )
            )
    return lines


def _between(chances: Sequence[float]) -> str:
    low, high = f"{min(chances):.3f}", f"{max(chances):.3f}"
    return low if low == high else f"{low}–{high}"


def suggestion_toml(found: Suggestion) -> str:
    """Write a suggestion as the lines of a plan that it stands for."""
    import tomlkit

    document = tomlkit.document()
    for line in (
        f"Score for the purpose: {found.worth:.4g} (higher is better); even split: {found.worth_even:.4g}.",
        "Put the steps before the method, and replace its split by this one. Every row then tells every column.",
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
    method["tells"] = "all"
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
        raise InvalidParameter(
            "--k must hold numbers separated by commas. Got {given!r}.", given=",".join(given or [])
        ) from None


def parse_bins(given: Sequence[str]) -> dict[str, int | Sequence[Edge]]:
    """Read ``age=10`` or ``age=17:30:60``.

    >>> parse_bins(["age=10", "hours=0:20:40"])
    {'age': 10, 'hours': [0, 20, 40]}
    """
    found: dict[str, int | Sequence[Edge]] = {}
    for text in given:
        name, separator, after = text.rpartition("=")
        if not separator or not name:
            raise InvalidParameter("--bins must look like age=10 or age=17:30:60. Got {text!r}.", text=text)
        edges = [_edge(part, text) for part in after.split(":")]
        found[name] = edges[0] if len(edges) == 1 and isinstance(edges[0], int) else edges
    return found


def _edge(part: str, whole: str) -> Edge:
    for kind in (int, float, dt.date.fromisoformat):
        try:
            return kind(part)
        except ValueError:
            continue
    raise InvalidParameter("--bins must hold numbers or dates. Got {whole!r}.", whole=whole)
