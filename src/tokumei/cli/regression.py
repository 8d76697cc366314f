"""The command for regressions."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from tokumei.cli.command import ANALYST, AsJson, ReleasePath, command, print_json, say
from tokumei.cli.completion import choices


@command('tokumei regress people-release "income ~ age + sex"', panel=ANALYST)
def regress(
    release: ReleasePath,
    formula: Annotated[
        str,
        typer.Argument(
            metavar="FORMULA",
            help="What to explain by what: 'income ~ age + sex', or 'income ~ .' for all other columns. A name with other signs stands in backticks.",
        ),
    ],
    family: Annotated[
        str | None,
        typer.Option(
            help="linear, logistic or poisson. By default linear for numbers and logistic for categories.",
            autocompletion=choices("tokumei.learning.glm", "Family"),
        ),
    ] = None,
    outcome: Annotated[
        list[str] | None,
        typer.Option(
            help="For logistic regression: the value that it is about. May be repeated. By default the second of two."
        ),
    ] = None,
    weights: Annotated[
        str | None,
        typer.Option(
            help="A column of survey weights that is released unchanged: each row counts for this many people."
        ),
    ] = None,
    level: Annotated[float, typer.Option(help="The probability with which an interval holds the coefficient.")] = 0.9,
    copies: Annotated[int, typer.Option(help="How many times rows are completed, where they are.")] = 10,
    random_state: Annotated[int, typer.Option(help="The same number gives the same copies.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Regress a column of the original table on others: coefficients, standard errors and intervals from any release, or why there is no honest interval."""
    import warnings

    from tokumei.errors import InvalidParameter, TokumeiWarning
    from tokumei.learning.regress import regress as regressed
    from tokumei.messages import phrase
    from tokumei.release.files import read_release
    from tokumei.words import spoken

    if not 0 < level < 1:
        raise InvalidParameter("level must be a number between 0 and 1.")
    found = read_release(release, frame="pyarrow")
    kind: Any = family
    values = None if not outcome else _values(found, formula, outcome)
    with warnings.catch_warnings(record=True) as noticed:
        warnings.simplefilter("always", TokumeiWarning)
        made = regressed(
            found, formula, family=kind, outcome=values, weights=weights, copies=copies, random_state=random_state
        )
    for notice in noticed:
        if issubclass(notice.category, TokumeiWarning):
            say(phrase("note: {note}", note=notice.message), err=True)
    if as_json:
        print_json(made.describe(level))
        return
    say(made.title())
    for line in made.lines(level):
        say(line)
    for remark in made.remarks(spoken(), level):
        say(remark)


def _values(release: Any, formula: str, outcome: list[str]) -> list[Any]:
    """Return the values that a command line names by their labels."""
    from tokumei.learning.formula import formula as read
    from tokumei.table.domain import Categories

    target = read(formula).target
    domain = release.original(target).domain if target in release.schema.names() else None
    if not isinstance(domain, Categories):
        return list(outcome)
    labels = dict(zip(domain.labels(), domain.values, strict=True))
    return [labels.get(each, each) for each in outcome]
