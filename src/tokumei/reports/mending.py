"""Advice that acts: changes to a plan that mend weak rungs of its ladder, each tried on the table and measured.

A release is drawn for every candidate, its rungs are counted and its loss is measured, and it is thrown away. Nothing is chosen
for anybody: what is printed is what each change would cost.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any, get_args

import numpy as np
import pyarrow as pa
import pydantic
from pydantic import StrictStr

from tokumei.anonymizers import AnyMethod
from tokumei.anonymizers.anonymizer import Anonymizer
from tokumei.anonymizers.pk_perturbation import PkPerturbation
from tokumei.engines.local import anonymize, prepared_table
from tokumei.errors import DataError, InfeasiblePromise, InvalidParameter, NotComputable
from tokumei.markup.card import card, grid
from tokumei.plan import Plan, Source
from tokumei.prepare import AnyStep
from tokumei.prepare.drop import Drop
from tokumei.prepare.step import Step
from tokumei.prepare.top_bottom_code import TopBottomCode
from tokumei.privacy.constraints import LDiversity, TCloseness
from tokumei.privacy.duties import Duties, read_duties
from tokumei.privacy.rungs import RUNGS, RungName, number_of
from tokumei.progress import stage
from tokumei.release.artifact import Release
from tokumei.release.ladder import written_table
from tokumei.results import Result
from tokumei.runner import rows_of
from tokumei.shown import shown
from tokumei.table.domain import Numbers
from tokumei.table.frames import to_arrow
from tokumei.table.schema import Attribute, Schema
from tokumei.utility.careful import carefully
from tokumei.utility.quick import Quick
from tokumei.utility.tables import ReconstructedTables
from tokumei.words import Statement, Words, spoken
from tokumei.words.statement import Names, Number, said_by

WEAK = 0.5  # a rung above it, or without a number, is worth advice where nobody named duties
FAR = 0.01  # the share of rows that a top code moves at most
SHARES = (0.5, 0.25, 0.1, 0.05, 0.02, 0.01)  # of a declared range, at which top codes are tried
SAMPLE = 0.5
EPSILON = 1.0
NEAR = 0.2  # of the distribution in a class to that in the whole table
CANDIDATES = 12
OTHERS = {"sensitive", "insensitive"}
BEYOND: frozenset[RungName] = frozenset({"whole_table", "inference", "differencing"})


class Mend(Statement, kind="mend"):
    """A change that may mend a rung."""


class AsItWas(Mend):
    """No change."""


class Diversify(Mend):
    """Ask for several values of a sensitive column in every class."""

    column: StrictStr
    different: int


class Close(Mend):
    """Ask for classes that are close to the whole table in a sensitive column."""

    column: StrictStr
    t: Number


class CountKept(Mend):
    """Take the columns released unchanged to be known, and count their classes."""

    columns: Names


class PerturbKept(Mend):
    """Perturb the columns that were released unchanged, too."""

    columns: Names


class BoundEpsilon(Mend):
    """Perturb every column until a central epsilon holds."""

    epsilon: Number


class PerturbAll(Mend):
    """Perturb every column instead of generalizing rows."""

    k: Number


class TakeSample(Mend):
    """Release a sample of the rows only."""

    share: Number


class RaiseK(Mend):
    """Ask for a larger k."""

    k: Number


class TopCode(Mend):
    """Code the largest values of a column to a bound."""

    column: StrictStr
    high: Number


class Leave(Mend):
    """Leave a column out."""

    column: StrictStr


@dataclass(frozen=True)
class Tried(Result):
    """A change that was tried.

    Attributes
    ----------
    change
        What was changed.
    values
        The number of each rung then; empty where no release could be made.
    loss
        How far tables of two columns are off on average, in total variation, after the noise was taken out where there is some; ``None``
        where it could not be measured.
    why
        Why no release could be made.
    lines
        The lines of a plan file that the change adds or replaces.
    method, prepare
        The method and the steps with the change.
    """

    change: Mend
    values: Mapping[RungName, float | None]
    loss: float | None
    why: Statement | None
    lines: tuple[str, ...]
    method: Anonymizer
    prepare: tuple[Step, ...]

    def describe(self) -> dict[str, Any]:
        """Return it as data."""
        return {
            "change": self.change.describe(),
            "values": dict(self.values),
            "loss": self.loss,
            "why": None if self.why is None else str(self.why),
            "lines": list(self.lines),
        }


@dataclass(frozen=True)
class Advised(Result):
    """What was tried: first nothing, then every change, the cheapest first."""

    now: Tried
    changes: tuple[Tried, ...]
    duties: Mapping[RungName, float]

    def mended(self, tried: Tried) -> tuple[RungName, ...]:
        """Name the rungs that a change mends: duties that then hold and did not, or without duties weak rungs that get better."""
        if not tried.values:
            return ()
        return tuple(name for name in RUNGS if self._weak(name, self.now) and self._better(name, tried))

    def _weak(self, name: RungName, tried: Tried) -> bool:
        value = tried.values[name]
        if self.duties:
            return name in self.duties and (value is None or value > self.duties[name] * (1 + 1e-12))
        return value is None or value > WEAK

    def _better(self, name: RungName, tried: Tried) -> bool:
        if self.duties:
            return not self._weak(name, tried)
        before, after = self.now.values[name], tried.values[name]
        return after is not None and (before is None or after < before * (1 - 1e-9))

    def table(self, words: Words | None = None) -> list[tuple[str, ...]]:
        """Return a line of titles, one of how it is now, and one per change: its number, what it is, the loss, and every rung."""
        words = words or Words("en")
        head = ("", words("mend.change"), words("mend.loss"), *(words(f"ladder.name.{name}") for name in RUNGS))
        lines = [head, self._line("", self.now, words)]
        lines += [self._line(f"{place}.", each, words) for place, each in enumerate(self.changes, start=1)]
        return lines

    def _line(self, place: str, tried: Tried, words: Words) -> tuple[str, ...]:
        said = words.say(tried.change)
        if tried.why is not None:
            return (place, said, words("mend.impossible"), *("" for _ in RUNGS))
        loss = words("absent") if tried.loss is None else f"{tried.loss:.3f}"
        if place and tried.loss is not None and self.now.loss is not None:
            loss += f" ({tried.loss - self.now.loss:+.3f})"
        mended = self.mended(tried) if place else ()
        numbers = [number_of(name, tried.values[name], words) + (" ✓" if name in mended else "") for name in RUNGS]
        return (place, said, loss, *numbers)

    def describe(self) -> dict[str, Any]:
        """Return it as data, for JSON."""
        return {
            "now": self.now.describe(),
            "changes": [{**each.describe(), "mends": list(self.mended(each))} for each in self.changes],
            "duties": dict(self.duties),
        }

    def __str__(self) -> str:
        return "\n".join(map(shown, [*written_table(self.table()), Words("en")("mend.legend")]))

    def _repr_html_(self) -> str:
        words = spoken()
        head, *rows = self.table(words)
        return card(words("mend.title"), grid(head, rows))


@stage("Looking for changes that help")
def advise(
    subject: Plan | Release,
    frame: Any = None,
    schema: Schema | None = None,
    *,
    duties: str | Duties | None = None,
    random_state: int = 0,
) -> Advised:
    """Try changes that may mend the weak rungs of a plan or a release, and measure on this table what each gives and costs.

    Parameters
    ----------
    subject
        A plan, whose table is read, or a release, together with the original table.
    frame, schema
        For a release: the original table, and the schema of its columns; without it that of the release.
    duties
        What each rung must not exceed, such as ``"linking 1/10, inference 3/4"``: changes that make it so are marked.
    random_state
        Makes the draws repeatable. Nothing is released.

    Examples
    --------
    >>> import tokumei as tk
    >>> people, schema = tk.example_census(rows=300), tk.example_schema()
    >>> release = tk.anonymize(people, schema, tk.Generalization(k=3))
    >>> found = tk.disclosure.advise(release, people, schema, duties="inference 3/4")
    >>> {str(each.change) for each in found.changes} >= {"Ask for 2 distinct values of 'income' in every class"}
    True
    """
    if isinstance(subject, Plan):
        table, columns, method, prepare = rows_of(subject), subject.schema, subject.method, subject.prepare
    elif isinstance(subject, Release) and frame is not None:
        table = to_arrow(frame)[0]
        columns, method, prepare = parts_of(subject) if schema is None else (schema, *parts_of(subject)[1:])
        table = table.select([name for name in table.column_names if name in columns.names()])
    else:
        raise InvalidParameter("advise takes a plan, or a release and the original table.")
    return try_changes(table, columns, method, prepare, duties=duties, random_state=random_state)


def try_changes(
    table: pa.Table,
    schema: Schema,
    method: Anonymizer,
    prepare: tuple[Step, ...],
    *,
    duties: str | Duties | None = None,
    random_state: int = 0,
) -> Advised:
    """Do what `advise` does, for callers who have the rows, the method and its steps at hand."""
    trying = _Trying(table, schema, read_duties(duties), random_state)
    now = trying.tried(AsItWas(), method, prepare, method, prepare)
    if now.why is not None:
        raise InvalidParameter("no release could be made to compare changes with: {why}", why=str(now.why))
    weak = [name for name in RUNGS if Advised(now, (), trying.duties)._weak(name, now)]
    wanted = _Asked(trying, method, tuple(prepare), frozenset(weak))
    asked = [each for look in CATALOGUE for each in look(wanted)][:CANDIDATES]
    changes = []
    with stage("Trying changes", total=len(asked)) as bar:
        for change, other, steps in asked:
            bar.say(str(change))
            changes.append(trying.tried(change, other, steps, method, prepare))
            bar.advance()
    found = Advised(now, (), trying.duties)

    def cost(each: Tried) -> tuple[bool, int, float]:
        return each.why is not None, -len(found.mended(each)), math.inf if each.loss is None else each.loss

    return replace(found, changes=tuple(sorted(changes, key=cost)))


def parts_of(release: Release) -> tuple[Schema, Anonymizer, tuple[Step, ...]]:
    """Return the schema, the method and the steps that a release says it was made by."""
    made_up = set(release.mechanism.made_up)
    attributes = []
    for attribute in release.schema:
        if attribute.name in made_up:
            continue
        before = release.originals.columns.get(attribute.name)
        if before is not None:
            attributes.append(replace(before.before, role=attribute.role))
        else:
            attributes.append(replace(release.original(attribute.name), role=attribute.role))
    failed = None
    try:
        method = pydantic.TypeAdapter(AnyMethod).validate_python(dict(release.method))
        steps = pydantic.TypeAdapter(tuple[AnyStep, ...]).validate_python([dict(step) for step in release.prepare])
    except (pydantic.ValidationError, InvalidParameter):
        failed = InvalidParameter("the release does not say enough of how it was made to change it; give the plan.")
    if failed is not None:
        raise failed
    return Schema(tuple(attributes)), method, steps


class _Trying:
    """What every candidate is tried on: a table, counted once."""

    def __init__(self, table: pa.Table, schema: Schema, duties: Mapping[RungName, float], random_state: int) -> None:
        self.table, self.schema, self.duties, self.random_state = table, schema, duties, random_state
        self._counted: dict[tuple[Step, ...], Quick] = {}

    def tried(
        self,
        change: Mend,
        method: Anonymizer,
        prepare: tuple[Step, ...],
        was: Anonymizer,
        before: tuple[Step, ...],
    ) -> Tried:
        """Draw a release, count its rungs, and measure its loss."""
        notes: list[Statement] = []
        lines = _changed_lines(self.schema, method, prepare, was, before)
        why: Statement | None = None
        release: Release | None = None
        try:
            release = carefully(
                "release", partial(anonymize, self.table, self.schema, method, prepare, self.random_state), notes
            )
        except DataError as error:
            notes.append(said_by(error))
        if release is None:
            why = notes[-1]
            return Tried(change, {}, None, why, lines, method, prepare)
        values = {rung.name: rung.value for rung in release.rungs}
        return Tried(change, values, self._loss(release, prepare), None, lines, method, prepare)

    def _loss(self, release: Release, prepare: tuple[Step, ...]) -> float | None:
        """Measure how far tables are off those of the table as prepared; nothing where they cannot be compared."""
        if prepare not in self._counted:
            self._counted[prepare] = Quick(prepared_table(self.table, self.schema, prepare))
        quick = self._counted[prepare]
        try:
            if release.mechanism.perturbed:
                return 1 - quick.reconstructed(ReconstructedTables(release, n_init=1)).utility
            return 1 - quick.released(release).utility
        except (InvalidParameter, InfeasiblePromise, NotComputable):
            return None


Candidate = tuple[Mend, Anonymizer, tuple[Step, ...]]


@dataclass(frozen=True)
class _Asked:
    """What is to be changed: a method and its steps on a table, for the rungs that are weak."""

    trying: _Trying
    method: Any
    prepare: tuple[Step, ...]
    weak: frozenset[RungName]

    def has(self, *parts: str) -> bool:
        """Whether the method has these parameters."""
        return {*parts} <= {part.name for part in fields(self.method)}

    @property
    def others(self) -> list[Attribute]:
        """The released columns that are no quasi-identifiers."""
        dropped = {step.column for step in self.prepare if isinstance(step, Drop)}
        return [each for each in self.trying.schema if each.name not in dropped and each.role in OTHERS]

    def changed(self, **changes: Any) -> tuple[Anonymizer, tuple[Step, ...]]:
        """Return the method with other parameters, and its steps."""
        return replace(self.method, **changes), self.prepare


def diverse(asked: _Asked) -> Iterator[Candidate]:
    """Constraints on a sensitive column limit what is believed in every class."""
    if "inference" not in asked.weak or not asked.has("constraints"):
        return
    given = asked.method.constraints
    for name in (each.name for each in asked.others if each.role == "sensitive"):
        if any(each.column == name for each in given):
            continue
        for different in (2, 3):
            more = (*given, LDiversity(name, different))
            yield Diversify(column=name, different=different), *asked.changed(constraints=more)
        yield Close(column=name, t=NEAR), *asked.changed(constraints=(*given, TCloseness(name, NEAR)))


def kept_columns(asked: _Asked) -> Iterator[Candidate]:
    """Columns released unchanged weaken rows that are perturbed: count on their classes, or perturb them too."""
    others = asked.others
    kept = tuple(each.name for each in others)
    if not (asked.weak & BEYOND and asked.has("kept") and kept) or asked.method.kept == "perturb":
        return
    if asked.method.kept == "unknown" and "whole_table" in asked.weak:
        yield CountKept(columns=kept), *asked.changed(kept="known")
    if all(each.domain is not None for each in others) and "perturb" in _choices(asked.method, "kept"):
        yield PerturbKept(columns=kept), *asked.changed(kept="perturb")


def differentially_private(asked: _Asked) -> Iterator[Candidate]:
    """Noise on every column that keeps a central epsilon bounds differencing, inference and membership at once."""
    declared = all(each.domain is not None and not each.observed for each in asked.others)
    if asked.weak & (BEYOND | {"membership"}) and asked.has("epsilon", "kept") and declared:
        epsilon = asked.trying.duties.get("differencing", EPSILON)
        yield BoundEpsilon(epsilon=epsilon), *asked.changed(kept="perturb", epsilon=epsilon)


def perturbed_instead(asked: _Asked) -> Iterator[Candidate]:
    """Generalized rows promise nothing beyond the quasi-identifiers: perturb all columns instead."""
    declared = all(each.domain is not None for each in asked.trying.schema if each.role != "identifier")
    if asked.weak & BEYOND and not asked.has("kept") and declared:
        k = getattr(asked.method, "k", None) or 10
        yield PerturbAll(k=k), PkPerturbation(k=k, kept="perturb"), asked.prepare


def sampled(asked: _Asked) -> Iterator[Candidate]:
    """A sample hides who is in the release."""
    if "membership" in asked.weak and asked.has("sample") and asked.method.sample is None:
        yield TakeSample(share=SAMPLE), *asked.changed(sample=SAMPLE)


def larger_k(asked: _Asked) -> Iterator[Candidate]:
    """A larger k makes links less likely, and classes larger."""
    if asked.weak - {"membership", "differencing"} and getattr(asked.method, "k", None):
        yield RaiseK(k=2 * asked.method.k), *asked.changed(k=2 * asked.method.k)


def left_out(asked: _Asked) -> Iterator[Candidate]:
    """A column that is neither a quasi-identifier nor sensitive tells rows apart, and may not be needed."""
    for each in asked.others if "whole_table" in asked.weak else ():
        if each.role == "insensitive":
            yield Leave(column=each.name), asked.method, (*asked.prepare, Drop(each.name))


def top_coded(asked: _Asked) -> Iterator[Candidate]:
    """Few large values make people unique: a bound at a round share of the declared range, which moves one row in a hundred at most.

    It is none of the table's own values.
    """
    changed = {step.column for step in asked.prepare}
    table = prepared_table(asked.trying.table, asked.trying.schema, ())
    for attribute in asked.trying.schema if asked.weak - {"membership", "differencing"} else ():
        domain = attribute.domain
        if attribute.role != "quasi_identifier" or not isinstance(domain, Numbers) or attribute.name in changed:
            continue
        if domain.step is None or attribute.observed:
            continue
        codes = table.codes(attribute.name)
        above = {
            place: (codes > place) & (codes < domain.size)
            for place in (math.ceil(share * (domain.size - 1)) for share in SHARES)
        }
        fits = [place for place, rows in above.items() if 0 < np.mean(rows) <= FAR]
        if fits:
            high = domain.values_of(np.array([fits[-1]])).to_pylist()[0]
            step = TopBottomCode(attribute.name, high=high)
            yield TopCode(column=attribute.name, high=high), asked.method, (*asked.prepare, step)


CATALOGUE: tuple[Callable[[_Asked], Iterator[Candidate]], ...] = (
    diverse,
    kept_columns,
    differentially_private,
    perturbed_instead,
    sampled,
    larger_k,
    left_out,
    top_coded,
)


def _choices(method: Any, name: str) -> tuple[Any, ...]:
    """Return what a field of a method may be, where that is listed."""
    declared = type(method).__pydantic_fields__[name]
    return get_args(declared.annotation)


def _changed_lines(
    schema: Schema, method: Anonymizer, prepare: tuple[Step, ...], was: Anonymizer, before: tuple[Step, ...]
) -> tuple[str, ...]:
    """Return the lines of a plan file that differ."""
    try:
        old, new = (
            Plan(Source("rows.csv"), schema, each, steps).to_toml().splitlines()
            for each, steps in ((was, before), (method, prepare))
        )
    except InvalidParameter:
        return ()  # a plan that holds a table of its own
    return tuple(line for line in new if line and line not in old)
