"""Models fitted again to rows with random weights: where they start, what they keep, and how far they spread."""

from __future__ import annotations

import numpy as np
import pytest

import tokumei as tk
from tests.reconstruction.test_release_model import released
from tokumei.errors import InvalidParameter
from tokumei.reconstruction._mixture_size import fitted_from
from tokumei.reconstruction.redrawn import balanced, given, redrawn
from tokumei.reconstruction.release_model import ReleaseModel


@pytest.fixture(scope="module")
def model() -> ReleaseModel:
    found: ReleaseModel = tk.reconstruct(released(1500, 2))
    return found


def test_the_same_weights_lead_to_the_same_fit(model: ReleaseModel) -> None:
    for part in model._parts:
        again = fitted_from(model._observed, part).mixture
        for one, other in zip(part.thetas, again.thetas, strict=True):
            np.testing.assert_allclose(one, other, atol=0.02)


def test_every_copy_has_weights_and_a_fit_of_its_own(model: ReleaseModel) -> None:
    made = redrawn(model, 3, np.random.default_rng(0))
    tables = [model.table("age").pmf_, *(each.table("age").pmf_ for each in made)]
    assert all(not np.array_equal(one, other) for one in tables for other in tables if one is not other)
    for each in made:
        assert each._observed.weights.mean() == pytest.approx(1)
        assert each._observed.weights.std() == pytest.approx(0.5**0.5, abs=0.1)  # (m - 1) / (m + 1) is the variance
    total = sum(each._observed.weights for each in made)
    np.testing.assert_allclose(total, 3, rtol=0.1)  # up to the scale of each copy, which sums to the number of rows
    assert model._observed.weights.std() == 0  # the model itself is as it was
    again = redrawn(model, 3, np.random.default_rng(0))
    np.testing.assert_array_equal(again[2].table("age").pmf_, tables[3])


def test_rubins_factor_makes_up_for_balanced_weights() -> None:
    """Of a mean, whose variance is known: copies average to it, and (1 + 1/m) times the variance between them is the bootstrap's."""
    rng = np.random.default_rng(0)
    values, between = rng.normal(size=400), []
    for _ in range(400):
        weights = balanced(5, 400, rng)
        np.testing.assert_allclose(weights.mean(axis=0), 1)
        between.append(np.var(weights @ (values - values.mean()) / 400, ddof=1))
    assert 1.2 * np.mean(between) == pytest.approx(values.var() / 400, rel=0.1)


def test_fits_spread_as_estimates_do(model: ReleaseModel) -> None:
    """The share of a column's first value, over 40 fits, against its spread over 40 releases: within 40 %, over three errors of the ratio."""
    mine = [each.table("area").pmf_[0] for each in redrawn(model, 40, np.random.default_rng(0))]
    over = [
        ReleaseModel(n_components=3, n_init=1).fit(released(1500, 2, seed=seed)).table("area").pmf_[0]
        for seed in range(40)
    ]
    noise = np.var(over, ddof=1)  # of the mechanism alone: the people are always the same
    sampling = np.mean(mine) * (1 - np.mean(mine)) / 1500
    assert np.std(mine, ddof=1) == pytest.approx((noise + sampling) ** 0.5, rel=0.4)


def test_a_target_stays_apart(model: ReleaseModel) -> None:
    apart = given(model, "ill", np.random.default_rng(0))
    place = model.columns_.index("ill")
    for each in (apart, *redrawn(apart, 2, np.random.default_rng(0), "ill")):
        assert set(np.unique(each._mixture.thetas[place])) == {0.0, 1.0}
    assert not set(np.unique(model._mixture.thetas[place])) <= {0.0, 1.0}
    with pytest.raises(InvalidParameter, match="'age' is not"):
        given(model, "age", np.random.default_rng(0))
    with pytest.raises(InvalidParameter, match="no column 'il'"):
        given(model, "il", np.random.default_rng(0))
