"""What travels through Spark's shuffle: codes in words, and the values of their domains once the rows are in order."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import tokumei as tk
from tests.engines.stream.rows import as_multiset
from tokumei.engines.spark.packing import BITS, MOST, Place, packing_of

ROWS = 900
ODD = ["", " ", "it's", 'a "b"', "a\\b", "\\u0041", "line\nbreak", "${x}", "日本", "🙂", "null", "`", "--", "%s"]
SCHEMA = tk.Schema(
    [
        tk.Attribute("odd. text", domain=tk.Categories(ODD), missing=True),
        tk.Attribute("tenths", domain=tk.Numbers(-1, 1, step=0.1)),
        tk.Attribute("whole", domain=tk.Numbers(-(10**15), 10**15, step=10**14), missing=True),
        tk.Attribute("parts", domain=tk.Numbers(0, MOST, step=1)),
        tk.Attribute("yes", domain=tk.Categories([False, True])),
        tk.Attribute("as it came", "insensitive", domain=tk.Categories(ODD)),
        tk.Attribute("number as it came", "insensitive", domain=tk.Categories([3, 1, 2]), missing=True),
        tk.Attribute("share as it came", "insensitive", domain=tk.Numbers(0, 1, step=0.25)),
        tk.Attribute("note", "insensitive"),
    ]
)


def people() -> pa.Table:
    rng = np.random.default_rng(2)
    return pa.table(
        {
            "odd. text": [None if at % 9 == 0 else ODD[at % len(ODD)] for at in range(ROWS)],
            "tenths": np.round(rng.integers(-10, 11, ROWS) / 10, 1),
            "whole": pa.array([None if at % 7 == 0 else (at % 21 - 10) * 10**14 for at in range(ROWS)]),
            "parts": rng.integers(0, MOST + 1, ROWS),
            "yes": rng.random(ROWS) < 0.5,
            "as it came": rng.choice(ODD, ROWS).tolist(),
            "number as it came": pa.array([None if at % 5 == 0 else at % 3 + 1 for at in range(ROWS)]),
            "share as it came": rng.choice([0.5, 0.25], ROWS),
            "note": [f"note {at % 4}" for at in range(ROWS)],
        }
    )


@pytest.mark.parametrize("tells", ["all", 2])
def test_every_value_comes_out_of_the_shuffle_as_it_went_in(spark: Any, tmp_path: Path, tells: Any) -> None:
    pq.write_table(people(), tmp_path / "people.parquet", row_group_size=300)
    method = tk.PkPerturbation(k=3, tells=tells)
    local = tk.anonymize(people(), SCHEMA, method, seed=4)
    for setting in ("false", "true"):  # which reads backslashes of SQL as they are
        spark.conf.set("spark.sql.parser.escapedStringLiterals", setting)
        release = tk.anonymize(spark.read.parquet(str(tmp_path / "people.parquet")), SCHEMA, method, seed=4)
        assert release.frame.columns == local.table.column_names
        assert release.table.schema.equals(local.table.schema)
        assert as_multiset(release.table) == as_multiset(local.table)
    spark.conf.unset("spark.sql.parser.escapedStringLiterals")
    carried = [name for name in shuffled_columns(release.frame) if not name.startswith("tokumei")]
    assert carried == [
        *(["parts"] if tells == "all" else []),
        "yes",
        "share as it came",
        "note",
    ]  # told coarser, it has few


def shuffled_columns(frame: Any) -> list[str]:
    """Name the columns of the rows that Spark shuffles."""
    plan = frame._jdf.queryExecution().optimizedPlan()
    while plan.getClass().getSimpleName() != "RepartitionByExpression":
        plan = plan.children().head()
    columns = plan.output()
    return [columns.apply(at).name() for at in range(columns.size())]


def test_which_columns_are_packed_and_where() -> None:
    schema = tk.Schema(
        [
            *(tk.Attribute(f"c{at}", domain=tk.Categories(range(1023))) for at in range(7)),
            tk.Attribute("long", domain=tk.Numbers(1, MOST, step=1)),
            tk.Attribute("too long", domain=tk.Numbers(0, MOST, step=1)),
            tk.Attribute("free", "insensitive"),
        ]
    )
    types = {name: pa.int64() for name in schema.names()}
    places = packing_of(schema, types, ["c0", "long", "too long"]).places
    assert places["c0"] == Place(0, 0, 10) and places["c5"] == Place(0, 50, 10)
    assert places["c6"] == Place(1, 0, 10)  # there are 63 bits
    assert places["long"] == Place(1, 10, MOST.bit_length())
    assert set(places) == {*(f"c{at}" for at in range(7)), "long"}
    assert max(each.first + each.bits for each in places.values()) <= BITS
    assert "long" not in packing_of(schema, types, ["c0"]).places  # numbers may have come off their grid
    other = packing_of(schema, {**types, "c1": pa.int32(), "c2": pa.string()}, []).places
    assert set(other) == {"c0", "c3", "c4", "c5", "c6"}


def test_the_last_bit_of_a_word_is_kept() -> None:
    schema = tk.Schema([tk.Attribute(f"c{at}", domain=tk.Categories(range(127))) for at in range(9)])
    packing = packing_of(schema, {name: pa.int64() for name in schema.names()}, [])
    assert max(each.first + each.bits for each in packing.places.values()) == BITS
    codes = {name: np.array([127, 0, at]) for at, name in enumerate(packing.places)}
    (word,) = packing.packed(codes, 3).values()
    for name, place in packing.places.items():
        read = word.to_numpy() >> place.first & (1 << place.bits) - 1
        assert read.tolist() == codes[name].tolist()


def test_values_that_only_rows_tell_are_in_no_query() -> None:
    """They would stand in its plan, which Spark may log."""
    schema = tk.Schema(
        [tk.Attribute(name, domain=tk.Categories(["x", "y"]), observed=name == "seen") for name in ("told", "seen")]
    )
    types = {name: pa.string() for name in schema.names()}
    assert set(packing_of(schema, types, schema.names()).places) == {"told"}
