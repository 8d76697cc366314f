"""Results of benchmarks, kept with the facts of their making; the tables of the documentation are filled from them.

    python -m benchmarks.stored            fill every table of docs/ and README.md from benchmarks/results
    python -m benchmarks.stored --check    say which are not what is stored

A result is `benchmarks/results/NAME.json`: the command, the date, the versions, the machine, the seeds, and tables. A page shows
a table where it says so, and a single figure likewise:

    <!-- stored NAME TABLE -->              everything up to the end mark is written by this program
    <!-- end -->
    an AUC of <!-- stored NAME TABLE ROW COLUMN -->.844<!-- end -->

ROW is the first cell of the row, or its first cells joined by " / "; names with spaces stand in quotes. The verdicts on what papers claim
stand between such marks too (`benchmarks.papers.claims`).
"""

from __future__ import annotations

import csv
import datetime
import json
import os
import platform
import re
import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
RESULTS = Path(__file__).parent / "results"
MARK = re.compile(r"(<!-- (?P<kind>stored|claims) (?P<what>[^>]+?) -->)(?P<text>.*?)(<!-- end -->)", re.DOTALL)


@dataclass(frozen=True)
class Table:
    """Rows of labels and numbers; ``formats`` says how the numbers of a column are shown (``.3f``, ``+.1%``)."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    formats: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"a row has {len(row)} cells, and the table {len(self.columns)} columns")

    def cell(self, row: Sequence[Any], column: str) -> str:
        """Say one cell the way a page shows it: no zero before the point where a format has one, nothing for None."""
        value = row[list(self.columns).index(column)]
        if value is None:
            return ""
        if isinstance(value, bool | str) or (isinstance(value, int) and column not in self.formats):
            return f"{value:,}" if type(value) is int else str(value)
        form = self.formats.get(column, ".3f")
        shown = format(value, form)
        shown = format(0.0, form) if re.fullmatch(r"-0?\.?0*%?", shown) else shown  # no zero below zero
        return re.sub(r"^([-+−]?)0\.", r"\1.", shown) if "%" not in shown else shown

    def found(self, label: str) -> Sequence[Any]:
        """Find a row by its first cells."""
        for row in self.rows:
            cells = [self.cell(row, column) for column in self.columns]
            if label in {" / ".join(cells[:width]) for width in range(1, len(cells) + 1)}:
                return row
        raise LookupError(f"no row {label!r}")

    def markdown(self) -> str:
        """Return the table as a page writes it."""
        numbers = [any(isinstance(row[at], int | float) for row in self.rows) for at in range(len(self.columns))]
        lines = [" | ".join(self.columns), "|".join("---:" if each else "---" for each in numbers)]
        lines += [" | ".join(self.cell(row, column) for column in self.columns) for row in self.rows]
        return "\n".join(f"| {line} |" if "---" not in line else f"|{line}|" for line in lines)


def machine() -> dict[str, Any]:
    """Facts of this machine that a figure may depend on."""
    model, vectors, generation = platform.processor() or platform.machine(), "", ""
    facts = Path("/proc/cpuinfo")
    if facts.exists():
        text = facts.read_text(encoding="utf-8")
        if found := re.search(r"model name\s*:\s*(.+)", text):
            model = found[1].strip()
        told = [re.search(rf"^{name}\s*:\s*(\d+)", text, re.MULTILINE) for name in ("cpu family", "model")]
        generation = ".".join(each[1] for each in told if each)
        if flags := re.search(r"flags\s*:\s*(.+)", text):
            vectors = next((each for each in ("avx512f", "avx2", "avx") if each in flags[1].split()), "")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30 if hasattr(os, "sysconf") else None
    return {
        "processor": model,
        "generation": generation,
        "vectors": vectors,
        "cores": os.cpu_count(),
        "memory_gib": None if memory is None else round(memory),
        "system": platform.system(),
        "python": platform.python_version(),
    }


def kind(on: Mapping[str, Any] | None = None) -> str:
    """Name a kind of machine: results of two kinds are not compared.

    Machines for hire give processors of several generations one name. Older results do not say which they had, nor which vectors.
    """
    on = machine() if on is None else on
    vectors = on.get("vectors", "avx512f" if on["processor"] == "AMD EPYC" else "")
    return re.sub(r"\W+", "_", f"{on['processor']} {on.get('generation', '')} {vectors} {on['cores']} cores").lower()


def versions(packages: Iterable[str]) -> dict[str, str]:
    return {name: metadata.version(name) for name in packages}


def store(
    name: str,
    tables: Mapping[str, Table],
    *,
    command: str,
    seeds: Sequence[int] = (),
    packages: Sequence[str] = ("tokumei", "numpy", "scikit-learn"),
    sheets: Path | None = None,
    versions_of: Mapping[str, str] | None = None,
) -> None:
    """Keep the tables of a run; ``sheets`` is a folder for the same tables as CSV files.

    ``versions_of`` takes the place of the versions of ``packages``: those of packages that are installed elsewhere.
    """
    content = {
        "command": command,
        "date": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
        "machine": machine(),
        "versions": versions(packages) if versions_of is None else dict(versions_of),
        "seeds": list(seeds),
        "tables": {
            key: {
                "columns": list(table.columns),
                "formats": dict(table.formats),
                "rows": [list(row) for row in table.rows],
            }
            for key, table in tables.items()
        },
    }
    RESULTS.mkdir(exist_ok=True)
    half = RESULTS / f"{name}.part"
    half.write_text(json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n", encoding="utf-8")
    half.replace(RESULTS / f"{name}.json")
    for key, table in tables.items() if sheets is not None else ():
        assert sheets is not None
        sheets.mkdir(parents=True, exist_ok=True)
        with (sheets / f"{name}_{key}.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([table.columns, *table.rows])
    print(f"stored as {name}; python -m benchmarks.stored fills the pages")


def read(name: str) -> tuple[dict[str, Any], dict[str, Table]]:
    """Return the facts and the tables of a stored result."""
    content = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    tables = {key: Table(each["columns"], each["rows"], each["formats"]) for key, each in content.pop("tables").items()}
    return content, tables


def source(facts: Mapping[str, Any]) -> str:
    """Say in one line where figures come from."""
    made = ", ".join(f"{name} {version}" for name, version in facts["versions"].items())
    on = facts["machine"]
    seeds = facts["seeds"]
    drawn = "" if not seeds else f"; seed {seeds[0]}" if len(seeds) == 1 else f"; seeds {seeds[0]} to {seeds[-1]}"
    return f"`{facts['command']}`, {facts['date']}{drawn}; {made}; Python {on['python']}, {on['cores']} cores ({on['processor']})"


def shown(what: str) -> str:
    """Return what a page shows for a mark."""
    name, key, *rest = shlex.split(what)
    facts, tables = read(name)
    if not rest:
        return f"\n{tables[key].markdown()}\n\n*{source(facts)}.*\n"
    label, column = rest
    return tables[key].cell(tables[key].found(label), column)


def filled(text: str) -> str:
    return MARK.sub(lambda mark: f"{mark[1]}{written(mark['kind'], mark['what'])}{mark[5]}", text)


def written(kind: str, what: str) -> str:
    """Return what stands between a mark and its end: a stored table or figure, or the verdicts on a paper's claims."""
    if kind == "stored":
        return shown(what)
    from benchmarks.papers import claims  # it reads what is stored

    return claims.shown(*shlex.split(what))


def pages() -> list[Path]:
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def main() -> int:
    stale = 0
    for page in pages():
        text = page.read_text(encoding="utf-8")
        if (new := filled(text)) != text:
            stale += 1
            print(page.relative_to(ROOT))
            if "--check" not in sys.argv:
                page.write_text(new, encoding="utf-8")
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
