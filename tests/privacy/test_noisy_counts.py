"""Noise with exact probabilities, and the epsilon that follows from them."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import scipy.stats

from tokumei.errors import InvalidParameter
from tokumei.privacy.noisy_counts import decay_of, epsilon_of, total
from tokumei.randomness import Key
from tokumei.randomness.geometric import two_sided_geometric


@pytest.mark.parametrize("epsilon", [0.001, 0.1, 1.0, math.log(2), 7.3, 50.0])
def test_the_decay_is_the_smallest_that_keeps_epsilon(epsilon: float) -> None:
    decay = decay_of(epsilon)
    assert 0 < decay < 2**64
    assert epsilon_of(decay) <= epsilon * (1 + 1e-15)
    assert epsilon_of(decay - max(1, decay >> 40)) > epsilon


def test_exact_adversary_of_a_small_histogram() -> None:
    """No result of noisy counts is more than e^epsilon times as likely after one row was replaced by another."""
    epsilon = 0.8
    q = Fraction(decay_of(epsilon), 2**64)

    def chance(seen: tuple[int, ...], counts: tuple[int, ...]) -> Fraction:
        return math.prod(
            ((1 - q) / (1 + q) * q ** abs(z - c) for z, c in zip(seen, counts, strict=True)), start=Fraction(1)
        )

    before, after = (3, 1, 0), (2, 1, 1)
    ratios = [
        chance((a, b, c), before) / chance((a, b, c), after)
        for a in range(-2, 7)
        for b in range(-2, 5)
        for c in range(-3, 5)
    ]
    assert max(ratios) == 1 / q**2
    assert float(max(ratios)) <= math.exp(epsilon) * (1 + 1e-12)
    assert float(max(ratios)) > math.exp(0.999 * epsilon)


def fits(drawn: np.ndarray, epsilon: float) -> float:
    """Return the p-value of a chi-squared test against the noise of an epsilon."""
    q = math.exp(-epsilon / 2)
    edge = 8
    seen = np.bincount(np.clip(drawn, -edge, edge) + edge, minlength=2 * edge + 1)
    law = np.array([(1 - q) / (1 + q) * q ** abs(z) for z in range(-edge, edge + 1)])
    law[[0, -1]] = q**edge / (1 + q)
    return float(scipy.stats.chisquare(seen, law * len(drawn)).pvalue)


@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_the_noise_has_its_scale_and_no_other(epsilon: float) -> None:
    drawn = two_sided_geometric(Key.seeded(5).stream("rates", "x"), 20_000, decay_of(epsilon))
    assert fits(drawn, epsilon) > 1e-4
    for wrong in (epsilon * 1.3, epsilon / 1.3):
        assert fits(drawn, wrong) < 1e-12


def test_noise_is_fresh_for_each_place_and_stream() -> None:
    first, again, other = (
        two_sided_geometric(Key.seeded(5).stream("rates", name), 500, decay_of(1.0)) for name in ("x", "x", "y")
    )
    assert (first == again).all()
    assert abs(np.corrcoef(first, other)[0, 1]) < 0.2
    assert abs(np.corrcoef(first[1:], first[:-1])[0, 1]) < 0.2


def test_epsilons_add_up() -> None:
    assert total([1.0]) == 1.0
    assert total([0.1] * 3) >= 0.3
    for epsilon in (0.0, -1.0, 51.0, math.nan):
        with pytest.raises(InvalidParameter, match="epsilon must be between"):
            decay_of(epsilon)
