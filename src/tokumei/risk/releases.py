"""Releases of every kind on one scale: what is proven, what is spent, and what an attacker can really do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei.anonymizers.anonymizer import Anonymizer
from tokumei.engines.local import make_release
from tokumei.errors import InvalidParameter
from tokumei.markup.card import card, grid, said
from tokumei.markup.pieces import bullets
from tokumei.messages import phrase
from tokumei.prepare.step import Step
from tokumei.privacy.guarantee import Guarantee, several_rows
from tokumei.progress import stage
from tokumei.randomness import Key
from tokumei.release.artifact import Release
from tokumei.results import Result
from tokumei.risk.assess import class_sizes
from tokumei.risk.assessment import Meaning
from tokumei.risk.attack import Attack, attack, play
from tokumei.risk.linking import Linking, check_threshold, of_sizes
from tokumei.risk.people import at_most_for_people, linking_of_people, people_of
from tokumei.risk.reading import read
from tokumei.shown import shown
from tokumei.table.frames import to_arrow
from tokumei.table.people import People
from tokumei.table.schema import Schema
from tokumei.table.sizes import ClassSizes
from tokumei.text import plural

RAW = "unchanged"
HEAD = ("", "proven", "ε", "highest", "average", "expected", "linked", "over", "attacker")
LEGEND = (
    "proven: the largest probability of a link that the guarantee allows; lower is safer, and 1 means no guarantee.",
    "highest, average, expected: the probability with which the attacker links a row, and how many rows they link on average.",
    "linked: how many they linked correctly in a trial. over: rows that they link with more than the threshold.",
    "A prosecutor knows the quasi-identifiers of a person; an all-knowing attacker knows the whole original table.",
)
WILDCARDS = phrase(
    "Wildcards are not counted for people with several rows; use meaning='own_value', under which a suppressed cell agrees with suppressed cells only."
)


@dataclass(frozen=True)
class ReleaseRisk(Result):
    """The risk of one release.

    Attributes
    ----------
    name
        Its name among others.
    people, rows
        How many people the original has, and how many rows are released.
    guarantees
        What is promised.
    proven
        The largest probability of a link that the guarantee allows to the attacker of ``measured``; 1 where it says nothing.
    epsilon
        What the release spends as local differential privacy; none where nothing is perturbed.
    measured
        What that attacker can do. For generalized rows it follows from the equivalence classes: they know the quasi-identifiers of a person in the
        release. Of rows that were perturbed or sampled it is the attack with all possible knowledge: their beliefs.
    linked, interval
        How many people that attack linked correctly, with a 95% confidence interval of their share; none for classes,
        where the expected number is exact, and for a release whose draws are gone.
    """

    name: str
    people: int
    rows: int
    guarantees: tuple[Guarantee, ...]
    proved: float
    epsilon: float | None
    measured: Linking
    linked: int | None
    interval: tuple[float, float] | None

    def cells(self) -> tuple[str, ...]:
        """Return what is shown of it in a table."""
        found = self.measured
        return (
            self.name,
            f"{self.proved:.4f}",
            "" if self.epsilon is None else f"{self.epsilon:.2f}",
            f"{found.highest:.4f}",
            f"{found.average:.4f}",
            f"{found.expected:,.1f}",
            "" if self.linked is None else f"{self.linked:,}",
            f"{found.above_share:.1%}",
            found.attacker,
        )

    def _repr_html_(self) -> str:
        promises = bullets(each.headline for each in self.guarantees)
        return card(f"Risk of a release of {plural(self.rows, 'row')}", grid(HEAD, [self.cells()]), promises)

    def __str__(self) -> str:
        spent = "" if self.epsilon is None else f", ε = {self.epsilon:.4g}"
        hits = "" if self.linked is None else f" Linked correctly: {self.linked:,} of {self.people:,}."
        return f"{shown(self.name)}: proven {self.proved:.4g}{spent}. {self.measured}{hits}"


@dataclass(frozen=True)
class SideBySide:
    """Releases of the same table side by side, after the unchanged table."""

    releases: tuple[ReleaseRisk, ...]

    def table(self) -> list[tuple[str, ...]]:
        """Return what is shown of each release, under a line of titles."""
        return [HEAD, *(each.cells() for each in self.releases)]

    def _repr_html_(self) -> str:
        head, *rows = self.table()
        return card("Risk of releases side by side", grid(head, rows), *(said(line) for line in LEGEND))

    def __str__(self) -> str:
        lines = [tuple(map(shown, line)) for line in self.table()]
        wide = [max(len(line[at]) for line in lines) for at in range(len(HEAD))]
        told = [
            "  ".join(
                cell.ljust(size) if at in {0, len(HEAD) - 1} else cell.rjust(size)
                for at, (cell, size) in enumerate(zip(line, wide, strict=True))
            ).rstrip()
            for line in lines
        ]
        return "\n".join([*told, *LEGEND])


@stage("Measuring the risk")
def assess_release(
    frame: Any,
    subject: Anonymizer | Release,
    schema: Schema | None = None,
    prepare: Sequence[Step] = (),
    random_state: int | None = None,
    *,
    threshold: float = 0.2,
    meaning: Meaning = "own_value",
    name: str | None = None,
) -> ReleaseRisk:
    """Say what a release proves and what an attacker can do, whatever method made it.

    Parameters
    ----------
    frame
        The original table.
    subject
        A method, by which a release is drawn for the occasion, or a release.
    schema, prepare, random_state
        As for `attack`.
    threshold
        Rows linked with a larger probability are counted.
    meaning
        What a suppressed cell is taken for where classes are counted: see `assess`.
    name
        What to call it; the method's name without it.

    Examples
    --------
    >>> import tokumei as tk
    >>> found = tk.assess_release(tk.example_census(rows=300), tk.PkPerturbation(k=20), tk.example_schema(), random_state=1)
    >>> found.measured.highest <= found.proved <= 1 / 20
    True
    """
    check_threshold(threshold)
    played: Attack | None = None
    if isinstance(subject, Anonymizer):
        if schema is None:
            raise InvalidParameter("assess_release needs the schema of the original.")
        key = Key.fresh() if random_state is None else Key.seeded(random_state)
        made = make_release(*to_arrow(frame), schema, subject, prepare, key)
        release, owned = made.release, made.table.people
        people = made.table.rows if owned is None else len(np.unique(owned.numbers))
        whose = None if owned is None else owned.taking(made.order)
        if not made_alike(release):
            played = play(made.table, release, made.order, threshold, made.groups)
    elif isinstance(subject, Release):
        release, people, whose = subject, to_arrow(frame)[0].num_rows, None
        if not made_alike(release):
            played = attack(frame, release, schema, prepare, threshold=threshold)
    else:
        raise InvalidParameter("assess_release needs a method or a release.")
    called = name or str(release.method.get("method", "release"))
    spent = [g.value for g in release.guarantees if g.notion == "local differential privacy"]
    if played is not None:
        found = Linking(
            "all-knowing",
            played.people,
            min(played.largest_belief, 1.0),
            min(played.expected / played.people, 1.0),
            played.above,
            threshold,
            f"Beliefs were computed {played.ways}.",
        )
        proved, linked, interval = played.promised, played.linked, played.interval
        people = played.people if several_rows(release.guarantees) else people
    else:
        if whose is not None or several_rows(release.guarantees):
            found = _of_people(release, whose, threshold, meaning)
        else:
            found = linking_of_classes(release.table, release.schema, threshold, meaning)
        notion = "k-anonymity" if meaning == "own_value" else "k-anonymity with wildcards"
        proved = 1 / max((g.value for g in release.guarantees if g.notion == notion), default=1.0)
        linked, interval = None, None
    return ReleaseRisk(
        called, people, release.rows, release.guarantees, proved, max(spent, default=None), found, linked, interval
    )


@stage("Measuring the risk")
def side_by_side(
    frame: Any,
    schema: Schema,
    subjects: Mapping[str, Anonymizer | Release],
    prepare: Sequence[Step] = (),
    random_state: int | None = None,
    *,
    threshold: float = 0.2,
    meaning: Meaning = "own_value",
) -> SideBySide:
    """Compare releases of the same table side by side, after the unchanged table.

    Parameters are those of `assess_release`, with a name for each method or release.

    Examples
    --------
    >>> import tokumei as tk
    >>> methods = {"k": tk.Generalization(k=5), "Pk": tk.PkPerturbation(k=5)}
    >>> found = tk.disclosure.side_by_side(tk.example_census(rows=300), tk.example_schema(), methods, random_state=1)
    >>> [each.name for each in found.releases]
    ['unchanged', 'k', 'Pk']
    """
    found = [as_it_is(frame, schema, threshold=threshold, meaning=meaning)]
    with stage("Assessing releases", total=len(subjects)) as shown:
        for name, subject in subjects.items():
            found.append(
                assess_release(
                    frame, subject, schema, prepare, random_state, threshold=threshold, meaning=meaning, name=name
                )
            )
            shown.advance(note=name)
    return SideBySide(tuple(found))


def as_it_is(frame: Any, schema: Schema, *, threshold: float = 0.2, meaning: Meaning = "own_value") -> ReleaseRisk:
    """Return the risk of the table itself, were it released unchanged."""
    arrow, _ = to_arrow(frame)
    known = [each for each in schema.names("quasi_identifier") if each in arrow.column_names]
    for name in schema.names("person"):
        _no_wildcards(meaning)
        found = linking_of_people(people_of(arrow, name, known), read(arrow, known).labels, threshold)
        return ReleaseRisk(RAW, found.rows, found.rows, (), 1.0, None, found, None, None)
    found = linking_of_classes(arrow, schema, threshold, meaning)
    return ReleaseRisk(RAW, found.rows, found.rows, (), 1.0, None, found, None, None)


def _of_people(release: Release, whose: People | None, threshold: float, meaning: Meaning) -> Linking:
    """Return what an attacker can do who knows the quasi-identifiers of a person with several rows."""
    _no_wildcards(meaning)
    reading = read(release.table, release.schema.names("quasi_identifier"))
    if whose is not None:
        return linking_of_people(whose, reading.labels, threshold)
    return at_most_for_people(release, class_sizes(reading, meaning), threshold)


def _no_wildcards(meaning: Meaning) -> None:
    if meaning == "wildcard":
        raise InvalidParameter(WILDCARDS)


def made_alike(release: Release) -> bool:
    """Say whether a release's rows were generalized, so that its equivalence classes show the risk."""
    mechanism = release.mechanism
    changed = mechanism.recoding is not None or mechanism.averaging is not None or mechanism.left_out > 0
    return changed or any(each.of_classes for each in release.guarantees)


