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
from typing import Any

import pydantic

import tokumei
from tokumei.bounds import MOST_COLUMNS, parsed_json
from tokumei.errors import ReleaseError
from tokumei.mechanism.record import Mechanism
from tokumei.privacy.constraints import constraints_of
from tokumei.privacy.guarantee import (
    CLASS_NOTIONS,
    OF_ANY_ROW,
    ONE_ROW,
    WILDCARDS,
    Guarantee,
    attacker_words,
    class_attacker,
    told_rows,
)
from tokumei.privacy.pseudonyms import pseudonyms_of
from tokumei.privacy.recount import recount
from tokumei.release.artifact import Release
from tokumei.release.disclosure import Fact
from tokumei.release.originals import Original, Originals
from tokumei.release.shape import Column, DataFile, Manifest, MechanismShape, OriginalShape, Promise
from tokumei.results import json_text
from tokumei.table.schema import DROPPED, Attribute, Schema, describe_attribute

FORMAT = 1
VERSION = re.compile(r"\d{1,4}(\.\d{1,4}){0,3}[a-z0-9.]{0,8}")  # what a version of ours looks like

# What parts that do not fit together end in, wherever they meet.
BROKEN = (LookupError, TypeError, AttributeError, ValueError, ArithmeticError, AssertionError)

OWN = {"domains", "originals", "mechanism", "guarantees"}  # of the disclosed facts, those that are parts of the release
DERIVED = "It follows from facts of the data that are disclosed here."
OBSERVED = "The domain, or the hierarchy over it, was read off rows instead of being declared."
LEARNED = "The labels of recoded columns follow from a hierarchy that was learned from rows."
RECODED = "The labels of recoded columns follow from how the rows were recoded."


def declared_and_disclosed(release: Release) -> tuple[dict[str, Any], dict[str, Any]]:
    """Sort everything public about a release into what is declared and what is disclosed."""
    observed = {a.name: describe_attribute(a) for a in release.schema if a.observed}
    disclosed: dict[str, Any] = {f.name: {"value": f.value, "reason": f.reason} for f in release.disclosed}
    if observed:
        recoded = {} if release.mechanism.recoding is None else release.mechanism.recoding.columns
        seen = bool(set(observed) - set(recoded)) or any(column.original.observed for column in recoded.values())
        reasons = [OBSERVED] * seen + [RECODED] * bool(recoded)
        disclosed["domains"] = {"value": observed, "reason": " ".join(reasons)}
    told: dict[bool, dict[str, Any]] = {True: {}, False: {}}
    for name, original in release.originals.columns.items():
        told[original.learned][name] = original.describe()
    if told[True]:
        disclosed["originals"] = {"value": told[True], "reason": LEARNED}
    made = {
        "mechanism": release.mechanism.describe(),
        "guarantees": [guarantee.describe() for guarantee in release.guarantees],
    }
    label = None if release.mechanism.grouping is None else release.mechanism.grouping.label
    declared: dict[str, Any] = {
        "tokumei": tokumei.__version__,
        "columns": [
            {"name": a.name, "role": a.role, **({} if a.observed else describe_attribute(a))}
            for a in release.schema
            if a.name != label  # whether there is one follows from the rows
        ],
        "prepare": [dict(step) for step in release.prepare],
        "method": dict(release.method),
        "randomness": "seeded" if release.seeded else "secret",
    }
    if told[False]:
        declared["originals"] = told[False]
    if disclosed:
        disclosed |= {name: {"value": part, "reason": DERIVED} for name, part in made.items()}
    else:
        declared |= made
    return declared, disclosed


def text_of(release: Release, data: DataFile) -> str:
    """Return the manifest of a release as it is written."""
    declared, disclosed = declared_and_disclosed(release)
    content = {
        "format": FORMAT,
        "declared": declared,
        "disclosed": disclosed,
        "data": data.model_dump(exclude_none=True),
    }
    content["sha256"] = _digest(content)
    return json_text(content, indent=2) + "\n"


