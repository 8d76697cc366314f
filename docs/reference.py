"""Fills the page of public names from signatures and docstrings, when the site is built (a hook of mkdocs)."""

from __future__ import annotations

import inspect
import operator
import re
from typing import Any

import tokumei

GROUPS = {
    "Tables and schemas": ("table", "examples", "io"),
    "Methods": ("anonymizers",),
    "Making and reading releases": ("engines", "runner", "plan", "release"),
    "Promises": ("privacy",),
    "Risk": ("risk",),
    "Right answers": ("reconstruction", "learning"),
    "Utility and reports": ("utility", "reports"),
}
SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)
ITEM = re.compile(r"^(\S[^\n]*)\n((?:[ \t]+[^\n]*\n?|\n)+)", re.MULTILINE)


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Put the names where the page asks for them."""
    return markdown.replace("<!-- names -->", names()) if page.file.src_uri == "reference.md" else markdown


def names() -> str:
    """Return every public name: those at the top by the room that they come from, then the namespaces."""
    told = []
    for title, rooms in GROUPS.items():
        told.append(f"## {title}\n")
        for name, module in tokumei._EXPORTS.items():
            if module.split(".")[1] in rooms and "." not in name:
                told.append(about(name))
    spaces = dict.fromkeys(name.partition(".")[0] for name in tokumei._EXPORTS if "." in name)
    for space in spaces:
        told.append(f"## tk.{space}\n\n{prose(inspect.getdoc(getattr(tokumei, space)) or '')}")
        told += [about(name) for name in tokumei._EXPORTS if name.startswith(f"{space}.")]
    return "\n".join(told)


def about(name: str) -> str:
    """Return the signature and the docstring of a name."""
    thing = operator.attrgetter(name)(tokumei)
    given = parameters(thing)
    code = f"tk.{name}({', '.join(given)})"
    code = f"tk.{name}(\n    " + ",\n    ".join(given) + "\n)" if len(code) > 90 else code
    return f"### {name}\n\n```text\n{code}\n```\n\n{described(inspect.getdoc(thing) or '')}\n"


def parameters(thing: Any) -> list[str]:
    """Return the parameters with their types and defaults; the name that plans know a value by is left out."""
    told, starred = [], False
    for each in inspect.signature(thing).parameters.values():
        kind = each.annotation if isinstance(each.annotation, str) else getattr(each.annotation, "__name__", "")
        if each.kind is each.KEYWORD_ONLY and not starred:
            if "Literal[" in kind:
                continue
            told.append("*")
            starred = True
        star = {each.VAR_POSITIONAL: "*", each.VAR_KEYWORD: "**"}.get(each.kind, "")
        starred |= each.kind is each.VAR_POSITIONAL
        default = "" if each.default is each.empty else f" = {each.default!r}"
        told.append(f"{star}{each.name}" + (f": {kind}" if kind else "") + default)
    return told


def described(doc: str) -> str:
    """Turn a docstring in numpy's style into Markdown."""
    pieces = SECTION.split(doc)
    told = [prose(pieces[0])]
    for title, body in zip(pieces[1::2], pieces[2::2], strict=True):
        told.append(f"**{title}**\n")
        if title == "Examples":
            told.append(prose(body))
        else:
            told += [
                f"* `{item[1].strip()}`: {' '.join(inspect.cleandoc(item[2]).split())}"
                for item in ITEM.finditer(body + "\n")
            ]
            told.append("")
    return "\n".join(told)


def prose(text: str) -> str:
    """Put examples and indented lines into blocks of code, and reST's double quotes of code into single ones."""
    lines, inside = [], False
    for line in text.replace("``", "`").splitlines():
        example = line.startswith((">>>", "...")) or (inside and bool(line.strip()))
        if example != inside:
            lines.append("```pycon" if example else "```\n")
            inside = example
        lines.append(line)
    return "\n".join([*lines, "```" if inside else "", ""])
