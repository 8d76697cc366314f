"""The rungs against exact adversaries, which are written here: what is stated is never broken, and is reached.

Everything that could have happened is enumerated: every order of the rows, every assignment of rows or values to people, every
sample. Nothing of this is shared with the code that states the bounds.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pandas as pd
import pytest

import tokumei as tk
from tokumei.engines.local import make_release
from tokumei.mechanism.channel import channel_from
from tokumei.privacy.exchange import after_odds, drawn, from_share
from tokumei.randomness import Key
from tokumei.release.rungs import whole_table
from tokumei.table.frames import to_arrow

pytestmark = pytest.mark.filterwarnings("ignore::tokumei.errors.TokumeiWarning")

SCHEMA = tk.Schema(
    [
        tk.Attribute("a", "quasi_identifier", tk.Numbers(0, 4, step=1), tk.Hierarchy.intervals([0, 2, 4])),
        tk.Attribute("b", "quasi_identifier", tk.Categories(["p", "q"])),
        tk.Attribute("s", "sensitive", tk.Categories(["u", "v"])),
    ]
)
TABLES: dict[str, list[tuple[int, str, str]]] = {
    "alike in pairs": [(0, "p", "u"), (0, "p", "u"), (3, "q", "v"), (3, "q", "v")],
    "a value that differs": [(0, "p", "u"), (0, "p", "u"), (3, "q", "v"), (3, "q", "u")],
    "ties": [(0, "p", "u"), (1, "p", "u"), (1, "p", "u"), (2, "p", "u")],
}
METHODS: dict[str, Any] = {
    "mondrian": tk.Generalization(k=2, partition=tk.partitions.Mondrian()),
    "local recoding": tk.Generalization(k=2, partition=tk.partitions.TopDown()),
    "lattice": tk.Generalization(k=2, partition=tk.partitions.Lattice()),
    "full domain": tk.Generalization(k=2, partition=tk.partitions.Optimal(), suppression_limit=0.5),
    "l-diverse": tk.Generalization(k=2, constraints=[tk.constraints.LDiversity("s", 1)]),
    "microaggregation": tk.Microaggregation(k=2, partition=tk.partitions.MDAV()),
    "records left out": tk.RecordSuppression(k=2, suppression_limit=0.75),
    "cells suppressed": tk.LocalSuppression(k=2),
    "a sample": tk.Sampling(3, known=1),
    "swapped": tk.Swapping(k=2),
}


def outcomes(table: Sequence[tuple[Any, ...]], method: Any) -> list[tuple[Any, list[Any]]]:
    """Return a release for every order of the rows, and the released row of each person; none where it was left out."""
    made = []
    for order in itertools.permutations(range(len(table))):
        frame = pd.DataFrame([table[row] for row in order], columns=SCHEMA.names())
        arrow, origin = to_arrow(frame)
        found = make_release(arrow, origin, SCHEMA, method, (), Key.seeded(7))
        rows: list[Any] = [None] * len(table)
        cells = found.release.table.to_pydict()
        for place, source in enumerate(found.order):
            rows[order[source]] = tuple(column[place] for column in cells.values())
        made.append((found.release, rows))
    return made


def told(rows: Sequence[Any]) -> tuple[Any, ...]:
    """Return the released rows as they are seen: shuffled."""
    return tuple(sorted(Counter(row for row in rows if row is not None).items(), key=repr))


def strongest_links(made: Sequence[tuple[Any, list[Any]]]) -> list[tuple[float, tk.Release]]:
    """Return, for each set of released rows that can come about, the strongest belief that one of them is somebody's.

    Every order of the rows is as likely as any other, and the rows of a release are shuffled: among equal rows each is as likely the
    person's as any other.
    """
    seen: dict[Any, list[tuple[Any, list[Any]]]] = defaultdict(list)
    for release, rows in made:
        seen[told(rows)].append((release, rows))
    strongest = []
    for what, ways in seen.items():
        count, people = dict(what), range(len(ways[0][1]))
        strongest.append(
            (
                max(
                    sum(rows[person] == row for _, rows in ways) / len(ways) / count[row]
                    for person in people
                    for row in count
                ),
                ways[0][0],
            )
        )
    return strongest


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("method", METHODS)
def test_whoever_knows_the_whole_table_and_the_method_links_no_row_beyond_what_is_counted(
    table: str, method: str
) -> None:
    for link, release in strongest_links(outcomes(TABLES[table], METHODS[method])):
        bound = whole_table(release)
        assert bound.value is not None
        assert link <= bound.value + 1e-12
        same = Counter(zip(*release.table.to_pydict().values(), strict=True))
        assert bound.value == pytest.approx(1 / min(same.values()))


@pytest.mark.parametrize("method", ["mondrian", "microaggregation", "records left out"])
def test_the_count_is_reached(method: str) -> None:
    found = strongest_links(outcomes(TABLES["alike in pairs"], METHODS[method]))
    assert max(link / (whole_table(release).value or 1) for link, release in found) == pytest.approx(1)


def test_counting_the_quasi_identifiers_alone_would_be_caught() -> None:
    found = strongest_links(outcomes(TABLES["a value that differs"], METHODS["mondrian"]))
    assert max(link for link, _ in found) > max(release.rungs[0].value for _, release in found) + 0.1


@pytest.mark.parametrize("method", ["mondrian", "local recoding", "microaggregation"])
def test_what_is_believed_in_a_class_is_the_share_that_is_counted(method: str) -> None:
    """Attackers know the quasi-identifiers of everybody and which values there are, each assignment being as likely as any other."""
    known = [(0, "p"), (1, "p"), (3, "q"), (4, "q")]
    seen: dict[Any, list[tuple[Any, list[Any], Any]]] = defaultdict(list)
    for values in sorted(set(itertools.permutations(["u", "u", "v", "v"]))):
        table = [(*person, value) for person, value in zip(known, values, strict=True)]
        for release, rows in outcomes(table, METHODS[method]):
            seen[tuple(sorted(map(repr, rows)))].append((values, rows, release))
    reached = 0.0
    for ways in seen.values():
        bound = ways[0][2].rungs[2].value
        strongest = max(
            sum(values[person] == value for values, _, _ in ways) / len(ways) for person in range(4) for value in "uv"
        )
        assert strongest <= bound + 1e-12
        reached = max(reached, strongest / bound)
    assert reached == pytest.approx(1)


# Perturbed rows: the probabilities are worked out from the integers of the manifest.


def channel(release: tk.Release, name: str) -> list[list[Fraction]]:
    """Return P(released | true) of a column that is kept or replaced: one row per released value."""
    told = release.mechanism.describe()["columns"][name]
    size, keep, other = told["size"], told["keep"], told["other"]
    total = keep + size * other
    return [[Fraction(keep * (y == x) + other, total) for x in range(size)] for y in range(size)]


def perturbed(k: float, rows: int, **more: Any) -> tk.Release:
    schema = tk.Schema(
        [
            tk.Attribute("a", "quasi_identifier", tk.Categories(["p", "q"])),
            tk.Attribute("s", "sensitive", tk.Categories(["u", "v"])),
        ]
    )
    frame = pd.DataFrame({"a": ["pq"[row % 2] for row in range(rows)], "s": ["uvv"[row % 3] for row in range(rows)]})
    return tk.anonymize(frame, schema, tk.PkPerturbation(k=k, tells="all", **more), seed=3)


@pytest.mark.parametrize(("k", "rows"), [(1.5, 4), (2, 4), (2.5, 5)])
def test_beliefs_in_a_value_that_is_released_unchanged_keep_to_its_share_and_the_swap(k: float, rows: int) -> None:
    release = perturbed(k, rows)
    chance, swap = channel(release, "a"), release.mechanism.swap
    reached = 0.0
    for true in itertools.combinations_with_replacement(range(2), rows):
        for seen in itertools.product(range(2), repeat=rows):
            weights = [
                (
                    order,
                    math.prod((chance[seen[row]][true[person]] for person, row in enumerate(order)), start=Fraction(1)),
                )
                for order in itertools.permutations(range(rows))
            ]
            total = sum(weight for _, weight in weights)
            for having in range(1, rows):  # the first rows have the value
                for person in range(rows):
                    belief = sum(weight for order, weight in weights if order[person] < having) / total
                    bound = from_share(Fraction(having, rows), swap)
                    assert belief <= bound
                    reached = max(reached, float(belief / bound))
    assert reached == pytest.approx(1)


def test_a_share_without_the_swap_would_be_caught() -> None:
    release = perturbed(2, 4)
    chance = channel(release, "a")
    true, seen = (0, 1, 1, 1), (0, 1, 1, 1)
    weights = {
        order: math.prod((chance[seen[row]][true[person]] for person, row in enumerate(order)), start=Fraction(1))
        for order in itertools.permutations(range(4))
    }
    belief = sum(weight for order, weight in weights.items() if order[0] == 0) / sum(weights.values())
    assert belief > Fraction(1, 4)


def test_the_rung_says_what_follows_from_the_share_and_the_swap() -> None:
    release = perturbed(2, 5)
    (bound,) = release.rungs[2].bounds
    share = Fraction(Counter(release.frame["s"]).most_common(1)[0][1], 5)
    assert bound.value == pytest.approx(float(from_share(share, release.mechanism.swap)))
    assert bound.how == "proved"


def test_odds_of_a_perturbed_value_grow_by_no_more_than_its_noise_allows() -> None:
    """Whoever knows all other rows, and the person's other column, compares two values of the last cell."""
    release = perturbed(1.5, 3, kept="perturb")
    a, s = channel(release, "a"), channel(release, "s")
    stated = Fraction(release.rungs[2].bounds[0].says.factor)  # type: ignore[attr-defined]
    reached = Fraction(0)
    records = list(itertools.product(range(2), range(2)))
    for others in itertools.product(records, repeat=2):
        for own in range(2):
            for seen in itertools.combinations_with_replacement(records, 3):
                odds = []
                for value in range(2):
                    rows = [*others, (own, value)]
                    odds.append(
                        sum(
                            math.prod(
                                (
                                    a[seen[at][0]][row[0]] * s[seen[at][1]][row[1]]
                                    for row, at in zip(rows, order, strict=True)
                                ),
                                start=Fraction(1),
                            )
                            for order in itertools.permutations(range(3))
                        )
                    )
                ratio = max(odds[0] / odds[1], odds[1] / odds[0])
                assert ratio <= stated
                reached = max(reached, ratio)
    assert reached >= stated * Fraction(99, 100)
    assert float(after_odds(Fraction(1, 2), stated)) == pytest.approx(release.rungs[2].value)


