"""What every encoder must do, and what each of them is for."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

import tokumei as tk
from tokumei.errors import InvalidParameter
from tokumei.learning.encoders._rates import estimated
from tokumei.table.reading import CellReader

TREE = tk.Hierarchy.groups({"north": ["A", "B"], "south": ["C", "D"]})
SCHEMA = tk.Schema(
    [
        tk.Attribute("place", domain=tk.Categories(["A", "B", "C", "D"]), hierarchy=TREE),
        tk.Attribute("age", domain=tk.Numbers(20, 23, step=1), missing=True),
    ]
)
RATES = {"place": {"A": 0.1, "B": 0.3, "C": 0.6, "D": 0.0}, "age": {"20": 0.25, "21": 0.25, "22": 0.5}}
COARSE = {"place": ["north", "south", "A", "*"], "age": ["[20, 21]", "23", "[20, 22]", None]}
RAW = {"place": ["B", "D", "Z"], "age": [20, 23, 77]}
EVERY = [
    tk.encoders.LeafEncoder,
    tk.encoders.RateEncoder,
    tk.encoders.AncestorEncoder,
    tk.encoders.GroupStatisticsEncoder,
]


@parametrize_with_checks([*(kind() for kind in EVERY), tk.encoders.LeafEncoder(star="empty")])  # type: ignore[untyped-decorator]
@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_finds_nothing_wrong(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.parametrize("kind_of", EVERY)
def test_frames_of_every_kind_give_the_same(make: Callable[[Any], Any], kind_of: Any) -> None:
    encoder = kind_of(SCHEMA).fit(make(COARSE))
    expected = kind_of(SCHEMA).fit(pd.DataFrame(COARSE))
    assert encoder.get_feature_names_out().tolist() == expected.get_feature_names_out().tolist()
    for rows in (COARSE, RAW):
        made = encoder.transform(make(rows))
        assert scipy.sparse.issparse(made)
        assert made.format == "csr"
        np.testing.assert_allclose(made.toarray(), expected.transform(pd.DataFrame(rows)).toarray())


@pytest.mark.parametrize("kind_of", EVERY)
def test_in_pipelines_and_frames_out(kind_of: Any) -> None:
    coarse = pd.DataFrame({**COARSE, "other": [1.0, 2.0, 3.0, 4.0]})
    parts = ColumnTransformer([("cells", kind_of(SCHEMA), ["place", "age"])], remainder="passthrough")
    model = make_pipeline(parts, LogisticRegression()).fit(coarse, [0, 1, 0, 1])
    raw = pd.DataFrame({**RAW, "other": [1.0, 2.0, 3.0]})
    assert model.predict(raw).shape == (3,)
    dense = kind_of(SCHEMA, sparse_output=False)
    named = clone(dense).set_output(transform="pandas").fit_transform(pd.DataFrame(COARSE, index=[7, 8, 9, 10]))
    assert isinstance(named, pd.DataFrame)
    assert named.index.tolist() == [7, 8, 9, 10]
    assert named.columns.tolist() == dense.fit(pd.DataFrame(COARSE)).get_feature_names_out().tolist()
    assert isinstance(clone(dense).set_output(transform="polars").fit_transform(pl.DataFrame(COARSE)), pl.DataFrame)
    with pytest.raises(ValueError, match="sparse"):
        kind_of(SCHEMA).set_output(transform="pandas").fit_transform(pd.DataFrame(COARSE))


@pytest.mark.parametrize("kind_of", EVERY)
def test_pickled_and_copied(kind_of: Any) -> None:
    encoder = kind_of(SCHEMA).fit(pd.DataFrame(COARSE))
    for other in (pickle.loads(pickle.dumps(encoder)), copy.deepcopy(encoder)):
        np.testing.assert_array_equal(
            other.transform(pd.DataFrame(RAW)).toarray(), encoder.transform(pd.DataFrame(RAW)).toarray()
        )


@pytest.mark.parametrize("kind_of", EVERY)
def test_an_unseen_value_is_as_a_star(kind_of: Any) -> None:
    encoder = kind_of(SCHEMA).fit(pd.DataFrame(COARSE))
    unseen, star = (
        encoder.transform(pd.DataFrame({"place": [place], "age": [age]})).toarray()
        for place, age in (("Z", "99"), ("*", "*"))
    )
    np.testing.assert_array_equal(unseen, star)


def test_leaves() -> None:
    encoder = tk.encoders.LeafEncoder(SCHEMA, sparse_output=False).fit(pd.DataFrame(COARSE))
    names = ["place=A", "place=B", "place=C", "place=D", "age=20", "age=21", "age=22", "age=23", "age=missing"]
    assert encoder.get_feature_names_out().tolist() == names
    np.testing.assert_array_equal(
        encoder.transform(pd.DataFrame(COARSE)),
        [
            [1, 1, 0, 0, 1, 1, 0, 0, 0],
            [0, 0, 1, 1, 0, 0, 0, 1, 0],
            [1, 0, 0, 0, 1, 1, 1, 0, 0],
            [1, 1, 1, 1, 0, 0, 0, 0, 1],
        ],
    )


def test_only_cells_that_may_be_anything_are_left_empty() -> None:
    cells = pd.DataFrame({"place": ["north", "*", "A", "Z"], "age": ["*", "[20, 23]", None, "23"]})
    full, empty = (
        tk.encoders.LeafEncoder(SCHEMA, star=star, sparse_output=False).fit_transform(cells)
        for star in ("all", "empty")
    )
    np.testing.assert_array_equal(
        empty,
        [
            [1, 1, 0, 0, 0, 0, 0, 0, 0],
            [0, 0, 0, 0, 1, 1, 1, 1, 0],
            [1, 0, 0, 0, 0, 0, 0, 0, 1],
            [0, 0, 0, 0, 0, 0, 0, 1, 0],
        ],
    )
    np.testing.assert_array_equal(full[empty == 0].sum(), 4 + 5 + 4)  # two stars of places, one of ages


def test_a_column_of_one_value_is_never_empty() -> None:
    schema = tk.Schema([tk.Attribute("place", domain=tk.Categories(["A"]))])
    cells = pd.DataFrame({"place": ["A", "A"]})
    assert tk.encoders.LeafEncoder(schema, star="empty").fit_transform(cells).toarray().tolist() == [[1], [1]]


def test_another_star_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="star must be 'all' or 'empty'. Got 'none'"):
        tk.encoders.LeafEncoder(SCHEMA, star="none").fit(pd.DataFrame(COARSE))  # type: ignore[arg-type]


def test_rates() -> None:
    encoder = tk.encoders.RateEncoder(SCHEMA, RATES, sparse_output=False).fit(pd.DataFrame(COARSE))
    assert encoder.sources_ == {"place": "given", "age": "given"}
    np.testing.assert_allclose(
        encoder.transform(pd.DataFrame(COARSE)),
        [
            [0.25, 0.75, 0, 0, 0.5, 0.5, 0, 0, 0],
            [0, 0, 1, 0, 0, 0, 0, 1, 0],
            [1, 0, 0, 0, 0.25, 0.25, 0.5, 0, 0],
            [0.1, 0.3, 0.6, 0, 0, 0, 0, 0, 1],
        ],
    )
    uniform = tk.encoders.RateEncoder(SCHEMA, "uniform", sparse_output=False).fit(pd.DataFrame(COARSE))
    np.testing.assert_allclose(uniform.transform(pd.DataFrame(COARSE))[0], [0.5, 0.5, 0, 0, 0.5, 0.5, 0, 0, 0])


def test_values_that_never_occur_are_counted_evenly() -> None:
    rates = {**RATES, "place": {"A": 0.5, "B": 0.5}}
    encoder = tk.encoders.RateEncoder(SCHEMA, rates, sparse_output=False).fit(pd.DataFrame(COARSE))
    np.testing.assert_allclose(encoder.transform(pd.DataFrame(COARSE))[1, :4], [0, 0, 0.5, 0.5])


def test_estimated_rates_are_the_likeliest() -> None:
    reader = CellReader(SCHEMA["place"])
    cells = ["A"] * 30 + ["B"] * 10 + ["north"] * 20 + ["south"] * 30 + ["*"] * 10
    found = estimated(reader.read(pa.array(cells)), 4)
    # 60 of the 90 rows that tell are north, three quarters of them A; south is never told apart.
    np.testing.assert_allclose(found, [0.5, 1 / 6, 1 / 6, 1 / 6], atol=1e-6)


def test_rates_that_cannot_be_had() -> None:
    frame = pd.DataFrame(COARSE)
    with pytest.raises(tk.errors.InvalidParameter, match="no published rates of 'place'"):
        tk.encoders.RateEncoder(SCHEMA, "release").fit(frame)
    with pytest.raises(tk.errors.InvalidParameter, match="no rates of 'age'"):
        tk.encoders.RateEncoder(SCHEMA, {"place": RATES["place"]}).fit(frame)
    with pytest.raises(tk.errors.InvalidParameter, match="domain does not have"):
        tk.encoders.RateEncoder(SCHEMA, {**RATES, "place": {"Z": 1.0}}).fit(frame)
    with pytest.raises(tk.errors.InvalidParameter, match="add up to one"):
        tk.encoders.RateEncoder(SCHEMA, {**RATES, "place": {"A": 0.5}}).fit(frame)
    with pytest.raises(tk.errors.InvalidParameter, match="rates must be"):
        tk.encoders.RateEncoder(SCHEMA, "rates").fit(frame)


def test_ancestors() -> None:
    encoder = tk.encoders.AncestorEncoder(SCHEMA, sparse_output=False).fit(pd.DataFrame(COARSE)[["place"]])
    assert encoder.get_feature_names_out().tolist() == [f"place={x}" for x in ("A", "B", "C", "D", "north", "south")]
    np.testing.assert_array_equal(
        encoder.transform(pd.DataFrame({"place": ["A", "north", "D", "*"]})),
        [[1, 0, 0, 0, 1, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, 1, 0, 1], [0, 0, 0, 0, 0, 0]],
    )


def test_ancestors_are_the_nodes_that_contain_a_cell() -> None:
    schema = tk.example_schema()
    release = tk.anonymize(tk.example_census(rows=500), schema, tk.Generalization(k=5), seed=1)
    columns = list(schema.names("quasi_identifier"))
    encoder = tk.encoders.AncestorEncoder(release).fit(release.frame[columns])
    for reader, block in zip(encoder._readers, encoder._blocks, strict=True):
        places = np.arange(reader.axis.size)
        if reader.axis.free:
            nodes = list(zip(block.low.tolist(), block.high.tolist(), strict=True))
        else:
            spans = [(int(a), int(b)) for a, b in zip(reader.axis.first.ravel(), reader.axis.last.ravel(), strict=True)]
            nodes = [span for span in dict.fromkeys(spans) if span != reader.whole]
        made = block.rows(places, places).toarray()
        assert sorted(made.sum(axis=1)) == sorted(sum(a <= at <= b for a, b in nodes) for at in places.tolist())
        assert made.shape[1] == len(nodes)


def test_a_release_tells_what_its_labels_stand_for() -> None:
    schema = tk.example_schema()
    census = tk.example_census(rows=400)
    release = tk.anonymize(census, schema, tk.Generalization(k=4), seed=1)
    columns = list(schema.names("quasi_identifier"))
    for kind_of in EVERY:
        by_release = kind_of(release).fit(release.frame[columns])
        by_schema = kind_of(schema).fit(release.frame[columns])
        np.testing.assert_array_equal(
            by_release.transform(census[columns]).toarray(), by_schema.transform(census[columns]).toarray()
        )


def test_a_table_of_another_program_with_its_hierarchy_files(tmp_path: Path) -> None:
    (tmp_path / "age.csv").write_text("1;1-2;*\n2;1-2;*\n3;3-4;*\n4;3-4;*\n", encoding="utf-8")
    tree = tk.Hierarchy.read_csv(tmp_path / "age.csv")
    schema = tk.Schema([tk.Attribute("age", domain=tk.Numbers(1, 4, step=1), hierarchy=tree)])
    table = pd.DataFrame({"age": ["1-2", "3-4", "*"]})
    encoder = tk.encoders.AncestorEncoder(schema, sparse_output=False).fit(table)
    assert encoder.get_feature_names_out().tolist() == [f"age={x}" for x in ("1", "2", "3", "4", "1-2", "3-4")]
    np.testing.assert_array_equal(encoder.transform(table), [[0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1], [0] * 6])
    np.testing.assert_array_equal(encoder.transform(pd.DataFrame({"age": [3, 9]})), [[0, 0, 1, 0, 0, 1], [0] * 6])


def test_a_long_line_is_cut_where_cells_begin_and_end() -> None:
    schema = tk.Schema([tk.Attribute("gain", domain=tk.Numbers(0, 99_999, step=1))])
    frame = pd.DataFrame({"gain": ["[0, 99]", "[100, 5000]", "7000", "*"] * 3})
    made = tk.encoders.RateEncoder(schema, "uniform", sparse_output=False).fit(frame)
    assert made.get_feature_names_out().tolist() == [
        "gain=0…99",
        "gain=100…5000",
        "gain=5001…6999",
        "gain=7000",
        "gain=7001…99999",
    ]
    np.testing.assert_allclose(made.transform(frame)[:2], np.eye(5)[:2])
    np.testing.assert_allclose(made.transform(pd.DataFrame({"gain": [150, 6000]})), np.eye(5)[1:3])
    half = made.transform(pd.DataFrame({"gain": ["[50, 149]"]}))
    np.testing.assert_allclose(half, [[0.5, 0.5, 0, 0, 0]])
    many = pd.DataFrame({"gain": np.arange(0, 99_999, 7)})
    assert tk.encoders.LeafEncoder(schema).fit(many).transform(many).shape[1] <= 512


@pytest.mark.parametrize("kind_of", [tk.encoders.LeafEncoder, tk.encoders.RateEncoder, tk.encoders.AncestorEncoder])
@pytest.mark.parametrize("high", [40, 5000])
def test_a_missing_cell_is_never_one_of_the_values(kind_of: Any, high: int) -> None:
    schema = tk.Schema([tk.Attribute("x", domain=tk.Numbers(0, high, step=1), missing=True)])
    encoder = kind_of(schema, sparse_output=False).fit(pd.DataFrame({"x": np.arange(high)}))
    missing, *values = encoder.transform(pd.DataFrame({"x": [None, *range(high + 1)]}))
    assert encoder.get_feature_names_out()[missing > 0].tolist() == ["x=missing"]
    assert not np.array(values)[:, missing > 0].any()


def test_statistics_of_groups() -> None:
    coarse = pd.DataFrame({"place": ["north"] * 3 + ["south"] * 2, "age": ["[20, 23]"] * 5})
    true = pd.DataFrame({"place": ["A", "A", "B", "C", "C"], "age": [20, 20, 23, 21, 23]})
    known = tk.encoders.GroupStatistics.measured(coarse, true, SCHEMA)
    encoder = tk.encoders.GroupStatisticsEncoder(SCHEMA, known, "uniform", sparse_output=False).fit(coarse)
    assert encoder.get_feature_names_out().tolist()[4:] == ["age=mean", "age=variance"]
    np.testing.assert_allclose(encoder.transform(coarse)[[0, 3]], [[2 / 3, 1 / 3, 0, 0, 21, 2], [0, 0, 1, 0, 22, 1]])
    # Rows of no known group have the statistics of their cells.
    elsewhere = pd.DataFrame({"place": ["A", "north"], "age": ["22", "[20, 22]"]})
    np.testing.assert_allclose(
        encoder.transform(elsewhere), [[1, 0, 0, 0, 22, 0], [0.5, 0.5, 0, 0, 21, 2 / 3]], atol=1e-9
    )
    with pytest.raises(tk.errors.InvalidParameter, match="distinguished by"):
        encoder.fit(coarse[["age"]])
    with pytest.raises(tk.errors.InvalidParameter, match="true values"):
        tk.encoders.GroupStatistics.measured(coarse, coarse, SCHEMA)
    with pytest.raises(tk.errors.DataError, match="rows and columns"):
        tk.encoders.GroupStatistics.measured(coarse, true[:2], SCHEMA)


def test_bad_input() -> None:
    with pytest.raises(tk.errors.DataError, match="must be unique; these are not: 'x'"):
        tk.encoders.LeafEncoder().fit(pd.DataFrame([["a", "b"]], columns=["x", "x"]))
    frame = pd.DataFrame(COARSE)
    with pytest.raises(tk.errors.InvalidParameter, match="schema must be"):
        tk.encoders.LeafEncoder({"place": "x"}).fit(frame)
    with pytest.raises(tk.errors.InvalidParameter, match="no column 'plaze'.*Did you mean 'place'"):
        tk.encoders.LeafEncoder(SCHEMA).fit(frame.rename(columns={"place": "plaze"}))
    with pytest.raises(tk.errors.DataError, match="no rows"):
        tk.encoders.LeafEncoder(SCHEMA).fit(frame[:0])
