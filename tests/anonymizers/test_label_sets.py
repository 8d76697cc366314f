"""Boxes that are sets of labels: the guarantee against an exact adversary of its own, what is told of them, and forgeries.

The adversary knows the whole table, everybody's group, all boxes and all channels, and the released rows. It is written out from the
integers of a manifest and shares no code with what it judges.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tokumei as tk
from tests.anonymizers.grouping import AllBut, Halving, make
from tests.release.forging import rewrite
from tests.release.groups_apart import apart
from tokumei.engines.local import Made
from tokumei.errors import ReleaseError
from tokumei.privacy.groups import achieved_in

Q = "quasi_identifier"
LABELS = list("abcd")
SCHEMA = tk.Schema([tk.Attribute("n", Q, tk.Numbers(0, 1, step=1)), tk.Attribute("c", Q, tk.Categories(LABELS))])


def cells_of(box: list[Any], values: list[Any]) -> list[Any]:
    """The cells of a box as a manifest writes it, in the order of its channel's numbers."""
    held = box[0] if isinstance(box[0], list) else range(box[0], box[1] + 1)
    return [values[place] for place in held] + [None] * box[-1]


def weight(channel: dict[str, Any], true: int, released: int) -> int:
    """What retention weighs, up to a factor that is the same for all assignments."""
    assert channel["channel"] == "retention"
    return int(channel["other"] + (channel["keep"] if true == released else 0))


def worst_belief(people: list[tuple[Any, ...]], group: dict[str, Any], domains: list[list[Any]]) -> Fraction:
    """The largest probability of any link, over every release that the boxes of a group allow and every assignment."""
    cells = [cells_of(box, values) for box, values in zip(group["boxes"], domains, strict=True)]
    for person in people:
        assert all(cell in held for cell, held in zip(person, cells, strict=True))
    tables = [
        {(u, v): weight(channel, i, j) for (i, u), (j, v) in itertools.product(enumerate(held), repeat=2)}
        for channel, held in zip(group["channels"], cells, strict=True)
    ]
    worst = Fraction(0)
    for rows in itertools.combinations_with_replacement(itertools.product(*cells), len(people)):
        likely = [
            [math.prod(table[u, v] for table, u, v in zip(tables, person, row, strict=True)) for row in rows]
            for person in people
        ]
        total, linked = 0, np.zeros((len(people), len(rows)), dtype=object)
        for order in itertools.permutations(range(len(rows))):
            chance = math.prod(likely[person][row] for person, row in enumerate(order))
            total += chance
            for person, row in enumerate(order):
                linked[person, row] += chance
        worst = max(worst, Fraction(int(linked.max()), total))
    return worst


def attacked(made: Made, frame: dict[str, list[Any]]) -> Iterator[tuple[Fraction, int]]:
    """The worst belief in each group, and the group's number."""
    grouping = made.release.mechanism.describe()["grouping"]
    labels = np.empty(made.table.rows, dtype=np.int64)
    labels[made.order] = made.release.group_of
    domains = [{"n": [0, 1], "c": LABELS}[name] for name in grouping["columns"]]
    for number, group in enumerate(apart(grouping)):
        people = [tuple(frame[name][row] for name in grouping["columns"]) for row in np.flatnonzero(labels == number)]
        yield worst_belief(people, group, domains), number


@pytest.mark.parametrize("k", [1.5, 2])
def test_every_table_every_release_every_assignment(k: float) -> None:
    records = list(itertools.product([0, 1], ["a", "b", "d"]))  # c occurs in no row: no box may hold it
    boxes = set()
    for rows in itertools.combinations_with_replacement(records, 4):
        frame = {"n": [row[0] for row in rows], "c": [row[1] for row in rows]}
        made = make(frame, SCHEMA, tk.GroupedPkPerturbation(k=k))
        grouping = made.release.mechanism.grouping
        assert grouping is not None
        for worst, number in attacked(made, frame):
            assert worst <= 1 / achieved_in(grouping.groups[number]) <= 1 / Fraction(k)
            boxes.add(grouping.groups[number].boxes[1].labels)
    assert {(0, 3), (0, 1, 3)} <= boxes and not any(2 in labels for labels in boxes if labels)


def test_the_guarantee_is_reached() -> None:
    frame = {"n": [0, 0, 0, 0, 1], "c": ["a", "a", "a", "a", "d"]}
    made = make(frame, SCHEMA, tk.GroupedPkPerturbation(k=2, partition=AllBut(0)))
    ((worst, _),) = attacked(made, frame)
    assert float(worst) == pytest.approx(1 / made.release.guarantees[0].value, rel=1e-12)
    assert float(worst) == pytest.approx(1 / 2, rel=1e-6)


