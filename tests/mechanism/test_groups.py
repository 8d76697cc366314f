"""Rows of many groups drawn together: the same draws as channel by channel, boxes as sets, and what a manifest says of them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

import tokumei as tk
from tokumei.errors import ReleaseError
from tokumei.mechanism.boxes import Box, ColumnBoxes, place_of
from tokumei.mechanism.channel import Channel
from tokumei.mechanism.displacement import along_grid, by_replacing, prefers_retention
from tokumei.mechanism.grid_laplace import FlaggedGridLaplace, GridLaplace
from tokumei.mechanism.group_draws import draw_through
from tokumei.mechanism.group_packing import boxes_from, packed_boxes, parts_from
from tokumei.mechanism.grouping import Group, Grouping
from tokumei.mechanism.retention import Retention
from tokumei.randomness import Key

CHANNELS: dict[str, Channel] = {
    "one value": Retention.solve(1, Fraction(1)),
    "retention, 32 bits": Retention.solve(5, Fraction(1, 30)),
    "retention, 64 bits": Retention.solve(5, Fraction(1, 30), 64),
    "uniform": Retention.solve(3, Fraction(1), 64),
    "grid": GridLaplace.solve(9, Fraction(1, 300)),
    "uniform grid": GridLaplace.solve(6, Fraction(1)),
    "two points": GridLaplace.solve(2, Fraction(1, 9)),
    "steep grid": GridLaplace.solve(40, Fraction(1, 10**9)),
    "grid with missing": FlaggedGridLaplace.solve(7, Fraction(1, 40)),
    "redrawn often": Retention(2, 2**62, 2**60, 64),  # only nine words of sixteen count
}


def drawn(names: list[str], rows: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw rows through channels that take turns; return whose, what was true, and what was drawn."""
    rng = np.random.default_rng(seed)
    channels = [CHANNELS[name] for name in names]
    which = rng.integers(0, len(channels), rows)
    true = (rng.random(rows) ** 2 * [channels[number].size for number in which]).astype(np.int64)
    return which, true, draw_through(channels, which, true, np.arange(rows), Key.seeded(seed).stream("column", "x"))


def test_draws_follow_every_channel() -> None:
    names = list(CHANNELS)
    which, true, out = drawn(names, 200_000, seed=1)
    for number, name in enumerate(names):
        matrix = CHANNELS[name].matrix()
        for value in np.unique(true[which == number]):
            counts = np.bincount(out[(which == number) & (true == value)], minlength=len(matrix))
            likely = matrix[:, value] * counts.sum() >= 5
            seen = np.append(counts[likely], counts[~likely].sum())
            expected = np.append(matrix[likely, value], matrix[~likely, value].sum()) * counts.sum()
            keep = expected > 1e-9
            assert seen[~keep].sum() == 0
            if keep.sum() > 1:
                assert chisquare(seen[keep], expected[keep] * seen.sum() / expected[keep].sum()).pvalue > 1e-5, name


def test_a_wrong_channel_would_be_found() -> None:
    names = ["grid", "retention, 64 bits"]
    which, true, out = drawn(names, 60_000, seed=2)
    for number, (name, wrong) in enumerate(
        zip(names, (GridLaplace.solve(9, Fraction(1, 200)), Retention.solve(5, Fraction(1, 22))), strict=True)
    ):
        counts = np.bincount(out[(which == number) & (true == 0)], minlength=wrong.size)
        assert chisquare(counts, wrong.matrix()[:, 0] * counts.sum()).pvalue < 1e-4
        assert chisquare(counts, CHANNELS[name].matrix()[:, 0] * counts.sum()).pvalue > 1e-5


@pytest.mark.parametrize("name", ["retention, 64 bits", "grid", "uniform grid", "steep grid", "redrawn often"])
def test_a_channel_alone_draws_what_it_draws_by_itself(name: str) -> None:
    # The same integers compared with the same words: the loops over many channels and over one agree to the last row.
    channel, rng = CHANNELS[name], np.random.default_rng(3)
    true = rng.integers(0, channel.size, 5000)
    stream = Key.seeded(4).stream("column", "x")
    mine = draw_through([channel], np.zeros(5000, dtype=np.int64), true, np.arange(5000), stream)
    assert np.array_equal(mine, channel.sample(true, stream))


