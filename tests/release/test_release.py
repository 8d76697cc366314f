"""The boundary: what is written, that it is whole, and that nothing else gets through."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest

import tokumei as tk
from tests.conftest import columns_of
from tests.release.forging import rewrite
from tokumei.errors import InvalidParameter, OutputError, ReleaseError
from tokumei.release import files
from tokumei.release.manifest import declared_and_disclosed


@pytest.fixture
def release(people, schema) -> tk.Release:
    return tk.anonymize(pd.DataFrame(people), schema, tk.PkPerturbation(k=5, tells="all"))


@pytest.mark.parametrize("format", ["parquet", "csv"])
def test_written_and_read_back(release, tmp_path: Path, format: str, kind: str) -> None:
    release.write(tmp_path / "out", format=format)
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == [f"data.{format}", "manifest.json"]
    again = tk.read_release(tmp_path / "out", frame=kind)
    assert columns_of(again.frame) == columns_of(release.frame)
    assert again.schema == release.schema
    assert again.mechanism == release.mechanism
    assert again.guarantees == release.guarantees
    assert again.method == release.method
    assert again.record is None


def test_every_type_survives_both_formats(tmp_path: Path) -> None:
    from tests.table.test_frames import SCHEMA, frames

    release = tk.anonymize(frames()["pyarrow"], SCHEMA, tk.PkPerturbation(k=3, tells="all"))
    for format in ("parquet", "csv"):
        release.write(tmp_path / format, format=format)
        again = tk.read_release(tmp_path / format, frame="pyarrow")
        assert columns_of(again.frame) == columns_of(release.frame)
        assert again.schema == release.schema


def test_text_that_csv_could_mistake(tmp_path: Path) -> None:
    labels = ["", "NA", "007", 'say "hi"', "a,b", "two\nlines", "null"]
    schema = tk.Schema(
        [
            tk.Attribute("t", domain=tk.Categories(labels), missing=True),
            tk.Attribute("kept", "insensitive", missing=True),
        ]
    )
    table = pa.table({"t": [*labels, None] * 4, "kept": [None, *labels] * 4})
    release = tk.anonymize(table, schema, tk.PkPerturbation(k=2, tells="all"))
    release.write(tmp_path / "out", format="csv")
    assert columns_of(tk.read_release(tmp_path / "out", frame="pyarrow").frame) == columns_of(release.frame)


# The declared part does not know the rows.


def random_people(seed: int, rows: int = 80) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "name": [f"{seed}-{i}" for i in range(rows)],
            "age": rng.integers(20, 61, rows),
            "sex": rng.choice(["Female", "Male"], rows, p=[0.1, 0.9]),
            "ill": rng.random(rows) < 0.5,
        }
    )


@pytest.mark.parametrize("kept", ["unknown", "perturb"])
def test_declared_is_byte_identical_whatever_the_rows(schema, tmp_path: Path, kept: str) -> None:
    texts = set()
    for seed in range(5):
        made = tk.anonymize(random_people(seed), schema, tk.PkPerturbation(k=5, kept=kept, tells="all"))
        content = json.loads((made.write(tmp_path / f"{seed}") / "manifest.json").read_text(encoding="utf-8"))
        assert content["disclosed"] == {}
        texts.add(json.dumps(content["declared"]))
    assert len(texts) == 1


def test_what_was_taken_from_the_data_stands_under_disclosed(schema) -> None:
    declared, disclosed = set(), set()
    for seed in range(4):
        made = tk.anonymize(random_people(seed), schema, tk.PkPerturbation(k=5, kept="known", tells="all"))
        one, other = declared_and_disclosed(made)
        assert "mechanism" not in one
        assert {"hiding_places", "mechanism", "guarantees"} == set(other)
        assert all(fact["reason"] for fact in other.values())
        declared.add(json.dumps(one))
        disclosed.add(json.dumps(other))
    assert len(declared) == 1
    assert len(disclosed) > 1


@pytest.mark.filterwarnings("ignore::tokumei.errors.ObservedDomainWarning")
def test_observed_domains_stand_under_disclosed(tmp_path: Path) -> None:
    declared = set()
    for seed in range(4):
        people = random_people(seed).iloc[: 70 + 0 * seed]
        with pytest.warns(tk.errors.ObservedDomainWarning, match="read from the data"):
            schema = tk.Schema.observe(people, roles={"name": "identifier", "ill": "sensitive"})
        release = tk.anonymize(people, schema, tk.PkPerturbation(k=5, tells="all"))
        one, other = declared_and_disclosed(release)
        assert set(other["domains"]["value"]) == {"age", "sex", "ill"}
        declared.add(json.dumps(one))
        release.write(tmp_path / str(seed))
        assert tk.read_release(tmp_path / str(seed)).schema == release.schema
    assert len(declared) == 1


def test_no_seed_key_name_or_original_value_is_in_a_manifest(tmp_path: Path, people, schema) -> None:
    release = tk.anonymize(pd.DataFrame(people), schema, tk.PkPerturbation(k=5, tells="all"), seed=987_654_321)
    release.write(tmp_path / "out", allow_seeded=True)
    text = (tmp_path / "out" / "manifest.json").read_text(encoding="utf-8")
    assert "987654321" not in text
    assert "person" not in text.replace("a person", "").replace("of a person", "").replace("Each person", "")
    assert '"randomness": "seeded"' in text


def test_nothing_of_the_frame_leaks_through_the_file(tmp_path: Path, schema, people) -> None:
    frame = pd.DataFrame(people, index=pd.Index([f"secret {i}" for i in range(60)], name="who"))
    frame.attrs["secret"] = "yes"
    tk.anonymize(frame, schema, tk.PkPerturbation(k=5, tells="all")).write(tmp_path / "out")
    file = pyarrow.parquet.ParquetFile(tmp_path / "out" / "data.parquet")
    assert file.schema_arrow.metadata is None or b"pandas" not in file.schema_arrow.metadata
    assert file.schema_arrow.names == ["age", "sex", "ill"]
    assert b"secret" not in (tmp_path / "out" / "data.parquet").read_bytes()


def test_the_order_of_the_rows_says_nothing(schema) -> None:
    """Position in the release must not depend on position in the original: kept row numbers are a uniform order."""
    with_rows = tk.Schema([*schema, tk.Attribute("row", "insensitive")])
    first = []
    for seed in range(300):
        frame = random_people(0, 12).assign(row=range(12))
        release = tk.anonymize(frame, with_rows, tk.PkPerturbation(k=2, tells="all"), seed=seed)
        first.append(release.frame["row"].iloc[0])
    from scipy import stats

    assert stats.chisquare(np.bincount(first, minlength=12)).pvalue > 1e-4


# Whole or not at all.


def test_seeded_releases_are_not_written_unless_asked(people, schema, tmp_path: Path) -> None:
    release = tk.anonymize(pd.DataFrame(people), schema, tk.PkPerturbation(k=5, tells="all"), seed=1)
    with pytest.raises(OutputError, match="drawn with a seed"):
        release.write(tmp_path / "out")
    assert not (tmp_path / "out").exists()
    release.write(tmp_path / "out", allow_seeded=True)
    assert tk.read_release(tmp_path / "out").seeded


def test_nothing_is_overwritten_unless_asked(release, tmp_path: Path) -> None:
    release.write(tmp_path / "out")
    before = (tmp_path / "out" / "manifest.json").read_bytes()
    with pytest.raises(OutputError, match="already exists"):
        release.write(tmp_path / "out", format="csv")
    assert (tmp_path / "out" / "manifest.json").read_bytes() == before
    release.write(tmp_path / "out", format="csv", overwrite=True)
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["data.csv", "manifest.json"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out"]


def test_only_releases_are_overwritten(release, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "thesis.txt").write_text("years of work", encoding="utf-8")
    with pytest.raises(OutputError, match="contains other things than a release"):
        release.write(tmp_path / "home", overwrite=True)
    assert (tmp_path / "home" / "thesis.txt").exists()
    with pytest.raises(OutputError, match="is a file"):
        release.write(tmp_path / "home" / "thesis.txt", overwrite=True)


@pytest.mark.parametrize("broken", ["rows", "manifest", "interrupt"])
def test_a_failure_in_the_middle_leaves_nothing(release, tmp_path: Path, monkeypatch, broken: str) -> None:
    full = OSError(errno.ENOSPC, "No space left on device")

    def fail(*_: object, **__: object) -> None:
        raise KeyboardInterrupt if broken == "interrupt" else full

    if broken == "manifest":
        monkeypatch.setattr(files.manifest, "text_of", fail)
    else:
        monkeypatch.setitem(files.WRITERS, "parquet", fail)
    expected = KeyboardInterrupt if broken == "interrupt" else OutputError
    with pytest.raises(expected) as caught:
        release.write(tmp_path / "deep" / "out")
    if broken != "interrupt":
        assert "no space left on device" in str(caught.value)
        assert "nothing was left behind" in str(caught.value)
    assert list((tmp_path / "deep").iterdir()) == []


def test_a_failure_keeps_the_old_release(release, tmp_path: Path, monkeypatch) -> None:
    release.write(tmp_path / "out")
    before = (tmp_path / "out" / "manifest.json").read_bytes()

    def fail(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setitem(files.WRITERS, "parquet", fail)
    with pytest.raises(OutputError):
        release.write(tmp_path / "out", overwrite=True)
    assert (tmp_path / "out" / "manifest.json").read_bytes() == before


def test_places_that_cannot_be_written(release, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(OutputError, match="cannot be written"):
        release.write(tmp_path / "file" / "below")
    with pytest.raises(InvalidParameter, match="format must be"):
        release.write(tmp_path / "out", format="excel")


# Reading what should not be trusted.


def test_changed_rows_are_noticed(release, tmp_path: Path) -> None:
    release.write(tmp_path / "out", format="csv")
    file = tmp_path / "out" / "data.csv"
    file.write_text(file.read_text().replace("Female", "Male", 1))
    with pytest.raises(ReleaseError, match="data.csv was changed"):
        tk.read_release(tmp_path / "out")


def test_a_changed_manifest_is_noticed(release, tmp_path: Path) -> None:
    release.write(tmp_path / "out")
    file = tmp_path / "out" / "manifest.json"
    file.write_text(file.read_text().replace('"among": 60', '"among": 59'))
    with pytest.raises(ReleaseError, match="changed after it was written"):
        tk.read_release(tmp_path / "out")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: m["declared"]["guarantees"][0].update(value=50.0), "does not satisfy"),
        (lambda m: m["declared"]["guarantees"][0]["numbers"].update(among=600), "other rows than it was made from"),
        (lambda m: m["declared"]["guarantees"][0].update(value=-1e308), "does not satisfy"),
        (lambda m: m["declared"]["guarantees"][1].update(value=0.001), "does not satisfy"),
        (lambda m: m["declared"]["guarantees"][1]["numbers"].update(age=1e-6), "does not satisfy"),
        (lambda m: m["declared"]["guarantees"][1]["numbers"].update(ill=1.0), "it cannot have"),
        (lambda m: m["declared"]["mechanism"].update(of=10**9), "sampled from more rows"),
        (lambda m: m["declared"]["mechanism"].update(of=float("inf")), "whole number|not JSON"),
        (lambda m: m.update(format=2), "format 2 and was written by tokumei .*, and this version reads format 1"),
        (lambda m: m["declared"].update(surprise=1), "cannot be understood at declared.surprise"),
        (lambda m: m["data"].pop("rows"), "cannot be understood at data.rows"),
        (lambda m: m["data"].update(rows=61), "other rows than it was made from"),
        (lambda m: m["declared"]["mechanism"].update(rows="sorted"), "rows in a way"),
        (lambda m: m["declared"]["mechanism"]["columns"]["sex"].update(channel="x"), "kind of channel"),
        (lambda m: m["declared"].pop("mechanism"), "its mechanism once"),
        (lambda m: m["declared"].update(randomness="none"), "cannot be understood at declared.randomness"),
        (
            lambda m: m["disclosed"].update(
                guarantees={"value": m["declared"]["guarantees"], "reason": {"key": "reason.derived"}}
            ),
            "its guarantees once",
        ),
        (lambda m: m["declared"]["columns"][0].update(role="identifier"), "calls an identifier"),
        (
            lambda m: m["declared"]["columns"].append(m["declared"]["columns"][0]),
            "contradicts itself|cannot be understood|how every column",
        ),
        (lambda m: m["data"].update(file="../../etc/passwd"), "format that this version"),
        (lambda m: m["declared"]["mechanism"]["columns"].pop("sex"), "how every column was made"),
        (lambda m: m["declared"]["mechanism"].update(kept=[]), "how every column was made"),
        (
            lambda m: m["declared"]["mechanism"]["columns"]["sex"].update(size=1, other=1, keep=2**32 - 1, bits=32),
            "channel of 'sex' does not fit its domain",
        ),
        (lambda m: m["declared"].update(guarantees=[]), "must state its guarantee|states no guarantee"),
        (lambda m: m["declared"]["method"].update(kept="known"), "another attacker than its method"),
        (lambda m: m["declared"]["method"].update(kept="perturb"), "keeps columns unchanged that its method perturbs"),
        (lambda m: m["declared"]["guarantees"][0].update(attacker={"key": "attacker.anyone"}), "another attacker"),
        (
            lambda m: (
                m["declared"]["method"].update(kept="known"),
                m["declared"]["guarantees"][0].update(attacker={"key": "attacker.whole_table"}),
            ),
            "larger equivalence classes than its own rows have|other assumptions",
        ),
        (lambda m: m["data"].update(format="pickle", file="data.pickle"), "format that this version"),
    ],
)
def test_manifests_that_are_signed_but_wrong(release, tmp_path: Path, change, message: str) -> None:
    release.write(tmp_path / "out")
    rewrite(tmp_path / "out", change)
    with pytest.raises(ReleaseError, match=message):
        tk.read_release(tmp_path / "out")


def test_folders_that_are_no_release(release, tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match=r"has no manifest\.json"):
        tk.read_release(tmp_path)
    with pytest.raises(ReleaseError, match=r"has no manifest\.json"):
        tk.read_release(tmp_path / "absent")
    release.write(tmp_path / "there")
    with pytest.raises(ReleaseError, match=r"Give its folder, .*there\.$"):
        tk.read_release(tmp_path / "there" / "data.parquet")
    (tmp_path / "manifest.json").write_text("not json", encoding="utf-8")
    with pytest.raises(ReleaseError, match="not JSON"):
        tk.read_release(tmp_path)
    (tmp_path / "manifest.json").write_text("[1]", encoding="utf-8")
    with pytest.raises(ReleaseError, match="not the manifest of a release"):
        tk.read_release(tmp_path)
    release.write(tmp_path / "out")
    os.remove(tmp_path / "out" / "data.parquet")  # noqa: PTH107
    with pytest.raises(ReleaseError, match=r"has no data\.parquet"):
        tk.read_release(tmp_path / "out")


def test_unknown_kinds_of_frame(release, tmp_path: Path) -> None:
    release.write(tmp_path / "out")
    with pytest.raises(InvalidParameter, match="frame must be"):
        tk.read_release(tmp_path / "out", frame="spark")


def test_a_release_prints_its_promise(release) -> None:
    assert "60 rows and 3 columns" in repr(release)
    assert "k = 5" in repr(release)


@pytest.mark.parametrize(
    ("method", "change", "message"),
    [
        (
            tk.PkPerturbation(k=5, sample=tk.samples.Stratified("ill", 10), tells="all"),
            lambda g: g[0]["numbers"].update(among=60, inside=20),
            "other rows than those that it discloses",
        ),
        (
            tk.PkPerturbation(k=5, kept="known", sample=0.5, tells="all"),
            lambda g: g[0]["numbers"].update(among=60),
            "discloses",
        ),
        (tk.PkPerturbation(k=5, sample=0.5, tells="all"), lambda g: g.pop(1), "membership known"),
        (
            tk.PkPerturbation(k=5, sample=0.5, tells="all"),
            lambda g: g[1].update(numbers=g[0]["numbers"], value=g[0]["value"]),
            "an attacker who knows who was",
        ),
        (
            tk.Sampling(20, known=10),
            lambda g: (g[0]["numbers"].update(known=1), g[0].update(value=40.0)),
            "another attacker",
        ),
    ],
)
def test_forged_samples_are_refused(people, schema, tmp_path: Path, method, change, message: str) -> None:
    release = tk.anonymize(pd.DataFrame(people), schema, method)
    release.write(tmp_path / "out")

    def forge(content: dict) -> None:
        change(content["declared"].get("guarantees") or content["disclosed"]["guarantees"]["value"])

    rewrite(tmp_path / "out", forge)
    with pytest.raises(ReleaseError, match=message):
        tk.read_release(tmp_path / "out")


def test_every_channel_is_known_to_a_fresh_process(people, schema, tmp_path: Path) -> None:
    import subprocess
    import sys

    method = tk.PRAM({"sex": tk.transitions.KeepOrReplace(0.5)})
    tk.anonymize(pd.DataFrame(people), schema, method, [tk.prepare.Drop("age")]).write(tmp_path / "out")
    program = f"import tokumei as tk; print(tk.read_release({str(tmp_path / 'out')!r}, frame='pyarrow').rows)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "60", done.stderr
