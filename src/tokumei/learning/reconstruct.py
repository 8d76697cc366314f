"""One call from a release to a model of the original: what suits the data's size and noise is picked, and said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei.errors import InvalidParameter
from tokumei.messages import Joined, phrase
from tokumei.messages.phrase import Spoken
from tokumei.parallel import one_blas_thread
from tokumei.progress import stage
from tokumei.reconstruction._columns import refuse_dates
from tokumei.reconstruction._routes import answers_hidden, by_channels
from tokumei.reconstruction.averaged import AveragedClassifier
from tokumei.reconstruction.quality import Quality, expected_quality
from tokumei.reconstruction.release_model import ReleaseModel
from tokumei.release.artifact import Release
from tokumei.shown import shown
from tokumei.text import nearest

UNDETERMINED = phrase(
    "the noise leaves a regression undetermined, so rows are completed first, by a model that relies on priors."
)
HIDDEN = phrase("cells of the target are missing and the noise hides which, so rows are completed first.")
SWAPPED = phrase("values were exchanged within groups, which cannot be undone, so rows are taken as they are.")
SOME_TOLD = phrase("each row tells some columns only, so rows are completed first.")
SOME_TOLD_AVERAGED = phrase(
    "each row tells some columns only, so rows are completed first; averaged with a model that looks at one column at a "
    "time."
)
LABELS = phrase("labels stand for several values, so rows are completed first.")
LABELS_AVERAGED = phrase(
    "labels stand for several values, so rows are completed first; averaged with a regression on the labels as they are."
)


@dataclass(frozen=True)
class Picked(Spoken):
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
    quality
        For a model of the whole table: what to expect of each column and pair, from public numbers alone.
    """

    model: str
    reason: str
    signal: Mapping[str, float]
    quality: Quality | None = None

    def lines(self) -> list[str]:
        """Return the lines that are printed."""
        lines: list[str] = [phrase("{model}: {reason}", model=self.model, reason=self.reason)]
        top = max(self.signal.values(), default=0.0)
        if self.signal:
            lines.append(phrase("How much signal each column still has (0 is none):"))
        signals = {shown(name): signal for name, signal in self.signal.items()}
        width = max((len(name) for name in signals), default=0)
        for name, signal in sorted(signals.items(), key=lambda each: -each[1]):
            bar = "▇" * round(24 * signal / top) if top else ""
            lines.append(f"  {name:<{width}}  {signal:8.3g}  {bar}".rstrip())
        if self.quality is not None and self.quality.one is not None:
            lines.append(
                phrase("How far estimated tables of each column will be off (total variation), alone and with another:")
            )
            width = max(len(shown(each.name)) for each in self.quality.uncertain)
            for each in self.quality.uncertain:
                paired = "" if each.paired is None else f"  {each.paired:6.3f}"
                lines.append(f"  {shown(each.name):<{width}}  {each.alone:6.3f}{paired}")
        return lines


