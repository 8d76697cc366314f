"""Pseudonyms on the command line: a key is made once, and neither it nor its place is told."""

from __future__ import annotations

from pathlib import Path

import pyarrow.csv
import pytest

import tokumei as tk
from tests.command_line import tokumei

STEP = """
[[prepare]]
step = "pseudonymize"
column = "person_id"
key = "{key}"

[method]"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    pyarrow.csv.write_csv(tk.example_census(rows=300, frame="pyarrow"), folder / "people.csv")
    tokumei("init", "people.csv", "--k", 4, cwd=folder)
    text = (folder / "plan.toml").read_text()
    (folder / "file.toml").write_text(text.replace("\n[method]", STEP.format(key="file:keys/own.key")))
    (folder / "env.toml").write_text(text.replace("\n[method]", STEP.format(key="env:HIDDEN_PLACE")))
    return folder


def test_from_a_key_to_a_release(home: Path) -> None:
    said = tokumei("key", "keys/own.key", cwd=home).stdout
    key = (home / "keys" / "own.key").read_text().strip()
    assert key not in said
    assert "Keep it separate" in said
    assert (home / "keys" / "own.key").stat().st_mode & 0o777 == 0o600
    again = tokumei("key", "keys/own.key", cwd=home, code=1)
    assert "already exists" in again.stderr
    assert (home / "keys" / "own.key").read_text().strip() == key
    done = tokumei("anonymize", "file.toml", "--output", "one", cwd=home)
    tokumei("anonymize", "env.toml", "--output", "two", cwd=home, env={"HIDDEN_PLACE": key})
    shown = tokumei("inspect", "one", cwd=home).stdout
    for told in (done.stdout, done.stderr, shown, (home / "one" / "manifest.json").read_text()):
        assert key not in told
        assert "own.key" not in told
    assert "Dropped: person_id" not in done.stdout
    assert "pseudonymize person_id" in shown
    assert "other direct identifiers were dropped" in " ".join(shown.split())
    one, two = (tk.read_release(home / name).frame["person_id"] for name in ("one", "two"))
    assert set(one) == set(two)
    assert one.nunique() == 300


def test_without_a_key_nothing_is_written(home: Path) -> None:
    failed = tokumei("anonymize", "env.toml", "--output", "none", cwd=home, code=1)
    assert "The key for 'person_id' is missing" in failed.stderr
    assert "HIDDEN_PLACE" not in failed.stderr
    assert not (home / "none").exists()
