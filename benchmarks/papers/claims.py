"""What the papers claim, and what became of it: verdicts are computed from stored figures by rules that are data.

    python -m benchmarks.papers --verdicts        every claim of every paper with its verdict

`claims_PAPER.py` has two lists. CLAIMS is what the paper says, in our own words, and where. JUDGED says for each claim which
stored figures bear on it, and by which comparisons. Nobody writes a verdict: it follows from the two. Pages show them where they say so:

    <!-- claims PAPER -->                         the table of claims and verdicts
    <!-- end -->
    <!-- claims PAPER rules -->                   every comparison with its figures
    <!-- end -->

`python -m benchmarks.stored` fills these too.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Literal

from benchmarks import stored
from benchmarks.stored import Table

NAMED = re.compile(r"\{([^{}]+)\}")
PAPERS = ("density_ratio", "grouping", "frequencies", "microaggregation", "sampling")
Relation = Literal["<", "<=", ">", ">=", "="]
Verdict = Literal["holds", "does not hold", "holds in part", "not judged"]
SIGNS = {"<": "<", "<=": "≤", ">": ">", ">=": "≥", "=": "="}
ORDERS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


@dataclass(frozen=True)
class Claim:
    """What a paper says, in our words, and where it says so."""

    key: str
    where: str
    says: str


@dataclass(frozen=True)
class Figure:
    """One stored number: a result, its table, the row (its first cells, joined by " / ") and the column."""

    result: str
    table: str
    row: str
    column: str

    def _table(self) -> Table:
        return read(self.result)[1][self.table]

    def value(self) -> float:
        """Return the number, at full length."""
        table = self._table()
        if self.column not in table.columns:
            raise LookupError(f"{self.result} {self.table} has no column {self.column!r}")
        value = table.found(self.row)[list(table.columns).index(self.column)]
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise TypeError(f"{self.result} {self.table} has no number in {self.row!r}, {self.column!r}")
        return float(value)

    def shown(self) -> str:
        """Say it the way pages do."""
        table = self._table()
        return table.cell(table.found(self.row), self.column)


@dataclass(frozen=True)
class Check:
    """One comparison: ``left`` against ``times`` times ``right``, figures by name or plain numbers.

    ``by`` is how much larger (for > and >=) or smaller (for < and <=) the left must be; below zero it is what is forgiven.
    For = it is how far apart the two may be.
    """

    left: str
    relation: Relation
    right: str | float
    times: float = 1.0
    by: float = 0.0

    def holds(self, values: Mapping[str, float]) -> bool:
        """Compare the figures."""
        left = values[self.left]
        right = self.times * (values[self.right] if isinstance(self.right, str) else self.right)
        if self.relation == "=":
            return abs(left - right) <= self.by
        return bool(ORDERS[self.relation](left, right + self.by if ">" in self.relation else right - self.by))

    def told(self, shown: Mapping[str, str]) -> str:
        """Say the comparison with its figures."""
        right = f"{self.right} ({shown[self.right]})" if isinstance(self.right, str) else number(self.right)
        right = right if self.times == 1 else f"{number(self.times)} × {right}"
        sign = SIGNS[self.relation]
        if self.by and self.relation == "=":
            right += f" ± {number(self.by)}"
        elif self.by:
            right += f" {'+' if (self.by > 0) == ('>' in self.relation) else '−'} {number(abs(self.by))}"
        return f"{self.left} ({shown[self.left]}) {sign} {right}"


@dataclass(frozen=True)
class Judged:
    """How a claim is judged: named figures, comparisons of them, and a sentence that shows the figures by their {name}."""

    figures: Mapping[str, Figure]
    checks: Sequence[Check]
    found: str

    def held(self) -> list[bool]:
        """Say of each comparison whether it holds."""
        values = {name: figure.value() for name, figure in self.figures.items()}
        return [check.holds(values) for check in self.checks]

    def verdict(self) -> Verdict:
        """Compute the verdict: every comparison holds, none, or some."""
        held = self.held()
        if not held:
            raise ValueError("a claim is judged by one comparison at least")
        return "holds" if all(held) else "holds in part" if any(held) else "does not hold"

    def shown(self) -> dict[str, str]:
        """Say the figures the way pages do."""
        return {name: figure.shown() for name, figure in self.figures.items()}

    def told(self) -> str:
        """Say what was found, with its figures."""
        shown = self.shown()
        return NAMED.sub(lambda named: shown[named[1]], self.found)

    def commands(self) -> list[str]:
        """Say which commands made the figures."""
        return list(dict.fromkeys(read(figure.result)[0]["command"] for figure in self.figures.values()))


@dataclass(frozen=True)
class NotJudged:
    """A claim that no figure of ours bears on, and why."""

    reason: str


@dataclass(frozen=True)
class Paper:
    """All claims of a paper, and how each is judged."""

    name: str
    claims: Sequence[Claim]
    judged: Mapping[str, Judged | NotJudged]

    def __post_init__(self) -> None:
        keys = [claim.key for claim in self.claims]
        if len(set(keys)) < len(keys):
            raise ValueError(f"{self.name}: two claims have one key")
        if lacking := [key for key in keys if key not in self.judged]:
            raise ValueError(f"{self.name}: nothing judges {', '.join(lacking)}")
        if unknown := [key for key in self.judged if key not in keys]:
            raise ValueError(f"{self.name}: no claim has the key {', '.join(unknown)}")

    def verdicts(self) -> dict[str, Verdict]:
        """Compute every verdict."""
        return {
            key: "not judged" if isinstance(each, NotJudged) else each.verdict() for key, each in self.judged.items()
        }

    def table(self) -> str:
        """Return the table of claims as a page shows it."""
        lines = ["| claim | where | verdict | found |", "|---|---|---|---|"]
        for claim in self.claims:
            each = self.judged[claim.key]
            if isinstance(each, NotJudged):
                lines.append(f"| {claim.says} | {claim.where} | **not judged** | {each.reason} |")
                continue
            held, verdict = each.held(), each.verdict()
            counted = f" ({sum(held)} of {len(held)})" if verdict == "holds in part" else ""
            lines.append(f"| {claim.says} | {claim.where} | **{verdict}**{counted} | {each.told()} |")
        return "\n".join(lines)

    def rules(self) -> str:
        """Return every comparison, with its figures and the commands that made them."""
        lines = ["| claim | comparison | holds |", "|---|---|---|"]
        for claim in self.claims:
            each = self.judged[claim.key]
            if isinstance(each, NotJudged):
                continue
            shown = each.shown()
            says = [claim.says] + [""] * len(each.checks)
            for said, check, held in zip(says, each.checks, each.held(), strict=False):
                lines.append(f"| {said} | {check.told(shown)} | {'yes' if held else 'no'} |")
        judged = [each for each in self.judged.values() if isinstance(each, Judged)]
        commands = dict.fromkeys(command for each in judged for command in each.commands())
        return "\n".join([*lines, "", "Figures from " + ", ".join(f"`{command}`" for command in commands) + "."])


def number(value: float) -> str:
    """Say a number of a rule: no zero before the point, no digits that say nothing."""
    shown = f"{value:,.6g}" if abs(value) < 1e6 else f"{value:,.0f}"
    return shown.replace("-", "−").replace("0.", ".", 1) if shown.lstrip("-").startswith("0.") else shown


@cache
def read(result: str) -> tuple[dict[str, object], dict[str, Table]]:
    """Read a stored result, once."""
    facts, tables = stored.read(result)
    return facts, tables


def paper(name: str) -> Paper:
    """Return the claims of a paper."""
    if name not in PAPERS:
        raise LookupError(f"there is no paper {name!r}; there are {', '.join(PAPERS)}")
    module = import_module(f"benchmarks.papers.claims_{name}")
    return Paper(name, module.CLAIMS, module.JUDGED)


def shown(name: str, what: str = "table") -> str:
    """Return what a page shows for a mark."""
    made = paper(name)
    if what not in ("table", "rules"):
        raise LookupError(f"claims are shown as a table or as rules, not as {what!r}")
    return f"\n{made.table() if what == 'table' else made.rules()}\n"