def read(text: str) -> tuple[dict[str, Any], DataFile]:
    """Check a manifest and return what `Release` is made from, with the file of rows it belongs to."""
    try:
        content = parsed_json(text)
    except ValueError:
        raise ReleaseError(
            "manifest.json is not JSON, or nested too deep or of too many parts, or has a number that is not finite; the release is "
            "damaged."
        ) from None
    found = content.get("format") if isinstance(content, dict) else None
    if type(found) is not int or found < 1:
        raise ReleaseError("manifest.json is not the manifest of a release.")
    if found != FORMAT:
        raise ReleaseError(f"The release has format {found}{_needed(content)}")
    stated = content.pop("sha256", "")
    if _digest(content) != stated:
        raise ReleaseError("manifest.json was changed after it was written, so its promises cannot be trusted.")
    try:
        manifest = Manifest(**content, sha256=stated)
        return _parts(manifest), manifest.data
    except pydantic.ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        path = ".".join(str(part) for part in problem["loc"])
        raise ReleaseError(
            f"manifest.json cannot be understood at {path}; the release is damaged, or newer than this version."
        ) from None
    except BROKEN:
        raise ReleaseError("manifest.json contradicts itself; the release is damaged.") from None


def _needed(content: Mapping[str, Any]) -> str:
    """Say which version can read a release of another format, as far as it tells."""
    declared = content.get("declared")
    version = declared.get("tokumei") if isinstance(declared, dict) else None
    ours = f"and this version reads format {FORMAT}"
    if not isinstance(version, str) or not VERSION.fullmatch(version):
        return f", {ours}; install a newer tokumei."
    return f" and was written by tokumei {version}, {ours}; install tokumei {version} or newer."


def _parts(manifest: Manifest) -> dict[str, Any]:
    declared, disclosed = manifest.declared, manifest.disclosed
    domains = disclosed["domains"].value if "domains" in disclosed else {}
    for name, part in (("mechanism", declared.mechanism), ("guarantees", declared.guarantees)):
        if (part is None) != (name in disclosed):
            raise ReleaseError(f"The manifest must state its {name} once, either as declared or as disclosed.")
    described = declared.mechanism if declared.mechanism is not None else disclosed["mechanism"].value
    promised = declared.guarantees
    if promised is None:
        promised = [Promise(**given) for given in disclosed["guarantees"].value]
    mechanism = Mechanism.from_description(described)
    MechanismShape.model_validate(described)  # nothing is there that has no meaning
    guarantees = tuple(Guarantee(**{**given.model_dump(), "assumes": tuple(given.assumes)}) for given in promised)
    facts = tuple(Fact(name, f.value, f.reason) for name, f in disclosed.items() if name not in OWN)
    columns = [*declared.columns, *_added(mechanism, declared.columns)]
    if len(columns) > MOST_COLUMNS:
        raise ReleaseError(f"The release has {len(columns):,} columns, and {MOST_COLUMNS:,} at most are read.")
    if sorted(mechanism.columns) != sorted(column.name for column in columns):
        raise ReleaseError("The manifest does not say of every column how it was made.")
    schema = Schema(tuple(_attribute(column, domains) for column in columns))
    _check_sizes(mechanism, schema)
    _check_promises(guarantees, mechanism, manifest, facts)
    _check_classes(guarantees, mechanism, manifest, facts)
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
    recoded = {} if mechanism.recoding is None else mechanism.recoding.columns
    columns = {}
    for (name, given), from_rows in told:
        described = OriginalShape.model_validate(given)
        level = recoded[name].original if name in recoded else schema[name]
        columns[name] = Original.from_description(level, described.model_dump(mode="json"), from_rows)
    changed = {str(step.get("column")) for step in declared.prepare}
    if len(columns) < len(told) or set(columns) - changed:
        raise ReleaseError("The release says how columns were recoded that were not.")
    unsaid = (each.name for each in schema if each.domain is not None and each.name in changed - set(columns))
    return Originals(columns, tuple(unsaid))


def _check_sizes(mechanism: Mechanism, schema: Schema) -> None:
    """Refuse channels and boxes that do not fit the declared domains, before anything is computed from them."""
    for name, channel in mechanism.channels.items():
        if channel.outputs != schema[name].states:
            raise ReleaseError(f"The channel of {name!r} does not fit its domain; the release is damaged.")
    if mechanism.grouping is None:
        return
    for place, name in enumerate(mechanism.grouping.columns):
        states = schema[name].states
        if any(group.boxes[place].size > states for group in mechanism.grouping.groups):
            raise ReleaseError(f"A group of the release has a box that does not fit the domain of {name!r}.")


