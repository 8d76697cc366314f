"""Microaggregation: what is released, what it promises, and that it cannot be undone."""

from __future__ import annotations

import datetime as dt
import json
import re
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tokumei as tk
from tests.anonymizers.grouping import check_release, make
from tests.conftest import same_codes
from tests.test_properties import tables
from tokumei.anonymizers.averaged import example, means
from tokumei.errors import DataError, InfeasiblePromise, InvalidParameter, ReleaseError
from tokumei.mechanism.averaging import Averaging
from tokumei.partition.microaggregation import POINT_PARTITIONS
from tokumei.partition.microaggregation.coordinates import coordinates
from tokumei.table.coded import encode

Q = "quasi_identifier"
NUMBERS = tk.Schema([tk.Attribute("x", Q, tk.Numbers(0, 100, step=0.5)), tk.Attribute("y", Q, tk.Numbers(0, 100))])


def points(count: int = 90, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame({"x": np.round(rng.uniform(0, 100, count)), "y": rng.uniform(0, 100, count)})


# What is released.


EVERY = pytest.mark.parametrize("partition", [partition() for partition in POINT_PARTITIONS], ids=str)


@EVERY
@pytest.mark.parametrize("k", [2, 5, 40])
def test_every_class_has_k_rows_and_means_are_kept(partition: Any, k: int) -> None:
    frame = points()
    if isinstance(partition, tk.partitions.NearExact) and k == 40:
        with pytest.raises(InvalidParameter, match="a k of at most 5"):
            tk.anonymize(frame, NUMBERS, tk.Microaggregation(k=k, partition=partition))
        return
    release = tk.anonymize(frame, NUMBERS, tk.Microaggregation(k=k, partition=partition))
    sizes = Counter(map(tuple, release.frame.to_numpy().tolist()))
    assert min(sizes.values()) >= k
    assert release.guarantees[0].notion == "k-anonymity"
    assert release.guarantees[0].value == min(sizes.values())
    assert release.schema == NUMBERS
    assert release.frame["x"].mean() == pytest.approx(frame["x"].mean(), abs=0.25)
    assert release.frame["y"].mean() == pytest.approx(frame["y"].mean(), abs=1e-3)
    assert release.frame["x"].std() <= frame["x"].std()
    assert "of the total" in str(release.record.notes[0])


def test_a_group_gets_its_own_mean() -> None:
    frame = pd.DataFrame({"x": [0.0, 1.0, 3.5, 60.0, 61.0, 70.0], "y": [1.0, 1.0, 1.0, 99.0, 99.0, 99.0]})
    release = tk.anonymize(frame, NUMBERS, tk.Microaggregation(k=3))
    assert Counter(release.frame["x"]) == {1.5: 3, 63.5: 3}
    median = tk.anonymize(frame, NUMBERS, tk.Microaggregation(k=3, cells="median"))
    assert Counter(median.frame["x"]) == {1.0: 3, 61.0: 3}


def test_intervals_cover_their_rows() -> None:
    frame = points().round()
    schema = tk.Schema([tk.Attribute(name, Q, tk.Numbers(0, 100, step=1)) for name in "xy"])
    made = make(pa.Table.from_pandas(frame), schema, tk.Microaggregation(k=4, cells="interval"))
    check_release(made, ("x", "y"), 4)
    assert made.release.mechanism.averaging is None


@pytest.mark.filterwarnings("ignore::tokumei.errors.FormulaCellsWarning")
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(tables(), st.sampled_from(["mean", "median", "interval"]), st.integers(2, 5))
def test_any_domain_is_released_whole_or_refused_in_one_sentence(
    drawn: tuple[pa.Table, tk.Schema], cells: Any, k: int
) -> None:
    table, schema = drawn
    try:
        made = make(table, schema, tk.Microaggregation(k=k, cells=cells))
    except (InfeasiblePromise, InvalidParameter) as error:
        assert "\n" not in str(error)
        assert table.num_rows < k or "stand for different groups" in str(error) or "unordered categories" in str(error)
        return
    columns = schema.names(Q)
    rows = zip(*(made.release.table.column(name).to_pylist() for name in columns), strict=True)
    assert min(Counter(rows).values()) >= k
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("parquet", "csv"):
            made.release.write(Path(folder) / kind, format=kind, allow_seeded=True)
            again = tk.read_release(Path(folder) / kind, frame="pyarrow")
            assert same_codes(again.coded, made.release.coded)
            assert again.mechanism == made.release.mechanism
            assert again.guarantees == made.release.guarantees


def test_mixed_columns_get_means_medians_and_modes() -> None:
    count = 40
    schema = tk.Schema(
        [
            tk.Attribute("age", Q, tk.Numbers(0, 99, step=1), missing=True),
            tk.Attribute("grade", Q, tk.Categories(["low", "middle", "high"], ordered=True)),
            tk.Attribute("town", Q, tk.Categories(["A", "B", "C"])),
            tk.Attribute("day", Q, tk.Dates(dt.date(2020, 1, 1), dt.date(2020, 12, 31))),
            tk.Attribute("ill", "sensitive", tk.Categories([False, True])),
        ]
    )
    frame = pa.table(
        {
            "age": [None if i % 5 == 0 else (i * 7) % 90 for i in range(count)],
            "grade": [["low", "middle", "high"][i % 3] for i in range(count)],
            "town": ["ABC"[i % 2] for i in range(count)],
            "day": [dt.date(2020, 1, 1) + dt.timedelta(days=(i * 31) % 360) for i in range(count)],
            "ill": [i % 4 == 0 for i in range(count)],
        }
    )
    release = tk.anonymize(frame, schema, tk.Microaggregation(k=4))
    assert release.mechanism.averaging == Averaging({"age": "mean", "grade": "median", "town": "mode", "day": "mean"})
    assert str(release.mechanism.treatment("town")) == "the most frequent value in a group of rows"
    assert release.frame.schema == frame.schema
    assert sorted(release.frame["ill"].to_pylist()) == sorted(frame["ill"].to_pylist())
    assert set(release.frame["town"].to_pylist()) <= {"A", "B"}


def survey(rows: int = 200) -> pd.DataFrame:
    """Codes of roofs and waters with gaps between them, six-digit codes of places, and an amount with many digits."""
    rng = np.random.default_rng(3)
    return pd.DataFrame(
        {
            "roof": rng.choice([1, 2, 9], rows),
            "water": rng.choice([1.0, 5.0, 12.0, np.nan], rows),
            "place": rng.choice(rng.integers(100_000, 999_999, 60), rows),
            "spent": np.round(rng.gamma(2, 100, rows), 6),
            "age": rng.integers(0, 90, rows),
        }
    )


@pytest.mark.parametrize("cells", ["mean", "median"])
@pytest.mark.parametrize("kind", ["pandas", "pyarrow"])
def test_no_value_is_released_that_nobody_has_unless_it_is_a_declared_quantity(kind: str, cells: Any) -> None:
    frame = survey()
    with pytest.warns(tk.errors.ObservedDomainWarning):
        schema = tk.Schema.observe(frame)
    schema = schema.replacing(tk.Attribute("age", Q, tk.Numbers(0, 90, step=1)))
    given = frame if kind == "pandas" else pa.Table.from_pandas(frame)
    release = tk.anonymize(given, schema, tk.Microaggregation(k=4, cells=cells))
    assert release.guarantees[0].value >= 4
    found = release.frame if kind == "pandas" else release.frame.to_pandas()
    for name in ("roof", "water", "place", "spent"):
        assert set(found[name].dropna()) <= set(frame[name]), name
    assert release.mechanism.averaging is not None
    assert release.mechanism.averaging.columns == {
        "roof": "mode",
        "water": "mode",
        "place": "median",
        "spent": "median",
        "age": cells,
    }
    rows = Counter(map(tuple, found.astype(object).where(found.notna(), None).to_numpy().tolist()))
    assert min(rows.values()) == release.guarantees[0].value
    said = any("'place', 'spent' are not declared as a quantity" in str(note) for note in release.record.notes)
    assert said == (cells == "mean")


def test_a_declared_quantity_gets_its_mean() -> None:
    frame = pd.DataFrame({"x": [0.0, 1.0, 3.5, 60.0, 61.0, 70.0]})
    for quantity, expected in ((True, {1.5: 3, 63.5: 3}), (False, {1.0: 3, 61.0: 3})):
        schema = tk.Schema([tk.Attribute("x", Q, tk.Numbers(0, 100, step=0.5, quantity=quantity))])
        assert Counter(tk.anonymize(frame, schema, tk.Microaggregation(k=3)).frame["x"]) == expected


@pytest.mark.parametrize("seed", range(10))
def test_averages_are_those_of_a_plain_loop(seed: int) -> None:
    rng = np.random.default_rng(seed)
    codes, labels = rng.integers(0, 11, 60), rng.permutation(np.arange(60) % 7).astype(np.int32)
    mean = means(codes, 10, labels)
    median, mode = (example(codes, codes == 10, labels, how) for how in ("median", "mode"))
    for group in range(7):
        cells = np.sort(codes[labels == group])
        there = cells[cells < 10]
        gone = len(there) < len(cells) - len(there)
        assert mean[group] == (10 if gone else np.rint(there.mean()))
        assert codes[median[group]] == (10 if gone else there[(len(there) - 1) // 2])
        assert codes[mode[group]] == np.argmax(np.bincount(cells, minlength=11))
        assert labels[median[group]] == labels[mode[group]] == group


def test_every_column_has_the_same_weight() -> None:
    count = 60
    schema = tk.Schema(
        [
            tk.Attribute("x", Q, tk.Numbers(0, 1000, step=1)),
            tk.Attribute("town", Q, tk.Categories(["A", "B", "C"])),
            tk.Attribute("same", Q, tk.Numbers(0, 9, step=1)),
        ]
    )
    frame = pa.table({"x": list(range(0, 600, 10)), "town": ["AAB"[i % 3] for i in range(count)], "same": [4] * count})
    laid = coordinates(encode(frame, schema), ("x", "town", "same"))
    assert laid.shape == (count, 3)  # a label that nobody has, and a column that does not vary, are no coordinates
    assert laid[:, 0].var() == pytest.approx(1) and laid[:, 1:].var(axis=0).sum() == pytest.approx(1)
    assert np.allclose(laid.mean(axis=0), 0)


def test_a_bound_is_said_to_the_holder_and_stays_out_of_the_manifest(tmp_path: Path) -> None:
    release = tk.anonymize(points(), NUMBERS, tk.Microaggregation(k=3, partition=tk.partitions.NearExact()))
    lost, least = (float(re.search(r"([\d.]+)%", str(note))[1]) for note in release.record.notes)  # type: ignore[index]
    assert 0.9 * lost < least <= lost + 0.005
    assert str(release.record.notes[1]).startswith("No groups of at least 3 rows have less than")
    release.write(tmp_path / "out")
    text = (tmp_path / "out" / "manifest.json").read_text(encoding="utf-8")
    assert "near_exact" in text
    assert "No groups" not in text and f"{least:.3f}" not in text and f"{lost:.2f}%" not in text


# What it promises.


@EVERY
def test_constraints_hold_in_every_class(partition: Any) -> None:
    frame = points(120)
    frame["ill"] = np.arange(120) % 5 == 0
    schema = tk.Schema([*NUMBERS, tk.Attribute("ill", "sensitive", tk.Categories([False, True]))])
    constraints = (tk.constraints.LDiversity("ill", l=2), tk.constraints.TCloseness("ill", t=0.3))
    release = tk.anonymize(frame, schema, tk.Microaggregation(k=3, partition=partition, constraints=constraints))
    shares = release.frame.groupby(["x", "y"])["ill"].agg(["mean", "nunique", "size"])
    assert len(shares) > 2 and shares["size"].min() >= 3 and shares["nunique"].min() == 2
    assert (shares["mean"] - 0.2).abs().max() <= 0.3 + 1e-9
    assert [each.notion for each in release.guarantees] == ["k-anonymity", "l-diversity", "t-closeness"]


def test_constraints_that_nothing_holds_are_refused() -> None:
    frame = points(20)
    frame["ill"] = False
    schema = tk.Schema([*NUMBERS, tk.Attribute("ill", "sensitive", tk.Categories([False, True]))])
    with pytest.raises(InfeasiblePromise, match="even the whole table as one group"):
        tk.anonymize(frame, schema, tk.Microaggregation(k=3, constraints=(tk.constraints.LDiversity("ill", l=2),)))


# That it cannot be undone.


def test_reconstruction_refuses_and_says_what_to_do(tmp_path: Path) -> None:
    schema, frame = tk.example_schema(), tk.example_census(rows=400)
    tk.anonymize(frame, schema, tk.Microaggregation(k=4)).write(tmp_path / "out")
    release = tk.read_release(tmp_path / "out")
    name = schema.names(Q)[0]
    words = "cannot be undone. Use the released cells as they are, or ask the data holder"
    with pytest.raises(InvalidParameter, match=words):
        tk.IterativeBayes([name]).fit(release)
    with pytest.raises(InvalidParameter, match=words):
        tk.DensityRatio().fit(release)
    assert "rows as they are" in tk.reconstruct(release, target="income").picked_.reason
    with pytest.raises(InvalidParameter, match="for generalized rows the equivalence classes show the risk"):
        tk.attack(frame, release, schema)
    kept = tk.IterativeBayes(["income"]).fit(release).pmf_  # a column that was released as it is needs nothing undone
    assert kept.sum() == pytest.approx(1)


def test_the_manifest_says_that_the_map_is_private_and_names_no_row(tmp_path: Path) -> None:
    tk.anonymize(points(), NUMBERS, tk.Microaggregation(k=5, cells="median")).write(tmp_path / "out")
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
    averaging = manifest["disclosed"]["mechanism"]["value"]["averaging"]
    assert averaging["columns"] == {"x": "median", "y": "median"}
    assert averaging["how"].startswith("private")
    assert manifest["disclosed"]["groups"]["reason"] == {"key": "reason.group_averages"}
    assert manifest["disclosed"]["groups"]["value"] is None
    assert "recoding" not in manifest["disclosed"]["mechanism"]["value"]


@pytest.mark.parametrize("change", [{"how": "shown"}, {"columns": {}}, {"columns": {"x": "sum"}}])
def test_an_averaging_that_is_not_known_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ReleaseError, match="does not know"):
        Averaging.from_description({**Averaging({"x": "mean"}).describe(), **change})


# Bad input.


@pytest.mark.parametrize("k", [1, 0, -3])
def test_a_k_that_asks_for_nothing_is_refused(k: int) -> None:
    with pytest.raises(InvalidParameter, match="at least 2"):
        tk.Microaggregation(k=k)


@EVERY
def test_too_few_rows_are_refused(partition: Any) -> None:
    with pytest.raises(InfeasiblePromise, match="is not possible with 3 rows"):
        tk.anonymize(points(3), NUMBERS, tk.Microaggregation(k=4, partition=partition))


@EVERY
@pytest.mark.parametrize(("cell", "words"), [(np.nan, "1 missing value"), (np.inf, "1 value outside its domain")])
def test_missing_and_infinite_cells_are_refused_unless_declared(partition: Any, cell: float, words: str) -> None:
    frame = points(20)
    frame.loc[3, "x"] = cell
    with pytest.raises(DataError, match=words):
        tk.anonymize(frame, NUMBERS, tk.Microaggregation(k=4, partition=partition))


@EVERY
def test_declared_missing_cells_are_grouped(partition: Any) -> None:
    schema = tk.Schema([tk.Attribute("x", Q, tk.Numbers(0, 100, step=0.5), missing=True), NUMBERS["y"]])
    frame = points(20)
    frame.loc[[3, 5, 8, 13], "x"] = np.nan
    release = tk.anonymize(frame, schema, tk.Microaggregation(k=4, partition=partition))
    assert release.guarantees[0].value >= 4


@EVERY
def test_constant_columns_duplicates_and_one_column_are_fine(partition: Any) -> None:
    frame = pd.DataFrame({"x": [5.0] * 12, "y": [50.0] * 12})
    release = tk.anonymize(frame, NUMBERS, tk.Microaggregation(k=3, partition=partition))
    assert release.guarantees[0].value == 12 and set(release.frame["x"]) == {5.0}
    one = tk.Schema([NUMBERS["x"]])
    release = tk.anonymize(
        pd.DataFrame({"x": [1.0, 2.0, 9.0, 10.0]}), one, tk.Microaggregation(k=2, partition=partition)
    )
    assert Counter(release.frame["x"]) == {1.5: 2, 9.5: 2}
    frame = pd.DataFrame({"x": np.repeat([1.0, 50.0, 99.0], 4), "y": np.repeat([3.0, 2.0, 1.0], 4)})
    release = tk.anonymize(frame, NUMBERS, tk.Microaggregation(k=4, partition=partition))
    assert release.guarantees[0].value >= 4


def test_too_many_unordered_categories_are_refused() -> None:
    schema = tk.Schema([tk.Attribute("town", Q, tk.Categories([f"town {i}" for i in range(200)]))])
    with pytest.raises(InvalidParameter, match="200 unordered categories.*recode it to fewer"):
        tk.anonymize(pd.DataFrame({"town": ["town 1", "town 2"] * 5}), schema, tk.Microaggregation(k=2))


def test_a_plan_names_partitions_by_their_kind() -> None:
    for partition in POINT_PARTITIONS:
        assert tk.Microaggregation(k=3, partition=partition().kind).partition == partition()
    assert tk.Microaggregation(k=3, partition={"kind": "flex_dice", "parts": 2}).partition == tk.partitions.FlexDice(2)
    assert tk.Microaggregation(k=3).describe()["partition"] == {"thorough": False, "kind": "local_search"}
    with pytest.raises(InvalidParameter, match="partition"):
        tk.Microaggregation(k=3, partition="optimal")
