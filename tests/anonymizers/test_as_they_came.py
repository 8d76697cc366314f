"""Methods that draw no noise release cells as they came, and where a grid moves one the release says by how much.

The oracle compares released texts with the original column by the digits that were written, not by codes.
"""

from __future__ import annotations

import datetime as dt
import warnings
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

import tokumei as tk
from tokumei.engines.local import make_release
from tokumei.errors import InvalidParameter, RoundedInputWarning
from tokumei.plan import Output, Plan, Source
from tokumei.randomness import Key
from tokumei.table.frames import Origin

Q = "quasi_identifier"
# Two values that share a point of the finest default grid, and others; each five times.
CLOSE = [3.258096, 3.258097, 0.1, 0.30000000000000004, 7.0, 9.999999]
ROWS = pa.table({"x": np.repeat(CLOSE, 5), "s": ["p", "q", "r"] * 10})
SCHEMA = tk.Schema([tk.Attribute("x", Q, tk.Numbers(0, 10)), tk.Attribute("s", "sensitive")])


def made(table: pa.Table, schema: tk.Schema, method: Any) -> tuple[tk.Release, list[Any]]:
    """Make a release, and return it with the original cells of ``x`` in the order of its rows."""
    found = make_release(table, Origin("pyarrow"), schema, method, (), Key.seeded(1))
    return found.release, [table.column("x").to_pylist()[row] for row in found.order]


def test_the_values_share_a_point_of_the_grid() -> None:
    codes = tk.Numbers(0, 10).code(ROWS.column("x")).codes
    assert len(set(codes.tolist())) == len(CLOSE) - 1


@pytest.mark.parametrize("meaning", ["own_value", "wildcard"])
def test_local_suppression_leaves_cells_true(meaning: Any, tmp_path: Path) -> None:
    release, original = made(ROWS, SCHEMA, tk.LocalSuppression(k=5, meaning=meaning))
    assert [float(cell) for cell in release.table.column("x").to_pylist()] == original
    assert release.guarantees[0].value == 5  # two values at one point are two classes
    assert str(release.mechanism.treatment("x")) == "released unchanged"
    for format_ in ("csv", "parquet"):
        release.write(tmp_path / format_, format_, allow_seeded=True)
        again = tk.read_release(tmp_path / format_, frame="pyarrow")
        assert again.frame.column("x").to_pylist() == release.table.column("x").to_pylist()


def test_local_suppression_counts_on_what_it_releases() -> None:
    """Three rows of one value and three of another at the same point are no class of six."""
    table = pa.table({"x": [3.258096] * 3 + [3.258097] * 3 + [1.0] * 6, "s": ["p"] * 12})
    release, original = made(table, SCHEMA, tk.LocalSuppression(k=5))
    shown = release.table.column("x").to_pylist()
    assert Counter(shown) == {"*": 6, "1": 6}
    assert all(cell == "*" or float(cell) == came for cell, came in zip(shown, original, strict=True))


@pytest.mark.parametrize(
    ("cells", "domain", "texts"),
    [
        (pa.array([3.258096, 0.1], pa.float32()), tk.Numbers(0, 10), {"3.258096", "0.1"}),
        (pa.array([Decimal("3.25"), Decimal("10.00")]), tk.Numbers(0, 10), {"3.25", "10"}),
        (pa.array([100_001, 999_999]), tk.Numbers(0, 10**6, step=1000), {"100001", "999999"}),
        (pa.array([2.5, 3.0]), tk.Numbers(0, 10, step=1), {"2.5", "3"}),
        (
            pa.array([dt.datetime(2020, 1, 2, 13, 45), dt.datetime(2020, 1, 3)]),
            tk.Dates("2020-01-01", "2020-12-31"),
            {"2020-01-02 13:45:00", "2020-01-03"},
        ),
        (pa.array([0.1 + 0.2, 0.3]), tk.Numbers(0, 1, step=0.1), {"0.3"}),
    ],
    ids=["single", "decimal", "off a step", "half", "time of day", "rounding error"],
)
def test_local_suppression_of_every_kind_of_cell(cells: Any, domain: Any, texts: set[str], tmp_path: Path) -> None:
    table = pa.table({"x": pa.concat_arrays([cells] * 4), "s": ["p"] * 8})
    schema = tk.Schema([tk.Attribute("x", Q, domain), tk.Attribute("s", "insensitive")])
    with warnings.catch_warnings():
        warnings.simplefilter("error", RoundedInputWarning)  # nothing moves, so nothing is said of it
        release = tk.anonymize(table, schema, tk.LocalSuppression(k=4))
    assert set(release.table.column("x").to_pylist()) == texts
    release.write(tmp_path / "out")
    assert tk.read_release(tmp_path / "out").guarantees == release.guarantees


