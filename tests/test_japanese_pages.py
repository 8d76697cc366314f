"""Japanese pages keep step with the English ones: headings, code, tables, links, figures, terms."""

from __future__ import annotations

import ast
import importlib.util
import re
from collections import Counter
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
JAPANESE = DOCS / "ja"
PAIRS = {ROOT / "README.ja.md": ROOT / "README.md"} | {
    page: DOCS / page.relative_to(JAPANESE) for page in sorted(JAPANESE.rglob("*.md"))
}
START = ("which-method", "holder", "analyst", "faq", "glossary")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", flags=re.DOTALL | re.MULTILINE)

pairs = pytest.mark.parametrize(
    ("japanese", "english"), [pytest.param(*pair, id=str(pair[0].relative_to(ROOT))) for pair in PAIRS.items()]
)


def prose(page: Path) -> str:
    return BLOCK.sub("", page.read_text(encoding="utf-8"))


def headings(page: Path) -> list[str]:
    return re.findall(r"^(#+) ", prose(page), flags=re.MULTILINE)


def blocks(page: Path) -> list[tuple[str, str]]:
    """Return the language and the code of every block, without comments, which are translated."""
    return [(kind, bare(kind, code)) for kind, code in BLOCK.findall(page.read_text(encoding="utf-8"))]


def bare(kind: str, code: str) -> str:
    if kind == "python":
        return ast.dump(ast.parse(code))
    return re.sub(r"\s+# .*$", "", code, flags=re.MULTILINE) if kind == "sh" else code


def rows_of_tables(page: Path) -> int:
    return len(re.findall(r"^\|", prose(page), flags=re.MULTILINE))


def targets(page: Path) -> set[Path]:
    """Return the files a page links to, a Japanese one as its English original."""
    found = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", prose(page))
    files = {(page.parent / target).resolve() for target in found if not target.startswith("http")}
    return {PAIRS.get(file, file) for file in files}


def figures(page: Path) -> Counter[str]:
    text = re.sub(r"\]\([^)]*\)|`[^`]*`", "", prose(page))
    return Counter(re.findall(r"(?<![\w.])\.?\d[\d,.]*\d|(?<![\w.])\d(?![\w.])", text))


@pytest.mark.parametrize("name", START)
def test_the_start_pages_are_there_in_japanese(name: str) -> None:
    assert (JAPANESE / "start" / f"{name}.md") in PAIRS


@pairs
def test_headings_are_the_same_in_number_and_level(japanese: Path, english: Path) -> None:
    assert headings(japanese) == headings(english)


@pairs
def test_code_is_the_same(japanese: Path, english: Path) -> None:
    assert blocks(japanese) == blocks(english)


@pairs
def test_tables_are_of_the_same_length(japanese: Path, english: Path) -> None:
    assert rows_of_tables(japanese) == rows_of_tables(english)


@pairs
def test_no_link_is_left_out(japanese: Path, english: Path) -> None:
    assert targets(english) - targets(japanese) == set()


@pairs
def test_no_figure_is_left_out(japanese: Path, english: Path) -> None:
    assert set(figures(english)) - set(figures(japanese)) == set()


def test_both_glossaries_have_the_same_terms() -> None:
    def terms(page: Path) -> list[list[str]]:
        return [line.strip("| ").split(" | ")[:2] for line in prose(page).splitlines() if line.startswith("| ")][1:]

    english, japanese = terms(DOCS / "start" / "glossary.md"), terms(JAPANESE / "start" / "glossary.md")
    assert sorted(english) == sorted(pair[::-1] for pair in japanese)


def test_a_difference_is_found(tmp_path: Path) -> None:
    one, other = tmp_path / "one.md", tmp_path / "other.md"
    one.write_text("# A\n\n12,000 people, .09\n\n```python\nx = 1  # one\n```\n", encoding="utf-8")
    other.write_text("# A\n\n12,000 人、.08\n\n```python\nx = 1  # 一\n```\n", encoding="utf-8")
    assert blocks(one) == blocks(other)
    assert set(figures(one)) - set(figures(other)) == {".09"}
    other.write_text("## A\n\n```python\nx = 2\n```\n", encoding="utf-8")
    assert blocks(one) != blocks(other)
    assert headings(one) != headings(other)


@pytest.fixture
def languages() -> ModuleType:
    spec = importlib.util.spec_from_file_location("languages", DOCS / "languages.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_page_links_to_its_other_language_where_there_is_one(languages: ModuleType) -> None:
    files = SimpleNamespace(get_file_from_path=lambda path: path if (DOCS / path).is_file() else None)

    def made(source: str) -> str:
        page = SimpleNamespace(file=SimpleNamespace(src_uri=source))
        return languages.on_page_markdown("# Title\n\nText.\n", page, files)

    assert made("start/holder.md").splitlines()[2] == "[日本語](../ja/start/holder.md){ .language lang=ja }"
    assert made("ja/start/holder.md").splitlines()[2] == "[English](../../start/holder.md){ .language lang=en }"
    assert made("index.md").splitlines()[2] == "[日本語](ja/index.md){ .language lang=ja }"
    assert made("start/engineer.md") == "# Title\n\nText.\n"


def test_a_japanese_page_says_so_and_begins_its_menu_with_japanese(languages: ModuleType) -> None:
    sections = SimpleNamespace(items=["Start", "日本語"])
    config = SimpleNamespace(theme={})
    page = SimpleNamespace(file=SimpleNamespace(src_uri="ja/start/faq.md"), ancestors=["日本語"])
    context = languages.on_page_context({"nav": sections}, page, config, sections)
    assert (config.theme["language"], context["nav"].items) == ("ja", ["日本語", "Start"])
    page.file.src_uri = "start/faq.md"
    assert languages.on_page_context({"nav": sections}, page, config, sections)["nav"].items == ["Start", "日本語"]
    assert config.theme["language"] == "en"
