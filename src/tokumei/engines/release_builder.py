"""What every engine does alike: from a design and the released rows to a release, and what the data holder is warned of."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tokumei.anonymizers.anonymizer import Anonymizer, Design
from tokumei.diagnostics import warn
from tokumei.errors import DataError, InvalidParameter, ObservedDomainWarning, RoundedInputWarning
from tokumei.prepare.identifier_step import IdentifierStep
from tokumei.prepare.person_tags import PersonTags
from tokumei.prepare.rows import keeping_identifiers
from tokumei.prepare.step import Step
from tokumei.privacy.asked import refuse_less
from tokumei.randomness import Key, TaskKey
from tokumei.release.artifact import Record, Release
from tokumei.release.originals import Original, Originals
from tokumei.table.coded import CodedTable, Column
from tokumei.table.domain import Categories
from tokumei.table.frames import Origin
from tokumei.table.schema import DROPPED, Attribute, Schema
from tokumei.text import names

RARE = 5  # labels of an observed domain that occur in fewer rows are pointed out


@dataclass(frozen=True)
class ReleaseBuilder:
    """What a release is made by: the schema as it was given, the method, the steps before it, and the key."""

    schema: Schema
    method: Anonymizer
    prepare: tuple[Step, ...]
    key: Key

    def release(
        self, held: Any, origin: Origin, design: Design, prepared: Schema, rounded: Mapping[str, int]
    ) -> Release:
        """Put released rows together with everything public about how they were made."""
        return Release(**self.parts(held, origin, design, prepared, rounded))

    def parts(
        self, held: Any, origin: Origin, design: Design, prepared: Schema, rounded: Mapping[str, int]
    ) -> dict[str, Any]:
        """Return all parts of a release by their names, and warn of what the data holder should know.

        Whatever promises less than was asked for is refused here, for all methods on all engines.
        """
        refuse_less(self.method.asked(), design.guarantees)
        moved = {name: count for name, count in rounded.items() if name in _on_grid(design, self.schema, prepared)}
        _tell_rounded(moved, self.schema)
        secure = self.key.secure
        shown = [step for step in self.prepare if not _dropped(step, prepared)]
        told = tuple(said for step in shown for said in step.assumes())
        promised = [replace(each, assumes=(*each.assumes, *told)) for each in design.guarantees]
        dropped = keeping_identifiers(self.schema, self.prepare).names(*DROPPED)
        return dict(  # noqa: C408  (as a call of Release reads)
            held=held,
            origin=origin,
            schema=self._with_labels(design.schema or prepared),
            mechanism=design.mechanism,
            guarantees=tuple(each if secure else each.seeded() for each in promised),
            method=self.method.describe(),
            prepare=tuple(step.describe() for step in self.prepare if step.public),
            disclosed=design.facts,
            seeded=not secure,
            record=Record(rounded=moved, identifiers=dropped, notes=design.notes),
            originals=self._originals(prepared, design),
        )

    def _with_labels(self, released: Schema) -> Schema:
        """Describe released columns by the labels of the columns that they come from."""
        known = {each.name: each for each in self.schema if each.label is not None or each.codes is not None}
        return Schema(
            tuple(
                replace(each, label=known[each.name].label, codes=known[each.name].codes)
                if each.name in known
                else each
                for each in released
            )
        )

    def _originals(self, prepared: Schema, design: Design) -> Originals:
        """Say which value became which label by the steps, column by column."""
        columns, unsaid = {}, []
        for after in prepared:
            steps = [step for step in self.prepare if step.column == after.name]
            if not steps or after.domain is None or any(isinstance(step, IdentifierStep) for step in steps):
                continue
            before = self.schema[after.name]
            codes = np.arange(before.states)
            table = CodedTable(Schema((before,)), {before.name: Column(codes, None)}, before.states, {})
            for step in steps:
                table = step.apply(table)
            learned = any(step.learned(before) for step in steps)
            found = Original.of(before, after, table.codes(after.name), learned)
            if (learned or not after.observed) and found.plain and _level(after, design):
                columns[after.name] = found
            else:  # what nobody declared is not told in more detail than it is released in
                unsaid.append(after.name)
        return Originals(columns, tuple(unsaid))


def _level(after: Attribute, design: Design) -> bool:
    """Whether the release itself says what a column could be after the steps."""
    stated = after if design.schema is None else design.mechanism.original(design.schema[after.name])
    return (stated.domain, stated.missing) == (after.domain, after.missing)


def _on_grid(design: Design, schema: Schema, prepared: Schema) -> set[str]:
    """Name the columns of which points of the grid are released in place of the cells that came."""
    recoding = {} if design.mechanism.recoding is None else design.mechanism.recoding.columns
    drawn = {*design.mechanism.perturbed, *design.recoded} - {n for n, column in recoding.items() if column.exact}
    coarser = {a.name for a in prepared if isinstance(a.domain, Categories) and a.domain != schema[a.name].domain}
    return drawn | coarser | {name for name, column in recoding.items() if not column.exact}


def _dropped(step: Step, prepared: Schema) -> bool:
    """Whether what a step releases of an identifier was dropped after all."""
    return isinstance(step, IdentifierStep) and step.column not in prepared.names()


def opened_steps(schema: Schema, method: Anonymizer, prepare: Sequence[Step]) -> tuple[Step, ...]:
    """Return the steps with their keys in hand; refuse what a method cannot think of the identifiers that they release.

    Where draws repeat, the last of them tags rows with their people.
    """
    keeping_identifiers(schema, prepare)
    kept = method.kept_is()
    person = schema.names("person")
    for step in prepare:
        if isinstance(step, IdentifierStep) and step.keyed and person:
            raise InvalidParameter(
                "a pseudonym of {column!r} would show which rows belong to one person, and the guarantee "
                "for people with several rows ({person}) assumes that nothing does; leave out the "
                "pseudonym, or release one row per person.",
                column=step.column,
                person=names(person),
            )
        if isinstance(step, IdentifierStep) and kept == "perturb":
            raise InvalidParameter(
                "kept='perturb' cannot perturb {column!r}, which is text without a domain; use "
                "kept='unknown', or leave it out.",
                column=step.column,
            )
        if isinstance(step, IdentifierStep) and step.keyed and kept == "known":
            raise InvalidParameter(
                "kept='known' assumes that {column!r} of everyone is known, but a pseudonym is known only "
                "to someone who has its key; use kept='unknown', or leave it out.",
                column=step.column,
            )
    repeat = method.repeating()
    return (*(step.opened() for step in prepare), *(() if repeat is None else (repeat.tags(schema),)))


def repeat_key(prepare: Sequence[Step]) -> TaskKey | None:
    """Return the key under which draws repeat, where a step has it."""
    return next((step.draws for step in prepare if isinstance(step, PersonTags)), None)


def says_everything(design: Design, columns: Collection[str]) -> None:
    """Refuse a design that does not say what happens to every column."""
    left_over = set(columns) - set(design.mechanism.columns)
    if left_over:
        raise DataError(
            "The method says nothing about {left_over:column|columns}; nothing was released.", left_over=len(left_over)
        )


def tell_rare(schema: Schema, count: Callable[[str], Any]) -> None:
    """Warn where a domain that was read from the data publishes labels that hardly anybody has."""
    for attribute in schema:
        domain = attribute.domain
        if not attribute.observed or not isinstance(domain, Categories) or domain.values == (False, True):
            continue
        rare = int(np.count_nonzero(np.asarray(count(attribute.name))[: domain.size] < RARE))
        if rare:
            warn(
                "Column {column!r}: its domain was read from the data and is published with the release, "
                "and {rare:label|labels} of it {rare:|occurs|occur} in fewer than {fewest} "
                "rows. Declare the domain, or recode it.",
                ObservedDomainWarning,
                column=attribute.name,
                rare=rare,
                fewest=RARE,
            )


def _tell_rounded(rounded: Mapping[str, int], schema: Schema) -> None:
    """Warn where a declared step moved values; the default grid is so fine that nobody needs to be warned of it."""
    for name, count in rounded.items():
        domain = schema[name].domain
        if not isinstance(domain, Categories | None) and domain.step is not None:
            warn(
                "Column {name!r}: {count:value|values} lay between points of the declared grid and moved, {moves}.",
                RoundedInputWarning,
                name=name,
                count=count,
                moves=domain.moves(),
            )
