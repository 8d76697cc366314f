"""Nothing takes long in silence: every command and every public function says what it does from its beginning to its end, and Ctrl-C ends it cleanly."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.csv
import pytest
import typer
from typer.testing import CliRunner

import tokumei as tk
from tests.public import public
from tokumei import progress
from tokumei.cli.app import app
from tokumei.progress import clear, listening, stage

INSTANT = {
    "example_schema", "example_census", "samples.partial_risk", "samples.largest_sample", "encoders.encoder_for",
}  # fmt: skip
FUNCTIONS = {name: found for name, found in public().items() if inspect.isfunction(inspect.unwrap(found))}
FITS = {
    f"{name}.fit": found.fit for name, found in public().items() if inspect.isclass(found) and hasattr(found, "fit")
}
WRITES = {"Release.write": tk.Release.write, "Release.write_table": tk.Release.write_table}


@pytest.fixture(autouse=True)
def told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PAUSE", 0.0)


@pytest.mark.parametrize("name", sorted((FUNCTIONS | FITS | WRITES).keys() - INSTANT))
def test_a_public_function_is_a_stage_from_its_first_line_on(name: str) -> None:
    """Even a call that lacks what the function needs has been told of before that is noticed."""
    told: list[str] = []
    with listening(lambda share, note: told.append(note)), pytest.raises(TypeError):
        (FUNCTIONS | FITS | WRITES)[name]()
    assert len(told) == 1, f"put @stage(…) above {name}"


def commands() -> Iterator[tuple[str, list[str]]]:
    """Yield every command with something for all that it needs: a number, or the name of a file that is not there."""
    top: Any = typer.main.get_command(app)
    for name, found in top.commands.items():
        for inner, each in getattr(found, "commands", {"": found}).items():
            words = [word for word in (name, inner) if word]
            for part in each.params:
                if part.required:
                    words += [*([part.opts[0]] if part.opts[0].startswith("-") else []), "7"]
            yield inner or name, words


COMMANDS = [pytest.param(name, words, id=" ".join(words[:2])) for name, words in commands() if name != "studio"]


@pytest.mark.parametrize(("name", "words"), COMMANDS)
def test_a_command_is_a_stage_from_its_first_line_on(
    name: str, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    told: list[str] = []

    def hear(share: float, note: str) -> None:
        told.append(note)
        if len(told) > 1:
            raise KeyboardInterrupt

    with listening(hear):
        done = CliRunner().invoke(app, words)
    assert done.exit_code in {0, 1, 130}, done.output
    assert told[0] == f"tokumei {name}"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a table, a plan and its release."""
    folder = tmp_path_factory.mktemp("home")
    pyarrow.csv.write_csv(tk.example_census(rows=300, frame="pyarrow"), folder / "people.csv")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert CliRunner().invoke(app, ["init", "people.csv", "--k", "4"]).exit_code == 0
        assert CliRunner().invoke(app, ["anonymize", "plan.toml", "-q"]).exit_code == 0
    drafted = (folder / "plan.toml").read_text(encoding="utf-8").partition("[method]")[0]
    (folder / "pk.toml").write_text(f'{drafted}[method]\nmethod = "pk_perturbation"\nk = 4\n', encoding="utf-8")
    return folder


def contents(folder: Path) -> dict[str, str]:
    """Tell every file of a folder, hidden ones too, by its digest."""
    files = (file for file in folder.rglob("*") if file.is_file())
    return {str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


STOPPED = [
    "recommend people.csv -o new", "init people.csv -o new.toml", "anonymize plan.toml -o new", "anonymize plan.toml --overwrite",
    "suggest pk.toml --pilot people.csv", "inspect people-release", "reconstruct people-release --columns age",
    "reconstruct people-release --target income", "synthesize people-release -o new.parquet", "attack plan.toml",
    "check people.csv --qi age,sex", "sizes people.csv --qi age,sex", "compare plan.toml -o new.html", "routes plan.toml --target income",
    "combine people-release people-release", "report plan.toml -o new.html", "promises people-release",
    "risk table people.csv --qi age,sex", "risk compare plan.toml", "demo -o new",
]  # fmt: skip


@pytest.mark.parametrize("line", STOPPED)
@pytest.mark.parametrize("when", ["first", "later"])
def test_ctrl_c_ends_a_command_in_one_sentence(
    line: str, when: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    monkeypatch.setenv("COLUMNS", "200")
    before = contents(home)
    told: list[str] = []

    def hear(share: float, note: str) -> None:
        told.append(note)
        if len(told) == (2 if when == "first" else 6):
            raise KeyboardInterrupt

    with listening(hear):
        done = CliRunner().invoke(app, line.split())
    if len(told) >= (2 if when == "first" else 6):
        assert done.exit_code == 130, done.output
        assert done.stderr.strip().splitlines()[-1] == "tokumei: interrupted; nothing was left half-written."
        assert "Traceback" not in done.output
    else:
        assert when == "later", f"{line} says nothing but its name"
    if done.exit_code == 130:
        assert contents(home) == before


def test_what_is_printed_never_stands_in_a_bar(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TOKUMEI_PROGRESS", "1")
    monkeypatch.setattr(progress, "PATIENCE", 3600.0)
    with stage("Outside") as outside:
        outside.show()
        assert outside._bar is not None
        with stage("Inside", total=4) as inside:
            inside.advance()
            clear()
            assert outside._bar is None
            print("a result")
            outside.show()
            inside.advance(note="more")
    assert outside._bar is None
    assert capsys.readouterr().out == "a result\n"


def test_a_bar_shows_the_outermost_stage_that_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[tuple[Any, ...]] = []

    class Seen:
        def __init__(self, label: str, total: float | None, done: float, begun: float) -> None:
            self.draw(label, total, done, "")

        def draw(self, *given: Any) -> None:
            drawn.append(given)

        def stop(self) -> None:
            drawn.append(("stopped",))

    monkeypatch.setattr(progress, "Bar", Seen)
    monkeypatch.setenv("TOKUMEI_PROGRESS", "1")
    monkeypatch.setattr(progress, "PATIENCE", 3600.0)
    with stage("Command") as whole:
        whole.show()
        with stage("Reading", 200, rows=True) as reading:
            reading.advance(100)
            with stage("Deep", 7) as deep:
                deep.advance(note="down")
    assert drawn == [
        ("Command", None, 0.0, ""),
        ("Reading", 200, 0.0, "Reading"),
        ("Reading", 200, 100.0, "100 of 200 rows"),
        ("Reading", 200, 100.0, "Deep"),
        ("Reading", 200, 100.0, "Deep"),
        ("Reading", 200, 100.0, ""),
        ("Command", None, 0.0, ""),
        ("stopped",),
    ]
