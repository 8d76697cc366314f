"""What floating-point noise gives away elsewhere: here every value that one input can give, its neighbour can give too.

Values are compared as they leave the house (the bits in Parquet, the text in CSV), chances as exact fractions.
"""

from __future__ import annotations

import csv
import datetime as dt
import decimal
import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

import tokumei as tk
from tests.adversarial.twins import Matrix, matrix_of, swap_of
from tokumei.anonymizers.averaged import means
from tokumei.mechanism import _kernels
from tokumei.mechanism.channel import Channel
from tokumei.mechanism.grid_laplace import FlaggedGridLaplace, GridLaplace
from tokumei.mechanism.retention import Retention
from tokumei.mechanism.transition_matrix import TransitionMatrix
from tokumei.privacy.noisy_counts import decay_of, epsilon_of
from tokumei.release.rates import pooled

Q = "quasi_identifier"
NOON = dt.datetime(2024, 2, 28, 12)

DOMAINS: dict[str, Any] = {
    "tenths": tk.Numbers(0, 1, step=0.1),
    "steps of .3 around zero": tk.Numbers(-1.5, 1.5, step=0.3),
    "steps of 1e-7": tk.Numbers(0, 1.1e-6, step=1e-7),
    "far below one": tk.Numbers(0, 1.1e-16, step=1e-17),
    "tenths far from zero": tk.Numbers(123456789.1, 123456790.1, step=0.1),
    "as large as doubles count": tk.Numbers(2**53 - 11 * 2**20, 2**53, step=2**20),
    "halves of large numbers": tk.Numbers(-1e12 - 0.5, -1e12 + 5, step=0.5),
    "many digits": tk.Numbers(0.123456789012345, 1.234456789012345, step=0.1111),
    "seconds": tk.Dates(NOON, NOON + dt.timedelta(seconds=11), unit="second"),
    "days": tk.Dates(dt.date(1899, 12, 28), dt.date(1900, 1, 7)),
}


def exact_points(domain: Any) -> list[Any]:
    """Every grid point: of numbers the fraction that its decimals mean, rounded once."""
    if isinstance(domain, tk.Dates):
        step = dt.timedelta(seconds=1) if domain.unit == "second" else dt.timedelta(days=1)
        return [domain.low + step * place for place in range(domain.size)]
    low, step = (Fraction(decimal.Decimal(repr(number))) for number in (domain.low, domain.step))
    return [float(low + step * place) for place in range(domain.size)]


def bits(cells: list[Any]) -> set[Any]:
    """Doubles as their bits, so that 0.0 is not -0.0; other cells as they are."""
    return {np.float64(cell).tobytes() if isinstance(cell, float | int) else cell for cell in cells}