def test_a_row_draws_the_same_whoever_else_is_there() -> None:
    channels, rng = list(CHANNELS.values()), np.random.default_rng(5)
    which = rng.integers(0, len(channels), 900)
    true = (rng.random(900) * [channels[number].size for number in which]).astype(np.int64)
    stream = Key.seeded(6).stream("column", "x")
    everybody = draw_through(channels, which, true, np.arange(900), stream)
    some = np.sort(rng.choice(900, 100, replace=False))
    assert np.array_equal(draw_through(channels, which[some], true[some], some, stream), everybody[some])
    assert len(draw_through(channels, which[:0], true[:0], some[:0], stream)) == 0


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.booleans(), st.booleans())
def test_boxes_number_their_cells(seed: int, missing: bool, sets: bool) -> None:
    rng = np.random.default_rng(seed)
    tree = tk.Hierarchy.groups({"odd": ["b", "d"], "even": ["a", "c", "e"]}) if rng.random() < 0.5 else None
    attribute = tk.Attribute("c", domain=tk.Categories(list("abcde")), hierarchy=tree, missing=missing)
    boxes: list[Box] = []
    for _ in range(4):
        places = np.sort(rng.choice(5, rng.integers(0 if missing else 1, 6), replace=False)).tolist()
        gone = missing and (not places or bool(rng.random() < 0.5))
        ends = (places[0], places[-1]) if places else (0, -1)
        boxes.append(Box.of(places, gone) if sets else Box(*ends, gone))
    column = ColumnBoxes(attribute, boxes)
    place = place_of(attribute)
    for group, box in enumerate(boxes):
        held = list(box.labels) if box.labels is not None else list(range(box.low, box.high + 1))
        cells = [int(np.flatnonzero(place == at)[0]) for at in held] + ([5] if box.missing else [])
        inside = column.inside(group)
        assert inside.members.tolist() == cells and len(cells) == box.size
        for code in range(attribute.states):
            expected = cells.index(code) if code in cells else -1
            assert column.local(np.array([code]), np.array([group])).tolist() == [expected]
            if expected >= 0:
                assert inside.local(np.array([code])).tolist() == [expected]
                assert column.codes(np.array([expected]), np.array([group])).tolist() == [code]
    codes, groups = (each.ravel() for each in np.meshgrid(np.arange(attribute.states), np.arange(4)))
    one_by_one = [column.local(codes[[at]], groups[[at]])[0] for at in range(len(codes))]
    assert column.local(np.tile(codes, 9), np.tile(groups, 9)).tolist() == one_by_one * 9  # many at once are looked up
    assert boxes_from(packed_boxes(boxes), len(boxes)) == boxes


@pytest.mark.parametrize(
    "described",
    [
        {"labels": [1, 1], "count": [2]},
        {"labels": [2, 1], "count": [2]},
        {"labels": [-1, 1], "count": [2]},
        {"labels": [], "count": [0]},
        {"labels": [0, True], "count": [2]},
        {"labels": [0.5], "count": [1]},
        {"labels": [0], "count": [2]},
        {"labels": [0, 1], "count": [1]},
        {"labels": [0, 1], "count": [3, -1]},
        {"labels": [0], "count": [1], "missing": [2]},
        {"labels": [0, 1], "count": [2], "missing": [[]]},
        {"labels": [0, 1], "count": [2], "missing": [0, 0]},
        {"labels": 0, "count": [1]},
        {"low": [3], "high": [1]},
        {"low": [3], "high": [2]},
        {"low": [-1], "high": [1]},
        {"low": [0], "high": ["1"]},
        {"low": [0], "high": [2**70]},
        {"low": [0], "high": [1, 1]},
        {"low": [0, 0], "high": [1, 1]},
    ],
)
def test_impossible_boxes_are_refused(described: Any) -> None:
    with pytest.raises(ReleaseError):
        boxes_from(described, 1)


FOUR_HALVES = [2**62] * 4  # their sum is nothing in 64 bits


def test_counts_that_wrap_around_are_refused() -> None:
    with pytest.raises(ReleaseError, match="a group that is not possible"):
        boxes_from({"labels": [0, 1], "count": [*FOUR_HALVES, 2]}, 5)
    tells = {"count": [*FOUR_HALVES, 1], "cluster": [0], "weight": [1], "channel": [0]}
    with pytest.raises(ReleaseError, match="a group that is not possible"):
        parts_from([CHANNEL], tells, 5)


