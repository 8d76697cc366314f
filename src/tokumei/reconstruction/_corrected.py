"""Functions of released values whose expectation is what one would have computed from the true ones.

A column's channel T is known, so for a function f of its true value there is a function h of its released value with
``sum_y T[y, x] h(y) = f(x)``: the mean of h over released rows estimates the mean of f over true ones. Columns are
perturbed independently, so products over columns are estimated by products. Many h do nearly as well, and the exact one
can be far noisier than one that is a hair off; `Correction` takes the least noisy one that is off by little: by less than chance leaves open in this many rows.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei.arrays import Floats, Integers
from tokumei.errors import InvalidParameter, TooNoisy
from tokumei.reconstruction._columns import check_usable, chosen
from tokumei.reconstruction._views import View, marginal, view
from tokumei.release.artifact import Release
from tokumei.release.originals import Originals
from tokumei.table.domain import Categories, Numbers
from tokumei.table.schema import Attribute, Schema

BIAS = 0.005  # at most, of a function's standard deviation over the true values
MOST_TERMS = 500
NOBODY = 1e-9  # a share that nobody has
FINE = 128  # points at which a column of numbers is looked at


@dataclass(frozen=True)
class Features:
    """A column as it enters a regression: numbers and ordered categories by their place, other categories by an indicator of each but the first."""

    names: tuple[str, ...]
    table: Floats  # one row per code
    scale: Floats  # for each feature, what one unit of it is in the column's own unit
    shift: Floats  # and where its zero is

    @property
    def size(self) -> int:
        """How many features there are."""
        return self.table.shape[1]

    @classmethod
    def of(cls, attribute: Attribute, shares: Floats) -> Features:
        """Describe a column, of whose codes ``shares`` says how many people have each: a label of nobody has no coefficient."""
        domain = attribute.domain
        assert domain is not None
        if isinstance(domain, Categories) and not domain.ordered:
            labels = [*domain.labels(), *(["(missing)"] if attribute.missing else [])]
            if len(labels) > MOST_TERMS:
                raise InvalidParameter(
                    "{column!r} has {labels:,} labels, too many for a coefficient each; leave it out.",
                    column=attribute.name,
                    labels=len(labels),
                )
            occur = np.flatnonzero(shares > NOBODY)  # a label of nobody determines nothing
            names = tuple(f"{attribute.name}={labels[place]}" for place in occur[1:])
            return cls(names, np.eye(len(labels))[:, occur[1:]], np.ones(len(names)), np.zeros(len(names)))
        low, unit = 0.0, float(max(domain.size - 1, 1))
        if isinstance(domain, Numbers):
            low, unit = float(domain.low), float(domain.high) - float(domain.low) or 1.0
        place = np.linspace(0, 1, domain.size) if domain.size > 1 else np.zeros(1)
        if not attribute.missing or shares[-1] <= NOBODY:
            table = np.append(place, [0.0] * int(attribute.missing))[:, None]
            return cls((attribute.name,), table, np.array([unit]), np.array([low]))
        table = np.zeros((domain.size + 1, 2))
        table[:-1, 0], table[-1, 1] = place, 1.0
        return cls((attribute.name, f"{attribute.name}=(missing)"), table, np.array([unit, 1.0]), np.array([low, 0.0]))


def own_units(features: Sequence[Features | Term], coefficients: Floats, covariance: Floats) -> tuple[Floats, Floats]:
    """Turn coefficients of features, the constant first, into those of the columns in their own units."""
    scale = np.concatenate([each.scale for each in features])
    shift = np.concatenate([each.shift for each in features])
    change = np.diag(np.append(1.0, 1 / scale))
    change[0, 1:] = -shift / scale
    return change @ coefficients, change @ covariance @ change.T


@dataclass(frozen=True)
class Term:
    """A column as it enters a regression: its features by true value, and the map from f to h."""

    attribute: Attribute
    names: tuple[str, ...]
    features: Floats  # one row per true code
    scale: Floats  # for each feature, what one unit of it is in the column's own unit
    shift: Floats  # and where its zero is
    binned: Floats  # the features by bin of true values
    pmf: Floats  # the reconstructed distribution of the bins
    correction: Floats | None  # h = correction @ f, over released bins; none where the column is kept
    released: Integers  # the released bin of every row

    @property
    def size(self) -> int:
        """How many features there are."""
        return self.features.shape[1]

    @property
    def released_bins(self) -> int:
        """How many bins of released values there are."""
        return len(self.binned) if self.correction is None else len(self.correction)

    def corrected(self, functions: Floats) -> Floats:
        """Return h for functions of the true bin, one column per function."""
        return functions if self.correction is None else self.correction @ functions


def term(release: Release, attribute: Attribute, shares: Floats) -> Term:
    """Describe a column of a release, and what its released values say of its features."""
    codes = release.coded.codes(attribute.name).astype(np.int64)
    labelled = isinstance(attribute.domain, Categories) and not attribute.domain.ordered
    looked = labelled or attribute.name in release.mechanism.kept
    made = Features.of(attribute, _shares(release, attribute, shares) if looked else np.ones(attribute.states))
    names, features, scale, shift = made.names, made.table, made.scale, made.shift
    if attribute.name in release.mechanism.kept:
        pmf = _shares(release, attribute, shares)
        return Term(attribute, names, features, scale, shift, features, pmf, None, codes)
    seen = view(release, attribute, FINE, FINE)
    pmf = np.bincount(seen.true_bin, weights=marginal(release, attribute, shares)).astype(np.float64)
    return noisy_term(attribute, made, seen, pmf, seen.released_bin[codes], shares)


def noisy_term(
    attribute: Attribute, own: Features, seen: View, pmf: Floats, released: Integers, shares: Floats
) -> Term:
    """Describe a column whose bins of true values are as ``pmf``, and whose rows show these released bins."""
    each = np.bincount(seen.true_bin)
    binned = np.stack([np.bincount(seen.true_bin, weights=f) / each for f in own.table.T], axis=1)
    frequency = np.bincount(released, weights=shares, minlength=seen.conditional.outputs) / shares.sum()
    bias = min(BIAS, 0.5 / len(shares) ** 0.5)  # the more rows, the more a bias would show
    correction = _correction(seen.conditional.matrix(), binned, pmf, frequency, bias)
    return Term(attribute, own.names, own.table, own.scale, own.shift, binned, pmf, correction, released)


def places_of(terms: Sequence[Term]) -> list[slice]:
    """Return where the coefficients of each column stand, behind the constant."""
    ends = np.cumsum([1, *(each.size for each in terms)])
    return [slice(int(a), int(b)) for a, b in itertools.pairwise(ends)]


def _shares(release: Release, attribute: Attribute, shares: Floats) -> Floats:
    """Return how a column goes in the original."""
    if attribute.name not in release.mechanism.kept:
        return marginal(release, attribute, shares)
    codes = release.coded.codes(attribute.name)
    return np.bincount(codes, weights=shares, minlength=attribute.states) / shares.sum()


def _correction(matrix: Floats, functions: Floats, pmf: Floats, frequency: Floats, bias: float) -> Floats:
    """Return the linear map from f to h that is least noisy within the bias allowed for these functions.

    It minimizes ``sum_x pmf(x) (E[h|x] - f(x))^2 + lam sum_y frequency(y) h(y)^2`` with the largest lam that keeps the
    bias of the functions and of their squares within ``bias`` of their standard deviation.
    """
    weight = np.sqrt(0.9 * pmf + 0.1 / len(pmf))
    noise = np.sqrt(0.9 * frequency + 0.1 / len(frequency))
    left, strength, right = np.linalg.svd((matrix.T * weight[:, None]) / noise[None, :], full_matrices=False)
    tests = np.concatenate([functions, functions**2], axis=1)
    spread = np.sqrt(np.maximum(pmf @ tests**2 - (pmf @ tests) ** 2, 1e-12))

    def with_leeway(leeway: float) -> Floats:
        kept = strength**2 + leeway
        shrunk = np.divide(strength, kept, out=np.zeros_like(strength), where=kept > 0)  # what is lost whole stays so
        made = (right.T * shrunk) @ (left.T * weight[None, :]) / noise[:, None]
        return made + np.outer(1 - made.sum(axis=1), pmf)  # what does not vary needs no correction

    top = float(strength[0] ** 2)
    for leeway in (*np.geomspace(top * 1e-2, top * 1e-13, 34), 0.0):
        made = with_leeway(leeway)
        off = np.sqrt(pmf @ (matrix.T @ (made @ tests) - tests) ** 2) / spread
        if off.max() <= bias:
            return made
    raise TooNoisy("A channel of the release loses information completely, so it cannot be corrected for.")


@dataclass(frozen=True)
class Regressors:
    """The columns of a regression."""

    terms: tuple[Term, ...]
    schema: Schema
    originals: Originals

    @classmethod
    def of(
        cls,
        release: Release,
        target: str,
        columns: Sequence[str] | None,
        shares: Floats,
        weights: str | None = None,
    ) -> Regressors:
        """Take the columns asked for, or all that have a domain."""
        attributes = chosen(release, columns, target, weights)
        check_usable(release, (a for a in attributes if a.name in release.mechanism.channels))
        made = [term(release, a, shares) for a in attributes if a.states > 1]
        useful = tuple(each for each in made if each.size)
        if not useful:
            raise InvalidParameter("Every column to predict from has only one value.")
        return cls(useful, Schema(tuple(attributes)), release.originals)

    @property
    def names(self) -> tuple[str, ...]:
        """What the coefficients belong to, the constant first."""
        return ("(constant)", *(name for each in self.terms for name in each.names))

    def places(self) -> list[slice]:
        """Return where each column's coefficients stand; the constant stands first."""
        return places_of(self.terms)

    def spread(self, coefficients: Floats, covariance: Floats) -> tuple[dict[str, float], float]:
        """Return how far each column moves the prediction (a standard deviation), and how much of it all is noise.

        The noise is the variance that the coefficients' own uncertainty gives the prediction, as a share of the
        prediction's variance.
        """
        signal, moved, noise = {}, 0.0, 0.0
        for each, place in zip(self.terms, self.places(), strict=True):
            centred = each.binned - each.pmf @ each.binned
            varied = centred.T @ (centred * each.pmf[:, None])
            mine = float(coefficients[place] @ varied @ coefficients[place])
            signal[each.attribute.name] = max(mine, 0.0) ** 0.5
            moved += mine
            noise += float(np.trace(covariance[place, place] @ varied))
        return signal, noise / moved if moved > 0 else np.inf

    def own_units(self, coefficients: Floats, covariance: Floats) -> tuple[Floats, Floats]:
        """Turn coefficients of features into those of the columns in their own units."""
        return own_units(self.terms, coefficients, covariance)

    def score(self, rows: Any, coefficients: Floats) -> Floats:
        """Return what the coefficients give for true rows."""
        coded = self.originals.coded(rows, self.schema)
        total = np.full(coded.rows, coefficients[0])
        for each, place in zip(self.terms, self.places(), strict=True):
            total += (each.features @ coefficients[place])[coded.codes(each.attribute.name)]
        return total
