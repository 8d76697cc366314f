"""A plan as a Python program that does the same."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import tokumei
from tokumei.errors import InvalidParameter
from tokumei.plan import Plan
from tokumei.shown import escaped
from tokumei.table.schema import Attribute
from tokumei.values import said

WIDTH = 110
PLAIN = (bool, int, float, str, type(None))


def plan_script(plan: Plan, seed: int | None = None) -> str:
    """Return a program that makes the plan, carries it out with the seed, and writes the release.

    >>> import tokumei as tk
    >>> from tokumei.plan import Source
    >>> schema = tk.Schema([tk.Attribute("sex", "quasi_identifier", tk.Categories(["F", "M"]))])
    >>> print(plan_script(tk.Plan(Source("people.csv"), schema, tk.PkPerturbation(k=10))))
    import tokumei as tk
    from tokumei.plan import Source
    <BLANKLINE>
    plan = tk.Plan(
        source=Source("people.csv"),
        schema=tk.Schema(
            (
                tk.Attribute("sex", "quasi_identifier", tk.Categories(("F", "M"))),
            ),
        ),
        method=tk.PkPerturbation(k=10),
    )
    release = tk.run(plan)
    plan.write(release)
    <BLANKLINE>
    """
    writer = _Writer()
    body = [f"    {name}={writer.code(part, 4)}," for name, part in said(plan).items() if name != "folder"]
    given = "" if seed is None else f", seed={seed}"
    allowed = "" if seed is None else ", allow_seeded=True"
    lines = [
        *(["import datetime as dt", ""] if writer.dates else []),
        "import tokumei as tk",
        *(f"from {module} import {', '.join(sorted(found))}" for module, found in sorted(writer.imports.items())),
        "",
        "plan = tk.Plan(",
        *body,
        ")",
        f"release = tk.run(plan{given})",
        f"plan.write(release{allowed})",
        "",
    ]
    return "\n".join(lines)


class _Writer:
    """Writes values as code, and keeps what has to be imported for it."""

    def __init__(self) -> None:
        self.imports: dict[str, set[str]] = {}
        self.dates = False

    def code(self, given: Any, indent: int) -> str:
        """Write a value: in one line where it fits, else part by part."""
        if isinstance(given, PLAIN):
            return _literal(given)
        if isinstance(given, dt.date):
            self.dates = True
            return repr(given).replace("datetime.", "dt.", 1)
        if is_dataclass(given):
            return self._call(given, indent)
        if isinstance(given, Mapping):
            return self._listed([f"{_literal(n)}: {self.code(p, indent + 4)}" for n, p in given.items()], "{}", indent)
        if isinstance(given, list | tuple):
            return self._listed([self.code(part, indent + 4) for part in given], "()", indent)
        raise InvalidParameter(
            "the plan holds a table of its own, such as a pilot, which a program can only read from a file."
        )

    def _call(self, given: Any, indent: int) -> str:
        parts = said(given, tags=False)
        if isinstance(given, Attribute):
            parts["role"] = given.role  # readers look for it
        named = False
        written = []
        for part in fields(given):
            if part.name not in parts:
                named = True
                continue
            given_part = parts[part.name]
            named = named or bool(part.kw_only) or isinstance(given_part, int | float)
            code = self.code(given_part, indent + 4)
            written.append(f"{part.name}={code}" if named else code)
        return f"{self._name(type(given))}" + self._listed(written, "call", indent)

    def _name(self, kind: type) -> str:
        for name, module in tokumei._EXPORTS.items():
            if module == kind.__module__ and name.rpartition(".")[2] == kind.__name__:
                return f"tk.{name}"
        self.imports.setdefault(kind.__module__, set()).add(kind.__name__)
        return kind.__name__

    def _listed(self, parts: list[str], kind: str, indent: int) -> str:
        opening, closing = ("(", ")") if kind in {"()", "call"} else ("{", "}")
        one = ", ".join(parts)
        lonely = "," if kind == "()" and len(parts) == 1 else ""
        if "\n" not in one and indent + len(one) < WIDTH and not (kind == "()" and one.startswith("tk.Attribute(")):
            return f"{opening}{one}{lonely}{closing}"
        inner = " " * (indent + 4)
        if kind == "()" and not any(part.endswith((")", "}")) for part in parts):  # words: as many in a line as fit
            filled = _filled(parts, WIDTH - indent - 4)
            return f"({''.join(f'{chr(10)}{inner}{line}' for line in filled)}\n{' ' * indent})"
        return opening + "".join(f"\n{inner}{part}," for part in parts) + f"\n{' ' * indent}{closing}"


def _filled(parts: list[str], width: int) -> list[str]:
    """Put as many parts into a line as fit."""
    lines = [""]
    for part in parts:
        if lines[-1] and len(lines[-1]) + len(part) + 2 > width:
            lines.append("")
        lines[-1] += f"{' ' if lines[-1] else ''}{part},"
    return lines


def _literal(given: Any) -> str:
    return escaped(json.dumps(given, ensure_ascii=False)) if isinstance(given, str) else repr(given)
