"""Pseudonyms: what they are, that the key stays apart, and that every engine makes the same."""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import hmac
import json
import pickle
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

import tokumei as tk
from tests.conftest import columns_of
from tests.engines.stream.rows import SCHEMA, as_multiset, plan_for
from tests.engines.stream.rows import people as many
from tokumei.engines.stream import engine
from tokumei.errors import DataError, InvalidParameter
from tokumei.prepare.keyed import base32
from tokumei.prepare.keys import write_key
from tokumei.privacy.assumptions import OthersUnknown
from tokumei.privacy.attackers import LearnsNothingFrom
from tokumei.privacy.exact import link_posteriors
from tokumei.words import Words

SECRET = "00112233445566778899aabbccddeeff"
PLACE = "A_TEST_OF_PSEUDONYMS"
STEP = tk.prepare.Pseudonymize("name", key=f"env:{PLACE}")


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PLACE, SECRET)


def pseudonym(text: str, purpose: str = "column name", key: str = SECRET) -> str:
    """The same by the standard library alone, one at a time."""
    message = f"tokumei pseudonym {len(purpose)}:{purpose}{text}".encode()
    digest = hmac.new(bytes.fromhex(key), message, hashlib.sha256).digest()
    return base64.b32encode(digest[:16]).decode().rstrip("=").lower()


def released(frame: Any, schema: tk.Schema, *steps: Any) -> dict[str, list[Any]]:
    return columns_of(tk.anonymize(frame, schema, tk.PkPerturbation(k=2, tells="all"), list(steps)).frame)


def test_the_bits_are_written_as_the_standard_library_writes_them() -> None:
    words = np.random.default_rng(1).integers(0, 256, (50, 16), dtype=np.uint8)
    expected = [base64.b32encode(row.tobytes()).decode().rstrip("=").lower() for row in words]
    assert base32(words).to_pylist() == expected
    assert base32(words[:0]).to_pylist() == []


def test_a_pseudonym_is_a_keyed_hash_of_the_cell(make, people, schema) -> None:
    found = released(make(people), schema, STEP)
    assert sorted(found["name"]) == sorted(pseudonym(name) for name in people["name"])
    assert {len(each) for each in found["name"]} == {26}


def test_pseudonyms_stay_with_their_rows(make, people, schema) -> None:
    release = tk.anonymize(make(people), schema, tk.Generalization(k=5), [STEP])
    assert release.schema["name"] == tk.Attribute("name", "insensitive")
    found = columns_of(release.frame)
    ill = dict(zip((pseudonym(name) for name in people["name"]), people["ill"], strict=True))
    assert dict(zip(found["name"], found["ill"], strict=True)) == ill
    assert release.record is not None
    assert release.record.identifiers == ()


def test_purposes_keep_pseudonyms_apart_and_join_them_where_asked(people, schema) -> None:
    table = pa.table({**people, "doctor": people["name"]})
    wide = tk.Schema([*schema, tk.Attribute("doctor", "identifier")])
    apart = released(table, wide, STEP, tk.prepare.Pseudonymize("doctor", key=f"env:{PLACE}"))
    assert not set(apart["name"]) & set(apart["doctor"])
    steps = [tk.prepare.Pseudonymize(column, key=f"env:{PLACE}", purpose="people") for column in ("name", "doctor")]
    together = released(table, wide, *steps)
    assert together["name"] == together["doctor"]
    assert together["name"][0] in {pseudonym(name, "purpose people") for name in people["name"]}
    assert not set(together["name"]) & set(apart["name"])


