"""What `tokumei anonymize` says of what is left, and what a draft picks its method by."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from typer.testing import CliRunner

import tokumei as tk
from tests.command_line import tokumei
from tokumei.cli.app import app
from tokumei.cli.left import left_lines, ways_out
from tokumei.plan import Plan, Source
from tokumei.plan.suiting import suiting
from tokumei.utility.compare import compare
from tokumei.words import Words

pytestmark = pytest.mark.filterwarnings("ignore::tokumei.errors.TokumeiWarning")
COLUMNS = ["age", "sex", "marital", "income"]


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    folder = tmp_path_factory.mktemp("left")
    people()[:300].to_csv(folder / "people.csv", index=False)
    schema = tk.Schema([tk.example_schema()[name] for name in COLUMNS])
    return Plan(Source("people.csv"), schema, tk.PkPerturbation(k=5), folder=folder)


def people() -> pd.DataFrame:
    return tk.example_census(rows=400)[COLUMNS]


def said(plan: Plan, method: Any, language: Any = "en") -> list[str]:
    from dataclasses import replace

    return left_lines(tk.run(replace(plan, method=method), seed=1), plan, Words(language))


def test_noise_is_told_by_what_to_expect_and_groups_by_what_was_measured(plan: Plan) -> None:
    assert "from public numbers" in said(plan, tk.PkPerturbation(k=2))[0]
    (line,) = said(plan, tk.Generalization(k=2))
    assert "measured on your rows" in line and "tables of two by 0." in line
    assert said(plan, tk.Swapping(k=2), "ja")[0].startswith("公開される表のずれ")


def test_next_to_nothing_is_said_with_what_would_help(plan: Plan) -> None:
    lines = said(plan, tk.PkPerturbation(k=20, tells="all"))
    assert "next to nothing" in lines[1] and 'tells = "auto"' in lines[1] and "a smaller k" in lines[1]
    release = tk.run(plan, seed=1)
    assert "tells" not in ways_out(release) and {"coarser", "rows", "generalize", "k"} <= set(ways_out(release))


def test_a_draft_picks_its_method_by_numbers_that_are_not_the_rows_cells(tmp_path: Path) -> None:
    columns = tk.example_schema().attributes
    few, many = (suiting(columns, rows, 10) for rows in (150, 50_000))
    assert not few.perturbed and many.perturbed
    assert few.two is not None and many.two is not None and few.two > many.two
    people().to_csv(tmp_path / "few.csv", index=False)
    pd.concat([people()] * 60).to_csv(tmp_path / "many.csv", index=False)
    runner, found = CliRunner(), {}
    for name in ("few", "many"):
        given = ["init", str(tmp_path / f"{name}.csv"), "--output", str(tmp_path / f"{name}.toml"), "--k", "150"]
        done = runner.invoke(app, given)
        assert done.exit_code == 0, done.output
        found[name] = (tmp_path / f"{name}.toml").read_text(encoding="utf-8")
        assert Plan.read(tmp_path / f"{name}.toml").method.k == 150  # type: ignore[attr-defined]
    assert 'method = "generalization"' in found["few"] and 'method = "pk_perturbation"' in found["many"]
    assert all("without looking at the rows" in text for text in found.values())


def test_a_comparison_says_on_how_many_rows_it_was_made(plan: Plan) -> None:
    rows = pd.concat([people()] * 10, ignore_index=True)
    with pytest.warns(tk.errors.NotMeasuredWarning, match="of 4,000 rows"):
        found = compare(rows, plan.schema, ["swapping"], [3], reconstruct=False)
    assert found["rows"].tolist() == [3_750]
    found = compare(rows, plan.schema, ["swapping"], [3], reconstruct=False, sample=200)
    assert found["rows"].tolist() == [200]
    with pytest.raises(tk.errors.InvalidParameter, match="at least 1"):
        compare(rows, plan.schema, ["swapping"], [3], sample=0)


def test_a_suggested_split_is_written_into_a_plan_that_runs(plan: Plan, tmp_path: Path) -> None:
    (plan.folder / "plan.toml").write_text(plan.to_toml(), encoding="utf-8")
    tk.example_census(rows=300, random_state=5)[COLUMNS].to_csv(tmp_path / "pilot.csv", index=False)
    given = ["suggest", str(plan.folder / "plan.toml"), "--pilot", str(tmp_path / "pilot.csv"), "--target", "income"]
    saved = tmp_path / "split.toml"
    done = CliRunner().invoke(app, [*given, "--save", str(saved)])
    assert done.exit_code == 0, done.output
    made: Any = Plan.read(saved)
    assert made.method.tells == "all" and sum(made.method.split.values()) == pytest.approx(1)
    assert tk.run(made).guarantees[0].value >= 5
    again = CliRunner().invoke(app, [*given, "--save", str(saved)])
    assert again.exit_code == 1 and "already" in again.output


def test_columns_that_are_suppressed_in_nearly_every_row_are_named(tmp_path: Path) -> None:
    """A flat guess may come near the shares of a column of which nothing is left, and no line said that nothing was."""
    rows = "age,sex,illness\n" + "".join(f"{row % 90},{'mf'[row % 2]},{'abcde'[row % 5]}\n" for row in range(360))
    (tmp_path / "people.csv").write_text(rows, encoding="utf-8")
    tokumei("init", "people.csv", "--k", 5, cwd=tmp_path)
    plan = (tmp_path / "plan.toml").read_text(encoding="utf-8")
    start = plan[: plan.index("[method]")] + '[method]\nmethod = "local_suppression"\nk = 20\n'
    (tmp_path / "plan.toml").write_text(start + '[output]\npath = "release"\n', encoding="utf-8")
    said = tokumei("anonymize", "plan.toml", cwd=tmp_path).stdout
    assert "Hardly anything is left of 'age': suppressed in nearly every row." in said
    assert "next to nothing" not in said
    found = tk.recommend(tmp_path / "people.csv", duty="linking 1/20")
    suppressed = next(each for each in found.ranking if each.name == "local_suppression")
    assert suppressed.gone == ("age",) and suppressed.describe()["gone"] == ["age"]
    chosen = replace(found, chosen=suppressed, whole=None)
    assert any("Hardly anything would be left of 'age'" in each for each in chosen.summary())
