"""The solver of the Pk budget under extreme demands: it succeeds or refuses, and what it says of itself is true."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest

import tokumei as tk
from tests.adversarial.twins import Matrix, matrix_of, swap_of
from tokumei.anonymizers.group_boxes import Company
from tokumei.anonymizers.group_channels import solve_groups, stand_in
from tokumei.anonymizers.pk_perturbation import solve_channels
from tokumei.errors import InfeasiblePromise
from tokumei.mechanism.channel import Channel
from tokumei.mechanism.grid_laplace import GridLaplace
from tokumei.mechanism.record import Mechanism
from tokumei.mechanism.retention import Retention
from tokumei.privacy.sampling import HidingPlace, achieved
from tokumei.privacy.split import Split, share_budget
from tokumei.table.people import People
from tokumei.table.schema import Attribute

MILLIONTH = Fraction(1, 10**6)
Budget = tuple[HidingPlace, float, list[Attribute], Split]


def budget(chance: random.Random) -> Budget:
    """Draw a hiding place, a k that can be had in it, columns and their shares, none of them moderate."""
    rows = max(2, round(10 ** chance.uniform(0.35, chance.choice([3, 6, 9, 11]))))
    inside = chance.choice([rows, rows, 1, rows - 1, max(1, round(rows * 10 ** -chance.uniform(0, 6)))])
    most = chance.choice([1, 1, chance.randint(1, min(rows, 1000))])
    place = HidingPlace(rows - inside, inside, most)
    top = place.among / place.most
    k = chance.choice(
        [
            1 + 10 ** -chance.uniform(0, 15.5),
            top * (1 - 10 ** -chance.uniform(0, 15.5)),
            top,
            10 ** chance.uniform(0, math.log10(max(top, 1.1))),
            chance.choice([1.5, 2, 5]),
        ]
    )
    while Fraction(k) * place.most > place.among:
        k = math.nextafter(min(k, top), 0)
    columns = [
        stand_in(f"c{i}", chance.random() < 0.5, chance.choice([1, 2, 3, 5, 74, 1000]), chance.random() < 0.3)
        for i in range(chance.choice([1, 1, 2, 3, 12]))
    ]
    weights: Split = {a.name: chance.choice([1.0, 10 ** -chance.uniform(0, 14), 0.0]) for a in columns}
    if not any(weights[a.name] for a in columns if a.states > 1):  # type: ignore[index]
        weights = "even"
    return place, k, columns, chance.choice(["even", "equal_retention", weights])  # type: ignore[list-item]


def budgets(seed: int, count: int) -> list[Budget]:
    chance = random.Random(seed)
    drawn = (budget(chance) for _ in range(3 * count))
    return [each for each in drawn if each[1] > 1][:count]


def test_extreme_budgets_are_solved_and_closely() -> None:
    surpassed = 0
    for place, k, columns, split in budgets(1, 200):
        value = achieved(place, Mechanism(solve_channels(columns, place, k, split)))
        assert value >= Fraction(k), (place, k, split)
        if any(a.states > 1 for a in columns):
            assert value < Fraction(k) * (1 + MILLIONTH), (place, k, split, [a.states for a in columns])
            surpassed += 1
    assert surpassed > 130


def ratio_of(matrix: Matrix) -> Fraction:
    """Return by how much another origin may change the likelihood of what was released at worst."""
    return min(a / b for one in matrix for other in matrix for a, b in zip(one, other, strict=True))


def kept(place: HidingPlace, channels: dict[str, Channel]) -> Fraction:
    """Compute k from the public integers alone, with none of the library's arithmetic."""
    made = [matrix_of(channel.describe()) for channel in channels.values()]
    ratio, swap = (math.prod((find(m) for m in made), start=Fraction(1)) for find in (ratio_of, swap_of))
    outside = max(0, place.outside - place.most + 1)
    inside = place.outside + place.inside - place.most - outside
    return 1 + (outside * ratio + inside * swap) / place.most


def test_what_is_solved_is_kept_by_the_integers_themselves() -> None:
    small = [each for each in budgets(2, 300) if max(a.states for a in each[2]) <= 6]
    assert len(small) > 40
    for place, k, columns, split in small:
        channels = solve_channels(columns, place, k, split)
        assert achieved(place, Mechanism(channels)) <= kept(place, channels)
        assert kept(place, channels) >= Fraction(k), (place, k, split)


NUMBER = stand_in("x", False, 74, False)
MISSING = stand_in("x", False, 74, True)
LABEL = stand_in("x", True, 5, False)


