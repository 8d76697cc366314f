"""The command line as its user has it: real processes, exit codes, messages on the right stream."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pyarrow.csv
import pytest
import typer

import tokumei as tk
from tests.command_line import tokumei
from tokumei.cli.app import app
from tokumei.cli.words import program


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a table, its draft plan and its release, whose rows tell every column."""
    folder = tmp_path_factory.mktemp("home")
    pyarrow.csv.write_csv(tk.example_census(rows=800, frame="pyarrow"), folder / "people.csv")
    tokumei("init", "people.csv", "--k", 4, cwd=folder)
    plan = folder / "plan.toml"
    draft = plan.read_text(encoding="utf-8")
    assert 'tells = "auto"' in draft
    plan.write_text(draft.replace('tells = "auto"', 'tells = "all"'), encoding="utf-8")
    tokumei("anonymize", "plan.toml", cwd=folder)
    return folder


def test_the_whole_way(home: Path) -> None:
    assert sorted(p.name for p in home.iterdir() if not p.name.startswith(".")) >= [
        "people-release",
        "people.csv",
        "plan.toml",
    ]
    release = tk.read_release(home / "people-release")
    assert release.rows == 800
    assert release.guarantees[0].value >= 4


def test_init_comments_and_refuses_to_overwrite(home: Path) -> None:
    text = (home / "plan.toml").read_text(encoding="utf-8")
    assert "# no attacker links a row to a person with a probability over 1/k" in text
    assert "# the domain was read from the data" in text
    failed = tokumei("init", "people.csv", cwd=home, code=1)
    assert failed.stderr.startswith("tokumei: plan.toml already exists")
    assert (home / "plan.toml").read_text(encoding="utf-8") == text


def test_init_writes_paths_relative_to_the_plan(home: Path, tmp_path: Path) -> None:
    (home / "plans").mkdir(exist_ok=True)
    tokumei("init", "people.csv", "-o", "plans/p.toml", "--overwrite", cwd=home)
    tokumei("anonymize", "plans/p.toml", "-o", tmp_path / "out", "--quiet", cwd=home)
    assert (tmp_path / "out" / "manifest.json").exists()


def test_anonymize_says_what_it_did(home: Path, tmp_path: Path) -> None:
    done = tokumei("anonymize", "plan.toml", "-o", tmp_path / "out", cwd=home)
    assert "Dropped: 'person_id'." in done.stdout
    assert "with probability over 1/4" in done.stdout
    assert "one row in the table" in done.stdout
    assert "tokumei inspect" in done.stdout


def test_anonymize_for_scripts(home: Path, tmp_path: Path) -> None:
    done = tokumei("anonymize", "plan.toml", "-o", tmp_path / "out", "--json", cwd=home)
    facts = json.loads(done.stdout)
    assert facts["rows"] == 800
    assert facts["guarantees"][0]["value"] >= 4
    quiet = tokumei("anonymize", "plan.toml", "-o", tmp_path / "quiet", "--quiet", cwd=home)
    assert quiet.stdout == quiet.stderr == ""


def test_a_seed_is_allowed_and_said(home: Path, tmp_path: Path) -> None:
    made = [tokumei("anonymize", "plan.toml", "-o", tmp_path / f"{i}", "--seed", 7, cwd=home) for i in range(2)]
    assert "nothing is promised against anyone who knows" in made[0].stderr
    first, second = (tk.read_release(tmp_path / f"{i}", frame="pyarrow") for i in range(2))
    assert first.table.equals(second.table)
    assert "void" in tokumei("inspect", tmp_path / "0", cwd=home).stdout


def test_inspect_explains(home: Path) -> None:
    done = tokumei("inspect", "people-release", cwd=home)
    for words in ("What is promised", "This assumes", "kept with probability", "bounded Laplace", "released unchanged"):
        assert words in done.stdout
    facts = json.loads(tokumei("inspect", "people-release", "--json", cwd=home).stdout)
    assert facts["disclosed"]["domains"]["reason"]