@pytest.mark.parametrize(
    "partition",
    [
        tk.partitions.Mondrian(),
        tk.partitions.Optimal(),
        tk.partitions.TopDown(),
        tk.partitions.Lattice(),
        tk.partitions.NearestGroups(),
    ],
    ids=lambda p: type(p).__name__,
)
def test_generalization_leaves_untouched_cells_as_they_came(partition: Any, tmp_path: Path) -> None:
    apart = ROWS.filter(pa.compute.not_equal(ROWS.column("x"), 3.258097))
    release, original = made(apart, SCHEMA, tk.Generalization(k=5, partition=partition))
    shown = release.table.column("x").to_pylist()
    assert [float(cell) for cell in shown] == original
    assert str(release.mechanism.treatment("x")) == "released unchanged"
    release.write(tmp_path / "out", allow_seeded=True)
    assert tk.read_release(tmp_path / "out").guarantees == release.guarantees


@pytest.mark.parametrize(
    "method", [tk.Generalization(5, tk.partitions.Mondrian()), tk.Microaggregation(5, cells="interval")]
)
def test_values_at_one_point_are_one_and_that_is_said(method: Any, tmp_path: Path) -> None:
    release, original = made(ROWS, SCHEMA, method)
    half = 10 / 2**16 / 2
    moved = 0
    for cell, came in zip(release.table.column("x").to_pylist(), original, strict=True):
        low, high = (float(end) for end in (cell[1:-1].split(", ") if cell.startswith("[") else (cell, cell)))
        assert low - half <= came <= high + half
        moved += not low <= came <= high
    assert 0 < moved <= 10
    assert "values were first moved to a grid, by at most 7.63e-05" in str(release.mechanism.treatment("x"))
    release.write(tmp_path / "out", "csv", allow_seeded=True)
    again = tk.read_release(tmp_path / "out")
    assert again.mechanism == release.mechanism
    assert str(again.treatment("x")) == str(release.mechanism.treatment("x"))


def test_the_labels_say_nothing_of_rows_that_are_suppressed() -> None:
    """A value that only suppressed rows have is not told by its own digits among the labels."""
    table = pa.table({"x": [3.258096] * 2 + [7.123456] * 10, "s": ["p"] * 12})
    release, _ = made(table, SCHEMA, tk.Generalization(k=5, partition=tk.partitions.Optimal(), suppression_limit=0.5))
    labels = release.schema["x"].domain.labels()  # type: ignore[union-attr]
    assert "7.123456" in labels
    assert "3.258096" not in labels


def test_a_declared_step_is_the_finest_level_and_moving_is_warned_of() -> None:
    schema = tk.Schema([tk.Attribute("x", Q, tk.Numbers(0, 10, step=1)), tk.Attribute("s", "sensitive")])
    with pytest.warns(RoundedInputWarning, match=r"Column 'x': 25 values .* moved, by at most 0\.5\."):
        release = tk.anonymize(ROWS, schema, tk.Generalization(k=5, partition=tk.partitions.Mondrian()))
    assert {cell for cell in release.table.column("x").to_pylist() if not cell.startswith("[")} <= {"0", "3", "7", "10"}
    assert "by at most 0.5" in str(release.mechanism.treatment("x"))


@pytest.mark.parametrize(
    "method", [tk.RecordSuppression(5), tk.Sampling(20, known=3), tk.PkPerturbation(1.5, tells="all")]
)
def test_other_methods_keep_cells(method: Any) -> None:
    role = Q if isinstance(method, tk.RecordSuppression) else "insensitive"
    schema = tk.Schema(
        [tk.Attribute("x", role, tk.Numbers(0, 10)), tk.Attribute("s", Q, tk.Categories(["p", "q", "r"]))]
    )
    if isinstance(method, tk.RecordSuppression):
        schema = schema.replacing(tk.Attribute("s", "insensitive"))
    release, original = made(ROWS, schema, method)
    assert release.table.column("x").to_pylist() == original


