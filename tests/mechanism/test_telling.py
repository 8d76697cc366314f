"""Rows that tell one thing each: draws follow the stated probabilities, and what is told is told apart from what is blank."""

from __future__ import annotations

import copy
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import stats

import tokumei as tk
from tokumei.anonymizers.tells import Subsets, grid_of, solve_telling
from tokumei.errors import InvalidParameter, ReleaseError
from tokumei.mechanism._telling_kernels import tell
from tokumei.mechanism.record import Mechanism
from tokumei.mechanism.telling import Cluster, Telling
from tokumei.mechanism.told_column import ToldColumn
from tokumei.randomness import Key

SEX = tk.Attribute("sex", domain=tk.Categories(["f", "m"]))
TOWN = tk.Attribute("town", domain=tk.Categories(["n", "s", "w"]), missing=True)
AGE = tk.Attribute("age", domain=tk.Numbers(0, 9, step=1))
SCHEMA = tk.Schema([SEX, TOWN, AGE])
PARTS = (Subsets(2, cells=3, weight=2), Subsets(1))
ONE_ROW = {"sex": 1, "town": 3, "age": 7}  # its town is missing


def telling(swap: Fraction = Fraction(1, 40)) -> Telling:
    return solve_telling(PARTS, list(SCHEMA), swap, SCHEMA)


def drawn(made: Telling, rows: int, seed: int = 3) -> dict[str, Any]:
    return made.sample({name: np.full(rows, code, np.uint8) for name, code in ONE_ROW.items()}, Key.seeded(seed))


def p_value(made: Telling, released: dict[str, Any], weights: list[int] | None = None) -> float:
    """Compare counts of every output of one true row with its probabilities, worked out here."""
    which, joint = made.told(released)
    # the cells that the row has: sex on its own values, town in its missing cell, age in thirds where it is coarse
    cells = {("sex", None): (1, 2), ("town", None): (3, 4), ("age", (0, 4, 7)): (2, 3), ("age", None): (7, 10)}
    seen, expected = [], []
    shares = weights or [cluster.weight for cluster in made.clusters]
    for place, cluster in enumerate(made.clusters):
        true, size = 0, 1
        for name, grid in zip(cluster.columns, cluster.grids, strict=True):
            cell, count = cells[name, made.columns[name].grids[grid]]
            true, size = true * count + cell, size * count
        chances = np.full(size, cluster.channel.other / (cluster.channel.keep + size * cluster.channel.other))
        chances[true] += cluster.channel.keep / (cluster.channel.keep + size * cluster.channel.other)
        seen.append(np.bincount(joint[which == place], minlength=size))
        expected.append(chances * shares[place] / sum(shares) * len(which))
    return float(stats.chisquare(np.concatenate(seen), np.concatenate(expected)).pvalue)


def test_draws_follow_the_probabilities_and_others_are_noticed() -> None:
    made = telling()
    released = drawn(made, 60_000)
    assert p_value(made, released) > 1e-5
    weights = [cluster.weight for cluster in made.clusters]
    assert p_value(made, released, [round(1000 * weights[0] * 1.3), *(1000 * w for w in weights[1:])]) < 1e-9
    noisier = telling(Fraction(float(Fraction(1, 40)) ** 0.7))
    assert p_value(made, drawn(noisier, 60_000)) < 1e-9


def test_what_is_told_is_independent_of_the_row_and_of_what_is_drawn() -> None:
    made = telling()
    rng = np.random.default_rng(1)
    codes = {"sex": rng.integers(0, 2, 40_000), "town": rng.integers(0, 4, 40_000), "age": rng.integers(0, 10, 40_000)}
    released = made.sample({name: each.astype(np.uint8) for name, each in codes.items()}, Key.seeded(4))
    which = released[made.label].astype(int)
    for name, each in codes.items():
        table = np.zeros((each.max() + 1, len(made.clusters)))
        np.add.at(table, (each, which), 1)
        assert stats.chi2_contingency(table).pvalue > 1e-5, name
    neighbours = np.zeros((len(made.clusters), len(made.clusters)))
    np.add.at(neighbours, (which[:-1], which[1:]), 1)
    assert stats.chi2_contingency(neighbours).pvalue > 1e-5
    told = released["sex"] != 2
    kept = (released["sex"] == codes["sex"])[told]
    again = made.sample({name: each.astype(np.uint8) for name, each in codes.items()}, Key.seeded(5))
    both = told & (again["sex"] != 2)
    alike = np.zeros((2, 2))
    np.add.at(
        alike,
        ((released["sex"] == codes["sex"])[both].astype(int), (again["sex"] == codes["sex"])[both].astype(int)),
        1,
    )
    assert stats.chi2_contingency(alike).pvalue > 1e-5
    assert 0.5 < kept.mean() < 1


