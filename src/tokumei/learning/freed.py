"""Regressions from rows with noise, which is taken out of the equations."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from tokumei.diagnostics import ignoring
from tokumei.errors import NotAtRandomWarning, TooNoisy
from tokumei.learning import glm, regressed
from tokumei.learning.asked import Asked, Found
from tokumei.learning.enough import enough
from tokumei.learning.fitted_rows import names_from
from tokumei.learning.pooled import MANY
from tokumei.progress import stage
from tokumei.reconstruction import _told_regression as told_rows
from tokumei.reconstruction._corrected import Features
from tokumei.reconstruction._views import answering
from tokumei.reconstruction.corrected_linear import CorrectedLinearRegression
from tokumei.reconstruction.corrected_logistic import CorrectedLogisticRegression
from tokumei.reconstruction.corrected_poisson import CorrectedPoissonRegression
from tokumei.words import Statement


def from_noise(asked: Asked, outcome: Any) -> Found:
    """Take the noise out of the equations."""
    columns = [each.name for each in asked.columns]
    answers = answering(asked.release, asked.target, asked.weights)
    model: Any
    if asked.family == "linear":
        model = CorrectedLinearRegression(asked.target.name, columns, asked.weights)
    elif asked.family == "logistic":
        model = CorrectedLogisticRegression(asked.target.name, columns, asked.weights, outcome)
    else:
        model = CorrectedPoissonRegression(asked.target.name, columns, asked.weights)
    with stage("Taking the noise out of the equations"), ignoring(NotAtRandomWarning):  # said in the reasons
        try:
            model.fit(asked.release)
        except TooNoisy:
            raise enough(asked) from None
    estimate = np.append(model.intercept_, model.coef_)
    noise, whole = np.diag(model.table_covariance_), np.diag(model.covariance_)
    worth = np.count_nonzero(answers) * np.clip(1 - noise / np.maximum(whole, 1e-300), 0, 1)
    normal = np.full(len(estimate), MANY)
    how = regressed.FromCorrectedEquations()
    return Found(model.names_, estimate, model.covariance_, normal, worth, how)


def from_telling(asked: Asked) -> Found:
    """Take means from the rows that tell columns together."""
    release, shares = asked.release, answering(asked.release, asked.target, asked.weights)
    features = [Features.of(each, np.ones(each.states)) for each in asked.columns]
    columns = [told_rows.Column(a, f.table) for a, f in zip(asked.columns, features, strict=True)]
    target = told_rows.Column(asked.target, np.nan_to_num(asked.answers)[:, None])
    how: Statement
    with stage("Taking the noise out of the equations"):
        try:
            if asked.family == "linear":
                made = told_rows.linear(release, target, columns, features, shares)
                how = regressed.FromPairs()
            else:
                means, begin = partial(glm.mean_and_slope, asked.family), partial(glm.start, asked.family)
                made = told_rows.together(release, target, columns, features, shares, means, begin)
                told = release.tells(*(n for n in asked.names if n in release.mechanism.partly_told))
                how = regressed.FromTellingAll(rows=int(np.count_nonzero(told)))
        except TooNoisy:
            raise enough(asked) from None
    worth = np.count_nonzero(shares) * np.clip(
        np.diag(made.of_true_rows) / np.maximum(np.diag(made.covariance), 1e-300), 0, 1
    )
    coarse = told_rows.coarse(release, [target, *columns])
    reasons = (regressed.ToldInCells(columns=tuple(coarse)),) if coarse else ()
    names = names_from(features)
    return Found(names, made.coefficients, made.covariance, np.full(len(names), MANY), worth, how, reasons)