@pytest.mark.parametrize("engine", ["stream", "local"])
def test_every_engine_tells_the_same_cells(engine: str, tmp_path: Path) -> None:
    apart = ROWS.filter(pa.compute.not_equal(ROWS.column("x"), 3.258097))
    for table, exact in ((apart, True), (ROWS, False)):
        pa.parquet.write_table(table, tmp_path / "rows.parquet", row_group_size=7)
        method = tk.Generalization(5, tk.partitions.Mondrian())
        plan = Plan(Source(str(tmp_path / "rows.parquet")), SCHEMA, method, (), Output(), Path())
        release = tk.run(plan, engine=engine)
        assert release.mechanism.recoding is not None
        assert release.mechanism.recoding.columns["x"].exact == exact
        assert Counter(release.table.column("x").to_pylist())["7"] == 5
        if exact:
            assert {float(cell) for cell in release.table.column("x").to_pylist()} == set(CLOSE) - {3.258097}


def test_spark_tells_the_same_cells(spark: Any, tmp_path: Path) -> None:
    apart = ROWS.filter(pa.compute.not_equal(ROWS.column("x"), 3.258097))
    pa.parquet.write_table(apart, tmp_path / "rows.parquet", row_group_size=7)
    frame = spark.read.parquet(str(tmp_path / "rows.parquet"))
    release = tk.anonymize(frame, SCHEMA, tk.Generalization(5, tk.partitions.Mondrian()))
    assert {float(cell) for cell in release.table.column("x").to_pylist()} == set(CLOSE) - {3.258097}


@pytest.mark.parametrize(
    ("cells", "step", "shown"),
    [
        (pa.array([2.5, 8.25, 11.5, None]), tk.prepare.TopBottomCode("x", high=9), [2.5, 8.25, 9.0, None]),
        (
            pa.array([1.5, 8.25, 2.0, None], pa.float32()),
            tk.prepare.TopBottomCode("x", low=2, high=8),
            [2.0, 8.0, 2.0, None],
        ),
        (pa.array([1, 8, 12, None], pa.int8()), tk.prepare.TopBottomCode("x", low=2), [2, 8, 12, None]),
        (
            pa.array([Decimal("1.5"), Decimal("8.2"), None, Decimal("3")], pa.decimal128(4, 1)),
            tk.prepare.TopBottomCode("x", high=8),
            None,
        ),
    ],
)
def test_coding_to_the_top_leaves_the_others_as_they_came(cells: Any, step: Any, shown: Any) -> None:
    schema = tk.Schema(
        [
            tk.Attribute("x", "insensitive", tk.Numbers(0, 20, step=1), missing=True),
            tk.Attribute("s", Q, tk.Categories(["p"])),
        ]
    )
    table = pa.table({"x": cells, "s": ["p"] * 4})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        release = tk.anonymize(table, schema, tk.RecordSuppression(k=2), prepare=[step])
    found = release.frame.column("x")
    assert found.type == cells.type
    expected = [Decimal("1.5"), Decimal("8.0"), None, Decimal("3.0")] if shown is None else shown
    assert sorted(found.to_pylist(), key=str) == sorted(expected, key=str)


def test_noise_and_means_say_how_far_the_grid_moves_values() -> None:
    for method in (
        tk.PkPerturbation(2, tells="all"),
        tk.Microaggregation(5),
        tk.GroupedPkPerturbation(2, tk.partitions.Mondrian(min_size=10)),
    ):
        release, _ = made(ROWS, SCHEMA, method)
        assert str(release.treatment("x")).endswith("; values were first moved to a grid, by at most 7.63e-05")
        assert str(release.treatment("s")) == "released unchanged"
    release, _ = made(ROWS, SCHEMA, tk.Microaggregation(5, cells="median"))
    assert str(release.treatment("x")) == "the median of a group of rows"


def test_labels_between_points_are_no_scheme_to_go_on_with() -> None:
    release, _ = made(ROWS, SCHEMA, tk.LocalSuppression(k=5))
    with pytest.raises(InvalidParameter, match="distinguishes values that its grid does not"):
        tk.anonymize(ROWS, SCHEMA, tk.Generalization(5, tk.partitions.Published(release)))
