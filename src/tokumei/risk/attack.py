"""A measured attack, in addition to the proof: how many people the strongest practical linkage attack actually links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tokumei.anonymizers.anonymizer import Anonymizer
from tokumei.arrays import Codes, Floats, Integers
from tokumei.engines.local import make_release
from tokumei.errors import InvalidParameter
from tokumei.mechanism.boxes import Inside
from tokumei.mechanism.group_telling import GroupTelling
from tokumei.mechanism.grouping import Grouping
from tokumei.mechanism.likelihood import Seen, seen
from tokumei.messages import Spoken, phrase
from tokumei.parallel import one_blas_thread
from tokumei.prepare.rows import prepared_rows
from tokumei.prepare.step import Step
from tokumei.privacy.guarantee import several_rows
from tokumei.privacy.notions import down
from tokumei.progress import stage
from tokumei.randomness import Key, generator
from tokumei.release.artifact import Release
from tokumei.results import Result
from tokumei.risk.beliefs import Balanced, Enumerated, View
from tokumei.risk.linking import check_threshold
from tokumei.risk.notebook import lines_card
from tokumei.risk.said import (
    AttackNeedsPeople,
    GroupsNotTold,
    InGroups,
    WithoutStrata,
)
from tokumei.risk.told_rows import ToldRows
from tokumei.shown import shown
from tokumei.table.classes import rows_of_classes
from tokumei.table.coded import CodedTable, numbered
from tokumei.table.frames import to_arrow
from tokumei.table.people import Unit
from tokumei.table.schema import Attribute, Schema
from tokumei.words import Statement

EXACT = 10  # up to this many people every assignment is enumerated
FINE = 1024  # numbers on a finer grid are looked at in this many bins


@dataclass(frozen=True)
class Guess:
    """How often the attacker guesses a sensitive value, and how often without the release."""

    right: int
    without: int
    people: int


@dataclass(frozen=True)
class Attack(Spoken, Result):
    """The outcome of an attack. It is the data holder's: it is about the original rows.

    Attributes
    ----------
    people, rows
        How many people the attacker tried to link, and how many rows they had.
    linked
        How many they linked correctly, naming the likeliest row of each; none where the truth is not known. Of people with several
        rows, any of the person's is correct, and beliefs are in a released row being any of them.
    expected
        How many they expect to have linked correctly, from their beliefs.
    largest_belief
        The largest probability that they give to any link.
    above, threshold
        For how many people they give their likeliest link a probability over the threshold.
    promised
        1/k of the guarantee against an attacker who does not know who was drawn; 1 if nothing is promised against them.
    interval
        A 95 % confidence interval of the share of people linked.
    sensitive
        For each sensitive column released unchanged, how often they guess it correctly.
    how
        How their beliefs were computed.
    unit
        Whether people or households were linked.
    """

    people: int
    rows: int
    linked: int | None
    expected: float
    largest_belief: float
    above: int
    threshold: float
    promised: float
    interval: tuple[float, float] | None
    sensitive: Mapping[str, Guess] = field(default_factory=dict)
    how: tuple[Statement, ...] = ()
    unit: Unit = "person"

    @property
    def ways(self) -> str:
        """How beliefs were computed, in words."""
        return ", ".join(map(str, self.how))

    def lines(self) -> list[str]:
        """Say what was measured."""
        lines: list[str] = [phrase("The attacker knows the whole original table and the mechanism, but not the draws.")]
        if self.linked is not None and self.interval is not None:
            low, high = self.interval
            share = self.linked / self.people
            if self.unit == "household":
                lines.append(
                    phrase(
                        "They link {linked:,} of {people:household|households} correctly "
                        "({share:.3%}; 95 % confidence interval: {low:.3%} to {high:.3%}).",
                        linked=self.linked,
                        people=self.people,
                        share=share,
                        low=low,
                        high=high,
                    )
                )
            else:
                lines.append(
                    phrase(
                        "They link {linked:,} of {people:person|people} correctly "
                        "({share:.3%}; 95 % confidence interval: {low:.3%} to {high:.3%}).",
                        linked=self.linked,
                        people=self.people,
                        share=share,
                        low=low,
                        high=high,
                    )
                )
        lines.append(
            phrase(
                "They expect to link {expected:,.1f}; their most certain link has a probability of {largest_belief:.4f}.",
                expected=self.expected,
                largest_belief=self.largest_belief,
            )
        )
        if self.promised < 1:
            k = down(1 / self.promised)
            lines.append(
                phrase(
                    "The guarantee is that no link has a probability over 1/{k} = {promised:.4f}.",
                    k=k,
                    promised=self.promised,
                )
            )
        else:
            lines.append(phrase("Nothing is promised against an attacker who knows this much."))
        for name, guess in self.sensitive.items():
            guessed, right, without = shown(name), guess.right / guess.people, guess.without / guess.people
            lines.append(
                phrase(
                    "They guess {guessed} correctly for {right:.1%} of the people, without "
                    "the release for {without:.1%}. The guarantee limits neither this nor "
                    "knowing who is in the table.",
                    guessed=guessed,
                    right=right,
                    without=without,
                )
            )
        if self.how:
            ways: object = self.how[0]
            for other in self.how[1:]:
                ways = phrase("{one}, {other}", one=ways, other=other)
            lines.append(phrase("Beliefs were computed {ways}.", ways=ways))
        return lines

    def _repr_html_(self) -> str:
        return lines_card(self)


@stage("Attacking")
@one_blas_thread()
def attack(
    frame: Any,
    subject: Anonymizer | Release,
    schema: Schema | None = None,
    prepare: Sequence[Step] = (),
    random_state: int | None = None,
    threshold: float = 0.2,
) -> Attack:
    """Simulate an attacker who knows the whole original table and the mechanism.

    Parameters
    ----------
    frame
        The original table.
    subject
        A method: a release is drawn by it for the purpose, the truth is kept, and correct links are counted. Or a
        release: what the attacker believes is computed, but nobody knows which of their links are correct.
    schema
        The schema of the original; for a release that was made without steps its own serves.
    prepare
        The steps that are taken before the method.
    random_state
        Makes the drawn release repeatable.
    threshold
        People for whom the attacker gives the likeliest link a larger probability are counted.

    Examples
    --------
    >>> import tokumei as tk
    >>> found = tk.attack(tk.example_census(rows=300), tk.PkPerturbation(k=20), tk.example_schema(), random_state=1)
    >>> found.largest_belief <= 1 / 20
    True
    """
    check_threshold(threshold)
    arrow, origin = to_arrow(frame)
    if isinstance(subject, Anonymizer):
        if schema is None:
            raise InvalidParameter("attack needs the schema of the original.")
        key = Key.fresh() if random_state is None else Key.seeded(random_state)
        made = make_release(arrow, origin, schema, subject, prepare, key)
        return play(made.table, made.release, made.order, threshold, made.groups)
    if not isinstance(subject, Release):
        raise InvalidParameter("attack needs a method or a release.")
    made_up = subject.mechanism.made_up
    if schema is None:
        schema = Schema(tuple(subject.original(name) for name in subject.schema.without(*made_up).names()))
        arrow = arrow.select([n for n in arrow.column_names if n in schema.names()])
    table = prepared_rows(arrow, schema, prepare)
    lacking = [name for name in subject.schema.without(*made_up).names() if name not in table.schema.names()]
    other = [
        n for n in subject.mechanism.partly_told if n not in lacking and not _same(table.schema[n], subject.original(n))
    ]
    rows = subject.mechanism.population(subject.rows) + subject.mechanism.left_out
    if lacking or other or table.rows != rows:
        raise InvalidParameter("The release is not one of this table, prepared in this way.")
    return play(table, subject, None, threshold)


def _same(one: Attribute, other: Attribute) -> bool:
    """Whether two columns have the same codes."""
    return (one.domain, one.missing) == (other.domain, other.missing)


def play(
    table: CodedTable, release: Release, order: Integers | None, threshold: float, groups: Integers | None = None
) -> Attack:
    """Attack a release of a table; ``order`` says which row of the table each released row was, and ``groups`` the group of each, if that is known."""
    mechanism = release.mechanism
    several = several_rows(release.guarantees)
    if several and table.people is None:
        raise InvalidParameter(AttackNeedsPeople())
    alike = mechanism.left_out and mechanism.grouping is None
    if mechanism.recoding is not None or mechanism.averaging is not None or alike:
        raise InvalidParameter(
            "attack plays against perturbed or sampled releases; for generalized rows the equivalence classes "
            "show the risk, and tk.check(release.frame, columns) counts them."
        )
    if mechanism.swapping is not None:
        raise InvalidParameter(
            "attack plays against perturbed or sampled releases; swapped rows are linked with a probability of one over their group's "
            "rows, as is proved, and groups are private."
        )
    if mechanism.block is not None:
        raise InvalidParameter(
            "The rows of this release were shuffled in blocks, and the attack does not know who is in which "
            "block, so the attacker would seem weaker than they are; give the method instead, and a release is "
            "drawn with all rows shuffled."
        )
    known = mechanism.kept if release.method.get("kept") == "known" or not mechanism.perturbed else ()
    sample: Any = release.method.get("sample")
    strata = isinstance(sample, Mapping) and sample.get("design") == "stratified"
    if strata and sample["labels"] == "released" and sample["column"] not in known:
        known = (*known, sample["column"])
    secret = [
        a.name for a in release.schema if a.role == "sensitive" and a.name in mechanism.kept and a.name not in known
    ]
    # Releases of people with several rows keep no column that the attacker does not know.
    secret = [name for name in secret if table.columns[name].codes is not None and table.people is None]
    owner = np.arange(table.rows) if table.people is None else table.people.numbers
    luck = generator(0).random(table.rows)  # one draw a person: groups that shared theirs would all be lucky together
    if mechanism.grouping is not None:
        rows, found = _in_groups(table, release, mechanism.grouping, known, secret, order, luck, groups, owner)
    else:
        rows = np.arange(table.rows)
        view = View(_columns(table, release, known), release.coded, secret, _told_rows(table, release))
        found = [_Outcome.of(view, owner, table.rows, release.rows, order, luck)]
    belief, hit = _best_of(found)
    linked, interval = None, None
    if order is not None:
        linked = int(np.count_nonzero(hit))
        interval = _interval(linked, len(belief))
    about_rows = table.people is not None and not several and table.people.counted > 1
    promises = [g.value for g in release.guarantees if g.notion == "Pk-anonymity" and not about_rows]
    return Attack(
        people=len(belief),
        rows=release.rows,
        linked=linked,
        expected=float(belief.sum()),
        largest_belief=float(belief.max()),
        above=int(np.count_nonzero(belief > threshold)),
        threshold=threshold,
        promised=1 / max(promises, default=1.0),
        interval=interval,
        sensitive={name: _guess(found, table.taking(rows), rows, name) for name in secret},
        how=(
            *dict.fromkeys(outcome.how for outcome in found),
            *((WithoutStrata(),) if strata else ()),
            *((InGroups(),) if mechanism.grouping is not None else ()),
        ),
        unit="person" if table.people is None else table.people.unit,
    )


@dataclass(frozen=True)
class _Outcome:
    """What an attacker believes of some people, and how many of their links are correct."""

    people: Integers
    belief: Floats
    hit: npt.NDArray[np.bool_]
    how: Statement
    view: View
    beliefs: Enumerated | Balanced

    @classmethod
    def of(cls, view: View, owner: Integers, n: int, m: int, order: Integers | None, luck: Floats) -> _Outcome:
        """Attack the owners of n original rows by m released ones; ``order`` says which original row each of these is."""
        beliefs = Enumerated(view, n, m) if n <= EXACT else Balanced(view, n, m)
        people, of_row = np.unique(owner, return_inverse=True)
        if len(people) == n:  # in the order of the people, whose rows are one each
            place = np.argsort(of_row)
            best, belief = beliefs.best[place], beliefs.belief[place]
        else:
            best, belief = beliefs.of_people(of_row)
        hit = np.zeros(len(people), dtype=bool) if order is None else _hit(view, best, of_row[order], luck[people])
        return cls(people, belief, hit, beliefs.how, view, beliefs)


def _in_groups(
    table: CodedTable,
    release: Release,
    grouping: Grouping,
    known: Sequence[str],
    secret: Sequence[str],
    order: Integers | None,
    luck: Floats,
    groups: Integers | None,
    owner: Integers,
) -> tuple[Integers, list[_Outcome]]:
    """Attack each group by itself: the attacker knows who is in it, and which rows are of it."""
    group_of_row = release.group_of
    group_of_person = np.full(table.rows, -1, dtype=np.int64)
    if groups is not None:
        group_of_person = groups
    elif order is not None and not grouping.sampled:
        group_of_person[order] = group_of_row
    elif grouping.label is None and not release.mechanism.left_out:
        attributes = {name: release.schema[name] for name in grouping.columns}
        group_of_person = grouping.group_of(attributes, {name: table.codes(name) for name in grouping.columns})
    else:
        raise InvalidParameter(GroupsNotTold())
    found = []
    views = {name: grouping.inside(release.schema[name]) for name in grouping.columns}
    parts = [rows_of_classes(labels, len(grouping.groups)) for labels in (group_of_person, group_of_row)]
    for group, (people, rows) in enumerate(zip(*parts, strict=True)):
        if len(people) != (grouping.groups[group].of or len(rows)):
            raise InvalidParameter("The release is not one of this table, prepared in this way.")
        original, released = table.taking(people), release.coded.taking(rows)
        inside = {name: view[group] for name, view in views.items()}
        agreeing = _known(original, released, known)
        if grouping.telling is not None:
            told = _told_in_group(grouping.telling, group, inside, original, released)
            alike = [] if told is not None else [_alike(len(people), len(rows))]
            seen_here = View([*alike, *agreeing], released, secret, told)
        else:
            columns = []
            for name, view in inside.items():
                true, drawn = (view.local(side.codes(name)) for side in (original, released))
                columns.append(seen(grouping.channel(group, name), true, drawn, FINE))
            seen_here = View([*columns, *agreeing], released, secret)
        mine = None if order is None else np.searchsorted(people, order[rows])
        found.append(_Outcome.of(seen_here, owner[people], len(people), len(rows), mine, luck))
    return np.concatenate(parts[0]), found


def _told_in_group(
    telling: GroupTelling, group: int, inside: Mapping[str, Inside], original: CodedTable, released: CodedTable
) -> ToldRows | None:
    """Look at what the rows of one group tell, in the numbers of its boxes; none where no column varies in it."""
    mine = telling.of_group(group)
    if mine is None:
        return None
    number = np.full(len(telling.clusters), -1)
    number[[part.cluster for part in telling.parts[group]]] = np.arange(len(telling.parts[group]))
    which = number[released.codes(telling.label)]
    true: dict[str, Codes] = {name: inside[name].local(original.codes(name)) for name in mine.columns}
    drawn: dict[str, Codes] = {mine.label: which}
    for name in mine.columns:
        local = inside[name].local(released.codes(name))
        drawn[name] = np.where(mine.tells(which, name), local, len(inside[name].members))
    return ToldRows.of(mine, true, drawn)


def _alike(people: int, rows: int) -> Seen:
    """Look at people who are all alike."""
    return Seen(np.ones((1, 1)), np.zeros(people, dtype=np.int64), np.zeros(rows, dtype=np.int64))


def _columns(table: CodedTable, release: Release, known: Sequence[str]) -> list[Seen]:
    """Look at the columns that were perturbed, and at those that must agree."""
    channels = release.mechanism.channels.items()
    perturbed = [seen(channel, table.codes(name), release.coded.codes(name), FINE) for name, channel in channels]
    return [*perturbed, *_known(table, release.coded, known)]


def _told_rows(table: CodedTable, release: Release) -> ToldRows | None:
    """Look at what rows tell, where they tell one thing each."""
    telling = release.mechanism.telling
    if telling is None:
        return None
    original = {name: table.codes(name) for name in telling.columns}
    released = {name: release.coded.codes(name) for name in (*telling.columns, telling.label)}
    return ToldRows.of(telling, original, released)


def _known(table: CodedTable, released: CodedTable, known: Sequence[str]) -> list[Seen]:
    made = []
    for name in known:
        both = _together(table, released, name)
        made.append(Seen(np.eye(int(both.max()) + 1), both[: table.rows], both[table.rows :]))
    return made


def _together(table: CodedTable, released: CodedTable, name: str) -> Integers:
    """Number the values of a kept column alike in the original and in the release."""
    first, second = table.columns[name], released.columns[name]
    if first.cells is None:
        return np.concatenate([table.codes(name), released.codes(name)]).astype(np.int64)
    return numbered(pa.concat_arrays([first.cells, second.cells.cast(first.cells.type)]))


def _hit(view: View, best: Integers, owner: Integers, luck: Floats) -> npt.NDArray[np.bool_]:
    """Say of each person whether the row named is theirs; among equal rows the attacker picks one at random, by luck.

    ``owner`` has whose each released row is.
    """
    mine = np.bincount(owner[view.row_of == best[owner]], minlength=len(best))
    return np.asarray(luck * view.counts[best] < mine)


def _best_of(found: Sequence[_Outcome]) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Return each person's likeliest link in any group, and whether it is correct."""
    people, belief = (np.concatenate([getattr(each, name) for each in found]) for name in ("people", "belief"))
    hit = np.concatenate([each.hit for each in found])
    likeliest = np.lexsort((-belief, people))
    first = np.unique(people[likeliest], return_index=True)[1]
    return belief[likeliest[first]], hit[likeliest[first]]


def _interval(hits: int, people: int) -> tuple[float, float]:
    from scipy.stats import binomtest

    found = binomtest(hits, people).proportion_ci(method="exact")
    return float(found.low), float(found.high)


def _guess(found: Sequence[_Outcome], table: CodedTable, people: Integers, name: str) -> Guess:
    """Let the attacker guess a column that is released unchanged: the likeliest value of each person's row."""
    states = table.schema[name].states
    true = table.codes(name).astype(np.int64)
    guessed = [each.beliefs.shares(each.view.rows[:, each.view.secret[name]], states).argmax(axis=1) for each in found]
    commonest = int(np.bincount(true, minlength=states).argmax())
    right = int(np.count_nonzero(np.concatenate(guessed) == true))
    return Guess(right, int(np.count_nonzero(true == commonest)), len(people))