@pytest.mark.parametrize("taken", [1, 2, 3])
def test_whether_somebody_was_drawn_is_believed_no_more_than_stated(taken: int) -> None:
    people = 4
    release = perturbed(2, people, kept="perturb", sample=taken)
    a, s = channel(release, "a"), channel(release, "s")
    ratio = min(x for x, _ in release.mechanism.tradeoffs)
    bound = drawn(taken, people, ratio)
    assert release.rungs[4].value == pytest.approx(float(bound))
    records = list(itertools.product(range(2), range(2)))
    reached = Fraction(0)
    for true in itertools.combinations_with_replacement(records, people):
        for seen in itertools.combinations_with_replacement(records, taken):
            weights = {
                who: math.prod(
                    (
                        a[row[0]][true[person][0]] * s[row[1]][true[person][1]]
                        for person, row in zip(who, seen, strict=True)
                    ),
                    start=Fraction(1),
                )
                for who in itertools.permutations(range(people), taken)
            }
            total = sum(weights.values())
            for person in range(people):
                belief = sum(weight for who, weight in weights.items() if person in who) / total
                assert belief <= bound
                reached = max(reached, belief / bound)
    assert reached > Fraction(9, 10)


@pytest.mark.parametrize("taken", [(1, 2), (2, 1), (1, 1)])
def test_whether_somebody_was_drawn_of_a_stratum_is_believed_no_more_than_stated(taken: tuple[int, int]) -> None:
    """Everybody's values and strata are known, and how many were drawn of each; not who."""
    strata = {"u": (0, 1, 2), "v": (3, 4)}
    schema = tk.Schema(
        [
            tk.Attribute("a", domain=tk.Categories(["p", "q"])),
            tk.Attribute("g", "insensitive", tk.Categories(["u", "v"])),
        ]
    )
    frame = pd.DataFrame({"a": list("pqpqp"), "g": list("uuuvv")})
    sample = tk.samples.Stratified("g", size=dict(zip("uv", taken, strict=True)))
    release = tk.anonymize(frame, schema, tk.PkPerturbation(k=1.2, sample=sample, tells="all"), seed=3)
    chance = channel(release, "a")
    bound, reached = release.rungs[4].value, 0.0
    assert bound is not None
    assert release.rungs[4].how == "proved"
    for true in itertools.product(range(2), repeat=5):
        for seen in itertools.product(range(2), repeat=sum(taken)):
            chosen = [
                (*some, *more)
                for some in itertools.permutations(strata["u"], taken[0])
                for more in itertools.permutations(strata["v"], taken[1])
            ]
            weights = {
                who: math.prod(
                    (chance[row][true[person]] for person, row in zip(who, seen, strict=True)), start=Fraction(1)
                )
                for who in chosen
            }
            for person in range(5):
                believed = sum(weight for who, weight in weights.items() if person in who)
                belief = float(believed / sum(weights.values()))
                assert belief <= bound
                reached = max(reached, belief / bound)
    assert reached > 0.97


