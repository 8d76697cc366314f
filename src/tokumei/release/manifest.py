"""The manifest: an allow-list of public facts, never a dump of an object.

``declared``   follows from the declared schema, the number of rows and the plan alone. It is the same, byte for byte,
               whatever the rows are.
``disclosed``  each fact that was taken from the data, with its reason. If a domain or a parameter depended on the
               data, then mechanism and guarantees, which follow from it, stand here too.
``data``       the file beside it: name, format, digest, and the type of each column.

There is no seed, no key, no date and no true count that was not disclosed on purpose.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pydantic

import tokumei
from tokumei.bounds import LARGEST_TEXT, MOST_COLUMNS, parsed_json, size_text, too_many_parts
from tokumei.errors import OutputError, ReleaseError
from tokumei.mechanism.group_telling import GroupTelling
from tokumei.mechanism.record import Mechanism
from tokumei.mechanism.telling import Telling
from tokumei.privacy.guarantee import Guarantee
from tokumei.registry import load_extensions
from tokumei.release.artifact import Release
from tokumei.release.disclosure import Fact
from tokumei.release.originals import Original, Originals
from tokumei.release.promised import Stated, check_promises
from tokumei.release.reasons import Derived, DomainsFrom, LearnedHierarchy
from tokumei.release.shape import Column, DataFile, Disclosed, Manifest, MechanismShape, OriginalShape, Promise
from tokumei.results import json_text
from tokumei.table.domain import Categories
from tokumei.table.schema import Attribute, Schema, describe_attribute
from tokumei.words import Statement, read_statement

FORMAT = 1
VERSION = re.compile(r"\d{1,4}(\.\d{1,4}){0,3}[a-z0-9.]{0,8}")  # what a version of ours looks like

# What parts that do not fit together end in, wherever they meet.
BROKEN = (LookupError, TypeError, AttributeError, ValueError, ArithmeticError, AssertionError)

OWN = {"domains", "originals", "mechanism", "guarantees"}  # of the disclosed facts, those that are parts of the release


def declared_and_disclosed(release: Release) -> tuple[dict[str, Any], dict[str, Any]]:
    """Sort everything public about a release into what is declared and what is disclosed."""
    observed = {a.name: describe_attribute(a) for a in release.schema if a.observed}
    disclosed: dict[str, Any] = {f.name: {"value": f.value, "reason": f.reason.describe()} for f in release.disclosed}
    if observed:
        recoded = {} if release.mechanism.recoding is None else release.mechanism.recoding.columns
        seen = bool(set(observed) - set(recoded)) or any(column.original.observed for column in recoded.values())
        reason = DomainsFrom(how="rows" if not recoded else "both" if seen else "recoding")
        disclosed["domains"] = {"value": observed, "reason": reason.describe()}
    told: dict[bool, dict[str, Any]] = {True: {}, False: {}}
    for name, original in release.originals.columns.items():
        told[original.learned][name] = original.describe()
    if told[True]:
        disclosed["originals"] = {"value": told[True], "reason": LearnedHierarchy().describe()}
    made = {
        "mechanism": release.mechanism.describe(),
        "guarantees": [guarantee.describe() for guarantee in release.guarantees],
    }
    grouping = release.mechanism.grouping
    added = (
        () if grouping is None else grouping.made_up
    )  # whether there are any, and their values, follows from the rows
    declared: dict[str, Any] = {
        "tokumei": tokumei.__version__,
        "columns": [
            {
                "name": a.name,
                "role": a.role,
                **({} if a.label is None else {"label": a.label}),
                **({} if a.observed else describe_attribute(a)),
            }
            for a in release.schema
            if a.name not in added
        ],
        "prepare": [dict(step) for step in release.prepare],
        "method": dict(release.method),
        "randomness": "seeded" if release.seeded else "secret",
    }
    if told[False]:
        declared["originals"] = told[False]
    if disclosed:
        disclosed |= {name: {"value": part, "reason": Derived().describe()} for name, part in made.items()}
    else:
        declared |= made
    return declared, disclosed


def text_of(release: Release, data: DataFile) -> str:
    """Return the manifest of a release as it is written; refuse one that would not be read back."""
    declared, disclosed = declared_and_disclosed(release)
    content = {
        "format": FORMAT,
        "declared": declared,
        "disclosed": disclosed,
        "data": data.model_dump(exclude_none=True),
    }
    content["sha256"] = _digest(content)
    text = json_text(content, indent=2) + "\n"
    if len(text.encode()) > LARGEST_TEXT:
        raise OutputError(
            "The manifest would be larger than {size}, too large to be read back; make fewer "
            "groups, or coarsen the domains.",
            size=size_text(LARGEST_TEXT),
        )
    if too_many_parts(text):
        raise OutputError(
            "The manifest would have too many parts to be read back; make fewer groups, or coarsen the domains."
        )
    return text


def read(text: str) -> tuple[dict[str, Any], DataFile]:
    """Check a manifest and return what `Release` is made from, with the file of rows it belongs to."""
    load_extensions()  # which may have methods, notions and statements of their own
    try:
        content = parsed_json(text)
    except ValueError:
        raise ReleaseError(
            "manifest.json is not JSON, is nested too deeply, has too many parts, or has a number that is not "
            "finite; the release is damaged."
        ) from None
    found = content.get("format") if isinstance(content, dict) else None
    if type(found) is not int or found < 1:
        raise ReleaseError("manifest.json is not the manifest of a release.")
    if found != FORMAT:
        raise _other_format(found, content)
    stated = content.pop("sha256", "")
    if _digest(content) != stated:
        raise ReleaseError("manifest.json was changed after it was written, so its guarantees cannot be trusted.")
    try:
        manifest = Manifest(**content, sha256=stated)
        return _parts(manifest), manifest.data
    except pydantic.ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        path = ".".join(str(part) for part in problem["loc"])
        raise ReleaseError(
            "manifest.json cannot be understood at {path}; the release is damaged, or newer than this version.",
            path=path,
        ) from None
    except BROKEN:
        raise ReleaseError("manifest.json contradicts itself; the release is damaged.") from None


def _other_format(found: int, content: Mapping[str, Any]) -> ReleaseError:
    """Say which version can read a release of another format, as far as it tells."""
    declared = content.get("declared")
    version = declared.get("tokumei") if isinstance(declared, dict) else None
    if not isinstance(version, str) or not VERSION.fullmatch(version):
        return ReleaseError(
            "The release has format {found}, and this version reads format {ours}; install a newer tokumei.",
            found=found,
            ours=FORMAT,
        )
    return ReleaseError(
        "The release has format {found} and was written by tokumei {version}, and this version reads format {ours}; "
        "install tokumei {version} or newer.",
        found=found,
        version=version,
        ours=FORMAT,
    )


def _parts(manifest: Manifest) -> dict[str, Any]:
    declared, disclosed = manifest.declared, manifest.disclosed
    domains = disclosed["domains"].value if "domains" in disclosed else {}
    for name, part in (("mechanism", declared.mechanism), ("guarantees", declared.guarantees)):
        if (part is None) != (name in disclosed):
            raise ReleaseError(
                "The manifest must state its {name} once, either as declared or as disclosed.", name=name
            )
    described = declared.mechanism if declared.mechanism is not None else disclosed["mechanism"].value
    promised = declared.guarantees
    if promised is None:
        promised = [Promise(**given) for given in disclosed["guarantees"].value]
    mechanism = Mechanism.from_description(described)
    MechanismShape.model_validate(described)  # nothing is there that has no meaning
    guarantees = tuple(_guarantee(given) for given in promised)
    facts = tuple(Fact(name, f.value, _reason(f)) for name, f in disclosed.items() if name not in OWN)
    columns = [*declared.columns, *_added(mechanism, declared.columns)]
    if len(columns) > MOST_COLUMNS:
        raise ReleaseError(
            "The release has {columns:,} columns, and at most {most_columns:,} are read.",
            columns=len(columns),
            most_columns=MOST_COLUMNS,
        )
    if sorted(mechanism.columns) != sorted(column.name for column in columns):
        raise ReleaseError("The manifest does not say how every column was made.")
    schema = Schema(tuple(_attribute(column, domains) for column in columns))
    _check_sizes(mechanism, schema)
    check_promises(
        Stated(
            guarantees=guarantees,
            mechanism=mechanism,
            schema=schema,
            facts=facts,
            method=declared.method,
            prepare=declared.prepare,
            rows=manifest.data.rows,
            seeded=declared.randomness != "secret",
        )
    )
    return {
        "schema": schema,
        "mechanism": mechanism,
        "guarantees": guarantees,
        "method": declared.method,
        "prepare": tuple(declared.prepare),
        "disclosed": facts,
        "seeded": declared.randomness != "secret",
        "originals": _originals(manifest, schema, mechanism),
    }


def _originals(manifest: Manifest, schema: Schema, mechanism: Mechanism) -> Originals:
    """Return what columns were before the steps that changed them."""
    declared, disclosed = manifest.declared, manifest.disclosed
    learned = disclosed["originals"].value if "originals" in disclosed else {}
    told = [(each, False) for each in (declared.originals or {}).items()] + [(each, True) for each in learned.items()]
    columns = {}
    for (name, given), from_rows in told:
        described = OriginalShape.model_validate(given)
        columns[name] = Original.from_description(
            mechanism.original(schema[name]), described.model_dump(mode="json"), from_rows
        )
    changed = {str(step.get("column")) for step in declared.prepare}
    if len(columns) < len(told) or set(columns) - changed:
        raise ReleaseError("The release says how columns were recoded that were not recoded.")
    unsaid = (each.name for each in schema if each.domain is not None and each.name in changed - set(columns))
    return Originals(columns, tuple(unsaid))


def _guarantee(given: Promise) -> Guarantee:
    """Make a promise from keys and numbers; a key that this version does not know stays one that it cannot check."""
    return Guarantee(
        given.notion,
        given.value,
        read_statement(given.promise.model_dump(), "promise"),
        read_statement(given.attacker.model_dump(), "attacker"),
        tuple(read_statement(each.model_dump(), "assumption") for each in given.assumes),
        given.numbers,
        given.proof,
    )


def _reason(given: Disclosed) -> Statement:
    return read_statement(given.reason.model_dump(), "reason")


def _check_sizes(mechanism: Mechanism, schema: Schema) -> None:
    """Refuse channels and boxes that do not fit the declared domains, before anything is computed from them."""
    for name, channel in mechanism.channels.items():
        if channel.outputs != schema[name].states:
            raise ReleaseError("The channel of {name!r} does not fit its domain; the release is damaged.", name=name)
    if mechanism.telling is not None:
        _check_told(mechanism.telling, schema)
    if mechanism.grouping is None:
        return
    if mechanism.grouping.telling is not None:
        _check_told_in_groups(mechanism.grouping.telling, schema)
    for place, name in enumerate(mechanism.grouping.columns):
        domain, missing = schema[name].domain, mechanism.original(schema[name]).missing
        boxes = [group.boxes[place] for group in mechanism.grouping.groups]
        largest = -1 if domain is None else domain.size - 1
        if any(box.high > largest or (box.missing and not missing) for box in boxes):
            raise ReleaseError("A group of the release has a box that does not fit the domain of {name!r}.", name=name)
        if boxes[0].labels is not None and not isinstance(domain, Categories):
            raise ReleaseError("The release has sets of labels for {name!r}, which has no labels.", name=name)


def _check_told(telling: Telling, schema: Schema) -> None:
    """Refuse columns that are not told as the schema describes them."""
    due = {**{name: column.released for name, column in telling.columns.items()}, telling.label: telling.attribute}
    for name, attribute in due.items():
        same = replace(attribute, role=schema[name].role, observed=schema[name].observed)
        if schema[name] != same:
            raise ReleaseError("The release tells {name!r} otherwise than it describes the column.", name=name)


def _check_told_in_groups(telling: GroupTelling, schema: Schema) -> None:
    """Refuse columns that cannot be blank, and another column of what rows tell than follows from the groups."""
    for name in telling.columns:
        if not schema[name].missing:
            raise ReleaseError("The release tells {name!r} otherwise than it describes the column.", name=name)
    if schema[telling.label] != telling.attribute:
        raise ReleaseError("The release tells {name!r} otherwise than it describes the column.", name=telling.label)


def _added(mechanism: Mechanism, declared: Sequence[Column]) -> list[Column]:
    """Return the columns that say each row's group, and what it tells, where there are some and they are not among those declared."""
    made_up = () if mechanism.grouping is None else mechanism.grouping.made_up
    there = {column.name for column in declared}
    return [Column(name=name, role="insensitive") for name in made_up if name not in there]


def _attribute(column: Column, domains: Mapping[str, Any]) -> Attribute:
    if column.name not in domains:
        return Attribute(
            column.name, column.role, column.domain, column.hierarchy, bool(column.missing), label=column.label
        )
    seen = Column(name=column.name, role=column.role, **domains[column.name])
    return Attribute(
        column.name, column.role, seen.domain, seen.hierarchy, bool(seen.missing), observed=True, label=column.label
    )


def _digest(content: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
