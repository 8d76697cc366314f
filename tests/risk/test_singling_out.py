"""What singles people out, against counting every set of columns row by row."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from tokumei.risk.singling_out import combinations
from tokumei.risk.singling_out.combinations import SinglingOut, searched
from tokumei.risk.singling_out.combinations import singling_out as look
from tokumei.risk.singling_out.search import HELD, NONE_KNOWN, Search, set_bits
from tokumei.table.classes import class_of


def singling_out(columns: list[str], codes: list[np.ndarray], largest: int) -> tuple[SinglingOut, np.ndarray]:
    return look(columns, codes, class_of(codes, len(codes[0])), largest)


def plain_count(table: np.ndarray, counts: np.ndarray) -> tuple[int, int, list[int]]:
    """Count the classes, the pairs of rows in them, and the distinct rows of one row that are a class of their own."""
    totals: dict[tuple[int, ...], int] = {}
    for row, many in zip(table.tolist(), counts.tolist(), strict=True):
        totals[tuple(row)] = totals.get(tuple(row), 0) + many
    alone = [at for at, row in enumerate(table.tolist()) if totals[tuple(row)] == 1]
    return len(totals), sum(each * (each - 1) // 2 for each in totals.values()), alone


def distinct_rows(seed: int, sizes: list[int], rows: int) -> tuple[np.ndarray, np.ndarray, Search]:
    """Return distinct rows, how many rows each stands for, and the search among them."""
    rng = np.random.default_rng(seed)
    table = np.unique(np.stack([(size * rng.random(rows) ** 2).astype(np.int64) for size in sizes], axis=1), axis=0)
    counts = rng.integers(1, 3, len(table))
    labels = np.repeat(np.arange(len(table)), counts)
    return table, counts, Search.of([column[labels] for column in table.T], labels, counts)


SEVERAL_SIZES = [
    ([3, 4, 5], 40),  # every key at a place of its own
    ([2, 3, 4, 5, 90], 5000),  # from a table of fewer distinct rows
    ([900, 800, 700], 9000),  # keys looked up, in several buckets
    ([2**22, 2**21, 2**20, 3], 3000),  # too many keys for a word
]


@pytest.mark.parametrize(("sizes", "rows"), SEVERAL_SIZES)
def test_every_set_against_a_plain_count(sizes: list[int], rows: int) -> None:
    table, counts, search = distinct_rows(0, sizes, rows)
    lonely = np.flatnonzero(counts == 1)
    columns = range(len(sizes))
    for some in (some for size in range(1, len(sizes) + 1) for some in itertools.combinations(columns, size)):
        classes, pairs, alone = plain_count(table[:, list(some)], counts)
        for share in (0.0, 0.5, 1.0):  # of the unique rows is known
            told = alone[: round(share * len(alone))]
            known = np.packbits(np.isin(lonely, told))
            found = search.count_all([(some, known)] * 3)[2]
            assert (found.classes, found.pairs) == (classes, pairs)
            assert sorted(lonely[found.new].tolist()) == alone[len(told) :]
            assert lonely[np.unpackbits(found.flags, count=len(lonely)) == 1].tolist() == alone
            assert set_bits(found.flags) == len(alone)
        (found,) = search.count_all([(some, NONE_KNOWN)])
        assert (found.classes, found.pairs, len(found.new)) == (classes, pairs, len(alone))
    without = [plain_count(np.delete(table, at, axis=1), counts)[2] for at in columns]
    assert search.alone_without(columns) == [len(alone) for alone in without]


def test_the_ways_of_counting_are_the_ones_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of the tables above is counted in the way that its comment says."""
    ways: list[str] = []
    for name in ("_at_places", "_with_fewer_rows", "_before"):
        way = getattr(Search, name)
        monkeypatch.setattr(
            Search,
            name,
            lambda *given, name=name, way=way: [found := way(*given), found is not None and ways.append(name)][0],
        )
    used = []
    for sizes, rows in SEVERAL_SIZES:
        search = distinct_rows(0, sizes, rows)[2]
        ways.clear()
        search.count_all([(tuple(range(len(sizes) - (sizes[-1] == 90))), NONE_KNOWN)])
        used.append(set(ways))
    assert used == [{"_at_places"}, {"_with_fewer_rows", "_at_places"}, set(), {"_before"}]


def test_tables_with_fewer_rows_are_let_go() -> None:
    search = distinct_rows(0, [60] * 12, 20_000)[2]
    sets = list(itertools.combinations(range(12), 2))
    search.count_all([(some, NONE_KNOWN) for some in sets])
    assert len(search._smaller) == HELD < len(sets)


