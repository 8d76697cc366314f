"""Complete rows on the command line: files, the card in both languages, and refusals in one sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

import tokumei as tk
from tests.command_line import tokumei


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("complete")
    people, schema = tk.example_census(rows=400, frame="pyarrow"), tk.example_schema()
    tk.anonymize(people, schema, tk.PkPerturbation(k=4, tells=1), seed=1).write(folder / "people", allow_seeded=True)
    return folder


@pytest.mark.parametrize("language", ["en", "ja"])
def test_rows_and_card_are_written_and_said(home: Path, language: str) -> None:
    said = tokumei(
        "synthesize", "people", "-o", f"{language}.csv", "--copies", 2, cwd=home, env={"TOKUMEI_LANGUAGE": language}
    ).stdout
    words = {
        "en": ("Wrote en.csv (800 complete rows)", "What is guaranteed"),
        "ja": ("完全な行 800 行", "保証されること"),
    }
    for each in (*words[language], "k = 4"):
        assert each in said
    rows = pd.read_csv(home / f"{language}.csv")
    assert list(rows.columns) == ["copy", *tk.example_census(rows=1).columns[1:]]  # without the identifier
    assert rows["copy"].value_counts().to_dict() == {1: 400, 2: 400}
    assert rows["age"].between(17, 90).all()
    page = (home / f"{language}-card.md").read_text(encoding="utf-8")
    assert words[language][1] in page


def test_scripts_get_the_card_as_data_and_the_state_decides(home: Path) -> None:
    facts = json.loads(tokumei("synthesize", "people", "--rows", 50, "--json", cwd=home).stdout)
    assert Path(facts["path"]).name == "people-rows.parquet"
    assert facts["card"]["what"][0] == {"key": "complete.drawn_rows", "rows": 50, "copies": 1, "released": 400}
    first = pd.read_parquet(facts["path"])
    for state, same in ((0, True), (1, False)):
        tokumei("synthesize", "people", "--rows", 50, "--random-state", state, "--overwrite", cwd=home)
        assert first.equals(pd.read_parquet(facts["path"])) is same


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-o", "x.txt"], "x.txt must end in .csv or .parquet."),
        (["-o", "x.csv", "--copies", "0"], "copies must be a whole number of at least 1."),
        (["-o", "x.csv", "--target", "age"], "'age' is not; leave it out."),
        (["-o", "x.parquet", "--formulas", "quote"], "formulas='quote' is for format='csv'"),
        (["-o", "there.csv"], "already exists; choose another place"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(home: Path, options: list[str], message: str) -> None:
    (home / "there-card.json").write_text("{}", encoding="utf-8")
    refused = tokumei("synthesize", "people", *options, cwd=home, code=1).stderr
    assert message in " ".join(refused.split())
    assert not list(home.glob("x*"))
    assert not (home / "there.csv").exists()
