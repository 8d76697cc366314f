"""How the release was made: the method, its parameters, the steps before it, and what was chosen by looking at the data."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tokumei.mechanism.record import Mechanism
from tokumei.release.manifest import declared_and_disclosed
from tokumei.release.told import told_grid
from tokumei.reports.findings import Findings
from tokumei.reports.html import Html, bullets, joined, paragraphs, section, table, tag
from tokumei.reports.numbers import whole
from tokumei.words import Words, read_statement

LONG = 160  # letters of a parameter; longer ones are left to the manifest


def method(found: Findings, words: Words) -> Html:
    """Name the method and its parameters, and the steps before it."""
    release = found.release
    name = str(release.method["method"])
    called = words(f"method_{name}")
    rows = [
        [tag("code", key), tag("code", _written(each, words))]
        for key, each in release.method.items()
        if key != "method"
    ]
    steps = [_step(step, words) for step in release.prepare]
    drawn, tells = release.mechanism.of, release.mechanism.tells
    about = [words(f"about_{name}")]
    if tells is not None and release.mechanism.grouping is None:
        about = [words("about_telling")]
    elif tells is not None:
        about.append(words("about_telling_in_groups"))
    said = [
        "" if drawn is None else words("method_drawn", rows=whole(release.rows), of=whole(drawn)),
        words("method_left_out", rows=whole(release.mechanism.left_out)) if release.mechanism.left_out else "",
        words("method_always"),
    ]
    return section(
        "method",
        words("title_method"),
        tag("p", tag("strong", called[:1].upper() + called[1:]), words("colon"), words.join(about)),
        table((words("method_parameter"), words("method_value")), rows),
        _told(release.mechanism, words),
        joined([tag("h3", words("title_steps")), bullets(steps)]) if steps else "",
        paragraphs(words.join(said)),
    )


def _told(mechanism: Mechanism, words: Words) -> Html | str:
    found = told_grid(mechanism, words)
    if found is None:
        return ""
    head, lines = found
    return joined(
        [
            tag("h3", words("title_told")),
            table(head, [list(line) for line in lines]),
            paragraphs(words("told_blank", label=mechanism.tells)),
        ]
    )


def _written(given: Any, words: Words) -> str:
    if given is None:
        return words("absent")
    text = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False, default=str)
    return text if len(text) <= LONG else words("in_manifest")


def _step(step: Mapping[str, Any], words: Words) -> str:
    told = {key: each for key, each in step.items() if key not in {"step", "column"} and each is not None}
    more = ", ".join(f"{key} = {_written(each, words)}" for key, each in told.items())
    said = words(f"step_{step['step']}", column=words.names([str(step["column"])]))
    return words("in_brackets", text=said, aside=more) if more else said


def looked(found: Findings, words: Words) -> Html:
    """List what was taken from the data."""
    _, disclosed = declared_and_disclosed(found.release)
    names = set(found.release.schema.names())
    items = [
        tag(
            "span",
            tag("code", name),
            _shown(fact["value"], names),
            words("colon"),
            words.say(read_statement(fact["reason"])),
        )
        for name, fact in disclosed.items()
    ]
    said = bullets(items) if items else paragraphs(words("looked_nothing"))
    return section("looked", words("title_looked"), paragraphs(words("looked_why")) if items else "", said)


def _shown(value: Any, columns: set[str]) -> str:
    """Write a fact that is a count, or one number for each column; others may hold values of the data."""
    if isinstance(value, int) and not isinstance(value, bool):
        return f" = {value:,}"
    numbers = value if isinstance(value, Mapping) and set(value) <= columns else {}
    if numbers and all(isinstance(each, int | float) and not isinstance(each, bool) for each in numbers.values()):
        return " = " + ", ".join(f"{name} {each:.4g}" for name, each in numbers.items())
    return ""
