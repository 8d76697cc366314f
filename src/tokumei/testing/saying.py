"""Checks of what is said about a method: in plans, on the command line, in reports and comparisons."""

from __future__ import annotations

import html
import json
from dataclasses import FrozenInstanceError, fields, replace
from typing import Any

import pyarrow.parquet as pq
from typer.testing import CliRunner

from tokumei.anonymizers import METHODS
from tokumei.cli.app import app
from tokumei.cli.completion import methods as complete_methods
from tokumei.plan import Plan
from tokumei.plan.script import plan_script
from tokumei.release.files import read_release
from tokumei.reports.report import report
from tokumei.testing.trial import SEED, Trial, check
from tokumei.utility.compare import compare
from tokumei.words import LANGUAGES, Words


def is_a_registered_value(trial: Trial) -> None:
    """The method is registered, frozen, and equal to another one with the same parameters."""
    method: Any = trial.method
    check(METHODS.of(method.method) is type(method), "It is not registered; put @register_method above @value.")
    check(
        method == type(method)(**{part.name: getattr(method, part.name) for part in fields(method) if part.init}),
        "It is not a value.",
    )
    try:
        method.method = "another"
    except FrozenInstanceError:
        return
    raise AssertionError("It can be changed after it was made; declare it with @value.")


def has_words_in_every_language(trial: Trial) -> None:
    """The catalogue has its name and what it does."""
    for language in LANGUAGES:
        words = Words(language)  # type: ignore[arg-type]
        for key in (f"method_{trial.method.method}", f"about_{trial.method.method}"):
            check(
                words.knows(key),
                f"The catalogue lacks {key!r} in {LANGUAGES[language]}; see tokumei.words.catalogue.add_words.",
            )


def describes_itself(trial: Trial) -> None:
    """What stands in the manifest is plain, begins with the name, and leaves out no parameter."""
    told = trial.method.describe()
    check(told.get("method") == trial.method.method, "describe() does not name the method.")
    json.dumps(told, allow_nan=False)
    given: Any = trial.method
    lacking = [part.name for part in fields(given) if part.init and part.name not in told]
    check(not lacking, f"describe() leaves out {', '.join(lacking)}.")


def survives_a_plan(trial: Trial) -> None:
    """A plan with it is written and read as the same plan, as a file and as a program."""
    plan = trial.plan()
    read = Plan.from_toml(plan.to_toml(), trial.folder)
    alike = read.method.describe() == trial.method.describe()  # a value may be read as the table that stands for it
    check(alike and replace(read, method=trial.method) == plan, "A plan file with it is not read as it was written.")
    names: dict[str, Any] = {}
    program = plan_script(plan).partition("release = ")[0]
    exec(program, names)
    check(names["plan"].method.describe() == trial.method.describe(), "A program of a plan makes another method.")


def works_on_the_command_line(trial: Trial) -> None:
    """`tokumei anonymize` makes the release of a plan file, `inspect` and `report` read it, and the shell completes its name."""
    pq.write_table(trial.frame, trial.folder / "rows.parquet")
    file, out = trial.folder / "plan.toml", trial.folder / "out"
    file.write_text(trial.plan().to_toml(), encoding="utf-8")
    page = trial.folder / "report.html"
    for words in (["anonymize", file], ["inspect", out], ["report", out, "--public", "-o", page]):
        done = CliRunner().invoke(app, [str(each) for each in words])
        check(done.exit_code == 0, f"tokumei {words[0]} ends in: {done.output or done.exception}")
    check(read_release(out).method["method"] == trial.method.method, "The command line makes another release.")
    check(trial.method.method in complete_methods(trial.method.method[:3]), "The shell does not complete its name.")


def is_reported_in_every_language(trial: Trial) -> None:
    """Reports name it, for the holder and for the public, and nothing in them is unknown to this version."""
    release = trial.release()
    for language in LANGUAGES:
        words = Words(language)  # type: ignore[arg-type]
        pages = [report(release, language=language)]  # type: ignore[arg-type]
        pages.append(report(release, trial.frame, trial.schema, trial.prepare, language=language, random_state=SEED))  # type: ignore[arg-type]
        for page in pages:
            text = html.unescape(page.html)
            check(
                words(f"about_{trial.method.method}") in text,
                f"A report in {LANGUAGES[language]} does not say what it does.",
            )
            unknown = words("unknown.unknown", unknown="").strip()
            check(unknown not in text, f"A report in {LANGUAGES[language]} has something that has no words.")


def can_be_compared(trial: Trial) -> None:
    """`tokumei.compare` measures it, where it has a k."""
    k = getattr(trial.method, "k", None)
    if k is None:
        return
    found = compare(trial.frame, trial.schema, {"it": trial.method}, [k], trial.prepare, reconstruct=False)
    row = found.to_pylist()[0]
    check(row["marginals"] is not None, f"It cannot be compared: {row['note']}")
