"""The text of a plan as tables: within bounds, before anything is made of it."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from tokumei.bounds import DEEPEST, LARGEST_PLAN, size_text, too_deep
from tokumei.diagnostics import raise_alone
from tokumei.errors import PlanError

# A key of many parts, for which a parser takes time and memory that grow with their square.
_PART = r"""(?:[\w-]+|"[^"\n]*"|'[^'\n]*')"""
LONG_KEY = re.compile(rf"(?:^|[\[{{,])[ \t]*(?:{_PART}[ \t]*\.[ \t]*){{{DEEPEST}}}", re.MULTILINE)
WHOLE = 2**63  # whole numbers of TOML are smaller


def parsed_toml(text: str) -> dict[str, Any]:
    """Parse the text of a plan; refuse what is no TOML, and what is too large, too deep or counts too far.

    >>> parsed_toml("a = " + "[" * 100_000)
    Traceback (most recent call last):
    tokumei.errors.PlanError: tables and lists are nested more than 64 levels deep.
    """
    if len(text) > LARGEST_PLAN:
        raise PlanError("it is larger than {size}, the most that is read.", size=size_text(LARGEST_PLAN))
    content: dict[str, Any] | None = None
    try:
        content = None if LONG_KEY.search(text) else tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise_alone(PlanError("it is not valid TOML: {error}.", error=error))
    except ValueError:  # a number of thousands of digits
        raise_alone(PlanError("whole numbers must lie between -{whole:,} and {whole:,}.", whole=WHOLE))
    except RecursionError:
        content = None
    if content is None or too_deep(content):
        raise PlanError("tables and lists are nested more than {deepest} levels deep.", deepest=DEEPEST)
    _check_numbers(content)
    return content


def _check_numbers(content: Any) -> None:
    if isinstance(content, dict | list):
        for part in content.values() if isinstance(content, dict) else content:
            _check_numbers(part)
    elif isinstance(content, int) and abs(content) >= WHOLE:
        raise PlanError("whole numbers must lie between -{whole:,} and {whole:,}.", whole=WHOLE)
