"""`tokumei report`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import tokumei as tk
from tokumei.cli.app import app

RUN = CliRunner()


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    tk.example_census(rows=200)[["age", "sex", "income"]].to_csv(tmp_path / "people.csv", index=False)
    path = tmp_path / "plan.toml"
    assert RUN.invoke(app, ["init", str(tmp_path / "people.csv"), "-o", str(path), "--k", "4"]).exit_code == 0
    return path


def test_a_plan_gives_a_private_report_and_a_record(plan: Path) -> None:
    place = plan.parent / "report.html"
    done = RUN.invoke(app, ["report", str(plan), "-o", str(place), "--approver", "A. Name", "--language", "ja"])
    assert done.exit_code == 0, done.output
    assert "do not publish it" in done.output
    assert '<html lang="ja">' in place.read_text(encoding="utf-8")
    assert json.loads((plan.parent / "report.record.json").read_text())["approver"] == "A. Name"
    again = RUN.invoke(app, ["report", str(plan), "-o", str(place)])
    assert again.exit_code == 1
    assert "already exists" in again.output


def test_a_release_gives_a_public_report(plan: Path) -> None:
    folder, place = plan.parent / "out", plan.parent / "public.html"
    assert RUN.invoke(app, ["anonymize", str(plan), "-o", str(folder), "--quiet"]).exit_code == 0
    done = RUN.invoke(app, ["report", str(folder), "-o", str(place), "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout) == {"public": True, "files": [str(place)]}
    assert "For the data holder only" not in place.read_text(encoding="utf-8")


def test_problems_are_one_sentence(plan: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = RUN.invoke(app, ["report", str(plan), "-o", str(plan.parent / "r.html"), "--language", "fr"])
    assert wrong.exit_code == 1
    assert "language must be 'en' or 'ja'" in wrong.output
    monkeypatch.setenv("TOKUMEI_BROWSER", "no-such-browser")
    without = RUN.invoke(app, ["report", str(plan), "-o", str(plan.parent / "r.html"), "--pdf"])
    assert without.exit_code == 1
    assert "TOKUMEI_BROWSER" in without.output
    assert not (plan.parent / "r.html").exists()


def test_the_private_and_the_public_report_have_files_of_their_own(plan: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The two commands of the guide for data holders, one after the other, were to write the same file."""
    monkeypatch.chdir(plan.parent)
    assert RUN.invoke(app, ["anonymize", str(plan), "-o", "release", "--quiet"]).exit_code == 0
    for words in (["plan.toml"], ["release", "--public"]):
        done = RUN.invoke(app, ["report", *words])
        assert done.exit_code == 0, done.output
    for name, private in (("report.html", True), ("public-report.html", False)):
        assert ("For the data holder only" in (plan.parent / name).read_text(encoding="utf-8")) == private
