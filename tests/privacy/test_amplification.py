"""Figures that the papers on shuffling have published: reproduced from their formulas, and never below what this library states."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest

from benchmarks.amplification import (
    DELTA,
    LOCAL,
    PUBLISHED,
    ROWS,
    Amplified,
    any_mechanism,
    clones,
    k_ary,
    ours,
    reproduced,
    response,
    smallest,
)
from tokumei.mechanism.retention import Retention
from tokumei.privacy.shuffling import closed_form


def test_the_blanket_papers_figures_come_back() -> None:
    found = reproduced()
    assert list(found) == list(PUBLISHED)
    for name, published in PUBLISHED.items():
        assert found[name] == pytest.approx(published, rel=1e-9), name


@pytest.mark.parametrize(
    ("variable", "published"),
    [
        (any_mechanism(4, 0.25), Amplified(0.01831563888873418, 54.574632287288225, 124.66172899508733, 144.6152655550164)),
        (response(2, 4, 0.25), Amplified(0.03597241992418312, 1.9178380785934013, 4.403726990562285, 4.928873289176336)),
        (response(100, 4, 0.25), Amplified(0.6510495079427809, 34.710134597944105, 79.7011793024382, 32.323385018018065)),
    ],
    ids=["any", "2 values", "100 values"],
)  # fmt: skip
def test_the_amplification_variable_is_as_published(variable: Amplified, published: Amplified) -> None:
    assert vars(variable) == pytest.approx(vars(published), rel=1e-12)


@pytest.mark.parametrize("values", [2, 100])
def test_a_channels_blanket_is_that_of_the_paper(values: int) -> None:
    channel = Retention.solve(values, Fraction(math.exp(-8)).limit_denominator(10**12))
    assert float(channel.blanket.mass) == pytest.approx(response(values, 4, 0.25).mass, rel=1e-6)
    assert float(channel.blanket.spread) == pytest.approx(math.exp(4), rel=1e-6)


def test_what_is_stated_is_below_every_published_bound() -> None:
    for values in (2, 100):
        stated = ours(values, LOCAL, ROWS)
        assert 0 < stated < min(PUBLISHED[f"{bound}, {values} values"] for bound in ("Hoeffding", "Bennett"))


def test_clones_are_the_divergence_of_their_two_distributions() -> None:
    """Four rows, by writing out every number of clones and of each kind."""
    rows, local, epsilon = 4, 1.0, 0.3
    p, e = math.exp(local), math.exp(epsilon)
    alpha, chances = p / (p + 1), {}
    for count in range(rows):
        chance = math.comb(rows - 1, count) * (1 / p) ** count * (1 - 1 / p) ** (rows - 1 - count)
        for own, mine in itertools.product(range(count + 1), (0, 1)):
            seen = count, own + mine
            weight = chance * math.comb(count, own) / 2**count
            first, second = chances.get(seen, (0.0, 0.0))
            more = (alpha, 1 - alpha) if mine else (1 - alpha, alpha)
            chances[seen] = first + weight * more[0], second + weight * more[1]
    exact = sum(max(0.0, first - e * second) for first, second in chances.values())
    assert clones(rows, local, epsilon) == pytest.approx(exact, abs=1e-12)


def test_bounds_of_the_clones_are_in_their_order() -> None:
    rows, local = 2_000, 1.0
    summed = smallest(lambda epsilon: clones(rows, local, epsilon), local)
    assert (
        ours(100, local, rows) < ours(10, local, rows) < ours(2, local, rows) < summed < closed_form(rows, local, DELTA)
    )


def test_the_theorem_on_responses_is_kept() -> None:
    rows, values, epsilon = 10_000, 10, 1.0
    gamma = k_ary(rows, values, epsilon)
    local = math.log(1 + (1 - gamma) * values / gamma)
    assert gamma < 1
    assert ours(values, local, rows) < epsilon
