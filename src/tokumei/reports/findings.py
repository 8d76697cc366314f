"""What a report is about: a release, and what was found out about it. The data holder's part needs the original."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei.anonymizers.anonymizer import Anonymizer
from tokumei.arrays import Floats, Integers
from tokumei.diagnostics import ignoring
from tokumei.engines.local import make_release, prepared_table
from tokumei.errors import TokumeiWarning
from tokumei.memory import hand_back
from tokumei.plan.calibration import Calibration
from tokumei.prepare.step import Step
from tokumei.privacy.guarantee import Guarantee, several_rows
from tokumei.progress import stage
from tokumei.randomness import Key, generator
from tokumei.release.artifact import Release
from tokumei.release.ladder import Ladder
from tokumei.reports.evidence import Evidence
from tokumei.results import Result
from tokumei.risk.assess import assess
from tokumei.risk.assessment import Assessment, RecordRisks
from tokumei.risk.attack import Attack, attack
from tokumei.risk.collation import Collation, collation_check
from tokumei.risk.ladder import ladder
from tokumei.risk.linking import Linking
from tokumei.risk.people import at_most_for_people, linking_of_people
from tokumei.risk.said import TooLargeToAttack
from tokumei.table.coded import CodedTable
from tokumei.table.coded import people_of as people_of_table
from tokumei.table.frames import Origin
from tokumei.table.schema import Schema
from tokumei.utility.careful import carefully, noted
from tokumei.utility.lines import Line
from tokumei.utility.margins import MarginChange, margin_changes
from tokumei.utility.measures import utility_of
from tokumei.utility.pairing import Pairing, pairing
from tokumei.utility.results import Utility
from tokumei.utility.tables import OriginalTables, ReconstructedTables, ReleasedTables, Tables
from tokumei.words import Statement

COUNTED = 100_000  # rows of a larger table are not generalized anew to count people
ATTACKED = 5000  # of a larger table this many rows are attacked
TRIAL = 0  # the seed of trials, in which nothing is released
DRAWN = 4  # columns whose shares are drawn
THRESHOLD = 0.2  # rows linked with a larger probability are counted
BARS = 24  # a column with more cells is not drawn


@dataclass(frozen=True, eq=False)
class Shares(Result):
    """The shares of one column's cells, in the original, in the release, and after reconstruction."""

    name: str
    labels: tuple[str, ...]
    original: Floats
    released: Floats
    reconstructed: Floats | None


@dataclass(frozen=True, eq=False)
class Private:
    """What only the data holder may see.

    Attributes
    ----------
    schema, table
        The original's columns as they were declared, and its rows, prepared as for the release.
    before
        The risk of the original, were it released unchanged, without that of every single row.
    attack
        The measured attack, where rows were perturbed or sampled; ``None`` if they were generalized or it is not possible.
    attacked
        How many rows were drawn from a large table for it; ``None`` where it was the whole table.
    collation
        Which groups the data holder can resolve to original rows, where rows were made coarser; ``None`` elsewhere.
    utility, shares
        What the release still says.
    notes
        Why something is missing.
    margins
        What became of the weighted totals that must not change.
    """

    schema: Schema
    table: CodedTable
    before: Assessment
    attack: Attack | None
    attacked: int | None
    collation: Collation | None
    utility: Utility | None
    shares: tuple[Shares, ...]
    notes: tuple[Statement, ...]
    margins: tuple[MarginChange, ...] = ()


