"""Risk against utility over every k, one line per method: coarse first, then finer, and a look-up for the slider."""

from __future__ import annotations

import bisect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Literal, NamedTuple

import pyarrow as pa

from tokumei.anonymizers.anonymizer import METHODS, Anonymizer
from tokumei.anonymizers.generalization import Generalization
from tokumei.anonymizers.grouped_pk_perturbation import GroupedPkPerturbation
from tokumei.anonymizers.microaggregation import Microaggregation
from tokumei.anonymizers.pk_perturbation import PkPerturbation
from tokumei.anonymizers.swapping import Swapping
from tokumei.partition import FixedLevels, Mondrian, Optimal
from tokumei.partition.microaggregation import FarthestFirst
from tokumei.plots.rung_axis import how_known
from tokumei.privacy.rungs import RUNGS, Rung, RungName
from tokumei.results import Result
from tokumei.studio.session.risk_after import Basis
from tokumei.utility.compare import rung_columns
from tokumei.words import Statement, Words

Side = Literal["released", "reconstructed"]
LineName = str  # of a line: one of the studio's own, or the name of a method that is made from k alone
SAMPLE = 0.9  # the share that is drawn beside being perturbed; smaller samples lose more than they save: docs/papers/sampling.md
SUPPRESSED = 0.05  # the share of the rows that full-domain recoding may suppress
COARSE = (5, 50, 15, 2)
FINE = (3, 8, 25, 100, 4, 12, 35, 70)
LARGEST_K = 200

OWN_LINES: Mapping[LineName, Callable[[int], Anonymizer]] = {
    "full_domain": lambda k: Generalization(k=k, partition=Optimal(), suppression_limit=SUPPRESSED),
    "groups": lambda k: Generalization(k=k, partition=Mondrian()),
    "microaggregation": lambda k: Microaggregation(k=k, partition=FarthestFirst()),
    "pk_perturbation": lambda k: PkPerturbation(k=k),
    "pk_all_told": lambda k: PkPerturbation(k=k, tells="all"),
    "grouped_pk_perturbation": lambda k: GroupedPkPerturbation(k=k),
    "pk_and_sampling": lambda k: PkPerturbation(k=k, sample=SAMPLE),
    "swapping": lambda k: Swapping(k=k, partition=Mondrian()),
}


def lines() -> dict[LineName, Callable[[int], Anonymizer]]:
    """Return how the method of each line is made from k: the studio's own, and registered methods that say they belong here."""
    others: dict[LineName, Any] = {name: METHODS.of(name) for name in METHODS.names if name not in OWN_LINES}
    found = {name: cls for name, cls in others.items() if cls.on_frontier}
    return {**OWN_LINES, **{name: partial(_made, cls) for name, cls in found.items()}}


def line_words(name: LineName, words: Words) -> str:
    """Return what a line is called: as the catalogue says, or like its method."""
    key = f"line_{name}"
    called = words(key if words.knows(key) else f"method_{name}")
    return called[:1].upper() + called[1:]


def _made(cls: Callable[..., Anonymizer], k: int) -> Anonymizer:
    return cls(k=k)


def slow() -> tuple[LineName, ...]:
    """Name the lines that have coarse points only, until one is asked for, and are sampled where the table is large."""
    return tuple(name for name in lines() if name not in QUICK and name != "full_domain")


def at_levels(k: int, levels: Mapping[str, int]) -> Generalization:
    """Return full-domain recoding at some levels, which need not be searched for again."""
    return Generalization(k=k, partition=FixedLevels(dict(levels)), suppression_limit=SUPPRESSED)


QUICK: tuple[LineName, ...] = ("pk_perturbation", "pk_all_told", "groups", "pk_and_sampling")


@dataclass(frozen=True)
class Point(Result):
    """One method with one k.

    Attributes
    ----------
    line, k, method
        Which line it is on, the k that was asked for, and the method, ready to be applied.
    risk
        The largest probability of a right link.
    basis
        Where that comes from: ``"counted"`` on generalized rows, against an attacker who knows the quasi-identifiers; or
        ``"proved"`` for perturbed rows, against an attacker who may know the whole table; or ``"asked"`` where it is what the method
        is held to on any rows, as long as it has not been measured on all of them.
    average
        The mean probability of a right link, where it is counted on all rows.
    utility
        One minus how far two columns together are off as released (total variation): 1 is best. ``None`` where it
        has not been measured yet.
    marginals, pairs
        How far a column, and two together, are off.
    reconstructed
        The same utility after reconstruction; ``None`` where the release cannot be reconstructed, or not quickly enough.
    loss
        The mean loss of a cell, where cells are values or labels of a tree.
    rows
        How many rows would be released.
    sampled
        How many rows of a large table, drawn at random, its utility was measured on; ``None`` where it was all of them.
    rungs
        What it promises on each rung of the ladder; none as long as it has not been measured. Where only some rows were measured, what its
        method is held to on any rows, and nothing beyond.
    """

    line: LineName
    k: int
    method: Anonymizer
    risk: float
    basis: Basis
    average: float | None = None
    utility: float | None = None
    marginals: float | None = None
    pairs: float | None = None
    reconstructed: float | None = None
    loss: float | None = None
    rows: int | None = None
    sampled: int | None = None
    rungs: tuple[Rung, ...] = ()

    @property
    def measured(self) -> bool:
        """Whether its utility is known."""
        return self.utility is not None

    def shown(self, side: Side) -> float | None:
        """Return its utility as released, or after reconstruction; what cannot be reconstructed is used as it is."""
        return self.reconstructed if side == "reconstructed" and self.reconstructed is not None else self.utility

    def on(self, rung: RungName | None = None) -> OnAxis:
        """Return its place on the axis of a rung; without one that of the risk, against the attackers of its own method."""
        if rung is None:
            return OnAxis(None if self.basis == "nothing" else self.risk, self.basis)
        found = next((each for each in self.rungs if each.name == rung), None)
        if found is None:
            return OnAxis(None, "asked")
        return OnAxis(None if found.how == "nothing" else found.value, found.how)


