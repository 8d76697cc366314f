"""What the programs of papers share: one command line, tables that are printed and kept, figures drawn from what is kept.

    python -m benchmarks.papers.NAME                  every part: print, keep in benchmarks/results, draw into docs/papers
    python -m benchmarks.papers.NAME PART ...         some parts only
    python -m benchmarks.papers.NAME --quick          the same code on less; prints only, unless --store is said too
    python -m benchmarks.papers.NAME --draw           draw the figures from what is kept, and run nothing
    python -m benchmarks.papers.NAME --draw FOLDER    the same as PNG files into a folder, to look at

A part is kept as PROGRAM_PART; its tables also lie in docs/papers as CSV files.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tokumei as tk
from benchmarks import stored
from benchmarks.stored import Table

FOLDER = stored.ROOT / "docs" / "papers"
Tables = Mapping[str, Table]


class Run:
    """One run of a part: whether it is a quick one, its seeds, and where its pictures go."""

    def __init__(self, name: str, part: Part, *, quick: bool, keep: bool) -> None:
        self.name, self.quick, self.keep, self.begun = name, quick, keep, time.process_time()
        self.seeds = list(part.seeds)[:2] if quick else list(part.seeds)

    def say(self, what: str) -> None:
        """Say how far the program is, on the error stream: tables go to the other."""
        print(f"{time.process_time() - self.begun:5.0f} s  {what}", file=sys.stderr, flush=True)

    def picture(self, name: str, chart: Any) -> None:
        """Keep a picture that tables are not enough to draw; PICTURES names a folder for a PNG of it to look at."""
        if folder := os.environ.get("PICTURES"):
            tk.plots.save(chart, Path(folder) / f"{self.name}_{name}.png", overwrite=True)
        if self.keep:
            tk.plots.save(chart, FOLDER / f"{self.name}_{name}.svg", overwrite=True)


def no_charts(_: Tables) -> dict[str, Any]:
    return {}


@dataclass(frozen=True)
class Part:
    """One experiment: ``run(run)`` gives its tables, and ``draw(tables)`` its charts by name."""

    run: Callable[[Run], Tables]
    draw: Callable[[Tables], Mapping[str, Any]] = no_charts
    seeds: Sequence[int] = ()
    packages: Sequence[str] = ("tokumei", "numpy")


def draw(name: str, part: Part, tables: Tables, folder: Path, ending: str) -> None:
    for chart, made in part.draw(tables).items():
        folder.mkdir(parents=True, exist_ok=True)
        print(tk.plots.save(made, folder / f"{name}_{chart}.{ending}", overwrite=True))


def run(name: str, key: str, part: Part, *, quick: bool, keep: bool) -> None:
    this = Run(name, part, quick=quick, keep=keep)
    tables = part.run(this)
    for title, table in tables.items():
        print(f"\n{key}, {title}\n\n{table.markdown()}")
    print(f"\n{key}: {time.process_time() - this.begun:.0f} s of CPU", flush=True)
    if keep:
        command = f"python -m benchmarks.papers.{name} {key}{' --quick' if quick else ''}"
        kept = f"{name}_{key}"
        stored.store(kept, tables, command=command, seeds=this.seeds, packages=part.packages, sheets=FOLDER)
        draw(kept, part, tables, FOLDER, "svg")


def main(name: str, about: str, parts: Mapping[str, Part]) -> None:
    """Run the parts that the command line asks for."""
    parser = argparse.ArgumentParser(prog=f"python -m benchmarks.papers.{name}", description=about)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"some parts only: {', '.join(parts)}")
    parser.add_argument("--quick", action="store_true", help="the same code on less; keeps nothing")
    parser.add_argument("--store", action="store_true", help="keep what --quick finds too")
    parser.add_argument("--draw", nargs="?", const="", metavar="FOLDER", help="draw what is kept, and run nothing")
    asked = parser.parse_args()
    if unknown := [each for each in asked.parts if each not in parts]:
        parser.error(f"there is no part {unknown[0]}; there are {', '.join(parts)}")
    warnings.filterwarnings("ignore")
    for key in asked.parts or parts:
        if asked.draw is None:
            run(name, key, parts[key], quick=asked.quick, keep=asked.store or not asked.quick)
        else:
            place, ending = (Path(asked.draw), "png") if asked.draw else (FOLDER, "svg")
            draw(f"{name}_{key}", parts[key], stored.read(f"{name}_{key}")[1], place, ending)
