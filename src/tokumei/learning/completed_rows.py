"""Regressions from rows that are completed several times by a model of the whole table."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence

import numpy as np

from tokumei.arrays import Booleans, Integers
from tokumei.diagnostics import ignoring
from tokumei.errors import TokumeiWarning
from tokumei.learning import glm, regressed
from tokumei.learning.asked import Asked, Found
from tokumei.learning.fitted_rows import check_apart, fitted, likeliest, names_from
from tokumei.learning.pooled import MANY, Copies, imputed
from tokumei.learning.reconstruct import reconstruct
from tokumei.learning.shown_rows import answered
from tokumei.mechanism.likelihood import distinct
from tokumei.progress import stage
from tokumei.randomness import generator
from tokumei.reconstruction._belief import NEARLY
from tokumei.reconstruction._corrected import NOBODY, Features, own_units
from tokumei.reconstruction._predicting import values_apart
from tokumei.reconstruction.redrawn import given, redrawn
from tokumei.reconstruction.release_model import ReleaseModel
from tokumei.words import Statement

IN_GROUPS = 2  # fits that a model of groups with noise averages; standard errors are as with six, on simulated people
AGAIN = 6  # steps of fitting groups again for a copy: where an interval may come of it, little is hidden
CLEAR = 0.95  # of what the rows could tell, that copies of completed rows must leave
ROUNDS = 40  # of weighting copies
STILL = 1e-3  # of their standard deviation, that predictions may still change


def from_copies(
    asked: Asked,
    copies: int,
    random_state: int | np.random.Generator | None,
    *,
    whole: bool,
    refused: bool = False,
) -> Found:
    """Complete the rows several times, fit each copy, and combine the results by Rubin's rules.

    Copies of one fitted model differ by less than those of a model that is fitted again for each. So where the first already hide too much for
    an interval, or there is ``refused`` to be one, nothing is fitted again unless the ``whole`` is asked for.
    """
    release, rng = asked.release, generator(random_state)
    used = answered(asked)
    with warnings.catch_warnings(), ignoring(TokumeiWarning):
        warnings.simplefilter("ignore")  # what the model leaves open is said in the reasons
        model = _model_of(asked, rng)
    target = asked.target.name
    apart = release.mechanism.partly_told and values_apart(model, target) is not None
    if apart:
        model = given(model, target, rng)
    if not whole:
        drawn = model.drawn_codes(asked.names, copies, rng)
        if refused and release.mechanism.recoding is not None:
            return _weighted(asked, model, drawn, used)
        found = _pooled(asked, model, drawn, used)
        if refused or found.reasons:
            return found
    steps = None if release.mechanism.grouping is None else AGAIN
    models = redrawn(model, copies, rng, target if apart else None, steps)
    with stage("Drawing rows", copies) as shown:
        drawn = []
        for each in models:
            drawn += each.drawn_codes(asked.names, 1, rng)
            shown.advance()
    return _pooled(asked, model, drawn, used)


def _model_of(asked: Asked, rng: np.random.Generator) -> ReleaseModel:
    """Fit a model of the whole table. Boxes of groups say most of what there is to say, and fewer fits of it will do."""
    release = asked.release
    if release.mechanism.grouping is not None:
        return ReleaseModel(asked.weights, n_init=IN_GROUPS, random_state=rng).fit(release).by_columns()
    model: ReleaseModel = reconstruct(release, weights=asked.weights, random_state=rng)
    return model


def _pooled(asked: Asked, model: ReleaseModel, drawn: Sequence[Mapping[str, Integers]], used: Booleans | None) -> Found:
    """Fit each copy of complete rows, those that are ``used``, and combine the results."""
    release, copies = asked.release, len(drawn)
    features = _features(asked, drawn, used)
    names, fits = names_from(features), []
    with stage("Fitting each copy", copies) as shown:
        for copy in drawn:
            others = [copy[a.name] for a in asked.columns]
            fits.append(fitted(asked, copy[asked.target.name], others, features, used))
            shown.advance()
    estimates = np.stack([each.coefficients for each in fits])
    both = Copies(estimates, np.stack([np.diag(each.covariance) for each in fits]))
    variance, df, missing = imputed(both, np.full(len(names), float(release.rows - len(names))))
    worth = release.rows * (1 - np.clip(np.zeros(len(names)) if missing is None else missing, 0, 1))
    reasons: tuple[Statement, ...] = () if model.determined_ else (regressed.FitsDisagree(),)
    if release.mechanism.grouping is not None and worth.min() < CLEAR * release.rows:
        reasons = (*reasons, regressed.HiddenInGroups())
    if release.mechanism.grouping is not None and asked.family == "logistic" and model.believed_ < NEARLY:
        reasons = (*reasons, regressed.NotMeasured())  # where the model is believed altogether, it was
    if any(each.separated for each in fits):
        reasons = (*reasons, regressed.Separated())
    how = regressed.FromCopies(copies=copies)
    return Found(names, estimates.mean(axis=0), np.diag(variance), df, worth, how, reasons)


def _features(asked: Asked, drawn: Sequence[Mapping[str, Integers]], used: Booleans | None) -> list[Features]:
    """Describe the columns; a label that some copy has in no row has no coefficient."""
    made = []
    for attribute in asked.columns:
        codes = [each[attribute.name] if used is None else each[attribute.name][used] for each in drawn]
        occur = np.all([np.bincount(each, minlength=attribute.states) > 0 for each in codes], axis=0)
        made.append(Features.of(attribute, np.where(occur, 1.0, NOBODY / 2)))
    return made


def _weighted(
    asked: Asked, model: ReleaseModel, drawn: Sequence[Mapping[str, Integers]], used: Booleans | None
) -> Found:
    """Fit all copies together, each row of them by how well the regression explains it: for estimates alone.

    Cells that are spread evenly over their labels are drawn without a look at the target, which weakens coefficients. So the copies of a row that shows its target
    are weighted by the likelihood that the regression gives to it, and it is fitted again until nothing changes: fractional imputation (Kim 2011). Where the model
    of the table was believed by the power of its ``trust``, so much of what the target says is in the copies, and the likelihood has the power of the rest.
    """
    copies, features, observed = len(drawn), _features(asked, drawn, used), model._observed
    names, power = names_from(features), 1 - observed.trust * (1 - observed.spread)
    answers = np.stack([asked.answers[each[asked.target.name]] for each in drawn])
    there: Booleans = np.all(~np.isnan(answers), axis=0) & (asked.shares > 0)
    there = there if used is None else there & used
    stacked = [np.concatenate([each[name][there] for each in drawn]) for name in asked.names]
    kinds, which, _ = distinct(stacked, len(stacked[0]))
    blocks = [each.table[codes] for each, codes in zip(features, kinds.T[1:], strict=True)]
    design, target = np.concatenate([np.ones((len(kinds), 1)), *blocks], axis=1), asked.answers[kinds[:, 0]]
    check_apart(asked, design, features)
    shares, places, tells = asked.shares[there], which.reshape(copies, -1), np.ptp(answers[:, there], axis=0) == 0
    weights, before = np.full(places.shape, 1 / copies), np.full(len(kinds), np.inf)
    with stage("Weighting copies by the regression", ROUNDS) as shown:
        for _ in range(ROUNDS):
            counts = np.bincount(which, weights=(weights * shares).ravel(), minlength=len(kinds)).astype(np.float64)
            fitted, separated = likeliest(asked.family, design, target, counts)
            eta = design @ fitted.coefficients
            if np.abs(eta - before).max() < STILL * max(float(eta.std()), 1e-300):
                break
            before, losses = eta, glm.losses(asked.family, eta, target)
            if asked.family != "logistic":  # how much rows vary is not known; counts vary no less than Poisson's
                mean, slope = glm.mean_and_slope(asked.family, eta)
                vary = float(np.average((target - mean) ** 2 / np.maximum(slope, 1e-12), weights=counts))
                losses = losses / max(vary, 1.0 if asked.family == "poisson" else 1e-300)
            each = losses[places] * (power * tells)
            weights = np.exp(each.min(axis=0) - each)
            weights /= weights.sum(axis=0)
            shown.advance()
    coefficients, covariance = own_units(features, fitted.coefficients, fitted.covariance)
    reasons: tuple[Statement, ...] = () if model.determined_ else (regressed.FitsDisagree(),)
    reasons = (*reasons, regressed.Separated()) if separated else reasons
    evenly = observed.trust == 0
    how = regressed.FromSpreadCells(copies=copies) if evenly else regressed.FromWeightedCopies(copies=copies)
    return Found(names, coefficients, covariance, np.full(len(names), MANY), None, how, reasons)