def test_reconstruct_weighs_rows_next_to_the_release_and_predicts(home: Path, tmp_path: Path) -> None:
    done = tokumei("reconstruct", "people-release", "-o", "people-release-weights.csv", cwd=home)
    assert "sample_weight" in done.stdout
    written = pd.read_csv(home / "people-release-weights.csv")
    assert written["weight"].mean() == pytest.approx(1)
    again = tokumei("reconstruct", "people-release", "-o", "people-release-weights.csv", cwd=home, code=1)
    assert "already exists" in again.stderr
    target = tmp_path / "w.parquet"
    facts = json.loads(
        tokumei("reconstruct", "people-release", "--model", "linear", "-o", target, "--json", cwd=home).stdout
    )
    assert facts["rows"] == len(pd.read_parquet(target)) and facts["converged"]
    told = tokumei("reconstruct", "people-release", "--target", "income", cwd=home).stdout
    assert "ClassConditionalClassifier" in told and "still has" in told
    rows = tmp_path / "new.csv"
    pd.read_csv(home / "people.csv").head(7).drop(columns="income").to_csv(rows, index=False)
    tokumei("reconstruct", "people-release", "--target", "income", "--rows", rows, cwd=home)
    assert len(pd.read_csv(tmp_path / "new-predicted.csv")["predicted income"]) == 7
    both = tokumei("reconstruct", "people-release", "-c", "age", "--target", "income", cwd=home, code=1)
    assert "not both" in both.stderr


def test_weights_by_kernels_take_the_names_that_python_has(home: Path, tmp_path: Path) -> None:
    """Those of the paper's readers are understood too."""

    def weighed(*options: str) -> dict[str, object]:
        target = tmp_path / f"{len(list(tmp_path.iterdir()))}.csv"
        asked = ["reconstruct", "people-release", "--model", "kernel", *options, "-o", target, "--json"]
        return dict(json.loads(tokumei(*asked, cwd=home).stdout))

    plain = weighed("--bandwidth", "0.5", "--n-centers", "20")
    assert (plain["bandwidth"], plain["n_centers"]) == (0.5, 20)
    assert weighed("--width", "0.5", "--centers", "20") | {"path": ""} == plain | {"path": ""}
    published = weighed("--sigma2", "1000", "--algorithm", "gradient", "--max-iter", "3", "--centers", "20")
    assert (published["bandwidth"], published["n_iter"]) == (None, 3)
    for asked in (["--bandwidth", "1", "-c", "age"], ["--n-centers", "9", "--target", "income"]):
        told = tokumei("reconstruct", "people-release", *asked, cwd=home, code=1).stderr
        assert f"{asked[0]} is for weights of rows" in " ".join(told.split())


def test_reconstruct_shows_writes_and_speaks_json(home: Path, tmp_path: Path) -> None:
    done = tokumei("reconstruct", "people-release", "--columns", "sex,income", cwd=home)
    assert "Female" in done.stdout
    assert "converged after" in done.stdout
    facts = json.loads(tokumei("reconstruct", "people-release", "-c", "sex, income", "--json", cwd=home).stdout)
    assert sum(cell["share"] for cell in facts["cells"]) == pytest.approx(1)
    assert facts["converged"]
    tokumei(
        "reconstruct",
        "people-release",
        "-c",
        "age",
        "--bins",
        "age=18:40:90",
        "-o",
        tmp_path / "t.csv",
        cwd=home,
        code=1,
    )
    low, high = (
        tk.read_release(home / "people-release").schema["age"].domain.low,
        tk.read_release(home / "people-release").schema["age"].domain.high,
    )
    tokumei(
        "reconstruct",
        "people-release",
        "-c",
        "age",
        "--bins",
        f"age={low}:40:{high}",
        "-o",
        tmp_path / "t.csv",
        cwd=home,
    )
    assert pyarrow.csv.read_csv(tmp_path / "t.csv").column_names == [
        "age",
        "share",
        "count",
        "standard error",
        "low",
        "high",
        "interval",
    ]
    again = tokumei("reconstruct", "people-release", "-c", "age", "-o", tmp_path / "t.csv", cwd=home, code=1)
    assert "already exists" in again.stderr
    many = tokumei("reconstruct", "people-release", "-c", "age,education", cwd=home)
    assert "60 largest of" in many.stdout