@stage("Reconstructing")
@one_blas_thread()
def reconstruct(
    release: Release,
    target: str | None = None,
    columns: Sequence[str] | None = None,
    weights: str | None = None,
    random_state: int | np.random.Generator | None = 0,
    counts: Any = None,
    backend: str = "numpy",
) -> Any:
    """Fit a model of the original to a release: of the whole table, or one that predicts a column from the others.

    Without a target the model gives any joint table (``table``), complete rows (``impute``, ``sample``), means of functions of
    rows (``expectation``) and predictions of any column (``predict``).

    With a target it predicts that column for rows that were not perturbed. Where every row shows every column through noise,
    regressions whose equations have been freed of the noise are taken if it leaves their coefficients well determined, else
    the class-conditional models, which lean on priors. Of every other release it is a regression on rows that the model of
    the whole table completed; for a class that was released unchanged, averaged with a simpler model of the release. Nothing has to
    be tuned, and no original row is needed.

    Parameters
    ----------
    release
        A release of any method.
    target
        The column to predict. Categories give a classifier, numbers a regressor. Without it the whole table is modelled.
    columns
        The columns to predict from; without it all others that have a domain.
    weights
        A column of survey weights, released unchanged; the model is then about the people whom the rows stand for.
    random_state
        For the starts of the model of the whole table, and for the rows that it completes.
    counts
        Where the released rows are too many for one memory, such as those of a release by Spark: a frame of them counted
        elsewhere, one row for each kind of row, with all columns that have a domain, those that say what a row tells, and a column
        ``count``. For releases whose columns were perturbed or released unchanged.
    backend
        Where the model of the whole table is fitted: ``"numpy"``, or on a GPU ``"torch"`` or ``"cupy"``, with the same numbers up
        to rounding. Models of single columns through noise are always fitted by numpy.

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
    'AveragedClassifier'
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
        return _model_of(release, weights, random_state, counts, backend)
    known = release.schema.names()
    if target not in known:
        raise InvalidParameter(
            "There is no column {target!r} in the release.{hint}", target=target, hint=nearest(target, known)
        )
    if release.schema[target].domain is None:
        raise InvalidParameter("{target!r} has no declared domain, so it cannot be predicted.", target=target)
    refuse_dates(release.original(target))
    if release.mechanism.channels and counts is None:
        suited = by_channels(release, target, columns, weights)
        if suited is not None:
            return _said(*suited)
    whole = _model_of(release, weights, random_state, counts, backend)
    found = whole.estimator(target, columns)
    if release.mechanism.channels:
        return _said(found, HIDDEN if answers_hidden(release, target) else UNDETERMINED)
    return _said(found, _why(whole, isinstance(found, AveragedClassifier)))


def _why(model: ReleaseModel, averaged: bool) -> str:
    """Say why rows are completed before anything is fitted to them."""
    mechanism = model._release.mechanism
    if mechanism.partly_told:
        return SOME_TOLD_AVERAGED if averaged else SOME_TOLD
    if mechanism.grouping is not None:
        return phrase(
            "noise stays inside the box of each group, so rows are completed first, given their boxes and the noise."
        )
    if model._observed.trust == 0:
        return _why_not(model)
    if mechanism.recoding is not None:
        return LABELS_AVERAGED if averaged else LABELS
    if mechanism.swapping is not None:
        return SWAPPED
    return phrase("no column has noise, so it is fitted to the rows as they are.")


def _why_not(model: ReleaseModel) -> str:
    """Say why rows are not completed, where cells say nothing about what they hide."""
    if not model.hides_:
        return phrase("no cell stands for several values, so it is fitted to the rows as they are.")
    if model.suppressed_:
        return phrase("suppressed cells say nothing, so it is fitted to the cells that are there.")
    return phrase("labels say too little about what they hide, so it is fitted to the labels as they are.")


def _model_of(
    release: Release, weights: str | None, random_state: int | np.random.Generator | None, counts: Any, backend: str
) -> ReleaseModel:
    model = ReleaseModel(weights, random_state=random_state, backend=backend).fit(release, counts=counts)
    model.picked_ = Picked(type(model).__name__, _reason(model), {}, expected_quality(release))
    return model


def _reason(model: ReleaseModel) -> str:
    if model._release.mechanism.swapping is not None:
        return SWAPPED
    if not model.n_components_:
        return phrase("no column has noise, so rows are taken as they are.")
    if model.even_ and not model.hides_:
        return phrase("no cell stands for several values, so rows are taken as they are.")
    if model.even_ and model.suppressed_:
        return phrase(
            "suppressed cells say nothing, so they are spread evenly over the values that they may stand for."
        )
    if model.even_:
        return phrase(
            "labels say too little about what they hide, so people are spread evenly over the values of a label."
        )
    made = [
        phrase(
            "a mixture of {classes:class|classes}, the average of {fits:fit|fits}.",
            classes=model.n_components_,
            fits=model.n_init,
        )
    ]
    if model.boxed_:
        made.append(phrase(" Rows of a box are taken to differ in what it hides as the model and an even spread say."))
    if not model.determined_:
        made.append(phrase(" The noise leaves open how columns go together: the fits disagree."))
    return Joined(made)


def _said(model: Any, reason: str) -> Any:
    model.picked_ = Picked(type(model).__name__, reason, model.signal_)
    return model
