"""No byte of a key stream serves two draws: every read is recorded, of every method, channel, sample, rate, shuffle and engine."""

from __future__ import annotations

import itertools
import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import stats

import tokumei as tk
from tests.adversarial.reads import kept_in
from tests.engines.stream.rows import SCHEMA, people, plan_for
from tokumei.anonymizers import METHODS as EVERY_METHOD
from tokumei.anonymizers.sample import Bernoulli, Stratified, choose
from tokumei.engines.local import prepared_table
from tokumei.engines.stream import engine as stream_engine
from tokumei.engines.stream import shuffle
from tokumei.engines.survey import LocalSurvey
from tokumei.randomness import Key
from tokumei.testing.reads import Ledger, recorded

pytestmark = pytest.mark.filterwarnings("ignore::tokumei.errors.TokumeiWarning")

# Who is drawn may be decided more than once, always alike: a coin is tossed once to count how many rows it draws and once to
# draw them, and every pass of Spark over its rows decides anew. It is the same draw of the same row.
COINS, SELECTION = "bernoulli", "sample"
TOWNS = [f"town {place}" for place in range(400)]
MANY = tk.Schema(
    [
        tk.Attribute("town", "quasi_identifier", tk.Categories(TOWNS, ordered=True)),
        tk.Attribute("age", "quasi_identifier", tk.Numbers(0, 99, step=1), missing=True),
        tk.Attribute("sex", "quasi_identifier", tk.Categories(["f", "m"])),
        tk.Attribute("ill", "sensitive", tk.Categories([False, True])),
    ]
)
FLIP = [[0.8, 0.2], [0.2, 0.8]]
MIX = (np.full((5, 5), 0.1) + 0.5 * np.eye(5)).tolist()
RATES = (tk.rates.ValueRates(["town"], epsilon=0.5),)

# name: the method, and what must have been read for
LOCAL: dict[str, tuple[Any, str]] = {
    "pk": (tk.PkPerturbation(k=5, kept="perturb", tells="all"), "column"),
    "pk, one thing a row": (
        tk.PkPerturbation(k=5, kept="perturb", tells=(tk.tells.Subsets(2, cells=30), tk.tells.Subsets(1))),
        "told",
    ),
    "pk, one column a row of a sample": (tk.PkPerturbation(k=5, sample=700, tells=1), "tells"),
    "pk, a sample": (tk.PkPerturbation(k=5, sample=700, tells="all"), "sample"),
    "pk, strata": (tk.PkPerturbation(k=3, sample=Stratified("ill", 150), tells="all"), "sample"),
    "pk, hidden strata": (
        tk.PkPerturbation(k=3, sample=Stratified("ill", 0.4, labels="hidden"), tells="all"),
        "sample",
    ),
    "pk, coins": (tk.PkPerturbation(k=5, sample=Bernoulli(0.2, delta=1e-6), tells="all"), COINS),
    "pk, coins again": (tk.PkPerturbation(k=5, sample=Bernoulli(0.2, redraw_above=600), tells="all"), COINS),
    "grouped, mondrian": (tk.GroupedPkPerturbation(k=3, partition=tk.partitions.Mondrian(), kept="perturb"), "column"),
    "grouped, noise aware": (tk.GroupedPkPerturbation(k=3, kept="perturb"), "column"),
    "grouped, a sample": (tk.GroupedPkPerturbation(k=3, kept="perturb", sample=0.5), "sample"),
    "grouped, one thing a row": (
        tk.GroupedPkPerturbation(k=3, kept="perturb", tells=(tk.tells.Subsets(2), tk.tells.Subsets(1))),
        "told",
    ),
    "pram": (
        tk.PRAM({"sex": FLIP, "town": tk.transitions.KeepOrReplace(0.5), "age": tk.transitions.KeepOrReplace(0.5)}),
        "column",
    ),
    "sampling": (tk.Sampling(300, known=20), "sample"),
    "sampling, strata": (tk.Sampling(Stratified("ill", 0.3), known=20), "sample"),
    "generalization, rates": (tk.Generalization(k=5, partition=tk.partitions.Mondrian(), publish=RATES), "rates"),
    "microaggregation": (tk.Microaggregation(k=5), "shuffle"),
    "swapping": (tk.Swapping(k=5), "column"),
    "record suppression": (tk.RecordSuppression(k=2, suppression_limit=1.0), "shuffle"),
    "local suppression": (tk.LocalSuppression(k=2), "shuffle"),
}


