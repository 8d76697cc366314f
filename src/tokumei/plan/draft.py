"""A first plan for a file or a table of a database: roles and domains guessed, with comments that say what to check."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pyarrow as pa
import tomlkit
from tomlkit.items import Table

from tokumei.bounds import LARGEST_DOMAIN
from tokumei.errors import DataError, InvalidParameter
from tokumei.plan import Source
from tokumei.plan.cells import natural_step, numbered, sentinels, stray_text
from tokumei.plan.described import KEPT_FORMATS, described_attribute
from tokumei.plan.guessing import (
    WHY,
    WHY_HOUSEHOLD,
    WITHIN_ANOTHER,
    guess_role,
    most_codes,
    named_like_an_identifier,
    numbered_within,
    of_households,
    weights,
)
from tokumei.plan.suiting import Suiting, suiting
from tokumei.plan.written import absent_labels, looks_like
from tokumei.shown import escaped
from tokumei.table.codebook import Codebook, Variable
from tokumei.table.domain import DEFAULT_PARTS, Categories, Dates, Domain, Numbers
from tokumei.table.people import Unit
from tokumei.table.schema import DROPPED, Attribute, Role, observed_attribute
from tokumei.text import nearest, plural

CODES = (
    "whole numbers that may be codes, so means are not used; for a count or an amount use {numbers}, or add "
    "ordered = true if their order means something"
)
NO_QUANTITY = (
    "set quantity = true if its mean makes sense, as for an age or an amount; only then are means of it released"
)


TOGETHER = "columns released unchanged may show which rows belong together, so they are perturbed as well"
OR_KNOWN = '; "known" releases them unchanged, if many rows share each of their values: round the weights to few first'
# Classes can only be judged by a sensitive column whose grid tells its values apart, as that of amounts in cents does.
FINEST: dict[Role, int] = {"sensitive": LARGEST_DOMAIN - 1}
# How a file is written, where it is not the usual way.
READING = (("delimiter", ","), ("encoding", "utf-8"), ("decimal", "."), ("dates", None), ("codebook", None))


def suggest_role(name: str, column: Any) -> Role:
    """Guess the role of an Arrow column from its name and its cells."""
    return guess_role(name, column)[0]


def draft_plan(
    table: pa.Table,
    source: Source,
    output: str,
    k: float,
    person: str | None = None,
    codebook: Codebook | None = None,
) -> str:
    """Return the text of a commented plan for a table; ``person`` is the column that says whose row each is.

    A codebook describes columns in words, and says what their codes mean.

    It is the data holder's own file and lists the labels that the table holds; it is not part of any release.
    """
    if table.num_rows == 0:
        raise DataError("The table has no rows to draft a plan from.")
    if person is not None and person not in table.column_names:
        raise InvalidParameter(
            "There is no column {person!r} in the table.{hint}", person=person, hint=nearest(person, table.column_names)
        )
    document = tomlkit.document()
    for line in (
        "A plan for tokumei. Check roles and domains, then run: tokumei anonymize THIS_FILE",
        "Keep this file to yourself: it lists values from your data.",
    ):
        document.add(tomlkit.comment(line))
    document.add(tomlkit.nl())
    document["source"] = _place(source)
    columns, found = tomlkit.table(is_super_table=True), []
    codebook = None if codebook is None else codebook.with_missing(source.missing)
    for name in table.column_names:
        variable = None if codebook is None else codebook.get(name)
        described, why = suggest_attribute(name, table.column(name), "person" if name == person else None, variable)
        if described.role == "identifier" and (other := numbered_within(name, table)) is not None:
            why = WITHIN_ANOTHER.format(other=other)
        columns[name] = _column(described, why, table.column(name), source)
        found.append(described)
    document["schema"] = columns
    weighted = any(weights(name, table.column(name)) for name in table.column_names)
    document["method"] = _method(k, weighted, person, suiting(found, table.num_rows, k))
    target = tomlkit.table()
    target["path"] = output
    kept = KEPT_FORMATS.get(Path(source.path or "").suffix.lower(), "parquet")
    _say(target, "format", kept, '"parquet", "csv", "sav" (SPSS), "dta" (Stata) or "xpt" (SAS)')
    document["output"] = target
    return escaped(tomlkit.dumps(document))


def _place(source: Source) -> Table:
    """Say where the rows are."""
    place = tomlkit.table()
    if source.path is None:
        place["database"] = source.database
        place["table" if source.query is None else "query"] = source.table if source.query is None else source.query
        return place
    place["path"] = source.path
    for name, usual in READING:
        if getattr(source, name) != usual:
            place[name] = getattr(source, name)
    if len(source.missing) > 1 or not source.path.lower().endswith((".parquet", ".pq", *KEPT_FORMATS)):
        _say(place, "missing", list(source.missing), 'how a missing cell is written, for example ["", "NA", "?"]')
    return place


def _say(section: Table, key: str, given: Any, comment: str) -> None:
    """Set a key with a comment behind it."""
    section[key] = tomlkit.item(given).comment(comment)


def suggest_attribute(
    name: str, column: Any, given: Role | None = None, variable: Variable | None = None
) -> tuple[Attribute, str]:
    """Describe an Arrow column by its name, what it holds, and what a codebook says of it; say why it has its role."""
    declared = None if variable is None else cast("Role | None", variable.role)
    found, why = _guessed(name, numbered(column), given or declared, variable)
    return described_attribute(found, column, variable), why


def _guessed(name: str, column: Any, given: Role | None, variable: Variable | None) -> tuple[Attribute, str]:
    role, why = guess_role(name, column, variable) if given is None else (given, WHY[given])
    if role == "person" and of_households(name):
        why = WHY_HOUSEHOLD
    if role not in DROPPED:
        try:
            found = observed_attribute(name, column, role, most_codes(name))
            if isinstance(found.domain, Numbers):
                found = replace(found, domain=natural_step(column, found.domain, FINEST.get(role, DEFAULT_PARTS)))
            return found, _with_looks(why, column)
        except (DataError, InvalidParameter) as error:
            return Attribute(name, "identifier"), f"dropped: {error}"
    told = why if named_like_an_identifier(name, column) else _with_looks(why, column)
    unit: Unit = "household" if role == "person" and of_households(name) else "person"
    return Attribute(name, role, missing=role == "identifier" and bool(column.null_count), unit=unit), told


def _with_looks(why: str, column: Any) -> str:
    looks = looks_like(column)
    return why if looks is None else f"{why}; {looks}"


def _column(described: Attribute, why: str, column: Any, source: Source) -> Table:
    section = tomlkit.table()
    _say(section, "role", described.role, why)
    if described.label is not None:
        section["label"] = described.label
    if described.role == "person":
        unit = "household" if of_households(described.name) else "person"
        if unit == "household":
            section["unit"] = unit
        section.add(
            tomlkit.comment(f"most = 5  # the most rows that any {unit} has; by default it is counted and published")
        )
        return section
    if described.role == "identifier":
        if described.missing:
            section["missing"] = True
        return section
    assert described.domain is not None
    _say_domain(section, described.domain)
    if described.codes is not None:
        codes = tomlkit.inline_table()
        codes.update(dict(described.codes))
        _say(section, "codes", codes, "the codes of the labels, for a release that is written as .sav or .dta")
    if absent_labels(described.domain):
        section.add(
            tomlkit.comment("one of its labels often means a missing value: if so, list it in missing of [source]")
        )
    for told in _pointed_out(column, source):
        section.add(tomlkit.comment(told))
    if described.observed:
        _say(section, "observed", True, "the domain was read from the data: correct it, then delete this line")
    if described.missing:
        _say(section, "missing", True, "missing cells occur; they are protected like any other value")
    return section


def _pointed_out(column: Any, source: Source) -> list[str]:
    """Say where a column has codes that surveys write for no answer, and text among numbers; the text itself is not shown."""
    if source.path is None:
        mend = "read it as NULL, with a query in [source] in place of the table"
    elif source.codebook is not None:
        mend = "list it in missing of [source], or in the column missing of the codebook if it means that in this column only"
    else:
        mend = "list it in missing of [source], or in a codebook (--codebook) if it means that in this column only"
    told = [
        f"{code} stands in {plural(rows, 'row')}, apart from all other values: if it means that there is no answer, {mend}"
        for code, rows in sentinels(column).items()
    ]
    stray = stray_text(column)
    if stray:
        told.append(
            f"{plural(stray, 'cell')} of it {'is' if stray == 1 else 'are'} text, and all others are numbers: correct them, or list them in missing of "
            "[source], and it is read as numbers"
        )
    return told


def _say_domain(section: Table, domain: Domain) -> None:
    """Set the domain, and say of numbers what nobody but the data holder can know: whether they are a quantity."""
    section["domain"] = _domain(domain)
    if isinstance(domain, Numbers):
        section["domain"].comment(NO_QUANTITY)
    if isinstance(domain, Categories) and type(domain.values[0]) is int and domain.size > 2:
        low, high = min(domain.values), max(domain.values)
        numbers = f'{{ kind = "numbers", low = {low}, high = {high}, step = 1 }}'
        section["domain"].comment(CODES.format(numbers=numbers))


def _domain(domain: Domain) -> Any:
    given: dict[str, Any]
    if isinstance(domain, Categories):
        given = {"kind": "categories", "values": _array(domain.values)}
        if domain.ordered:
            given["ordered"] = True
    elif isinstance(domain, Numbers):
        given = {"kind": "numbers", "low": domain.low, "high": domain.high}
        if domain.step is not None:
            given["step"] = domain.step
        if not domain.quantity:
            given["quantity"] = False
    else:
        assert isinstance(domain, Dates)
        given = {"kind": "dates", "low": domain.low, "high": domain.high}
    inline = tomlkit.inline_table()
    inline.update(given)
    return inline


def _array(values: Iterable[Any]) -> Any:
    array = tomlkit.array()
    array.extend(values)
    return array


def _method(k: float, weighted: bool, person: str | None, suits: Suiting) -> Table:
    """Draft the method that suits the number of rows, the columns and k, and say why; the rows are not looked at for it."""
    section = tomlkit.table()
    for line in _why(suits):
        section.add(tomlkit.comment(line))
    if not suits.perturbed:
        section["method"] = "generalization"
        _say(section, "k", math.ceil(k), "every row shares its quasi-identifiers with at least k - 1 others")
        return section
    section["method"] = "pk_perturbation"
    unit = "household" if person is not None and of_households(person) else "person"
    _say(section, "k", k, f"no attacker links a row to a {unit} with a probability over 1/k")
    _say(
        section,
        "tells",
        "auto",
        'what each row tells: picked ("auto"), a number of columns (2), or "all", which then share the noise',
    )
    if person is not None:
        _say(section, "kept", "perturb", f"{TOGETHER}{' (the weights too)' * weighted}{OR_KNOWN}")
        return section
    _say(
        section,
        "kept",
        "unknown",
        f'columns released unchanged{", the weights among them" * weighted}: "unknown" to attackers, "known", or "perturb" them too',
    )
    return section


def _why(suits: Suiting) -> list[str]:
    """Say what the method was picked by, and what else to ask."""
    ask = "Chosen without looking at the rows; tokumei recommend tries every method on them, for your duties and your purpose."
    if suits.one is None:
        return [ask]
    tables = f"tables of one column off by about {suits.one:.2f}"
    tables += "" if suits.two is None else f", of two by about {suits.two:.2f}"
    if suits.perturbed:
        return [f"Expected of this number of rows, these columns and k: {tables}, after reconstruction.", ask]
    return [
        f"So few rows for these columns and k would leave little of perturbed ones ({tables}, after reconstruction),",
        "so rows are generalized. That protects against attackers who know the quasi-identifiers and nothing else.",
        ask,
    ]


def default_output(source: Path) -> str:
    """Name the folder of a release after its source."""
    return f"{source.name.split('.')[0]}-release"
