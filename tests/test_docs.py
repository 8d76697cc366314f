"""Every Python example in README and docs runs, every link leads somewhere, every plan shown can be read."""

from __future__ import annotations

import importlib.util
import re
import warnings
from pathlib import Path

import pytest

import tokumei as tk

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


WITH_PYTHON = [
    pytest.param(p, marks=pytest.mark.xdist_group("spark") if p.name == "spark.md" else (), id=p.name)
    for p in PAGES
    if blocks(p, "python")
]


@pytest.mark.parametrize("page", WITH_PYTHON)
def test_examples_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(tmp_path)
    if page.name == "spark.md":
        request.getfixturevalue("spark")
    names: dict[str, object] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("error", tk.errors.TokumeiWarning)
        for block in blocks(page, "python"):
            exec(compile(block, str(page), "exec"), names)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert target.startswith("http") or (page.parent / target).exists(), target


def test_the_plan_shown_can_be_read() -> None:
    for block in blocks(ROOT / "docs" / "plan.md", "toml"):
        assert tk.Plan.from_toml(block).method.k == 10
    assert len(blocks(ROOT / "docs" / "plan.md", "toml")) == 2


def test_every_public_name_is_told_of() -> None:
    spec = importlib.util.spec_from_file_location("reference", ROOT / "docs" / "reference.py")
    assert spec is not None
    assert spec.loader is not None
    reference = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reference)
    told = set(re.findall(r"^### (\w+)$", reference.names(), flags=re.MULTILINE))
    assert told | reference.PAGES == set(tk._EXPORTS)
    assert "choose: Literal['widest', 'gain'] = 'widest'" in reference.names()


def test_guarantees_name_a_page_that_exists() -> None:
    release = tk.anonymize(tk.example_census(rows=50), tk.example_schema(), tk.PkPerturbation(k=2))
    for guarantee in release.guarantees:
        assert (ROOT / guarantee.proof).is_file()