@pytest.fixture(scope="module")
def many() -> pa.Table:
    rng = np.random.default_rng(9)
    ages = rng.integers(0, 100, 3000)
    return pa.table(
        {
            "town": [TOWNS[place] for place in np.minimum(399, rng.geometric(0.01, 3000))],
            "age": pa.array([None if age % 9 == 0 else int(age) for age in ages]),
            "sex": rng.choice(["f", "m"], 3000).tolist(),
            "ill": rng.random(3000) < 0.3,
        }
    )


def shared(ledger: Ledger, again: tuple[str, ...] = (COINS,)) -> dict[Any, int]:
    """Count the draws that share bytes, but for those decided ``again``; that everything was seen is checked first."""
    assert ledger.words > 0
    assert ledger.stray == 0
    assert any(label[0] == "shuffle" for label in ledger.labels)
    return {label: count for label, count in ledger.overlaps().items() if label[0] not in again}


def test_all_methods_are_here() -> None:
    assert {type(method) for method, _ in LOCAL.values()} == set(EVERY_METHOD)


@pytest.mark.parametrize("name", LOCAL)
def test_no_two_draws_share_a_byte(name: str, many: pa.Table) -> None:
    method, purpose = LOCAL[name]
    schema = MANY if "pram" not in name else MANY.replacing(_labelled(MANY["age"]))
    with recorded() as ledger:
        made = [tk.anonymize(many, schema, method) for _ in range(2)]
    assert purpose in {label[0] for label in ledger.labels}
    assert shared(ledger) == {}
    if name.startswith("grouped"):  # channels of every kind read, which is where addresses once met
        groupings = [release.mechanism.grouping for release in made]
        channels = [dict(each) for grouping in groupings for group in grouping.groups for each in group.channels]
        if "one thing" in name:  # what the rows of a group tell follows from its box, and no channel is kept
            assert not channels
            assert all(grouping.telling is not None and len(grouping.groups) > 1 for grouping in groupings)
            return
        kinds = {"retention", "grid_laplace"} | ({"grid_laplace_with_missing"} if "noise aware" in name else set())
        assert kinds <= {each["channel"] for each in channels}


def _labelled(attribute: tk.Attribute) -> tk.Attribute:
    return tk.Attribute(attribute.name, attribute.role, tk.Categories(range(100)), missing=True)


STREAMED = {
    "pk": tk.PkPerturbation(k=5, kept="perturb", tells="all"),
    "pk, strata": tk.PkPerturbation(k=3, sample=Stratified("ill", 150), tells="all"),
    "pk, coins": tk.PkPerturbation(k=5, sample=Bernoulli(0.2, delta=1e-6), tells="all"),
    "pram": tk.PRAM({"age": tk.transitions.KeepOrReplace(0.5), "town": MIX, "ill": FLIP}),
    "sampling": tk.Sampling(300, known=20),
    "suppression": tk.RecordSuppression(k=12),
    "generalization": tk.Generalization(k=5, partition=tk.partitions.Mondrian()),
}


@pytest.mark.parametrize(
    ("name", "shuffled"), [*((name, "rows") for name in STREAMED), ("pk", "blocks"), ("pram", "blocks")]
)
def test_a_stream_shares_no_byte(name: str, shuffled: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_engine, "batch_rows", lambda memory, columns: 257)
    monkeypatch.setattr(shuffle, "_bits", lambda total, most: 3)
    schema, steps = SCHEMA, [tk.prepare.Drop("note")]
    if name == "pram":
        schema = SCHEMA.replacing(tk.Attribute("age", "quasi_identifier", tk.Categories(range(20, 61))))
    pq.write_table(people(), tmp_path / "people.parquet")
    plan = plan_for(tmp_path / "people.parquet", STREAMED[name], steps, schema)
    with recorded() as ledger:
        tk.run(plan, engine="stream", shuffle=shuffled).write(tmp_path / "out")
    assert shared(ledger) == {}


