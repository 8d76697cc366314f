"""Releases whose draws repeat, against an exact adversary who has all of them: every sequence of small tables, every outcome.

The adversary's arithmetic is its own: it goes through everything that can be drawn for each person, from the integers of the channels
alone, and counts how likely each released row is whose, given all released rows.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import tokumei as tk
from tokumei.mechanism.record import Mechanism
from tokumei.mechanism.retention import Retention
from tokumei.mechanism.telling import Cluster, Telling, ToldColumn
from tokumei.privacy.repeats import Repeats
from tokumei.risk.repeats import Month, count

COIN, THREE = Retention(2, 1, 2, 32), Retention(3, 1, 3, 32)  # kept with 2/4, and with 3/6
OTHER = Retention(2, 1, 3, 32)  # kept with 3/5
NAME = "0" * 32
Value = tuple[int, ...]  # a person's cells in one release
Life = tuple[Value | None, ...]  # in each release, None where they are not in it
Dist = Mapping[Any, Fraction]


def probability(channel: Retention, released: int, true: int) -> Fraction:
    total = channel.keep + channel.size * channel.other
    return Fraction(channel.other + (channel.keep if released == true else 0), total)


# What is drawn for one person over all releases: the law of the joined rows.


def perturbed(life: Life, channels: Sequence[Sequence[Retention]]) -> Dist:
    """Every column of every release by a channel: one draw for each different (column, channel, value)."""
    draws = {
        (at, channels[month][at], cell)
        for month, row in enumerate(life)
        if row is not None
        for at, cell in enumerate(row)
    }
    wanted, made = sorted(draws, key=repr), Counter[Any]()
    for outcome in itertools.product(*(range(channel.size) for _, channel, _ in wanted)):
        drawn = dict(zip(wanted, outcome, strict=True))
        weight = Fraction(1)
        for (_, channel, cell), released in drawn.items():
            weight *= probability(channel, released, cell)
        history = tuple(
            None if row is None else tuple(drawn[at, channels[month][at], cell] for at, cell in enumerate(row))
            for month, row in enumerate(life)
        )
        made[history] += weight
    return made


def told(life: Life, clusters: Sequence[tuple[tuple[int, ...], int, Retention]], sizes: Sequence[int]) -> Dist:
    """Each person tells one cluster in all releases, drawn once; its tuple is drawn once for each different one."""
    whole, made = sum(weight for _, weight, _ in clusters), Counter[Any]()
    for which, (columns, share, channel) in enumerate(clusters):
        tuples = [None if row is None else tuple(row[at] for at in columns) for row in life]
        wanted = sorted({each for each in tuples if each is not None})
        every = list(itertools.product(*(range(sizes[at]) for at in columns)))
        for outcome in itertools.product(every, repeat=len(wanted)):
            drawn = dict(zip(wanted, outcome, strict=True))
            weight = Fraction(share, whole)
            for true, released in drawn.items():
                same = true == released
                weight *= Fraction(channel.other + same * channel.keep, channel.keep + channel.size * channel.other)
            made[tuple(None if each is None else (which, *drawn[each]) for each in tuples)] += weight
    return made


# What the attacker believes.


def worst_link(laws: Sequence[Dist], *, joined: bool = True) -> Fraction:
    """Return the largest probability with which a released row is somebody's, given all rows that were released.

    The attacker knows everyone's tables, and the law of everyone's rows. With ``joined`` a kept column shows which rows of several
    releases are one person's; otherwise only the rows of each release, in no order, are seen.
    """
    whole = math.lcm(*(chance.denominator for law in laws for chance in law.values()))
    number = {history: at for at, history in enumerate(sorted({h for law in laws for h in law}, key=repr))}
    kept = list(number)
    weighed = [[(number[history], int(chance * whole)) for history, chance in law.items()] for law in laws]
    among = math.factorial(len(laws))  # a row is one of so many alike ones, all equally likely to be the person's
    total: Counter[Any] = Counter()
    linked: dict[Any, Counter[Any]] = {}
    for outcome in itertools.product(*weighed):
        weight = math.prod(chance for _, chance in outcome)
        histories = [history for history, _ in outcome]
        if joined:
            seen: Any = tuple(sorted(histories))
            rows: Any = [[(history, seen.count(history))] for history in histories]
        else:
            months = list(zip(*(kept[history] for history in histories), strict=True))
            seen = tuple(tuple(sorted((row for row in month if row is not None), key=repr)) for month in months)
            rows = [
                [((at, row), seen[at].count(row)) for at, row in enumerate(kept[history]) if row is not None]
                for history in histories
            ]
        total[seen] += weight * among
        own = linked.setdefault(seen, Counter())
        for person, of_person in enumerate(rows):
            for row, alike in of_person:
                own[person, row] += weight * among // alike
    return max(Fraction(max(own.values()), total[seen]) for seen, own in linked.items())


# What the library states.


def columns_of(cells: int) -> list[str]:
    return [f"c{at}" for at in range(cells)]


def months_of(lives: Sequence[Life], mechanisms: Sequence[Mechanism], schema: tk.Schema) -> list[Month]:
    """Stand-ins for releases: the table of each month, and how it was made."""
    whole = tk.Schema([tk.Attribute("id", "identifier"), *schema])
    months = []
    for at, mechanism in enumerate(mechanisms):
        there = [(who, life[at]) for who, life in enumerate(lives) if life[at] is not None]
        rows = {"id": [str(who) for who, _ in there]}
        rows |= {name: [row[place] for _, row in there] for place, name in enumerate(schema.names())}
        made: Any = SimpleNamespace(mechanism=mechanism, schema=schema, rows=len(there), method={}, guarantees=())
        months.append(Month.of(made, pa.table(rows), whole, "id"))
    return months


def stated(lives: Sequence[Life], mechanisms: Sequence[Mechanism], schema: tk.Schema) -> tuple[Repeats, float]:
    months = months_of(lives, mechanisms, schema)
    repeats = count(months)
    return repeats, repeats.promised([month.release for month in months])[0].k


def schema_of(*sizes: int) -> tk.Schema:
    return tk.Schema(
        [
            tk.Attribute(name, "quasi_identifier", tk.Categories(range(size)))
            for name, size in zip(columns_of(len(sizes)), sizes, strict=True)
        ]
    )


def by_channels(channels: Sequence[Sequence[Retention]]) -> list[Mechanism]:
    return [
        Mechanism(dict(zip(columns_of(len(month)), month, strict=True)), kept=("key",), repeat=NAME)
        for month in channels
    ]


def sequences(values: Iterable[Value | None], months: int, people: int) -> Iterable[tuple[Life, ...]]:
    """Every sequence of tables of so many people, but for their names; every table has somebody in it."""
    lives = [life for life in itertools.product(values, repeat=months) if any(row is not None for row in life)]
    for each in itertools.combinations_with_replacement(lives, people):
        if all(any(life[at] is not None for life in each) for at in range(months)):
            yield each


def close(stated_k: float) -> Fraction:
    return 1 / Fraction(stated_k) * (1 + Fraction(1, 10**12))


CASES = {
    # months, people, values, channels of each month
    "two tables of three": (3, [(0,), (1,), None], [[COIN], [COIN]]),
    "two tables of four": (4, [(0,), (1,)], [[COIN], [COIN]]),
    "three tables of three": (3, [(0,), (1,)], [[COIN], [COIN], [COIN]]),
    "three values": (3, [(0,), (1,), (2,)], [[THREE], [THREE]]),
    "other noise the second time": (3, [(0,), (1,), None], [[COIN], [OTHER]]),
    "other noise in between": (3, [(0,), (1,)], [[COIN], [OTHER], [COIN]]),
    "two columns": (3, [(0, 0), (0, 1), (1, 0), (1, 1)], [[COIN, OTHER], [COIN, OTHER]]),
}


@pytest.mark.parametrize("case", CASES)
def test_no_sequence_of_tables_is_linked_more_often_than_stated(case: str) -> None:
    people, values, channels = CASES[case]
    sizes = [channel.size for channel in channels[0]]
    mechanisms, schema = by_channels(channels), schema_of(*sizes)
    laws: dict[Life, Dist] = {}
    reached, ks = Counter[float](), set[float]()
    for lives in sequences(values, len(channels), people):
        _, k = stated(lives, mechanisms, schema)
        for life in lives:
            laws.setdefault(life, perturbed(life, channels))
        worst = worst_link([laws[life] for life in lives])
        assert worst <= close(k), lives
        ks.add(k)
        reached[k] += worst >= close(k) * (1 - Fraction(1, 10**9))
    assert len(ks) > 1
    assert all(reached[k] for k in ks), "every stated number is reached by some sequence"


def test_rows_that_nothing_joins_are_not_linked_more_often_either() -> None:
    channels = [[COIN], [COIN]]
    mechanisms, schema = by_channels(channels), schema_of(2)
    found = set()
    for lives in sequences([(0,), (1,), None], 2, 3):
        _, k = stated(lives, mechanisms, schema)
        worst = worst_link([perturbed(life, channels) for life in lives], joined=False)
        assert worst <= close(k)
        found.add(worst == 1)
    assert found == {True, False}  # who alone changed may be found even so: repeated draws show it


CLUSTERS = [((0,), 1, Retention(2, 2**61, 2**62, 64)), ((1,), 2, Retention(2, 2**61, 2**61, 64))]
PAIRS = [((0,), 1, Retention(2, 2**61, 2**62, 64)), ((0, 1), 1, Retention(4, 2**61, 2**60, 64))]


def telling_of(clusters: Sequence[tuple[tuple[int, ...], int, Retention]], schema: tk.Schema) -> Telling:
    return Telling(
        "tells",
        {a.name: ToldColumn(a, (None,)) for a in schema},
        tuple(
            Cluster(tuple(f"c{at}" for at in columns), (0,) * len(columns), weight, channel)
            for columns, weight, channel in clusters
        ),
    )


@pytest.mark.parametrize("clusters", [CLUSTERS, PAIRS], ids=["one column each", "one column or both"])
def test_rows_that_tell_one_thing_each(clusters: Any) -> None:
    schema = schema_of(2, 2)
    mechanism = Mechanism({}, ("key",), telling=telling_of(clusters, schema), repeat=NAME)
    laws: dict[Life, Dist] = {}
    reached, ks = Counter[float](), set[float]()
    for lives in itertools.islice(sequences(list(itertools.product((0, 1), repeat=2)), 2, 3), 0, None, 5):
        _, k = stated(lives, [mechanism, mechanism], schema)
        for life in lives:
            laws.setdefault(life, told(life, clusters, (2, 2)))
        worst = worst_link([laws[life] for life in lives])
        assert worst <= close(k), lives
        ks.add(k)
        reached[k] += worst >= close(k) * (1 - Fraction(1, 10**9))
    assert len(ks) > 2
    assert reached[min(ks)]
    assert reached[max(ks)]


def test_cells_that_are_told_coarsely_change_only_where_a_cell_does() -> None:
    """Ages 31 and 34 lie in one cell: whoever goes from one to the other has the draw of before."""
    schema = tk.Schema([tk.Attribute("c0", "quasi_identifier", tk.Numbers(0, 3, step=1))])
    channel = Retention(2, 2**61, 2**62, 64)
    telling = Telling("tells", {"c0": ToldColumn(schema["c0"], ((0, 2),))}, (Cluster(("c0",), (0,), 1, channel),))
    mechanism = Mechanism({}, ("key",), telling=telling, repeat=NAME)
    repeats, k = stated([((0,), (1,)), ((2,), (2,)), ((3,), (2,))], [mechanism, mechanism], schema)
    assert len(repeats.patterns) == 1
    assert Fraction(k) <= 1 + 2 * channel.ratio**2 < Fraction(k) * (1 + Fraction(1, 2**50))
    repeats, k = stated([((0,), (2,)), ((2,), (2,)), ((3,), (2,))], [mechanism, mechanism], schema)
    assert k == 1


# Planted mistakes.


def coupled(life: Life, channels: Sequence[Sequence[Retention]], *, by_value: bool, by_channel: bool) -> Dist:
    """The law of a person's rows where draws share a word that should not: for two values, or for two channels.

    The word of a retention channel keeps the value if it is large, and else says by which one it is replaced.
    """
    wanted = sorted(
        {
            (channels[at][0] if by_channel else None, row[0] if by_value else None)
            for at, row in enumerate(life)
            if row is not None
        },
        key=repr,
    )
    words, made = 60, Counter[Any]()
    for outcome in itertools.product(range(words), repeat=len(wanted)):
        drawn = dict(zip(wanted, outcome, strict=True))
        history: list[Any] = []
        for at, row in enumerate(life):
            if row is None:
                history.append(None)
                continue
            channel = channels[at][0]
            unit = words // (channel.keep + channel.size * channel.other)
            word = drawn[channel if by_channel else None, row[0] if by_value else None]
            replaced = word // (unit * channel.other)
            history.append((replaced if replaced < channel.size else row[0],))
        made[tuple(history)] += Fraction(1, words ** len(wanted))
    return made


@pytest.mark.parametrize(
    ("lives", "channels", "mistake"),
    [
        ([((0,), (1,)), ((1,), (0,)), ((1,), (0,))], [[COIN], [COIN]], {"by_value": False, "by_channel": True}),
        ([((0,), (0,)), ((1,), (1,)), ((1,), (1,))], [[COIN], [OTHER]], {"by_value": True, "by_channel": False}),
    ],
    ids=["the value is not in the address", "the channel is not in the address"],
)
def test_words_that_are_shared_break_the_promise(lives: Any, channels: Any, mistake: Any) -> None:
    _, k = stated(lives, by_channels(channels), schema_of(2))
    right = [coupled(life, channels, by_value=True, by_channel=True) for life in lives]
    assert right == [perturbed(life, channels) for life in lives]
    assert worst_link(right) <= close(k)
    assert worst_link([coupled(life, channels, **mistake) for life in lives]) == 1


def test_patterns_that_are_not_counted_break_the_promise() -> None:
    """One of three has changed: of all three people nobody may be promised more than 1, whatever the noise."""
    channels = [[COIN], [COIN]]
    lives = [((0,), (1,)), ((0,), (0,)), ((1,), (1,))]
    repeats, k = stated(lives, by_channels(channels), schema_of(2))
    worst = worst_link([perturbed(life, channels) for life in lives])
    assert k == 1
    assert worst == 1
    assert sorted(each.people for each in repeats.patterns) == [1, 2]
    everyone_alike = 1 + 2 * COIN.swap
    assert worst > 1 / everyone_alike


# Counting.


def test_eight_people_that_can_be_counted_by_hand() -> None:
    schema = schema_of(3, 2)
    mechanisms = by_channels([[THREE, COIN]] * 3)
    lives: list[Life] = [
        *[((0, 0), (0, 0), (0, 0))] * 2,  # unchanged
        ((2, 1), (2, 1), (2, 1)),  # unchanged
        ((0, 0), (1, 0), (0, 0)),  # there and back
        ((1, 1), (2, 1), (1, 1)),  # there and back
        ((0, 0), (1, 0), (2, 0)),  # three values
        (None, (1, 1), (1, 1)),  # joined
        ((1, 1), (1, 0), None),  # changed and left
    ]
    repeats, k = stated(lives, mechanisms, schema)
    assert {(each.people, each.present, tuple(each.draws["c0"])) for each in repeats.patterns} == {
        (3, (True, True, True), (0, 0, 0)),
        (2, (True, True, True), (0, 1, 0)),
        (1, (True, True, True), (0, 1, 2)),
        (1, (False, True, True), (-1, 1, 1)),
        (1, (True, True, False), (0, 0, -1)),
    }
    assert k == 1
    months = months_of(lives, mechanisms, schema)
    promised = repeats.promised([month.release for month in months])
    swap = {"c0": THREE.swap, "c1": COIN.swap}
    ks = {each.people: each.k for each in promised if each.people > 1}
    assert ks[3] == pytest.approx(float(1 + 2 * swap["c0"] * swap["c1"]))
    assert ks[2] == pytest.approx(float(1 + 1 * swap["c0"] ** 2 * swap["c1"]))
    assert [each.changed for each in promised if each.people == 2] == [("c0",)]


def test_known_columns_are_counted_with_the_pattern() -> None:
    schema = tk.Schema([*schema_of(2), tk.Attribute("town", "insensitive", tk.Categories(["n", "s"]))])
    whole = tk.Schema([tk.Attribute("id", "identifier"), *schema])
    mechanism = Mechanism({"c0": COIN}, ("town",), repeat=NAME)
    towns = [["n", "n", "s", "s", "s"], ["n", "n", "s", "s", "n"]]
    months = []
    for at in range(2):
        rows = pa.table({"id": list("abcde"), "c0": [0, 1, 0, 1, 1], "town": towns[at]})
        made: Any = SimpleNamespace(mechanism=mechanism, schema=schema, rows=5, method={"kept": "known"}, guarantees=())
        months.append(Month.of(made, rows, whole, "id"))
    (pattern,) = count(months).patterns
    assert (pattern.people, pattern.fewest) == (5, 1)  # one moved
    for month in months:
        month.release.method["kept"] = "unknown"  # type: ignore[index]
    (pattern,) = count(months).patterns
    assert (pattern.people, pattern.fewest) == (5, 5)


def test_many_people_are_counted_as_one_by_one() -> None:
    rng = np.random.default_rng(4)
    values: list[Value | None] = [(0, 0), (0, 1), (1, 0), (2, 1), None]
    lives = [tuple(values[place] for place in rng.integers(0, 5, 4)) for _ in range(400)]
    lives = [life for life in lives if any(row is not None for row in life)]
    repeats, _ = stated(lives, by_channels([[THREE, COIN]] * 4), schema_of(3, 2))

    def plain(life: Life, at: int) -> tuple[int, ...]:
        cells = [None if row is None else row[at] for row in life]
        return tuple(-1 if cell is None else cells.index(cell) for cell in cells)

    expected = Counter((plain(life, 0), plain(life, 1)) for life in lives)
    assert {(each.draws["c0"], each.draws["c1"]): each.people for each in repeats.patterns} == expected
