"""Rows that tell one thing each, together with everything else that a release may have."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import tokumei as tk
from tokumei.errors import InvalidParameter
from tokumei.prepare.keys import write_key

ROWS = 400
SCHEMA = tk.Schema(
    [
        tk.Attribute("name", "identifier"),
        tk.Attribute("age", domain=tk.Numbers(0, 59, step=1)),
        tk.Attribute("town", domain=tk.Categories(["north", "east", "south"]), missing=True),
        tk.Attribute("rooms", domain=tk.Categories([1, 2, 3])),
        tk.Attribute("own", domain=tk.Categories([False, True])),
        tk.Attribute("ill", "sensitive", tk.Categories(["no", "yes"])),
        tk.Attribute("weight", "insensitive", tk.Numbers(0, 10, step=0.5)),
    ]
)


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    return pd.DataFrame(
        {
            "name": [f"person {n}" for n in range(ROWS)],
            "age": rng.integers(0, 60, ROWS),
            "town": rng.choice(["north", "east", "south", None], ROWS),
            "rooms": rng.integers(1, 4, ROWS),
            "own": rng.random(ROWS) < 0.5,
            "ill": rng.choice(["no", "yes"], ROWS),
            "weight": rng.integers(1, 21, ROWS) / 2,
        }
    )


def read_back(release: tk.Release, folder: Path, **options: Any) -> tk.Release:
    return tk.read_release(release.write(folder, allow_seeded=True), **options)


def test_pseudonyms_and_weights_are_there_in_every_row(people: pd.DataFrame, tmp_path: Path) -> None:
    key = tmp_path / "key"
    write_key(key)
    steps = [tk.prepare.Pseudonymize("name", f"file:{key}")]
    release = tk.anonymize(people, SCHEMA, tk.PkPerturbation(k=3, tells=2), steps, seed=1)
    assert release.pseudonyms == ("name",)
    assert release.frame["name"].nunique() == ROWS
    assert not any("person" in name for name in release.frame["name"])
    back = read_back(release, tmp_path / "out")
    assert sorted(back.frame["weight"]) == sorted(people["weight"])
    with_weights = back.tells("town")
    assert back.frame.loc[with_weights, "weight"].notna().all()
    with pytest.raises(InvalidParameter, match="kept='perturb' cannot perturb 'name'"):
        tk.anonymize(people, SCHEMA, tk.PkPerturbation(k=3, tells=2, kept="perturb"), steps)


def test_weighted_shares_are_measured_among_the_rows_that_tell(people: pd.DataFrame) -> None:
    release = tk.anonymize(people, SCHEMA, tk.PkPerturbation(k=1.01, tells=1), seed=1)
    found = tk.measure_utility(people, release, SCHEMA, columns=["own", "weight"], weights="weight", reconstruct=False)
    rows = release.frame[release.tells("own")]
    share = rows.loc[rows["own"].astype(bool), "weight"].sum() / rows["weight"].sum()
    true = people.loc[people["own"], "weight"].sum() / people["weight"].sum()
    assert found.released is not None
    assert found.released.marginals["own"].total_variation == pytest.approx(abs(share - true))


def test_people_with_several_rows(people: pd.DataFrame, tmp_path: Path) -> None:
    frame = people.assign(name=[f"person {n // 2}" for n in range(ROWS)])
    schema = SCHEMA.replacing(tk.Attribute("name", "person", most=2))
    with pytest.raises(InvalidParameter, match="may show which rows belong to one person"):
        tk.anonymize(frame, schema, tk.PkPerturbation(k=3, tells=2))
    release = tk.anonymize(frame, schema, tk.PkPerturbation(k=3, tells=2, kept="perturb"), seed=1)
    swap = release.mechanism.swap  # k = 1 + (n - m) b / m, with up to m rows a person
    assert float(1 + (ROWS - 2) * swap / 2) == pytest.approx(3, rel=1e-6)
    assert "name" not in release.table.column_names
    assert read_back(release, tmp_path / "out").guarantees == release.guarantees
    assert tk.attack(frame, release, schema).largest_belief <= 1 / 3 + 1e-9


def test_releases_of_both_kinds_are_combined(people: pd.DataFrame) -> None:
    """Joined by what is kept, swaps multiply; each keeps its own where nothing joins them."""
    schema, frame = SCHEMA.without("weight", "name"), people.drop(columns=["weight", "name"])
    told, noisy = (tk.anonymize(frame, schema, tk.PkPerturbation(k=5, tells=tells), seed=1) for tells in (1, "all"))
    joint = tk.combine([told, noisy])
    assert joint[0].value == pytest.approx(1 + (ROWS - 1) * float(told.mechanism.swap * noisy.mechanism.swap), rel=1e-6)
    assert joint[1].value == pytest.approx(told.guarantees[1].value + noisy.guarantees[1].value)
    alone = [tk.anonymize(frame, schema, tk.PkPerturbation(k=k, tells=2, kept="perturb"), seed=1) for k in (3, 5)]
    assert tk.combine(alone)[0].value == pytest.approx(3, rel=1e-6)


def test_steps_before_say_what_values_became(people: pd.DataFrame, tmp_path: Path) -> None:
    steps = [tk.prepare.Recode("age", hierarchy=tk.Hierarchy.intervals([0, 20, 40, 60]))]
    frame, schema = people.drop(columns="name"), SCHEMA.without("name")
    frame = frame.assign(age=frame["age"].clip(upper=59))
    release = tk.anonymize(frame, schema, tk.PkPerturbation(k=3, tells=1), steps, seed=1)
    back = read_back(release, tmp_path / "out")
    for each in (release, back):
        assert set(each.originals.columns) == {"age"}
        assert each.originals.unsaid == ()
        assert each.original("age").missing is False  # blank is not missing
        assert each.schema["age"].missing is True
    levelled = back.originals.levelled(pa.table({"age": [5, 59]}))
    assert set(levelled["age"].to_pylist()) <= set(back.original("age").domain.labels())  # type: ignore[union-attr]


def test_a_column_of_the_same_name_leaves_the_label_another(people: pd.DataFrame) -> None:
    frame = people.rename(columns={"own": "tells"})
    schema = tk.Schema([dataclasses.replace(a, name="tells") if a.name == "own" else a for a in SCHEMA])
    release = tk.anonymize(frame, schema, tk.PkPerturbation(k=3, tells=1), seed=1)
    assert release.mechanism.tells == "tells 2"
    assert release.tells("tells").mean() == pytest.approx(1 / 4, abs=0.1)


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_columns_that_are_told_as_they_were_keep_their_type(people: pd.DataFrame, kind: str) -> None:
    frame = people.drop(columns="name").assign(town=people["town"].astype("category"))
    made: Any = {"pandas": frame, "polars": pl.from_pandas(frame), "pyarrow": pa.Table.from_pandas(frame)}[kind]
    release = tk.anonymize(made, SCHEMA.without("name"), tk.PkPerturbation(k=3, tells=1), seed=1)
    found = release.frame
    types = (
        dict(zip(found.schema.names, found.schema.types, strict=True))
        if kind == "pyarrow"
        else dict(found.dtypes)
        if kind == "pandas"
        else dict(found.schema)
    )
    expected: dict[str, Any] = {
        "pandas": {"rooms": pd.Int64Dtype(), "own": pd.BooleanDtype(), "town": "category"},
        "polars": {"rooms": pl.Int64, "own": pl.Boolean, "town": pl.Enum(["north", "east", "south"])},
        "pyarrow": {"rooms": pa.int64(), "own": pa.bool_()},
    }[kind]
    assert all(types[name] == each for name, each in expected.items())


def test_a_database_keeps_the_two_apart(people: pd.DataFrame, tmp_path: Path) -> None:
    release = tk.anonymize(people, SCHEMA, tk.PkPerturbation(k=3, tells=1), seed=1)
    database = f"sqlite:///{tmp_path / 'out.db'}"
    release.write_table(database, "people", allow_seeded=True)
    read = tk.read_release(database, "pandas", table="people")
    told = read.frame[read.tells("town")]
    assert 0 < told["town"].isna().sum() < len(told)
    assert read.frame.loc[~read.tells("town"), "town"].isna().all()
