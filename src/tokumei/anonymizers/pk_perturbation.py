"""Pk-perturbation: noise on every quasi-identifier, just enough that no row is linked with probability over 1/k, or for an epsilon."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from typing import Any, ClassVar, Literal

from pydantic import StrictFloat, StrictInt

from tokumei.anonymizers.anonymizer import Anonymizer, Design, Need, Survey, register_method, table_of
from tokumei.anonymizers.auto_tells import Tells, pick
from tokumei.anonymizers.central import LEAST, Central, Noise
from tokumei.anonymizers.notes import MoreThanAsked, PilotShared, StricterBinds
from tokumei.anonymizers.promises import epsilon_guarantees, facts_of, pk_guarantees, split_columns
from tokumei.anonymizers.repeat import Repeat, check_repeat, less_than_asked, notes_on, refuse_less_noise
from tokumei.anonymizers.sample import Sample, check_sample, describe_sample
from tokumei.anonymizers.suggest import OptimisedSplit
from tokumei.anonymizers.tells import describe_tells, notes_of, released_schema, solved_with
from tokumei.errors import InvalidParameter
from tokumei.mechanism.channel import Channel
from tokumei.mechanism.record import Mechanism, channel_for
from tokumei.mechanism.telling import Telling
from tokumei.messages import phrase
from tokumei.privacy.asked import Asked
from tokumei.privacy.attackers import Kept
from tokumei.privacy.central import check_epsilon
from tokumei.privacy.guarantee import float_below
from tokumei.privacy.pk import check_feasible, check_k
from tokumei.privacy.sampling import HidingPlace, binding, least_achieved, required_ratio
from tokumei.privacy.split import Split, share_budget
from tokumei.release.disclosure import Fact
from tokumei.release.reasons import SplitFrom
from tokumei.table.schema import Attribute, Schema
from tokumei.text import names
from tokumei.values import value
from tokumei.words import Statement

ROUNDS = 3  # in which what rows tell, or a split, and the noise that an epsilon needs are fitted to each other
CLOSE = 1 + Fraction(1, 2**21)  # what is achieved is looked for until it is within this factor of what is asked


@register_method
@value
class PkPerturbation(Anonymizer):
    """Perturb the quasi-identifiers so that the release is Pk-anonymous.

    Each row tells some columns only, drawn at random, with the whole budget: what it tells is kept or replaced at random,
    the rest is blank, and rows are shuffled. `tokumei.reconstruct` puts tables and complete rows together again. With
    ``tells="all"`` every row tells every column, with far more noise: categories are kept or replaced, numbers and dates move
    on their grid. The parameters are solved from ``sum of costs = 0.5 ln((n - 1)/(k - 1))``, the sum being over what a row tells,
    or from the larger budget that a sample allows, and rounded so that the achieved k is never below the one asked for.
    Where people have up to m rows (a column of role ``"person"``), the budget is ``0.5 ln((n - m)/((k - 1) m))``.

    Parameters
    ----------
    k
        A real number above 1: no attacker links a row to a person with a probability over 1/k. May be left out where
        ``epsilon`` is given.
    split
        With ``tells="all"``, how the columns share the budget: ``"even"``, ``"equal_retention"``, a weight for each column, or
        an `OptimisedSplit` for a purpose.
    kept
        What to think of columns that are not quasi-identifiers and would be released unchanged:

        ``"unknown"``
            Attackers know them about nobody. The guarantee does not hold against attackers who do.
        ``"known"``
            The attacker knows them too. A person then hides only among the rows that agree with them in all of these, so
            the noise is solved for the smallest such class, whose size is disclosed.
        ``"perturb"``
            They are perturbed like quasi-identifiers.
    sample
        Release a sample only: this many rows, a share of the rows, `Stratified` or `Bernoulli`.
    membership
        Which guarantee of a sample is solved for: ``"secret"``, against those who do not know who was drawn, or
        ``"known"``, against those who do. Both are stated.
    tells
        What each row tells. ``"auto"``, or a `tokumei.tells.Auto` with a purpose: what makes the error to expect smallest,
        picked from public numbers alone. A number: that many columns. Several `tokumei.tells.Subsets`: such as three coarse
        columns in half of the rows and one in full in the others. ``"all"``: every column, for those who must look at
        single rows. The guarantee is the same.
    epsilon
        The ε of central differential privacy: what is released is nearly as likely whatever one person's row is, even to an attacker
        who knows all others. Every released column must then be perturbed and every domain declared. With both k and ε, the
        stricter one decides how much noise there is.
    delta
        The δ that goes with ε. By default 10^-6, and less in tables of more than 100,000 rows.
    repeat
        A `Repeat`, for the same people in release after release: draws follow from the person and the value under a key that the data
        holder keeps, so that an unchanged value is released unchanged. `combine` states what such releases guarantee together.

    Examples
    --------
    >>> PkPerturbation(k=10)
    PkPerturbation(k=10, split='even', kept='unknown', sample=None, membership='secret', tells='auto', epsilon=None, delta=None, repeat=None)
    >>> PkPerturbation(epsilon=1.0, delta=1e-6, kept="perturb").k is None
    True
    """

    k: StrictInt | StrictFloat | None = None
    split: Split | OptimisedSplit = "even"
    kept: Kept = "unknown"
    sample: Sample | None = None
    membership: Literal["secret", "known"] = "secret"
    tells: Tells = "auto"
    epsilon: StrictInt | StrictFloat | None = None
    delta: StrictFloat | None = None
    repeat: Repeat | None = None
    method: Literal["pk_perturbation"] = field(default="pk_perturbation", kw_only=True, repr=False)
    any_order: ClassVar[bool] = True
    in_blocks: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.k is None and self.epsilon is None:
            raise InvalidParameter("PkPerturbation needs k, epsilon, or both.")
        if self.k is not None:
            check_k(self.k)
        check_epsilon(self.epsilon, self.delta)
        check_sample(self.sample)
        check_repeat(self.repeat, self.sample)
        if self.repeat is not None and isinstance(self.split, OptimisedSplit):
            raise InvalidParameter(
                "repeat keeps its noise from release to release; give split as weights, not as one to be computed."
            )
        if self.tells != "all" and self.split != "even":
            raise InvalidParameter(
                "split shares the budget among columns that every row tells; say tells='all' too, or leave it out."
            )

    def needs(self) -> Mapping[Need, str]:
        """Return the rows where the split is learned from them; counts are enough otherwise."""
        learned = isinstance(self.split, OptimisedSplit) and self.split.pilot is None
        return {"rows": phrase("take another split, or give it a pilot")} if learned else {}

    def keeps(self, schema: Schema) -> tuple[str, ...]:
        """Name the columns that are not perturbed."""
        return split_columns(schema, self.kept, self.sample)[1]

    def design(self, schema: Schema, survey: Survey) -> Design:
        """Solve for the channels, and state what they achieve."""
        perturbed, kept = split_columns(schema, self.kept, self.sample)
        if not perturbed:
            raise InvalidParameter("There is nothing to perturb: the schema has no quasi-identifier.")
        known = self.kept == "known"
        places = self._places(survey.hiding_places(kept if known else ()), survey, whole=not (known and kept))
        central = Central(schema, survey, self.sample, self.delta, self._by_pilot, self.epsilon)
        central.check(kept, places[0].among if self.membership == "secret" else survey.rows)
        place = self._solved_for(places, self.k or 1.0)
        hiding = None
        if self.sample is not None:
            hiding = phrase("in the sample a person can hide among {rows:row|rows}", rows=place.among)
        elif known and kept:
            hiding = phrase(
                "the smallest equivalence class of the kept columns {kept} has {rows:row|rows}",
                kept=names(kept),
                rows=place.among,
            )
        if self.k is not None:
            check_feasible(place.among, self.k, hiding, place.most)
        of = survey.rows if survey.released < survey.rows else None
        attributes = [schema[name] for name in perturbed]

        learned: tuple[Fact, ...] = ()
        told: tuple[Statement, ...] = ()

        def shared(k: float) -> Noise:
            """Choose how noise is shared, by a split or by what rows tell, as is best for a k."""
            place = self._solved_for(places, k)
            if self.tells == "all":
                split, learned, told = self._weights(schema, survey, perturbed, place, k)

                def spread(k: float) -> Mechanism:
                    return Mechanism(
                        solve_channels(attributes, self._solved_for(places, k), k, split, places), kept, of
                    )

                return Noise(spread, learned, lambda _: told)
            swap = min(Fraction(1), _swap_needed(place, k))
            picked = pick(self.tells, attributes, [schema[name] for name in kept], survey.released, float(swap))

            def telling(k: float) -> Mechanism:
                place = self._solved_for(places, k)

                def keeps(telling: Telling) -> bool:
                    return least_achieved((place, *places), Mechanism({}, telling=telling)) >= Fraction(k)

                swap = min(Fraction(1), _swap_needed(place, k))
                return Mechanism({}, kept, of, telling=solved_with(picked.parts, attributes, schema, swap, keeps))

            return Noise(telling, (), lambda made: notes_of(made, picked.errors) if made is not None else ())

        if self.repeat is not None and self.repeat.like is not None:
            mechanism = self.repeat.earlier(self.describe(), perturbed, kept, schema)
            if self.k is not None:
                refuse_less_noise(mechanism, places, self.k)
            if self.epsilon is not None and not central.shuffled(mechanism).keeps(self.epsilon, central.delta):
                raise less_than_asked(self.epsilon)
        else:
            k, noise = self._solved(shared, central, float_below(min(place.largest_k for place in places)))
            mechanism = noise.made(k)
            learned = noise.learned
            told = (
                *noise.notes(mechanism.telling),
                *(() if k != self.k else _told_if_far(least_achieved(places, mechanism), k)),
                *self._bound(k, central.delta),
            )
        if self.repeat is not None:
            mechanism = self.repeat.named(mechanism)
        released = None if mechanism.telling is None else released_schema(mechanism.telling, schema)
        guarantees = pk_guarantees(schema, survey, mechanism, self.kept, self.sample)
        facts = (*facts_of(survey, guarantees, kept, known, self.sample), *learned)
        central.check(kept, int(guarantees[0].numbers["among"]), facts)
        epsilons = epsilon_guarantees(schema, mechanism, bool(facts), survey.people, self._by_pilot)
        return Design(
            mechanism,
            (*guarantees, *epsilons, *central.guarantees(mechanism, guarantees, facts)),
            facts,
            released,
            notes=(*told, *notes_on(self.repeat, kept, self.kept)),
        )

    def _solved(self, shared: Callable[[float], Noise], central: Central, largest: float) -> tuple[float, Noise]:
        """Return the k that noise is solved for, and how it is shared.

        For an epsilon that is the k that it comes to, the noise being shared as is best for a k, or for one near to it.
        """
        if self.epsilon is None:
            assert self.k is not None
            return self.k, shared(self.k)
        low = 1 + LEAST if self.k is None else self.k
        k = min(2.0, largest) if self.k is None else self.k  # more columns are told together where k is small
        tried: list[tuple[float, float, Noise]] = []
        for _ in range(ROUNDS):
            noise = shared(k)
            found = central.least_k(self.epsilon, noise.made, low, largest)
            tried.append((abs(math.log((found - 1) / (k - 1))), found, noise))
            if found == k:
                break
            k = found
        return min(tried, key=lambda each: each[0])[1:]

    def _bound(self, k: float, delta: float) -> tuple[Statement, ...]:
        """Say which of k and epsilon the noise was solved for, where both were asked for."""
        if self.k is None or self.epsilon is None:
            return ()
        which: Literal["k", "epsilon"] = "k" if k == self.k else "epsilon"
        return (StricterBinds(which=which, k=self.k, epsilon=self.epsilon, delta=delta),)

    def _weights(
        self, schema: Schema, survey: Survey, perturbed: Sequence[str], place: HidingPlace, k: float
    ) -> tuple[Split, tuple[Fact, ...], tuple[Statement, ...]]:
        """Return the split, the fact that it was learned from the released rows if it was, and what the data holder is told."""
        if not isinstance(self.split, OptimisedSplit):
            return self.split, (), ()
        rows = table_of(survey) if self.split.pilot is None else survey.prepared(self.split.pilot)
        total = -math.log(min(1.0, required_ratio(place, k)))
        weights = self.split.weights(rows, [schema[name] for name in perturbed], total, place.among)
        if self.split.pilot is None:
            return weights, (Fact("split", weights, SplitFrom(how="rows")),), ()
        shared = survey.shared_with(rows)
        if shared is None:
            return weights, (Fact("split", weights, SplitFrom(how="uncompared_pilot")),), ()
        if not shared.too_many:
            return weights, (), ()
        note = PilotShared(shared=shared.rows, rows=rows.rows)
        return weights, (Fact("split", weights, SplitFrom(how="shared_pilot")),), (note,)

    @property
    def _by_pilot(self) -> bool:
        return isinstance(self.split, OptimisedSplit) and self.split.pilot is not None

    def _places(self, places: Sequence[HidingPlace], survey: Survey, whole: bool) -> Sequence[HidingPlace]:
        """Return where k must hold; ``whole`` says that the table is one place, not several that are alike."""
        if self.membership == "known":
            return [place.drawn for place in places]
        if survey.planned > survey.released and whole:  # the size of the sample was chance
            return [HidingPlace(survey.rows - survey.planned, survey.planned, places[0].most)]
        return places

    @staticmethod
    def _solved_for(places: Sequence[HidingPlace], k: float) -> HidingPlace:
        """Return the place that needs the most noise where a swap is the square of a ratio."""
        short = min(places, key=lambda place: place.largest_k)
        return short if short.largest_k < k else binding(places, k)

    def asked(self) -> tuple[Asked, ...]:
        """Return k, of the guarantee to be solved for: the last one is that against those who know who was drawn; and epsilon."""
        asked = () if self.k is None else (Asked("Pk-anonymity", self.k, -1 if self.membership == "known" else 0),)
        return asked if self.epsilon is None else (*asked, Asked("central differential privacy", self.epsilon))

    def describe(self) -> dict[str, Any]:
        """Return the method as it appears in a manifest."""
        split: Any = self.split
        if isinstance(split, OptimisedSplit):
            split = {
                "kind": split.kind,
                "purpose": split.purpose,
                "target": split.target,
                "pilot": split.pilot is not None,
            }
        return {
            "method": self.method,
            "k": self.k,
            "split": split,
            "kept": self.kept,
            "sample": describe_sample(self.sample),
            "membership": self.membership,
            "tells": describe_tells(self.tells),
            "epsilon": self.epsilon,
            "delta": self.delta,
            "repeat": None if self.repeat is None else self.repeat.describe(),
        }


def solve_channels(
    attributes: Sequence[Attribute],
    place: HidingPlace | int,
    k: float,
    split: Split,
    everywhere: Sequence[HidingPlace] = (),
) -> dict[str, Channel]:
    """Return a channel for each column such that together they achieve k, and as little more as integers allow.

    ``place`` is what the budget is reckoned for; k is kept ``everywhere`` else too, where a channel whose swap is not the square
    of its ratio may need more noise. Every channel is rounded to the safe side. The one with the finest weights is then solved once more for what the
    others have left over. Uniform noise achieves whatever is feasible, so there always is a solution.
    """
    place = HidingPlace(0, place) if isinstance(place, int) else place
    places = (place, *everywhere)
    for each in places:
        check_feasible(each.among, k, phrase("a person hides among {rows:row|rows}", rows=each.among), each.most)
    asked = min(1.0, required_ratio(place, k))
    shares = share_budget(split, attributes, -math.log(asked))

    def spending(part: float) -> dict[str, Channel]:
        return {a.name: channel_for(a, Fraction(math.exp(-2 * shares[a.name] * part))) for a in attributes}

    def keeps(channels: dict[str, Channel]) -> bool:
        return least_achieved(places, Mechanism(channels)) >= Fraction(k)

    # A hair less than their shares, so that rounding hardly ever leaves the last column less than nothing.
    channels = spending(1 - 1e-12)
    spenders = [a for a in attributes if shares[a.name] > 0]
    if not spenders:
        return channels
    finest = max(spenders, key=lambda a: channels[a.name].resolution)

    def with_finest(swap: Fraction) -> dict[str, Channel]:
        return {**channels, finest.name: channel_for(finest, min(swap, Fraction(1)))}

    others = math.prod((c.swap for name, c in channels.items() if name != finest.name), start=Fraction(1))
    swap = _swap_needed(place, k) / others
    for more in (
        0,
        2**-40,
        2**-30,
        2**-26,
        2**-22,
    ):  # a ratio is rounded down, which may cost a little of the guarantee
        if keeps(made := with_finest(swap * (1 + Fraction(more)))):
            break
    else:  # a channel has a ratio well below the root of its swap: all columns spend less
        channels = made = spending(_edge(lambda part: keeps(spending(part)), 0.0, 1.0))
        swap = channels[finest.name].swap
    if least_achieved(places, Mechanism(made)) <= Fraction(k) * CLOSE:
        return made
    # Something is left over: find how much of it the finest column can take.
    closer = with_finest(Fraction(_edge(lambda swap: keeps(with_finest(Fraction(swap))), float(swap), 0.0)))
    return closer if keeps(closer) else made


def _edge(holds: Callable[[float], bool], good: float, bad: float) -> float:
    """Return the number nearest to ``bad``, or as good as, for which something holds that holds for ``good``."""
    for _ in range(60):
        if abs(good - bad) <= 2**-26 * good:
            break
        middle = (good + bad) / 2
        good, bad = (middle, bad) if holds(middle) else (good, middle)
    return good


def _told_if_far(value: Fraction, k: float) -> tuple[Statement, ...]:
    """Say by how much k is surpassed, where that is one part in a million or more."""
    over = value / Fraction(k) - 1
    if over < Fraction(1, 10**6):
        return ()
    return (MoreThanAsked(k=float_below(value), more=float(100 * over), asked=k),)


def _swap_needed(place: HidingPlace, k: float) -> Fraction:
    """Return the swap that suffices: exactly where there is nobody outside, else from the solved ratio."""
    if not place.others_outside:
        return (Fraction(k) - 1) * place.most / place.others_inside if place.others_inside else Fraction(1)
    return Fraction(required_ratio(place, k)) ** 2
