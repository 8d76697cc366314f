"""The streaming engine gives what the local one gives: the same promise, and with the same seed the same rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

import tokumei as tk
from tests.engines.stream.rows import SCHEMA, TOWNS, as_multiset, in_parts, people, plan_for
from tests.release.forging import rewrite
from tokumei.anonymizers.sample import Bernoulli, Stratified
from tokumei.engines import held
from tokumei.engines.held import HeldRows
from tokumei.engines.stream import engine, grouping, shuffle
from tokumei.errors import DataError, InvalidParameter, NothingPromisedWarning
from tokumei.prepare.rows import prepared_rows
from tokumei.privacy.exact import worst_posterior
from tokumei.randomness import Key
from tokumei.release import manifest

pytestmark = pytest.mark.filterwarnings("ignore::tokumei.errors.NothingPromisedWarning")

MIXED = (tk.tells.Subsets(2, cells=3), tk.tells.Subsets(("town",)), tk.tells.Subsets(("age",), cells=7, weight=2))

FLIP = [[0.8, 0.2], [0.2, 0.8]]
MIX = (np.full((5, 5), 0.1) + 0.5 * np.eye(5)).tolist()

METHODS = {
    "pk": tk.PkPerturbation(k=5, tells="all"),
    "pk, all perturbed": tk.PkPerturbation(k=5, kept="perturb", tells="all"),
    "pk, a number of rows": tk.PkPerturbation(k=5, sample=700, tells="all"),
    "pk, a share": tk.PkPerturbation(k=5, sample=0.3, membership="known", tells="all"),
    "pk, strata": tk.PkPerturbation(k=3, sample=Stratified("ill", 150), tells="all"),
    "pk, hidden strata": tk.PkPerturbation(k=3, sample=Stratified("ill", 0.4, labels="hidden"), tells="all"),
    "pk, coins": tk.PkPerturbation(k=5, sample=Bernoulli(0.2, delta=1e-6), tells="all"),
    "pk, coins again": tk.PkPerturbation(k=5, sample=Bernoulli(0.2, redraw_above=700), tells="all"),
    "tells one": tk.PkPerturbation(k=5, tells=1),
    "tells two, all perturbed": tk.PkPerturbation(k=5, tells=2, kept="perturb"),
    "tells a mixture, a share": tk.PkPerturbation(k=5, sample=0.3, tells=MIXED),
    "tells two, strata": tk.PkPerturbation(k=3, sample=Stratified("ill", 150), tells=2),
    "tells one, hidden strata": tk.PkPerturbation(k=3, sample=Stratified("ill", 0.4, labels="hidden"), tells=1),
    "tells one, coins": tk.PkPerturbation(k=5, sample=Bernoulli(0.2, redraw_above=700), tells=1),
    "sampling": tk.Sampling(300, known=20),
    "suppression": tk.RecordSuppression(k=12),
}
DROPPED = ("pk, all perturbed", "tells two, all perturbed")


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many small chunks and several buckets, as a large file has them."""
    monkeypatch.setattr(engine, "batch_rows", lambda memory, columns: 257)
    monkeypatch.setattr(shuffle, "_bits", lambda total, most: 3)


@pytest.fixture(scope="module")
def parquet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("rows") / "people.parquet"
    pyarrow.parquet.write_table(people(), file)
    return file


def both(plan: Any, **settings: Any) -> tuple[tk.Release, tk.Release]:
    return tk.run(plan, seed=3), tk.run(plan, engine="stream", seed=3, **settings)


def same(local: tk.Release, streamed: tk.Release) -> None:
    assert streamed.guarantees == local.guarantees
    assert manifest.declared_and_disclosed(streamed) == manifest.declared_and_disclosed(local)
    assert streamed.rows == local.rows
    assert streamed.types == local.table.schema == streamed.table.schema
    assert as_multiset(streamed.table) == as_multiset(local.table)
    assert streamed.record == local.record


