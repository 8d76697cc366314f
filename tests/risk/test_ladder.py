"""The ladder: every method has all five rungs, what is shown is what holds, and nothing of the rows is shown."""

from __future__ import annotations

import importlib
import json
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import tokumei as tk
from tests.engines.stream.rows import people as streamed
from tests.engines.stream.rows import plan_for
from tests.release.forging import rewrite
from tests.testing.test_check_method import EVERY
from tokumei.cli.app import app
from tokumei.engines.stream import engine, shuffle
from tokumei.errors import DataError, InvalidParameter, ReleaseError
from tokumei.privacy.duties import read_duties, written
from tokumei.privacy.rungs import RUNGS
from tokumei.release.rungs import rungs_of
from tokumei.results import json_text
from tokumei.testing import isolated
from tokumei.testing.promising import has_all_five_rungs
from tokumei.testing.trial import Trial, example_table
from tokumei.words import Words

pytestmark = pytest.mark.filterwarnings("ignore::tokumei.errors.TokumeiWarning")


@pytest.mark.parametrize("name", [*EVERY, "toy"])
def test_every_method_has_all_five_rungs(name: str, tmp_path: Path) -> None:
    frame, schema = example_table()
    if name == "toy":
        with isolated():
            made = importlib.import_module("tests.extending.toy_method").ToyReplacement(k=4)
            has_all_five_rungs(Trial(made, frame, schema, (), tmp_path))
            del sys.modules["tests.extending.toy_method"]
        return
    method, prepare = EVERY[name]
    has_all_five_rungs(Trial(method, frame, schema, tuple(prepare), tmp_path))


@pytest.fixture(scope="module")
def census() -> tuple[pd.DataFrame, tk.Schema]:
    return tk.example_census(rows=600), tk.example_schema()


def test_rows_made_alike_are_counted_by_hand() -> None:
    schema = tk.Schema(
        [
            tk.Attribute("a", "quasi_identifier", tk.Numbers(0, 9, step=1), tk.Hierarchy.intervals([0, 5, 9])),
            tk.Attribute("s", "sensitive", tk.Categories(["u", "v"])),
        ]
    )
    frame = pd.DataFrame({"a": [0, 1, 2, 3, 6, 7, 8, 9], "s": list("uuuvvvvv")})
    method = tk.Generalization(k=4, partition=tk.partitions.FixedLevels({"a": 1}))
    found = tk.ladder(tk.anonymize(frame, schema, method, seed=1), frame, schema)
    assert found["linking"].value == 0.25
    assert found["whole_table"].value == 1.0  # one row of the first class has another value
    said: Any = found["inference"].bound.says
    assert (said.largest, said.average, said.agreed, said.overall) == (1.0, 7 / 8, 0.5, 5 / 8)
    assert [rung.original.value for rung in found.rungs if rung.original] == [1.0, 1.0, 1.0, None, 1.0]
    assert found["differencing"].value is None


@pytest.mark.parametrize(
    "language, said, names",
    [
        ("en", "How equivalence classes were formed", "'hours', 'income'"),
        ("ja", "同値類の作り方は", "「hours」「income」"),
    ],
)
def test_what_is_assumed_of_several_sensitive_columns_is_said_once(language: Any, said: str, names: str) -> None:
    """It was said once for each of them."""
    schema = tk.Schema(
        [replace(each, role="sensitive") if each.name == "hours" else each for each in tk.example_schema()]
    )
    method = tk.Generalization(k=4, partition=tk.partitions.Mondrian())
    found = tk.ladder(tk.anonymize(tk.example_census(rows=200), schema, method, seed=1))
    (line,) = [line for line in found.assumed(Words(language)) if said in line]
    assert names in line and line.endswith("(3)")


def test_both_numbers_stand_in_the_first_guarantee(census: tuple[pd.DataFrame, tk.Schema], tmp_path: Path) -> None:
    frame, schema = census
    release = tk.anonymize(frame, schema, tk.PkPerturbation(k=10, tells="all"))
    first = release.guarantees[0]
    smallest = min(Counter(frame["income"]).values())
    k = 1 + (smallest - 1) * float(release.mechanism.swap)
    for text in (str(first), first.headline, first._repr_html_(), release._repr_html_()):
        assert f"k = {int(k * 10_000) / 10_000:g}" in text
        assert f"has {smallest} rows" in text
    assert "otherwise" not in json.dumps(first.describe())
    read = tk.read_release(release.write(tmp_path / "out"))
    assert read.guarantees == release.guarantees
    assert read.guarantees[0].headline == first.headline
    assert f"has {smallest} rows" not in (tmp_path / "out" / "manifest.json").read_text()


def test_columns_that_are_known_are_not_counted_twice(census: tuple[pd.DataFrame, tk.Schema]) -> None:
    frame, schema = census
    known = tk.anonymize(frame, schema, tk.PkPerturbation(k=3, kept="known"), seed=1)
    assert known.guarantees[0].otherwise is None
    bare = frame.drop(columns="income"), schema.without("income")
    alike = tk.anonymize(*bare, tk.Generalization(k=5), seed=1)
    assert alike.guarantees[0].otherwise is None
    assert alike.rungs[1].value == alike.rungs[0].value == pytest.approx(1 / alike.guarantees[0].value)


