"""Verdicts on the papers' claims are computed, here once more and by other means, and shown as computed."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks import stored
from benchmarks.papers import __main__ as papers
from benchmarks.papers import claims
from benchmarks.papers.claims import Check, Claim, Figure, Judged, NotJudged, Paper

PAGES = stored.ROOT / "docs" / "papers"
SHAPE = ["Claims", "What we changed", "What to use"]
EVERY = [(name, claim) for name in claims.PAPERS for claim in claims.paper(name).claims]


def same(cell: Any, said: str) -> bool:
    if isinstance(cell, str):
        return cell == said
    return bool(re.fullmatch(r"[-+0-9.,]+", said)) and abs(float(said.replace(",", "")) - cell) < 1e-9


def cell_of(figure: Figure) -> float:
    """Find a stored number without the code that pages use."""
    kept = json.loads((stored.RESULTS / f"{figure.result}.json").read_text(encoding="utf-8"))["tables"][figure.table]
    for row in kept["rows"]:
        if all(same(cell, part) for cell, part in zip(row, figure.row.split(" / "), strict=False)):
            return float(row[kept["columns"].index(figure.column)])
    raise AssertionError(figure)


def recomputed(judged: Judged) -> str:
    """Compute a verdict from the files, anew."""
    numbers = {name: cell_of(figure) for name, figure in judged.figures.items()}
    held = []
    for check in judged.checks:
        left, right = numbers[check.left], numbers.get(str(check.right), check.right)
        assert isinstance(right, float | int)
        apart = left - check.times * right
        held.append(
            {
                "=": abs(apart) <= check.by,
                "<": apart < -check.by,
                "<=": apart <= -check.by,
                ">": apart > check.by,
                ">=": apart >= check.by,
            }[check.relation]
        )
    return {(True, True): "holds", (True, False): "holds in part", (False, False): "does not hold"}[
        any(held), all(held)
    ]


@pytest.mark.parametrize(("name", "claim"), EVERY, ids=lambda each: getattr(each, "key", each))
def test_the_page_shows_the_verdict_that_the_stored_figures_give(name: str, claim: Claim) -> None:
    judged = claims.paper(name).judged[claim.key]
    wanted = "not judged" if isinstance(judged, NotJudged) else recomputed(judged)
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    table = page.partition(f"<!-- claims {name} -->")[2].partition("<!-- end -->")[0]
    shown = [line.split(" | ") for line in table.splitlines() if line.startswith(f"| {claim.says} | {claim.where} | ")]
    assert len(shown) == 1
    assert re.match(r"\*\*(.+?)\*\*", shown[0][2])[1] == wanted  # type: ignore[index]


@pytest.mark.parametrize("name", claims.PAPERS)
def test_every_figure_is_used_and_every_name_is_a_figure(name: str) -> None:
    for key, judged in claims.paper(name).judged.items():
        if isinstance(judged, NotJudged):
            assert judged.reason
            continue
        named = set(claims.NAMED.findall(judged.found))
        compared = {each for check in judged.checks for each in (check.left, check.right) if isinstance(each, str)}
        assert named | compared == set(judged.figures), key


@pytest.mark.parametrize("name", claims.PAPERS)
def test_the_pages_have_one_shape(name: str) -> None:
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    heads = re.findall(r"^## (.+)$", page, re.MULTILINE)
    assert [head for head in heads if head in SHAPE] == SHAPE
    assert heads[0] == SHAPE[0]
    assert f"<!-- claims {name} rules -->" in (PAGES / "verdicts.md").read_text(encoding="utf-8")


def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: float) -> Judged:
    monkeypatch.setattr(stored, "RESULTS", tmp_path)
    claims.read.cache_clear()
    table = stored.Table(["way", "AUC"], [["plain", 0.8], ["weighed", value]])
    stored.store("paper", {"auc": table}, command="measure it", packages=["numpy"])
    figures = {name: Figure("paper", "auc", name, "AUC") for name in ("plain", "weighed")}
    return Judged(
        figures, [Check("weighed", ">", "plain", by=0.01), Check("weighed", "<=", 1.0)], "{weighed} for {plain}"
    )


@pytest.mark.parametrize(
    ("value", "verdict"), [(0.85, "holds"), (0.805, "holds in part"), (1.0, "holds"), (0.7, "holds in part")]
)
def test_a_verdict_follows_from_what_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: float, verdict: str
) -> None:
    judged = small(tmp_path, monkeypatch, value)
    assert judged.verdict() == verdict == recomputed(judged)
    assert judged.commands() == ["measure it"]
    assert judged.told() == f"{value:.3f}".removeprefix("0") + " for .800"
    assert replace(judged, checks=judged.checks[:1]).verdict() == ("holds" if value > 0.81 else "does not hold")
    claims.read.cache_clear()


def test_a_claim_that_nothing_judges_is_an_error() -> None:
    claim = Claim("a", "section 1", "it is good")
    with pytest.raises(ValueError, match="nothing judges a"):
        Paper("paper", [claim], {})
    with pytest.raises(ValueError, match="no claim has the key b"):
        Paper("paper", [claim], {"a": NotJudged("why"), "b": NotJudged("why")})
    with pytest.raises(ValueError, match="one key"):
        Paper("paper", [claim, claim], {"a": NotJudged("why")})
    with pytest.raises(ValueError, match="one comparison at least"):
        Judged({}, [], "").verdict()


def test_a_figure_that_is_not_there_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small(tmp_path, monkeypatch, 0.8)
    for row, column in (("none", "AUC"), ("plain", "none")):
        with pytest.raises(LookupError):
            Figure("paper", "auc", row, column).value()
    with pytest.raises(TypeError, match="no number"):
        Figure("paper", "auc", "plain", "way").value()
    claims.read.cache_clear()


@pytest.mark.parametrize(
    ("check", "said"),
    [
        (Check("a", ">", "b", times=2, by=0.05), "a (.50) > 2 × b (.20) + .05"),
        (Check("a", "<=", 1.5, by=-0.25), "a (.50) ≤ 1.5 + .25"),
        (Check("a", "=", "b", by=0.1), "a (.50) = b (.20) ± .1"),
    ],
)
def test_rules_are_said_as_they_are_used(check: Check, said: str) -> None:
    assert check.told({"a": ".50", "b": ".20"}) == said


def test_a_quick_run_of_all_papers_names_parts_that_there_are() -> None:
    assert list(papers.QUICK) == list(claims.PAPERS)
    for name, parts in papers.QUICK.items():
        assert set(parts) <= set(papers.parts_of(name))
    assert [step[0].rpartition(".")[2] for step in papers.steps(quick=False)] == [*claims.PAPERS, "stored"]