@dataclass(frozen=True, eq=False)
class Findings:
    """A release, and what was found out about it.

    Attributes
    ----------
    release
        What it is about.
    digests
        The SHA-256 of each file of the release; empty where it has not been written.
    evidence
        What the report is about, and when it was made; in the public variant nothing of the original or the plan.
    classes
        The classes of the released rows, where they were not perturbed; not where people have several rows, whose parts of a
        class the released rows do not tell.
    several
        What an attacker can do at most to people with several rows, where rows were not perturbed.
    together
        The same, if all released columns are known.
    ladder
        What is promised against every kind of attacker; for the data holder beside how it was before.
    private
        What only the data holder may see; ``None`` in the public variant.
    """

    release: Release
    digests: Mapping[str, str]
    evidence: Evidence
    classes: Assessment | None
    together: Assessment | None
    ladder: Ladder
    private: Private | None
    several: Linking | None = None

    @property
    def kind(self) -> str:
        """How people are protected: rows ``"perturbed"``, ``"swapped"``, ``"sampled"`` or made ``"alike"``."""
        mechanism = self.release.mechanism
        if mechanism.swapping is not None:
            return "swapped"
        return "perturbed" if mechanism.perturbed else "sampled" if mechanism.of is not None else "alike"

    @property
    def k(self) -> float:
        """The k of the first promise about linking; 1 where there is none."""
        linking = ("Pk-anonymity", "sampling anonymity", "k-anonymity", "probabilistic k-anonymity")
        return next((each.value for each in self.release.guarantees if each.notion in linking), 1.0)

    @property
    def whole_k(self) -> int:
        """The largest whole k that is promised: how many rows a group should have at least."""
        return math.floor(self.k)

    @property
    def wildcards(self) -> Guarantee | None:
        """The guarantee for suppressed cells that agree with anything, where there is one."""
        found = (each for each in self.release.guarantees if each.notion == "k-anonymity with wildcards")
        return next(found, None)

    @property
    def columns(self) -> tuple[str, ...]:
        """What an attacker may know about a person."""
        return self.release.schema.names("quasi_identifier")

    @property
    def kept(self) -> tuple[str, ...]:
        """The columns that are released unchanged."""
        return self.release.mechanism.kept


def public_findings(release: Release, digests: Mapping[str, str], evidence: Evidence) -> Findings:
    """Look at a release alone, as any recipient can."""
    classes, together, several = None, None, None
    known = release.schema.names("quasi_identifier")
    if known and not (release.mechanism.perturbed or release.mechanism.swapping):
        if not several_rows(release.guarantees):
            classes = _of_all(
                assess(release)
            )  # a suppressed cell as a value of its own, which never understates the risk
        else:
            sizes = release.coded.class_of(known)
            several = at_most_for_people(release, np.bincount(sizes)[sizes], THRESHOLD)
        together = _of_all(assess(release.table, list(release.schema.names()), largest=1))
    return Findings(release, digests, evidence.public(), classes, together, ladder(release), None, several)


def _of_all(found: Assessment) -> Assessment:
    """Leave out what is said of every single row: no report shows it, and it takes as much room as the table."""
    nothing = np.zeros(0)
    return replace(found, records=RecordRisks(nothing.astype(np.int64), nothing, None, None, nothing))


def private_findings(
    release: Release,
    digests: Mapping[str, str],
    evidence: Evidence,
    original: pa.Table,
    schema: Schema,
    prepare: Sequence[Step],
    method: Anonymizer | None,
    predicted: str | None,
    random_state: int | None,
    calibration: Calibration | None = None,
) -> Findings:
    """Look at a release together with its original."""
    found = public_findings(release, digests, evidence)
    notes: list[Statement] = []
    cells = original.num_rows * len(schema.names())
    with stage("Making the report") as shown:

        def next_part(name: str) -> None:
            hand_back(cells)
            shown.say(name)

        next_part("risk before")
        before = _of_all(assess(original, schema))
        hand_back(cells)
        rungs = ladder(release, original, schema)
        played, attacked = None, None
        if found.kind not in {"alike", "swapped"}:
            next_part("attack")
            played, attacked = played_attack(original, release, schema, prepare, method, random_state, notes)
        if found.several is not None and method is not None and original.num_rows <= COUNTED:
            next_part("people")
            found = replace(found, several=_of_people(original, release, schema, prepare, method, found.several))
        collated: Collation | None = None
        if release.mechanism.recoding is not None:
            next_part("collation")
            check = partial(collation_check, original, release, schema, prepare, random_state=random_state)
            collated = carefully("collation", check, notes)
        next_part("utility")
        rebuilding = ReconstructedTables(release)

        def measured() -> tuple[Pairing, Utility]:
            both = pairing(original, release, schema, prepare)
            return both, utility_of(both, rebuilding, predicted)

        found_utility: tuple[Pairing, Utility] | None = carefully("utility", measured, notes)
        both, utility = (None, None) if found_utility is None else found_utility
        table = prepared_table(original, schema, prepare, cells=schema.names()) if both is None else both.table
        shares = () if both is None or utility is None else _shares(both, rebuilding, utility, notes)
        changes: tuple[MarginChange, ...] | None = None
        if calibration is not None:
            change = partial(margin_changes, original, release, schema, calibration, prepare)
            changes = carefully("margins", change, notes)
    if utility is not None:
        notes += utility.notes
    told = tuple(dict.fromkeys(notes))
    private = Private(schema, table, before, played, attacked, collated, utility, shares, told, changes or ())
    return replace(found, ladder=rungs, private=private, evidence=evidence)