@pytest.mark.parametrize(
    ("cells", "texts"),
    [
        (pa.array([7, 12]), ["7", "12"]),
        (pa.array([7.0, 12.0], pa.float32()), ["7", "12"]),
        (pa.array(["7", "12"], pa.string_view()), ["7", "12"]),
        (pa.array(["7", "12"]).dictionary_encode(), ["7", "12"]),
        (pa.array([dt.date(2020, 1, 2), dt.date(2020, 12, 31)]), ["2020-01-02", "2020-12-31"]),
        (pa.array([7, 12]).cast(pa.decimal128(20, 0)), ["7", "12"]),
        (pa.array(["e\u0301", "x"]), ["é", "x"]),
    ],
    ids=str,
)
def test_the_same_text_however_it_is_stored(cells: Any, texts: list[str]) -> None:
    schema = tk.Schema(
        [tk.Attribute("id", "identifier"), tk.Attribute("a", "quasi_identifier", tk.Categories(["x", "y"]))]
    )
    step = tk.prepare.Pseudonymize("id", key=f"env:{PLACE}")
    found = released(pa.table({"id": cells, "a": ["x", "y"]}), schema, step)
    assert sorted(found["id"]) == sorted(pseudonym(text, "column id") for text in texts)


@pytest.mark.parametrize(
    ("cells", "says"),
    [
        ([1.5, 2.0], "1 number with a fraction"),
        ([2.0**60, 2.0], "1 number with a fraction, or too large"),
        ([True, False], "holds booleans"),
        (pa.array([b"a", b"b"]), "holds bytes"),
        (pa.array([0, 1], pa.timestamp("s")), "holds points in time; only text, whole numbers and dates"),
    ],
    ids=str,
)
def test_what_has_no_text_of_its_own_is_refused(cells: Any, says: str) -> None:
    schema = tk.Schema(
        [tk.Attribute("id", "identifier"), tk.Attribute("a", "quasi_identifier", tk.Categories(["x", "y"]))]
    )
    with pytest.raises(DataError, match=says):
        released(pa.table({"id": cells, "a": ["x", "y"]}), schema, tk.prepare.Pseudonymize("id", key=f"env:{PLACE}"))


def test_missing_stays_missing_where_that_is_allowed(make, people, schema) -> None:
    holed = {**people, "name": [None, *people["name"][1:]]}
    with pytest.raises(DataError, match="1 missing value; allow them"):
        released(make(holed), schema, STEP)
    allowed = schema.replacing(tk.Attribute("name", "identifier", missing=True))
    assert released(make(holed), allowed, STEP)["name"].count(None) == 1


def test_numbers_with_missing_ones_are_the_same_people(people, schema) -> None:
    """pandas makes floats of them."""
    import pandas as pd

    frame = pd.DataFrame({**people, "name": [None, *range(1, 60)]})
    assert frame["name"].dtype == float
    found = released(frame, schema.replacing(tk.Attribute("name", "identifier", missing=True)), STEP)
    assert Counter(found["name"]) == Counter([None, *(pseudonym(str(i)) for i in range(1, 60))])


def test_only_identifiers_and_each_once(people, schema) -> None:
    table = pa.table(people)
    with pytest.raises(InvalidParameter, match="'pseudonymize' is for identifiers, and 'age' has the role") as caught:
        released(table, schema, tk.prepare.Pseudonymize("age", key=f"env:{PLACE}"))
    assert "Recode" in str(caught.value)
    with pytest.raises(InvalidParameter, match="no column 'nam' in the schema"):
        released(table, schema, tk.prepare.Pseudonymize("nam", key=f"env:{PLACE}"))
    with pytest.raises(InvalidParameter, match="Two steps release parts of the identifier 'name'"):
        released(table, schema, STEP, tk.prepare.Mask("name"))
    with pytest.raises(DataError, match="no column 'name'"):
        released(table.drop_columns("name"), schema, STEP)


@pytest.mark.parametrize("key", ["", "env:", "file:", SECRET, "vault:x"])
def test_a_reference_says_where_the_key_is(key: str) -> None:
    with pytest.raises(InvalidParameter, match="must be 'env:NAME' or 'file:PATH'") as caught:
        tk.prepare.Pseudonymize("name", key=key)
    assert SECRET not in str(caught.value)


