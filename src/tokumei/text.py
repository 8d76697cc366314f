"""Names, counts and guesses in the text of a message."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from tokumei.messages import Listed, phrase

SEVERAL = 5  # of the names that look alike, in the order in which they do


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
    >>> nearest("nope", ["age", "income"])
    ''
    """
    alike = difflib.get_close_matches(name, list(known), n=SEVERAL)
    found = next((each for each in alike if _near(name, each)), None)
    return "" if found is None else phrase(" Did you mean {name!r}?", name=found)


def _near(name: str, known: str) -> bool:
    """Whether one is the other with a slip of the hand in every few letters, or its beginning or end."""
    short, long = sorted((name, known), key=len)
    return long.startswith(short) or long.endswith(short) or slips(name, known) <= max(1, len(long) // 3)


def slips(one: str, other: str) -> int:
    """Count the letters to leave out, put in, change, or exchange with the next, to make one name the other.

    >>> slips("aeg", "age"), slips("houers", "hours"), slips("nope", "income")
    (1, 1, 3)
    """
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        row = [i]
        for j, there in enumerate(other, 1):
            row.append(min(last[j] + 1, row[-1] + 1, last[j - 1] + (letter != there)))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == there:
                row[-1] = min(row[-1], before[j - 2] + 1)
        before, last = last, row
    return last[-1]


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
