"""How the frontier is made: one search for full-domain recoding, then single points of every line, in an order that shows early."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property

import numpy as np
import pyarrow as pa

from tokumei.anonymizers.anonymizer import Anonymizer
from tokumei.engines.local import make_release
from tokumei.errors import InfeasiblePromise, InvalidParameter, TokumeiError
from tokumei.parallel import one_blas_thread
from tokumei.partition.full_domain.frontier import EveryNode, every_node
from tokumei.partition.full_domain.nodes import Nodes
from tokumei.partition.rows import problem_of, rows_allowed
from tokumei.prepare.step import Step
from tokumei.privacy.attackers import WholeTable
from tokumei.privacy.notions import NOTIONS
from tokumei.privacy.rungs import NothingOfAllRows, Rung, nothing
from tokumei.progress import stage
from tokumei.randomness import Key, generator
from tokumei.release.artifact import Release
from tokumei.release.rungs import stated
from tokumei.studio.session.frontier import (
    COARSE,
    FINE,
    LARGEST_K,
    QUICK,
    SUPPRESSED,
    Frontier,
    FrontierLine,
    LineName,
    Point,
    at_levels,
    lines,
    slow,
)
from tokumei.studio.session.risk_after import ASKED, NOTHING, risk_of
from tokumei.table.coded import CodedTable
from tokumei.table.frames import Origin
from tokumei.table.schema import Schema
from tokumei.utility.careful import carefully, noting
from tokumei.utility.quick import Off, Quick
from tokumei.utility.tables import ReconstructedTables
from tokumei.words import Statement, said_by

SAMPLED = 50_000  # of a larger table this many rows are used for slow methods,
CELLS, FEWEST = 450_000, 5_000  # of many columns fewer, but not too few
CLASSES = 12  # of a model that is fitted to a large table,
STEPS = 60  # and of its steps at most: it says nearly what a whole fit says, and takes a tenth of the time or less
HUGE = 10  # tables with this many times as many rows have half of the finer k until others are asked for
LARGEST_LATTICE = 2**18  # nodes that are all looked at while somebody waits
PREVIEW = 0  # the seed of releases that are measured and thrown away


class FrontierBuilder:
    """The frontier of one table under one schema, as far as it has been made. What was made once is kept."""

    def __init__(self, rows: pa.Table, coded: CodedTable, schema: Schema, prepare: tuple[Step, ...]) -> None:
        if not coded.schema.names("quasi_identifier"):
            raise InvalidParameter(
                "There is no quasi-identifier yet; say which columns an attacker may know about a person."
            )
        self.rows, self.coded, self.schema, self.prepare = rows, coded, schema, prepare
        self.largest = max(2, min(LARGEST_K, coded.rows // 2))
        self.sampled = min(SAMPLED, max(FEWEST, CELLS // len(coded.columns)))
        self.large = coded.rows > self.sampled
        self._lock = threading.RLock()
        self.methods, self.slow = lines(), slow()
        self._points: dict[LineName, dict[int, Point]] = {name: {} for name in self.methods}
        self._failed: dict[LineName, dict[int, Statement]] = {name: {} for name in self.methods}
        self._searched = False
        self._classes: dict[LineName, int] = {}

    def steps(self) -> Iterator[Frontier]:
        """Make the frontier point by point; yield what there is whenever there is more."""
        few = FINE[: len(FINE) // 2] if self.coded.rows > HUGE * self.sampled else FINE
        coarse, fine = ([k for k in ks if k <= self.largest] for ks in (COARSE, few))
        rounds = ((coarse, QUICK), (coarse, self.slow), (fine, QUICK))
        work = [(name, k) for ks, names in rounds for k in ks for name in names]
        with stage("Building the frontier", total=len(work) + len(coarse) + 2) as shown:
            shown.say("full_domain")
            self._search()
            shown.advance()
            for k in coarse:
                self.point("full_domain", k)
                shown.advance(note=f"full_domain, k = {k}")
                yield self.now()
            for name, k in work:
                shown.say(f"{name}, k = {k}")
                self.point(name, k)
                shown.advance()
                yield self.now()
            shown.say("full_domain")
            others = (
                [] if self.large else self._points["full_domain"]
            )  # many of a large table have a release of their own
            for k in [*fine, *others]:
                self.point("full_domain", k)
            shown.advance()
        yield self.now(done=True)

    def now(self, *, done: bool = False) -> Frontier:
        """Return what there is."""
        with self._lock:
            lines = {
                name: FrontierLine(name, note=_first(self._failed[name])).with_points(points)
                for name, points in self._points.items()
            }
        return Frontier(lines, self.largest, done, self.sampled if self.large else None)

    def point(self, name: LineName, k: int) -> Point | None:
        """Return the point of a line for a k, measured; nothing where it cannot be, which the line's note explains."""
        if name == "full_domain":
            self._search()
        known = self._points[name].get(k)
        if known is not None and known.measured:
            return known
        if k in self._failed[name] or (name == "full_domain" and known is None):
            return None
        try:
            made = self._made(name, k, known)
        except (InvalidParameter, InfeasiblePromise) as error:
            with self._lock:
                self._failed[name][k] = said_by(error)
            return None
        with self._lock:
            if name == "full_domain":
                self._share(made)
            else:
                self._points[name][k] = made
        return made

    # Full-domain recoding: every k from one pass.

    @cached_property
    def nodes(self) -> EveryNode:
        """Every combination of levels, looked at once for every k."""
        problem = problem_of(self.coded, self.coded.schema.names("quasi_identifier"), 2)
        count = int(np.prod(np.array(Nodes(problem).shape, dtype=np.float64)))
        if count > LARGEST_LATTICE:
            raise InvalidParameter(
                "The hierarchies have more than {largest_lattice:,} combinations of levels; give them fewer levels, or fewer "
                "columns the role of a quasi-identifier.",
                largest_lattice=LARGEST_LATTICE,
            )
        return every_node(problem, range(2, self.largest + 1), rows_allowed(SUPPRESSED, self.coded.rows))

    def _search(self) -> None:
        with self._lock:
            if self._searched:
                return
            self._searched = True
        try:
            nodes = self.nodes
        except TokumeiError as error:
            with self._lock:
                self._failed["full_domain"][0] = said_by(error)
            return
        except BaseException:
            self._searched = False  # it was stopped, and can be begun again
            raise
        with self._lock:
            for best in nodes.best:
                self._points["full_domain"][best.k] = Point(
                    "full_domain",
                    best.k,
                    self.methods["full_domain"](best.k),
                    1 / best.k,
                    "asked",
                    loss=best.loss,
                    rows=self.coded.rows,
                )

    def _share(self, made: Point) -> None:
        """Give every k that leads to the same release the same numbers."""
        mine = self._levels(made.k)
        for best in self.nodes.best:
            if self._levels(best.k) == mine:
                known = self._points["full_domain"][best.k]
                self._points["full_domain"][best.k] = replace(made, k=best.k, method=known.method)

    def _levels(self, k: int) -> tuple[Mapping[str, int], int, bool]:
        """Return the best levels for k, how many rows are suppressed, and whether these are enough to stay as stars."""
        best = self.nodes.best[k - self.nodes.ks[0]]
        return best.levels, best.suppressed, best.suppressed >= k

    # One release, measured and thrown away.

    @one_blas_thread()
    def _made(self, name: LineName, k: int, known: Point | None) -> Point:
        method = self.methods[name](k)
        made: Anonymizer = method
        if name == "full_domain":
            made = at_levels(k, self._levels(k)[0])
        rows, quick, sampled = self._measured_on(name)
        release = self._release(rows, made, quick.table)
        off = quick.released(release)
        risk = risk_of(release)
        measured = Point(
            name,
            k,
            method,
            risk.highest,
            risk.basis,
            risk.average,
            off.utility,
            off.marginals,
            off.pairs,
            self._reconstructed(name, quick, release),
            None if known is None else known.loss,
            release.rows,
            sampled,
            release.rungs,
        )
        return measured if sampled is None else of_any_rows(measured, release)

    def _reconstructed(self, name: LineName, quick: Quick, release: Release) -> float | None:
        """Return the utility after reconstruction: from one fit, with as many classes as the first fit of the line took; of a large table from a short one."""
        if release.mechanism.telling is None:
            return None  # a fit takes seconds, while somebody waits: Before / after shows it
        tables = ReconstructedTables(release, n_init=1, n_components=self._classes.get(name))
        if self.large:
            tables = ReconstructedTables(release, n_init=1, n_components=CLASSES, max_iter=STEPS)
        found: Off | None = carefully("reconstructed", lambda: quick.reconstructed(tables), [])
        if found is not None and tables.model.n_components_:
            self._classes.setdefault(name, tables.model.n_components_)
        return None if found is None else found.utility

    def _release(self, rows: pa.Table, method: Anonymizer, coded: CodedTable) -> Release:
        with noting("Preview", []):  # they are told when the release itself is made
            key = Key.seeded(PREVIEW)
            return make_release(rows, Origin("pyarrow"), self.schema, method, self.prepare, key, coded).release

    def _measured_on(self, name: LineName) -> tuple[pa.Table, Quick, int | None]:
        if name not in self.slow or not self.large:
            return self.rows, self._quick, None
        rows, quick = self._sample
        return rows, quick, self.sampled

    @cached_property
    def _quick(self) -> Quick:
        return Quick(self.coded)

    @cached_property
    def _sample(self) -> tuple[pa.Table, Quick]:
        picked = np.sort(generator(PREVIEW).choice(self.coded.rows, self.sampled, replace=False))
        return self.rows.take(pa.array(picked)), Quick(self.coded.taking(picked))


