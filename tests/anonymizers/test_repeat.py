"""Draws that repeat by person and value: what they are, that nothing else is shared, on every engine; and what is refused."""

from __future__ import annotations

import hashlib
import hmac
import json
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from scipy import stats

import tokumei as tk
from tests.engines.stream.rows import SCHEMA, as_multiset, people, plan_for
from tests.release.forging import rewrite
from tokumei.engines.local import prepared_table
from tokumei.engines.stream import engine as stream_engine
from tokumei.engines.stream import shuffle
from tokumei.errors import DataError, InfeasiblePromise, InvalidParameter, PlanError, ReleaseError
from tokumei.mechanism.record import Mechanism
from tokumei.mechanism.repeating import Draws, draw_names
from tokumei.mechanism.retention import Retention
from tokumei.plan import Plan
from tokumei.prepare.keys import write_key
from tokumei.prepare.person_tags import PersonTags, key_name, people_of
from tokumei.privacy.assumptions import KeyKept, PatternsUncounted, SecretKey, Seeded
from tokumei.randomness import Key
from tokumei.table.coded import encode
from tokumei.testing.reads import recorded

pytestmark = pytest.mark.filterwarnings("ignore::tokumei.errors.TokumeiWarning")

PLACE, OTHER = "A_TEST_OF_REPEATED_DRAWS", "ANOTHER_TEST_OF_REPEATED_DRAWS"
REPEAT = tk.Repeat(f"env:{PLACE}", "name")
DROP = [tk.prepare.Drop("note")]
HIDDEN = SCHEMA.without("note", "seen", "pay")


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PLACE, "5a" * 32)
    monkeypatch.setenv(OTHER, "a5" * 32)


@pytest.fixture(scope="module")
def table() -> pa.Table:
    return people(600).drop_columns(["note", "seen", "pay"])


def method(tells: Any = "all", k: float = 3, **more: Any) -> tk.PkPerturbation:
    return tk.PkPerturbation(k=k, tells=tells, repeat=tk.Repeat(f"env:{PLACE}", "name", **more))


def changed(table: pa.Table, column: str, at: int, to: Any) -> pa.Table:
    cells = table.column(column).to_pylist()
    cells[at] = to
    return table.set_column(table.column_names.index(column), column, pa.array(cells, table.schema.field(column).type))


def by_person(table: pa.Table, release: tk.Release) -> dict[str, dict[str, Any]]:
    """Find each person's row again by a kept column that holds the names."""
    return {row["again"]: row for row in release.table.to_pylist()}


NAMED = tk.Schema([*HIDDEN, tk.Attribute("again", "insensitive")])


def with_names(table: pa.Table) -> pa.Table:
    return table.append_column("again", table.column("name"))


# What repeats, and what does not.


@pytest.mark.parametrize("tells", ["all", 1, (tk.tells.Subsets(2), tk.tells.Subsets(1))])
def test_unchanged_values_are_released_unchanged_in_any_order(table: pa.Table, tells: Any) -> None:
    first = tk.anonymize(table, HIDDEN, method(tells))
    rng = np.random.default_rng(2)
    second = tk.anonymize(table.take(rng.permutation(table.num_rows)), HIDDEN, method(tells, like=first))
    assert as_multiset(first.table) == as_multiset(second.table)
    assert first.table != second.table  # the order is fresh


@pytest.mark.parametrize("tells", ["all", 1])
def test_only_the_changed_value_is_drawn_again(table: pa.Table, tells: Any) -> None:
    rows = with_names(table)
    ages = pa.array([(age - 20 + 13) % 41 + 20 for age in rows.column("age").to_pylist()])
    moved = rows.set_column(rows.column_names.index("age"), "age", ages)
    first = tk.anonymize(rows, NAMED, method(tells))
    second = tk.anonymize(moved, NAMED, method(tells, like=first))
    before, after = by_person(rows, first), by_person(rows, second)
    assert all(before[name]["town"] == after[name]["town"] for name in before)
    differ = np.mean([before[name]["age"] != after[name]["age"] for name in before if before[name]["age"] is not None])
    assert differ > 0.4
    if tells == 1:
        assert all(before[name]["tells"] == after[name]["tells"] for name in before)
    back = by_person(rows, tk.anonymize(rows, NAMED, method(tells, like=second)))
    assert back == before  # a value that comes back is released as it was


