"""What the jobs share: limits, environments by name, a folder for a run, and entrants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmarks.peers.contest import COST_FORMATS, COSTS, SIDES, Entrant, Limits, Outcome, compete
from benchmarks.peers.environments import PEERS, Environment, environment
from benchmarks.stored import Table

FORMATS = {**COST_FORMATS, "loss": ".4f", "C_AVG": ".2f", "t": ".3f", "share": ".3f"}


@dataclass
class Bench:
    """One run of the jobs."""

    home: Path
    quick: bool
    limits: Limits
    largest: int | None = None
    seeds: int | None = None
    done: list[int] = field(default_factory=list)
    keep: Callable[[dict[str, Table], Sequence[int]], None] = lambda tables, seeds: None
    environments: dict[str, Environment] = field(default_factory=dict)
    warm: set[str] = field(default_factory=set)

    def sizes(self, full: Sequence[int], quick: int) -> list[int]:
        """How many rows tables have; those beyond the largest that was asked for are left out."""
        return [quick] if self.quick else [size for size in full if self.largest is None or size <= self.largest]

    def environment(self, name: str) -> Environment:
        """The environment of a package, made at most once a run."""
        if name not in self.environments:
            self.environments[name] = environment(PEERS[name])
        return self.environments[name]

    def entrant(self, shown: str, package: str, job: str, **settings: Any) -> Entrant:
        """Somebody who takes part, by the side of his package."""
        side = {"tokumei": "ours"}.get(package, package.replace("-", "_"))
        return Entrant(shown, self.environment(package), SIDES / f"{side}.py", job, settings)

    def compete(
        self, entrants: list[Entrant], request: dict[str, Any], title: str, rounds: int | None = None
    ) -> list[Outcome]:
        """Let everybody do one job in turns, in as many rounds as the run has, or as are asked for."""
        print(title, flush=True)
        limits = self.limits if rounds is None else replace(self.limits, rounds=rounds)
        found = compete(entrants, request, limits, self.home, self.warm)
        self.warm |= {each.name for each in entrants}
        return found

    def versions(self) -> dict[str, str]:
        """What was installed, of every package that took part."""
        found: dict[str, str] = {}
        for name in sorted(self.environments):
            for package, version in self.environments[name].versions.items():
                found[package if package == name else f"{package} (with {name})"] = version
        return found


def table(
    labels: list[str], qualities: list[str], rows: list[list[Any]], formats: dict[str, str] | None = None
) -> Table:
    """A table of costs and qualities; the last column says what happened to whoever has none."""
    columns = [*labels, "package", *COSTS, *qualities, "remark"]
    return Table(columns, rows, {**FORMATS, **(formats or {})})