def test_demo_tells_its_story(tmp_path: Path) -> None:
    done = tokumei("demo", "--rows", 3000, cwd=tmp_path)
    for words in (
        "have a unique combination",
        "whatever they know about the original table",
        "reconstructed",
        "off by, on average",
        "tokumei inspect",
    ):
        assert words in done.stdout.replace("\n", " ")
    assert tk.read_release(tmp_path / "example-release").rows == 3000
    tokumei("demo", "--rows", 3000, cwd=tmp_path)  # and again, over its own release
    tokumei("demo", "--rows", 3000, "-o", "mine", cwd=tmp_path)
    refused = tokumei("demo", "--rows", 3000, "-o", "mine", cwd=tmp_path, code=1)  # anybody else's stays
    assert "mine already exists" in refused.stderr
    tokumei("demo", "--rows", 3000, "-o", "mine", "--overwrite", cwd=tmp_path)


def test_a_program_that_the_shell_would_not_find_is_named_by_its_place(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "")
    for called, shown in (
        (".venv/bin/tokumei", ".venv/bin/tokumei"),
        (str(tmp_path / "bin" / "tokumei"), "bin/tokumei"),
        ("/elsewhere/tokumei", "/elsewhere/tokumei"),
        ("/elsewhere/__main__.py", "tokumei"),
    ):
        monkeypatch.setattr(sys, "argv", [called])
        assert program() == shown
    found = tmp_path / "tokumei"
    found.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "argv", [str(found)])
    assert program() == "tokumei"


def test_a_table_of_another_country_is_drafted(tmp_path: Path) -> None:
    lines = [
        "id;name;height;born;kind",
        *(f"{i:04};N {i};1,{i};{1 + i % 28}.1.1990;{'n/a' if i % 2 else 'A'}" for i in range(40)),
    ]
    (tmp_path / "leute.csv").write_text("\n".join(lines), encoding="utf-8-sig")
    done = tokumei("init", "leute.csv", "--k", 4, cwd=tmp_path)
    assert "  identifier: id, name\n  quasi_identifier: height, born, kind\n" in done.stdout
    plan = (tmp_path / "plan.toml").read_text(encoding="utf-8")
    assert 'delimiter = ";"' in plan
    assert 'decimal = ","' in plan
    for words in ("look like dates", "often means a missing value"):
        assert plan.count(words) == 1
    tokumei("anonymize", "plan.toml", cwd=tmp_path)


def test_what_sampling_gains_is_said(home: Path, tmp_path: Path) -> None:
    plan = (home / "plan.toml").read_text(encoding="utf-8").replace("[method]", "[method]\nsample = 0.5")
    (home / "sampled.toml").write_text(plan, encoding="utf-8")
    done = tokumei("anonymize", "sampled.toml", "-o", tmp_path / "out", cwd=home)
    found = re.search(r"By sampling, sex is kept with probability (\S+), all rows released (\S+)\.", done.stdout)
    assert found is not None
    assert float(found[1]) > float(found[2])
    assert done.stdout.count("Pk-anonymity, k =") == 2


