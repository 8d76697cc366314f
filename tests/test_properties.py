"""Random schemas and tables: whatever they are, nothing is lost, nothing leaves its domain, and the promise is kept."""

from __future__ import annotations

import datetime as dt
import json
import tempfile
import warnings
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tokumei as tk
from tests.conftest import same_codes
from tokumei.release.manifest import declared_and_disclosed

NAMES = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=8)
LABELS = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=6), min_size=1, max_size=6, unique=True)
DAY = dt.date(1999, 12, 25)

domains = st.one_of(
    st.tuples(LABELS, st.booleans()).map(lambda drawn: tk.Categories(drawn[0], ordered=drawn[1])),
    st.lists(st.integers(-(2**50), 2**50), min_size=1, max_size=6, unique=True).map(tk.Categories),
    st.just(tk.Categories([False, True])),
    st.tuples(st.integers(-1000, 1000), st.integers(0, 60), st.integers(1, 9)).map(
        lambda drawn: tk.Numbers(drawn[0], drawn[0] + drawn[1] * drawn[2], step=drawn[2])
    ),
    st.tuples(st.integers(-50, 50), st.integers(1, 40)).map(
        lambda d: tk.Numbers(d[0] / 4, d[0] / 4 + d[1] * 0.25, step=0.25)
    ),
    st.tuples(st.integers(0, 400), st.integers(1, 30)).map(
        lambda d: tk.Dates(DAY, DAY + dt.timedelta(days=d[0]), step=d[1])
    ),
)


@st.composite
def tables(draw: st.DrawFn) -> tuple[pa.Table, tk.Schema]:
    names = draw(st.lists(NAMES, min_size=1, max_size=4, unique=True))
    rows = draw(st.integers(2, 30))
    attributes, columns = [], {}
    for place, name in enumerate(names):
        domain, missing = draw(domains), draw(st.booleans())
        role = (
            "quasi_identifier"
            if place == 0
            else draw(st.sampled_from(["quasi_identifier", "sensitive", "insensitive", "identifier"]))
        )
        attributes.append(tk.Attribute(name, role, domain, missing=missing))
        codes = draw(st.lists(st.integers(0, domain.size - 1 + missing), min_size=rows, max_size=rows))
        import numpy as np

        columns[name] = domain.values_of(np.array(codes))
    return pa.table(columns), tk.Schema(tuple(attributes))


methods = st.one_of(
    st.sampled_from(["even", "equal_retention"]).map(lambda split: {"split": split, "tells": "all"}),
    st.sampled_from([1, "all", "auto"]).map(lambda tells: {"tells": tells}),
    st.sampled_from(["unknown", "perturb"]).map(lambda kept: {"kept": kept}),
    st.floats(0.1, 1.0).map(lambda rate: {"sample": rate}),
)


@pytest.mark.filterwarnings("ignore::tokumei.errors.FormulaCellsWarning")
@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow])
@given(tables(), st.floats(1.0001, 1.9), methods)
def test_every_table_is_released_whole_or_refused_in_one_sentence(
    drawn: tuple[pa.Table, tk.Schema], k: float, options: dict[str, Any]
) -> None:
    table, schema = drawn
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            release = tk.anonymize(table, schema, tk.PkPerturbation(k=k, **options))
        except tk.errors.InfeasiblePromise as error:
            assert "\n" not in str(error)
            return
    rate = options.get("sample", 1.0)
    assert release.rows == max(1, int(tk_floor(rate, table.num_rows)))
    assert release.guarantees[0].value >= k
    kept = [n for n in table.column_names if schema[n].role != "identifier"]
    added = list(release.mechanism.made_up)
    assert release.table.column_names == [*kept, *added]
    assert release.coded.rows == release.rows  # every released cell is in its domain
    for name in release.mechanism.kept:
        if rate == 1.0:
            key = lambda cell: (cell is None, str(cell))  # noqa: E731
            assert sorted(release.table.column(name).to_pylist(), key=key) == sorted(
                table.column(name).to_pylist(), key=key
            )
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("parquet", "csv"):
            release.write(Path(folder) / kind, format=kind)
            again = tk.read_release(Path(folder) / kind, frame="pyarrow")
            assert again.schema == release.schema
            assert again.guarantees == release.guarantees
            assert same_codes(again.coded, release.coded)
    declared, disclosed = declared_and_disclosed(release)
    assert disclosed == {}
    other = tk.anonymize(table.take(list(reversed(range(table.num_rows)))), schema, tk.PkPerturbation(k=k, **options))
    assert json.dumps(declared_and_disclosed(other)[0]) == json.dumps(declared)


def tk_floor(rate: float, rows: int) -> int:
    from fractions import Fraction
    from math import floor

    return floor(Fraction(repr(rate)) * rows)
