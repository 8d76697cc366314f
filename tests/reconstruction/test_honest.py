"""Intervals cover the truth as often as they say; where they would not, there are bounds, or none and the reason."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import tokumei as tk
from tokumei.errors import InvalidParameter
from tokumei.mechanism.treatments import AveragedOverGroups, SwappedInGroups, UnweightedStrata
from tokumei.reconstruction import _intervals, _means
from tokumei.reconstruction._bounded import Variance, between, beyond
from tokumei.reconstruction._problems import (
    LeftOpen,
    NothingTold,
    NotTellingTogether,
    OnlyBoxes,
    OnlyLabels,
    SeveralRowsEach,
    ToldCoarsely,
    UnknownRows,
    WeightsInGroups,
)
from tokumei.reconstruction.honest import mean_interval, share_intervals

SIZE = 1500
TOWN = ["n", "e", "s", "w", "far"]
SCHEMA = tk.Schema(
    [
        tk.Attribute("sex", domain=tk.Categories(["f", "m"])),
        tk.Attribute("town", domain=tk.Categories(TOWN)),
        tk.Attribute("age", domain=tk.Numbers(0, 9, step=1)),
        tk.Attribute("ill", "sensitive", tk.Categories(["no", "yes"])),
        tk.Attribute("w", "sensitive", tk.Numbers(1, 3, step=1)),
    ]
)


def people(seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    town = rng.choice(5, SIZE, p=[0.45, 0.3, 0.15, 0.09, 0.01])
    made = {
        "sex": np.array(["f", "m"])[(rng.random(SIZE) < 0.3 + 0.1 * town).astype(int)],
        "town": np.array(TOWN)[town],
        "age": np.clip(rng.poisson(3, SIZE), 0, 9),
        "ill": np.where(rng.random(SIZE) < 0.1 + 0.1 * town, "yes", "no"),
        "w": 1 + (town == 0) + (rng.random(SIZE) < 0.5),
    }
    return pd.DataFrame(made)


def shares(frame: pd.DataFrame, columns: list[str], weights: str | None = None) -> np.ndarray:
    by = np.ones(len(frame)) if weights is None else frame[weights].to_numpy(float)
    codes = [pd.Categorical(frame[name], categories=SCHEMA[name].domain.values).codes.astype(int) for name in columns]
    made = np.zeros([len(SCHEMA[name].domain.values) for name in columns])
    np.add.at(made, tuple(codes), by / by.sum())
    return made


METHODS = {
    "all": lambda: tk.PkPerturbation(k=3, tells="all"),
    "pairs": lambda: tk.PkPerturbation(k=3, tells=2),
    "groups": lambda: tk.GroupedPkPerturbation(k=3, partition=tk.partitions.Mondrian(min_size=300)),
    "sample": lambda: tk.PkPerturbation(k=3, tells="all", sample=SIZE // 2),
}


def coverage(method: str, weights: str | None = None, releases: int = 40) -> dict[str, float]:
    """Count, over seeded tables and releases of them, how often 90 % intervals cover what the table has."""
    right: dict[str, list[np.ndarray]] = {"shares": [], "mean": []}
    for seed in range(releases):
        frame = people(seed)
        release = tk.anonymize(frame, SCHEMA, METHODS[method](), seed=seed)
        for columns in (["town"], ["sex", "ill"], ["sex", "town"]):
            found = share_intervals(release, columns, weights=weights, about="table")
            truth = shares(frame, columns, weights)
            there = found.kinds == "interval"
            right["shares"].append(((found.low <= truth) & (truth <= found.high))[there])
        mean = mean_interval(release, "age", weights, about="table")
        truth = np.average(frame["age"], weights=None if weights is None else frame[weights])
        if mean.kind == "interval":
            right["mean"].append(np.array([mean.low <= truth <= mean.high]))
    return {what: float(np.mean(np.concatenate(each))) for what, each in right.items() if each}


@pytest.mark.parametrize(
    ("method", "weights"),
    [("all", None), ("pairs", None), ("groups", None), ("sample", None), ("all", "w"), ("pairs", "w")],
)
def test_nine_of_ten_intervals_cover_the_truth(method: str, weights: str | None) -> None:
    """Seeded. Of the mean there is one interval per release, so more is left to chance."""
    found = coverage(method, weights)
    assert 0.86 < found["shares"] < 0.94
    assert 0.75 < found.get("mean", 0.9) <= 1.0


@pytest.mark.parametrize("method", ["all", "pairs"])
def test_intervals_that_are_a_third_too_short_are_found_out(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted mistake: standard errors that are 30 % too small."""

    def short(estimate: np.ndarray, variance: Variance, level: float) -> tuple[np.ndarray, np.ndarray]:
        return between(estimate, Variance(*(0.49 * each for each in vars(variance).values())), level)

    monkeypatch.setattr(_intervals, "between", short)
    assert coverage(method)["shares"] < 0.84