def test_suggest_writes_lines_for_a_plan(home: Path, tmp_path: Path) -> None:
    pyarrow.csv.write_csv(tk.example_census(rows=600, random_state=9, frame="pyarrow"), home / "pilot.csv")
    plan = (home / "plan.toml").read_text(encoding="utf-8")
    plan = re.sub(r"domain = \{kind = \"numbers\".*", 'domain = {kind = "numbers", low = 0, high = 90, step = 1}', plan)
    labels = {a.name: a.domain.labels() for a in tk.example_schema() if isinstance(a.domain, tk.Categories)}
    for name, values in labels.items():
        plan = re.sub(
            rf"(\[schema\.{name}\]\nrole.*\n)domain.*",
            rf"\1domain = {{kind = 'categories', values = {json.dumps(values)}}}",
            plan,
        )
    (home / "declared.toml").write_text(plan, encoding="utf-8")
    done = tokumei("suggest", "declared.toml", "--pilot", "pilot.csv", "--target", "income", cwd=home)
    assert "split = {" in done.stdout
    lines, _, method = done.stdout.partition("[method]")
    merged = re.sub(r"tells = .*", method.strip(), plan).replace("[method]", lines + "\n[method]")
    (home / "better.toml").write_text(merged, encoding="utf-8")
    tokumei("anonymize", "better.toml", "-o", tmp_path / "out", "--quiet", cwd=home)
    assert tk.read_release(tmp_path / "out").guarantees[0].value >= 4
    failed = tokumei("suggest", "declared.toml", "--pilot", "pilot.csv", cwd=home, code=1)
    assert "target must name a column" in failed.stderr


def test_attack_counts_right_links(home: Path) -> None:
    before = sorted(home.iterdir())
    done = tokumei("attack", "plan.toml", cwd=home)
    assert "of 800 people correctly" in done.stdout
    assert "no link has a probability over 1/4" in done.stdout
    facts = json.loads(tokumei("attack", "plan.toml", "--random-state", 1, "--json", cwd=home).stdout)
    assert facts["largest_belief"] <= 0.25
    assert sorted(home.iterdir()) == before


def test_questions_without_data(tmp_path: Path) -> None:
    done = tokumei("risk", "sampling", "--n", 10_000, "--known", 1000, "--k", 5, cwd=tmp_path)
    assert "At most 5,001 of 10,000 rows may be released." in done.stdout
    assert "at most 1/5 (k = 5)" in done.stdout.replace("\n", " ")
    facts = json.loads(
        tokumei("risk", "sampling", "--n", 100, "--known", 10, "--sample", 20, "--json", cwd=tmp_path).stdout
    )
    assert facts["risk"] == pytest.approx(10 / 81)
    assert "89." in tokumei("risk", "rate", "--n", 10_000, "--k", 10, "--values", 10, cwd=tmp_path).stdout
    for wrong in (["--k", 100], [], ["--k", 2, "--sample", 3]):
        failed = tokumei("risk", "sampling", "--n", 100, "--known", 10, *wrong, cwd=tmp_path, code=1)
        assert failed.stderr.startswith("tokumei: ")


def test_every_command_stands_in_the_list_of_the_documentation() -> None:
    page = (Path(__file__).parents[2] / "docs" / "plan.md").read_text(encoding="utf-8")
    top = typer.main.get_group(app)
    known = [name for name in top.commands if name != "risk"]
    known += [f"risk {name}" for name in top.commands["risk"].commands]  # type: ignore[attr-defined]
    assert [name for name in known if f"`tokumei {name}" not in page] == []
    assert all(each.rich_help_panel for name, each in top.commands.items())  # type: ignore[attr-defined]


