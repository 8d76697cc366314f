"""One call from a release to a model of the original: what suits the data's size and noise is picked, and said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei.errors import InvalidParameter, TooNoisy
from tokumei.memory import within_memory
from tokumei.reconstruction.class_conditional import ClassConditionalClassifier
from tokumei.reconstruction.class_conditional_regressor import ClassConditionalRegressor
from tokumei.reconstruction.corrected_linear import CorrectedLinearRegression
from tokumei.reconstruction.corrected_logistic import CorrectedLogisticRegression
from tokumei.reconstruction.release_model import ReleaseModel
from tokumei.release.artifact import Release
from tokumei.shown import shown
from tokumei.table.domain import Categories
from tokumei.text import nearest

LITTLE = 0.1  # of the predictions' variance may be uncertainty of the coefficients


@dataclass(frozen=True)
class Picked:
    """Which model was picked, why, and how much each column still tells.

    Attributes
    ----------
    model
        The name of the estimator.
    reason
        Why it and not another.
    signal
        For each column the standard deviation of what it adds to the log-odds, or to the predicted number: nothing where
        noise has drowned it.
    """

    model: str
    reason: str
    signal: Mapping[str, float]

    def __str__(self) -> str:
        top = max(self.signal.values(), default=0.0)
        lines = [shown(f"{self.model}: {self.reason}")]
        if self.signal:
            lines.append("How much signal each column still has (0 is none):")
        signals = {shown(name): signal for name, signal in self.signal.items()}
        width = max((len(name) for name in signals), default=0)
        for name, signal in sorted(signals.items(), key=lambda each: -each[1]):
            bar = "▇" * round(24 * signal / top) if top else ""
            lines.append(f"  {name:<{width}}  {signal:8.3g}  {bar}".rstrip())
        return "\n".join(lines)


@within_memory()
def reconstruct(
    release: Release,
    target: str | None = None,
    columns: Sequence[str] | None = None,
    weights: str | None = None,
    random_state: int | np.random.Generator | None = 0,
) -> Any:
    """Fit a model of the original to a release: of the whole table, or one that predicts a column from the others.

    Without a target the model gives any joint table (``table``), complete rows (``impute``, ``sample``), means of functions of
    rows (``expectation``) and predictions of any column (``predict``).

    With a target it predicts that column for rows that were not perturbed. Regressions whose equations have been freed of the noise are taken where the noise leaves their coefficients well
    determined; else the class-conditional models, which lean on priors. Where each row tells some columns only, it is a
    regression on rows that the model of the whole table completed. Nothing has to be tuned, and no original row is needed.

    Parameters
    ----------
    release
        A release with a mechanism.
    target
        The column to predict. Categories give a classifier, numbers a regressor. Without it the whole table is modelled.
    columns
        The columns to predict from; without it all others that have a domain.
    weights
        A column of survey weights, released unchanged; the model is then about the people whom the rows stand for.
    random_state
        For the starts of the model of the whole table, and for the rows that it completes.

    Returns
    -------
    estimator
        Fitted, with ``predict`` (and ``predict_proba``) for true rows; its ``picked_`` says what was picked, why, and
        how much signal each column still carries. Without a target, a `ReleaseModel`.

    Examples
    --------
    >>> import tokumei as tk
    >>> release = tk.anonymize(tk.example_census(rows=5000), tk.example_schema(), tk.PkPerturbation(k=3), seed=1)
    >>> model = tk.reconstruct(release, target="income")
    >>> model.picked_.model
    'ImputedClassifier'
    >>> model.predict(tk.example_census(rows=2)).shape
    (2,)
    """
    if not isinstance(release, Release):
        raise InvalidParameter("reconstruct needs a release, such as the one that read_release returns.")
    if target is None:
        if columns is not None:
            raise InvalidParameter(
                "columns are for predicting a target; without one, ask the model for table(columns)."
            )
        return _model_of(release, weights, random_state)
    known = release.schema.names()
    if target not in known:
        raise InvalidParameter(
            "There is no column {target!r} in the release.{hint}", target=target, hint=nearest(target, known)
        )
    domain = release.schema[target].domain
    if domain is None:
        raise InvalidParameter("{target!r} has no declared domain, so it cannot be predicted.", target=target)
    if release.mechanism.partly_told:
        whole = _model_of(release, weights, random_state)
        return _said(whole.estimator(target, columns), "each row tells some columns only, so rows are completed first.")
    if isinstance(domain, Categories):
        corrected: Any = CorrectedLogisticRegression(target, columns, weights)
        leaning: Any = ClassConditionalClassifier(target, columns, weights)
    else:
        corrected = CorrectedLinearRegression(target, columns, weights)
        leaning = ClassConditionalRegressor(target, columns, weights=weights)
    kept = target in release.mechanism.kept
    if isinstance(domain, Categories) and (len(np.unique(release.coded.codes(target))) > 2 or not kept):
        return _said(leaning.fit(release), "it handles any number of classes, and perturbed classes.")
    try:
        corrected.fit(release)
    except TooNoisy:
        if not kept:  # nothing else predicts a perturbed number
            raise
        return _said(leaning.fit(release), "it relies on priors; the noise leaves a regression undetermined.")
    if corrected.noise_ <= LITTLE or not kept:
        share = f"{corrected.noise_:.1%}" if corrected.noise_ < 1 else "all"
        return _said(corrected, f"the noise leaves its coefficients determined; {share} of what it predicts is random.")
    chance = f"{min(corrected.noise_, 1.0):.1%}"
    return _said(leaning.fit(release), f"it relies on priors; {chance} of what a regression predicts would be random.")


def _model_of(release: Release, weights: str | None, random_state: int | np.random.Generator | None) -> ReleaseModel:
    model = ReleaseModel(weights, random_state=random_state).fit(release)
    reason = f"a mixture of {model.n_components_} classes, the average of {model.n_init} fits."
    model.picked_ = Picked(type(model).__name__, reason, {})
    return model


def _said(model: Any, reason: str) -> Any:
    model.picked_ = Picked(type(model).__name__, reason, model.signal_)
    return model