def test_a_key_file(tmp_path: Path, people, schema) -> None:
    file = tmp_path / "pseudonyms.key"
    write_key(file)
    assert file.stat().st_mode & 0o777 == 0o600
    key = file.read_text().strip()
    assert len(bytes.fromhex(key)) == 32
    step = tk.prepare.Pseudonymize("name", key=f"file:{file}")
    found = released(pa.table(people), schema, step)
    assert set(found["name"]) == {pseudonym(name, key=key) for name in people["name"]}
    with pytest.raises(OSError, match="already exists"):
        write_key(file)
    assert file.read_text().strip() == key
    file.chmod(0o640)
    with pytest.raises(InvalidParameter, match="chmod 600"):
        released(pa.table(people), schema, step)


@pytest.mark.parametrize("content", ["", "zz" * 20, "ab" * 15, "not a key"])
def test_bad_keys_and_their_places_are_told_to_nobody(
    content: str, tmp_path: Path, people, schema, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "hidden-place"
    file.write_text(content)
    file.chmod(0o600)
    monkeypatch.setenv("HIDDEN_PLACE", content)
    for key in (f"file:{file}", "env:HIDDEN_PLACE", "env:HIDDEN_PLACE_2", f"file:{file}-2", f"file:{file}\0"):
        with pytest.raises(InvalidParameter, match="The key for 'name'") as caught:
            released(pa.table(people), schema, tk.prepare.Pseudonymize("name", key=key))
        chain = "".join(traceback.format_exception(caught.value))
        assert "hidden-place" not in chain
        assert "HIDDEN_PLACE" not in chain
        assert not content or content not in chain
        assert caught.value.__context__ is None


def test_neither_the_key_nor_its_place_is_in_a_release(tmp_path: Path, people, schema) -> None:
    release = tk.anonymize(pa.table(people), schema, tk.PkPerturbation(k=2, tells="all"), [STEP])
    release.write(tmp_path / "out")
    text = (tmp_path / "out" / "manifest.json").read_text()
    opened = STEP.opened()
    for told in (text, repr(release), repr(STEP), repr(opened), str(release.record), repr(release.prepare)):
        assert SECRET not in told
        assert PLACE not in told
        assert repr(bytes.fromhex(SECRET)) not in told
    assert json.loads(text)["declared"]["prepare"] == [{"step": "pseudonymize", "column": "name", "bits": 128}]
    read = tk.read_release(tmp_path / "out")
    assert read.guarantees == release.guarantees
    assert sorted(read.frame["name"]) == sorted(release.table["name"].to_pylist())


METHODS = [
    tk.PkPerturbation(k=2, tells="all"),
    tk.PRAM({"sex": tk.transitions.KeepOrReplace(0.1)}, k=2),
    tk.GroupedPkPerturbation(k=2),
    tk.Generalization(k=3),
    tk.RecordSuppression(k=2, suppression_limit=1.0),
    tk.LocalSuppression(k=3),
    tk.Microaggregation(k=3),
    tk.Sampling(10, known=5),
]


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.method)
def test_every_promise_says_what_a_pseudonym_means(method: Any, people, schema) -> None:
    doubled = {name: cells * 4 for name, cells in people.items()}
    steps = [STEP, tk.prepare.Drop("age")] if isinstance(method, tk.PRAM) else [STEP]
    release = tk.anonymize(pa.table(doubled), schema, method, steps)
    assert release.guarantees
    for guarantee in release.guarantees:
        assert {each.key for each in STEP.assumes()} <= {each.key for each in guarantee.assumes}
        said = " ".join(map(str, guarantee.assumes))
        assert "nothing is promised against anyone who has its key" in said
        assert "share a key can be joined row by row" in said
        assert "A person with several rows has the same pseudonym 'name' in each" in said


def test_a_pseudonym_that_is_dropped_after_all_is_not_spoken_of(people, schema) -> None:
    release = tk.anonymize(
        pa.table(people), schema, tk.PkPerturbation(k=2, tells="all"), [STEP, tk.prepare.Drop("name")]
    )
    assert "name" not in release.schema.names()
    assert release.pseudonyms == ()
    assert not any("pseudonym" in str(each) for each in release.guarantees[0].assumes)