def gone_out(domain: Any, cell: Any, folder: Path) -> tuple[set[Any], set[str]]:
    """Release many people who all have one cell; return what was written, in Parquet and in CSV."""
    schema = tk.Schema([tk.Attribute("x", Q, domain)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tk.errors.RoundedInputWarning)
        release = tk.anonymize(pa.table({"x": [cell] * 500}), schema, tk.PkPerturbation(k=300, tells="all"))
    release.write(folder / "parquet")
    release.write(folder / "csv", format="csv")
    binary = pa.parquet.read_table(folder / "parquet" / "data.parquet").column("x").to_pylist()
    with (folder / "csv" / "data.csv").open(newline="") as file:
        return bits(binary), {row["x"] for row in csv.DictReader(file)}


@pytest.mark.parametrize("name", DOMAINS)
def test_neighbours_reach_the_same_bits_and_texts(name: str, tmp_path: Path) -> None:
    domain = DOMAINS[name]
    points = exact_points(domain)
    inputs = [points[0], points[1], points[-2], points[-1]]
    if isinstance(domain, tk.Numbers) and not domain.whole:
        inputs += [points[1] + 0.3 * domain.step, -0.0 if domain.low <= 0 <= domain.high else points[2]]
    found = [gone_out(domain, cell, tmp_path / str(place)) for place, cell in enumerate(inputs)]
    assert all(each == found[0] for each in found)
    assert found[0][0] == bits(points)


@pytest.mark.parametrize("name", [name for name, domain in DOMAINS.items() if isinstance(domain, tk.Numbers)])
def test_no_digit_goes_out_that_the_grid_does_not_have(name: str, tmp_path: Path) -> None:
    domain = DOMAINS[name]
    texts = gone_out(domain, exact_points(domain)[0], tmp_path)[1]
    low, step = (Fraction(decimal.Decimal(repr(number))) for number in (domain.low, domain.step))
    assert {Fraction(text) for text in texts} == {low + step * place for place in range(domain.size)}


def test_a_grid_finer_than_its_numbers_is_refused() -> None:
    with pytest.raises(tk.errors.InvalidParameter, match="finer than the precision of numbers"):
        tk.Numbers(1e15, 1e15 + 1, step=0.1)
    with pytest.raises(tk.errors.InvalidParameter, match="finer than the precision of numbers"):
        tk.Numbers(2.0**52 + 0.5, 2.0**52 + 100.5)
    for domain in DOMAINS.values():
        assert len(set(domain.values_of(np.arange(domain.size)).to_pylist())) == domain.size


# Chances, as exact fractions.

SWAPS = [Fraction(1), Fraction(99, 100), Fraction(1, 7), Fraction(1, 5000)]
CHANNELS: list[Channel] = [
    *(GridLaplace.solve(size, swap) for size in (1, 2, 3, 24) for swap in SWAPS),
    *(FlaggedGridLaplace.solve(size, swap) for size in (1, 2, 11) for swap in SWAPS),
    *(Retention.solve(size, swap) for size in (1, 2, 15) for swap in SWAPS),
    TransitionMatrix.from_probabilities([[0.8, 0.1, 0.1], [0.1, 0.6, 0.3], [0.2, 0.3, 0.5]]),
    TransitionMatrix.from_probabilities([[1 - 2e-9, 1e-9, 1e-9], [0.1, 0.6, 0.3], [0.2, 0.3, 0.5]]),
]


def least_ratio(matrix: Matrix) -> Fraction:
    return min(a / b for one in matrix for other in matrix for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("channel", CHANNELS, ids=lambda c: f"{c.kind}-{c.size}-{float(c.swap):.3g}")
def test_chances_are_those_that_the_channel_says(channel: Channel) -> None:
    matrix = matrix_of(channel.describe())
    assert all(sum(row) == 1 for row in matrix)
    assert all(chance > 0 for row in matrix for chance in row)  # everything is reachable from everywhere
    assert channel.swap <= swap_of(matrix) <= channel.swap * (1 + Fraction(1, 2**40))
    least = least_ratio(matrix)
    assert channel.ratio <= least <= channel.ratio * (1 + Fraction(1, 10**9))
    with decimal.localcontext(prec=60):
        spent = -(decimal.Decimal(least.numerator) / decimal.Decimal(least.denominator)).ln()
        assert decimal.Decimal(channel.epsilon) >= spent


@pytest.mark.parametrize("channel", CHANNELS, ids=lambda c: f"{c.kind}-{c.size}-{float(c.swap):.3g}")
def test_a_channel_that_claims_a_little_more_is_found(channel: Channel) -> None:
    if channel.swap < 1:
        assert swap_of(matrix_of(channel.describe())) < channel.swap * (1 + Fraction(1, 10**6))


@pytest.mark.parametrize("size", [1, 2, 9, 74])
@pytest.mark.parametrize("swap", SWAPS)
def test_the_words_of_a_value_begin_and_end_where_its_weight_says(size: int, swap: Fraction) -> None:
    """The compiled loop draws each value for its first and its last word, from every true value, edges included."""
    channel = GridLaplace.solve(size, swap)
    weights = [int(weight) for weight in channel.weights]
    words, codes, expected = [], [], []
    for true in range(size):
        total = sum(weights[abs(true - out)] for out in range(size))
        width, reach = (2**64 - 1) // total, 0
        for out in (true, *range(true - 1, -1, -1), *range(true + 1, size)):
            first, last = reach, reach + weights[abs(true - out)] - 1
            words += [first * width, (last + 1) * width - 1]
            codes += [true, true]
            expected += [out, out]
            reach = last + 1
    drawn = np.zeros(len(codes), dtype=np.uint8)
    guide, shift = channel._guide
    tables = (channel._quotients, channel._cumulative, guide, np.uint64(shift), channel.weights[0])
    given = np.array(codes, dtype=np.uint8)
    rejected = _kernels.step_away(np.array(words, dtype=np.uint64), given, drawn, *tables)
    assert not np.asarray(rejected).any()
    assert drawn.tolist() == expected


@pytest.mark.parametrize("epsilon", [0.001, 0.5, 3.0, 50.0])
def test_noisy_counts_of_neighbours_reach_the_same_numbers(epsilon: float) -> None:
    """A person who is another moves two counts by one: a result is never more than e^epsilon times as likely, exactly."""
    decay = decay_of(epsilon)
    q = Fraction(decay, 2**64)
    assert 0 < q < 1  # so every whole number can be added to every count
    with decimal.localcontext(prec=60):
        assert 1 / (decimal.Decimal(decay) / 2**64) ** 2 <= decimal.Decimal(epsilon).exp()
        assert 1 / (decimal.Decimal(decay - 1) / 2**64) ** 2 > decimal.Decimal(epsilon).exp()
        assert decimal.Decimal(epsilon_of(decay)) >= -2 * (decimal.Decimal(decay) / 2**64).ln()


@pytest.mark.parametrize("decay", [None, decay_of(1.0)])
def test_rates_are_quotients_of_the_counts(decay: int | None) -> None:
    """The doubles that are published follow from whole numbers, which were noisy before."""
    attribute = tk.Attribute("x", Q, tk.Categories(["a", "b", "c"]))
    assert pooled(np.array([7, 3, 11]), 2, attribute, decay).values == {"a": 7 / 21, "b": 3 / 21, "c": 11 / 21}


# Averages.


@pytest.mark.parametrize("step", [0.1, 0.3, 1e-7])
def test_the_bits_of_an_average_do_not_tell_the_order_of_its_rows(step: float) -> None:
    """Sums of doubles would: here codes are added up, which are whole numbers, and the mean goes to its grid."""
    rng = np.random.default_rng(0)
    domain = tk.Numbers(0, step * 1000, step=step) if step != 1e-7 else tk.Numbers(0, 1e-4, step=1e-7)
    codes, labels = rng.integers(0, domain.size, 3000), np.repeat(np.arange(3), 1000)
    plain = domain.values_of(codes).to_numpy()
    sums, found = set(), set()
    for _ in range(20):
        order = np.concatenate([1000 * group + rng.permutation(1000) for group in range(3)])
        sums.add(sum(plain[order][:1000].tolist()))
        found.add(means(codes[order].astype(np.int64), domain.size, labels).tobytes())
    assert len(sums) > 1  # the doubles themselves do tell
    assert len(found) == 1


def test_averages_are_points_of_their_grid(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    schema = tk.Schema(
        [tk.Attribute("x", Q, tk.Numbers(0, 30, step=0.3)), tk.Attribute("y", Q, tk.Numbers(0, 9, step=1))]
    )
    table = pa.table({"x": [round(0.3 * code, 1) for code in rng.integers(0, 101, 60)], "y": rng.integers(0, 10, 60)})
    tk.anonymize(table, schema, tk.Microaggregation(k=7)).write(tmp_path / "out", format="csv")
    with (tmp_path / "out" / "data.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert all((Fraction(row["x"]) / Fraction("0.3")).denominator == 1 for row in rows)
    assert all(row["y"].isdigit() for row in rows)
    assert len({row["x"] for row in rows}) > 1
