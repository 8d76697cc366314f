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
    "TopBottomCode needs low, high or both.": lambda: phrase("the step top_bottom_code needs low, high or both."),
    "TopBottomCode needs numbers or dates, and {column!r} has none.": lambda column: phrase(
        "the step top_bottom_code needs numbers or dates, and {column!r} has none.", column=column
    ),
    "TopBottomCode of {column!r} needs a domain with a declared step.": lambda column: phrase(
        "the step top_bottom_code of {column!r} needs a step in the domain of the column.", column=column
    ),
    "TopBottomCode of {column!r}: low must not be above high.": lambda column: phrase(
        "the step top_bottom_code of {column!r}: low must not be above high.", column=column
    ),
    "TopBottomCode of {column!r}: {bound} is not a grid point of its domain.": lambda column, bound: phrase(
        "the step top_bottom_code of {column!r}: {bound} is not one of its values.", column=column, bound=bound
    ),
    "Recode needs a hierarchy for {column!r}; give one here or in the schema.": lambda column: phrase(
        "the step recode needs a hierarchy for {column!r}; write hierarchy below domain in the section of the column, or in the step.",
        column=column,
    ),
    "split shares the budget among columns that every row tells; say tells='all' too, or leave it out.": lambda: phrase(
        'split shares the budget among columns that every row tells; write tells = "all" too, or leave it out.'
    ),
    "{kept}, released unchanged, may show which rows belong to one person, which kept='unknown' cannot allow; use kept='known' or kept='perturb', or drop it.": lambda kept: (
        phrase(
            '{kept}, released unchanged, may show which rows belong to one person, which kept = "unknown" cannot allow; use kept = "known" or kept = "perturb", or drop it.',
            kept=kept,
        )
    ),
    "{kept}, released unchanged, may show which rows belong to one household, which kept='unknown' cannot allow; use kept='known' or kept='perturb', or drop it.": lambda kept: (
        phrase(
            '{kept}, released unchanged, may show which rows belong to one household, which kept = "unknown" cannot allow; use kept = "known" or kept = "perturb", or drop it.',
            kept=kept,
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
    "Lattice: there are too many boxes with this many columns; use NearestGroups.": lambda: phrase(
        'the partition "lattice" has too many boxes with this many columns; use partition = "nearest_groups".'
    ),
    "Lattice: there are too many columns to number their boxes; use NearestGroups.": lambda: phrase(
        'the partition "lattice" has too many boxes with this many columns; use partition = "nearest_groups".'
    ),
    "NearExact takes at most {most_rows:,} rows and a k of at most {largest_k}. Got {rows:,} rows and k = {k}; use LocalSearch(thorough=True).": lambda most_rows, largest_k, rows, k: (
        phrase(
            'The partition "near_exact" takes at most {most_rows:,} rows and a k of at most {largest_k}. Got {rows:,} rows and k = {k}; use partition = {{ kind = "local_search", thorough = true }}.',
            most_rows=most_rows,
            largest_k=largest_k,
            rows=rows,
            k=k,
        )
    ),
    "{notion} does not hold: the boxes of classes overlap, so that rows of one may stand for people of another; take a partition whose boxes do not overlap, such as Mondrian(strict=True) or Optimal().": lambda notion: (
        phrase(
            '{notion} does not hold: the boxes of classes overlap, so that rows of one may stand for people of another; take partition = {{ kind = "mondrian", strict = true }} or partition = "optimal", whose boxes do not overlap.',
            notion=notion,
        )
    ),
    "delta-presence does not hold: somebody in the population is in the table with a probability of {low} only, and delta_min asks for more; take Optimal(), or ask for less.": lambda low: (
        phrase(
            'delta-presence does not hold: somebody in the population is in the table with a probability of {low} only, and delta_min asks for more; take partition = "optimal", or ask for less.',
            low=low,
        )
    ),
    "a sample of groups cannot also count on equivalence classes of known columns, since how many rows of a class are drawn is chance; perturb the kept columns (kept='perturb'), drop them, or use PkPerturbation.": lambda: (
        phrase(
            'a sample of groups cannot also count on equivalence classes of known columns, since how many rows of a class are drawn is chance; perturb the kept columns (kept = "perturb"), drop them, or use method = "pk_perturbation".'
        )
    ),
    "groups of people with several rows cannot also count on equivalence classes of known columns; perturb the kept columns (kept='perturb'), drop them, or use PkPerturbation.": lambda: (
        phrase(
            'groups of people with several rows cannot also count on equivalence classes of known columns; perturb the kept columns (kept = "perturb"), drop them, or use method = "pk_perturbation".'
        )
    ),
}


def on_command_line(given: Exception, words: Words) -> str:
    """Say an error or a warning to somebody who types commands and edits plans."""
    from tokumei.words import Statement, said_by

    said = message_of(given)
    return words.say(said if isinstance(said, Statement) else said_by(reworded(said, INSTEAD)))