def of_any_rows(point: Point, release: Release) -> Point:
    """Return a point that was measured on a sample with the risk of a release of all rows: no more than its method is held to on any rows.

    What was counted or proved on the sample may be more on all rows, so that nothing is promised there until they are released.
    """
    linked = [each for each in release.guarantees if each.checked and NOTIONS[each.notion].linking]
    asked = {each.notion: each.value for each in point.method.asked()}
    notions = [each.notion for each in linked]
    kept = [
        replace(each, value=asked[each.notion])
        for each in linked
        if each.notion in asked and notions.count(each.notion) == 1
    ]
    whole = [each for each in kept if isinstance(each.attacker, WholeTable)]

    def on(rung: Rung) -> Rung:
        found = {"linking": kept, "whole_table": whole}.get(rung.name, [])
        if found:
            return Rung(rung.name, (stated(found[0]),))
        value = None if rung.name == "differencing" else 1.0
        return Rung(rung.name, (nothing(NothingOfAllRows(), rung.bound.attacker, value),))

    highest, basis = (1 / kept[0].value, ASKED) if kept else (1.0, NOTHING)
    return replace(point, risk=highest, basis=basis, average=None, rungs=tuple(map(on, point.rungs)))


def _first(failed: dict[int, Statement]) -> Statement | None:
    """Say why the smallest k that cannot be cannot be."""
    return failed[min(failed)] if failed else None
