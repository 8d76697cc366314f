"""Which method: what is tried, that the best is named, that duties hold, what the choice discloses, and what users see."""

from __future__ import annotations

import itertools
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import tokumei as tk
from tokumei.cli.app import app
from tokumei.errors import Cancelled, InfeasiblePromise, InvalidParameter, ReleaseError, TokumeiError
from tokumei.plan import Plan, Source
from tokumei.plan.chosen import CHOICE, Chosen
from tokumei.progress import listening
from tokumei.reports.recommending.candidates import Asked, by_construction, candidates
from tokumei.reports.recommending.purpose import Purpose, Served
from tokumei.words import Words

pytestmark = pytest.mark.filterwarnings("ignore::tokumei.errors.TokumeiWarning")
COLUMNS = ["age", "sex", "marital", "income"]


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    return tk.example_census(rows=400)[COLUMNS]


@pytest.fixture(scope="module")
def schema() -> tk.Schema:
    return tk.Schema([tk.example_schema()[name] for name in COLUMNS])


@pytest.fixture(scope="module")
def found(people: pd.DataFrame, schema: tk.Schema) -> Any:
    return tk.recommend(people, schema, "linking 1/4")


def off(before: pd.DataFrame, after: pd.DataFrame) -> float:
    """The mean total variation of tables of two columns, counted by pandas; numbers in the twenty intervals that are used elsewhere."""
    edges = np.linspace(17, 91, 21)
    both = [frame.assign(age=np.digitize(frame["age"].astype(int), edges)) for frame in (before, after)]
    apart = []
    for pair in itertools.combinations(COLUMNS, 2):
        p, q = (frame.groupby(list(pair), observed=True).size() / len(frame) for frame in both)
        apart.append(p.sub(q, fill_value=0).abs().sum() / 2)
    return float(np.mean(apart))


def test_the_method_that_loses_least_of_those_that_meet_the_duties_is_named(found: Any) -> None:
    meeting = [each for each in found.ranking if each.meets]
    assert found.chosen is meeting[0] is found.ranking[0]
    assert found.runner_up is meeting[1]
    assert [each.lost for each in meeting] == sorted(each.lost for each in meeting)
    assert all(each.values["linking"] <= 1 / 4 + 1e-9 for each in meeting)
    names = {each.name for each in found.ranking}
    assert {"generalization", "local_suppression", "microaggregation", "swapping", "grouped_pk_perturbation"} <= names
    assert {"pk_perturbation", "record_suppression", "pram", "sampling"} <= names


def test_what_is_said_of_a_method_is_what_a_release_by_it_loses(
    found: Any, people: pd.DataFrame, schema: tk.Schema
) -> None:
    swapped = next(each for each in found.ranking if each.name == "swapping")
    release = tk.anonymize(people, schema, swapped.method, seed=0)
    assert swapped.lost == pytest.approx(off(people, release.frame), abs=0.02)
    assert swapped.values == {rung.name: rung.value for rung in release.rungs}


def test_a_release_says_that_its_method_was_chosen_from_the_rows(
    found: Any, people: pd.DataFrame, tmp_path: Path
) -> None:
    release = found.anonymize(people)
    release.write(tmp_path / "release")
    read = tk.read_release(tmp_path / "release")
    (fact,) = [each for each in read.disclosed if each.name == CHOICE]
    assert fact.value == {"tried": found.choice.tried, "purpose": "tables", "duties": "linking 1/4"}
    assert fact.reason.key == "reason.chosen_from_rows"
    assert "depends on the rows" in Words("en").say(fact.reason)
    assert read.guarantees[0].value >= 4


