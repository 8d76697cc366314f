"""Which link an attacker who knows the whole table names for each person, and how sure they are: the parts of a table that are attacked by themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa

from tokumei.arrays import Booleans, Codes, Floats, Integers
from tokumei.errors import InvalidParameter
from tokumei.mechanism.boxes import Inside
from tokumei.mechanism.group_telling import GroupTelling
from tokumei.mechanism.likelihood import Seen, seen
from tokumei.randomness import generator
from tokumei.release.artifact import Release
from tokumei.risk.beliefs import Balanced, Enumerated, FromSample, View
from tokumei.risk.blocks import believe
from tokumei.risk.pairs import Pairs, ThroughChannels, ThroughGroupTelling, ThroughTelling
from tokumei.risk.said import GroupsNotTold
from tokumei.risk.told_beliefs import Told
from tokumei.risk.told_rows import ToldRows
from tokumei.table.classes import class_of
from tokumei.table.coded import CodedTable, numbered
from tokumei.words import Statement

EXACT = 10  # up to this many people every assignment is enumerated
FINE = 1024  # numbers on a finer grid are looked at in this many bins
BLOCK = 2**22  # people times rows; a larger block is attacked by itself
PAIRS = 4e8  # distinct people times distinct rows; where there are more, a sample of people is attacked
SAMPLE = 1.5e8  # people of the sample times distinct rows
PEOPLE = 2000  # it has at least this many
FEW = 200  # and this many of each part, since rows are balanced by them


@dataclass(frozen=True)
class Target:
    """A table and its release; ``order`` says which row of the table each released row was, if that is known."""

    table: CodedTable
    release: Release
    order: Integers | None
    groups: Integers | None
    known: Sequence[str]
    secret: Sequence[str]

    @cached_property
    def luck(self) -> Floats:
        """One draw a person: groups that shared theirs would all be lucky together."""
        return generator(0).random(self.table.rows)

    @cached_property
    def states(self) -> Mapping[str, int]:
        """How many values each column to be guessed has."""
        return {name: self.table.schema[name].states for name in self.secret}


@dataclass(frozen=True)
class Links:
    """The likeliest link of each of some people.

    Attributes
    ----------
    people, belief
        Who was attacked, and how sure the attacker is of their likeliest row.
    hit
        Which of these links are correct; none where nobody knows.
    guesses
        For each column to be guessed, the likeliest value of each person's row.
    out_of
        How many people there are, where some of them were drawn to be attacked.
    largest
        The largest belief in a link of anyone who was looked at.
    """

    people: Integers
    belief: Floats
    hit: Booleans | None
    guesses: Mapping[str, Integers]
    how: tuple[Statement, ...]
    out_of: int | None = None
    largest: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "largest", max(self.largest, float(self.belief.max(initial=0.0))))

    @property
    def rate(self) -> float:
        """Which share of the people was attacked."""
        return 1.0 if self.out_of is None else len(self.people) / self.out_of

    def thinned(self, rate: float) -> Links:
        """Return the links of this share of the people, drawn at random; of each half of a sample as many."""
        everyone = len(self.people) if self.out_of is None else self.out_of
        number = min(2 * round(rate * everyone / 2), len(self.people))
        some = np.arange(number) if self.out_of is not None else generator(2).permutation(everyone)[:number]
        return Links(
            self.people[some],
            self.belief[some],
            None if self.hit is None else self.hit[some],
            {name: guess[some] for name, guess in self.guesses.items()},
            self.how,
            everyone,
            self.largest,
        )


def links(target: Target) -> Links:
    """Attack every part of a table that is apart from the others, be it a group or what agrees in the known columns."""
    grouping = target.release.mechanism.grouping
    if target.table.people is not None:
        return _of_owners(target, target.table.people.numbers)
    if grouping is None and (not target.known or target.table.rows <= EXACT):
        people, rows = np.arange(target.table.rows), np.arange(target.release.rows)
        return _alone(target, people, rows, None, target.known, 1.0)
    of_person, of_row = _groups(target)
    both = [np.concatenate([of_person, of_row])]
    both += [_together(target.table, target.release.coded, name) for name in target.known]
    inside = np.flatnonzero(both[0] >= 0)
    blocks = np.full(len(both[0]), -1, dtype=np.int64)
    blocks[inside] = class_of([each[inside] for each in both], len(inside))
    group_of = np.zeros(int(blocks.max(initial=-1)) + 1, dtype=np.int64)
    group_of[blocks[inside]] = both[0][inside]
    person, row = blocks[: len(of_person)], blocks[len(of_person) :]
    sizes = [np.bincount(side[side >= 0], minlength=len(group_of)) for side in (person, row)]
    pairs = sizes[0] * sizes[1]
    large = np.flatnonzero(pairs > BLOCK)
    found = []
    if len(large) < len(group_of):
        small = [np.where(np.isin(side, large), -1, side) for side in (person, row)]
        found.append(_small(target, small[0], small[1], group_of, of_person, of_row))
    part = sizes[0] / max(int(sizes[0][large].sum()), 1)  # of the people
    for block in large.tolist():
        who, which = np.flatnonzero(person == block), np.flatnonzero(row == block)
        group = None if grouping is None else int(group_of[block])
        share = float(pairs[block] / pairs[large].sum())
        found.append(_alone(target, who, which, group, (), share, float(part[block])))
    return _joined(found)


def _of_owners(target: Target, owner: Integers) -> Links:
    """Attack people with several rows: each is linked by the released row that is likeliest one of theirs, in any group."""
    of_person, of_row = _groups(target)
    ways, found = [], []
    for block in range(int(of_row.max()) + 1):
        mine, rows = np.flatnonzero(of_person == block), np.flatnonzero(of_row == block)
        table, released = target.table.taking(mine), target.release.coded.taking(rows)
        group = None if target.release.mechanism.grouping is None else block
        told, columns = _looked_at(target.release, table, released, group)
        columns += [_agreeing(table, released, name) for name in target.known]
        view = View(columns if columns or told is not None else [_alike(len(mine), len(rows))], released, (), told)
        beliefs = (Enumerated if len(mine) <= EXACT else Balanced)(view, len(mine), len(rows))
        people, place = np.unique(owner[mine], return_inverse=True)
        best, belief = beliefs.of_people(place)
        hit = np.zeros(len(people), dtype=np.bool_)
        if target.order is not None:
            whose = place[np.searchsorted(mine, target.order[rows])]
            own = np.bincount(whose[view.row_of == best[whose]], minlength=len(people))
            hit = target.luck[people] * view.counts[best] < own
        ways.append(beliefs.how)
        found.append((people, belief, hit))
    people, belief, hit = (np.concatenate(each) for each in zip(*found, strict=True))
    likeliest = np.lexsort((-belief, people))
    first = likeliest[np.unique(people[likeliest], return_index=True)[1]]
    return Links(
        people[first], belief[first], None if target.order is None else hit[first], {}, tuple(dict.fromkeys(ways))
    )


def _joined(found: Sequence[Links]) -> Links:
    """Put parts together; where some were sampled, with the same share of the people of each, so that the whole is a sample of everyone."""
    rate = min(each.rate for each in found)
    found = [each if each.rate == rate else each.thinned(rate) for each in found]
    everyone = sum(len(each.people) if each.out_of is None else each.out_of for each in found)
    people = np.concatenate([each.people for each in found])
    return Links(
        people,
        np.concatenate([each.belief for each in found]),
        None if found[0].hit is None else np.concatenate([each.hit for each in found if each.hit is not None]),
        {name: np.concatenate([each.guesses[name] for each in found]) for name in found[0].guesses},
        tuple(dict.fromkeys(way for each in found for way in each.how)),
        None if everyone == len(people) else everyone,
        max(each.largest for each in found),
    )


def _groups(target: Target) -> tuple[Integers, Integers]:
    """Return the group of each person and of each row; one for all where there are no groups."""
    table, release, grouping = target.table, target.release, target.release.mechanism.grouping
    if grouping is None:
        return np.zeros(table.rows, dtype=np.int64), np.zeros(release.rows, dtype=np.int64)
    group_of_row = np.asarray(release.group_of, dtype=np.int64)
    group_of_person = np.full(table.rows, -1, dtype=np.int64)
    if target.groups is not None:
        group_of_person = np.asarray(target.groups, dtype=np.int64)
    elif target.order is not None and not grouping.sampled:
        group_of_person[target.order] = group_of_row
    elif grouping.label is None and not release.mechanism.left_out:
        attributes = {name: release.schema[name] for name in grouping.columns}
        group_of_person = grouping.group_of(attributes, {name: table.codes(name) for name in grouping.columns})
    else:
        raise InvalidParameter(GroupsNotTold())
    sizes = [np.bincount(of[of >= 0], minlength=len(grouping.groups)) for of in (group_of_person, group_of_row)]
    wanted = np.array([group.of or 0 for group in grouping.groups])
    if not np.array_equal(sizes[0], np.where(wanted > 0, wanted, sizes[1])):
        raise InvalidParameter("The release is not one of this table, prepared in this way.")
    return group_of_person, group_of_row


def _small(
    target: Target, person: Integers, row: Integers, group_of: Integers, of_person: Integers, of_row: Integers
) -> Links:
    """Attack all small blocks together."""
    released = target.release.coded
    secret = {name: (released.codes(name), states) for name, states in target.states.items()}
    exact = 0 if target.release.mechanism.grouping is None else EXACT
    pairs = _pairs(target, group_of, of_person, of_row)
    found = believe(pairs, person, row, len(group_of), secret, exact)
    people = np.flatnonzero(person >= 0)
    hit = None
    if target.order is not None:
        hit = _hits(target, people, found.best, found.rows.which, found.rows.counts)
    return Links(people, found.belief, hit, found.guesses, found.how)


def _pairs(target: Target, group_of: Integers, of_person: Integers, of_row: Integers) -> Pairs:
    """Choose how the likelihoods of pairs are looked up."""
    table, coded, mechanism = target.table, target.release.coded, target.release.mechanism
    grouping, telling, schema = mechanism.grouping, mechanism.telling, target.release.schema
    if grouping is not None:
        attributes = {name: schema[name] for name in grouping.columns}
        codes = [{name: side.codes(name) for name in grouping.columns} for side in (table, coded)]
        inside = [np.maximum(of, 0) for of in (of_person, of_row)]
        if grouping.telling is not None:
            label = grouping.telling.label
            drawn = {**codes[1], label: coded.codes(label)}
            return ThroughGroupTelling(grouping, attributes, codes[0], drawn, inside[0], inside[1], group_of)
        boxes = [(grouping.column(attribute), name) for name, attribute in attributes.items()]
        local = [[box.local(side[name], of) for box, name in boxes] for side, of in zip(codes, inside, strict=True)]
        channels, kinds = grouping.kinds
        return ThroughChannels(channels, kinds[group_of], local[0], local[1])
    if telling is not None and not mechanism.channels:
        original = {name: table.codes(name) for name in telling.columns}
        return ThroughTelling(
            telling, original, {name: coded.codes(name) for name in (*telling.columns, telling.label)}
        )
    names = list(mechanism.channels)
    kinds = np.broadcast_to(np.arange(len(names)), (len(group_of), len(names)))
    both = [[side.codes(name).astype(np.int64) for name in names] for side in (table, coded)]
    return ThroughChannels(list(mechanism.channels.values()), kinds, both[0], both[1])


def _alone(
    target: Target,
    people: Integers,
    rows: Integers,
    group: int | None,
    known: Sequence[str],
    share: float,
    part: float = 1.0,
) -> Links:
    """Attack one part by itself: by every assignment, by what rows tell, by all pairs, or by a sample of people.

    ``share`` is its share of all pairs, and ``part`` that of all people.
    """
    whole = len(people) == target.table.rows and len(rows) == target.release.rows
    table = target.table if whole else target.table.taking(people)
    released = target.release.coded if whole else target.release.coded.taking(rows)
    told, columns = _looked_at(target.release, table, released, group)
    columns += [_agreeing(table, released, name) for name in known]
    n, m = len(people), len(rows)
    if told is not None and not columns and n > EXACT:
        beliefs = Told(told, n, m)
        guesses = {name: beliefs.guess(released, name, states) for name, states in target.states.items()}
        counts = np.bincount(beliefs.row_of)
        hit = _checked(target, people, rows, beliefs.best, beliefs.row_of, counts)
        return Links(people, beliefs.belief, hit, guesses, (beliefs.how,))
    view = View(columns or [_alike(n, m)], released, target.secret, told)
    secret = {name: (view.rows[:, view.secret[name]], states) for name, states in target.states.items()}
    most = max(round(SAMPLE * share / len(view.rows)), round(PEOPLE * part), FEW if part < 1 else 2)
    if len(view.people) * len(view.rows) > PAIRS * share and most < n:
        drawn = generator(1).choice(n, most, replace=False)
        sampled = FromSample(view, n, m, drawn, secret)
        hit = _checked(target, people, rows, sampled.best, view.row_of, view.counts, drawn)
        return Links(people[drawn], sampled.belief, hit, sampled.guesses, sampled.how, n)
    exactly = Enumerated(view, n, m) if n <= EXACT else Balanced(view, n, m)
    guesses = {name: exactly.shares(values, states).argmax(axis=1) for name, (values, states) in secret.items()}
    hit = _checked(target, people, rows, exactly.best, view.row_of, view.counts)
    return Links(people, exactly.belief, hit, guesses, (exactly.how,))


def _looked_at(
    release: Release, table: CodedTable, released: CodedTable, group: int | None
) -> tuple[ToldRows | None, list[Seen]]:
    """Look at what rows tell, and at the columns that were perturbed, in the whole table or in one group."""
    mechanism = release.mechanism
    if group is None:
        channels = mechanism.channels.items()
        columns = [seen(channel, table.codes(name), released.codes(name), FINE) for name, channel in channels]
        if mechanism.telling is None:
            return None, columns
        original = {name: table.codes(name) for name in mechanism.telling.columns}
        names = (*mechanism.telling.columns, mechanism.telling.label)
        return ToldRows.of(mechanism.telling, original, {name: released.codes(name) for name in names}), columns
    grouping = mechanism.grouping
    assert grouping is not None
    inside = {name: grouping.column(release.schema[name]).inside(group) for name in grouping.columns}
    if grouping.telling is not None:
        return _told_in_group(grouping.telling, group, inside, table, released), []
    columns = []
    for name, view in inside.items():
        true, drawn = (view.local(side.codes(name)) for side in (table, released))
        columns.append(seen(grouping.channel(group, name), true, drawn, FINE))
    return None, columns


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


def _agreeing(table: CodedTable, released: CodedTable, name: str) -> Seen:
    """Look at a column that must agree."""
    both = _together(table, released, name)
    return Seen(np.eye(int(both.max()) + 1), both[: table.rows], both[table.rows :])


def _together(table: CodedTable, released: CodedTable, name: str) -> Integers:
    """Number the values of a kept column alike in the original and in the release."""
    first, second = table.columns[name], released.columns[name]
    if first.cells is None:
        return np.concatenate([table.codes(name), released.codes(name)]).astype(np.int64)
    return numbered(pa.concat_arrays([first.cells, second.cells.cast(first.cells.type)]))


def _checked(
    target: Target,
    people: Integers,
    rows: Integers,
    best: Integers,
    row_of: Integers,
    counts: Floats | Integers,
    drawn: Integers | None = None,
) -> Booleans | None:
    """Say which links are correct in a part of the table, where the truth is known; ``row_of`` numbers its rows' records."""
    if target.order is None:
        return None
    whole = np.full(target.release.rows, -1, dtype=np.int64)
    whole[rows] = row_of
    return _hits(target, people if drawn is None else people[drawn], best, whole, counts)


def _hits(target: Target, people: Integers, best: Integers, row_of: Integers, counts: Floats | Integers) -> Booleans:
    """Say of which people the likeliest row is their own; among equal rows the attacker picks one at random, by luck."""
    own = np.full(target.table.rows, -2, dtype=np.int64)  # nobody's likeliest record has this number
    own[target.order] = row_of
    return np.asarray((own[people] == best) & (target.luck[people] * counts[best] < 1))
