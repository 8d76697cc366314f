"""Gives Japanese pages the language they are in, and links a page to its other language (a hook of mkdocs)."""

from __future__ import annotations

from copy import copy
from pathlib import PurePosixPath
from typing import Any

JAPANESE = "ja/"


def twin(source: str) -> str:
    """Return where the page in the other language stands, if there is one.

    >>> twin("start/holder.md"), twin("ja/start/holder.md")
    ('ja/start/holder.md', 'start/holder.md')
    """
    return source.removeprefix(JAPANESE) if source.startswith(JAPANESE) else JAPANESE + source


def on_page_markdown(markdown: str, page: Any, files: Any, **_: Any) -> str:
    """Put a link to the page in the other language under the title."""
    source = page.file.src_uri
    if files.get_file_from_path(twin(source)) is None:
        return markdown
    up = "../" * len(PurePosixPath(source).parent.parts)
    name, code = ("English", "en") if source.startswith(JAPANESE) else ("日本語", "ja")
    title, rest = markdown.split("\n", 1)
    return f"{title}\n\n[{name}]({up}{twin(source)}){{ .language lang={code} }}\n{rest}"


def on_page_context(context: dict[str, Any], page: Any, config: Any, nav: Any, **_: Any) -> dict[str, Any]:
    """Say in which language a page and its menus are, and begin the menu of a Japanese page with the Japanese pages."""
    japanese = page.file.src_uri.startswith(JAPANESE)
    config.theme["language"] = "ja" if japanese else "en"
    if japanese:
        first = page.ancestors[-1]
        context["nav"] = copy(nav)
        context["nav"].items = [first, *(item for item in nav.items if item is not first)]
    return context