def _check_promises(
    guarantees: tuple[Guarantee, ...], mechanism: Mechanism, manifest: Manifest, facts: tuple[Fact, ...]
) -> None:
    """Refuse promises that do not follow from the mechanism, the method and the facts that the manifest states itself."""
    method, rows = manifest.declared.method, manifest.data.rows
    if mechanism.of is not None and (method.get("sample") is None or mechanism.of < rows):
        raise ReleaseError("The release says that it was drawn from more rows than its method can have.")
    pk = [each for each in guarantees if each.notion == "Pk-anonymity"]
    if mechanism.perturbed and len(pk) != (1 if mechanism.of is None else 2):
        raise ReleaseError("The release must state its promise for membership secret and for membership known.")
    places = next((fact.value for fact in facts if fact.name == "hiding_places"), None)
    _check_blocks(mechanism, bool(pk), places)
    own = _check_people(guarantees, mechanism, facts, places is not None)
    _check_joining(own, bool(pk), mechanism, manifest)
    if places is not None and places != [
        {"rows": g.numbers["among"], "drawn": g.numbers["inside"]}
        | ({"own": g.numbers["most"]} if "most" in g.numbers else {})
        for g in pk
    ]:
        raise ReleaseError("The release counts on other rows than those that it discloses.")
    if mechanism.grouping is not None:
        _check_grouped(pk, mechanism, method)
    elif places is None and pk and pk[0].numbers["among"] != mechanism.hiding(rows):
        raise ReleaseError("The release counts on other rows than it was made from.")
    if any(told.numbers["among"] != told.numbers["inside"] for told in pk[1:]):
        raise ReleaseError("The release counts on people who were not drawn against somebody who knows who was.")
    sample = method.get("sample")
    strata = {sample.get("column")} if isinstance(sample, Mapping) else set()
    if method.get("kept") == "perturb" and set(mechanism.kept) - strata:
        raise ReleaseError("The release keeps columns that its method perturbs.")
    memberships: list[Any] = [None] if mechanism.of is None else ["secret", "known"]
    words = [attacker_words(mechanism.kept, method.get("kept", "unknown"), membership) for membership in memberships]
    if pk and [each.attacker for each in pk] != words:
        raise ReleaseError("The release names another attacker than its method and columns allow.")
    for guarantee in guarantees:
        if guarantee.notion == "sampling anonymity" and guarantee.numbers.get("known") != method.get("known"):
            raise ReleaseError("The release counts on another attacker than its method names.")
        if guarantee.notion == "local differential privacy" and (
            facts or set(guarantee.numbers) != set(mechanism.channels)
        ):
            raise ReleaseError("The release states an epsilon that it cannot have.")
        if not recount(guarantee, mechanism, rows, own):
            raise ReleaseError("The release states a promise that its own mechanism does not keep.")


def _check_blocks(mechanism: Mechanism, pk: bool, places: Any) -> None:
    """Refuse blocks where the promise is not one that counts on the rows of a block."""
    if mechanism.block is not None and (not pk or places is not None or mechanism.of is not None):
        raise ReleaseError("The release shuffles rows in blocks and makes a promise that blocks cannot keep.")


def _check_people(guarantees: Sequence[Guarantee], mechanism: Mechanism, facts: Sequence[Fact], places: bool) -> int:
    """Return how many rows nobody has more of; refuse promises that count them in several ways, or say otherwise in words."""
    about_people = [each for each in guarantees if each.notion in {"Pk-anonymity", "k-anonymity"}]
    told = [each.numbers["most"] for each in about_people if "most" in each.numbers]
    counted = next((fact.value for fact in facts if fact.name == "rows_per_person"), None)
    if any(not float(most).is_integer() or most < 1 for most in told):
        raise ReleaseError("The release says that a person has a number of rows that cannot be.")
    if any((ONE_ROW if "most" in each.numbers else OF_ANY_ROW) in each.assumes for each in about_people):
        raise ReleaseError("The release contradicts itself about how many rows a person has.")
    said = {told_rows(each) for each in about_people}
    if not told and counted is None and said <= {None}:
        return 1
    if len(told) < len(about_people) or len(said) != 1 or None in said:
        raise ReleaseError("The release contradicts itself about how many rows a person has.")
    ((most, declared),) = [each for each in said if each is not None]
    groups = () if mechanism.grouping is None else mechanism.grouping.groups
    within = places or bool(groups)  # in a class or a group a person may have fewer
    if (
        (counted is None) != declared
        or counted not in {None, most}
        or max([*told, *(group.most for group in groups)]) > most
        or not (within or all(g.numbers["most"] == min(most, g.numbers.get("among", most)) for g in about_people))
    ):
        raise ReleaseError("The release counts on other rows of a person than it discloses.")
    return most


