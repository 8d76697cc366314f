"""Central differential privacy by shuffling, against every small table and its neighbors written out (`exact_shuffle`)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
import pytest

from tokumei.errors import InvalidParameter
from tokumei.mechanism.channel import Blanket, Channel
from tokumei.mechanism.grid_laplace import FlaggedGridLaplace, GridLaplace
from tokumei.mechanism.record import Mechanism
from tokumei.mechanism.retention import Retention
from tokumei.mechanism.swapping import SwappedColumns
from tokumei.mechanism.telling import Cluster, Telling, ToldColumn
from tokumei.mechanism.transition_matrix import TransitionMatrix
from tokumei.privacy.central import Shuffled, check_epsilon, shuffled_whole, usual_delta
from tokumei.privacy.shuffling import Law, blanket_divergence, closed_form, likely, product_divergence
from tokumei.table.domain import Categories
from tokumei.table.schema import Attribute

from .exact_shuffle import Rows, by_matrix, flagged, keeping, moving, one_thing, together, worst

LEVELS = [Fraction(1), Fraction(21, 20), Fraction(3, 2), Fraction(2), Fraction(3)]
THREE = Retention(3, 1000, 3000, 32)
TWO = Retention(2, 1000, 1500, 32)
GRID = GridLaplace.solve(4, Fraction(1, 16))
FLAGGED = FlaggedGridLaplace.solve(3, Fraction(1, 16))
MATRIX = TransitionMatrix.from_probabilities([[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.1, 0.2, 0.7]])


def told(*clusters: tuple[int, int, int]) -> Telling:
    """Rows that tell one column each: its values, its weight, and how many words keep it."""
    columns = {
        f"c{at}": ToldColumn(
            Attribute(f"c{at}", "quasi_identifier", Categories([str(x) for x in range(size)])), (None,)
        )
        for at, (size, _, _) in enumerate(clusters)
    }
    parts = [
        Cluster((name,), (0,), weight, Retention(size, 1000, keep, 64))
        for name, (size, weight, keep) in zip(columns, clusters, strict=True)
    ]
    return Telling("tells", columns, tuple(parts))


def whole(weights: Sequence[int] | np.ndarray) -> list[int]:
    return [int(weight) for weight in weights]


CASES: dict[str, tuple[Mechanism, Callable[[], Rows], int]] = {
    "three values": (Mechanism({"a": THREE}), lambda: keeping(3, 3000, 1000), 5),
    "two values": (Mechanism({"a": TWO}), lambda: keeping(2, 1500, 1000), 6),
    "two columns": (Mechanism({"a": THREE, "b": TWO}), lambda: together(keeping(3, 3000, 1000), keeping(2, 1500, 1000)), 2),
    "a grid": (Mechanism({"a": GRID}), lambda: moving(whole(GRID.weights)), 4),
    "a grid with missing": (Mechanism({"a": FLAGGED}), lambda: flagged(whole(FLAGGED.grid.weights), FLAGGED.flip), 3),
    "a matrix": (Mechanism({"a": MATRIX}), lambda: by_matrix(MATRIX.weights), 4),
    "one thing a row": (
        Mechanism({}, telling=told((3, 2, 3000), (2, 1, 3000))),
        lambda: one_thing([(2, keeping(3, 3000, 1000)), (1, keeping(2, 3000, 1000))]),
        3,
    ),
}  # fmt: skip


def stated(shuffled: Shuffled, e: Fraction) -> float:
    """Return what is said of delta at epsilon = ln e, or a hair below."""
    return shuffled.delta(math.log(e) * (1 - 1e-15))


@pytest.mark.parametrize("name", CASES)
def test_no_table_exceeds_what_is_stated(name: str) -> None:
    mechanism, rows, most = CASES[name]
    for number in range(1, most + 1):
        exact = worst(rows(), number, LEVELS)
        for e in LEVELS:
            assert float(exact[e]) <= stated(Shuffled(mechanism, number), e) * (1 + 1e-12)


@pytest.mark.parametrize(("name", "factor"), [("three values", 1.06), ("one thing a row", 1.1), ("two values", 1.25)])
def test_some_table_comes_close(name: str, factor: float) -> None:
    mechanism, rows, most = CASES[name]
    for number in range(1, min(4, most) + 1):
        exact = worst(rows(), number, LEVELS)
        for e in LEVELS[:4]:
            if exact[e]:
                assert stated(Shuffled(mechanism, number), e) <= factor * float(exact[e]) + 1e-6


@pytest.mark.parametrize("name", ["three values", "a matrix"])
def test_a_stated_epsilon_holds_with_its_delta(name: str) -> None:
    mechanism, rows, _ = CASES[name]
    for delta in (1e-9, 0.01, 0.1, 0.3):
        epsilon = Shuffled(mechanism, 3).epsilon(delta)
        e = Fraction(math.exp(epsilon)) * (1 - Fraction(1, 10**12))
        assert worst(rows(), 3, [e])[e] <= delta * (1 + 1e-6)


def test_samples_do_not_exceed_it_and_come_close() -> None:
    rows = keeping(3, 3000, 1000)
    for number, drawn in ((3, 2), (4, 2), (4, 3), (3, 1)):
        exact = worst(rows, number, LEVELS, drawn=drawn)
        shuffled = Shuffled(Mechanism({"a": THREE}, of=number), drawn)
        for e in LEVELS:
            assert float(exact[e]) <= stated(shuffled, e) * (1 + 1e-12)
        assert stated(shuffled, Fraction(1)) <= float(exact[Fraction(1)]) * (1 + 1e-6)


def test_people_with_several_rows_are_covered() -> None:
    rows = keeping(3, 3000, 1000)
    for own in (2, 3):
        shuffled = Shuffled(Mechanism({"a": THREE}), 4, own)
        for delta in (0.01, 0.2, 0.5):
            e = Fraction(math.exp(shuffled.epsilon(delta))) * (1 - Fraction(1, 10**12))
            assert worst(rows, 4, [e], own=own)[e] <= delta * (1 + 1e-6)


# Mistakes that the exact tables catch.


def test_one_row_too_many_is_caught() -> None:
    exact = worst(keeping(3, 3000, 1000), 4, LEVELS)
    wrong = Shuffled(Mechanism({"a": THREE}), 5)
    assert any(float(exact[e]) > stated(wrong, e) for e in LEVELS)


def test_a_blanket_that_is_too_large_is_caught() -> None:
    exact = worst(keeping(3, 3000, 1000), 4, LEVELS)
    mass, spread = THREE.blanket
    wrong = Blanket(mass * Fraction(21, 20), spread)
    assert any(float(exact[e]) > blanket_divergence(4, wrong, math.log(e), 1e-9) for e in LEVELS)


def test_a_spread_that_is_too_small_is_caught() -> None:
    exact = worst(keeping(3, 3000, 1000), 4, LEVELS)
    wrong = Blanket(THREE.blanket.mass, THREE.blanket.spread * Fraction(9, 10))
    assert any(float(exact[e]) > blanket_divergence(4, wrong, math.log(e), 1e-9) for e in LEVELS)


def test_counting_rows_that_were_not_drawn_is_caught() -> None:
    exact = worst(keeping(3, 3000, 1000), 4, LEVELS, drawn=2)
    wrong = Shuffled(Mechanism({"a": THREE}), 4)  # as if all were shuffled
    right = Shuffled(Mechanism({"a": THREE}, of=4), 2)
    forgotten = Shuffled(Mechanism({"a": THREE}), 2)
    assert any(float(exact[e]) * 4 / 2 > stated(wrong, e) for e in LEVELS)
    assert all(stated(right, e) <= stated(forgotten, e) for e in LEVELS)
    assert stated(forgotten, Fraction(1)) > 1.9 * float(exact[Fraction(1)])


def test_hiding_among_rows_that_look_like_neither_is_caught() -> None:
    """The variation-ratio reduction as it was published lets the row hide among *all* rows that look like neither of the two.

    Where the others equal it, they do not, and the exact divergence of two rows with three values and p = 4 is 1/9 at e = 3, not 1/12.
    """
    p, e, n = 4, 3, 2
    v = Fraction(1, p + 2)
    u, rest = p * v, 1 - (p + 1) * v
    reduction = Fraction(0)
    for x in range(n + 1):
        for y in range(n + 1 - x):
            law = math.comb(n, x) * math.comb(n - x, y) * v ** (x + y) * (1 - 2 * v) ** (n - x - y)
            first = law * ((x * u + y * v) / (n * v) + (n - x - y) * rest / (n * (1 - 2 * v)))
            second = law * ((x * v + y * u) / (n * v) + (n - x - y) * rest / (n * (1 - 2 * v)))
            reduction += max(Fraction(0), first - e * second)
    exact = worst(keeping(3, 3000, 1000), n, [Fraction(e)])[Fraction(e)]
    assert (reduction, exact) == (Fraction(1, 12), Fraction(1, 9))
    assert exact <= stated(Shuffled(Mechanism({"a": THREE}), n), Fraction(e)) <= float(exact) * (1 + 1e-6)


# Blankets


@pytest.mark.parametrize(
    ("channel", "rows"),
    [
        (THREE, keeping(3, 3000, 1000)),
        (GRID, moving(whole(GRID.weights))),
        (FLAGGED, flagged(whole(FLAGGED.grid.weights), FLAGGED.flip)),
        (MATRIX, by_matrix(MATRIX.weights)),
        (GridLaplace.solve(30, Fraction(1, 10**6)), None),
        (GridLaplace.solve(1, Fraction(1, 4)), None),
        (Retention.solve(1, Fraction(1, 4)), keeping(1, 1, 1)),
    ],
)
def test_a_blanket_is_what_all_values_give(channel: Channel, rows: Rows | None) -> None:
    if rows is None:
        assert isinstance(channel, GridLaplace)
        rows = moving(whole(channel.weights))
    common = sum(min(row[y] for row in rows) for y in rows[0])
    mass, spread = channel.blanket
    assert common * (1 - Fraction(1, 10**6)) <= mass <= common
    largest = max(row[y] / min(each[y] for each in rows) for row in rows for y in row)
    assert largest <= spread <= largest * (1 + Fraction(1, 10**4))


def test_any_channel_has_a_blanket() -> None:
    plain = Channel.blanket.fget(THREE)  # type: ignore[attr-defined]
    assert plain == Blanket(Fraction(1, 4), Fraction(16))
    exact = worst(keeping(3, 3000, 1000), 3, LEVELS)
    assert all(float(exact[e]) <= blanket_divergence(3, plain, math.log(e), 1e-9) for e in LEVELS)


# Large tables


def by_sums(rows: int, size: int, p: int, epsilon: float) -> float:
    """Return what an attacker gets from counting both values in a table whose other rows have neither: delta is no smaller."""
    from scipy.stats import binom

    e, total = math.exp(epsilon), 0.0
    weight = p + size - 1
    c = np.arange(rows)
    # x and y of the other rows are released as the two values; the row itself adds one to x (p / weight), to y (1 / weight) or to neither.
    for x in range(60):
        first = binom.pmf(x, rows - 1, 1 / weight)
        y = c[: rows - x]
        second = binom.pmf(y, rows - 1 - x, 1 / (weight - 1))
        law = first * second
        left = rows - 1 - x - y
        # The probability of x + 1 and y in all: from (x, y), (x + 1, y - 1) and (x + 1, y) of the others.
        alike, swapped = law / weight, law * y / (x + 1) / weight
        neither = law * left / (x + 1) / (p + size - 3) * (size - 2) / weight
        total += float(np.maximum(0, p * alike + swapped + neither - e * (alike + p * swapped + neither)).sum())
    return total


def test_an_attacker_who_counts_two_values_comes_close() -> None:
    for rows, size, p, epsilon in ((400, 10, 20, 0.8), (300, 40, 10, 0.3)):
        attack = by_sums(rows, size, p, epsilon)
        channel = Retention(size, 1000, 1000 * (p - 1), 32)
        said = stated_at(channel, rows, epsilon)
        assert attack <= said <= 3 * attack


def stated_at(channel: Channel, rows: int, epsilon: float) -> float:
    return blanket_divergence(rows, channel.blanket, epsilon, 1e-6)


def test_both_bounds_and_the_published_closed_form_agree() -> None:
    """Ours are below the closed form wherever that one holds, and the two of ours are near each other for one column."""
    for rows in (10_000, 10**5, 10**7):
        for local in (0.5, 2.0, 3.75):
            p = Fraction(math.exp(local))
            for size in (2, 10, 1000):
                blanket = Blanket(size / (p + size - 1), p)
                law = Law([blanket])
                closed = closed_form(rows, local, 1e-6)
                assert blanket_divergence(rows, blanket, closed, 1e-6) <= 1e-6
                assert product_divergence(rows, law, closed) <= 1e-6
                low, high = 0.0, closed
                while high - low > 1e-6 * high:
                    middle = (low + high) / 2
                    low, high = (
                        (low, middle) if blanket_divergence(rows, blanket, middle, 1e-6) <= 1e-6 else (middle, high)
                    )
                moment = product_divergence(rows, law, high)
                assert 0.9e-6 <= moment <= 1.2e-5


@pytest.mark.parametrize("values", [2, 10, 100])
def test_a_published_theorem_for_randomized_response_is_kept(values: int) -> None:
    """Balle, Bell, Gascón and Nissim (2019, theorem 3.1): a share of replaced rows that is enough for epsilon and delta, if it is below one."""
    tried = 0
    for rows in (10**4, 10**5, 10**6):
        for epsilon in (0.2, 0.5, 1.0):
            for delta in (1e-4, 1e-8):
                share = max(
                    14 * values * math.log(2 / delta) / ((rows - 1) * epsilon**2), 27 * values / ((rows - 1) * epsilon)
                )
                if share < 1:
                    tried += 1
                    blanket = Blanket(Fraction(share), 1 + values * (1 - Fraction(share)) / Fraction(share))
                    assert blanket_divergence(rows, blanket, epsilon, delta) <= delta
                    assert blanket_divergence(rows, blanket, epsilon / 15, delta) > delta  # and not by as much as that
    assert tried > 3


def test_the_orientation_that_was_given() -> None:
    """k = 10 and n = 16,281: local epsilon 3.75, .93 by the closed form at delta 10^-6, and at most .3 here."""
    channel = Retention.solve(10, Fraction(9, 16280))
    shuffled = Shuffled(Mechanism({"a": channel}), 16281)
    assert round(shuffled.local, 2) == 3.75
    assert round(closed_form(16281, shuffled.local, 1e-6), 2) == 0.93
    assert 0.2 < shuffled.epsilon(1e-6) < 0.3


def test_columns_together_gain_over_one_that_has_the_whole_budget() -> None:
    swap = Fraction(9, 16280)
    alone = Shuffled(Mechanism({"a": Retention.solve(10, swap)}), 16281).epsilon(1e-6)
    fifth = Fraction(float(swap) ** 0.2)
    five = Shuffled(Mechanism({str(at): Retention.solve(10, fifth) for at in range(5)}), 16281)
    assert five.epsilon(1e-6) < alone / 4


def test_many_columns_are_gathered_safely() -> None:
    """Nine columns, all different, have more pairs of factors than are kept; what is spread costs little and never gains."""
    spreads = [1 + Fraction(at + 3, 20) for at in range(9)]
    blankets = [Blanket(1 / (1 + (h - 1) * Fraction(at + 1, 12)), h) for at, h in enumerate(spreads)]
    few = Law(blankets)
    exact_first, exact_second, chances = np.ones(1), np.ones(1), np.ones(1)
    for mass, spread in blankets:
        theta = float((1 / mass - 1) / (spread - 1))
        h, both = float(spread), theta > 0.5
        apart = float((spread - 1 / mass) / (spread - 1)) if both else theta
        left = h if both else 1.0
        exact_first = np.concatenate([exact_first * h, exact_first, exact_first * left])
        exact_second = np.concatenate([exact_second, exact_second * h, exact_second * left])
        chances = np.concatenate([chances * apart, chances * apart, chances * (1 - 2 * apart)])
    assert len(few.chances) < len(chances) / 2 > 2**12
    for s in (0.01, 0.1):
        for e in (1.0, 1.1):
            exact = float(np.dot(chances, np.exp(s * (exact_first - e * exact_second))))
            said = float(np.dot(few.chances, np.exp(s * (few.first - e * few.second))))
            assert exact <= said <= exact + 1e-3 * s


# Extremes


@pytest.mark.parametrize("rows", [1, 2, 3, 255, 256, 257, 1000, 10**6, 10**6 + 1, 10**9])
def test_every_number_of_rows(rows: int) -> None:
    channel = Retention.solve(10, Fraction(1, 1600))
    shuffled = Shuffled(Mechanism({"a": channel}), rows)
    epsilon = shuffled.epsilon(1e-6)
    assert 0 < epsilon <= shuffled.local
    assert Shuffled(Mechanism({"a": channel}), 2 * rows).epsilon(1e-6) <= epsilon * (1 + 1e-6)


@pytest.mark.parametrize("delta", [1e-300, 1e-100, 1e-30, 1e-12, 1e-3, 0.5, 0.999])
def test_every_delta(delta: float) -> None:
    shuffled = Shuffled(Mechanism({"a": Retention.solve(10, Fraction(1, 1600))}), 5000)
    epsilon = shuffled.epsilon(delta)
    assert 0 <= epsilon <= shuffled.local
    assert epsilon == 0 or epsilon >= shuffled.epsilon(min(0.9999, delta * 1.5))


@pytest.mark.parametrize("swap", [Fraction(1), 1 - Fraction(1, 10**15), Fraction(1, 10**9), Fraction(1, 10**30)])
def test_every_noise(swap: Fraction) -> None:
    shuffled = Shuffled(Mechanism({"a": Retention.solve(7, swap, 64)}), 10_000)
    assert 0 <= shuffled.epsilon(1e-6) <= shuffled.local
    assert (shuffled.epsilon(1e-6) == 0) == (swap > 0.9)  # so little that delta covers it


def test_one_value_tells_nothing_and_zeros_promise_nothing() -> None:
    assert Shuffled(Mechanism({"a": Retention.solve(1, Fraction(1, 4))}), 10).epsilon(1e-6) == 0
    zero = TransitionMatrix.from_probabilities([[1.0, 0.0], [0.5, 0.5]])
    assert math.isinf(Shuffled(Mechanism({"a": zero}), 10).epsilon(1e-6))


def test_more_of_everything_helps() -> None:
    law = Mechanism({"a": THREE})
    sizes = [Shuffled(law, rows).epsilon(1e-6) for rows in (100, 1000, 10_000)]
    drawn = [Shuffled(Mechanism({"a": THREE}, of=of), 1000).epsilon(1e-6) for of in (1000, 2000, 10_000)]
    own = [Shuffled(law, 1000, most).epsilon(1e-6) for most in (5, 2, 1)]
    for each in (sizes, drawn, own):
        assert each == sorted(each, reverse=True)
        assert len(set(each)) == 3


@pytest.mark.parametrize("own", [2, 100, 10**6, 10**12])
def test_people_with_very_many_rows(own: int) -> None:
    shuffled = Shuffled(Mechanism({"a": THREE}), 10**6, own)
    epsilon = shuffled.epsilon(1e-6)
    assert 0 < epsilon <= own * shuffled.local
    assert shuffled.keeps(epsilon, 1e-6)
    assert 0 <= shuffled.delta(epsilon, 1e-6) <= 1e-6 * (1 + 1e-6)


def test_what_is_not_shuffled_whole() -> None:
    assert shuffled_whole(Mechanism({"a": THREE}))
    assert not shuffled_whole(Mechanism({"a": THREE}, kept=("b",)))
    assert not shuffled_whole(Mechanism({"a": THREE}, block=5))
    assert not shuffled_whole(Mechanism({"a": THREE}, left_out=1))
    assert not shuffled_whole(Mechanism({"a": THREE}, swapping=SwappedColumns(("b",), 3)))
    assert shuffled_whole(Mechanism({"a": THREE}, of=10))
    assert not shuffled_whole(Mechanism({}))


def test_likely_numbers_are_likely() -> None:
    from scipy.stats import binom

    for rows, rate, tail in ((1000, 0.01, 1e-6), (50, 0.5, 1e-3), (10, 0.9, 0.1), (10**6, 1e-5, 1e-9), (1, 0.5, 0.1)):
        low, high = likely(rows, rate, tail)
        assert binom.cdf(low - 1, rows, rate) <= tail
        assert binom.sf(high, rows, rate) <= tail


def test_the_usual_delta_is_well_below_one_over_rows() -> None:
    for rows in (1, 2, 99_999, 100_000, 100_001, 10**6, 10**9):
        assert usual_delta(rows) <= 1e-6
        assert rows < 10**5 or usual_delta(rows) <= 1 / (10 * rows) * (1 + 1e-12)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.0, None), (-1.0, None), (math.nan, None), (math.inf, None), (1.0, 0.0), (1.0, 1.0), (None, -0.1)])  # fmt: skip
def test_what_is_no_epsilon_or_delta_is_refused(epsilon: float | None, delta: float | None) -> None:
    with pytest.raises(InvalidParameter, match=r"epsilon must|delta must"):
        check_epsilon(epsilon, delta)


# The compiled loop beside a plain one


def test_the_loop_is_what_plain_sums_give() -> None:
    from tokumei.privacy._shuffling_kernels import between, binomial, excess, upper_tail

    for n, yes, h, neutral, e in ((30, 0.4, 5.0, 3.0, 1.5), (30, 0.4, 5.0, 0.0, 1.0), (700, 0.9, 1.2, 40.0, 1.01), (5, 1.0, 3.0, 0.0, 2.0)):  # fmt: skip
        plain = 0.0
        for c in range(n + 1):
            chance = math.comb(n, c) * yes**c * (1 - yes) ** (n - c)
            for x in range(c + 1):
                gain = x * (h - e) + (c - x) * (1 - e * h) + neutral * (1 - e)
                plain += chance * math.comb(c, x) / 2**c * max(0.0, gain)
        found = excess(n, yes, 1 - yes, h, neutral, e - 1, 0, n)
        assert plain * (1 - 1e-9) <= found <= plain * (1 + 1e-7)
    for n, x in ((40, 25), (1000, 500), (1000, 700), (3, 3)):
        exact = Fraction(math.comb(n, x), 2**n)
        assert binomial(float(n), 0.5, 0.5, float(x)) == pytest.approx(float(exact), rel=1e-12)
        tail = Fraction(sum(math.comb(n, y) for y in range(x, n + 1)), 2**n)
        assert upper_tail(float(n), float(x), float(exact)) == pytest.approx(float(tail), rel=1e-12)
        assert between(float(n), 0.5, 0.5, x, n) == pytest.approx(float(tail), rel=1e-12)