def test_no_epsilon_is_stated_of_a_method_that_was_chosen_by_looking(
    people: pd.DataFrame, schema: tk.Schema, tmp_path: Path
) -> None:
    release = tk.anonymize(people, schema, tk.PkPerturbation(k=3, kept="perturb"))
    assert {"local differential privacy", "central differential privacy"} <= {
        each.notion for each in release.guarantees
    }
    chosen = Chosen(5, "tables", "linking 1/3")
    told = chosen.disclosed(release)
    assert {each.notion for each in told.guarantees} == {"Pk-anonymity"}
    assert {rung.name: rung.value for rung in told.rungs}["differencing"] is None
    told.write(tmp_path / "told")
    tk.read_release(tmp_path / "told")
    with pytest.raises(InvalidParameter, match="no epsilon can be stated"):
        chosen.disclosed(tk.anonymize(people, schema, tk.PkPerturbation(epsilon=3.0, kept="perturb")))
    forged = type(release)(**{**vars_of(told), "guarantees": release.guarantees})
    forged.write(tmp_path / "forged")
    with pytest.raises(ReleaseError, match="epsilon that it cannot have"):
        tk.read_release(tmp_path / "forged")


def vars_of(release: Any) -> dict[str, Any]:
    return {name: getattr(release, name) for name in release.__dataclass_fields__}


def test_without_looking_the_choice_is_the_same_for_any_table_and_an_epsilon_holds(
    people: pd.DataFrame, schema: tk.Schema
) -> None:
    other = people.assign(sex="Female", income=people["income"].iloc[0])
    made = [tk.recommend(each, schema, "linking 1/4, differencing 5") for each in (people, other)]
    assert made[0].method == made[1].method
    assert [each.lost for each in made[0].ranking] == [each.lost for each in made[1].ranking]
    assert made[0].looked_at == 0 and made[0].choice is None
    release = made[0].anonymize(people)
    assert CHOICE not in {each.name for each in release.disclosed}
    assert {rung.name: rung.value for rung in release.rungs}["differencing"] <= 5
    assert tk.recommend(people, schema, "linking 1/4", look=False).choice is None


def test_duties_that_nothing_meets_are_said_with_the_nearest_that_can_be_met(
    people: pd.DataFrame, schema: tk.Schema
) -> None:
    found = tk.recommend(people, schema, "linking 1/4, inference 1/5")
    assert found.chosen is None
    assert found.nearest is not None and found.nearest["linking"] == 1 / 4
    assert found.nearest["inference"] > people["income"].value_counts(normalize=True).max() - 0.01
    with pytest.raises(InvalidParameter, match="none is recommended"):
        _ = found.method
    assert "No method meets" in found.paragraph("en")
    again = tk.recommend(people, schema, dict(found.nearest))
    assert again.chosen is not None and again.chosen.meets


def test_a_duty_of_inference_is_asked_of_every_class(people: pd.DataFrame, schema: tk.Schema) -> None:
    found = tk.recommend(people, schema, "linking 1/4, inference 9/10")
    release = found.anonymize(people)
    worst = {rung.name: rung.value for rung in release.rungs}
    assert worst["linking"] <= 1 / 4 and worst["inference"] <= 0.9
    assert by_construction(found.method, found.duties, schema)
    assert not by_construction(tk.Swapping(k=4), found.duties, schema)
    assert not by_construction(tk.Generalization(k=3), {"linking": 1 / 4}, schema)
    assert not by_construction(tk.PkPerturbation(k=4), {"whole_table": 1 / 4}, schema)


def test_on_a_sample_the_best_is_drawn_on_all_rows(people: pd.DataFrame, schema: tk.Schema) -> None:
    found = tk.recommend(people, schema, "whole_table 1/4", sample=200)
    assert (found.looked_at, found.rows) == (200, 400)
    assert found.whole.rows == 400 and found.whole.meets and found.whole.name == found.chosen.name
    assert "200 of the 400 rows" in found.paragraph("en")
    assert found.anonymize(people).guarantees[0].value >= 4


@pytest.mark.parametrize("purpose", ["model:income", "records"])
def test_other_purposes_rank_by_another_measure(people: pd.DataFrame, schema: tk.Schema, purpose: str) -> None:
    found = tk.recommend(people, schema, "linking 1/4", purpose, sample=200)
    measured = [each for each in found.ranking if each.served]
    assert len(measured) > 4
    if purpose == "records":
        assert all(0 <= each.lost <= 1 for each in measured)
    else:
        assert all(0 < each.best.score < 1 for each in measured)
    assert found.choice.purpose == purpose


