"""Estimators of population uniqueness: a published fit, samples from known populations, and the rule that picks one."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tokumei.errors import InvalidParameter
from tokumei.risk.uniqueness import pitman as pitmans
from tokumei.risk.uniqueness.pitman import Partition, fit, pitman
from tokumei.risk.uniqueness.population import population_uniqueness
from tokumei.risk.uniqueness.slide_negative_binomial import population_classes, slide_negative_binomial
from tokumei.risk.uniqueness.zayatz import zayatz
from tokumei.table.sizes import ClassSizes


def of(counts: dict[int, int]) -> ClassSizes:
    return ClassSizes(tuple(counts), tuple(size * many for size, many in counts.items()))


def sampled(people: np.ndarray, rate: float, rng: np.random.Generator) -> ClassSizes:
    sizes = np.bincount(rng.choice(people, int(rate * len(people)), replace=False))
    return ClassSizes.of_classes(sizes[sizes > 0])


def test_pitmans_parameters_as_published() -> None:
    """The tomato-flower library of Lijoi, Mena and Prünster (2007, Biometrika 94): alpha .612, theta 741."""
    counts = dict(
        zip(
            [*range(1, 15), 16, 23, 27],
            [1434, 253, 71, 33, 11, 6, 2, 3, 1, 2, 2, 1, 1, 1, 2, 1, 1],
            strict=True,
        )
    )
    found = of(counts)
    assert (found.rows, found.classes) == (2586, 1825)
    best = fit(found)
    assert best.alpha == pytest.approx(0.612, abs=5e-4)
    assert best.theta == pytest.approx(741, abs=1)


def likelihood(alpha: float, theta: float, counts: dict[int, int]) -> float:
    """Pitman's log-likelihood, term by term."""
    rows, classes = sum(size * many for size, many in counts.items()), sum(counts.values())
    new = sum(math.log(theta + i * alpha) for i in range(1, classes))
    every = sum(math.log(theta + i) for i in range(1, rows))
    within = sum(many * sum(math.log(i - alpha) for i in range(1, size)) for size, many in counts.items())
    return new - every + within


@pytest.mark.parametrize("counts", [{1: 5, 2: 1}, {1: 40, 2: 12, 3: 5, 9: 2}, {1: 2, 50: 3}])
def test_pitmans_fit_is_a_maximum(counts: dict[int, int]) -> None:
    best = fit(of(counts))
    top = likelihood(best.alpha, best.theta, counts)
    for alpha, theta in ((0.99, 1.0), (1.01, 1.0), (1.0, 0.98), (1.0, 1.02)):
        moved = min(best.alpha * alpha, 1 - 1e-12)
        assert likelihood(moved, (best.theta + best.alpha) * theta - moved, counts) <= top + 1e-7


@pytest.mark.parametrize(("alpha", "theta"), [(0.3, 5.0), (0.7, 0.2), (0.5, -0.3)])
def test_expected_uniques_against_the_urn(alpha: float, theta: float) -> None:
    """A person starts a class with (theta + alpha u) / (theta + n); follow the expected classes of one step by step."""
    ones, classes = 1.0, 1.0
    for n in range(1, 60):
        new = (theta + alpha * classes) / (theta + n)
        ones += new - ones * (1 - alpha) / (theta + n)
        classes += new
    assert Partition(alpha, theta).uniques(60) == pytest.approx(ones, rel=1e-10)
    large = 10**7
    hoshino = math.gamma(theta + 1) / math.gamma(theta + alpha) * large**alpha
    assert Partition(alpha, theta).uniques(large) == pytest.approx(hoshino, rel=1e-4)


def test_zayatz_by_hand() -> None:
    """Three of six people, one class of one and one of two: h(1) = 1/2, h(2) = 3/5, so P = 5/11."""
    assert zayatz(of({1: 1, 2: 1}), 6) == pytest.approx(1 * 5 / 11 * 2)


def test_classes_of_the_population_by_hand() -> None:
    """Half sampled, four classes of one: A = 1, B = 1, C = 2, D = 2, so 4 + 4."""
    assert population_classes(of({1: 4}), 0.5) == pytest.approx(8)


