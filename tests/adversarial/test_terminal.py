r"""Names, labels and sentences of others on a terminal: whatever they hold is shown, and nothing of it is obeyed.

A name may hold an escape that clears the screen, a control that turns the letters round, characters that nobody sees, or a line
that looks like one of ours. Every command runs on a table and a release of such names.
"""

from __future__ import annotations

import io
import json
import os
import sys
import time
import unicodedata
import warnings
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from rich.table import Table
from typer.testing import CliRunner

import tokumei as tk
from tests.release.forging import rewrite
from tokumei import progress
from tokumei.cli.app import app
from tokumei.cli.completion import columns_of, starting
from tokumei.cli.words import Terminal, cell
from tokumei.diagnostics import warn
from tokumei.errors import DataError, ObservedDomainWarning, OutputError, TokumeiError
from tokumei.plan.script import plan_script
from tokumei.shown import ANY, BUT_LINES, escaped, json_text, shown

SEEN = {
    "Prepended_Concatenation_Mark": "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
}
LIE = "Wrote nothing: all is well."
AGE = "age\x1b[2J\x1b]0;title\x07"
SEX = "sex\u202e\u2066"
TOWN = f"[red]to\u200bwn[/red]\x9b31m\n{LIE}"
HOME, WEIGHT = "home\x1b[5m\u202e", "weight\x9b7m"
PAY = "pay\x08\x7f\u2028\ufeff\U000e0041"
FEMALE, MALE = "F\x1b[31m", "M\u202d\x85"
NORTH, SOUTH, WEST = "[bold]north\x00", f"south\r\n{LIE}", "we\u2060st\x1bc"
LABELS = {SEX: [FEMALE, MALE], TOWN: [NORTH, SOUTH, WEST], PAY: ["low\x1b[8m", "high"]}
ROWS = 150


def table() -> pa.Table:
    rng = np.random.default_rng(5)
    drawn = {name: [labels[at] for at in rng.integers(0, len(labels), ROWS)] for name, labels in LABELS.items()}
    return pa.table({AGE: rng.integers(20, 60, ROWS), **drawn})


