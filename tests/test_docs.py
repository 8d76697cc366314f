"""Every Python example in README and docs runs, every link leads somewhere, every plan shown can be read."""

from __future__ import annotations

import importlib.util
import re
import sys
import types
import warnings
from pathlib import Path

import pytest

import tokumei as tk
from tests.public import NAMESPACES, public
from tokumei.anonymizers import METHODS
from tokumei.words.ja import WORDS as JAPANESE

ROOT = Path(__file__).parent.parent
FIRST = [ROOT / name for name in ("README.md", "README.ja.md", "CONTRIBUTING.md")]
PAGES = [*FIRST, *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


def in_japanese(page: Path) -> bool:
    """Say whether a page has the code of an English one (tests/test_japanese_pages.py sees to it)."""
    return page.name == "README.ja.md" or page.is_relative_to(ROOT / "docs" / "ja")


WITH_PYTHON = [pytest.param(p, id=p.name) for p in PAGES if blocks(p, "python") and not in_japanese(p)]


@pytest.mark.parametrize("page", WITH_PYTHON)
def test_examples_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(tmp_path)
    if page.name == "spark.md":
        request.getfixturevalue("spark")
    module = types.ModuleType("page_of_docs")  # as in a file: what a page defines can be imported
    monkeypatch.setitem(sys.modules, "page_of_docs", module)
    with warnings.catch_warnings():
        warnings.simplefilter("error", tk.errors.TokumeiWarning)
        for block in blocks(page, "python"):
            exec(compile(block, str(page), "exec", dont_inherit=True), module.__dict__)


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
    told = re.findall(r"^### ([\w.]+)$", reference.names(), flags=re.MULTILINE)
    assert sorted(told) == sorted(public())
    assert "choose: Literal['widest', 'gain'] = 'widest'" in reference.names()


def test_guarantees_name_a_page_that_exists() -> None:
    release = tk.anonymize(tk.example_census(rows=50), tk.example_schema(), tk.PkPerturbation(k=2, tells="all"))
    for guarantee in release.guarantees:
        assert (ROOT / "docs" / "promises" / f"{guarantee.proof}.md").is_file()


SECTIONS = [
    "What it promises",
    "Against whom",
    "What it does not protect",
    "The formula",
    "An example",
    "What it costs",
]


@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "methods").glob("*.md")), ids=lambda page: page.stem)
def test_a_method_page_has_every_section(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert re.findall(r"^## (.+)$", text, flags=re.MULTILINE) == SECTIONS
    parts = re.split(r"^## .+$", text, flags=re.MULTILINE)
    assert all(part.strip() for part in parts), "a section is empty"
    assert "```python" in parts[1 + SECTIONS.index("An example")]
    assert "<!-- stored" in parts[-1], "costs are outputs of benchmarks"


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.__name__)
def test_every_method_has_a_page_in_the_menu(method: type) -> None:
    page = f"methods/{method.__module__.split('.')[-1]}.md"
    assert (ROOT / "docs" / page).is_file()
    assert page in (ROOT / "mkdocs.yml").read_text(encoding="utf-8")


def test_every_room_stands_on_the_page_and_in_the_picture() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    picture = (ROOT / "docs" / "pictures" / "architecture.svg").read_text(encoding="utf-8")
    drawn = set(re.findall(r"\w+", re.sub(r"<style>.*?</style>|<[^>]*>", " ", picture, flags=re.DOTALL)))
    source = Path(tk.__file__).parent
    rooms = {path.stem for path in source.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    thin = set(NAMESPACES) - {"errors", "hierarchies", "plots", "prepare"}  # names for people, and no rooms of work
    for room in rooms - {"__init__", "__main__"}:
        assert f"`{room}`" in page, room
        assert room in thin | drawn, room


def test_the_glossary_is_in_order_and_has_the_words_of_the_reports() -> None:
    page = (ROOT / "docs" / "start" / "glossary.md").read_text(encoding="utf-8")
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| ")][1:]
    words = [re.sub(r"^([βδ])", lambda greek: {"β": "beta", "δ": "delta"}[greek[1]], row[0]).lower() for row in rows]
    assert words == sorted(words)
    assert all(len(row) == 3 for row in rows)
    told = " ".join(row[1] for row in rows).replace("ｋ", "k")
    for key, word in JAPANESE.items():
        named = key.startswith(("notion.", "role_", "side_recon")) and not key.startswith(("role_name_", "role_why_"))
        if named and "sampling" not in key:
            plain = word.removesuffix("後").replace("局所差分", "差分").replace("中央型差分", "差分").partition("（")[0]
            assert plain in told, word