def test_the_variance_between_groups_counts_for_the_population() -> None:
    """Groups that hold one sex each tell the table's share exactly, and the population's no better than the rows can."""
    frame = people(1)
    method = tk.GroupedPkPerturbation(k=3, partition=tk.partitions.Mondrian(min_size=300))
    release = tk.anonymize(frame, SCHEMA, method, seed=1)
    population = share_intervals(release, ["ill"], about="population")
    p = shares(frame, ["ill"])
    assert population.standard_errors == pytest.approx(np.sqrt(p * (1 - p) / SIZE), rel=1e-6)
    town = share_intervals(release, ["town"], about="population"), share_intervals(release, ["town"], about="table")
    apart = town[0].standard_errors ** 2 - town[1].standard_errors ** 2
    q = np.clip(town[0].estimates, 0, 1)
    assert apart == pytest.approx(q * (1 - q) / SIZE, rel=1e-3, abs=1e-9)


@pytest.mark.parametrize("share", [0.0, 0.003, 0.02, 0.5, 1.0])
def test_shares_at_their_bounds_are_covered_as_often_as_others(share: float) -> None:
    """Cutting the usual interval at 0 would cover 0 with probability .95, and a share just above it less than .9."""
    draws = share + 0.01 * np.random.default_rng(1).normal(size=40_000)
    spread = Variance(np.full(draws.shape, 1e-4), np.zeros(draws.shape), np.zeros(draws.shape))
    low, high = between(draws, spread, 0.9)
    assert np.mean((low <= share) & (share <= high)) == pytest.approx(0.9, abs=0.007)
    assert (low <= high).all() and (low >= 0).all() and (high <= 1).all()
    assert ((low <= np.clip(draws, 0, 1)) & (np.clip(draws, 0, 1) <= high)).all()


def test_one_sided_limits_do_not_turn_round_below_zero() -> None:
    """Nobody was seen of 100: the share may be 0, though half a row less was counted."""
    one, nothing = np.array([0.01]), np.zeros(1)
    below = beyond(np.array([-0.005]), Variance(nothing, one, -one), 0.95, -1.0)
    above = beyond(np.array([0.005]), Variance(nothing, one, -one), 0.95, 1.0)
    assert below[0] == 0 and 0.029 < above[0] < 0.05  # the exact limit is 1 - .05 ** (1 / 100)


def told(kinds: np.ndarray) -> set[str]:
    return set(kinds.ravel().tolist())


def test_what_is_not_told_is_bounded_or_refused_with_the_reason() -> None:
    frame = people(2)
    truth = {columns: shares(frame, list(columns)) for columns in (("sex",), ("town",), ("sex", "town"))}
    for method, kinds, reason in (
        (tk.Generalization(k=5), {"bounds", "exact"}, OnlyBoxes),
        (tk.Generalization(k=5, partition=tk.partitions.Optimal()), {"bounds", "exact"}, OnlyLabels),
        (tk.RecordSuppression(k=3), {"bounds"}, UnknownRows),
        (tk.LocalSuppression(k=3), {"bounds", "exact"}, OnlyBoxes),
        (tk.Microaggregation(k=5), {"none"}, AveragedOverGroups),
    ):
        release = tk.anonymize(frame, SCHEMA, method, seed=1)
        for columns, true in truth.items():
            found = share_intervals(release, columns, about="table")
            starred = [each for each in found.reasons if isinstance(each, NothingTold)]
            assert told(found.kinds) <= ({"none"} if starred else kinds), method
            assert starred or told(found.kinds) <= {"exact"} or any(isinstance(each, reason) for each in found.reasons)
            if found.honest.all():
                assert (found.low <= true + 1e-12).all() and (true - 1e-12 <= found.high).all(), method
        mean = mean_interval(release, "age", about="table")
        if kinds == {"none"}:
            assert mean.kind == "none" and isinstance(mean.reasons[0], AveragedOverGroups)
        elif mean.kind != "none":
            assert mean.low - 1e-9 <= frame["age"].mean() <= mean.high + 1e-9, method


