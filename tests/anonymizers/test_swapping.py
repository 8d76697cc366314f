"""Swapping: the exact adversary, exact draws, what is released, and what is refused."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats

import tokumei as tk
from tests.release.forging import rewrite
from tokumei.engines.local import make_release
from tokumei.errors import InfeasiblePromise, InvalidParameter, ReleaseError
from tokumei.mechanism.swapping import SwappedColumns
from tokumei.partition.partition import Partition, Problem
from tokumei.randomness import Key
from tokumei.randomness.within import permutation_within
from tokumei.table.frames import Origin
from tokumei.testing import check_method
from tokumei.values import value

Orders = list[tuple[int, ...]]


def beliefs(columns: list[list[Any]], hidden: list[Any], orders: Orders) -> Fraction:
    """Return the strongest belief in a link of the attacker who knows every swapped column of a group, and nothing about who has which hidden value.

    Every way in which people may have the hidden values is as likely as any other, and so is every order of each column. A released row is named by its
    hidden value, and of equal ones by its place among them. For each release that is possible: how likely is each person the owner of each row?
    """
    people = range(len(hidden))
    owns: dict[Any, Counter[tuple[int, int]]] = defaultdict(Counter)
    seen: Counter[Any] = Counter()
    for owner in itertools.permutations(people):  # row r has the hidden value of person owner[r]
        for drawn in itertools.product(orders, repeat=len(columns)):
            rows = [
                (hidden[row], *(column[order[owner[row]]] for column, order in zip(columns, drawn, strict=True)))
                for row in people
            ]
            release = tuple(rows)
            seen[release] += 1
            owns[release].update((row, owner[row]) for row in people)
    return max(Fraction(count, seen[release]) for release, counts in owns.items() for count in counts.values())


@pytest.mark.parametrize("rows", [2, 3, 4])
def test_the_exact_adversary_never_links_better_than_one_in_the_group(rows: int) -> None:
    """Whatever the values are, also where some are equal or unique: exactly 1/m."""
    every = list(itertools.permutations(range(rows)))
    values = (
        list(itertools.combinations_with_replacement("abcd"[:rows], rows))
        if rows < 4
        else [tuple("abcd"), tuple("aabc"), tuple("aaaa")]
    )
    for first in values:
        second = ["x" if place % 2 else "y" for place in range(rows)]
        columns = [list(first), second] if rows < 4 else [list(first)]
        assert beliefs(columns, list(range(rows)), every) == Fraction(1, rows)


def test_planted_mistakes_are_caught() -> None:
    """An order in which nobody keeps their own value links better, and so does one that is not uniform."""
    every = list(itertools.permutations(range(3)))
    moved = [order for order in every if all(order[row] != row for row in range(3))]
    assert beliefs([list("abc")], [0, 1, 2], moved) == Fraction(1, 2)
    assert beliefs([list("abc")], [0, 1, 2], [*every, (0, 1, 2)]) == Fraction(3, 7)  # one order twice as often
    assert beliefs([list("abc")], [0, 1, 2], [(0, 1, 2)]) == 1


def test_columns_that_are_known_recognize_rows() -> None:
    """Who knows the kept columns too links a row with one over the rows of the group that agree in them: this is not promised."""
    kept = ["ill", "ill", "well"]
    every = list(itertools.permutations(range(3)))
    owners: Counter[tuple[int, int]] = Counter()
    total = 0
    for owner in itertools.permutations(range(3)):
        if all(kept[owner[row]] == kept[row] for row in range(3)):  # the attacker knows who is ill
            total += len(every)
            owners.update({(row, owner[row]): len(every) for row in range(3)})
    assert owners[2, 2] == total  # the well person
    assert owners[0, 0] * 2 == total


def even(counts: np.ndarray) -> float:
    return float(stats.chisquare(counts).pvalue)


def orders_of(taken: np.ndarray, groups: int, size: int) -> np.ndarray:
    """Count the orders of groups that lie one behind the other."""
    places = taken.reshape(groups, size) - np.arange(groups)[:, None] * size
    kinds = {order: at for at, order in enumerate(itertools.permutations(range(size)))}
    return np.bincount([kinds[tuple(each)] for each in places.tolist()], minlength=len(kinds))


@pytest.mark.parametrize("size", [2, 3, 4])
def test_every_order_of_a_group_is_as_likely(size: int) -> None:
    groups = 24_000
    labels = np.repeat(np.arange(groups), size)
    counts = orders_of(permutation_within(Key.seeded(5).stream("column", "age"), labels), groups, size)
    assert even(counts) > 1e-4
    wrong = counts.copy()
    wrong[0] = int(wrong[0] * 1.3)  # the test would see an order that comes 30 % too often
    assert even(wrong) < 1e-6


def test_columns_and_groups_are_drawn_independently() -> None:
    groups = 20_000
    labels = np.repeat(np.arange(groups), 2)
    key = Key.seeded(6)
    one, two = (
        permutation_within(key.stream("column", name), labels).reshape(groups, 2)[:, 0] % 2 for name in ("age", "sex")
    )
    assert even(np.bincount(2 * one + two, minlength=4)) > 1e-4
    assert even(np.bincount(2 * one[:-1] + one[1:], minlength=4)) > 1e-4
    assert even(np.bincount(2 * one + one, minlength=4)) < 1e-9  # the same draw for both would be seen


def test_rows_of_unequal_groups_in_any_order_stay_in_their_group() -> None:
    rng = np.random.default_rng(1)
    labels = rng.permutation(np.repeat(np.arange(200), rng.integers(1, 9, 200)))
    taken = permutation_within(Key.seeded(1).stream("x"), labels)
    assert (labels[taken] == labels).all()
    assert sorted(taken.tolist()) == list(range(len(labels)))
    again = permutation_within(Key.seeded(1).stream("x"), labels)
    assert (again == taken).all()


SCHEMA = tk.Schema(
    [
        tk.Attribute("name", "identifier"),
        tk.Attribute("age", "quasi_identifier", tk.Numbers(0, 99, step=1), missing=True),
        tk.Attribute("town", "quasi_identifier", tk.Categories(["a", "b", "c"])),
        tk.Attribute("pay", "sensitive", tk.Numbers(0, 9, step=1)),
        tk.Attribute("row", "insensitive"),
    ]
)


def people(rows: int = 240, seed: int = 0) -> pa.Table:
    rng = np.random.default_rng(seed)
    ages = [None if age % 11 == 0 else int(age) for age in rng.integers(0, 100, rows)]
    return pa.table(
        {
            "name": [f"n{row}" for row in range(rows)],
            "age": pa.array(ages, pa.int64()),
            "town": rng.choice(["a", "b", "c"], rows).tolist(),
            "pay": rng.integers(0, 10, rows),
            "row": np.arange(rows),
        }
    )


@value
class AllBut(Partition):
    """One group of all rows but a few, or groups that are too small."""

    few: int
    size: int = 1000

    def group(self, problem: Problem) -> Any:
        labels = np.arange(len(problem.rows), dtype=np.int32) // self.size
        labels[: self.few] = -1
        return labels


GROUPINGS = [
    tk.partitions.LocalSearch(),
    tk.partitions.MDAV(),
    tk.partitions.Mondrian(),
    tk.partitions.TopDown(),
    tk.partitions.Automatic(),
]


@pytest.mark.parametrize("partition", GROUPINGS, ids=repr)
def test_values_are_exchanged_within_groups_of_k_and_nothing_else_happens(
    partition: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: dict[str, Any] = {}
    drawn = SwappedColumns.taken

    def recorded(self: SwappedColumns, groups: Any, stream: Any) -> Any:
        seen["groups"] = groups
        seen[stream.label[-1]] = drawn(self, groups, stream)
        return seen[stream.label[-1]]

    monkeypatch.setattr(SwappedColumns, "taken", recorded)
    table = people()
    made = make_release(table, Origin("pyarrow"), SCHEMA, tk.Swapping(4, partition), (), Key.seeded(3))
    release, groups = made.release.table, seen["groups"]
    assert np.bincount(groups).min() >= 4
    assert not np.array_equal(seen["age"], seen["town"])
    before = {row["row"]: row for row in table.to_pylist()}
    # Rows were grouped in a secret order; a kept column that names rows says which original row each released one was.
    after = release.to_pylist()
    assert [row["row"] for row in after] == made.order.tolist()
    assert all(before[row["row"]]["pay"] == row["pay"] for row in after)
    for name in ("age", "town"):
        assert Counter(row[name] for row in after) == Counter(table[name].to_pylist())
        assert (groups[seen[name]] == groups).all()
    assert any(before[row["row"]]["age"] != row["age"] for row in after)
    assert release.schema.field("age").type == pa.int64()


def test_what_is_promised_to_whom() -> None:
    def stated(schema: tk.Schema, columns: Any = None) -> Any:
        rows = people().select([a.name for a in schema])
        return tk.anonymize(rows, schema, tk.Swapping(4, columns=columns), seed=1).guarantees[0]

    kept = stated(SCHEMA)
    assert kept.value == 4
    assert kept.headline.startswith(
        "No attacker who learns nothing from 'pay', 'row' links a released row to a person with probability over 1/4"
    )
    bare = SCHEMA.without("row", "name")
    swapped = stated(bare, ["age", "town", "pay"])
    assert swapped.headline.startswith("No attacker who learns nothing from 'pay' links a released row")
    assert "swapped too" in str(swapped)
    known = stated(bare.without("pay"))
    assert known.headline.startswith(
        "No attacker who knows everything about the original table and everyone's group, except the values of one column, links"
    )
    assert "how it was chosen" in str(known)


def test_a_release_is_read_and_forged_ones_are_refused(tmp_path: Path) -> None:
    release = tk.anonymize(people(), SCHEMA, tk.Swapping(4), seed=1)
    folder = release.write(tmp_path / "r", allow_seeded=True)
    assert tk.read_release(folder).guarantees == release.guarantees
    assert tk.read_release(folder).mechanism == release.mechanism
    text = (folder / "manifest.json").read_text()

    def swapping(content: Any) -> Any:
        return content["disclosed"]["mechanism"]["value"]["swapping"]

    def guarantee(content: Any) -> Any:
        return content["disclosed"]["guarantees"]["value"][0]

    def more(content: Any) -> None:
        swapping(content)["groups_of_at_least"] = guarantee(content)["value"] = 9

    for change in (
        lambda m: guarantee(m).update(value=9.0),
        lambda m: swapping(m).update(groups_of_at_least=9),
        lambda m: swapping(m).update(groups_of_at_least=3) or guarantee(m).update(value=3.0),
        more,  # the assumptions say otherwise
        lambda m: swapping(m).update(columns=["age"]),
        lambda m: swapping(m).update(columns=["age", "town", "pay"]),
        lambda m: guarantee(m)["attacker"].update(columns=["pay"]),
        lambda m: guarantee(m).update(promise={"key": "promise.cell_linking"}),
        lambda m: guarantee(m).update(notion="k-anonymity", proof="k"),
        lambda m: m["disclosed"]["mechanism"]["value"].pop("swapping"),
        lambda m: m["disclosed"]["guarantees"].update(value=[]),
    ):
        rewrite(folder, change)
        with pytest.raises(ReleaseError):
            tk.read_release(folder)
        (folder / "manifest.json").write_text(text)


def test_the_recipient_has_exact_columns_and_is_told_what_is_lost() -> None:
    table = tk.example_census(rows=600, frame="pyarrow")
    schema = tk.example_schema()
    release = tk.anonymize(table, schema, tk.Swapping(5), seed=1)
    alone = tk.IterativeBayes(["sex"]).fit(release)
    counts = Counter(table["sex"].to_pylist())
    assert dict(zip(alone.labels_[0], alone.counts_.tolist(), strict=True)) == pytest.approx(counts)
    with pytest.raises(InvalidParameter, match="how it goes together with other columns is lost"):
        tk.IterativeBayes(["sex", "income"]).fit(release)
    with pytest.raises(InvalidParameter, match="how it goes together with other columns is lost"):
        tk.DensityRatio().fit(release)
    whole = tk.reconstruct(release)
    assert whole.table(["sex", "income"]).pmf_.shape == (2, 4)
    for judge in (lambda: tk.attack(table, release, schema), lambda: tk.assess(release)):
        with pytest.raises(InvalidParameter, match="swapped rows"):
            judge()


def test_bad_input_is_refused_in_one_sentence() -> None:
    def make(method: Any, schema: tk.Schema = SCHEMA, rows: int = 240) -> None:
        tk.anonymize(people(rows).select([a.name for a in schema]), schema, method, seed=1)

    for method, message in (
        (tk.Swapping(4, columns=["age"]), "an attacker may know 'town', so every quasi-identifier must be swapped"),
        (tk.Swapping(4, columns=["age", "twon"]), "columns names 'twon'.* Did you mean 'town'"),
        (tk.Swapping(4, AllBut(3)), "AllBut puts 3 rows into no group, and rows that swap with nobody"),
        (tk.Swapping(4, AllBut(0, 3)), "AllBut makes groups of fewer than 4 rows"),
    ):
        with pytest.raises(InvalidParameter, match=message):
            make(method)
    with pytest.raises(InfeasiblePromise, match="k = 9 is not possible with 5 rows"):
        make(tk.Swapping(9), rows=5)
    with pytest.raises(InvalidParameter, match="k must be a whole number of at least 2"):
        tk.Swapping(1)
    several = tk.Schema([*(a for a in SCHEMA if a.name != "name"), tk.Attribute("name", "person")])
    with pytest.raises(InvalidParameter, match="Swapping is for tables with one row per person"):
        make(tk.Swapping(4), several)


def test_the_suite_for_methods() -> None:
    check_method(tk.Swapping(5, tk.partitions.Mondrian()))