@pytest.mark.parametrize(
    ("place", "k", "columns", "split"),
    [
        # Shares so small that rounding left the last column less than nothing.
        (
            HidingPlace(0, 24488272, 71),
            344905.2394366197,
            [stand_in("x", False, 5, False), stand_in("y", False, 2, False)],
            {"x": 0.00013416795972579794, "y": 8.530918875065593e-09},
        ),
        # A ratio far below the root of the swap: no noise in one column makes up for it.
        (HidingPlace(86, 1), 86.99999999993634, [MISSING, stand_in("y", False, 3, True)], "even"),
        # A decay of nothing, a retention of exactly one.
        (
            HidingPlace(79575648, 6968953),
            1.0000000000042557,
            [stand_in("x", False, 2, True), stand_in("y", False, 2, False)],
            {"x": 1e-3, "y": 1.0},
        ),
        (HidingPlace(325213927, 138480565, 984), 1.0000000000000004, [LABEL], "equal_retention"),
        # Coarse weights: 5 % and 1 % above what was asked.
        (HidingPlace(50449193878, 8453660), 10, [MISSING], "even"),
        (HidingPlace(676933572, 1), 2, [stand_in("x", False, 5, True)], "even"),
        (HidingPlace(3368303635, 16377194573), 1.0023344001823262, [NUMBER], "even"),
    ],
)
def test_budgets_that_were_not_solved_or_not_closely(
    place: HidingPlace, k: float, columns: list[Attribute], split: Split
) -> None:
    value = achieved(place, Mechanism(solve_channels(columns, place, k, split)))
    assert Fraction(k) <= value < Fraction(k) * (1 + MILLIONTH)


@pytest.mark.parametrize("swap", [Fraction(1), 1 - Fraction(1, 2**40), Fraction(1, 3), Fraction(1, 10**20)])
@pytest.mark.parametrize("size", [2, 5, 2**22])
def test_a_single_channel_is_close_for_the_largest_domains_too(size: int, swap: Fraction) -> None:
    made = Retention.solve(size, swap)
    assert swap <= made.swap <= swap * (1 + MILLIONTH)
    if swap > Fraction(1, 10**9):  # the last of 2^22 weights is then large enough
        grid = GridLaplace.solve(size, swap)
        assert swap <= grid.swap <= swap * (1 + MILLIONTH)
        assert int(grid.totals.max()) < 2**63


@pytest.mark.parametrize("size", [2, 9, 24])
@pytest.mark.parametrize("swap", [Fraction(1, 2), Fraction(1, 10**6), Fraction(1, 10**24), Fraction(1, 10**36)])
def test_the_ratio_of_whole_weights_is_never_above_its_true_value_and_close(size: int, swap: Fraction) -> None:
    """Also where the last weights are so small that rounding them shows."""
    channel = GridLaplace.solve(size, swap)
    true = ratio_of(matrix_of(channel.describe()))
    assert true * (1 - Fraction(3, channel.resolution) - Fraction(1, 10**11)) <= channel.ratio <= true


def test_infeasible_budgets_are_refused_in_a_sentence() -> None:
    with pytest.raises(InfeasiblePromise, match="a person hides among 9 rows, so the largest k is 9"):
        solve_channels([NUMBER], 9, 9.5, "even")
    with pytest.raises(InfeasiblePromise, match="of which 4 may belong to one person, so the largest k is 2.25"):
        solve_channels([NUMBER], HidingPlace(0, 9, 4), 2.5, "even")


def test_groups_are_judged_by_the_exact_product_of_k_and_rows() -> None:
    company = Company(np.zeros(4, dtype=np.int64), float(Fraction(4, 3)), People.of(np.array([0, 0, 0, 1])))
    one = np.zeros(4, dtype=np.int64)
    assert company.holds(one, 1).tolist() == [True]
    above = replace(company, k=math.nextafter(company.k, 2))
    assert above.k * 3 == 4.0  # as floats; the product itself is above 4
    assert above.holds(one, 1).tolist() == [False]


def test_equal_retentions_add_up_however_large_the_budget() -> None:
    for total in (1e-9, 1.0, 50.0, 700.0):
        shares = share_budget("equal_retention", [LABEL, stand_in("y", True, 1000, False)], total)
        assert math.fsum(shares.values()) == pytest.approx(total, rel=1e-12)


def test_a_k_that_is_surpassed_is_told() -> None:
    schema = tk.Schema([tk.Attribute("a", domain=tk.Categories(["x"]))])
    release = tk.anonymize(pa.table({"a": ["x"] * 5}), schema, tk.PkPerturbation(k=2, tells="all"))
    assert release.record is not None
    assert tuple(map(str, release.record.notes)) == (
        "This keeps k = 5, 150% more than the 2 asked for; whole-number weights for these columns come no closer.",
    )


def test_a_group_that_is_too_small_is_refused_in_one_sentence() -> None:
    column = stand_in("x", True, 3, False)
    with pytest.raises(
        InfeasiblePromise, match=r"^k = 4 is not possible: a person hides among 3 rows, so the largest k is 3\.$"
    ):
        solve_groups([column], np.array([[3]]), np.array([[False]]), [HidingPlace(0, 3)], 4, "even")
