"""A measured attack, in addition to the proof: how many people the strongest practical linkage attack actually links."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tokumei.anonymizers.anonymizer import Anonymizer
from tokumei.arrays import Floats, Integers
from tokumei.engines.local import make_release
from tokumei.errors import InvalidParameter
from tokumei.messages import Spoken, phrase
from tokumei.parallel import one_blas_thread
from tokumei.prepare.rows import prepared_rows
from tokumei.prepare.step import Step
from tokumei.privacy.guarantee import several_rows
from tokumei.privacy.notions import down
from tokumei.progress import stage
from tokumei.randomness import Key
from tokumei.release.artifact import Release
from tokumei.results import Result
from tokumei.risk.linking import check_threshold
from tokumei.risk.links import Target, links
from tokumei.risk.notebook import lines_card
from tokumei.risk.said import AttackNeedsPeople, InGroups, WithoutStrata
from tokumei.shown import shown
from tokumei.table.coded import CodedTable
from tokumei.table.frames import to_arrow
from tokumei.table.people import Unit
from tokumei.table.schema import Attribute, Schema
from tokumei.words import Statement


@dataclass(frozen=True)
class Guess:
    """How often the attacker guesses a sensitive value, and how often without the release."""

    right: int
    without: int
    people: int


@dataclass(frozen=True)
class Attack(Spoken, Result):
    """The outcome of an attack. It is the data holder's: it is about the original rows.

    Attributes
    ----------
    people, rows
        How many people the attacker tried to link, and how many rows they had.
    out_of, error
        Where people and rows make too many pairs, a random sample of people is attacked: how many people there are, and the standard
        error of ``expected``. None where everyone was attacked.
    linked
        How many they linked correctly, naming the likeliest row of each; none where the truth is not known. Of people with several
        rows, any of the person's is correct, and beliefs are in a released row being any of them.
    expected
        How many they expect to have linked correctly, from their beliefs.
    largest_belief
        The largest probability that they give to any link.
    above, threshold
        For how many people they give their likeliest link a probability over the threshold.
    promised
        1/k of the guarantee against an attacker who does not know who was drawn; 1 if nothing is promised against them.
    interval
        A 95% confidence interval of the share of people linked.
    sensitive
        For each sensitive column released unchanged, how often they guess it correctly.
    how
        How their beliefs were computed.
    unit
        Whether people or households were linked.
    """

    people: int
    rows: int
    linked: int | None
    expected: float
    largest_belief: float
    above: int
    threshold: float
    promised: float
    interval: tuple[float, float] | None
    sensitive: Mapping[str, Guess] = field(default_factory=dict)
    how: tuple[Statement, ...] = ()
    out_of: int | None = None
    error: float | None = None
    unit: Unit = "person"

    @property
    def ways(self) -> str:
        """How beliefs were computed, in words."""
        return ", ".join(map(str, self.how))

    def lines(self) -> list[str]:
        """Say what was measured."""
        lines: list[str] = [phrase("The attacker knows the whole original table and the mechanism, but not the draws.")]
        if self.out_of is not None and self.error is not None:
            lines.append(
                phrase(
                    "There are too many pairs of people and rows to look at all: a random sample of {people:person|people} out of "
                    "{out_of:,} was attacked. What the attacker expects has a standard error of {error:.2g}.",
                    people=self.people,
                    out_of=self.out_of,
                    error=self.error,
                )
            )
        if self.linked is not None and self.interval is not None:
            low, high = self.interval
            share = self.linked / self.people
            if self.unit == "household":
                lines.append(
                    phrase(
                        "They link {linked:,} of {people:household|households} correctly "
                        "({share:.3%}; 95% confidence interval: {low:.3%} to {high:.3%}).",
                        linked=self.linked,
                        people=self.people,
                        share=share,
                        low=low,
                        high=high,
                    )
                )
            else:
                lines.append(
                    phrase(
                        "They link {linked:,} of {people:person|people} correctly "
                        "({share:.3%}; 95% confidence interval: {low:.3%} to {high:.3%}).",
                        linked=self.linked,
                        people=self.people,
                        share=share,
                        low=low,
                        high=high,
                    )
                )
        lines.append(
            phrase(
                "They expect to link {expected:,.1f}; their most certain link has a probability of {largest_belief:.4f}.",
                expected=self.expected,
                largest_belief=self.largest_belief,
            )
        )
        if self.promised < 1:
            k = down(1 / self.promised)
            lines.append(
                phrase(
                    "The guarantee is that no link has a probability over 1/{k} = {promised:.4f}.",
                    k=k,
                    promised=self.promised,
                )
            )
        else:
            lines.append(phrase("Nothing is promised against an attacker who knows this much."))
        for name, guess in self.sensitive.items():
            guessed, right, without = shown(name), guess.right / guess.people, guess.without / guess.people
            lines.append(
                phrase(
                    "They guess {guessed} correctly for {right:.1%} of the people, without "
                    "the release for {without:.1%}. The guarantee limits neither this nor "
                    "knowing who is in the table.",
                    guessed=guessed,
                    right=right,
                    without=without,
                )
            )
        if self.how:
            ways: object = self.how[0]
            for other in self.how[1:]:
                ways = phrase("{one}, {other}", one=ways, other=other)
            lines.append(phrase("Beliefs were computed {ways}.", ways=ways))
        return lines

    def _repr_html_(self) -> str:
        return lines_card(self)


@stage("Attacking")
@one_blas_thread()
def attack(
    frame: Any,
    subject: Anonymizer | Release,
    schema: Schema | None = None,
    prepare: Sequence[Step] = (),
    random_state: int | None = None,
    threshold: float = 0.2,
) -> Attack:
    """Simulate an attacker who knows the whole original table and the mechanism.

    Parameters
    ----------
    frame
        The original table.
    subject
        A method: a release is drawn by it for the purpose, the truth is kept, and correct links are counted. Or a
        release: what the attacker believes is computed, but nobody knows which of their links are correct.
    schema
        The schema of the original; for a release that was made without steps its own serves.
    prepare
        The steps that are taken before the method.
    random_state
        Makes the drawn release repeatable.
    threshold
        People for whom the attacker gives the likeliest link a larger probability are counted.

    Examples
    --------
    >>> import tokumei as tk
    >>> found = tk.attack(tk.example_census(rows=300), tk.PkPerturbation(k=20), tk.example_schema(), random_state=1)
    >>> found.largest_belief <= 1 / 20
    True
    """
    check_threshold(threshold)
    arrow, origin = to_arrow(frame)
    if isinstance(subject, Anonymizer):
        if schema is None:
            raise InvalidParameter("attack needs the schema of the original.")
        key = Key.fresh() if random_state is None else Key.seeded(random_state)
        made = make_release(arrow, origin, schema, subject, prepare, key)
        return play(made.table, made.release, made.order, threshold, made.groups)
    if not isinstance(subject, Release):
        raise InvalidParameter("attack needs a method or a release.")
    made_up = subject.mechanism.made_up
    if schema is None:
        schema = Schema(tuple(subject.original(name) for name in subject.schema.without(*made_up).names()))
        arrow = arrow.select([n for n in arrow.column_names if n in schema.names()])
    table = prepared_rows(arrow, schema, prepare)
    lacking = [name for name in subject.schema.without(*made_up).names() if name not in table.schema.names()]
    other = [
        n for n in subject.mechanism.partly_told if n not in lacking and not _same(table.schema[n], subject.original(n))
    ]
    rows = subject.mechanism.population(subject.rows) + subject.mechanism.left_out
    if lacking or other or table.rows != rows:
        raise InvalidParameter("The release is not one of this table, prepared in this way.")
    return play(table, subject, None, threshold)


def _same(one: Attribute, other: Attribute) -> bool:
    """Whether two columns have the same codes."""
    return (one.domain, one.missing) == (other.domain, other.missing)


def play(
    table: CodedTable, release: Release, order: Integers | None, threshold: float, groups: Integers | None = None
) -> Attack:
    """Attack a release of a table; ``order`` says which row of the table each released row was, and ``groups`` the group of each, if that is known."""
    mechanism = release.mechanism
    several = several_rows(release.guarantees)
    if several and table.people is None:
        raise InvalidParameter(AttackNeedsPeople())
    alike = mechanism.left_out and mechanism.grouping is None
    if mechanism.recoding is not None or mechanism.averaging is not None or alike:
        raise InvalidParameter(
            "attack plays against perturbed or sampled releases; for generalized rows the equivalence classes "
            "show the risk, and tk.check(release.frame, columns) counts them."
        )
    if mechanism.swapping is not None:
        raise InvalidParameter(
            "attack plays against perturbed or sampled releases; swapped rows are linked with a probability of one over their group's "
            "rows, as is proved, and groups are private."
        )
    if mechanism.block is not None:
        raise InvalidParameter(
            "The rows of this release were shuffled in blocks, and the attack does not know who is in which "
            "block, so the attacker would seem weaker than they are; give the method instead, and a release is "
            "drawn with all rows shuffled."
        )
    known = mechanism.kept if release.method.get("kept") == "known" or not mechanism.perturbed else ()
    sample: Any = release.method.get("sample")
    strata = isinstance(sample, Mapping) and sample.get("design") == "stratified"
    if strata and sample["labels"] == "released" and sample["column"] not in known:
        known = (*known, sample["column"])
    secret = [
        a.name for a in release.schema if a.role == "sensitive" and a.name in mechanism.kept and a.name not in known
    ]
    # Releases of people with several rows keep no column that the attacker does not know.
    secret = [name for name in secret if table.columns[name].codes is not None and table.people is None]
    found = links(Target(table, release, order, groups, known, secret))
    people = found.people
    linked, interval = None, None
    if found.hit is not None:
        linked = int(np.count_nonzero(found.hit))
        interval = _interval(linked, len(people))
    everyone = len(people) if found.out_of is None else found.out_of
    about_rows = table.people is not None and not several and table.people.counted > 1
    promises = [g.value for g in release.guarantees if g.notion == "Pk-anonymity" and not about_rows]
    return Attack(
        people=len(people),
        rows=release.rows,
        linked=linked,
        expected=float(found.belief.sum()),
        largest_belief=found.largest,
        above=int(
            np.count_nonzero(found.belief > threshold * (1 + 1e-9))
        ),  # one in five is not over .2, however it is rounded
        threshold=threshold,
        promised=1 / max(promises, default=1.0),
        interval=interval,
        sensitive={name: _guess(table, people, name, guess) for name, guess in found.guesses.items()},
        out_of=None if everyone == len(people) else everyone,
        error=None if everyone == len(people) else _error(found.belief),
        how=(
            *found.how,
            *((WithoutStrata(),) if strata else ()),
            *((InGroups(),) if mechanism.grouping is not None else ()),
        ),
        unit="person" if table.people is None else table.people.unit,
    )


def _interval(hits: int, people: int) -> tuple[float, float]:
    from scipy.stats import binomtest

    found = binomtest(hits, people).proportion_ci(method="exact")
    return float(found.low), float(found.high)


def _error(belief: Floats) -> float:
    """Return the standard error of what an attacker expects of a sample of people, whose halves were balanced apart.

    If the two halves differ by more than their people do, it is by how rows were balanced, and their difference counts.
    """
    apart = abs(float(belief[::2].mean() - belief[1::2].mean())) / 2
    return len(belief) * max(float(belief.std(ddof=1)) / math.sqrt(len(belief)), apart)


def _guess(table: CodedTable, people: Integers, name: str, guess: Integers) -> Guess:
    """Count how often the attacker guesses a column that is released unchanged, and how often without the release."""
    true = table.codes(name)[people].astype(np.int64)
    commonest = int(np.bincount(true, minlength=table.schema[name].states).argmax())
    return Guess(int(np.count_nonzero(guess == true)), int(np.count_nonzero(true == commonest)), len(people))
