"""Which model predicts a column where every row shows every column through noise, or unchanged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tokumei.errors import TooNoisy
from tokumei.progress import stage
from tokumei.reconstruction._observed import modelled
from tokumei.reconstruction.averaged import AveragedClassifier
from tokumei.reconstruction.class_conditional import ClassConditionalClassifier
from tokumei.reconstruction.class_conditional_regressor import ClassConditionalRegressor
from tokumei.reconstruction.corrected_linear import CorrectedLinearRegression
from tokumei.reconstruction.corrected_logistic import CorrectedLogisticRegression
from tokumei.reconstruction.imputed import Drawn, ImputedClassifier
from tokumei.reconstruction.stretched import StretchedClassifier
from tokumei.release.artifact import Release
from tokumei.table.domain import Categories

BOTH = "a model that relies on priors is averaged with a regression on the rows as they are"
LITTLE = 0.1  # of the predictions' variance may be uncertainty of the coefficients


def by_channels(release: Release, target: str, columns: Sequence[str] | None, weights: str | None) -> tuple[Any, str]:
    """Return the fitted model that suits the noise of a release, and why it does.

    Regressions whose equations have been freed of the noise are taken where the noise leaves their coefficients well
    determined; else the class-conditional models, which lean on priors. For two classes that were released unchanged these are averaged with a
    regression on the rows as they are.
    """
    domain = release.schema[target].domain
    if isinstance(domain, Categories):
        corrected: Any = CorrectedLogisticRegression(target, columns, weights)
        leaning: Any = ClassConditionalClassifier(target, columns, weights)
    else:
        corrected = CorrectedLinearRegression(target, columns, weights)
        leaning = ClassConditionalRegressor(target, columns, weights=weights)
    kept = target in release.mechanism.kept
    if isinstance(domain, Categories) and (len(np.unique(release.coded.codes(target))) > 2 or not kept):
        return leaning.fit(release), "it handles any number of classes, and perturbed classes."
    try:
        corrected.fit(release)
    except TooNoisy:
        if not kept:  # nothing else predicts a perturbed number
            raise
        return _leaning(release, leaning, weights, "the noise leaves a regression undetermined")
    if corrected.noise_ <= LITTLE or not kept:
        share = f"{corrected.noise_:.1%}" if corrected.noise_ < 1 else "all"
        return corrected, f"the noise leaves its coefficients determined; {share} of what it predicts is random."
    chance = f"{min(corrected.noise_, 1.0):.1%}"
    return _leaning(release, leaning, weights, f"{chance} of what a corrected regression predicts would be random")


def _leaning(release: Release, leaning: Any, weights: str | None, why: str) -> tuple[Any, str]:
    """Fit a model that leans on priors, for a target released unchanged."""
    found = leaning.fit(release)
    if isinstance(found, ClassConditionalClassifier):
        return _averaged(release, found, weights), f"{why}; {BOTH}."
    return found, f"it relies on priors; {why}."


def _averaged(release: Release, found: ClassConditionalClassifier, weights: str | None) -> AveragedClassifier:
    """Average a class-conditional model, whose target was released unchanged, with a regression on the rows as they are."""
    names, target = list(found.evidence_), found.target
    with stage("Fitting a regression to the rows as they are"):
        seen = modelled(release, weights)
        columns = {each.name: each for each in seen.columns}
        codes = {name: release.coded.codes(name).astype(np.int64) for name in (*names, target)}
        rows = Drawn(columns, codes, seen.observed.weights, release.originals)
        plain = ImputedClassifier(target, names).fit(rows)
        stretched = StretchedClassifier(target, names).fit(plain, found, release.coded)
    return AveragedClassifier(target, names).fit(found, stretched)
