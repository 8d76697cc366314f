"""What is said on the command line: no names of Python, no Python warnings, and what to do next."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.command_line import tokumei
from tests.said import SOURCE, templates
from tokumei.anonymizers.notes import MediansReleased
from tokumei.cli.saying import INSTEAD
from tokumei.learning.said import CoefficientsShrink, NotForOneCopy
from tokumei.messages import Language
from tokumei.messages.phrase import translations
from tokumei.words import Words

PYTHON = re.compile(
    r"\btk\.|=True|\b[a-z]+_check\b|PkPerturbation|TopBottomCode|tells='|\bRecode\b|NearestGroups|LocalSearch|\bOptimal\(|\bMondrian\(|kept='"
)
CLASSES = re.compile(r"(?:use|take|or) (?:Mondrian|Optimal|NearestGroups|LocalSearch|TopDown|PkPerturbation)\b")
HOLES = re.compile(r"\{[^}]*\}")
TABLE = "age,sex,region\n" + "".join(f"{20 + row % 40},{'mf'[row % 2]},{'abc'[row % 3]}\n" for row in range(200))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "people.csv").write_text(TABLE, encoding="utf-8")
    tokumei("init", "people.csv", "--k", 3, cwd=tmp_path)
    return tmp_path


def test_every_sentence_that_is_replaced_is_one_of_the_library_and_names_python() -> None:
    ours = {said.template for path in SOURCE.rglob("*.py") for said in templates(path.read_text(encoding="utf-8"), "")}
    assert set(INSTEAD) <= ours
    assert all(PYTHON.search(each) for each in INSTEAD)


def test_no_sentence_tells_somebody_at_the_command_line_to_use_a_class() -> None:
    ours = {said.template for path in SOURCE.rglob("*.py") for said in templates(path.read_text(encoding="utf-8"), "")}
    assert {each for each in ours if CLASSES.search(each)} <= set(INSTEAD)


def test_what_is_said_instead_names_nothing_of_python_in_either_language() -> None:
    for template, told in INSTEAD.items():
        said = told(**dict.fromkeys(re.findall(r"\{(\w+)", template), 1)).template
        for text in (said, translations("ja")[said]):
            assert not PYTHON.search(HOLES.sub("", text)), text


def test_hints_are_options_and_names_of_classes_are_not_shown(home: Path) -> None:
    there = tokumei("init", "people.csv", cwd=home, code=1).stderr
    assert there == "tokumei: plan.toml already exists; choose another place, or overwrite it (--overwrite).\n"
    mark = tokumei("init", "people.csv", "--delimiter", ";;", "-o", "other.toml", cwd=home, code=1).stderr
    assert mark == "tokumei: delimiter must be one character. Got ';;'.\n"


def test_warnings_are_notes_and_not_as_python_shows_them(home: Path) -> None:
    table = "town,sex\n" + "".join(f"{row % 90:03d}x,{'mf'[row % 2]}\n" for row in range(180))
    (home / "towns.csv").write_text(table, encoding="utf-8")
    tokumei("init", "towns.csv", "-o", "towns.toml", "--k", 2, cwd=home)
    draft = (home / "towns.toml").read_text(encoding="utf-8")
    kept = draft[: draft.index("[method]")]
    (home / "towns.toml").write_text(f'{kept}[method]\nmethod = "generalization"\nk = 2\n', encoding="utf-8")
    said = tokumei("attack", "towns.toml", cwd=home, code=1).stderr
    first, second = said.splitlines()
    assert first.startswith("note: Column 'town': its domain was read from the data")
    assert second.endswith("tokumei report PLAN counts them.")


def test_a_table_in_place_of_a_plan_is_told_apart(home: Path) -> None:
    for command in ("anonymize", "attack"):
        said = tokumei(command, "people.csv", cwd=home, code=1).stderr
        assert said == "tokumei: people.csv is a table, not a plan; tokumei init drafts a plan for it.\n"


def test_a_table_without_rows_is_not_a_matter_of_k(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("age,sex\n", encoding="utf-8")
    assert "no rows" in tokumei("init", "people.csv", cwd=tmp_path, code=1).stderr


def test_the_encoding_that_a_file_seems_to_have_is_named(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_bytes("氏名,年齢\n田中,30\n佐藤,40\n".encode("cp932"))
    said = tokumei("init", "people.csv", cwd=tmp_path, code=1).stderr
    assert said == (
        "tokumei: people.csv cannot be read: it is not utf-8 text but looks like cp932; "
        "give its encoding (--encoding cp932, or encoding in the plan).\n"
    )


@pytest.mark.parametrize("language", ["en", "ja"])
def test_notes_of_microaggregation_and_of_complete_rows_name_no_arguments_of_python(language: Language) -> None:
    said = Words(language)
    for each in (MediansReleased(columns=("age",)), NotForOneCopy(), CoefficientsShrink()):
        assert not re.search(r"\w=[\w.]|\bNumbers\b", said.say(each)), said.say(each)


def test_a_step_for_identifiers_on_another_column_names_steps_of_a_plan(home: Path) -> None:
    draft = (home / "plan.toml").read_text(encoding="utf-8")
    step = '[[prepare]]\nstep = "mask"\ncolumn = "sex"\nshow = 1\n\n[method]'
    (home / "plan.toml").write_text(draft.replace("[method]", step), encoding="utf-8")
    said = tokumei("anonymize", "plan.toml", cwd=home, code=1).stderr
    assert "take the step 'recode' to make it coarser or 'drop' to leave it out." in said


def test_steps_and_parameters_of_a_plan_are_named_as_a_plan_writes_them(home: Path) -> None:
    """Sentences about steps named classes of Python, and arguments as Python writes them."""
    plan = (home / "plan.toml").read_text(encoding="utf-8")
    steps = {
        'step = "top_bottom_code"\ncolumn = "sex"\nhigh = 1': "the step top_bottom_code needs numbers or dates, and 'sex' has none",
        'step = "recode"\ncolumn = "sex"\nlevel = 1': "the step recode needs a hierarchy for 'sex'; write hierarchy below domain",
    }
    for step, told in steps.items():
        (home / "stepped.toml").write_text(plan.replace("[method]", f"[[prepare]]\n{step}\n[method]"), encoding="utf-8")
        said = tokumei("anonymize", "stepped.toml", cwd=home, code=1).stderr
        assert told in said and "TopBottom" not in said


def test_households_are_called_households(home: Path) -> None:
    rows = "hhid,age,sex,income\n" + "".join(
        f"{row // 2},{20 + row % 40},{'mf'[row % 2]},{row}\n" for row in range(200)
    )
    (home / "homes.csv").write_text(rows, encoding="utf-8")
    tokumei("init", "homes.csv", "--person", "hhid", "--k", 3, "-o", "homes.toml", cwd=home)
    plan = (home / "homes.toml").read_text(encoding="utf-8")
    unknown = plan.replace('kept = "perturb"', 'kept = "unknown"')
    (home / "homes.toml").write_text(unknown, encoding="utf-8")
    said = tokumei("anonymize", "homes.toml", cwd=home, code=1).stderr
    assert 'which rows belong to one household, which kept = "unknown" cannot allow' in said
    method = plan.index("[method]")
    alike = plan[:method] + '[method]\nmethod = "generalization"\nk = 3\n[output]\npath = "alike"\n'
    (home / "homes.toml").write_text(alike, encoding="utf-8")
    said = tokumei("anonymize", "homes.toml", cwd=home)
    assert "person" not in said.stderr and "people" not in said.stderr
    assert 'role = "person"' in alike and 'unit = "household"' in alike
    most = alike.replace('unit = "household"', 'unit = "household"\nmost = 1')
    (home / "homes.toml").write_text(most, encoding="utf-8")
    said = tokumei("anonymize", "homes.toml", "--overwrite", cwd=home, code=1).stderr
    assert "100 households have more rows than the declared most (1)" in said
