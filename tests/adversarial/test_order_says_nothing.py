"""The order of the original shows nowhere: not in the order of a release, nor in who is grouped with whom, nor in its manifest.

Seeded, so nothing here fails by chance; the seeds were not chosen. The bounds are those that a test with fresh keys would exceed
with a probability below 1e-9.
"""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import stats

import tokumei as tk
from tests.engines.stream.rows import as_multiset
from tokumei.engines.spark.drawing import ORDER, order_words
from tokumei.engines.stream import shuffle
from tokumei.randomness import Key

ROWS = 6000
SCHEMA = tk.Schema(
    [
        tk.Attribute("age", "quasi_identifier", tk.Numbers(0, 19, step=1)),
        tk.Attribute("at", "insensitive", tk.Numbers(0, ROWS - 1, step=1)),
    ]
)
UNLIKELY = 1e-9


def people(rows: int = ROWS) -> pa.Table:
    return pa.table({"age": np.random.default_rng(1).integers(0, 20, rows), "at": np.arange(rows)})


def looks_ordered(old: Any) -> list[str]:
    """Say what is wrong with an order, given the old place of each row."""
    n, new = len(old), np.arange(len(old))
    said = []
    grid = np.histogram2d(old, new, bins=10)[0]
    if stats.chisquare(grid.ravel(), ddof=18).pvalue < UNLIKELY:
        said.append("where rows come from and where they go to depend on each other")
    if stats.spearmanr(old, new).pvalue < UNLIKELY:
        said.append("rows keep their side")
    steps = np.diff(old)
    for name, count in (("the next", np.sum(steps == 1)), ("the one before", np.sum(steps == -1))):
        if stats.poisson.sf(count - 1, (n - 1) / n) < UNLIKELY:
            said.append(f"rows follow {name}")
    if abs(np.sum(steps > 0) - (n - 1) / 2) > 6.5 * np.sqrt((n + 1) / 12):
        said.append("rows rise or fall")
    near = np.sum(np.abs(steps) < n / 100)
    if stats.binom.sf(near - 1, n - 1, 0.02) < UNLIKELY:
        said.append("neighbours stay near each other")
    return said


def local(folder: Path) -> Any:
    return tk.anonymize(people(), SCHEMA, tk.PkPerturbation(k=5, tells="all"), seed=5)


def streamed(folder: Path) -> Any:
    pq.write_table(people(), folder / "people.parquet", row_group_size=500)
    plan = tk.Plan({"path": "people.parquet"}, SCHEMA, tk.PkPerturbation(k=5, tells="all"), folder=folder)
    return tk.run(plan, "stream", seed=5)


@pytest.mark.parametrize("make", [local, streamed])
@pytest.mark.parametrize("buckets", [0, 3])
def test_a_release_is_in_no_order(make: Any, buckets: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shuffle, "_bits", lambda *_: buckets)
    release = make(tmp_path)
    assert looks_ordered(np.array(release.table.column("at"))) == []
    kept = np.array(release.table.column("age")) == people().column("age").to_numpy()[release.table.column("at")]
    half = np.arange(ROWS) < ROWS / 2
    assert stats.fisher_exact([[np.sum(kept & half), np.sum(kept & ~half)], [np.sum(~kept & half), np.sum(~kept & ~half)]]).pvalue > UNLIKELY  # fmt: skip


def test_spark_puts_rows_into_no_order() -> None:
    """What Spark does with the words of rows: it deals parts out by the first, and sorts each by both."""
    words = order_words(Key.seeded(5), 0, ROWS, np.arange(ROWS))
    first, second = (np.array(words[name]) for name in ORDER)
    part = first % 3
    assert looks_ordered(np.lexsort((second, first, part))) == []
    assert stats.kstest(first / 2.0**63, "uniform", args=(-1, 2)).pvalue > UNLIKELY


def test_an_order_that_stayed_is_found() -> None:
    rng, old = np.random.default_rng(1), np.arange(ROWS)
    orders = {
        "as it was": old,
        "backwards": old[::-1],
        "cut once": np.roll(old, 2500),
        "in blocks": np.concatenate([rng.permutation(block) for block in np.split(old, 60)]),
        "blocks moved": np.concatenate([np.split(old, 600)[place] for place in rng.permutation(600)]),
        "sides kept": np.argsort(old + rng.normal(0, ROWS, ROWS)),
    }
    for name, order in orders.items():
        assert looks_ordered(order), name


def test_two_releases_have_orders_of_their_own() -> None:
    first, second = (
        np.argsort(tk.anonymize(people(), SCHEMA, tk.PkPerturbation(k=5, tells="all"), seed=seed).table.column("at"))
        for seed in (5, 6)
    )
    place = np.empty(ROWS, dtype=np.int64)
    place[first] = np.arange(ROWS)
    assert looks_ordered(place[second]) == []


