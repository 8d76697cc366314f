"""A regression fitted to rows: released rows as they are, those that show all values, or completed ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.linalg import qr

from tokumei.arrays import Booleans, Floats, Integers
from tokumei.errors import InvalidParameter
from tokumei.learning import form, glm, regressed
from tokumei.learning.asked import Asked, Found, Way
from tokumei.learning.glm import Family
from tokumei.learning.shown_rows import HARDLY, shown_in
from tokumei.reconstruction._corrected import Features, own_units
from tokumei.release.artifact import Release
from tokumei.table.domain import Categories
from tokumei.text import names as names_of
from tokumei.words import Statement

UNLIKELY = 0.05  # rows that were selected, by the form of a regression
ALIKE = 1e-7  # of a column's length, that is left where the others say the same
OFTEN = 0.02  # of the rows, that have a label of a column beside the regression
INDICATORS = 8  # labels of such a column that are looked at


class Fit(NamedTuple):
    """Coefficients in units of the columns, their covariance, how probable the rows are by the form, and whether the likelihood had no maximum."""

    coefficients: Floats
    covariance: Floats
    chance: float
    separated: bool


def likeliest(family: Family, design: Floats, answers: Floats, weights: Floats) -> tuple[glm.Fitted, bool]:
    """Fit by maximum likelihood, or where that has no maximum, since a label has one class only, by the penalized one; say whether that was so."""
    some = weights > 0
    try:
        return glm.fit(family, design[some], answers[some], weights[some]), False
    except InvalidParameter:
        return glm.penalized(family, design[some], answers[some], weights[some]), True


def fitted(
    asked: Asked,
    target: Integers,
    codes: Sequence[Integers],
    features: Sequence[Features],
    used: Booleans | None = None,
    *,
    tested: bool = False,
) -> Fit:
    """Fit rows, given as original codes; rows without a target are left out. If ``tested``, say how probable they are by the form of the regression."""
    answers = asked.answers[target]
    there: Booleans = ~np.isnan(answers) & (asked.shares > 0)
    there = there if used is None else there & used
    blocks = [each.table[mine[there]] for each, mine in zip(features, codes, strict=True)]
    design = np.concatenate([np.ones((np.count_nonzero(there), 1)), *blocks], axis=1)
    check_apart(asked, design, features)
    rows = (asked.family, design, answers[there], asked.shares[there])
    fitted, separated = likeliest(*rows)
    beside = _beside(asked, there) if tested and _missed(asked, used) > HARDLY else None
    chance = form.probability(*rows, fitted.coefficients, beside) if tested else 1.0
    return Fit(*own_units(features, fitted.coefficients, fitted.covariance), chance, separated)


def _missed(asked: Asked, used: Booleans | None) -> float:
    """Return the share of the original rows that are not among those that a regression is fitted to."""
    release = asked.release
    whole = release.rows + (release.mechanism.left_out or 0)
    return 1 - (release.rows if used is None else int(np.count_nonzero(used))) / whole


def check_apart(asked: Asked, design: Floats, features: Sequence[Features]) -> None:
    """Refuse columns of which one has a single value, or follows from the others, in all rows."""
    owners = [each.name for each, own in zip(asked.columns, features, strict=True) for _ in range(own.size)]
    if not len(design):
        raise InvalidParameter(
            "No row has a value of {target!r}, so nothing can be said about it.", target=asked.target.name
        )
    left_out = asked.release.mechanism.left_out
    for name, column in zip(owners, design.T[1:], strict=True):
        if np.ptp(column) > 0:
            continue
        if left_out:
            raise InvalidParameter(
                "{column!r} has only one value in the rows that are there; {rows:row was|rows were} left out because they were rare. "
                "Leave it out, or ask for a release with a smaller k.",
                column=name,
                rows=left_out,
            )
        raise InvalidParameter("{column!r} has only one value in the released rows; leave it out.", column=name)
    sizes = np.linalg.norm(design, axis=0)
    within, order = qr(design / sizes, mode="r", pivoting=True)
    few = np.flatnonzero(np.abs(np.diag(within)) < ALIKE)
    short = [*few, *range(len(design), design.shape[1])]  # fewer rows than coefficients
    if short:
        alike = sorted({owners[order[at] - 1] for at in short if order[at] > 0}, key=owners.index)
        raise InvalidParameter(
            "In the released rows {columns} follow from the other columns, so there are no coefficients of them. Leave them out.",
            columns=names_of(alike or owners[:1]),
        )


def names_from(features: Sequence[Features]) -> tuple[str, ...]:
    """Return what coefficients belong to, the constant first."""
    if not any(each.size for each in features):
        raise InvalidParameter("Every column to predict from has only one value.")
    return ("(constant)", *(name for each in features for name in each.names))


def from_rows(asked: Asked, way: Way, used: Booleans | None = None) -> Found:
    """Fit the released rows as they are, or those that show all values."""
    release = asked.release
    codes = [_original_codes(release, each.name) for each in asked.columns]
    features = []
    for attribute, mine in zip(asked.columns, codes, strict=True):
        weighed = asked.shares if used is None else asked.shares * used
        many = np.bincount(mine, weights=weighed, minlength=attribute.states).astype(np.float64)
        features.append(Features.of(attribute, many))
        if used is not None and not features[-1].size and not np.all(shown_in(release, attribute.name)):
            raise InvalidParameter(
                "{column!r} has only one value in the released rows; leave it out.", column=attribute.name
            )
    names = names_from(features)
    how: Statement = regressed.FromAverages() if way == "averaged" else regressed.FromRows()
    selected = used is not None or bool(release.mechanism.left_out)
    fit = fitted(asked, _original_codes(release, asked.target.name), codes, features, used, tested=selected)
    shown = release.rows if used is None else int(np.count_nonzero(used))
    if used is not None:
        how = regressed.FromWholeRows(rows=shown, of=release.rows)
    elif way == "unchanged" and release.mechanism.left_out:
        how = regressed.FromCommonRows(rows=release.rows, of=release.rows + release.mechanism.left_out)
    df = np.full(len(names), float(max(shown - len(names), 1)))
    worth = None if used is None else np.full(len(names), float(shown))
    reasons: tuple[Statement, ...] = (regressed.Separated(),) if fit.separated else ()
    if fit.chance < UNLIKELY:
        reasons = (*reasons, regressed.FormDoesNotFit())
    if fit.separated and release.mechanism.left_out:
        reasons = (*reasons, regressed.ManyLeftOut(rows=release.mechanism.left_out))
    return Found(names, fit.coefficients, fit.covariance, df, worth, how, reasons)


def _beside(asked: Asked, used: Booleans) -> Floats | None:
    """Return the quasi-identifiers that had a say in which rows are there and are not in the regression: numbers by the middle of their label."""
    release, made = asked.release, list[Floats]()
    for attribute in release.schema:
        if attribute.role != "quasi_identifier" or attribute.domain is None or attribute.name in asked.names:
            continue
        codes, recoding = release.coded.codes(attribute.name)[used], release.mechanism.recoding
        domain = release.original(attribute.name).domain
        if not isinstance(domain, Categories) or domain.ordered:
            recoded = recoding is not None and attribute.name in recoding.columns
            places = recoding.columns[attribute.name].spans.mean(axis=1) if recoded and recoding else None
            made.append((codes if places is None else places[codes]).astype(np.float64))
            continue
        many = np.bincount(codes, minlength=1)
        frequent = np.argsort(-many, kind="stable")[:INDICATORS]
        made += [(codes == each).astype(np.float64) for each in frequent if many[each] >= OFTEN * len(codes)]
    return np.column_stack(made) if made else None


def _original_codes(release: Release, name: str) -> Integers:
    """Return each row's original code; of a label that stands for several the first."""
    codes = release.coded.codes(name).astype(np.int64)
    recoding = release.mechanism.recoding
    if recoding is None or name not in recoding.columns:
        return codes
    column = recoding.columns[name]
    return np.argsort(column.axis.place)[column.spans[:, 0]][codes]
