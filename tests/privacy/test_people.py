"""People with several rows: the promise against the exact adversary, never broken, and reached."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

import tokumei as tk
from tokumei.anonymizers.pk_perturbation import solve_channels
from tokumei.errors import InfeasiblePromise
from tokumei.mechanism.record import Mechanism
from tokumei.mechanism.transition_matrix import TransitionMatrix
from tokumei.privacy.exact import link_posteriors, product_matrix, sampled_posteriors, tables
from tokumei.privacy.people import SharedOut, least_share
from tokumei.privacy.pk import budget, check_feasible
from tokumei.privacy.sampling import HidingPlace, achieved, required_ratio
from tokumei.table.people import People

CATEGORIES = tk.Attribute("c", domain=tk.Categories(["a", "b", "c"]))
COIN = tk.Attribute("b", domain=tk.Categories([False, True]))
SHORT = tk.Attribute("s", domain=tk.Numbers(0, 1, step=1))
MISSING = tk.Attribute("m", domain=tk.Numbers(0, 1, step=1), missing=True)
SCHEMAS = {"coin": [COIN], "categories": [CATEGORIES], "missing": [MISSING], "mixed": [COIN, SHORT]}
OWNERS = [(0, 0, 1, 2), (0, 0, 1, 1), (0, 0, 0, 1), (0, 0, 1, 2, 3), (0, 0, 0, 1, 2)]


def worst_for_people(matrix: np.ndarray, owners: tuple[int, ...]) -> float:
    """The largest probability that a released row is any of a person's rows, over all tables and releases."""
    rows = len(owners)
    mine = (np.array(owners)[None, :] == np.arange(max(owners) + 1)[:, None]).astype(float)
    releases = np.array(list(tables(matrix.shape[0], rows)))
    worst = 0.0
    for table in itertools.product(range(matrix.shape[1]), repeat=rows):
        likelihood = matrix[releases[:, None, :], np.array(table)[None, :, None]]
        worst = max(worst, float((mine @ link_posteriors(likelihood)).max()))
    return worst


@pytest.mark.parametrize("owners", OWNERS, ids=str)
@pytest.mark.parametrize("which", SCHEMAS)
def test_no_table_and_no_release_links_a_row_to_a_person_beyond_the_promise(
    which: str, owners: tuple[int, ...]
) -> None:
    if which == "mixed" and len(owners) == 5:
        owners = owners[:4]
    most = max(owners.count(person) for person in owners)
    k = 1 + 0.7 * (len(owners) / most - 1)
    place = HidingPlace(0, len(owners), most)
    channels = solve_channels(SCHEMAS[which], place, k, "even")
    swap = math.prod((c.swap for c in channels.values()), start=Fraction(1))
    promised = 1 + (len(owners) - most) * swap / most
    assert promised == achieved(place, Mechanism(channels))
    assert Fraction(k) <= promised <= Fraction(k) * (1 + Fraction(1, 10**6))
    worst = worst_for_people(product_matrix([c.matrix() for c in channels.values()]), owners)
    assert worst <= float(1 / promised) * (1 + 1e-12)
    assert worst == pytest.approx(float(1 / promised), rel=1e-10)  # and it is reached


def test_the_promise_for_one_row_a_person_would_be_broken() -> None:
    channels = solve_channels([COIN], 4, 2.5, "even")
    matrix = product_matrix([c.matrix() for c in channels.values()])
    assert worst_for_people(matrix, (0, 0, 1, 2)) > 1 / 2.5 * 1.2


def worst_of_samples(matrix: np.ndarray, owners: tuple[int, ...], size: int) -> float:
    """The same where only a sample is released; ``matrix[true, released]``."""
    rows, worst = len(owners), 0.0
    mine = (np.array(owners)[None, :] == np.arange(max(owners) + 1)[:, None]).astype(float)
    for table in itertools.product(range(matrix.shape[0]), repeat=rows):
        for release in tables(matrix.shape[1], size):
            posterior = sampled_posteriors(matrix[np.ix_(table, release)], (0,) * rows, (size,))
            worst = max(worst, float((mine @ posterior).max()))
    return worst


