"""Noise in the groups' own boxes: the promise against the exact adversary, what is released, and what is refused."""

from __future__ import annotations

import itertools
import math
import tempfile
import warnings
from dataclasses import field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

import tokumei as tk
from tests.anonymizers.grouping import AllBut, EachValue, Halving, InTurn, make
from tests.release.forging import rewrite
from tests.test_properties import tables
from tokumei.anonymizers.group_boxes import noise_ratios
from tokumei.anonymizers.pk_perturbation import solve_channels
from tokumei.arrays import Labels
from tokumei.engines.local import Made
from tokumei.errors import (
    CoverageWarning,
    InfeasiblePromise,
    InvalidParameter,
    MergedGroupsWarning,
    NotAtRandomWarning,
    ReleaseError,
)
from tokumei.mechanism.channel import channel_from
from tokumei.partition.partition import Partition, Problem
from tokumei.privacy.exact import link_posteriors, product_matrix
from tokumei.privacy.groups import achieved_by, achieved_in
from tokumei.values import value

Q = "quasi_identifier"
PLANE = tk.Schema([tk.Attribute("x", Q, tk.Numbers(0, 100, step=1)), tk.Attribute("y", Q, tk.Numbers(0, 100, step=1))])
SEX = tk.Categories(["f", "m"])


@value
class Halves(Partition):
    """The lower half of the first axis, and the upper."""

    partition: Literal["halves"] = field(default="halves", kw_only=True, repr=False)

    def group(self, problem: Problem) -> Labels:
        return (2 * problem.rows[:, 0] >= problem.axes[0].size).astype(np.int32)


