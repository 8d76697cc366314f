"""What the programs of the papers share: ``--quick``, a word now and then, and where tables and pictures go."""

from __future__ import annotations

import argparse
import os
import sys
import time
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks import stored
from tokumei import plots

PAGES = stored.ROOT / "docs" / "papers"


class Run:
    """One run of a paper's program; its name is that of its page, its results and its pictures."""

    def __init__(self, name: str, about: str) -> None:
        parser = argparse.ArgumentParser(prog=f"python -m benchmarks.papers.{name}", description=about)
        parser.add_argument("--quick", action="store_true", help="fewer seeds and sizes; nothing is stored")
        self.name, self.quick = name, parser.parse_args().quick
        self.begun = time.process_time()
        warnings.simplefilter("ignore")

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

    def end(self, tables: Mapping[str, stored.Table], seeds: Sequence[int], **more: Any) -> None:
        """Print the tables, and keep them unless the run is a quick one."""
        for name, table in tables.items():
            print(f"\n{name}\n\n{table.markdown()}")
        if not self.quick:
            command = f"python -m benchmarks.papers.{self.name}"
            stored.store(self.name, tables, command=command, seeds=seeds, sheets=PAGES, **more)