def test_help_has_examples(tmp_path: Path) -> None:
    assert "tokumei init data.csv" in tokumei("--help", cwd=tmp_path).stdout
    for command in ("init", "anonymize", "inspect", "reconstruct", "attack", "suggest", "demo"):
        assert "Example: tokumei" in tokumei(command, "--help", cwd=tmp_path).stdout
    assert tk.__version__ in tokumei("--version", cwd=tmp_path).stdout


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["anonymize", "absent.toml"], 1, "absent.toml cannot be read: no such file"),
        (["init", "absent.csv"], 1, "absent.csv does not exist"),
        (["init", "people.csv", "--k", "1", "-o", "x.toml"], 1, "k must be a number above 1"),
        (["init", "people.csv", "--k", "many"], 2, "Invalid value for"),
        (["inspect", "people.csv"], 1, "has no manifest.json"),
        (["reconstruct", "people-release", "-c", "agee"], 1, "Did you mean 'age'"),
        (["reconstruct", "people-release", "-c", "age", "--bins", "age"], 1, "must look like age=10"),
        (["reconstruct", "people-release", "-c", "age", "--bins", "age=a:b"], 1, "must hold numbers or dates"),
        (["reconstruct", "people-release", "-c", "age", "-o", "t.xlsx"], 1, "must end in .csv or .parquet"),
        (["reconstruct", "people-release", "--target", "incom"], 1, "Did you mean 'income'"),
        (["reconstruct", "people-release", "--model", "cubic", "-o", "w.csv"], 1, "model must be"),
        (["anonymize", "plan.toml", "--output", "people.csv"], 1, "already exists"),
        (["demo", "--k", "1"], 1, "k must be a number above 1"),
        (["demo", "--rows", "0"], 1, "rows must be at least 1"),
        (["demo", "--rows", "50", "--k", "49"], 1, "the largest k is"),
        (["fly"], 2, "No such command"),
    ],
)
def test_mistakes_get_one_sentence(home: Path, arguments: list[str], code: int, message: str) -> None:
    failed = tokumei(*arguments, cwd=home, code=code)
    assert message in failed.stderr.replace("\n", " ").replace("│", "").replace("  ", " ")
    if code == 1:
        assert failed.stderr.startswith("tokumei: ")
        assert failed.stderr.count("\n") == 1
        assert failed.stdout == "" or arguments[0] == "demo"


def test_notes_of_rounding_go_to_the_error_stream(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("x\n" + "0.4\n5\n" * 20, encoding="utf-8")
    (tmp_path / "plan.toml").write_text(
        '[source]\npath = "t.csv"\n[schema.x]\nrole = "quasi_identifier"\n'
        'domain = { kind = "numbers", low = 0, high = 10, step = 5 }\n[method]\nmethod = "pk_perturbation"\nk = 2\n',
        encoding="utf-8",
    )
    done = tokumei("anonymize", "plan.toml", cwd=tmp_path)
    assert "note: Column 'x': 20 values lay between" in done.stderr
    assert "Moved to the grid: 20 values of 'x'." in done.stdout


def test_an_interrupted_run_leaves_nothing(home: Path, tmp_path: Path) -> None:
    interrupted = """
        import tokumei.release.files as f
        def stop(*a): raise KeyboardInterrupt
        f.WRITERS['parquet'] = stop
    """
    done = tokumei("anonymize", "plan.toml", "-o", tmp_path / "out", cwd=home, code=130, before=interrupted)
    assert "nothing was left half-written" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_what_was_written_before_an_interrupt_is_said(home: Path, tmp_path: Path) -> None:
    interrupted = """
        import tokumei.cli.left as left
        def stop(*a): raise KeyboardInterrupt
        left.left_lines = stop
    """
    done = tokumei("anonymize", "plan.toml", "-o", tmp_path / "out", cwd=home, code=130, before=interrupted)
    assert done.stdout.splitlines()[-1].startswith("Wrote ")
    assert tk.read_release(tmp_path / "out").rows


def test_a_progress_bar_appears_for_what_takes_longer() -> None:
    program = (
        "import time, tokumei.progress as p\n"
        "p.PATIENCE = 0.05\n"
        "with p.stage('Thinking hard', total=3) as s:\n"
        "    while p.watched() and s._bar is None: time.sleep(0.01)\n"
        "    s.advance(note='a note')\n"
    )
    for asked, there in (("1", True), ("0", False)):
        done = subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            check=True,
            env={"TOKUMEI_PROGRESS": asked, "FORCE_COLOR": "1"},
        )
        assert ("Thinking hard" in done.stderr) is there
        assert done.stdout == ""