TIED = 400
GROUPING = {
    "perturbed in groups": tk.GroupedPkPerturbation(2, tk.partitions.Mondrian(strict=False, min_size=20)),
    "relaxed": tk.Generalization(7, tk.partitions.Mondrian(strict=False)),
    "top down": tk.Generalization(7, tk.partitions.TopDown()),
    "nearest": tk.Generalization(7, tk.partitions.NearestGroups()),
    "lattice": tk.Generalization(7, tk.partitions.Lattice()),
    "mdav": tk.Microaggregation(7, tk.partitions.MDAV()),
    "vmdav": tk.Microaggregation(7, tk.partitions.VMDAV()),
    "local search": tk.Microaggregation(7),
    "next point": tk.Microaggregation(7, tk.partitions.NearestPointNext()),
    "suppression": tk.LocalSuppression(7),
}


def tied_rows(seed: int) -> pa.Table:
    """Half of the rows are alike, and stand anywhere."""
    rng = np.random.default_rng(seed)
    ages = rng.permutation(np.concatenate([np.full(TIED // 2, 5), rng.integers(0, 100, TIED // 2)]))
    return pa.table({"age": ages, "at": np.arange(TIED)})


TIED_SCHEMA = tk.Schema(
    [
        tk.Attribute("age", "quasi_identifier", tk.Numbers(0, 99, step=1)),
        tk.Attribute("at", "insensitive", tk.Numbers(0, TIED - 1, step=1)),
    ]
)


@pytest.mark.parametrize("name", GROUPING)
def test_who_is_grouped_with_whom_does_not_hang_on_the_order(name: str) -> None:
    """Rows that are alike may come into different groups: which ones is chance, and neither old nor new order tells."""
    chances = []
    for seed in range(3):
        table = tied_rows(seed)
        found = tk.anonymize(table, TIED_SCHEMA, GROUPING[name], seed=seed).table
        alike = table.column("age").to_numpy()[found.column("at")] == 5
        shown = found.column("group" if "group" in found.column_names else "age").to_pylist()
        old, new = np.array(found.column("at"))[alike], np.arange(TIED)[alike]
        group = np.unique([str(each) for each in shown], return_inverse=True)[1][alike]
        sides = [[place[group == each] for each in np.unique(group)] for place in (old, new)]
        chances += [stats.kruskal(*groups).pvalue for groups in sides if len(groups) > 1]
    assert all(chance > 1e-6 for chance in chances), chances  # seeded; 1e-6 each if it were not


def manifest_of(table: pa.Table, schema: tk.Schema, method: Any, folder: Path) -> tuple[Any, str]:
    release = tk.anonymize(table, schema, method, seed=1)
    text = (release.write(folder, allow_seeded=True) / "manifest.json").read_text(encoding="utf-8")
    digests = json.loads(text)["data"]["sha256"], json.loads(text)["sha256"]
    return as_multiset(release.table), text.replace(digests[0], "").replace(digests[1], "")


PERMUTED = {
    "pk": tk.PkPerturbation(k=3, tells="all"),
    "mondrian": tk.Generalization(3, tk.partitions.Mondrian()),
    "optimal": tk.Generalization(3, tk.partitions.Optimal(), 0.3),
    "clusters": tk.Generalization(3, tk.partitions.DBSCAN()),
    "rates": tk.Generalization(3, tk.partitions.Mondrian(), publish=[tk.rates.ValueRates()]),
    "grouped": tk.GroupedPkPerturbation(2, tk.partitions.Mondrian(min_size=10)),
    "grouped, a sample": tk.GroupedPkPerturbation(2, tk.partitions.Mondrian(min_size=10), sample=0.5),
    "record suppression": tk.RecordSuppression(2),
    "local suppression": tk.LocalSuppression(3),
    "sampling": tk.Sampling(0.5, known=3),
}


@pytest.mark.parametrize("observed", [False, True])
@pytest.mark.parametrize("name", PERMUTED)
def test_a_manifest_does_not_tell_the_order(name: str, observed: bool, tmp_path: Path) -> None:
    """The same rows in another order: groups, labels, domains and facts stand there in the same order, byte for byte."""
    rng = np.random.default_rng(3)
    table = pa.table(
        {
            "age": (20 + 41 * rng.random(90) ** 2).astype(np.int64),
            "town": [["north", "south", "west"][place] for place in rng.integers(0, 3, 90)],
            "ill": rng.integers(0, 3, 90),
        }
    )
    roles: Any = {"age": "quasi_identifier", "town": "quasi_identifier", "ill": "sensitive"}
    declared = tk.Schema(
        [
            tk.Attribute("age", "quasi_identifier", tk.Numbers(20, 61, step=1)),
            tk.Attribute("town", "quasi_identifier", tk.Categories(["north", "south", "west"])),
            tk.Attribute("ill", "sensitive", tk.Numbers(0, 2, step=1)),
        ]
    )
    texts = set()
    for turn in range(3):
        rows = table.take(pa.array(rng.permutation(90)))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", tk.errors.ObservedDomainWarning)
            schema = tk.Schema.observe(rows, roles=roles) if observed else declared
        texts.add(manifest_of(rows, schema, PERMUTED[name], tmp_path / str(turn))[1])
    assert len(texts) == 1
