"""Which methods are tried for which duties: everything that can be made from a k, and PRAM and sampling with what they need besides."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import pydantic
from pydantic import StrictStr

from tokumei.anonymizers import AnyMethod
from tokumei.anonymizers.anonymizer import METHODS, Anonymizer
from tokumei.anonymizers.auto_tells import Auto
from tokumei.anonymizers.pk_perturbation import PkPerturbation
from tokumei.anonymizers.pram import PRAM
from tokumei.anonymizers.sampling import Sampling
from tokumei.anonymizers.transitions import KeepOrReplace
from tokumei.errors import InfeasiblePromise, InvalidParameter
from tokumei.privacy.alpha_k_anonymity import AlphaKAnonymity
from tokumei.privacy.duties import ROUNDING
from tokumei.privacy.notions import NOTIONS
from tokumei.privacy.pk import budget
from tokumei.privacy.rungs import RungName
from tokumei.privacy.sampling import largest_sample
from tokumei.reports.recommending.purpose import Purpose
from tokumei.table.domain import Categories
from tokumei.table.schema import DROPPED, Attribute, Schema
from tokumei.words import Statement, said_by
from tokumei.words.statement import Names

Duties = Mapping[RungName, float]
OF_EPSILON: frozenset[RungName] = frozenset({"differencing", "membership"})  # rungs that only an epsilon bounds
NEAREST = 0.2  # an epsilon to try where no epsilon could meet a duty
DIGITS = 10**4  # to which the probabilities of PRAM are rounded down


class NotTried(Statement, kind="recommend"):
    """Why a method was not tried."""


class NeedsKnown(NotTried):
    """Sampling needs to know how many people an attacker knows."""


class NeedsCategories(NotTried):
    """PRAM changes categories only."""

    columns: Names


class NeedsMore(NotTried):
    """A method cannot be made from a k alone."""

    method: StrictStr


@dataclass(frozen=True)
class Asked:
    """What is asked of a release: its duties, and what follows from them."""

    duties: Duties
    purpose: Purpose
    known: int | None = None
    alpha: float | None = None  # in place of the duty of inference, where that cannot be met

    @property
    def k(self) -> int:
        """The smallest k that the duties about linking allow, and 2 without any."""
        asked = [self.duties[name] for name in ("linking", "whole_table") if name in self.duties]
        return max(2, math.ceil(1 / min(asked) - 1e-9)) if asked else 2

    @property
    def epsilon(self) -> float | None:
        """The largest epsilon that the duties allow: of differencing itself, or one for which no belief grows from even to more."""
        found = [self.duties["differencing"]] if "differencing" in self.duties else []
        for name in ("inference", "membership"):
            if name in self.duties:
                belief = self.duties[name]
                found.append(
                    math.log(belief / (1 - belief)) if 0.5 < belief < 1 else NEAREST if belief <= 0.5 else math.inf
                )
        least = min(found, default=math.inf)
        return least if math.isfinite(least) else None

    @property
    def tells(self) -> Any:
        """What rows tell where each tells some columns."""
        return "auto" if self.purpose.target is None else Auto(target=self.purpose.target)


Candidate = tuple[str, Anonymizer | Statement]


def candidates(schema: Schema, rows: int, asked: Asked) -> Iterator[Candidate]:
    """Go through the methods that may look at the rows, each under a name; those that cannot be tried with the reason."""
    yield from _perturbing(schema, asked)
    for name in METHODS.names:
        if name not in {"pk_perturbation", "pram", "sampling"}:
            yield name, _from_k(name, schema, asked)
    yield "pram", _pram(schema, rows, asked)
    yield "sampling", _sampling(rows, asked)


def public_candidates(schema: Schema, rows: int, asked: Asked) -> Iterator[Candidate]:
    """Go through the methods that can be chosen from public numbers alone: what they promise does not hang on the rows."""
    linked = {"linking", "whole_table"} & asked.duties.keys()
    k = asked.k if linked else None
    epsilon = asked.epsilon
    if k is None and epsilon is None:
        k = asked.k
    yield "pk_perturbation:perturb", PkPerturbation(k=k, kept="perturb", tells=asked.tells, epsilon=epsilon)
    yield "pk_perturbation:perturb:all", PkPerturbation(k=k, kept="perturb", tells="all", epsilon=epsilon)


def _perturbing(schema: Schema, asked: Asked) -> Iterator[Candidate]:
    kept = [each for each in schema if each.role in {"sensitive", "insensitive"}]
    yield "pk_perturbation", PkPerturbation(k=asked.k, tells=asked.tells)
    if asked.purpose.kind == "records":  # of use to those only who look at single rows
        yield "pk_perturbation:all", PkPerturbation(k=asked.k, tells="all")
    if kept:
        if "whole_table" in asked.duties:
            yield "pk_perturbation:known", PkPerturbation(k=asked.k, tells=asked.tells, kept="known")
        if all(each.domain is not None for each in kept):
            yield "pk_perturbation:perturb", PkPerturbation(k=asked.k, tells=asked.tells, kept="perturb")


def _from_k(name: str, schema: Schema, asked: Asked) -> Anonymizer | Statement:
    """Make a method from its k; one that can ask something of every class asks for the duty of inference, too."""
    try:
        made: Any = pydantic.TypeAdapter(AnyMethod).validate_python({"method": name, "k": asked.k})
    except (pydantic.ValidationError, InvalidParameter):
        return NeedsMore(method=name)
    if "inference" in asked.duties and any(part.name == "constraints" for part in fields(made)):
        alpha = asked.duties["inference"] if asked.alpha is None else asked.alpha
        made = replace(made, constraints=tuple(AlphaKAnonymity(each, alpha) for each in schema.names("sensitive")))
    found: Anonymizer = made
    return found


def _pram(schema: Schema, rows: int, asked: Asked) -> Anonymizer | Statement:
    """Keep each value with the probability that an even share of the budget allows."""
    columns = [each for each in schema if each.role == "quasi_identifier"]
    numbers = [each.name for each in columns if not isinstance(each.domain, Categories)]
    if numbers or not columns:
        return NeedsCategories(columns=tuple(numbers))
    if asked.k >= rows:
        return NeedsMore(method="pram")
    share = budget(rows, asked.k) / sum(each.states > 1 for each in columns)
    return PRAM({each.name: KeepOrReplace(_keep(each, share)) for each in columns}, k=asked.k)


def _keep(column: Attribute, epsilon: float) -> float:
    gained = math.expm1(epsilon)
    return math.floor(DIGITS * gained / (gained + column.states)) / DIGITS


def _sampling(rows: int, asked: Asked) -> Anonymizer | Statement:
    if asked.known is None:
        return NeedsKnown()
    try:
        return Sampling(largest_sample(rows, asked.known, asked.k), known=asked.known, k=asked.k)
    except InfeasiblePromise as error:
        return said_by(error)


def by_construction(method: Anonymizer, duties: Duties, schema: Schema) -> bool:
    """Whether a release by the method holds the duties on any table, or is refused: they are part of what the method is asked for."""
    linked = [each.value for each in method.asked() if NOTIONS[each.notion].linking]
    bounded = {
        each.column: each.alpha for each in getattr(method, "constraints", ()) if isinstance(each, AlphaKAnonymity)
    }
    secret = schema.names("sensitive")
    held = {
        "linking": bool(linked) and max(linked) * duties.get("linking", 1.0) >= 1 - ROUNDING,
        "inference": bool(secret)
        and all(bounded.get(name, 1.0) <= duties.get("inference", 1.0) * (1 + ROUNDING) for name in secret),
    }
    return all(held.get(name, False) for name in duties)


def every_domain_declared(schema: Schema) -> bool:
    """Whether nothing of the columns was read from the rows."""
    return all(
        each.domain is not None and not each.observed and not getattr(each.hierarchy, "learned", False)
        for each in schema
        if each.role not in DROPPED
    )
