"""What a regression of a release is asked about, and what was done to its columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from tokumei.arrays import Floats
from tokumei.errors import InvalidParameter
from tokumei.learning.formula import formula as read_formula
from tokumei.learning.glm import Family
from tokumei.reconstruction._columns import chosen, refuse_dates
from tokumei.reconstruction._views import shares_of
from tokumei.reconstruction.corrected_logistic import members_of
from tokumei.reconstruction.corrected_poisson import check_counts
from tokumei.release.artifact import Release
from tokumei.table.domain import Categories, Numbers
from tokumei.table.schema import Attribute
from tokumei.text import nearest
from tokumei.words import Statement

Way = Literal["unchanged", "noise", "told", "groups", "recoded", "averaged", "swapped"]


@dataclass(frozen=True)
class Asked:
    """A regression of a release: the target, its value by original code (not a number where it has none), and the columns."""

    release: Release
    family: Family
    target: Attribute
    answers: Floats
    outcome: tuple[str, ...]
    columns: tuple[Attribute, ...]
    weights: str | None
    shares: Floats

    @property
    def names(self) -> tuple[str, ...]:
        """All columns, the target first."""
        return (self.target.name, *(each.name for each in self.columns))


@dataclass(frozen=True)
class Found:
    """Coefficients, and what is known about them."""

    names: tuple[str, ...]
    estimate: Floats
    covariance: Floats
    df: Floats
    worth: Floats | None
    how: Statement
    reasons: tuple[Statement, ...] = ()


def way_of(release: Release, names: Sequence[str]) -> Way:
    """Return what was done to the columns of a regression."""
    mechanism, asked = release.mechanism, set(names)
    if mechanism.telling is not None and asked & set(mechanism.telling.columns):
        return "told"
    if mechanism.grouping is not None and asked & set(mechanism.grouping.columns):
        return "groups"
    if mechanism.recoding is not None and asked & set(mechanism.recoding.columns):
        return "recoded"
    if mechanism.averaging is not None and asked & set(mechanism.averaging.columns):
        return "averaged"
    if mechanism.swapping is not None and asked & set(mechanism.swapping.columns):
        return "swapped"
    return "noise" if asked & set(mechanism.channels) else "unchanged"


def asked_of(
    release: Release, text: str, columns: Sequence[str] | None, family: Any, outcome: Any, weights: str | None
) -> Asked:
    """Read what is asked, and refuse what cannot be."""
    target, named = read_formula(text, columns)
    known = [a.name for a in release.schema if a.domain is not None and a.name not in release.mechanism.made_up]
    if target not in known and named is None and set(text) & set("=+") and "~" not in text:
        raise InvalidParameter("A formula has one ~, such as 'income ~ age + sex'.")
    if target not in known:
        raise InvalidParameter(
            "There is no column {target!r} with a domain in the release.{hint}",
            target=target,
            hint=nearest(target, known),
        )
    attribute = release.original(target)
    refuse_dates(attribute)
    if family is not None and family not in get_args(Family):
        raise InvalidParameter("family must be 'linear', 'logistic' or 'poisson'. Got {family!r}.", family=str(family))
    kind: Family = family or ("logistic" if isinstance(attribute.domain, Categories) else "linear")
    others = tuple(chosen(release, named, target, weights))
    if kind == "logistic":
        answers, labels = _classes(release, attribute, outcome)
        return Asked(release, kind, attribute, answers, labels, others, weights, shares_of(release, weights))
    if outcome is not None:
        raise InvalidParameter("outcome is for logistic regression; leave it out.")
    if kind == "poisson":
        check_counts(attribute)
    if not isinstance(attribute.domain, Numbers):
        raise InvalidParameter(
            "A {family} regression explains numbers, and {target!r} has none; categories need family 'logistic'.",
            family=kind,
            target=target,
        )
    answers = np.append(attribute.domain.points.astype(np.float64), [np.nan] * int(attribute.missing))
    return Asked(release, kind, attribute, answers, (), others, weights, shares_of(release, weights))


def _classes(release: Release, attribute: Attribute, outcome: Any) -> tuple[Floats, tuple[str, ...]]:
    """Return 1 for the codes of the outcome and 0 for others, and what the outcome is called."""
    kept = attribute.name in release.mechanism.kept
    codes = np.unique(release.coded.codes(attribute.name)) if kept else np.arange(attribute.states)
    missing = attribute.states - 1 if attribute.missing else -1
    plain = Attribute(attribute.name, attribute.role, attribute.domain)
    members, _ = members_of(plain, codes[codes != missing], outcome)
    labels = [label for label, inside in zip(plain.domain.labels(), members, strict=True) if inside]  # type: ignore[union-attr]
    return np.append(members.astype(np.float64), [np.nan] * int(attribute.missing)), tuple(labels)
