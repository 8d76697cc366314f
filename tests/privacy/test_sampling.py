"""Samples: the promise against an adversary who enumerates who was drawn, and the one who knows only part."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

import tokumei as tk
from tokumei.anonymizers.pk_perturbation import solve_channels
from tokumei.errors import InfeasiblePromise, InvalidParameter
from tokumei.mechanism.record import Mechanism
from tokumei.mechanism.retention import Retention
from tokumei.mechanism.transition_matrix import TransitionMatrix
from tokumei.privacy.exact import link_posteriors, sampled_posteriors, tables
from tokumei.privacy.sampling import (
    HidingPlace,
    achieved,
    best_rate,
    largest_sample,
    likely_size,
    partial_risk,
    required_ratio,
)


def mechanism_of(*channels) -> Mechanism:
    return Mechanism({str(place): channel for place, channel in enumerate(channels)})


def worst(
    matrix: np.ndarray,
    rows: int,
    size: int,
    strata: tuple[int, ...] = (),
    taken: tuple[int, ...] = (),
    labels: tuple[int, ...] | None = None,
) -> dict[int, float]:
    """The largest posterior over all tables and releases, for each stratum; ``matrix[true, released]``."""
    if not strata:
        return {0: worst_of_samples(matrix, rows, size)}
    found: dict[int, float] = {}
    groups = strata or (0,) * rows
    per_group = [groups.count(g) for g in sorted(set(groups))]
    for parts in itertools.product(*(tables(matrix.shape[0], n) for n in per_group)):
        table = [x for part in parts for x in part]
        for release in itertools.product(range(matrix.shape[1]), repeat=size):
            posterior = sampled_posteriors(matrix[np.ix_(table, release)], groups, taken or (size,), labels)
            for person, group in enumerate(groups):
                found[group] = max(found.get(group, 0.0), float(posterior[person].max()))
    return found


def worst_of_samples(matrix: np.ndarray, rows: int, size: int) -> float:
    """The largest posterior without strata: everybody who was not drawn is matched with a column of ones."""
    releases = np.array(list(tables(matrix.shape[1], size)))
    largest = 0.0
    for table in tables(matrix.shape[0], rows):
        likelihood = matrix[np.array(table)[None, :, None], releases[:, None, :]]
        full = np.concatenate([likelihood, np.ones((len(releases), rows, rows - size))], axis=2)
        largest = max(largest, float(link_posteriors(full)[:, :, :size].max()))
    return largest


def test_both_adversaries_agree() -> None:
    rng = np.random.default_rng(0)
    for rows, size in ((3, 2), (4, 2), (5, 3)):
        likelihood = rng.random((rows, size))
        full = np.concatenate([likelihood, np.ones((rows, rows - size))], axis=1)
        assert np.allclose(link_posteriors(full)[:, :size], sampled_posteriors(likelihood, [0] * rows, [size]))


# Perturbed samples.


@pytest.mark.parametrize("rows", [2, 3, 4, 5])
def test_solved_samples_reach_their_promise_and_never_more(rows: int) -> None:
    coin = tk.Attribute("b", domain=tk.Categories([False, True]))
    for size in range(1, rows + 1):
        place = HidingPlace(rows - size, size)
        channels = solve_channels([coin], place, 1.4, "even")
        k = achieved(place, Mechanism(channels))
        assert Fraction(1.4) <= k <= Fraction(1.4) * (1 + Fraction(1, 10**6))
        posterior = worst(channels["b"].matrix().T, rows, size)[0]
        assert posterior <= float(1 / k) * (1 + 1e-12)
        assert posterior == pytest.approx(float(1 / k), rel=1e-9)


@pytest.mark.parametrize("seed", range(300))
def test_random_matrices_keep_their_promise(seed: int) -> None:
    """Square and rectangular matrices, every size of table and sample; the sharper form holds, and is sharper."""
    rng = np.random.default_rng(seed)
    true, released = rng.integers(2, 4, 2)
    channel = TransitionMatrix.from_probabilities(rng.dirichlet(np.full(released, rng.choice([0.5, 1, 5])), size=true))
    rows = int(rng.integers(2, 6 if max(true, released) == 3 else 7))
    matrix = channel.matrix().T
    for size in range(1, rows + 1):
        place = HidingPlace(rows - size, size)
        k = achieved(place, mechanism_of(channel))
        plain = 1 + place.outside * channel.ratio + (size - 1) * channel.swap
        assert k >= plain
        assert worst(matrix, rows, size)[0] <= float(1 / k) * (1 + 1e-12)


def test_how_tight_random_matrices_are() -> None:
    """Samples of size m = n are tight for any matrix; smaller ones close to it for most."""
    rng = np.random.default_rng(3)
    slack = []
    for _ in range(12):
        channel = TransitionMatrix.from_probabilities(rng.dirichlet([1, 1], size=2))
        for size in (1, 2, 3):
            k = achieved(HidingPlace(3 - size, size), mechanism_of(channel))
            slack.append(worst(channel.matrix().T, 3, size)[0] * float(k))
    assert max(slack) <= 1 + 1e-12
    assert np.median(slack) > 0.97
    assert sum(each > 1 - 1e-9 for each in slack) >= 12


def test_products_of_columns_keep_their_promise() -> None:
    rng = np.random.default_rng(1)
    for _ in range(10):
        channels = [TransitionMatrix.from_probabilities(rng.dirichlet([2, 2], size=2)) for _ in range(2)]
        joint = np.kron(channels[0].matrix().T, channels[1].matrix().T)
        for rows, size in ((3, 1), (3, 2), (3, 3)):
            k = achieved(HidingPlace(rows - size, size), mechanism_of(*channels))
            assert worst(joint, rows, size)[0] <= float(1 / k) * (1 + 1e-12)


def test_knowing_who_was_drawn_is_the_smaller_promise() -> None:
    """The notes' example: n = 10^4, k = 10, m = 1000 falls to 1.001 when membership is known."""
    coin = tk.Attribute("b", domain=tk.Categories([False, True]))
    place = HidingPlace(9000, 1000)
    mechanism = Mechanism(solve_channels([coin], place, 10, "even"))
    assert float(achieved(place, mechanism)) == pytest.approx(10, rel=1e-6)
    assert float(achieved(HidingPlace(0, 1000), mechanism)) == pytest.approx(1.001, abs=1e-4)


