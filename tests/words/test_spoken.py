"""The command line and notebooks speak the language that is asked for."""

from __future__ import annotations

from pathlib import Path

import pyarrow.csv
import pytest

import tokumei as tk
from tests.command_line import tokumei
from tokumei.words import spoken

JAPANESE = {"TOKUMEI_LANGUAGE": "ja"}


def test_commands_speak_japanese(tmp_path: Path) -> None:
    pyarrow.csv.write_csv(tk.example_census(rows=200, frame="pyarrow"), tmp_path / "people.csv")
    assert "plan.toml を作成しました" in tokumei("init", "people.csv", cwd=tmp_path, env=JAPANESE).stdout
    done = tokumei("anonymize", "plan.toml", cwd=tmp_path, env=JAPANESE)
    assert "攻撃者は、公開された行を 1/" in done.stdout
    assert "表の 1 行が 1 人に対応します。" in done.stdout
    assert "に書き出しました（200 行）" in done.stdout
    done = tokumei("inspect", "people-release", cwd=tmp_path, env=JAPANESE)
    assert "そのまま公開" in done.stdout
    assert "No attacker" not in done.stdout
    wrong = tokumei("inspect", "nowhere", cwd=tmp_path, env=JAPANESE, code=1)
    assert wrong.stderr == "tokumei: nowhere は公開データではありません。manifest.json がありません。\n"


def test_another_language_is_refused_in_one_sentence(tmp_path: Path) -> None:
    wrong = tokumei("inspect", "nowhere", cwd=tmp_path, env={"TOKUMEI_LANGUAGE": "fr"}, code=1)
    assert wrong.stderr == "tokumei: TOKUMEI_LANGUAGE must be 'en' or 'ja'. Got 'fr'.\n"


def test_notebooks_speak_japanese(monkeypatch: pytest.MonkeyPatch) -> None:
    release = tk.anonymize(tk.example_census(rows=200), tk.example_schema(), tk.PkPerturbation(k=3, tells="all"))
    assert spoken().language == "en"
    assert "No attacker" in release._repr_html_()
    monkeypatch.setenv("TOKUMEI_LANGUAGE", "ja")
    for shown in (release._repr_html_(), release.guarantees[0]._repr_html_()):
        assert "何の手がかりも得られない攻撃者は" in shown
        assert "No attacker" not in shown
    assert "No attacker" in str(release.guarantees[0])  # programs may rely on English


def test_results_and_commands_speak_japanese_and_print_english(tmp_path: Path) -> None:
    rows = tk.example_census(rows=200, frame="pyarrow")
    pyarrow.csv.write_csv(rows, tmp_path / "people.csv")
    done = tokumei("check", "people.csv", "--qi", "age,sex", "--sensitive", "income", cwd=tmp_path, env=JAPANESE)
    found = tk.check(rows, ["age", "sex"], sensitive="income")
    assert done.stdout == found.in_language("ja") + "\n"
    assert "「age」「sex」による同値類は" in done.stdout
    assert str(found).startswith("200 rows in ")
    for each in (tk.assess(rows, ["age", "sex"]), found):
        english = [line for line in each.lines() if line in each.in_language("ja").splitlines()]
        assert all(line.startswith("  ") for line in english), english  # rows of figures
