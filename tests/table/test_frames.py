from __future__ import annotations

import datetime as dt
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import tokumei as tk
from tests.conftest import columns_of
from tokumei.errors import DataError, MissingDependency
from tokumei.table.frames import Origin, from_arrow, to_arrow

DAY = dt.date(2020, 1, 1)
SCHEMA = tk.Schema(
    [
        tk.Attribute("text", domain=tk.Categories(["b", "a", "unseen"])),
        tk.Attribute("category", domain=tk.Categories(["y", "x", "unseen"])),
        tk.Attribute("small", domain=tk.Numbers(0, 9, step=1)),
        tk.Attribute("real", domain=tk.Numbers(0, 1)),
        tk.Attribute("day", domain=tk.Dates(DAY, dt.date(2020, 12, 31))),
        tk.Attribute("yes", domain=tk.Categories([False, True])),
        tk.Attribute("maybe", domain=tk.Numbers(0, 9, step=1), missing=True),
        tk.Attribute("kept", "insensitive"),
    ]
)
ROWS = 40
COLUMNS = {
    "text": ["a", "b"] * 20,
    "category": ["x", "y"] * 20,
    "small": [1, 9] * 20,
    "real": [0.25, 0.5] * 20,
    "day": [DAY, dt.date(2020, 6, 1)] * 20,
    "yes": [True, False] * 20,
    "maybe": [3, None] * 20,
    "kept": ["p", "q"] * 20,
}


def frames() -> dict[str, object]:
    pandas = pd.DataFrame(COLUMNS, index=[f"person {i}" for i in range(ROWS)])
    pandas = pandas.astype({"category": "category", "small": "int8", "real": "float32", "maybe": "Int64"})
    pandas["day"] = pd.to_datetime(pandas["day"])
    polars = pl.DataFrame(COLUMNS).cast({"category": pl.Categorical, "small": pl.Int8, "real": pl.Float32})
    arrow = pa.table(COLUMNS)
    arrow = arrow.set_column(1, "category", arrow.column("category").dictionary_encode())
    arrow = arrow.replace_schema_metadata({"secret": "yes"})
    return {"pandas": pandas, "polars": polars, "pyarrow": arrow}


def test_the_same_kind_order_and_types_come_out(kind: str) -> None:
    frame = frames()[kind]
    released = tk.anonymize(frame, SCHEMA, tk.PkPerturbation(k=3, tells="all")).frame
    assert type(released) is type(frame)
    assert list(columns_of(released)) == list(COLUMNS)
    if kind == "pandas":
        assert released.dtypes.drop("category").equals(frame.dtypes.drop("category"))  # type: ignore[attr-defined]
        assert list(released["category"].cat.categories) == ["y", "x", "unseen"]
        assert isinstance(released.index, pd.RangeIndex)
    elif kind == "polars":
        expected = dict(frame.schema) | {"category": pl.Enum(["y", "x", "unseen"])}  # type: ignore[attr-defined]
        assert dict(released.schema) == expected
    else:
        assert released.schema.remove_metadata() == frame.schema.remove_metadata()  # type: ignore[attr-defined]
        assert released.schema.metadata is None
        assert released.column("category").chunk(0).dictionary.to_pylist() == ["y", "x", "unseen"]


def test_missing_cells_stay_null_and_are_perturbed_too(kind: str) -> None:
    released = columns_of(tk.anonymize(frames()[kind], SCHEMA, tk.PkPerturbation(k=10, tells="all"), seed=1).frame)
    gaps = sum(cell is None for cell in released["maybe"])
    assert 0 < gaps < ROWS
    assert gaps != 20 or released["maybe"] != COLUMNS["maybe"]
    assert all(cell is None or 0 <= cell <= 9 for cell in released["maybe"])
    assert not any(cell is None for cell in released["text"])


def test_the_same_seed_gives_the_same_rows_whatever_the_kind() -> None:
    made = [
        columns_of(tk.anonymize(f, SCHEMA, tk.PkPerturbation(k=3, tells="all"), seed=4).frame)
        for f in frames().values()
    ]
    for other in made[1:]:
        for name in ("text", "small", "yes", "maybe", "kept"):
            assert other[name] == made[0][name], name


def test_kept_categoricals_lose_the_order_they_came_in() -> None:
    frame = pd.DataFrame({"q": [1, 2] * 10, "kept": pd.Categorical(["zebra", "ant"] * 10, categories=["zebra", "ant"])})
    schema = tk.Schema([tk.Attribute("q", domain=tk.Numbers(1, 2, step=1)), tk.Attribute("kept", "insensitive")])
    release = tk.anonymize(frame, schema, tk.PkPerturbation(k=2, tells="all"))
    assert list(release.frame["kept"].cat.categories) == ["ant", "zebra"]
    assert release.table.column("kept").type == pa.large_string()  # no dictionary is passed on


def test_decimals_and_wide_integers() -> None:
    frame = pa.table(
        {"money": pa.array([Decimal("1.50"), Decimal("0.00")] * 5), "n": pa.array([7, 8] * 5, pa.uint64())}
    )
    schema = tk.Schema(
        [tk.Attribute("money", domain=tk.Numbers(0, 2, step=0.5)), tk.Attribute("n", domain=tk.Numbers(7, 8, step=1))]
    )
    assert tk.anonymize(frame, schema, tk.PkPerturbation(k=2, tells="all")).frame.schema == frame.schema


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        ([1, 2], "must be a pandas or polars frame"),
        (None, "must be a pandas or polars frame"),
        ("people.csv", "Got str; read the file first, or name it in a plan"),
        ({"a": [1]}, "must be a pandas or polars frame"),
        (pl.DataFrame({"a": [1]}).lazy(), "collect it first"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "unique; these are not: 'a'"),
        (pa.table([[1], [2]], names=["a", "a"]), "unique; these are not: 'a'"),
        (pd.DataFrame([[1, 2]]), "names must be text"),
        (pd.DataFrame({"a": [1, "x"]}), "Column 'a' mixes kinds"),
        (pd.DataFrame({"a": [object()]}), "Column 'a' mixes kinds"),
    ],
)
def test_frames_that_cannot_be_used(frame: object, message: str) -> None:
    with pytest.raises(DataError, match=message):
        to_arrow(frame)


def test_no_cell_is_shown_when_kinds_are_mixed() -> None:
    with pytest.raises(DataError) as caught:
        to_arrow(pd.DataFrame({"a": [1, "Grace Hopper"]}))
    assert "Grace" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


def test_a_kind_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    import narwhals as nw

    def refuse(*_: object, **__: object) -> None:
        raise ImportError

    monkeypatch.setattr(nw, "from_arrow", refuse)
    with pytest.raises(MissingDependency, match="pandas is not installed"):
        from_arrow(pa.table({"a": [1]}), Origin("pandas"))


def test_nan_is_missing_in_every_kind() -> None:
    schema = tk.Schema([tk.Attribute("a", domain=tk.Numbers(0, 1, step=1), missing=True)])
    for frame in (pl.DataFrame({"a": [0.0, np.nan] * 5}), pd.DataFrame({"a": [0.0, np.nan] * 5})):
        assert tk.anonymize(frame, schema, tk.PkPerturbation(k=2, tells="all")).rows == 10
