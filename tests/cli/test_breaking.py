"""Lines of Japanese in a terminal end where Japanese lines may."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from rich.cells import cell_len

import tokumei as tk
from tests.command_line import tokumei
from tokumei.cli.breaking import NOT_FIRST, NOT_LAST, ends, pieces
from tokumei.cli.words import Terminal

SAID = "  • 公開される「年齢」「性別」「education」の値はいずれも、似た行からなる（同じ）グループの誰かの真の値です。k = 10 とし、4,000 行で測りました。"


@pytest.mark.parametrize("width", range(16, 90, 3))
def test_no_line_is_too_long_or_begins_with_a_comma(width: int) -> None:
    assert "".join(pieces(SAID)) == SAID
    at = [0, *ends(SAID, width), len(SAID)]
    lines = [SAID[a:b].rstrip() for a, b in pairwise(at)]
    assert all(cell_len(line) <= width for line in lines)
    assert not any(line[0] in NOT_FIRST for line in lines)
    assert not any(line[-1] in NOT_LAST for line in lines)
    assert all(cell_len(line) > width - 14 for line in lines[:-1])  # a word of Latin letters may be that long


def test_what_is_too_long_for_any_line_is_broken_all_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    Terminal(width=10).print("値は" + "x" * 25 + "です。", markup=False)
    lines = capsys.readouterr().out.splitlines()
    assert "".join(lines) == "値は" + "x" * 25 + "です。" and all(cell_len(line) <= 10 for line in lines)


def test_english_is_broken_as_ever(capsys: pytest.CaptureFixture[str]) -> None:
    Terminal(width=20).print("No attacker links a released row to a person.", markup=False)
    assert capsys.readouterr().out == "No attacker links a \nreleased row to a \nperson.\n"


def test_a_bullet_does_not_stand_alone(tmp_path: Path) -> None:
    people = tk.example_census(rows=300)[["age", "sex", "education"]]
    schema = tk.Schema([tk.example_schema()[name] for name in people.columns])
    tk.anonymize(people, schema, tk.Swapping(k=10), seed=1).write(tmp_path / "release", allow_seeded=True)
    said = tokumei("inspect", "release", cwd=tmp_path, env={"TOKUMEI_LANGUAGE": "ja", "COLUMNS": "80"}).stdout
    assert "•" in said
    lines = [line.strip() for line in said.splitlines()]
    assert not [line for line in lines if line in {"•", "1."} or line.startswith(("、", "。"))]
