r"""Text of others made harmless before it is shown: names of columns, labels, sentences of a manifest, paths.

A name may hold what a terminal obeys (an escape that clears the screen, or asks for what was typed), what turns the order of
letters round, what nobody sees, or a line of its own that looks like one of ours. Such characters are written as escapes, the way
Python writes them. Everything that is shown passes here, in one of four forms.

    shown       for people: ``\x1b`` stands for the character
    marked      for charts, where a backslash means something: ``<U+001B>`` stands for it
    json_text   for scripts: the same text once it is parsed
    escaped     for programs and plans: the same text once it is parsed, in strings with escapes
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

# Controls of both kinds, surrogates, separators of lines and paragraphs, and format characters: those that are not seen, or
# change the direction. Signs that stand before Arabic and other numbers are seen, and stay.
HARMFUL = (
    "\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff0-\ufffb\ufffe\uffff"
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f"
)
ANY = re.compile(f"[{HARMFUL}]")
BUT_LINES = re.compile(f"(?![\n\t])[{HARMFUL}]")


def shown(text: object, *, lines: bool = False) -> str:
    r"""Write something so that a person can be shown it; with ``lines``, line breaks and tabs are ours and stay.

    >>> print(shown("age\x1b[2J"), shown("a\u202eb"), shown("a\nb"))
    age\x1b[2J a\u202eb a\nb
    >>> shown("日本語 ñ\u3000é"), shown("a\nb", lines=True)
    ('日本語 ñ\u3000é', 'a\nb')
    """
    return (BUT_LINES if lines else ANY).sub(_python, str(text))


def marked(text: str) -> str:
    r"""Write text for a chart, in which some of it may be an expression.

    >>> marked("a\x1bb")
    'a<U+001B>b'
    """
    return BUT_LINES.sub(lambda found: f"<U+{ord(found[0]):04X}>", text)


def json_text(content: Any, indent: int | None = None, **options: Any) -> str:
    r"""Write JSON in which nothing but what it means can be hidden; with ``indent`` in lines, numbers of one list on one.

    >>> print(json_text({"a\x9b": "é"}))
    {"a\u009b": "é"}
    >>> print(json_text({"shares": [0.5, 0.5], "labels": []}, indent=1))
    {
     "shares": [0.5, 0.5],
     "labels": []
    }
    """
    encode = json.JSONEncoder(ensure_ascii=False, **options).encode
    return BUT_LINES.sub(_sixteen, encode(content) if indent is None else "".join(_lines(content, encode, indent)))


def _lines(content: Any, encode: Callable[[Any], str], indent: int, depth: int = 1) -> Iterator[str]:
    """Yield the parts of JSON text."""
    named = isinstance(content, Mapping)
    several = named or isinstance(content, list | tuple)
    if not several or not content or (not named and all(isinstance(each, int | float) for each in content)):
        yield encode(content)
    else:
        start, space = "{["[not named], "\n" + " " * indent * depth
        for part in content:
            yield start + space
            if named:
                yield encode(part if isinstance(part, str) else encode(part)) + ": "
            yield from _lines(content[part] if named else part, encode, indent, depth + 1)
            start = ","
        yield space[:-indent] + "}]"[not named]


def escaped(text: str) -> str:
    r"""Write the text of a plan or a program so that its strings hold escapes and mean the same.

    >>> print(escaped('name = "a\u202eb"'))
    name = "a\u202eb"
    """
    return BUT_LINES.sub(_eight, text)


def _python(found: re.Match[str]) -> str:
    return repr(found[0])[1:-1]


def _sixteen(found: re.Match[str]) -> str:
    return json.dumps(found[0])[1:-1]


def _eight(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\u{code:04x}" if code < 2**16 else f"\\U{code:08x}"