@pytest.mark.parametrize(
    "method",
    [tk.PkPerturbation(k=3), tk.Generalization(k=3, partition=tk.partitions.Mondrian()), tk.Sampling(500, known=100)],
    ids=["pk", "cuts", "sample"],
)
def test_rows_on_disk_are_counted_as_those_in_memory(method: Any, tmp_path: Path) -> None:
    table = streamed(1500)
    pq.write_table(table, tmp_path / "rows.parquet")
    plan = plan_for(tmp_path / "rows.parquet", method)
    here, there = (tk.run(plan, each, seed=4) for each in ("local", "stream"))
    assert not isinstance(there.held, pa.Table)
    assert here.guarantees[0].headline == there.guarantees[0].headline
    assert [rung.value for rung in here.rungs] == [rung.value for rung in there.rungs]


def test_rows_in_blocks_are_not_counted_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shuffle, "BLOCK", 500)
    monkeypatch.setattr(engine, "batch_rows", lambda memory, columns: 257)
    pq.write_table(streamed(1500), tmp_path / "rows.parquet")
    plan = plan_for(tmp_path / "rows.parquet", tk.PkPerturbation(k=3))
    release = tk.run(plan, "stream", seed=4, shuffle="blocks")
    assert release.mechanism.block is not None
    assert release.rungs[1].bound.says.key == "rung.nothing_in_blocks"
    assert release.rungs[2].how == "nothing"
    assert "shuffled within blocks only" in release.guarantees[0].headline


def test_pseudonyms_tell_nothing_without_their_key(census: tuple[pd.DataFrame, tk.Schema], tmp_path: Path) -> None:
    from tokumei.prepare.keys import write_key

    frame, schema = census
    write_key(tmp_path / "key")
    steps = [tk.prepare.Pseudonymize("person_id", key=f"file:{tmp_path / 'key'}")]
    release = tk.anonymize(frame, schema, tk.PkPerturbation(k=3), prepare=steps, seed=1)
    whole = release.rungs[1]
    assert whole.value is not None
    assert whole.value < 1
    assert "rung_assumption.pseudonym_key_secret" in {each.key for each in whole.bound.assumes}


def test_people_with_several_rows_count_as_people() -> None:
    schema = tk.Schema(
        [
            tk.Attribute("who", "person"),
            tk.Attribute("a", "quasi_identifier", tk.Categories(["p", "q"])),
        ]
    )
    frame = pd.DataFrame({"who": [1, 1, 2, 3, 4, 4, 5, 6], "a": list("ppppqqqq")})
    release = tk.anonymize(frame, schema, tk.Generalization(k=2), seed=1)
    found = tk.ladder(release, frame, schema)
    rows = min(Counter(release.frame["a"]).values())
    assert found["whole_table"].value == 2 / rows
    assert found["whole_table"].original is not None
    assert found["whole_table"].original.value == 0.5


def test_central_privacy_is_read_from_any_guarantee_that_states_it(census: tuple[pd.DataFrame, tk.Schema]) -> None:
    frame, schema = census
    release = tk.anonymize(frame, schema, tk.PkPerturbation(k=10, kept="perturb"), seed=1)
    (central,) = [each for each in release.guarantees if each.notion == "central differential privacy"]
    _, _, inference, differencing, membership = release.rungs
    assert (differencing.value, differencing.bound.says.describe()["of"]) == (central.value, "table")
    belief = np.exp(central.value) / (1 + np.exp(central.value))
    assert inference.value == membership.value == pytest.approx(belief)
    assert inference.bound.says.describe()["delta"] == central.numbers["delta"]
    alone = replace(release, guarantees=tuple(each for each in release.guarantees if each != central))
    row = rungs_of(alone)[3]
    assert (row.how, row.bound.says.describe()["of"]) == ("proved", "row")
    assert row.value is not None
    assert row.value > central.value
    assert rungs_of(alone)[4].how == "nothing"


def test_a_population_says_who_may_be_in_the_table(census: tuple[pd.DataFrame, tk.Schema]) -> None:
    frame, schema = census
    release = tk.anonymize(frame, schema, tk.Sampling(100, known=10), seed=1)
    found = tk.ladder(release, frame, schema)
    assert found["membership"].bound.says.key == "rung.in_sample"
    assert tk.ladder(release, population=6000)["membership"].original.value == 0.1  # type: ignore[union-attr]
    known = list(schema.names("quasi_identifier"))
    counted = tk.ladder(release, population=frame[known])["membership"]
    assert (counted.how, counted.value) == ("counted", 1.0)
    for wrong in (0.5, "all", True, 10):
        with pytest.raises(InvalidParameter, match="population"):
            tk.ladder(release, population=wrong)
    perturbed = tk.anonymize(frame, schema, tk.PkPerturbation(k=3), seed=1)
    with pytest.raises(InvalidParameter, match="perturbed rows"):
        tk.ladder(perturbed, population=frame[known])