def test_rows_that_tell_too_little_have_none() -> None:
    frame = people(3)
    one = tk.anonymize(frame, SCHEMA, tk.PkPerturbation(k=3, tells=1), seed=1)
    apart = share_intervals(one, ["sex", "town"])
    assert told(apart.kinds) == {"none"} and apart.reasons == (NotTellingTogether(columns=("sex", "town")),)
    assert "no row tells 'sex', 'town' together" in str(apart.reasons[0])
    assert apart.reasons[0].in_language("ja").startswith("信頼できる区間はありません。")
    assert told(share_intervals(one, ["sex", "ill"]).kinds) == {"interval"}
    long = tk.Schema([tk.Attribute("n", domain=tk.Numbers(0, 99, step=1)), SCHEMA["sex"]])
    rows = pd.DataFrame({"n": np.arange(SIZE) % 100, "sex": frame["sex"]})
    coarse = tk.anonymize(rows, long, tk.PkPerturbation(k=5, tells=1), seed=1)
    fine = share_intervals(coarse, ["n"])
    assert told(fine.kinds) == {"none"} and fine.reasons == (ToldCoarsely(columns=("n",)),)
    mean = mean_interval(coarse, "n")
    assert mean.kind == "bounds" and mean.low < 49.5 < mean.high and mean.reasons == (OnlyLabels(),)


def test_what_the_noise_leaves_open_has_none() -> None:
    release = tk.anonymize(people(4)[:200], SCHEMA, tk.PkPerturbation(k=20, tells="all"), seed=1)
    found = share_intervals(release, ["sex", "town"])
    assert "none" in told(found.kinds) and LeftOpen() in found.reasons
    assert np.isnan(found.low[found.kinds == "none"]).all()


def test_weights_strata_and_people_that_allow_none() -> None:
    frame = people(5)
    grouped = tk.anonymize(frame, SCHEMA, METHODS["groups"](), seed=1)
    assert share_intervals(grouped, ["sex"], weights="w").reasons == (WeightsInGroups(),)
    hidden = tk.samples.Stratified("ill", 100, labels="hidden")
    drawn = tk.anonymize(frame, SCHEMA, tk.PkPerturbation(k=3, sample=hidden, tells="all"), seed=1)
    assert share_intervals(drawn, ["sex"]).reasons == (UnweightedStrata(),)
    several = tk.Schema([tk.Attribute("who", "person", most=3), SCHEMA["sex"], SCHEMA["town"]])
    visits = frame[["sex", "town"]].assign(who=[f"p{at // 2}" for at in range(SIZE)])
    repeated = tk.anonymize(visits, several, tk.PkPerturbation(k=3, tells="all"), seed=1)
    assert share_intervals(repeated, ["sex"]).reasons == (SeveralRowsEach(),)
    assert told(share_intervals(repeated, ["sex"], about="table").kinds) == {"interval"}


def test_a_table_released_unchanged_is_exact_and_the_population_is_not() -> None:
    frame = people(6)
    release = tk.anonymize(frame, SCHEMA, tk.PkPerturbation(k=3, tells="all"), seed=1)
    exact = share_intervals(release, ["ill"], about="table")
    assert told(exact.kinds) == {"exact"} and exact.low == pytest.approx(shares(frame, ["ill"]))
    assert told(share_intervals(release, ["ill"]).kinds) == {"interval"}
    assert mean_interval(release, "w", about="table").kind == "exact"
    assert mean_interval(release, "w", about="table").low == pytest.approx(frame["w"].mean())


