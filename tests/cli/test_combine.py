"""`tokumei combine`: what several releases guarantee together, and who changed, joined or left."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tokumei as tk
from tests.command_line import tokumei

REPEAT = """tells = "all"
repeat = {{ key = "file:people.key", person = "person_id"{like} }}
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    people = tk.example_census(rows=400)
    people.to_csv(folder / "january.csv", index=False)
    people.loc[:39, "sex"] = people.loc[:39, "sex"].map({"Female": "Male", "Male": "Female"})
    people.to_csv(folder / "february.csv", index=False)
    tokumei("key", "people.key", cwd=folder)
    tokumei("init", "january.csv", "--k", 4, cwd=folder)
    text = (folder / "plan.toml").read_text()
    start, end = text.index('tells = "auto"'), text.index("kept =")
    for month, like in (("january", ""), ("february", ', like = "january-release"')):
        made = text[:start] + REPEAT.format(like=like) + text[end:]
        (folder / f"{month}.toml").write_text(
            made.replace("january.csv", f"{month}.csv").replace('path = "january-release"', f'path = "{month}-release"')
        )
        tokumei("anonymize", f"{month}.toml", "--quiet", cwd=folder)
    return folder


BOTH = ("january-release", "february-release")


def test_who_keeps_what(home: Path) -> None:
    said = tokumei("combine", *BOTH, "--plan", "january.toml", "--plan", "february.toml", cwd=home).stdout
    first = tk.read_release(home / "january-release").mechanism
    changed = float(1 + 39 * first.swap * first.channels["sex"].swap)
    assert f"k = {int(changed * 10**4) / 10**4:g}: 40 people in 1, 2, drawn more than once: 'sex'" in said
    assert "360 people in 1, 2, nothing changed" in said
    assert "tokumei proof repeated" in said
    found = json.loads(
        tokumei("combine", *BOTH, "--plan", "january.toml", "--plan", "february.toml", "--json", cwd=home).stdout
    )
    assert found["guarantees"][0]["value"] == pytest.approx(changed)
    assert [each["people"] for each in found["patterns"]] == [40, 360]


def test_without_plans_and_in_japanese(home: Path) -> None:
    assert "k = 1)" in tokumei("combine", *BOTH, cwd=home).stdout
    assert (
        "型に分かれ"
        in tokumei(
            "combine",
            *BOTH,
            "--plan",
            "january.toml",
            "--plan",
            "february.toml",
            cwd=home,
            env={"TOKUMEI_LANGUAGE": "ja"},
        ).stdout
    )


def test_what_cannot_be_combined_is_one_sentence(home: Path) -> None:
    assert "at least two releases" in tokumei("combine", BOTH[0], cwd=home, code=1).stderr
    assert "one --plan for each" in tokumei("combine", *BOTH, "--plan", "january.toml", cwd=home, code=1).stderr
    plans = ("--plan", "january.toml", "--plan", "plan.toml")
    assert "has no repeat" in tokumei("combine", *BOTH, *plans, cwd=home, code=1).stderr
    assert "january is not a release" in tokumei("combine", "january", "february", cwd=home, code=1).stderr