def test_bad_input_is_told_in_one_sentence(census: tuple[pd.DataFrame, tk.Schema]) -> None:
    frame, schema = census
    release = tk.anonymize(frame, schema, tk.Generalization(k=5), seed=1)
    with pytest.raises(InvalidParameter, match=r"tk\.read_release"):
        tk.ladder("census-release")  # type: ignore[arg-type]
    with pytest.raises(DataError, match="no column 'age'"):
        tk.ladder(release, frame.drop(columns="age"))


def test_duties_are_read_in_one_place() -> None:
    given = read_duties("linking 1/10, inference=0.75; differencing 1".replace(";", ","))
    assert given == {"linking": 0.1, "inference": 0.75, "differencing": 1.0}
    assert read_duties(written(given)) == given
    for wrong in (
        "linkin 1/10",
        "linking",
        "linking 2",
        "linking 0",
        "linking 1/0",
        "linking 1/2, linking 1/3",
        "linking nan",
    ):
        with pytest.raises(InvalidParameter):
            read_duties(wrong)
    with pytest.raises(InvalidParameter, match="linking"):
        read_duties({"linking": True})


def test_duties_hold_or_not(census: tuple[pd.DataFrame, tk.Schema]) -> None:
    frame, schema = census
    release = tk.anonymize(frame, schema, tk.Generalization(k=3))
    found = tk.ladder(release)
    assert found.holds("linking 1/3")  # which no double is
    assert not found.holds("linking 1/4")
    assert not found.holds({"differencing": 100})
    assert found.holds(None)
    assert [each.holds for each in found.duties("linking 1/3, whole_table 1/2")] == [True, False]
    seeded = tk.ladder(tk.anonymize(frame, schema, tk.Generalization(k=3), seed=1))
    assert not seeded.holds("linking 1/3")


@pytest.mark.parametrize("method", [tk.Generalization(k=5), tk.PkPerturbation(k=5), tk.Sampling(50, known=10)])
def test_no_value_of_anybody_is_shown(method: Any) -> None:
    secret = ["zebra-9417", "quagga-2280", "okapi-5531"]
    schema = tk.Schema(
        [
            tk.Attribute("age", "quasi_identifier", tk.Numbers(0, 9, step=1)),
            tk.Attribute("animal", "sensitive"),
        ]
    )
    frame = pd.DataFrame({"age": np.arange(300) % 10, "animal": [secret[row % 3] for row in range(300)]})
    release = tk.anonymize(frame, schema, method, seed=1)
    found = tk.ladder(release, frame, schema)
    texts = [str(found), found._repr_html_(), json_text(found.describe()), *found.lines(Words("ja")), repr(found)]
    texts += [str(release.guarantees[0]), json.dumps(found.bars())]
    for text in texts:
        assert not any(word in text for word in secret)


def test_a_forged_second_number_changes_nothing(census: tuple[pd.DataFrame, tk.Schema], tmp_path: Path) -> None:
    frame, schema = census
    folder = tk.anonymize(frame, schema, tk.PkPerturbation(k=5)).write(tmp_path / "out")

    def forge(content: Any) -> None:
        content["declared"]["guarantees"][0]["otherwise"] = {"value": 0.01}

    rewrite(folder, forge)
    with pytest.raises(ReleaseError):
        tk.read_release(folder)

    def assume(content: Any) -> None:
        del content["declared"]["guarantees"][0]["otherwise"]
        content["declared"]["guarantees"][0]["assumes"].append({"key": "rung_assumption.only_shuffle_secret"})

    rewrite(folder, assume)
    with pytest.raises(ReleaseError):
        tk.read_release(folder)


def test_the_command_line_prints_it_draws_it_and_fails_where_a_duty_does(
    census: tuple[pd.DataFrame, tk.Schema], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame, schema = census
    frame.to_csv(tmp_path / "people.csv", index=False)
    folder = tk.anonymize(frame, schema, tk.PkPerturbation(k=5)).write(tmp_path / "out")
    words = ["promises", str(folder), "--original", str(tmp_path / "people.csv")]
    done = CliRunner().invoke(app, [*words, "--duty", "linking 1/5", "-o", str(tmp_path / "ladder.svg")])
    assert done.exit_code == 0, done.output
    assert "20%, allowed 20%: holds." in done.output
    assert (tmp_path / "ladder.svg").read_text().startswith("<svg")
    failed = CliRunner().invoke(app, [*words, "--duty", "whole_table 1/5", "--json"])
    assert failed.exit_code == 1
    told = json.loads(failed.output)
    assert [rung["name"] for rung in told["rungs"]] == list(RUNGS)
    assert (told["holds"], told["duties"][0]["holds"]) == (False, False)
    monkeypatch.setenv("TOKUMEI_LANGUAGE", "ja")
    spoken = CliRunner().invoke(app, words)
    assert "準識別子による結び付け" in spoken.output
    assert "made by" not in spoken.output
    wrong = CliRunner().invoke(app, [*words, "--duty", "linkage 1/5"])
    assert wrong.exit_code == 1
