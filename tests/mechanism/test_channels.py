"""One suite that every channel must pass, and the exactness of each."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tokumei.errors import InvalidParameter, ReleaseError
from tokumei.mechanism import _kernels
from tokumei.mechanism.channel import Channel, Kept, channel_from, root_above
from tokumei.mechanism.coarsening import Coarsened, Tabulated
from tokumei.mechanism.grid_laplace import FlaggedGridLaplace, GridLaplace
from tokumei.mechanism.retention import Retention
from tokumei.randomness import Key

SWAPS = [Fraction(1), Fraction(9, 10), Fraction(1, 3), Fraction(1, 50), Fraction(1, 10_000)]
CHANNELS = [
    *(Retention.solve(size, swap) for size in (1, 2, 7, 1000) for swap in SWAPS),
    *(GridLaplace.solve(size, swap) for size in (1, 2, 5, 74) for swap in SWAPS),
    *(FlaggedGridLaplace.solve(size, swap) for size in (1, 2, 5, 74) for swap in SWAPS),
]
SOLVERS = [Retention.solve, GridLaplace.solve, FlaggedGridLaplace.solve]

every_channel = pytest.mark.parametrize("channel", CHANNELS, ids=lambda c: f"{c.kind}-{c.size}-{float(c.swap):.4f}")


def exact_swap(matrix: np.ndarray) -> float:
    """The definition, over all pairs of true and of released values."""
    worst = math.inf
    for u, v in itertools.combinations(range(matrix.shape[1]), 2):
        ratio = matrix[:, u] / matrix[:, v]
        worst = min(worst, ratio.min() / ratio.max())
    return min(worst, 1.0)


@every_channel
def test_probabilities_sum_to_one(channel: Channel) -> None:
    matrix = channel.matrix()
    assert matrix.shape == (channel.outputs, channel.size)
    assert (matrix > 0).all()
    assert np.allclose(matrix.sum(axis=0), 1, atol=1e-12)


@every_channel
def test_swap_is_what_its_definition_says(channel: Channel) -> None:
    if channel.size <= 80:
        assert float(channel.swap) == pytest.approx(exact_swap(channel.matrix()), rel=1e-9)


@every_channel
def test_forward_is_the_matrix_and_backward_its_transpose(channel: Channel) -> None:
    rng = np.random.default_rng(0)
    matrix = channel.matrix()
    p, r = rng.random((3, channel.size, 2)), rng.random((3, channel.outputs, 2))
    forward, backward = channel.forward(p, axis=1), channel.backward(r, axis=1)
    assert np.allclose(forward, np.einsum("yx,axb->ayb", matrix, p), rtol=1e-10)
    assert np.allclose(backward, np.einsum("yx,ayb->axb", matrix, r), rtol=1e-10)
    assert np.sum(forward * r) == pytest.approx(np.sum(p * backward), rel=1e-12)


@every_channel
def test_chunking_does_not_change_a_seeded_result(channel: Channel) -> None:
    codes = (np.arange(1000) % channel.size).astype(np.uint16)
    stream = Key.seeded(1).stream("column", "x")
    whole = channel.sample(codes, stream)
    assert whole.dtype == codes.dtype
    for cut in (1, 333, 998):
        parts = [channel.sample(codes[:cut], stream), channel.sample(codes[cut:], stream, start=cut)]
        assert np.array_equal(whole, np.concatenate(parts))


@every_channel
def test_description_makes_it_again(channel: Channel) -> None:
    assert channel_from(channel.describe()) == channel
    assert str(channel.treatment())


def fits(channel: Channel, drawn: np.ndarray, true: int) -> float:
    """The p-value of draws from one true value under the channel's own probabilities."""
    seen = np.bincount(drawn, minlength=channel.outputs)
    expected = channel.matrix()[:, true] * len(drawn)
    enough = expected >= 5
    if (~enough).any():
        seen = np.append(seen[enough], seen[~enough].sum())
        expected = np.append(expected[enough], expected[~enough].sum())
    return float(stats.chisquare(seen, expected * seen.sum() / expected.sum()).pvalue) if len(seen) > 1 else 1.0