def test_what_may_be_thought_of_a_pseudonym(people, schema) -> None:
    table = pa.table(people)
    for method in (tk.PkPerturbation(k=2, kept="known", tells="all"), tk.GroupedPkPerturbation(k=2, kept="known")):
        with pytest.raises(InvalidParameter, match="only to someone who has its key; use kept='unknown'"):
            tk.anonymize(table, schema, method, [STEP])
    with pytest.raises(InvalidParameter, match="kept='perturb' cannot perturb 'name'"):
        tk.anonymize(table, schema, tk.PkPerturbation(k=2, kept="perturb", tells="all"), [STEP])
    release = tk.anonymize(table, schema, tk.PkPerturbation(k=2, tells="all"), [STEP])
    assert release.guarantees[0].attacker == LearnsNothingFrom(columns=("name", "ill"))
    alike = tk.anonymize(table, schema, tk.Generalization(k=3), [STEP])
    assert OthersUnknown(columns=("name", "ill")) in alike.guarantees[0].assumes


def test_without_the_key_a_pseudonym_does_not_help_the_exact_adversary() -> None:
    """Four people, two bits kept with 3/4: he knows the table and the mechanism, and sees rows that have pseudonyms.

    To him every way of giving pseudonyms to people is as likely as any other: he averages over them.
    """
    import itertools

    flip = np.array([[0.75, 0.25], [0.25, 0.75]])
    true, seen = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])
    bare = link_posteriors(flip[np.ix_(true, seen)].astype(float))
    weights, links = [], []
    for order in itertools.permutations(range(4)):  # person i has the pseudonym, and the row, order[i]
        weights.append(np.prod(flip[true, seen[list(order)]]))
        links.append(np.eye(4)[list(order)])
    averaged = np.tensordot(weights, links, axes=1) / np.sum(weights)
    assert np.allclose(averaged, bare)


def test_the_same_key_in_two_releases_multiplies_their_swaps(people, schema) -> None:
    """Against the exact adversary: rows joined by pseudonym are draws from the product of both mechanisms."""
    table = pa.table(people)
    quiet = schema.without("ill")
    first = tk.anonymize(table.drop_columns("ill"), quiet, tk.PkPerturbation(k=5, tells="all"), [STEP])
    second = tk.anonymize(table.drop_columns("ill"), quiet, tk.PkPerturbation(k=5, tells="all"), [STEP])
    together = tk.combine([first, second])[0]
    swap = float(first.mechanism.swap * second.mechanism.swap)
    assert together.value == pytest.approx(1 + 59 * swap)
    assert together.value < 2
    assert any("joins rows by 'name'" in str(each) for each in together.assumes)
    assert "whatever" not in together.headline
    alone = [tk.anonymize(table.drop_columns("ill"), quiet, tk.PkPerturbation(k=5, tells="all")) for _ in range(2)]
    assert tk.combine(alone)[0].value == pytest.approx(5, rel=1e-6)
    assert tk.combine([first, alone[0]])[0].value == pytest.approx(together.value)
    flip = np.array([[0.75, 0.25], [0.25, 0.75]])
    both = np.kron(flip, flip)  # what is released twice of a bit
    true = [0, 1, 1]
    seen = [0, 3, 3]  # both releases show the first person's bit as it is, and those of the others
    told = link_posteriors(both[:, [0, 3]][np.ix_(seen, true)].T)
    swapped = (0.25 / 0.75) ** 4  # two cells of two releases change places
    assert told.max() == pytest.approx(1 / (1 + 2 * swapped))


def test_a_known_pseudonym_of_an_older_release_still_joins(people, schema) -> None:
    """Whatever a manifest says of kept columns, pseudonyms join rows."""
    from dataclasses import replace

    table = pa.table(people)
    released_ = [tk.anonymize(table, schema, tk.PkPerturbation(k=2, tells="all"), [STEP]) for _ in range(2)]
    said = [replace(each, method={**each.method, "kept": "known"}) for each in released_]
    assert any("joins rows by 'name'" in str(each) for each in tk.combine(said)[0].assumes)