def linking_of_classes(table: Any, schema: Schema, threshold: float = 0.2, meaning: Meaning = "own_value") -> Linking:
    """Return what an attacker can do who knows the quasi-identifiers of a person in a table, from its equivalence classes alone."""
    return of_sizes("prosecutor", classes_of(table, schema, meaning), threshold, phrase("Counted."))


def linking_of_released(release: Release, threshold: float = 0.2) -> Linking:
    """Do it for released rows that are coded anyway: each of them is one person's."""
    known = tuple(each for each in release.schema.names("quasi_identifier") if each in release.types.names)
    sizes = ClassSizes.of_classes(np.bincount(release.coded.class_of(known)))
    return of_sizes("prosecutor", sizes, threshold, phrase("Counted."))


def classes_of(table: Any, schema: Schema, meaning: Meaning = "own_value") -> ClassSizes:
    """Return the sizes of the equivalence classes of a table, by the quasi-identifiers of a schema that it has.

    Where people have several rows, a class counts as the whole number of people that it has room for: its rows over those of one person.
    """
    known = [each for each in schema.names("quasi_identifier") if each in table.column_names]
    reading = read(table, known)
    sizes = class_sizes(reading, meaning)
    for name in schema.names("person"):
        if name in table.column_names:
            sizes = np.maximum(sizes // people_of(table, name, known).own_within(reading.labels), 1)
    return ClassSizes.of_rows(sizes)
