"""Complete rows from a release, for whatever expects rows: one for each released row, or as many as wanted."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from tokumei.errors import InvalidParameter
from tokumei.learning.card import card_of
from tokumei.learning.limits import Limits
from tokumei.learning.reconstruct import reconstruct
from tokumei.learning.synthesized import Synthesized
from tokumei.parallel import one_blas_thread
from tokumei.progress import stage
from tokumei.randomness import generator
from tokumei.reconstruction.redrawn import given, redrawn
from tokumei.reconstruction.release_model import ReleaseModel
from tokumei.release.artifact import Release
from tokumei.table.domain import Categories


@stage("Completing rows")
@one_blas_thread()
def synthesize(
    release: Release | ReleaseModel,
    rows: int | None = None,
    copies: int | None = None,
    *,
    target: str | None = None,
    weights: str | None = None,
    random_state: int | np.random.Generator | None = 0,
) -> Synthesized:
    """Complete the rows of a release: rows in the original's columns and types, drawn from what the release leaves open.

    They are computed from the release alone, so its guarantees hold for them as well, and nothing more is guaranteed. A row that
    was drawn is nobody's row.

    Parameters
    ----------
    release
        A release that `reconstruct` takes without a target, or the model that it made of one.
    rows
        How many rows to draw. Without it, one row is imputed for each released row, which is better: what a row shows stays
        in it, cells that were released unchanged are not drawn at all, and copies give intervals, which those of drawn rows do not.
    copies
        How many copies to make. Estimates from one copy look more certain than they are; with several, `pool` combines them.
        For each copy the model is fitted again to released rows with random weights, so that copies also differ by what
        is unknown about the model.
    target
        A column of categories that was released unchanged, and that the rows will be used to explain: the other columns are
        then modelled for each of its values. Coefficients of such models are biased less.
    weights
        A column of survey weights, released unchanged: the model is then of the people whom the rows stand for.
    random_state
        For the fits and the draws.

    Returns
    -------
    synthesized
        With ``frames`` (the copies), ``frame`` (all in one), ``card`` (what they are good for), ``pool`` and ``write``.

    Examples
    --------
    >>> import tokumei as tk
    >>> rows = tk.example_census(rows=3000)
    >>> release = tk.anonymize(rows, tk.example_schema(), tk.PkPerturbation(k=5, tells=2), seed=1)
    >>> made = tk.synthesize(release, copies=3)
    >>> made
    <Synthesized: 3 copies of 3,000 imputed rows with 8 columns>
    >>> men = [(each["sex"] == "Male").astype(float) for each in made.frames]
    >>> pooled = made.pool([each.mean() for each in men], [each.var() / len(each) for each in men], of="shares")
    >>> pooled.copies, pooled.about
    (3, 'population')
    """
    if not isinstance(release, Release | ReleaseModel):
        raise InvalidParameter("synthesize needs a release, such as the one that read_release returns.")
    if isinstance(release, ReleaseModel) and weights is not None:
        raise InvalidParameter("A model has its weights already; give them to tk.reconstruct, and leave them out here.")
    for name, given_number in (("rows", rows), ("copies", copies)):
        _check_count(given_number, name)
    rng = generator(random_state)
    if isinstance(release, ReleaseModel):
        check_is_fitted(release, "columns_")
        model, source, weights = release, release._release, release.weights
    else:
        model, source = reconstruct(release, weights=weights, random_state=rng), release
    many = 1 if copies is None else int(copies)
    if target is not None:
        model = given(model, target, rng)
    models = [model] if many == 1 else redrawn(model, many, rng, target)
    frames = []
    with stage("Drawing rows", many) as shown:
        for each in models:
            frames.append(each.impute(random_state=rng) if rows is None else each.sample(int(rows), random_state=rng))
            shown.advance()
    originals = [source.original(name) for name in model.columns_]
    return Synthesized(
        tuple(frames),
        card_of(source, model, None if rows is None else int(rows), many, target, weights),
        None if rows is None else int(rows) / source.rows,
        Limits.of(source, model, target) if rows is None else Limits.drawn(),
        source.origin,
        {each.name: each.domain.values for each in originals if isinstance(each.domain, Categories)},
    )


def _check_count(number: Any, name: str) -> None:
    whole = isinstance(number, int | np.integer) and not isinstance(number, bool) and number >= 1
    if number is not None and not whole:
        raise InvalidParameter("{name} must be a whole number of at least 1.", name=name)
