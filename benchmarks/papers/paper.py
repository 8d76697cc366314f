"""What the programs of the papers share: their command line, a word now and then, and where tables and pictures go.

    python -m benchmarks.papers.NAME [--quick] [PART ...]

A program has a few parts; without a name all are run. A part's tables are stored as NAME_PART, its pictures lie beside the page.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from benchmarks import stored
from tokumei import plots

PAGES = stored.ROOT / "docs" / "papers"


class Run:
    """One run of a paper's program."""

    def __init__(self, name: str, quick: bool) -> None:
        self.name, self.quick, self.begun = name, quick, time.process_time()

    def seeds(self, full: int) -> range:
        """Return so many seeds, or two in a quick run."""
        return range(2 if self.quick else full)

    def say(self, what: str) -> None:
        """Say how far the program is, on the error stream: tables go to the other."""
        print(f"{time.process_time() - self.begun:5.0f} s  {what}", file=sys.stderr, flush=True)

    def picture(self, name: str, chart: Any) -> None:
        """Keep a picture, unless the run is a quick one; PICTURES names a folder for a PNG of it to look at."""
        if folder := os.environ.get("PICTURES"):
            plots.save(chart, Path(folder) / f"{self.name}_{name}.png", overwrite=True)
        if not self.quick:
            PAGES.mkdir(exist_ok=True)
            plots.save(chart, PAGES / f"{self.name}_{name}.svg", overwrite=True)


Part = Callable[[Run], tuple[Mapping[str, stored.Table], range]]


def main(name: str, about: str, parts: Mapping[str, Part]) -> None:
    """Run the parts asked for: print the tables of each, and keep them unless the run is a quick one."""
    command = f"python -m benchmarks.papers.{name}"
    parser = argparse.ArgumentParser(prog=command, description=about)
    parser.add_argument("--quick", action="store_true", help="fewer seeds and sizes; nothing is stored")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"some of {', '.join(parts)}; all without")
    given = parser.parse_args()
    if unknown := set(given.parts) - set(parts):
        parser.error(f"there is no part named {', '.join(sorted(unknown))}")
    warnings.simplefilter("ignore")
    run = Run(name, given.quick)
    for part, work in parts.items():
        if given.parts and part not in given.parts:
            continue
        tables, seeds = work(run)
        for title, table in tables.items():
            print(f"\n{part}, {title}\n\n{table.markdown()}", flush=True)
        if not given.quick:
            stored.store(f"{name}_{part}", tables, command=f"{command} {part}", seeds=seeds, sheets=PAGES)
