"""Names, counts and guesses in the text of a message."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from tokumei.messages import Listed, phrase


def names(items: Iterable[str]) -> Listed:
    """Quote and join names for a message.

    >>> names(["age", "sex"])
    "'age', 'sex'"
    """
    return Listed(items)


def some_names(items: Sequence[str], most: int = 8) -> str:
    """Quote and join the first names for a message, and count the others.

    >>> some_names(["a", "b", "c"], most=2), some_names(["a", "b"], most=2)
    ("'a', 'b' and 1 more", "'a', 'b'")
    """
    if len(items) <= most:
        return names(items)
    return phrase("{names} and {count:,} more", names=names(items[:most]), count=len(items) - most)


def nearest(name: str, known: Iterable[str]) -> str:
    """Return ``" Did you mean 'x'?"`` when a known name is close to ``name``, else an empty string.

    >>> nearest("agee", ["age", "sex"])
    " Did you mean 'age'?"
    """
    found = difflib.get_close_matches(name, list(known), n=1)
    return phrase(" Did you mean {name!r}?", name=found[0]) if found else ""


def free_name(wanted: str, taken: Iterable[str]) -> str:
    """Return a name that is not taken: the one wanted, or that with a number.

    >>> free_name("group", ["age", "group"])
    'group 2'
    """
    known = set(taken)
    numbered = (wanted if n == 1 else f"{wanted} {n}" for n in range(1, len(known) + 2))
    return next(name for name in numbered if name not in known)


def plural(count: int, word: str, words: str | None = None) -> str:
    """Count things in words; ``words`` is what several are called, if that is not the word with an s.

    >>> plural(1, "row"), plural(1200, "value"), plural(2, "class", "classes")
    ('1 row', '1,200 values', '2 classes')
    """
    return f"{count:,} {word if count == 1 else words or word + 's'}"