MATRICES = {
    "even": [[0.8, 0.2], [0.2, 0.8]],
    "skewed": [[0.9, 0.1], [0.3, 0.7]],
    "three outputs": [[0.6, 0.3, 0.1], [0.1, 0.2, 0.7]],
}


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("owners", [(0, 0, 1, 2), (0, 0, 0, 1), (0, 0, 1, 2, 3)], ids=str)
@pytest.mark.parametrize("which", MATRICES)
def test_samples_of_people_with_several_rows(which: str, owners: tuple[int, ...], size: int) -> None:
    channel = TransitionMatrix.from_probabilities(MATRICES[which])
    place = HidingPlace(len(owners) - size, size, max(owners.count(person) for person in owners))
    promised = achieved(place, Mechanism({"x": channel}))
    worst = worst_of_samples(channel.matrix().T, owners, size)
    assert worst <= float(1 / promised) * (1 + 1e-12)
    assert worst > float(1 / promised) * 0.6  # and it comes close


def test_a_sample_of_one_row_reaches_the_promise() -> None:
    channel = TransitionMatrix.from_probabilities(MATRICES["even"])
    promised = achieved(HidingPlace(3, 1, 2), Mechanism({"x": channel}))
    assert worst_of_samples(channel.matrix().T, (0, 0, 1, 2), 1) == pytest.approx(float(1 / promised))


@pytest.mark.parametrize("which", MATRICES)
def test_the_ratio_is_never_below_the_swap(which: str) -> None:
    channel = TransitionMatrix.from_probabilities(MATRICES[which])
    assert all(ratio >= swap for ratio, swap in channel.tradeoffs())


def test_rows_that_can_be_joined_would_break_it() -> None:
    """Two people have two rows each, and something shows which rows are one person's: the pairs are linked too surely."""
    place = HidingPlace(0, 4, 2)
    (channel,) = solve_channels([COIN], place, 1.5, "even").values()
    promised = achieved(place, Mechanism({"b": channel}))
    pair = product_matrix([channel.matrix(), channel.matrix()])
    table = np.array([0, 3])  # both rows of one are the one value, both rows of the other are the other
    believed = link_posteriors(pair[table[None, :], table[:, None]])
    assert believed.max() > 1.05 / float(promised)


def test_one_row_a_person_is_as_before() -> None:
    one = HidingPlace(6, 4)
    assert (one.others_outside, one.others_inside, one.largest_k) == (6, 3, 10)
    assert HidingPlace(6, 4, 3).others_outside == 4
    assert HidingPlace(6, 4, 3).others_inside == 3
    assert HidingPlace(1, 4, 3).others_outside == 0
    assert HidingPlace(1, 4, 3).others_inside == 2
    assert HidingPlace(0, 2, 5).others_inside == 0
    assert math.isinf(required_ratio(HidingPlace(0, 2, 2), 2))


def test_the_budget_and_what_cannot_be_had() -> None:
    assert budget(1000, 5, most=4) == pytest.approx(0.5 * math.log(996 / 16))
    check_feasible(100, 20, most=5)
    with pytest.raises(InfeasiblePromise, match="5 may belong to one person, so the largest k is 20"):
        check_feasible(100, 20.5, most=5)


def test_shares_of_classes_by_hand() -> None:
    people = People.of(np.array([0, 0, 1, 2, 3, 3, 4, 5]))
    labels = np.array([0, 0, 0, 0, 1, 1, 1, -1])
    assert people.most_within(labels, 2).tolist() == [2, 2]
    assert SharedOut(people, 2).holds(labels, 2).tolist() == [True, False]
    assert least_share(people, np.array([0, 0, 0, 0, 1, 1, 1, 0])) == Fraction(3, 2)
    assert SharedOut(people, 2).holds(np.zeros(8, dtype=int), 1).all()


def test_two_groups_that_hold_do_so_as_one() -> None:
    rng = np.random.default_rng(3)
    for _ in range(200):
        people = People.of(rng.integers(0, 6, 24))
        labels = rng.integers(0, 2, 24)
        held = SharedOut(people, 2.5)
        if held.holds(labels, 2).all():
            assert held.holds(np.zeros(24, dtype=int), 1).all()