def test_other_noise_another_key_or_no_key_draws_anew(table: pa.Table, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = with_names(table)
    first = by_person(rows, tk.anonymize(rows, NAMED, method()))

    def same(other: tk.PkPerturbation) -> float:
        now = by_person(rows, tk.anonymize(rows, NAMED, other))
        return float(np.mean([first[name]["age"] == now[name]["age"] for name in first]))

    assert same(method()) == 1
    fresh = same(tk.PkPerturbation(k=3, tells="all"))
    assert fresh < 0.5
    assert same(method(k=3.1)) < 0.5  # integers of the channel differ, however little
    assert same(tk.PkPerturbation(k=3, tells="all", repeat=tk.Repeat(f"env:{OTHER}", "name"))) < 0.5


def test_people_are_the_same_however_a_file_writes_them(table: pa.Table) -> None:
    rows = with_names(table)
    numbers = pa.array(np.arange(len(rows), dtype=np.float64))
    texts = pa.array([str(number) for number in range(len(rows))])
    releases = [
        tk.anonymize(rows.set_column(0, "name", ids), NAMED, method()) for ids in (numbers, texts, texts.cast("int64"))
    ]
    assert by_person(rows, releases[0]) == by_person(rows, releases[1]) == by_person(rows, releases[2])
    composed, apart = "Zo\u00eb", "Zoe\u0308"
    assert people_of(pa.table({"name": [composed, "b"]}), "name")[0].to_pylist() == [composed, "b"]
    assert people_of(pa.table({"name": [apart, composed]}), "name")[0].to_pylist() == [composed]


def test_a_word_by_other_means() -> None:
    """What docs/promises/repeated.md says, for one cell at a time."""
    secret = bytes.fromhex("5a" * 32)
    attribute = tk.Attribute("sex", "quasi_identifier", tk.Categories(["f", "m", "x"]))
    schema, channel = tk.Schema([attribute]), Retention(3, 2**30, 2**30, 32)
    mechanism = Mechanism({"sex": channel}, repeat=key_name(f"env:{PLACE}", "name"))
    names, codes = [f"person {at}" for at in range(50)], np.arange(50) % 3
    tags = PersonTags.of(secret, "name")
    rows = pa.table({"name": names, "sex": [attribute.domain.values[code] for code in codes]})  # type: ignore[union-attr]
    coded = tags.tagged(encode(rows.select(["sex"]), schema), rows)
    draws = Draws.of(Key.fresh(), tags.draws, mechanism, schema)
    found = draws.column("sex", channel, coded.codes("sex"), coded.tags)

    def derived(purpose: bytes) -> bytes:
        return hmac.new(secret, b"tokumei repeat " + purpose, hashlib.sha256).digest()

    def labelled(*label: str) -> bytes:
        parts = [f"str:{part}".encode() for part in label]
        told = b"".join(len(part).to_bytes(8, "big") + part for part in parts)
        return hashlib.blake2b(told, key=derived(b"draws"), digest_size=32).digest()

    described = {"domain": {"kind": "categories", "values": ["f", "m", "x"], "ordered": False}, "missing": False}
    parts = ["sex", described, {"channel": "retention", "size": 3, "other": 2**30, "keep": 2**30, "bits": 32}]
    digest = hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
    key = hashlib.blake2b(b"32 bits", key=labelled("repeat", digest, "column"), digest_size=32).digest()
    assert mechanism.repeat == derived(b"name")[:16].hex()
    for at, name in enumerate(names):
        tag = hashlib.blake2b(name.encode(), key=derived(b"people"), digest_size=16).digest()
        address = tag[:8] + (int.from_bytes(tag[8:], "little") ^ int(codes[at])).to_bytes(8, "little")
        block = Cipher(algorithms.AES(key), modes.ECB()).encryptor().update(address)
        word = int.from_bytes(block[:4], "little")
        assert found[at] == (word // 2**30 if word < 3 * 2**30 else codes[at])


# Draws have the right distribution, and nothing in common.

PERSONS = 40_000


def drawn(
    codes: Any, channel: Retention, digest: str = "d", start: int = 0, draws: Draws | None = None, people: int = PERSONS
) -> Any:
    tags = np.random.default_rng(8).integers(0, 2**64, (people, 2), dtype=np.uint64)  # as a hash of people is
    own = Draws(Key.seeded(1), Key.seeded(2).for_tasks(), {"c": digest}) if draws is None else draws
    return own.column("c", channel, np.asarray(codes, dtype=np.uint8), tags, start)


CHANNELS: Mapping[str, Any] = {
    "32 bits": Retention(4, 2**29, 2**31, 32),
    "64 bits": Retention(4, 2**61, 2**63, 64),
    "drawn again": Retention(3, 10**9, 10**8, 32),  # a quarter of all words is rejected
}


@pytest.mark.parametrize("name", CHANNELS)
def test_draws_have_the_channel_s_distribution(name: str) -> None:
    channel = CHANNELS[name]
    for true in range(channel.size):
        counts = np.bincount(drawn(np.full(PERSONS, true), channel), minlength=channel.size)
        expected = channel.probability(np.arange(channel.size), np.array(true)) * PERSONS
        assert stats.chisquare(counts, expected).pvalue > 1e-4
        wrong = expected * np.where(np.arange(channel.size) == true, 1.3, 1)
        assert stats.chisquare(counts, wrong / wrong.sum() * PERSONS).pvalue < 1e-6


@pytest.mark.parametrize("tells", [1, 2])
def test_what_is_told_has_its_distribution(tells: int) -> None:
    rows = people(30_000).drop_columns(["note", "seen", "pay", "town"])
    schema = HIDDEN.without("town").replacing(tk.Attribute("ill", "quasi_identifier", tk.Categories([False, True])))
    release = tk.anonymize(rows, schema, method(tells, k=200))
    telling = release.mechanism.telling
    assert telling is not None
    which = release.coded.codes("tells")
    weights = np.array([cluster.weight for cluster in telling.clusters]) / telling.total
    if len(weights) > 1:
        assert stats.chisquare(np.bincount(which), weights * len(which)).pvalue > 1e-4
    codes = prepared_table(rows, schema, ())
    for place, cluster in enumerate(telling.clusters):
        joint = telling.of_cluster(place, {name: codes.codes(name) for name in telling.columns})
        shares = np.bincount(joint, minlength=cluster.channel.size) / len(joint)
        seen = telling.told({name: release.coded.codes(name) for name in (*telling.columns, telling.label)})[1]
        counts = np.bincount(seen[which == place], minlength=cluster.channel.size)
        assert stats.chisquare(counts, cluster.channel.forward(shares) * counts.sum()).pvalue > 1e-4


def dependence(one: Any, other: Any) -> float:
    """Return the P value of independence of two columns of draws."""
    table = np.zeros((4, 4))
    np.add.at(table, (one, other), 1)
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    return float(stats.chi2_contingency(table).pvalue)


def test_values_channels_and_columns_of_a_person_are_drawn_independently(monkeypatch: pytest.MonkeyPatch) -> None:
    channel, other = CHANNELS["32 bits"], Retention(4, 2**29 + 1, 2**31 - 4, 32)
    zeros, ones = np.zeros(PERSONS), np.ones(PERSONS)
    base = drawn(zeros, channel)
    assert dependence(base, drawn(ones, channel)) > 1e-4
    assert dependence(base, drawn(zeros, other, "another digest")) > 1e-4
    assert dependence(base[:-1], base[1:]) > 1e-4
    # the same draws where the digest does not know the channel, or the address not the value, are found to be shared
    assert dependence(base, drawn(zeros, other)) < 1e-12
    plain = Retention.sample
    monkeypatch.setattr(
        Retention, "sample", lambda self, codes, stream, start=0: plain(self, ones.astype(np.uint8), stream, start)
    )
    assert dependence(base, drawn(zeros, channel)) < 1e-12


def test_names_of_draws_tell_everything_apart_that_is_drawn_otherwise() -> None:
    attribute = tk.Attribute("age", "quasi_identifier", tk.Numbers(0, 9, step=1))

    def name(channel: Any, described: tk.Attribute = attribute) -> str:
        return draw_names(Mechanism({described.name: channel}, repeat="0" * 32), tk.Schema([described]))[described.name]

    base = name(Retention(10, 5, 7, 32))
    others = [
        name(Retention(10, 5, 8, 32)),
        name(Retention(10, 6, 7, 32)),
        name(Retention(10, 5, 7, 64)),
        name(Retention(10, 5, 7, 32), tk.Attribute("years", "quasi_identifier", tk.Numbers(0, 9, step=1))),
        name(Retention(10, 5, 7, 32), tk.Attribute("age", "quasi_identifier", tk.Numbers(1, 10, step=1))),
        name(Retention(10, 5, 7, 32), tk.Attribute("age", "quasi_identifier", tk.Numbers(0, 8, step=1), missing=True)),
    ]
    assert len({base, *others}) == 1 + len(others)
    assert base == name(
        Retention(10, 5, 7, 32), tk.Attribute("age", "sensitive", tk.Numbers(0, 9, step=1), observed=True)
    )


# No byte serves two draws of a release.


@pytest.mark.parametrize("tells", ["all", 1, 2])
def test_no_two_draws_of_a_release_share_an_address(table: pa.Table, tells: Any) -> None:
    schema = HIDDEN.replacing(tk.Attribute("age", "quasi_identifier", tk.Numbers(20, 60, step=1), missing=True))
    with recorded() as ledger:
        first = tk.anonymize(table, schema, method(tells))
    assert ledger.stray == 0
    assert {"repeat", "shuffle"} == {label[0] for label in ledger.labels}
    assert ledger.overlaps() == {}
    with recorded() as ledger:
        for place in (0, 1):
            tk.anonymize(table if place == 0 else changed(table, "age", 3, 59), schema, method(tells, like=first))
    shared = ledger.overlaps()
    assert {label[0] for label in shared} == {"repeat"}  # the same draws, and nothing of the shuffle
    values = {label[2:]: count for label, count in shared.items() if "retry" not in label}
    unchanged = table.num_rows
    assert set(values.values()) <= {unchanged, unchanged - 1}
    if tells == "all":
        assert sorted(values.values())[0] == unchanged - 1  # but for the one value that changed


def test_a_stream_of_rows_shares_no_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_engine, "batch_rows", lambda memory, columns: 257)
    pq.write_table(people(), tmp_path / "people.parquet")
    plan = plan_for(tmp_path / "people.parquet", method(2), DROP)
    with recorded() as ledger:
        tk.run(plan, engine="stream").write(tmp_path / "out")
    assert ledger.stray == 0
    assert {"repeat", "shuffle"} == {label[0] for label in ledger.labels}
    assert ledger.overlaps() == {}


# Engines.


@pytest.mark.parametrize("tells", ["all", 2])
def test_the_stream_engine_draws_the_same(tells: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_engine, "batch_rows", lambda memory, columns: 257)
    monkeypatch.setattr(shuffle, "_bits", lambda total, most: 3)
    pq.write_table(people(), tmp_path / "people.parquet")
    plan = plan_for(tmp_path / "people.parquet", method(tells), DROP)
    local, streamed = tk.run(plan), tk.run(plan, engine="stream")
    assert as_multiset(local.table) == as_multiset(streamed.table)
    assert local.guarantees == streamed.guarantees
    with pytest.raises(InvalidParameter, match="shuffle all rows"):
        tk.run(plan, engine="stream", shuffle="blocks")
    twice = people().set_column(0, "name", pa.array(["person 1", *people().column("name").to_pylist()[1:]]))
    pq.write_table(twice, tmp_path / "people.parquet")
    for engine in ("local", "stream"):
        with pytest.raises(DataError, match="'name' has 2,999 people for 3,000 rows"):
            tk.run(plan, engine=engine)


@pytest.mark.parametrize("tells", ["all", 2])
def test_the_spark_engine_draws_the_same(tells: Any, spark: Any, tmp_path: Path) -> None:
    pq.write_table(people(), tmp_path / "people.parquet", row_group_size=500)
    frame = spark.read.parquet(str(tmp_path / "people.parquet"))
    local = tk.anonymize(people(), SCHEMA, method(tells), DROP)
    release = tk.anonymize(frame, SCHEMA, method(tells), DROP)
    first, again = (as_multiset(pa.concat_tables(release.pieces())) for _ in range(2))
    assert first == again == as_multiset(local.table)  # whatever is computed again repeats itself
    assert local.guarantees == release.guarantees
    with pytest.raises(DataError, match=r"has 2,999 people for 3,000 rows"):
        tk.anonymize(frame.replace("person 0", "person 1", subset="name"), SCHEMA, method(tells), DROP)


# The noise of an earlier release.


def test_a_smaller_table_needs_room(table: pa.Table, tmp_path: Path) -> None:
    first = tk.anonymize(table, HIDDEN, method(k=3))
    first.write(tmp_path / "first")
    fewer = table.slice(0, 540)
    with pytest.raises(InfeasiblePromise, match=r"guarantees k = 2\.799"):
        tk.anonymize(fewer, HIDDEN, method(k=3, like=tmp_path / "first"))
    second = tk.anonymize(fewer, HIDDEN, method(k=2.7, like=str(tmp_path / "first")))
    assert second.mechanism == first.mechanism
    assert second.guarantees[0].value == pytest.approx(1 + 539 * float(first.mechanism.swap))
    room = tk.anonymize(table, HIDDEN, method(k=3.3))
    assert tk.anonymize(fewer, HIDDEN, method(k=3, like=room)).guarantees[0].value >= 3


def test_an_earlier_release_must_fit(table: pa.Table, monkeypatch: pytest.MonkeyPatch) -> None:
    first = tk.anonymize(table, HIDDEN, method())
    for asked, schema, problem in [
        (method(1, like=first), HIDDEN, "another tells"),
        (
            tk.PkPerturbation(k=3, tells="all", split={"age": 2, "town": 1}, repeat=method(like=first).repeat),
            HIDDEN,
            "another split",
        ),
        (
            tk.PkPerturbation(k=3, tells="all", repeat=tk.Repeat(f"env:{OTHER}", "name", like=first)),
            HIDDEN,
            "not made under this key",
        ),
        (
            method(like=tk.anonymize(table, HIDDEN, tk.PkPerturbation(k=3, tells="all"))),
            HIDDEN,
            "not made under this key",
        ),
        (
            method(like=first),
            HIDDEN.replacing(tk.Attribute("age", "insensitive", tk.Numbers(20, 60, step=1))),
            "other columns",
        ),
        (
            method(like=first),
            HIDDEN.replacing(tk.Attribute("age", "quasi_identifier", tk.Numbers(20, 61, step=1))),
            "describes 'age' otherwise",
        ),
    ]:
        with pytest.raises(InvalidParameter, match=problem):
            tk.anonymize(table, schema, asked)
    told = tk.anonymize(table, HIDDEN, method(1))
    own = tk.Schema([*HIDDEN, tk.Attribute("tells", "insensitive")])
    with pytest.raises(InvalidParameter, match="rename the table's own"):
        tk.anonymize(table.append_column("tells", table.column("name")), own, method(1, like=told))
    with pytest.raises(ReleaseError, match="is not a release"):
        tk.anonymize(table, HIDDEN, method(like="nowhere"))


def test_observed_domains_stay_observed(table: pa.Table, tmp_path: Path) -> None:
    roles = {"name": "identifier", "age": "quasi_identifier", "town": "quasi_identifier", "ill": "sensitive"}
    schema = tk.Schema.observe(table, roles=roles)
    first = tk.anonymize(table, schema, method(1))
    first.write(tmp_path / "first")
    tk.anonymize(table, schema, method(1, like=tmp_path / "first")).write(tmp_path / "second")
    second = tk.read_release(tmp_path / "second", frame="pyarrow")
    assert second.schema["age"].observed
    assert as_multiset(second.table) == as_multiset(first.table)


# What is said and refused.


def test_a_release_says_that_its_draws_repeat(table: pa.Table, tmp_path: Path) -> None:
    release = tk.anonymize(table, HIDDEN, method(1))
    release.write(tmp_path / "out")
    read = tk.read_release(tmp_path / "out")
    assert read.mechanism.repeat == release.mechanism.repeat == key_name(f"env:{PLACE}", "name")
    assert KeyKept(name=read.mechanism.repeat) in read.guarantees[0].assumes
    assert SecretKey() not in read.guarantees[0].assumes
    text = (tmp_path / "out" / "manifest.json").read_text()
    assert "5a5a" not in text
    assert PLACE not in text
    assert "person 1" not in text
    assert "'name'" not in text
    seeded = tk.anonymize(table, HIDDEN, method(1), seed=1)
    assert Seeded() in seeded.guarantees[0].assumes
    assert "5a5a" not in repr(method(1)) + repr(PersonTags.of(bytes(32), "name"))


@pytest.mark.parametrize("tells", ["all", 1])
def test_what_is_declared_does_not_depend_on_the_rows(tells: Any, table: pa.Table, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    other = pa.table(
        {name: table.column(name).take(pa.array(rng.integers(0, 600, 600))) for name in table.column_names}
    )
    other = other.set_column(0, "name", pa.array([f"somebody {at}" for at in range(600)]))
    tk.anonymize(table, HIDDEN, method(tells, k=4)).write(tmp_path / "first")
    declared = []
    for at, rows in enumerate((table, other)):
        tk.anonymize(rows, HIDDEN, method(tells, like=tmp_path / "first")).write(tmp_path / str(at))
        manifest = json.loads((tmp_path / str(at) / "manifest.json").read_text())
        assert manifest["disclosed"] == {}
        declared.append(json.dumps(manifest["declared"]))
    assert declared[0] == declared[1]


@pytest.mark.parametrize(
    "change",
    [
        lambda manifest: manifest["declared"]["mechanism"].pop("repeat"),
        lambda manifest: manifest["declared"]["mechanism"].update(repeat={"key": "0" * 32}),
        lambda manifest: manifest["declared"]["mechanism"].update(repeat={"key": "secret"}),
        lambda manifest: manifest["declared"]["mechanism"].update(rows={"shuffled_in_blocks_of_at_least": 600}),
        lambda manifest: manifest["declared"]["method"].update(repeat=None),
    ],
)
def test_a_forged_release_is_refused(change: Any, table: pa.Table, tmp_path: Path) -> None:
    tk.anonymize(table, HIDDEN, method()).write(tmp_path / "out")
    rewrite(tmp_path / "out", change)
    with pytest.raises(ReleaseError):
        tk.read_release(tmp_path / "out")


def test_notes_say_when_it_is_not_needed_and_what_to_do_next(table: pa.Table) -> None:
    def notes(kept: Any, **more: Any) -> list[str]:
        made = tk.anonymize(table, HIDDEN, tk.PkPerturbation(k=3, tells="all", kept=kept, repeat=method(**more).repeat))
        assert made.record is not None
        return [each.key for each in made.record.notes]

    assert notes("unknown") == ["note.repeats_from_here"]
    assert notes("perturb") == notes("known") == ["note.repeats_anyway", "note.repeats_from_here"]
    first = tk.anonymize(table, HIDDEN, method())
    assert notes("unknown", like=first) == []


def test_bad_input_is_refused_in_one_sentence(table: pa.Table, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidParameter, match="leave sample out"):
        tk.PkPerturbation(k=3, sample=100, repeat=REPEAT)
    with pytest.raises(InvalidParameter, match="give split as weights"):
        tk.PkPerturbation(k=3, tells="all", split=tk.splits.OptimisedSplit("marginals"), repeat=REPEAT)
    with pytest.raises(InvalidParameter, match="leave like out"):
        tk.PRAM({"town": tk.transitions.KeepOrReplace(0.5)}, repeat=tk.Repeat(f"env:{PLACE}", "name", like="first"))
    with pytest.raises(InvalidParameter, match="env:NAME"):
        tk.Repeat("5a" * 32, "name")
    with pytest.raises(InvalidParameter, match="like takes an earlier release"):
        tk.Repeat(f"env:{PLACE}", "name", like=3)
    twin = table.set_column(0, "name", pa.array(["same"] * 2 + table.column("name").to_pylist()[2:]))
    lost = table.set_column(0, "name", pa.array([None, " ", *table.column("name").to_pylist()[2:]]))
    for frame, schema, problem in [
        (twin, HIDDEN, "has 599 people for 600 rows"),
        (lost, HIDDEN, "2 cells of it are missing"),
        (table.drop_columns("name"), HIDDEN, "has no column 'name'"),
        (table, HIDDEN.replacing(tk.Attribute("name", "person")), "has the role 'person'"),
        (table, HIDDEN.replacing(tk.Attribute("name", "insensitive")), "give it the role 'identifier'"),
    ]:
        with pytest.raises((DataError, InvalidParameter), match=problem):
            tk.anonymize(frame, schema, method())
    monkeypatch.delenv(PLACE)
    with pytest.raises(InvalidParameter, match="The key for 'name' is missing"):
        tk.anonymize(table, HIDDEN, method())


def test_pseudonyms_may_stand_beside_it(table: pa.Table) -> None:
    step = tk.prepare.Pseudonymize("name", key=f"env:{PLACE}")
    releases = [tk.anonymize(table, HIDDEN, method(), [step]) for _ in range(2)]
    assert as_multiset(releases[0].table) == as_multiset(releases[1].table)
    assert len(set(releases[0].table.column("name").to_pylist())) == table.num_rows
    repeats = tk.disclosure.repeats([table, table], releases, HIDDEN, "name", [step])
    assert tk.combine(releases, repeats)[0].value == releases[0].guarantees[0].value


def test_the_key_travels_to_tasks_and_nowhere_else() -> None:
    step = PersonTags.of(bytes(32), "name")
    assert pickle.loads(pickle.dumps(step)) == step
    assert step.describe() == {}
    assert not step.public


# Together.


@pytest.mark.parametrize("tells", ["all", 1])
def test_any_number_of_unchanged_releases_tells_what_one_tells(tells: Any, table: pa.Table, tmp_path: Path) -> None:
    releases = [tk.anonymize(table, HIDDEN, method(tells))]
    releases += [tk.anonymize(table, HIDDEN, method(tells, like=releases[0])) for _ in range(3)]
    for at, release in enumerate(releases):
        release.write(tmp_path / str(at))
    read = [tk.read_release(tmp_path / str(at)) for at in range(4)]
    repeats = tk.disclosure.repeats([table] * 4, read, HIDDEN, "name")
    pk, epsilon = tk.combine(read, repeats)
    assert pk.value == releases[0].guarantees[0].value >= 3
    assert epsilon.value == pytest.approx(releases[0].guarantees[1].value)
    assert pk.proof == epsilon.proof == "repeated"
    without = [tk.anonymize(table, HIDDEN, tk.PkPerturbation(k=3, tells=tells)) for _ in range(4)]
    assert tk.combine(without)[0].value < 1.001


def test_a_changed_value_pays_and_whoever_changes_alone_is_found(table: pa.Table) -> None:
    first = tk.anonymize(table, HIDDEN, method())
    ages = pa.array(
        [20 + (age + 1) % 41 if at < 200 else age for at, age in enumerate(table.column("age").to_pylist())]
    )
    many = table.set_column(table.column_names.index("age"), "age", ages)
    second = tk.anonymize(many, HIDDEN, method(like=first))
    repeats = tk.disclosure.repeats([table, many], [first, second], HIDDEN, "name")
    swaps = {name: float(channel.swap) for name, channel in first.mechanism.channels.items()}
    assert tk.combine([first, second], repeats)[0].value == pytest.approx(1 + 199 * swaps["age"] ** 2 * swaps["town"])
    assert [each.people for each in repeats.promised([first, second])] == [200, 400]
    one = changed(table, "age", 5, 20 if table.column("age")[5].as_py() != 20 else 21)
    third = tk.anonymize(one, HIDDEN, method(like=first))
    alone = tk.disclosure.repeats([table, one], [first, third], HIDDEN, "name")
    assert tk.combine([first, third], alone)[0].value == 1
    lost = tk.disclosure.repeats(
        [table, table.slice(1)], [first, tk.anonymize(table.slice(1), HIDDEN, method(k=2, like=first))], HIDDEN, "name"
    )
    assert sorted(each.people for each in lost.patterns) == [1, 599]


def test_without_counts_nothing_is_promised(table: pa.Table) -> None:
    first, second = (tk.anonymize(table, HIDDEN, method()) for _ in range(2))
    (pk,) = tk.combine([first, second])  # and no epsilon
    assert pk.value == 1
    assert PatternsUncounted() in pk.assumes
    other = tk.anonymize(table, HIDDEN, tk.PkPerturbation(k=3, tells="all", repeat=tk.Repeat(f"env:{OTHER}", "name")))
    apart = tk.combine([first, other])[0]  # under two keys draws are independent
    assert apart.value == pytest.approx(float(1 + 599 * first.mechanism.swap * other.mechanism.swap))
    fresh = tk.anonymize(table, HIDDEN, tk.PkPerturbation(k=3, tells="all"))
    assert tk.combine([first, second, fresh])[0].value == 1


def test_counts_must_belong_to_the_releases(table: pa.Table) -> None:
    first, second = (tk.anonymize(table, HIDDEN, method(k=k)) for k in (3, 2.5))
    repeats = tk.disclosure.repeats([table, table], [first, second], HIDDEN, "name")
    assert {tuple(each.draws["age"]) for each in repeats.patterns} == {(0, 1)}  # other noise: drawn anew
    with pytest.raises(InvalidParameter, match="in another order"):
        tk.combine([second, first], repeats)
    with pytest.raises(InvalidParameter, match="all made under one key"):
        tk.combine([first, second, tk.anonymize(table, HIDDEN, tk.PkPerturbation(k=3, tells="all"))], repeats)
    fresh = [tk.anonymize(table, HIDDEN, tk.PkPerturbation(k=3, tells="all")) for _ in range(2)]
    with pytest.raises(InvalidParameter, match="these do not"):
        tk.combine(fresh, repeats)
    with pytest.raises(InvalidParameter, match="made without repeat"):
        tk.disclosure.repeats([table, table], fresh, HIDDEN, "name")
    with pytest.raises(InvalidParameter, match="from another table"):
        tk.disclosure.repeats([table, table.slice(1)], [first, second], HIDDEN, "name")
    with pytest.raises(InvalidParameter, match="as many releases"):
        tk.disclosure.repeats([table], [first, second], HIDDEN, "name")
    with pytest.raises(InvalidParameter, match="at least two releases"):
        tk.disclosure.repeats([table], [first], HIDDEN, "name")
    seeded = [tk.anonymize(table, HIDDEN, method(), seed=1) for _ in range(2)]
    counts = tk.disclosure.repeats([table, table], seeded, HIDDEN, "name")
    with pytest.raises(InvalidParameter, match="with a seed"):
        tk.combine(seeded, counts)


def test_central_differential_privacy_is_that_of_one_release_alone(table: pa.Table, tmp_path: Path) -> None:
    """Each release has what it has without repeat; of several nothing is stated, since their draws are not independent."""
    asked = tk.PkPerturbation(epsilon=1.5, kept="perturb", repeat=REPEAT)
    first = tk.anonymize(table, HIDDEN, asked)
    first.write(tmp_path / "first")
    central = next(each for each in tk.read_release(tmp_path / "first").guarantees if each.proof == "central")
    assert central.value <= 1.5
    assert KeyKept(name=first.mechanism.repeat or "") in central.assumes
    assert SecretKey() not in central.assumes
    later = tk.PkPerturbation(epsilon=1.5, kept="perturb", repeat=tk.Repeat(f"env:{PLACE}", "name", like=first))
    second = tk.anonymize(table, HIDDEN, later)
    assert [each.value for each in second.guarantees] == [each.value for each in first.guarantees]
    repeats = tk.disclosure.repeats([table, table], [first, second], HIDDEN, "name")
    together = tk.combine([first, second], repeats)
    assert [each.notion for each in together] == ["Pk-anonymity", "local differential privacy"]
    with pytest.raises(InfeasiblePromise, match="does not keep it for this table"):
        tk.anonymize(table.slice(0, 300), HIDDEN, later)
    fresh = [tk.anonymize(table, HIDDEN, tk.PkPerturbation(epsilon=1.5, kept="perturb")) for _ in range(2)]
    assert tk.combine(fresh)[-1].notion == "central differential privacy"


def test_pram_repeats_too(table: pa.Table) -> None:
    asked = tk.PRAM({"town": tk.transitions.KeepOrReplace(0.5)}, repeat=REPEAT)
    schema = HIDDEN.replacing(tk.Attribute("age", "insensitive", tk.Numbers(20, 60, step=1)))
    releases = [tk.anonymize(table, schema, asked) for _ in range(2)]
    assert as_multiset(releases[0].table) == as_multiset(releases[1].table)
    repeats = tk.disclosure.repeats([table, table], releases, schema, "name")
    assert tk.combine(releases, repeats)[0].value == releases[0].guarantees[0].value > 1


# Plans.


def test_a_plan_names_key_person_and_earlier_release(table: pa.Table, tmp_path: Path) -> None:
    write_key(tmp_path / "people.key")
    pq.write_table(table, tmp_path / "people.parquet")
    plan = plan_for(
        Path("people.parquet"), tk.PkPerturbation(k=3, repeat=tk.Repeat("file:people.key", "name")), (), HIDDEN
    )
    text = plan.to_toml()
    (tmp_path / "first.toml").write_text(text)
    read = Plan.read(tmp_path / "first.toml")
    first = tk.run(read)
    read.write(first)
    later = text.replace('person = "name"', 'person = "name", like = "release"')
    (tmp_path / "second.toml").write_text(later)
    second = tk.run(tmp_path / "second.toml")
    assert as_multiset(first.table) == as_multiset(second.table)
    with pytest.raises(PlanError, match=r"method.repeat.persn' is not known here. Did you mean 'person'"):
        Plan.from_toml(later.replace("person =", "persn ="), tmp_path)
