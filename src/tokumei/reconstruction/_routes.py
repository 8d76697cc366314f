"""Which model predicts a column where every row shows every column through noise, or unchanged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tokumei.errors import TooNoisy
from tokumei.messages import Phrase, phrase
from tokumei.reconstruction.class_conditional import ClassConditionalClassifier
from tokumei.reconstruction.class_conditional_regressor import ClassConditionalRegressor
from tokumei.reconstruction.corrected_linear import CorrectedLinearRegression
from tokumei.reconstruction.corrected_logistic import CorrectedLogisticRegression
from tokumei.release.artifact import Release
from tokumei.table.domain import Categories

LITTLE = 0.1  # of the predictions' variance may be uncertainty of the coefficients


def answers_hidden(release: Release, target: str) -> bool:
    """Whether a target of numbers has missing cells and noise, so that its equations cannot be freed of the noise."""
    asked = release.schema[target]
    return asked.missing and target in release.mechanism.channels and not isinstance(asked.domain, Categories)


def by_channels(
    release: Release, target: str, columns: Sequence[str] | None, weights: str | None
) -> tuple[Any, Phrase] | None:
    """Return the fitted model that suits the noise of a release, and why it does.

    Regressions whose equations have been freed of the noise are taken where the noise leaves their coefficients well
    determined; else the class-conditional models, which lean on priors. For a perturbed number there are none: where noise leaves a regression open,
    or hides which cells are missing, nothing is returned, and rows have to be completed first.
    """
    if answers_hidden(release, target):
        return None
    domain = release.schema[target].domain
    if isinstance(domain, Categories):
        corrected: Any = CorrectedLogisticRegression(target, columns, weights)
        leaning: Any = ClassConditionalClassifier(target, columns, weights)
    else:
        corrected = CorrectedLinearRegression(target, columns, weights)
        leaning = ClassConditionalRegressor(target, columns, weights=weights)
    kept = target in release.mechanism.kept
    if isinstance(domain, Categories) and (len(np.unique(release.coded.codes(target))) > 2 or not kept):
        return leaning.fit(release), phrase("it handles any number of classes, and perturbed classes.")
    try:
        corrected.fit(release)
    except TooNoisy:
        if not kept:
            return None
        return leaning.fit(release), phrase("it relies on priors; the noise leaves a regression undetermined.")
    if corrected.noise_ <= LITTLE or not kept:
        if corrected.noise_ < 1:
            why = phrase(
                "the noise leaves its coefficients determined; {share:.1%} of what it predicts is random.",
                share=corrected.noise_,
            )
        else:
            why = phrase("the noise leaves its coefficients determined; all of what it predicts is random.")
        return corrected, why
    why = phrase(
        "it relies on priors; {chance:.1%} of what a regression predicts would be random.",
        chance=min(corrected.noise_, 1.0),
    )
    return leaning.fit(release), why