def test_chunks_change_nothing() -> None:
    made = telling()
    codes = {
        name: np.tile(np.arange(column.original.states, dtype=np.uint8), 200)[:600]
        for name, column in made.columns.items()
    }
    whole = made.sample(codes, Key.seeded(1))
    for cut in (1, 250, 599):
        first = made.sample({n: c[:cut] for n, c in codes.items()}, Key.seeded(1))
        rest = made.sample({n: c[cut:] for n, c in codes.items()}, Key.seeded(1), start=cut)
        for name, each in whole.items():
            assert np.array_equal(each, np.concatenate([first[name], rest[name]]))


def test_many_rejected_words_are_drawn_again() -> None:
    """Weights of 2^31 + 1 leave nearly half of the words over."""
    made = telling()
    odd = tuple(
        Cluster(c.columns, c.grids, 2**31 // len(made.clusters) + (place == 0), c.channel)
        for place, c in enumerate(made.clusters)
    )
    uneven = Telling(made.label, made.columns, odd)
    counts = np.bincount(drawn(uneven, 30_000)[made.label], minlength=len(odd))
    assert stats.chisquare(counts).pvalue > 1e-5


@pytest.mark.parametrize("swap", [Fraction(1, 3), Fraction(1, 10**4), Fraction(1, 10**9), Fraction(1)])
@pytest.mark.parametrize("sizes", [(2, 2), (2, 3), (12, 12), (1, 5), (64, 1024), (1999, 2000)])
def test_the_words_at_the_edges_of_every_value(sizes: tuple[int, int], swap: Fraction) -> None:
    """A quotient that is guessed by a reciprocal is put right: checked against whole numbers, the last word included."""
    columns = [tk.Attribute(n, domain=tk.Categories(range(size))) for n, size in zip("ab", sizes, strict=True)]
    made = solve_telling([Subsets(2)], columns, swap, tk.Schema(columns))
    channel = made.clusters[0].channel
    values = {*range(min(channel.size, 300)), *range(max(0, channel.size - 300), channel.size + 1)}
    words = sorted(
        {
            word
            for v in values
            for d in (-1, 0, 1)
            if 0 <= (word := v * channel.other + d) < channel.size * channel.other
        }
    )
    assert words[-1] == channel.size * channel.other - 1
    out = np.full((2, len(words)), 9999, dtype=np.uint32)
    true = np.zeros_like(out)
    rejected = tell(
        np.array(words, dtype=np.uint64),
        np.arange(len(words)),
        np.zeros(len(words), np.uint8),
        *made._layout,
        true,
        out,
    )
    assert rejected == 0
    assert (out[0].astype(int) * sizes[1] + out[1]).tolist() == [word // channel.other for word in words]


def test_likelihoods_are_the_probabilities_of_pairs() -> None:
    made = telling()
    rng = np.random.default_rng(0)
    true = {n: rng.integers(0, c.original.states, 50).astype(np.uint8) for n, c in made.columns.items()}
    released = made.sample(true, Key.seeded(2))
    found = made.likelihoods(released, true)
    which, joint = made.told(released)
    for row in range(50):
        cluster = made.clusters[which[row]]
        channel = cluster.channel
        for person in range(50):
            alone = {n: each[[person]] for n, each in true.items()}
            same = bool(made.of_cluster(which[row], alone)[0] == joint[row])
            chance = (channel.keep * same + channel.other) / channel.total * cluster.weight / made.total
            assert found[row, person] == pytest.approx(chance, rel=1e-12)


def test_descriptions_make_it_again() -> None:
    made = telling()
    again = Telling.from_description(made.describe())
    assert again.describe() == made.describe()
    whole = Mechanism({}, telling=made)
    assert Mechanism.from_description(whole.describe()).telling is not None
    assert whole.swap == made.ratio**2
    assert set(whole.columns) == {"sex", "town", "age", "tells"}
    for name in whole.columns:
        assert str(whole.treatment(name))
    assert str(whole.treatment("age")) != str(whole.treatment("sex"))


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d["clusters"][0].update(weight=0),
        lambda d: d["clusters"][0].update(weight=2**40),
        lambda d: d["clusters"][0].update(weight=1.0),
        lambda d: d["clusters"][0].update(grids=[9, 9]),
        lambda d: d["clusters"][0].update(columns=["sex", "sex"]),
        lambda d: d["clusters"][0]["channel"].update(size=3),
        lambda d: d["clusters"][0]["channel"].update(bits=32),
        lambda d: d["columns"]["age"].update(grids=[[0, 4, 4], None]),
        lambda d: d["columns"]["age"].update(grids=[[1, 4], None]),
        lambda d: d["columns"]["age"].update(grids=[[0, 40], None]),
        lambda d: d["columns"]["age"].update(grids=[None, None]),
        lambda d: d["columns"]["age"].update(grids=[]),
        lambda d: d["columns"]["age"].update(grids=[["0"], None]),
        lambda d: d["columns"].pop("sex"),
        lambda d: d.update(clusters=[]),
    ],
)
def test_impossible_descriptions_are_refused(change: Any) -> None:
    described = copy.deepcopy(telling().describe())
    change(described)
    with pytest.raises((InvalidParameter, ReleaseError, KeyError)):
        Telling.from_description(described)


