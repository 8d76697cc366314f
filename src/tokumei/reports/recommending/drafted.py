"""A plan for the file of a table of which nothing is known yet: as `tokumei init` drafts it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tokumei.errors import InvalidParameter
from tokumei.io.delimiter import guess_decimal, guess_delimiter
from tokumei.io.source import codebook_of, read_to_draft
from tokumei.plan import Plan, Source
from tokumei.plan.draft import default_output, draft_plan
from tokumei.table.schema import Attribute, Role
from tokumei.text import nearest

K = 10  # of the draft's own method, which is not used


def drafted(
    path: Path,
    known: Sequence[str] = (),
    sensitive: Sequence[str] = (),
    delimiter: str | None = None,
    missing: tuple[str, ...] | None = None,
    encoding: str = "utf-8",
    decimal: str | None = None,
    dates: str | None = None,
    codebook: Path | None = None,
    person: str | None = None,
) -> Plan:
    """Draft a plan, as `tokumei init` does. Where ``known`` names the quasi-identifiers, columns that are not named are not released; ``sensitive`` names others."""
    delimiter = delimiter or guess_delimiter(path, encoding)
    decimal = decimal or guess_decimal(path, delimiter, encoding)
    book = None if codebook is None else str(codebook)
    table, absent = read_to_draft(path, delimiter, missing, encoding, decimal, dates, book)
    beside = None if codebook is None else Path(os.path.relpath(codebook, path.parent)).as_posix()
    source = Source(path.name, delimiter, absent or ("",), encoding, decimal=decimal, dates=dates, codebook=beside)
    text = draft_plan(table, source, default_output(path), K, person, codebook_of(path, book, encoding))
    plan = Plan.from_toml(text, path.parent)
    for name in (*known, *sensitive):
        if name not in table.column_names:
            raise InvalidParameter(
                "There is no column {name!r} in the table.{hint}", name=name, hint=nearest(name, table.column_names)
            )
    roles: dict[str, Role] = dict.fromkeys(sensitive, "sensitive")
    if known:
        roles = {
            **{each.name: "identifier" for each in plan.schema if each.role != "person"},
            **dict.fromkeys(known, "quasi_identifier"),
            **roles,
        }
    attributes = [_as(each, roles.get(each.name, each.role)) for each in plan.schema]
    return replace(plan, schema=replace(plan.schema, attributes=tuple(attributes)))


def _as(attribute: Attribute, role: Role) -> Attribute:
    """Return a column in a role."""
    if role == attribute.role:
        return attribute
    if role == "identifier":
        return Attribute(attribute.name, role, missing=attribute.missing)
    if attribute.domain is None:
        raise InvalidParameter(
            "{name!r} was taken for an identifier: it has too many different values. Draft a plan with tokumei init, and describe it there.",
            name=attribute.name,
        )
    return replace(attribute, role=role)