def test_hidden_strata_leave_it_open_who_was_drawn() -> None:
    frame, schema = tk.example_census(rows=300), tk.example_schema()
    sample = tk.samples.Stratified("sex", size=0.5, labels="hidden")
    release = tk.anonymize(frame, schema, tk.PkPerturbation(k=3, sample=sample), seed=1)
    assert release.rungs[4].bound.says.key == "rung.nothing_in_strata"


def test_columns_that_are_known_after_all_leave_what_is_counted() -> None:
    """Whoever knows the column that is released unchanged compares assignments within its classes only."""
    release = perturbed(1.5, 4)
    chance = channel(release, "a")
    count = Counter(release.frame["s"])
    smallest = min(count.values())
    bound = release.rungs[1].value
    assert bound is not None
    worst = Fraction(0)
    for true in itertools.product(range(2), repeat=smallest):
        for seen in itertools.product(range(2), repeat=smallest):
            weights = {
                order: math.prod(
                    (chance[seen[row]][true[person]] for person, row in enumerate(order)), start=Fraction(1)
                )
                for order in itertools.permutations(range(smallest))
            }
            for person, row in itertools.product(range(smallest), repeat=2):
                linked = sum(weight for order, weight in weights.items() if order[person] == row)
                worst = max(worst, linked / sum(weights.values()))
    assert worst <= bound * (1 + 1e-12)
    assert float(worst) == pytest.approx(bound)