def test_slide_negative_binomial_finds_its_own_parameters() -> None:
    """Expected counts of a population that follows the model give back its uniques, if its classes are known."""
    a, b, rate, classes = 0.6, 0.2, 0.6, 10**6
    rng = np.random.default_rng(0)
    people = np.repeat(np.arange(classes), 1 + rng.negative_binomial(a, b, classes))
    found = slide_negative_binomial(sampled(people, rate, rng), len(people))
    assert found == pytest.approx(classes * b**a, rel=0.03)
    assert slide_negative_binomial(of({1: 3, 5: 1}), 100) is None


def populations() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(7)
    return {
        "heavy tail": rng.zipf(1.5, 20_000) % 5000,
        "slide negative binomial": np.repeat(np.arange(8000), 1 + rng.negative_binomial(0.5, 0.2, 8000)),
        "gamma": np.repeat(np.arange(30_000), rng.poisson(rng.gamma(0.1, 10, 30_000))),
    }


@pytest.mark.parametrize("name", populations())
@pytest.mark.parametrize(("rate", "within"), [(0.1, 0.35), (0.3, 0.2), (0.7, 0.1)])
def test_the_rule_comes_near_known_populations(name: str, rate: float, within: float) -> None:
    people = populations()[name]
    truth = int(np.count_nonzero(np.bincount(people) == 1))
    rng = np.random.default_rng(1)
    guesses = [population_uniqueness(sampled(people, rate, rng), len(people)).people for _ in range(15)]
    assert abs(np.median(guesses) / truth - 1) < within
    naive = np.median([sampled(people, rate, rng).unique / rate for _ in range(5)])
    assert abs(np.median(guesses) / truth - 1) < abs(naive / truth - 1)


def test_the_rule_of_dankar() -> None:
    sample = of({1: 40, 2: 15, 3: 8, 10: 1})
    small = population_uniqueness(sample, sample.rows * 10)
    assert (small.chosen, small.people, small.sampled) == ("pitman", small.pitman, 0.1)
    large = population_uniqueness(sample, sample.rows * 2)
    assert large.slide_negative_binomial is not None
    assert large.people == min(large.zayatz, large.slide_negative_binomial)
    assert large.chosen in {"zayatz", "slide_negative_binomial"}
    without = population_uniqueness(of({1: 40, 3: 8}), 100)
    assert without.slide_negative_binomial is None
    assert without.chosen == "zayatz"
    census = population_uniqueness(sample, sample.rows)
    assert (census.chosen, census.people, census.right_match) == ("counted", 40, 1)
    assert population_uniqueness(sample, 1000, counted=3).people == 3


def test_right_matches_by_hand() -> None:
    """Half sampled, 4 alone and 1 pair: 2 / (2 + 1)."""
    assert population_uniqueness(of({1: 4, 2: 1}), 12).right_match == pytest.approx(2 / 3)
    assert population_uniqueness(of({2: 1}), 12).right_match is None


def test_edges() -> None:
    nobody, everybody = of({2: 3, 4: 1}), of({1: 9})
    for estimate in (pitman, zayatz, slide_negative_binomial):
        assert estimate(nobody, 100) == 0
    assert pitman(everybody, 100) == 100
    assert zayatz(everybody, 100) == pytest.approx(100)
    for wrong in (5, True, 10.5):
        with pytest.raises(InvalidParameter, match="whole number of people"):
            population_uniqueness(everybody, wrong)  # type: ignore[arg-type]
    assert pitmans.Partition(0.5, 1.0).uniques(1) == 1


@pytest.mark.parametrize("people", [100, 101, 130, 2000])
def test_zayatz_is_hypergeometric(people: int) -> None:
    sample = of({1: 50, 2: 10, 30: 1})
    once = [j * math.comb(people - j, sample.rows - 1) / math.comb(people, sample.rows) for j in (1, 2, 30)]
    stays = 50 * once[0] / (50 * once[0] + 10 * once[1] + once[2])
    assert zayatz(sample, people) == pytest.approx(50 * stays * people / sample.rows, rel=1e-9)


def test_zayatz_is_exact_in_a_large_population() -> None:
    """Two rows alone and a pair: h(2) / h(1) = 2 (N - 4) / (N - 1)."""
    for people in (10**9, 10**15):
        stays = 2 / (2 + 2 * (people - 4) / (people - 1))
        assert zayatz(of({1: 2, 2: 1}), people) == pytest.approx(2 * stays * people / 4, rel=1e-12)