@pytest.mark.parametrize(("rate", "retention"), [(None, 0.764), (0.1, 0.990), (0.5, 0.982)])
def test_retention_gained_by_sampling(rate: float | None, retention: float) -> None:
    ten = tk.Attribute("a", domain=tk.Categories(list(range(10))))
    size = 10_000 if rate is None else int(10_000 * rate)
    channel = solve_channels([ten], HidingPlace(10_000 - size, size), 10, "even")["a"]
    assert isinstance(channel, Retention)
    assert channel.retention == pytest.approx(retention, abs=5e-4)


def test_the_best_rate_is_not_small() -> None:
    assert best_rate(10_000, 10, 10) == pytest.approx(0.89, abs=0.02)


def test_required_ratio_solves_its_equation() -> None:
    for place, k in ((HidingPlace(900, 100), 5), (HidingPlace(0, 100), 5), (HidingPlace(7, 1), 3)):
        x = required_ratio(place, k)
        assert place.outside * x + (place.inside - 1) * x**2 == pytest.approx(k - 1)
    assert required_ratio(HidingPlace(0, 1), 2) == math.inf


# Strata.

STRATA = [((2, 2), (1, 1)), ((3, 2), (2, 1)), ((3, 2), (1, 2)), ((3, 1), (1, 1)), ((2, 2), (2, 1))]


@pytest.mark.parametrize("released", [True, False])
@pytest.mark.parametrize(("sizes", "taken"), STRATA)
def test_strata_keep_their_promise(sizes: tuple[int, ...], taken: tuple[int, ...], released: bool) -> None:
    rng = np.random.default_rng(0)
    groups = tuple(g for g, n in enumerate(sizes) for _ in range(n))
    labels = tuple(g for g, m in enumerate(taken) for _ in range(m)) if released else None
    total = sum(taken)
    matrices = [TransitionMatrix.from_probabilities(rng.dirichlet([1, 1], size=2)) for _ in range(4)]
    for channel in [*matrices, Retention.solve(2, Fraction(1, 7))]:
        found = worst(channel.matrix().T, len(groups), total, groups, taken, labels)
        for g, (n, m) in enumerate(zip(sizes, taken, strict=True)):
            place = HidingPlace(n - m, m if released else total)
            assert found[g] <= float(1 / achieved(place, mechanism_of(channel))) * (1 + 1e-12)


def test_released_labels_of_a_symmetric_channel_are_tight() -> None:
    channel = Retention.solve(2, Fraction(1, 7))
    found = worst(channel.matrix().T, 5, 3, (0, 0, 0, 1, 1), (2, 1), (0, 0, 1))
    for g, place in enumerate((HidingPlace(1, 2), HidingPlace(1, 1))):
        assert found[g] == pytest.approx(float(1 / achieved(place, mechanism_of(channel))), rel=1e-9)


# Bernoulli.


def test_bernoulli_may_draw_everybody() -> None:
    """Its worst case is the unsampled promise, whatever the rate: that is why it is refused."""
    channel = Retention.solve(2, Fraction(1, 7))
    drawn_all = worst(channel.matrix().T, 4, 4)[0]
    hoped = achieved(HidingPlace(2, 2), mechanism_of(channel))
    assert drawn_all > float(1 / hoped) * 1.05


