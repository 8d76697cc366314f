"""All five papers, one after the other, and the verdicts on what they claim.

    python -m benchmarks.papers                every part of every paper, stored; then the pages. Hours on a small machine
    python -m benchmarks.papers --quick        the same code on less: the shortest parts of every paper, nothing stored
    python -m benchmarks.papers --verdicts     only say what became of every claim

`make papers` is the first.
"""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

from benchmarks import stored
from benchmarks.papers import claims

# What a quick run of everything does: at least one part of every paper, those that take seconds.
QUICK = {
    "density_ratio": ["theorem"],
    "grouping": ["noise"],
    "frequencies": ["example"],
    "microaggregation": ["companies", "cut", "figure_5"],
    "sampling": ["risk", "exact", "strata_alone"],
}

LONGER = {("grouping", "noise")}  # half a minute; the others take a second


def steps(*, quick: bool) -> list[list[str]]:
    """What is run, in order."""
    if quick:
        return [[f"benchmarks.papers.{name}", *parts, "--quick"] for name, parts in QUICK.items()]
    return [[f"benchmarks.papers.{name}"] for name in claims.PAPERS] + [["benchmarks.stored"]]


def main() -> int:
    if "--verdicts" in sys.argv:
        for name in claims.PAPERS:
            made = claims.paper(name)
            print(f"\n{name}\n\n{made.table()}\n\n{made.rules()}")
        return 0
    failed = []
    for step in steps(quick="--quick" in sys.argv):
        print(" ".join(["python -m", *step]), flush=True)
        if subprocess.run([sys.executable, "-m", *step], cwd=stored.ROOT, check=False).returncode != 0:
            failed.append(step[0])
    if failed:
        print(f"Not well: {', '.join(failed)}.")
    return 1 if failed else 0


def parts_of(name: str) -> list[str]:
    """The parts that a paper's program has."""
    return list(import_module(f"benchmarks.papers.{name}").PARTS)


if __name__ == "__main__":
    sys.exit(main())