@pytest.mark.parametrize("name", METHODS)
def test_the_same_promise_and_rows_as_in_memory(parquet: Path, name: str) -> None:
    prepare = [tk.prepare.Drop("note"), tk.prepare.Drop("seen"), tk.prepare.Drop("pay")] if name in DROPPED else []
    local, streamed = both(plan_for(parquet, METHODS[name], prepare))
    same(local, streamed)
    assert streamed.rows > 100


def tree_schema() -> tk.Schema:
    """The towns in a tree, so that both kinds of cuts are made."""
    tree = tk.Hierarchy.groups({"north": TOWNS[:2], "south": TOWNS[2:]})
    town = tk.Attribute("town", "quasi_identifier", tk.Categories(TOWNS), tree, missing=True)
    pay = tk.Attribute("pay", "quasi_identifier", tk.Numbers(0, 100, step=10))
    age = tk.Attribute("age", "quasi_identifier", tk.Numbers(20, 60, step=1))
    return SCHEMA.replacing(town).replacing(pay).replacing(age)


@pytest.mark.parametrize("room", [150, 700, 10**6])
@pytest.mark.parametrize("choose", ["widest", "gain"])
def test_mondrian_makes_the_same_groups(parquet: Path, monkeypatch: pytest.MonkeyPatch, room: int, choose: str) -> None:
    """However few rows fit into memory, the cuts are those of the local engine."""
    monkeypatch.setattr(grouping, "ROW", 10**9 // 2 // room - 40)
    schema = tree_schema()
    for partition in (tk.partitions.Mondrian(choose=choose), tk.partitions.Mondrian(choose=choose, min_size=40)):
        plan = plan_for(parquet, tk.Generalization(k=5, partition=partition), [tk.prepare.Drop("seen")], schema)
        local, streamed = both(plan)
        same(local, streamed)
        assert len(set(local.table.column("age").to_pylist())) > 4


HELD = {
    "mondrian by ties": tk.Generalization(k=5, partition=tk.partitions.Mondrian(strict=False)),
    "levels": tk.Generalization(k=5, partition=tk.partitions.Optimal(), suppression_limit=0.5),
    "a constraint": tk.Generalization(
        k=5, partition=tk.partitions.Mondrian(), constraints=[tk.constraints.LDiversity("ill", 1.2)]
    ),
    "suppression by a constraint": tk.RecordSuppression(k=12, constraints=[tk.constraints.TCloseness("ill", 0.5)]),
    "rates": tk.Generalization(
        k=5, partition=tk.partitions.Mondrian(), publish=[tk.rates.ValueRates(["town"], epsilon=0.5)]
    ),
    "groups": tk.GroupedPkPerturbation(k=5),
    "groups by cuts": tk.GroupedPkPerturbation(k=5, partition=tk.partitions.Mondrian()),
    "groups, one thing a row": tk.GroupedPkPerturbation(k=3, tells=1),
    "groups, a sample": tk.GroupedPkPerturbation(k=3, sample=0.5),
    "cells": tk.LocalSuppression(k=5),
    "swapping": tk.Swapping(k=5),
    "averages": tk.Microaggregation(k=5),
    "a split learned from the rows": tk.PkPerturbation(k=3, split=tk.splits.OptimisedSplit("pairs"), tells="all"),
}


@pytest.mark.parametrize("name", HELD)
def test_what_looks_at_all_rows_holds_their_codes(parquet: Path, name: str) -> None:
    """The same release, row for row and in the same order: only the codes are in memory, and values are made piece by piece."""
    local, streamed = both(plan_for(parquet, HELD[name]))
    same(local, streamed)
    assert isinstance(streamed.held, HeldRows)
    assert streamed.table.equals(local.table)


def test_people_with_several_rows(tmp_path: Path) -> None:
    visits = people().append_column("who", pa.array([f"p{row % 1200}" for row in range(3000)]))
    pyarrow.csv.write_csv(visits.drop_columns("note"), tmp_path / "visits.csv")
    schema = tk.Schema((*SCHEMA, tk.Attribute("who", "person"))).without("note")
    method = tk.PkPerturbation(k=5, kept="perturb", tells="all")
    same(*both(plan_for(tmp_path / "visits.csv", method, schema=schema)))
    few = schema.replacing(tk.Attribute("who", "person", most=2))
    with pytest.raises(DataError, match="'who': 600 people have more rows than the declared most"):
        tk.run(plan_for(tmp_path / "visits.csv", method, schema=few), engine="stream")


def test_more_rows_than_fit_are_refused_in_one_sentence(parquet: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held, "ROW", 10**6)
    words = "needs all rows in one memory: 3,000 rows take about 3.00 GB for it, and the engine 'stream' may use 1.00 GB; allow more memory"
    with pytest.raises(InvalidParameter, match=words + r"\."):
        tk.run(plan_for(parquet, HELD["groups"]), engine="stream")
    with pytest.raises(InvalidParameter, match=words + r", or take partition=Mondrian\(strict=True\)\."):
        tk.run(plan_for(parquet, HELD["mondrian by ties"]), engine="stream")
    with pytest.raises(InvalidParameter, match="which the engine 'stream' does not offer; take another split"):
        tk.run(plan_for(parquet, HELD["a split learned from the rows"]), engine="stream", shuffle="blocks")


def test_pram_too(parquet: Path) -> None:
    method = tk.PRAM({"town": MIX, "ill": FLIP})
    same(*both(plan_for(parquet, method, [tk.prepare.Drop("age")])))


@pytest.mark.parametrize("tells", ["all", 1])
@pytest.mark.parametrize("kept", [["ill"], ["ill", "pay"], ["ill", "note"], ["ill", "seen"]])
def test_known_columns_are_counted_alike(parquet: Path, kept: list[str], tells: Any) -> None:
    drop = [tk.prepare.Drop(name) for name in ("ill", "pay", "note", "seen") if name not in kept]
    same(*both(plan_for(parquet, tk.PkPerturbation(k=1.5, kept="known", tells=tells), drop)))


def test_what_a_row_tells_is_addressed_by_its_place() -> None:
    """Chunks of any length, begun anywhere, hold the cells that the whole table would have there."""
    table = prepared_rows(people(), SCHEMA, ())
    made = tk.anonymize(people(), SCHEMA, tk.PkPerturbation(k=5, tells=MIXED), seed=3).mechanism.telling
    codes, key = {name: table.codes(name) for name in made.columns}, Key.seeded(7)
    whole = made.sample(codes, key)
    assert len(np.unique(whole["tells"])) == len(made.clusters)
    for start, stop in [(0, 1), (1, 2), (5, 262), (256, 513), (2999, 3000)]:
        part = made.sample({name: each[start:stop] for name, each in codes.items()}, key, start)
        assert all(np.array_equal(part[name], whole[name][start:stop]) for name in whole)


def test_recoded_first(parquet: Path) -> None:
    prepare = [tk.prepare.Recode("age"), tk.prepare.Drop("seen")]
    for method in (tk.PkPerturbation(k=4, tells="all"), tk.PkPerturbation(k=4, tells=2), tk.RecordSuppression(k=300)):
        local, streamed = both(plan_for(parquet, method, prepare))
        same(local, streamed)
    assert 0 < streamed.rows < 3000


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_a_folder_is_one_table(tmp_path: Path, kind: str) -> None:
    folder = in_parts(people(), tmp_path / "parts", 4, kind)
    (folder / "_SUCCESS").touch()
    plan = plan_for(folder, METHODS["pk"])
    same(*both(plan))
    (folder / "part-3.csv").rename(folder / "z.txt") if kind == "csv" else None
    same(*both(plan_for(folder / "part-[01].*", METHODS["pk"])))


def test_the_order_is_shuffled_and_follows_from_the_seed(parquet: Path) -> None:
    plan = plan_for(parquet, tk.Sampling(3000, known=1))
    first, again, other = (tk.run(plan, engine="stream", seed=seed).table for seed in (1, 1, 2))
    assert first.equals(again)
    assert not first.equals(other)
    assert as_multiset(first) == as_multiset(other)
    pay = np.array(first.column("pay").to_pylist())
    assert abs(np.corrcoef(pay, people().column("pay").to_numpy())[0, 1]) < 0.1


def test_blocks_promise_what_their_rows_can_hide(
    parquet: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(shuffle, "BLOCK", 500)
    plan = plan_for(parquet, tk.PkPerturbation(k=5, tells="all"))
    release = tk.run(plan, engine="stream", seed=3, shuffle="blocks")
    smallest = release.mechanism.block
    assert smallest == 514  # two chunks of 257
    promise = release.guarantees[0]
    assert promise.numbers == {"among": 514, "inside": 514}
    assert promise.value >= 5
    whole = tk.run(plan, engine="stream", seed=3)
    assert release.mechanism.swap > whole.mechanism.swap  # fewer rows to hide among need more noise
    # A row stays in its block: the notes of the first block are those of the first rows.
    notes = [sorted(map(str, t.column("note").to_pylist()[:514])) for t in (release.table, people())]
    assert notes[0] == notes[1]
    back = tk.read_release(release.write(tmp_path / "out", allow_seeded=True))
    assert back.mechanism.block == 514
    with pytest.raises(tk.errors.InvalidParameter, match="does not know who is in which block"):
        tk.attack(people(), back, plan.schema)

    def forge(content: Any) -> None:
        parts = [content["declared"], *(part["value"] for part in content["disclosed"].values())]
        (mechanism,) = [
            part.get("mechanism", part)
            for part in parts
            if isinstance(part, dict) and "rows" in (part.get("mechanism") or part)
        ]
        mechanism["rows"]["shuffled_in_blocks_of_at_least"] = 600

    rewrite(tmp_path / "out", forge)
    with pytest.raises(tk.errors.ReleaseError):
        tk.read_release(tmp_path / "out")


def test_blocks_of_rows_that_tell_one_thing_each(
    parquet: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(shuffle, "BLOCK", 500)
    plan = plan_for(parquet, tk.PkPerturbation(k=5, tells=MIXED))
    release = tk.run(plan, engine="stream", seed=3, shuffle="blocks")
    assert release.guarantees[0].numbers == {"among": 514, "inside": 514}
    assert release.mechanism.swap >= 4 / 513  # (k - 1) / (n - 1) of the smallest block
    assert release.mechanism.swap < 4.001 / 513
    back = tk.read_release(release.write(tmp_path / "out", allow_seeded=True), "pyarrow")
    assert back.mechanism == release.mechanism
    assert back.table.equals(release.table.select(back.table.column_names))


def test_blocks_keep_their_promise_against_the_exact_adversary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """He knows the table and everybody's block; no table of a block's rows and no release makes him surer than 1/k."""
    monkeypatch.setattr(engine, "batch_rows", lambda memory, columns: 4)
    monkeypatch.setattr(shuffle, "BLOCK", 4)
    pyarrow.parquet.write_table(pa.table({"sex": ["f", "m", "m"] * 4}), tmp_path / "t.parquet")
    schema = tk.Schema([tk.Attribute("sex", "quasi_identifier", tk.Categories(["f", "m"]))])
    plan = plan_for(tmp_path / "t.parquet", tk.PkPerturbation(k=2, tells="all"), (), schema)
    blocks = tk.run(plan, engine="stream", shuffle="blocks")
    whole = tk.run(plan, engine="stream")
    assert blocks.mechanism.block == 4
    k = blocks.guarantees[0].value
    assert k >= 2
    assert worst_posterior(blocks.mechanism.channels["sex"].matrix(), 4) <= 1 / k + 1e-12
    assert worst_posterior(whole.mechanism.channels["sex"].matrix(), 4) > 1 / k  # the noise for all rows would not do


@pytest.mark.parametrize(
    "method",
    [
        tk.Sampling(10, known=1),
        tk.PkPerturbation(k=2, kept="known", tells="all"),
        tk.PkPerturbation(k=2, sample=100, tells=1),
    ],
)
def test_blocks_refuse_what_they_cannot_promise(parquet: Path, method: Any) -> None:
    with pytest.raises(InvalidParameter, match="shuffle"):
        tk.run(plan_for(parquet, method), engine="stream", shuffle="blocks")


def test_columns_of_a_csv_file_widen(tmp_path: Path) -> None:
    """The type of a column may show only in its last row; the local engine sees it at once."""
    rows = "".join(f"{20 + i % 40},{i},\n" for i in range(2000)) + "30,1.5,x\n"
    (tmp_path / "t.csv").write_text("age,amount,late\n" + rows, encoding="utf-8")
    schema = tk.Schema(
        [
            tk.Attribute("age", "quasi_identifier", tk.Numbers(20, 60, step=1)),
            tk.Attribute("amount", "insensitive"),
            tk.Attribute("late", "insensitive", missing=True),
        ]
    )
    from tokumei.io import batches

    old, batches.BLOCK = batches.BLOCK, 2**12
    try:
        local, streamed = both(plan_for(tmp_path / "t.csv", tk.PkPerturbation(k=5, tells="all"), (), schema))
    finally:
        batches.BLOCK = old
    assert streamed.types.field("amount").type == pa.float64()
    assert streamed.types.field("late").type == pa.string()
    same(local, streamed)


def test_compressed_files(tmp_path: Path) -> None:
    import bz2
    import gzip

    pyarrow.csv.write_csv(people(500), tmp_path / "t.csv")
    content = (tmp_path / "t.csv").read_bytes()
    plain = tk.run(plan_for(tmp_path / "t.csv", METHODS["pk"]), engine="stream", seed=1)
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(content))
    (tmp_path / "t.csv.bz2").write_bytes(bz2.compress(content))
    (tmp_path / "t.csv.zst").write_bytes(pa.compress(content, "zstd", asbytes=True))
    for ending in ("gz", "bz2", "zst"):
        plan = plan_for(tmp_path / f"t.csv.{ending}", METHODS["pk"])
        for release in both(plan):
            assert release.guarantees == tk.run(plan, seed=3).guarantees
        assert tk.run(plan, engine="stream", seed=1).table.equals(plain.table)


def test_written_and_read_back(parquet: Path, tmp_path: Path) -> None:
    for kind in ("parquet", "csv"):
        release = tk.run(plan_for(parquet, METHODS["pk"]), engine="stream", seed=3)
        back = tk.read_release(release.write(tmp_path / kind, kind, allow_seeded=True), frame="pyarrow")
        assert as_multiset(back.table) == as_multiset(release.table)
        assert back.guarantees == release.guarantees


def test_a_fresh_key_each_time(parquet: Path) -> None:
    plan = plan_for(parquet, METHODS["pk"])
    assert not tk.run(plan, engine="stream").table.equals(tk.run(plan, engine="stream").table)


@pytest.mark.parametrize("memory", ["much", "1XB", "1MB", "-1GB"])
def test_an_amount_of_memory(parquet: Path, memory: str) -> None:
    with pytest.raises(InvalidParameter, match="memory must be"):
        tk.run(plan_for(parquet, METHODS["pk"]), engine="stream", memory=memory)


def test_the_schema_of_these_tests_covers_every_kind_of_column() -> None:
    assert {type(a.domain).__name__ for a in SCHEMA} == {"Numbers", "Categories", "Dates", "NoneType"}
    assert len(TOWNS) == 4
    assert NothingPromisedWarning is not None