def test_likely_size_is_a_quantile() -> None:
    from scipy.stats import binom

    for n, rate, delta in ((100, 0.5, 0.01), (1000, 0.1, 1e-6), (50, 0.9, 0.5)):
        size = likely_size(n, Fraction(rate), delta)
        assert binom.sf(size, n, rate) <= delta
        assert size == 0 or binom.sf(size - 1, n, rate) > delta


# The attacker who knows part of the table.


def exact_partial(rows: int, known: list[int], release: tuple[int, ...], unseen: Fraction) -> list[list[Fraction]]:
    """P(known person i gave row j) for unknown people who look like the known ones, or with mass ``unseen`` like none.

    Enumerates the records of the unknown people and every ordered sample. The value -1 stands for "unlike anybody".
    """
    values = sorted(set(known))
    likely = {v: (1 - unseen) * Fraction(known.count(v), len(known)) for v in values} | {-1: unseen}
    total, linked = Fraction(0), [[Fraction(0)] * len(release) for _ in known]
    for others in itertools.product(likely, repeat=rows - len(known)):
        weight = math.prod((likely[v] for v in others), start=Fraction(1))
        if not weight:
            continue
        table = [*known, *others]
        for drawn in itertools.permutations(range(rows), len(release)):
            if all(table[person] == value for person, value in zip(drawn, release, strict=True)):
                total += weight
                for place, person in enumerate(drawn):
                    if person < len(known):
                        linked[person][place] += weight
    return [[each / total if total else Fraction(0) for each in row] for row in linked]


@pytest.mark.parametrize(
    ("rows", "known", "size"), [(3, 1, 1), (4, 2, 1), (4, 2, 2), (4, 2, 3), (5, 2, 2), (5, 2, 4), (4, 3, 1)]
)
def test_partial_knowledge_against_its_closed_form(rows: int, known: int, size: int) -> None:
    """The worst release holds values that nobody known has: the risk is the limit as the mass on these vanishes."""
    people = list(range(known))  # all different
    risk = partial_risk(rows, known, size)
    for mass in (Fraction(1, 100), Fraction(1, 10**8)):
        posteriors = [
            max(map(max, exact_partial(rows, people, release, mass)))
            for release in itertools.product([*people, -1], repeat=size)
        ]
        assert max(posteriors) <= risk * (1 + 2 * rows * mass)
    assert float(max(posteriors)) == pytest.approx(float(risk), rel=1e-6)


def test_shared_records_hide_better() -> None:
    assert partial_risk(100, 10, 20, shared=2) == partial_risk(100, 10, 20) / 2
    people = [0, 0, 1]
    for size in (1, 2):
        found = exact_partial(5, people, (0,) + (-1,) * (size - 1), Fraction(1, 10_000))
        assert found[0][0] <= partial_risk(5, 3, size, shared=2) + Fraction(1, 1000)


def test_the_papers_printed_sum_is_wrong() -> None:
    """Its index range leaves out the last terms: the closed form, not the printed sum, agrees with the enumeration."""
    rows, known, size = 5, 2, 2
    spare = rows - known - (size - 1)
    x = Fraction(1, known - 1)
    terms = [(j, math.comb(spare, j - 1)) for j in range(1, spare)]
    printed = sum(c * x**j for j, c in terms) / sum(j * c * x**j for j, c in terms)
    assert printed > partial_risk(rows, known, size)


def test_largest_samples_are_exact() -> None:
    assert partial_risk(10, 2, 5) == Fraction(2, 6)
    assert partial_risk(10, 5, 7) == 1
    for rows, known in ((100, 7), (1000, 290), (57, 1)):
        for k in (1, 1.5, 2, 3.3):
            if k > rows / known:
                continue
            size = largest_sample(rows, known, k)
            assert partial_risk(rows, known, size) <= 1 / Fraction(k)
            assert size == rows or partial_risk(rows, known, size + 1) > 1 / Fraction(k)
    assert largest_sample(100, 29, Fraction(100, 29)) == 1  # floats would say that no sample is safe


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: partial_risk(10, 11, 1), InvalidParameter, "an attacker cannot know 11 of 10 people"),
        (lambda: partial_risk(10, 1, 11), InvalidParameter, "a sample of 11 cannot be drawn from 10 rows"),
        (lambda: partial_risk(10, 0, 1), InvalidParameter, "known must be a whole number of at least 1"),
        (lambda: partial_risk(10, 2, 1, shared=3), InvalidParameter, "shared must be between 1 and known"),
        (lambda: largest_sample(10, 2, 0.5), InvalidParameter, "k must be a number of at least 1"),
        (lambda: largest_sample(10, 4, 3), InfeasiblePromise, "with probability 4/10 at best, so the largest k is 2.5"),
    ],
)
def test_questions_without_an_answer(call, error, message: str) -> None:
    with pytest.raises(error, match=message):
        call()
