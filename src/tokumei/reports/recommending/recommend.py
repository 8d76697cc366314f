"""`recommend`: which method, which k, and can it be defended."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei.engines.local import prepared_table
from tokumei.errors import InvalidParameter
from tokumei.parallel import one_blas_thread
from tokumei.plan import Plan
from tokumei.prepare.step import Step
from tokumei.privacy.duties import Duties, read_duties
from tokumei.privacy.pk import check_feasible
from tokumei.progress import Stage, stage
from tokumei.randomness import generator
from tokumei.reports.recommending.candidates import (
    OF_EPSILON,
    Asked,
    Candidate,
    by_construction,
    candidates,
    every_domain_declared,
    public_candidates,
)
from tokumei.reports.recommending.drafted import drafted
from tokumei.reports.recommending.purpose import Measuring, Purpose, read_purpose
from tokumei.reports.recommending.recommendation import Recommendation
from tokumei.reports.recommending.trial import Trial, Tried, nearest_to, smallest_reached
from tokumei.runner import rows_of
from tokumei.table.frames import to_arrow
from tokumei.table.schema import DROPPED, Schema, require_schema
from tokumei.text import names

USUAL = "linking 1/10"  # the duty where none is named
CELLS = 36_000  # that methods are tried on: some seconds each
FEWEST = 2_000  # rows, however many columns
PER_K = 50  # rows for each unit of k, so that there are groups to form
CONFIRMED = 3  # methods that are drawn on all rows until one meets the duties there
RELAXED = (
    0.1,
    0.3,
)  # how far an inference that cannot be met is relaxed from what everybody can guess towards certainty


@dataclass(frozen=True)
class _Job:
    """A table, and what is asked of its release."""

    table: pa.Table
    schema: Schema
    prepare: tuple[Step, ...]
    asked: Asked
    random_state: int

    @property
    def rows(self) -> int:
        return self.table.num_rows

    def sample(self, wanted: int | None) -> tuple[pa.Table, pa.Table | None]:
        """Return rows to try methods on, and others to score models on."""
        columns = max(1, sum(each.role not in DROPPED for each in self.schema))
        taken = max(FEWEST, CELLS // columns, PER_K * self.asked.k) if wanted is None else wanted
        if taken >= self.rows:
            return self.table, None
        order = generator(self.random_state).permutation(self.rows)
        rest = order[taken : 2 * taken]
        return self.table.take(np.sort(order[:taken])), self.table.take(np.sort(rest))


@stage("Recommending")
@one_blas_thread()
def recommend(
    frame: Any,
    schema: Schema | None = None,
    duty: str | Duties | None = USUAL,
    purpose: str | Purpose = "tables",
    *,
    prepare: Sequence[Step] = (),
    known: int | None = None,
    look: bool = True,
    sample: int | None = None,
    random_state: int = 0,
) -> Recommendation:
    """Try every method that can meet the duties, rank them by a purpose, and recommend one with the reason.

    Parameters
    ----------
    frame
        A table with its ``schema``; or a plan, or the path of one, whose method is not used; or the path of a table, for which a schema is
        drafted as by ``tokumei init``.
    schema, prepare
        The columns with their roles and domains, and the steps before the method.
    duty
        What the release must hold to on which rung, such as ``"linking 1/10, inference 3/4"``.
    purpose
        ``"tables"``: tables of two columns. ``"model:income"``: a model of that column. ``"records"``: rows that look like original ones.
    known
        How many people an attacker knows; only then is sampling tried.
    look
        Whether methods may be tried on the rows. If not, or where the duties are about differencing or membership, which only an epsilon
        bounds, the choice follows from public numbers alone, and an epsilon holds for it.
    sample
        On how many rows methods are tried. By default on as many as take a few seconds, and the recommended one is then drawn on all rows.
    random_state
        For the sample, and for releases that are measured and thrown away.

    Examples
    --------
    >>> import tokumei as tk
    >>> people, schema = tk.example_census(rows=600), tk.example_schema()
    >>> found = tk.recommend(people, schema, "linking 1/5")
    >>> found.chosen.meets, found.ranking[0] is found.chosen
    (True, True)
    >>> release = found.anonymize(people)
    >>> [fact.name for fact in release.disclosed if fact.name == "choice"]
    ['choice']
    """
    plan = _plan(frame, schema, prepare)
    with stage("Reading the table"):
        table = to_arrow(frame)[0] if plan is None else rows_of(plan)
    if plan is not None:
        schema, prepare = plan.schema, plan.prepare
    if schema is None:
        raise InvalidParameter("a table needs its schema; the path of a file or of a plan does not.")
    require_schema(schema)
    duties = read_duties(USUAL if duty is None else duty)
    if not duties:
        raise InvalidParameter("The duty is empty; name a rung and a number, such as 'linking 1/10'.")
    aim = read_purpose(purpose, schema)
    if known is not None and not 1 <= known <= table.num_rows:
        raise InvalidParameter(
            "an attacker knows between 1 and {rows:,} people. Got {known}.", known=known, rows=table.num_rows
        )
    if sample is not None and sample < 1:
        raise InvalidParameter("sample must be at least 1. Got {sample}.", sample=sample)
    job = _Job(table, schema, tuple(prepare), Asked(duties, aim, known), random_state)
    if not schema.names("quasi_identifier"):
        raise InvalidParameter("There is no quasi-identifier; say which columns an attacker may know about a person.")
    check_feasible(table.num_rows, job.asked.k)
    looking = look and not OF_EPSILON & duties.keys()
    found = _looking(job, sample) if looking else _from_public_numbers(job)
    if plan is None:
        return found
    return replace(found, source=plan.source, output=plan.output, folder=plan.folder, run=plan.run)


def _plan(data: Any, schema: Schema | None, prepare: Sequence[Step]) -> Plan | None:
    """Return the plan of the rows; a table that is given as it is has none."""
    if isinstance(data, Plan | str | Path):
        if isinstance(data, Plan):
            plan = data
        else:
            plan = Plan.read(data) if str(data).lower().endswith(".toml") else drafted(Path(data))
        if schema is None and not prepare:
            return plan
        raise InvalidParameter("a file or a plan says itself what its columns are; leave out the schema and the steps.")
    return None


def _looking(job: _Job, wanted: int | None) -> Recommendation:
    """Try methods on the rows, or on a sample of them, and the best of them on all rows."""
    part, rest = job.sample(wanted)
    asked = job.asked
    if asked.known is not None:
        asked = replace(asked, known=max(1, round(asked.known * part.num_rows / job.rows)))
    tries = list(candidates(job.schema, part.num_rows, asked))
    with stage("Trying methods", total=len(tries) + CONFIRMED) as shown:
        shown.say("counting the original")
        test = None if rest is None or asked.purpose.target is None else prepared_table(rest, job.schema, job.prepare)
        original = prepared_table(part, job.schema, job.prepare)
        measuring = Measuring(original, asked.purpose, test, job.random_state)
        trial = Trial(part, job.schema, job.prepare, asked.duties, measuring, job.random_state)
        tried = _tried(trial, tries, shown)
        if not any(each.meets for each in tried) and "inference" in asked.duties:
            tried += _tried(trial, _relaxed(job, original, asked), shown)
        ranking = ranked(tried)
        meeting = [each for each in ranking if each.meets]
        whole = None
        if part.num_rows < job.rows and meeting and not _sure(job, meeting[0]):
            whole, meeting, more = _confirmed(job, meeting, shown)
            ranking = ranked([*more, *(each for each in ranking if each.name not in {one.name for one in more})])
    return _made(job, part.num_rows, ranking, meeting, whole)


def _sure(job: _Job, tried: Tried) -> bool:
    """Whether the duties need not be counted on all rows: the method is asked for them, so a release holds them or is refused."""
    return tried.method is not None and by_construction(tried.method, job.asked.duties, job.schema)


def _from_public_numbers(job: _Job) -> Recommendation:
    """Rank methods by the error to expect from public numbers; rows are drawn, but the choice does not depend on them."""
    if not every_domain_declared(job.schema):
        observed = [
            each.name for each in job.schema if each.observed or (each.domain is None and each.role not in DROPPED)
        ]
        raise InvalidParameter(
            "An epsilon, which differencing and membership need, and a choice without looking, hold only where every domain is declared. "
            "Declare those of {observed} in the plan (tokumei init drafts one), and delete their lines 'observed'.",
            observed=names(observed),
        )
    tries = list(public_candidates(job.schema, job.rows, job.asked))
    with stage("Trying methods", total=len(tries)) as shown:
        trial = Trial(
            job.table, job.schema, job.prepare, job.asked.duties, job.asked.purpose, job.random_state, looked=False
        )
        ranking = ranked(_tried(trial, tries, shown))
    return _made(job, 0, ranking, [each for each in ranking if each.meets], None)


def _tried(trial: Trial, tries: Iterable[Candidate], shown: Stage) -> list[Tried]:
    found = []
    for name, method in tries:
        shown.say(name)
        found.append(trial.tried(name, method))
        shown.advance(note=name)
    return found


def _relaxed(job: _Job, original: Any, asked: Asked) -> list[Candidate]:
    """Return methods with weaker constraints, where nothing meets a duty of inference: somebody can guess the most frequent value anyway."""
    secret = job.schema.names("sensitive")
    if not secret:
        return []
    guessed = max(float(np.bincount(original.codes(name)).max() / original.rows) for name in secret)
    alphas = sorted({math.ceil(100 * (guessed + part * (1 - guessed))) / 100 for part in RELAXED})
    return [
        (f"{name}:α ≤ {alpha:g}", method)
        for alpha in alphas
        if asked.duties["inference"] < alpha < 1
        for name, method in candidates(job.schema, original.rows, replace(asked, alpha=alpha))
        if getattr(method, "constraints", ())
    ]


def _confirmed(job: _Job, meeting: Sequence[Tried], shown: Stage) -> tuple[Tried | None, list[Tried], list[Tried]]:
    """Draw the best methods on all rows until one meets the duties there; also return what is left, and what failed there."""
    trial = Trial(job.table, job.schema, job.prepare, job.asked.duties, None, job.random_state)
    whole = in_full(job.schema, job.rows, job.asked)
    failed: list[Tried] = []
    for at, each in enumerate(meeting[:CONFIRMED]):
        shown.say(f"{each.name}, all rows")
        made = trial.tried(each.name, whole[each.name])
        shown.advance()
        if made.meets:
            return made, list(meeting[at:]), failed
        failed.append(replace(made, served=each.served))
    return None, list(meeting[CONFIRMED:]), failed


def in_full(schema: Schema, rows: int, asked: Asked) -> dict[str, Any]:
    """Return the methods for all rows by name: what PRAM and sampling do depends on how many there are."""
    return dict(candidates(schema, rows, asked))


def ranked(tried: Sequence[Tried]) -> tuple[Tried, ...]:
    """Put methods that meet the duties first, then those that lose least; one that could not be measured comes after those that could."""
    return tuple(sorted(tried, key=lambda each: (not each.meets, each.lost is None, each.lost or 0.0)))


def _made(
    job: _Job, looked_at: int, ranking: tuple[Tried, ...], meeting: Sequence[Tried], whole: Tried | None
) -> Recommendation:
    measured = [each for each in meeting if each.lost is not None]
    if measured and 0 < looked_at < job.rows:
        if whole is None and not _sure(job, measured[0]):
            measured = []  # none was confirmed on all rows
        else:  # what depends on the number of rows, as PRAM and sampling do, is made for all of them
            best = replace(measured[0], method=in_full(job.schema, job.rows, job.asked)[measured[0].name])
            ranking = tuple(best if each is measured[0] else each for each in ranking)
            measured[0] = best
    nearest = None if measured else smallest_reached(ranking, job.asked.duties)
    return Recommendation(
        job.asked.duties,
        job.asked.purpose,
        job.rows,
        looked_at,
        ranking,
        measured[0] if measured else None,
        measured[1] if len(measured) > 1 else None,
        whole if measured else None,
        nearest,
        None if nearest is None else nearest_to(ranking, nearest),
        sum(each.compiled for each in ranking) + (0.0 if whole is None else whole.compiled),
        job.schema,
        job.prepare,
    )