@every_channel
def test_draws_follow_the_probabilities(channel: Channel) -> None:
    stream = Key.seeded(2).stream("column", "x")
    for true in sorted({0, channel.size // 2, channel.size - 1}):
        codes = np.full(40_000, true, dtype=np.uint16)
        assert fits(channel, channel.sample(codes, stream), true) > 1e-5


@pytest.mark.parametrize("wrong", [0.7, 1.3])
@pytest.mark.parametrize("solve", SOLVERS, ids=lambda s: s.__self__.__name__)
def test_a_scale_that_is_30_percent_wrong_is_noticed(solve, wrong: float) -> None:
    """The same test must be able to fail: draws from a channel with another cost are rejected."""
    swap = Fraction(1, 8)
    right, off = solve(20, swap), solve(20, Fraction(float(swap) ** wrong))
    assert off.cost == pytest.approx(right.cost * wrong, rel=1e-4)
    stream = Key.seeded(2).stream("column", "x")
    codes = np.zeros(40_000, dtype=np.uint16)
    assert fits(right, right.sample(codes, stream), 0) > 1e-5
    assert fits(right, off.sample(codes, stream), 0) < 1e-9


@pytest.mark.parametrize("solve", SOLVERS, ids=lambda s: s.__self__.__name__)
@pytest.mark.parametrize("size", [2, 3, 20, 500, 65_537])
@pytest.mark.parametrize("swap", [Fraction(1), Fraction(999, 1000), Fraction(1, 7), Fraction(1, 10**6)])
def test_solving_is_safe_and_close(solve, size: int, swap: Fraction) -> None:
    made = solve(size, swap)
    assert made.swap >= swap
    assert made.swap <= swap * (1 + Fraction(1, 10**6))


def test_uniform_noise_is_exactly_uniform() -> None:
    assert Retention.solve(3, Fraction(1)).swap == 1
    assert Retention.solve(3, Fraction(1)).retention == 0
    assert GridLaplace.solve(74, Fraction(1)).swap == 1
    assert len({int(z) for z in GridLaplace.solve(74, Fraction(1)).totals}) == 1


def test_one_value_costs_nothing() -> None:
    assert Retention.solve(1, Fraction(1, 100)).cost == 0
    assert GridLaplace.solve(1, Fraction(1, 100)).cost == 0


def test_retention_is_the_papers_formula() -> None:
    for size, cost in ((2, 0.5), (9, 1.2), (40, 2.0)):
        channel = Retention.solve(size, Fraction(math.exp(-2 * cost)))
        assert channel.retention == pytest.approx(math.expm1(cost) / (math.expm1(cost) + size), rel=1e-6)


def test_grid_laplace_is_the_papers_density_on_a_fine_grid() -> None:
    size, phi = 4001, 0.4  # the unit interval, with noise of scale 0.4
    channel = GridLaplace.solve(size, Fraction(math.exp(-2 / phi)))
    x, y = 0.3, np.linspace(0, 1, size)
    normaliser = 1 - (math.exp(-x / phi) + math.exp(-(1 - x) / phi)) / 2
    density = np.exp(-np.abs(y - x) / phi) / (2 * phi * normaliser)
    made = channel.probability(np.arange(size), np.full(size, int(x * (size - 1)))) * (size - 1)
    assert np.allclose(made, density, rtol=2e-3)
    assert channel.scale / (size - 1) == pytest.approx(phi, rel=1e-6)


def test_fourier_and_matrix_give_the_same() -> None:
    channel = GridLaplace.solve(2000, Fraction(1, 40))
    rng = np.random.default_rng(0)
    p = rng.random((2, 2000))
    assert np.allclose(channel.forward(p), p @ channel.matrix().T, rtol=1e-9)
    assert np.allclose(channel.backward(p), p @ channel.matrix(), rtol=1e-9)


def test_weights_are_positive_falling_and_fit_the_words() -> None:
    for size in (2, 74, 65_537, 2**22):
        channel = GridLaplace.solve(size, Fraction(1, 1000))
        weights = channel.weights.astype(object)
        assert weights[-1] > 0
        assert (np.diff(channel.weights.astype(np.int64)) <= 0).all()
        assert int(channel.totals.max()) <= 2**56


# Plain twins of the compiled loops.


@pytest.mark.parametrize(
    ("channel", "kind"),
    [
        (Retention.solve(3, Fraction(1, 7)), np.uint8),
        (Retention.solve(250, Fraction(1, 7), 32), np.uint8),
        (Retention.solve(74, Fraction(1, 20)), np.uint8),
        (Retention.solve(100_000, Fraction(1, 7)), np.uint32),
        (
            Retention(100_000, 2**33, 2**63, 64),
            np.uint32,
        ),  # the fewest words of a value whose quotients are not divided
        (Retention(1000, 5000, 2**63, 64), np.uint16),
    ],
    ids=str,
)
def test_replacing_against_its_plain_twin(channel: Retention, kind: Any) -> None:
    bits = channel.bits
    rng = np.random.default_rng(0)
    edges = [channel.other * i + d for i in range(min(channel.size, 500)) for d in (-1, 0, 1)]
    edges += [channel.total - 1, 2**bits - 1, channel.size * channel.other - 1, channel.size * channel.other]
    drawn = rng.integers(0, 2**bits, 5000, dtype=np.uint64).tolist()
    words = np.array([e % 2**bits for e in edges] + drawn, dtype=np.uint32 if bits == 32 else np.uint64)
    codes = rng.integers(0, channel.size, len(words)).astype(kind)
    out = np.empty_like(codes)
    word = words.dtype.type
    kernel = _kernels.replace_32 if bits == 32 else _kernels.replace_64
    limit = channel.size * channel.other
    kernel(words, codes, out, word(channel.other), word(limit - 1), word(channel.total - 1))
    plain = [int(w) // channel.other if int(w) < limit else int(c) for w, c in zip(words, codes, strict=True)]
    assert out.tolist() == plain


@pytest.mark.parametrize("power", [1, 2, 5, 10])
def test_no_rounding_changes_a_quotient(power: int) -> None:
    """Words just below a multiple of ``other`` whose upper half is as near to it as can be: where roundings would add up."""
    quotient = 2**power + 1
    inverse = pow(quotient, -1, 2**32)
    for gap in range(1, 400):
        other = 2**53 + inverse * gap % 2**32
        if quotient * other >= 2**64:
            break
        word = (quotient * other >> 32) << 32  # below the multiple by the gap
        out, codes = np.zeros(1, dtype=np.uint16), np.zeros(1, dtype=np.uint16)
        words = np.array([word], dtype=np.uint64)
        _kernels.replace_64(words, codes, out, np.uint64(other), np.uint64(2**64 - 1), np.uint64(2**64 - 1))
        assert out[0] == word // other == quotient - 1


def test_stepping_away_against_its_plain_twin() -> None:
    channel = GridLaplace.solve(9, Fraction(1, 30))
    rng = np.random.default_rng(0)
    words = np.append(rng.integers(0, 2**64, 4000, dtype=np.uint64), np.uint64(2**64 - 1))
    codes = rng.integers(0, 9, len(words)).astype(np.uint8)
    out = np.zeros_like(codes)
    guide, shift = channel._guide
    rejected = _kernels.step_away(
        words, codes, out, channel._quotients, channel._cumulative, guide, np.uint64(shift), channel.weights[0]
    )
    weights = [int(w) for w in channel.weights]
    for word, code, drawn, again in zip(words.tolist(), codes.tolist(), out.tolist(), rejected, strict=True):
        order = [code, *range(code - 1, -1, -1), *range(code + 1, 9)]
        total = sum(weights[abs(place - code)] for place in order)
        uniform = word // ((2**64 - 1) // total)
        assert again == (uniform >= total)
        if not again:
            reach = itertools.accumulate(weights[abs(place - code)] for place in order)
            assert drawn == next(place for place, top in zip(order, reach, strict=True) if uniform < top)


def test_geometric_against_its_plain_twin() -> None:
    ratio, shift = 2**64 - 987_654_321_987_654, 15
    plain, exact = [], 2**63
    for _ in range(3000):
        plain.append(max(exact >> shift, 1))
        exact = exact * ratio >> 64
    assert _kernels.geometric(3000, np.uint64(ratio), np.uint64(shift)).tolist() == plain


def test_values_reachable_from_one_input_are_reachable_from_every_other() -> None:
    """What defeats continuous noise: outputs whose low bits betray where they came from."""
    channel = GridLaplace.solve(1001, Fraction(1, 50))
    stream = Key.seeded(3).stream("x")
    near = set(channel.sample(np.full(200_000, 500, np.uint16), stream).tolist())
    far = set(channel.sample(np.full(200_000, 501, np.uint16), stream.sub("other")).tolist())
    assert len(near & far) / len(near | far) > 0.99


def test_rejection_is_used_and_harmless() -> None:
    with pytest.raises(InvalidParameter):
        Retention(3, 2**31, 0, 32)  # more words than there are
    often = Retention(3, 2**29, 0, 32)  # five words in eight are drawn again
    drawn = often.sample(np.zeros(30_000, np.uint8), Key.seeded(1).stream("x"))
    assert fits(often, drawn, 0) > 1e-5


def test_kept_columns_are_the_identity() -> None:
    kept = Kept(3)
    assert np.array_equal(kept.matrix(), np.eye(3))
    p = np.array([0.2, 0.3, 0.5])
    assert np.array_equal(kept.forward(p), p)
    assert np.array_equal(kept.backward(p), p)


def test_coarsened_is_the_average_over_its_bins() -> None:
    channel = GridLaplace.solve(6, Fraction(1, 9))
    coarse = Coarsened(channel, np.array([0, 0, 1, 1, 1, 2]), np.array([0, 0, 0, 1, 1, 1]))
    matrix = channel.matrix()
    for released, rows in enumerate(([0, 1, 2], [3, 4, 5])):
        for true, columns in enumerate(([0, 1], [2, 3, 4], [5])):
            assert coarse.matrix()[released, true] == pytest.approx(matrix[np.ix_(rows, columns)].sum(axis=0).mean())
    p, r = np.array([0.2, 0.3, 0.5]), np.array([0.4, 2.0])
    assert np.allclose(coarse.forward(p), coarse.matrix() @ p)
    assert np.allclose(coarse.backward(r), coarse.matrix().T @ r)


@pytest.mark.parametrize(("true_bins", "released_bins"), [(3, 40), (40, 3), (7, 7)])
def test_coarsened_is_the_same_by_the_channel_and_by_its_transpose(true_bins: int, released_bins: int) -> None:
    """Bins go through a long channel several at a time, in the direction in which there are fewer."""
    channel = GridLaplace.solve(120, Fraction(1, 9))
    rng = np.random.default_rng(0)
    true, released = (rng.permutation(np.arange(120) % many) for many in (true_bins, released_bins))
    calls = []

    class Counted(Tabulated):
        def forward(self, distribution: Any, axis: int = -1) -> Any:
            calls.append("forward")
            return channel.forward(distribution, axis)

        def backward(self, weights: Any, axis: int = -1) -> Any:
            calls.append("backward")
            return channel.backward(weights, axis)

    matrix = channel.matrix()
    made = Coarsened(Counted(matrix), true, released).matrix()
    ones, others = np.eye(true_bins)[true], np.eye(released_bins)[released]
    np.testing.assert_allclose(made, others.T @ matrix @ ones / ones.sum(axis=0), atol=1e-12)
    assert calls == ["backward" if released_bins < true_bins else "forward"]


@pytest.mark.parametrize("channel", [GridLaplace.solve(2, Fraction(1, 3)), GridLaplace.solve(300, Fraction(1, 9)), GridLaplace.solve(4000, Fraction(1, 10**4)), FlaggedGridLaplace.solve(700, Fraction(1, 25))])  # fmt: skip
def test_noise_on_a_grid_is_undone_without_its_matrix(channel: Any) -> None:
    """The mean of the function that is found is the one asked for, whatever the true value."""
    values = np.random.default_rng(0).normal(size=channel.size)
    found = channel.undone(values)
    np.testing.assert_allclose(channel.backward(found), values, atol=1e-7)
    if channel.size < 1000:
        np.testing.assert_allclose(found, np.linalg.solve(channel.matrix().T, values), rtol=1e-5, atol=1e-7)


def test_uniform_noise_is_not_undone() -> None:
    assert GridLaplace.solve(50, Fraction(1)).undone(np.arange(50.0)) is None
    assert FlaggedGridLaplace.solve(50, Fraction(1)).undone(np.arange(51.0)) is None
    assert GridLaplace.solve(1, Fraction(1)).undone(np.array([3.0])) == 3.0


def test_root_above_is_above_and_close() -> None:
    for number in (Fraction(2), Fraction(1, 3), Fraction(1, 10**9)):
        root = root_above(number)
        assert root**2 >= number
        assert (root - Fraction(1, 2**190)) ** 2 < number


@pytest.mark.parametrize(
    "described",
    [
        {"channel": "teleport"},
        {},
        {"channel": "retention", "size": 2, "other": "1", "keep": 0, "bits": 32},
        {"channel": "retention", "size": 2},
        {"channel": "retention", "size": 0, "other": 1, "keep": 0, "bits": 32},
        {"channel": "retention", "size": 2, "other": 1, "keep": 0, "bits": 31},
        {"channel": "grid_laplace", "size": 5, "decay": 2**64 + 1, "shift": 0},
        {"channel": "grid_laplace_with_missing", "points": 5, "decay": 2**64, "shift": 8, "flip": 0},
    ],
)
def test_descriptions_that_cannot_be(described: dict[str, object]) -> None:
    with pytest.raises(ReleaseError):
        channel_from(described)