def test_a_stream_makes_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "batch_rows", lambda memory, columns: 257)
    table = many(1000)
    ids = pa.array([None if i == 7 else f"{i % 400:05d}" for i in range(1000)])  # people with several rows, zeros ahead
    table = table.set_column(0, "name", ids)
    schema = SCHEMA.replacing(tk.Attribute("name", "identifier", missing=True))
    pyarrow.parquet.write_table(table, tmp_path / "people.parquet")
    pyarrow.csv.write_csv(table, tmp_path / "people.csv")
    found = []
    for file in ("people.parquet", "people.csv"):
        for method in (
            tk.PkPerturbation(k=5, tells="all"),
            tk.Generalization(k=5, partition=tk.partitions.Mondrian(strict=True)),
        ):
            for step in (STEP, tk.prepare.Mask("name", show=2)):
                plan = plan_for(tmp_path / file, method, [step], schema)
                local, stream = tk.run(plan, seed=3), tk.run(plan, engine="stream", seed=3)
                assert as_multiset(local.table) == as_multiset(stream.table.select(local.table.column_names))
                assert stream.guarantees == local.guarantees
                assert stream.table.schema.field("name").type == local.table.schema.field("name").type
                found.append(Counter(local.table["name"].to_pylist()))
    assert found[0] == Counter(None if i == 7 else pseudonym(f"{i % 400:05d}") for i in range(1000))
    assert found[::2] == [found[0]] * 4
    assert found[1::2] == [found[1]] * 4


def test_spark_makes_the_same(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = many(600)
    pyarrow.parquet.write_table(table, tmp_path / "people.parquet", row_group_size=100)
    frame = spark.read.parquet(str(tmp_path / "people.parquet"))
    method, steps = tk.PkPerturbation(k=5, tells="all"), [STEP]
    local = tk.anonymize(table, SCHEMA, method, steps, seed=3)
    release = tk.anonymize(frame, SCHEMA, method, steps, seed=3)
    monkeypatch.delenv(PLACE)  # the key was taken when the release was made, not when its rows are drawn
    collected = release.collected()
    assert as_multiset(collected.table.select(local.table.column_names)) == as_multiset(local.table)
    assert collected.guarantees == local.guarantees


def test_an_opened_step_travels_to_other_machines() -> None:
    opened = pickle.loads(pickle.dumps(STEP.opened()))
    assert opened.changed(pa.array(["a"])).to_pylist() == [pseudonym("a")]


def test_a_plan_holds_the_reference_and_paths_are_its_own(tmp_path: Path, people, schema) -> None:
    write_key(tmp_path / "secret.key")
    pyarrow.csv.write_csv(pa.table(people), tmp_path / "people.csv")
    plan = tmp_path / "plan.toml"
    plan.write_text(
        """
[source]
path = "people.csv"
[schema.name]
role = "identifier"
[schema.age]
domain = { kind = "numbers", low = 20, high = 60, step = 1 }
[schema.sex]
domain = { kind = "categories", values = ["Female", "Male"] }
[schema.ill]
role = "sensitive"
domain = { kind = "categories", values = [false, true] }
[[prepare]]
step = "pseudonymize"
column = "name"
key = "file:secret.key"
[method]
method = "pk_perturbation"
k = 2
"""
    )
    described = tk.Plan.read(plan)
    assert "secret.key" not in repr(described)
    found = tk.run(described).table["name"].to_pylist()
    key = (tmp_path / "secret.key").read_text().strip()
    assert sorted(found) == sorted(pseudonym(name, key=key) for name in people["name"])


def test_reports_do_not_take_a_pseudonym_for_a_name(people, schema) -> None:
    from tokumei.reports import advice
    from tokumei.reports.evidence import Evidence, now
    from tokumei.reports.findings import private_findings

    rows, method = pa.table(people), tk.Generalization(k=3)
    release = tk.anonymize(rows, schema, method, [STEP])
    assert release.pseudonyms == ("name",)
    found = private_findings(release, {}, Evidence(now()), rows, schema, (STEP,), method, None, 1)
    assert list(advice.nearly_unique(found, found.private)) == []  # type: ignore[arg-type]


def test_reports_say_it_in_japanese_too() -> None:
    for step in (STEP, tk.prepare.Mask("name")):
        for assumed in step.assumes():
            assert "「name」" in Words("ja").say(assumed)
