"""Fill the pages on terms, English and Japanese, from the library's own list: python docs/glossary.py."""

from __future__ import annotations

from pathlib import Path

from tokumei.words.glossary import Term, terms

DOCS = Path(__file__).parent
RULE = "|---|---|---|"


def english(term: Term) -> str:
    """Return the line of the English page."""
    return f"| {term.english} | {term.japanese} | {term.meaning['en']} |"


def japanese(term: Term) -> str:
    """Return the line of the Japanese page."""
    return f"| {term.japanese} | {term.english} | {term.meaning['ja']} |"


def filled(page: str, lines: dict[str, str]) -> str:
    """Return a page with its table filled anew; terms keep their order, and new ones come last, to be put where they belong."""
    head, _, table = page.partition(f"{RULE}\n")
    there = [line.strip("| ").split(" | ")[0] for line in table.splitlines()]
    kept = [name for name in there if name in lines]
    return (
        f"{head}{RULE}\n"
        + "\n".join(lines[name] for name in [*kept, *(each for each in lines if each not in kept)])
        + "\n"
    )


PAGES = {
    DOCS / "start" / "glossary.md": {each.english: english(each) for each in terms()},
    DOCS / "ja" / "start" / "glossary.md": {each.japanese: japanese(each) for each in terms()},
}


def main() -> None:
    """Fill both pages."""
    for place, lines in PAGES.items():
        place.write_text(filled(place.read_text(encoding="utf-8"), lines), encoding="utf-8")


if __name__ == "__main__":
    main()
