"""A model of the whole table as it might have come out: fitted again to released rows that are weighted at random.

Rows drawn from one fit differ by less than what is unknown, since the fit itself is uncertain. Each copy of imputed rows is
therefore drawn from a fit of its own. Its weights are like those of the Bayesian bootstrap (Rubin 1981), exponential numbers, one for
each released row, but balanced: the weights of a row over all copies sum to their number. Every fit that the model averages is fitted again, by some steps from where it was: rows that are drawn from the average of
several fits tell more than those of one, and with the same weights all of them move together.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np

from tokumei.arrays import Floats, Integers
from tokumei.errors import InvalidParameter
from tokumei.parallel import in_chunks, one_blas_thread
from tokumei.progress import stage
from tokumei.reconstruction._mixture import Mixture, Observed
from tokumei.reconstruction._mixture_size import fitted_apart, fitted_from
from tokumei.reconstruction._predicting import MOST_APART, values_apart
from tokumei.reconstruction.release_model import ReleaseModel
from tokumei.text import nearest

ALL, LEAST = 300, 20  # steps of all fits of a copy together, and of each


def given(model: ReleaseModel, target: str, rng: np.random.Generator) -> ReleaseModel:
    """Return the model with its columns modelled for each value of one that was released unchanged."""
    place, present = _apart(model, target)
    with stage(f"Fitting a model for each value of {target}") as shown:
        fits = fitted_apart(model._observed, place, present, model.n_components_, model.n_init, rng, shown)
    parts = [each.mixture for each in fits]
    return _with(model, model._observed, Mixture.together(parts), parts)


def redrawn(
    model: ReleaseModel, copies: int, rng: np.random.Generator, target: str | None = None, steps: int | None = None
) -> list[ReleaseModel]:
    """Return models that were fitted again to released rows with random weights, one for each copy of rows.

    ``target`` is the column that `given` was called with, if it was. Each fit goes on by ``steps`` steps, with the
    prior of the first fit; without them by as many as all fits of a copy may have, with a prior of its own.
    """
    model._with_rows()
    parts: list[tuple[Mixture, int | None]] = [
        *((each, None if target is None else _apart(model, target)[0]) for each in model._parts),
        *((each, model.columns_.index(name)) for name, several in model._apart.items() for each in several),
    ]
    again_by = max(LEAST, ALL // len(parts)) if steps is None else steps
    made: list[Any] = [None] * copies
    weights = balanced(copies, len(model._observed.which), rng)
    with stage("Fitting again for each copy", copies) as shown:

        def fit(low: int, high: int) -> None:
            for number in range(low, high):
                counted = model._observed.weights * weights[number]
                counted *= len(counted) / counted.sum()
                observed = model._observed.weighted(counted, alone=steps is not None)
                again = [fitted_from(observed, start, apart, again_by).mixture for start, apart in parts]
                made[number] = _with(model, observed, Mixture.together(again), again)
                shown.advance()

        with one_blas_thread():  # as where the model is fitted first
            in_chunks(copies, fit, size=1)
    return made


def balanced(copies: int, rows: int, rng: np.random.Generator) -> Floats:
    """Draw weights of rows for each copy, whose mean over the copies is 1 for every row.

    Exponential numbers e become w = m e / (the sum of e over the m copies), with variance v = (m - 1) / (m + 1) and covariance -v / (m - 1)
    between copies. To the first order an estimate moves with the weights, so that its mean over the copies is that of the rows
    as they are: copies add nothing to what is unknown, and models trained on all of them lose less. The variance between copies is m / (m + 1) of what
    independent weights would show, and (1 + 1/m) times it, as Rubin's rules have it, is just what these would show.
    """
    drawn = rng.standard_exponential((copies, rows))
    made: Floats = drawn * (copies / drawn.sum(axis=0))
    return made


def _with(model: ReleaseModel, observed: Observed, mixture: Mixture, parts: Sequence[Mixture]) -> ReleaseModel:
    made = copy.copy(model)
    made._observed, made._mixture, made._parts = observed, mixture, list(parts)
    made._rows, made._estimators, made._apart = {}, {}, {}
    return made


def _apart(model: ReleaseModel, target: str) -> tuple[int, Integers]:
    """Return the place of a column among the model's, and which of its values occur."""
    if target not in model._columns:
        raise InvalidParameter(
            "The model has no column {name!r}.{hint}", name=target, hint=nearest(str(target), model.columns_)
        )
    present = values_apart(model, target)
    if present is None:
        raise InvalidParameter(
            "target must be a column of categories that was released unchanged, with two to {most} values in the rows, and "
            "{target!r} is not; leave it out.",
            most=MOST_APART,
            target=target,
        )
    return model.columns_.index(target), present