# Grids.


def test_grids() -> None:
    assert grid_of(SEX, None) is None
    assert grid_of(AGE, None) is None  # ten points are few enough
    assert grid_of(AGE, 3) == (0, 4, 7)
    wide = tk.Attribute("w", domain=tk.Numbers(0, 1))
    assert len(grid_of(wide, None) or ()) == 12
    assert grid_of(TOWN, 2) is None  # nobody says which towns belong together
    tree = tk.Hierarchy.groups({"coast": ["n", "s"], "inland": ["w"]})
    assert grid_of(tk.Attribute("t", domain=tk.Categories(["n", "s", "w"]), hierarchy=tree), 2) == (0, 2)
    levels = tk.Attribute(
        "l", domain=tk.Numbers(0, 11, step=1), hierarchy=tk.Hierarchy.order(tk.Numbers(0, 11, step=1), (3, 2))
    )
    assert [len(grid_of(levels, cells) or ()) for cells in (2, 3, 4, 5)] == [2, 2, 4, 4]
    with pytest.raises(InvalidParameter, match="no declared domain"):
        grid_of(tk.Attribute("i", "insensitive"), 2)
    with pytest.raises(InvalidParameter, match="level of its hierarchy"):
        ToldColumn(levels, ((0, 5),))


# A told missing cell is not a blank one.

PEOPLE = pd.DataFrame(
    {"sex": ["f", "m"] * 150, "town": ["n", None, "s", "w", None, "n"] * 50, "age": list(range(10)) * 30}
)


@pytest.mark.parametrize(
    "kind", [pd.DataFrame, pl.from_pandas, pa.Table.from_pandas], ids=["pandas", "polars", "arrow"]
)
@pytest.mark.parametrize("format", ["parquet", "csv"])
def test_frames_and_files_keep_the_two_apart(kind: Any, format: Any, tmp_path: Any) -> None:
    release = tk.anonymize(kind(PEOPLE), SCHEMA, tk.PkPerturbation(k=3, tells=PARTS), seed=1)
    read = tk.read_release(release.write(tmp_path / "r", format, allow_seeded=True))
    made = read.mechanism.telling
    assert made is not None
    assert type(release.frame) is type(kind(PEOPLE))
    for each in (release, read):
        codes = {name: each.coded.codes(name) for name in (*made.columns, made.label)}
        which, joint = made.told(codes)
        assert made.possible(codes)
        assert (joint >= 0).all()
        in_town = np.isin(which, made.clusters_of("town"))
        missing = codes["town"] == each.schema["town"].states - 1
        assert (missing & in_town).sum() > 20  # told to be missing
        assert missing[~in_town].all()
    assert read.table.equals(release.table.select(read.table.column_names))


def test_rows_that_tell_something_else_than_they_say_are_refused(tmp_path: Any) -> None:
    release = tk.anonymize(PEOPLE, SCHEMA, tk.PkPerturbation(k=3, tells=[tk.tells.Subsets(1, cells=10)]), seed=1)
    made = release.mechanism.telling
    assert made is not None
    codes = {name: release.coded.codes(name).copy() for name in (*made.columns, made.label)}
    assert made.possible(codes)
    for change in (
        lambda c: c["sex"].__setitem__(c["sex"] == 2, 0),  # told by everybody
        lambda c: c["age"].__setitem__(c["age"] < 10, 10),  # told by nobody
        lambda c: c["tells"].__setitem__(slice(None), 0),
    ):
        other = copy.deepcopy(codes)
        change(other)
        assert not made.possible(other)