def _check_joining(own: int, pk: bool, mechanism: Mechanism, manifest: Manifest) -> None:
    """Refuse promises to people with several rows where something tells which rows are one person's."""
    if own == 1:
        return
    if pk and mechanism.kept and manifest.declared.method.get("kept") == "unknown":
        raise ReleaseError(
            "The release keeps columns that may show which rows are one person's, against which it promises nothing to people "
            "with several rows."
        )
    if pseudonyms_of(manifest.declared.prepare):
        raise ReleaseError(
            "The release has pseudonyms, which show which rows are one person's, and a promise for people with several rows."
        )


def _check_grouped(pk: Sequence[Guarantee], mechanism: Mechanism, method: Mapping[str, Any]) -> None:
    """Refuse a release in groups that is more than that, or keeps less than its method asks for."""
    if mechanism.of is not None or mechanism.channels or mechanism.recoding is not None:
        raise ReleaseError("The release was perturbed in groups and treated otherwise too, which cannot be.")
    if pk and not method["k"] <= pk[0].value:
        raise ReleaseError("The release keeps a smaller k than its method asks for.")


def _check_classes(
    guarantees: tuple[Guarantee, ...], mechanism: Mechanism, manifest: Manifest, facts: tuple[Fact, ...]
) -> None:
    """Refuse promises about classes that are not those of the method, or name another attacker than its columns allow."""
    columns = [column.name for column in manifest.declared.columns if column.role == "quasi_identifier"]
    stated = [each for each in guarantees if each.notion in CLASS_NOTIONS]
    if any(column.role in DROPPED for column in manifest.declared.columns):
        raise ReleaseError("The release has a column that it calls an identifier, and identifiers are never released.")
    if mechanism.recoding is not None and set(mechanism.recoding.columns) - set(columns):
        raise ReleaseError("The release has recoded a column that it does not call a quasi-identifier.")
    if stated and not columns:
        raise ReleaseError("The release makes promises about classes, and has no quasi-identifier.")
    if mechanism.left_out != next((fact.value for fact in facts if fact.name == "left_out"), 0):
        raise ReleaseError("The release left out another number of rows than it discloses.")
    method = manifest.declared.method
    constraints = constraints_of(method)
    alike = mechanism.recoding is not None or mechanism.averaging is not None
    alike |= mechanism.left_out > 0 and mechanism.grouping is None
    if alike and not stated:
        raise ReleaseError("The release makes rows alike, and does not state how many are.")
    if not stated:
        return
    wildcards = [WILDCARDS] if "meaning" in method else []
    words = [class_attacker(columns), *wildcards, *(each.words(columns) for each in constraints)]
    notions = ["k-anonymity", *["k-anonymity with wildcards"] * len(wildcards), *(each.notion for each in constraints)]
    if [each.attacker for each in stated] != words or [each.notion for each in stated] != notions:
        raise ReleaseError("The release promises something else than its method and columns allow.")
    if method["k"] > stated[method.get("meaning") == "wildcard"].value:
        raise ReleaseError("The release keeps a smaller k than its method asks for.")


def _added(mechanism: Mechanism, declared: Sequence[Column]) -> list[Column]:
    """Return the column that names each row's group, where there is one and it is not among those declared."""
    label = None if mechanism.grouping is None else mechanism.grouping.label
    if label is None or label in {column.name for column in declared}:
        return []
    return [Column(name=label, role="insensitive")]


def _attribute(column: Column, domains: Mapping[str, Any]) -> Attribute:
    if column.name not in domains:
        return Attribute(column.name, column.role, column.domain, column.hierarchy, bool(column.missing))
    seen = Column(name=column.name, role=column.role, **domains[column.name])
    return Attribute(column.name, column.role, seen.domain, seen.hierarchy, bool(seen.missing), observed=True)


def _digest(content: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
