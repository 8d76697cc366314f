"""Central differential privacy of several releases, against all releases of small tables together."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

import tokumei as tk
from tokumei.mechanism.record import Mechanism
from tokumei.mechanism.retention import Retention
from tokumei.privacy.attackers import JointCentralEpsilon, KnowsOthers
from tokumei.privacy.central import Shuffled
from tokumei.privacy.composed import Losses, composed_epsilon, losses_of

from .exact_shuffle import divergence, keeping, releases

THREE = Retention(3, 1000, 3000, 32)


def joint(number: int, times: int, e: Fraction) -> Fraction:
    """Return the largest divergence of several releases of small tables that differ in a row."""
    rows = keeping(3, 3000, 1000)
    largest = Fraction(0)
    for others in itertools.combinations_with_replacement(range(3), number - 1):
        laws = [releases((*others, x), rows) for x in (0, 1)]
        both = [
            {keys: math.prod((law[key] for key in keys), start=Fraction(1)) for keys in itertools.product(law, repeat=times)}
            for law in laws
        ]  # fmt: skip
        largest = max(largest, divergence(both[0], both[1], e), divergence(both[1], both[0], e))
    return largest


@pytest.mark.parametrize(("number", "times"), [(1, 2), (2, 2), (3, 2), (2, 3)])
def test_no_table_exceeds_what_is_stated_of_all_releases(number: int, times: int) -> None:
    shuffled = [Shuffled(Mechanism({"a": THREE}), number)] * times
    for delta in (0.02, 0.1, 0.4):
        epsilon = composed_epsilon(shuffled, delta)
        e = Fraction(math.exp(epsilon)) * (1 - Fraction(1, 10**12))
        exact = float(joint(number, times, e))
        assert exact <= delta
        assert epsilon < times * shuffled[0].epsilon(delta / times) or exact > 0.5 * delta


def test_adding_up_losses_of_one_release_only_is_caught() -> None:
    epsilon = composed_epsilon([Shuffled(Mechanism({"a": THREE}), 3)], 0.1)
    e = Fraction(math.exp(epsilon))
    assert joint(3, 2, e) > 0.1


def test_losses_dominate_the_curve_and_touch_it() -> None:
    shuffled = Shuffled(Mechanism({"a": THREE}), 50)
    step = 0.02
    curve = [shuffled.delta(step * at) for at in range(60)]
    found = losses_of(curve, step)
    for at in range(60):
        assert curve[at] * (1 - 1e-9) <= found.delta(step * at, step) <= curve[at] * (1 + 1e-6) + 1e-12
    for epsilon in np.linspace(0.001, 1.1, 37):
        assert found.delta(float(epsilon), step) >= shuffled.delta(float(epsilon)) * (1 - 1e-9)


def test_many_releases_grow_like_a_root() -> None:
    one = Shuffled(Mechanism({"a": Retention.solve(10, Fraction(9, 16280))}), 16281)
    alone, twelve = one.epsilon(1e-6), composed_epsilon([one] * 12, 1e-6)
    assert math.sqrt(12) * alone <= twelve < 1.2 * math.sqrt(12) * alone
    assert composed_epsilon([one], 1e-6) == pytest.approx(alone, rel=1e-6)


def test_what_promises_nothing_makes_all_promise_nothing() -> None:
    one = Shuffled(Mechanism({"a": THREE}), 10)
    zero = Shuffled(Mechanism({"a": Retention.solve(1, Fraction(1))}), 10)
    assert composed_epsilon([zero, zero], 1e-6) == 0
    assert composed_epsilon([one, zero], 1e-3) == pytest.approx(one.epsilon(5e-4), rel=0.05)


def test_losses_of_a_fair_coin() -> None:
    """Randomized response with p = e: the loss is one or minus one, and so its sum is known."""
    step, p = 1.0, math.e / (1 + math.e)
    curve = [p - (1 - p), 0.0]
    found = losses_of(curve, step)
    assert np.allclose(found.masses, [1 - p, 0, p], atol=1e-12)
    assert isinstance(found.plus(found), Losses)
    assert found.plus(found).delta(1.0, step) == pytest.approx(p * p * (1 - math.exp(-1)), rel=1e-6)


def test_combine_states_it_of_releases_that_have_it() -> None:
    people, schema = tk.example_census(rows=1500), tk.example_schema()
    whole = tk.PkPerturbation(k=10, kept="perturb", tells="all", delta=1e-5)
    one = tk.anonymize(people, schema, whole)
    other = tk.anonymize(people, schema, tk.PkPerturbation(k=20, kept="perturb", tells=1, delta=1e-5))
    said = tk.combine([one, other])[-1]
    assert (said.notion, said.promise, said.attacker) == (
        "central differential privacy",
        JointCentralEpsilon(delta=1e-5),
        KnowsOthers(),
    )
    alone = [release.guarantees[-1].value for release in (one, other)]
    assert max(alone) < said.value < sum(alone)
    assert said.proof == "combined"
    keeps = tk.anonymize(people, schema, tk.PkPerturbation(k=10))
    assert "central differential privacy" not in {g.notion for g in tk.combine([one, keeps])}