def test_sampling_and_pram_take_part_where_they_can(people: pd.DataFrame, schema: tk.Schema) -> None:
    labels = tk.Schema([each for each in schema if each.name != "age"])
    made = dict(candidates(labels, 400, Asked({"linking": 1 / 4}, Purpose("tables"), known=20)))
    assert isinstance(made["pram"], tk.PRAM) and isinstance(made["sampling"], tk.Sampling)
    for name in ("pram", "sampling"):
        release = tk.anonymize(people.drop(columns="age"), labels, made[name])
        assert release.guarantees[0].value >= 4


def test_a_method_of_another_package_takes_part(people: pd.DataFrame, schema: tk.Schema) -> None:
    import importlib
    import sys

    from tokumei.testing import isolated

    with isolated():
        importlib.import_module("tests.extending.toy_method")
        made = dict(candidates(schema, 400, Asked({"linking": 1 / 4}, Purpose("tables"))))
        del sys.modules["tests.extending.toy_method"]
    assert type(made["toy_replacement"]).__name__ == "ToyReplacement"


def test_it_is_said_in_both_languages_without_a_value_of_a_row(found: Any) -> None:
    english, japanese = (found.paragraph(each) for each in ("en", "ja"))
    assert "Recommended" in english and "推奨" in japanese
    page = found.html("ja")
    assert english.replace("'", "&#x27;") in page and 'lang="ja"' in page and "<script" not in page
    for each in found.ranking:
        for served in each.served:
            assert f'data-measure="{each.name}.{served.side}"' in found.html("en")
    assert found.describe()["reasons"] and json.dumps(found.describe())
    assert found._repr_html_() and str(found)


def test_rungs_that_nobody_asked_for_and_that_are_not_promised_are_named(
    found: Any, people: pd.DataFrame, schema: tk.Schema
) -> None:
    assert found.chosen.name == "swapping"
    rungs = {rung.name: rung.how for rung in found.anonymize(people, seed=1).rungs}
    nothing = [name for name, how in rungs.items() if how == "nothing" and name != "linking"]
    assert "inference" in nothing and list(found.unpromised) == nothing
    for language in ("en", "ja"):
        words = Words(language)
        second, paragraph = found.summary(words)[1], found.paragraph(language)
        assert second in paragraph and second in found.html(language)
        assert all(words(f"ladder.name.{name}") in second for name in nothing)
        assert words("ladder.name.linking") not in second
    assert "promises nothing" in found.summary()[1] and found.summary()[1] in found.describe()["paragraph"]["en"]
    asked = replace(found, duties={**found.duties, **dict.fromkeys(nothing, 1.0)})
    assert not asked.unpromised and not any("promises nothing" in line for line in asked.summary())


def test_it_can_be_stopped(people: pd.DataFrame, schema: tk.Schema) -> None:
    heard: list[str] = []

    def stop() -> bool:
        return len(heard) > 2

    with listening(lambda share, note: heard.append(note), stop), pytest.raises(Cancelled):
        tk.recommend(people, schema, "linking 1/4")
    assert heard


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"duty": "linking 1/1000"}, "not possible"),
        ({"purpose": "model:incme"}, "income"),
        ({"purpose": "charts"}, "purpose must be"),
        ({"duty": "likning 1/4"}, "linking"),
        ({"known": 0}, "between 1 and"),
        ({"sample": 0}, "at least 1"),
    ],
)
def test_wrong_questions_get_one_sentence(
    people: pd.DataFrame, schema: tk.Schema, given: dict[str, Any], says: str
) -> None:
    with pytest.raises((InvalidParameter, InfeasiblePromise), match=says):
        tk.recommend(people, schema, **given)


def test_observed_domains_and_missing_schemas_are_refused(people: pd.DataFrame, schema: tk.Schema) -> None:
    with pytest.raises(InvalidParameter, match="needs its schema"):
        tk.recommend(people)
    observed = tk.Schema.observe(people, {"income": "sensitive"})
    with pytest.raises(InvalidParameter, match="every domain is declared"):
        tk.recommend(people, observed, "differencing 1")
    with pytest.raises(InvalidParameter, match="no quasi-identifier"):
        tk.recommend(people[["income"]], tk.Schema([schema["income"]]))
    with pytest.raises(TokumeiError):
        tk.recommend(people.iloc[:0], schema)