def played_attack(
    original: pa.Table,
    release: Release,
    schema: Schema,
    prepare: Sequence[Step],
    method: Anonymizer | None,
    random_state: int | None,
    notes: list[Statement],
) -> tuple[Attack | None, int | None]:
    """Play the attack: on a release drawn for it where the method is known, so that right links can be counted.

    Its draws are nobody's: nothing of it is released. They are the same each time unless asked otherwise, so that two reports on one
    table say the same.
    """
    random_state = TRIAL if random_state is None else random_state
    rows, attacked, target = original, None, method if method is not None else release
    if original.num_rows > ATTACKED:
        if method is None:
            notes.append(noted("attack", TooLargeToAttack(rows=ATTACKED)))
            return None, None
        picked = _some_people(original, schema, generator(random_state))
        rows, attacked = original.take(pa.array(picked)), len(picked)
        target = _smaller(method, len(picked) / original.num_rows, original.num_rows)

    def play() -> Attack:
        with ignoring(TokumeiWarning):  # they were told when the release itself was made
            return attack(rows, target, schema, prepare, random_state)

    found: Attack | None = carefully("attack", play, notes)
    return found, None if found is None else attacked


def _of_people(
    original: pa.Table, release: Release, schema: Schema, prepare: Sequence[Step], method: Anonymizer, bound: Linking
) -> Linking:
    """Count exactly what an attacker can do to people with several rows, where a release drawn anew has the classes of this one."""
    with ignoring(TokumeiWarning):  # they were told when the release itself was made
        made = make_release(original, Origin("pyarrow"), schema, method, prepare, Key.seeded(TRIAL))
    known = release.schema.names("quasi_identifier")
    same = _classes(made.release, known).equals(_classes(release, known))
    assert made.table.people is not None
    if not same:
        return bound
    return linking_of_people(made.table.people.taking(made.order), made.release.coded.class_of(known), THRESHOLD)


def _classes(release: Release, known: Sequence[str]) -> pa.Table:
    """Return the equivalence classes of released rows with their sizes, in an order of their own."""
    return release.counted(*known).sort_by([(name, "ascending") for name in known])


def _some_people(original: pa.Table, schema: Schema, rng: np.random.Generator) -> Integers:
    """Draw the rows that are attacked: all rows of everyone who is drawn, where people have several."""
    people = people_of_table(original, schema)
    if people is None:
        return np.sort(rng.choice(original.num_rows, ATTACKED, replace=False))
    rows = np.bincount(people.numbers)
    drawn = rng.permutation(len(rows))
    inside = np.zeros(len(rows), dtype=bool)
    inside[drawn[np.cumsum(rows[drawn]) <= ATTACKED]] = True
    return np.flatnonzero(inside[people.numbers])


def _smaller(method: Anonymizer, share: float, rows: int) -> Anonymizer:
    """Return a method for some of the rows: numbers of rows and people shrink as the table does."""
    given: Any = method
    changes: dict[str, Any] = {}
    sample = getattr(given, "sample", None)
    if isinstance(sample, int):
        changes["sample"] = sample / rows
    if isinstance(getattr(given, "known", None), int):
        changes["known"] = max(1, round(given.known * share))
    if changes and getattr(given, "k", None) is not None and hasattr(given, "known"):
        changes["k"] = None
    smaller: Anonymizer = replace(given, **changes) if changes else method
    return smaller


def _shares(
    both: Pairing, rebuilding: ReconstructedTables, utility: Utility, notes: list[Statement]
) -> tuple[Shares, ...]:
    """Count the shares of some columns whose labels were declared: those that lie farthest off as released."""
    released = utility.released
    if released is None:
        return ()
    off = {name: each.total_variation for name, each in released.marginals.items()}
    fit = [line for line in both.lines if not line.attribute.observed and line.cells <= BARS]
    picked = sorted(fit, key=lambda line: -off[line.name])[:DRAWN]

    def counted(tables: Tables, line: Line) -> Floats:
        return np.bincount(line.cell_of, weights=tables.alone(line), minlength=line.cells).astype(np.float64)

    tables = ReleasedTables(both.release)

    def shares(line: Line) -> Shares:
        undone = utility.reconstructed is not None
        rebuilt = counted(rebuilding, line) if undone else None
        before, after = counted(OriginalTables(both.table), line), counted(tables, line)
        return Shares(line.name, line.labels, before, after, rebuilt)

    found: tuple[Shares, ...] = carefully("reconstructed", lambda: tuple(map(shares, picked)), notes) or ()
    return found
