"""Steps and methods in plain words, for the history."""

from __future__ import annotations

from typing import Any

from tokumei.privacy.duties import read_duties
from tokumei.studio.session.state import State
from tokumei.words import Words

ROLES = ("identifier", "person", "quasi_identifier", "sensitive", "insensitive")


def told(before: State, after: State, words: Words) -> str:
    """Say in a few words what was changed."""
    changes = before.changes(after)
    said = [text for name in changes if (text := _SAYS[name](getattr(before, name), getattr(after, name), words))]
    return words("history_and").join(said)


def method_words(method: Any, words: Words) -> str:
    """Name a method with its k.

    >>> from tokumei import Generalization
    >>> method_words(Generalization(k=5), Words("en")), method_words(Generalization(k=5), Words("ja"))
    ('Generalization, k = 5', '一般化、k = 5')
    """
    key = f"method_{method.method}"
    name = words(key) if words.knows(key) else type(method).__name__
    k = getattr(method, "k", None)
    name = name[:1].upper() + name[1:]
    return name if k is None else words("history_method", method=name, k=f"{k:g}")


def _schema(before: Any, after: Any, words: Words) -> str:
    if before.names() != after.names():
        return words("history_columns")
    said = []
    for old, new in zip(before, after, strict=True):
        if old == new:
            continue
        if old.role != new.role:
            what = words(f"role_short_{new.role}")
        elif old.domain != new.domain:
            what = words("history_domain")
        elif old.hierarchy != new.hierarchy:
            what = words("history_no_hierarchy" if new.hierarchy is None else "history_hierarchy")
        else:
            what = words("history_described")
        said.append(words("history_column", column=new.name, what=what))
    return words("history_list").join(said)


def _method(before: Any, after: Any, words: Words) -> str:
    return words("history_no_method") if after is None else method_words(after, words)


def _prepare(before: Any, after: Any, words: Words) -> str:
    if not after:
        return words("history_unprepared")
    return words(
        "history_prepared",
        steps=words("history_list").join(words(f"step_{each.step}", column=each.column) for each in after),
    )


def _source(before: Any, after: Any, words: Words) -> str:
    """Name the markers of missing cells, the only thing of a source that changes."""
    markers = [each for each in after.missing if each and each not in before.missing]
    return words("history_source", markers=words("history_list").join(markers))


def _seed(before: Any, after: Any, words: Words) -> str:
    return words("history_no_seed" if after is None else "history_seed")


def _pinned(before: Any, after: Any, words: Words) -> str:
    new = [method_words(each, words) for each in after if each not in before]
    return words("history_pinned", methods=words("history_list").join(new)) if new else words("history_unpinned")


def _duties(before: Any, after: Any, words: Words) -> str:
    told = [f"{words(f'ladder.name.{name}')} {number:g}" for name, number in read_duties(after).items()]
    return words("history_duties", duties=words("history_list").join(told)) if told else words("history_no_duties")


def _population(before: Any, after: Any, words: Words) -> str:
    return words("history_no_population" if after is None else f"history_population_{after.told}", **_told(after))


def _told(population: Any) -> dict[str, Any]:
    if population is None:
        return {}
    share = "" if population.share is None else f"{population.share:.4g}"
    return {"people": population.people or 0, "share": share, "column": population.column, "name": population.name}


_SAYS: dict[str, Any] = {
    "source": _source,
    "schema": _schema,
    "method": _method,
    "prepare": _prepare,
    "seed": _seed,
    "pinned": _pinned,
    "duties": _duties,
    "population": _population,
}