def test_five_rows_by_hand() -> None:
    """Row 4 is alone by b; rows 0 and 1 only by a and b together."""
    a, b = np.array([0, 0, 1, 1, 1]), np.array([0, 1, 0, 1, 2])
    found, score = singling_out(["a", "b"], [a, b], 2)
    by = {each.columns: each for each in found.combinations}
    assert (by["a",].rows, by["b",].rows, by["a", "b"].rows) == (0, 1, 4)
    assert (by["a",].unique, by["b",].unique, by["a", "b"].unique) == (0, 1, 5)
    assert by["a",].distinction == pytest.approx(2 / 5)
    assert by["a",].separation == pytest.approx(6 / 10)
    assert by["b",].separation == pytest.approx(8 / 10)
    assert by["a", "b"].separation == 1
    assert found.singled_out == {1: 1, 2: 4}
    assert score.tolist() == [1, 1, 1, 1, 1]
    first, second = found.attributes
    assert (first.name, first.minimal, first.contribution, first.spared) == ("b", 5, 1, 5)
    assert (second.name, second.minimal, second.contribution, second.spared) == ("a", 4, pytest.approx(4 / 5), 4)
    assert (first.share, second.share) == (pytest.approx(3 / 5), pytest.approx(2 / 5))  # four are halved


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("largest", [2, 4])
def test_scores_and_contributions_against_all_sets(seed: int, largest: int) -> None:
    rng = np.random.default_rng(seed)
    names, rows = list("abcd"), 30
    codes = [rng.integers(0, 4, rows) for _ in names]
    table = np.stack(codes, axis=1)

    def alone(row: int, some: tuple[int, ...]) -> bool:
        return int((table[:, list(some)] == table[row, list(some)]).all(axis=1).sum()) == 1

    scores, part, share = np.zeros(rows), dict.fromkeys(names, 0.0), dict.fromkeys(names, 0.0)
    for row in range(rows):
        for size in range(1, largest + 1):
            for some in itertools.combinations(range(4), size):
                smaller = [left for n in range(1, size) for left in itertools.combinations(some, n)]
                if alone(row, some) and not any(alone(row, left) for left in smaller):
                    weight = math.prod(4 - at for at in range(size, largest))
                    scores[row] += weight
                    for at in some:
                        part[names[at]] += weight
                        share[names[at]] += weight / size
    found, score = singling_out(names, codes, largest)
    assert score.tolist() == scores.tolist()
    for each in found.attributes:
        assert each.contribution == pytest.approx(part[each.name] / scores.sum())
        assert each.share == pytest.approx(share[each.name] / scores.sum())
    assert sum(each.share for each in found.attributes) == pytest.approx(1)
    assert len(found.combinations) == sum(math.comb(4, size) for size in range(1, largest + 1))


def test_many_columns_and_equal_rows() -> None:
    rng = np.random.default_rng(0)
    codes = [rng.integers(0, 1000, 200) for _ in range(25)]
    names = [f"c{at}" for at in range(25)]
    found, _ = singling_out(names, [np.concatenate([each, each]) for each in codes], 2)
    assert not found.minimal
    assert all(each.contribution == each.share == 0 for each in found.attributes)
    found, _ = singling_out(names, codes, 2)
    assert len(found.combinations) == 25 + 300
    assert all(each.spared == 0 for each in found.attributes)
    assert singling_out(["a"], [np.array([5])], 3)[0].attributes[0].spared == 0


@pytest.mark.parametrize("seed", range(3))
def test_what_is_searched_for_is_what_looking_at_every_set_finds(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(seed)
    names, hidden = [f"c{at}" for at in range(10)], rng.integers(0, 4, 400)
    codes = [np.where(rng.random(400) < 0.5, hidden, rng.integers(0, 2 + at % 3, 400)) for at in range(10)]
    every, _ = singling_out(names, codes, 5)
    assert every.complete == every.largest == 5 and not searched(every.complete, every.singled_out)
    _, by_two = singling_out(names, codes, 2)
    monkeypatch.setattr(combinations, "MOST_SETS", 55)  # every set of up to two columns
    monkeypatch.setattr(combinations, "EXTENDED", 8)
    some, score = singling_out(names, codes, 5)
    assert (some.complete, some.largest) == (2, 5) and len(some.combinations) < len(every.combinations) / 2
    assert set(some.combinations) < set(every.combinations)  # with the same counts, minimal uniques too
    assert some.combinations[0].rows >= 0.9 * every.combinations[0].rows
    assert score.tolist() == by_two.tolist()
    assert all(some.singled_out[size] == every.singled_out[size] for size in (1, 2))
    assert sum(some.singled_out.values()) <= sum(every.singled_out.values())
    assert searched(some.complete, some.singled_out)[0].startswith("Sets of more than 2 columns")


def test_the_search_ends_where_every_row_is_unique(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(combinations, "MOST_SETS", 1)
    codes = [np.arange(20), *(np.zeros(20, dtype=np.int64) for _ in range(30))]
    found, _ = singling_out([f"c{at}" for at in range(31)], codes, 31)
    assert found.singled_out == {1: 20} and found.complete == 1