def test_a_swapped_column_is_exact_by_itself_and_has_none_with_others() -> None:
    right = []
    for seed in range(40):
        frame = people(seed)
        swapping = tk.Swapping(k=5, partition=tk.partitions.Mondrian())
        release = tk.anonymize(frame, SCHEMA, swapping, seed=seed)
        found = share_intervals(release, ["town"])
        assert told(found.kinds) <= {"interval", "bounds"}
        true, there = np.array([0.45, 0.3, 0.15, 0.09, 0.01]), found.kinds == "interval"
        right.append(((found.low <= true) & (true <= found.high))[there])
    assert 0.84 < np.concatenate(right).mean() < 0.96
    exact = share_intervals(release, ["town"], about="table")
    assert told(exact.kinds) == {"exact"} and exact.low == pytest.approx(shares(frame, ["town"]))
    assert mean_interval(release, "age", about="table").low == pytest.approx(frame["age"].mean())
    assert mean_interval(release, "age").kind == "interval"
    for about in ("table", "population"):
        lost = share_intervals(release, ["town", "ill"], about=about)
        assert told(lost.kinds) == {"none"} and lost.reasons == (SwappedInGroups(column="town"),)


def test_a_model_gives_and_prints_them() -> None:
    frame = people(7)
    release = tk.anonymize(frame, SCHEMA, METHODS["pairs"](), seed=1)
    model = tk.reconstruct(release)
    table = model.table(["sex", "ill"])
    found = table.intervals(0.9)
    direct = share_intervals(release, ["sex", "ill"])
    assert np.array_equal(found.low, direct.low) and np.array_equal(found.high, direct.high)
    shown = table.frame(0.9)
    assert list(shown.columns) == ["sex", "ill", "share", "count", "low", "high", "interval"]
    assert (shown["low"] <= shown["share"]).all() and (shown["share"] <= shown["high"]).all()
    assert list(table.frame().columns) == ["sex", "ill", "share", "count"]
    assert str(table).count(" to ") == 4 and "f, no: " in str(table)
    assert (table.intervals(0.5).high - table.intervals(0.5).low < found.high - found.low).all()
    assert model.mean("age").kind in {"interval", "bounds"}
    with pytest.raises(InvalidParameter, match="'sex' has no numbers"):
        model.mean("sex")
    with pytest.raises(InvalidParameter, match="level must lie between"):
        table.intervals(1.5)
    with pytest.raises(InvalidParameter, match="about must be"):
        model.mean("age", about="people")


def test_means_of_long_columns_in_groups_need_no_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    """Incomes with thousands of values in every box: the same interval, and no inverse of thousands of rows for each group."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"pay": np.round(rng.lognormal(5, 1, 200)).clip(0, 3000).astype(int), "age": rng.integers(0, 60, 200)}
    )
    frame["pay"] = frame["pay"].astype("Int64").mask(rng.random(200) < 0.1)
    schema = tk.Schema(
        [
            tk.Attribute("pay", domain=tk.Numbers(0, 3000, step=1), missing=True),
            tk.Attribute("age", domain=tk.Numbers(0, 59, step=1)),
        ]
    )
    release = tk.anonymize(frame, schema, tk.GroupedPkPerturbation(k=3), seed=1)
    monkeypatch.setattr(_means, "LONG", 10**9)
    by_matrix = mean_interval(release, "pay")
    monkeypatch.setattr(_means, "LONG", 3)
    inverse, sizes = np.linalg.pinv, list[int]()
    monkeypatch.setattr(
        np.linalg, "pinv", lambda each, **settings: (sizes.append(len(each)), inverse(each, **settings))[1]
    )
    found = mean_interval(release, "pay")
    assert found.kind == by_matrix.kind == "interval"
    assert [found.estimate, found.low, found.high] == pytest.approx([by_matrix.estimate, by_matrix.low, by_matrix.high])
    assert max(sizes, default=0) <= 3


def test_intervals_of_a_table_are_worked_out_once() -> None:
    release = tk.anonymize(tk.example_census(rows=200), tk.example_schema(), tk.PkPerturbation(k=3), seed=1)
    table = tk.reconstruct(release).table(["sex"])
    assert table.intervals(0.9) is table.intervals()
    assert table.intervals(0.8) is not table.intervals()
    assert table.intervals(0.9, "table") is not table.intervals()
