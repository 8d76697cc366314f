"""Commands of the group `tokumei risk`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from tokumei.cli.command import (
    KNOWN,
    AsJson,
    Data,
    DateForm,
    Decimal,
    Delimiter,
    Encoding,
    Largest,
    Meaning,
    Missing,
    Person,
    Sensitive,
    command,
    print_json,
    risk,
    say,
)
from tokumei.cli.completion import column, columns
from tokumei.messages import phrase

Rows = Annotated[int, typer.Option("--n", help="The number of rows of the table.")]


@command("tokumei risk sampling --n 10000 --known 500 --k 10", group=risk)
def sampling(
    rows: Rows,
    known: Annotated[int, typer.Option(help="The number of people whose records the attacker knows.")],
    k: Annotated[float | None, typer.Option(help="Compute the largest sample that keeps this k.")] = None,
    sample: Annotated[int | None, typer.Option(help="Compute the risk of a sample of this size.")] = None,
    shared: Annotated[int, typer.Option(help="The number of known people who share the target's record.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Say how many rows may be released unchanged, or how risky a sample is, if the attacker knows part of the table."""
    from tokumei.errors import InvalidParameter
    from tokumei.privacy.sampling import largest_sample, partial_risk

    if (k is None) == (sample is None):
        raise InvalidParameter("give either --k, for the largest sample, or --sample, for its risk.")
    size = sample if sample is not None else largest_sample(rows, known, k or 1)
    found = partial_risk(rows, known, size, shared)
    if as_json:
        print_json({"n": rows, "known": known, "sample": size, "risk": float(found), "k": float(1 / found)})
        return
    if k is not None:
        say(phrase("At most {size:,} of {rows:,} rows may be released.", size=size, rows=rows))
    k = float(1 / found)
    say(
        phrase(
            "From a sample of {size:,}, an attacker who knows {known:,} of {rows:,} people, but not who was sampled, "
            "links a row with a probability of at most {numerator}/{denominator} (k = {k:.6g}).",
            size=size,
            known=known,
            rows=rows,
            numerator=found.numerator,
            denominator=found.denominator,
            k=k,
        )
    )


@command("tokumei risk rate --n 10000 --k 10 --values 10", group=risk)
def rate(
    rows: Rows,
    k: Annotated[
        float, typer.Option(help="The guarantee: no attacker links a row to a person with a probability over 1/k.")
    ],
    values: Annotated[int, typer.Option(help="The number of values of the column of interest.")],
    as_json: AsJson = False,
) -> None:
    """Suggest the sampling rate at which the shares of a perturbed column are estimated best, if it is secret who was sampled."""
    from tokumei.privacy.pk import check_feasible, check_k
    from tokumei.privacy.sampling import HidingPlace, best_rate, retention_at

    check_k(k)
    check_feasible(rows, k)
    best = best_rate(rows, k, values)
    size = max(1, int(best * rows))
    kept, alone = (retention_at(HidingPlace(rows - m, m), k, values) for m in (size, rows))
    if as_json:
        print_json({"n": rows, "k": k, "values": values, "rate": best, "retention": kept, "retention_unsampled": alone})
        return
    say(
        phrase(
            "Sample {best:.1%} of the rows: values are then kept with probability {kept:.3f}; without sampling, {alone:.3f}.",
            best=best,
            kept=kept,
            alone=alone,
        )
    )
    say(phrase("The guarantee holds against attackers who do not know who was sampled."))


@command("tokumei risk table people.csv --qi age,sex,region --sensitive income --population 100000", group=risk)
def table(
    data: Data,
    qi: Annotated[
        list[str] | None,
        typer.Option("--qi", help=KNOWN, autocompletion=columns),
    ] = None,
    plan: Annotated[Path | None, typer.Option(help="Take the columns from the schema of this plan.")] = None,
    sensitive: Sensitive = None,
    meaning: Meaning = "own_value",
    star: Annotated[str, typer.Option(help="How a suppressed cell is written.")] = "*",
    population: Annotated[
        int | None, typer.Option(help="The number of people from whom the table was sampled.")
    ] = None,
    population_table: Annotated[
        Path | None, typer.Option(help="A table of all of them, with the same columns, generalized in the same way.")
    ] = None,
    weights: Annotated[str | None, typer.Option(help="The column of survey weights.", autocompletion=column)] = None,
    person: Person = None,
    threshold: Annotated[float, typer.Option(help="Count the rows linked with a probability over this.")] = 0.2,
    largest: Largest = 3,
    delimiter: Delimiter = None,
    encoding: Encoding = "utf-8",
    missing: Missing = None,
    decimal: Decimal = None,
    dates: DateForm = None,
    as_json: AsJson = False,
) -> None:
    """Measure the risk of a table released unchanged: attackers, uniqueness, and which columns make people unique."""
    from tokumei.cli.words import parse_columns
    from tokumei.errors import InvalidParameter
    from tokumei.io.source import read_to_draft
    from tokumei.plan import Plan
    from tokumei.risk.assess import assess

    if population is not None and population_table is not None:
        raise InvalidParameter("give --population or --population-table, not both.")
    if (qi is None) == (plan is None):
        raise InvalidParameter("give --qi or --plan to say what an attacker may know, not both.")
    absent = ("", *missing) if missing else None
    rows, absent = read_to_draft(data, delimiter, absent, encoding, decimal, dates)
    known: Any = parse_columns(qi, rows.column_names) if qi else Plan.read(plan).schema if plan else []
    people: Any = population
    if population_table is not None:
        people, _ = read_to_draft(population_table, delimiter, absent, encoding, decimal, dates)
    wanted: Any = meaning
    found = assess(
        rows,
        known,
        None if sensitive is None else parse_columns(sensitive, rows.column_names),
        meaning=wanted,
        star=star,
        population=people,
        weights=weights,
        person=person,
        threshold=threshold,
        largest=largest,
    )
    if as_json:
        print_json(found.facts())
    else:
        say(found)


@command("tokumei risk compare generalized.toml perturbed.toml", group=risk, name="compare")
def compare_risk(
    plans: Annotated[list[Path], typer.Argument(metavar="PLANS...", help="Plans for the same table.")],
    threshold: Annotated[float, typer.Option(help="Count the rows linked with a probability over this.")] = 0.2,
    meaning: Meaning = "own_value",
    random_state: Annotated[int | None, typer.Option(help="Makes the drawn releases repeatable.")] = None,
    as_json: AsJson = False,
) -> None:
    """Compare releases from several plans: what is proven and what an attacker can do. Writes nothing."""
    from dataclasses import asdict

    from tokumei.errors import InvalidParameter
    from tokumei.plan import Plan
    from tokumei.risk.releases import SideBySide, as_it_is, assess_release
    from tokumei.runner import rows_of

    described = {path.stem: Plan.read(path) for path in plans}
    if len(described) < len(plans):
        raise InvalidParameter("every plan needs a file name of its own, which names it in the table.")
    if len({each.source_path.resolve() for each in described.values()}) > 1:
        raise InvalidParameter("the plans must be for the same table.")
    wanted: Any = meaning
    first = next(iter(described.values()))
    found = [as_it_is(rows_of(first), first.schema, threshold=threshold, meaning=wanted)]
    for name, each in described.items():
        found.append(
            assess_release(
                rows_of(each),
                each.method,
                each.schema,
                each.prepare,
                random_state,
                threshold=threshold,
                meaning=wanted,
                name=name,
            )
        )
    together = SideBySide(tuple(found))
    if as_json:
        print_json(asdict(together))
    else:
        say(together)
