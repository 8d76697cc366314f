"""The same job done by several packages: each in a process of its own, in turns, within limits; what fails is told as such."""

from __future__ import annotations

import json
import math
import os
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.peers.environments import Environment, last_line
from benchmarks.row import Measured

CHILD = Path(__file__).parent / "child.py"
SIDES = Path(__file__).parent / "sides"
LONG = 5.0  # seconds: what takes longer is not done again
PATIENCE = 20.0  # a process that does nothing is ended after so many times its limit
SHOWN = 160  # characters of another package's error


@dataclass(frozen=True)
class Entrant:
    """Who does a job: shown under a name, in an environment, by a function of a side, with settings of its own."""

    name: str
    environment: Environment
    side: Path
    job: str
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Limits:
    """What a process may take, in seconds of the processor and bytes, and how many rounds there are."""

    seconds: float = 60.0
    memory: int = 8 * 2**30
    rounds: int = 3


@dataclass(frozen=True)
class Run:
    """One process: seconds of the processor for the job, and from the start to its end, peak memory, facts; or how it failed."""

    seconds: float = 0.0
    whole: float = 0.0
    peak: float = 0.0
    facts: Mapping[str, Any] = field(default_factory=dict)
    failure: str | None = None


@dataclass(frozen=True)
class Outcome:
    """What came of an entrant: medians over rounds, facts of the last one, and the ratio to the first entrant."""

    entrant: Entrant
    runs: tuple[Run, ...]
    ratio: float | None
    spread: float | None
    folder: Path

    @property
    def failure(self) -> str | None:
        """Why there is no result, if there is none."""
        return next((run.failure for run in self.runs if run.failure is not None), None)

    @property
    def facts(self) -> Mapping[str, Any]:
        """What the side said of its last result."""
        return self.runs[-1].facts

    def costs(self) -> list[float | None]:
        """Seconds of the job, times the first entrant, spread of that, seconds of the whole, MiB; nothing for a failure."""
        if self.failure is not None:
            return [None] * 5
        middle = [statistics.median(getattr(run, name) for run in self.runs) for name in ("seconds", "whole", "peak")]
        return [middle[0], self.ratio, self.spread, middle[1], round(middle[2])]

    def measured(self) -> Measured | None:
        """The first entrant against this one, the way the board compares."""
        if self.ratio is None or self.spread is None:
            return None
        return Measured(0.0, 0.0, 1 / self.ratio, self.spread / self.ratio**2)


COSTS = ["time, s", "× ours", "spread", "whole, s", "MiB"]
COST_FORMATS = {"time, s": ".3f", "× ours": ".2f", "spread": ".2f", "whole, s": ".1f", "MiB": ".0f"}


def one(entrant: Entrant, request: Mapping[str, Any], limits: Limits, folder: Path) -> Run:
    """Run a job in a process of its own."""
    if entrant.environment.failure is not None:
        return Run(failure=entrant.environment.failure)
    folder.mkdir(parents=True, exist_ok=True)
    asked, answer = folder / "request.json", folder / "answer.json"
    answer.unlink(missing_ok=True)
    within = {"memory_limit": limits.memory, "time_limit": math.ceil(limits.seconds)}
    asked.write_text(json.dumps({**request, **entrant.settings, **within}), encoding="utf-8")
    command = [entrant.environment.python, "-I", CHILD, entrant.side, entrant.job, asked, answer]
    with (folder / "log.txt").open("w+", encoding="utf-8") as log:
        process = subprocess.Popen(
            [str(part) for part in command], stdout=subprocess.DEVNULL, stderr=log, cwd=folder, start_new_session=True
        )
        try:
            status = process.wait(limits.seconds * PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return Run(failure=f"hung: nothing came in {limits.seconds * PATIENCE:g} s")
        log.seek(0)
        text = log.read()
    if status != 0:
        return Run(failure=_failure(status, text, limits))
    told = json.loads(answer.read_text(encoding="utf-8"))
    return Run(told["seconds"], told["whole"], told["peak_mib"], told["facts"])


def _failure(status: int, text: str, limits: Limits) -> str:
    line = last_line(text)
    if "MemoryError" in line or "Unable to allocate" in line:
        return f"ran out of {limits.memory / 2**30:g} GiB"
    if status == -signal.SIGXCPU:
        return f"stopped after {limits.seconds:g} s"
    if status < 0:
        return f"ended by {signal.Signals(-status).name}"
    return f"failed: {line[:SHOWN]}"


def compete(
    entrants: Sequence[Entrant], request: Mapping[str, Any], limits: Limits, home: Path, warm: Collection[str] = ()
) -> list[Outcome]:
    """Let everybody do the job in turns, round by round; ratios are to the first one, in the same round.

    Who shares the environment of the first one does it once before it counts, for compiled code is kept between processes; those
    named in ``warm`` have done so. Who fails, or takes long, has one turn only, next to one of the first.
    """
    folders = [Path(tempfile.mkdtemp(dir=home)) for _ in entrants]
    runs: list[list[Run]] = [[] for _ in entrants]
    for entrant, folder in zip(entrants, folders, strict=True):
        if entrant.environment == entrants[0].environment and entrant.name not in warm:
            one(entrant, request, limits, folder)
    for _ in range(limits.rounds):
        for entrant, folder, done in zip(entrants, folders, runs, strict=True):
            if done and (done[-1].failure is not None or done[-1].whole > LONG):
                continue
            print(f"  {entrant.name} ...", end="", file=sys.stderr, flush=True)
            done.append(one(entrant, request, limits, folder))
            print(done[-1].failure or f" {done[-1].seconds:.3f} s", file=sys.stderr, flush=True)
    first = [run for run in runs[0] if run.failure is None]
    found = []
    for entrant, folder, done in zip(entrants, folders, runs, strict=True):
        pairs = [pair for pair in zip(done, first, strict=False) if pair[0].failure is None and pair[1].seconds > 0]
        ratios = [run.seconds / ours.seconds for run, ours in pairs]
        ratio, spread = (None, None) if not ratios else (statistics.median(ratios), half_range(ratios))
        found.append(Outcome(entrant, tuple(done), ratio, spread, folder))
    return found


def half_range(ratios: Sequence[float]) -> float:
    """Return half the interquartile range."""
    low, _, high = statistics.quantiles(ratios, n=4, method="inclusive") if len(ratios) > 1 else [ratios[0]] * 3
    return (high - low) / 2