def test_people_of_all_groups_are_counted_however_many_there_are() -> None:
    drawn = {"rows": [1] * 5, "among": [*FOUR_HALVES, 17], "of": [*FOUR_HALVES, 17]}
    groups = {**drawn, "boxes": [{"low": [0] * 5, "high": [1] * 5}], "channels": [CHANNEL], "channel": [[0] * 5]}
    assert Grouping.from_description({"columns": ["c"], "label": "group", "groups": groups}).people == 2**64 + 17


def test_sets_of_two_groups_may_have_the_same_labels() -> None:
    boxes = [Box.of((0, 2), False), Box.of((), True), Box.of((2,), False)]
    assert packed_boxes(boxes) == {"labels": [0, 2, 2], "count": [2, 0, 1], "missing": [0, 1, 0]}
    assert boxes_from(packed_boxes(boxes), 3) == boxes


CHANNEL = Retention.solve(2, Fraction(1, 4)).describe()
TWO: dict[str, Any] = {
    "columns": ["c"],
    "label": "group",
    "groups": {
        "rows": [9, 8],
        "among": [9, 8],
        "boxes": [{"labels": [0, 2, 0, 1], "count": [2, 2]}],
        "channels": [CHANNEL],
        "channel": [[0, 0]],
    },
}


@pytest.mark.parametrize(
    "change",
    [
        {"rows": []},
        {"rows": [9, 0]},
        {"rows": [9]},
        {"rows": [9, 8.0]},
        {"among": [9, 9]},
        {"among": [9]},
        {"most": [1, 0]},
        {"most": [1, 9]},
        {"of": [9, 7]},
        {"of": [10, 8]},  # of ten people nine hide among nine
        {"boxes": []},
        {"boxes": [{"labels": [0, 2, 0, 1], "count": [2, 2]}] * 2},
        {"channel": [[0, 1]]},
        {"channel": [[0, -1]]},
        {"channel": [[0]]},
        {"channel": []},
        {"channel": [[0, 0]] * 2},
        {"channels": []},
        {"channels": [CHANNEL, Retention.solve(2, Fraction(1, 9)).describe()]},  # of no group
        {"channels": [CHANNEL, CHANNEL], "channel": [[0, 1]]},
        {"channels": [CHANNEL, dict(reversed(CHANNEL.items()))], "channel": [[0, 1]]},
        {"most": [1, 1]},  # as if it were not there
        {"tells": {"count": [1, 1], "cluster": [0, 0], "weight": [1, 1], "channel": [0, 0]}},
    ],
    ids=str,
)
def test_impossible_groups_are_refused(change: dict[str, Any]) -> None:
    assert Grouping.from_description(TWO).describe() == TWO
    with pytest.raises(ReleaseError):
        Grouping.from_description({**TWO, "groups": {**TWO["groups"], **change}})


def test_groups_as_development_versions_wrote_them_are_not_called_damaged() -> None:
    group = {"rows": 9, "among": 9, "boxes": [[[0, 2], 0]], "channels": [CHANNEL]}
    with pytest.raises(ReleaseError, match="read it with the version that wrote it"):
        Grouping.from_description({**TWO, "groups": [group]})


def test_a_channel_fits_its_box() -> None:
    channel = Retention.solve(2, Fraction(1, 4)).describe()
    wide = (Group(9, 9, (Box.of((0, 2, 3), False),), (channel,)),)
    with pytest.raises(ReleaseError, match="a channel that does not fit its box"):
        Grouping.from_description(Grouping(("c",), wide, "group").describe())


def test_how_far_noise_moves_a_number() -> None:
    for cost in (0.05, 0.3, 1.0, 3.0, 8.0):
        for points in (8, 40, 300):
            channel = GridLaplace.solve(points, Fraction(np.exp(-2 * cost)))
            places = np.arange(points)
            moved = (channel.matrix() * np.abs(places[:, None] - places[None, :])).sum(axis=0).mean()
            share = moved / ((points - 1 / points) / 3)
            assert share <= along_grid(cost) * 1.06
            assert share >= along_grid(cost) * (0.94 if points > 8 else 0.7)
            kept = Retention.solve(points, Fraction(np.exp(-2 * cost)), 64)
            assert by_replacing(points, cost) == pytest.approx(1 - kept.retention, rel=1e-6)
    assert prefers_retention(2, 0.0) and prefers_retention(6, 0.01) and not prefers_retention(8, 0.01)
    assert prefers_retention(20, 3.0) and not prefers_retention(40, 3.0)
