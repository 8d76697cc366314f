"""PRAM: every value of a column is changed at random by a matrix of probabilities, which may be any matrix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any, ClassVar, Literal

from pydantic import StrictFloat, StrictInt

from tokumei.anonymizers.anonymizer import Anonymizer, Design, Need, Survey, register_method
from tokumei.anonymizers.central import Central
from tokumei.anonymizers.promises import epsilon_guarantees, facts_of, pk_guarantees, split_columns
from tokumei.anonymizers.repeat import Repeat, check_repeat, notes_on
from tokumei.anonymizers.sample import Sample, Stratified, check_sample, describe_sample
from tokumei.anonymizers.transitions import AnyTransition, Given, Invariant, Matrix, as_transition
from tokumei.diagnostics import warn
from tokumei.errors import InfeasiblePromise, InvalidParameter, NothingPromisedWarning
from tokumei.mechanism.record import Mechanism
from tokumei.mechanism.transition_matrix import TransitionMatrix
from tokumei.messages import Joined, phrase
from tokumei.privacy.asked import Asked
from tokumei.privacy.attackers import Kept
from tokumei.privacy.central import check_epsilon
from tokumei.privacy.notions import down
from tokumei.privacy.pk import check_k
from tokumei.release.disclosure import Fact
from tokumei.release.reasons import MarginalsInMatrix
from tokumei.table.domain import Categories
from tokumei.table.schema import Attribute, Schema
from tokumei.text import names
from tokumei.values import value

LITTLE = 2.0  # a k below which an attacker may be more likely right than wrong


@register_method
@value
class PRAM(Anonymizer):
    """Change columns of categories by transition matrices (post-randomization), and state what that guarantees.

    Parameters
    ----------
    columns
        For each column a matrix with one row for each true value (missing last, where allowed), a `Matrix` with labels
        of its own for what is released, or one that is built: `KeepOrReplace`, `Banded`, `Invariant`.
    k
        Refuse to release if less than this is guaranteed. By default the guarantee is stated, whatever it is.
    kept
        What to think of all other columns, which are released unchanged; see `PkPerturbation`. They cannot be
        perturbed here without a matrix.
    sample
        Release a sample only: this many rows, a share of the rows, `Stratified` or `Bernoulli`.
    membership
        Which guarantee of a sample ``k`` is asked of.
    delta
        The δ of central differential privacy, which is stated where every column has a matrix and nothing was taken from the data.
        By default 10^-6, and less in tables of more than 100,000 rows.
    repeat
        A `Repeat`: draws follow from the person and the value; see `PkPerturbation`. Matrices that are the same in each release need no
        ``like``.

    Examples
    --------
    >>> method = PRAM({"sex": [[0.9, 0.1], [0.1, 0.9]]})
    """

    columns: dict[str, Given]
    k: StrictInt | StrictFloat | None = None
    kept: Literal["unknown", "known"] = "unknown"
    sample: Sample | None = None
    membership: Literal["secret", "known"] = "secret"
    delta: StrictFloat | None = None
    repeat: Repeat | None = None
    method: Literal["pram"] = field(default="pram", kw_only=True, repr=False)
    any_order: ClassVar[bool] = True
    in_blocks: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not self.columns:
            raise InvalidParameter("columns names no column to change.")
        for name, given in self.columns.items():
            as_transition(name, given)
        if self.k is not None:
            check_k(self.k)
        check_sample(self.sample)
        check_epsilon(None, self.delta)
        check_repeat(self.repeat, self.sample)
        if self.repeat is not None and self.repeat.like is not None:
            raise InvalidParameter(
                "PRAM is given its matrices, so there is no noise to take from an earlier release; leave like out."
            )

    def transitions(self) -> dict[str, AnyTransition]:
        """Return the transition of each column."""
        return {name: as_transition(name, given) for name, given in self.columns.items()}

    def needs(self) -> Mapping[Need, str]:
        """Return nothing: counts of columns are enough."""
        return {}

    def keeps(self, schema: Schema) -> tuple[str, ...]:
        """Name the columns without a matrix."""
        return tuple(name for name in schema.names() if name not in self.columns)

    def design(self, schema: Schema, survey: Survey) -> Design:
        """Build the matrices, and state what they promise."""
        for name in self.columns:
            if schema[name].domain is None or not isinstance(schema[name].domain, Categories):
                raise InvalidParameter(
                    "PRAM needs a column of categories, and {name!r} is not one; recode it first.", name=name
                )
            if isinstance(self.sample, Stratified) and self.sample.column == name:
                raise InvalidParameter("{name!r} has a matrix, so it cannot be the column of strata.", name=name)
        unchanged, _ = split_columns(schema, "unknown", self.sample)
        lacking = [name for name in unchanged if name not in self.columns]
        if lacking:
            raise InvalidParameter(
                "no matrix is given for {lacking}; give each quasi-identifier one, or drop the column.",
                lacking=names(lacking),
            )
        channels, facts, released = {}, [], schema
        for name, transition in self.transitions().items():
            attribute = schema[name]
            if isinstance(transition, Invariant):
                facts.append(Fact(f"marginals of {name}", None, MarginalsInMatrix()))
            matrix = transition.probabilities(attribute, survey)
            channels[name] = _channel(name, matrix, attribute, transition)
            if isinstance(transition, Matrix) and transition.labels is not None:
                released = released.replacing(_relabelled(attribute, transition))
        kept = tuple(name for name in schema.names() if name not in channels)
        of = survey.rows if survey.released < survey.rows else None
        mechanism = Mechanism(channels, kept, of)
        if self.repeat is not None:
            mechanism = self.repeat.named(mechanism)
        kept_is: Kept = self.kept
        guarantees = pk_guarantees(schema, survey, mechanism, kept_is, self.sample)
        facts += facts_of(survey, guarantees, kept, self.kept == "known", self.sample)
        self._check(guarantees[-1 if self.membership == "known" else 0].value, mechanism, schema)
        epsilons = epsilon_guarantees(schema, mechanism, bool(facts), survey.people)
        central = Central(schema, survey, self.sample, self.delta).guarantees(mechanism, guarantees, facts)
        notes = notes_on(self.repeat, kept, kept_is, solved=False)
        return Design(mechanism, (*guarantees, *epsilons, *central), tuple(facts), released, notes=notes)

    def _check(self, value: float, mechanism: Mechanism, schema: Schema) -> None:
        zeros = Joined(_zeros(name, channel, schema[name]) for name, channel in mechanism.channels.items())
        if self.k is None and value <= 1:
            warn("These matrices guarantee nothing (k = 1).{zeros}", NothingPromisedWarning, zeros=zeros)
        elif self.k is None and value < LITTLE:
            warn(
                "These matrices guarantee next to nothing (k = {guaranteed}). Make them noisier, leave columns out, or release a smaller sample; "
                "with k set, nothing weaker is released.",
                NothingPromisedWarning,
                guaranteed=down(value),
            )
        if self.k is None or value >= self.k:
            return
        raise InfeasiblePromise(
            "k = {k:g} does not hold: these matrices guarantee k = {guaranteed}.{zeros} Make them noisier, "
            "or release a smaller sample.",
            k=self.k,
            guaranteed=down(value),
            zeros=zeros,
        )

    def asked(self) -> tuple[Asked, ...]:
        """Return k, where it is given, of the guarantee that ``membership`` names."""
        place = -1 if self.membership == "known" else 0
        return () if self.k is None else (Asked("Pk-anonymity", self.k, place),)

    def describe(self) -> dict[str, Any]:
        """Return the method as it appears in a manifest."""
        return {
            "method": self.method,
            "columns": {name: transition.describe() for name, transition in self.transitions().items()},
            "k": self.k,
            "kept": self.kept,
            "sample": describe_sample(self.sample),
            "membership": self.membership,
            "delta": self.delta,
            "repeat": None if self.repeat is None else self.repeat.describe(),
        }


def _channel(name: str, matrix: Any, attribute: Attribute, transition: AnyTransition) -> TransitionMatrix:
    try:
        channel = TransitionMatrix.from_probabilities(matrix)
    except InvalidParameter as error:
        raise InvalidParameter("The matrix of {name!r} cannot be used: {error}", name=name, error=error) from None
    outputs = attribute.states
    if isinstance(transition, Matrix) and transition.labels is not None:
        outputs = len(transition.labels) + int(transition.missing)
    if (channel.size, channel.outputs) != (attribute.states, outputs):
        raise InvalidParameter(
            "The matrix of {name!r} must have {rows:row|rows} and {outputs:column|columns}. "
            "Got {found_rows} and {found_columns}.",
            name=name,
            rows=attribute.states,
            outputs=outputs,
            found_rows=channel.size,
            found_columns=channel.outputs,
        )
    return channel


def _relabelled(attribute: Attribute, transition: Matrix) -> Attribute:
    assert transition.labels is not None
    return replace(
        attribute, domain=Categories(transition.labels), hierarchy=None, missing=transition.missing, observed=False
    )


def _zeros(name: str, channel: Any, attribute: Attribute) -> str:
    """Say which zeros of a matrix void the guarantee, by number if the labels are known only from data."""
    found = channel.zeros()
    if not found:
        return ""
    true, released = found[0]
    labels = [] if attribute.observed or attribute.domain is None else [*attribute.domain.labels(), "missing"]
    if true < len(labels):
        return phrase(
            " The matrix of {name!r} has {zeros:zero|zeros} where other values have none (the first in the "
            "row of {label!r}, column {column}): such a release rules people out, so nothing is guaranteed.",
            name=name,
            zeros=len(found),
            label=labels[true],
            column=released + 1,
        )
    return phrase(
        " The matrix of {name!r} has {zeros:zero|zeros} where other values have none (the first in the "
        "row of value {row}, column {column}): such a release rules people out, so nothing is guaranteed.",
        name=name,
        zeros=len(found),
        row=true + 1,
        column=released + 1,
    )
