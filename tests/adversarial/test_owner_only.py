"""What only the holder may see is written for its owner only, from its creation on; what is published is not."""

from __future__ import annotations

import os
import stat
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.csv
import pytest
from typer.testing import CliRunner

import tokumei as tk
from tokumei.cli.app import app
from tokumei.files import atomic_file, own_file
from tokumei.prepare.keys import write_key
from tokumei.studio.inbox import Inbox
from tokumei.studio.session import Session

pytestmark = pytest.mark.skipif(os.name != "posix", reason="files have owners in this way on POSIX systems only")


@pytest.fixture(autouse=True)
def generous(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Give everybody every right that is not taken away, and let nothing be taken away afterwards."""

    def late(*given: Any, **named: Any) -> None:
        raise AssertionError("rights were taken away once the file was there")

    before = os.umask(0)
    for name in ("chmod", "fchmod", "lchmod"):
        if hasattr(os, name):
            monkeypatch.setattr(os, name, late)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
    os.umask(before)


def rights(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = tk.example_census(rows=150, frame="pyarrow").select(["sex", "region", "income"])
    pyarrow.csv.write_csv(rows, tmp_path / "people.csv")
    (tmp_path / "homes.csv").write_text("home,rooms\n1,2\n2,3\n", encoding="utf-8")
    (tmp_path / "members.csv").write_text("home,age\n1,30\n1,31\n2,40\n", encoding="utf-8")
    columns = tk.example_schema()
    kept = tk.Schema([columns[name] for name in rows.column_names])
    plan = tk.Plan({"path": "people.csv"}, kept, tk.Generalization(k=3), output={"path": "out"})
    (tmp_path / "plan.toml").write_text(plan.to_toml(), encoding="utf-8")
    return tmp_path


PRIVATE: dict[str, list[str]] = {
    "drafted.toml": ["init", "people.csv", "-o", "drafted.toml", "--k", "3"],
    "own.key": ["key", "own.key"],
    "report.html": ["report", "plan.toml", "-o", "report.html", "--approver", "A. Name"],
    "report.record.json": ["report", "plan.toml", "-o", "report.html", "--approver", "A. Name"],
    "c.csv": ["compare", "plan.toml", "--methods", "generalization", "--k", "3", "-o", "c"],
    "c.html": ["compare", "plan.toml", "--methods", "generalization", "--k", "3", "-o", "c"],
    "c.svg": ["compare", "plan.toml", "--methods", "generalization", "--k", "3", "-o", "c"],
    "joined.csv": ["survey", "join", "homes.csv", "members.csv", "--on", "home", "-o", "joined.csv"],
    "wide.parquet": [
        "survey",
        "widen",
        "homes.csv",
        "members.csv",
        "--on",
        "home",
        "--most",
        "2",
        "-o",
        "wide.parquet",
    ],
    "r.html": ["recommend", "people.csv", "--duty", "linking 1/3", "-o", "r"],
    "r.toml": ["recommend", "people.csv", "--duty", "linking 1/3", "-o", "r"],
    "r.approval.en.txt": ["recommend", "people.csv", "--duty", "linking 1/3", "-o", "r"],
    "routes.csv": ["routes", "plan.toml", "--target", "income", "--k", "3", "--cv", "2", "-o", "routes.csv"],
}


def commands() -> dict[tuple[str, ...], list[str]]:
    """Return every command once, with the files that it makes."""
    made: dict[tuple[str, ...], list[str]] = {}
    for name, words in PRIVATE.items():
        made.setdefault(tuple(words), []).append(name)
    return made


@pytest.mark.parametrize(("words", "files"), commands().items(), ids=lambda given: str(given[0]))
def test_what_commands_write_for_the_holder(words: tuple[str, ...], files: list[str], home: Path) -> None:
    result = CliRunner().invoke(app, list(words))
    assert result.exit_code == 0, (result.output, result.exception)
    for name in files:
        assert rights(home / name) == 0o600, name


def test_true_rows_that_were_predicted_are_private(home: Path) -> None:
    rows = tk.example_census(rows=300, frame="pyarrow").select(["sex", "region", "income"])
    columns = tk.Schema([tk.example_schema()[name] for name in rows.column_names])
    tk.anonymize(rows, columns, tk.PkPerturbation(k=2, tells="all"), seed=1).write("pk", allow_seeded=True)
    words = ["reconstruct", "pk", "--target", "income", "--rows", "people.csv", "-o", "predicted.csv"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    assert rights(home / "predicted.csv") == 0o600


def test_what_was_measured_on_the_original_is_private_though_it_is_about_a_release(home: Path) -> None:
    assert CliRunner().invoke(app, ["anonymize", "plan.toml"]).exit_code == 0
    for name, more, expected in (("plain.svg", [], 0o666), ("measured.svg", ["--plan", "plan.toml"], 0o600)):
        result = CliRunner().invoke(app, ["promises", "out", *more, "-o", name])
        assert result.exit_code == 0, result.output
        assert rights(home / name) == expected, name


def test_an_older_file_that_others_can_read_is_replaced_by_one_that_they_cannot(home: Path) -> None:
    (home / "drafted.toml").write_text("x", encoding="utf-8")
    assert rights(home / "drafted.toml") == 0o666
    CliRunner().invoke(app, ["init", "people.csv", "-o", "drafted.toml", "--k", "3", "--overwrite"])
    assert rights(home / "drafted.toml") == 0o600


def test_what_is_published_is_not_private(home: Path) -> None:
    for words in (["anonymize", "plan.toml"], ["report", "out", "-o", "public.html"]):
        result = CliRunner().invoke(app, words)
        assert result.exit_code == 0, (words, result.output)
    assert rights(home / "out") == 0o777
    assert rights(home / "out" / "data.parquet") == rights(home / "out" / "manifest.json") == 0o666
    assert rights(home / "public.html") == 0o666


def test_what_the_studio_exports(home: Path) -> None:
    session = Session.open(home / "people.csv")
    session.change(method=tk.RecordSuppression(k=2))
    session.export(home / "e", ["release", "plan", "script", "report", "public_report"])
    for name in ("plan.toml", "release.py", "report-private.html"):
        assert rights(home / "e" / name) == 0o600, name
    assert rights(home / "e" / "report.html") == rights(home / "e" / "release" / "manifest.json") == 0o666


def test_what_is_handed_to_the_studio(tmp_path: Path) -> None:
    import asyncio

    async def pieces() -> Any:
        yield b"a,b\n"

    inbox = Inbox()
    try:
        place = asyncio.run(inbox.take("people.csv", pieces()))
        assert rights(place) == 0o600
        assert rights(place.parent) == rights(inbox.folder) == 0o700
    finally:
        inbox.close()


LEARNED: dict[str, Callable[[Path], Any]] = {
    "a key": write_key,
    "a tree that was learned": lambda path: tk.hierarchies.frequency_hierarchy(
        tk.example_census(rows=200), tk.example_schema()["region"]
    ).write_csv(path),
    "a chart": lambda path: tk.plots.save(
        tk.plots.marginals(["a", "b"], [0.5, 0.5], [0.4, 0.6]), path.with_suffix(".svg"), private=True
    ),
}


@pytest.mark.parametrize("name", LEARNED)
def test_what_python_writes_for_the_holder(name: str, tmp_path: Path) -> None:
    LEARNED[name](tmp_path / "x")
    (made,) = tmp_path.iterdir()
    assert rights(made) == 0o600


def test_trees_and_charts_of_anybody_are_not_private(tmp_path: Path) -> None:
    tk.Hierarchy.groups({"all": ["a", "b"]}).write_csv(tmp_path / "h.csv")
    tk.plots.save(tk.plots.marginals(["a", "b"], [0.5, 0.5], [0.4, 0.6]), tmp_path / "c.svg")
    assert {rights(each) for each in tmp_path.iterdir()} == {0o666}


def test_who_writes_a_private_file_need_not_know(tmp_path: Path) -> None:
    """A browser that prints makes its own file: it is never where others may look."""
    with atomic_file(tmp_path / "x.pdf", private=True) as temporary:
        temporary.write_bytes(b"page")
        assert rights(temporary) == 0o666
        assert rights(temporary.parent.parent) == 0o700  # nobody else enters it
    assert (tmp_path / "x.pdf").read_bytes() == b"page"
    assert rights(tmp_path / "x.pdf") == 0o600
    with pytest.raises(FileExistsError):
        own_file(tmp_path / "x.pdf")