def clusters(count: int = 200, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    made = np.concatenate([rng.normal(25, 6, (count // 2, 2)), rng.normal(75, 6, (count // 2, 2))])
    return pd.DataFrame(np.clip(made, 0, 100).round().astype(int), columns=["x", "y"])


# The promise, against somebody who knows the whole table.


def posteriors(made: Made, group: int, known: tuple[str, ...] = (), most: int = 4000) -> np.ndarray:
    """The largest belief in any link of a group, for every release that its box allows (or very many of them).

    Known columns tell people and rows apart: each of their classes in the group is attacked by itself.
    """
    labels = np.full(made.table.rows, -1)
    labels[made.order] = made.release.group_of
    classes = made.table.class_of(known)
    here = [np.flatnonzero((labels == group) & (classes == each)) for each in np.unique(classes[labels == group])]
    return np.concatenate([posteriors_among(made, group, people, most) for people in here])


def posteriors_among(made: Made, group: int, people: np.ndarray, most: int) -> np.ndarray:
    grouping, schema = made.release.mechanism.grouping, made.release.schema
    assert grouping is not None
    matrix = product_matrix([channel_from(c).matrix() for c in grouping.groups[group].channels])
    record = np.zeros(len(people), dtype=np.int64)
    for name in grouping.columns:
        members = grouping.inside(schema[name])[group].members
        local = np.full(schema[name].states, -1)
        local[members] = np.arange(len(members))
        here = local[made.table.codes(name)[people]]
        assert (here >= 0).all()  # nobody lies outside the box of his group
        record = record * len(members) + here
    if math.comb(len(matrix) + len(people) - 1, len(people)) <= most:
        chosen = np.array(list(itertools.combinations_with_replacement(range(len(matrix)), len(people))))
    else:
        chosen = np.random.default_rng(group).integers(0, len(matrix), (most, len(people)))
    likelihood = matrix[chosen[:, None, :], record[None, :, None]]
    return link_posteriors(likelihood).max(axis=(1, 2))


@settings(max_examples=60)
@given(
    seed=st.integers(0, 10**6),
    rows=st.integers(4, 8),
    k=st.sampled_from([1.3, 2, 2.7]),
    partition=st.sampled_from([tk.partitions.NoiseAware(grid=6), tk.partitions.Mondrian(), InTurn(), Halving()]),
    kept=st.sampled_from(["unknown", "known", "perturb"]),
)
def test_no_link_is_believed_more_than_promised(seed: int, rows: int, k: float, partition: Any, kept: Any) -> None:
    rng = np.random.default_rng(seed)
    schema = tk.Schema(
        [
            tk.Attribute("n", Q, tk.Numbers(0, 5, step=1), missing=True),
            tk.Attribute("c", Q, tk.Categories(["a", "b", "c"], ordered=bool(seed % 2))),
            tk.Attribute("s", "sensitive", SEX),
        ]
    )
    frame = {
        "n": pa.array(rng.integers(0, 6, rows), mask=rng.random(rows) < 0.15),
        "c": rng.choice(["a", "b", "c"], rows),
        "s": ["f", "m"] * (rows // 2) + ["f"] * (rows % 2),
    }
    if kept == "known" and rows // 2 < k:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MergedGroupsWarning)
        made = make(frame, schema, tk.GroupedPkPerturbation(k=k, partition=partition, kept=kept), seed)
    grouping = made.release.mechanism.grouping
    promised = made.release.guarantees[0].value
    assert promised >= k
    for number, group in enumerate(grouping.groups):
        worst = posteriors(made, number, ("s",) if kept == "known" else ()).max()
        assert worst <= float(1 / achieved_in(group)) * (1 + 1e-9)
        assert worst <= 1 / promised * (1 + 1e-9)


def test_the_promise_is_reached() -> None:
    # n - 1 equal rows at one end of the box and one at the other: the worst table there is.
    schema = tk.Schema([tk.Attribute("x", Q, tk.Numbers(0, 3, step=1))])
    made = make({"x": [0, 0, 0, 0, 3]}, schema, tk.GroupedPkPerturbation(k=2))
    worst = posteriors(made, 0).max()
    assert worst == pytest.approx(1 / made.release.guarantees[0].value, rel=1e-9)
    assert worst == pytest.approx(1 / 2, rel=1e-6)


def test_known_columns_count_within_groups() -> None:
    schema = tk.Schema([tk.Attribute("x", Q, tk.Numbers(0, 9, step=1)), tk.Attribute("s", "sensitive", SEX)])
    frame = {"x": [0, 1, 2, 3, 6, 7, 8, 9], "s": ["f", "m"] * 4}
    with pytest.warns(MergedGroupsWarning):  # a man and a woman are no company for each other
        made = make(frame, schema, tk.GroupedPkPerturbation(k=2, partition=Halving(), kept="known"))
    grouping = made.release.mechanism.grouping
    assert grouping is not None
    assert [(group.rows, group.among) for group in grouping.groups] == [(4, 2), (4, 2)]
    for group in grouping.groups:  # two among whom a person hides, and k = 2: the noise must be uniform
        assert channel_from(group.channels[0]).swap == 1


def test_wrong_budgets_would_be_caught() -> None:
    schema = tk.Schema([tk.Attribute("x", Q, tk.Numbers(0, 2, step=1)), tk.Attribute("y", Q, tk.Numbers(0, 2, step=1))])
    frame = {"x": [0, 0, 0, 2], "y": [0, 0, 0, 2]}
    made = make(frame, schema, tk.GroupedPkPerturbation(k=2, partition=AllBut(0)))
    grouping = made.release.mechanism.grouping
    assert grouping is not None

    def forged(channels: Any) -> Made:
        described = tuple(channel.describe() for channel in channels)
        group = grouping.groups[0]._replace(channels=described)
        mechanism = replace(made.release.mechanism, grouping=replace(grouping, groups=(group,)))
        return replace(made, release=replace(made.release, mechanism=mechanism))

    whole_budget_each = forged([solve_channels([schema[name]], 4, 2, "even")[name] for name in "xy"])
    assert posteriors(whole_budget_each, 0).max() > 1 / 2 * 1.05
    all_rows_instead_of_the_groups = forged(solve_channels(list(schema), 40, 2, "even").values())
    assert posteriors(all_rows_instead_of_the_groups, 0).max() > 1 / 2 * 1.05


# What is released.


@pytest.mark.parametrize(
    "partition",
    [
        tk.partitions.NoiseAware(),
        tk.partitions.Mondrian(min_size=30),
        tk.partitions.DBSCAN(then=tk.partitions.Mondrian(min_size=20)),
        InTurn(),
    ],
    ids=repr,
)
def test_rows_stay_in_their_boxes_and_nothing_is_lost(partition: Any, tmp_path: Path) -> None:
    frame = clusters()
    release = tk.anonymize(frame, PLANE, tk.GroupedPkPerturbation(k=4, partition=partition))
    grouping = release.mechanism.grouping
    assert release.rows == len(frame) and sum(group.rows for group in grouping.groups) == len(frame)
    assert release.guarantees[0].value >= 4
    assert float(achieved_by(grouping)[0]) == pytest.approx(release.guarantees[0].value)
    for place, name in enumerate("xy"):
        low, high = np.array([group.boxes[place][:2] for group in grouping.groups]).T
        cells = release.frame[name].to_numpy()
        assert ((low[release.group_of] <= cells) & (cells <= high[release.group_of])).all()
    assert (grouping.label is None) == ("group" not in release.frame.columns)
    assert grouping.label == (None if not isinstance(partition, InTurn) else "group")
    release.write(tmp_path / "out")
    back = tk.read_release(tmp_path / "out")
    assert back.mechanism == release.mechanism and back.guarantees == release.guarantees
    assert np.array_equal(back.group_of, release.group_of)
    csv = release.write(tmp_path / "csv", "csv")
    assert np.array_equal(tk.read_release(csv).group_of, release.group_of)


def test_groups_make_noise_smaller() -> None:
    release = tk.anonymize(clusters(), PLANE, tk.GroupedPkPerturbation(k=4))
    ratios = noise_ratios(release.mechanism.grouping, list(PLANE), 200, 4)
    weights = [group.rows for group in release.mechanism.grouping.groups]
    assert np.average(ratios.mean(axis=1), weights=weights) < 0.35
    assert "0." in str(release.record.notes[0]) and "times what it would be" in str(release.record.notes[0])
    whole = tk.anonymize(clusters(), PLANE, tk.GroupedPkPerturbation(k=4, partition=AllBut(0)))
    narrow = noise_ratios(whole.mechanism.grouping, list(PLANE), 200, 4)
    sizes = np.array([box.size for box in whole.mechanism.grouping.groups[0].boxes])
    even = (sizes**2 - 1) / (3 * sizes), (101**2 - 1) / (3 * 101)  # how far uniform noise moves a cell
    assert narrow[0] == pytest.approx(even[0] / even[1], rel=1e-6)  # at the same cost distances go with the range


def test_the_groups_rules_of_the_paper() -> None:
    """phi_gj = 2 M R_gj / ln((n_g - 1)/(k - 1)), and k = 1 + (n_g - 1) exp(-2 sum_j R_gj / phi_gj)."""
    release = tk.anonymize(
        clusters(), PLANE, tk.GroupedPkPerturbation(k=4, partition=tk.partitions.Mondrian(min_size=40))
    )
    for group in release.mechanism.grouping.groups:
        scales = [channel_from(channel).scale for channel in group.channels]
        widths = [box.high - box.low for box in group.boxes]
        for scale, width in zip(scales, widths, strict=True):
            assert scale == pytest.approx(2 * 2 * width / math.log((group.rows - 1) / 3), rel=1e-4)
        k = 1 + (group.rows - 1) * math.exp(-2 * sum(w / s for w, s in zip(widths, scales, strict=True)))
        assert k == pytest.approx(4, rel=1e-6)
        assert achieved_in(group) >= Fraction(4)


def test_draws_follow_the_channel_of_the_group() -> None:
    schema = tk.Schema([tk.Attribute("x", Q, tk.Numbers(0, 9, step=1))])
    frame = {"x": [0] * 3000 + [3] * 1000 + [7] * 2000 + [9] * 2000}
    made = make(frame, schema, tk.GroupedPkPerturbation(k=40, partition=Halves()), seed=5)
    grouping = made.release.mechanism.grouping
    assert grouping is not None
    labels, drawn = made.release.group_of, made.release.coded.codes("x").astype(np.int64)
    true = made.table.codes("x").astype(np.int64)[made.order]
    for group in range(len(grouping.groups)):
        low, matrix = grouping.groups[group].boxes[0].low, grouping.channel(group, "x").matrix()
        inside = labels == group
        counts = np.bincount(drawn[inside] - low, minlength=len(matrix))
        shares = np.bincount(true[inside] - low, minlength=len(matrix)) / inside.sum()
        assert chisquare(counts, matrix @ shares * inside.sum()).pvalue > 1e-4
        wrong = np.exp(0.7 * np.log(matrix))  # noise thirty percent stronger
        wrong /= wrong.sum(axis=0)
        assert chisquare(counts, wrong @ shares * inside.sum()).pvalue < 1e-4


def test_mixed_columns_trees_dates_and_missing_cells(tmp_path: Path) -> None:
    frame, schema = tk.example_census(rows=800), tk.example_schema()
    release = tk.anonymize(frame, schema, tk.GroupedPkPerturbation(k=5))
    release.write(tmp_path / "out")
    back = tk.read_release(tmp_path / "out", frame="polars")
    assert isinstance(back.frame, pl.DataFrame) and back.rows == 800
    assert back.guarantees[0].value >= 5
    assert set(back.schema.names()) - {"group"} == set(release.schema.names()) - {"group"}


def test_a_group_without_a_cell_stays_so() -> None:
    schema = tk.Schema(
        [
            tk.Attribute("a", Q, tk.Numbers(0, 9, step=1)),
            tk.Attribute("b", Q, tk.Numbers(0, 5, step=1), missing=True),
            tk.Attribute("group", "insensitive"),
        ]
    )
    frame = {"a": [0, 0, 1, 1, 8, 8, 9, 9], "b": [None] * 4 + [1, 2, None, 3], "group": list("abcdefgh")}
    made = make(frame, schema, tk.GroupedPkPerturbation(k=2, partition=Halving()))
    grouping = made.release.mechanism.grouping
    assert grouping is not None
    assert grouping.label == "group 2"
    assert [group.boxes[1].missing for group in grouping.groups] == [True, True, False, True]
    empty = [group.boxes[1] for group in grouping.groups if group.boxes[1].high < group.boxes[1].low]
    assert empty and all(box.size == 1 for box in empty)
    released = pd.Series(made.release.table.column("b").to_pylist())
    assert released[made.release.table.column("a").to_numpy() <= 1].isna().all()


def test_edges_are_rounded_outward() -> None:
    release = tk.anonymize(clusters(), PLANE, tk.GroupedPkPerturbation(k=4, edges={"x": 10}))
    grouping = release.mechanism.grouping
    for group in grouping.groups:
        assert group.boxes[0].low % 10 == 0
        assert group.boxes[0].high % 10 == 9 or group.boxes[0].high == 100
    assert any(group.boxes[1].low % 10 for group in grouping.groups)
    assert any("rounded outward" in str(said) for said in release.guarantees[0].assumes)
    plain = tk.anonymize(clusters(), PLANE, tk.GroupedPkPerturbation(k=4))
    assert any("are values of its rows" in str(said) for said in plain.guarantees[0].assumes)
    fine = tk.Schema([tk.Attribute("x", Q, tk.Numbers(0, 1)), tk.Attribute("y", Q, tk.Numbers(0, 1))])
    frame = clusters() / 100
    finely = tk.anonymize(frame, fine, tk.GroupedPkPerturbation(k=4, edges={"x": 0.25, "y": 0.25}))
    ends = {box.low for group in finely.mechanism.grouping.groups for box in group.boxes}
    assert ends <= {0, 16384, 32768, 49152}


def test_the_release_says_which_edges_are_rounded() -> None:
    def told(edges: Any) -> str:
        release = tk.anonymize(clusters(), PLANE, tk.GroupedPkPerturbation(k=4, edges=edges))
        (fact,) = [fact for fact in release.disclosed if fact.name == "groups"]
        assert str(fact.reason) in map(str, release.guarantees[0].assumes)
        return str(fact.reason)

    assert "rounded outward in 'x', and values of its rows in the other columns" in told({"x": 10})
    assert "values" not in told({"x": 10, "y": 1e300})
    for width in (0.1, 1):  # steps of the grid are 1: nothing would be rounded, and the release would say it was
        with pytest.raises(InvalidParameter, match="the step of 'x' in edges is no wider than the grid"):
            told({"x": width})
    halved = tk.anonymize(clusters(), PLANE, tk.GroupedPkPerturbation(k=4, edges={"x": 2.5}))  # wider, never narrower
    assert all(group.boxes[0].low % 3 == 0 for group in halved.mechanism.grouping.groups)


def test_uniform_noise_with_groups_and_without_is_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        release = tk.anonymize(pd.DataFrame({"x": [1, 2], "y": [3, 9]}), PLANE, tk.GroupedPkPerturbation(k=2))
    assert str(release.record.notes[0]).startswith("1 group of 2 rows;")
    assert "on average 0.04 times" in str(release.record.notes[0])  # boxes of 2 and 7 of 101 points


def test_small_groups_are_merged_with_a_message() -> None:
    schema = tk.Schema([tk.Attribute("x", Q, tk.Categories(["a", "b", "c", "d"], ordered=True))])
    frame = pd.DataFrame({"x": ["a"] * 10 + ["b"] * 2 + ["c"] * 10})
    with pytest.warns(MergedGroupsWarning, match="1 group with too few rows for k = 5 merged into others"):
        release = tk.anonymize(frame, schema, tk.GroupedPkPerturbation(k=5, partition=EachValue()))
    assert release.guarantees[0].value >= 5
    assert len(release.mechanism.grouping.groups) == 2


def test_dropped_outliers_are_counted_and_earn_no_credit(tmp_path: Path) -> None:
    frame = pd.concat([clusters(), pd.DataFrame({"x": [0, 100], "y": [100, 0]})])
    method = tk.GroupedPkPerturbation(
        k=4, partition=tk.partitions.DBSCAN(eps=0.08, outliers="drop", then=tk.partitions.Mondrian(min_size=50))
    )
    release = tk.anonymize(frame, PLANE, method)
    gone = release.mechanism.left_out
    assert gone >= 2 and release.rows == 202 - gone
    assert sum(group.rows for group in release.mechanism.grouping.groups) == release.rows
    assert {fact.name: fact.value for fact in release.disclosed}["left_out"] == gone
    release.write(tmp_path / "out")
    back = tk.read_release(tmp_path / "out")
    assert back.mechanism.left_out == gone
    with pytest.warns(NotAtRandomWarning):
        tk.IterativeBayes(["x"]).fit(back)


@settings(max_examples=50, suppress_health_check=list(HealthCheck))
@given(tables(), st.sampled_from([1.5, 2, 4]), st.sampled_from(["unknown", "known", "perturb"]), st.booleans())
def test_any_schema_is_released_whole_or_refused_in_one_sentence(
    drawn: tuple[pa.Table, tk.Schema], k: float, kept: Any, turn: bool
) -> None:
    table, schema = drawn
    method = tk.GroupedPkPerturbation(k=k, kept=kept, partition=InTurn() if turn else tk.partitions.NoiseAware(grid=8))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            release = tk.anonymize(table, schema, method)
        except InfeasiblePromise as error:
            assert str(error).count(".") <= 2
            return
        assert release.guarantees[0].value >= k and release.rows == table.num_rows
        with tempfile.TemporaryDirectory() as folder:
            release.write(Path(folder) / "out")
            back = tk.read_release(Path(folder) / "out", frame="pyarrow")
        assert back.mechanism == release.mechanism


# What is refused.


def groups_of(content: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = content["disclosed"]["mechanism"]["value"]["grouping"]["groups"]
    return found


def widen(content: dict[str, Any]) -> None:
    groups_of(content)[0]["boxes"][0][1] += 1


def less_noise(content: dict[str, Any]) -> None:
    for channel in groups_of(content)[0]["channels"]:
        channel["decay"] //= 2


def more_rows(content: dict[str, Any]) -> None:
    groups_of(content)[0]["rows"] += 5


def more_company(content: dict[str, Any]) -> None:
    for group in groups_of(content):
        group["rows"] += 1000
        group["among"] += 1000


def larger_k(content: dict[str, Any]) -> None:
    content["disclosed"]["guarantees"]["value"][0]["value"] = 50.0


def other_box(content: dict[str, Any]) -> None:
    box = groups_of(content)[0]["boxes"][0]
    width = box[1] - box[0] + 1  # by so much that no row is left in it, whatever was drawn
    box[0], box[1] = box[0] + width, box[1] + width


def other_count(content: dict[str, Any]) -> None:
    content["disclosed"]["groups"]["value"] = 999


def no_flag(content: dict[str, Any]) -> None:
    groups_of(content)[0]["boxes"][0][2] = []


def sampled(content: dict[str, Any]) -> None:
    content["disclosed"]["mechanism"]["value"]["of"] = 10_000


@pytest.mark.parametrize(
    "change", [widen, less_noise, more_rows, more_company, larger_k, other_box, other_count, no_flag, sampled]
)
def test_forged_groups_are_refused(change: Any, tmp_path: Path) -> None:
    release = tk.anonymize(
        clusters(), PLANE, tk.GroupedPkPerturbation(k=4, partition=tk.partitions.Mondrian(min_size=40))
    )
    release.write(tmp_path / "out")
    tk.read_release(tmp_path / "out")
    rewrite(tmp_path / "out", change)
    with pytest.raises(ReleaseError):
        tk.read_release(tmp_path / "out")


def test_what_it_refuses() -> None:
    frame = clusters(20)
    for k in (1, 0, -3, math.inf):
        with pytest.raises(InvalidParameter, match="k must be a number above 1"):
            tk.GroupedPkPerturbation(k=k)
    with pytest.raises(InfeasiblePromise, match="the table has 20 rows, so the largest k is 20"):
        tk.anonymize(frame, PLANE, tk.GroupedPkPerturbation(k=21))
    with pytest.raises(InvalidParameter, match="edges names 'z'"):
        tk.anonymize(frame, PLANE, tk.GroupedPkPerturbation(k=2, edges={"z": 1}))
    with pytest.raises(InvalidParameter, match="must be a number above 0"):
        tk.anonymize(frame, PLANE, tk.GroupedPkPerturbation(k=2, edges={"x": -1}))
    with pytest.raises(InvalidParameter, match="partition.kind must be one of 'automatic', 'dbscan'"):
        tk.GroupedPkPerturbation(k=2, partition=tk.partitions.Optimal())
    with pytest.raises(InvalidParameter, match="gives no weight to 'y'"):
        tk.anonymize(frame, PLANE, tk.GroupedPkPerturbation(k=2, split={"x": 1.0}))
    labelled = tk.Schema([tk.Attribute("s", Q, SEX)])
    with pytest.raises(InvalidParameter, match="rounded only for numbers and dates"):
        tk.anonymize(pd.DataFrame({"s": ["f", "m"] * 5}), labelled, tk.GroupedPkPerturbation(k=2, edges={"s": 1}))
    alone = tk.Schema([tk.Attribute("s", "sensitive", SEX)])
    with pytest.raises(InvalidParameter, match="nothing to perturb"):
        tk.anonymize(pd.DataFrame({"s": ["f", "m"]}), alone, tk.GroupedPkPerturbation(k=2))


def test_constant_and_equal_rows_need_no_noise() -> None:
    frame = pd.DataFrame({"x": [7] * 12, "y": [1, 2] * 6})
    release = tk.anonymize(frame, PLANE, tk.GroupedPkPerturbation(k=4))
    assert (release.frame["x"] == 7).all()
    same = tk.anonymize(pd.DataFrame({"x": [7] * 12, "y": [3] * 12}), PLANE, tk.GroupedPkPerturbation(k=4))
    assert same.guarantees[0].value == 12  # all alike: nobody is told apart


def test_a_weight_of_nothing_is_free_where_nothing_else_varies() -> None:
    frame = pd.DataFrame({"x": [7] * 12, "y": [1, 2, 3] * 4})
    release = tk.anonymize(frame, PLANE, tk.GroupedPkPerturbation(k=4, split={"x": 1.0, "y": 0.0}))
    assert release.guarantees[0].value == pytest.approx(4, rel=1e-6)


# Used by the analyst.


def test_tables_come_back_through_each_groups_channel() -> None:
    frame = clusters(2000)
    release = tk.anonymize(
        frame, PLANE, tk.GroupedPkPerturbation(k=4, partition=tk.partitions.Mondrian(min_size=200)), seed=3
    )
    bins = {"x": 5, "y": 5}
    table = tk.IterativeBayes(["x", "y"], bins=bins).fit(release)
    assert table.pmf_.sum() == pytest.approx(1)
    edges = np.array([0, 20, 40, 60, 80, 101])

    def counted(rows: pd.DataFrame) -> np.ndarray:
        return np.histogram2d(rows["x"], rows["y"], bins=[edges, edges])[0] / len(rows)

    off = 0.5 * np.abs(table.pmf_ - counted(frame)).sum()
    assert off < 0.7 * 0.5 * np.abs(counted(release.frame) - counted(frame)).sum()
    assert table.converged_
    with pytest.warns(CoverageWarning):  # bins are wide, and rows may lie anywhere in them
        table.intervals()
    there = table.kinds_ != "none"
    assert not there.all() and (table.low_[there] <= table.high_[there]).all()
    alone = tk.IterativeBayes(["x"], bins={"x": 5}).fit(release)
    assert np.allclose(alone.pmf_, counted(frame).sum(axis=1), atol=0.06)


def test_models_that_want_one_channel_say_what_to_do() -> None:
    schema = tk.Schema([*PLANE, tk.Attribute("s", "sensitive", SEX)])
    frame = clusters().assign(s=["f", "m"] * 100)
    release = tk.anonymize(frame, schema, tk.GroupedPkPerturbation(k=4))
    for model in (tk.DensityRatio(), tk.ClassConditionalClassifier("s"), tk.CorrectedLogisticRegression("s")):
        with pytest.raises(InvalidParameter, match="fit a model to the released rows directly"):
            model.fit(release)
    assert tk.reconstruct(release, target="s").picked_.model == "ImputedClassifier"


def test_the_measured_attacker_keeps_to_the_promise() -> None:
    found = tk.attack(clusters(120), tk.GroupedPkPerturbation(k=5), PLANE, random_state=1)
    assert found.largest_belief <= 1 / 5 * (1 + 0.02)
    assert found.people == found.rows == 120 and found.linked is not None
    release = tk.anonymize(clusters(120), PLANE, tk.GroupedPkPerturbation(k=5))
    assert tk.attack(clusters(120), release).largest_belief <= 1 / 5 * (1 + 0.02)
    labelled = tk.anonymize(clusters(120), PLANE, tk.GroupedPkPerturbation(k=5, partition=InTurn()))
    with pytest.raises(InvalidParameter, match="Pass the method instead"):
        tk.attack(clusters(120), labelled)


def test_the_attackers_luck_differs_from_group_to_group() -> None:
    # A hundred groups of six equal rows: he guesses one of six, in each anew.
    frame = pd.DataFrame({"x": np.arange(600) // 6 % 100, "y": 50})
    found = tk.attack(frame, tk.GroupedPkPerturbation(k=6, partition=EachValue()), PLANE, random_state=1)
    assert found.expected == pytest.approx(100) and found.interval is not None
    assert found.interval[0] < 1 / 6 < found.interval[1]


def test_classes_of_grouped_rows_are_no_measure_of_risk() -> None:
    release = tk.anonymize(clusters(), PLANE, tk.GroupedPkPerturbation(k=4))
    with pytest.raises(
        InvalidParameter, match="the equivalence classes of perturbed rows say nothing about their risk"
    ):
        tk.assess(release)
    with pytest.raises(InvalidParameter):
        tk.disclosure.collation_check(clusters(), release, PLANE)


def test_two_releases_joined_by_an_unknown_column_promise_nothing() -> None:
    schema = tk.Schema([*PLANE, tk.Attribute("s", "sensitive", SEX)])
    frame = clusters().assign(s=["f", "m"] * 100)
    first, second = (tk.anonymize(frame, schema, tk.GroupedPkPerturbation(k=4)) for _ in range(2))
    assert tk.combine([first, second])[0].value == 1
    known = [tk.anonymize(frame, schema, tk.GroupedPkPerturbation(k=4, kept="known")) for _ in range(2)]
    assert tk.combine(known)[0].value >= 4