def test_a_plan_says_how_it_was_chosen_and_runs(
    found: Any, people: pd.DataFrame, schema: tk.Schema, tmp_path: Path
) -> None:
    people.to_csv(tmp_path / "people.csv", index=False)
    plan = Plan(Source("people.csv"), schema, tk.PkPerturbation(k=2), folder=tmp_path)
    made = tk.recommend(plan, duty="linking 1/4")
    (tmp_path / "sub").mkdir()
    wrote = made.write(tmp_path / "sub")
    assert {each.name for each in wrote} == {
        "recommended.toml",
        "recommended.html",
        "recommended.approval.en.txt",
        "recommended.approval.ja.txt",
    }
    read = Plan.read(tmp_path / "sub" / "recommended.toml")
    assert read.chosen == made.choice and read.method == made.method
    assert CHOICE in {each.name for each in tk.run(read).disclosed}
    with pytest.raises(TokumeiError, match="already"):
        made.write(tmp_path / "sub")


def test_the_command_writes_everything_or_says_why_not(people: pd.DataFrame, tmp_path: Path) -> None:
    people.to_csv(tmp_path / "people.csv", index=False)
    runner = CliRunner()
    given = ["recommend", str(tmp_path / "people.csv"), "--qi", "age,sex,marital", "--sensitive", "income"]
    done = runner.invoke(app, [*given, "--duty", "linking 1/4", "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["chosen"] and len(told["paths"]) == 4
    approval = (tmp_path / "recommended.approval.ja.txt").read_text(encoding="utf-8")
    assert "%（" in approval and "(" not in approval.replace(
        "tokumei(", ""
    )  # brackets as wide as the letters around them
    again = runner.invoke(app, given)
    assert again.exit_code == 1 and "recommended" in again.output
    japanese = runner.invoke(
        app, [*given, "--duty", "linking 1/4, inference 1/5", "--overwrite"], env={"TOKUMEI_LANGUAGE": "ja"}
    )
    assert japanese.exit_code == 1 and "義務を満たす手法はありません" in japanese.output
    wrong = runner.invoke(app, [*given[:2], "--qi", "agee", "--overwrite"])
    assert wrong.exit_code == 1 and "agee" in wrong.output


def test_a_file_is_read_as_a_draft_reads_it(tmp_path: Path) -> None:
    """Decimal commas are found without being told of, a codebook and a column of people are taken, and a plan has its own."""
    rows = [f"{row // 2};{20 + row % 40};{row % 2 + 1};{row % 50},5" for row in range(240)]
    (tmp_path / "people.csv").write_text("\n".join(["hhid;age;sex;income", *rows]), encoding="utf-8")
    (tmp_path / "book.csv").write_text("variable,values\nsex,1 = male; 2 = female\n", encoding="utf-8")
    given = ["recommend", str(tmp_path / "people.csv"), "--duty", "linking 1/3", "--json"]
    more = ["--codebook", str(tmp_path / "book.csv"), "--person", "hhid"]
    done = CliRunner().invoke(app, [*given, *more])
    assert done.exit_code == 0, done.output
    plan = Plan.read(tmp_path / "recommended.toml")
    assert plan.source.decimal == ","
    assert isinstance(plan.schema["income"].domain, tk.Numbers)
    assert plan.schema["sex"].domain == tk.Categories(["male", "female"])
    assert plan.schema["hhid"].role == "person"
    assert tk.run(plan).rows == 240
    wrong = CliRunner().invoke(app, ["recommend", str(tmp_path / "recommended.toml"), *more, "--overwrite"])
    assert wrong.exit_code == 1 and "leave out '--codebook', '--person'" in wrong.output


def test_amounts_in_cents_do_not_keep_classes_from_being_judged(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"age": rng.integers(20, 30, 300), "sex": rng.choice(["f", "m"], 300)})
    frame["income"] = np.round(np.exp(rng.normal(7.6, 0.6, 300)), 2)
    frame.to_csv(tmp_path / "people.csv", index=False)
    found = tk.recommend(tmp_path / "people.csv", duty="linking 1/5, inference 1/2")
    assert found.chosen is not None and "generalization" in {each.name for each in found.ranking if each.meets}


def test_what_only_this_run_was_like_is_no_part_of_the_approval(found: Any, tmp_path: Path) -> None:
    told = replace(found, compiled=3.0)
    assert any("Compiling took" in line for line in told.summary())
    assert "Compiling took" not in told.paragraph("en")
    assert "コンパイル" in " ".join(told.summary(Words("ja"))) and "コンパイル" not in told.paragraph("ja")


def test_why_a_method_is_not_possible_is_said_without_what_was_being_done(people: pd.DataFrame) -> None:
    towns = people.assign(town=[f"town {row % 80}" for row in range(len(people))])
    schema = tk.Schema([*(tk.example_schema()[name] for name in COLUMNS), tk.Attribute("town", "quasi_identifier", tk.Categories(sorted(set(towns["town"]))))])  # fmt: skip
    said = tk.recommend(towns, schema, "linking 1/4").impossible(Words("en"))
    assert any(line.startswith("data swapping: 'town' has 80 unordered categories") for line in said), said
    assert not any("Recode" in line or "(known)" in line for line in said)


def test_a_duty_that_is_empty_is_refused(people: pd.DataFrame, schema: tk.Schema) -> None:
    with pytest.raises(InvalidParameter, match="The duty is empty"):
        tk.recommend(people, schema, " ")


def test_every_column_of_the_ranking_is_shown_on_a_narrow_terminal(tmp_path: Path, people: pd.DataFrame) -> None:
    people.to_csv(tmp_path / "people.csv", index=False)
    given = ["recommend", str(tmp_path / "people.csv"), "--qi", "age,sex,marital", "--sensitive", "income"]
    shown = CliRunner().invoke(app, [*given, "--duty", "linking 1/4, inference 9/10"], env={"COLUMNS": "80"})
    assert "seconds" in shown.output
    assert re.search(r"1\. .*✓.*✓ +\d+\.\d\n", shown.output), shown.output


def test_a_model_that_is_no_worse_is_not_less_by_a_negative_number(found: Any) -> None:
    """It was said to score -.049 less."""
    said = replace(found, purpose=Purpose("model", "income")).costs(Served("reconstructed", -0.049, 0.322))
    assert str(said).endswith("no less than one from the original (0.049 more).")


def test_a_column_that_no_model_predicts_is_said_to_be_one(people: pd.DataFrame, schema: tk.Schema) -> None:
    """The sentence listed the other columns, and not why."""
    asked = schema.replacing(tk.Attribute("age", "quasi_identifier", tk.Dates("2026-01-01", "2026-12-31")))
    with pytest.raises(InvalidParameter, match="A model predicts categories or numbers, and 'age' has neither"):
        tk.recommend(people, asked, "linking 1/4", "model:age")


def test_a_model_of_numbers_of_which_some_are_missing_learns_from_the_others(
    people: pd.DataFrame, schema: tk.Schema
) -> None:
    """It was refused."""
    blank = people.assign(age=people["age"].astype(float).where(np.arange(len(people)) % 4 > 0))
    asked = schema.replacing(replace(schema["age"], missing=True))
    found = tk.recommend(blank, asked, "linking 1/4", "model:age")
    assert found.chosen is not None
    views = {served.side for each in found.ranking for served in each.served if served.score is not None}
    assert views >= {"released", "reconstructed"}


def test_the_place_may_be_named_with_the_ending_of_the_plan(tmp_path: Path, people: pd.DataFrame) -> None:
    """``-o there.toml`` wrote there.toml.toml."""
    people.to_csv(tmp_path / "people.csv", index=False)
    ran = CliRunner().invoke(
        app, ["recommend", str(tmp_path / "people.csv"), "--duty", "linking 1/4", "-o", str(tmp_path / "there.toml")]
    )
    assert ran.exit_code == 0, ran.output
    assert (tmp_path / "there.toml").exists() and (tmp_path / "there.html").exists()