# Rows that are counted first and released then are computed twice, with the same words for their order.
SPARK = {
    "pk": (tk.PkPerturbation(k=3, sample=Stratified("ill", 150), tells="all"), (SELECTION,)),
    "suppression": (tk.RecordSuppression(k=12), ("shuffle",)),
    "generalization": (tk.Generalization(k=5, partition=tk.partitions.Mondrian()), ()),
}


@pytest.mark.parametrize("name", SPARK)
def test_tasks_of_spark_share_no_byte(name: str, spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tokumei.engines.spark import engine, rows  # the engine brings all modules that send work to tasks

    method, again = SPARK[name]
    plain, folder = rows.mapped, tmp_path / "reads"
    folder.mkdir()
    assert engine.drawn_frame.__globals__["mapped"] is plain
    for module in [each for key, each in sys.modules.items() if key.startswith("tokumei.engines.spark.")]:
        if getattr(module, "mapped", None) is plain:
            noted = lambda frame, work, kinds: plain(frame, kept_in(str(folder), work), kinds)  # noqa: E731
            monkeypatch.setattr(module, "mapped", noted)
    pq.write_table(people(), tmp_path / "people.parquet", row_group_size=500)
    frame = spark.read.parquet(str(tmp_path / "people.parquet"))
    with recorded() as ledger:
        tk.anonymize(frame, SCHEMA, method, [tk.prepare.Drop("note")]).write(tmp_path / "out")
    for file in folder.iterdir():
        for each in pickle.loads(file.read_bytes()):
            ledger.note(*each)
    assert shared(ledger, again) == {}


def test_draws_that_repeat_share_no_byte_between_people_and_columns(
    many: pa.Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under a key that is kept, the same draw is made again for the same person and value, and for nobody else."""
    monkeypatch.setenv("TOKUMEI_READS_KEY", "5a" * 32)
    schema = tk.Schema([tk.Attribute("name", "identifier"), *MANY])
    named = many.append_column("name", pa.array(f"person {number}" for number in range(len(many))))
    method = tk.PkPerturbation(k=5, kept="perturb", tells="all", repeat=tk.Repeat("env:TOKUMEI_READS_KEY", "name"))
    with recorded() as ledger:
        tk.anonymize(named, schema, method)
    assert shared(ledger) == {}


def test_what_was_only_tried_says_nothing_of_what_is_released(many: pa.Table) -> None:
    """`tk.recommend` tries methods under one seeded key and shows none of those releases; the one that is made then has a key of its own."""
    with recorded() as tried:
        found = tk.recommend(many.slice(0, 600), MANY, duty="linking 1/5")
    with recorded() as made:
        found.anonymize(many.slice(0, 600))
    first, then = ({key for key, _, _ in ledger.notes()} for ledger in (tried, made))
    assert first
    assert then
    assert not first & then
    assert shared(made) == {}


def test_what_draws_nothing_of_a_release_reads_nothing(many: pa.Table) -> None:
    """The analyst's rows are drawn from the analyst's own generator, and what waits is chosen without chance."""
    release = tk.anonymize(many.slice(0, 600), MANY, tk.PkPerturbation(k=5, tells="all"), seed=2)
    named = many.append_column("name", pa.array(f"person {number}" for number in range(len(many))))
    schema = tk.Schema([tk.Attribute("name", "identifier"), *MANY])
    with recorded() as ledger:
        tk.synthesize(release, random_state=1)
        tk.disclosure.hold_back(named.slice(0, 500), [named.slice(0, 520)], schema, "name", 2)
    assert ledger.words == 0


@pytest.mark.parametrize("bits", [32, 64])
def test_a_read_that_meets_another_is_found(bits: int) -> None:
    stream = Key.seeded(4).stream("column", "age")
    with recorded() as ledger:
        stream.words(0, 10, bits)
        stream.words(10, 10, bits)
        stream.words(0, 10, 96 - bits)
        stream.words_at(np.array([20, 25]), bits)
        stream.sub("group", 1).words(0, 10, bits)
        assert ledger.overlaps() == {}
        stream.words_at(np.array([3, 19, 21]), bits)
    assert ledger.overlaps() == {("column", "age"): 2}


# Independence on the joint distribution. Every pair of draws is looked at, and the smallest of its P values is held against
# 1e-4 over the number of pairs. Keys are seeded: a test that passes once always passes.


class Repeated:
    """One table in groups with channels of their own, drawn many times: which cells came out above their middle."""

    TIMES = 1500

    def __init__(self, *columns: str) -> None:
        spread = [0, 15, 31, 46, 58, 59] + [58] * 8
        schema = tk.Schema(
            [tk.Attribute(name, "quasi_identifier", tk.Categories(range(60), ordered=True)) for name in columns]
        )
        rows = pa.table({"x": spread, "y": spread[::-1]}).select(columns)
        table = prepared_table(rows, schema, ())
        drawn = choose(None, table, Key.seeded(0))
        method = tk.GroupedPkPerturbation(k=3, partition=tk.partitions.Mondrian())
        design = method.design(schema, LocalSurvey(table, drawn, None, None))
        grouping, self.groups = design.mechanism.grouping, design.groups
        assert grouping is not None
        assert len(grouping.kinds[0]) > 1
        drawn_codes = np.stack(
            [
                np.concatenate(
                    [
                        grouping.sample(schema[name], table.codes(name), design.groups, key.stream("column", name))
                        for name in columns
                    ]
                )
                for key in (Key.seeded(time) for time in range(self.TIMES))
            ]
        )  # one row a release; the cells of the first column, then those of the second
        self.high = drawn_codes > np.median(drawn_codes, axis=0)


def smallest_p(first: np.ndarray, second: np.ndarray) -> tuple[float, int]:
    """Return the smallest P value of independence over all pairs of a column of each that vary, and how many there were."""
    found = []
    for one, other in itertools.product(first.T, second.T):
        if 0 < one.mean() < 1 and 0 < other.mean() < 1:
            counts = np.bincount(2 * one + other, minlength=4).reshape(2, 2)
            found.append(float(stats.fisher_exact(counts).pvalue))
    return min(found, default=1.0), len(found)


@pytest.fixture(scope="module")
def repeated() -> Repeated:
    return Repeated("x")


@pytest.fixture(scope="module")
def two_columns() -> Repeated:
    return Repeated("x", "y")


def test_rows_of_different_groups_are_independent(repeated: Repeated) -> None:
    high, groups = repeated.high, np.asarray(repeated.groups)
    found = [
        smallest_p(high[:, groups == one], high[:, groups == other])
        for one, other in itertools.combinations(np.unique(groups), 2)
    ]
    pairs = sum(count for _, count in found)
    assert pairs > 10
    assert min(least for least, _ in found) > 1e-4 / pairs


def test_rows_of_one_group_are_independent(repeated: Repeated) -> None:
    for group in np.unique(repeated.groups):
        high = repeated.high[:, repeated.groups == group]
        for place in range(high.shape[1] - 1):
            least, pairs = smallest_p(high[:, [place]], high[:, place + 1 :])
            assert least > 1e-4 / 100 or not pairs


def test_columns_are_independent(two_columns: Repeated) -> None:
    least, pairs = smallest_p(two_columns.high[:, :14], two_columns.high[:, 14:])
    assert least > 1e-4 / pairs


def test_releases_are_independent(repeated: Repeated) -> None:
    least, pairs = smallest_p(repeated.high[:-1], repeated.high[1:])
    assert least > 1e-4 / pairs


def test_draws_that_share_half_a_word_are_found(repeated: Repeated) -> None:
    often = np.arange(len(repeated.high)) % 3 == 0  # one release in three shares what it draws
    mixed = np.where(often, repeated.high[:, 0], repeated.high[:, 1])[:, None]
    assert smallest_p(repeated.high[:, [0]], mixed)[0] < 1e-6