def test_anonymize_in_little_memory(home: Path, tmp_path: Path) -> None:
    tokumei("anonymize", "plan.toml", "-o", tmp_path / "out", "--memory", "64MB", cwd=home)
    assert tk.read_release(tmp_path / "out").guarantees == tk.read_release(home / "people-release").guarantees
    failed = tokumei("anonymize", "plan.toml", "-o", tmp_path / "b", "--memory", "lots", cwd=home, code=1)
    assert failed.stderr == "tokumei: memory must be an amount such as '1GB' or '512MB'. Got 'lots'.\n"
    failed = tokumei("anonymize", "plan.toml", "-o", tmp_path / "b", "--engine", "cloud", cwd=home, code=1)
    assert "engine must be one of" in failed.stderr
    failed = tokumei("anonymize", "plan.toml", "-o", tmp_path / "b", "--shuffle", "some", cwd=home, code=1)
    assert "'shuffle' must be" in failed.stderr
    assert not (tmp_path / "b").exists()


def test_sizes_of_classes(home: Path) -> None:
    facts = json.loads(tokumei("sizes", "people.csv", "--qi", "age,sex", "--json", cwd=home).stdout)
    assert facts["rows"] == 800
    assert sum(int(size) * count for size, count in facts["sizes"].items()) == 800
    assert "800 rows in" in tokumei("sizes", "people.csv", "--qi", "age", "--qi", "sex", cwd=home).stdout
    failed = tokumei("sizes", "people.csv", "--qi", "agee", cwd=home, code=1)
    assert failed.stderr == "tokumei: The table has no column 'agee'. Did you mean 'age'?\n"


def test_a_plan_for_databases(home: Path, tmp_path: Path) -> None:
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(tmp_path / "people.db")) as opened:
        pyarrow.csv.read_csv(home / "people.csv").to_pandas().to_sql("people", opened, index=False)
    text = (home / "plan.toml").read_text(encoding="utf-8")
    text = re.sub(
        r'^path = "people.csv"$', 'database = "sqlite:///people.db"\ntable = "people"', text, flags=re.MULTILINE
    )
    text = text.replace('path = "people-release"', 'database = "sqlite:///open.db"\ntable = "open"')
    (tmp_path / "plan.toml").write_text(text, encoding="utf-8")
    done = tokumei("anonymize", "plan.toml", "--memory", "64MB", cwd=tmp_path)
    assert "Wrote open (800 rows)." in done.stdout
    assert tk.read_release(f"sqlite:///{tmp_path / 'open.db'}", table="open").rows == 800
    failed = tokumei("anonymize", "plan.toml", cwd=tmp_path, code=1)
    assert "'open' already exists" in failed.stderr


def test_a_stage_inside_another_draws_no_bar_of_its_own() -> None:
    program = (
        "import time, tokumei.progress as p\n"
        "p.PATIENCE = 0.05\n"
        "def drawn(s):\n"
        "    while s._bar is None: time.sleep(0.01)\n"
        "    s._bar.refresh()\n"
        "with p.stage('Outer', total=2) as s:\n"
        "    drawn(s)\n"
        "    with p.stage('Inner', total=1) as t:\n"
        "        drawn(s); t.advance(note='deep'); drawn(s)\n"
        "    s.advance()\n"
        "with p.stage('Afterwards') as s:\n"
        "    drawn(s)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={"TOKUMEI_PROGRESS": "1", "FORCE_COLOR": "1", "COLUMNS": "120"},
    )
    assert "Outer" in done.stderr
    assert "Inner" in done.stderr  # as a note of the outer one
    assert "deep" not in done.stderr
    assert "Afterwards" in done.stderr