def test_the_adversary_finds_a_budget_that_is_spent_twice() -> None:
    frame = {"n": [0, 0, 0, 1], "c": ["a", "a", "a", "d"]}
    both = make(frame, SCHEMA, tk.GroupedPkPerturbation(k=2, partition=AllBut(0)))
    alone = make({**frame, "n": [0] * 4}, SCHEMA, tk.GroupedPkPerturbation(k=2, partition=AllBut(0)))
    (group,) = apart(both.release.mechanism.describe()["grouping"])
    (other,) = apart(alone.release.mechanism.describe()["grouping"])
    forged = {**group, "channels": [other["channels"][1]] * 2}  # each column with all that one may have
    people = list(zip(frame["n"], frame["c"], strict=True))
    assert worst_belief(people, group, [[0, 1], LABELS]) <= Fraction(1, 2)
    assert worst_belief(people, forged, [[0, 1], LABELS]) > Fraction(11, 20)


def test_exchanging_two_people_of_a_group_leaves_all_that_is_published_but_rows() -> None:
    # The box follows from the rows of a group together, so it says nothing of who is who among them.
    frame = {"n": [0, 0, 0, 1, 1, 1], "c": ["a", "b", "d", "a", "a", "b"]}
    published = [
        make(
            {name: [cells[row] for row in order] for name, cells in frame.items()},
            SCHEMA,
            tk.GroupedPkPerturbation(k=2, partition=Halving()),
        ).release.mechanism.describe()
        for order in itertools.islice(itertools.permutations(range(6)), 0, 720, 37)
    ]
    assert all(each == published[0] for each in published)
    assert apart(published[0]["grouping"])[0]["boxes"][1] == [[0, 1, 3], 0]


# What is told.