def households(folder: Path) -> None:
    """Write files of households and people, a release of whole households, and one with totals that must not change."""
    people = table().select([SEX])
    homes = pa.table({HOME: range(ROWS // 2), TOWN: table().column(TOWN).slice(0, ROWS // 2)})
    members = people.append_column(HOME, pa.array([place // 2 for place in range(ROWS)]))
    pyarrow.parquet.write_table(homes, folder / "homes.parquet")
    pyarrow.parquet.write_table(members, folder / "members.parquet")
    town, sex = (tk.Attribute(name, domain=tk.Categories(LABELS[name])) for name in (TOWN, SEX))
    schema = tk.surveys.widened_schema([town], [sex], most=2)
    wide = tk.surveys.widen(homes, members, on=HOME, most=2)
    tk.anonymize(wide, schema, tk.RecordSuppression(k=2)).write(folder / "homes-release")
    weighted = people.append_column(WEIGHT, pa.array([2.0] * ROWS))
    schema = tk.Schema([sex, tk.Attribute(WEIGHT, "insensitive", tk.Categories([1.0, 2.0]))])
    release = tk.anonymize(weighted, schema, tk.RecordSuppression(k=2))
    tk.surveys.calibrate(release, weighted, schema, tk.surveys.Calibration(WEIGHT, [[SEX]])).write(
        folder / "kept-release"
    )


def plan(method: str) -> str:
    columns = tk.Schema(
        [
            tk.Attribute(AGE, domain=tk.Numbers(20, 60, step=1)),
            *(
                tk.Attribute(n, "sensitive" if n == PAY else "quasi_identifier", tk.Categories(each))
                for n, each in LABELS.items()
            ),
        ]
    )
    made: Any = {"pk": tk.PkPerturbation(k=3, tells="all"), "groups": tk.Generalization(k=3)}[method]
    return tk.Plan(
        {"path": "people.parquet"}, columns, made, output={"path": f"{method}-out", "overwrite": True}
    ).to_toml()


def harmless(text: str) -> None:
    found = BUT_LINES.search(text)
    assert found is None, repr(text[max(0, found.start() - 60) : found.end() + 20])
    assert not any(line.strip().startswith(LIE) for line in text.splitlines()), "a line that is none of ours"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("home")
    pyarrow.parquet.write_table(table(), folder / "people.parquet")
    for method in ("pk", "groups"):
        (folder / f"{method}.toml").write_text(plan(method), encoding="utf-8")
    (folder / "wrong.toml").write_text(plan("pk").replace("low = 20", "low = 50"), encoding="utf-8")
    with chdir(folder), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run("anonymize", "pk.toml", "-o", "pk-release")
        run("anonymize", "groups.toml", "-o", "groups-release")
        households(folder)
        yield folder


def run(*words: str, code: int = 0) -> Any:
    result = CliRunner().invoke(app, list(words))
    assert result.exit_code == code, (result.output, result.exception)
    harmless(result.output)
    harmless(result.stderr)
    return result


COMMANDS: dict[str, list[str]] = {
    "init": ["init", "people.parquet", "-o", "drafted.toml", "--k", "3"],
    "anonymize": ["anonymize", "pk.toml", "-o", "one"],
    "anonymize, streamed": ["anonymize", "pk.toml", "-o", "two", "--engine", "stream", "--memory", "100MB"],
    "anonymize, for a script": ["anonymize", "groups.toml", "-o", "three", "--json"],
    "inspect": ["inspect", "pk-release"],
    "inspect, recoded": ["inspect", "groups-release"],
    "inspect, for a script": ["inspect", "groups-release", "--json"],
    "check": ["check", "people.parquet", "--qi", AGE, "--qi", SEX, "--qi", TOWN, "--sensitive", PAY],
    "sizes": ["sizes", "people.parquet", "--qi", SEX],
    "risk table": ["risk", "table", "people.parquet", "--qi", AGE, "--qi", SEX, "--qi", TOWN, "--sensitive", PAY],
    "risk table, for a script": ["risk", "table", "people.parquet", "--qi", AGE, "--qi", SEX, "--json"],
    "risk compare": ["risk", "compare", "pk.toml", "groups.toml"],
    "attack": ["attack", "pk.toml"],
    "collation": ["collation", "groups.toml"],
    "compare": ["compare", "groups.toml", "--methods", "generalization", "--k", "3", "-o", "compared"],
    "reconstruct, a table": ["reconstruct", "pk-release", "--columns", SEX, "--columns", TOWN],
    "reconstruct, a model": ["reconstruct", "pk-release", "--target", PAY],
    "reconstruct, weights": ["reconstruct", "pk-release", "-o", "weights.csv"],
    "synthesize": ["synthesize", "pk-release", "-o", "rows.csv"],
    "routes": ["routes", "pk.toml", "--target", PAY, "--k", "3", "--cv", "2"],
    "suggest": ["suggest", "pk.toml", "--pilot", "people-2.parquet", "--purpose", "marginals"],
    "promises": ["promises", "pk-release", "--original", "people.parquet"],
    "promises, recoded": ["promises", "groups-release", "--plan", "groups.toml", "--advise", "-o", "ladder.svg"],
    "promises, for a script": ["promises", "pk-release", "--json"],
    "combine": ["combine", "pk-release", "pk-release"],
    "recommend": ["recommend", "groups.toml", "--duty", "linking 1/3", "-o", "advised"],
    "regress": ["regress", "pk-release", f"{PAY} ~ {SEX}"],
    "survey join": ["survey", "join", "homes.parquet", "members.parquet", "--on", HOME, "-o", "joined.parquet"],
    "survey widen": [
        *("survey", "widen", "homes.parquet", "members.parquet", "--on", HOME, "--most", "2", "-o", "wide.parquet")
    ],
    "survey lengthen": ["survey", "lengthen", "homes-release", "--households", "h.parquet", "--people", "p.parquet"],
    "survey weights": ["survey", "weights", "kept-release", "-o", "raked.parquet"],
    "report": ["report", "groups.toml", "-o", "report.html"],
    "report, public": ["report", "pk-release", "-o", "public.html"],
}
MISTAKES: dict[str, list[str]] = {
    "a column that is not there": ["check", "people.parquet", "--qi", f"{SEX}x"],
    "a file that is not there": ["init", "none\x1b[2J.parquet"],
    "a plan that is not there": ["anonymize", "none\x1b[2J\n.toml"],
    "cells outside the domain": ["anonymize", "wrong.toml", "-o", "four"],
    "a release that is not there": ["inspect", "none\u202e"],
    "bins of no column": ["reconstruct", "pk-release", "--columns", SEX, "--bins", f"{AGE}=3"],
    "a target that is not there": ["reconstruct", "pk-release", "--target", f"{PAY}\x1b"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command(name: str, home: Path) -> None:
    if name == "suggest":
        others = table()
        mixed = others.column(0).take(list(reversed(range(others.num_rows))))
        pyarrow.parquet.write_table(others.set_column(0, others.column_names[0], mixed), home / "people-2.parquet")
    result = run(*COMMANDS[name])
    assert result.output.strip()
    for file in home.iterdir():
        if file.suffix in {".toml", ".html", ".svg", ".json"} and file.name != "people.csv":
            harmless_file(file)


def harmless_file(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".html":  # programs inside a page hold such characters in strings of their own
        text = text.partition("<body")[2]
    found = BUT_LINES.search(text)
    assert found is None, (file.name, repr(text[max(0, found.start() - 60) : found.end() + 20]))


@pytest.mark.parametrize("name", MISTAKES)
def test_every_mistake(name: str, home: Path) -> None:
    result = run(*MISTAKES[name], code=1)
    assert result.stderr.startswith("tokumei: ")
    assert len(result.stderr.splitlines()) == 1


def test_every_command_is_tried() -> None:
    import typer

    named = {" ".join(words[:2]) if words[0] in {"risk", "survey"} else words[0] for words in COMMANDS.values()}
    found = set()
    for name, command in typer.main.get_command(app).commands.items():  # type: ignore[attr-defined]
        found |= {f"{name} {each}" for each in getattr(command, "commands", {})} or {name}
    arithmetic = {"risk sampling", "risk rate"}  # which see no name of anybody's
    assert found - named - arithmetic == {"key", "demo", "proof", "studio"}


def test_sentences_of_a_manifest(home: Path, tmp_path: Path) -> None:
    """A forged release may say anything under keys that nobody knows."""
    made = tk.read_release(home / "groups-release", frame="pyarrow")
    assert made.guarantees

    def forged(content: Any) -> None:
        for fact in content["disclosed"].values():
            fact["reason"] = {"key": f"because\x1b[2J\n{LIE}", "more": LIE}
        for promise in content["disclosed"]["guarantees"]["value"]:
            promise["assumes"].append({"key": f"nothing\u202e\n{LIE}"})

    for file in (home / "groups-release").iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    rewrite(tmp_path, forged)
    run("inspect", str(tmp_path))
    release = tk.read_release(tmp_path, frame="pyarrow")
    for text in (str(release.guarantees[0]), repr(release), release._repr_html_(), release.guarantees[0]._repr_html_()):
        assert BUT_LINES.search(text) is None
    assert not any(line.strip().startswith(LIE) for line in str(release.guarantees[0]).splitlines())


def test_markup_of_names_is_shown(home: Path) -> None:
    said = run("inspect", "pk-release").output
    assert "[red]to\\u200bwn[/red]\\x9b31m\\nWrote" in said.replace("\n", "").replace(" ", "")
    assert "[bold]north\\x00" in run("reconstruct", "pk-release", "--columns", TOWN).output


@pytest.mark.parametrize("said", ["'a:warning:b' and ':b:'", "列「a:warning:b」と「:b:」"])
def test_names_are_not_taken_for_pictures(said: str, capsys: pytest.CaptureFixture[str]) -> None:
    console, grid = Terminal(width=80), Table(box=None)
    grid.add_column("column")
    grid.add_row(cell(said))
    console.print(said, markup=False)
    console.print(grid)
    assert capsys.readouterr().out.count(said) == 2


def test_what_may_be_typed_again_is_quoted(home: Path) -> None:
    from tokumei.cli.words import typed

    assert typed("inspect", "a; rm -rf ~").endswith("inspect 'a; rm -rf ~'")


def test_a_terminal_with_colours() -> None:
    file = io.StringIO()
    terminal = Terminal(file=file, force_terminal=True, color_system="standard", width=60, highlight=False)
    terminal.print(f"[bold]{cell(AGE)}[/bold]", "\x1b[2J", markup=True)
    terminal.rule(AGE)
    said = file.getvalue().replace("\x1b[1m", "").replace("\x1b[0m", "").replace("\x1b[92m", "")
    assert BUT_LINES.search(said) is None
    assert "age\\x1b[2J" in said


def test_progress_bars(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    told: list[str] = []
    with progress.listening(lambda _share, note: told.append(note)), progress.stage(f"Drawing {AGE}", 2) as shown_stage:
        shown_stage.advance(2, note=TOWN)
    assert told
    assert not any(ANY.search(note) for note in told)
    monkeypatch.setenv("TOKUMEI_PROGRESS", "1")
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    with progress.stage("Drawing [red]\x1b]0;x\x07", 2) as running:
        while running._bar is None:
            time.sleep(0.001)
        running.advance(1, note=f"[bold]{AGE}")
    said = capsys.readouterr().err
    assert "\x1b]0;" not in said
    assert "\x07" not in said


# Errors, warnings, files and programs.


@pytest.mark.parametrize("kind", [TokumeiError, DataError, OutputError])
def test_errors(kind: type[TokumeiError]) -> None:
    assert str(kind(f"no {AGE}\n{LIE}")) == f"no age\\x1b[2J\\x1b]0;title\\x07\\n{LIE}"


def test_warnings_point_at_whoever_uses_the_library() -> None:
    with warnings.catch_warnings(record=True) as noticed:
        warnings.simplefilter("always")
        warn(f"no {AGE}", ObservedDomainWarning)
        tk.anonymize(
            table(), tk.Schema.observe(table(), {PAY: "sensitive"}), tk.PkPerturbation(k=2, tells="all"), seed=1
        )
    assert len(noticed) > 1
    for notice in noticed:
        assert notice.filename == __file__
        assert ANY.search(str(notice.message)) is None


def test_warnings_of_a_program_without_a_name() -> None:
    with warnings.catch_warnings(record=True) as noticed:
        warnings.simplefilter("always")
        exec("warn('x', kind)", {"warn": warn, "kind": ObservedDomainWarning})
    assert noticed[0].filename == "<string>"


def test_charts_and_cards_and_programs(home: Path) -> None:
    read = tk.Plan.from_toml(plan("pk"))
    for text in (read.to_toml(), plan_script(read), read._repr_html_(), read.schema._repr_html_()):
        assert BUT_LINES.search(text) is None
    names: dict[str, Any] = {}
    exec(plan_script(read).replace("release = ", "#").replace("plan.write", "#"), names)
    assert names["plan"].schema == read.schema, "what it means is the same"
    assert tk.Plan.from_toml(read.to_toml()).schema == read.schema
    found = tk.assess(table(), [AGE, SEX, TOWN], [PAY])
    for text in (str(found), found._repr_html_(), str(tk.check(table(), [AGE, SEX, TOWN]))):
        assert BUT_LINES.search(text) is None
    assert LIE not in str(found).splitlines()


def test_svg_files_hold_nothing_that_may_not_stand_in_xml(tmp_path: Path) -> None:
    from xml.etree import ElementTree

    chart = tk.plots.marginals([FEMALE, MALE], [0.5, 0.5], [0.4, 0.6], name=SEX)
    tk.plots.save(chart, tmp_path / "t.svg")
    text = (tmp_path / "t.svg").read_text(encoding="utf-8")
    ElementTree.fromstring(text)
    assert BUT_LINES.search(text) is None
    assert "F&lt;U+001B&gt;[31m" in text


def test_completion_offers_nothing_that_a_shell_would_obey(home: Path) -> None:
    for source in ("people.parquet", "pk.toml", "pk-release"):
        known = columns_of(home / source)
        assert SEX in known
        assert starting(known, "") == []


def test_the_characters() -> None:
    """All that is not seen, that directs, or that ends a line; and none that is seen."""
    for code in range(sys.maxunicode + 1):
        character = chr(code)
        kind = unicodedata.category(character)
        if kind in {"Cc", "Cf", "Cs", "Zl", "Zp"} and character not in SEEN["Prepended_Concatenation_Mark"]:
            assert ANY.match(character), hex(code)
        elif kind != "Cn":
            assert not ANY.match(character), hex(code)


@pytest.mark.parametrize("text", ["plain", "日本語\u3000名", "葛\U000e0100城", "a\\x1b", "emoji 🙂", ""])
def test_honest_text_stays(text: str) -> None:
    assert shown(text) == escaped(text) == text


@pytest.mark.parametrize("text", [AGE, SEX, TOWN, PAY, "\ud800", "\U000e0041"])
def test_scripts_get_the_same_text(text: str) -> None:
    assert json.loads(json_text({text: [text]})) == {text: [text]}
    assert BUT_LINES.search(json_text({text: [text]})) is None
    assert os.linesep not in shown(text)
