"""The promise against the exact adversary: never broken, and reached."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import tokumei as tk
from tokumei.anonymizers.pk_perturbation import solve_channels
from tokumei.errors import InfeasiblePromise, InvalidParameter
from tokumei.privacy.exact import link_posteriors, permanent, product_matrix, tables, worst_posterior
from tokumei.privacy.guarantee import float_below, headline
from tokumei.privacy.notions import down
from tokumei.privacy.pk import budget, check_feasible, check_k
from tokumei.privacy.split import share_budget
from tokumei.words import Words


def achieved(rows: int, swap: Fraction) -> Fraction:
    """The promise, stated here by itself: k = 1 + (n - 1) b."""
    return 1 + (rows - 1) * swap


CATEGORIES = tk.Attribute("c", domain=tk.Categories(["a", "b", "c"]))
COIN = tk.Attribute("b", domain=tk.Categories([False, True]))
NUMBER = tk.Attribute("n", domain=tk.Numbers(0, 3, step=1))
SHORT = tk.Attribute("s", domain=tk.Numbers(0, 1, step=1))
MISSING = tk.Attribute("m", domain=tk.Numbers(0, 2, step=1), missing=True)
GAPS = tk.Attribute("g", domain=tk.Categories(["a", "b"]), missing=True)
ONE = tk.Attribute("o", domain=tk.Categories(["only"]))
SCHEMAS = {
    "categories": [CATEGORIES],
    "coin": [COIN],
    "grid": [NUMBER],
    "grid with missing": [MISSING],
    "category with missing": [GAPS],
    "mixed": [COIN, SHORT],
    "mixed with one value": [ONE, COIN, SHORT],
    "three": [COIN, SHORT, tk.Attribute("d", domain=tk.Categories(["x", "y"]))],
}
LARGE = {"three", "mixed", "mixed with one value", "grid", "grid with missing"}


@pytest.mark.parametrize("rows", [2, 3, 4, 5])
@pytest.mark.parametrize("k", [1.2, 1.9])
@pytest.mark.parametrize("which", SCHEMAS)
def test_no_table_and_no_release_breaks_the_promise(which: str, k: float, rows: int) -> None:
    if which == "three" and rows == 5:
        rows = 4  # 792 tables times 792 releases of five rows are enough elsewhere
    channels = solve_channels(SCHEMAS[which], rows, k, "even")
    promised = achieved(rows, math.prod((c.swap for c in channels.values()), start=Fraction(1)))
    assert Fraction(k) <= promised <= Fraction(k) * (1 + Fraction(1, 10**6))
    worst = worst_posterior(product_matrix([c.matrix() for c in channels.values()]), rows)
    assert worst <= float(1 / promised) * (1 + 1e-12)
    assert worst == pytest.approx(float(1 / promised), rel=1e-10)  # and it is reached


@pytest.mark.parametrize("split", ["even", "equal_retention", {"b": 3.0, "s": 1.0}, {"b": 0.0, "s": 1.0}])
def test_the_promise_does_not_depend_on_the_split(split: object) -> None:
    channels = solve_channels([COIN, SHORT], 4, 1.7, split)  # type: ignore[arg-type]
    worst = worst_posterior(product_matrix([c.matrix() for c in channels.values()]), 4)
    assert worst == pytest.approx(1 / 1.7, rel=1e-6)
    assert worst <= (1 / 1.7) * (1 + 1e-12)


def test_uniform_noise_reaches_k_equal_n() -> None:
    channels = solve_channels([CATEGORIES, SHORT], 4, 4, "even")
    worst = worst_posterior(product_matrix([c.matrix() for c in channels.values()]), 4)
    assert worst == pytest.approx(0.25, abs=1e-15)


# Wrong variants are caught by the same adversary.


def test_counting_n_instead_of_n_minus_one_is_caught() -> None:
    rows, k = 4, 1.8
    wrong = solve_channels([COIN], rows + 1, k, "even")  # budget 0.5 ln(n / (k - 1))
    assert worst_posterior(wrong["b"].matrix(), rows) > 1 / k * 1.01


def test_spending_the_budget_on_every_attribute_is_caught() -> None:
    rows, k = 4, 1.8
    matrices = [solve_channels([a], rows, k, "even")[a.name].matrix() for a in (COIN, SHORT)]
    assert worst_posterior(product_matrix(matrices), rows) > 1 / k * 1.05


def test_columns_released_as_they_are_break_it_and_the_smallest_class_mends_it() -> None:
    """Five people; two share a kept value that the attacker knows. Among five k = 1.5 is promised, he gets more."""
    rows, k = 5, 1.5
    kept = np.array([1, 1, 0, 0, 0])
    same = kept[:, None] == kept[None, :]
    true = np.array([0, 1, 1, 1, 1])
    careless = solve_channels([COIN], rows, k, "even")["b"].matrix()
    assert link_posteriors(careless[true[None, :], true[:, None]] * same).max() > 1 / k * 1.05
    careful = solve_channels([COIN], 2, k, "even")["b"].matrix()
    worst = 0.0
    for released in np.ndindex(*(2,) * rows):
        for table in np.ndindex(*(2,) * rows):
            likelihood = careful[np.array(released)[None, :], np.array(table)[:, None]] * same
            worst = max(worst, float(link_posteriors(likelihood).max()))
    assert worst <= 1 / k * (1 + 1e-12)
    assert worst == pytest.approx(1 / k, rel=1e-6)


def test_coarse_thresholds_break_a_promise_and_ours_never_do() -> None:
    """Rounding the retention probability to eight bits spends more than was asked for some k, and is caught."""
    caught = 0
    for k in np.linspace(1.2, 3.4, 23):
        keep = round(256 * math.expm1(budget(4, k)) / (math.expm1(budget(4, k)) + 3)) / 256
        coarse = keep * np.eye(3) + (1 - keep) / 3
        caught += worst_posterior(coarse, 4) > 1 / k * (1 + 1e-9)
        fine = solve_channels([CATEGORIES], 4, float(k), "even")["c"]
        assert worst_posterior(fine.matrix(), 4) <= 1 / k * (1 + 1e-12)
    assert caught > 5


# The pieces.


def test_permanents_by_hand() -> None:
    assert permanent(np.array([[1.0, 2.0], [3.0, 4.0]])) == 10
    assert permanent(np.ones((5, 4, 4))).tolist() == [24.0] * 5
    rng = np.random.default_rng(0)
    matrix = rng.random((4, 4))
    import itertools

    slow = sum(math.prod(matrix[i, p[i]] for i in range(4)) for p in itertools.permutations(range(4)))
    assert permanent(matrix) == pytest.approx(slow)


def test_posteriors_are_probabilities() -> None:
    matrix = np.random.default_rng(1).random((6, 4, 4))
    posterior = link_posteriors(matrix)
    assert np.allclose(posterior.sum(axis=-1), 1)
    assert np.allclose(posterior.sum(axis=-2), 1)
    assert link_posteriors(np.zeros((2, 2))).max() == 0


def test_tables_are_all_there() -> None:
    assert len(list(tables(3, 4))) == math.comb(6, 4)


def test_the_budget() -> None:
    assert budget(11, 2) == pytest.approx(0.5 * math.log(10))


@pytest.mark.parametrize("k", [1, 0, -3, math.nan, math.inf])
def test_k_that_promises_nothing(k: float) -> None:
    with pytest.raises(InvalidParameter, match="k must be a number above 1"):
        check_k(k)


def test_infeasible_k_says_what_can_be_had() -> None:
    with pytest.raises(InfeasiblePromise, match="the table has 7 rows, so the largest k is 7"):
        check_feasible(7, 8)


def test_promises_are_rounded_down() -> None:
    assert float_below(Fraction(1, 3)) <= Fraction(1, 3)
    assert Fraction(float_below(Fraction(10**30 + 1, 10**30))) <= Fraction(10**30 + 1, 10**30)
    assert down(1.99999999) == "1.9999"
    assert down(12.0) == "12"


@pytest.mark.parametrize(
    "k, said", [(1.0, "1"), (1.00015, "1.0001"), (1.000057, "1.00005"), (1.0000029, "1.000002"), (1.25, "1.25")]
)
def test_a_promise_just_above_1_is_not_said_to_be_1(k: float, said: str) -> None:
    assert down(k) == said
    assert 1 + 2**-52 >= Fraction(down(1 + 2**-52)) > 1


@pytest.mark.filterwarnings("ignore:These matrices guarantee next to nothing")
def test_matrices_that_change_hardly_anything_are_not_said_to_promise_1() -> None:
    """It was "with probability over 1/1"."""
    rows = pd.DataFrame({"b": [False, True] * 50, "c": ["a", "b"] * 50})
    keep = tk.transitions.KeepOrReplace(0.95)
    promise = tk.anonymize(rows, tk.Schema([COIN, CATEGORIES]), tk.PRAM({"b": keep, "c": keep}), seed=1).guarantees[0]
    assert "over 1/1.00001 (" in str(promise)
    assert "1/1.00001 を超える" in headline(promise, Words("ja"))


# The split.


def test_splits_add_up_to_the_budget() -> None:
    attributes = [COIN, CATEGORIES, NUMBER, ONE]
    for split in ("even", "equal_retention", {"b": 1.0, "c": 2.0, "n": 0.5, "o": 9.0}):
        shares = share_budget(split, attributes, 3.0)  # type: ignore[arg-type]
        assert sum(shares.values()) == pytest.approx(3.0)
        assert shares["o"] == 0
    assert share_budget("even", attributes, 3.0)["b"] == pytest.approx(1.0)


def test_equal_retention_is_equal() -> None:
    attributes = [tk.Attribute(f"c{size}", domain=tk.Categories(list(range(size)))) for size in (2, 5, 40)]
    channels = solve_channels(attributes, 5000, 10, "equal_retention")
    kept = [c.retention for c in channels.values()]  # type: ignore[attr-defined]
    assert max(kept) - min(kept) < 1e-5


@pytest.mark.parametrize(
    ("split", "message"),
    [
        ({"b": 1.0}, "no weight to 'c'"),
        ({"b": 1.0, "c": 1.0, "sx": 1.0}, "'sx', which is not perturbed"),
        ({"b": -1.0, "c": 1.0}, "at least 0"),
        ({"b": 0.0, "c": 0.0}, "weight of 0"),
        ({"b": math.nan, "c": 1.0}, "at least 0"),
    ],
)
def test_bad_weights(split: dict[str, float], message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        share_budget(split, [COIN, CATEGORIES], 1.0)