def census(rows: int = 400, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    age = rng.integers(20, 60, rows)
    trade = np.array(["farmer", "clerk", "nurse", "smith", "cook", "sailor"])[(age // 7 + rng.integers(0, 2, rows)) % 6]
    return pd.DataFrame({"age": age, "trade": trade, "sex": rng.choice(["f", "m"], rows)})


AGE = tk.Attribute("age", Q, tk.Numbers(20, 59, step=1))
TRADE = tk.Attribute("trade", Q, tk.Categories(["clerk", "cook", "farmer", "nurse", "sailor", "smith"]))
SEX = tk.Attribute("sex", Q, tk.Categories(["f", "m"]))
PEOPLE = tk.Schema([AGE, TRADE, SEX])


def test_sets_are_for_categories_without_an_order(tmp_path: Path) -> None:
    release = tk.anonymize(census(), PEOPLE, tk.GroupedPkPerturbation(k=4))
    grouping = release.mechanism.grouping
    assert grouping.sets == ("trade", "sex")
    apart = [box.labels for group in grouping.groups for box in group.boxes[1:2] if box.labels[-1] - box.labels[0] >= len(box.labels)]  # fmt: skip
    assert apart  # a set that is no stretch
    for name in grouping.columns:
        assert (grouping.column(release.schema[name]).local(release.coded.codes(name), release.group_of) >= 0).all()
    release.write(tmp_path / "out")
    back = tk.read_release(tmp_path / "out")
    assert back.mechanism == release.mechanism and back.guarantees == release.guarantees
    ordered = tk.Schema([AGE, tk.Attribute("trade", Q, tk.Categories(TRADE.domain.values, ordered=True)), SEX])
    assert tk.anonymize(census(), ordered, tk.GroupedPkPerturbation(k=4)).mechanism.grouping.sets == ("sex",)
    plain = tk.anonymize(census(), PEOPLE, tk.GroupedPkPerturbation(k=4, boxes="stretches"))
    assert plain.mechanism.grouping.sets == ()
    with pytest.raises(tk.errors.InvalidParameter, match="'boxes' must be 'sets' or 'stretches'"):
        tk.GroupedPkPerturbation(k=4, boxes="lists")


def test_sets_need_less_noise() -> None:
    def off(boxes: Any) -> float:
        frame = census(2000)
        released = [
            tk.anonymize(frame, PEOPLE, tk.GroupedPkPerturbation(k=40, boxes=boxes), seed=seed).frame
            for seed in range(3)
        ]
        true = pd.crosstab(frame["trade"], frame["age"] // 5) / len(frame)
        return float(
            np.mean(
                [0.5 * (pd.crosstab(r["trade"], r["age"] // 5) / len(r) - true).abs().sum().sum() for r in released]
            )
        )

    assert off("sets") < 0.9 * off("stretches")


@pytest.mark.parametrize(
    ("schema", "edges", "said"),
    [
        (PEOPLE, None, ["are values of its rows", "The labels that occur in each group are published for 'trade', 'sex'"]),
        (PEOPLE, {"age": 5}, ["rounded outward, are published", "are published for 'trade', 'sex'"]),
        (tk.Schema([TRADE, SEX]), None, ["The labels that occur in each group are published with its size"]),
        (
            tk.Schema([AGE, tk.Attribute("sex", Q, tk.Categories(["f", "m"], ordered=True)), TRADE]),
            {"age": 5},
            ["rounded outward in 'age', and values of its rows in the other columns", "are published for 'trade'"],
        ),
        (tk.Schema([AGE]), None, ["are values of its rows"]),
    ],
)  # fmt: skip
def test_what_sets_disclose_is_said(schema: tk.Schema, edges: Any, said: list[str], tmp_path: Path) -> None:
    frame = census()[list(schema.names())]
    release = tk.anonymize(frame, schema, tk.GroupedPkPerturbation(k=4, edges=edges))
    release.write(tmp_path / "out")
    for made in (release, tk.read_release(tmp_path / "out")):
        (fact,) = [fact for fact in made.disclosed if fact.name == "groups"]
        for words in said:
            assert words in str(fact.reason) and any(words in str(each) for each in made.guarantees[0].assumes)
        assert ("labels" in str(fact.reason)) == ("trade" in schema.names())


# Forgeries.


def groups_of(content: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = content["disclosed"]["mechanism"]["value"]["grouping"]["groups"]
    return found


def another_label(content: dict[str, Any]) -> None:
    for group in groups_of(content):  # every label but one is swapped for those of the complement
        labels = group["boxes"][1][0]
        others = [place for place in range(6) if place not in labels]
        labels[: len(others)] = others[: len(labels)]
        labels.sort()


def a_label_twice(content: dict[str, Any]) -> None:
    labels = next(group["boxes"][1][0] for group in groups_of(content) if len(group["boxes"][1][0]) > 1)
    labels[1] = labels[0]


def beyond_the_domain(content: dict[str, Any]) -> None:
    groups_of(content)[0]["boxes"][1][0][-1] = 6


def a_set_of_numbers(content: dict[str, Any]) -> None:
    for group in groups_of(content):
        low, high, missing = group["boxes"][0]
        group["boxes"][0] = [list(range(low, high + 1)), missing]


def one_set_more(content: dict[str, Any]) -> None:
    low, high, missing = groups_of(content)[0]["boxes"][0]
    groups_of(content)[0]["boxes"][0] = [list(range(low, high + 1)), missing]


def a_smaller_set(content: dict[str, Any]) -> None:
    next(group["boxes"][1][0] for group in groups_of(content) if len(group["boxes"][1][0]) > 1).pop()


def nothing_said_of_sets(content: dict[str, Any]) -> None:
    for said in content["disclosed"]["guarantees"]["value"][0]["assumes"]:
        if said["key"] == "assumption.grouped_by_rows":
            said["labels"] = []


def a_cell_that_may_be_missing(content: dict[str, Any]) -> None:
    groups_of(content)[0]["boxes"][1][1] = 1


def truth(content: dict[str, Any]) -> None:
    pass


FORGERIES: list[Callable[[dict[str, Any]], None]] = [
    another_label, a_label_twice, beyond_the_domain, a_set_of_numbers, one_set_more, a_smaller_set,
    nothing_said_of_sets, a_cell_that_may_be_missing,
]  # fmt: skip


@pytest.mark.parametrize("forgery", [truth, *FORGERIES])
@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_forged_sets_are_refused(forgery: Any, kind: Any, tmp_path: Path) -> None:
    release = tk.anonymize(census(), PEOPLE, tk.GroupedPkPerturbation(k=4), seed=3)
    release.write(tmp_path / "out", kind, allow_seeded=True)
    rewrite(tmp_path / "out", forgery)
    if forgery is truth:
        assert tk.read_release(tmp_path / "out").mechanism == release.mechanism
        return
    with pytest.raises(ReleaseError):
        tk.read_release(tmp_path / "out")


# What the analyst and the attacker do with them.


def test_tables_and_the_attack_take_sets() -> None:
    rng = np.random.default_rng(0)
    trades = rng.choice(["clerk", "farmer", "smith"], 6000, p=[0.7, 0.2, 0.1])  # places 0, 2 and 5
    frame = pd.DataFrame({"trade": trades, "sex": np.where(rng.random(6000) < 0.8, "f", "m")})
    method = tk.GroupedPkPerturbation(k=600, partition=AllBut(0))
    release = tk.anonymize(frame, tk.Schema([TRADE, SEX]), method, seed=1)
    assert release.mechanism.grouping.groups[0].boxes[0].labels == (0, 2, 5)
    table = tk.IterativeBayes(["trade", "sex"]).fit(release)
    assert table.pmf_.sum() == pytest.approx(1) and (table.pmf_[[1, 3, 4]] == 0).all()

    def counted(rows: pd.DataFrame) -> Any:
        return pd.crosstab(rows["trade"], rows["sex"]).to_numpy() / len(rows)

    off = [0.5 * np.abs(e - counted(frame)).sum() for e in (table.pmf_[[0, 2, 5]], counted(release.frame))]
    assert off[0] < 0.4 * off[1]
    found = tk.attack(census(200), tk.GroupedPkPerturbation(k=5), PEOPLE, random_state=1)
    assert found.largest_belief <= 1 / 5 * (1 + 0.02)