class OnAxis(NamedTuple):
    """Where a point is on an axis.

    Attributes
    ----------
    number
        A probability, or epsilon; ``None`` where nothing is promised (drawn apart), or not known yet.
    basis
        Whether it is ``"proved"``, ``"counted"``, ``"nothing"``, or only ``"asked"`` as long as it has not been measured.
    """

    number: float | None
    basis: Basis


@dataclass(frozen=True)
class FrontierLine:
    """The points of one method, by rising k; ``note`` says why some or all are missing."""

    name: LineName
    points: tuple[Point, ...] = ()
    note: Statement | None = None

    @cached_property
    def _measured(self) -> tuple[Point, ...]:
        return tuple(point for point in self.points if point.measured)

    @cached_property
    def _ks(self) -> tuple[int, ...]:
        return tuple(point.k for point in self._measured)

    def at(self, k: float) -> Point | None:
        """Return the measured point for k, or that of the next larger one, which keeps k too; else the largest there is."""
        if not self._ks:
            return None
        return self._measured[min(bisect.bisect_left(self._ks, k), len(self._ks) - 1)]

    def best(self, k: float, side: Side = "reconstructed") -> Point | None:
        """Return the most useful of the measured points for k or a larger one, which keeps k too; the smallest k of equals."""
        there = [point for point in self._measured if point.k >= k]
        return max(there, key=lambda point: point.shown(side) or 0.0, default=None)

    def with_points(self, points: Mapping[int, Point]) -> FrontierLine:
        """Return the line with other points, sorted."""
        return replace(self, points=tuple(points[k] for k in sorted(points)))


@dataclass(frozen=True)
class Frontier:
    """Risk against utility, one line per method.

    Attributes
    ----------
    lines
        The methods.
    largest
        The largest k that makes sense for the table.
    done
        Whether every point is there; a partial one has fewer.
    sampled
        Of a large table, how many rows slow methods are measured on; models are then fitted in a few steps, and every line has a few k until
        others are asked for. ``None`` for other tables.
    """

    lines: Mapping[LineName, FrontierLine]
    largest: int
    done: bool = False
    sampled: int | None = None

    def lookup(self, k: float) -> dict[LineName, Point | None]:
        """Return the point of each line for k: a look-up, for a slider."""
        return {name: line.at(k) for name, line in self.lines.items()}

    def on_axis(
        self, rung: RungName | None = None, side: Side = "reconstructed"
    ) -> dict[LineName, list[tuple[Point, OnAxis, float]]]:
        """Return for each line its measured points with their place on the axis of a rung and their utility, safest first.

        Points that promise nothing there come last, with no number: they are drawn apart.
        """
        made: dict[LineName, list[tuple[Point, OnAxis, float]]] = {}
        for name, line in self.lines.items():
            shown = [(point, point.on(rung), point.shown(side)) for point in line.points]
            there = [(point, place, utility) for point, place, utility in shown if utility is not None]
            made[name] = sorted(there, key=lambda each: math.inf if each[1].number is None else each[1].number)
        return made

    def frame(self) -> pa.Table:
        """Return the measured points as a table that `tokumei.plots.frontier` draws, one row for each side."""
        points = [point for line in self.lines.values() for point in line.points if point.measured]
        rows = [
            {
                "method": point.line,
                "k": float(point.k),
                "side": side,
                "risk": point.risk,
                "basis": point.basis,
                "utility": utility,
                "marginals": point.marginals if side == "released" else None,
                "pairs": point.pairs if side == "released" else 1 - utility,
                "loss": point.loss if side == "released" else None,
                "sampled": point.sampled,
                **{name: each for rung in point.rungs for name, each in rung_columns(rung).items()},
            }
            for point in points
            for side, utility in (("released", point.utility), ("reconstructed", point.reconstructed))
            if utility is not None
        ]
        return pa.Table.from_pylist(rows, schema=_COLUMNS)


_COLUMNS = pa.schema(
    [
        ("method", pa.string()),
        ("k", pa.float64()),
        ("side", pa.string()),
        ("risk", pa.float64()),
        ("basis", pa.string()),
        ("utility", pa.float64()),
        ("marginals", pa.float64()),
        ("pairs", pa.float64()),
        ("loss", pa.float64()),
        ("sampled", pa.int64()),
        *((name, kind) for rung in RUNGS for name, kind in ((rung, pa.float64()), (how_known(rung), pa.string()))),
    ]
)
