"""What errors and warnings say on the command line: options of commands and lines of a plan, no names of Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei.messages import message_of, phrase
from tokumei.messages.rewording import Instead, reworded

if TYPE_CHECKING:
    from tokumei.words import Words

INSTEAD: Instead = {
    "{path} already exists; choose another place, or overwrite it (overwrite=True, --overwrite).": lambda path: phrase(
        "{path} already exists; choose another place, or overwrite it (--overwrite).", path=path
    ),
    "The table {there!r} already exists; choose another name, or overwrite it (overwrite=True, --overwrite).": lambda there: (
        phrase("The table {there!r} already exists; choose another name, or overwrite it (--overwrite).", there=there)
    ),
    "Column {column!r} has {count:missing value|missing values}; allow them in the schema (missing=True, in a plan missing = true), and they will be protected like any other value.": lambda column, count: (
        phrase(
            "Column {column!r} has {count:missing value|missing values}; allow them in the plan (missing = true), and they will be protected like any other value.",
            column=column,
            count=count,
        )
    ),
    "{column!r} has {size:,} categories without order or hierarchy, and clusters take at most {labels}; give it a hierarchy, or make it coarser first with Recode.": lambda column, size, labels: (
        phrase(
            '{column!r} has {size:,} categories without order or hierarchy, and clusters take at most {labels}; give it a hierarchy in the plan, or make it coarser first (a step "recode" under [[prepare]]).',
            column=column,
            size=size,
            labels=labels,
        )
    ),
    "The step {step!r} is for identifiers, and {column!r} has the role {role!r}; give it the role 'identifier', or make it coarser with Recode or leave it out with Drop.": lambda step, column, role: (
        phrase(
            "The step {step!r} is for identifiers, and {column!r} has the role {role!r}; give it the role 'identifier', or take the step 'recode' to make it coarser or 'drop' to leave it out.",
            step=step,
            column=column,
            role=role,
        )
    ),
    "PkPerturbation needs k, epsilon, or both.": lambda: phrase(
        "the method pk_perturbation needs k, epsilon, or both."
    ),
    "attack plays against perturbed or sampled releases; for generalized rows the equivalence classes show the risk, and tk.check(release.frame, columns) counts them.": lambda: (
        phrase(
            "attack plays against perturbed or sampled releases; for generalized rows the equivalence classes show the risk, and tokumei report PLAN counts them."
        )
    ),
    "collation_check looks at rows generalized to labels, as by Generalization; the attack (tk.attack, tokumei attack) plays against perturbed or sampled releases.": lambda: (
        phrase(
            "collation looks at rows generalized to labels; tokumei attack plays against perturbed or sampled releases."
        )
    ),
    "The engine 'spark' reads files, not databases; use the engine 'stream', or read the table with Spark and give the frame to tk.anonymize.": lambda: (
        phrase("The engine 'spark' reads files, not databases; use the engine 'stream' (--engine stream).")
    ),
    "the rows are not those of households: they need columns such as 'age.1', 'age.2' for each member, as tk.surveys.widen makes them.": lambda: (
        phrase(
            "the rows are not those of households: they need columns such as 'age.1', 'age.2' for each member, as tokumei survey widen makes them."
        )
    ),
}


def on_command_line(given: Exception, words: Words) -> str:
    """Say an error or a warning to somebody who types commands and edits plans."""
    from tokumei.words import Statement, said_by

    said = message_of(given)
    return words.say(said if isinstance(said, Statement) else said_by(reworded(said, INSTEAD)))