@pytest.mark.parametrize("kept", ["unknown", "known"])
def test_the_rung_of_a_release_in_groups_is_that_of_its_worst_class(kept: str) -> None:
    """Every group, and every class in it, is looked at one by one, with its channels made again from what the manifest says."""
    rows = tk.example_census(rows=600)
    release = tk.anonymize(rows, tk.example_schema(), tk.GroupedPkPerturbation(k=4, kept=kept), seed=3)
    grouping = release.mechanism.grouping
    assert grouping is not None
    (name,) = release.mechanism.kept
    values, worst = release.coded.codes(name).tolist(), Fraction(0)
    swaps = [
        math.prod((channel_from(each).swap for each in group.channels), start=Fraction(1)) for group in grouping.groups
    ]
    inside: dict[int, list[Any]] = defaultdict(list)
    for group, value in zip(release.group_of.tolist(), values, strict=True):
        inside[group].append(value)
    for group, own in inside.items():
        share = Fraction(Counter(own).most_common(1)[0][1], len(own))
        odds = share / (1 - share) / swaps[group] if share < 1 else None
        worst = max(worst, Fraction(1) if odds is None else odds / (1 + odds))
    (bound,) = release.rungs[2].bounds
    assert bound.value == pytest.approx(float(worst), abs=1e-12)
