"""Advice that acts: what is tried, what it gives and costs, and that it can be taken."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from typer.testing import CliRunner

import tokumei as tk
from tokumei.cli.app import app
from tokumei.errors import InvalidParameter
from tokumei.plan import Output, Plan, Source
from tokumei.reports.mending import parts_of
from tokumei.results import json_text
from tokumei.words import Words

pytestmark = pytest.mark.filterwarnings("ignore::tokumei.errors.TokumeiWarning")


@pytest.fixture(scope="module")
def census() -> tuple[pd.DataFrame, tk.Schema]:
    return tk.example_census(rows=400), tk.example_schema()


def keys(found: Any) -> dict[str, Any]:
    return {each.change.key.removeprefix("mend."): each for each in found.changes}


def test_classes_are_made_diverse_or_rows_perturbed_instead(census: tuple[pd.DataFrame, tk.Schema]) -> None:
    frame, schema = census
    release = tk.anonymize(frame, schema, tk.Generalization(k=3))
    found = tk.disclosure.advise(release, frame, schema, duties="inference 9/10, whole_table 1/2")
    tried = keys(found)
    assert {"diversify", "close", "perturb_all", "raise_k"} <= set(tried)
    assert tried["perturb_all"].values["whole_table"] == pytest.approx(1 / 3)
    assert "whole_table" in found.mended(tried["perturb_all"])
    assert "inference" in found.mended(tried["close"])
    assert not found.mended(found.now)
    assert tried["close"].loss > found.now.loss
    assert any("t_closeness" in line for line in tried["close"].lines)
    mends = [len(found.mended(each)) for each in found.changes if each.why is None]
    assert mends == sorted(mends, reverse=True)  # those that mend come first


def test_what_is_said_of_a_change_is_what_a_release_with_it_has(census: tuple[pd.DataFrame, tk.Schema]) -> None:
    frame, schema = census
    release = tk.anonymize(frame, schema, tk.PkPerturbation(k=5, tells="all"))
    found = tk.disclosure.advise(release, frame, schema)
    tried = keys(found)
    assert {"count_kept", "perturb_kept", "take_sample"} <= set(tried)
    for name in ("count_kept", "perturb_kept"):
        again = tk.anonymize(frame, schema, tried[name].method, tried[name].prepare, seed=5)
        for rung in again.rungs:
            if rung.name != "inference":
                assert rung.value == pytest.approx(tried[name].values[rung.name])
    assert tried["perturb_kept"].values["differencing"] is not None
    assert "differencing" in found.mended(tried["perturb_kept"])
    assert tried["take_sample"].values["membership"] < 1


def test_few_large_values_are_top_coded_at_a_round_bound() -> None:
    schema = tk.Schema(
        [
            tk.Attribute("gain", "quasi_identifier", tk.Numbers(0, 1000, step=1)),
            tk.Attribute("ill", "sensitive", tk.Categories(["no", "yes"])),
            tk.Attribute("note", "insensitive", tk.Categories(["x", "y"])),
        ]
    )
    rows = 400
    frame = pd.DataFrame(
        {
            "gain": [997 if row == 0 else row % 7 for row in range(rows)],
            "ill": ["yes" if row % 3 else "no" for row in range(rows)],
            "note": ["x" if row % 2 else "y" for row in range(rows)],
        }
    )
    release = tk.anonymize(frame, schema, tk.RecordSuppression(k=3))
    found = tk.disclosure.advise(release, frame, schema, duties="whole_table 1/100")
    tried = keys(found)
    assert tried["top_code"].change.high == 10
    assert "997" not in json_text(found.describe())
    assert tried["leave"].change.column == "note"
    assert tried["leave"].values["whole_table"] <= found.now.values["whole_table"]


def test_a_change_that_is_not_possible_says_so() -> None:
    schema = tk.Schema(
        [
            tk.Attribute("a", "quasi_identifier", tk.Categories(["p", "q"])),
            tk.Attribute("s", "sensitive", tk.Categories(["u", "v"])),
        ]
    )
    frame = pd.DataFrame({"a": ["p", "q"] * 5, "s": ["u"] * 10})
    found = tk.disclosure.advise(tk.anonymize(frame, schema, tk.Generalization(k=3)), frame, schema)
    never = keys(found)["diversify"]
    assert never.why is not None
    assert never.values == {}
    assert Words("en")("mend.impossible") in str(found)


def test_a_release_says_how_it_was_made(census: tuple[pd.DataFrame, tk.Schema], tmp_path: Path) -> None:
    frame, schema = census
    steps = [tk.prepare.Recode("age", level=1)]
    release = tk.anonymize(frame, schema, tk.PkPerturbation(k=5), steps)
    read = tk.read_release(release.write(tmp_path / "out"))
    columns, method, prepare = parts_of(read)
    assert columns["age"].domain == schema["age"].domain
    assert method.describe() == tk.PkPerturbation(k=5).describe()
    assert [step.column for step in prepare] == ["age"]


def test_bad_input(census: tuple[pd.DataFrame, tk.Schema]) -> None:
    frame, schema = census
    release = tk.anonymize(frame, schema, tk.Generalization(k=3), seed=1)
    with pytest.raises(InvalidParameter, match="a plan, or a release and the original"):
        tk.disclosure.advise(release)
    with pytest.raises(InvalidParameter, match="no rung"):
        tk.disclosure.advise(release, frame, schema, duties="linkage 1/2")


def test_the_command_line_advises_and_writes_a_changed_plan(
    census: tuple[pd.DataFrame, tk.Schema], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame, schema = census
    frame.to_csv(tmp_path / "people.csv", index=False)
    plan = Plan(Source("people.csv"), schema, tk.Generalization(k=3), (), Output("out"), tmp_path)
    (tmp_path / "plan.toml").write_text(plan.to_toml(), encoding="utf-8")
    tk.run(plan).write(tmp_path / "out")
    words = ["promises", str(tmp_path / "out"), "--duty", "inference 9/10", "--advise"]
    save = tmp_path / "changed.toml"
    done = CliRunner().invoke(app, [*words, "--plan", str(tmp_path / "plan.toml"), "--take", "1", "--save", str(save)])
    assert done.exit_code == 1, done.output  # the duty does not hold yet
    assert "In the plan:" in done.output
    changed = Plan.read(save)
    assert tk.ladder(tk.run(changed)).holds("inference 9/10")
    told = CliRunner().invoke(app, [*words, "--original", str(tmp_path / "people.csv"), "--json"])
    assert json.loads(told.output)["advice"]["changes"]
    monkeypatch.setenv("TOKUMEI_LANGUAGE", "ja")
    spoken = CliRunner().invoke(app, [*words, "--original", str(tmp_path / "people.csv")])
    assert "この表で試した変更" in spoken.output
    for wrong in (["--advise"], ["--take", "1"], ["--advise", "--plan", str(tmp_path / "plan.toml"), "--take", "99"]):
        failed = CliRunner().invoke(app, ["promises", str(tmp_path / "out"), *wrong])
        assert failed.exit_code == 1
        assert len(failed.output.strip().splitlines()[-1]) > 10


def test_a_release_of_coarser_columns_needs_its_plan_for_advice(
    census: tuple[pd.DataFrame, tk.Schema], tmp_path: Path
) -> None:
    """Every cell of such a column was said to be outside its domain."""
    frame, schema = census
    frame.to_csv(tmp_path / "people.csv", index=False)
    edges = tk.Hierarchy.intervals([17, 45, 60, 91])
    steps = (tk.prepare.Recode("age", 1, edges),)
    tk.anonymize(frame, schema, tk.Generalization(k=3), steps, seed=1).write(tmp_path / "out", allow_seeded=True)
    words = ["promises", str(tmp_path / "out"), "--advise", "--original", str(tmp_path / "people.csv")]
    failed = CliRunner().invoke(app, words)
    assert failed.exit_code == 1
    assert "'age' had been made coarser before the method" in " ".join(failed.output.split())
