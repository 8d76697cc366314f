"""What predicts a column of a release, fitted to rows that a model of the whole table completed, or to what rows show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tokumei.arrays import Integers
from tokumei.progress import stage
from tokumei.randomness import generator
from tokumei.reconstruction._mixture import Mixture
from tokumei.reconstruction._mixture_size import fitted_apart
from tokumei.reconstruction.averaged import IMPUTED, TOLD, AveragedClassifier
from tokumei.reconstruction.class_conditional import ClassConditionalClassifier
from tokumei.reconstruction.imputed import Drawn, ImputedClassifier, ImputedRegressor
from tokumei.table.domain import Categories

if TYPE_CHECKING:
    from tokumei.reconstruction.release_model import ReleaseModel

COPIES = 5  # of imputed rows, that predictions are learned from
ENOUGH = 250_000  # imputed rows for that
MOST_APART = 12  # values of a target for which the other columns are modelled one by one


def predictor(model: ReleaseModel, target: str, others: Sequence[str], drawn: Drawn) -> Any:
    """Fit what predicts a column to rows that were drawn, averaged with a simpler model where there is one that errs differently."""
    column, mechanism = model._columns[target], model._release.mechanism
    if not isinstance(column.attribute.domain, Categories):
        return ImputedRegressor(target, others).fit(drawn)
    found = ImputedClassifier(target, others).fit(drawn)
    simpler: Any = None
    if column.kept and mechanism.telling is not None and model._observed.many is None:
        simpler = ClassConditionalClassifier(target, others, model.weights).fit(model._release)
    elif column.kept and mechanism.recoding is not None and not drawn.labels:
        simpler = ImputedClassifier(target, others).fit(as_released(model))
    share = IMPUTED if mechanism.telling is None else TOLD
    return found if simpler is None else AveragedClassifier(target, others, share).fit(found, simpler)


def drawn_for(model: ReleaseModel, target: str) -> Drawn:
    """Complete rows to fit predictions of a column to: a few copies, fewer where there are many rows.

    Where the target was released unchanged, the other columns are modelled given its value.
    """
    release, observed, rng = model._release, model._observed, generator(model.random_state)
    if observed.trust == 0:  # suppressed cells say nothing, and drawing them would add noise
        return as_released(model)
    mixture = _given(model, target, rng)
    if observed.many is not None:
        codes = model._codes(mixture, model._some(ENOUGH, rng), rng)
        return Drawn(model._columns, codes, np.ones(ENOUGH), release.originals)
    copies = int(np.clip(ENOUGH // release.rows, 1, COPIES))
    made = [model._codes(mixture, np.arange(release.rows), rng) for _ in range(copies)]
    codes = {name: np.concatenate([each[name] for each in made]) for name in model.columns_}
    return Drawn(model._columns, codes, np.tile(observed.weights, copies) / copies, release.originals)


def _given(model: ReleaseModel, target: str, rng: np.random.Generator) -> Mixture:
    """Return the model's mixture; one for each value of a target that was released unchanged, where there are a few."""
    if target in model._apart:
        return Mixture.together(model._apart[target])
    present, observed = values_apart(model, target), model._observed
    if present is None or model.boxed_ or observed.trust < 1:
        return model._mixture
    with stage(f"Fitting a model for each value of {target}") as shown:
        place = model.columns_.index(target)
        fits = fitted_apart(observed, place, present, model.n_components_, model.n_init, rng, shown)
    return Mixture.together([each.mixture for each in fits])


def values_apart(model: ReleaseModel, name: str) -> Integers | None:
    """Return the values of a column for each of which the others can be modelled: of classes that were released unchanged, if they are few."""
    column = model._columns[name]
    if not column.kept or not isinstance(column.attribute.domain, Categories):
        return None
    present = np.unique(column.bins[model._release.coded.codes(name)])
    return present if 1 < len(present) <= MOST_APART else None


def as_released(model: ReleaseModel) -> Drawn:
    """Return the rows of a recoded release, with their labels as they are."""
    release, codes, labels = model._release, {}, {}
    recoding = release.mechanism.recoding
    assert recoding is not None
    for name in model.columns_:
        codes[name] = release.coded.codes(name).astype(np.int64)
        if name in recoding.columns:
            how = recoding.columns[name]
            low, high = how.spans.T
            value = np.argsort(how.axis.place)[low]
            codes[name] = np.where(low == high, value, -1 - np.arange(len(low)))[codes[name]]
            labels[name] = how.spans
    return Drawn(model._columns, codes, model._observed.weights, release.originals, labels)
